"""What a study of intervals finds for each system, each pair and each method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from truegain.inference.intervals import Interval, quantiles
from truegain.studies.codec import Form, Shape, Shapes
from truegain.studies.shapes import INTERVAL, SHARE, SPREAD, TEST

__all__ = [
    "METHODS",
    "PARTS",
    "Method",
    "MethodSummary",
    "PairFinding",
    "ScoreInterval",
    "SmallestGain",
    "TestSummary",
    "by_pair",
    "summarize",
]

Method = Literal["one-run", "all-runs", "runs", "both"]
#: What is drawn to make an interval, and the tests of a difference that draw the same: the bootstrap, then the
#: randomization; where both runs and segments vary there is one test.
METHODS: dict[Method, tuple[str, ...]] = {
    "one-run": ("riezler2005-bootstrap", "riezler2005-ar"),
    "all-runs": ("bootstrap", "clark2011"),
    "runs": ("fu-bootstrap", "fu-ar"),
    "both": ("crossed",),
}
_JUDGE = "crossed"


@dataclass(frozen=True)
class ScoreInterval:
    """The interval of a system's score by one method.

    Attributes
    ----------
    score : float
        The mean over runs; of ``one-run`` the median run's.
    run : str or None
        The median run, of ``one-run``.
    mean, sd : float
        Of the normal that the overlap goes by: fitted to the resampled scores where there are any.
    """

    metric: str
    system: str
    method: Method
    score: float
    run: str | None
    interval: Interval
    mean: float
    sd: float


@dataclass(frozen=True)
class PairFinding:
    """What one method has to say on two systems.

    Attributes
    ----------
    delta : float
        The gain: of the mean over runs; of ``one-run`` the median runs'. Its size is S_diff.
    overlap : float
        P_overlap of the two intervals, from 0 to 1 (Fu et al.).
    p : dict of str to float
        By test; without those that are not defined for the two.
    s_diff_at_alpha : float
        The size of gain at which p is alpha.
    """

    metric: str
    baseline: str
    system: str
    method: Method
    delta: float
    overlap: float
    p: dict[str, float]
    s_diff_at_alpha: float

    def decision(self, test: str, alpha: float) -> int:
        """1 where the system is better, −1 where the baseline is, 0 where the test does not tell."""
        return int(np.sign(self.delta)) if self.p[test] <= alpha else 0


@dataclass(frozen=True)
class _TestP:
    """A p-value by a test, as data have it."""

    test: str
    p: float


#: What the data of these classes differ in from their fields.
PARTS: Shapes = {
    ScoreInterval: Shape(types={"sd": SPREAD}, forms={"interval": INTERVAL}),
    PairFinding: Shape(
        types={"overlap": SHARE, "s_diff_at_alpha": SPREAD},
        forms={
            "p": Form(
                {"p": tuple[_TestP, ...]},
                lambda p: ([_TestP(*item) for item in p.items()],),
                lambda given: {one.test: one.p for one in given},
            )
        },
    ),
    _TestP: Shape(types={"test": TEST, "p": SHARE}),
}


@dataclass(frozen=True)
class TestSummary:
    """A test's decisions on all pairs that it is defined for: how many differ, and how often crossed says the same."""

    __test__ = False  # not a test class for pytest

    test: str
    pairs: int
    significant: int
    as_crossed: int


@dataclass(frozen=True)
class SmallestGain:
    """The size of gain at which p is alpha, over pairs: smallest, median, largest."""

    low: float
    median: float
    high: float


@dataclass(frozen=True)
class MethodSummary:
    """One method on all pairs, under one metric.

    Attributes
    ----------
    same : int or None
        Pairs on which bootstrap and randomization come to the same decision, of those that they are defined for; None
        where there is only one test.
    pairs : int
        All pairs.
    overlapping : int
        Pairs whose intervals overlap.
    overlapping_though_apart : int
        Those of them that the crossed test tells apart.
    apart_though_undecided : int
        Pairs whose intervals do not overlap, and that the crossed test does not tell apart.
    """

    metric: str
    method: Method
    tests: tuple[TestSummary, ...]
    same: int | None
    pairs: int
    overlapping: int
    overlapping_though_apart: int
    apart_though_undecided: int
    s_diff_at_alpha: SmallestGain


def summarize(findings: Sequence[PairFinding], metric: str, method: Method, alpha: float) -> MethodSummary:
    """Count decisions and overlaps over the pairs.

    Two decisions are the same where they favour the same system, or neither favours one: the median runs of two systems
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
        tests.append(TestSummary(test, len(decided), significant, sum(own == other for own, other in decided)))
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
        s_diff_at_alpha=SmallestGain(*quantiles(np.array([one.s_diff_at_alpha for one in mine]), (0.0, 0.5, 1.0))),
    )


def by_pair(findings: Sequence[PairFinding]) -> list[dict[Method, PairFinding]]:
    """Return the findings of each pair and metric together, by method."""
    pairs: dict[tuple[str, str, str], dict[Method, PairFinding]] = {}
    for one in findings:
        pairs.setdefault((one.metric, one.baseline, one.system), {})[one.method] = one
    return list(pairs.values())
