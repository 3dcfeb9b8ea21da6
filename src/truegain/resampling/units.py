"""Units, which are resampled as a whole (segments, documents and others), and their statistics as exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.scratch import most_held, stretches, table

GroupKind = Literal["document", "domain", "testset"]
UnitKind = Literal["segment", "document", "block", "domain", "testset"]
#: What one unit is called in a sentence.
UnitNoun = Literal["segment", "document", "domain", "test set"]

_LARGEST = 1e300
_FINEST = -1000.0  # a scale of 2^-1000 is finer than that of any statistics which are not refused as too small
_TAKEN = 1 << 18  # differences of columns at once: what the cache of a processor holds


@dataclass(frozen=True)
class Units:
    """A partition of the segments.

    Attributes
    ----------
    kind : "segment", "document", "block", "domain" or "testset"
        Units of the kind "block" are segments in an order of their own, drawn as blocks of neighbours.
    of_segment : array of int64
        The unit of each segment, from 0, in the order of first appearance, stratum by stratum.
    count : int
    strata : tuple of int
        The number of units of each stratum; by default all units are in one.
    names : tuple of str, optional
        The name of each unit, if it has one.
    mean_length : float, optional
        The mean number of segments of a block, for blocks only.
    """

    kind: UnitKind
    of_segment: NDArray[np.int64]
    count: int
    strata: tuple[int, ...] = ()
    names: tuple[str, ...] | None = None
    mean_length: float | None = None

    def __post_init__(self) -> None:
        if not self.strata:
            object.__setattr__(self, "strata", (self.count,))
        if sum(self.strata) != self.count:
            raise ValueError(f"the strata hold {sum(self.strata)} units of {self.count}")
        if (self.mean_length is not None) != (self.kind == "block"):
            raise ValueError("blocks have a mean length, and other units none")
        if self.mean_length is not None and not 1 <= self.mean_length <= self.count:
            raise InputError(
                f"the mean length of blocks must be from 1 to {self.count}, the number of segments; "
                f"got {self.mean_length:g}"
            )

    @classmethod
    def segments(cls, count: int) -> Units:
        """Return units of one segment each."""
        return cls("segment", np.arange(count), count)

    @classmethod
    def documents(cls, ids: Sequence[str]) -> Units:
        """Return units of all segments of a document, wherever they stand."""
        return cls.groups("document", ids)

    @classmethod
    def groups(cls, kind: GroupKind, ids: Sequence[str]) -> Units:
        """Return units of all segments with the same id, wherever they stand."""
        of_segment, names = _numbered(ids)
        return cls(kind, of_segment, len(names), names=names)

    @classmethod
    def blocks(cls, count: int, mean_length: float, documents: Sequence[str] | None = None) -> Units:
        """Return segments whose neighbours are drawn together: the stationary bootstrap (Politis and Romano 1994).

        Parameters
        ----------
        count : int
            The number of segments.
        mean_length : float
            The mean number of segments of a block, from 1 (every segment for itself) to all.
        documents : sequence of str, optional
            The document of each segment. Segments of a document become neighbours wherever they stand; a block may go
            on from one document to the next.
        """
        of_segment = np.arange(count)
        if documents is not None:
            of_document = _numbered(_one_each(documents, count, "documents"))[0]
            of_segment[np.argsort(of_document, kind="stable")] = np.arange(count)
        return cls("block", of_segment, count, mean_length=float(mean_length))

    def stratified(self, ids: Sequence[str]) -> Units:
        """Return the same units, drawn within strata that replace any before (Davison and Hinkley 1997, 3.2).

        Units are renumbered: strata in the order of first appearance, the order within a stratum as it was. The only
        unit of a stratum is in every resample once.

        Parameters
        ----------
        ids : sequence of str
            The stratum of each segment, such as its domain or language.

        Raises
        ------
        InputError
            If a unit lies in several strata, or for blocks, which have no strata.
        """
        if self.kind == "block":
            raise InputError("blocks of segments cannot be drawn within strata", hint="leave out one of the two")
        of_segment, strata = _numbered(_one_each(ids, self.of_segment.size, "strata"))
        of_unit = np.zeros(self.count, np.int64)
        of_unit[self.of_segment] = of_segment
        astray = np.flatnonzero(of_unit[self.of_segment] != of_segment)
        if astray.size:
            unit = int(self.of_segment[astray[0]])
            inside = np.unique(of_segment[self.of_segment == unit]).tolist()
            name = unit + 1 if self.names is None else repr(self.names[unit])
            raise InputError(
                f"{self.noun} {name} lies in {len(inside)} strata: {', '.join(strata[one] for one in inside)}",
                hint=f"every {self.noun} must lie in one stratum, or be two {self.noun}s with names of their own",
            )
        order = np.argsort(of_unit, kind="stable")
        number = np.empty_like(order)
        number[order] = np.arange(self.count)
        return replace(
            self,
            of_segment=number[self.of_segment],
            strata=tuple(np.bincount(of_unit, minlength=len(strata)).tolist()),
            names=None if self.names is None else tuple(self.names[one] for one in order.tolist()),
        )

    @property
    def noun(self) -> UnitNoun:
        """Return what one unit is called in a sentence."""
        if self.kind == "block":
            return "segment"
        return "test set" if self.kind == "testset" else self.kind

    @cached_property
    def _single(self) -> bool:
        """Return whether every unit is one segment."""
        return self.of_segment.size == self.count

    @cached_property
    def _in_place(self) -> bool:
        """Return whether unit i is segment i."""
        return self._single and np.array_equal(self.of_segment, np.arange(self.count))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of segments of each unit."""
        return np.bincount(self.of_segment, minlength=self.count)

    @property
    def effective_number(self) -> float:
        """(Σ size)² / Σ size²: the number of equal units that would vary as much; the count itself if all are equal."""
        sizes = self.sizes.astype(np.float64)
        return float(sizes.sum() ** 2 / (sizes**2).sum())

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the rows of each unit."""
        if self._in_place:
            return values
        order = np.argsort(self.of_segment, kind="stable")
        starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        sums = table(self.count, values.shape[1])
        for columns in stretches(values.shape[1], max(1, most_held() // (8 * max(1, len(values))))):
            np.add.reduceat(values[:, columns][order], starts, axis=0, out=sums[:, columns])
        return sums


@dataclass(frozen=True)
class UnitTable:
    """Whole numbers of each unit: exact sums in any order, on any engine.

    Columns that are not whole numbers, or whose totals could pass 2^52, are rounded to multiples of a power of two, as
    fine as 51 bits allow for the largest total that a resample can reach. Every column has its own power: what one
    system scores changes nothing in the numbers of another.

    Attributes
    ----------
    values : array of float64, shape (units, columns)
        Whole numbers.
    scale : array of float64
        Powers of two: the statistics are ``values * scale``.
    loss : array of float64, optional
        What rounding the segments may have done to the total of each column, 0 if nothing was rounded. By default
        that is not known.
    """

    values: NDArray[np.float64]
    scale: NDArray[np.float64]
    loss: NDArray[np.float64] | None = None

    @cached_property
    def kept(self) -> dict[str, Any]:
        """Values that an engine made from the table and needs again, if resamples are made in pieces."""
        return {}

    def __reduce__(self) -> tuple[Any, ...]:
        return UnitTable, (self.values, self.scale, self.loss)  # what is kept is made again where the table is sent

    @classmethod
    def build(cls, values: NDArray[np.float64], units: Units, kinds: NDArray[np.intp] | None = None) -> UnitTable:
        """Sum segments to units; make every column whole numbers.

        Parameters
        ----------
        values : array (segments, columns)
        units : Units
        kinds : array of int, optional
            Columns of one kind (one statistic of the runs that are dealt out together) get one scale. By default every
            column is of its own kind.
        """
        with np.errstate(over="ignore"):
            if units._single:
                reach = units.count * np.maximum(values.max(0, initial=0.0), -values.min(0, initial=0.0))
            else:
                reach = units.count * units.sums(_sizes(values)).max(0, initial=0.0)
        if reach.max(initial=0.0) > _LARGEST:
            raise InputError(f"the statistics are too large: their sums may pass {_LARGEST:g}")
        columns = values.shape[1]
        scale, loss = np.ones(columns), np.zeros(columns)
        exact = reach < 2.0**52
        for rows in stretches(len(values)):
            exact &= (values[rows] == np.rint(values[rows])).all(0)
        if exact.all():
            return cls(units.sums(values), scale, loss)
        own = np.arange(columns) if kinds is None else kinds
        for kind in set(own[~exact].tolist()):
            # Two bits to spare: one for a difference of two columns, one for the roundings themselves.
            exponent = np.ceil(np.log2(reach[own == kind].max())) - 51
            scale[own == kind] = np.exp2(max(exponent, _FINEST))
        # Segments are rounded, not units, so that the sum of a unit is the sum of its segments to the last bit.
        rounded = table(*values.shape)
        for rows in stretches(len(values)):
            rounded[rows] = np.rint(values[rows] / scale)
            # Of independent roundings, each half a step at most, more than three standard deviations.
            loss[(rounded[rows] * scale != values[rows]).any(0)] = np.sqrt(len(values))
        return cls(units.sums(rounded), scale, loss * scale)

    def differences(self, minuend: NDArray[np.intp], subtrahend: NDArray[np.intp]) -> UnitTable:
        """Return columns minus other columns of the same scale."""
        found = table(len(self.values), minuend.size)
        for rows in stretches(len(self.values), max(1, _TAKEN // max(1, minuend.size))):
            np.take(self.values[rows], minuend, axis=1, out=found[rows], mode="clip")
            found[rows] -= self.values[rows].take(subtrahend, axis=1)
        return UnitTable(found, self.scale[minuend])

    def beside(self, other: UnitTable) -> UnitTable:
        """Return the columns, and those of another table of the same units."""
        if other.scale.size == 0:
            return self
        found = table(len(self.values), self.scale.size + other.scale.size)
        found[:, : self.scale.size] = self.values
        found[:, self.scale.size :] = other.values
        return UnitTable(found, np.concatenate([self.scale, other.scale]))

    @property
    def sizes(self) -> NDArray[np.float64]:
        """The sum over all units of every column, of numbers without their signs."""
        sums = np.zeros(self.scale.size)
        for rows in stretches(len(self.values)):
            sums += np.abs(self.values[rows]).sum(0)
        return sums * self.scale

    @property
    def totals(self) -> NDArray[np.float64]:
        """The sum over all units of every column."""
        return np.asarray(self.values.sum(0) * self.scale)


def _sizes(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return numbers without their signs."""
    found = table(*values.shape)
    for rows in stretches(len(values)):
        np.abs(values[rows], out=found[rows])
    return found


def _numbered(ids: Sequence[str]) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Return the number of each id in the order of first appearance, and the ids in that order."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(one, len(numbers)) for one in ids], np.int64), tuple(numbers)


def _one_each(ids: Sequence[str], segments: int, what: str) -> Sequence[str]:
    if len(ids) != segments:
        raise InputError(f"the {what} of {len(ids)} segments are given, but there are {segments} segments")
    return ids
