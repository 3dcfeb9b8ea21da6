"""A ranking: the same p-values as a comparison of all pairs, and tables that say no more than was shown."""

from __future__ import annotations

import itertools
from typing import Any, cast

import numpy as np
import pytest

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate
from tests.refusals import refused
from truegain.corpus import Run, System
from truegain.inference.multiplicity import ADJUSTMENTS
from truegain.inference.pvalues import clopper_pearson
from truegain.report.model import Table
from truegain.settings import Adjustment
from truegain.studies.rank import tested
from truegain.studies.rank.result import RankResult

NAMES = {"a": 0.6, "b": 0.66, "c": 0.67, "d": 0.9}
MADE = simulate(segments=80, systems=[SystemSpec(name=name, quality=q, runs=2) for name, q in NAMES.items()])
REFERENCE = list(MADE.references[0])
RUNS = {name: [list(run) for run in runs] for name, runs in MADE.systems.items()}
FIRST = {name: runs[0] for name, runs in RUNS.items()}
DOCUMENTS = list(MADE.documents)


@pytest.fixture(scope="module")
def result() -> RankResult:
    return tg.rank(REFERENCE, {**FIRST, "copy": FIRST["b"]}, metrics=["bleu", "ter"], documents=DOCUMENTS)


def assert_as_compared(ranked: RankResult, **options: Any) -> None:
    adjustment = cast("Adjustment", ranked.adjust)
    compared = tg.compare(REFERENCE, family="all", adjust=adjustment, changed_segments=0, **options)
    assert len(ranked.pairs) == len(compared)
    for one in compared:
        pair = ranked.pair(one.metric, one.baseline, one.system)
        assert (pair.delta, pair.p, pair.better) == (one.delta, one.p, one.better)
        assert pair.exceedances == one.p_value.exceedances
        assert pair.p_adjusted == pytest.approx(one.p_adjusted, abs=1e-12)
    assert ranked.scores == compared.scores


@pytest.mark.parametrize("adjustment", ["maxt", "holm", "bh", "none"])
@pytest.mark.parametrize("unit", ["segment", "document", "block"])
def test_p_values_are_those_of_a_comparison_of_all_pairs(unit: Any, adjustment: Any) -> None:
    options: dict[str, Any] = {"metrics": ["bleu", "ter"], "documents": DOCUMENTS, "unit": unit, "resamples": 500}
    ranked = tg.rank(REFERENCE, FIRST, adjust=adjustment, **options)
    assert ranked.test == ("stationary-bootstrap" if unit == "block" else "bootstrap")
    assert_as_compared(ranked, systems=FIRST, test=ranked.test, **options)


@pytest.mark.parametrize(("test", "adjustment"), [("ar", "maxt"), ("ar", "holm"), ("bootstrap", "maxt")])
def test_runs_that_are_held_fixed(test: Any, adjustment: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested, "_GROUP", 4)  # several groups of pairs
    ranked = tg.rank(REFERENCE, RUNS, test=test, adjust=adjustment, resamples=300)
    assert str(ranked.claim) == "these runs on new segments"
    assert_as_compared(ranked, systems=RUNS, test=test, resamples=300)


def test_several_runs_of_all_are_crossed_by_default_and_of_some_are_not() -> None:
    ranked = tg.rank(REFERENCE, RUNS, metrics=["chrf"], resamples=300)
    assert (ranked.test, ranked.adjust) == ("crossed", "holm")
    assert_as_compared(ranked, systems=RUNS, metrics=["chrf"], test="crossed", resamples=300)
    ranked = tg.rank(REFERENCE, {**RUNS, "a": FIRST["a"], "b": FIRST["b"]}, resamples=300)
    assert ranked.test == "bootstrap"
    assert any("a and b" in note.text for note in ranked.notes)


def test_the_same_on_any_number_of_threads() -> None:
    one, two = (tg.rank(REFERENCE, FIRST, resamples=9_000, jobs=jobs) for jobs in (1, 2))
    assert one == two


