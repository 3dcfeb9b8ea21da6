"""The check for dependence between neighbouring segments: its statistic, its p-value, its ratio."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray

from truegain.inference.dependence import LEVEL, Dependence, find_dependence, standard_error_ratio


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
