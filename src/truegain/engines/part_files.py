"""Parts of a resampling on disk: numbers and what they are numbers of; nothing in a file is ever executed."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Way
from truegain.file_roles import reads
from truegain.readers.strict_json import strict_loads
from truegain.version import __version__

#: How such a file opens.
MAGIC = b"truegain-part-1\n"
#: No more parts than these.
MOST_PARTS = 100_000

_CHECKSUM = 32
_LENGTH = 8
_KINDS = ("resample", "deal", "count")
_TYPES = ("<f8", "<i8")
_LARGEST = 1e150  # of a score or a difference: squares of it are numbers still


def share(part: int, parts: int, resamples: int) -> tuple[int, int]:
    """Return the range of the resamples of a part: consecutive ones, shared out as evenly as possible."""
    return resamples * (part - 1) // parts, resamples * part // parts


@dataclass(frozen=True)
class Call:
    """Share of a part in one call of an engine.

    Attributes
    ----------
    kind : "resample", "deal" or "count"
    resamples : int
        Of all parts together.
    arrays : tuple of arrays
        One (rows, own resamples); of counts, exceedances and maxima, question by question.
    """

    kind: str
    resamples: int
    arrays: tuple[NDArray[Any], ...]


@dataclass(frozen=True)
class Part:
    """One part of the resamples of a study.

    Attributes
    ----------
    part, parts : int
        Which, from 1, of how many.
    calls : mapping of str to Call
        By the keys of :func:`truegain.engines.call_keys.call_key`.
    command : str
        What made it, for the eye.
    version : str
        Of the program that made it.
    """

    part: int
    parts: int
    calls: Mapping[str, Call]
    command: str = ""
    version: str = field(default=__version__)

    def pack(self) -> bytes:
        """Pack as a file: a magic line, the length of the header, the header, the arrays, a checksum of it all."""
        header = {
            "version": self.version,
            "part": self.part,
            "parts": self.parts,
            "command": self.command,
            "calls": [
                {
                    "key": key,
                    "kind": call.kind,
                    "resamples": call.resamples,
                    "arrays": [[_type(array), *array.shape] for array in call.arrays],
                }
                for key, call in self.calls.items()
            ],
        }
        text = json.dumps(header).encode()
        arrays = [array for call in self.calls.values() for array in call.arrays]
        bodies = [np.ascontiguousarray(array, dtype=_type(array)).tobytes() for array in arrays]
        content = b"".join([MAGIC, len(text).to_bytes(_LENGTH, "little"), text, *bodies])
        return content + _checksum(content)


def read_part(path: str | Path) -> Part:
    """Read a file as :meth:`Part.pack` makes it.

    Raises
    ------
    InputError
        If it cannot be read, is no such file, or is damaged.
    """
    name = str(path)
    reads(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=name) from error
    if not data.startswith(MAGIC):
        raise InputError(
            "this is not a part of a resampling",
            path=name,
            hint=(Way("truegain resample --part 1/7 -o FILE STUDY ...", "truegain.write_part"), " writes one"),
        )
    content, checksum = data[:-_CHECKSUM], data[-_CHECKSUM:]
    if len(data) < len(MAGIC) + _LENGTH + _CHECKSUM or checksum != _checksum(content):
        raise InputError("the part is damaged: its checksum is not right", path=name, hint="make it again")
    try:
        return _unpacked(content)
    except (InputError, ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
        raise InputError(
            "the part is whole, but another program or version wrote it", path=name, hint="make it again"
        ) from error


def _unpacked(content: bytes) -> Part:
    place = len(MAGIC) + _LENGTH
    end = place + int.from_bytes(content[len(MAGIC) : place], "little")
    header = strict_loads(content[place:end].decode())
    part, parts = _whole(header["part"]), _whole(header["parts"])
    if not 1 <= part <= parts <= MOST_PARTS:
        raise ValueError("no such part")
    place = end
    calls: dict[str, Call] = {}
    for one in header["calls"]:
        kind, resamples = one["kind"], _whole(one["resamples"])
        first, last = share(part, parts, resamples)
        arrays = []
        for type_name, *shape in one["arrays"]:
            if type_name not in _TYPES:
                raise ValueError("no such numbers")
            sizes = tuple(map(_whole, shape))
            end = place + 8 * math.prod(sizes)
            arrays.append(np.frombuffer(content[place:end], type_name).reshape(sizes).astype(type_name[1:]))
            place = end
        if kind not in _KINDS or (kind != "count" and not _is_table(arrays, last - first)):
            raise ValueError("no such call")
        if kind == "count" and not all(_is_counts(array, last - first) for array in arrays):
            raise ValueError("no such counts")
        calls[_text(one["key"])] = Call(kind, resamples, tuple(arrays))
    if place != len(content):
        raise ValueError("more than the header says")
    return Part(part, parts, calls, _text(header["command"]), _text(header["version"]))


def _is_table(arrays: list[NDArray[Any]], resamples: int) -> bool:
    if len(arrays) != 1 or arrays[0].ndim != 2 or arrays[0].shape[1] != resamples or arrays[0].dtype.kind != "f":
        return False
    return not bool((np.abs(arrays[0]) > _LARGEST).any())  # NaN is a score that is not defined, which a study refuses


def _is_counts(array: NDArray[Any], resamples: int) -> bool:
    return array.ndim == 1 and array.dtype.kind == "i" and bool(((array >= 0) & (array <= resamples)).all())


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError("a whole number was expected")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("text was expected")
    return value


def _type(array: NDArray[Any]) -> str:
    return "<i8" if array.dtype.kind == "i" else "<f8"


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_CHECKSUM).digest()
