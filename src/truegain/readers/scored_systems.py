"""Systems with segment scores: files of scores as systems, or added to their texts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from truegain.corpus import Run, System
from truegain.errors import InputError, Setting, excerpt
from truegain.inputs import InputFile
from truegain.notes import Note
from truegain.readers.differences import first_difference
from truegain.readers.formats import File, read_scores
from truegain.readers.matching import Ids, common_ids, order_by
from truegain.readers.scores import Question, ScoreTable, check_columns
from truegain.readers.sources import Source, is_file, parse_sources, short_names

__all__ = ["scored_systems", "with_scores"]

Labels = dict[str, tuple[str | None, ...]]


def scored_systems(
    sources: Sequence[Source],
    files: Mapping[str, File],
    id_column: str | None,
    notes: list[Note],
    read: list[InputFile],
    labels: Labels,
) -> tuple[list[System], Ids | None]:
    """Read systems whose files hold scores; a file that names its systems stands for all of them.

    Parameters
    ----------
    sources : sequence of Source
    files : mapping of str to File
        Those that were opened, by path.
    id_column : str, optional
    notes, read : list
        What should be said, and what was read, is added.
    labels : dict
        Columns that segments can be grouped by are added.

    Returns
    -------
    systems : list of System
    ids : Ids or None
        Those of the first file, whose order all others are brought into.
    """
    systems = []
    paths = [path for source in sources for path in source.paths]
    tables = {path: _noted_scores(files.get(path, path), id_column, notes) for path in paths}
    every = [table for one in tables.values() for table in one]
    _check_together(every)
    ids = _matched_by([(table.name, table.ids) for table in every], notes)
    _add_labels([_in_order(table, ids) for table in every], labels)
    for source in sources:
        own = [_in_order(table, ids) for path in source.paths for table in tables[path]]
        if any(table.system is not None for table in own):
            names = short_names([table.system or source.name for table in own])
            read += [_read(table, short) for short, table in zip(names, own, strict=True)]
            systems += [
                System(short, (Run(table.system or table.name, None, table.columns, table.name),))
                for short, table in zip(names, own, strict=True)
            ]
        else:
            read += [_read(table, source.name) for table in own]
            systems.append(
                System(source.name, tuple(Run(table.name, None, table.columns, table.name) for table in own))
            )
    return systems, ids


def _add_labels(tables: Sequence[ScoreTable], labels: Labels) -> None:
    """Add the columns that segments can be grouped by: those that say the same wherever they are."""
    for name in dict.fromkeys(name for table in tables for name in table.labels):
        found = {table.labels[name] for table in tables if name in table.labels}
        if len(found) == 1:
            labels[name] = found.pop()


def _noted_scores(source: str | File, id_column: str | None, notes: list[Note]) -> list[ScoreTable]:
    tables = read_scores(source, id_column)
    notes.extend(note for table in tables for note in table.notes if note not in notes)
    return tables


def _read(table: ScoreTable, system: str) -> InputFile:
    return InputFile(table.name, "scores", table.rows, system, None, table.id_column, table.samples)


def _matched_by(files: Sequence[tuple[str, tuple[str, ...] | None]], notes: list[Note]) -> Ids | None:
    ids, note = common_ids(files)
    notes.extend([] if note is None else [note])
    return ids


def _check_together(tables: Sequence[ScoreTable]) -> None:
    """Refuse tables whose rows or columns are not those of each other, as far as can be seen."""
    _check_same_questions([(table.name, table.questions) for table in tables if table.questions])
    check_columns([(table.name, table.columns) for table in tables])
    first = tables[0]
    for table in tables[1:]:
        for key, values in table.keys.items():
            wanted = first.keys.get(key)
            if wanted is not None and values != wanted and set(values) == set(wanted):
                row = first_difference(values, wanted)
                raise InputError(
                    f"its rows are in another order than those of {first.name}: in row {row + 1:,} the column {key!r} "
                    f"is {excerpt(values[row])}, and there {excerpt(wanted[row])}",
                    path=table.name,
                    hint=("match them by this column: ", Setting("id_column", key)),
                )


def _check_same_questions(logs: Sequence[tuple[str, Mapping[str, Question]]]) -> None:
    """Refuse logs in which one ``doc_id`` stands for different documents: their scores are not of the same thing.

    Parameters
    ----------
    logs : sequence of (file, questions)
    """
    for name, questions in logs[1:]:
        first, wanted = logs[0]
        for document, question in questions.items():
            for key, value in wanted.get(document, {}).items():
                if question.get(key, value) != value:
                    raise InputError(
                        f"the item {document} is not that of {first}: its {key} is {question[key][:40]}, "
                        f"and there {value[:40]}",
                        path=name,
                        hint="are both logs of the same task, in the same version, and of the same data?",
                    )


def _in_order(table: ScoreTable, ids: Ids | None) -> ScoreTable:
    """Bring scores into the order of the segments' ids."""
    if ids is None or table.ids is None:
        return table
    order = np.array(order_by(table.ids, ids.values, table.name, ids.name))
    labels = {key: tuple(values[place] for place in order) for key, values in table.labels.items()}
    columns = {key: values[order] for key, values in table.columns.items()}
    return replace(table, columns=columns, ids=ids.values, labels=labels)


