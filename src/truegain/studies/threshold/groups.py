"""Labels of systems, from their names or as given, and which pairs have one label or two."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from truegain.errors import InputError
from truegain.report.model import listing

__all__ = ["check_labels", "labels_by_pattern", "same_or_different"]

_NAMED = 3


def labels_by_pattern(pattern: str, names: Sequence[str]) -> dict[str, str]:
    """Return what a pattern with one group in parentheses finds in each name."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise InputError(f"{pattern!r} is no regular expression: {error}", hint="such as '^(word|bpe)'") from error
    if compiled.groups != 1:
        raise InputError(
            f"one group in parentheses was expected in {pattern!r}; found {compiled.groups}",
            hint="what it finds in a system's name is the label, such as '^(word|bpe)'; others are written (?:…)",
        )
    found = {name: match[1] for name in names if (match := compiled.search(name)) is not None and match[1]}
    _check_all(found, names, f"{pattern!r} finds nothing in")
    return found


def check_labels(labels: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Return the labels of these systems, in their order; labels of others are passed over."""
    found = {name: labels[name] for name in names if labels.get(name)}
    _check_all(found, names, "there is no label for")
    return found


def _check_all(found: Mapping[str, str], names: Sequence[str], what: str) -> None:
    missing = [name for name in names if name not in found]
    if missing:
        more = [f"{len(missing) - _NAMED} more"] if len(missing) > _NAMED else []
        raise InputError(
            f"{what} {listing([*map(repr, missing[:_NAMED]), *more])}",
            hint=f"every system needs a label; the systems are called {', '.join(names[:_NAMED])}, …",
        )


def same_or_different(labels: Mapping[str, str] | None, first: str, second: str) -> str | None:
    """Return whether two systems have one label or two; None if there are no labels."""
    if labels is None:
        return None
    return "same" if labels[first] == labels[second] else "different"
