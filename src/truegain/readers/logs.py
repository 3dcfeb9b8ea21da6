"""Logs of evaluations: what a log says of each sample, and the table of scores that is made of it.

A new log is a module that recognises its file, returns a :class:`Sample` per answer, and describes itself by
:func:`log_format`.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, excerpt, some
from truegain.notes import Note
from truegain.readers.formats import File, Format, Layout
from truegain.readers.name_pieces import natural
from truegain.readers.repeats import averaged, say_samples
from truegain.readers.score_values import say_verdicts
from truegain.readers.scores import ScoreTable
from truegain.readers.strict_json import strict_loads
from truegain.readers.tabular import label_columns

if TYPE_CHECKING:
    from truegain.repeats import Repeats

_SHOWN = 3  # samples, or columns, named in a note


@dataclass(frozen=True)
class Sample:
    """One answer, as a log has it.

    Attributes
    ----------
    item : str
        The id of what was asked: samples of one item are averaged.
    place : str
        What messages call it: ``sample q1, epoch 2``. No other sample of the log has it.
    values : mapping of str to object
        What each scorer gave; None, or no entry, if it gave nothing.
    labels : mapping of str to object
        What items can be grouped by, if it is a text or a number.
    question : mapping of str to object
        What was asked, and the right answer: the same in all logs that are compared.
    failed : bool
    """

    item: str
    place: str
    values: Mapping[str, Any]
    labels: Mapping[str, Any] = field(default_factory=dict)
    question: Mapping[str, Any] = field(default_factory=dict)
    failed: bool = False


def log_format(
    about: str, recognise: Callable[[File], bool], read: Callable[[File], list[ScoreTable]], id_column: str
) -> Format:
    """Describe a log: it holds scores, is no text and no table, and has ids of its own.

    Parameters
    ----------
    about : str
        What it is, in one line.
    recognise : callable
        Return whether a file is such a log.
    read : callable
        Return a table for each system of a file that was recognised.
    id_column : str
        What its samples are matched by.
    """

    def text(file: File, layout: Layout) -> None:
        if layout.text_column is None and recognise(file):
            columns = list(read(file)[0].columns)[:_SHOWN]
            metrics = Setting("metrics", tuple(f"scores:column={name}" for name in columns))
            raise InputError(
                f"this is {about}: it holds scores",
                path=file.path,
                hint=("compare the scores, without ", Setting("references"), ": ", metrics),
            )

    def scores(file: File, asked: str | None) -> list[ScoreTable] | None:
        if not recognise(file):
            return None
        if asked not in (None, id_column):
            raise InputError(
                f"samples of a log are matched by {id_column!r}, not by {asked!r}",
                path=file.path,
                hint="leave the column of ids out",
            )
        return read(file)

    return Format(about, text=text, scores=scores, is_log=recognise)


def first_record(file: File) -> Any:
    """Return the first object of a list in JSON, or of a file with an object per line; None if there is none."""
    if isinstance(file.json, list):
        return file.json[0] if file.json else None
    with suppress(InputError, ValueError, RecursionError):  # whoever reads it as JSON says what is wrong
        return strict_loads(file.head[0])
    return None


def log_table(
    samples: Sequence[Sample],
    file: File,
    id_column: str,
    *,
    model: str | None = None,
    number: Callable[[Any], float | None] | None = None,
    retry: str | None = None,
    notes: Iterable[Note] = (),
) -> ScoreTable:
    """Return the mean of each scorer over the samples of each item, in the natural order of the items' ids.

    A score counts if its scorer gave one, even if the sample failed. A scorer that gave an item none is passed over.

    Parameters
    ----------
    samples : sequence of Sample
    file : File
    id_column : str
        What the log calls ids.
    model : str, optional
        The system that the log names.
    number : callable, optional
        Return the number that a value stands for; None if it is none. By default only truth values and numbers are.
    retry : str, optional
        What to do about items without a score.
    notes : iterable of Note

    Raises
    ------
    InputError
        If there is no sample, one occurs twice, a score is not finite, or no scorer gave every item a number.
    """
    if not samples:
        raise InputError("there are no samples in it", path=file.name, hint="did the evaluation fail?")
    twice = next((place for place, count in Counter(one.place for one in samples).items() if count > 1), None)
    if twice is not None:
        raise InputError(
            f"{twice} occurs in it twice", path=file.name, hint="were logs joined? Give each as a run: NAME=LOG1,LOG2"
        )
    ordered = sorted(samples, key=lambda one: (natural(one.item), one.item, natural(one.place)))
    items = tuple(dict.fromkeys(one.item for one in ordered))
    counted = Counter(one.item for one in samples).values()
    counts = min(counted), max(counted)
    columns, repeats, told = _columns(ordered, items, file.name, number or plain_number, retry)
    said = [*file.notes, *notes, *_failed(samples), *told]
    if counts != (1, 1):
        text = f"{say_samples(len(items), counts)} by the column {id_column!r}: averaged per item"
        said.append(Note("samples", text, file=file.name))
    return ScoreTable(
        file.name,
        None,
        columns,
        tuple(said),
        items,
        {one.item: {key: _written(value) for key, value in one.question.items()} for one in ordered},
        id_column,
        len(samples),
        counts,
        labels=_labels(ordered),
        repeats=repeats,
        model=model,
        by_row=items == tuple(dict.fromkeys(one.item for one in samples)),
    )


def _columns(
    samples: Sequence[Sample], items: Sequence[str], name: str, number: Callable[[Any], float | None], retry: str | None
) -> tuple[dict[str, NDArray[np.float64]], dict[str, Repeats], list[Note]]:
    given: dict[str, list[tuple[Sample, Any]]] = {}
    for sample in samples:
        for scorer, value in sample.values.items():
            if value is not None:
                given.setdefault(scorer, []).append((sample, value))
    columns: dict[str, NDArray[np.float64]] = {}
    repeats: dict[str, Repeats] = {}
    passed: dict[tuple[str, str], list[str]] = {}  # the scorers of each kind of note and its text
    for scorer, own in given.items():
        numbers = [number(value) for _, value in own]
        if any(one is None for one in numbers):
            passed.setdefault(("no-numbers", "is not a number for each sample"), []).append(scorer)
            continue
        found = np.array(numbers, dtype=np.float64)
        if not np.isfinite(found).all():
            row = int(np.argmin(np.isfinite(found)))
            raise InputError(
                f"{own[row][0].place}: the score of {scorer!r} is {found[row]}",
                path=name,
                hint="leave a sample without a score out of all logs",
            )
        average = averaged([sample.item for sample, _ in own], {scorer: found})
        if len(average.ids) < len(items):
            known = set(average.ids)
            missing = next(item for item in items if item not in known)
            text = f"did not score {len(items) - len(known):,} of {len(items):,} items, such as {excerpt(missing)}"
            passed.setdefault(("lacking-scores", text), []).append(scorer)
            continue
        columns |= average.columns
        repeats |= average.repeats
    if not columns:
        kind, text = min(passed, default=("", ""))  # a lack of scores, if there is one
        said = f"{passed[kind, text][0]} {text}" if passed else "no scorer of this log gave every sample a number"
        raise InputError(said, path=name, hint=retry if kind == "lacking-scores" else None)
    notes = [Note(kind, f"{own[0]} {text}, and was skipped{_so_were(own[1:])}") for (kind, text), own in passed.items()]
    truths = [key for key in columns if any(isinstance(value, bool) for _, value in given[key])]
    notes += [Note("truth-values", say_verdicts(key, None), file=name) for key in truths]
    whole = sum(not sample.failed for sample in samples)
    for key in columns:
        if (fewer := whole - sum(not sample.failed for sample, _ in given[key])) > 0:
            text = f"{key} has no score for {fewer:,} of {whole:,} samples, which are left out of its means"
            notes.append(Note("lacking-scores", text, file=name))
    return columns, repeats, notes


def plain_number(value: Any) -> float | None:
    """Return a truth value or a number; one beyond all that can be computed with is infinite."""
    if not isinstance(value, bool | int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _so_were(names: Sequence[str]) -> str:
    return f"; so were {some(names, _SHOWN)}" if names else ""


def _failed(samples: Sequence[Sample]) -> Iterator[Note]:
    failed = [one.place for one in samples if one.failed]
    if failed:
        yield Note(
            "failed-samples",
            f"{len(failed):,} of {len(samples):,} samples failed, and count only where a scorer gave them a score: "
            f"{some(failed, _SHOWN, '; ')}",
        )


def _labels(samples: Sequence[Sample]) -> Mapping[str, tuple[str | None, ...]]:
    """Return the labels of items that all their samples agree on."""
    names = dict.fromkeys(name for one in samples for name, value in one.labels.items() if _label(value) is not None)
    texts = {name: [_label(one.labels.get(name)) for one in samples] for name in names}
    return label_columns(texts, [one.item for one in samples], any_number=True)


def _label(value: Any) -> str | None:
    return str(value) if isinstance(value, str | int | float) else None


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