def with_scores(
    systems: Sequence[System],
    arguments: Sequence[str],
    texts: tuple[str, tuple[str, ...] | None],
    id_column: str | None,
    notes: list[Note],
    read: list[InputFile],
    labels: Labels,
) -> list[System]:
    """Attach segment scores to systems given as text.

    Parameters
    ----------
    systems : sequence of System
    arguments : sequence of str
        ``SYSTEM=FILE``, or a file that names the systems itself.
    texts : tuple
        The file that the order of the texts comes from, and their ids, if they have any.
    id_column : str, optional
        The column of ids in files of scores.
    notes, read : list
        What should be said, and what was read, is added.
    labels : dict
        Columns that segments can be grouped by are added.
    """
    given: dict[str, list[ScoreTable]] = {}
    by_run: dict[str, ScoreTable] = {}
    known = [system.name for system in systems]
    runs = {os.path.normpath(run.name) for system in systems for run in system.runs}
    for argument in arguments:
        _, equals, _ = argument.partition("=")
        if equals and not is_file(argument):
            source = parse_sources([argument])[0]
            given.setdefault(source.name, []).extend(
                t for path in source.paths for t in _noted_scores(path, id_column, notes)
            )
            continue
        tables = _noted_scores(argument, id_column, notes)
        if any(table.system is None for table in tables):
            raise InputError(
                "it does not say which system the scores belong to",
                path=argument,
                hint=("write ", Setting("scores", {known[0]: argument})),
            )
        # A system that the file names by the path of a run is that run; else the short name decides.
        for short, table in zip(short_names([str(table.system) for table in tables]), tables, strict=True):
            path = os.path.normpath(str(table.system))
            if path in runs:
                by_run[path] = table
            else:
                given.setdefault(short, []).append(table)
    every = [*by_run.values(), *(table for tables in given.values() for table in tables)]
    _check_together(every)
    ids = _matched_by([texts, *((table.name, table.ids) for table in every)], notes)
    _add_labels([_in_order(table, ids) for table in every], labels)
    unknown = [system for system in given if system not in known]
    if unknown:
        raise InputError(f"there are scores for {unknown[0]!r}, and the systems are {', '.join(known)}")
    result = []
    for one in systems:
        paths = [os.path.normpath(run.name) for run in one.runs]
        own = [by_run[path] for path in paths if path in by_run]
        tables = [_in_order(table, ids) for table in own or given.get(one.name, [])]
        if len(tables) != len(one.runs):
            raise InputError(
                f"there are scores for {len(tables)} of the {len(one.runs)} runs of {one.name!r}",
                hint=("give them: ", Setting("scores", {one.name: "FILE"})),
            )
        read += [_read(table, one.name) for table in tables]
        scored = zip(one.runs, tables, strict=True)
        result.append(replace(one, runs=tuple(replace(r, scores=t.columns, scores_from=t.name) for r, t in scored)))
    return result
