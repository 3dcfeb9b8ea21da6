"""Scores of people and of metrics, brought onto the same systems and segments."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Way
from truegain.inputs import IN_MEMORY, InputFile, Inputs
from truegain.notes import Note, gathered
from truegain.readers.documents import read_documents
from truegain.readers.file_names import speaks_of_reference
from truegain.readers.matching import Ids, common_ids, order_by
from truegain.readers.scores_beside import listed, say_origins, system_level
from truegain.readers.sequences import in_order, label_stream
from truegain.readers.sources import is_file
from truegain.readers.system_scores import SystemScores

__all__ = ["Judgements", "gather", "is_human", "listed", "ranked_systems"]

_HUMAN = re.compile(r"human", re.IGNORECASE)

Array = NDArray[np.float64]


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
    wider = [] if ids is None else [one.ids for one in metrics.values() if one.ids and len(one) > len(human)]
    notes += _say_left_out(ids, wider)
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
    labels, files, source = _documents(documents, human, ids, wider)
    means = [
        system_level(one, side, systems, notes, people=one is human)
        for one, side in zip((human, *metrics.values()), sides, strict=True)
    ]
    notes += say_origins(human, metrics, systems)
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
        notes.append(Note("left-out", f"People rated no segment of {listed(unrated)}: left out"))
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
        notes.append(Note("left-out", f"People did not rate {listed(sorted(others))}: left out"))
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


def _in_order(one: SystemScores, systems: Iterable[str], ids: Ids | None, segments: int) -> Array:
    values = np.array([one.segments[name] for name in systems])
    if ids is not None and one.ids is not None:
        return np.asarray(values[:, order_by(one.ids.values, ids.values, one.name, ids.name, others=True)])
    if values.shape[1] != segments:
        raise InputError(f"it has {values.shape[1]:,} segments, and people's scores have {segments:,}", path=one.name)
    return values


def _say_left_out(ids: Ids | None, wider: Sequence[Ids]) -> list[Note]:
    """Say how many segments of a metric have ids that people's scores lack."""
    rated = set() if ids is None else set(ids.values)
    notes = []
    for one in wider:
        count, first = len(one.values), next(own for own in one.values if own not in rated)
        text = f"people did not rate {count - len(rated):,} of its {count:,} segments, the first {first!r}: left out"
        notes.append(Note("not-rated", text, file=one.name))
    return notes


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


def _documents(
    given: str | Sequence[str] | None, human: SystemScores, ids: Ids | None, wider: Sequence[Ids]
) -> tuple[list[str] | None, tuple[InputFile, ...], str | None]:
    """Return the document of each segment, the file, and where they come from.

    Parameters
    ----------
    given : str or sequence of str, optional
    human : SystemScores
    ids : Ids, optional
        Those of the segments that people rated.
    wider : sequence of Ids
        Those of metrics with further segments, whose documents may be given, too.
    """
    if isinstance(given, str | os.PathLike):
        found = read_documents(os.fspath(given), len(human), ids=ids, wider=wider)
        return found.documents, tuple(file for file in found.files if file.role == "documents"), os.fspath(given)
    if given is not None:
        labels = list(label_stream(in_order(given, "documents"), "document id"))
        own = next((one for one in wider if one.by_row and len(one.values) == len(labels)), None)
        if own is not None and ids is not None:
            labels = [labels[place] for place in order_by(own.values, ids.values, own.name, ids.name, others=True)]
        if len(labels) != len(human):
            raise InputError(f"there are {len(labels):,} document ids for {len(human):,} segments")
        return labels, (), IN_MEMORY
    return None if human.documents is None else list(human.documents), (), human.name if human.documents else None
