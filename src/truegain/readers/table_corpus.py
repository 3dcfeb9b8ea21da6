"""Systems and items of a table: a column per system, or a row per system and item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError, Setting, Way, one_of
from truegain.inputs import IN_MEMORY, FileRole, InputFile, Inputs
from truegain.notes import Note
from truegain.readers.cells import Cells, is_missing
from truegain.readers.matching import Ids, places_of
from truegain.readers.repeats import averaged_in_order, say_samples
from truegain.readers.score_values import say_verdicts, verdicts
from truegain.readers.scores import SCORE
from truegain.readers.tabular import (
    DOCUMENT_NAMES,
    DOMAIN_NAMES,
    ID_NAMES,
    OUTPUT_NAMES,
    REFERENCE_NAMES,
    REPEAT_NAMES,
    RUN_NAMES,
    SYSTEM_NAMES,
    Chosen,
    label_columns,
)

__all__ = ["TableSystems", "table_systems"]

_REFERENCES = Way("--ref-column NAME", "references=…")


@dataclass(frozen=True)
class TableSystems:
    """Systems of a table, with all that its columns say of their items."""

    name: str
    systems: list[System]
    references: Mapping[str, list[str | None]]
    ids: Ids | None
    documents: list[str] | None
    domains: list[str] | None
    notes: list[Note]
    files: list[InputFile]
    labels: Mapping[str, tuple[str | None, ...]]

    def corpus(self, name: str | None = None) -> Corpus:
        """Build a corpus of these alone."""
        inputs = Inputs(
            tuple(self.files),
            "line" if self.ids is None else "id",
            None if self.documents is None else self.name,
            None if self.domains is None else self.name,
        )
        built = Corpus.build(
            self.systems,
            list(self.references.values()),
            documents=self.documents,
            domains=self.domains,
            notes=[*self.notes, *inputs.notes()],
            reference_names=list(self.references),
            inputs=inputs,
            labels=self.labels,
        )
        return built if name is None else replace(built, name=name)


def table_systems(cells: Cells, chosen: Chosen, systems: Sequence[str] = (), *, texts: bool) -> TableSystems:
    """Take the systems of a table: long if it has a column of systems, else wide.

    Parameters
    ----------
    cells : Cells
    chosen : Chosen
    systems : sequence of str
        Which systems, and in which order; by default all: sorted by name, or in the order of their columns.
    texts : bool
        Systems have texts, if the table has references or outputs; else scores only.
    """
    if not len(cells):
        raise InputError(f"{'the table' if cells.in_files else 'the frame'} has no rows", path=_path(cells))
    return _Reading(cells, chosen, texts=texts).read(systems)


def _path(cells: Cells) -> str | None:
    return cells.name if cells.in_files else None


class _Reading:
    """Meaning of the columns of a table."""

    def __init__(self, cells: Cells, chosen: Chosen, *, texts: bool) -> None:
        self.cells = cells
        self.systems = cells.found(SYSTEM_NAMES, chosen.systems, "systems", Setting("system_column"))
        long = self.systems is not None
        self.runs = cells.found(RUN_NAMES if long else (), chosen.runs, "runs", Setting("run_column"))
        self.repeats = cells.found(REPEAT_NAMES if long else (), chosen.repeats, "samples", Setting("repeat_column"))
        self.ids = cells.found(ID_NAMES, chosen.ids, "ids", Setting("id_column"))
        self.documents = cells.found(DOCUMENT_NAMES, chosen.documents, "documents", Setting("document_column"))
        self.domains = cells.found(DOMAIN_NAMES, chosen.domains, "domains", Setting("domain_column"))
        usual = cells.found(REFERENCE_NAMES, None, "references", _REFERENCES) if texts else None
        self.references = list(chosen.references) or ([] if usual is None else [usual])
        for name in self.references:
            cells.found((), name, "references", _REFERENCES)
        self.by = chosen.by if chosen.by in cells.columns else None
        self.output: str | None = None
        if long and self.references:
            left = Cells({name: cells.columns[name] for name in self.left()}, cells.files)
            self.output = left.found(OUTPUT_NAMES, chosen.outputs, "outputs", Setting("text_column"))
        self.notes: list[Note] = [note for table, _ in cells.files for note in table.notes]
        self.files: list[InputFile] = []
        if not long:
            for what, column in (("runs", chosen.runs), ("samples", chosen.repeats)):
                if column is not None:
                    raise InputError(
                        f"a column of {what} is named, {column!r}, and the table has no column of systems",
                        path=_path(cells),
                        hint=("name it: ", Setting("system_column")),
                    )

    def left(self) -> list[str]:
        """Return the columns that have no other meaning, so that they may hold scores or texts of systems."""
        one_each = (self.systems, self.runs, self.repeats, self.ids, self.documents, self.domains, self.by)
        taken = {*one_each, *self.references}
        return [name for name in self.cells.columns if name not in taken]

    def read(self, wanted: Sequence[str]) -> TableSystems:
        return self._wide(wanted) if self.systems is None else self._long(self.systems, wanted)

    # ---- A column per system

    def _wide(self, wanted: Sequence[str]) -> TableSystems:
        """Take every column that is left for a system: of texts if there are references, else of scores."""
        kind = ("text",) if self.references else ("number", "truth")
        fit = [name for name in self.left() if self.cells.kind(name) in kind]
        for name in wanted:
            if name not in fit:
                raise one_of(f"{self.cells.name}: a column of {'outputs' if self.references else 'scores'}", name, fit)
        names = list(wanted) or fit
        if not names:
            raise InputError(
                f"no column of {'the table' if self.cells.in_files else 'the frame'} holds "
                f"{'texts of a system' if self.references else 'scores'}; "
                f"it has {', '.join(map(repr, self.cells.columns)) or 'no columns'}",
                path=_path(self.cells),
                hint="a column per system; or a row per system and item, with the columns system, id and score",
            )
        if not wanted:
            self.notes.append(Note("systems", f"Each of the columns {_listed(names)} was taken for a system"))
        self._say_unused([name for name in self.left() if name not in names])
        rows = np.arange(len(self.cells))
        ids = None
        if self.ids is not None:
            ids = tuple(self.cells.labels(self.ids))
            places_of(ids, self.cells.name)
        systems = []
        for name in names:
            if self.references:
                run = Run(name, tuple(self.cells.text(name, row) for row in rows.tolist()))
            else:
                run = Run(name, None, {SCORE: self._scores(name)})
            systems.append(System(name, (run,)))
            self._given(name, run, len(rows), self.cells.name, name if self.cells.in_files else None)
        return self._result(systems, rows, ids, [name for name in self.left() if name not in names])

    # ---- A row per system and item

    def _long(self, column: str, wanted: Sequence[str]) -> TableSystems:
        """Take rows apart by system and run, and match them by their ids."""
        if self.ids is None:
            raise InputError(
                f"{'the table' if self.cells.in_files else 'the frame'} has a row per system and item (column "
                f"{column!r}), and no column of ids to match rows by",
                path=_path(self.cells),
                hint=("name it: ", Setting("id_column"))
                if self.cells.in_files
                else f"name the column of items id or item; there are {', '.join(map(repr, self.cells.columns))}",
            )
        scores = sorted(
            name for name in self.left() if name != self.output and self.cells.kind(name) in ("number", "truth")
        )
        if self.output is None and not scores:
            raise InputError(
                f"{'the table' if self.cells.in_files else 'the frame'} has no column of scores; it has "
                f"{', '.join(map(repr, self.cells.columns))}",
                path=_path(self.cells),
                hint="name the column of numbers score; or give texts in a column output, with a column reference",
            )
        order = _sorted(self.cells.labels(self.ids))
        places = {one: place for place, one in enumerate(order)}
        items = self.cells.codes(self.ids, places)
        labels = _sorted(self.cells.labels(column))
        numbers = [""] if self.runs is None else _sorted(self.cells.labels(self.runs))
        by_system = self.cells.codes(column, {one: place for place, one in enumerate(labels)})
        groups = by_system * len(numbers)
        if self.runs is not None:
            groups += self.cells.codes(self.runs, {one: place for place, one in enumerate(numbers)})
        self._check_repeats(groups * len(order) + items, order)
        self._say_long(column, labels, scores, wanted)
        for name in wanted:
            if name not in labels:
                raise one_of(f"{self.cells.name}: a system of the column {column!r}", name, labels)
        values = {name: self._scores(name) for name in scores}
        sorted_rows = np.lexsort((items, groups))
        ends = np.searchsorted(groups[sorted_rows], np.arange(len(labels) * len(numbers) + 1))
        said: dict[str, list[str]] = {}
        systems = []
        for label in wanted or labels:
            runs = []
            for place, number in enumerate(numbers, labels.index(label) * len(numbers)):
                rows = sorted_rows[ends[place] : ends[place + 1]]
                if rows.size:
                    name = f"{label}.{number}" if number else label
                    run, samples = self._run(name, rows, items[rows], order, values)
                    runs.append(run)
                    files = self.cells.files_of([int(rows.min())] if len(self.cells.files) < 2 else rows.tolist())
                    only = self.output or (scores[0] if len(scores) == 1 and self.cells.in_files else None)
                    self._given(label, run, rows.size, files, only, samples)
                    if samples != (1, 1):
                        said.setdefault(say_samples(len(order), samples), []).append(name)
            systems.append(System(label, tuple(runs)))
        self._say_samples(said)
        for one in (*self.references, self.documents, self.domains, self.by):
            if one is not None:
                self._check_one_each(one)
        first = np.full(len(order), len(items))
        np.minimum.at(first, items, np.arange(len(items)))
        constant = [name for name in self.left() if name != self.output and self._one_each(name, first, items)]
        return self._result(systems, first, tuple(order), constant)

    def _run(
        self,
        name: str,
        rows: NDArray[np.int64],
        items: NDArray[np.int64],
        order: Sequence[str],
        values: Mapping[str, NDArray[np.float64]],
    ) -> tuple[Run, tuple[int, int]]:
        """Return a run with its items in the given order; average scores over rows of one item."""
        counts = np.bincount(items, minlength=len(order))
        lacking = np.flatnonzero(counts == 0)
        if lacking.size:
            raise InputError(
                f"{name}: {lacking.size:,} of {len(order):,} ids of {self.cells.name} are missing, the first "
                f"{order[lacking[0]]!r}",
                hint="every system must have every item, in any order",
            )
        outputs = None
        if self.output is not None:
            if counts.max() > 1:
                twice = int(np.argmax(counts > 1))
                row = int(rows[np.flatnonzero(items == twice)[1]])
                raise self.cells.error(
                    row,
                    f"the id {order[twice]!r} of {name!r} stands twice",
                    "texts are not averaged: give them as runs",
                )
            outputs = tuple(self.cells.text(self.output, row) for row in rows.tolist())
        means = {key: averaged_in_order(own[rows], counts) for key, own in values.items()}
        return Run(name, outputs, means), (int(counts.min()), int(counts.max())) if values else (1, 1)

    def _check_repeats(self, keys: NDArray[np.int64], order: Sequence[str]) -> None:
        """Refuse a sample that stands twice; without a column of samples, an item of a system in two files."""
        if self.repeats is not None:
            samples = _sorted(self.cells.labels(self.repeats))
            own = keys * len(samples) + self.cells.codes(self.repeats, {one: n for n, one in enumerate(samples)})
            if (row := _second(own)) is not None:
                item, sample = order[keys[row] % len(order)], self.cells.labels(self.repeats)[row]
                raise self.cells.error(row, f"the sample {sample!r} of the item {item!r} stands twice")
        elif len(self.cells.files) > 1:
            files = self.cells.file_numbers()
            order_of = np.lexsort((files, keys))
            sorted_keys, sorted_files = keys[order_of], files[order_of]
            both = np.flatnonzero((sorted_keys[1:] == sorted_keys[:-1]) & (sorted_files[1:] != sorted_files[:-1]))
            if both.size:
                row = int(order_of[both[0] + 1])
                raise InputError(
                    f"the item {order[keys[row] % len(order)]!r} of a system stands in "
                    f"{self.cells.files_of([int(order_of[both[0]])])} as well",
                    path=self.cells.files_of([row]),
                    hint=(
                        "if these are samples, name the column that tells them apart: ",
                        Setting("repeat_column"),
                        "; if the files are of different systems, name them: ",
                        Setting("systems", {"NAME": "FILE"}),
                    ),
                )

    def _check_one_each(self, name: str) -> None:
        """Refuse an item with two documents, domains or references."""
        assert self.ids is not None
        ids, values = self.cells.labels(self.ids), self.cells.columns[name]
        if len(set(zip(ids, values, strict=True))) == len(set(ids)):
            return
        known: dict[str, object] = {}
        for row, (item, value) in enumerate(zip(ids, values, strict=True)):
            before = known.setdefault(item, value)
            if before != value and not (is_missing(before) and is_missing(value)):
                here, there = str(value)[:40], str(before)[:40]
                raise self.cells.error(
                    row, f"the item {item!r} has {here!r} in the column {name!r}, and {there!r} before"
                )

    # ---- What both have

    def _scores(self, name: str) -> NDArray[np.float64]:
        words = verdicts(self.cells.columns[name])
        if self.cells.kind(name) == "truth":
            self.notes.append(Note("truth-values", say_verdicts(name, words)))
        return self.cells.numbers(name)

    def _given(
        self, system: str, run: Run, rows: int, file: str, column: str | None, samples: tuple[int, int] = (1, 1)
    ) -> None:
        role: FileRole = "scores" if run.outputs is None else "outputs"
        name = file if self.cells.in_files else IN_MEMORY
        self.files.append(InputFile(name, role, rows, system, column, self.ids, samples))

    def _say_unused(self, names: Sequence[str]) -> None:
        if names:
            said = f"Columns {_listed(names)} are" if len(names) > 1 else f"Column {names[0]!r} is"
            self.notes.append(Note("columns", f"{said} not used: neither a system nor of a known name"))

    def _say_long(self, systems: str, labels: Sequence[str], scores: Sequence[str], wanted: Sequence[str]) -> None:
        """Say what each column was taken for."""
        sort = "" if wanted else f", sorted by name: {labels[0]!r} is the first"
        others = {
            "items": self.ids,
            "runs": self.runs,
            "samples": self.repeats,
            "documents": self.documents,
            "domains": self.domains,
            "outputs": self.output,
        }
        taken = [f"{what} from {name!r}" for what, name in others.items() if name is not None]
        taken += [f"scores from {_listed(scores)}"] if scores else []
        self.notes.append(Note("systems", f"Systems come from the column {systems!r}{sort}; {', '.join(taken)}"))
        self._say_unused(sorted(name for name in self.left() if name != self.output and name not in scores))

    def _say_samples(self, said: Mapping[str, Sequence[str]]) -> None:
        for text, runs in said.items():
            more = f" and {len(runs) - 3:,} more" if len(runs) > 3 else ""
            of = "" if len(said) == 1 else f" of {', '.join(runs[:3])}{more}"
            self.notes.append(Note("samples", f"{text}{of} by the column {self.ids!r}: averaged per item"))

    def _one_each(self, name: str, first: NDArray[np.int64], items: NDArray[np.int64]) -> bool:
        """Return whether a column has one value per item, so that items can be grouped by it."""
        values = self.cells.columns[name]
        wanted = [values[row] for row in first.tolist()]
        return all(wanted[item] == value for item, value in zip(items.tolist(), values, strict=True))

    def _labels(self, rows: Sequence[int], names: Sequence[str]) -> dict[str, tuple[str | None, ...]]:
        """Return the column to group by, or else those of these columns that could be it."""
        if self.by is not None:
            own = self.cells.labels(self.by)
            return {self.by: tuple(own[row] for row in rows)}
        given = {name: [self.cells.columns[name][row] for row in rows] for name in names}
        return label_columns(
            {name: [None if is_missing(one) else str(one) for one in own] for name, own in given.items()}
        )

    def _result(
        self,
        systems: list[System],
        rows: NDArray[np.int64],
        ids: tuple[str, ...] | None,
        groups_by: Sequence[str],
    ) -> TableSystems:
        at = rows.tolist()
        name = self.cells.name if self.cells.in_files else IN_MEMORY
        references = {
            column: [
                None if is_missing(self.cells.columns[column][row]) else self.cells.text(column, row) for row in at
            ]
            for column in self.references
        }
        groups = [
            None if column is None else [own[row] for row in at]
            for column in (self.documents, self.domains)
            for own in ([] if column is None else self.cells.labels(column),)
        ]
        files = [InputFile(name, "reference", len(at), column=column) for column in self.references]
        return TableSystems(
            name,
            systems,
            references,
            None if ids is None else Ids(self.cells.name, ids),
            groups[0],
            groups[1],
            self.notes,
            [*files, *self.files],
            self._labels(at, groups_by),
        )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))


def _sorted(labels: Iterable[str]) -> list[str]:
    """Return each label once, in an order that does not depend on that of the rows: numbers by their value."""
    return sorted(set(labels), key=lambda one: (not one.isdecimal(), int(one) if one.isdecimal() else 0, one))


def _second(keys: NDArray[np.int64]) -> int | None:
    """Return the first row whose key stands in an earlier row; None if there is none."""
    _, first = np.unique(keys, return_index=True)
    if first.size == keys.size:
        return None
    again = np.ones(keys.size, bool)
    again[first] = False
    return int(np.argmax(again))
