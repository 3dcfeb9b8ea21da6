"""Findings of a study of intervals for each system, each pair and each method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from truegain.fields import Field, Form, MetricKey, documented
from truegain.inference.intervals import INTERVAL, Interval, quantiles
from truegain.inference.results import SystemPair, TestName
from truegain.rules import NonNegative, Proportion

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


_Drawn = Annotated[Method, Field("What is drawn.")]


@documented
@dataclass(frozen=True)
class ScoreInterval:
    """Interval of a system's score by one method."""

    metric: MetricKey
    system: Annotated[str, Field("The system.")]
    method: _Drawn
    score: Annotated[float, Field("The mean over runs; of one-run the median run's.")]
    run: Annotated[str | None, Field("The median run, of one-run; none otherwise.")]
    interval: Annotated[Interval, INTERVAL, Field("Of the score.")]
    mean: Annotated[
        float,
        Field(
            "The mean of the normal that the overlap is computed from: fitted to the resampled scores if there are any."
        ),
    ]
    sd: Annotated[NonNegative, Field("The standard deviation of that normal.")]


@dataclass(frozen=True)
class _TestP:
    """A p-value by a test, as data have it."""

    test: TestName
    p: Annotated[Proportion, Field("Its p-value.")]


_BY_TEST = Form(
    {"p": Annotated[tuple[_TestP, ...], Field("By test; without those that are not defined for the two.")]},
    lambda p: ([_TestP(*item) for item in p.items()],),
    lambda given: {one.test: one.p for one in given},
)


@dataclass(frozen=True)
class _TestSDiff:
    """The size of gain at which the p of a test is alpha, as data have it."""

    test: TestName
    s_diff_at_alpha: Annotated[NonNegative, Field("The size of gain.")]


_S_DIFF_BY_TEST = Form(
    {
        "s_diff_by_test": Annotated[
            tuple[_TestSDiff, ...], Field("The size of gain at which a test's own p is alpha; of Fu et al.'s tests.")
        ]
    },
    lambda found: ([_TestSDiff(*item) for item in found.items()],),
    lambda given: {one.test: one.s_diff_at_alpha for one in given},
)


@documented
@dataclass(frozen=True)
class PairFinding(SystemPair):
    """Findings of one method on two systems."""

    delta: Annotated[float, Field("The gain: of the mean over runs; of one-run the median runs'. Its size is S_diff.")]
    method: _Drawn
    overlap: Annotated[Proportion, Field("P_overlap of the two intervals, from 0 to 1 (Fu et al.).")]
    p: Annotated[dict[str, float], _BY_TEST, Field("By test; without those that are not defined for the two.")]
    s_diff_at_alpha: Annotated[NonNegative, Field("The size of gain at which p is alpha.")]
    s_diff_by_test: Annotated[
        dict[str, float],
        _S_DIFF_BY_TEST,
        Field("The size of gain at which a test's own p is alpha; of Fu et al.'s tests."),
    ]

    def decision(self, test: str, alpha: float) -> int:
        """Return 1 if the system is better, −1 if the baseline is, 0 if the test does not decide."""
        return int(np.sign(self.delta)) if self.p[test] <= alpha else 0


@documented
@dataclass(frozen=True)
class SmallestGain:
    """The size of gain at which p is alpha, over pairs."""

    low: Annotated[float, Field("The smallest.")]
    median: Annotated[float, Field("The median.")]
    high: Annotated[float, Field("The largest.")]


@documented
@dataclass(frozen=True)
class TestSummary:
    """A test's decisions on all pairs that it is defined for."""

    __test__ = False  # not a test class for pytest

    test: TestName
    pairs: Annotated[int, Field("The number of pairs that it is defined for.")]
    significant: Annotated[int, Field("The number of pairs that it tells apart.")]
    as_crossed: Annotated[int, Field("The number of pairs on which the crossed test decides the same.")]
    s_diff_at_alpha: Annotated[
        SmallestGain | None, Field("The size of gain at which its own p is alpha, over pairs; of Fu et al.'s tests.")
    ] = None


@documented
@dataclass(frozen=True)
class MethodSummary:
    """One method on all pairs, under one metric."""

    metric: MetricKey
    method: _Drawn
    tests: Annotated[tuple[TestSummary, ...], Field("The decisions of each of its tests.")]
    same: Annotated[
        int | None,
        Field(
            "The number of pairs on which bootstrap and randomization come to the same decision, of those that they "
            "are defined for; none if there is only one test."
        ),
    ]
    pairs: Annotated[int, Field("The number of all pairs.")]
    overlapping: Annotated[int, Field("The number of pairs whose intervals overlap.")]
    overlapping_though_apart: Annotated[int, Field("The number of those that the crossed test tells apart.")]
    apart_though_undecided: Annotated[
        int,
        Field("The number of pairs whose intervals do not overlap, and that the crossed test does not tell apart."),
    ]
    s_diff_at_alpha: Annotated[SmallestGain, Field("The size of gain at which p is alpha, over pairs.")]


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