def test_copies_share_their_rank(result: RankResult) -> None:
    for metric in ("bleu", "ter"):
        pair = result.pair(metric, "b", "copy")
        assert (pair.delta, pair.p, pair.p_adjusted, pair.better) == (0.0, 1.0, 1.0, None)
        places = [
            (one.best, one.worst, one.cluster, one.letters) for one in (result[metric, "b"], result[metric, "copy"])
        ]
        assert places[0] == places[1]
    assert any("b and copy" in note.text for note in result.notes)


def test_places_follow_from_what_was_shown(result: RankResult) -> None:
    for metric in result.metrics:
        placed = {one.system: one for one in result.placed(metric.key)}
        beats = {
            (one.system, one.baseline) if one.better else (one.baseline, one.system)
            for one in result.pairs
            if one.metric == metric.key and one.better is not None
        }
        for name, one in placed.items():
            assert one.best == 1 + sum(loser == name for _, loser in beats)
            assert one.worst == len(placed) - sum(winner == name for winner, _ in beats)
        for first, second in itertools.combinations(result.placed(metric.key), 2):
            if first.cluster != second.cluster:
                assert (first.system, second.system) in beats
    assert result.placed("ter")[0].system == "d", "less is better there"
    assert result.clusters("bleu")[0] == ["d"]


def test_the_matrix_has_the_gain_of_the_better_over_the_worse(result: RankResult) -> None:
    tables = [item for item in result.document().items if isinstance(item, Table)]
    ranks, matrix = tables[:2]
    assert [row[2].text for row in ranks.rows] == [one.system for one in result.placed("bleu")]
    assert all((cell.value or 0.0) >= 0.0 for table in (matrix, tables[3]) for row in table.rows for cell in row)
    best, last = (result.placed("bleu")[i].system for i in (0, -1))
    pair = next(one for one in result.pairs if one.metric == "bleu" and {one.baseline, one.system} == {best, last})
    assert (matrix.rows[0][-1].value, matrix.rows[0][-1].spread) == (abs(pair.delta), "*")
    systems = {f"s{i}": one for i, one in enumerate(np.random.default_rng(1).normal(size=(13, 30)))}
    many = tg.rank(None, systems, metrics=["scores"], resamples=100)
    assert len([item for item in many.document().items if isinstance(item, Table)]) == 1, "no matrix"


def test_verdicts_on_a_top_cluster_of_several() -> None:
    noise = np.random.default_rng(8).normal(size=(5, 300))
    noise -= noise.mean(1, keepdims=True)
    for gains, who, better in (
        ([0, 3, 3.05], "c and b are better than a", None),
        ([0, 3, 3.14, 3.28], "d, c and b are better than a", "better than d or c."),
        ([0, 0, 3, 3.05, 3.0], "d, c and e are better than both others", None),
    ):
        systems = {name: gain + one for name, gain, one in zip("abcde", gains, noise, strict=False)}
        said = tg.rank(None, systems, metrics=["scores"], resamples=2_000).verdicts()[0]
        assert who in said
        assert (better or "not shown") in said


def test_equal_systems_are_not_divided_and_a_chain_has_one_cluster_and_two_letters() -> None:
    equal = dict(zip("abc", np.random.default_rng(3).normal(size=(3, 50)), strict=True))
    result = tg.rank(None, equal, metrics=["scores"], resamples=500)
    assert {(one.best, one.worst, one.cluster, one.letters) for one in result} == {(1, 3, 1, "a")}
    noise = np.random.default_rng(4).normal(size=(3, 300))
    systems = {name: 0.14 * i + noise[i] - noise[i].mean() for i, name in enumerate("abc")}
    result = tg.rank(None, systems, metrics=["scores"], resamples=2_000)
    assert [one.letters for one in result] == ["a", "ab", "b"]
    assert "1 of 3 pairs" in result.verdicts()[0]
    assert "better than c or b" in result.verdicts()[1]


def test_metrics_that_disagree() -> None:
    noise = 0.1 * np.random.default_rng(5).normal(size=(2, 3, 200))
    systems = {name: {"x": noise[0, i] + i, "y": noise[1, i] - i} for i, name in enumerate("abc")}
    corpus = tg.Corpus.build([System(name, (Run(name, None, columns),)) for name, columns in systems.items()], [])
    result = tg.rank(corpus, metrics=["scores:column=x", "scores:column=y"], resamples=200)
    (said,) = result.to_dict()["disagreements"]
    for part in ("τ -1.00", "that of c by ", "of 3 pairs"):
        assert part in said
    same = tg.rank(corpus, metrics=["scores:column=x"], resamples=200)
    assert same.to_dict()["disagreements"] == []


