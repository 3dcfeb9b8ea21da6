"""Protocol of tests: what one is asked, and what it answers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting
from truegain.experiment import Experiment, gain
from truegain.inference.claims import Claim, ClaimedRuns, held_runs
from truegain.inference.dependence import Tested
from truegain.inference.intervals import Interval
from truegain.inference.inversion import Inversion
from truegain.inference.multiplicity import adjust, thresholds
from truegain.inference.pvalues import (
    CAP,
    ERROR,
    Alternative,
    PValue,
    confidence_sequence,
    magnitude_of,
    rounding,
    stages,
)
from truegain.inference.results import Caveat
from truegain.metrics.base import Metric
from truegain.notes import Note
from truegain.registry import TESTS

#: What was tested for; "observed": that the better system is better.
Side = Literal["two-sided", "greater", "less", "observed"]


class Pair(NamedTuple):
    """Two systems, by number: the one compared with, and the one compared."""

    baseline: int
    system: int


Key = tuple[int, Pair]  # metric and pair


class Stopping(NamedTuple):
    """Rule by which a sequential test stops: once every decision, adjusted, is certain, or at the cap.

    Attributes
    ----------
    comparisons : int
        In the whole family; others than those that the test is asked for may have p-values of their own.
    """

    adjustment: str
    comparisons: int
    error: float = ERROR
    cap: int = CAP


@dataclass(frozen=True)
class Trial:
    """Experiment, the pairs to test in it, and how.

    Attributes
    ----------
    resamples : int
        Of Monte-Carlo tests with a fixed number.
    stopping : Stopping, optional
        For tests that can go on until the decision is certain.
    null_gain : float
        The gain of the null hypothesis: that it is this (two-sided), at most this (greater) or at least this (less).
    bounded : bool
        Whether one-sided tests are to give a bound of the gain as well. They must then be tests against any gain,
        zero or not.
    joint : bool
        Whether all pairs must share their resamples, as maxT needs it.
    inverted : bool
        Whether tests that can are to give the interval of the gains that they do not reject as well.
    metrics : tuple of int
        The metrics to test under, by number; by default all.
    """

    experiment: Experiment
    pairs: tuple[Pair, ...]
    alternative: Alternative = "two-sided"
    alpha: float = 0.05
    resamples: int = 10_000
    stopping: Stopping | None = None
    null_gain: float = 0.0
    bounded: bool = False
    joint: bool = False
    inverted: bool = False
    metrics: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse pairs whose gain cannot be told from a difference between raters."""
        corpus = self.experiment.corpus
        if corpus.raters is not None:
            from truegain.experiment.ratings import check_shared_raters  # most scores are not of people

            check_shared_raters(corpus, [(pair.baseline, pair.system) for pair in self.pairs])

    @property
    def apart(self) -> bool:
        """Return whether every pair is drawn for itself, since its blocks are as long as it asks for."""
        return self.experiment.own_lengths and not self.joint and len(self.experiment.corpus.systems) > 2

    def alone(self, pair: Pair) -> Trial:
        """Return the trial of one pair, as if there were no other systems."""
        return replace(self, experiment=self.experiment.of_systems(pair.baseline, pair.system), pairs=(Pair(0, 1),))

    @property
    def keys(self) -> Iterator[Key]:
        """Every metric with every pair."""
        return itertools.product(self.metrics or range(len(self.experiment.statistics.blocks)), self.pairs)

    def metric(self, key: Key) -> Metric:
        """Return the metric of a key."""
        return self.experiment.statistics.blocks[key[0]].metric

    def delta(self, key: Key) -> float:
        """Return the observed gain."""
        m, pair = key
        scores = self.experiment.scores[m]
        return float(gain(self.metric(key), scores[pair.baseline], scores[pair.system]))

    @property
    def shifts(self) -> bool:
        """Return whether tests are against gains, not only against there being no difference."""
        return self.bounded or self.null_gain != 0.0

    def beyond(self, key: Key) -> float:
        """Return the observed gain less that of the null hypothesis."""
        return self.delta(key) - self.null_gain

    def magnitude(self, key: Key) -> float:
        """Return the magnitude that ties are relative to, see :func:`truegain.inference.pvalues.magnitude_of`."""
        m, pair = key
        return magnitude_of(self.delta(key), float(self.experiment.rounding[m, [pair.baseline, pair.system]].max()))

    def segment_gains(self, key: Key) -> tuple[NDArray[np.float64], float]:
        """Return the system's gain on each segment, and the size below which that is a tie."""
        m, pair = key
        scores = self.experiment.segment_scores[m]
        old, new = scores[pair.baseline], scores[pair.system]
        largest = float(np.nanmax(np.abs(scores[[pair.baseline, pair.system]]), initial=0.0))
        return gain(self.metric(key), old, new), float(rounding(np.array(largest)))

    def several_runs(self, pair: Pair) -> bool:
        """Return whether either system has more than one run."""
        systems = self.experiment.corpus.systems
        return max(len(systems[s].runs) for s in (pair.baseline, pair.system)) > 1

    @property
    def knows_samples(self) -> bool:
        """Return whether the training samples of the runs are known."""
        return any(system.samples for system in self.experiment.corpus.systems)

    def held_runs(self, pair: Pair) -> ClaimedRuns:
        """Return the runs that a claim is about if they are held fixed."""
        return held_runs(several=self.several_runs(pair), known=self.experiment.corpus.knows_runs)


