"""Systems with segment scores: files of scores as systems, or added to their texts."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from truegain.corpus import Run, System
from truegain.errors import FILE, InputError, Setting, Text, excerpt, one_of
from truegain.inputs import InputFile
from truegain.notes import Note
from truegain.readers.any_format import read_scores
from truegain.readers.column_names import LOOSE_NAMES, REFERENCE_NAMES, SCORED_NAMES, SOURCE_NAMES, Chosen
from truegain.readers.file_names import check_run_order, runs_in_file
from truegain.readers.formats import File
from truegain.readers.matching import Ids, common_ids, order_by
from truegain.readers.orders import check_row_order, first_difference
from truegain.readers.scores import Question, ScoreTable, check_columns
from truegain.readers.sources import Source, is_file, parse_sources, short_names
from truegain.readers.tabular import label_columns

if TYPE_CHECKING:
    from truegain.readers.column_roles import TableSystems
    from truegain.readers.plain import Lines

Labels = dict[str, tuple[str | None, ...]]


def scored_systems(
    sources: Sequence[Source], files: Mapping[str, File], chosen: Chosen, *, documents: bool = True
) -> TableSystems:
    """Read systems whose files hold scores; a file that names its systems stands for all of them.

    Ids are those of the first file, whose order all others are brought into.

    Parameters
    ----------
    sources : sequence of Source
    files : mapping of str to File
        Those that were opened, by path.
    chosen : Chosen
        The columns of ids, documents and domains, if they were named.
    documents : bool
        Documents are those that all files name, if no column was named.
    """
    from truegain.readers.column_roles import TableSystems

    notes: list[Note] = []
    paths = [path for source in sources for path in source.paths]
    tables = {path: _noted_scores(files.get(path, path), chosen.ids, notes) for path in paths}
    every = [table for one in tables.values() for table in one]
    _check_together(every)
    ids = _matched_by([(table.name, table.ids) for table in every], notes)
    if ids is not None:  # those of the first file
        ids = ids._replace(by_row=every[0].by_row, column=every[0].id_column)
    tables = {path: [_in_order(table, ids) for table in own] for path, own in tables.items()}
    every = [table for one in tables.values() for table in one]
    named = _named(sources, tables, notes)
    in_documents = chosen.documents
    if in_documents is None and documents and len({table.documents for table in every}) == 1:
        in_documents = every[0].documents
    return TableSystems(
        every[0].name,
        [
            System(
                name,
                tuple(
                    Run(t.system or t.name, None, t.columns, t.name, repeats=t.repeats, answers=t.answers) for t in own
                ),
            )
            for name, own in named
        ],
        {},
        ids,
        _own_groups(every, in_documents, "documents", Setting("documents", FILE)),
        _own_groups(every, chosen.domains, "domains", Setting("domains", FILE)),
        notes,
        [_read(table, name) for name, own in named for table in own],
        _common_labels(every),
        chosen,
    )


def _named(
    sources: Sequence[Source], tables: Mapping[str, Sequence[ScoreTable]], notes: list[Note]
) -> list[tuple[str, list[ScoreTable]]]:
    """Return the systems with the tables of their runs; logs without a name are named after their models."""
    given = [(source, [table for path in source.paths for table in tables[path]]) for source in sources]
    free = [table for source, own in given if not source.named for table in own]
    models = [table.model for table in free]
    taken = {source.name for source in sources if source.named}
    by_model = bool(models) and None not in models and len({*models} | taken) == len(models) + len(taken)
    found: list[tuple[str, list[ScoreTable]]] = []
    for source, own in given:
        if source.named:
            several = next((path for path in source.paths if len(tables[path]) > 1), None)
            if several is not None:
                raise InputError(
                    f"it holds {len(tables[several]):,} systems, and is given as runs of one, {source.name!r}",
                    path=several,
                    hint="give it without a name",
                )
            found.append((source.name, own))
        elif any(table.system is not None for table in own):
            names = short_names([table.system or source.name for table in own])
            notes.extend(runs_in_file([table.system or source.name for table in own], own[0].name))
            found += [(name, [table]) for name, table in zip(names, own, strict=True)]
        elif len(own) == 1 and not by_model:
            found.append((source.name, own))
        else:
            found += [(f"{table.model}" if by_model else f"{source.name} {table.model}", [table]) for table in own]
    if by_model:
        files = ", ".join(f"{table.model} ({table.name})" for table in free)
        notes.append(Note("system-names", f"systems are named after the models in their logs: {files}"))
    return found


def _common_labels(tables: Sequence[ScoreTable]) -> Labels:
    """Return the columns that segments can be grouped by: those that say the same wherever they are."""
    labels: Labels = {}
    for name in dict.fromkeys(name for table in tables for name in table.labels):
        found = {table.labels[name] for table in tables if name in table.labels}
        if len(found) == 1:
            labels |= label_columns({name: found.pop()})
    return labels


def _own_groups(tables: Sequence[ScoreTable], column: str | None, what: str, other: Setting) -> list[str] | None:
    """Return the document or the domain of each item, from a column of the files of scores themselves."""
    if column is None:
        return None
    first, *others = tables
    for table in tables:
        if column not in table.labels:
            hint: Text = ("give a table of them: ", other)
            if table.labels:
                raise one_of(f"{table.name}: the column of {what}", column, list(table.labels), hint=hint)
            message = f"a column of {what} is named, {column!r}, and it has no column that items can be grouped by"
            raise InputError(message, path=table.name, hint=hint)
    values = first.labels[column]
    names = first.ids or tuple(f"segment {row:,}" for row in range(1, len(values) + 1))
    for table in others:
        if table.labels[column] != values:
            row = first_difference(table.labels[column], values)
            raise InputError(
                f"{names[row]}: its {column!r} is {table.labels[column][row]!r}, and in {first.name} {values[row]!r}",
                path=table.name,
                hint=(f"bring its rows into the order of the others; or give other {what}: ", other),
            )
    if None in values:
        hint = (f"every segment needs one; or give other {what}: ", other)
        raise InputError(f"{names[values.index(None)]}: there is no {column!r}", path=first.name, hint=hint)
    return [value for value in values if value is not None]


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
    check_row_order((_file_of(table), table.keys) for table in tables)


def _file_of(table: ScoreTable) -> str:
    """Return the file of scores, with the system that it names."""
    return table.name if table.system is None else f"{table.name} ({table.system})"


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
                        f"the item {document} is not that of {first}: its {key} is {_cut(question[key])}, "
                        f"and there {_cut(value)}",
                        path=name,
                        hint="are both logs of the same task, in the same version, and of the same data?",
                    )


def _cut(written: str, width: int = 40) -> str:
    """Return the beginning of a value in JSON; a text keeps its quotes."""
    if len(written) <= width:
        return written
    return f"{written[:width]}…" + ('"' if written.startswith('"') else "")


def _in_order(table: ScoreTable, ids: Ids | None) -> ScoreTable:
    """Bring scores into the order of the segments' ids."""
    if ids is None or table.ids is None:
        return table
    order = np.array(order_by(table.ids, ids.values, table.name, ids.name))
    labels = {key: tuple(values[place] for place in order) for key, values in table.labels.items()}
    columns = {key: values[order] for key, values in table.columns.items()}
    repeats = {key: samples.of_items(order) for key, samples in table.repeats.items()}
    answers = {key: samples.of_items(order) for key, samples in table.answers.items()}
    return replace(table, columns=columns, ids=ids.values, labels=labels, repeats=repeats, answers=answers)


