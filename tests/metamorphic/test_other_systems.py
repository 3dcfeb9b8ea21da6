"""What is said of two systems depends on the two alone: not on others, the order of systems, or names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.conftest import only_with_all
from tests.metamorphic.cases import KINDS, ONE_RUN, SEVERAL_RUNS, compared, documents, pairs, scores, texts

METRICS = ["bleu", "chrf", "ter", "rougel", "nist"]
UNITS = ["segment", "document", "block"]

# A system that is drawn on its own stream as the first or the second: another pair of draws as the other.
BY_PLACE = {"fu-bootstrap", "clark2011"}


def third(kind: str, seed: int) -> list[Any]:
    """Systems that might get in the way of two others."""
    plain = scores(kind, seed + 50)
    huge, small = plain.copy(), plain * 1e-9
    huge[3] = 1e13
    return [plain, huge, small, scores(kind, seed), np.zeros(plain.size), -1e6 * plain, plain + 2.0**40]


def suited(unit: str, runs: int) -> Sequence[str]:
    if unit == "block":
        return ["stationary-bootstrap"]
    return ONE_RUN if runs == 1 else SEVERAL_RUNS


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [100, *only_with_all(200)])
def test_scores_beside_another_system(kind: str, unit: str, seed: int) -> None:
    given = {"a": scores(kind, seed), "b": scores(kind, seed + 1, better=0.2)}
    options: dict[str, Any] = {"metrics": ["scores"], "unit": unit, "documents": documents()}
    alone = compared(None, given, suited(unit, 1), **options)
    assert len(alone) == len(suited(unit, 1))
    for other in third(kind, seed):
        beside = compared(None, {**given, "c": other}, suited(unit, 1), **options)
        assert {key: beside[key] for key in alone} == alone


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("runs", [1, *only_with_all(3)])
def test_texts_beside_other_systems(unit: str, runs: int) -> None:
    reference, given = texts(3, ["a", "b", "c", "d"], runs)
    metrics = METRICS if runs == 1 else METRICS[:3]
    options: dict[str, Any] = {"metrics": metrics, "unit": unit, "documents": documents()}
    tests = [one for one in suited(unit, runs) if one != "exact"]
    alone = compared(reference, {name: given[name] for name in "ab"}, tests, **options)
    assert len(alone) == len(metrics) * len(tests)
    for family in ("baseline", "all"):
        beside = compared(reference, given, tests, family=family, **options)
        assert {key: beside[key] for key in alone} == alone


@pytest.mark.parametrize("unit", ["document", *only_with_all("segment")])
@pytest.mark.parametrize("kind", KINDS)
def test_runs_of_scores_beside_another_system(kind: str, unit: str) -> None:
    given = {name: [scores(kind, 300 + 10 * i + r, better=0.1 * i) for r in range(3)] for i, name in enumerate("abc")}
    given["c"][1] = 1e7 * given["c"][1]
    options: dict[str, Any] = {"metrics": ["scores"], "unit": unit, "documents": documents()}
    alone = compared(None, {name: given[name] for name in "ab"}, SEVERAL_RUNS, **options)
    beside = compared(None, given, SEVERAL_RUNS, **options)
    assert len(alone) == len(SEVERAL_RUNS)
    assert {key: beside[key] for key in alone} == alone


@pytest.mark.parametrize("kind", ["texts", *KINDS])
@pytest.mark.parametrize("runs", [1, 2])
def test_order_names_and_places(kind: str, runs: int) -> None:
    reference: list[str] | None = None
    if kind == "texts":
        reference, given = texts(4, ["a", "b", "c"], runs)
    else:
        given = {name: [scores(kind, 410 + 10 * i + r) for r in range(runs)] for i, name in enumerate("abc")}  # type: ignore[misc]
    tests = suited("segment", runs)
    options: dict[str, Any] = {"metrics": METRICS[:2] if reference else ["scores"]}
    first = compared(reference, given, tests, baseline="a", **options)
    turned = compared(reference, {name: given[name] for name in "cba"}, tests, baseline="a", **options)
    assert turned == first
    renamed = compared(reference, {f"x{name}": one for name, one in given.items()}, tests, **options)
    for (metric, test, old, new), told in first.items():
        other = renamed[metric, test, f"x{old}", f"x{new}"]
        assert {**other, "score": None} == {**told, "score": None}
    other_way = compared(reference, given, tests, baseline="b", **options)
    checked = 0
    for (metric, test, old, new), told in first.items():
        if new == "b" and not (test in BY_PLACE and runs > 1):
            back = other_way[metric, test, new, old]
            assert back["delta"] == -told["delta"]
            assert back["p"].exceedances == told["p"].exceedances, test
            assert back["p"].p == pytest.approx(told["p"].p, rel=1e-12, abs=0.0), test
            checked += 1
    assert checked == len(options["metrics"]) * len([one for one in tests if not (one in BY_PLACE and runs > 1)])


@pytest.mark.parametrize("study", [tg.rank, tg.threshold])
@pytest.mark.parametrize("unit", ["segment", "document"])
@pytest.mark.parametrize("kind", ["texts", *KINDS])
def test_all_pairs_beside_another_system(study: Any, unit: str, kind: str) -> None:
    reference: list[str] | None = None
    if kind == "texts":
        reference, given = texts(5, list("abcd"))
        others = [given.pop("d")]
    else:
        given = {name: scores(kind, 500 + i, better=0.1 * i) for i, name in enumerate("abc")}  # type: ignore[misc]
        others = third(kind, 500)[:3]
    metrics = METRICS if reference else ["scores"]
    options: dict[str, Any] = {"metrics": metrics, "unit": unit, "documents": documents(), "resamples": 199}
    alone = study(reference, given, **options)
    for other in others:
        beside = study(reference, {**given, "d": other}, **options)
        found = pairs(beside)
        assert {key: found[key] for key in pairs(alone)} == pairs(alone)
        own = {(one.metric, one.name): one for one in beside.scores}
        assert all(own[one.metric, one.name] == one for one in alone.scores)
    turned = study(reference, dict(reversed(given.items())), **options)
    assert pairs(turned) == pairs(alone)


@pytest.mark.parametrize("kind", KINDS)
def test_a_ranking_says_of_a_pair_what_a_comparison_says(kind: str) -> None:
    given = {name: scores(kind, 600 + i, better=0.1 * i) for i, name in enumerate("abcd")}
    for test in ("bootstrap", "ar"):
        ranked = pairs(tg.rank(None, given, metrics=["scores"], resamples=99, test=test, adjust="holm"))
        found = compared(None, given, [test], metrics=["scores"], family="all")
        assert len(found) == 6
        for (metric, _, old, new), told in found.items():
            delta, p, exceedances = ranked[metric, frozenset((old, new))]
            assert (delta, p, exceedances) == (abs(told["delta"]), told["p"].p, told["p"].exceedances)


@pytest.mark.parametrize("study", [tg.rank, tg.threshold])
def test_pairs_that_share_their_blocks_say_so(study: Any) -> None:
    given = {name: np.repeat(scores("fractions", 800 + i)[:20], 3) for i, name in enumerate("abc")}
    options: dict[str, Any] = {"metrics": ["scores"], "unit": "block", "resamples": 99}
    assert any(
        "another system may change their length" in note for note in map(str, study(None, given, **options).notes)
    )
    given.pop("c")
    assert not any("another system" in note for note in map(str, study(None, given, **options).notes))


def test_scores_have_blocks_of_their_own() -> None:
    given = {name: np.repeat(scores("fractions", 810 + i)[:20], 3) for i, name in enumerate("ab")}
    given["c"] = scores("fractions", 820)
    options: dict[str, Any] = {"metrics": ["scores"], "unit": "block", "resamples": 99}
    together = tg.score(None, given, **options)
    for one in together.scores:
        assert tg.score(None, {one.name: given[one.name]}, **options).scores == (one,)
    (said,) = [note for note in map(str, together.notes) if "as long as each score asks for" in note]
    assert "by the rule of Politis and White" in said


def test_a_ranking_without_shared_resamples_has_blocks_for_each_pair() -> None:
    given = {name: np.repeat(scores("fractions", 830 + i)[:20], 3) for i, name in enumerate("abcd")}
    options: dict[str, Any] = {"metrics": ["scores"], "unit": "block", "resamples": 99, "adjust": "holm"}
    together = pairs(tg.rank(None, given, **options))
    given.pop("d")
    alone = pairs(tg.rank(None, given, **options))
    assert len(alone) == 3
    assert {key: together[key] for key in alone} == alone
