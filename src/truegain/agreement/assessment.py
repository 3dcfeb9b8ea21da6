"""One measure of all metrics: values, variances, and p-values of the differences between metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from truegain.agreement.judged import Array, Bootstrap, Jackknife, Judged, Resampled
from truegain.agreement.lookup import MEASURES, Measure
from truegain.agreement.swaps import system_masks
from truegain.agreement.variances import document_variance, t_test, total_variance
from truegain.errors import InputError
from truegain.inference.multiplicity import MAXT, adjust, max_t, normal_max_t
from truegain.inference.pvalues import counted, degrees_of_freedom
from truegain.resampling.generator import bootstrap_counts, normals, resample_keys
from truegain.resampling.streams import Stream

_COUNTED = "accuracy"  # by pairs of systems, of all test sets together
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


class Spread(NamedTuple):
    """A variance and its degrees of freedom."""

    variance: float
    freedom: float


class _Part:
    """One measure of all metrics on one test set."""

    def __init__(self, name: str, judged: Judged, resamples: int, seed: int) -> None:
        self.measure: Any = MEASURES[name](judged, resamples=resamples, seed=seed)
        self.judged, self.resamples, self.seed = judged, resamples, seed
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
        return Bootstrap(bootstrap_counts(resample_keys(self.seed, Stream.AGREE_DOCUMENTS, 0, _DRAWS), documents))

    @cached_property
    def rows(self) -> list[Array]:
        """Values of each metric, row by row: of all documents, then resampled; see ``replicates`` of measures."""
        return list(self.measure.replicates(self._resampled))

    def spread(self, rows: Array, *, new_systems: bool) -> Spread:
        """Return the variance of a value or of a difference."""
        if not np.isfinite(rows).all():
            raise self._undefined("it has no variance, since without one of the units or systems it is not defined")
        if new_systems:
            return Spread(total_variance(rows, self._resampled), len(self.judged.human) - 1)
        return Spread(document_variance(rows, self._resampled), degrees_of_freedom(self.judged.effective_documents))

    def swapped(self, test: str, *, alone: bool) -> tuple[Array, Array]:
        """Return differences of all pairs of metrics, observed and after each swap."""
        found: tuple[Array, Array]
        if test == "perm-sys":
            masks, _ = system_masks(len(self.judged.human), self.resamples, self.seed, all_if_few=alone)
            found = self.measure.system_swaps(masks)
        else:
            swaps = self.measure.cell_swaps if test == "perm-both" else self.measure.pair_swaps
            found = swaps(self.resamples, self.seed)
        return found


class Assessment:
    """One measure of all metrics, on one test set or on several, such as language pairs.

    Over several, pairwise accuracy is that of all pairs of systems (Kocmi et al. 2021), and any other measure the mean
    of test sets. These are strata: swaps and variances are of each alone, and added. Variances are over documents, and
    for new systems over systems as well.

    Parameters
    ----------
    name : str
        The measure: one of :data:`truegain.agreement.lookup.MEASURES`.
    """

    def __init__(self, name: str, test_sets: Sequence[Judged], *, resamples: int, seed: int) -> None:
        seeds = [seed, *map(int, resample_keys(seed, Stream.AGREE_SETS, 1, len(test_sets) - 1))]
        self._parts = [_Part(name, own, resamples, one) for own, one in zip(test_sets, seeds, strict=True)]
        self.measure: type[Measure] = MEASURES[name]
        sizes = np.array([own.pairs.first.size if name == _COUNTED else 1 for own in test_sets])
        self._weights: list[float] = (sizes / sizes.sum()).tolist()
        self.metric_pairs = test_sets[0].metric_pairs
        self.system_pairs = sum(own.pairs.first.size for own in test_sets)
        self._documents = sum(own.sizes.size for own in test_sets)
        self.values = self._pooled([part.values for part in self._parts])

    def _pooled(self, values: Sequence[Array]) -> Array:
        return np.asarray(sum(weight * own for weight, own in zip(self._weights, values, strict=True)))

    @cached_property
    def deltas(self) -> list[float]:
        """The difference of each pair of metrics."""
        apart = (float(self.values[b] - self.values[a]) for a, b in self.metric_pairs)
        return [0.0 if abs(one) < _CLOSE else one for one in apart]

    def chance(self) -> Array:
        """Return what each metric would have by chance."""
        return self._pooled([part.measure.chance() for part in self._parts])

    def thresholds(self) -> list[float | None]:
        """Return the tie threshold of each metric; None if there is none, or one for each test set."""
        first = self._parts[0].measure
        if len(self._parts) > 1 or not hasattr(first, "thresholds"):
            return [None] * len(self.values)
        return list(first.thresholds())

    def spreads(self, *, new_systems: bool) -> list[Spread]:
        """Return the variance of each metric's value."""
        return [
            self._added([part.spread(part.rows[place], new_systems=new_systems) for part in self._parts])
            for place in range(len(self.values))
        ]

    def delta_spreads(self, *, new_systems: bool) -> list[Spread]:
        """Return the variance of the difference of each pair of metrics."""
        return [
            self._added([part.spread(part.rows[b] - part.rows[a], new_systems=new_systems) for part in self._parts])
            for a, b in self.metric_pairs
        ]

    def _added(self, spreads: Sequence[Spread]) -> Spread:
        """Add variances; the degrees of freedom are Satterthwaite's."""
        if len(spreads) == 1:
            return spreads[0]
        terms = [weight**2 * own.variance for weight, own in zip(self._weights, spreads, strict=True)]
        total = sum(terms)
        if total <= 0.0:
            return Spread(0.0, min(own.freedom for own in spreads))
        shares = (term / total for term in terms)
        return Spread(total, 1.0 / sum(share**2 / own.freedom for share, own in zip(shares, spreads, strict=True)))

    def t_tests(self, *, new_systems: bool) -> list[float]:
        """Return two-sided p-values of all pairs of metrics by Student's t."""
        both = zip(self.deltas, self.delta_spreads(new_systems=new_systems), strict=True)
        return [t_test(delta, *spread, self._documents) for delta, spread in both]

    def swapped(self, test: str) -> Swapped:
        """Swap scores of each two metrics: perm-sys, perm-both or pair-swaps."""
        found = [part.swapped(test, alone=len(self._parts) == 1) for part in self._parts]
        observed, nulls = (self._pooled([own[side] for own in found]) for side in (0, 1))
        return Swapped(observed, nulls, _SLACK.get(self.measure.name, _CLOSE))

    def tested(self, test: str, adjustment: str) -> tuple[list[float], list[float]]:
        """Return two-sided p-values of all pairs of metrics, and the adjusted ones.

        Swaps of systems keep the documents. With V and ν of the interval, which is for new systems on new documents,
        p of ``perm-sys`` is max(p_swaps, 2 P(T_ν > |Δ| / √V)); by maxT, both are adjusted before.
        """
        if not self.metric_pairs:
            return [], []
        if test == "documents":
            p = self.t_tests(new_systems=False)
            return p, adjust(p, adjustment)
        swapped = self.swapped(test)
        p = swapped.p_values()
        adjusted = max_t(swapped.observed.tolist(), list(swapped.nulls), slack=[swapped.slack] * len(p))
        if test == "perm-sys":
            student = self.t_tests(new_systems=True)
            drawn = normals(
                resample_keys(self._parts[0].seed, Stream.AGREE_NORMALS, 0, self._parts[0].resamples), len(p)
            )
            p = np.maximum(p, student).tolist()
            adjusted = np.maximum(adjusted, normal_max_t(student, swapped.nulls, drawn)).tolist()
        return p, np.maximum(p, adjusted).tolist() if adjustment == MAXT else adjust(p, adjustment)
