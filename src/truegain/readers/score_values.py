"""Scores as files write them: numbers, truth values, what stands for a missing score, and what can name a column."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from truegain.errors import InputError, excerpt
from truegain.readers.column_names import column_key

#: What a value is. A missing one decides nothing about its column.
Kind = Literal["number", "truth", "missing", "text"]

_MISSING = {"", "-", "--", "---", "–", "—", ".", "?", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "missing"}
_NOT_NAMES = _MISSING | {"true", "false", "inf", "infinity"}
ANSWER_NAMES = ("answer", "final_answer", "extracted_answer", "predicted_answer")
_VERDICTS = (("true", "false"), ("correct", "incorrect"), ("pass", "fail"), ("passed", "failed"))
_TRUTH = {word: value for words in _VERDICTS for word, value in zip(words, (1.0, 0.0), strict=True)}
#: Inspect's verdicts, as its own mean takes them.
LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_LEFT_OUT = "a segment without a score must be left out of all files"
_WRITTEN = "write numbers with the digits 0 to 9 and a decimal point: 0.61"


def number_in(text: str) -> float | None:
    """Return the number that a text is, or None.

    Python reads more: digits of other scripts, and underscores between digits.
    """
    if not text.isascii() or "_" in text:
        return None
    try:
        return float(text)
    except ValueError:
        return None


def text_kind(text: str) -> Kind:
    """Tell what a field of a table or a line is; ``0,61`` and ``1_000`` are numbers, and are refused as such."""
    word = text.strip().lower()
    if word in _MISSING:
        return "missing"
    if word in _TRUTH:
        return "truth"
    plain = unicodedata.normalize("NFKC", word).replace("_", "").replace(",", ".", 1).removesuffix("%")
    return "text" if number_in(plain) is None else "number"


def json_kind(value: Any) -> Kind:
    """Tell what a value in JSON is; a string is a text, even if it reads like a number."""
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int | float):
        return "missing" if value != value else "number"  # NaN is not equal to itself
    if value is None or (isinstance(value, str) and value.strip().lower() in _MISSING):
        return "missing"
    return "text"


def column_kind(values: Iterable[Any], kind_of: Callable[[Any], Kind]) -> Kind:
    """Tell what a column holds, by the first of its values that is not missing."""
    return next((kind for kind in map(kind_of, values) if kind != "missing"), "missing")


def is_answers(name: str, values: Iterable[Any], kind_of: Callable[[Any], Kind]) -> bool:
    """Return whether a column is of answers, not of scores: by its name, and if its values are of several kinds."""
    return column_key(name) in ANSWER_NAMES and len(set(map(kind_of, values))) > 1


def verdicts(values: Iterable[Any], *, lone_letters: bool = False) -> dict[Any, float] | None:
    """Return the numbers of the values of a column in words of right and wrong; None if it is no such column.

    The words are *true* and *false*, *correct* and *incorrect*, *pass* and *fail*, or Inspect's letters: *C* and *I*,
    and *P* and *N* beside them. Values that are missing are left out.

    Parameters
    ----------
    values : iterable
    lone_letters : bool
        Letters count without both *C* and *I*; else they may be answers.
    """
    found: dict[Any, float] = {}
    letters: dict[Any, float] = {}
    for one in values:
        if one is None or (isinstance(one, str) and (one in found or one in letters)):
            continue
        if not isinstance(one, str):
            return None
        word = one.strip()
        if word.lower() in _TRUTH:
            found[one] = _TRUTH[word.lower()]
        elif word in LETTERS:
            letters[one] = LETTERS[word]
        elif word.lower() not in _MISSING:
            return None
    if found and letters:
        return None
    sure = lone_letters or {"C", "I"} <= set(map(str.strip, letters))
    return found or (letters if sure else None) or None


def check_header_is_no_verdict(columns: Mapping[str, Iterable[str]], name: str) -> None:
    """Refuse a header that could be the verdicts on the first segment: it has the words that its columns have.

    Parameters
    ----------
    columns : mapping of str to iterable of str
        The different words of each column; a column of something else has none.
    name : str
        The file.
    """
    if all(_are_alike([header, *words]) for header, words in columns.items()):
        raise InputError(
            f"{excerpt(next(iter(columns)))} is the name of a column, or the verdict on the first segment",
            path=name,
            line=1,
            hint="begin the file with a line that can be no verdict: score",
        )


def _are_alike(words: Sequence[str]) -> bool:
    """Return whether two words or more are verdicts of one kind."""
    found = {word.strip() for word in words}
    kinds = (*_VERDICTS, tuple(map(str.lower, LETTERS)))
    return len(words) > 1 and any({word.lower() for word in found} <= set(kind) for kind in kinds)


def say_verdicts(column: str, words: Mapping[Any, float] | None) -> str:
    """Return which words of a column are 1, and which are 0; truth values if it has no words."""
    named = {"true": 1, "false": 0} if words is None else {repr(word): one for word, one in words.items()}
    return f"In the column {column!r}, {' and '.join(f'{word} is {one:g}' for word, one in sorted(named.items()))}"


def required_score(text: str, kind: Kind, name: str, line: int) -> float:
    """Return the finite number that must stand there; in a column of truth values, 1 for true and 0 for false."""
    word = text.strip()
    if kind == "truth":
        if word.lower() not in _TRUTH:
            raise InputError(f"{word[:40]!r} is neither true nor false", path=name, line=line, hint=_LEFT_OUT)
        return _TRUTH[word.lower()]
    value = number_in(word)
    if value is None:
        hint = _WRITTEN if text_kind(word) == "number" else _LEFT_OUT if text_kind(word) == "missing" else None
        raise InputError(f"{word[:40]!r} is not a number", path=name, line=line, hint=hint)
    if not math.isfinite(value):
        raise InputError(
            f"the score is {value}",
            path=name,
            line=line,
            hint="scores must be finite; leave the segment out of all files",
        )
    return value


def required_json(key: str, value: Any, kind: Kind) -> float:
    """Return the score that a JSON value stands for; the error does not say where it stands.

    Raises
    ------
    InputError
        For anything else than a finite number, or a truth value in a column of those.
    """
    if kind == "truth" and isinstance(value, bool):
        return float(value)
    if kind == "truth" or isinstance(value, bool) or not isinstance(value, int | float):
        expected = "true or false" if kind == "truth" else "a number"
        raise InputError(f"{key!r} is {str(value)[:40]}; {expected} was expected", hint=_LEFT_OUT)
    try:
        number = float(value)
    except OverflowError:
        raise InputError("the score is too large", hint=_LEFT_OUT) from None
    if not math.isfinite(number):
        raise InputError(f"the score is {number}", hint=_LEFT_OUT)
    return number


def is_header(line: str) -> bool:
    """Return whether the first line of a file of scores must be a header: it has tabs, or is a name."""
    return "\t" in line or _is_name(line)


def check_header(fields: Sequence[str], name: str) -> None:
    """Check that the first line of a table names its columns; one of several may have no name.

    Raises
    ------
    InputError
        If a field can be no name: a first segment would be lost as a header.
    """
    if not names_columns(fields):
        odd = next(one for one in fields if not _is_name(one))
        raise InputError(
            f"the first line of a table must name its columns, and {excerpt(odd.strip())} is not a name",
            path=name,
            line=1,
            hint="add a header, whose names begin with letters, or keep one number per line",
        )


def names_columns(fields: Sequence[str]) -> bool:
    """Return whether fields can be the names of columns; of several, some may be empty."""
    named = any(map(_is_name, fields))
    return all(_is_name(one) or (named and not one.strip()) for one in fields)


def _is_name(text: str) -> bool:
    word = text.strip()
    if word.lower() in _NOT_NAMES or not any(character.isalpha() for character in word):
        return False
    return not word[0].isnumeric() and word[0] not in "+-.,"
