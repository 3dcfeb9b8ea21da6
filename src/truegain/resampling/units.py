"""What is resampled as a whole: segments or documents, and their statistics as exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError

__all__ = ["UnitKind", "UnitTable", "Units"]

UnitKind = Literal["segment", "document"]

_LARGEST = 1e300
_FINEST = -1000.0  # a scale of 2^-1000 is as fine as need be, and far from underflow


@dataclass(frozen=True)
class Units:
    """A partition of the segments.

    Attributes
    ----------
    kind : "segment" or "document"
    of_segment : array of int64
        The unit of each segment, from 0, in the order of first appearance.
    count : int
    """

    kind: UnitKind
    of_segment: NDArray[np.int64]
    count: int

    @classmethod
    def segments(cls, count: int) -> Units:
        """Every segment for itself."""
        return cls("segment", np.arange(count), count)

    @classmethod
    def documents(cls, ids: Sequence[str]) -> Units:
        """All segments of a document together, wherever they stand."""
        numbers: dict[str, int] = {}
        of_segment = np.array([numbers.setdefault(one, len(numbers)) for one in ids], np.int64)
        return cls("document", of_segment, len(numbers))

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
        if self.kind == "segment":
            return values
        order = np.argsort(self.of_segment, kind="stable")
        starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        return np.asarray(np.add.reduceat(values[order], starts, axis=0))


@dataclass(frozen=True)
class UnitTable:
    """Whole numbers of each unit: exact sums in any order, on any engine.

    Columns that are not whole numbers, or whose totals could pass 2^52, are rounded to multiples of a power of two, as
    fine as 51 bits allow for the largest total that a resample can reach.

    Attributes
    ----------
    values : array of float64, shape (units, columns)
        Whole numbers.
    scale : array of float64
        Powers of two: the statistics are ``values * scale``.
    """

    values: NDArray[np.float64]
    scale: NDArray[np.float64]

    @classmethod
    def build(cls, values: NDArray[np.float64], units: Units, kinds: NDArray[np.intp] | None = None) -> UnitTable:
        """Sum segments to units; make every column whole numbers.

        Parameters
        ----------
        values : array (segments, columns)
        units : Units
        kinds : array of int, optional
            Columns of one kind (one statistic of one metric, for all runs) get one scale, so that their differences are
            exact too. By default every column is of its own kind.
        """
        with np.errstate(over="ignore"):
            if units.kind == "segment":
                reach = units.count * np.maximum(values.max(0, initial=0.0), -values.min(0, initial=0.0))
            else:
                reach = units.count * units.sums(np.abs(values)).max(0, initial=0.0)
        if reach.max(initial=0.0) > _LARGEST:
            raise InputError(f"the statistics are too large: their sums may pass {_LARGEST:g}")
        scale = np.ones(values.shape[1])
        exact = (values == np.rint(values)).all(0) & (reach < 2.0**52)
        own = np.arange(values.shape[1]) if kinds is None else kinds
        for kind in set(own[~exact].tolist()):
            # Two bits to spare: one for a difference of two columns, one for the roundings themselves.
            exponent = np.ceil(np.log2(reach[own == kind].max())) - 51
            scale[own == kind] = np.exp2(max(exponent, _FINEST))
        # Segments are rounded, not units, so that the sum of a unit is the sum of its segments to the last bit.
        return cls(units.sums(values if exact.all() else np.rint(values / scale)), scale)

    def differences(self, minuend: NDArray[np.intp], subtrahend: NDArray[np.intp]) -> UnitTable:
        """Columns minus other columns of the same kinds."""
        return UnitTable(self.values[:, minuend] - self.values[:, subtrahend], self.scale[minuend])

    @property
    def totals(self) -> NDArray[np.float64]:
        """The sum over all units of every column."""
        return np.asarray(self.values.sum(0) * self.scale)
