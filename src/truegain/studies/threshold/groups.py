"""Labels of systems, from their names or as given, and groups of pairs: with one label or two, or of given classes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from truegain.errors import InputError, Setting
from truegain.readers.labels import PairClasses, one_group
from truegain.report.model import listing

_NAMED = 3
_MOST_CLASSES = 6  # that a figure can tell apart


@dataclass(frozen=True)
class Groups:
    """Groups of pairs.

    Attributes
    ----------
    labels : mapping of str to str
        Of systems; empty if they have none.
    classes : tuple of str
        Of pairs, as they were given; empty if there are none.
    of_pairs : list of str or None
        The group of each pair, in the order of :func:`itertools.combinations`.
    """

    labels: Mapping[str, str]
    classes: tuple[str, ...]
    of_pairs: list[str | None]


def groups_of(
    names: Sequence[str], labels: Mapping[str, str] | str | None, classes: Mapping[tuple[str, str], str] | None
) -> Groups:
    """Return the groups of all pairs, by labels of systems or by classes of pairs."""
    pairs = list(itertools.combinations(names, 2))
    if classes is None:
        if labels is None:
            return Groups({}, (), [None] * len(pairs))
        found = labels_by_pattern(labels, names) if isinstance(labels, str) else check_labels(labels, names)
        return Groups(found, (), ["same" if found[a] == found[b] else "different" for a, b in pairs])
    if labels is not None:
        raise InputError(
            "there are labels of systems and classes of pairs",
            hint=("give ", Setting("groups"), " or ", Setting("pair_classes"), ", not both"),
        )
    known = _checked_classes(classes, names)
    kinds = [known.get(frozenset(pair)) for pair in pairs]
    return Groups({}, tuple(dict.fromkeys(known.values())), kinds)


def _checked_classes(classes: Mapping[tuple[str, str], str], names: Sequence[str]) -> dict[frozenset[str], str]:
    """Return the classes by pairs in any order; refuse unknown systems, and a pair of two classes."""
    found: dict[frozenset[str], str] = {}

    def refused(message: str, pair: object, hint: str | None = None) -> InputError:
        read = classes if isinstance(classes, PairClasses) else None
        line = None if read is None else read.lines.get(pair)  # type: ignore[call-overload]
        return InputError(message, path=None if read is None else read.path, line=line, hint=hint)

    for pair, kind in classes.items():
        if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(kind, str) and kind):
            raise refused(f"two names and a class were expected; found {pair!r} and {kind!r}", pair)
        for name in pair:
            if name not in names:
                known = f"{', '.join(names[:_NAMED])}{', …' if len(names) > _NAMED else ''}"
                raise refused(f"there is no system {name!r}", pair, f"the systems are called {known}")
        if pair[0] == pair[1]:
            raise refused(f"{pair[0]!r} is no pair with itself", pair)
        if kind == "all":
            raise refused("no class can be called 'all', which are all pairs", pair)
        if found.setdefault(frozenset(pair), kind) != kind:
            raise refused(
                f"{pair[0]!r} and {pair[1]!r} have two classes, {found[frozenset(pair)]!r} and {kind!r}", pair
            )
    if not found:
        raise refused("there is no pair with a class", None)
    kinds = list(dict.fromkeys(found.values()))
    if len(kinds) > _MOST_CLASSES:
        raise refused(
            f"there are {len(kinds)} classes of pairs; at most {_MOST_CLASSES} can be told apart",
            None,
            "put some of them together",
        )
    return found


def labels_by_pattern(pattern: str, names: Sequence[str]) -> dict[str, str]:
    """Return what a pattern with one group in parentheses finds in each name."""
    compiled = one_group(pattern, "a system's name is the label", "^(word|bpe)", "; others are written (?:…)")
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
