"""The sums that are left of the statistics of segments: whole numbers that can be added in any order, and saved."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from operator import itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from truegain.atomic_write import is_stream, replace_file, sweep
from truegain.errors import InputError
from truegain.file_roles import check_write
from truegain.notes import Note
from truegain.resampling.poisson import LARGEST_WEIGHT
from truegain.streaming.content import joined_content
from truegain.version import __version__

#: Statistics that are not whole numbers are held as multiples of 2^-FINE. One number for all data: were it chosen by
#: the largest statistic, as where all are at hand, shards would have to know each other.
FINE = 24

#: How a file of sums begins; other kinds of files that are merged begin in another way.
MAGIC = b"\x89truegain-sums-1\n"
#: What follows: how long the header is; at the end, a checksum of so many bytes.
LENGTH = struct.Struct("<Q")
DIGEST = 16

_MOST = 1 << 62  # no sum may come near what 64 bits hold
_SUMMED = ("totals", "reach", "poisson", "swaps", "drawn", "differing", "empty", "copied", "forms")

Integers = NDArray[np.int64]
Range = tuple[int, int]


@dataclass(frozen=True)
class MetricPart:
    """Metric, as far as sums must agree on it.

    Attributes
    ----------
    key : str
        Its name in the study.
    signature : str
    statistics : tuple of str
        The names of its statistics.
    column : str, optional
        Of segment scores, the only column, if none was asked for.
    """

    key: str
    signature: str
    statistics: tuple[str, ...]
    column: str | None = None


@dataclass(frozen=True)
class Description:
    """Description of sums. Those of two shards can be added if it is the same.

    Attributes
    ----------
    metrics : tuple of MetricPart
    systems : tuple of str
    runs : tuple of int
        The number of runs of each system.
    references : int
    unit : "segment" or "document"
        What has a weight of its own.
    resamples, seed : int
    """

    metrics: tuple[MetricPart, ...]
    systems: tuple[str, ...]
    runs: tuple[int, ...]
    references: int
    unit: str
    resamples: int
    seed: int

    @cached_property
    def kinds(self) -> NDArray[np.intp]:
        """Of which statistic each column is: those of a metric, run by run, then those of the next metric."""
        found: list[NDArray[np.intp]] = []
        first = 0
        for metric in self.metrics:
            width = len(metric.statistics)
            found.append(np.tile(np.arange(first, first + width), sum(self.runs)))
            first += width
        return np.concatenate(found)

    @property
    def statistics(self) -> int:
        """The number of statistics of all metrics, of one run."""
        return sum(len(metric.statistics) for metric in self.metrics)


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over segments, plain and with weights.

    Attributes
    ----------
    description : Description
    name : str
        What the test set is called: by the shard that has the first of its segments, as the names of runs are.
    run_names : tuple of str
        The files, system by system.
    ranges : tuple of (int, int)
        Which segments were seen, from 0, the end of each range left out; in order, and none touches the next.
    contents : tuple of int or None
        What the segments of each range say, whatever their numbers; None if it is not known.
    fingerprint : int
        The sum over segments, modulo 2^64, of hashes of their numbers and texts.
    notes : tuple of Note
        What a reader should know of the input.
    exponents : array of int64, shape (statistics,)
        0 for statistics that were whole numbers, else -FINE: sums are multiples of two to this power.
    totals, reach : array of int64, shape (columns,)
        Sums of the statistics, and of what they are without their signs.
    poisson, swaps : array of int64, shape (resamples, columns)
        Sums with weights of Poisson(1), and over the units that are swapped.
    drawn : array of int64, shape (resamples,)
        How many segments each Poisson resample has.
    differing : array of int64, shape (metrics, systems, systems)
        On how many segments two systems with as many runs differ in a statistic: first and second, first before second.
    empty : array of int64, shape (references + runs,)
        Segments without text.
    copied : array of int64, shape (references, runs)
        Segments of which the output of a run is a reference, to the letter.
    forms : array of int64, shape (references, runs)
        Segments of which the output of a run and a reference write characters in two forms of Unicode.
    documents : array of int64, shape (2, documents)
        The number of each document, in order, and how many segments of it were seen; none if segments are the unit.
    """

    description: Description
    name: str
    run_names: tuple[str, ...]
    ranges: tuple[Range, ...]
    contents: tuple[int | None, ...]
    fingerprint: int
    notes: tuple[Note, ...]
    exponents: Integers
    totals: Integers
    reach: Integers
    poisson: Integers
    swaps: Integers
    drawn: Integers
    differing: Integers
    empty: Integers
    copied: Integers
    forms: Integers
    documents: Integers

    @property
    def segments(self) -> int:
        """Number of segments seen."""
        return sum(last - first for first, last in self.ranges)

    @property
    def units(self) -> int:
        """Number of units with weights of their own."""
        return self.segments if self.description.unit == "segment" else self.documents.shape[1]

    @property
    def effective_units(self) -> float:
        """(Σ size)² / Σ size²: the number of equal units that would vary as much."""
        if self.description.unit == "segment":
            return float(self.segments)
        sizes = self.documents[1].astype(np.float64)
        return float(sizes.sum() ** 2 / (sizes**2).sum())

    @property
    def scale(self) -> NDArray[np.float64]:
        """Step of each column, of which its sums are multiples."""
        return np.asarray(np.exp2(self.exponents[self.description.kinds].astype(np.float64)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sums to a file (atomically), for ``truegain merge``."""
        write_sums(self, os.fspath(path))

    def __add__(self, other: Sums) -> Sums:
        """Add both; they must be of the same description, and have no segment in common."""
        if self.description != other.description:
            raise ValueError("sums of different things cannot be added")
        exponents = np.minimum(self.exponents, other.exponents)
        mine, theirs = self._finer(exponents), other._finer(exponents)
        check_reach(self.description, mine.reach, theirs.reach)
        first = mine if self.ranges[0] < other.ranges[0] else theirs
        ranges, contents = _joined([*self._parts(), *other._parts()])
        return replace(
            first,
            ranges=ranges,
            contents=contents,
            fingerprint=(self.fingerprint + other.fingerprint) % 2**64,
            notes=tuple(sorted({*self.notes, *other.notes}, key=str)),
            documents=_together(self.documents, other.documents),
            **{name: getattr(mine, name) + getattr(theirs, name) for name in _SUMMED},
        )

    def _parts(self) -> list[tuple[Range, int | None]]:
        return list(zip(self.ranges, self.contents, strict=True))

    def _finer(self, exponents: Integers) -> Sums:
        """Return the same sums as multiples of something finer."""
        shift = (self.exponents - exponents)[self.description.kinds]
        if not shift.any():
            return self
        check_reach(self.description, self.reach, shift=shift)
        return replace(
            self,
            exponents=exponents,
            **{name: getattr(self, name) << shift for name in ("totals", "reach", "poisson", "swaps")},
        )


def check_reach(description: Description, *reaches: Integers, shift: Integers | None = None) -> None:
    """Refuse sums that 64 bits could not hold, before any is made."""
    total = sum((one.astype(object) for one in reaches), np.zeros(description.kinds.size, object))
    if shift is not None:
        total = total * (1 << shift.astype(object))
    too_large = np.flatnonzero([LARGEST_WEIGHT * one >= _MOST for one in total])
    if too_large.size:
        kind = int(description.kinds[too_large[0]])
        names = [f"{name} of {metric.key}" for metric in description.metrics for name in metric.statistics]
        raise InputError(
            f"the sum of the statistic {names[kind]} is too large for exact sums",
            hint="divide the scores by 1,000, say: the verdict does not depend on their scale",
        )


def _joined(parts: Sequence[tuple[Range, int | None]]) -> tuple[tuple[Range, ...], tuple[int | None, ...]]:
    ranges: list[Range] = []
    contents: list[int | None] = []
    for (first, last), content in sorted(parts, key=itemgetter(0)):
        if ranges and ranges[-1][1] == first:
            ranges[-1] = (ranges[-1][0], last)
            contents[-1] = joined_content(contents[-1], content, last - first)
        else:
            ranges.append((first, last))
            contents.append(content)
    return tuple(ranges), tuple(contents)


def _together(first: Integers, second: Integers) -> Integers:
    """Return the sizes of all documents, of which both may have a part."""
    numbers, places = np.unique(np.concatenate([first[0], second[0]]), return_inverse=True)
    sizes = np.zeros(numbers.size, np.int64)
    np.add.at(sizes, places, np.concatenate([first[1], second[1]]))
    return np.stack([numbers, sizes])


def to_bytes(sums: Sums) -> bytes:
    """Return the content of a file; the same sums give the same bytes."""
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
        "notes": [asdict(note) for note in sums.notes],
        "documents": sums.documents.shape[1],
    }
    text = json.dumps(header).encode()
    parts = [MAGIC, LENGTH.pack(len(text)), text]
    parts += [getattr(sums, name).astype("<i8").tobytes() for name in array_shapes(described, sums.documents.shape[1])]
    body = b"".join(parts)
    return body + hashlib.blake2b(body, digest_size=DIGEST).digest()


def write_sums(sums: Sums, path: str | Path) -> None:
    """Write a file atomically, or to a pipe or a device.

    Raises
    ------
    InputError
        If it cannot be written; then an old file is as it was.
    """
    check_write(path)
    place = Path(path)
    names = {"prefix": f".{place.name[:50]}.", "suffix": ".new"}
    try:
        if is_stream(place):
            with place.open("wb") as stream:
                stream.write(to_bytes(sums))
            return
        place = place.resolve()
        sweep(place.parent, **names)
        mode = place.stat().st_mode & 0o777 if place.exists() else 0o644
        replace_file(place, to_bytes(sums), mode=mode, durable=True, **names)
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", path=str(path)) from error


def array_shapes(described: Description, documents: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a file's arrays, in its order."""
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
