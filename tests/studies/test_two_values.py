"""Scores with two values in the studies: their intervals, their test, and ranges that are stated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import truegain as tg
from tests.known import known
from tests.refusals import kinds, refused
from truegain.inference.proportions import PairedShares, effective_items
from truegain.studies.compare import CompareResult

RNG = np.random.default_rng(41)


def answers(items: int, share: float) -> NDArray[np.float64]:
    return (RNG.random(items) < share).astype(float)


BASE, NEW = answers(120, 0.9), answers(120, 0.97)
JUDGE = RNG.integers(1, 11, 120).astype(float)
PASSAGES = [f"passage {i // 5}" for i in range(120)]


def compared(systems: dict[str, Any], **options: Any) -> CompareResult:
    return tg.compare(None, systems, metrics=options.pop("metrics", ["scores"]), **options)


@pytest.mark.parametrize(
    ("right", "low", "high"), [(100, 0.9630065, 1.0), (98, 0.9299882, 0.9944980), (0, 0.0, 0.0369935)]
)
def test_a_score_has_wilsons_interval(right: int, low: float, high: float) -> None:
    scores = np.r_[np.ones(right), np.zeros(100 - right)]
    interval = known(tg.score(None, {"a": scores}, metrics=["scores"])["a"].interval)
    assert interval.method == "wilson"
    assert (interval.low, interval.high) == pytest.approx((low, high))


def test_percentages_have_the_same_interval_a_hundred_times_as_large_unless_another_is_named() -> None:
    both = [tg.score(None, {"a": size * BASE}, metrics=["scores"])["a"] for size in (1.0, 100.0)]
    shares, percentages = (known(one.interval) for one in both)
    assert percentages.low == pytest.approx(100.0 * shares.low)
    result = tg.score(None, {"a": BASE}, metrics=["scores"], interval="percentile")
    assert known(result["a"].interval).method == "percentile"


@pytest.mark.parametrize("documents", [None, PASSAGES])
def test_the_score_test_decides_unless_another_is_named(documents: list[str] | None) -> None:
    chosen = compared({"base": BASE, "new": NEW}, documents=documents)["new"]
    named = compared({"base": BASE, "new": NEW}, documents=documents, test="ar")["new"]
    assert (chosen.test, named.test) == ("tango", "ar")
    assert chosen.p_value.resamples == 0
    assert chosen.delta == named.delta


def test_each_metric_has_its_own_test_which_other_scores_are_refused_by() -> None:
    items = np.arange(120)
    old = pd.DataFrame({"system": "base", "id": items, "right": BASE, "judge": JUDGE})
    new = pd.DataFrame({"system": "new", "id": items, "right": NEW, "judge": RNG.permutation(JUDGE)})
    result = tg.compare(pd.concat([old, new]), baseline="base", metrics=["scores:column=right", "scores:column=judge"])
    assert [one.test for one in result.comparisons] == ["tango", "ar"]
    # Comparisons that share resamples have a test that draws.
    result = compared({"base": BASE, "new": NEW, "other": answers(120, 0.9)}, adjust="maxt")
    assert {one.test for one in result.comparisons} == {"ar"}
    with refused(naming=["tango", 'test="ar"']):
        compared({"base": JUDGE, "new": RNG.permutation(JUDGE)}, test="tango")


def test_rank_has_the_p_values_of_all_pairs() -> None:
    systems = {"a": BASE, "b": NEW, "c": answers(120, 0.8)}
    ranked = tg.rank(None, systems, metrics=["scores"])
    pairs = compared(systems, family="all")
    assert (ranked.test, ranked.adjust) == ("tango", "holm")
    assert [(one.p, one.p_adjusted) for one in ranked.pairs] == [(one.p, one.p_adjusted) for one in pairs.comparisons]


def test_groups_have_the_test_and_the_intervals() -> None:
    options: dict[str, Any] = {"domains": ["x", "y"] * 60, "by": "domain"}
    groups = known(compared({"base": BASE, "new": NEW}, **options).groups)
    alone = compared({"base": BASE[::2], "new": NEW[::2]})["new"]
    assert known(groups.of("scores", "base", "new")[0].comparison).p == alone.p
    scored = known(tg.score(None, {"base": BASE}, metrics=["scores"], **options).groups)
    assert {one.interval.method for group in scored.groups for one in group.scores if one.interval} == {"wilson"}


def test_samples_count_by_all_pairings() -> None:
    samples = {name: (RNG.random((40, 5)) < share) * 1.0 for name, share in (("base", 0.8), ("new", 0.9))}
    one = tg.compare(_frame(samples), metrics=["scores"])["new"]
    old, new = samples["base"].mean(1), samples["new"].mean(1)
    wins, losses = float((new * (1.0 - old)).mean()), float((old * (1.0 - new)).mean())
    variance = float((new - old).var(ddof=1)) / 40
    worth = effective_items(
        wins + losses - (wins - losses) ** 2, variance, outcomes=200.0, clusters=40.0, odd=40, freedom=39.0
    )
    assert one.test == "tango"
    assert one.p == pytest.approx(PairedShares(wins, losses, worth).p(0.0))


def _frame(samples: dict[str, NDArray[Any]]) -> Any:
    rows = [(name, *place, values[place]) for name, values in samples.items() for place in np.ndindex(values.shape)]
    return pd.DataFrame(rows, columns=["system", "id", "sample", "score"])


def test_few_documents_that_vary_are_said_to_be_taken_as_correlated() -> None:
    failed = np.where(np.arange(120) == 3, 0.0, 1.0)
    result = compared({"base": failed, "new": np.ones(120)}, documents=PASSAGES)
    assert ["0.5" in note.text for note in result.notes if note.kind == "correlation"] == [True]
    independent = compared({"base": failed, "new": np.ones(120)})
    assert independent["new"].interval.high < result["new"].interval.high


def test_a_stated_range_leaves_no_interval_without_width() -> None:
    other = np.where(np.arange(50) == 4, 9.0, 7.0)
    result = compared({"base": np.full(50, 7.0), "new": other}, metrics=["scores:range=1..10"])
    scores = [known(one.interval) for one in result.scores]
    assert all(one.high - one.low > 0.1 for one in (*scores, result["new"].interval))
    assert all(1.0 <= one.low <= one.high <= 10.0 for one in scores)
    assert "few-differing" in kinds(result["new"].notes)
    systems = {"base": JUDGE, "new": RNG.permutation(JUDGE)}  # where many vary nothing changes
    plain, ranged = (compared(systems, metrics=[metric])["new"] for metric in ("scores", "scores:range=1..10"))
    assert (plain.p, plain.interval) == (ranged.p, ranged.interval)
    constant = tg.score(None, {"a": np.full(50, 7.0)}, metrics=["scores"])  # of no known range
    assert constant["a"].interval is None
    assert [note.kind for note in constant.notes] == ["unit", "no-interval"]


@pytest.mark.parametrize("stated", ["1", "10..1", "a..b", "1..inf", "0..5"])
def test_a_range_that_is_none_or_does_not_hold_the_scores_is_refused(stated: str) -> None:
    with refused(naming=["range", stated]):
        tg.score(None, {"a": JUDGE}, metrics=[f"scores:range={stated}"])
