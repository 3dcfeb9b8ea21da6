"""Labels of systems and classes of pairs of systems: lines of names and a label, with tabs between them."""

from __future__ import annotations

import re

from truegain.errors import InputError
from truegain.readers.plain import read_lines


class PairClasses(dict[tuple[str, str], str]):
    """Classes of pairs of systems, and the line that each was read from.

    Attributes
    ----------
    path : str
    lines : dict
        Counted from 1.
    """

    path: str
    lines: dict[tuple[str, str], int]


def read_pair_classes(path: str) -> PairClasses:
    """Read the class of each pair of systems.

    Parameters
    ----------
    path : str
        Lines of two names and a class, with tabs between them; ``-`` is standard input. Empty lines are passed over.

    Raises
    ------
    InputError
        If a line is something else, or a pair has two classes.
    """
    source = read_lines(path)
    classes = PairClasses()
    classes.path, classes.lines = source.name, {}
    for number, line in enumerate(source.lines, 1):
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split("\t")]
        if len(parts) != 3 or not all(parts):
            raise InputError(
                f"two names and a class were expected, with tabs between them; found {line[:60]!r}",
                path=source.name,
                line=number,
            )
        first, second, kind = parts
        pair = (second, first) if (second, first) in classes else (first, second)
        if classes.setdefault(pair, kind) != kind:
            raise InputError(
                f"{first!r} and {second!r} have two classes, {classes[pair]!r} and {kind!r}: see line "
                f"{classes.lines[pair]}",
                path=source.name,
                line=number,
            )
        classes.lines.setdefault(pair, number)
    return classes


def read_labels(path: str) -> dict[str, str]:
    """Read the label of each name.

    Parameters
    ----------
    path : str
        Lines of a name, a tab and a label; ``-`` is standard input. Empty lines are passed over.

    Raises
    ------
    InputError
        If a line is something else, or a name has two labels.
    """
    source = read_lines(path)
    labels: dict[str, str] = {}
    for number, line in enumerate(source.lines, 1):
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split("\t")]
        if len(parts) != 2 or not all(parts):
            raise InputError(
                f"a name, a tab and a label were expected; found {line[:60]!r}", path=source.name, line=number
            )
        name, label = parts
        if labels.setdefault(name, label) != label:
            raise InputError(f"{name!r} has two labels, {labels[name]!r} and {label!r}", path=source.name, line=number)
    return labels


def one_group(pattern: str, found: str, example: str, more: str = "") -> re.Pattern[str]:
    """Return a pattern with one group in parentheses; ``found`` says what that finds, ``more`` what helps further."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise InputError(f"{pattern!r} is not a regular expression: {error}", hint=f"such as {example!r}") from error
    if compiled.groups != 1:
        raise InputError(
            f"one group in parentheses was expected in {pattern!r}; found {compiled.groups}",
            hint=f"what it finds in {found}, such as {example!r}{more}",
        )
    return compiled
