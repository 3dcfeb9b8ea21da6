"""Groups of pairs of systems: with one label or two, or of classes that were given."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from truegain.errors import InputError, Setting
from truegain.readers.labels import PairClasses, one_group
from truegain.words import listing

NAMED = 3
MOST_CLASSES = 6  # whose colours can be told from each other in a figure


class Groups(NamedTuple):
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
    if classes is not None and labels is not None:
        raise InputError(
            "there are labels of systems and classes of pairs",
            hint=("give ", Setting("groups"), " or ", Setting("pair_classes"), ", not both"),
        )
    if classes is not None:
        known = _checked_classes(classes, names)
        return Groups({}, tuple(dict.fromkeys(known.values())), [known.get(frozenset(pair)) for pair in pairs])
    if labels is not None:
        of_systems = _labels(labels, names)
        same = [of_systems[first] == of_systems[second] for first, second in pairs]
        return Groups(of_systems, (), ["same" if alike else "different" for alike in same])
    return Groups({}, (), [None] * len(pairs))


def _checked_classes(classes: Mapping[tuple[str, str], str], names: Sequence[str]) -> dict[frozenset[str], str]:
    """Return the classes by pairs in any order; refuse unknown systems, and a pair of two classes."""
    source = classes if isinstance(classes, PairClasses) else None

    def refused(message: str, pair: object, hint: str | None = None) -> InputError:
        if source is None:
            return InputError(message, hint=hint)
        return InputError(message, path=source.path, line=source.lines.get(pair), hint=hint)  # type: ignore[call-overload]

    checked: dict[frozenset[str], str] = {}
    for pair, kind in classes.items():
        if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(kind, str) and kind):
            raise refused(f"two names and a class were expected; found {pair!r} and {kind!r}", pair)
        unknown = [name for name in pair if name not in names]
        if unknown:
            some = f"{', '.join(names[:NAMED])}{', …' if len(names) > NAMED else ''}"
            raise refused(f"there is no system {unknown[0]!r}", pair, f"the systems are called {some}")
        first, second = pair
        if first == second:
            raise refused(f"{first!r} is no pair with itself", pair)
        if kind == "all":
            raise refused("no class can be called 'all', which are all pairs", pair)
        if checked.setdefault(frozenset(pair), kind) != kind:
            both = f"{checked[frozenset(pair)]!r} and {kind!r}"
            raise refused(f"{first!r} and {second!r} have two classes, {both}", pair)
    if not checked:
        raise refused("there is no pair with a class", None)
    count = len(set(checked.values()))
    if count > MOST_CLASSES:
        message = f"there are {count} classes of pairs; at most {MOST_CLASSES} can be shown"
        raise refused(message, None, "put some of them together")
    return checked


def _labels(labels: Mapping[str, str] | str, names: Sequence[str]) -> dict[str, str]:
    """Return the label of each system: what a pattern with one group in parentheses finds in its name, or as given."""
    if isinstance(labels, str):
        pattern = one_group(labels, "a system's name is the label", "^(word|bpe)", "; others are written (?:…)")
        known = {name: match[1] for name in names if (match := pattern.search(name)) is not None and match[1]}
        problem = f"{labels!r} finds nothing in"
    else:
        known = {name: labels[name] for name in names if labels.get(name)}
        problem = "there is no label for"
    missing = [name for name in names if name not in known]
    if missing:
        more = [f"{len(missing) - NAMED} more"] if len(missing) > NAMED else []
        raise InputError(
            f"{problem} {listing([*map(repr, missing[:NAMED]), *more])}",
            hint=f"every system needs a label; the systems are called {', '.join(names[:NAMED])}, …",
        )
    return known
