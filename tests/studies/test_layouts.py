"""Tables for papers: what stands where, what is bold, what is marked, and what the notes say."""

from __future__ import annotations

import re
from typing import Any

import pytest

import truegain as tg
from tests.refusals import refused
from truegain.readers.memory import corpus_from_memory
from truegain.report.model import Cell, Table
from truegain.results import Result
from truegain.studies.compare import CompareResult, compare
from truegain.studies.layouts import ALL_PAIRS, NOT_TESTED
from truegain.studies.run_intervals import intervals
from truegain.words import p_text

N = 60
REFERENCE = [f"the cat number {i} sat on the old mat and slept well" for i in range(N)]


def outputs(step: int, run: int = 0) -> list[str]:
    """Every ``step``-th segment is spoiled, and as many more as the number of the run."""
    spoiled = {*range(run, N, step), *range(run)}
    return [line.replace("mat", "rug") if i in spoiled else line for i, line in enumerate(REFERENCE)]


SYSTEMS: dict[str, Any] = {
    "middle": [outputs(4), outputs(4, 1), outputs(4, 2)],
    "good": [outputs(20), outputs(20, 1), outputs(20, 2)],
    "same": [outputs(4, 3), outputs(4, 1), outputs(4, 2)],
    "bad": [outputs(2), outputs(2, 1), [line.replace("sat on", "sits by") for line in outputs(2)]],
}
SINGLE = {name: runs[0] for name, runs in SYSTEMS.items()}
METRICS = ["bleu", "ter"]


def compared(systems: dict[str, Any] = SINGLE, **options: Any) -> CompareResult:
    return tg.compare(REFERENCE, systems, **{"metrics": METRICS, "resamples": 499, **options})


def table(result: Result, layout: str, width: int | None = None) -> Table:
    (found,) = (item for item in result.arranged(layout, decimals=width).items if isinstance(item, Table))
    return found


def column(of: Table, heading: str) -> dict[str, Cell]:
    """The cells under a heading, by the name of the row."""
    headings = [one.heading for one in of.columns]
    name = headings.index("System")
    return {row[name].text: row[headings.index(heading)] for row in of.rows}


# ---- The table of a paper


def test_systems_by_metrics_with_the_baseline_first() -> None:
    found = table(compared(), "paper")
    assert [one.heading for one in found.columns] == ["System", "BLEU ↑", "TER ↓"]
    named = tg.compare(REFERENCE, {"x": outputs(3), "my-Baseline": outputs(4)}, baseline="my-Baseline")
    for result, names in (
        (compared(), ["middle (baseline)", "good", "same", "bad"]),
        (compared(baseline="bad"), ["bad (baseline)", "middle", "good", "same"]),
        (named, ["my-Baseline", "x"]),
    ):
        shown = table(result, "paper")
        assert ([row[0].text for row in shown.rows], shown.breaks) == (names, (1,))


def test_the_best_is_bold_and_what_differs_is_marked() -> None:
    result = compared()
    found = table(result, "paper", width=2)
    for metric, heading in (("bleu", "BLEU ↑"), ("ter", "TER ↓")):
        cells = column(found, heading)
        assert [name for name, cell in cells.items() if cell.tone == "strong"] == ["good"]
        for one in result.primary_tests(metric):
            assert cells[one.system].mark == {True: "*", False: "°", None: ""}[one.better]
            assert cells[one.system].text == f"{result.score(metric, one.system).score:.2f}"
        assert {cell.mark for cell in cells.values()} == {"", "*", "°"}  # or there would be nothing to see here
        assert not any(cell.spread for cell in cells.values())
    assert "p ≤ 0.05" in found.notes[0]
    assert "3 comparisons per metric (Holm)" in found.notes[1]
    assert compared(adjust="none").render("md", layout="paper").count("not adjusted for the 3") == 1


def test_scores_that_look_the_same_are_equally_good() -> None:
    cells = column(table(compared(metrics=["bleu"]), "paper", width=0), "BLEU ↑").values()
    best = max(cells, key=lambda cell: cell.value or 0.0).text
    assert [cell.tone == "strong" for cell in cells] == [cell.text == best for cell in cells]
    alone = table(tg.score(REFERENCE, {"x": outputs(3)}, resamples=99), "paper")
    assert alone.rows[0][1].tone == "plain"  # the best of one


def test_means_and_deviations_over_runs() -> None:
    result = compared(SYSTEMS)
    found = table(result, "paper", width=2)
    for one in result.variability:
        name = "middle (baseline, 3 runs)" if one.system == "middle" else f"{one.system} (3 runs)"
        cell = column(found, {"bleu": "BLEU ↑", "ter": "TER ↓"}[one.metric])[name]
        assert (cell.text, cell.spread) == (f"{one.average:.2f}", f"± {one.s_test:.2f}")
    found = table(compared({**SYSTEMS, "same": SYSTEMS["same"][0]}), "paper")
    names = ["middle baseline 3 runs", "good 3 runs", "same", "bad 3 runs"]
    assert [re.findall(r"\w+", row[0].text) for row in found.rows] == [name.split() for name in names]
    assert column(found, "BLEU ↑")["same"].spread == ""


