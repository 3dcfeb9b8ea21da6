"""A table as a corpus: a column per system, or a row per system and item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError
from truegain.inputs import IN_MEMORY, FileRole, InputFile, Inputs
from truegain.notes import Note
from truegain.readers.decoding import check_characters
from truegain.readers.matching import order_by, places_of
from truegain.readers.repeats import averaged, say_samples
from truegain.readers.score_values import column_kind, json_kind, required_json
from truegain.readers.scores import SCORE
from truegain.readers.tabular import label_columns

__all__ = ["Cells", "corpus_from_cells", "usual"]

_SYSTEM_NAMES = ("system", "model")
_RUN_NAMES = ("run", "seed")
_OUTPUT_NAMES = ("output", "hypothesis", "text")
_FRAME = "the frame"


def corpus_from_cells(table: Cells) -> Corpus:
    """Build a corpus: long if there is a column of systems, else wide."""
    systems = usual(table.columns, _SYSTEM_NAMES)
    return _wide(table) if systems is None else _long(table, systems)


@dataclass
class Cells:
    """The columns of a frame, and which of them are no systems."""

    columns: dict[str, list[Any]]
    ids: str | None
    references: list[str]
    documents: str | None
    domains: str | None
    by: str | None
    notes: list[Note] = field(default_factory=list)
    unused: Sequence[str] = ()

    def others(self, *taken: str | None) -> list[str]:
        """Return the columns that are left."""
        known = {self.ids, self.documents, self.domains, self.by, *self.references, *taken}
        return [name for name in self.columns if name not in known]

    def kind(self, name: str) -> str:
        found = column_kind(self.columns[name], json_kind)
        return "number" if found == "truth" else found

    def left_out(self, names: Sequence[str]) -> None:
        self.unused = names
        if names:
            listed = ", ".join(map(repr, names))
            said = f"Columns {listed} are" if len(names) > 1 else f"Column {listed} is"
            self.notes.append(Note("columns", f"{said} not used: neither a system nor of a known name"))


def _wide(table: Cells) -> Corpus:
    """Take every column that is left for a system: of texts if there are references, else of scores."""
    wanted = "text" if table.references else "number"
    names = [name for name in table.others() if table.kind(name) == wanted]
    if not names:
        raise InputError(
            f"no column of the frame holds {'texts of a system' if table.references else 'scores'}; "
            f"it has {', '.join(map(repr, table.columns)) or 'no columns'}",
            hint="a column per system; or a row per system and item, with the columns system, id and score",
        )
    table.left_out([name for name in table.others() if name not in names])
    if table.ids is not None:
        places_of(_texts(table, table.ids), _FRAME)
    rows = range(len(table.columns[names[0]]))
    runs = {name: [_run(table, name, rows)] for name in names}
    return _built(table, runs, rows, [_given(name, run) for name, (run,) in runs.items()])


def _long(table: Cells, systems: str) -> Corpus:
    """Take rows apart by system and run, and match them by their ids."""
    if table.ids is None:
        raise InputError(
            f"the frame has a row per system and item (column {systems!r}), and no column of ids to match rows by",
            hint=f"name the column of items id or item; there are {', '.join(map(repr, table.columns))}",
        )
    run_column = usual(table.columns, _RUN_NAMES)
    left = table.others(systems, run_column)
    output = usual(left, _OUTPUT_NAMES) if table.references else None
    scores = [name for name in left if table.kind(name) == "number"]
    if output is None and not scores:
        raise InputError(
            f"the frame has no column of scores; it has {', '.join(map(repr, table.columns))}",
            hint="name the column of numbers score; or give texts in a column output, with a column reference",
        )
    table.left_out([name for name in left if name != output and name not in scores])
    ids = _texts(table, table.ids)
    labels = _texts(table, systems)
    numbers = [""] * len(ids) if run_column is None else _texts(table, run_column)
    rows: dict[tuple[str, str], list[int]] = {}
    for row, label in enumerate(zip(labels, numbers, strict=True)):
        rows.setdefault(label, []).append(row)
    order = _sorted(ids)
    runs: dict[str, list[Run]] = {system: [] for system in _sorted(labels)}
    read = []
    for system in runs:
        for number in _sorted(own for one, own in rows if one == system):
            name = f"{system}.{number}" if number else system
            run, samples = _matched(table, name, rows[system, number], ids, order, output, scores)
            runs[system].append(run)
            read.append(_given(system, run, rows=len(rows[system, number]), ids=table.ids, samples=samples))
    for column in (*table.references, table.documents, table.domains, table.by):
        if column is not None:
            _check_one_each(table, column, ids)
    row_of = {one: row for row, one in reversed(list(enumerate(ids)))}
    return _built(table, runs, [row_of[one] for one in order], read)


def _sorted(labels: Iterable[str]) -> list[str]:
    """Return each label once, in an order that does not depend on that of the rows: numbers by their value."""
    return sorted(set(labels), key=lambda one: (not one.isdecimal(), int(one) if one.isdecimal() else 0, one))


def _matched(
    table: Cells,
    name: str,
    rows: Sequence[int],
    ids: Sequence[str],
    order: Sequence[str],
    output: str | None,
    scores: Sequence[str],
) -> tuple[Run, tuple[int, int]]:
    """Return a run with its items in the given order; average scores over rows of one item."""
    own = [ids[row] for row in rows]
    outputs = None
    if output is not None:
        places = order_by(own, order, name, _FRAME)
        outputs = tuple(_line(table.columns[output][rows[place]], output, rows[place]) for place in places)
    values = {key: _numbers(table, key, rows) for key in scores}
    if not values:
        return Run(name, outputs), (1, 1)
    items, means, samples = averaged(own, values)
    if samples != (1, 1):
        said = f"{say_samples(len(items), samples)} by the column {table.ids!r}: averaged per item"
        table.notes.append(Note("samples", said, file=name))
    kept = order_by(items, order, name, _FRAME)
    named = {SCORE if len(means) == 1 else key: one[kept] for key, one in means.items()}
    return Run(name, outputs, named), samples


def _built(table: Cells, runs: Mapping[str, Sequence[Run]], rows: Sequence[int], read: Sequence[InputFile]) -> Corpus:
    references = [
        [None if _missing(one := table.columns[name][row]) else _line(one, name, row) for row in rows]
        for name in table.references
    ]
    documents, domains = (
        None if name is None else [_texts(table, name)[row] for row in rows]
        for name in (table.documents, table.domains)
    )
    files = [InputFile(IN_MEMORY, "reference", len(rows), column=name) for name in table.references]
    inputs = Inputs(
        (*files, *read),
        "line" if table.ids is None else "id",
        None if table.documents is None else IN_MEMORY,
        None if table.domains is None else IN_MEMORY,
    )
    return Corpus.build(
        [System(name, tuple(own)) for name, own in runs.items()],
        references,
        documents=documents,
        domains=domains,
        notes=[*table.notes, *inputs.notes()],
        reference_names=table.references,
        inputs=inputs,
        labels=_labels(table, rows),
    )


def _labels(table: Cells, rows: Sequence[int]) -> dict[str, tuple[str | None, ...]]:
    """Return the column to group by, or else the columns of texts that could be it."""
    if table.by is not None:
        values = _texts(table, table.by)
        return {table.by: tuple(values[row] for row in rows)}
    given = {name: [table.columns[name][row] for row in rows] for name in table.unused}
    return label_columns({name: [None if _missing(one) else str(one) for one in own] for name, own in given.items()})


def _run(table: Cells, name: str, rows: Sequence[int]) -> Run:
    if table.references:
        return Run(name, tuple(_line(table.columns[name][row], name, row) for row in rows))
    return Run(name, None, {SCORE: _numbers(table, name, rows)})


def _given(
    system: str, run: Run, *, rows: int | None = None, ids: str | None = None, samples: tuple[int, int] = (1, 1)
) -> InputFile:
    role: FileRole = "scores" if run.outputs is None else "outputs"
    return InputFile(IN_MEMORY, role, len(run) if rows is None else rows, system, None, ids, samples)


def usual(columns: Mapping[str, Any] | Sequence[str], names: Sequence[str]) -> str | None:
    """Return the column with one of the usual names, the first of those names that there is."""
    by_name = {column.lower(): column for column in reversed(list(columns))}
    return next((by_name[name] for name in names if name in by_name), None)


def _missing(value: Any) -> bool:
    """Return whether a value stands for none: None, NaN, or what pandas has for them."""
    return (
        value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    )


def _texts(table: Cells, name: str) -> list[str]:
    """Return ids, labels or documents as texts; whole numbers of a column with gaps were made floats by pandas."""
    found = []
    for row, value in enumerate(table.columns[name], 1):
        if _missing(value):
            raise InputError(f"row {row:,} of the frame has nothing in the column {name!r}")
        found.append(str(value))
    return found


def _line(value: Any, column: str, row: int) -> str:
    if not isinstance(value, str):
        raise InputError(
            f"row {row + 1:,} of the column {column!r} is {'missing' if _missing(value) else type(value).__name__}; "
            "a string was expected"
        )
    check_characters(value, f"row {row + 1:,} of the column {column!r}")
    return value


def _numbers(table: Cells, column: str, rows: Sequence[int]) -> NDArray[np.float64]:
    values = table.columns[column]
    kind = column_kind(values, json_kind)
    found = []
    for row in rows:
        try:
            found.append(required_json(column, None if _missing(values[row]) else values[row], kind))
        except InputError as error:
            raise error.at(None, before=f"row {row + 1:,} of the frame: ") from None
    return np.array(found)


def _check_one_each(table: Cells, column: str, ids: Sequence[str]) -> None:
    """Refuse an item with two documents, domains or references."""
    known: dict[str, Any] = {}
    for row, (item, value) in enumerate(zip(ids, table.columns[column], strict=True), 1):
        before = known.setdefault(item, value)
        if before != value and not (_missing(before) and _missing(value)):
            raise InputError(
                f"row {row:,} of the frame: the item {item!r} has {str(value)[:40]!r} in the column {column!r}, and "
                f"{str(before)[:40]!r} before"
            )
