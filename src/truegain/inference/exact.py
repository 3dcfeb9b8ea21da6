"""Exact distribution of the swap test (paired permutation), if it is within reach.

Two systems have additive statistics. Every unit is swapped with probability 1/2, so that the totals become
T_A + u and T_B - u, u being the sum of the differences d = x_B - x_A over the units swapped. The test statistic is a
function of u alone. From the distribution of u, and the statistic at each of its points, follows the p-value without
any Monte-Carlo error (Pagano and Tritchler 1983; Zmigrod, Vieira and Cotterell 2022).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.inference.pvalues import Alternative, exceeds

#: Units whose subsets, a million of them, are enumerated whatever their values.
ENUMERATED = 20
_FLOORS = (1e-300, 1e-30, 1e-12)
_LOST = 1e-12  # of the floor, in all the corners of the table that are never computed
_ODD = (1, 5, 25, 125, 625, 3)  # a step is a power of two over one of these: 0.1 is 2^-1/5, and 1/12 is 2^-2/3
_HALVINGS = 24  # of the power of two above the largest difference: the finest step that is looked for
_NEAR = 1e-9  # of a column's largest difference
_NEAREST = 1e-6  # of a step: chance would put one value in 500,000 on a grid, and there are 150 to try
_TRIED = 64  # values that are looked at first
_BLOCK = 2**14  # cells: the source, its copy and the target stay within the cache
_FULL, _ROOM = 1000, 64  # powers of two: the table's sum is brought down by 2^64 when it reaches 2^1000


@dataclass(frozen=True)
class SwapDistribution:
    """The distribution of u, the sum of the differences of the units swapped.

    Attributes
    ----------
    sums : array of float64, shape (columns, points)
        Values of u that can occur.
    probability : array of float64, shape (points,)
        Positive, with a sum of 1.
    method : "enumeration" or "convolution"
        Of all subsets of the units, one point each; or of all values of u on a grid.
    floor : float
        P-values below this are given as this. It is 2^-units, the least that a p-value can be, or 1e-300 if that is
        more; unless the table left out what is too improbable to matter: then 1e-300, 1e-30 or 1e-12, the first that
        made it small enough. To say p ≤ floor is right in any case.
    """

    sums: NDArray[np.float64]
    probability: NDArray[np.float64]
    method: Literal["enumeration", "convolution"]
    floor: float


def swap_distribution(
    differences: NDArray[np.float64], *, cells: int = 2**24, work: float = 5e9
) -> SwapDistribution | None:
    """Return the exact distribution of the sum of differences over the swapped units, each with probability 1/2.

    Up to 20 differing units are enumerated, whatever their values. Otherwise every column must be on a grid (see
    :func:`grid_of`), and a table over all values of u takes up one unit after the other: new[u] = old[u] + old[u - d]
    (the shift algorithm of Streitberg and Röhmel 1986; over two columns, that of Zmigrod, Vieira and Cotterell 2022 for
    F1). Only positive numbers are added, so that small tails are as precise as the rest: to a relative 1e-12 for
    thousands of units. A Fourier transform would do for longer data, but leaves noise of 1e-16 all over the tails.

    The table need not reach from the smallest sum to the largest. By Hoeffding's inequality (1963), u is more than t
    away from its mean with probability 2 exp(-2 t² / Σ d²) at most. What lies beyond is left out, if it is below
    ``_LOST`` times the floor in all, over all columns and steps: the table's side then grows with the root of the
    number of units.

    Parameters
    ----------
    differences : array (units, columns)
        The statistics' differences in their own units, not those of fixed point, for a step of 0.1 to be found: of a
        ``UnitTable``, values times scale.
    cells : int
        The most points of the distribution. A table of two columns takes some 60 bytes per cell at the end.
    work : float
        The most additions: a core does some 3e8 (two columns) to 1e9 (one) in a second.

    Returns
    -------
    SwapDistribution or None
        None if it is out of reach, and random swaps must do.

    Examples
    --------
    A = baseline, B = system, ``score`` maps totals of shape (columns, points) to scores::

        found = swap_distribution(system - baseline)
        if found is not None:
            values = score(system.sum(0)[:, None] - found.sums) - score(baseline.sum(0)[:, None] + found.sums)
            p = exact_p(found, values, delta, magnitude=...)
    """
    moving = differences[differences.any(1)]
    units, columns = moving.shape
    grid = grid_of(moving)
    whole, step = (moving, np.ones(columns)) if grid is None else grid
    plan = None if grid is None or units == 0 else _Plan.best(whole, cells, work)
    if units <= ENUMERATED and 2**units <= (cells if plan is None else plan.cells):
        sums = np.zeros((columns, 1))
        for one in whole:
            sums = np.concatenate([sums, sums + one[:, None]], axis=1)
        return SwapDistribution(sums * step[:, None], np.full(2**units, 0.5**units), "enumeration", 0.5**units)
    if plan is None:
        return None
    sums, probability = plan.run()
    return SwapDistribution(sums * step[:, None], probability, "convolution", plan.floor)


def exact_p(
    distribution: SwapDistribution,
    values: NDArray[np.float64],
    delta: float,
    *,
    alternative: Alternative = "two-sided",
    magnitude: float,
) -> float:
    """Return the exact p-value, in (0, 1].

    Parameters
    ----------
    distribution : SwapDistribution
    values : array (points,)
        The difference of the two scores at each point.
    delta : float
        The observed difference, positive if the system is better than the baseline.
    alternative : "two-sided", "greater" or "less"
    magnitude : float
        See :func:`truegain.inference.pvalues.magnitude_of`: differences within 1e-9 of it count as ties, and ties as
        exceedances.
    """
    reached = exceeds(values, delta, alternative=alternative, magnitude=magnitude)
    if reached.all():
        return 1.0
    return min(max(float(distribution.probability[reached].sum()), distribution.floor), 1.0)


def grid_of(differences: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return every column as whole numbers times a step, if its values are multiples of one.

    Found are whole numbers (also when all are multiples of some large one), and multiples of 0.0001 and of 1/12, with
    all that these include: tenths, halves, thirds, sixteenths; and all these times any power of two. Values may be off
    by 1e-9 of the largest of their column, as those are that went through fixed point.

    Parameters
    ----------
    differences : array (units, columns)

    Returns
    -------
    (array (units, columns), array (columns,)) or None
        Whole numbers without a common divisor, and the step of each column (1 if all is 0): the differences are the
        product of both. None if any column is on none of these grids.
    """
    whole = np.empty(differences.shape)
    step = np.ones(differences.shape[1])
    for column, values in enumerate(differences.T):
        found = _on_grid(values)
        if found is None:
            return None
        whole[:, column], step[column] = found
    return whole, step


