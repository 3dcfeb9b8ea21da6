"""The check for dependence between neighbouring segments: its statistic, its p-value, its ratio."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray

from truegain.inference import dependence
from truegain.inference.dependence import LEVEL, Dependence, block_length, find_dependence, standard_error_ratio
from truegain.resampling.generator import numbered_keys, shuffled


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
    found = find_dependence(values[None], strata=strata if several else None, seed=3)
    assert found is not None
    observed = slow_statistic(values, strata)
    shuffled = []
    for _ in range(1000):
        other = values.copy()
        for stratum in np.unique(strata):
            other[strata == stratum] = rng.permutation(other[strata == stratum])
        shuffled.append(slow_statistic(other, strata))
    share = float(np.mean(np.array(shuffled) >= observed))
    assert found.p == pytest.approx(share, abs=4 * np.sqrt(max(share, 0.01) / found.permutations))


def test_the_order_of_strata_does_not_matter_but_neighbours_do() -> None:
    """Segments of two strata in turns are neighbours of their own stratum only."""
    rng = np.random.default_rng(5)
    one, other = clustered(rng, 20, 20, 2.5), clustered(rng, 20, 20, 2.5) + 3.0
    together = np.concatenate([one, other])
    strata = np.repeat([0, 1], 400)
    in_turns = np.arange(800).reshape(2, 400).T.ravel()
    expected = find_dependence(together[None], strata=strata, seed=1)
    assert expected is not None
    assert expected.found
    assert find_dependence(together[in_turns][None], strata=strata[in_turns], seed=1) == expected


def test_ratio_is_that_of_newey_and_west() -> None:
    rng = np.random.default_rng(6)
    kernel: dict[str, Any] = {"maxlags": 40, "use_correction": False}
    for _ in range(5):
        values = clustered(rng, 40, 30, 2.0)
        fit = sm.OLS(values, np.ones(values.size))
        robust = float(np.asarray(fit.fit(cov_type="HAC", cov_kwds=kernel).bse)[0])
        plain = np.sqrt(((values - values.mean()) ** 2).sum()) / values.size
        assert standard_error_ratio(values - values.mean()) == pytest.approx(robust / plain, rel=1e-9)


def test_scale_and_offset_do_not_matter() -> None:
    values = clustered(np.random.default_rng(7), 30, 20, 1.6)
    expected = find_dependence(values[None], seed=2)
    assert find_dependence(values[None] * 2.0**40, seed=2) == expected
    assert find_dependence(values[None] * 2.0**-300, seed=2) == expected


@pytest.mark.parametrize(
    "values", [np.zeros(200), np.full(200, 0.1), np.arange(49.0), np.r_[np.zeros(181), np.ones(19)]]
)
def test_too_little_to_tell(values: NDArray[np.float64]) -> None:
    assert find_dependence(values[None], seed=1) is None


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
    """At most 3 % of 1,200 tests of independent contributions at a level of 1 %; the page has the exact figures."""
    rng = np.random.default_rng(9)
    alarms, tests = 0, 0
    for number in range(300):
        for values in shapes(rng, 120).values():
            found = find_dependence(values[None], seed=number)
            if found is not None:
                tests += 1
                alarms += found.found
    assert tests > 1100
    assert alarms / tests <= 0.02


@pytest.mark.whole
def test_documents_are_noticed() -> None:
    """Documents of 8 that make the standard error 1.5 times too small, 1,000 segments: found nearly always."""
    rng = np.random.default_rng(10)
    found = [find_dependence(clustered(rng, 125, 8, 1.5)[None], seed=number) for number in range(40)]
    assert sum(one is not None and one.found for one in found) >= 34
    ratios = [one.ratio for one in found if one is not None]
    assert np.median(ratios) == pytest.approx(1.45, abs=0.12)


def test_shuffled_text_shows_nothing() -> None:
    rng = np.random.default_rng(11)
    values = clustered(rng, 125, 8, 2.0)
    found = find_dependence(values[None], seed=1)
    shuffled = find_dependence(rng.permutation(values)[None], seed=1)
    assert found is not None
    assert found.found
    assert shuffled is not None
    assert not shuffled.found


def test_several_series_share_one_test() -> None:
    """Ten weak signals of one text are found together, though hardly any is alone."""
    rng = np.random.default_rng(12)
    series = np.stack([clustered(rng, 40, 10, 1.25) for _ in range(10)])
    together = find_dependence(series, seed=1)
    assert together is not None
    assert together.found
    assert together.series == 10
    assert sum(find_dependence(one[None], seed=1).p <= LEVEL for one in series) <= 5  # type: ignore[union-attr]


def test_the_note_gives_a_factor_only_if_there_are_enough_segments() -> None:
    assert "at least about 1.7" in str(Dependence(0.001, 999, 1_000, 1, 1.7).note)
    few = str(Dependence(0.001, 999, 999, 1, 1.7).note)
    assert "too small" in few
    assert "1.7" not in few
    assert Dependence(0.02, 500, 3_000, 1, 1.7).note is None


def near(strata: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which segments are among the ten before each, in its own stratum."""
    ahead = np.arange(strata.size)[:, None] - np.arange(strata.size)
    return np.asarray((ahead > 0) & (ahead <= 10) & (strata[:, None] == strata))


