"""Tables that are too long for a page: CSV files in the folder ``data`` beside it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

__all__ = ["Table", "link", "ranges", "write_tables"]

#: A header and rows.
Table = Iterable[Sequence[str]]


def link(name: str) -> str:
    """Return the link from a page to one of its tables."""
    return f"[{name}.csv](data/{name}.csv)"


def write_tables(page: Path, tables: Mapping[str, Table]) -> None:
    """Write the tables of a page."""
    folder = page.parent / "data"
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(table)


def ranges(table: Table, by: Sequence[str], over: Sequence[str]) -> list[list[str]]:
    """Return a row per value of the columns `by`: the lowest and the highest first number of the columns `over`."""
    headings, *rows = table
    places, measured = ([headings.index(name) for name in names] for names in (by, over))
    groups: dict[tuple[str, ...], list[Sequence[str]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[i] for i in places), []).append(row)
    return [[*group, *(_range([row[i] for row in mine]) for i in measured)] for group, mine in groups.items()]


def _range(cells: Sequence[str]) -> str:
    """Return the lowest and the highest number that cells begin with, as they are written there."""
    found = sorted((found[0] for cell in cells if (found := re.match(r"[\d.]+", cell))), key=float)
    return "" if not found else found[0] if found[0] == found[-1] else f"{found[0]}–{found[-1]}"
