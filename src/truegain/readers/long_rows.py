"""Long tables: a row per system and item, or several of an item's samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from truegain.corpus import Run, System
from truegain.errors import InputError, Setting, Text, Written, one_of, some
from truegain.normal_forms import name_key
from truegain.notes import Note
from truegain.readers.cells import is_missing
from truegain.readers.column_names import (
    FILE_COLUMN,
    ITEM_NAMES,
    PROMPT_NAMES,
    RESTART_NAMES,
    TEXT_NAMES,
    TOTAL_NAMES,
    check_no_single_errors,
    column_key,
    rater_noun,
)
from truegain.readers.column_roles import ColumnRoles, TableSystems, listed
from truegain.readers.field_columns import CodedColumn, FieldColumn, coded
from truegain.readers.matching import same_number
from truegain.readers.repeats import answer_codes, averaged_in_order, samples_in_order, say_samples
from truegain.readers.score_values import ANSWER_NAMES

_BY_FILE, _BY_NAME = "in the order of the files", "sorted by name"
_FEWER = "leave the system out"
_ALL = slice(None)
_MANY = 20  # ratings that two people hardly give alike


class LongTable(ColumnRoles):
    """A table with a column of systems, whose rows are matched by their ids."""

    def read(self, wanted: Sequence[str]) -> TableSystems:
        """Take rows apart by system and run, and match them by their ids."""
        column = self.systems or ""
        if self.ids is None:
            raise InputError(
                f"{self.cells.noun} has a row per system and item (from {_named(column)}), and no column of ids to "
                "match rows by",
                path=self.cells.path,
                hint=("name it: ", Setting("id_column"))
                if self.cells.nameable
                else f"name the column of items id or item; there are {', '.join(map(repr, self.cells.columns))}",
            )
        scores = sorted(
            name for name in self.left() if name != self.output and self.cells.kind(name) in ("number", "truth")
        )
        if self.output is None and not scores:
            raise InputError(
                f"{self.cells.noun} has no column of scores; it has {', '.join(map(repr, self.cells.columns))}",
                path=self.cells.path,
                hint="name the column of numbers score; or give texts in a column output, with a column reference",
            )
        order = _sorted(self.cells.labels(self.ids).values)
        places = {one: place for place, one in enumerate(order)}
        items = self.cells.codes(self.ids, places)
        labels, how = self._in_order(column)
        numbers = [""] if self.runs is None else _sorted(self.cells.labels(self.runs).values)
        groups = self.cells.codes(column, {one: place for place, one in enumerate(labels)}).astype(np.int64)
        if self.runs is not None:
            groups *= len(numbers)
            groups += self.cells.codes(self.runs, {one: place for place, one in enumerate(numbers)})
        keys = groups  # from here on those of systems, runs and items
        keys *= len(order)
        keys += items
        again = _twice(keys) is not None
        for one in (*self.references, self.documents, self.domains, self.by):
            if one is not None:
                self._check_one_each(one, items, order, keys if again else None)
        self._check_repeats(keys, order)
        if again and self.output is None:
            self._check_restarts(keys, order)
        sorted_rows = np.argsort(keys, kind="stable")
        ordered = keys[sorted_rows]
        several = self.output is None and bool((ordered[1:] == ordered[:-1]).any())
        del ordered
        codes = self._answers(_first_rows(items, len(order)), items) if several else {}
        self._say_long(column, scores, sorted(codes))
        if not wanted and len(labels) > 1:
            self._say_order(how, labels[0])
        for name in wanted:
            if name not in labels:
                raise one_of(f"{self.cells.name}: a system of the column {column!r}", name, labels)
        values = {name: self._scores(name) for name in scores}
        if several and self.raters is None and self.repeats is None:
            self._say_copies(keys, sorted_rows, values)
        raters = None
        if self.raters is not None and self.output is None:
            known = _sorted(self.cells.labels(self.raters).values)
            self.notes += _alike(known)
            raters = self.cells.codes(self.raters, {one: place for place, one in enumerate(known)})
        if self.cells.rated:
            lacking = np.isnan(np.array(list(values.values()))).any(axis=0)
            sorted_rows = sorted_rows[~lacking[sorted_rows]]
        if raters is not None and self.repeats is None:
            self._check_raters(keys, raters, np.sort(sorted_rows), order)
            self.notes += _copied(
                known, raters[sorted_rows], keys[sorted_rows], np.array(list(values.values()))[:, sorted_rows]
            )
        ends = np.searchsorted(keys[sorted_rows], np.arange(len(labels) * len(numbers) + 1) * len(order))
        del keys, groups
        said: dict[str, list[str]] = {}
        most = 1
        systems: list[System] = []
        unrated: list[str] = []
        for label in wanted or labels:
            runs = []
            for place, number in enumerate(numbers, labels.index(label) * len(numbers)):
                rows = sorted_rows[ends[place] : ends[place + 1]]
                if rows.size:
                    name = f"{label}.{number}" if number else label
                    run, samples = self._run(name, rows, items[rows], order, values, codes, raters)
                    runs.append(replace(run, label=str(number)) if number else run)
                    files = self.cells.files_of(rows)
                    only = self.output or (scores[0] if len(scores) == 1 and self.cells.in_files else None)
                    self._given(label, run, rows.size, files, only, samples)
                    most = max(most, samples[1])
                    noun = "sample" if self.raters is None else "rating"
                    noun = noun if samples == (1, 1) else f"{noun}s"
                    said.setdefault(say_samples(np.unique(items[rows]).size, samples, noun), []).append(name)
            if runs:
                systems.append(System(label, tuple(runs)))
            else:
                unrated.append(label)
        if unrated and (wanted or len(systems) < 2):
            raise InputError(f"no item of {unrated[0]!r} has a score", path=self.cells.path, hint=_FEWER)
        for label in unrated:
            self.notes.append(Note("not-rated", f"no segment of {label!r} was rated: the system is left out"))
        self._say_samples(said if most > 1 else {})
        first = _first_rows(items, len(order))
        if self.sources is not None and not self._one_each(self.sources, first, items):
            text = f"the column {self.sources!r} differs between systems: it is not taken for the source of segments"
            self.notes.append(Note("columns", text))
            self.sources = None
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
        raters: NDArray[Any] | None,
    ) -> tuple[Run, tuple[int, int]]:
        """Return a run with its items in the given order; average scores over rows of one item."""
        counts = np.bincount(items, minlength=len(order))
        lacking = np.flatnonzero(counts == 0)
        if lacking.size and not self._rated:
            first, there_are = order[lacking[0]], [order[place] for place in np.flatnonzero(counts).tolist()]
            raise InputError(
                f"{name}: {lacking.size:,} of {len(order):,} ids of {self.cells.name} are missing, the first {first!r}",
                hint=same_number(first, there_are) or "every system must have every item, in any order",
            )
        outputs = None
        if self.output is not None:
            if counts.max() > 1:
                twice = int(np.argmax(counts > 1))
                row = int(rows[np.flatnonzero(items == twice)[1]])
                raise self.cells.error(
                    row,
                    f"the id {order[twice]!r} of {name!r} occurs twice",
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
        people = None if raters is None else samples_in_order(raters[rows], counts, order)
        people = people and replace(people, noun=rater_noun(f"{self.raters}"))
        run = Run(name, outputs, means, file, repeats=repeats, answers=answers | repeats, raters=people)
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
        """Refuse a sample that occurs twice; without a column of samples, an item of a system in two files."""
        if self.repeats is not None:
            own = keys
            for column in (self.raters, self.repeats):
                if column is not None:
                    labels = self.cells.labels(column)
                    own = own * len(labels.values) + labels.codes
            if (twice := _twice(own)) is not None:
                first, row = twice
                item, sample = order[keys[row] % len(order)], self.cells.labels(self.repeats)[row]
                message = f"the sample {sample!r} of the item {item!r} occurs twice, first {self.cells.where(first)}"
                raise self.cells.error(row, message, self._part_of_ids(own) or None)
        elif self.raters is not None:
            return
        elif len(self.cells.files) > 1:
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
                        "; if each file is of one rater, add a column rater to each; if the files are of different "
                        "systems, name them: ",
                        Setting("systems", {"NAME": "FILE"}),
                    ),
                )
        if self.output is None and self.repeats is None and (twice := _twice(keys)) is not None:
            check_no_single_errors(self.left(), self.cells.name)
            column = self._apart(keys)
            if column is not None:
                raise self._unnamed(column, twice, order[keys[twice[1]] % len(order)], keys)

    def _unnamed(self, column: str, twice: tuple[int, int], item: str, keys: NDArray[np.int64]) -> InputError:
        """Ask what a column is that alone tells rows of one id apart: nothing else shows it."""
        first, row = twice
        message = f"the id {item!r} of a system stands {self.cells.where(first)} as well, in another {column!r}"
        hint: Text = (
            "if it names raters or prompts, and the answer is to hold for new ones: ",
            Setting("rater_column", column),
            f"\n  if these are other items in each {column!r}: ",
            self._longer_ids(column, keys),
        )
        if not self._names_prompts(column):
            hint = *hint, "\n  if they are samples of an item: ", Setting("repeat_column", column)
        if not self.cells.nameable:
            hint = (
                f"if {column!r} names raters or prompts, and the answer is to hold for new ones, call it rater; if "
                "these are other items in each, make ids of both columns; if they are samples of items, sample"
            )
        return self.cells.error(row, message, hint)

    def _names_prompts(self, column: str) -> bool:
        """Return whether a column holds wordings of a prompt that items share, and not the whole prompt of each."""
        different = self.cells.different
        return column_key(column) in PROMPT_NAMES and different([column, f"{self.ids}"]) > different([column])

    def _say_copies(
        self, keys: NDArray[np.int64], rows: NDArray[np.int64], values: Mapping[str, NDArray[np.float64]]
    ) -> None:
        """Warn if the rows of one id, which some items have more of, are the same in every column."""
        ordered = keys[rows]
        again = ordered[1:] == ordered[:-1]
        counts = np.diff(np.flatnonzero(np.concatenate([[True], ~again, [True]])))
        if counts.min() == counts.max():  # a copy of the whole table changes no mean
            return
        with suppress(TypeError):  # lists are not compared
            for name in sorted(self.left(), key=lambda one: one not in values):
                column = self.cells.columns[name]
                if name not in values and isinstance(column, FieldColumn) and not column.kept:
                    return
                own = values[name][rows] if name in values else coded(column).codes[rows]
                if (own[1:] != own[:-1])[again].any():
                    return
            text = f"{int(again.sum()):,} rows repeat another in every column, and count as samples of its item"
            self.notes.append(Note("repeated-rows", f"{text}: leave them out if they are copies", warning=True))

    def _check_raters(
        self, keys: NDArray[np.int64], raters: NDArray[Any], rows: NDArray[np.int64], order: Sequence[str]
    ) -> None:
        """Refuse a rating that occurs twice in one file or in two; not if all do, as several samples of an item do."""
        own = keys[rows] * (int(raters.max()) + 1) + raters[rows]
        if (twice := _twice(own)) is None:
            return
        counts = np.unique(own, return_counts=True)[1]
        files = len(self.cells.files)
        in_files = files > 1 and np.unique(own * files + self.cells.file_numbers()[rows]).size > counts.size
        if in_files or counts.min() < counts.max() or self._apart(own, rows) is not None:
            check_no_single_errors(self.left(), self.cells.name)
            first, row = (int(rows[place]) for place in twice)
            rater, item = self.cells.labels(self.raters or "")[row], order[keys[row] % len(order)]
            once = f"give {'files of one test set, and ' if files > 1 else ''}each rating once"
            if not (self.cells.in_files and self.cells.rated):  # formats of ratings have no such column
                once += "; if an item was rated again on purpose, number its ratings in a column named sample"
            raise self.cells.error(
                row,
                f"{rater!r} rated the item {item!r} of a system {self.cells.where(first)} as well",
                (once, *self._part_of_ids(own, rows, "; ")),
            )

    def _part_of_ids(
        self, keys: NDArray[np.int64], rows: NDArray[np.int64] | slice = _ALL, before: str = ""
    ) -> tuple[str | Written, ...]:
        """Say how to name a column that tells rows of one key apart, if it is part of their ids."""
        column = self._apart(keys, rows)
        if column is None:
            return ()
        if not self.cells.nameable:
            return (f"{before}if ids restart in each {column!r}, make ids of both columns",)
        return f"{before}if ids restart in each {column!r}: ", self._longer_ids(column, keys, rows)

    def _longer_ids(self, column: str, keys: NDArray[np.int64], rows: NDArray[np.int64] | slice = _ALL) -> Setting:
        """Return the columns that ids are to be made of: this one, and others in which ids still restart with it."""
        parts = [column]
        for name in self._restarting():
            finer = keys
            for part in parts:
                own = self.cells.coded(part)
                finer = np.unique(finer, return_inverse=True)[1] * len(own.values) + own.codes[rows]
            if name not in parts and self._varies(name, finer, rows):
                parts.insert(0, name)
        return Setting("id_column", ",".join([*parts, f"{self.ids}"]))

    def _restarting(self) -> list[str]:
        """Return the columns of texts with usual names in each of whose values ids may restart."""
        texts = (name for name in self.left() if self.cells.kind(name) == "text" and self._held(name) is not None)
        lower = {column_key(name): name for name in texts}
        return [lower[name] for name in RESTART_NAMES if name in lower]

    def _held(self, name: str) -> CodedColumn | None:
        """Return a column with a number for each different value; None if it is not held, or holds lists."""
        values = self.cells.columns[name]
        if not isinstance(values, FieldColumn) or values.kept:
            with suppress(TypeError):
                return coded(values)
        return None

    def _varies(self, name: str, keys: NDArray[np.int64], rows: NDArray[np.int64] | slice = _ALL) -> bool:
        """Return whether rows of one key have several values in a column."""
        own = self.cells.coded(name)
        return bool(np.unique(keys * len(own.values) + own.codes[rows]).size > np.unique(keys).size)

    def _follows(self, name: str) -> bool:
        """Return whether a column speaks of raters or of samples: it has one value for each, as a file of each has."""
        known = [one for one in (self.raters, self.repeats) if one is not None and column_key(name) not in ITEM_NAMES]
        return any(self.cells.different([one]) == self.cells.different([one, name]) for one in known)

    def _check_restarts(self, keys: NDArray[np.int64], order: Sequence[str]) -> None:
        """Refuse an id under which a system has several languages, tasks or files: it is that of several items."""
        for name in self._restarting():
            if self._varies(name, keys) and not self._follows(name):
                own = self.cells.coded(name)
                _, first, places = np.unique(keys, return_index=True, return_inverse=True)
                before = first[places]
                row = int(np.argmax(own.codes[before] != own.codes))
                here, there = (str(own[place])[:40] for place in (row, int(before[row])))
                message = f"the item {order[keys[row] % len(order)]!r} of a system has {here!r} in the column {name!r}"
                ways: Text = "make ids of both columns, if ids restart in each; else leave the column out"
                if self.cells.nameable:
                    restart = f"if ids restart in each {name!r}: "
                    ways = restart, self._longer_ids(name, keys), "; else leave the column out"
                raise self.cells.error(row, f"{message}, and {there!r} {self.cells.where(int(before[row]))}", ways)

    def _apart(self, keys: NDArray[np.int64], rows: NDArray[np.int64] | slice = _ALL) -> str | None:
        """Return the column of few texts that alone tells rows of one key apart, if there is one."""
        found = {}
        for name in (*self.left(), self.documents, self.domains):
            if name is None or name == self.output or column_key(name) in (*ANSWER_NAMES, *TEXT_NAMES):
                continue
            if name in self.left() and self.cells.kind(name) != "text" and not self._names_prompts(name):
                continue
            own = self._held(name)
            if own is None or 2 * len(own.values) > len(keys):
                continue
            if np.unique(keys * len(own.values) + own.codes[rows]).size == len(keys):
                found[name] = len(own.values)
        return min(found, key=lambda name: (found[name], name), default=None)

    def _check_one_each(
        self, name: str, items: NDArray[Any], order: Sequence[str], keys: NDArray[np.int64] | None
    ) -> None:
        """Refuse an item with two documents, domains or references; ``keys``: if a system has one in several rows."""
        found = self.cells.coded(name)
        first = _first_rows(items, len(order))
        for row in np.flatnonzero(found.codes[first][items] != found.codes).tolist():
            item = items[row]
            before, value = found[int(first[item])], found[row]
            if not (is_missing(before) and is_missing(value)):
                here, there = str(value)[:40], str(before)[:40]
                ways: tuple[str | Written, ...] = ()
                if keys is not None and self.cells.nameable and name not in self.references:
                    ways = f"if ids restart in each {name!r}: ", self._longer_ids(name, keys)
                raise self.cells.error(
                    row,
                    f"the item {order[item]!r} has {here!r} in the column {name!r}, and {there!r} before",
                    ways or None,
                )

    def _in_order(self, column: str) -> tuple[list[str], str]:
        """Return the systems in the order of the files if each file has its own, else sorted by name; and say which.

        Files that share some of their systems, and not all, are parts of one table, whose order means nothing.
        """
        names = _sorted(self.cells.labels(column).values)
        count = len(self.cells.files)
        if count < 2:
            return names, _BY_NAME
        own = self.cells.codes(column, {one: place for place, one in enumerate(names)}).astype(np.int64)
        systems, files = np.divmod(np.unique(own * count + self.cells.file_numbers()), count)
        first = files[np.searchsorted(systems, np.arange(len(names)))]  # of each system, the file that it begins in
        groups = np.unique(first).size
        if groups == 1 or np.unique(files * count + first[systems]).size > np.unique(files).size:
            return names, _BY_NAME
        ordered = [names[place] for place in np.argsort(first, kind="stable")]
        return ordered, _BY_FILE if groups == len(names) else f"{_BY_NAME} within each file"

    def _say_long(self, systems: str, scores: Sequence[str], answers: Sequence[str]) -> None:
        """Say what each column was taken for."""
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
        taken += [f"scores from {listed(scores)}"] if scores else []
        self.notes.append(Note("systems", f"Systems come from {_named(systems)}; {', '.join(taken)}"))
        if answers:
            said = f"Columns {listed(answers)} hold" if len(answers) > 1 else f"Column {answers[0]!r} holds"
            self.notes.append(Note("columns", f"{said} texts, which are answers for the metric majority alone"))
        self._say_unused(sorted(name for name in self.left() if name not in (self.output, *scores, *answers)))

    def _say_order(self, how: str, first: str) -> None:
        """Say how systems are ordered; of files, if these do not tell it."""
        note = Note("systems" if how == _BY_FILE else "system-order", f"systems are {how}: {first!r} is the first")
        files = [] if how == _BY_FILE else [table.name for table, _ in self.cells.files]
        self.notes.append(structs.replace(note, file=files[0], more=len(files) - 1) if files else note.capitalized())

    def _say_samples(self, said: Mapping[str, Sequence[str]]) -> None:
        for text, runs in said.items():
            of = "" if len(said) == 1 else f" of {some(runs, 3)}"
            self.notes.append(Note("samples", f"{text}{of} by the column {self.ids!r}: averaged per item"))

    def _one_each(self, name: str, first: NDArray[np.int64], items: NDArray[Any]) -> bool:
        """Return whether a column has one value per item, so that items can be grouped by it."""
        own = self._held(name)
        return own is not None and bool((own.codes[first][items] == own.codes).all())


def _named(systems: str) -> str:
    """Return where systems come from, in words."""
    return systems if systems == FILE_COLUMN else f"the column {systems!r}"


def _sorted(labels: Iterable[str]) -> list[str]:
    """Return each label once, in an order that does not depend on that of the rows: numbers by their value."""

    def place(label: str) -> tuple[bool, int, str]:
        return (False, len(label.lstrip("0")), label.lstrip("0")) if label.isdecimal() else (True, 0, label)

    return sorted(sorted(set(labels)), key=place)


def _alike(raters: Sequence[str]) -> list[Note]:
    """Say which raters have names that differ in case or white space alone, or are those of means."""
    seen: dict[str, str] = {}
    pairs = [(seen.setdefault(name_key(one).casefold(), one), one) for one in raters]
    alike = [f"{before!r} and {one!r}" for before, one in pairs if before != one]
    text = f"raters whose names look alike count as several people: {', '.join(alike)}"
    notes = [Note("rater-names", text, warning=True)] if alike else []
    totals = [one for one in raters if name_key(one).casefold() in TOTAL_NAMES] if len(raters) > 1 else []
    if totals:
        text = f"{totals[0]!r} counts as a rater: leave its rows out if they hold the {totals[0].lower()} of others"
        notes.append(Note("rater-names", text, warning=True))
    return notes


def _copied(
    names: Sequence[str], raters: NDArray[Any], keys: NDArray[np.int64], scores: NDArray[np.float64]
) -> list[Note]:
    """Say which raters gave the same outputs the same scores as another; rows are sorted by their keys."""
    rows = np.argsort(raters, kind="stable")
    seen: dict[tuple[bytes, bytes], str] = {}
    copies = []
    for own in np.split(rows, np.flatnonzero(np.diff(raters[rows])) + 1):
        name = names[int(raters[own[0]])]
        first = seen.setdefault((keys[own].tobytes(), scores[:, own].tobytes()), name)
        if first != name and own.size >= _MANY and np.unique(scores[:, own], axis=1).shape[1] > 2:
            copies.append(f"{name!r} as {first!r}")
    text = f"raters count as several people though all their scores are the same: {some(copies, 3)}"
    return [Note("repeated-rows", f"{text}; leave copies out", warning=True)] if copies else []


def _first_rows(items: NDArray[Any], count: int) -> NDArray[np.int64]:
    """Return the first row of each item."""
    first = np.empty(count, np.int64)
    first[items[::-1]] = np.arange(len(items))[::-1]
    return first


def _twice(keys: NDArray[np.int64]) -> tuple[int, int] | None:
    """Return the first row whose key stands in an earlier row, after that row; None if there is none."""
    ordered = np.sort(keys)
    if (ordered[1:] != ordered[:-1]).all():
        return None
    _, first = np.unique(keys, return_index=True)
    again = np.ones(keys.size, bool)
    again[first] = False
    row = int(np.argmax(again))
    return int(np.argmax(keys == keys[row])), row
