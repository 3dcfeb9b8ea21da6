"""Tables that are too long for a page: CSV files in the folder ``data`` beside it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

__all__ = ["Table", "link", "write_tables"]

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
