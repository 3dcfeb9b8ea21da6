"""Ratings by several people: two-way clustered variance against statsmodels, and agreement against known figures."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from truegain.inference.raters import (
    Ratings,
    TwoWay,
    krippendorff_alpha,
    raters_test,
    same_order,
    standardised,
    two_way,
)

sm = pytest.importorskip("statsmodels.api", reason="statsmodels is not installed")

# Krippendorff's own example, with gaps (*): three raters, fifteen items; alpha is 0.811 on an interval scale.
EXAMPLE = ("* * * * * 3 4 1 2 1 1 3 3 * 3", "1 * 2 1 3 3 4 3 * * * * * * *", "* * 2 1 3 4 4 * 2 1 1 3 3 * 4")


def drawn(
    seed: int, *, raters: int = 5, documents: int = 12, each: int = 2
) -> tuple[Ratings, Ratings, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    segments, people = [], []
    units = np.repeat(np.arange(documents), rng.integers(1, 5, documents))
    chosen = [rng.choice(raters, each, replace=False) for _ in range(documents)]
    for segment, document in enumerate(units):
        segments += [segment] * each
        people += chosen[document].tolist()
    places = np.array(segments), np.array(people)
    strict = rng.normal(1.0, 0.3, raters)[places[1]]
    old = strict * rng.normal(size=places[0].size)
    new = old + strict * (rng.normal(size=documents)[units[places[0]]] + 0.5 * rng.normal(size=places[0].size))
    return Ratings(old, *places), Ratings(new, *places), units


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("each", [1, 2, 5])
def test_the_variance_is_that_of_statsmodels(seed: int, each: int) -> None:
    """Regression of paired differences on a constant, clustered both ways; each part with its G / (G − 1)."""
    old, new, units = drawn(seed, each=each)
    differences = new.scores - old.scores
    fitted = sm.WLS(differences, np.ones(differences.size), weights=old.weights).fit()
    found = two_way(old, new, units)
    of_unit, of_rater = units[old.segments], old.raters
    groups = {"units": of_unit, "raters": of_rater, "both": of_unit * 100 + of_rater}
    for name, own in groups.items():
        robust = fitted.get_robustcov_results("cluster", groups=own, use_correction=False).cov_params()[0, 0]
        count = np.unique(own).size
        assert getattr(found, name) == pytest.approx(robust * count / (count - 1), rel=1e-9)
    corrected = {name: getattr(found, name) for name in groups}
    assert found.unbounded == corrected["units"] + corrected["raters"] - corrected["both"]
    both = fitted.get_robustcov_results("cluster", groups=np.stack([of_unit, of_rater], 1), use_correction=False)
    plain = sum(
        sign * corrected[name] * (np.unique(own).size - 1) / np.unique(own).size
        for (name, own), sign in zip(groups.items(), (1, 1, -1), strict=True)
    )
    assert plain == pytest.approx(float(both.cov_params()[0, 0]), rel=1e-9)


def test_gains_of_ratings_are_those_of_means() -> None:
    old, new, units = drawn(1)
    for one in (old, new):
        by_segment = [one.scores[one.segments == segment].mean() for segment in range(units.size)]
        assert one.weights @ one.scores == pytest.approx(np.mean(by_segment), abs=1e-12)
        assert one.deviations(np.zeros(units.size, np.int64)).sum() == pytest.approx(0.0, abs=1e-12)


def test_raters_of_one_system_only_count_as_well() -> None:
    """Other people rated the other system: nothing cancels, and the variances of both are added."""
    old, new, units = drawn(2, each=1, raters=4)
    apart = Ratings(new.scores, new.segments, new.raters + 4)
    found = two_way(old, apart, units)
    zero = Ratings(np.zeros(old.scores.size), old.segments, old.raters)
    one, other = two_way(zero, old, units), two_way(zero, apart, units)
    assert found.raters == pytest.approx(one.raters * (3 / 4) * (8 / 7) + other.raters * (7 / 8) * (8 / 7), rel=1e-9)
    assert found.effective_raters > one.effective_raters


def test_strata_take_what_differs_between_them_out() -> None:
    old, new, units = drawn(3, documents=12)
    strata = (5, 7)
    moved = Ratings(new.scores + 100.0 * (units[new.segments] >= 5), new.segments, new.raters)
    assert two_way(old, moved, units, strata).variance == pytest.approx(two_way(old, new, units, strata).variance)
    assert two_way(old, moved, units).variance > 100.0 * two_way(old, new, units).variance


@pytest.mark.parametrize(
    ("found", "variance", "freedom"),
    [
        (TwoWay(2.0, 1.0, 0.5, 31.0, 5.0), 2.5, 1 / (0.612**2 / 30 + 0.388**2 / 4)),
        (TwoWay(2.0, 1.0, 2.9, 31.0, 5.0), 2.0, 1 / (0.587**2 / 30 + 0.413**2 / 4)),
        (TwoWay(2.0, 1.0, 0.5, 31.0, 3.0), 2.5, 1 / (0.6**2 / 30 + 0.4**2 / 2)),
        (TwoWay(2.0, 0.1, 2.0, 31.0, 20.0), 2.0, 30.0),
        (TwoWay(1.0, 3.0, 2.0, 31.0, 2.5), 3.0, 1.5),
        (TwoWay(0.0, 0.0, 0.0, 31.0, 5.0), 0.0, 30.0),
    ],
)
def test_the_variance_is_never_below_either(found: TwoWay, variance: float, freedom: float) -> None:
    assert found.variance == variance
    assert found.freedom == pytest.approx(freedom)
    small = replace(found, units=found.units / 1e4, raters=found.raters / 1e4, both=found.both / 1e4)
    assert small.freedom == pytest.approx(freedom), "the unit of scores does not matter"


def test_every_stratum_beyond_the_first_takes_a_degree_of_freedom() -> None:
    assert TwoWay(2.0, 0.0, 0.0, 31.0, 5.0).freedom == 30.0
    assert TwoWay(2.0, 0.0, 0.0, 31.0, 5.0, strata=3).freedom == 28.0


def test_the_variance_over_units_in_strata_is_that_of_a_stratified_mean() -> None:
    """One segment and one rating per unit; the old system is 0 throughout. One stratum has two units, one has one."""
    values = np.random.default_rng(7).normal(size=10)
    sizes = (2, 1, 3, 4)
    places = np.arange(10), np.arange(10) % 5
    found = two_way(Ratings(np.zeros(10), *places), Ratings(values, *places), np.arange(10), sizes)
    parts = [one for one in np.split(values, np.cumsum(sizes)[:-1]) if one.size > 1]
    assert found.units == pytest.approx(sum((one.size / 10) ** 2 * one.var(ddof=1) / one.size for one in parts))
    assert (found.effective_units, found.effective_raters) == pytest.approx((10.0, 5.0)), "all weigh the same"
    assert found.strata == 4


def test_a_test_against_a_gain_is_that_of_zero_moved() -> None:
    found = two_way(*drawn(4))
    usual = raters_test(1.3, found).interval
    reach = stats.t.ppf(0.975, found.freedom) * math.sqrt(found.variance)
    assert (usual.low, usual.high) == pytest.approx((1.3 - reach, 1.3 + reach))
    moved = raters_test(1.3, found, null_gain=1.0)
    assert moved.p == pytest.approx(raters_test(0.3, found).p)
    low, high = raters_test(1.3, found, level=0.9).interval.low, raters_test(1.3, found, level=0.9).interval.high
    assert raters_test(1.3, found, null_gain=low).p == pytest.approx(0.1)
    assert raters_test(1.3, found, null_gain=high).p == pytest.approx(0.1)


def test_alpha_of_krippendorffs_example() -> None:
    cells = [(item, float(cell)) for row in EXAMPLE for item, cell in enumerate(row.split()) if cell != "*"]
    items, scores = (np.array(one) for one in zip(*cells, strict=True))
    assert krippendorff_alpha(scores, items) == pytest.approx(0.811, abs=5e-4)
    assert krippendorff_alpha(3.0 - 2.0 * scores, items) == pytest.approx(krippendorff_alpha(scores, items))
    assert krippendorff_alpha(scores[:3], np.arange(3)) is None
    assert krippendorff_alpha(np.ones(4), np.array([0, 0, 1, 1])) is None
    assert krippendorff_alpha(np.array([1.0, 1.0, 2.0, 2.0]), np.array([0, 0, 1, 1])) == 1.0


def test_orders_are_counted_as_one_by_one() -> None:
    rng = np.random.default_rng(5)
    systems, told = [], {}
    for name in range(3):
        # The last system has no ratings of the last segment, and none by the last rater.
        everything = itertools.product(range(6 - name // 2), range(4 - name // 2))
        rated = [(s, r) for s, r in everything if rng.random() < 0.7]
        scores = rng.integers(0, 3, len(rated)).astype(float)
        told.update({(name, *place): score for place, score in zip(rated, scores, strict=True)})
        segments, raters = (np.array(one) for one in zip(*rated, strict=True))
        systems.append(Ratings(scores, segments, raters))
    same = possible = 0
    for (a, b), segment, (r, t) in itertools.product(
        itertools.combinations(range(3), 2), range(6), itertools.combinations(range(4), 2)
    ):
        cells = [(one, segment, who) for one in (a, b) for who in (r, t)]
        if all(cell in told for cell in cells):
            possible += 1
            orders = [np.sign(told[b, segment, who] - told[a, segment, who]) for who in (r, t)]
            same += orders[0] == orders[1]
    assert same_order(systems) == (same, possible)
    assert 0 < same < possible
    assert [type(count) for count in same_order(systems)] == [int, int]


def test_standardised_scores_have_no_severity() -> None:
    old, new, _ = drawn(6)
    alike = standardised([old, new])
    scores, raters = (np.concatenate([getattr(one, name) for one in alike]) for name in ("scores", "raters"))
    for rater in np.unique(raters):
        assert scores[raters == rater].mean() == pytest.approx(0.0, abs=1e-12)
        assert scores[raters == rater].std(ddof=1) == pytest.approx(1.0)
    flat = standardised([Ratings(np.full(4, 0.1), np.arange(4), np.zeros(4, np.int64))])
    assert flat[0].scores.tolist() == [0.0] * 4


def test_standardised_scores_of_few_ratings() -> None:
    """Two ratings are a standard deviation apart times the square root of 2; a single one has none."""
    raters = np.array([0, 0, 1])
    (found,) = standardised([Ratings(np.array([10.0, 30.0, 7.0]), np.arange(3), raters)])
    assert found.scores == pytest.approx([-math.sqrt(0.5), math.sqrt(0.5), 0.0])


def test_ratings_that_differ_by_rounding_alone_do_not_vary() -> None:
    (found,) = standardised([Ratings(np.array([1e6, 1e6 + 1e-9]), np.arange(2), np.zeros(2, np.int64))])
    assert found.scores == pytest.approx([0.0, 0.0])
