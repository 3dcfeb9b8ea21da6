"""Columns that have to be summed, and how large their sums can be."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.memory_check import BLAS_THREAD, need
from truegain.resampling.design import Design
from truegain.resampling.units import UnitTable
from truegain.scratch import stretches
from truegain.scratch import table as new_table

#: Whole numbers below it, and sums of them, are exact in single precision.
EXACT_SINGLE = 2.0**24

_TURNED = 512  # rows that become columns at once, which is three times as fast as all of them


def reach(design: Design, values: NDArray[np.float64]) -> float:
    """Return a bound of every sum of columns (columns, units) in any resample, and of every part of a sum."""
    if design.scheme == "bootstrap":
        return design.units.count * largest(values)
    return float(np.abs(values).sum(1).max(initial=0.0))


def largest(values: NDArray[np.floating[Any]]) -> float:
    """Return the size of the largest number."""
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))


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
        units, columns = table.values.shape
        by_column = new_table(columns, units)
        for rows in stretches(units, _TURNED):
            by_column[:, rows] = table.values[rows].T
        total_weight = units if design.scheme == "bootstrap" else 0
        start = by_column[:, 0] if total_weight else np.zeros(columns)
        need(BLAS_THREAD)  # for the product
        # Columns with equal sums, plain and weighted, may be equal; only these are looked at closely.
        marks = np.zeros((columns, 2))
        for rows in stretches(units):
            weights = np.arange(rows.start, rows.stop) % 251.0
            both = np.stack([np.ones(weights.size), weights], 1)
            marks += by_column[:, rows] @ both - np.outer(start, both.sum(0))
        firsts: list[int] = []
        alike: dict[tuple[float, float], list[int]] = {}
        column = np.empty(columns, np.intp)
        for i, (total, weighted) in enumerate(marks.tolist()):
            others = alike.setdefault((total, weighted), [])
            same = (j for j in others if _same_shape(by_column, firsts[j], i, start))
            place = next(same, len(firsts))
            if place == len(firsts):
                firsts.append(i)
                others.append(place)
            column[i] = place
        values = by_column
        if len(firsts) < columns:
            values = new_table(len(firsts), units)
            for own, i in zip(values, firsts, strict=True):
                own[:] = by_column[i]
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


def _same_shape(columns: NDArray[np.float64], one: int, other: int, start: NDArray[np.float64]) -> bool:
    """Return whether two columns are equal, less what each starts with."""
    return bool((columns[one] - columns[other] == start[one] - start[other]).all())
