"""The check for dependence between neighbouring segments: its statistic, its p-value, its ratio."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.stats import norm

from tests.known import known
from truegain.inference import dependence
from truegain.inference.dependence import (
    LEVEL,
    Dependence,
    block_length,
    dependence_notes,
    find_dependence,
    standard_error_ratios,
)
from truegain.inference.distributions import normal_tail
from truegain.resampling.generator import numbered_keys, shuffled

GAIN = ("score", "base", "new")


def outcome(p: float, segments: int, ratio: float, metric: str = "score", system: str = "new") -> Dependence:
    return Dependence(metric, "base", system, p, segments, ratio)


def noticed(values: NDArray[np.float64], **options: Any) -> Dependence:
    """Test values that are enough to tell."""
    return known(find_dependence(GAIN, values, **{"seed": 1, **options}))


def clustered(rng: np.random.Generator, documents: int, size: int, ratio: float) -> NDArray[np.float64]:
    """Values in documents whose mean has ``ratio`` times the standard error that independent values have."""
    share = (ratio**2 - 1.0) / (size - 1.0)
    shared = np.repeat(rng.standard_normal(documents), size)
    return np.asarray(np.sqrt(share) * shared + np.sqrt(1.0 - share) * rng.standard_normal(documents * size))


def slow_statistic(values: NDArray[np.float64], strata: NDArray[np.int64]) -> float:
    """Compute Σ u P / √Σ u² P² term by term."""
    total = squares = 0.0
    for stratum in np.unique(strata):
        part = values[strata == stratum]
        part = part - part.mean()
        for t in range(len(part)):
            product = part[t] * part[max(t - 10, 0) : t].sum()
            total += product
            squares += product**2
    return float(total / np.sqrt(squares))


@pytest.mark.parametrize("several", [False, True])
def test_p_counts_permutations_as_large(several: bool) -> None:
    """With blocks whose order is all that matters, p is near the share of shuffles with as large a statistic."""
    rng = np.random.default_rng(4)
    strata = np.repeat([0, 1, 2], [70, 40, 8]) if several else np.zeros(118, np.int64)
    values = np.convolve(rng.standard_normal(121), np.ones(4), "valid") / 2 + 0.7 * rng.standard_normal(118) + strata
    found = noticed(values, strata=strata if several else None, seed=3)
    observed = slow_statistic(values, strata)
    shuffled = []
    for _ in range(1000):
        other = values.copy()
        for stratum in np.unique(strata):
            other[strata == stratum] = rng.permutation(other[strata == stratum])
        shuffled.append(slow_statistic(other, strata))
    share = float(np.mean(np.array(shuffled) >= observed))
    assert found.p == pytest.approx(share, abs=4 * np.sqrt(max(share, 0.01) / 20))


def test_the_order_of_strata_does_not_matter_but_neighbours_do() -> None:
    """Segments of two strata in turns are neighbours of their own stratum only."""
    rng = np.random.default_rng(5)
    one, other = clustered(rng, 20, 20, 2.5), clustered(rng, 20, 20, 2.5) + 3.0
    together = np.concatenate([one, other])
    strata = np.repeat([0, 1], 400)
    in_turns = np.arange(800).reshape(2, 400).T.ravel()
    expected = noticed(together, strata=strata)
    assert expected.found
    assert noticed(together[in_turns], strata=strata[in_turns]) == expected


def test_ratio_is_that_of_newey_and_west() -> None:
    rng = np.random.default_rng(6)
    kernel: dict[str, Any] = {"maxlags": 40, "use_correction": False}
    for _ in range(5):
        values = clustered(rng, 40, 30, 2.0)
        fit = sm.OLS(values, np.ones(values.size))
        robust = float(np.asarray(fit.fit(cov_type="HAC", cov_kwds=kernel).bse)[0])
        plain = np.sqrt(((values - values.mean()) ** 2).sum()) / values.size
        (ratio,) = standard_error_ratios((values - values.mean())[None], np.array([0, values.size]))
        assert ratio == pytest.approx(robust / plain, rel=1e-9)


def test_scale_and_offset_do_not_matter() -> None:
    values = clustered(np.random.default_rng(7), 30, 20, 1.6)
    expected = noticed(values)
    assert noticed(values * 2.0**40) == expected
    assert noticed(values * 2.0**-300) == expected


TWO_STRATA = np.repeat([0, 1], 100)


@pytest.mark.parametrize(
    ("values", "strata", "told"),
    [
        (np.zeros(200), None, False),
        (np.full(200, 0.1), None, False),
        (np.arange(49.0), None, False),
        (np.r_[np.zeros(181), np.ones(19)], None, False),
        (np.r_[np.arange(1.0, 21.0), np.zeros(30)], None, True),
        (np.repeat([0.1, 0.0], 100), TWO_STRATA, False),  # which vary between strata alone
        (np.random.default_rng(16).standard_normal(200), TWO_STRATA, True),
    ],
)
def test_how_much_it_takes_to_tell(values: NDArray[np.float64], strata: NDArray[np.int64] | None, told: bool) -> None:
    assert (find_dependence(GAIN, values, strata=strata, seed=1) is not None) == told


def shapes(rng: np.random.Generator, segments: int) -> dict[str, NDArray[np.float64]]:
    normal = rng.standard_normal(segments)
    scales = np.repeat(np.exp(rng.standard_normal(segments // 27 + 1)), 27)[:segments]
    return {
        "normal": normal,
        "skewed": np.exp(normal),
        "tied": np.where(rng.random(segments) < 0.7, 0.0, normal),
        "scales": normal * scales,
    }


@pytest.mark.whole
def test_false_alarms_are_rare() -> None:
    """At most 4 of 1,200 tests of independent contributions at a level of .1 %; the page has the exact figures."""
    rng = np.random.default_rng(9)
    alarms, tests = 0, 0
    for number in range(300):
        for values in shapes(rng, 120).values():
            found = find_dependence(GAIN, values, seed=number)
            if found is not None:
                tests += 1
                alarms += found.found
    assert tests > 1100
    assert alarms <= 4


@pytest.mark.whole
def test_documents_are_noticed() -> None:
    """Documents of 8 that make the standard error 1.5 times too small, 1,000 segments: found nearly always."""
    rng = np.random.default_rng(10)
    found = [find_dependence(GAIN, clustered(rng, 125, 8, 1.5), seed=number) for number in range(40)]
    assert sum(one is not None and one.found for one in found) >= 30
    ratios = [one.ratio for one in found if one is not None]
    assert np.median(ratios) == pytest.approx(1.45, abs=0.12)


def test_shuffled_text_shows_nothing() -> None:
    rng = np.random.default_rng(11)
    values = clustered(rng, 125, 8, 2.0)
    assert noticed(values).found
    assert not noticed(rng.permutation(values)).found


def text_of(*tests: Dependence, metrics: int = 1, blocks: bool = False) -> str:
    labels = {"score": "Score", "other": "Other"} if metrics == 2 else {"score": "Score"}
    (note,) = dependence_notes(tests, labels, longer_than_blocks=blocks)
    assert note.kind == "dependence"
    return note.text


def test_the_note_gives_a_factor_only_if_there_are_enough_segments() -> None:
    assert "1.7" in text_of(outcome(0.001, 1_000, 1.7))
    assert "1.7" not in text_of(outcome(0.001, 999, 1.7))
    assert "factor" not in text_of(outcome(0.001, 1_000, 1.0))
    of_several = text_of(*[outcome(0.001, 1_000, ratio) for ratio in (1.6, 1.7, 1.8)])
    assert "1.7" in of_several
    assert "median" in of_several
    assert dependence_notes([outcome(0.0011, 3_000, 1.7)], {"score": "Score"}) == []


def test_one_note_names_the_first_gains_and_what_to_give() -> None:
    both = [outcome(0.001, 300, 1.5, metric, "s0") for metric in ("score", "other")]
    others = [outcome(p, 300, 1.5, "other", f"s{i}") for i, p in enumerate([0.5, 1e-9, 0.001, 1e-5], 1)]
    text = text_of(*both, *others, metrics=2)
    pairs = ("s0 against base", "s2 against base (Other)", "s3 against base (Other)", "1 more", "(p ≤ 0.001)")
    assert all(told in text for told in (*pairs, "option docs", "option unit: block", "option block-length: 30"))
    assert "block-length: 30" in text_of(*both, *others, metrics=2, blocks=True)
    alone = text_of(replace(both[0], baseline=None))
    assert "for s0 (p ≤ 0.001)" in alone
    assert "p-value" not in alone


def near(strata: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which segments are among the ten before each, in its own stratum."""
    ahead = np.arange(strata.size)[:, None] - np.arange(strata.size)
    return np.asarray((ahead > 0) & (ahead <= 10) & (strata[:, None] == strata))


