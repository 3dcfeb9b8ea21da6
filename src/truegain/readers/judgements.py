"""Scores of people and of metrics, brought onto the same systems and segments."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import System
from truegain.errors import InputError, Way
from truegain.inputs import IN_MEMORY, InputFile, Inputs
from truegain.notes import Note, gathered
from truegain.readers.compression import ENDINGS
from truegain.readers.documents import read_documents
from truegain.readers.file_names import speaks_of_reference
from truegain.readers.formats import File, read_scores
from truegain.readers.matching import Ids, common_ids, order_by
from truegain.readers.plain import read_lines
from truegain.readers.score_values import number_in
from truegain.readers.scored_tables import systems_in_tables
from truegain.readers.sources import Source, entries_of, is_file, is_folder, without_compression
from truegain.readers.tabular import Chosen

__all__ = [
    "Judgements",
    "SystemScores",
    "as_scores",
    "gather",
    "is_human",
    "listed",
    "metric_files",
    "ranked_systems",
]

_SEGMENTS, _SYSTEMS = ".seg.score", ".sys.score"  # of mt-metrics-eval
_HUMAN = re.compile(r"human", re.IGNORECASE)
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
    """

    name: str
    segments: Mapping[str, Array]
    systems: Mapping[str, float] = field(default_factory=dict)
    ids: Ids | None = None
    documents: Sequence[str] | None = None
    notes: tuple[Note, ...] = ()
    files: tuple[InputFile, ...] = ()

    def __len__(self) -> int:
        return len(next(iter(self.segments.values())))


@dataclass(frozen=True)
class Judgements:
    """Scores on the segments that people rated for every system.

    Attributes
    ----------
    systems, metrics : tuple of str
    human : array (systems, segments)
    scores : array (metrics, systems, segments)
    human_systems : array (systems,)
    metric_systems : array (metrics, systems)
    documents : array (segments,), optional
        The number of each segment's document.
    segments : int
        How many segments there are, rated or not.
    """

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    human: Array
    scores: Array
    human_systems: Array
    metric_systems: Array
    documents: NDArray[np.int64] | None
    segments: int
    notes: tuple[Note, ...]
    inputs: Inputs


def is_human(system: str) -> bool:
    """Return whether a system is a human reference, by its name: refA, ref-B, synthetic_ref, Human-A."""
    return speaks_of_reference(system) or _HUMAN.match(system) is not None


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


def _read_scores(path: str) -> SystemScores:
    """Read the segment scores of several systems, and those of systems that mt-metrics-eval has in a file beside them.

    Raises
    ------
    InputError
        If the file does not name systems, has several columns of scores, or several runs of a system.
    """
    if path != "-" and not is_file(path):
        raise InputError("there is no such file", path=path)
    opened: dict[str, File] = {}
    table = systems_in_tables([Source(path, (path,))], False, opened, Chosen())
    if table is not None:
        own = {system.name: _column(system, path) for system in table.systems}
        of_columns = not without_compression(path).endswith(_SEGMENTS)  # else it has none that could be taken wrongly
        notes = tuple(note for note in table.notes if of_columns or note.kind != "systems")
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
        own = {str(one.system): _only(one.columns, path) for one in tables}
        notes = tuple(dict.fromkeys(note for one in tables for note in one.notes))
        ids = None if tables[0].ids is None else Ids(path, tables[0].ids)
        documents = None
    rows = sum(int(np.count_nonzero(~np.isnan(values))) for values in own.values())
    file = InputFile(path, "scores", rows)
    beside = _beside(path)
    if beside is None:
        return SystemScores(path, own, {}, ids, documents, notes, (file,))
    systems = _read_systems(beside)
    return SystemScores(path, own, systems, ids, documents, notes, (file, InputFile(beside, "scores", len(systems))))


def _column(system: System, path: str) -> Array:
    if len(system.runs) != 1:
        raise InputError(f"{system.name!r} has {len(system.runs):,} runs, and one is held against people", path=path)
    return _only(system.runs[0].scores, path)


