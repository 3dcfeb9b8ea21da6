"""All pairs from the systems' own resamples, against the same of one pair at a time."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from truegain.engines import pairs as pair_counts
from truegain.inference import all_pairs
from truegain.inference.all_pairs import AllPairs
from truegain.inference.multiplicity import max_t
from truegain.inference.pvalues import bootstrap_test, magnitude_of

FACTOR = 1.03


def made(systems: int, resamples: int, *, lower: bool = False, jobs: int = 1) -> AllPairs:
    """Correlated systems; the last two are the same, one has hardly any spread, and some scores are on a grid."""
    generator = np.random.default_rng([systems, resamples])
    observed = np.round(generator.normal(30.0, 0.3, systems), 2)
    resampled = observed[:, None] + generator.normal(size=resamples) + 0.4 * generator.normal(size=(systems, resamples))
    resampled[0] = np.round(resampled[0], 2)
    if systems > 3:
        resampled[2] = observed[2] + resampled[1] - observed[1]
        observed[-1], resampled[-1] = observed[-2], resampled[-2]
    return AllPairs(observed, resampled, lower_is_better=lower, factor=FACTOR, jobs=jobs)


SIZES = [(2, 7), (3, 50), (6, 501), (9, 9_000)]


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize(("systems", "resamples"), SIZES)
def test_counts_are_those_of_one_test_a_pair(systems: int, resamples: int, lower: bool) -> None:
    pairs = made(systems, resamples, lower=lower)
    sign = -1.0 if lower else 1.0
    nulls, slacks = [], []
    counts, wins = pairs.exceedances(), pairs.wins()
    for i, (a, b) in enumerate(itertools.combinations(range(systems), 2)):
        delta = float(sign * (pairs.observed[b] - pairs.observed[a]))
        differences = sign * (pairs.resampled[b] - pairs.resampled[a])
        magnitude = magnitude_of(delta, 2.0**-45 * float(np.abs(pairs.observed[[a, b]]).max()))
        assert pairs.deltas[i] == delta
        assert counts[i] == bootstrap_test(delta, differences, magnitude=magnitude, factor=FACTOR).exceedances
        ordered = (delta, differences) if delta >= 0.0 else (-delta, -differences)
        better = bootstrap_test(*ordered, magnitude=magnitude, factor=FACTOR, alternative="greater")
        assert wins[i] == better.exceedances
        nulls.append((differences - delta) * FACTOR)
        slacks.append(1e-9 * magnitude)
    np.testing.assert_array_equal(pairs.slacks, slacks)
    np.testing.assert_allclose(pairs.spreads(), [np.sqrt(np.mean(null**2)) for null in nulls], rtol=1e-12)
    np.testing.assert_array_equal(pairs.max_t(), max_t(pairs.deltas.tolist(), nulls, slack=slacks))


@pytest.mark.parametrize(("systems", "resamples"), SIZES)
def test_the_same_on_any_number_of_threads_and_without_kernels(
    systems: int, resamples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = made(systems, resamples), made(systems, resamples, jobs=3)
    found = one.exceedances(), one.wins(), one.spreads(), one.max_t()
    for mine, other in zip(found, (two.exceedances(), two.wins(), two.spreads(), two.max_t()), strict=True):
        np.testing.assert_array_equal(mine, other)
    for module in (pair_counts, all_pairs):
        monkeypatch.setattr(module, "kernels", pair_counts._Vectorised)
    for mine, other in zip(found, (one.exceedances(), one.wins(), one.spreads(), one.max_t()), strict=True):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("freedom", [None, 4.0, 250.0])
def test_parts_counted_one_by_one_add_up(freedom: float | None) -> None:
    whole = replace(made(6, 25_000), freedom=freedom)
    held = replace(whole, resampled=whole.resampled[:, :12_000])
    counts = held.count()
    for first in range(12_000, 25_000, 5_000):
        counts += held.question().count(whole.resampled[:, first : first + 5_000])
    assert counts.resamples == 25_000
    np.testing.assert_array_equal(counts.exceedances, whole.exceedances())
    np.testing.assert_array_equal(held.adjusted(counts), whole.max_t())
    deltas = whole.deltas.tolist()
    pairs = itertools.combinations(range(6), 2)
    nulls = [
        (whole.resampled[b] - whole.resampled[a] - delta) * FACTOR for (a, b), delta in zip(pairs, deltas, strict=True)
    ]
    one_by_one = max_t(deltas, nulls, slack=whole.slacks.tolist(), freedom=freedom)
    np.testing.assert_array_equal(whole.max_t(), one_by_one)


def test_spreads_are_over_all_that_is_held_unless_told() -> None:
    pairs = made(3, 12_000)
    deviations = (pairs.resampled[1] - pairs.resampled[0] - pairs.deltas[0]) * FACTOR
    assert pairs.spreads()[0] == pytest.approx(np.sqrt(np.mean(deviations**2)))
    assert pairs.spreads(50)[0] == pytest.approx(np.sqrt(np.mean(deviations[:50] ** 2)))
    assert pairs.spreads()[0] != pairs.spreads(10_000)[0]


def test_progress_tells_of_every_resample() -> None:
    told: list[int] = []
    pairs = made(3, 9_000)
    AllPairs(pairs.observed, pairs.resampled, progress=told.append).exceedances()
    assert sum(told) == 9_000


@pytest.fixture(params=["as installed", "numpy"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to count: what is installed, and without any kernel."""
    if request.param == "numpy":
        for module in (pair_counts, all_pairs):
            monkeypatch.setattr(module, "kernels", pair_counts._Vectorised)


@pytest.mark.usefixtures("kernels")
def test_ties_count_however_they_come() -> None:
    observed = np.array([10.0, 12.0])  # a difference of 2, and deviations of -2, 2, 1, 0 and 2 from it
    pairs = AllPairs(observed, np.array([[10.0, 10.0, 10.0, 10.0, 11.0], [10.0, 14.0, 13.0, 12.0, 15.0]]))
    assert pairs.deltas.tolist() == [2.0]
    assert pairs.exceedances().tolist() == [3]
    assert pairs.wins().tolist() == [2]
    assert pairs.max_t().tolist() == [4 / 6]


@pytest.mark.usefixtures("kernels")
def test_scores_of_nothing() -> None:
    """No difference at all: every deviation is at least as large, and of a win any that is not negative."""
    pairs = AllPairs(np.zeros(2), np.array([[0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0, -1.0]]))
    assert pairs.exceedances().tolist() == [5]
    assert pairs.wins().tolist() == [4]
    assert pairs.max_t().tolist() == [1.0]
    same = AllPairs(np.zeros(2), np.zeros((2, 5)))
    assert same.max_t().tolist() == [1.0]


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("resamples", [1, 3, 4, 5])
def test_spreads_of_few_resamples(resamples: int) -> None:
    values = np.random.default_rng(2).normal(size=(2, resamples))
    found = AllPairs(np.array([1.0, 3.0]), values).spreads()
    assert found == pytest.approx([np.sqrt(np.mean((values[1] - values[0] - 2.0) ** 2))])


def test_maxima_are_counted_only_if_asked_for() -> None:
    pairs = made(3, 50)
    assert pairs.count(maxima=False).maxima.size == 0
    assert pairs.count().maxima.size == 3