def within_strata(series: NDArray[np.float64], strata: NDArray[np.int64]) -> NDArray[np.float64]:
    """Take off the mean of its stratum from each value."""
    parts = [series[:, strata == stratum] for stratum in np.unique(strata)]
    return np.concatenate([part - part.mean(1, keepdims=True) for part in parts], axis=1)


def as_large_by_hand(values: NDArray[np.float64], strata: NDArray[np.int64], seed: int) -> NDArray[np.bool_]:
    """Return which of 999 permutations have as large a statistic as the text."""
    centred = within_strata(values[None], strata)[0]
    places = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    numbers = np.arange(999 * len(places), dtype=np.uint64)
    keys = np.ascontiguousarray(numbered_keys(seed, 7, numbers).reshape(999, len(places)).T)
    orders = np.hstack([shuffled(own, where)[:, ::-1] for own, where in zip(keys, places, strict=True)])

    def statistics(series: NDArray[np.float64]) -> NDArray[np.float64]:
        products = series * (series @ near(strata).T)
        spread = np.sqrt((products**2).sum(-1))
        return np.asarray(products.sum(-1) / np.where(spread > 0.0, spread, 1.0))

    return np.asarray(statistics(centred[orders]) >= statistics(centred) - 1e-9)


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize(("seed", "first"), [(0, 451), (1, None), (3, 709), (5, 35)])
def test_permuting_stops_after_the_first_that_is_as_large(
    seed: int, first: int | None, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None of 999 may be as large, which makes p 0.001, and permutations come in pieces of 20."""
    monkeypatch.setattr(dependence, "compiled", lambda: fast)
    strata = np.repeat([0, 1], [45, 30])
    rng = np.random.default_rng(31)
    values = np.exp(np.convolve(rng.standard_normal(77), np.ones(3), "valid") / np.sqrt(3.0))
    as_large = as_large_by_hand(values, strata, seed)
    made = 999 if first is None else min((first // 20 + 1) * 20, 999)
    assert (int(as_large.argmax()) if as_large.any() else None) == first
    found = noticed(values, strata=strata, seed=seed)
    assert normal_tail(slow_statistic(values, strata)) > LEVEL
    assert found.p == (1 + as_large[:made].sum()) / (1 + made)
    assert (found.segments, found.found) == (75, first is None)
    assert (found.metric, found.baseline, found.system) == GAIN


def test_a_statistic_far_out_needs_no_permutations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dependence, "_PERMUTATIONS", 0)
    values = clustered(np.random.default_rng(11), 125, 8, 2.0)
    found = known(find_dependence(("score", "new"), values, seed=1))
    assert found.p == pytest.approx(norm.sf(slow_statistic(values, np.zeros(1000, np.int64))), rel=5e-3)
    assert found.p < 1e-6
    assert found.baseline is None


def test_orders_that_change_nothing_are_as_large() -> None:
    """Of two segments in a stratum either may come first."""
    assert noticed(np.arange(1.0, 61.0) ** 2, strata=np.repeat(np.arange(30), 2)).p == 1.0


@pytest.mark.parametrize("together", [[70, 3, 1, 30], [120]])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_ratio_of_strata_is_the_weighted_sum_of_all_products(together: list[int], sign: float) -> None:
    """Products of two segments of a stratum count by 1 - lag / 41; alternating signs make the ratio less than 1."""
    strata = np.repeat(np.arange(len(together)), together)
    values = clustered(np.random.default_rng(15), 12, 10, 2.0)[: strata.size] * sign ** np.arange(strata.size)
    centred = within_strata(values[None], strata)[0]
    lags = np.abs(np.arange(strata.size)[:, None] - np.arange(strata.size))
    weights = np.where(strata[:, None] == strata, np.maximum(1.0 - lags / 41, 0.0), 0.0)
    expected = float(np.sqrt(centred @ weights @ centred / (centred @ centred)))
    edges = np.cumsum([0, *together])
    assert standard_error_ratios(centred[None], edges)[0] == pytest.approx(expected, rel=1e-9)
    assert (expected < 1.0) == (sign < 0.0)
    assert noticed(values, strata=strata).ratio == round(expected, 3)


@pytest.mark.whole
def test_no_more_than_the_first_50000_segments_are_tested() -> None:
    values = np.resize([1.0, -1.0], 50_001)  # neighbours are unlike each other: soon decided
    assert noticed(values, strata=np.zeros(50_001, np.int64)).segments == 50_000


def test_the_level_itself_is_found_and_the_largest_ratio_is_two_standard_errors_above() -> None:
    """That of a variance with Bartlett weights is √(4 · 40 / 3n) of it, and half as much of its root."""
    assert outcome(0.001, 100, 1.0).found
    assert not outcome(0.0011, 100, 1.0).found
    assert outcome(0.5, 480, 1.5).largest_ratio == pytest.approx(1.5 * (1.0 + 1.0 / 3.0))


@pytest.mark.parametrize(
    ("segments", "length"), [(5, 1), (19, 1), (20, 2), (109, 10), (110, 11), (399, 39), (400, 40), (5_000, 40)]
)
def test_blocks_hold_40_segments_and_there_are_ten(segments: int, length: int) -> None:
    found = block_length(segments)
    assert (found, type(found)) == (length, int)


def test_blocks_that_hold_the_correlation_are_long_enough() -> None:
    """Ten neighbours are looked at; of fewer than 110 segments, as many as blocks are to hold."""
    found = outcome(0.001, 1_000, 1.5)
    assert [found.beyond(length) for length in (1.0, 9.9, 10.0, 39.0)] == [True, True, False, False]
    assert [outcome(0.001, 50, 1.5).beyond(length) for length in (4.9, 5.0)] == [True, False]
    assert not outcome(0.5, 1_000, 1.5).beyond(1.0)
