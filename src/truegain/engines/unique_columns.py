"""Columns that have to be summed, and how large their sums can be."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.memory_check import BLAS_THREAD, need
from truegain.resampling.design import Design
from truegain.resampling.units import UnitTable

#: Whole numbers below it, and sums of them, are exact in single precision.
EXACT_SINGLE = 2.0**24


def reach(design: Design, values: NDArray[np.float64]) -> float:
    """Return a bound of every sum of columns (columns, units) in any resample, and of every part of a sum."""
    sizes = np.abs(values)
    if design.scheme == "bootstrap":
        return float(design.units.count * sizes.max(initial=0.0))
    return float(sizes.sum(1).max(initial=0.0))


class UniqueColumns(NamedTuple):
    """Columns of a table without repetitions: lengths that two systems share are summed once.

    If the weights of a resample have a known sum, a column that differs from another by a constant needs no sum of
    its own either: most n-gram counts are lengths less one, two or three.
    """

    values: NDArray[np.float64]
    column: NDArray[np.intp]
    addition: NDArray[np.float64]
    scale: NDArray[np.float64]

    @classmethod
    def of(cls, table: UnitTable, design: Design) -> UniqueColumns:
        """Return the unique columns of a table, kept with it: resamples are often made in pieces."""
        kind = f"distinct columns, {design.scheme}"
        found: UniqueColumns = table.kept.get(kind) or table.kept.setdefault(kind, cls._made(table, design))
        return found

    @classmethod
    def _made(cls, table: UnitTable, design: Design) -> UniqueColumns:
        by_column = np.ascontiguousarray(table.values.T)
        total_weight = by_column.shape[1] if design.scheme == "bootstrap" else 0
        shapes = by_column - by_column[:, :1] if total_weight else by_column
        need(BLAS_THREAD)  # for the product
        # Columns with equal sums, plain and weighted, may be equal; only these are looked at closely.
        marks = shapes @ np.stack([np.ones(shapes.shape[1]), np.arange(shapes.shape[1]) % 251.0], 1)
        firsts: list[int] = []
        alike: dict[tuple[float, float], list[int]] = {}
        column = np.empty(len(shapes), np.intp)
        for i, mark in enumerate(map(tuple, marks.tolist())):
            same = (j for j in alike.get(mark, ()) if np.array_equal(shapes[firsts[j]], shapes[i]))
            place = next(same, len(firsts))
            if place == len(firsts):
                firsts.append(i)
                alike.setdefault(mark, []).append(place)
            column[i] = place
        values = by_column[firsts]
        addition = (by_column[:, 0] - values[column, 0]) * total_weight
        return cls(values, column, addition, table.scale)

    def spread(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn totals of unique columns into totals of all, in the statistics' own scale."""
        spread = totals.take(self.column, axis=0)
        if self.addition.any():
            spread += self.addition[:, None]
        if (self.scale != 1.0).any():
            spread *= self.scale[:, None]
        return spread
