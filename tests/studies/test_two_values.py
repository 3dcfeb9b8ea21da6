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
