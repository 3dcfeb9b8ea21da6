"""Figures of one test, merged into what the page and its tables have of the others."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from benchmarks.calibration.page import Report, tables
from benchmarks.calibration.scenarios import DEFAULTS
from benchmarks.calibration.tables import PLOTTED, one_difference_table, power_table, summary_table
from benchmarks.csv_tables import Table, write_tables
from truegain.registry import TESTS

__all__ = ["ALONE", "merge_tables", "merged_page"]

#: Tests that nothing else of the page depends on, as bounds and the figure do on the others.
ALONE = tuple(name for name in TESTS if name not in (*DEFAULTS, *PLOTTED))
_ORDER = {name: place for place, name in enumerate(TESTS)}


def merged_page(page: str, report: Report, test: str) -> str:
    """Return the page with the rows of a test as they were measured now."""
    for title, table in (
        ("Summary", summary_table(report.placed)),
        ("Power", power_table(report.powers)),
        ("One segment differs", one_difference_table(report.one)),
    ):
        before, heading, section = page.partition(f"\n## {title}\n")
        lines = section.splitlines()
        first = next(number for number, line in enumerate(lines) if line.startswith("|"))
        last = next((number for number in range(first, len(lines)) if not lines[number].startswith("|")), len(lines))
        lines[first:last] = _merged_lines(lines[first:last], table.splitlines(), test)
        page = before + heading + "\n".join(lines) + "\n"
    return page


def _merged_lines(old: Sequence[str], new: Sequence[str], test: str) -> list[str]:
    """Return the lines of a table with the row of a test from another one, which may have fewer columns."""
    headings, ruler, *rows = old
    kept = [row for row in rows if _test_of(row) != test]
    for row in new[2:]:
        if _test_of(row) == test:
            cells = dict(zip(new[0].split("|")[1:-1], row.split("|")[1:-1], strict=True))
            kept.append(f"|{'|'.join(cells.get(heading, '') for heading in headings.split('|')[1:-1])}|")
    return [headings, ruler, *sorted(kept, key=lambda row: _ORDER[_test_of(row)])]


def _test_of(row: str) -> str:
    return row.split("`")[1]


def merge_tables(page: Path, report: Report, test: str) -> None:
    """Replace the rows of a test in the tables beside the page."""
    merged: dict[str, Table] = {}
    for name, table in tables(report).items():
        with (page.parent / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            headings, *rows = csv.reader(file)
        place = headings.index("test")
        new = [list(row) for row in list(table)[1:] if row[place] == test]
        # A group is what stands before the test; of the table that begins with it, there is one.
        groups = list(dict.fromkeys(tuple(row[:place]) for row in (*rows, *new)))
        kept = [row for row in rows if row[place] != test]
        merged[name] = [
            headings,
            *sorted(kept + new, key=lambda row: (groups.index(tuple(row[:place])), _ORDER[row[place]])),
        ]
    write_tables(page, merged)
