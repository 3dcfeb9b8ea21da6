"""Figures of results: which there are, what they are made of, what captions say; and results in notebooks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.known import known
from tests.refusals import refused
from truegain.report.figures.forest import ForestPlot
from truegain.report.figures.scores import ScoresPlot
from truegain.report.figures.strips import RunStrips
from truegain.report.figures.style import make_figure
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
GAINS = {"base": 0.0, "better": 3.0, "same": 0.1}
RUNS = {name: [run(gain + noise) for noise in (-1.0, 0.0, 1.0)] for name, gain in GAINS.items()}


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


def forest(result: CompareResult) -> ForestPlot:
    drawing = result.picture("forest").drawing
    assert isinstance(drawing, ForestPlot)
    return drawing


def test_runs_and_their_spread_are_drawn_where_there_are_several(
    single: CompareResult, several: CompareResult, scored: ScoreResult
) -> None:
    assert names(single) == ["forest"]
    assert names(several) == ["forest", "runs"]
    assert names(scored) == ["scores", "runs"]
    assert names(tg.score(None, SINGLE, metrics=["scores"], resamples=20, jobs=1)) == ["scores"]
    for picture in (*single.pictures(), *several.pictures(), *scored.pictures()):
        assert make_figure(picture.drawing).get_figwidth() in (3.35, 6.9)
    for result in (several, scored):
        drawing = result.picture("runs").drawing
        assert isinstance(drawing, RunStrips)
        assert drawing.labels == ("base", "better", "same")
        (panel,) = drawing.panels
        for system, score, variability in zip(panel.systems, result.scores, result.variability, strict=True):
            assert (system.scores, system.mean) == (score.run_scores, score.score)
            assert system.spread == variability.s_sel > 0


def test_the_forest_has_the_deciding_comparisons(single: CompareResult) -> None:
    drawing = forest(single)
    assert drawing.labels == ("better", "$same$", "worse")
    assert (drawing.over, drawing.level) == ("base", 0.95)
    (panel,) = drawing.panels
    for gain, one in zip(panel.gains, single.primary_tests("scores"), strict=True):
        assert (gain.delta, gain.low, gain.high) == (one.delta, one.interval.low, one.interval.high)
        assert (gain.significant, gain.better) == (one.significant, one.better)
    assert [gain.outcome for gain in panel.gains] == ["better", "not significant", "worse"]


def test_the_forest_of_all_pairs_and_of_a_metric_of_which_less_is_better() -> None:
    drawing = forest(compare(SINGLE, family="all", adjust="none", alpha=0.1))
    assert drawing.labels[:2] == ("better − base", "$same$ − base")
    assert (len(drawing.labels), drawing.level) == (6, 0.9)
    lower = forest(compare(SINGLE, metrics=["scores:lower_is_better=true"]))
    assert [gain.outcome for gain in lower.panels[0].gains] == ["worse", "not significant", "better"]


def test_many_pairs_are_cut_to_those_that_are_least_sure(single: CompareResult) -> None:
    first = single.comparisons[0]
    p_values = [0.05 * 1.1 ** (place - 40.2) for place in range(80)]
    many = tuple(replace(first, system=f"s{i}", p_adjusted=p, adjust="holm") for i, p in enumerate(p_values))
    assert forest(replace(single, comparisons=many)).labels == tuple(f"s{place}" for place in range(11, 71))


def test_scores_and_their_intervals_without_which_there_is_nothing_to_draw(scored: ScoreResult, tmp_path: Path) -> None:
    drawing = scored.picture("scores").drawing
    assert isinstance(drawing, ScoresPlot)
    for drawn, score in zip(drawing.panels[0].scores, scored.scores, strict=True):
        interval = known(score.interval)
        assert (drawn.value, drawn.low, drawn.high) == (score.score, interval.low, interval.high)
    result = tg.score(None, {"one": [1.0]}, metrics=["scores"], resamples=20, jobs=1)
    assert names(result) == []
    with refused():
        result.plot(tmp_path / "figure.pdf")


def test_a_figure_is_asked_for_by_name(single: CompareResult, tmp_path: Path) -> None:
    drawing: Any = single.picture("forest", decimals=4).drawing
    assert drawing.panels[0].decimals == 4
    assert single.picture() == single.pictures()[0]
    with refused(naming=["'forrest'", "'forest'?"]):
        single.picture("forrest")
    assert single.plot(str(tmp_path / "narrow.svg"), "forest", columns=1) is None
    assert "241.2pt" in (tmp_path / "narrow.svg").read_text(encoding="utf-8")  # 3.35 inches
    assert single.plot(tmp_path / "forest.svg") is None
    assert {path.name for path in tmp_path.iterdir()} == {"forest.svg", "narrow.svg"}


# ---- In notebooks


def test_a_figure_is_shown_by_its_name(single: CompareResult) -> None:
    for shown in (single.plot(), single.plot("forest"), single.plot(name="forest", columns=1)):
        assert known(shown)._repr_svg_().startswith("<?xml")
        assert "'forest'" in repr(shown)
    for name, naming in (
        ("florest", ["'florest'", "'forest'?"]),
        ("image", ["'image'", ".svg", ".pdf", ".png"]),
        ("forest.gif", [".svg"]),
    ):
        with refused(naming=naming):
            single.plot(name)


def test_completion_has_what_people_use(single: CompareResult) -> None:
    public = {name for name in dir(single) if not name.startswith("_")}
    assert {"comparisons", "headline", "plot", "save", "to_pandas", "to_dict", "render"} <= public
    assert not public & {"arranged", "appendix", "rounded", "shape", "used"}


def test_scores_of_many_segments_are_not_shown_unasked() -> None:
    lines = [f"the cat sat on mat {number}" for number in range(30)]
    result = tg.score(lines, {"new": lines[::-1]}, segments=True, resamples=20)
    few = tg.score(lines[:5], {"new": lines[4::-1]}, segments=True, resamples=20)
    for text in (repr(result), str(result)):
        assert len(text.splitlines()) < 20
        assert all(told in text for told in ("Scores of 30 segments: to_pandas() has them", "render() shows them"))
    assert result._repr_html_().count("<tr") < 10
    assert len(result.render().splitlines()) > 40
    assert len(result.to_pandas()) == 30
    assert repr(few) == few.render()
