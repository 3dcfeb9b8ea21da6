"""Counting rules of published tests: by hand, against each other, and where the two systems change places."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from truegain.inference.published import (
    berg_kirkpatrick,
    critical_difference,
    fu_bootstrap,
    koehn,
    moses_bootstrap,
    riezler_bootstrap,
    sacrebleu_bootstrap,
    strict_randomization,
)
from truegain.inference.pvalues import PValue, randomization_test

Rule = Callable[..., PValue]

RULES: dict[str, Rule] = {
    "koehn": koehn,
    "berg_kirkpatrick": berg_kirkpatrick,
    "riezler_bootstrap": riezler_bootstrap,
    "sacrebleu_bootstrap": sacrebleu_bootstrap,
    "moses_bootstrap": moses_bootstrap,
    "fu_bootstrap": fu_bootstrap,
    "strict_randomization": strict_randomization,
}
ADDED_ONE = {"riezler_bootstrap", "sacrebleu_bootstrap", "fu_bootstrap", "strict_randomization"}
every_rule = pytest.mark.parametrize("name", RULES)

# Quarters: sums, means over powers of two and differences are exact, and there are many ties.
quarters = st.integers(-40, 40).map(lambda number: number / 4)
resampled = st.integers(0, 6).flatmap(lambda power: st.lists(quarters, min_size=2**power, max_size=2**power))

# |δ*| are 0, 1, 2, 3, 4, 4, 5 and 5, with a mean of 3: less the mean, -3, -2, -1, 0, 1, 1, 2 and 2.
VALUES = np.array([0.0, 1.0, -2.0, 3.0, 4.0, -4.0, 5.0, -5.0])


by_hand = pytest.mark.parametrize(
    ("name", "delta", "count"),
    [
        ("koehn", 1.0, 4),  # 0 is no win
        ("koehn", -1.0, 5),
        ("koehn", 0.0, 5),  # neither is better: the larger of the two
        ("berg_kirkpatrick", 2.0, 1),  # 4 is not above 2 · 2
        ("berg_kirkpatrick", -2.0, 1),
        ("berg_kirkpatrick", 0.0, 4),  # the larger of the two again
        ("berg_kirkpatrick", 1.0, 3),
        ("berg_kirkpatrick", -1.0, 2),
        ("riezler_bootstrap", 1.0, 4),
        ("riezler_bootstrap", -2.0, 2),
        ("moses_bootstrap", 1.0, 4),
        ("moses_bootstrap", -2.0, 2),
        ("sacrebleu_bootstrap", 1.0, 2),
        ("sacrebleu_bootstrap", -2.0, 0),
        ("fu_bootstrap", -1.0, 2),
        ("strict_randomization", 4.0, 2),
        ("strict_randomization", -3.0, 4),
        ("strict_randomization", 5.0, 0),
    ],
)


@by_hand
def test_by_hand(name: str, delta: float, count: int) -> None:
    found = RULES[name](delta, VALUES)
    assert (found.exceedances, found.resamples) == (count, 8)
    assert found.p == ((count + 1) / 9 if name in ADDED_ONE else count / 8)


@by_hand
@pytest.mark.parametrize("error", [1e-10, -1e-10])
def test_rounding_errors_below_the_slack_change_no_count(name: str, delta: float, count: int, error: float) -> None:
    rounded = VALUES * (1.0 + error) + error
    assert RULES[name](delta, rounded, 1e-8).exceedances == count


@pytest.mark.whole
@every_rule
@settings(max_examples=30)
@given(delta=quarters, values=resampled, power=st.integers(-8, 8), seed=st.integers(0, 99))
def test_neither_places_nor_scale_nor_the_order_of_resamples_matter(
    name: str, delta: float, values: list[float], power: int, seed: int
) -> None:
    array, scale = np.array(values), 2.0**power
    found = RULES[name](delta, array)
    if delta != 0.0:  # with no better system, a one-sided test takes the order as it is
        assert RULES[name](-delta, -array) == found, "places"
    assert RULES[name](scale * delta, scale * array) == found, "scale"
    assert RULES[name](delta, np.random.default_rng(seed).permutation(array)) == found, "order"


@every_rule
@settings(max_examples=30)
@given(delta=quarters, values=resampled)
def test_shares(name: str, delta: float, values: list[float]) -> None:
    found = RULES[name](delta, np.array(values))
    assert found.resamples == len(values)
    added = name in ADDED_ONE
    assert found.p == (found.exceedances + added) / (len(values) + added)
    assert added / (len(values) + 1) <= found.p <= 1.0


@given(delta=quarters, values=resampled)
def test_relatives(delta: float, values: list[float]) -> None:
    """Equal but for the strict "greater" and the added one."""
    array = np.array(values)
    riezler, moses, sacrebleu = (
        rule(delta, array) for rule in (riezler_bootstrap, moses_bootstrap, sacrebleu_bootstrap)
    )
    assert riezler.exceedances == moses.exceedances
    ties = int((np.abs(array) - np.abs(array).mean() == abs(delta)).sum())
    assert riezler.exceedances - sacrebleu.exceedances == ties
    assert fu_bootstrap(delta, array) == sacrebleu
    plain = randomization_test(delta, array, magnitude=0.0)
    assert plain.exceedances - strict_randomization(delta, array).exceedances == (np.abs(array) == abs(delta)).sum()


@pytest.mark.whole
@every_rule
@settings(max_examples=30)
@given(values=resampled, delta=quarters, more=st.integers(0, 40))
def test_larger_differences_are_no_less_significant(name: str, values: list[float], delta: float, more: int) -> None:
    """Of the same resamples; koehn2004 only asks who is ahead."""
    assume(delta != 0.0)
    larger = delta + np.copysign(more / 4, delta)
    assert RULES[name](float(larger), np.array(values)).p <= RULES[name](delta, np.array(values)).p


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("koehn", 1.0),
        ("berg_kirkpatrick", 0.0),
        ("riezler_bootstrap", 1.0),
        ("moses_bootstrap", 1.0),
        ("sacrebleu_bootstrap", 1 / 101),
        ("fu_bootstrap", 1 / 101),
        ("strict_randomization", 1 / 101),
    ],
)
def test_no_difference_at_all(name: str, expected: float) -> None:
    assert RULES[name](0.0, np.zeros(100)).p == expected
    assert RULES[name](-0.0, np.zeros(100)).p == expected


def test_monte_carlo_intervals() -> None:
    generator = np.random.default_rng(0)
    for name, rule in RULES.items():
        found = rule(0.1, generator.normal(0.1, 0.3, 1000))
        low, high = found.interval
        assert low < found.exceedances / 1000 < high, name


@pytest.mark.parametrize("alpha", [0.05, 0.25, 0.3, 0.9])
def test_the_critical_difference_is_a_quantile_of_sizes(alpha: float) -> None:
    sizes = np.abs(VALUES)
    assert critical_difference(VALUES, alpha, folded=False) == pytest.approx(np.quantile(sizes, 1.0 - alpha))
    expected = max(float(np.quantile(sizes - 3.0, 1.0 - alpha)), 0.0)
    assert critical_difference(VALUES, alpha, folded=True) == pytest.approx(expected)
    assert (expected == 0.0) == (alpha == 0.9)
