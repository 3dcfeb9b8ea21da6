"""N-best lists with the features and the statistics of every hypothesis."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from truegain.kernels import envelopes, run
from truegain.metrics.base import Metric


@dataclass(frozen=True)
class Lists:
    """Hypotheses of every segment, one list after the other.

    Attributes
    ----------
    edges : ndarray of int64
        List ``i`` is the rows ``edges[i]`` to ``edges[i + 1]``; none is empty.
    features : ndarray of float64, shape (rows, features)
    statistics : ndarray of float64, shape (rows, statistics)
        As the metric has them.
    rest : ndarray of float64
        Statistics of the segments without a hypothesis.
    metric : Metric
    """

    edges: NDArray[np.int64]
    features: NDArray[np.float64]
    statistics: NDArray[np.float64]
    rest: NDArray[np.float64]
    metric: Metric

    @property
    def count(self) -> int:
        """The number of lists."""
        return len(self.edges) - 1

    def scores(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of every hypothesis under the model."""
        found = np.empty(len(self.features))
        run(envelopes.project, self.features, np.ascontiguousarray(weights, float), found)
        return found

    def best(self, weights: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the row of the best hypothesis of each list; of equal ones the first."""
        found = np.empty(self.count, np.int64)
        run(envelopes.best_of_lists, self.edges, self.scores(weights), found)
        return found

    def quality(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the metric's score of sums of statistics, turned so that more is better."""
        found = self.metric.score(totals)
        return -found if self.metric.higher_is_better is False else found

    def score(self, weights: NDArray[np.float64]) -> float:
        """Return the metric's score of the hypotheses that are best under the weights."""
        return float(self.metric.score(self.statistics[self.best(weights)].sum(axis=0) + self.rest))

    def only(self, columns: NDArray[np.int64]) -> Lists:
        """Return the same with these features alone."""
        return replace(self, features=np.ascontiguousarray(self.features[:, columns]))

    @cached_property
    def spread(self) -> NDArray[np.float64]:
        """The standard deviation of each feature within lists."""
        sizes = np.diff(self.edges)
        means = np.add.reduceat(self.features, self.edges[:-1]) / sizes[:, None]
        away = self.features - np.repeat(means, sizes, axis=0)
        found: NDArray[np.float64] = np.sqrt((away**2).mean(axis=0))
        return found
