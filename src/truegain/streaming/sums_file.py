"""Files of sums, read, checked and added up: a header that says what they are of, the numbers, and a checksum."""

from __future__ import annotations

import hashlib
import itertools
import math
from bisect import bisect, insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from truegain.errors import InputError, Setting, Text, Way, command
from truegain.file_roles import reads
from truegain.notes import Note, gathered
from truegain.readers.differences import first_difference
from truegain.readers.name_pieces import by_value, last_number
from truegain.readers.sources import short_names
from truegain.readers.strict_json import strict_loads
from truegain.resampling.poisson import LARGEST_WEIGHT
from truegain.streaming.content import LARGEST_CONTENT, Repeats
from truegain.streaming.sums import (
    DIGEST,
    FINE,
    LENGTH,
    MAGIC,
    Description,
    Integers,
    MetricPart,
    Sums,
    array_shapes,
    check_reach,
)

_HEADER_LIMIT = 1 << 26
_MOST = 1 << 62
_HINT: Text = ("make the shard again with ", command("stats"))

_T = TypeVar("_T")


def read_sums(path: str | Path) -> Sums:
    """Read what :func:`truegain.streaming.sums.write_sums` wrote.

    Raises
    ------
    InputError
        If there is no such file, it is no file of sums, or it is damaged.
    """
    reads(path)
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise InputError(
            "there is no such file",
            path=str(path),
            hint=(Way("truegain stats … -o FILE", "truegain.stats(…).save(…)"), " writes one"),
        ) from error
    except IsADirectoryError as error:
        raise InputError("this is a directory; a file was expected", path=str(path)) from error
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=str(path)) from error
    try:
        return from_bytes(data)
    except InputError as error:
        raise error.at(str(path)) from error


def add_up(sums: Iterable[tuple[str, Sums]]) -> Sums:
    """Add sums in any order; the result is the same.

    Parameters
    ----------
    sums : iterable of (str, Sums)
        Each with what to call it in an error: its file. One at a time is held with what was added before.

    Raises
    ------
    InputError
        If they are of different things, have segments in common, or one says what another says under other numbers; a
        gap is no error.
    """
    total: Sums | None = None
    origin = ""
    seen: list[tuple[int, int, str]] = []
    repeats = Repeats()
    said: list[Note] = []
    for name, one in sums:
        if total is None:
            total, origin = one, name
        else:
            told = differences(total.description, one.description)
            if told:
                raise InputError(
                    f"it cannot be added to {origin}: {told[0]}",
                    path=name,
                    hint="all shards must be made with the same systems, metrics, resamples and seed",
                )
            _check_apart(seen, one, name)
            said += _check_runs(total, one, origin, name)
            total = total + one
        repeats.add(name, one.ranges, one.contents, texts=one.description.references > 0)
        for first, last in one.ranges:
            insort(seen, (first, last, name))
    if total is None:
        raise InputError("there is nothing to merge", hint=("give the files that ", command("stats"), " wrote"))
    return replace(total, notes=tuple(sorted({*total.notes, *repeats.notes(), *gathered(said)}, key=str)))


def differences(first: Description, second: Description) -> list[str]:
    """Say in what two descriptions differ."""
    said = []
    if first.systems != second.systems:
        hint = "; name them: NAME=FILE" if len(first.systems) == len(second.systems) else ""
        said.append(f"its systems are {', '.join(second.systems)}, not {', '.join(first.systems)}{hint}")
    elif first.runs != second.runs:
        said.append(f"its systems have {_counts(second.runs)} runs, not {_counts(first.runs)}")
    mine, theirs = ([metric.key for metric in one.metrics] for one in (first, second))
    if mine != theirs:
        said.append(f"its metrics are {', '.join(theirs)}, not {', '.join(mine)}")
    else:
        for one, other in zip(first.metrics, second.metrics, strict=True):
            if one != other:
                said.append(f"its {other.key} is {other.signature}, not {one.signature}")
    for what, one_value, other_value in (
        ("unit", first.unit, second.unit),
        ("number of references", first.references, second.references),
        ("number of resamples", first.resamples, second.resamples),
        ("seed", first.seed, second.seed),
    ):
        if one_value != other_value:
            said.append(f"its {what} is {other_value}, not {one_value}")
    return said


def _counts(runs: Sequence[int]) -> str:
    return " + ".join(map(str, runs))


