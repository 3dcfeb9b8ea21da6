"""The score test of paired proportions against its likelihood, exact sizes, and its own bounds."""

from __future__ import annotations

import itertools
import math
from typing import Literal

import numpy as np
import pytest
from scipy import optimize, stats

from truegain.inference.proportions import Outcomes, paired_outcomes


@pytest.mark.parametrize("found", [Outcomes(0, 1, 300, 1.0), Outcomes(3, 9, 100, 1.0), Outcomes(7, 2, 50, 100.0)])
@pytest.mark.parametrize("gain", [-0.2, -0.01, 0.0, 0.03])
def test_the_variance_is_that_of_the_most_likely_null(found: Outcomes, gain: float) -> None:
    ties = found.count - found.wins - found.losses

    def unlikely(lost: float) -> float:
        logs = np.log(np.maximum([lost + gain, lost, 1.0 - 2.0 * lost - gain], 1e-300))
        return -float(logs @ [found.wins, found.losses, ties])

    ends = max(0.0, -gain), (1.0 - gain) / 2.0
    lost = optimize.minimize_scalar(unlikely, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
    deviation = math.sqrt(found.count * (2.0 * lost + gain - gain**2))
    z = (found.wins - found.losses - found.count * gain) / deviation
    assert found.p(gain * found.size, "greater") == pytest.approx(stats.norm.sf(z), rel=1e-3)
    assert found.p(gain * found.size, "less") == pytest.approx(stats.norm.cdf(z), rel=1e-3)
    assert found.p(gain * found.size, "two-sided") == pytest.approx(2.0 * stats.norm.sf(abs(z)), rel=1e-3)


@pytest.mark.parametrize("margin", [0.005, 0.01, 0.02, 0.05, 0.1])
@pytest.mark.parametrize("won", [0.0, 0.003, 0.02])
def test_a_loss_as_large_as_the_margin_seldom_passes(margin: float, won: float) -> None:
    """Summed over all that can be observed of 300 segments; the bootstrap passes up to 20 %."""
    count, size = 300, 0.0
    for wins in range(1 + int(stats.binom.isf(1e-6, count, won)) if won else 1):
        for losses in itertools.count():
            if Outcomes(wins, losses, count, 1.0).p(-margin, "greater") > 0.05:
                break
            chance = [won, won + margin, 1.0 - 2.0 * won - margin]
            size += float(stats.multinomial.pmf([wins, losses, count - wins - losses], count, chance))
    assert size <= 0.065


@pytest.mark.parametrize("way", ["greater", "less"])
@pytest.mark.parametrize("found", [Outcomes(0, 1, 300, 1.0), Outcomes(5, 0, 40, 100.0), Outcomes(3, 3, 7, 1.0)])
def test_the_bound_parts_what_is_rejected_from_what_is_not(found: Outcomes, way: Literal["greater", "less"]) -> None:
    bound, away = found.bound(way, 0.05), (-1e-9 if way == "greater" else 1e-9) * found.size
    assert found.p(bound + away, way) <= 0.05 <= found.p(bound - away, way)
    sign = 1.0 if way == "greater" else -1.0
    p_values = [found.p(sign * gain * found.size, way) for gain in np.linspace(-1.0, 1.0, 101)]
    assert (np.diff(p_values) >= 0.0).all()


@pytest.mark.parametrize(("losses", "count", "margin"), [(10, 255, 0.02), (22, 1111, 0.01)])
def test_a_most_likely_loss_that_is_known_exactly(losses: int, count: int, margin: float) -> None:
    """The root that gives it is 0, and rounding may not make it one of a number below."""
    lost = ((2 * count + losses) * margin + losses) / (4 * count)
    z = (count * margin - losses) / math.sqrt(count * (2.0 * lost - margin - margin**2))
    assert Outcomes(0, losses, count, 1.0).p(-margin, "greater") == pytest.approx(stats.norm.sf(z))


@pytest.mark.parametrize("gain", [-1.5, -1.0, 0.0, 1.0, 1.5])
def test_where_nothing_varies(gain: float) -> None:
    same, all_lost = Outcomes(0, 0, 5, 1.0), Outcomes(0, 5, 5, 1.0)
    below, above = float(gain < 0.0), float(gain > 0.0)
    ties = 0.5 if gain == 0.0 else 0.0
    assert (same.p(gain, "greater"), same.p(gain, "less")) == (above + ties, below + ties)
    assert same.p(gain, "two-sided") == 2.0 * ties
    if gain <= -1.0:
        assert all_lost.p(gain, "greater") == (0.5 if gain == -1.0 else 0.0)


def test_gains_are_counted_whatever_the_two_values_are() -> None:
    scores = 2.0 + np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
    assert paired_outcomes(scores, scores[1] - scores[0]) == Outcomes(1, 1, 3, 1.0)


def test_two_values_are_outcomes_and_others_are_not() -> None:
    scores = np.array([[100.0, 100.0, 0.0], [100.0, 0.0, 100.0]])
    assert paired_outcomes(scores, scores[1] - scores[0]) == Outcomes(1, 1, 3, 100.0)
    for gain in (0.0, 100.0):
        assert paired_outcomes(scores, np.full(3, gain)) is None
    scores[0, 0] = 50.0
    assert paired_outcomes(scores, scores[1] - scores[0]) is None
