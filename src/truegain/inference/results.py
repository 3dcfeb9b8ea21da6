"""Results that several studies share: frozen, and enough to be printed, plotted and read again."""

from __future__ import annotations

from dataclasses import dataclass, field

from truegain.inference.claims import Claim
from truegain.inference.dependence import Dependence
from truegain.inference.effects import Effect
from truegain.inference.intervals import Interval
from truegain.inference.pvalues import PValue
from truegain.inference.under_null import UnderNull
from truegain.inputs import Inputs

__all__ = ["CAVEATS", "Caveat", "Comparison", "MetricInfo", "SystemScore", "TestSet", "Variability"]

#: Why a test may reject more often than its level says: the test itself, ties that it does not count, runs of which one
#: system's vary far more, too few units, units that depend on each other.
CAVEATS = ("size", "ties", "runs", "units", "dependence")


@dataclass(frozen=True)
class TestSet:
    """Test set of a study.

    Attributes
    ----------
    fingerprint : str
        A short hash of references, outputs and scores: the same for the same inputs.
    dependence : Dependence or None
        The test for dependence between neighbouring segments; None if they are not the unit, if documents are known, or
        if there is too little to tell.
    inputs : Inputs
        What was read: files, rows, and how they were put together.
    """

    __test__ = False  # not a test class for pytest

    name: str
    segments: int
    references: int
    documents: int | None
    domains: int | None
    fingerprint: str
    dependence: Dependence | None = None
    inputs: Inputs = field(default_factory=Inputs)


@dataclass(frozen=True)
class MetricInfo:
    """A metric as it was used."""

    key: str
    label: str
    higher_is_better: bool | None
    signature: str


@dataclass(frozen=True)
class SystemScore:
    """Score of a system under a metric: the mean over its runs.

    ``interval`` is None if there is too little data for one.
    """

    name: str
    metric: str
    score: float
    run_names: tuple[str, ...]
    run_scores: tuple[float, ...]
    interval: Interval | None

    @property
    def runs(self) -> int:
        """The number of runs."""
        return len(self.run_scores)


@dataclass(frozen=True)
class Variability:
    """Variability of a system's score, as standard deviations (Clark et al. 2011, table 1).

    Attributes
    ----------
    average : float
        Over runs.
    s_sel : float
        Over test sets: the mean over runs of the bootstrap's standard deviation.
    s_dev, s_test : float or None
        Over runs, on the development set and on the test set; None if there is one run, or no such set.
    units : float
        Of what all runs have in common, over test sets.
    run : float
        Of the score that a run would have on infinitely many segments, over runs.
    interaction : float
        Of how a run does on just these segments, beyond both.
    median_run : str
        The run to read by hand: the one in the middle on the development set, or on the test set if there is none.
    """

    system: str
    metric: str
    runs: int
    average: float
    s_sel: float
    s_dev: float | None
    s_test: float | None
    units: float
    run: float | None
    interaction: float | None
    median_run: str


@dataclass(frozen=True)
class Caveat:
    """Reason that a p-value is too small: the test rejects more often than its level says.

    Attributes
    ----------
    kind : str
        One of :data:`CAVEATS`.
    text : str
        The reason, as a clause.
    """

    kind: str
    text: str


@dataclass(frozen=True)
class Comparison:
    """Comparison of a system with the baseline under a metric.

    Attributes
    ----------
    delta : float
        The gain: the difference of scores, positive if the system is better, whatever the metric's direction (or
        higher, if neither way is better).
    interval : Interval
        Of the gain.
    p_value : PValue
    p_adjusted : float
        Adjusted over the family: all comparisons by this test under this metric.
    test, asked : str
        The test that was run, and the one that was asked for: an exact test may have to give way to random swaps.
    unit : str
        What was resampled.
    design_effect : float or None
        If documents are known, the variance of delta with them as units over that with segments as units.
    alternative : str
        "two-sided", "greater", "less", or "observed": one-sided, towards the better system.
    null : str
        The null hypothesis in one sentence.
    claim : Claim
        What the verdict extends to.
    significant : bool
        Whether p_adjusted <= alpha, and the test favours the system that scores better; with another gain than zero in
        the null hypothesis, the side of it on which delta lies.
    better : bool or None
        The sign of delta if it is significant, else None; always None for a metric of which neither way is better,
        and if only a gain is shown that is below a positive one, or above a negative one.
    effect : Effect or None
        Wins, ties and losses over segments, and the standardised mean difference of segment scores; None if a
        segment has no score.
    overlap : float
        How much the intervals of the two scores overlap, from 0 to 1 (Fu et al.).
    under_null : Bins, Student or None
        Distribution of delta under the null hypothesis, if the test has one.
    caveats : tuple of Caveat
        Why the test rejects more often than its level says; verdicts say so, and tables do not mark the comparison.
    """

    metric: str
    baseline: str
    system: str
    delta: float
    interval: Interval
    p_value: PValue
    p_adjusted: float
    adjustment: str
    test: str
    asked: str
    unit: str
    n_units: int
    seed: int
    alternative: str
    null: str
    claim: Claim
    significant: bool
    better: bool | None
    design_effect: float | None = None
    effect: Effect | None = None
    overlap: float | None = None
    under_null: UnderNull | None = None
    notes: tuple[str, ...] = ()
    caveats: tuple[Caveat, ...] = ()

    @property
    def marked(self) -> bool:
        """Return whether tables mark it: significant, by a test that keeps its level here."""
        return self.significant and not self.caveats

    @property
    def p(self) -> float:
        """The p-value, not adjusted."""
        return self.p_value.p

    @property
    def p_mc(self) -> tuple[float, float]:
        """The Monte-Carlo interval of the p-value."""
        return self.p_value.interval

    @property
    def resamples(self) -> int:
        """The number of resamples behind the p-value."""
        return self.p_value.resamples