def test_records_and_lookups(result: RankResult) -> None:
    records = result.to_records()
    assert len(records) == 20
    assert {(one["metric"], one["baseline"], one["system"]) for one in records} >= {("ter", "c", "d")}
    for one in records:
        sign = -1 if one["metric"] == "ter" else 1
        assert one["delta"] == sign * (one["system_score"] - one["baseline_score"])
    assert result.score("bleu", "d").score > result.score("bleu", "a").score
    for wrong in (lambda: result["bleu", "x"], lambda: result.score("x", "a"), lambda: result.pair("bleu", "d", "a")):
        with pytest.raises(KeyError):
            wrong()


def test_too_few_resamples_are_said() -> None:
    systems = {f"s{i}": one for i, one in enumerate(np.random.default_rng(6).normal(size=(8, 30)))}
    options: dict[str, Any] = {"metrics": ["scores"], "resamples": 100}
    cases: list[tuple[Adjustment, list[bool]]] = [("holm", [True]), ("maxt", [])]
    for adjustment, said in cases:
        notes = tg.rank(None, systems, adjust=adjustment, **options).notes
        assert ["28" in note.text for note in notes if note.kind == "few-resamples"] == said


@pytest.mark.whole
@pytest.mark.parametrize("adjustment", ADJUSTMENTS)
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_every_pair_that_monte_carlo_error_leaves_open_is_counted(adjustment: Adjustment, alpha: float) -> None:
    generator = np.random.default_rng(8)
    systems = {f"s{i}": generator.normal(0.06 * i, size=80) for i in range(16)}
    result = tg.rank(None, systems, metrics=["scores"], adjust=adjustment, alpha=alpha, resamples=700)
    unsure = 0
    for pair in result.pairs:
        count = round(pair.p_adjusted * 701) - 1 if adjustment == "maxt" else pair.exceedances
        low, high = clopper_pearson(count, 700)
        scale = 1.0 if adjustment == "maxt" else pair.p_adjusted / pair.p
        near = alpha / 10 < pair.p_adjusted < min(1.0, 10 * alpha) and (adjustment == "maxt" or count > 0)
        unsure += near and low * scale <= alpha < high * scale
    assert unsure > 0
    (said,) = (note.text for note in result.notes if note.kind == "straddling")
    assert f" of {unsure} adjusted p-value" in said


@pytest.mark.parametrize(
    ("options", "naming"),
    [
        ({"metrics": ["length"]}, ["Length"]),
        ({"test": "tukey"}, ["auto, crossed, raters, ar"]),
        ({"test": "koehn2004", "adjust": "maxt"}, ["koehn2004"]),
        ({"adjust": "tukey"}, ["adjust"]),
        ({"test": "crossed", "adjust": "maxt"}, ["crossed"]),
        ({"unit": "block", "test": "ar"}, ["blocks"]),
        ({"unit": "block", "interval": "bca"}, ["bca"]),
        ({"block_length": 3.0}, ["blocks"]),
        ({"alpha": 1.5}, ["alpha"]),
    ],
    ids=str,
)
def test_refused(options: dict[str, Any], naming: list[str]) -> None:
    with refused(naming=naming):
        tg.rank(REFERENCE, FIRST, resamples=50, **options)


def test_too_few_systems_or_segments_and_too_many_differences_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for reference, systems in ((REFERENCE, {"a": FIRST["a"]}), (REFERENCE[:1], {n: FIRST[n][:1] for n in "ab"})):
        with refused():
            tg.rank(reference, systems)
    monkeypatch.setattr(tested, "_HELD", 100)
    with refused(naming=["maxt", "ar", 300, 6]):
        tg.rank(REFERENCE, FIRST, test="ar", resamples=50)
    tg.rank(REFERENCE, FIRST, test="ar", adjust="holm", resamples=50)
