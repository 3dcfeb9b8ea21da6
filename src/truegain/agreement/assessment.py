"""One measure of all metrics: values, variances, and p-values of the differences between metrics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from truegain.agreement.judged import Array, Bootstrap, Jackknife, Judged, Resampled
from truegain.agreement.lookup import MEASURES
from truegain.agreement.swaps import system_masks
from truegain.agreement.variances import document_variance, t_test, total_variance
from truegain.errors import InputError
from truegain.inference.pvalues import counted, degrees_of_freedom
from truegain.resampling.generator import bootstrap_counts, resample_keys

__all__ = ["Assessment", "Swapped", "UndefinedError"]

_DOCUMENT_STREAM = 706
_DRAWS = 1_000  # of documents, for the variance of a count
_SLACK = {"kendall": 1e-6}  # sums in single precision
_CLOSE = 1e-9


class UndefinedError(InputError):
    """A measure that these scores leave undefined."""


@dataclass(frozen=True)
class Swapped:
    """Differences of all pairs of metrics: observed, and after each swap.

    Attributes
    ----------
    observed : array (metric pairs,)
    nulls : array (metric pairs, swaps)
    slack : float
        Differences this close are the same.
    """

    observed: Array
    nulls: Array
    slack: float

    def p_values(self) -> list[float]:
        """Return two-sided p-values."""
        both = zip(self.observed.tolist(), self.nulls, strict=True)
        return [counted(np.abs(null) >= abs(one) - self.slack).p for one, null in both]


class Assessment:
    """One measure of all metrics.

    Variances are over documents, and for new systems over systems as well.

    Parameters
    ----------
    name : str
        The measure: one of :data:`truegain.agreement.lookup.MEASURES`.
    """

    def __init__(self, name: str, judged: Judged, *, resamples: int, seed: int) -> None:
        self.measure: Any = MEASURES[name](judged, resamples=resamples, seed=seed)
        self.judged = judged
        self._resamples, self._seed = resamples, seed
        self.values: Array = self.measure.values()
        if not np.isfinite(self.values).all():
            raise self._undefined("it is not defined, since people or a metric find all systems equal")

    def _undefined(self, said: str) -> UndefinedError:
        return UndefinedError(said, path=self.measure.label)

    @cached_property
    def _resampled(self) -> Resampled:
        documents = self.judged.sizes.size
        if self.measure.smooth:
            return Jackknife(documents)
        return Bootstrap(bootstrap_counts(resample_keys(self._seed, _DOCUMENT_STREAM, 0, _DRAWS), documents))

    @cached_property
    def _rows(self) -> list[Array]:
        return list(self.measure.replicates(self._resampled))

    @cached_property
    def deltas(self) -> list[float]:
        """The difference of each pair of metrics."""
        apart = (float(self.values[b] - self.values[a]) for a, b in self.judged.metric_pairs)
        return [0.0 if abs(one) < _CLOSE else one for one in apart]

    def variances(self, *, new_systems: bool) -> list[float]:
        """Return the variance of each metric's value."""
        return [self._variance(rows, new_systems) for rows in self._rows]

    def delta_variances(self, *, new_systems: bool) -> list[float]:
        """Return the variance of the difference of each pair of metrics."""
        return [self._variance(self._rows[b] - self._rows[a], new_systems) for a, b in self.judged.metric_pairs]

    def _variance(self, rows: Array, new_systems: bool) -> float:
        if not np.isfinite(rows).all():
            raise self._undefined("it has no variance, since without one of the units or systems it is not defined")
        return (total_variance if new_systems else document_variance)(rows, self._resampled)

    def freedom(self, *, new_systems: bool) -> float:
        """Return the degrees of freedom of these variances."""
        return len(self.judged.human) - 1 if new_systems else degrees_of_freedom(self.judged.effective_documents)

    def t_tests(self, *, new_systems: bool) -> list[float]:
        """Return two-sided p-values of all pairs of metrics by Student's t."""
        documents, freedom = self.judged.sizes.size, self.freedom(new_systems=new_systems)
        both = zip(self.deltas, self.delta_variances(new_systems=new_systems), strict=True)
        return [t_test(delta, variance, freedom, documents) for delta, variance in both]

    def swapped(self, test: str) -> Swapped:
        """Swap scores of each two metrics: perm-sys, perm-both or pair-swaps."""
        if test == "perm-sys":
            masks, _ = system_masks(len(self.judged.human), self._resamples, self._seed)
            found: tuple[Array, Array] = self.measure.system_swaps(masks)
        else:
            swaps = self.measure.cell_swaps if test == "perm-both" else self.measure.pair_swaps
            found = swaps(self._resamples, self._seed)
        return Swapped(*found, _SLACK.get(self.measure.name, _CLOSE))
