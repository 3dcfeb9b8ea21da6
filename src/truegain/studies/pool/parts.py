"""Evidence for a gain over several test sets, besides what each of them shows."""

from __future__ import annotations

from typing import Annotated, Literal

from truegain.inference.conjunction import partial_conjunction, shown_on
from truegain.inference.intervals import Alpha
from truegain.inference.pvalues import Bounds, Exceedances, MonteCarlo, Probability, PValue, Resamples
from truegain.inference.results import Caveat, TestName
from truegain.rows import Baseline, MetricKey, Number, Proportion, Row, System, field


class Evidence(Row):
    """Evidence of one test set for the claim."""

    testset: Annotated[str, field("The name of the test set.")]
    test: TestName
    p: Probability
    exceedances: Exceedances
    resamples: Resamples
    p_sequence: Bounds
    p_adjusted: Annotated[
        Proportion,
        field("After Holm, over the test sets: if it is at most alpha, the claim is made of this set by name."),
    ]

    caveats: Annotated[
        tuple[Caveat, ...], field("Why the test rejects more often than its level says; tables do not mark the claim.")
    ] = ()
    p_mc: MonteCarlo = (0.0, 1.0)

    def __post_init__(self) -> None:
        self._derive(p_mc=self.p_value.interval)

    @property
    def p_value(self) -> PValue:
        """The p-value, one-sided."""
        return PValue(self.p, self.exceedances, self.resamples, self.p_sequence)


class Replicability(Row):
    """Number of test sets on which a system is better than the baseline."""

    metric: MetricKey
    baseline: Baseline
    system: System
    side: Annotated[Literal["better", "worse"], field("What is claimed of the system.")]
    sets: Annotated[tuple[Evidence, ...], field("In the order of the test sets.", min_length=1)]
    at_least: Annotated[
        tuple[Proportion, ...], field('The p-value of "on at least u of the sets", from u = 1 on.', min_length=1)
    ]
    alpha: Alpha
    shown: Annotated[Number, field("The number of test sets, at least, on which it is shown at alpha.")] = 0
    named: Annotated[tuple[str, ...], field("The test sets of which it can be said by name.")] = ()
    marked: Annotated[
        Number,
        field("The number of test sets, at least, on which p-values without a caveat show it: as many tables mark."),
    ] = 0

    def __post_init__(self) -> None:
        self._derive(
            shown=shown_on(self.at_least, self.alpha),
            named=tuple(one.testset for one in self.sets if one.p_adjusted <= self.alpha),
            marked=shown_on(partial_conjunction([1.0 if one.caveats else one.p for one in self.sets]), self.alpha),
        )

    @property
    def doubted(self) -> tuple[Evidence, ...]:
        """The test sets that it can be said of by name but for a caveat."""
        return tuple(one for one in self.sets if one.caveats and one.p_adjusted <= self.alpha)

    @property
    def unsure(self) -> tuple[tuple[int, float, float], ...]:
        """The claims that more resamples may decide otherwise: u, and the Monte-Carlo interval of its p-value."""
        ordered = sorted(self.sets, key=lambda one: one.p)
        ends = [partial_conjunction([one.p_value.interval[end] for one in ordered]) for end in (0, 1)]
        found = enumerate(zip(*ends, strict=True), 1)
        return tuple((u, low, high) for u, (low, high) in found if low <= self.alpha < high)
