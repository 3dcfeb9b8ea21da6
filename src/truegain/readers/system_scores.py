"""Segment scores of systems, from people or from one metric: of files, or from memory."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import System
from truegain.errors import InputError, Way
from truegain.inputs import IN_MEMORY, InputFile
from truegain.notes import Note
from truegain.readers.any_format import read_scores
from truegain.readers.cells import is_missing
from truegain.readers.column_names import Chosen
from truegain.readers.compression import ENDINGS
from truegain.readers.error_spans import ERROR_CLASSES
from truegain.readers.formats import File
from truegain.readers.frames import is_frame, rated_systems
from truegain.readers.matching import Ids
from truegain.readers.plain import read_lines
from truegain.readers.score_values import number_in
from truegain.readers.scored_tables import systems_in_tables
from truegain.readers.sequences import in_order
from truegain.readers.sources import Source, entries_of, is_file, is_folder, without_compression

_SEGMENTS, _SYSTEMS = ".seg.score", ".sys.score"  # of mt-metrics-eval
_ORDER = "system-order"  # nothing to know where no system is the baseline
_LISTED = 5

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SystemScores:
    """Segment scores of systems, from people or from one metric.

    Attributes
    ----------
    name : str
        The file, or what else to call it in errors.
    segments : mapping of str to array
        The scores of each system; NaN for a segment that was not rated.
    systems : mapping of str to float
        The scores of whole systems, if they were given, too.
    beside : str, optional
        The file that these come from.
    """

    name: str
    segments: Mapping[str, Array]
    systems: Mapping[str, float] = field(default_factory=dict)
    ids: Ids | None = None
    documents: Sequence[str] | None = None
    notes: tuple[Note, ...] = ()
    files: tuple[InputFile, ...] = ()
    beside: str | None = None

    def __len__(self) -> int:
        return len(next(iter(self.segments.values())))


def metric_files(given: Sequence[str]) -> dict[str, str]:
    """Return files by the names of metrics: ``NAME=FILE``, a file, or a folder of files that end in .seg.score.

    Raises
    ------
    InputError
        If two have the same name.
    """
    found: dict[str, str] = {}
    for argument in given:
        name, equals, path = argument.partition("=")
        named = bool(equals and name) and not is_file(argument)
        ones = [path] if named else _of_folder(argument) if is_folder(argument) else [argument]
        for one in ones:
            own = name if named else _metric_name(one)
            if own in found:
                raise InputError(
                    f"two metrics are named {own!r}: {found[own]} and {one}", hint="name them yourself: NAME=FILE"
                )
            found[own] = one
    return found


def _of_folder(folder: str) -> list[str]:
    found = [str(one) for one in entries_of(folder) if without_compression(one.name).endswith(_SEGMENTS)]
    if not found:
        raise InputError(f"there is no file in it that ends in {_SEGMENTS}", path=folder)
    return found


def _metric_name(path: str) -> str:
    name = Path(without_compression(path)).name
    return name.removesuffix(_SEGMENTS) if name.endswith(_SEGMENTS) else Path(name).stem or name


def as_scores(given: Any, name: str, *, people: bool = False) -> SystemScores:
    """Read a file, or take scores by system: a mapping, or a data frame.

    Parameters
    ----------
    given : path, mapping or data frame
    name : str
        What to call scores in memory.
    people : bool
        Whether these are scores of people, not of a metric.
    """
    if isinstance(given, str | os.PathLike):
        return _read_scores(os.fspath(given), people=people)
    if is_frame(given):
        table = rated_systems(given)
        own = {system.name: _column(system, name, people=people) for system in table.systems}
        notes = tuple(note for note in table.notes if note.kind != _ORDER)
        return SystemScores(name, own, {}, table.ids, table.documents, notes, tuple(table.files))
    if isinstance(given, Mapping):
        return _scores_in_memory(given, name)
    raise InputError(
        f"{name}: a file or scores by system were expected; found {type(given).__name__}",
        hint=(
            Way("give a file", 'give {"system": [0.5, None, …]}, or a data frame; of metrics, one for each by name'),
        ),
    )


def _read_scores(path: str, *, people: bool) -> SystemScores:
    """Read the segment scores of several systems, and those of systems that mt-metrics-eval has in a file beside them.

    Raises
    ------
    InputError
        If the file does not name systems, has several columns of scores, or several runs of a system.
    """
    if path != "-" and not is_file(path):
        raise InputError("there is no such file", path=path)
    opened: dict[str, File] = {}
    table = systems_in_tables([Source(path, (path,))], False, opened, Chosen(by_option=False))
    if table is not None:
        own = {system.name: _column(system, path, people=people) for system in table.systems}
        of_columns = not without_compression(path).endswith(_SEGMENTS)  # else it has none that could be taken wrongly
        left_out = (_ORDER,) if of_columns else (_ORDER, "systems")
        notes = tuple(note for note in table.notes if note.kind not in left_out)
        ids, documents = table.ids, table.documents
    else:
        tables = read_scores(opened.get(path, path))
        unnamed = next((one for one in tables if one.system is None), None)
        if unnamed is not None:
            raise InputError(
                "it does not say which system each score belongs to",
                path=path,
                hint="give a table with a column of systems, or mt-metrics-eval's lines: a system, a tab and a score",
            )
        own = {str(one.system): _only(one.columns, path, people=people) for one in tables}
        notes = tuple(dict.fromkeys(note for one in tables for note in one.notes))
        ids = None if tables[0].ids is None else Ids(path, tables[0].ids, tables[0].by_row, tables[0].id_column)
        documents = None
    rows = sum(int(np.count_nonzero(~np.isnan(values))) for values in own.values())
    file = InputFile(path, "scores", rows)
    beside = _beside(path)
    if beside is None:
        return SystemScores(path, own, {}, ids, documents, notes, (file,))
    systems = _read_systems(beside)
    files = (file, InputFile(beside, "scores", len(systems)))
    return SystemScores(path, own, systems, ids, documents, notes, files, beside)


def _column(system: System, path: str, *, people: bool) -> Array:
    if len(system.runs) != 1:
        raise InputError(
            f"{system.name!r} has {len(system.runs):,} runs, and one is compared with people's scores", path=path
        )
    return _only(system.runs[0].scores, path, people=people)


def _only(columns: Mapping[str, Array], path: str, *, people: bool) -> Array:
    if len(columns) != 1:
        hint = "keep one column of scores" if people else "give a file for each metric"
        if columns.keys() == set(ERROR_CLASSES):
            hint = "these are counts of errors: give the scores that they are weighted to (.seg.score)"
        raise InputError(
            f"it has {len(columns):,} columns of scores ({', '.join(list(columns)[:_LISTED])}), and one is needed",
            path=path,
            hint=hint,
        )
    return next(iter(columns.values()))


def _beside(path: str) -> str | None:
    """Return the file of systems' scores that belongs to a file of segments', if there is one."""
    plain = without_compression(path)
    if not plain.endswith(_SEGMENTS):
        return None
    stem = plain.removesuffix(_SEGMENTS) + _SYSTEMS
    return next((one for one in (stem, *(f"{stem}{ending}" for ending in ENDINGS)) if is_file(one)), None)


def _read_systems(path: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for number, line in enumerate(read_lines(path).lines, 1):
        system, tab, text = line.partition("\t")
        if text.strip() == "None":
            continue
        score = number_in(text.strip())
        if not tab or score is None or not np.isfinite(score):
            raise InputError("a system, a tab and a score were expected", path=path, line=number)
        if system.strip() in found:
            raise InputError(f"{system.strip()!r} occurs twice", path=path, line=number)
        found[system.strip()] = score
    return found


def _scores_in_memory(given: Mapping[str, Any], name: str) -> SystemScores:
    """Take segment scores of systems from memory; None and NaN are segments that were not rated.

    Raises
    ------
    InputError
        If a score is no number, or systems have different numbers of segments.
    """
    found: dict[str, Array] = {}
    for system, values in given.items():
        items = in_order(values, f"{name}: the scores of {system!r}")
        try:
            own = np.array([np.nan if is_missing(one) else one for one in items], np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{name}: the scores of {system!r} are not a sequence of numbers") from None
        if np.isinf(own).any():
            raise InputError(f"{name}: a score of {system!r} is infinite")
        found[str(system)] = own
    sizes = {system: own.size for system, own in found.items()}
    if not found or not all(sizes.values()):
        raise InputError(f"{name}: there are no scores")
    if len(set(sizes.values())) > 1:
        (one, first), *others = sizes.items()
        other, second = next(size for size in others if size[1] != first)
        raise InputError(f"{name}: {other!r} has {second:,} scores and {one!r} {first:,}")
    rows = sum(int(np.count_nonzero(~np.isnan(values))) for values in found.values())
    return SystemScores(name, found, files=(InputFile(IN_MEMORY, "scores", rows),))
