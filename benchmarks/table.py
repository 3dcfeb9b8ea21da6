"""Rows as a table: on the screen, on the page and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from benchmarks.timing import Row, Skipped

__all__ = ["as_json", "cells", "csv_table", "markdown_table", "notes", "plain_table"]

_HEADINGS = ("work", "data", "peer", "ours", "ratio", "target", "met", "same result")
_SAID = {True: "yes", False: "NO", None: ""}


def cells(row: Row) -> tuple[str, ...]:
    """Return a row as text."""
    memory = row.kind == "megabytes"
    unit = "MB" if memory else "s"
    peer = "" if row.peer is None else f"{row.peer:.{0 if memory else 3}f} {unit}"
    ratio = "" if row.ratio is None else f"×{row.ratio:.{2 if row.ratio < 2 else 1}f}"
    ours = f"{row.ours:.{0 if memory else 4}f} {unit}"
    return row.work, row.data, peer, ours, ratio, _target(row, unit), _SAID[row.met], _SAID[row.agree]


def _target(row: Row, unit: str) -> str:
    if row.target is None:
        return ""
    return f"×{row.target:.3g}" if row.kind == "ratio" else f"< {row.target:g} {unit}"


def plain_table(rows: Sequence[Row]) -> str:
    """Columns lined up, numbers to the right."""
    lines = [_HEADINGS, *map(cells, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(_HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in enumerate(pairs)).rstrip()
        for pairs in (list(zip(line, widths, strict=True)) for line in lines)
    )


def markdown_table(rows: Sequence[Row]) -> str:
    """Return the work that has a target, for a page: the lowest and the highest figures over all data."""
    lines = [["work", "peer / ours", "target", "met"], ["---", "--:", "--:", "---"]]
    for work in dict.fromkeys(row.work for row in rows if row.target is not None):
        mine = [row for row in rows if row.work == work and row.target is not None]
        place = 4 if mine[0].kind == "ratio" else 3
        found = sorted((cells(row)[place] for row in mine), key=lambda one: float(one.strip("×").split()[0]))
        met = dict.fromkeys(_SAID[row.met] for row in mine)
        shown = found[0] if len(found) == 1 else f"{found[0]}–{found[-1]}"
        lines.append([work, shown, cells(mine[0])[5], " / ".join(met)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def csv_table(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Return all rows, for the file beside the page."""
    return [_HEADINGS, *map(cells, rows)]


def notes(rows: Sequence[Row], skipped: Sequence[Skipped], *, missed_too: bool = True) -> str:
    """List which targets were missed, on what data, what the rows need said about them, and what was not measured.

    A page has the first in its table already.
    """
    wanted = [row for row in rows if row.met is not None]
    missed = [row for row in wanted if not row.met]
    differing = [row for row in rows if row.agree is False]
    parts = [f"Targets met: {len(wanted) - len(missed)} of {len(wanted)}."]
    for heading, said in (
        ("Missed", _named(missed) if missed_too else []),
        ("Not the same result", _named(differing)),
        ("To be known", [f"{_named([row])[0]}: {row.note}" for row in rows if row.note]),
        ("Not measured in this run", [f"{one.work}: {one.reason}" for one in skipped]),
    ):
        if said:
            parts.append(f"{heading}:\n\n" + "\n".join(f"- {one}" for one in said))
    return "\n\n".join(parts)


def _named(rows: Sequence[Row]) -> list[str]:
    """Return each work once, with all data of these rows."""
    data: dict[str, list[str]] = {}
    for row in rows:
        data.setdefault(row.work, []).extend([row.data] if row.data else [])
    return [f"{work} ({'; '.join(sets)})" if sets else work for work, sets in data.items()]


def as_json(row: Row) -> dict[str, object]:
    """Return a row with what follows from it."""
    return {**asdict(row), "ratio": row.ratio, "met": row.met}