@dataclass(frozen=True)
class TestOutcome:
    """Outcome of a test for one pair under one metric.

    Attributes
    ----------
    test : str
        Which test it was in the end.
    unit : str
        What was resampled.
    alternative : str
        What was tested for.
    claim : Claim
        What the verdict extends to.
    direction : float
        Which side the test's own statistic favours: above 0 a gain above that of the null hypothesis (of zero: the
        system), below 0 one below it.
    caveats : tuple of Caveat
        Why p is too small on these data; what is wrong with the test on any data is in the registry.
    interval : Interval, optional
        Of the gain, if the test has one of its own; else it is the bootstrap's.
    standard_error : float, optional
        Of the gain, if the test's claim extends to new runs or raters as well; else it is that over units.
    first : Interval, optional
        Of the crossed test: that of the claim about these runs, which must hold as well.
    distribution : array, optional
        Differences under the null, those of one resample at the same place for all pairs and metrics.
    freedom : float, optional
        The degrees of freedom of its small-sample factor, if it has one.
    critical : float, optional
        The size of the difference at which p is alpha, if the test's own resamples say so.
    bound : float, optional
        Of a one-sided test, if wanted: the bound of the gain at 1 − alpha. The test rejects the gains below it
        (greater), or those above it (less), and no others.
    """

    __test__ = False  # not a test class for pytest

    test: str
    p_value: PValue
    unit: str
    n_units: int
    alternative: Side
    claim: Claim
    direction: float
    notes: tuple[Note, ...] = ()
    caveats: tuple[Caveat, ...] = ()
    interval: Interval | None = None
    standard_error: float | None = None
    first: Interval | None = None
    distribution: NDArray[np.float64] | None = field(default=None, repr=False)
    freedom: float | None = None
    critical: float | None = None
    bound: float | None = None

    @property
    def remarks(self) -> tuple[Note, ...]:
        """Notes, then the caveats as notes."""
        said = (Note(one.kind, one.text, summary=one.summary) for one in self.caveats)
        return (*self.notes, *said)


class Procedure(Protocol):
    """A significance test."""

    @property
    def name(self) -> str:
        """As in the registry."""
        ...

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """Test every pair under every metric.

        Raises
        ------
        InputError
            If the test is not defined on such data.
        """
        ...


def check_two_sided(name: str, alternative: Alternative) -> None:
    """Refuse an alternative if the procedure has its own."""
    if alternative != "two-sided":
        sides = TESTS[name].sides
        own = "two-sided" if sides == "two-sided" else "one-sided towards the better system"
        raise InputError(
            (f"{name} is {own} by its definition; ", Setting("alternative", alternative), " does not go with it"),
            hint="ar, bootstrap, exact and the classical tests take any alternative",
        )


def over_units(*, bounded: bool) -> tuple[Setting | str, ...]:
    """Name the tests over segments for a hint; of those, only the bootstrap has bounds."""
    return (Setting("test", "bootstrap"),) if bounded else (Setting("test", "ar"), " or bootstrap")