def _only(columns: Mapping[str, Array], path: str) -> Array:
    if len(columns) != 1:
        raise InputError(
            f"it has {len(columns):,} columns of scores ({', '.join(list(columns)[:_LISTED])}), and one is needed",
            path=path,
            hint="give a file for each metric",
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
            raise InputError(f"{system.strip()!r} stands twice", path=path, line=number)
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
        try:
            own = np.array([np.nan if one is None else one for one in values], np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{name}: the scores of {system!r} are no sequence of numbers") from None
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


def gather(
    human: SystemScores,
    metrics: Mapping[str, SystemScores],
    documents: str | Sequence[str] | None,
    *,
    keep_references: bool,
) -> Judgements:
    """Bring scores onto the systems that people rated, and the segments that they rated for all of them.

    Raises
    ------
    InputError
        If a metric lacks a system, a segment or a score, or if there is nothing to compare.
    """
    notes = [*human.notes, *(note for one in metrics.values() for note in one.notes)]
    systems = _systems(human, metrics, notes, keep_references=keep_references)
    ids, said = common_ids([(one.name, one.ids.values if one.ids else None) for one in (human, *metrics.values())])
    notes += [] if said is None else [said]
    sides = [_in_order(one, systems, ids, len(human)) for one in (human, *metrics.values())]
    rated = _rated(sides[0], systems, notes)
    people, *scores = (side[:, rated] for side in sides)
    _check_all(people, human.name, "people's scores")
    for (name, one), own in zip(metrics.items(), scores, strict=True):
        lacking = np.argwhere(np.isnan(own))
        if len(lacking):
            system, place = lacking[0]
            count = "a score is" if len(lacking) == 1 else f"{len(lacking):,} scores are"
            raise InputError(
                f"{count} missing on segments that people rated, the first of {systems[system]!r} on segment "
                f"{int(rated[place]) + 1:,}",
                path=one.name,
                hint="a metric needs a score for every system and segment; leave the segment out of people's scores",
            )
        _check_all(own, one.name, f"scores of {name}")
    labels, files, source = _documents(documents, human, ids, len(human))
    means = [
        _system_scores(one, side, systems, notes) for one, side in zip((human, *metrics.values()), sides, strict=True)
    ]
    return Judgements(
        tuple(systems),
        tuple(metrics),
        people,
        np.array(scores),
        means[0],
        np.array(means[1:]),
        None if labels is None else np.unique(np.array(labels)[rated], return_inverse=True)[1],
        len(human),
        tuple(gathered(notes)),
        Inputs(
            (*human.files, *(file for one in metrics.values() for file in one.files), *files),
            "line" if ids is None else "id",
            source,
        ),
    )


def _systems(
    human: SystemScores, metrics: Mapping[str, SystemScores], notes: list[Note], *, keep_references: bool
) -> list[str]:
    """Return the systems that are compared, and say which are left out."""
    unrated = [name for name, own in human.segments.items() if np.isnan(own).all()]
    if unrated:
        notes.append(Note("systems", f"People rated no segment of {listed(unrated)}: left out"))
    systems = ranked_systems(human, keep_references=keep_references)
    references = [name for name in human.segments if name not in unrated and is_human(name)]
    if references and not keep_references:
        text = f"{listed(references)} {'is a human reference' if len(references) == 1 else 'are human references'}"
        notes.append(Note("human-references", f"{text} by name: left out of the systems"))
    for one in metrics.values():
        missing = [name for name in systems if name not in one.segments]
        if missing:
            raise InputError(
                f"it has no scores of {listed(missing)}, which people rated",
                path=one.name,
                hint="every metric needs scores of every system; leave the system out of people's scores",
            )
    others = {name for one in metrics.values() for name in one.segments} - set(human.segments)
    if others:
        notes.append(Note("systems", f"People did not rate {listed(sorted(others))}: left out"))
    if len(systems) < 2:
        raise InputError(
            f"people rated {'only ' + repr(systems[0]) if systems else 'no system'}, and a ranking needs two systems",
            path=human.name if is_file(human.name) else None,
            hint=("human references count, too, with ", Way("--keep-references", "keep_references=True"))
            if references and not keep_references
            else None,
        )
    return systems


def ranked_systems(human: SystemScores, *, keep_references: bool) -> list[str]:
    """Return the systems of which people rated a segment; without human references, unless these are kept."""
    rated = [name for name, own in human.segments.items() if not np.isnan(own).all()]
    return [name for name in rated if keep_references or not is_human(name)]


def listed(names: Sequence[str]) -> str:
    """Return the first names, quoted, and how many more there are."""
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return ", ".join(map(repr, names[:_LISTED])) + more


def _in_order(one: SystemScores, systems: Iterable[str], ids: Ids | None, segments: int) -> Array:
    values = np.array([one.segments[name] for name in systems])
    if ids is not None and one.ids is not None:
        return np.asarray(values[:, order_by(one.ids.values, ids.values, one.name, ids.name)])
    if values.shape[1] != segments:
        raise InputError(f"it has {values.shape[1]:,} segments, and people's scores have {segments:,}", path=one.name)
    return values


def _rated(scores: Array, systems: Sequence[str], notes: list[Note]) -> NDArray[np.int64]:
    lacking = np.isnan(scores)
    rated = np.flatnonzero(~lacking.any(axis=0))
    count = scores.shape[1]
    if rated.size < 2:
        fewest = int(lacking.sum(axis=1).argmax())
        raise InputError(
            f"people rated {'one segment' if rated.size else 'no segment'} of {count:,} for every system; "
            f"{systems[fewest]!r} has ratings of {count - int(lacking[fewest].sum()):,}",
            hint="leave out systems that were rated on other segments",
        )
    if rated.size < count:
        text = f"{rated.size:,} of {count:,} segments were rated for every system, and are used"
        notes.append(Note("not-rated", text))
    return rated


def _check_all(scores: Array, name: str, what: str) -> None:
    if scores.min() == scores.max():
        raise InputError(f"all {what} are the same: {scores.flat[0]:g}", path=name if is_file(name) else None)


def _system_scores(one: SystemScores, side: Array, systems: Sequence[str], notes: list[Note]) -> Array:
    """Return the scores of systems that were given, or the means over segments."""
    if one.systems and all(name in one.systems for name in systems):
        return np.array([one.systems[name] for name in systems])
    if one.systems:
        lacking = [name for name in systems if name not in one.systems]
        text = f"scores of systems lack {listed(lacking)}: means of segments are used"
        notes.append(Note("system-scores", text, file=one.files[1].name))
    return np.asarray(np.nanmean(side, axis=1))


def _documents(
    given: str | Sequence[str] | None, human: SystemScores, ids: Ids | None, segments: int
) -> tuple[list[str] | None, tuple[InputFile, ...], str | None]:
    """Return the document of each segment, the file, and where they come from."""
    if isinstance(given, str | os.PathLike):
        found = read_documents(os.fspath(given), segments, ids=ids)
        return found.documents, tuple(file for file in found.files if file.role == "documents"), os.fspath(given)
    if given is not None:
        labels = [str(one) for one in given]
        if len(labels) != segments:
            raise InputError(f"there are {len(labels):,} document ids for {segments:,} segments")
        return labels, (), IN_MEMORY
    return None if human.documents is None else list(human.documents), (), human.name if human.documents else None


def as_scores(given: Any, name: str) -> SystemScores:
    """Read a file, or take a mapping of systems to scores."""
    if isinstance(given, str | os.PathLike):
        return _read_scores(os.fspath(given))
    if isinstance(given, Mapping):
        return _scores_in_memory(given, name)
    raise InputError(
        f"{name}: a file or scores by system were expected; found {type(given).__name__}",
        hint=(Way("give a file", 'give {"system": [0.5, None, …]}'),),
    )
