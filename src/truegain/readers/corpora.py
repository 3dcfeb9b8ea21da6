"""From files, or from sequences in memory, to a corpus."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError
from truegain.readers.documents import read_documents
from truegain.readers.plain import Lines, read_lines
from truegain.readers.scores import SCORE, ScoreTable, read_scores
from truegain.readers.sources import Source, parse_sources, short_names

__all__ = ["corpus_from_memory", "read_corpus"]


def read_corpus(
    systems: Sequence[str],
    references: Sequence[str] = (),
    *,
    documents: str | None = None,
    document_column: str | None = None,
    scores: Sequence[str] = (),
    outputs_are_scores: bool = False,
    name: str | None = None,
) -> Corpus:
    """Read a corpus from files.

    Parameters
    ----------
    systems : sequence of str
        Paths, ``NAME=GLOB`` or ``NAME=a,b``.
    references : sequence of str
        One path for each reference.
    documents, document_column : str, optional
        See :func:`truegain.readers.documents.read_documents`.
    scores : sequence of str
        Segment scores of systems given as text: ``SYSTEM=FILE``, or a file that names the systems itself.
    outputs_are_scores : bool
        The files of the systems hold segment scores, not text.
    name : str, optional
        What the test set is called; by default after the first reference.
    """
    if "-" in references and (references.count("-") > 1 or any(one.endswith("-") for one in systems)):
        raise InputError("standard input (-) can be read only once")
    notes: list[str] = []
    sides = [_noted(read_lines(path), notes) for path in references]
    found = _scored_systems(systems, notes) if outputs_are_scores else _text_systems(systems, notes)
    if scores:
        found = _with_scores(found, scores, notes)
    segments = len(sides[0].lines) if sides else len(found[0].runs[0])
    ids = None
    if documents is not None:
        ids, said = read_documents(documents, segments, document_column)
        notes.extend(said)
    return Corpus.build(
        found,
        [side.lines for side in sides],
        documents=ids,
        name=name or (short_names([references[0]])[0] if references else "segment scores"),
        notes=notes,
        reference_names=[side.name for side in sides],
    )


def _noted(lines: Lines, notes: list[str]) -> Lines:
    notes.extend(lines.notes)
    return lines


def _text_systems(arguments: Sequence[str], notes: list[str]) -> list[System]:
    return [
        System(
            source.name,
            tuple(
                Run(run_name, tuple(_noted(read_lines(path), notes).lines))
                for run_name, path in zip(_run_names(source), source.paths, strict=True)
            ),
        )
        for source in parse_sources(arguments)
    ]


def _run_names(source: Source) -> list[str]:
    """Runs go by their paths: that is what a user can find again."""
    return [("standard input" if path == "-" else path) for path in source.paths]


def _scored_systems(arguments: Sequence[str], notes: list[str]) -> list[System]:
    """Systems whose files hold scores; a file that names its systems stands for all of them."""
    systems = []
    for source in parse_sources(arguments):
        tables = [table for path in source.paths for table in _noted_scores(path, notes)]
        if any(table.system is not None for table in tables):
            names = short_names([table.system or source.name for table in tables])
            systems += [
                System(short, (Run(table.system or table.name, None, table.columns),))
                for short, table in zip(names, tables, strict=True)
            ]
        else:
            systems.append(System(source.name, tuple(Run(table.name, None, table.columns) for table in tables)))
    return systems


def _noted_scores(path: str, notes: list[str]) -> list[ScoreTable]:
    tables = read_scores(path)
    notes.extend(tables[0].notes)
    return tables


def _with_scores(systems: Sequence[System], arguments: Sequence[str], notes: list[str]) -> list[System]:
    """Attach segment scores to systems given as text."""
    given: dict[str, list[ScoreTable]] = {}
    known = [system.name for system in systems]
    for argument in arguments:
        _system, equals, _ = argument.partition("=")
        if equals and not Path(argument).exists():
            source = parse_sources([argument])[0]
            given.setdefault(source.name, []).extend(t for path in source.paths for t in _noted_scores(path, notes))
            continue
        tables = _noted_scores(argument, notes)
        if any(table.system is None for table in tables):
            raise InputError(
                "it does not say which system the scores belong to",
                path=argument,
                hint=f"write --scores {known[0]}={argument}",
            )
        for short, table in zip(short_names([str(table.system) for table in tables]), tables, strict=True):
            owner = next((one.name for one in systems if _is_run_of(one, str(table.system))), short)
            given.setdefault(owner, []).append(table)
    unknown = [system for system in given if system not in known]
    if unknown:
        raise InputError(f"there are scores for {unknown[0]!r}, and the systems are {', '.join(known)}")
    result = []
    for one in systems:
        tables = given.get(one.name, [])
        if len(tables) != len(one.runs):
            raise InputError(f"{one.name!r} has {len(one.runs)} runs and {len(tables)} files of scores")
        runs = tuple(replace(run, scores=table.columns) for run, table in zip(one.runs, tables, strict=True))
        result.append(replace(one, runs=runs))
    return result


def _is_run_of(system: System, path: str) -> bool:
    return any(os.path.normpath(run.name) == os.path.normpath(path) for run in system.runs)


def corpus_from_memory(
    references: Any, systems: Mapping[str, Any], *, documents: Sequence[str] | None = None, name: str = "test set"
) -> Corpus:
    """Build a corpus from what Python programs hold.

    Parameters
    ----------
    references : sequence of str, sequence of sequences, path, or None
        The segments of one reference; one sequence for each of several; or a file. A ``str`` or ``Path`` is a file.
    systems : mapping of str to outputs
        The segments of a run, a file, or a sequence of such for several runs; arrays of numbers are segment scores.
    documents : sequence of str, optional
        The document of each segment.
    """
    notes: list[str] = []
    sides = [] if references is None else [_side(one, notes) for one in _several(references)]
    found = []
    for system, outputs in systems.items():
        runs = _several(outputs)
        names = [system] if len(runs) == 1 else [f"{system}.{i + 1}" for i in range(len(runs))]
        found.append(System(system, tuple(_run(label, one, notes) for label, one in zip(names, runs, strict=True))))
    return Corpus.build(found, sides, documents=documents, name=name, notes=notes)


def _several(given: Any) -> list[Any]:
    """One thing, or the several things that a sequence holds: paths, sequences of lines, arrays of numbers."""
    if isinstance(given, str | os.PathLike):
        return [given]
    items = list(given)
    if items and all(isinstance(one, os.PathLike) or _is_sequence(one) for one in items):
        return items
    return [given]


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)


def _side(given: Any, notes: list[str]) -> list[str]:
    if isinstance(given, str | os.PathLike):
        return _noted(read_lines(os.fspath(given)), notes).lines
    lines = list(given)
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str):
            raise InputError(f"segment {number:,} is {type(line).__name__}; a string was expected")
    return lines


def _run(name: str, given: Any, notes: list[str]) -> Run:
    if isinstance(given, str | os.PathLike):
        return Run(os.fspath(given), tuple(_side(given, notes)))
    items = list(given)
    if items and all(isinstance(one, int | float | np.number) for one in items):
        return Run(name, None, {SCORE: _finite(np.array(items, np.float64), name)})
    return Run(name, tuple(_side(items, notes)))


def _finite(values: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    odd = np.flatnonzero(~np.isfinite(values))
    if odd.size:
        raise InputError(
            f"the score of segment {odd[0] + 1:,} of {name!r} is {values[odd[0]]}", hint="scores must be finite"
        )
    return values
