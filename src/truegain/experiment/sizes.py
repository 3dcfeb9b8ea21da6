"""Checks that statistics are of a size that sums, squares and differences of floating-point numbers can hold."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Run, System
from truegain.errors import InputError
from truegain.inference.distributions import median
from truegain.metrics.segment_scores import SegmentScores
from truegain.notes import Note
from truegain.statistics import Block, SegmentStatistics
from truegain.words import listing

_LARGEST, _SMALLEST = 1e60, 1e-60  # the fourth powers that variances of variances need are far from what floats hold
_BESIDE = 1e9  # times a score that another must be for it to be lost: differences within 1e-9 are the same
_FARTHEST = 4096.0  # times their range that scores may lie from 0: what is left of their digits tells ties apart
_OF_FEW = 2.0**26  # over the square of their number, of few scores: a sum and its ties lose less


def check_sizes(statistics: SegmentStatistics, systems: Sequence[System]) -> list[Note]:
    """Refuse statistics that give no verdict to trust.

    Returns
    -------
    list of Note
        What should be said of scores that are kept, but next to which all others are lost.

    Raises
    ------
    InputError
        If the largest of a run is beyond 1e60, or below 1e-60 and not always the same; if the scores of two
        systems lie so far from zero that rounding their sums would decide.
    """
    runs = [run for system in systems for run in system.runs]
    notes: list[Note] = []
    for block in statistics.blocks:
        values = statistics.values[:, block.columns].reshape(len(statistics.values), len(runs), block.width)
        low, high = values.min(0), values.max(0)
        largest = np.maximum(high, -low)
        _check_largest(block, runs, largest > _LARGEST, largest, "large")
        _check_largest(block, runs, (largest < _SMALLEST) & (high > low), largest, "small")
        if isinstance(block.metric, SegmentScores):
            edges = np.cumsum((0, *block.run_counts))[:-1]
            ends = np.minimum.reduceat(low[:, 0], edges), np.maximum.reduceat(high[:, 0], edges)
            _check_range(block.metric, systems, *ends, len(values))
            notes += _on_outliers(runs, values[:, :, 0])
    return notes


def _check_largest(
    block: Block,
    runs: Sequence[Run],
    wrong: NDArray[np.bool_],
    largest: NDArray[np.float64],
    way: Literal["large", "small"],
) -> None:
    """Refuse what is wrong of the largest of each statistic of each run, shape (runs, k)."""
    if not wrong.any():
        return
    run, k = (int(one) for one in np.argwhere(wrong)[0])
    what = "score" if isinstance(block.metric, SegmentScores) else f"{block.metric.statistic_names[k]} of a segment"
    limit, remedy = (f"at most {_LARGEST:g}", "divide") if way == "large" else (f"at least {_SMALLEST:g}", "multiply")
    raise InputError(
        f"the largest {what} is {largest[run, k]:g} without its sign: too {way} for squares of differences to be held "
        f"({limit})",
        path=runs[run].name,
        hint=f"{remedy} the scores of all systems by 1e{abs(math.floor(math.log10(largest[run, k])))}: the verdict "
        "does not depend on their scale",
    )


def _check_range(
    metric: SegmentScores, systems: Sequence[System], low: NDArray[np.float64], high: NDArray[np.float64], number: int
) -> None:
    """Refuse two systems whose scores lie far from 0 and close to each other."""
    far = np.maximum(np.abs(low), np.abs(high))
    farthest = max(_FARTHEST, _OF_FEW / number**2)
    for a, b in itertools.combinations(range(len(systems)), 2):
        least, greatest = min(low[a], low[b]), max(high[a], high[b])
        span = float(greatest - least)
        if span > 0.0 and max(far[a], far[b]) > farthest * span:
            step = 10.0 ** math.ceil(math.log10(span))
            offset = math.floor(least / step) * step
            raise InputError(
                f"all scores of {listing([systems[a].name, systems[b].name])} lie between {least:.17g} and "
                f"{greatest:.17g}: so far from 0 that rounding sums of them would decide",
                hint=f"subtract {offset:.17g} from every score of every system: a difference does not depend on it"
                if metric.over is None
                else "give them as differences from what all systems have in common",
            )


def _on_outliers(runs: Sequence[Run], scores: NDArray[np.float64]) -> list[Note]:
    """Note scores so large that most others are lost in a sum with them."""
    sizes = np.abs(scores)
    largest = sizes.max(0)
    notes = []
    for i in np.flatnonzero(largest).tolist():
        typical = median(sizes[sizes[:, i] > 0.0, i].tolist())
        if largest[i] > _BESIDE * typical:
            text = (
                f"{runs[i].name} has a score of {scores[sizes[:, i].argmax(), i]:g}, and half of its scores are not "
                f"above {typical:.3g}: beside it they are lost in rounding, and it alone decides; is it a mistake?"
            )
            notes.append(Note("outlier", text))
    return notes
