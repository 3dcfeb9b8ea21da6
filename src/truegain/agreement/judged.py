"""Scores of people and of metrics for the same systems and segments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from truegain.inference.all_pairs import pairs_of

Array = NDArray[np.float64]

#: Fewer systems are too few to be a sample of systems: swapping five leaves no p below .06.
LEAST_SYSTEMS = 6


@dataclass(frozen=True)
class Pairs:
    """Every two systems, the first before the second in their order."""

    systems: int

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The first system of each pair."""
        return pairs_of(self.systems)[0]

    @cached_property
    def second(self) -> NDArray[np.int64]:
        """The second system of each pair."""
        return pairs_of(self.systems)[1]

    @cached_property
    def members(self) -> Array:
        """Ones for the two systems of each pair: shape (pairs, systems)."""
        found = np.zeros((self.first.size, self.systems))
        rows = np.arange(self.first.size)
        found[rows, self.first] = found[rows, self.second] = 1.0
        return found

    def differences(self, scores: NDArray[np.floating]) -> NDArray[np.floating]:
        """Subtract the second system of each pair from the first: (systems, …) to (pairs, …)."""
        return scores[self.first] - scores[self.second]

    def means(self, terms: Array) -> Array:
        """Average terms of pairs, shape (…, pairs): over all, then without each system if there are enough of these."""
        totals = terms.sum(axis=-1, keepdims=True)
        if self.systems < LEAST_SYSTEMS:
            return np.asarray(totals / self.first.size)
        without = (totals - terms @ self.members) / (self.first.size - self.systems + 1)
        return np.concatenate([totals / self.first.size, without], axis=-1)


@dataclass(frozen=True)
class Judged:
    """Scores of people and of metrics; higher is better in all of them.

    Attributes
    ----------
    human : array (systems, segments)
    metrics : array (metrics, systems, segments)
    documents : array (segments,)
        The number of each segment's document, from 0 on, without gaps; of the segment if there are no documents.
    human_systems : array (systems,)
        The scores of systems; by default the means of segments.
    metric_systems : array (metrics, systems)
    """

    human: Array
    metrics: Array
    documents: NDArray[np.int64]
    human_systems: Array
    metric_systems: Array

    @classmethod
    def of(
        cls,
        human: Array,
        metrics: Array,
        documents: NDArray[np.int64] | None = None,
        human_systems: Array | None = None,
        metric_systems: Array | None = None,
    ) -> Judged:
        """Fill in segments as documents, and means of segments as scores of systems."""
        return cls(
            human,
            metrics,
            np.arange(human.shape[1]) if documents is None else documents,
            human.mean(axis=1) if human_systems is None else human_systems,
            metrics.mean(axis=2) if metric_systems is None else metric_systems,
        )

    @cached_property
    def pairs(self) -> Pairs:
        """Every two systems."""
        return Pairs(len(self.human))

    @cached_property
    def metric_pairs(self) -> list[tuple[int, int]]:
        """Every two metrics."""
        count = len(self.metrics)
        return [(one, other) for one in range(count) for other in range(one + 1, count)]

    @cached_property
    def sizes(self) -> Array:
        """The number of segments of each document."""
        return np.bincount(self.documents).astype(np.float64)

    @property
    def effective_documents(self) -> float:
        """The number of documents of equal size that vary as much as these."""
        return float(self.sizes.sum() ** 2 / (self.sizes**2).sum())

    @cached_property
    def human_signs(self) -> NDArray[np.int8]:
        """Preferences of people, segment by segment: 1 for the first system of a pair, shape (pairs, segments)."""
        return np.asarray(np.sign(self.pairs.differences(self.human)), np.int8)

    @cached_property
    def standardised(self) -> Array:
        """Scores of metrics with mean 0 and standard deviation 1 over systems and segments."""
        return standardised(self.metrics, (1, 2))

    def document_sums(self, values: NDArray[np.generic]) -> Array:
        """Sum over the segments of each document: (…, segments) to (documents, …)."""
        moved = np.moveaxis(values.astype(np.float64, copy=False), -1, 0)
        found = np.zeros((self.sizes.size, *moved.shape[1:]))
        order = np.argsort(self.documents, kind="stable")
        starts = np.concatenate([[0], np.cumsum(self.sizes[:-1])]).astype(np.int64)
        np.add.reduceat(moved[order], starts, axis=0, out=found)
        return found


def standardised(scores: Array, axes: int | tuple[int, ...]) -> Array:
    """Return scores with mean 0 and standard deviation 1; zeros if all are the same."""
    centred = scores - scores.mean(axis=axes, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=axes, keepdims=True))
    return np.asarray(np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0.0))


@dataclass(frozen=True)
class Jackknife:
    """All documents, then all but one."""

    documents: int

    def totals(self, sums: Array) -> Array:
        """Return totals over documents, row by row: (documents, …) to (1 + documents, …)."""
        total = sums.sum(axis=0, keepdims=True)
        return np.concatenate([total, total - sums])

    def spread(self, values: Array) -> Array:
        """Return the variance of what the rows after the first show."""
        count = len(values)
        return np.asarray((count - 1) / count * ((values - values.mean(axis=0)) ** 2).sum(axis=0))


@dataclass(frozen=True)
class Bootstrap:
    """All documents, then documents drawn with replacement."""

    counts: NDArray[np.float32]

    def totals(self, sums: Array) -> Array:
        """Return totals over documents, row by row: (documents, …) to (1 + resamples, …)."""
        flat = sums.reshape(len(sums), -1)
        drawn = self.counts.astype(np.float64) @ flat
        return np.concatenate([flat.sum(axis=0, keepdims=True), drawn]).reshape(-1, *sums.shape[1:])

    def spread(self, values: Array) -> Array:
        """Return the variance of what the rows after the first show."""
        documents = self.counts.shape[1]
        return np.asarray(values.var(axis=0, ddof=1) * documents / (documents - 1))


Resampled = Jackknife | Bootstrap
