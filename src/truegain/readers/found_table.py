"""Contents of a table: what its columns are taken for, and which of them an experiment file is to name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import System
from truegain.errors import InputError, Setting
from truegain.notes import Note
from truegain.readers.any_format import read_table
from truegain.readers.cells import Cells, cells_of_files
from truegain.readers.column_names import (
    DOCUMENT_NAMES,
    DOMAIN_NAMES,
    ID_NAMES,
    JUDGE_NAMES,
    OUTPUT_NAMES,
    PERSON_NAMES,
    RATER_NAMES,
    REPEAT_NAMES,
    RUN_NAMES,
    SOURCE_NAMES,
    SYSTEM_NAMES,
    Chosen,
    column_key,
)
from truegain.readers.columns import REFERENCE, systems_of_table
from truegain.readers.directions import lower_by_name, never_negative
from truegain.readers.found_sets import baseline_of
from truegain.readers.tabular import Table, label_columns


@dataclass(frozen=True)
class FoundTable:
    """A table by the roles of its columns.

    Attributes
    ----------
    path : str
    rows, segments : int
    columns : Chosen
        What columns were taken for, but for those of ``scores`` and ``systems``.
    systems : mapping of str to int
        The number of runs of each.
    scores : tuple of str
        The columns of scores; none if there is a column per system, or if it holds texts.
    lower : tuple of str
        Those of which lower ones are better, by their names.
    wide : bool
        Each system is a column.
    texts : bool
    groups, unused, answers : tuple of str
        Of the other columns those that segments can be grouped by, the rest, and those of answers of samples.
    doubts : tuple of str
        Questions on what was guessed.
    notes : tuple of Note
        On the values that were read.
    """

    path: str
    rows: int
    segments: int
    columns: Chosen
    systems: dict[str, int]
    scores: tuple[str, ...]
    lower: tuple[str, ...]
    wide: bool
    texts: bool
    groups: tuple[str, ...]
    unused: tuple[str, ...]
    answers: tuple[str, ...]
    doubts: tuple[str, ...]
    notes: tuple[Note, ...]

    @property
    def baseline(self) -> tuple[str, str]:
        """The baseline, and why it is that one."""
        return baseline_of(self.systems, "the first column" if self.wide else "first alphabetically")

    def keys(self) -> dict[str, str | tuple[str, ...]]:
        """Return the columns by their keys in an experiment file."""
        own = self.columns
        keys = {
            "system_column": own.systems,
            "run_column": own.runs,
            "id_column": own.ids,
            "repeat_column": own.repeats,
            "rater_column": own.raters,
            "document_column": own.documents,
            "domain_column": own.domains,
            "text_column": own.outputs,
            "reference_column": own.references[0] if len(own.references) == 1 else own.references or None,
        }
        return {key: column for key, column in keys.items() if column is not None}


def look_at(path: str, chosen: Chosen) -> FoundTable:
    """Tell what each column of a table holds, by its name and by its values.

    Parameters
    ----------
    path : str
    chosen : Chosen
        The columns that were named.

    Raises
    ------
    InputError
        If the file is no table, or its columns can be taken in two ways.
    """
    table = read_table(path, of_systems=True).reaching(chosen.paths())
    cells = cells_of_files([table])
    references = list(chosen.references) or [name for name in table.columns if REFERENCE.fullmatch(name)]
    ids = chosen.ids or table.named(ID_NAMES)
    systems = chosen.systems or table.named(SYSTEM_NAMES)
    output = chosen.outputs or table.named(OUTPUT_NAMES)
    doubts: tuple[str, ...] = ()
    if (systems is None or ids is None) and (output is not None or not references):
        systems, ids, doubts = _guessed(cells, systems, ids, {*references, *chosen.paths()})
    chosen = chosen._replace(ids=ids, systems=systems)
    wide = systems is None
    names = _columns_of_outputs(table, cells, references, chosen) if wide else []
    texts = bool(references) and (bool(names) if wide else output is not None)
    if texts and not wide:
        chosen = chosen._replace(references=tuple(references))
    read = systems_of_table(path, names if texts else (), chosen, scores=not texts)
    if any("," in name or "=" in name for name in (one.name for one in read.systems)):
        raise InputError("a system is named with a comma or =", path=path, hint="an experiment file cannot name it")
    runs = read.systems[0].runs[0]
    scores = () if texts or wide else tuple(runs.scores)
    lower = tuple(name for name in scores if lower_by_name(name) and never_negative(_values(read.systems, name)))
    doubts += tuple(
        f"is a lower {name} better, as its name says? If not, write lower_is_better=false" for name in lower
    )
    return FoundTable(
        path,
        len(table),
        len(runs),
        read.taken._replace(outputs=read.taken.outputs if texts else None),
        {one.name: len(one.runs) for one in read.systems},
        scores,
        lower,
        wide,
        texts,
        tuple(name for name in read.unused if name in read.labels),
        tuple(name for name in read.unused if name not in read.labels),
        tuple(name for name in runs.answers if name not in runs.scores),
        doubts,
        tuple(note for note in read.notes if note.kind not in ("systems", "columns")),
    )


def _values(systems: Sequence[System], column: str) -> list[NDArray[np.float64]]:
    return [run.scores[column] for system in systems for run in system.runs if column in run.scores]


def _columns_of_outputs(table: Table, cells: Cells, references: Sequence[str], chosen: Chosen) -> list[str]:
    """Return the columns of texts that may be those of systems: not those of which few values are repeated."""
    named = [table.named(names) for names in (ID_NAMES, DOCUMENT_NAMES, DOMAIN_NAMES, SOURCE_NAMES)]
    taken = {*references, *named, *chosen.paths()}
    texts = [name for name in table.columns if name not in taken and cells.kind(name) == "text"]
    groups = label_columns({name: table.columns[name] for name in texts})
    return [name for name in texts if name not in groups]


def _guessed(
    cells: Cells, systems: str | None, ids: str | None, taken: set[str | None]
) -> tuple[str | None, str | None, tuple[str, ...]]:
    """Find the columns of systems and items by their values: every system has every item.

    Return both, or none if each row is an item, and a question on what was guessed.
    """
    usual = {
        *RUN_NAMES,
        *REPEAT_NAMES,
        *RATER_NAMES,
        *JUDGE_NAMES,
        *PERSON_NAMES,
        *DOCUMENT_NAMES,
        *DOMAIN_NAMES,
        *OUTPUT_NAMES,
    }
    free = [name for name in cells.columns if name not in taken and column_key(name) not in usual]
    groups = label_columns({name: cells.columns[name] for name in free if cells.kind(name) == "text"})
    found = {
        one: item
        for one in ([*groups] if systems is None else [systems])
        if one != ids and (item := _items(cells, one, ids, free)) is not None
    }
    if len(found) > 1:
        raise InputError(
            f"which column names the systems, {' or '.join(map(repr, found))}?",
            path=cells.name,
            hint=("name it: ", Setting("system_column")),
        )
    if not found:
        return systems, ids, ()
    ((one, item),) = found.items()
    asked = f"systems, and {item!r} of" if systems is None and ids is None else "systems" if systems is None else None
    of = f"is {one!r} the column of {asked}" if asked else f"is {item!r} the column of"
    return one, item, (f"{of}{'' if asked == 'systems' else ' items'}? Every system has all items",)


def _items(cells: Cells, systems: str, ids: str | None, free: Sequence[str]) -> str | None:
    """Return the first column of which every system has all values: ids, or one that stands once in each sample."""
    by_name = {column_key(name): name for name in cells.columns}
    apart = [systems, *(by_name[name] for name in (*RUN_NAMES, *REPEAT_NAMES) if name in by_name)]
    rows = list(zip(*(cells.columns[name] for name in apart), strict=True))
    for name in (one for one in ([ids] if ids is not None else free) if one not in apart):
        values = cells.columns[name]
        held: dict[object, set[object]] = {}
        for row, value in zip(rows, values, strict=True):
            held.setdefault(row[0], set()).add(value)
        first, *others = held.values()
        same = 1 < len(held) < len(first) and None not in first and all(own == first for own in others)
        if same and (ids is not None or len(set(zip(rows, values, strict=True))) == len(rows)):
            return name
    return None
