"""Wilson's interval, Tango's test and the bounded mean: published values, likelihoods, closed forms, intervals."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import truegain as tg
from benchmarks.data import REAL_DATA
from benchmarks.edges import drawn_agreement, real_agreements
from tests.refusals import refused
from truegain.inference.proportions import (
    BoundedMean,
    PairedShares,
    ScoreTest,
    Share,
    Worth,
    effective_items,
    odd_units,
)
from truegain.inference.pvalues import Alternative
from truegain.studies.compare import CompareResult

FAST: dict[str, Any] = {"metrics": ["scores"], "resamples": 99, "jobs": 1, "cache": None, "progress": None}


def independent(wins: int, losses: int, items: int, size: float = 1.0) -> PairedShares:
    return PairedShares(wins / items, losses / items, Worth(items, math.inf), size)


# Wilson's interval


@pytest.mark.parametrize(
    ("right", "items", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # these four: Newcombe (1998)
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (100, 100, 0.9630, 1.0000),
        (49, 50, 0.8950, 0.9965),
    ],
)
def test_wilson_as_published(right: int, items: int, low: float, high: float) -> None:
    interval = Share(right / items, Worth(items, math.inf)).interval(0.05)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-5)
    assert (interval.level, interval.method) == (0.95, "wilson")


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.987, 1.0])
@pytest.mark.parametrize(("items", "freedom"), [(7.3, 3.0), (40.0, math.inf), (900.0, 59.5)])
def test_wilson_ends_are_as_many_standard_errors_away_as_the_critical_value(
    share: float, items: float, freedom: float
) -> None:
    interval = Share(share, Worth(items, freedom), -1.0, 3.0).interval(0.1)
    critical = stats.norm.isf(0.05) if math.isinf(freedom) else stats.t.isf(0.05, freedom)
    for end, outer in ((interval.low, -1.0), (interval.high, 3.0)):
        true = (end + 1.0) / 4.0
        if end == outer:
            assert share in (0.0, 1.0)
        else:
            assert abs(share - true) == pytest.approx(critical * math.sqrt(true * (1.0 - true) / items), rel=1e-9)


# Tango's test


@pytest.mark.parametrize(("wins", "losses", "items"), [(0, 1, 300), (3, 9, 100), (7, 2, 50), (0, 0, 20), (40, 3, 60)])
@pytest.mark.parametrize("gain", [-0.2, -0.01, 0.0, 0.03, 0.4])
def test_the_variance_is_that_of_the_most_likely_null(wins: int, losses: int, items: int, gain: float) -> None:
    def unlikely(lost: float) -> float:
        logs = np.log(np.maximum([lost + gain, lost, 1.0 - 2.0 * lost - gain], 1e-300))
        return -float(logs @ [wins, losses, items - wins - losses])

    ends = max(0.0, -gain), (1.0 - gain) / 2.0
    lost = optimize.minimize_scalar(unlikely, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
    shares = independent(wins, losses, items, size=100.0)
    if wins == losses and gain == 0.0:
        assert shares.z(0.0) == 0.0
        return
    z = (wins - losses - items * gain) / math.sqrt(items * (2.0 * lost + gain - gain**2))
    assert shares.z(100.0 * gain) == pytest.approx(z, rel=1e-4)
    assert shares.p(100.0 * gain, "greater") == pytest.approx(stats.norm.sf(z), rel=1e-3)
    assert shares.p(100.0 * gain, "less") == pytest.approx(stats.norm.cdf(z), rel=1e-3)
    assert shares.p(100.0 * gain) == pytest.approx(2.0 * stats.norm.sf(abs(z)), rel=1e-3)


@pytest.mark.parametrize("wins", [0, 5, 9, 30])
def test_against_zero_only_items_that_differ_count(wins: int) -> None:
    for items in (30, 31, 4000):
        assert independent(wins, 30 - wins, items).z(0.0) == pytest.approx((2 * wins - 30) / math.sqrt(30.0), abs=1e-9)
    few = PairedShares(0.1, 0.02, Worth(100.0, 9.0))
    assert few.p(0.0) == pytest.approx(2.0 * stats.t.sf(8.0 / math.sqrt(12.0), 9.0), rel=1e-9)


@pytest.mark.parametrize(("losses", "items", "margin"), [(10, 255, 0.02), (22, 1111, 0.01)])
def test_a_most_likely_loss_that_is_known_exactly(losses: int, items: int, margin: float) -> None:
    lost = ((2 * items + losses) * margin + losses) / (4 * items)
    z = (items * margin - losses) / math.sqrt(items * (2.0 * lost - margin - margin**2))
    assert independent(0, losses, items).p(-margin, "greater") == pytest.approx(stats.norm.sf(z))


@pytest.mark.parametrize("items", [5, 100, 10_000])
def test_no_item_differs(items: int) -> None:
    squared = stats.norm.isf(0.025) ** 2
    interval = independent(0, 0, items).interval(0.05)
    assert (-interval.low, interval.high) == pytest.approx((squared / (items + squared),) * 2, rel=1e-9)
    assert independent(0, 0, items).p(0.0) == 1.0


@pytest.mark.parametrize(("gain", "p"), [(-1.0, 1.0), (-0.5, 0.0), (1.0, 0.0)])
def test_all_items_are_lost(gain: float, p: float) -> None:
    assert independent(0, 400, 400).p(gain) == pytest.approx(p, abs=1e-9)
    assert independent(0, 5, 5).interval(0.05).low == -1.0
    assert (independent(0, 5, 5).p(1.0, "greater"), independent(0, 5, 5).p(1.0, "less")) == (1.0, 0.0)


def test_wins_and_losses_change_places_with_the_sign() -> None:
    first, second = (independent(*counts, 80, 5.0) for counts in ((12, 3), (3, 12)))
    one, other = first.interval(0.05), second.interval(0.05)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), rel=1e-9)
    for gain in (-0.7, 0.0, 1.3):
        assert first.z(gain) == pytest.approx(-second.z(-gain), rel=1e-9)


@pytest.mark.parametrize("margin", [0.005, 0.01, 0.02, 0.05, 0.1])
@pytest.mark.parametrize("won", [0.0, 0.003, 0.02])
def test_a_loss_as_large_as_the_margin_seldom_passes(margin: float, won: float) -> None:
    """Summed over all that can be observed of 300 segments; the bootstrap passes up to 20 %."""
    items, size = 300, 0.0
    for wins in range(1 + int(stats.binom.isf(1e-6, items, won)) if won else 1):
        for losses in itertools.count():
            if independent(wins, losses, items).p(-margin, "greater") > 0.05:
                break
            chance = [won, won + margin, 1.0 - 2.0 * won - margin]
            size += float(stats.multinomial.pmf([wins, losses, items - wins - losses], items, chance))
    assert size <= 0.065


# Intervals of score tests


TESTS: list[ScoreTest] = [
    independent(0, 1, 300),
    independent(5, 0, 40, 100.0),
    independent(3, 3, 7),
    PairedShares(0.3, 0.1, Worth(21.7, 8.0)),
    BoundedMean(0.97, 0.0, 60.0, 59.0, 0.0, 1.0),
    BoundedMean(0.9, 2e-4, 30.0, 29.0, 0.0, 1.0),
    BoundedMean(4.0, 0.09, 25.0, 24.0, 1.0, 10.0),
]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3])
def test_the_interval_parts_what_is_kept_from_what_is_rejected(
    test: ScoreTest, alternative: Alternative, alpha: float
) -> None:
    interval = test.interval(alpha, alternative)
    low, high = test.range
    step = 1e-7 * (high - low)
    assert (interval.level, interval.method) == (1.0 - alpha, "test")
    assert (math.isinf(interval.low), math.isinf(interval.high)) == (alternative == "less", alternative == "greater")
    for end, outer, inwards in ((interval.low, low, step), (interval.high, high, -step)):
        if math.isinf(end):
            continue
        assert low <= end <= high
        assert test.p(end + inwards, alternative) > alpha
        if end != outer:
            assert test.p(end - inwards, alternative) <= alpha
    assert interval.low < test.observed < interval.high or test.observed in test.range


@pytest.mark.parametrize("test", TESTS)
def test_p_falls_with_the_distance(test: ScoreTest) -> None:
    low, high = test.range
    p_values = [test.p(value, "greater") for value in np.linspace(low, high, 401)[1:-1]]
    assert (np.diff(p_values) >= -1e-12).all()


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("share", [0.02, 0.3])
def test_marks_are_decided_by_p(test: ScoreTest, share: float) -> None:
    """At a level of exactly p the null hypothesis is rejected, and just below it is kept."""
    low, high = test.range
    for mark in (test.observed + share * (high - test.observed), test.observed - share * (test.observed - low)):
        p = test.p(mark)
        if not 1e-6 < p < 1.0:
            continue
        kept, rejected = (test.interval(alpha, marks=(0.0, mark)) for alpha in (np.nextafter(p, 0.0), p))
        assert kept.low <= mark <= kept.high
        assert not rejected.low <= mark <= rejected.high


def test_p_and_interval_never_contradict_each_other() -> None:
    """Drawn pairs, in clusters or not, at several levels and null gains; 10,000 are on the page of the study."""
    found = drawn_agreement(400)
    assert (found.pairs, found.contradictions) == (400, 0)


@pytest.mark.skipif(not REAL_DATA.is_dir(), reason="TRUEGAIN_DATA names no folder")
def test_p_and_interval_of_real_pairs_never_contradict_each_other() -> None:
    for found in real_agreements():
        assert found.pairs > 500
        assert found.contradictions == 0


# What clusters are worth


def worth(odd: int = 9, variance: float = 0.002, **changed: float) -> Worth:
    settings = {"outcomes": 100.0, "clusters": 20.0, "freedom": 19.0, **changed}
    return effective_items(0.09, variance, odd=odd, **settings)


def test_the_design_effect_is_that_of_the_variance() -> None:
    assert worth().items == pytest.approx(0.09 / 0.002)
    assert worth()[1:] == (19.0, False)
    assert worth(variance=0.0001).items == 100.0  # at least 1
    assert effective_items(0.0, 0.0, outcomes=100.0, clusters=20.0, odd=20, freedom=19.0).items == 100.0


def test_few_odd_clusters_lean_on_a_correlation_of_one_half() -> None:
    assert worth(odd=0, variance=0.0).items == pytest.approx(100.0 / 3.0)
    assert worth(odd=0, variance=0.0)[1:] == (19.0, True)
    assert worth(odd=2, variance=0.0).items == pytest.approx(100.0 / (0.4 * 1.0 + 0.6 * 3.0))
    assert worth(odd=2, variance=0.0018).items == pytest.approx(100.0 / (0.4 * 2.0 + 0.6 * 3.0))
    assert worth(odd=2, variance=0.0045).items == pytest.approx(100.0 / 5.0)  # it is larger than what is assumed
    assert worth(odd=5, variance=0.0) == Worth(100.0, 19.0, assumed=False)
    assert worth(odd=0, variance=0.0, clusters=50.0).assumed
    assert not Worth(100.0, 19.0).assumed
    assert not worth(odd=0, variance=0.0, clusters=100.0).assumed  # of one item each: there is no correlation


@pytest.mark.parametrize("variance", [0.0, 0.001, 0.003, 0.02])
def test_more_odd_clusters_never_make_items_worth_less(variance: float) -> None:
    items = [worth(odd, variance).items for odd in range(9)]
    assert (np.diff(items) >= -1e-9).all()
    assert items[5:] == items[5:6] * 4


def test_odd_units_are_not_wholly_at_the_commonest_value() -> None:
    units = np.array([0, 0, 1, 1, 2, 2, 3])
    assert odd_units(np.array([1.0, 1, 1, 0, 0, 0, 1]), units) == 2
    assert odd_units(np.ones(7), units) == 0
    assert odd_units(np.array([0.2, 0.2, 0.2, 0.2, 0.2, 1.0, 0.4]), units) == 2


# The bounded mean


@pytest.mark.parametrize(("share", "items"), [(0.9, 30), (0.5, 12), (0.995, 200)])
def test_of_two_values_the_bounded_interval_is_wilsons(share: float, items: int) -> None:
    freedom = items - 1.0
    bounded = BoundedMean(10.0 * share, 100.0 * share * (1.0 - share) / items, items, freedom, 0.0, 10.0).interval(0.05)
    wilson = Share(share, Worth(items, freedom), 0.0, 10.0).interval(0.05)
    assert (bounded.low, bounded.high) == pytest.approx((wilson.low, wilson.high), rel=1e-9)


@pytest.mark.parametrize(("mean", "units"), [(0.7, 20.0), (1.0, 100.0), (0.0, 6.5)])
def test_without_variance_a_share_of_units_may_be_at_either_end(mean: float, units: float) -> None:
    squared = stats.t.isf(0.025, units - 1.0) ** 2
    share = squared / (units + squared)
    interval = BoundedMean(mean, 0.0, units, units - 1.0, 0.0, 1.0).interval(0.05)
    assert interval.low == pytest.approx(mean - share * mean, abs=1e-9)
    assert interval.high == pytest.approx(mean + share * (1.0 - mean), abs=1e-9)


@pytest.mark.parametrize(("low", "high", "rounding"), [(-1.0, 1.0, 1e-14), (0.0, 1e6, 1e-7)])
def test_rounding_is_no_distance(low: float, high: float, rounding: float) -> None:
    middle = (low + high) / 2.0
    assert BoundedMean(middle, 0.0, 50.0, 49.0, low, high).z(middle + rounding) == 0.0


def test_nothing_lies_beyond_the_range() -> None:
    assert BoundedMean(1.0, 0.0, 50.0, 49.0, 0.0, 1.0).z(1.5) == -math.inf
    assert BoundedMean(0.5, 0.01, 50.0, 49.0, 0.0, 1.0).z(-0.5) == math.inf


# Through compare


RIGHT = {name: np.array([1.0] * right + [0.0] * (60 - right)) for name, right in (("base", 40), ("new", 55))}
RIGHT["new"] = np.roll(RIGHT["new"], 3)


def only(result: CompareResult) -> tuple[float, ...]:
    found = result.comparisons[0]
    assert found.test == "tango"
    assert found.interval.method == "test"
    return found.delta, found.p, found.interval.low, found.interval.high


def test_compare_has_the_test_of_its_wins_and_losses() -> None:
    wins, losses = (int((RIGHT[one] > RIGHT[other]).sum()) for one, other in (("new", "base"), ("base", "new")))
    shares = independent(wins, losses, 60)
    interval = shares.interval(0.05)
    found = only(tg.compare(None, RIGHT, **FAST))
    assert found == pytest.approx((0.25, shares.p(0.0), interval.low, interval.high), abs=1e-9)


@pytest.mark.parametrize(
    ("metric", "scores", "factor"),
    [
        ("scores", {name: 100.0 * values for name, values in RIGHT.items()}, 100.0),
        ("scores:lower_is_better=true", {name: 1.0 - values for name, values in RIGHT.items()}, 1.0),
    ],
)
def test_other_scales_and_errors_have_the_same_gains(
    metric: str, scores: dict[str, np.ndarray[Any, Any]], factor: float
) -> None:
    delta, p, low, high = only(tg.compare(None, RIGHT, **FAST))
    found = only(tg.compare(None, scores, **{**FAST, "metrics": [metric]}))
    sign = -1.0 if factor == 1.0 and found[0] < 0.0 else 1.0
    assert found[1] == pytest.approx(p, rel=1e-9)
    assert [sign * found[0], *sorted(sign * end for end in found[2:])] == pytest.approx(
        [factor * delta, factor * low, factor * high], abs=1e-9
    )


def test_documents_and_blocks_are_worth_fewer_items() -> None:
    plain, blocks = (only(tg.compare(None, RIGHT, **FAST, unit=unit)) for unit in ("segment", "block"))
    documents = only(tg.compare(None, RIGHT, **FAST, documents=[f"{item // 5}" for item in range(60)]))
    for wider in (blocks, documents):
        assert wider[0] == plain[0]
        assert wider[1] > plain[1]
        assert wider[2] < plain[2] < plain[3] < wider[3]


def test_one_side_is_left_open() -> None:
    found = only(tg.compare(None, RIGHT, **FAST, alternative="greater", null_gain=0.1))
    wins, losses = (int((RIGHT[one] > RIGHT[other]).sum()) for one, other in (("new", "base"), ("base", "new")))
    assert found[1] == pytest.approx(independent(wins, losses, 60).p(0.1, "greater"), rel=1e-9)
    assert found[3] == math.inf
    assert (found[1] <= 0.05) == (found[2] > 0.1)


def test_samples_of_an_item_are_paired_in_all_ways(tmp_path: Path) -> None:
    generator = np.random.default_rng(5)
    samples = {name: generator.random((20, 5)) < share for name, share in (("base", 0.7), ("new", 0.9))}
    rows = [f"{name},{item},{int(value)}" for name, own in samples.items() for item in range(20) for value in own[item]]
    (tmp_path / "long.csv").write_text("\n".join(["system,id,acc", *rows]))
    corpus = tg.read_corpus([str(tmp_path / "long.csv")], outputs_are_scores=True)
    found = only(tg.compare(corpus, **FAST))
    old, new = (samples[name].mean(1) for name in ("base", "new"))
    wins, losses = float((new * (1.0 - old)).mean()), float((old * (1.0 - new)).mean())
    variance = float((new - old).var(ddof=1)) / 20.0
    worth = effective_items(
        wins + losses - (wins - losses) ** 2,
        variance,
        outcomes=100.0,
        clusters=20.0,
        odd=odd_units(new - old, np.arange(20)),
        freedom=19.0,
    )
    shares = PairedShares(wins, losses, worth)
    interval = shares.interval(0.05)
    assert found == pytest.approx((wins - losses, shares.p(0.0), interval.low, interval.high), abs=1e-9)


def test_runs_of_scores_with_two_values() -> None:
    runs = {name: [values, np.roll(values, 7)] for name, values in RIGHT.items()}
    found = only(tg.compare(None, runs, **FAST, test="tango"))
    assert found[0] == pytest.approx(0.25)
    assert found[1] < only(tg.compare(None, RIGHT, **FAST))[1] * 2.0
    assert tg.compare(None, runs, **FAST).comparisons[0].test == "crossed"


def test_equal_systems_have_an_interval_with_a_width() -> None:
    same = {"base": np.ones(100), "new": np.ones(100)}
    result = tg.compare(None, same, **FAST)
    squared = stats.norm.isf(0.025) ** 2
    share = squared / (100.0 + squared)
    assert only(result) == pytest.approx((0.0, 1.0, -share, share), abs=1e-9)
    interval = result.scores[0].interval
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((1.0 - share, 1.0), abs=1e-9)


@pytest.mark.parametrize("scores", [RIGHT["base"] + 0.5 * RIGHT["new"], np.linspace(0.0, 1.0, 60)])
def test_scores_with_more_values_are_refused(scores: np.ndarray[Any, Any]) -> None:
    systems = {"base": scores, "new": RIGHT["new"]}
    with refused("test", naming=["tango", "two values", 'test="ar"', "bootstrap"]):
        tg.compare(None, systems, **FAST, test="tango")
    assert tg.compare(None, systems, **FAST).comparisons[0].test == "ar"
