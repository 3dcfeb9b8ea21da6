"""Errors in the words of an experiment file: its keys, where the command line has options."""

from __future__ import annotations

import re

from truegain.errors import InputError
from truegain.readers.experiment_keys import SETTINGS

__all__ = ["in_its_words"]

_KEYS = {
    "docs": "documents",
    "docs-column": "document_column",
    "domains": "domains",
    "domain-column": "domain_column",
    "id-column": "id_column",
    "text-column": "text_column",
    "num-refs": "references_per_line",
    "ref": "reference",
    "scores": "scores",
    "dev": "development.systems",
    **{one.flags[0].removeprefix("--"): key for key, one in SETTINGS.items()},
}
_VALUES = sorted({value for one in SETTINGS.values() for value in one.choices}, key=len, reverse=True)
_OPTION = re.compile(
    rf"--(?P<option>{'|'.join(sorted(_KEYS, key=len, reverse=True))})\b(?!-)"
    rf"(?: (?P<value>[A-Z]+\b(?!=)|\d+|(?:{'|'.join(map(re.escape, _VALUES))})(?![\w-])"
    r"|(?P<name>[^\s=]+)=(?P<file>\S+)))?"
)
_METRIC = re.compile(r"(?<!\S)-m (\S+)")


def in_its_words(error: InputError, path: str) -> InputError:
    """The same error for whoever wrote an experiment file, ``path``: named where nothing more particular is."""
    hint = None if error.hint in (None, "or choose with --format") else _as_keys(error.hint or "")
    return InputError(_as_keys(error.message), path=error.path or path, line=error.line, hint=hint)


def _as_keys(text: str) -> str:
    text = re.sub(r"^-o: ", "outputs: ", text)
    return _METRIC.sub(r'metrics = "\1"', _OPTION.sub(_as_key, text))


def _as_key(option: re.Match[str]) -> str:
    key, value = _KEYS[option["option"]], option["value"]
    if value is None:
        return key
    if option["name"] is not None:
        file = option["file"].strip("'")
        return f'{key} = {{{option["name"]} = "{file}"}}'
    return f"{key} = {value}" if value.isdecimal() else f'{key} = "{value}"'
