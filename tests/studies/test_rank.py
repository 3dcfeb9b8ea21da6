"""A ranking: the same p-values as a comparison of all pairs, and places that say no more than was shown."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate
from tests.refusals import kinds, refused
from tests.sentences import unmarked
from truegain.corpus import Run, System
from truegain.inference.multiplicity import ADJUSTMENTS
from truegain.inference.pvalues import clopper_pearson
from truegain.settings import Adjustment
from truegain.studies import tested
from truegain.studies.rank import RankResult

NAMES = {"a": 0.6, "b": 0.66, "c": 0.67, "d": 0.9}
MADE = simulate(segments=80, systems=[SystemSpec(name=name, quality=q, runs=2) for name, q in NAMES.items()])
REFERENCE = list(MADE.references[0])
RUNS = {name: [list(run) for run in runs] for name, runs in MADE.systems.items()}
FIRST = {name: runs[0] for name, runs in RUNS.items()}
DOCUMENTS = list(MADE.documents)


@pytest.fixture(scope="module")
def result() -> RankResult:
    return tg.rank(REFERENCE, {**FIRST, "copy": FIRST["b"]}, metrics=["bleu", "ter"], documents=DOCUMENTS)


def of_scores(systems: dict[str, Any], **options: Any) -> RankResult:
    return tg.rank(None, systems, metrics=["scores"], **options)


def test_the_same_on_any_number_of_threads() -> None:
    one, two = (tg.rank(REFERENCE, FIRST, resamples=9_000, jobs=jobs) for jobs in (1, 2))
    assert one == two


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
        pair, copies = result.pair(metric.key, "b", "copy"), [placed["b"], placed["copy"]]
        assert (pair.delta, pair.p, pair.p_adjusted, pair.better) == (0.0, 1.0, 1.0, None)
        assert len({(one.best, one.worst, one.cluster, one.letters) for one in copies}) == 1
    assert ["b and copy" in one.text for one in result.notes if one.kind == "same"] == [True]
    assert result.placed("ter")[0].system == "d", "less is better there"
    assert result.clusters("bleu")[0] == ["d"]


def named(values: Any) -> dict[str, Any]:
    return {f"s{i}": one for i, one in enumerate(values)}


@pytest.mark.parametrize(
    ("gains", "expected"),
    [
        ([0, 3], "s1 is better than s0 in score: +3.000, p < .001."),
        ([0, 0], "s0 and s1 are not shown to differ in score: 0.0000, p = 1."),
        ([0, 0, 0], "No two of the 3 systems are shown to differ in score."),
        ([0, 0, 3], "s2 is better than both others in score."),
        ([0, 0, 0, 3, 3.05], "s4 and s3 are better than all 3 others in score."),
        ([0, 0.14, 0.28], "s2 leads in score, but is not shown to be better than s1."),
        ([0, 3, 3.14, 3.15, 3.28], "s4 leads in score, but is not shown to be better than s3 or s2."),
    ],
)
def test_who_leads(gains: list[float], expected: str) -> None:
    noise = np.random.default_rng(8).normal(size=(5, 300))
    systems = [gain + one - one.mean() for gain, one in zip(gains, noise, strict=False)]
    finding, *others = of_scores(named(systems), resamples=2_000).findings
    assert (unmarked(finding.text), others) == (unmarked(expected), [])


def test_metrics_that_disagree() -> None:
    noise = 0.1 * np.random.default_rng(5).normal(size=(2, 3, 200))
    systems = {name: {"x": noise[0, i] + i, "y": noise[1, i] - i} for i, name in enumerate("abc")}
    corpus = tg.Corpus.build([System(name, (Run(name, None, columns),)) for name, columns in systems.items()], [])
    result = tg.rank(corpus, metrics=["scores:column=x", "scores:column=y"], resamples=200)
    x, y = (metric.label for metric in result.metrics)
    assert [unmarked(one.text) for one in result.findings] == [
        f"c is better than both others in {x}.",
        f"a is better than both others in {y}.",
        f"In 3 pairs {x} shows one system to be better and {y} the other.",
        f"{x} and {y} order the systems differently (Kendall's τ -1.00).",
    ]


@pytest.mark.parametrize(("adjustment", "few"), [("holm", True), ("maxt", False)])
def test_too_few_resamples_are_said(adjustment: Adjustment, few: bool) -> None:
    result = of_scores(named(np.random.default_rng(6).normal(size=(8, 30))), adjust=adjustment, resamples=100)
    assert ("few-resamples" in kinds(result.notes)) is few


@pytest.mark.whole
@pytest.mark.parametrize("adjustment", ADJUSTMENTS)
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_every_pair_that_monte_carlo_error_leaves_open_is_counted(adjustment: Adjustment, alpha: float) -> None:
    generator = np.random.default_rng(8)
    systems = [generator.normal(0.06 * i, size=80) for i in range(16)]
    result = of_scores(named(systems), adjust=adjustment, alpha=alpha, resamples=700)
    unsure = 0
    for pair in result.pairs:
        if adjustment == "maxt":
            low, high = clopper_pearson(round(pair.p_adjusted * 701) - 1, 700)
        else:
            scale = pair.p_adjusted / pair.p * (pair.exceedances > 0)
            low, high = (scale * end for end in clopper_pearson(pair.exceedances, 700))
        unsure += low <= alpha < high and alpha / 10 < pair.p_adjusted < min(1.0, 10 * alpha)
    assert unsure > 0
    (note,) = (note.text for note in result.notes if note.kind == "straddling")
    assert f" {unsure} pair" in note


@pytest.mark.parametrize(
    ("options", "naming"),
    [
        ({"metrics": ["length"]}, ["Length"]),
        ({"test": "tukey"}, ["auto, crossed, raters, ar"]),
        ({"test": "koehn2004", "adjust": "maxt"}, ["koehn2004"]),
        ({"test": "crossed", "adjust": "maxt"}, ["crossed"]),
        ({"unit": "block", "test": "ar"}, ["blocks"]),
        ({"unit": "block", "interval": "bca"}, ["bca"]),
        ({"block_length": 3.0}, ["blocks"]),
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