def test_where_neither_way_is_better_nothing_is_bold() -> None:
    long = {"base": outputs(3), "long": [f"{line} and then some more" for line in outputs(3)]}
    found = table(tg.compare(REFERENCE, long, metrics=["length"], resamples=499), "paper")
    cell = column(found, "Length")["long"]
    assert (cell.mark, cell.tone) == ("†", "plain")
    assert "† different from base (p" in found.notes[0]


def test_without_a_baseline_nothing_is_marked() -> None:
    scored = tg.score(REFERENCE, SYSTEMS, metrics=METRICS, resamples=99)
    for result, note in ((scored, NOT_TESTED), (compared(SYSTEMS, family="all"), ALL_PAIRS)):
        found = table(result, "paper")
        cells = column(found, "TER ↓")
        assert [*cells] == [f"{name} (3 runs)" for name in SYSTEMS]
        assert cells["good (3 runs)"].tone == "strong"
        assert not any(cell.mark for cell in cells.values())
        assert (found.notes[0], found.breaks) == (note, ())
        assert note in table(result, "multeval").notes


# ---- MultEval's table


def test_a_group_of_rows_a_metric() -> None:
    result = compared(SYSTEMS)
    found = table(result, "multeval", width=2)
    assert [one.heading for one in found.columns] == ["Metric", "System", "Avg", "s_sel", "s_test", "p-value"]
    assert [row[0].text for row in found.rows] == ["BLEU ↑", "", "", "", "TER ↓", "", "", ""]
    assert found.breaks == (4,)
    for row, one in zip(found.rows, result.variability, strict=True):
        name, p = "middle (baseline, 3 runs)", "–"
        if one.system != "middle":
            name, p = f"{one.system} (3 runs)", p_text(result[one.metric, one.system].p_adjusted)
        numbers = [f"{number:.2f}" for number in (one.average, one.s_sel, one.s_test)]
        assert [cell.text for cell in row[1:]] == [name, *numbers, p]


def test_what_is_not_known_is_not_made_up() -> None:
    found = table(compared(), "multeval")
    assert {cell.text for heading in ("s_sel", "s_test") for cell in column(found, heading).values()} == {"–"}
    mixed = table(compared({**SYSTEMS, "same": SYSTEMS["same"][0]}), "multeval")
    assert column(mixed, "s_test")["same"].text == "–"
    assert column(mixed, "s_sel")["same"].text != "–"
    for result in (tg.score(REFERENCE, SYSTEMS, resamples=99), compared(SYSTEMS, family="all")):  # without a baseline
        assert [one.heading for one in table(result, "multeval").columns][-1] == "s_test"


def test_the_development_set() -> None:
    corpus = corpus_from_memory(REFERENCE, SYSTEMS)
    result = compare(corpus, metrics=["bleu"], resamples=99, development=corpus)
    found = table(result, "multeval")
    assert [one.heading for one in found.columns][3:6] == ["s_sel", "s_dev", "s_test"]
    assert [cell.text for cell in column(found, "s_dev").values()] == [c.text for c in column(found, "s_test").values()]


# ---- Results


@pytest.mark.whole
@pytest.mark.parametrize("layout", ["paper", "multeval"])
@pytest.mark.parametrize("format", ["terminal", "md", "latex"])
def test_every_figure_is_in_every_format(layout: str, format: str) -> None:
    result = compared(SYSTEMS)
    text = result.render(format, layout=layout)
    for row in table(result, layout).rows:
        assert all(cell.text in text for cell in row[-2:] if cell.text[:1].isdigit())
    assert all(metric.signature in text.replace("\n", "") for metric in result.metrics)
    assert result.render(format, layout=layout, decimals=1) != text


def test_full_is_the_document_and_layouts_that_there_are_not(tmp_path: Any) -> None:
    result: Result = compared()
    assert result.arranged() == result.arranged("full") == result.document()
    result.save(tmp_path / "table.tex", layout="paper")
    assert (tmp_path / "table.tex").read_text(encoding="utf-8") == result.render("latex", layout="paper")
    found = intervals(corpus_from_memory(REFERENCE, {"a": SYSTEMS["good"], "b": SYSTEMS["bad"]}), resamples=50)
    for of, format, layout, naming in (
        (result, "md", "papper", ["full, paper, multeval", "'papper'", "'paper'?"]),
        (result, "md", "multEval", ["layout"]),
        (result, "json", "multeval", ["'multeval'", "json"]),
        (result, "yaml", "paper", ["format"]),
        (found, "md", "paper", ["'paper'", "compare and score"]),
    ):
        with refused(naming=naming):
            of.render(format, layout=layout)
