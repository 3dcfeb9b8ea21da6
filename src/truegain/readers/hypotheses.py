"""Hypotheses with their features, for every segment of a test set: lists of Moses or Marian, or JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, one_of, some
from truegain.notes import Note
from truegain.readers.column_names import OUTPUT_NAMES, TEXT_NAMES
from truegain.readers.decoding import check_characters
from truegain.readers.formats import File
from truegain.readers.json_lines import json_records
from truegain.readers.nbest import BAR, entry
from truegain.readers.plain import LINE_LIMIT, ending
from truegain.readers.score_values import number_in

_JSON = (".jsonl", ".ndjson")
_FEW = 3  # segments named in a note
_MOST = 20_000_000  # segments


@dataclass(frozen=True)
class Hypotheses:
    """Hypotheses of all segments, list after list; the order in the files does not matter.

    Attributes
    ----------
    name : str
        The files.
    features : tuple of str
        The names of the features, in the order of the files; sorted if hypotheses have them in different orders.
    edges : ndarray of int64
        Those of segment ``i`` are ``edges[i]`` to ``edges[i + 1]``; there may be none.
    texts : tuple of str
    values : ndarray of float64, shape (hypotheses, features)
    totals : ndarray of float64, optional
        The score that the lists have of each hypothesis; None if some have none.
    notes : tuple of Note
    apart : tuple of (str, str)
        Of each segment whose hypotheses do not stand together: the first of them, and the first that stands apart.
    """

    name: str
    features: tuple[str, ...]
    edges: NDArray[np.int64]
    texts: tuple[str, ...]
    values: NDArray[np.float64]
    totals: NDArray[np.float64] | None = None
    notes: tuple[Note, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class _Entry:
    segment: int
    text: str
    values: Mapping[str, float]
    place: tuple[str, int]
    total: float | None


def read_hypotheses(paths: Sequence[str], segments: int | None, features: Sequence[str] = ()) -> Hypotheses:
    """Read the hypotheses of a test set; several files are merged.

    Parameters
    ----------
    paths : sequence of str
    segments : int, optional
        The number of segments, by the references; by default the largest id says it.
    features : sequence of str
        The features to take; by default all.

    Raises
    ------
    InputError
        With file and line, for an entry that cannot be read, an id beyond the references, a feature that is missing
        or no number; if no segment has two hypotheses to choose from; if a feature that was named is not there.
    """
    rows: dict[tuple[int, str, tuple[float, ...]], float | None] = {}
    names: tuple[str, ...] | None = None
    orders = set()
    copies = 0
    firsts: dict[int, str] = {}
    apart: dict[int, str] = {}
    before = None
    for one in (one for path in paths for one in _entries(path)):
        path, line = one.place
        if segments is not None and not 0 <= one.segment < segments:
            raise InputError(
                f"the id {one.segment}, and there are {segments:,} references: ids count the segments from 0",
                path=path,
                line=line,
                hint="are these the references of this test set?",
            )
        if names is None:
            names = _chosen(tuple(one.values), features, path)
        orders.add(tuple(one.values))
        if before != (path, one.segment) and one.segment in firsts:
            apart.setdefault(one.segment, one.text)
        before = path, one.segment
        firsts.setdefault(one.segment, one.text)
        row = (one.segment, one.text, _values(one, names, features))
        if row in rows:
            copies += 1
            known = rows[row]
            rows[row] = None if known is None or one.total is None else max(known, one.total)
        else:
            rows[row] = one.total
    name = ", ".join(paths)
    if names is None:
        raise InputError("there are no hypotheses", path=name)
    if len(orders) > 1 and not features:  # else what optimizers draw would follow from which line comes first
        places = sorted(range(len(names)), key=names.__getitem__)
        rows = {(one, text, tuple(own[i] for i in places)): total for (one, text, own), total in rows.items()}
        names = tuple(names[i] for i in places)
    ordered = sorted(rows)
    counts = np.bincount([segment for segment, *_ in ordered], minlength=segments or 0)
    if counts.max() < 2:
        raise InputError("no segment has two hypotheses, so there is nothing to choose", path=name)
    return Hypotheses(
        name,
        names,
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        tuple(text for _, text, _ in ordered),
        np.array([values for *_, values in ordered], np.float64),
        None if None in rows.values() else np.array([rows[row] for row in ordered], np.float64),
        tuple(_notes(counts, copies, name)),
        tuple((firsts[segment], text) for segment, text in apart.items()),
    )


def _entries(path: str) -> Iterator[_Entry]:
    if ending(path) in _JSON:
        yield from _from_json(path)
        return
    source = File(path).lines
    for number, line in enumerate(source.lines, 1):
        segment, fields = entry(line, source.name, number)
        if segment >= _MOST:
            raise InputError(f"the id {segment}: ids count the segments from 0", path=path, line=number)
        if len(fields) < 2:
            raise InputError(f"no features; id {BAR} text {BAR} features was expected", path=path, line=number)
        total = number_in(fields[2].strip()) if len(fields) > 2 else None
        if total is not None and not np.isfinite(total):
            raise InputError(f"the total is {fields[2].strip()!r}; a number was expected", path=path, line=number)
        yield _Entry(segment, fields[0].strip(), _named_values(fields[1], path, number), (path, number), total)


def _named_values(text: str, path: str, line: int) -> dict[str, float]:
    """Return the features of a line: ``lm= -1.5 tm= -2 -3`` has lm, tm_0 and tm_1; values without a name are F0, F1."""
    groups: dict[str, list[float]] = {}
    name = "F"
    for word in text.split():
        if word.endswith(("=", ":")) and len(word) > 1:
            name = word[:-1]
            if name in groups:
                raise InputError(f"the feature {name!r} is given twice", path=path, line=line)
            groups[name] = []
            continue
        groups.setdefault(name, []).append(_finite(word, name, path, line))
    found: dict[str, float] = {}
    for name, values in groups.items():
        if not values:
            raise InputError(f"the feature {name!r} has no value", path=path, line=line)
        alone = len(values) == 1 and name != "F"
        found.update({name: values[0]} if alone else {f"{name}_{i}": value for i, value in enumerate(values)})
    return found


def _finite(word: str, name: str, path: str, line: int) -> float:
    value = number_in(word)
    if value is None or not np.isfinite(value):
        raise InputError(f"the feature {name!r} is {word!r}; a number was expected", path=path, line=line)
    return value


def _from_json(path: str) -> Iterator[_Entry]:
    for number, (_, record) in enumerate(json_records(File(path, table=True)), 1):
        segment, values = record.get("id"), record.get("features")
        text = next((record[key] for key in (*OUTPUT_NAMES, *TEXT_NAMES) if key in record), None)
        if not isinstance(segment, int) or isinstance(segment, bool) or not isinstance(text, str):
            raise InputError(
                'an id (a whole number) and a text were expected: {"id": 0, "text": "…", "features": {"lm": -1.5}}',
                path=path,
                line=number,
            )
        _check_text(text, path, number)
        if not isinstance(values, dict) or not values:
            raise InputError("there are no features", path=path, line=number)
        if not 0 <= segment < _MOST:
            raise InputError(f"the id {segment}: ids count the segments from 0", path=path, line=number)
        own = {key: _json_number(one, f"feature {key!r}", path, number) for key, one in values.items()}
        total = None if record.get("total") is None else _json_number(record["total"], "total", path, number)
        yield _Entry(segment, text, own, (path, number), total)


def _check_text(text: str, path: str, line: int) -> None:
    """Refuse what lists of lines cannot hold, and outputs, which are written a line each, cannot either."""
    check_characters(text, f"the text in line {line:,}", path)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError("the text holds half a character", path=path, line=line) from error
    if len(text) > LINE_LIMIT:
        raise InputError(f"the text has {len(text):,} characters; the limit is {LINE_LIMIT:,}", path=path, line=line)
    if "\n" in text or "\r" in text:
        raise InputError(
            "the text has a line break, and outputs are written one per line",
            path=path,
            line=line,
            hint="write a space for it",
        )


def _json_number(value: Any, what: str, path: str, line: int) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"the {what} is {value!r}; a number was expected", path=path, line=line)
    try:
        number = float(value)
    except OverflowError:
        number = np.inf
    if not np.isfinite(number):
        raise InputError(f"the {what} is too large, or no number", path=path, line=line)
    return number


def _chosen(found: tuple[str, ...], asked: Sequence[str], path: str) -> tuple[str, ...]:
    for name in asked:
        if name not in found:
            raise one_of(f"{path}: the feature", name, list(found))
    return tuple(dict.fromkeys(asked)) or found


def _values(one: _Entry, names: Sequence[str], asked: Sequence[str]) -> tuple[float, ...]:
    path, line = one.place
    lacking = [name for name in names if name not in one.values]
    more = [] if asked else [name for name in one.values if name not in names]
    if lacking or more:
        what = f"lacks the feature {lacking[0]!r}" if lacking else f"has a feature {more[0]!r}"
        raise InputError(
            f"this hypothesis {what}, unlike the first one",
            path=path,
            line=line,
            hint="every hypothesis needs the same features; write 0 for one that does not fire",
        )
    return tuple(one.values[name] for name in names)


def _notes(counts: NDArray[np.int64], copies: int, name: str) -> Iterator[Note]:
    none = np.flatnonzero(counts == 0)
    if none.size:
        said = some(list(map(str, none.tolist())), _FEW)
        yield Note("no-hypothesis", f"no hypothesis of segment {said}: the output is empty there", file=name)
    if copies:
        yield Note("copies", f"{copies:,} hypotheses occurred twice, and count once", file=name)
