"""Sums as a file: a header that says what they are of, the numbers, and a checksum over both."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from truegain.errors import InputError
from truegain.file_roles import check_write, reads
from truegain.readers.strict_json import strict_loads
from truegain.resampling.poisson import LARGEST_WEIGHT
from truegain.streaming.content import LARGEST_CONTENT
from truegain.streaming.sums import FINE, Description, Integers, MetricPart, Sums, check_reach
from truegain.version import __version__
from truegain.whole import replace_file, sweep

__all__ = ["ENDING", "MAGIC", "from_bytes", "read_sums", "to_bytes", "write_sums"]

#: How a file of sums begins; other kinds of files that are merged begin in another way.
MAGIC = b"\x89truegain-sums-1\n"
ENDING = ".sums"

_LENGTH = struct.Struct("<Q")
_DIGEST = 16
_HEADER_LIMIT = 1 << 26
_MOST = 1 << 62
_HINT = "make the shard again with truegain stats"

_T = TypeVar("_T")


def to_bytes(sums: Sums) -> bytes:
    """The content of a file; the same sums give the same bytes."""
    described = sums.description
    header = {
        "truegain": __version__,
        "metrics": [
            {"key": one.key, "signature": one.signature, "statistics": one.statistics, "column": one.column}
            for one in described.metrics
        ],
        "systems": described.systems,
        "runs": described.runs,
        "references": described.references,
        "unit": described.unit,
        "resamples": described.resamples,
        "seed": described.seed,
        "name": sums.name,
        "run_names": sums.run_names,
        "ranges": sums.ranges,
        "contents": [None if one is None else f"{one:016x}" for one in sums.contents],
        "fingerprint": f"{sums.fingerprint:016x}",
        "notes": sums.notes,
        "documents": sums.documents.shape[1],
    }
    text = json.dumps(header).encode()
    parts = [MAGIC, _LENGTH.pack(len(text)), text]
    parts += [getattr(sums, name).astype("<i8").tobytes() for name in _shapes(described, sums.documents.shape[1])]
    body = b"".join(parts)
    return body + hashlib.blake2b(body, digest_size=_DIGEST).digest()


def write_sums(sums: Sums, path: str | Path) -> None:
    """Write a file at once and whole.

    Raises
    ------
    InputError
        Where it cannot be written; then an old file is as it was.
    """
    check_write(path)
    place = Path(path)
    names = {"prefix": f".{place.name[:50]}.", "suffix": ".new"}
    try:
        place = place.resolve()
        sweep(place.parent, **names)
        mode = place.stat().st_mode & 0o777 if place.exists() else 0o644
        replace_file(place, to_bytes(sums), mode=mode, durable=True, **names)
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", path=str(path)) from error


def read_sums(path: str | Path) -> Sums:
    """Read what :func:`write_sums` wrote.

    Raises
    ------
    InputError
        Where there is no such file, it is no file of sums, or it is damaged.
    """
    reads(path)
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise InputError("there is no such file", path=str(path), hint="truegain stats … -o FILE writes one") from error
    except IsADirectoryError as error:
        raise InputError("this is a directory; a file was expected", path=str(path)) from error
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=str(path)) from error
    try:
        return from_bytes(data)
    except InputError as error:
        raise InputError(error.message, path=str(path), hint=error.hint) from error


def from_bytes(data: bytes) -> Sums:
    """The sums of a file's content.

    Raises
    ------
    InputError
        Where it is damaged.
    """
    if not data.startswith(MAGIC):
        raise InputError("this is no file of sums", hint="give what truegain stats wrote")
    start = len(MAGIC) + _LENGTH.size
    body, digest = data[:-_DIGEST], data[-_DIGEST:]
    if len(data) < start + _DIGEST or hashlib.blake2b(body, digest_size=_DIGEST).digest() != digest:
        raise InputError("the file is damaged: its checksum does not fit its content", hint=_HINT)
    (length,) = _LENGTH.unpack_from(data, len(MAGIC))
    if length > min(_HEADER_LIMIT, len(body) - start):
        raise _damaged("its header has no end")
    try:
        header = strict_loads(data[start : start + length].decode())
    except (InputError, ValueError, RecursionError) as error:
        raise _damaged("its header is no JSON") from error
    described = _description(header)
    arrays = _arrays(memoryview(body)[start + length :], described, _integer(header, "documents", 0, _MOST))
    sums = Sums(
        description=described,
        name=_text(header, "name"),
        run_names=_list(header, "run_names", _as_text),
        ranges=_list(header, "ranges", _as_range),
        contents=_list(header, "contents", _as_content),
        fingerprint=_hexadecimal(header.get("fingerprint"), "fingerprint"),
        notes=_list(header, "notes", _as_text),
        **arrays,
    )
    _check(sums)
    return sums


def _shapes(described: Description, documents: int) -> dict[str, tuple[int, ...]]:
    """The arrays of a file, in its order."""
    columns, systems, runs = described.kinds.size, len(described.systems), sum(described.runs)
    return {
        "exponents": (described.statistics,),
        "totals": (columns,),
        "reach": (columns,),
        "poisson": (described.resamples, columns),
        "swaps": (described.resamples, columns),
        "drawn": (described.resamples,),
        "differing": (len(described.metrics), systems, systems),
        "empty": (described.references + runs,),
        "copied": (described.references, runs),
        "forms": (described.references, runs),
        "documents": (2, documents),
    }


def _arrays(data: memoryview, described: Description, documents: int) -> dict[str, Integers]:
    """The numbers of a file, which must be as many as its header says."""
    if 8 * described.statistics * sum(described.runs) > len(data):  # before room is made for so many columns
        raise _damaged("its numbers are not as many as its header says")
    shapes = _shapes(described, documents)
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
        raise _damaged("its header is no object")
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
    """What no sums can be: nothing that is made of them must have to doubt them."""
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
