"""Pairs of inputs that mean the same, or do not: the answers are the same, or differ, or the program says so."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.choices import Choices
from fuzz.pairs import columns, elsewhere, folders, groups, names, people, tuned, ways
from fuzz.pairs.asked import Pair, judged

__all__ = ["KINDS", "judged"]

#: By name: from choices to a pair.
KINDS: dict[str, Callable[[Choices], Pair]] = {
    kind: make
    for part in (ways, columns, groups, names, people, elsewhere, tuned, folders)
    for kind, make in part.WAYS.items()
}