def within_strata(series: NDArray[np.float64], strata: NDArray[np.int64]) -> NDArray[np.float64]:
    """Take off the mean of its stratum from each value."""
    parts = [series[:, strata == stratum] for stratum in np.unique(strata)]
    return np.concatenate([part - part.mean(1, keepdims=True) for part in parts], axis=1)


def as_large_by_hand(series: NDArray[np.float64], strata: NDArray[np.int64], seed: int) -> list[NDArray[np.bool_]]:
    """Return, for 499 permutations in pieces of 50, which of them have as large a mean statistic as the text."""
    centred = within_strata(series, strata)
    places = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    numbers = np.arange(499 * len(places), dtype=np.uint64)
    keys = np.ascontiguousarray(numbered_keys(seed, 7, numbers).reshape(499, len(places)).T)
    orders = np.hstack([shuffled(own, where)[:, ::-1] for own, where in zip(keys, places, strict=True)])

    def statistics(values: NDArray[np.float64]) -> NDArray[np.float64]:
        products = values * (values @ near(strata).T)
        spread = np.sqrt((products**2).sum(-1))
        return np.asarray(products.sum(-1) / np.where(spread > 0.0, spread, 1.0))

    as_large = statistics(centred[:, orders]).mean(0) >= statistics(centred).mean() - 1e-9
    return np.split(as_large, range(50, 499, 50))


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize(
    ("seed", "as_large", "permutations"), [(4, 5, 450), (13, 6, 400), (1, 4, 499), (0, 3, 499), (10, 5, 499)]
)
def test_permuting_goes_on_while_p_may_still_be_at_the_level(
    seed: int, as_large: int, permutations: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to four of 499 may be as large, which makes p 0.01, and permutations come in pieces of 50."""
    monkeypatch.setattr(dependence, "compiled", lambda: fast)
    strata = np.repeat([0, 1], [45, 30])
    rng = np.random.default_rng(19)
    smooth = np.convolve(rng.standard_normal(77), np.ones(3), "valid") + 0.6 * rng.standard_normal(75)
    sparse = np.ones(75)
    sparse[[3, 9, 50, 70]] = 2.0, 0.0, 2.0, 0.0  # in many orders no two of them are neighbours
    series = np.stack([smooth, sparse])
    pieces = as_large_by_hand(series, strata, seed)
    counts = np.cumsum([piece.sum() for piece in pieces])
    last = int(np.argmax(counts > 4)) if counts[-1] > 4 else 9
    assert (counts[last], sum(piece.size for piece in pieces[: last + 1])) == (as_large, permutations)
    found = find_dependence(series, strata=strata, seed=seed)
    assert found is not None
    assert (found.p, found.permutations) == ((1 + as_large) / (1 + permutations), permutations)
    assert (found.segments, found.series) == (75, 2)
    assert found.found == (as_large <= 4)


def test_orders_that_change_nothing_are_as_large() -> None:
    """Of two segments in a stratum either may come first."""
    found = find_dependence(np.arange(1.0, 61.0)[None] ** 2, strata=np.repeat(np.arange(30), 2), seed=1)
    assert found is not None
    assert (found.p, found.permutations) == (1.0, 50)


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
    assert standard_error_ratio(centred, edges) == pytest.approx(expected, rel=1e-9)
    assert (expected < 1.0) == (sign < 0.0)
    found = find_dependence(values[None], strata=strata, seed=1)
    assert found is not None
    assert found.ratio == round(expected, 3)


def test_just_enough_to_tell() -> None:
    values = np.zeros(50)
    values[:20] = np.arange(1.0, 21.0)
    assert find_dependence(values[None], seed=1) is not None


def test_series_without_variation_are_left_out() -> None:
    """Also those that vary between strata alone."""
    strata = np.repeat([0, 1], 100)
    steps = np.repeat([0.1, 0.0], 100)
    assert find_dependence(steps[None], strata=strata, seed=1) is None
    varied = np.random.default_rng(16).standard_normal(200)
    found = find_dependence(np.stack([varied, steps, np.zeros(200)]), strata=strata, seed=1)
    assert found is not None
    assert found.series == 1
    assert found == find_dependence(varied[None], strata=strata, seed=1)


@pytest.mark.whole
def test_no_more_than_the_first_50000_segments_are_tested() -> None:
    values = np.resize([1.0, -1.0], 50_001)  # neighbours are unlike each other: soon decided
    found = find_dependence(values[None], strata=np.zeros(50_001, np.int64), seed=1)
    assert found is not None
    assert (found.segments, found.permutations) == (50_000, 50)


def test_the_level_itself_is_found() -> None:
    assert Dependence(0.01, 999, 100, 1, 1.0).found
    assert not Dependence(0.011, 999, 100, 1, 1.0).found


def test_the_largest_ratio_is_two_standard_errors_above() -> None:
    """That of a variance with Bartlett weights is √(4 · 40 / 3n) of it, and half as much of its root."""
    assert Dependence(0.5, 50, 480, 1, 1.5).largest_ratio == pytest.approx(1.5 * (1.0 + 1.0 / 3.0))


def test_the_note_gives_no_factor_of_one_and_says_of_which_series() -> None:
    assert "factor" not in str(Dependence(0.001, 999, 1_000, 1, 1.0).note)
    assert "1.7: p-values" in str(Dependence(0.001, 999, 1_000, 1, 1.7).note)
    for series in (2, 3):
        assert "1.7, the median over comparisons: p-values" in str(Dependence(0.001, 999, 1_000, series, 1.7).note)


@pytest.mark.parametrize(
    ("segments", "length"), [(5, 1), (19, 1), (20, 2), (109, 10), (110, 11), (399, 39), (400, 40), (5_000, 40)]
)
def test_blocks_hold_40_segments_and_there_are_ten(segments: int, length: int) -> None:
    found = block_length(segments)
    assert found == length
    assert isinstance(found, int)


def test_blocks_that_hold_the_correlation_are_long_enough() -> None:
    """Ten neighbours are looked at; of fewer than 110 segments, as many as blocks are to hold."""
    found = Dependence(0.001, 999, 1_000, 1, 1.5)
    assert [found.beyond(length) for length in (1.0, 9.9, 10.0, 39.0)] == [True, True, False, False]
    assert [Dependence(0.001, 999, 50, 1, 1.5).beyond(length) for length in (4.9, 5.0)] == [True, False]
    assert not Dependence(0.5, 999, 1_000, 1, 1.5).beyond(1.0)
    assert found.options == "option unit: block, option block-length: 40"
