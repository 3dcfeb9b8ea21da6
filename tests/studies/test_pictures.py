"""Figures of results: which there are, what they are made of, what captions say; and results in notebooks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import truegain as tg
from tests.known import known
from tests.refusals import refused
from truegain.results import Result
from truegain.studies.compare import CompareResult
from truegain.words import signed

SEGMENTS = 60
DOCUMENTS = [f"d{i // 3}" for i in range(SEGMENTS)]
RNG = np.random.default_rng(11)
COMMON = RNG.normal(30.0, 8.0, SEGMENTS)


def run(gain: float) -> list[float]:
    values: list[float] = (COMMON + gain + RNG.normal(0.0, 3.0, SEGMENTS)).tolist()
    return values


SINGLE = {"base": run(0.0), "better": run(3.0), "$same$": run(0.3), "worse": run(-3.0)}


def compare(systems: dict[str, Any], **options: Any) -> CompareResult:
    given: dict[str, Any] = {"metrics": ["scores"], "resamples": 200, "jobs": 1}
    return tg.compare(None, systems, **(given | options))


@pytest.fixture(scope="module")
def single() -> CompareResult:
    return compare(SINGLE, documents=DOCUMENTS)


def names(result: Result) -> list[str]:
    return [one.name for one in result.pictures()]


def rows(result: Result) -> list[str]:
    """The names of the rows of a forest."""
    return [label.get_text() for label in result.picture("forest").draw().figure.axes[0].get_yticklabels()]


def test_the_forest_has_the_deciding_comparisons(single: CompareResult) -> None:
    assert rows(single) == ["better", "$same$", "worse"]
    told = single.picture("forest").alt
    assert told.startswith("Gains over base, with 95 % intervals. ")
    for one in single.primary_tests("scores"):
        assert f"{one.system} {signed(one.delta, 2)} ({signed(one.interval.low, 2)} to " in told
    assert re.findall(", (better|worse|not significant)", told) == ["better", "not significant", "worse"]


def test_the_forest_of_all_pairs_and_of_a_metric_of_which_less_is_better() -> None:
    every = compare(SINGLE, family="all", adjust="none", alpha=0.1)
    assert rows(every)[:2] == ["better − base", "$same$ − base"]
    assert every.picture("forest").alt.startswith("Differences between systems, with 90 % intervals. ")
    lower = compare(SINGLE, metrics=["scores:lower_is_better=true"]).picture("forest").alt
    assert re.findall(", (better|worse|not significant)", lower) == ["worse", "not significant", "better"]


def test_many_pairs_are_cut_to_those_that_are_least_sure(single: CompareResult) -> None:
    first = single.comparisons[0]
    p_values = [0.05 * 1.1 ** (place - 40.2) for place in range(80)]
    many = tuple(replace(first, system=f"s{i}", p_adjusted=p, adjust="holm") for i, p in enumerate(p_values))
    assert rows(replace(single, comparisons=many)) == [f"s{place}" for place in range(11, 71)]


def test_scores_have_a_figure_if_they_have_intervals(tmp_path: Path) -> None:
    assert names(tg.score(None, SINGLE, metrics=["scores"], resamples=20, jobs=1)) == ["scores"]
    result = tg.score(None, {"one": [1.0]}, metrics=["scores"], resamples=20, jobs=1)
    assert names(result) == []
    with refused():
        result.plot(tmp_path / "figure.pdf")


def test_a_figure_is_asked_for_by_name(single: CompareResult, tmp_path: Path) -> None:
    assert re.search(r"\+\d\.\d{4} ", single.picture("forest", decimals=4).alt)
    assert single.picture() == single.pictures()[0]
    assert single.plot(str(tmp_path / "narrow.svg"), "forest", columns=1) is None
    assert "241.2pt" in (tmp_path / "narrow.svg").read_text(encoding="utf-8")  # 3.35 inches
    assert single.plot(tmp_path / "forest.svg") is None
    assert {path.name for path in tmp_path.iterdir()} == {"forest.svg", "narrow.svg"}
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


# ---- In notebooks


def test_completion_has_what_people_use(single: CompareResult) -> None:
    public = {name for name in dir(single) if not name.startswith("_")}
    assert {"comparisons", "findings", "plot", "save", "to_pandas", "to_dict", "render"} <= public
    assert not public & {"arranged", "appendix", "rounded", "shape", "used"}


def test_scores_of_many_segments_are_not_shown_unasked() -> None:
    lines = [f"the cat sat on mat {number}" for number in range(30)]
    result = tg.score(lines, {"new": lines[::-1]}, segments=True, resamples=20)
    few = tg.score(lines[:5], {"new": lines[4::-1]}, segments=True, resamples=20)
    for text in (repr(result), str(result)):
        assert len(text.splitlines()) < 20
        assert all(told in text for told in ("Scores of 30 segments: to_pandas() has them", "render() shows them"))
    assert result._repr_html_().count("<tr") < 10
    assert len(result.render().splitlines()) > 30
    assert len(result.to_pandas()) == 30
    assert repr(few) == few.render()