def _of_system(tables: list[ScoreTable], name: str, path: str) -> list[ScoreTable]:
    """Return the scores of one system, if the file names several."""
    if len(tables) < 2:
        return tables
    systems = [str(table.system) for table in tables]
    chosen = [t for t, short in zip(tables, short_names(systems), strict=True) if name in (t.system, short)]
    if not chosen:
        raise one_of(f"{path}: a system with scores", name, systems)
    return chosen


def _paths(system: System) -> list[str]:
    """Return the paths of a system's runs, each in one spelling."""
    return [os.path.normpath(run.name) for run in system.runs]


def with_scores(
    systems: Sequence[System],
    arguments: Sequence[str],
    texts: Lines,
    id_column: str | None,
    notes: list[Note],
    read: list[InputFile],
    labels: Labels,
    references: Sequence[Lines] = (),
    originals: Sequence[Lines] = (),
) -> list[System]:
    """Attach segment scores to systems given as text.

    Parameters
    ----------
    systems : sequence of System
    arguments : sequence of str
        ``SYSTEM=FILE``, or a file that names the systems itself.
    texts : Lines
        Those whose order the others are in.
    id_column : str, optional
        The column of ids in files of scores.
    notes, read : list
        What should be said, and what was read, is added.
    labels : dict
        Columns that segments can be grouped by are added.
    references, originals : sequence of Lines
        References and sources, in the same order.
    """
    given: dict[str, list[ScoreTable]] = {}
    by_run: dict[str, ScoreTable] = {}
    known = [system.name for system in systems]
    asked = set()  # systems that an argument names, not a file
    runs = {path for system in systems for path in _paths(system)}
    for argument in arguments:
        _, equals, _ = argument.partition("=")
        if equals and not is_file(argument):
            source = parse_sources([argument])[0]
            asked.add(source.name)
            given.setdefault(source.name, []).extend(
                t for path in source.paths for t in _of_system(_noted_scores(path, id_column, notes), source.name, path)
            )
            continue
        tables = _noted_scores(argument, id_column, notes)
        if any(table.system is None for table in tables):
            raise InputError(
                "it does not say which system the scores belong to",
                path=argument,
                hint=("write ", Setting("scores", {known[0]: argument})),
            )
        # A system that the file names by the path of a run is that run; else the whole name, or the short one, decides.
        for short, table in zip(short_names([str(table.system) for table in tables]), tables, strict=True):
            path = os.path.normpath(str(table.system))
            if path in runs:
                by_run[path] = table
            else:
                given.setdefault(table.system if table.system in known else short, []).append(table)
    every = [*by_run.values(), *(table for tables in given.values() for table in tables)]
    _check_together(every)
    check_row_order([(texts.name, texts.keys), *((_file_of(table), table.keys) for table in every)])
    sides = dict.fromkeys(REFERENCE_NAMES, references) | dict.fromkeys(SOURCE_NAMES, originals)
    ids = _matched_by([(texts.name, texts.ids), *((table.name, table.ids) for table in every)], notes)
    labels |= _common_labels([_in_order(table, ids) for table in every])
    missing = [one.name for one in systems if one.name not in given and not by_run.keys() & _paths(one)]
    others = [name for name in given if name not in known]
    if wrong := [name for name in others if missing or name in asked]:
        raise InputError(
            f"there are scores for {wrong[0]!r}, and the systems are {', '.join(known)}",
            hint=("give them: ", Setting("scores", {missing[0]: "FILE"})) if missing else None,
        )
    if others:
        files = ", ".join(dict.fromkeys(table.name for name in others for table in given[name]))
        count = f"{len(others):,} other system{'s' if len(others) > 1 else ''}"
        notes.append(Note("systems", f"scores of {count} are not used", file=files))
    result = []
    for one in systems:
        own = [by_run[path] for path in _paths(one) if path in by_run]
        tables = [_in_order(table, ids) for table in own or given.get(one.name, [])]
        if len(tables) != len(one.runs):
            raise InputError(
                f"there are scores for {len(tables)} of the {len(one.runs)} runs of {one.name!r}",
                hint=("give them: ", Setting("scores", {one.name: "FILE"})),
            )
        if not own:
            check_run_order(one.name, [run.name for run in one.runs], [table.name for table in tables], "scores")
        read += [_read(table, one.name) for table in tables]
        for run, table in zip(one.runs, tables, strict=True):
            if texts.structure is None:
                _check_texts(table, run, systems, sides)
        scored = zip(one.runs, tables, strict=True)
        runs_of = tuple(
            replace(r, scores=t.columns, scores_from=t.name, repeats=t.repeats, answers=t.answers) for r, t in scored
        )
        result.append(replace(one, runs=runs_of))
    return result