def _on_grid(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], float] | None:
    """Return one column as whole numbers times a step."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0.0:
        return values, 1.0
    if not math.isfinite(largest):
        return None
    top = math.frexp(largest)[1]
    some = values[:_TRIED]
    for odd, halvings in itertools.product(_ODD, range(_HALVINGS + 1)):
        unit = math.ldexp(1.0, top - halvings)
        near = min(_NEAR * largest / unit * odd, _NEAREST)
        if _nearest(some, odd, unit, near) is None:
            continue
        nearest = _nearest(values, odd, unit, near)
        if nearest is not None:
            divisor = int(np.gcd.reduce(nearest.astype(np.int64)))
            return nearest / divisor, divisor * unit / odd
    return None


def _nearest(values: NDArray[np.float64], odd: int, unit: float, near: float) -> NDArray[np.float64] | None:
    """Return the values as whole numbers of unit / odd, if all are within ``near`` of one."""
    scaled = values / unit * odd
    nearest = np.rint(scaled)
    if np.abs(scaled - nearest).max() > near or not np.array_equal(nearest == 0.0, values == 0.0):
        return None
    return nearest


@dataclass(frozen=True)
class _Plan:
    """Table over the values of u, and the part of it to which each unit is added.

    Attributes
    ----------
    columns : array of int
        The columns that differ at all, the one with the longest side last, for long runs in memory.
    shifts, low, high : array of int64, shape (units, columns)
        The units' differences, in the order and with the signs in which they are added; and the first and last value of
        u that the table holds after each. These only widen, so that a cell once filled stays valid.
    turned : array of int64, shape (columns,)
        What the sums of ``shifts`` are short of u: the sum of the differences whose sign was turned. Swapping a unit
        and leaving it are equally probable, so that this is all it does.
    width : int
        The number of columns, of those too that never differ.
    floor : float
    """

    columns: NDArray[np.intp]
    shifts: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    turned: NDArray[np.int64]
    width: int
    floor: float

    @classmethod
    def best(cls, whole: NDArray[np.float64], cells: int, work: float) -> _Plan | None:
        """Return the plan with the lowest floor within the limits; every unit must differ, and there must be one."""
        columns = np.flatnonzero(whole.any(0))
        reach = np.abs(whole[:, columns]).sum(0)
        columns = columns[np.argsort(reach, kind="stable")]
        differences = whole[:, columns]
        # All that follows sees the first difference of a unit positive: neither the order of the units nor which system
        # is which changes a bit of the probabilities.
        first = differences[np.arange(len(differences)), (differences != 0.0).argmax(1)]
        shifts = differences * np.sign(first)[:, None]
        # Small differences first, while the table is small; and by turns up and down, for it to stay around 0.
        order = np.lexsort((*shifts.T, (np.abs(shifts) / np.sort(reach)).sum(1)))
        shifts = shifts[order]
        shifts[1::2] *= -1.0
        turned = ((differences[order] - shifts) / 2.0).sum(0)

        bottom, top = np.minimum(shifts, 0.0).cumsum(0), np.maximum(shifts, 0.0).cumsum(0)
        mean, squares = shifts.cumsum(0) / 2.0, (shifts**2).cumsum(0)
        for floor in _FLOORS:
            rarity = math.log(2.0 * shifts.size) - math.log(_LOST) - math.log(floor)
            away = np.sqrt(squares * rarity / 2.0)
            low = np.minimum.accumulate(np.maximum(bottom, np.floor(mean - away)))
            high = np.maximum.accumulate(np.minimum(top, np.ceil(mean + away)))
            with np.errstate(over="ignore"):
                sizes = (high - low + 1.0).prod(1)
            if sizes[-1] <= cells and sizes.sum() <= work:
                return cls(
                    columns,
                    shifts.astype(np.int64),
                    low.astype(np.int64),
                    high.astype(np.int64),
                    turned.astype(np.int64),
                    whole.shape[1],
                    max(floor, 0.5 ** len(shifts)),  # a floor above the first is only come to where it leaves out more
                )
        return None

    @property
    def cells(self) -> int:
        """The size of the table."""
        return math.prod(self._shape)

    @property
    def _shape(self) -> tuple[int, ...]:
        return tuple((self.high[-1] - self.low[-1] + 1).tolist())

    def run(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the values of u, shape (columns, points), and their probabilities."""
        origin = -self.low[-1]
        table = np.zeros(self._shape)
        table[tuple(origin)] = 1.0
        # Before and after each unit; the part that the shifted cells fill is what the table holds after it.
        low = np.concatenate([np.zeros_like(self.low[:1]), self.low])
        high = np.concatenate([np.zeros_like(self.high[:1]), self.high])
        start = np.maximum(low[:-1] + self.shifts, low[1:]) + origin
        stop = np.minimum(high[:-1] + self.shifts, high[1:]) + origin + 1
        exponent = 0  # the sum of the table is 2^exponent: numbers of subsets, as long as these are not too large
        for unit in zip(self.shifts.tolist(), start.tolist(), stop.tolist(), strict=True):
            _add_shifted(table, *unit)
            exponent += 1
            if exponent == _FULL:
                table *= 0.5**_ROOM
                exponent -= _ROOM
        np.ldexp(table, -exponent, out=table)  # what is below the smallest float becomes 0, far out and in the corners
        filled = np.flatnonzero(table)
        probability = table.ravel()[filled]
        sums = np.zeros((self.width, filled.size))
        for axis, column in reversed(list(enumerate(self.columns))):
            filled, place = np.divmod(filled, table.shape[axis])
            sums[column] = place + (self.turned[axis] - origin[axis])
        return sums, probability


def _add_shifted(table: NDArray[np.float64], shift: Sequence[int], start: Sequence[int], stop: Sequence[int]) -> None:
    """Add to the cells from start to stop what was, before this call, in those at a distance of -shift."""
    inner = tuple(slice(a, b) for a, b in zip(start[1:], stop[1:], strict=True))
    source = tuple(slice(a - by, b - by) for a, b, by in zip(start[1:], stop[1:], shift[1:], strict=True))
    by = shift[0]
    rows = max(1, _BLOCK // math.prod(b - a for a, b in zip(start[1:], stop[1:], strict=True)))
    blocks = range(start[0], stop[0], rows)
    # From the end that the shift points to, so that no block reads what another has changed.
    for begin in reversed(blocks) if by > 0 else blocks:
        end = min(begin + rows, stop[0])
        # Where the two overlap numpy would copy too, but there and back.
        table[(slice(begin, end), *inner)] += table[(slice(begin - by, end - by), *source)].copy()
