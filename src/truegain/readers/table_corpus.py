"""Systems and items of a table: a column per system, or a row per system and item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError, Setting, Way, one_of
from truegain.inputs import IN_MEMORY, FileRole, InputFile, Inputs
from truegain.notes import Note
from truegain.readers.cells import Cells, is_missing
from truegain.readers.field_columns import FieldColumn, coded
from truegain.readers.matching import Ids, places_of
from truegain.readers.repeats import answer_codes, averaged_in_order, samples_in_order, say_samples
from truegain.readers.score_values import say_verdicts
from truegain.readers.scores import SCORE
from truegain.readers.tabular import (
    DOCUMENT_NAMES,
    DOMAIN_NAMES,
    ID_NAMES,
    OUTPUT_NAMES,
    RATER_NAMES,
    REFERENCE_NAMES,
    REPEAT_NAMES,
    RUN_NAMES,
    SYSTEM_NAMES,
    Chosen,
    label_columns,
)

__all__ = ["TableSystems", "table_systems"]

_FEWER = "leave the system out"
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
            reference_names=[f"the column {column!r}" for column in self.references],
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
        self.raters = _rater_column(cells) if long else None
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
        self.unused: tuple[str, ...] = ()
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
        taken = {*one_each, self.raters, *self.references}
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
            own = self.cells.labels(self.ids)
            ids = tuple(own.values[code] for code in own.codes.tolist())
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
        order = _sorted(self.cells.labels(self.ids).values)
        places = {one: place for place, one in enumerate(order)}
        items = self.cells.codes(self.ids, places)
        labels = _sorted(self.cells.labels(column).values)
        numbers = [""] if self.runs is None else _sorted(self.cells.labels(self.runs).values)
        groups = self.cells.codes(column, {one: place for place, one in enumerate(labels)}).astype(np.int64)
        if self.runs is not None:
            groups *= len(numbers)
            groups += self.cells.codes(self.runs, {one: place for place, one in enumerate(numbers)})
        keys = groups  # from here on those of systems, runs and items
        keys *= len(order)
        keys += items
        self._check_repeats(keys, order)
        sorted_rows = np.argsort(keys, kind="stable")
        ordered = keys[sorted_rows]
        several = self.output is None and bool((ordered[1:] == ordered[:-1]).any())
        del ordered
        codes = self._answers(_first_rows(items, len(order)), items) if several else {}
        self._say_long(column, labels, scores, wanted, sorted(codes))
        for name in wanted:
            if name not in labels:
                raise one_of(f"{self.cells.name}: a system of the column {column!r}", name, labels)
        values = {name: self._scores(name) for name in scores}
        if self.cells.rated:
            lacking = np.isnan(np.array(list(values.values()))).any(axis=0)
            sorted_rows = sorted_rows[~lacking[sorted_rows]]
        ends = np.searchsorted(keys[sorted_rows], np.arange(len(labels) * len(numbers) + 1) * len(order))
        del keys, groups
        said: dict[str, list[str]] = {}
        systems = []
        for label in wanted or labels:
            runs = []
            for place, number in enumerate(numbers, labels.index(label) * len(numbers)):
                rows = sorted_rows[ends[place] : ends[place + 1]]
                if rows.size:
                    name = f"{label}.{number}" if number else label
                    run, samples = self._run(name, rows, items[rows], order, values, codes)
                    runs.append(run)
                    files = self.cells.files_of(rows)
                    only = self.output or (scores[0] if len(scores) == 1 and self.cells.in_files else None)
                    self._given(label, run, rows.size, files, only, samples)
                    if samples != (1, 1):
                        noun = "samples" if self.raters is None else "ratings"
                        said.setdefault(say_samples(np.unique(items[rows]).size, samples, noun), []).append(name)
            if not runs:
                raise InputError(f"no item of {label!r} has a score", path=_path(self.cells), hint=_FEWER)
            systems.append(System(label, tuple(runs)))
        self._say_samples(said)
        for one in (*self.references, self.documents, self.domains, self.by):
            if one is not None:
                self._check_one_each(one, items, order)
        first = _first_rows(items, len(order))
        constant = [name for name in self.left() if name != self.output and self._one_each(name, first, items)]
        return self._result(systems, first, tuple(order), constant)

    def _run(
        self,
        name: str,
        rows: NDArray[np.int64],
        items: NDArray[Any],
        order: Sequence[str],
        values: Mapping[str, NDArray[np.float64]],
        codes: Mapping[str, NDArray[Any]],
    ) -> tuple[Run, tuple[int, int]]:
        """Return a run with its items in the given order; average scores over rows of one item."""
        counts = np.bincount(items, minlength=len(order))
        lacking = np.flatnonzero(counts == 0)
        if lacking.size and not self._rated:
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
        there = counts > 0
        means = {}
        for key, own in values.items():
            means[key] = np.full(len(order), np.nan)
            means[key][there] = averaged_in_order(own[rows], counts[there])
        repeats, answers = (
            {key: samples_in_order(own[rows], counts, order) for key, own in given.items()} if counts.max() > 1 else {}
            for given in (values, codes)
        )
        file = self.cells.name if values and self.cells.in_files else ""
        run = Run(name, outputs, means, file, repeats=repeats, answers=answers | repeats)
        return run, (int(counts[there].min()), int(counts.max())) if values else (1, 1)

    @property
    def _rated(self) -> bool:
        """Return whether rows are ratings of people, of which a system may lack some."""
        return self.output is None and (self.raters is not None or self.cells.rated)

    def _answers(self, first: NDArray[np.int64], items: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return the columns of texts that differ within items and are held, a number for each different text."""
        found = {}
        for name in self.left():
            values = self.cells.columns[name]
            if self.cells.kind(name) != "text" or self._one_each(name, first, items):
                continue
            if not isinstance(values, FieldColumn) or values.kept:
                with suppress(TypeError):  # lists are no answers
                    found[name] = answer_codes(values)
        return found

    def _check_repeats(self, keys: NDArray[np.int64], order: Sequence[str]) -> None:
        """Refuse a sample that stands twice; without a column of samples, an item of a system in two files."""
        if self.repeats is not None:
            samples = _sorted(self.cells.labels(self.repeats).values)
            own = keys * len(samples)
            own += self.cells.codes(self.repeats, {one: n for n, one in enumerate(samples)})
            if (row := _second(own)) is not None:
                item, sample = order[keys[row] % len(order)], self.cells.labels(self.repeats)[row]
                raise self.cells.error(row, f"the sample {sample!r} of the item {item!r} stands twice")
        elif len(self.cells.files) > 1 and self.raters is None:
            files = self.cells.file_numbers()
            order_of = np.lexsort((files, keys))
            sorted_keys, sorted_files = keys[order_of], files[order_of]
            both = np.flatnonzero((sorted_keys[1:] == sorted_keys[:-1]) & (sorted_files[1:] != sorted_files[:-1]))
            if both.size:
                row = int(order_of[both[0] + 1])
                raise InputError(
                    f"the item {order[keys[row] % len(order)]!r} of a system stands in "
                    f"{self.cells.files_of(order_of[both[:1]])} as well",
                    path=self.cells.files_of(np.array([row])),
                    hint=(
                        "if these are samples, name the column that tells them apart: ",
                        Setting("repeat_column"),
                        "; if the files are of different systems, name them: ",
                        Setting("systems", {"NAME": "FILE"}),
                    ),
                )

    def _check_one_each(self, name: str, items: NDArray[Any], order: Sequence[str]) -> None:
        """Refuse an item with two documents, domains or references."""
        found = coded(self.cells.columns[name])
        first = _first_rows(items, len(order))
        for row in np.flatnonzero(found.codes[first][items] != found.codes).tolist():
            item = items[row]
            before, value = found[int(first[item])], found[row]
            if not (is_missing(before) and is_missing(value)):
                here, there = str(value)[:40], str(before)[:40]
                raise self.cells.error(
                    row, f"the item {order[item]!r} has {here!r} in the column {name!r}, and {there!r} before"
                )

    # ---- What both have

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
        if names:
            said = f"Columns {_listed(names)} are" if len(names) > 1 else f"Column {names[0]!r} is"
            self.notes.append(Note("columns", f"{said} not used: neither a system nor of a known name"))

    def _say_long(
        self, systems: str, labels: Sequence[str], scores: Sequence[str], wanted: Sequence[str], answers: Sequence[str]
    ) -> None:
        """Say what each column was taken for."""
        sort = "" if wanted else f", sorted by name: {labels[0]!r} is the first"
        others = {
            "items": self.ids,
            "runs": self.runs,
            "samples": self.repeats,
            "raters": self.raters,
            "documents": self.documents,
            "domains": self.domains,
            "outputs": self.output,
        }
        taken = [f"{what} from {name!r}" for what, name in others.items() if name is not None]
        taken += [f"scores from {_listed(scores)}"] if scores else []
        self.notes.append(Note("systems", f"Systems come from the column {systems!r}{sort}; {', '.join(taken)}"))
        if answers:
            said = f"Columns {_listed(answers)} hold" if len(answers) > 1 else f"Column {answers[0]!r} holds"
            self.notes.append(Note("columns", f"{said} texts, which are answers for the metric majority alone"))
        self._say_unused(sorted(name for name in self.left() if name not in (self.output, *scores, *answers)))

    def _say_samples(self, said: Mapping[str, Sequence[str]]) -> None:
        for text, runs in said.items():
            more = f" and {len(runs) - 3:,} more" if len(runs) > 3 else ""
            of = "" if len(said) == 1 else f" of {', '.join(runs[:3])}{more}"
            self.notes.append(Note("samples", f"{text}{of} by the column {self.ids!r}: averaged per item"))

    def _one_each(self, name: str, first: NDArray[np.int64], items: NDArray[Any]) -> bool:
        """Return whether a column has one value per item, so that items can be grouped by it."""
        values = self.cells.columns[name]
        if isinstance(values, FieldColumn) and not values.kept:
            return False
        try:
            codes = coded(values).codes
        except TypeError:  # lists are no groups
            return False
        return bool((codes[first][items] == codes).all())

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
        self,
        systems: list[System],
        rows: NDArray[np.int64],
        ids: tuple[str, ...] | None,
        groups_by: Sequence[str],
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
            ),
            self.unused,
        )


def _rater_column(cells: Cells) -> str | None:
    """Return the column of the people who rated, if one has a usual name."""
    return next((name for name in cells.columns if name.lower() in RATER_NAMES), None)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))


def _sorted(labels: Iterable[str]) -> list[str]:
    """Return each label once, in an order that does not depend on that of the rows: numbers by their value."""
    return sorted(set(labels), key=lambda one: (not one.isdecimal(), int(one) if one.isdecimal() else 0, one))


def _first_rows(items: NDArray[Any], count: int) -> NDArray[np.int64]:
    """Return the first row of each item."""
    first = np.empty(count, np.int64)
    first[items[::-1]] = np.arange(len(items))[::-1]
    return first


def _second(keys: NDArray[np.int64]) -> int | None:
    """Return the first row whose key stands in an earlier row; None if there is none."""
    ordered = np.sort(keys)
    if (ordered[1:] != ordered[:-1]).all():
        return None
    _, first = np.unique(keys, return_index=True)
    again = np.ones(keys.size, bool)
    again[first] = False
    return int(np.argmax(again))