def check_null_gain(name: str, null_gain: float) -> None:
    """Refuse another gain than zero if the null hypothesis is that there is no difference at all."""
    if null_gain != 0.0 and not TESTS[name].shifted:
        able = [test for test, entry in TESTS.items() if entry.shifted]
        raise InputError(
            f"{name} tests whether two systems differ, not whether one gains more or less than {null_gain:g}",
            hint=f"use one of {', '.join(able)}",
        )


def check_no_samples(name: str, trial: Trial) -> None:
    """Refuse runs of several training samples if the procedure takes every run as a draw of its own."""
    if trial.knows_samples:
        raise InputError(
            f"{name} takes every run as a draw of its own, and runs of one training sample share its data",
            hint=("use ", Setting("test", "crossed"), ", or leave out the training samples"),
        )


def tie_caveats(p: float, p_with_ties: float, alpha: float) -> tuple[Caveat, ...]:
    """Say so if a procedure is significant only because it does not count what is as far out as the observed."""
    if not p <= alpha < p_with_ties:
        return ()
    text = f"p is small only because equal differences do not count; counting them, p is {p_with_ties:.3g}"
    return (Caveat("ties", text, summary="p is small only because equal differences do not count"),)


def neighbour_caveats(experiment: Experiment, tested: Tested, unit: str) -> tuple[Caveat, ...]:
    """Say so if segments are resampled one by one, or in short blocks, though neighbours depend on each other."""
    lengths = {"segment": 1.0, "document": 1.0, "block": experiment.units.mean_length}  # there are no larger documents
    length, dependence = lengths.get(unit), experiment.dependence.get(tested)
    if length is None or dependence is None or not dependence.beyond(length):
        return ()
    found = "neighbouring segments are correlated, so"
    return (
        Caveat("dependence", f"{found} this p-value is too small", summary=f"{found} these p-values are too small"),
    )


def unit_caveats(experiment: Experiment) -> tuple[Caveat, ...]:
    """Say so if there are too few units for the p-value of a bootstrap."""
    few = experiment.few_units
    return () if few is None else (Caveat("units", f"with only {few}, a bootstrap's p-value tends to be too small"),)


def inversion_of(trial: Trial) -> Inversion:
    """Return a collector of the gains that a test keeps, for as many resamples as the trial may take."""
    return Inversion(trial.alpha, trial.resamples if trial.stopping is None else trial.stopping.cap)


def count_until_sure(
    trial: Trial, stopping: Stopping, sample: Callable[[int, int], Mapping[Key, NDArray[np.bool_]]]
) -> dict[Key, PValue]:
    """Count exceedances until every decision is certain.

    Parameters
    ----------
    trial : Trial
    stopping : Stopping
    sample : callable
        From the first resample and how many, to exceedances.
    """
    keys = list(trial.keys)
    counts = dict.fromkeys(keys, 0)
    bounds: dict[Key, tuple[float, float]] = dict.fromkeys(keys, (0.0, 1.0))
    error = stopping.error / stopping.comparisons
    done = 0
    for look in stages(stopping.cap):
        # All pairs go on until all are decided: what one of them has is part of what is decided of the others.
        for key, reached in sample(done, look - done).items():
            counts[key] += int(np.count_nonzero(reached))
            bounds[key] = confidence_sequence(counts[key], look, error)
        done = look
        if _decided(keys, bounds, trial.alpha, stopping):
            break
    return {key: PValue((counts[key] + 1) / (done + 1), counts[key], done, bounds[key]) for key in keys}


def _decided(keys: Sequence[Key], bounds: Mapping[Key, tuple[float, float]], alpha: float, stopping: Stopping) -> bool:
    """Return whether every adjusted decision is the same at both ends; adjusted values never fall as p-values rise.

    If the family has comparisons that this test has no part in, nothing is known of their p-values, and no interval
    may hold any value at which the decision could change.
    """
    for _, group in itertools.groupby(keys, key=lambda key: key[0]):
        family = [bounds[key] for key in group]
        if len(family) < stopping.comparisons:
            edges = thresholds(alpha, stopping.comparisons, stopping.adjustment)
            if any(low <= edge < high for low, high in family for edge in edges):
                return False
            continue
        low_end, high_end = (
            [p <= alpha for p in adjust([one[end] for one in family], stopping.adjustment)] for end in (0, 1)
        )
        if low_end != high_end:
            return False
    return True
