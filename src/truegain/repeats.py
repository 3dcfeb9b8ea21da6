"""Samples of items: repeated scores or answers, before anything is made of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Repeats:
    """The samples of each item in one column.

    Attributes
    ----------
    values : array
        Item after item: scores, or numbers of answers.
    counts : array of int
        How many samples each item has.
    items : sequence of str
        The ids of the items.
    noun : str
        What one value is called in a sentence: of raters, "rater", "judge" or "prompt", by the column's name.
    """

    values: NDArray[Any]
    counts: NDArray[np.int64]
    items: Sequence[str]
    noun: str = "sample"

    def __iter__(self) -> Iterator[NDArray[np.float64]]:
        """Yield the samples of each item."""
        edges = np.cumsum((0, *self.counts.tolist())).tolist()
        return (self.values[first:last] for first, last in itertools.pairwise(edges))

    def of_items(self, places: Sequence[int] | NDArray[np.int64]) -> Repeats:
        """Return the samples of some items, in this order."""
        chosen = np.asarray(places, np.int64)
        counts = self.counts[chosen]
        firsts = np.cumsum(self.counts) - self.counts
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = np.repeat(firsts[chosen], counts) + within
        return Repeats(self.values[rows], counts, [self.items[place] for place in chosen.tolist()], self.noun)

    def variances(self) -> NDArray[np.float64]:
        """Return the variance of the samples of each item, without bias; not a number for a single sample."""
        means = self._sums(self.values) / self.counts
        squares = self._sums((self.values - np.repeat(means, self.counts)) ** 2)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(squares / (self.counts - 1))

    def sums(self) -> NDArray[np.float64]:
        """Return the sum of the samples of each item."""
        return self._sums(self.values)

    def _sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.add.reduceat(values, np.cumsum(self.counts) - self.counts))


def joined_repeats(parts: Sequence[Repeats]) -> Repeats:
    """Return the items of all parts, one part after the other."""
    return Repeats(
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.counts for part in parts]),
        [item for part in parts for item in part.items],
    )
