"""Words of errors, as the command line and experiment files have them."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from truegain.errors import Blank, InputError, Way, Written, quoted
from truegain.settings.option import described
from truegain.settings.pool import PoolOptions

#: Inputs, which studies get as objects: their option, and their key in an experiment file.
INPUTS = {
    "systems": ("", "systems"),
    "references": ("--ref", "reference"),
    "sources": ("--src", "source"),
    "documents": ("--docs", "documents"),
    "document_column": ("--docs-column", "document_column"),
    "domains": ("--domains", "domains"),
    "domain_column": ("--domain-column", "domain_column"),
    "id_column": ("--id-column", "id_column"),
    "system_column": ("--system-column", "system_column"),
    "run_column": ("--run-column", "run_column"),
    "repeat_column": ("--repeat-column", "repeat_column"),
    "rater_column": ("--rater-column", "rater_column"),
    "text_column": ("--text-column", "text_column"),
    "references_per_line": ("--num-refs", "references_per_line"),
    "scores": ("--scores", "scores"),
    "metrics": ("-m", "metrics"),
    "development": ("--dev", "development.systems"),
}

#: The studies that have options whose flags are not their names.
_STUDIES = ("compare", "plan", "inspect")


def as_option(part: Written) -> str:
    """Return it as one writes it on the command line."""
    import shlex

    if isinstance(part, Way):
        return part.command
    flag, value = _flag(part.name), part.value
    if value is None:
        return flag
    if isinstance(value, dict):
        written = [f"{system}={shlex.quote(str(files))}" for system, files in value.items()]
    elif isinstance(value, tuple) and all(isinstance(one, str) for one in value):
        written = [shlex.quote(one) for one in value]
    elif isinstance(value, tuple):
        written = [",".join(map(str, value))]
    else:
        written = [value.word if isinstance(value, Blank) else str(value)]
    return " ".join(f"{flag} {one}".lstrip() for one in written)


def as_key(part: Written) -> str | Written:
    """Return it as one writes it in an experiment file; what is not written there as it is."""
    keys = {one.name: one.key for one in described(PoolOptions)} | {name: key for name, (_, key) in INPUTS.items()}
    if isinstance(part, Way) or not keys.get(part.name):
        return part
    key, value = keys[part.name], part.value
    if value is None:
        return key
    if isinstance(value, dict):
        return f"{key} = {{{', '.join(f'{system} = {quoted(files)}' for system, files in value.items())}}}"
    return f"{key} = {quoted(value.word if isinstance(value, Blank) else value)}"


@contextmanager
def in_words_of(experiment: str) -> Iterator[None]:
    """Word errors for the author of an experiment file; one that names no other file is about this one."""
    try:
        yield
    except InputError as error:
        raise error.at(error.path or experiment, error.line).worded(as_key) from error


def _flag(name: str) -> str:
    if name in INPUTS:
        return INPUTS[name][0]
    for study in _STUDIES:
        options = getattr(import_module(f"truegain.settings.{study}"), f"{study.title()}Options")
        for one in described(options):
            if one.name == name and one.flags:
                return one.flags[0]
    return f"--{name.replace('_', '-')}"
