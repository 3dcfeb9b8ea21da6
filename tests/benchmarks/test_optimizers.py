"""The page of the study of optimizers against the tables beside it."""

from __future__ import annotations

import csv
import re

from benchmarks import optimizers
from benchmarks.data import ROOT

FOLDER = ROOT / "docs" / "studies"


def cells(page: str) -> list[list[str]]:
    """Return the rows of the tables of a page."""
    return [re.split(r" {2,}", line) for line in page.splitlines()]


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
