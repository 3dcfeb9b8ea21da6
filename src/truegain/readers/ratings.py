"""Ratings of people as a long table: a row per rating, with its system, item, document and rater."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from truegain.errors import InputError, some
from truegain.notes import Note
from truegain.readers.field_columns import coded
from truegain.readers.plain import Lines
from truegain.readers.repeats import averaged
from truegain.readers.scores import SCORE, ScoreTable
from truegain.readers.tabular import Table

#: What separates the parts of WMT's ids: pair of languages, domain, document, segment.
MARK = "_#_"


@dataclass(frozen=True)
class Rating:
    """One rating, and the line that it stands on; without a score the item was not rated."""

    line: int
    system: str
    item: str
    score: float | None
    document: str | None = None
    domain: str | None = None
    rater: str | None = None


def ratings_table(ratings: Sequence[Rating], source: Lines, notes: Iterable[Note] = ()) -> Table:
    """Return the columns of a long table."""
    if not ratings:
        raise InputError("there are no ratings in it", path=source.name, hint="is this the right file?")
    columns: dict[str, list[str | None]] = {
        "system": [one.system for one in ratings],
        "id": [one.item for one in ratings],
        SCORE: [None if one.score is None else repr(one.score) for one in ratings],
    }
    for name in ("document", "domain", "rater"):
        values = [getattr(one, name) for one in ratings]
        if any(value is not None for value in values):
            columns[name] = ["unknown" if value is None else value for value in values]
    lines = [one.line for one in ratings]
    held = {name: coded(values) for name, values in columns.items()}
    return Table(source.name, held, (*source.notes, *notes), lines=lines, rated=True)


def tables_by_system(table: Table) -> list[ScoreTable]:
    """Return the scores of each system over all items, averaged over raters; NaN for an item that was not rated."""
    keys = [name for name in table.columns if name not in ("system", "id", "document", "domain", "rater")]
    items = list(dict.fromkeys(str(item) for item in table.columns["id"]))
    places = {item: place for place, item in enumerate(items)}
    ratings: dict[str, list[tuple[str, list[float]]]] = {}
    for system, item, *scores in zip(*(table.columns[name] for name in ("system", "id", *keys)), strict=True):
        own = ratings.setdefault(str(system), [])
        if None not in scores:
            own.append((str(item), [float(score) for score in scores if score is not None]))
    found = []
    for system, given in ratings.items():
        values = {name: np.full(len(items), np.nan) for name in keys}
        samples = (1, 1)
        if given:
            columns = {name: np.array([scores[place] for _, scores in given]) for place, name in enumerate(keys)}
            means = averaged([item for item, _ in given], columns)
            for name in keys:
                values[name][[places[item] for item in means.ids]] = means.columns[name]
            samples = means.samples
        found.append(
            ScoreTable(table.name, system, values, table.notes, tuple(items), rows=len(given), samples=samples)
        )
    return found


def check_pairs(pairs: Iterable[str], source: Lines, pattern: str) -> None:
    """Refuse a file with several pairs of languages; ``pattern`` finds the lines of one, ``{}``."""
    found = list(dict.fromkeys(pairs))
    if len(found) > 1:
        raise InputError(
            f"it holds {len(found):,} language pairs ({some(found, 5, '; ')}), and one is compared at a time",
            path=source.name,
            hint=f"take the lines of one: grep '{pattern.format(found[0])}' FILE",
        )