def _check_runs(total: Sums, one: Sums, origin: str, name: str) -> list[Note]:
    """Refuse runs in another order by their names; say so if names do not tell which run is which."""
    first = 0
    said = []
    for system, count in zip(total.description.systems, total.description.runs, strict=True):
        known, given = (list(sums.run_names[first : first + count]) for sums in (total, one))
        first += count
        mine, theirs = _labels(known), _labels(given)
        if count == 1 or mine == theirs:
            continue
        if set(mine) & set(theirs):
            place = first_difference(mine, theirs)
            raise InputError(
                f"it cannot be added to {origin}: run {place + 1} of {system!r} is {given[place]} here, and "
                f"{known[place]} there",
                path=name,
                hint="give the runs of every shard in one order, as lists with commas: NAME=FILE1,FILE2",
            )
        text = f"the runs of {system} have other names than in {origin}: they were added by their order"
        said.append(Note("runs-by-order", text, file=name, warning=True))
    return said


def _labels(names: Sequence[str]) -> list[str]:
    """Return what tells runs apart: their last numbers, or the parts in which their names differ."""
    own = [by_value(one) for one in short_names(names)]
    numbers = [last_number(one) for one in own]
    return numbers if all(numbers) and len(set(numbers)) == len(numbers) else own


def _check_apart(seen: Sequence[tuple[int, int, str]], one: Sums, name: str) -> None:
    """Refuse sums with segments that were seen; ranges that were seen are in order, and have none in common."""
    for first, last in one.ranges:
        place = bisect(seen, first, key=itemgetter(0))
        for other_first, other_last, other in seen[max(0, place - 1) : place + 1]:
            low, high = max(first, other_first), min(last, other_last)
            if low < high:
                raise InputError(
                    f"segments {low + 1:,} to {high:,} are also in {other}",
                    path=name,
                    hint=(
                        "every segment counts once: leave one of the two out, or tell ",
                        command("stats"),
                        " the number of a shard's first segment: ",
                        Setting("first"),
                    ),
                )


def from_bytes(data: bytes) -> Sums:
    """Read the sums of a file's content.

    Raises
    ------
    InputError
        If it is damaged.
    """
    if not data.startswith(MAGIC):
        raise InputError("this is not a file of sums", hint=("give what ", command("stats"), " wrote"))
    start = len(MAGIC) + LENGTH.size
    body, digest = data[:-DIGEST], data[-DIGEST:]
    if len(data) < start + DIGEST or hashlib.blake2b(body, digest_size=DIGEST).digest() != digest:
        raise InputError("the file is damaged: its checksum does not fit its content", hint=_HINT)
    (length,) = LENGTH.unpack_from(data, len(MAGIC))
    if length > min(_HEADER_LIMIT, len(body) - start):
        raise _damaged("its header has no end")
    try:
        header = strict_loads(data[start : start + length].decode())
    except (InputError, ValueError, RecursionError) as error:
        raise _damaged("its header is not JSON") from error
    described = _description(header)
    arrays = _arrays(memoryview(body)[start + length :], described, _integer(header, "documents", 0, _MOST))
    sums = Sums(
        description=described,
        name=_text(header, "name"),
        run_names=_list(header, "run_names", _as_text),
        ranges=_list(header, "ranges", _as_range),
        contents=_list(header, "contents", _as_content),
        fingerprint=_hexadecimal(header.get("fingerprint"), "fingerprint"),
        notes=_list(header, "notes", _as_note),
        **arrays,
    )
    _check(sums)
    return sums


def _arrays(data: memoryview, described: Description, documents: int) -> dict[str, Integers]:
    """Read the numbers of a file, which must be as many as its header says."""
    if 8 * described.statistics * sum(described.runs) > len(data):  # before room is made for so many columns
        raise _damaged("its numbers are not as many as its header says")
    shapes = array_shapes(described, documents)
    if 8 * sum(map(math.prod, shapes.values())) != len(data):
        raise _damaged("its numbers are not as many as its header says")
    arrays: dict[str, Integers] = {}
    place = 0
    for name, shape in shapes.items():
        count = math.prod(shape)
        arrays[name] = np.frombuffer(data, "<i8", count, place).astype(np.int64).reshape(shape)
        place += 8 * count
    return arrays


def _description(header: Any) -> Description:
    if not isinstance(header, dict):
        raise _damaged("its header is not an object")
    found = Description(
        metrics=_list(header, "metrics", _as_metric),
        systems=_list(header, "systems", _as_text),
        runs=_list(header, "runs", _as_count),
        references=_integer(header, "references", 0, 1 << 20),
        unit=_text(header, "unit"),
        resamples=_integer(header, "resamples", 1, _MOST),
        seed=_integer(header, "seed", 0, 2**64 - 1),
    )
    if (
        not found.metrics
        or not found.systems
        or len(set(found.systems)) < len(found.systems)
        or len({metric.key for metric in found.metrics}) < len(found.metrics)
        or len(found.runs) != len(found.systems)
        or sum(found.runs) > 1 << 20
        or found.unit not in ("segment", "document")
    ):
        raise _damaged("its header does not fit together")
    return found


