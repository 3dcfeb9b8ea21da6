"""Planned power against how often the product's tests reject: fixed seeds, three points beyond Monte-Carlo error.

A larger grid is in docs/studies/planning.md, which ``python -m benchmarks.planning`` writes.
"""

from __future__ import annotations

import functools
import math
import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks import planning
from benchmarks.data import ROOT
from benchmarks.planning import (
    BOUND,
    Cell,
    CorrelatedScores,
    RedrawnUnits,
    correlated_cells,
    crossed_cells,
    measured,
    population,
    redrawn_cells,
)
from truegain.experiment import Experiment
from truegain.procedures.base import Pair, Trial
from truegain.studies.plan import plan

_REPETITIONS = 250
_RESAMPLES = 199
_PAIR = Pair(0, 1)

CORRELATED = list(correlated_cells((40, 200), (0.2, 0.8), (1.0, 2.0), tests=("t", "ar", "bootstrap")))
CROSSED = list(crossed_cells((60,), (2, 3, 5), (0.5, 1.0), (3.0,)))


def check(cell: Cell) -> None:
    """Four standard errors and three points: what a plan within three points fails in one of 15,000 cells."""
    outcome = measured(cell, repetitions=_REPETITIONS, resamples=_RESAMPLES)
    error = math.sqrt(max(cell.planned * (1.0 - cell.planned), 0.01) / _REPETITIONS)
    for test, found in zip(cell.tests, outcome.found, strict=True):
        assert abs(cell.planned - found) <= BOUND + 4.0 * error, (test, cell.planned, found)


@pytest.mark.parametrize("cell", CORRELATED, ids=[" ".join(cell.name) for cell in CORRELATED])
def test_one_run_of_each(cell: Cell) -> None:
    check(cell)


@pytest.mark.parametrize("cell", CROSSED, ids=[" ".join(cell.name) for cell in CROSSED])
def test_several_runs(cell: Cell) -> None:
    check(cell)


@functools.cache
def texts() -> Experiment:
    return population(1600, gap=0.03)


@pytest.mark.parametrize("documents", [20, 50])
def test_bleu_on_documents(documents: int) -> None:
    (cell,) = redrawn_cells(texts(), (documents,))
    assert 0.1 < cell.planned < 0.95
    check(cell)


def test_the_study_plans_from_a_pilot_as_the_simulation_does() -> None:
    """The gain and the documents as they are asked for by users, against the same power as in the cells."""
    whole = texts()
    gain = Trial(whole, (_PAIR,)).delta((0, _PAIR))
    result = plan(whole.corpus, gain=gain, document_counts=(20, 50))
    cells = redrawn_cells(whole, (20, 50))
    assert [one.powers[0] for one in result.predicted] == pytest.approx([cell.planned for cell in cells])
    assert result.basis("bleu").observed == pytest.approx(gain)


def test_a_plan_that_is_wrong_is_found_out() -> None:
    """With a standard deviation one third too small, the power would be seen to be too high."""
    gain = 2.4 * 12.0 * math.sqrt(0.4) / math.sqrt(100)
    right = Cell("", (), 0.0, CorrelatedScores(100, gain, 0.8), ("t",))
    found = measured(right, repetitions=_REPETITIONS, resamples=9).found[0]
    wrong = next(correlated_cells((100,), (0.8,), (2.4 * math.sqrt(0.4) * 1.5,))).planned
    assert wrong - found > BOUND + 4.0 * math.sqrt(0.25 / _REPETITIONS)


def test_data_are_what_they_are_said_to_be() -> None:
    values = CorrelatedScores(20_000, 0.5, 0.7)(0).statistics.values
    first, second = values[:, 0], values[:, 2]
    assert first.std() == pytest.approx(12.0, rel=0.03)
    assert second.std() == pytest.approx(12.0, rel=0.03)
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(0.7, abs=0.02)
    assert (second - first).mean() == pytest.approx(0.5, abs=0.3)
    drawn = RedrawnUnits(texts(), 30)(1)
    assert drawn.units.count == 30
    assert drawn.corpus.segments == drawn.units.sizes.sum() == len(drawn.statistics.values)


def test_page_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(planning, "population", texts)
    page = tmp_path / "page.md"
    monkeypatch.setattr(planning, "correlated_cells", lambda: CORRELATED[:2])
    monkeypatch.setattr(planning, "crossed_cells", lambda: CROSSED[:1])
    planning.main(["--repetitions", "5", "--resamples", "19", "--pilots", "3", "--jobs", "1", "--output", str(page)])
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Plans against simulations\n")
    for heading in ("Segment scores, one run of each", "Several runs", "BLEU on documents"):
        assert f"\n## {heading}\n" in text
    tables = re.findall(r"```text\n((?:segments|documents) .*?)```", text, re.DOTALL)
    assert [table.count("\n") - 1 for table in tables] == [1, 1, 4]
    for name, rows in (("segments", 2), ("runs", 1)):
        path = f"data/planning-{name}.csv"
        made, held = (
            (folder / path).read_text(encoding="utf-8").splitlines() for folder in (tmp_path, ROOT / "docs" / "studies")
        )
        assert f"({path})" in text
        assert made[0] == held[0]
        assert len(made) == 1 + rows
    assert "points apart" in capsys.readouterr().out
