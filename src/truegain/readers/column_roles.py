"""Roles of the columns of a table, and the systems that are taken from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError, Setting, Way
from truegain.inputs import IN_MEMORY, FileRole, Grouping, InputFile, Inputs
from truegain.notes import Note
from truegain.readers.cells import Cells, is_missing
from truegain.readers.column_names import (
    DOCUMENT_NAMES,
    DOMAIN_NAMES,
    ID_NAMES,
    JUDGE_NAMES,
    OUTPUT_NAMES,
    PERSON_NAMES,
    RATER_NAMES,
    REFERENCE_COLUMN,
    REPEAT_NAMES,
    RUN_NAMES,
    SOURCE_NAMES,
    UNNAMED_COLUMN,
    Chosen,
    column_key,
    parts_of,
)
from truegain.readers.field_columns import FieldColumn, coded
from truegain.readers.matching import Ids
from truegain.readers.name_pieces import natural
from truegain.readers.score_values import say_verdicts
from truegain.readers.tabular import label_columns

_REFERENCES = Way("--ref-column NAME", "references=…")


@dataclass(frozen=True)
class TableSystems:
    """Systems of a table, with all that its columns say of their items.

    Attributes
    ----------
    taken : Chosen
        What each column was taken for.
    unused : tuple of str
        The columns that have no meaning.
    """

    name: str
    systems: list[System]
    references: Mapping[str, list[str | None]]
    ids: Ids | None
    documents: list[str] | None
    domains: list[str] | None
    notes: list[Note]
    files: list[InputFile]
    labels: Mapping[str, tuple[str | None, ...]]
    taken: Chosen
    unused: tuple[str, ...] = ()
    sources: list[str] | None = None

    def corpus(self, name: str | None = None, grouping: Grouping | None = None) -> Corpus:
        """Build a corpus of these alone, with documents and domains from another file, if there are any.

        Raises
        ------
        InputError
            If the table has those of its own.
        """
        grouping = grouping or Grouping()
        whats: tuple[FileRole, FileRole] = ("documents", "domains")
        for what, own in zip(whats, (self.documents, self.domains), strict=True):
            if own is not None and (other := grouping.source(what)) is not None:
                raise InputError(f"{what} come from {other} and from a column", path=self.name, hint="leave one out")
        inputs = Inputs(
            (*self.files, *grouping.files),
            "line" if self.ids is None else "id",
            grouping.source("documents") or (None if self.documents is None else self.name),
            grouping.source("domains") or (None if self.domains is None else self.name),
        )
        built = Corpus.build(
            self.systems,
            list(self.references.values()),
            documents=grouping.documents or self.documents,
            domains=grouping.domains or self.domains,
            notes=[*self.notes, *grouping.notes, *inputs.notes()],
            reference_names=[f"the column {column!r}" for column in self.references],
            inputs=inputs,
            labels={**self.labels, **grouping.labels},
            sources=self.sources,
            ids=None if self.ids is None else self.ids.values,
        )
        return built if name is None else replace(built, name=name)


class ColumnRoles(ABC):
    """Meaning of the columns of a table, and what wide and long tables have in common.

    Parameters
    ----------
    cells : Cells
    chosen : Chosen
    systems : str, optional
        The column of systems, which a long table has.
    texts : bool
        Systems have texts, if the table has references or outputs; else scores only.
    """

    def __init__(self, cells: Cells, chosen: Chosen, systems: str | None, *, texts: bool) -> None:
        self.cells = cells
        self.systems = systems
        long = systems is not None
        found = partial(cells.found, taken=chosen.named())
        self.runs = found(RUN_NAMES if long else (), chosen.runs, "runs", Setting("run_column"))
        self.repeats = found(REPEAT_NAMES if long else (), chosen.repeats, "samples", Setting("repeat_column"))
        self.ids = found(ID_NAMES, chosen.ids, "ids", Setting("id_column"))
        rows = [name for name in (systems, self.runs, self.repeats, self.ids) if name is not None]
        self.raters = _rater_column(cells, chosen, rows, self.ids if self.repeats is None else None) if long else None
        self.documents = found(DOCUMENT_NAMES, chosen.documents, "documents", Setting("document_column"))
        self.domains = found(DOMAIN_NAMES, chosen.domains, "domains", Setting("domain_column"))
        usual = [name for name in cells.columns if REFERENCE_COLUMN.fullmatch(name)]
        self.references = list(chosen.references) or (usual if texts else [])
        for name in self.references:
            cells.found((), name, "references", _REFERENCES)
        lower = {column_key(name): name for name in cells.columns} if self.references else {}
        named = (lower[name] for name in SOURCE_NAMES if name in lower)
        self.sources = next((name for name in named if cells.kind(name) == "text"), None)
        self.by = chosen.by if chosen.by in cells.columns else None
        self.output: str | None = None
        if long and self.references:
            left = Cells({name: cells.columns[name] for name in self.left()}, cells.files)
            self.output = left.found(OUTPUT_NAMES, chosen.outputs, "outputs", Setting("text_column"))
        self.notes: list[Note] = [note for table, _ in cells.files for note in table.notes]
        self.files: list[InputFile] = []
        self.unused: tuple[str, ...] = ()
        if not long:
            for what, column in (("runs", chosen.runs), ("samples", chosen.repeats), ("raters", chosen.raters)):
                if column is not None:
                    raise InputError(
                        f"a column of {what} is named, {column!r}, and the table has no column of systems",
                        path=cells.path,
                        hint=("name it: ", Setting("system_column")),
                    )

    def left(self) -> list[str]:
        """Return the columns with a name that have no other meaning: they may hold scores or texts of systems."""
        return [name for name in self._free() if not UNNAMED_COLUMN.fullmatch(name)]

    def _free(self) -> list[str]:
        one_each = (self.systems, self.runs, self.repeats, self.ids, self.documents, self.domains, self.by)
        taken = {*one_each, self.raters, self.sources, *self.references, *parts_of(self.ids)}
        return [name for name in self.cells.columns if name not in taken]

    @abstractmethod
    def read(self, wanted: Sequence[str]) -> TableSystems:
        """Return the systems: those that are wanted, or all."""

    def _scores(self, name: str) -> NDArray[np.float64]:
        if self.cells.kind(name) == "truth":
            self.notes.append(Note("truth-values", say_verdicts(name, self.cells.verdicts(name))))
        return self.cells.numbers(name)

    def _given(
        self, system: str, run: Run, rows: int, file: str, column: str | None, samples: tuple[int, int] = (1, 1)
    ) -> None:
        role: FileRole = "scores" if run.outputs is None else "outputs"
        name = file if self.cells.in_files else IN_MEMORY
        self.files.append(InputFile(name, role, rows, system, column, self.ids, samples))

    def _say_unused(self, names: Sequence[str]) -> None:
        self.unused = tuple(names)
        names = [*names, *(name for name in self._free() if UNNAMED_COLUMN.fullmatch(name))]
        if names:
            said = f"Columns {listed(names)} are" if len(names) > 1 else f"Column {names[0]!r} is"
            self.notes.append(
                Note("columns", f"{said} not used, except to group by: neither a system nor of a known name")
            )

    def _by_row(self, rows: NDArray[np.int64], ids: Sequence[str]) -> bool:
        """Return whether items are in the order of the rows, and numbers within sorted ids in that of their values."""
        sure = self.systems is None or all(natural(one) <= natural(two) for one, two in pairwise(ids))
        return sure and bool((np.diff(rows) > 0).all())

    def _labels(self, rows: Sequence[int], names: Sequence[str]) -> dict[str, tuple[str | None, ...]]:
        """Return the column to group by, or else those of these columns that could be it."""
        if self.by is not None:
            own = self.cells.labels(self.by)
            return {self.by: tuple(own[row] for row in rows)}
        given = {name: [own[row] for row in rows] for name in names for own in (self.cells.at(name),)}
        return label_columns(
            {name: [None if is_missing(one) else str(one) for one in own] for name, own in given.items()}
        )

    def _result(
        self, systems: list[System], rows: NDArray[np.int64], ids: tuple[str, ...] | None, groups_by: Sequence[str]
    ) -> TableSystems:
        at = rows.tolist()
        name = self.cells.name if self.cells.in_files else IN_MEMORY
        references = {
            column: [None if is_missing(self.cells.at(column)[row]) else self.cells.text(column, row) for row in at]
            for column in self.references
        }
        groups = [
            None if column is None else [own[row] for row in at]
            for column in (self.documents, self.domains)
            for own in ([] if column is None else self.cells.labels(column),)
        ]
        files = [InputFile(name, "reference", len(at), column=column) for column in self.references]
        if self.sources is not None:
            files.append(InputFile(name, "source", len(at), column=self.sources))
        return TableSystems(
            name,
            systems,
            references,
            None if ids is None else Ids(self.cells.name, ids, self._by_row(rows, ids), self.ids),
            groups[0],
            groups[1],
            self.notes,
            [*files, *self.files],
            self._labels(at, [*groups_by, *(part for part in parts_of(self.ids) if part in self.cells.columns)]),
            Chosen(
                self.systems,
                self.runs,
                self.repeats,
                self.ids,
                self.documents,
                self.domains,
                self.output,
                tuple(self.references),
                self.by,
                self.raters,
            ),
            self.unused,
            None if self.sources is None else [self.cells.text(self.sources, row) for row in at],
        )


def _rater_column(cells: Cells, chosen: Chosen, rows: Sequence[str], ids: str | None) -> str | None:
    """Return the column of those who rated: the one that was named, or one with a usual name.

    Other people count if one item has several of them. Whoever can only have rated counts, too, if each has two items
    on average; a reviewer of one item each may be its author. Beside a column of samples nobody else is looked for.
    """
    keys = {column_key(name): name for name in cells.columns if name not in rows}
    judges, people = (
        [name for name in names if name in keys and _names_judges(cells, keys[name], rows)]
        for names in (JUDGE_NAMES, PERSON_NAMES)
    )
    found = cells.found((*RATER_NAMES, *judges), chosen.raters, "raters", Setting("rater_column"), chosen.named())
    if people and found is None and ids is not None:
        items = cells.different([ids])
        several = [
            name
            for name in people
            if cells.different([ids, keys[name]]) > items
            or (
                (name.endswith("_by") or name.startswith(("linguist", "coder")))
                and 2 * cells.different([keys[name]]) <= items
            )
        ]
        found = cells.found(several, None, "raters", Setting("rater_column"), chosen.named())
    return found


def _names_judges(cells: Cells, name: str, rows: Sequence[str]) -> bool:
    """Return whether a column names several judges: it holds neither scores nor what a judge said.

    Numbers are names if they alone tell apart the rows of an item, which ``rows`` name.
    """
    values = cells.columns[name]
    if isinstance(values, FieldColumn) and not values.kept:
        return False
    try:
        names = coded(values).values
        # MT-Bench's judge is a list, of a model and a prompt: each prompt is not a rater.
        if not 1 < len(names) <= len(cells) // 2 or any(str(one).startswith("[") for one in names):
            return False
        return cells.kind(name) == "text" or len(cells) == cells.different([*rows, name]) > cells.different(rows)
    except TypeError:  # lists name nobody
        return False


def listed(names: Sequence[str]) -> str:
    """Write names in quotes, with commas between them."""
    return ", ".join(map(repr, names))