def _check(sums: Sums) -> None:
    """Refuse inconsistent sums."""
    ranges = sums.ranges
    apart = all(end < first for (_, end), (first, _) in itertools.pairwise(ranges))
    numbers, sizes = sums.documents
    by_document = sums.description.unit == "document"
    kinds = sums.description.kinds
    sound = (
        bool(ranges)
        and apart
        and len(sums.contents) == len(ranges)
        and len(sums.run_names) == sum(sums.description.runs)
        and bool(np.isin(sums.exponents, (0, -FINE)).all())
        and bool((sums.reach >= 0).all())
        and bool((sums.differing >= 0).all() and (sums.differing <= sums.segments).all())
        and bool((sums.empty >= 0).all() and (sums.empty <= sums.segments).all())
        and bool((sums.copied >= 0).all() and (sums.copied <= sums.segments).all())
        and bool((sums.forms >= 0).all() and (sums.forms <= sums.segments).all())
        and bool((sums.drawn >= 0).all() and (sums.drawn <= LARGEST_WEIGHT * sums.segments).all())
        and by_document == bool(sizes.size)
        and bool((numbers[1:] > numbers[:-1]).all() and (numbers >= 0).all() and (sizes > 0).all())
        and (not by_document or sum(sizes.tolist()) == sums.segments)
        and kinds.size == sums.reach.size
    )
    if not sound:
        raise _damaged("its numbers cannot be sums of such segments")
    check_reach(sums.description, sums.reach)
    for held, most in ((sums.totals, 1), (sums.poisson, LARGEST_WEIGHT), (sums.swaps, 1)):
        if not ((held <= most * sums.reach).all() and (held >= -most * sums.reach).all()):
            raise _damaged("its numbers cannot be sums of such segments")


def _damaged(what: str) -> InputError:
    return InputError(f"the file is damaged: {what}", hint=_HINT)


def _text(held: Any, key: str) -> str:
    return _as_text(held.get(key))


def _integer(held: Any, key: str, least: int, most: int) -> int:
    value = held.get(key)
    if type(value) is not int or not least <= value <= most:
        raise _damaged(f"its header has no {key} that can be one")
    return value


def _list(held: Any, key: str, read: Callable[[Any], _T]) -> tuple[_T, ...]:
    value = held.get(key)
    if not isinstance(value, list):
        raise _damaged(f"its header has no {key}")
    return tuple(read(one) for one in value)


def _as_text(value: Any) -> str:
    if not isinstance(value, str):
        raise _damaged("its header has something else where a text was expected")
    return value


def _as_note(value: Any) -> Note:
    try:
        note = Note(**value)
    except TypeError:
        raise _damaged("its header has something else where a note was expected") from None
    if any(type(getattr(note, one.name)) is not type(one.default) for one in fields(note)[2:]):
        raise _damaged("its header has something else where a note was expected")
    return replace(note, kind=_as_text(note.kind), text=_as_text(note.text))


def _as_count(value: Any) -> int:
    if type(value) is not int or not 0 < value <= 1 << 20:
        raise _damaged("its header has no numbers of runs")
    return value


def _as_range(value: Any) -> tuple[int, int]:
    if not (
        isinstance(value, list)
        and len(value) == 2
        and all(type(one) is int for one in value)
        and 0 <= value[0] < value[1] <= _MOST // LARGEST_WEIGHT
    ):
        raise _damaged("its header has no ranges of segments")
    return value[0], value[1]


def _as_metric(value: Any) -> MetricPart:
    if not isinstance(value, dict):
        raise _damaged("its header has no metrics")
    column = value.get("column")
    statistics = _list(value, "statistics", _as_text)
    if not statistics:
        raise _damaged("its header has a metric without statistics")
    return MetricPart(
        _text(value, "key"), _text(value, "signature"), statistics, None if column is None else _as_text(column)
    )


def _as_content(value: Any) -> int | None:
    found = None if value is None else _hexadecimal(value, "contents")
    if found is not None and found > LARGEST_CONTENT:
        raise _damaged("its header has no contents that can be some")
    return found


def _hexadecimal(value: Any, what: str) -> int:
    text = _as_text(value)
    if len(text) != 16 or not set(text) <= set("0123456789abcdef"):
        raise _damaged(f"its header has no {what}")
    return int(text, 16)
