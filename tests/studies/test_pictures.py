"""Figures of results: which there are, what they are made of, and what their captions say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from truegain.errors import InputError
from truegain.report.figures.forest import ForestPlot
from truegain.report.figures.scores import ScoresPlot
from truegain.report.figures.strips import RunStrips
from truegain.report.figures.style import make_figure
from truegain.report.page import Picture
from truegain.studies.compare.result import CompareResult
from truegain.studies.result import Result
from truegain.studies.score.result import ScoreResult

SEGMENTS = 60
DOCUMENTS = [f"d{i // 3}" for i in range(SEGMENTS)]
RNG = np.random.default_rng(11)
COMMON = RNG.normal(30.0, 8.0, SEGMENTS)


def run(gain: float) -> list[float]:
    values: list[float] = (COMMON + gain + RNG.normal(0.0, 3.0, SEGMENTS)).tolist()
    return values


SINGLE = {"base": run(0.0), "better": run(3.0), "$same$": run(0.3), "worse": run(-3.0)}
RUNS = {
    name: [run(gain + noise) for noise in (-1.0, 0.0, 1.0)]
    for name, gain in (("base", 0.0), ("better", 3.0), ("same", 0.1))
}


def compare(systems: dict[str, Any], **options: Any) -> CompareResult:
    given: dict[str, Any] = {"metrics": ["scores"], "resamples": 200, "jobs": 1}
    return tg.compare(None, systems, **(given | options))


@pytest.fixture(scope="module")
def single() -> CompareResult:
    return compare(SINGLE, documents=DOCUMENTS)


@pytest.fixture(scope="module")
def several() -> CompareResult:
    return compare(RUNS)


@pytest.fixture(scope="module")
def scored() -> ScoreResult:
    return tg.score(None, RUNS, metrics=["scores"], resamples=200, jobs=1)


def names(result: Result) -> list[str]:
    return [one.name for one in result.pictures()]


def forest(result: CompareResult) -> tuple[Picture, ForestPlot]:
    picture = result.picture("forest")
    assert isinstance(picture.drawing, ForestPlot)
    return picture, picture.drawing


def test_runs_are_drawn_where_there_are_several(
    single: CompareResult, several: CompareResult, scored: ScoreResult
) -> None:
    assert names(single) == ["forest"]
    assert names(several) == ["forest", "runs"]
    assert names(scored) == ["scores", "runs"]
    assert names(tg.score(None, SINGLE, metrics=["scores"], resamples=20, jobs=1)) == ["scores"]


def test_every_figure_can_be_written(single: CompareResult, several: CompareResult, scored: ScoreResult) -> None:
    for result in (single, several, scored):
        for picture in result.pictures():
            assert make_figure(picture.drawing).get_figwidth() in (3.35, 6.9)
            assert picture.drawing.alt.endswith(".")
            assert picture.caption.endswith(".")
            assert picture.caption.count(". ") == 0


def test_they_are_in_the_report(several: CompareResult) -> None:
    (section,) = [one for one in several.report().sections if one.heading == "Figures"]
    assert section.items == several.pictures()


def test_the_forest_has_the_deciding_comparisons(single: CompareResult) -> None:
    picture, drawing = forest(single)
    assert drawing.labels == ("better", "$same$", "worse")
    assert (drawing.over, drawing.level) == ("base", 0.95)
    (panel,) = drawing.panels
    for gain, one in zip(panel.gains, single.primary_tests("scores"), strict=True):
        assert (gain.delta, gain.low, gain.high) == (one.delta, one.interval.low, one.interval.high)
        assert (gain.significant, gain.better) == (one.significant, one.better)
    assert [gain.outcome for gain in panel.gains] == ["better", "not significant", "worse"]
    assert picture.caption == (
        "Gains over base, with 95 % intervals of the gains that approximate randomization over 20 documents does not "
        "reject; filled where p ≤ 0.05 after Holm."
    )
    drawn = forest(compare(SINGLE, interval="percentile"))[0].caption
    assert "with 95 % intervals of the paired bootstrap (percentile) over" in drawn


def test_the_forest_of_pairs_and_of_one_pair() -> None:
    pairs = compare(SINGLE, family="all", adjust="none", alpha=0.1)
    picture, drawing = forest(pairs)
    assert drawing.labels[:2] == ("better − base", "$same$ − base")
    assert len(drawing.labels) == 6
    assert picture.caption.startswith("Differences between systems, with 90 % intervals")
    assert picture.caption.endswith("filled where p ≤ 0.1.")
    one = compare({name: SINGLE[name] for name in ("base", "better")})
    assert forest(one)[0].caption.endswith("filled where p ≤ 0.05.")


def test_a_metric_of_which_less_is_better_is_explained() -> None:
    lower = compare(SINGLE, metrics=["scores:lower_is_better=true"])
    picture, drawing = forest(lower)
    assert "Gains over base, positive where the system is better, with" in picture.caption
    assert [gain.outcome for gain in drawing.panels[0].gains] == ["worse", "not significant", "better"]


def test_intervals_of_tests_are_called_so(several: CompareResult) -> None:
    assert "intervals of the crossed test over 60 segments; filled" in forest(several)[0].caption
    welch = compare(RUNS, test="welch")
    assert "intervals of Welch's t-test of run scores over 6 runs; filled" in forest(welch)[0].caption


def test_many_pairs_are_cut_to_those_that_are_least_sure(single: CompareResult) -> None:
    first = single.comparisons[0]
    many = tuple(
        replace(first, system=f"s{place}", p_adjusted=0.05 * 1.1 ** (place - 40.2), adjust="holm")
        for place in range(80)
    )
    result = replace(single, comparisons=many)
    picture, drawing = forest(result)
    assert drawing.labels == tuple(f"s{place}" for place in range(11, 71))
    assert "Gains over base (the 60 of 80 with p nearest to 0.05), with" in picture.caption


def test_runs_and_their_spread(several: CompareResult, scored: ScoreResult) -> None:
    for result in (several, scored):
        picture = result.picture("runs")
        assert isinstance(picture.drawing, RunStrips)
        assert picture.drawing.labels == ("base", "better", "same")
        (panel,) = picture.drawing.panels
        for system, score, variability in zip(panel.systems, result.scores, result.variability, strict=True):
            assert (system.scores, system.mean) == (score.run_scores, score.score)
            assert system.spread == variability.s_sel > 0
        assert "(s_sel) to both sides, from the bootstrap over 60 segments with 200 resamples." in picture.caption


def test_scores_and_their_intervals(scored: ScoreResult) -> None:
    picture = scored.picture("scores")
    assert isinstance(picture.drawing, ScoresPlot)
    (panel,) = picture.drawing.panels
    for drawn, score in zip(panel.scores, scored.scores, strict=True):
        assert score.interval is not None
        assert (drawn.value, drawn.low, drawn.high) == (score.score, score.interval.low, score.interval.high)
    assert picture.caption == (
        "Scores with 95 % percentile intervals of the bootstrap over 60 segments, with 200 resamples."
    )
    assert panel.title == "score ↑"


def test_without_intervals_there_is_nothing_to_draw(tmp_path: Path) -> None:
    result = tg.score(None, {"one": [1.0]}, metrics=["scores"], resamples=20, jobs=1)
    assert names(result) == []
    with pytest.raises(InputError, match="there is no figure of this result"):
        result.plot(tmp_path / "figure.pdf")


def test_decimals(single: CompareResult) -> None:
    drawing = single.picture("forest", decimals=4).drawing
    assert isinstance(drawing, ForestPlot)
    assert drawing.panels[0].decimals == 4


def test_a_figure_is_asked_for_by_name(single: CompareResult, tmp_path: Path) -> None:
    assert single.picture() == single.pictures()[0]
    with pytest.raises(InputError, match="the figure must be one of forest; got 'forrest'") as caught:
        single.picture("forrest")
    assert caught.value.hint == "did you mean 'forest'?"
    single.plot(tmp_path / "narrow.svg", "forest", columns=1)
    assert "241.2pt" in (tmp_path / "narrow.svg").read_text(encoding="utf-8")  # 3.35 inches
    with pytest.raises(InputError, match="the ending of a figure"):
        single.plot(tmp_path / "forest.gif")