def _check_texts(table: ScoreTable, run: Run, systems: Sequence[System], sides: Mapping[str, Sequence[Lines]]) -> None:
    """Refuse scores of other texts than this run, a reference and the source; white space at their ends is no part."""
    places = {own: place for place, own in enumerate(table.ids or ())}
    rows = range(table.rows) if table.row_ids is None else [places[own] for own in table.row_ids]
    outputs = {one.name: one.outputs for system in systems for one in system.runs if one.outputs is not None}
    for name, scored in table.texts.items():
        given: dict[str, Sequence[str | None]] = {side.name: side.lines for side in sides.get(name, ())}
        others: dict[str, Sequence[str | None]] = {}
        if name in SCORED_NAMES:
            others = {key: own for key, own in outputs.items() if key != run.name}
            given = {run.name: outputs.get(run.name, ())}
        apart = {key: _differing_rows(scored, rows, lines) for key, lines in given.items()}
        file, differing = min(apart.items(), key=lambda one: len(one[1]), default=("", []))
        if not differing:  # nothing was given, or these texts
            continue
        most = min(len(differing) - 1, (table.rows - 1) // 2)
        swapped = next((key for key, own in others.items() if len(_differing_rows(scored, rows, own)) <= most), None)
        turned = Counter(map(_trimmed, scored)) == Counter(map(_trimmed, given[file]))
        if name in LOOSE_NAMES and swapped is None and not turned and 2 * len(differing) > table.rows:
            continue
        row = differing[0]
        own, wanted = _excerpts(_trimmed(scored[row]), _trimmed(given[file][rows[row]]))
        hint = "score these texts again, or give those that were scored"
        if swapped is not None:
            hint = f"the texts that were scored are those of {swapped}: give every system its own scores"
        elif turned:
            hint = "bring all files into one order"
        raise InputError(
            f"these are scores of other texts: in segment {rows[row] + 1:,} {name!r} is {own}, and in {file} {wanted}",
            path=_file_of(table),
            hint=hint,
        )


def _trimmed(text: str | None) -> str:
    return (text or "").strip()


def _differing_rows(scored: Sequence[str | None], segments: Sequence[int], lines: Sequence[str | None]) -> list[int]:
    """Return the rows whose text, if they have one, is not that of their segment."""
    return [
        row
        for row, (text, segment) in enumerate(zip(scored, segments, strict=True))
        if segment < len(lines) and None not in (text, lines[segment]) and _trimmed(text) != _trimmed(lines[segment])
    ]


def _excerpts(one: str, other: str) -> tuple[str, str]:
    """Return two texts, shortened to where they differ."""
    place = first_difference(one, other)
    start, before = (place - 20, "…") if place > 30 else (0, "")
    return excerpt(before + one[start:]), excerpt(before + other[start:])
