"""Findings of a study of intervals for each system, each pair and each method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from truegain.inference.intervals import Ends, Interval, IntervalKind, Level, quantiles
from truegain.inference.results import SystemPair, TestName
from truegain.rows import MetricKey, NonNegative, Number, Proportion, Row, field

Method = Literal["one-run", "all-runs", "rows", "runs", "both"]
#: What is drawn to make an interval, and the tests of a difference that draw the same: the bootstrap, then the
#: randomization; where both runs and segments vary there is one test.
METHODS: dict[Method, tuple[str, ...]] = {
    "one-run": ("riezler2005-bootstrap", "riezler2005-ar"),
    "all-runs": ("bootstrap", "clark2011"),
    "rows": ("fu-rows-bootstrap", "fu-rows-ar"),
    "runs": ("fu-bootstrap", "fu-ar"),
    "both": ("crossed",),
}
_JUDGE = "crossed"


_Drawn = Annotated[Method, field("What is drawn.")]


class ScoreInterval(Row):
    """Interval of a system's score by one method."""

    metric: MetricKey
    system: Annotated[str, field("The system.")]
    method: _Drawn
    score: Annotated[float, field("The mean over runs; of one-run the median run's.")]
    run: Annotated[str | None, field("The median run, of one-run; none otherwise.")]
    ci: Ends
    ci_level: Level
    ci_method: IntervalKind
    mean: Annotated[
        float,
        field(
            "The mean of the normal that the overlap is computed from: fitted to the resampled scores if there are any."
        ),
    ]
    sd: Annotated[NonNegative, field("The standard deviation of that normal.")]

    @property
    def interval(self) -> Interval:
        """The interval of the score."""
        return Interval.of(self.ci, self.ci_level, self.ci_method)


class TestP(Row):
    """A p-value by a test."""

    __test__ = False  # not a test class for pytest

    test: TestName
    p: Annotated[Proportion, field("Its p-value.")]


class TestSDiff(Row):
    """The size of gain at which the p of a test is alpha."""

    __test__ = False  # not a test class for pytest

    test: TestName
    s_diff_at_alpha: Annotated[NonNegative, field("The size of gain.")]


class PairFinding(SystemPair, rename={"p_by_test": "p", "gains_at_alpha": "s_diff_by_test"}):
    """Findings of one method on two systems."""

    delta: Annotated[float, field("The gain: of the mean over runs; of one-run the median runs'. Its size is S_diff.")]
    method: _Drawn
    overlap: Annotated[Proportion, field("P_overlap of the two intervals, from 0 to 1 (Fu et al.).")]
    p_by_test: Annotated[tuple[TestP, ...], field("p by test; without those that are not defined for the two.")]
    s_diff_at_alpha: Annotated[NonNegative, field("The size of gain at which p is alpha.")]
    gains_at_alpha: Annotated[
        tuple[TestSDiff, ...], field("The size of gain at which a test's own p is alpha; of Fu et al.'s tests.")
    ]

    @property
    def p(self) -> dict[str, float]:
        """The p-values by test."""
        return {one.test: one.p for one in self.p_by_test}

    @property
    def s_diff_by_test(self) -> dict[str, float]:
        """The sizes of gain at which a test's own p is alpha, by test."""
        return {one.test: one.s_diff_at_alpha for one in self.gains_at_alpha}

    def decision(self, test: str, alpha: float) -> int:
        """Return 1 if the system is better, −1 if the baseline is, 0 if the test does not decide."""
        return int(np.sign(self.delta)) if self.p[test] <= alpha else 0


class SmallestGain(Row):
    """The size of gain at which p is alpha, over pairs."""

    low: Annotated[float, field("The smallest.")]
    median: Annotated[float, field("The median.")]
    high: Annotated[float, field("The largest.")]


class TestSummary(Row):
    """A test's decisions on all pairs that it is defined for."""

    __test__ = False  # not a test class for pytest

    test: TestName
    pairs: Annotated[Number, field("The number of pairs that it is defined for.")]
    significant: Annotated[Number, field("The number of pairs that it tells apart.")]
    as_crossed: Annotated[Number, field("The number of pairs on which the crossed test decides the same.")]
    s_diff_at_alpha: Annotated[
        SmallestGain | None, field("The size of gain at which its own p is alpha, over pairs; of Fu et al.'s tests.")
    ] = None


class MethodSummary(Row):
    """One method on all pairs, under one metric."""

    metric: MetricKey
    method: _Drawn
    tests: Annotated[tuple[TestSummary, ...], field("The decisions of each of its tests.")]
    same: Annotated[
        Number | None,
        field(
            "The number of pairs on which bootstrap and randomization come to the same decision, of those that they "
            "are defined for; none if there is only one test."
        ),
    ]
    pairs: Annotated[Number, field("The number of all pairs.")]
    overlapping: Annotated[Number, field("The number of pairs whose intervals overlap.")]
    overlapping_though_apart: Annotated[Number, field("The number of those that the crossed test tells apart.")]
    apart_though_undecided: Annotated[
        Number,
        field("The number of pairs whose intervals do not overlap, and that the crossed test does not tell apart."),
    ]
    s_diff_at_alpha: Annotated[SmallestGain, field("The size of gain at which p is alpha, over pairs.")]


def summarize(findings: Sequence[PairFinding], metric: str, method: Method, alpha: float) -> MethodSummary:
    """Count decisions and overlaps over the pairs.

    Two decisions are the same if they favour the same system, or neither favours one: the median runs of two systems
    may differ the other way round than the means of all runs.
    """
    mine = [one for one in findings if (one.metric, one.method) == (metric, method)]
    judged = {
        (one.baseline, one.system): one.decision(_JUDGE, alpha)
        for one in findings
        if (one.metric, one.method) == (metric, "both")
    }
    tests = []
    for test in METHODS[method]:
        decided = [(one.decision(test, alpha), judged[one.baseline, one.system]) for one in mine if test in one.p]
        significant = sum(own != 0 for own, _ in decided)
        same_as_crossed = sum(own == other for own, other in decided)
        sizes = [one.s_diff_by_test[test] for one in mine if test in one.s_diff_by_test]
        tests.append(TestSummary(test, len(decided), significant, same_as_crossed, _smallest(sizes) if sizes else None))
    same = None
    if len(tests) > 1:
        both = [[one.decision(test, alpha) for test in METHODS[method]] for one in mine if len(one.p) == len(tests)]
        same = sum(first == second for first, second in both)
    overlaps = [(one.overlap > 0.0, judged[one.baseline, one.system] != 0) for one in mine]
    return MethodSummary(
        metric=metric,
        method=method,
        tests=tuple(tests),
        same=same,
        pairs=len(mine),
        overlapping=sum(overlapping for overlapping, _ in overlaps),
        overlapping_though_apart=sum(overlapping and apart for overlapping, apart in overlaps),
        apart_though_undecided=sum(not overlapping and not apart for overlapping, apart in overlaps),
        s_diff_at_alpha=_smallest([one.s_diff_at_alpha for one in mine]),
    )


def _smallest(sizes: Sequence[float]) -> SmallestGain:
    return SmallestGain(*quantiles(np.array(sizes), (0.0, 0.5, 1.0)))


def by_pair(findings: Sequence[PairFinding]) -> list[dict[Method, PairFinding]]:
    """Return the findings of each pair and metric together, by method."""
    pairs: dict[tuple[str, str, str], dict[Method, PairFinding]] = {}
    for one in findings:
        pairs.setdefault((one.metric, one.baseline, one.system), {})[one.method] = one
    return list(pairs.values())
