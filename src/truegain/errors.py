"""The errors that users see: what was found, what was expected, and the way out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast


@dataclass(frozen=True)
class Blank:
    """A word for a value that the user fills in, such as FILE."""

    word: str


FILE = Blank("FILE")
NAME = Blank("NAME")


@dataclass(frozen=True)
class Setting:
    """A parameter, written as an option on the command line and as a key in an experiment file.

    Attributes
    ----------
    name : str
        Its name in Python.
    value : object, optional
        A text, a number, a tuple of them, a Blank, or files by system; without one the parameter is only named.
    """

    name: str
    value: object = None


@dataclass(frozen=True)
class Way:
    """Words that differ between the command line and Python, beyond one parameter."""

    command: str
    python: str


def command(name: str) -> Way:
    """Return a command that is a function of the same name in Python."""
    return Way(f"truegain {name}", f"truegain.{name}")


#: What users write, and how that differs from place to place.
Written = Setting | Way
#: What an error says: a text, or pieces of one with what users write between them.
Text = str | tuple[str | Written, ...]
#: Word what users write for one place; what is not written there is returned as it is.
Words = Callable[[Written], str | Written]


def worded(text: Text, words: Words) -> Text:
    """Return a text with what users write in the words of one place."""
    if isinstance(text, str):
        return text
    return tuple(part if isinstance(part, str) else words(part) for part in text)


def joined(text: Text) -> str:
    """Return a text with what users write as Python has it."""
    return text if isinstance(text, str) else "".join(map(str, worded(text, _as_python)))


class TruegainError(Exception):
    """Base of every error the package raises on purpose."""


class InputError(TruegainError):
    """Error in the user's input.

    Parameters
    ----------
    message : str, or tuple of str, Setting and Way
        What was found and what was expected.
    path : str, optional
        The file it was found in.
    line : int, optional
        The line, counted from 1.
    hint : str, or tuple of str, Setting and Way, optional
        What to do about it.

    Attributes
    ----------
    message, hint : str
        As Python users read them.
    said, advice : str or tuple
        The message and the hint as they were given.
    """

    def __init__(
        self, message: Text, *, path: str | None = None, line: int | None = None, hint: Text | None = None
    ) -> None:
        super().__init__(message)
        self.said = message
        self.path = path
        self.line = line
        self.advice = hint

    @property
    def message(self) -> str:
        """Return the message in words of Python."""
        return joined(self.said)

    @property
    def hint(self) -> str | None:
        """Return the hint in words of Python."""
        return None if self.advice is None else joined(self.advice)

    def __str__(self) -> str:
        where = "" if self.path is None else f"{self.path}: " if self.line is None else f"{self.path}:{self.line}: "
        remedy = "" if self.hint is None else f"\n  {self.hint}"
        return f"{where}{self.message}{remedy}"

    def at(self, path: str | None, line: int | None = None, *, before: str = "") -> InputError:
        """Return the same error, found in another place, with a text before its message."""
        said = self.said if not before else (before, *((self.said,) if isinstance(self.said, str) else self.said))
        return InputError(said, path=path, line=line, hint=self.advice)

    def worded(self, words: Words) -> InputError:
        """Return the same error in the words of one place."""
        hint = None if self.advice is None else worded(self.advice, words)
        return InputError(worded(self.said, words), path=self.path, line=self.line, hint=hint)


def one_of(what: str, given: object, choices: list[str], *, hint: Text | None = None) -> InputError:
    """Say that ``given`` is not among ``choices``, and name the nearest one."""
    from difflib import get_close_matches

    spelled = {choice.lower(): choice for choice in choices}
    near = get_close_matches(str(given).lower(), spelled, n=1)
    hint = f"did you mean {spelled[near[0]]!r}?" if near else hint
    return InputError(f"{what} must be one of {', '.join(choices)}; got {given!r}", hint=hint)


def excerpt(text: str, width: int = 40) -> str:
    """Quote the beginning of a text from the user's files."""
    return repr(text if len(text) <= width else text[: width - 1] + "…")


def some(names: Sequence[str], most: int, joint: str = ", ") -> str:
    """Return the first of some names, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return joint.join(names[:most]) + more


def quoted(value: object) -> str:
    """Return a text in double quotes, numbers as they are, several values in brackets: for Python and TOML."""
    import json

    return json.dumps(value, ensure_ascii=False)


#: Parameters that only files have: of :func:`truegain.read_corpus`, not of studies.
OF_FILES = (
    *("document_column", "domain_column", "id_column", "text_column", "system_column", "run_column", "repeat_column"),
    *("rater_column", "references_per_line", "scores"),
)


def _as_python(part: Written) -> str:
    if isinstance(part, Way):
        return part.python
    if part.value is None:
        return part.name
    written = f"{part.name}={_value_in_python(part)}"
    return f"truegain.read_corpus(…, {written})" if part.name in OF_FILES else written


def _value_in_python(part: Setting) -> str:
    if part.name == "systems" and isinstance(part.value, dict):
        return f"{{{', '.join(f'{quoted(system)}: […]' for system in part.value)}}}"
    if part.name == "scores" and isinstance(part.value, dict):
        return quoted([f"{system}={file}" for system, file in part.value.items()])
    return "…" if isinstance(part.value, Blank | dict) else quoted(part.value)


_Kind = TypeVar("_Kind")

# The controls of ASCII (but for the tab and the line end) and of Latin-1, halves of characters, and what turns the
# direction of all that follows. What joins letters and sets scripts apart is part of texts, and stays.
_STRANGE = [*range(9), *range(11, 32), *range(127, 160), 0x202D, 0x202E, *range(0xD800, 0xE000)]
_SHOWN = dict.fromkeys(_STRANGE, "�")


def printable(text: str) -> str:
    """Return the text with a mark in the place of whatever a terminal might obey."""
    return text if text.isascii() and text.isprintable() else text.translate(_SHOWN)


def printable_parts(value: _Kind) -> _Kind:
    """Make texts printable all through a structure of dataclasses and tuples."""
    if isinstance(value, str):
        return cast("_Kind", printable(value))
    if isinstance(value, tuple):
        return cast("_Kind", tuple(printable_parts(one) for one in value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        known: dict[str, Any] = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **{name: printable_parts(one) for name, one in known.items()})
    return value
