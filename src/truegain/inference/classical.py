"""Tests of paired differences that draw no resamples: the sign test, Wilcoxon's, Student's and McNemar's.

They test the differences of segments, so they suit metrics that are means over segments, not BLEU. All take
``differences``, one per segment and positive if the system is better than the baseline; ``alternative``, as the
tests that resample do; and ``slack``, up to which a difference is 0 and two differences are the same (scores carry
rounding errors, and ties that these break are no ties to a test of ranks).
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.inference.distributions import binomial_tail, normal_tail, student_quantile, student_tail
from truegain.inference.effects import standardized_mean
from truegain.inference.pvalues import Alternative

NullDistribution = Literal["exact", "normal", "student"]

_EXACT = 50  # differences other than 0 up to which Wilcoxon's distribution is enumerated
_PERCENT = 50.0  # no difference of scores that are 0 or 1 is this large


@dataclass(frozen=True)
class Classical:
    """Outcome of a test.

    Attributes
    ----------
    p : float
        Never 0: what is below the smallest (normal) float, 2e-308, is given as that.
    statistic : float
        The number of positive differences (sign test, McNemar's), the sum of their ranks (Wilcoxon's) or t. Whatever
        the alternative, it is larger if the system is better.
    used : int
        How many differences the test is of.
    dropped : int
        How many more were left out, because they are 0.
    null : "exact", "normal" or "student"
        The distribution that p is from.
    """

    p: float
    statistic: float
    used: int
    dropped: int
    null: NullDistribution


def sign_test(
    differences: NDArray[np.float64], *, alternative: Alternative = "two-sided", slack: float = 0.0
) -> Classical:
    """Test whether the system is better on more segments than it is worse on (Arbuthnot 1710; Dixon and Mood 1946).

    Differences of 0 are dropped, and p is from the binomial distribution; two-sided, it is twice the smaller tail. With
    nothing left it is 1.
    """
    _check(differences)
    wins = int(np.count_nonzero(differences > slack))
    losses = int(np.count_nonzero(differences < -slack))
    used = wins + losses
    p = _p_value(binomial_tail(wins, used), binomial_tail(losses, used), alternative)
    return Classical(p, float(wins), used, differences.size - used, "exact")


def mcnemar_test(
    differences: NDArray[np.float64], *, alternative: Alternative = "two-sided", slack: float = 0.0
) -> Classical:
    """Run McNemar's test (1947) in its exact form, for scores of 0 or 1: the sign test of the segments that differ.

    In percent, scores are 0 or 100.

    Raises
    ------
    InputError
        If a difference is not -1, 0 or 1, or else -100, 0 or 100.
    """
    _check(differences)
    right = 100.0 if np.abs(differences).max(initial=0.0) > _PERCENT else 1.0
    whole = np.rint(differences / right)
    strange = (np.abs(differences - whole * right) > slack) | (np.abs(whole) > 1.0)
    if strange.any():
        raise InputError(
            "McNemar's test is for scores that are 0 or 1 (or 100, in percent); the scores of segment "
            f"{int(strange.argmax()) + 1} differ by {float(differences[strange.argmax()]):g}",
            hint="use the sign test or Wilcoxon's",
        )
    return sign_test(whole, alternative=alternative)


def wilcoxon_test(
    differences: NDArray[np.float64], *, alternative: Alternative = "two-sided", slack: float = 0.0
) -> Classical:
    """Run Wilcoxon's signed-rank test (1945) of whether the differences are symmetric around 0.

    Differences of 0 are dropped, and equal ones share their mean rank. The distribution of the rank sum, under random
    signs, is exact for up to 50 differences other than 0, with ties or without; else it is the normal approximation,
    its variance corrected for ties, without a correction for continuity. :func:`scipy.stats.wilcoxon` has the same p by
    default except with ties or zeros, where it takes the normal approximation from 14 differences on, counting zeros.

    Two-sided, p is twice the smaller tail. With nothing left it is 1.
    """
    _check(differences)
    kept = differences[np.abs(differences) > slack]
    used, dropped = int(kept.size), int(differences.size - kept.size)
    if used == 0:
        return Classical(1.0, 0.0, 0, dropped, "exact")
    magnitudes = np.abs(kept)
    order = np.argsort(magnitudes)
    edges = np.flatnonzero(np.diff(magnitudes[order]) > slack) + 1
    starts, ends = np.append(0, edges), np.append(edges, used)
    sizes = ends - starts
    # Doubled, so that the mean rank of an even number of ties is whole, and sums are free of rounding in any order.
    doubled = np.repeat(starts + ends + 1, sizes)
    reached = int(doubled[kept[order] > 0.0].sum())
    if used <= _EXACT:
        ways = _ways(doubled)
        every = 2.0**used
        upper, lower = float(ways[reached:].sum()) / every, float(ways[: reached + 1].sum()) / every
        return Classical(_p_value(upper, lower, alternative), reached / 2, used, dropped, "exact")
    ties = sizes.astype(np.float64)
    variance = (used * (used + 1) * (2 * used + 1) - float((ties**3 - ties).sum()) / 2) / 24
    z = (reached / 2 - used * (used + 1) / 4) / math.sqrt(variance)
    return Classical(_p_value(normal_tail(z), normal_tail(-z), alternative), reached / 2, used, dropped, "normal")


def t_test(
    differences: NDArray[np.float64], *, alternative: Alternative = "two-sided", slack: float = 0.0
) -> Classical:
    """Run Student's paired t-test (1908) of whether the mean difference is 0, for normal differences.

    Nothing is dropped. If all differences are 0, t is 0 and p is 1. If they are all the same but not 0, t is infinite
    and Student's p would be 0 at any number of segments, even two, as no normal variable repeats itself; p is then the
    share of all sign patterns whose t is as large (Fisher 1935, § 21): 2 of the 2^n if two-sided, as in the sign test.

    Raises
    ------
    InputError
        If there are fewer than two differences.
    """
    _check(differences)
    count = int(differences.size)
    if count < 2:
        raise InputError(
            f"the t test needs two segments or more, to see how much they vary; got {count}",
            hint="score the systems on more segments",
        )
    standardized = standardized_mean(differences, slack)
    if standardized is None:
        same = sign_test(differences, alternative=alternative, slack=slack)
        t = math.copysign(math.inf, float(differences[0])) if same.used else 0.0
        return Classical(same.p, t, count, 0, "exact")
    t = standardized * math.sqrt(count)
    freedom = count - 1
    return Classical(_p_value(student_tail(t, freedom), student_tail(-t, freedom), alternative), t, count, 0, "student")


def t_bound(
    differences: NDArray[np.float64], *, alternative: Literal["greater", "less"], alpha: float, slack: float = 0.0
) -> float:
    """Return the one-sided bound of the mean at 1 − alpha: :func:`t_test` rejects all below (``less``: above) it.

    If all differences are the same, it is that difference, or infinite with too few of them to reject anything.
    """
    _check(differences)
    mean, count = float(differences.mean()), int(differences.size)
    if float(differences.max() - differences.min()) <= slack:
        reach = 0.0 if binomial_tail(count, count) <= alpha else math.inf
    else:
        scale = float(np.abs(differences - mean).max())  # squares of the smallest floats would be 0
        deviation = scale * math.sqrt(float((((differences - mean) / scale) ** 2).sum()) / (count - 1))
        reach = student_quantile(1.0 - alpha, count - 1) * deviation / math.sqrt(count)
    return mean - reach if alternative == "greater" else mean + reach


def _check(differences: NDArray[np.float64]) -> None:
    usable = np.isfinite(differences)
    if not usable.all():
        at = int(usable.argmin())
        raise InputError(
            f"the scores of segment {at + 1} differ by {differences[at]}, which cannot be tested",
            hint="leave out the segments without a score",
        )


def _p_value(upper: float, lower: float, alternative: Alternative) -> float:
    """Return p from the probabilities of at least and of at most the observed value."""
    if alternative == "two-sided":
        p = 2.0 * min(upper, lower)
    else:
        p = upper if alternative == "greater" else lower
    return min(max(p, sys.float_info.min), 1.0)


def _ways(doubled: NDArray[np.int64]) -> NDArray[np.float64]:
    """Count the sign patterns, of 2^n, that give each doubled rank sum; whole numbers, exact up to n = 53."""
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    reach = 1
    for rank in doubled.tolist():
        ways[rank : rank + reach] += ways[:reach].copy()
        reach += rank
    return ways
