"""The study of optimizers on small lists, and the page against the tables beside it."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks import optimizers
from benchmarks.data import ROOT
from benchmarks.optimizers import FEATURES, OPTIMIZERS, Lists, Measured, Sizes

WORDS = ("the", "cat", "sat", "on", "a", "mat", "black", "dog", "under")
SIZES = Sizes(runs=4, resamples=99, draws=3, draw_resamples=19, nulls=4, null_resamples=19)
FOLDER = ROOT / "docs" / "studies"


def made(folder: Path, name: str, seed: int) -> tuple[Path, Path]:
    """Write references, and hypotheses whose first feature says how many words are right, with noise."""
    random = np.random.default_rng(seed)
    references, lines = [], []
    for segment in range(15):
        reference = list(random.choice(WORDS, 8))
        references.append(" ".join(reference))
        for _ in range(8):
            said = [word if random.random() < 0.6 else str(random.choice(WORDS)) for word in reference]
            right = sum(a == b for a, b in zip(said, reference, strict=True)) + random.normal(0, 2)
            noise = random.normal(0, 3, 3)
            values = f"Forward= {right:.4f} LM= {noise[0]:.4f} WordPenalty= {noise[1]:.4f} Reverse= {noise[2]:.4f}"
            lines.append(f"{segment} ||| {' '.join(said)} ||| {values} ||| {noise[0]:.4f}")
    paths = folder / f"{name}.nbest", folder / f"{name}.ref"
    for path, texts in zip(paths, (lines, references), strict=True):
        path.write_text("".join(f"{one}\n" for one in texts), encoding="utf-8")
    return paths


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Lists:
    folder = tmp_path_factory.mktemp("lists")
    tests = {name: made(folder, name, seed) for seed, name in enumerate(("test2016", "coco2017"), 2)}
    return Lists(made(folder, "val", 1), tests)


@pytest.fixture(scope="module")
def found(lists: Lists, tmp_path_factory: pytest.TempPathFactory) -> Measured:
    return optimizers.measured(lists, tmp_path_factory.mktemp("runs"), SIZES)


def cells(page: str) -> list[list[str]]:
    """Return the rows of the tables of a page."""
    return [re.split(r" {2,}", line) for line in page.splitlines()]


def test_the_page_has_what_was_measured(found: Measured) -> None:
    page = optimizers.page(found)
    rows = list(optimizers.variation_rows(found))
    assert len(rows) == len(FEATURES) * len(OPTIMIZERS) * 2
    for row in optimizers.beside_each_other(rows):
        assert row in cells(page)
    result = found.tuned["B", "pro"]
    assert rows[8] == [
        "B-PRO",
        "test2016",
        f"{len({run.weights for run in result.runs})}/{result.distinct}",
        f"{result.mean(0):.2f}",
        *(f"{one:.3f}" for one in (result.mean(1), result.sets[1].s_sel, result.deviation(0), result.deviation(1))),
    ]
    larger, number = optimizers.above(rows)
    pairs = [(one.deviation(i), one.deviation(0)) for one in found.tuned.values() for i in (1, 2)]
    assert larger == sum(test > dev for test, dev in pairs if test is not None and dev is not None)
    assert f"above s_dev in {larger} of {number} cells" in " ".join(page.split())


def test_copies_of_runs_count_as_runs(found: Measured) -> None:
    counts = {(one.name, one.runs) for one in found.each.scores}
    assert counts == {(f"{system}-{name}", 4) for system in FEATURES for name in ("MERT", "PRO", "MIRA")}
    assert min(one.distinct for one in found.tuned.values()) < 4
    assert {one.runs for one in found.pooled.scores} == {12}
    assert len(found.each.measured) == 15 * 5
    halves = {(system, by): row[1] for (system, by), row in zip(found.nulls, optimizers.null_rows(found), strict=True)}
    assert halves["A", "mert"] == "2+2"
    assert halves["B", "all"] == "6+6"


def test_agreement_is_that_of_the_decisions(found: Measured) -> None:
    rows = [one for one in found.each.measured if one.method == "rows"]
    alike = [len({p <= 0.05 for p in one.p.values()}) == 1 for one in rows]
    assert optimizers.agreement(found.each, "rows") == sum(alike)


def test_what_was_tuned_is_kept(lists: Lists, tmp_path: Path) -> None:
    first, again = (optimizers.tuned_by(lists, tmp_path, SIZES, "A", "pro") for _ in range(2))
    assert first.runs == again.runs
    assert any("4 runs that were there already" in str(note) for note in again.notes)


def held(name: str) -> list[list[str]]:
    with (FOLDER / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def test_the_page_is_that_of_its_tables() -> None:
    page = (FOLDER / "optimizers.md").read_text(encoding="utf-8")
    rows = held("optimizers-variation")
    larger, number = optimizers.above(rows)
    assert f"above s_dev in {larger} of {number} cells" in " ".join(page.split())
    same = [row for row in held("optimizers-pairs") if len({name[0] for name in row[0].split(" − ")}) == 1]
    assert len(same) == 6
    for row in (*optimizers.beside_each_other(rows), *same, *held("optimizers-nulls")):
        assert row in cells(page)
