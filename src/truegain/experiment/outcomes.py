"""Items whose scores lie in a range that is known: what they are worth where few of them vary.

The range is a metric's, or stated for it; scores that are all 0 or 1, or all 0 or 100, state it themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Run
from truegain.errors import InputError, Setting
from truegain.experiment.observed import Observed
from truegain.inference.proportions import (
    FEW,
    RARE,
    BoundedMean,
    PairedShares,
    Share,
    Worth,
    effective_items,
    odd_units,
)
from truegain.inference.pvalues import tolerance
from truegain.metrics.base import Metric

Floats = NDArray[np.float64]

_BINARY = ((0.0, 1.0), (0.0, 100.0))  # values that state their range


@dataclass(frozen=True)
class ItemScores:
    """The scores of the items of one system, whose mean is its score.

    Attributes
    ----------
    scores : array (items,)
        Means over samples and runs.
    values : frozenset of float, optional
        The values of single outcomes, of which there are two at most; None if there are more.
    outcomes : float
        How many outcomes the mean of an item rests on: the harmonic mean over items.
    """

    scores: Floats
    values: frozenset[float] | None
    outcomes: float


class _Spread(NamedTuple):
    """The variance of a mean over items, the number of equal units, and degrees of freedom."""

    variance: float
    units: float
    freedom: float


def item_scores(experiment: Observed, m: int) -> tuple[ItemScores | None, ...]:
    """Return the scores of items of all systems under a metric; None if the score of a system is no mean of theirs."""
    systems = experiment.corpus.systems
    if experiment.statistics.blocks[m].width > 2:
        return (None,) * len(systems)
    return tuple(_items_of(experiment, m, s) for s in range(len(systems)))


def _items_of(experiment: Observed, m: int, system: int) -> ItemScores | None:
    block = experiment.statistics.blocks[m]
    means = experiment.segment_scores[m][system]
    off = abs(float(means.mean()) - float(experiment.scores[m, system]))
    unequal = np.ptp(experiment.weights(m, system)) > 0.0
    if not np.isfinite(means).all() or unequal or off > tolerance(float(np.abs(means).max(initial=0.0))):
        return None
    first = sum(block.run_counts[:system])
    runs = experiment.segment_run_scores[m][first : first + block.run_counts[system]]
    own = [
        _outcomes(run, block.metric, scores)
        for run, scores in zip(experiment.corpus.systems[system].runs, runs, strict=True)
    ]
    return ItemScores(means, _two_values([values for values, _ in own]), _per_item([counts for _, counts in own]))


def _outcomes(run: Run, metric: Metric, scores: Floats) -> tuple[Floats, Floats]:
    """Return all outcomes of a run, and how many each item has: its samples, if the metric takes their mean."""
    column = getattr(metric, "column", None)
    averaged = getattr(metric, "of_samples", None) is None or getattr(metric, "k", None) == 1
    samples = run.repeats.get(column) if column is not None and averaged else None
    if samples is None or len(samples.counts) != scores.size:
        return scores, np.ones(scores.size)
    values = np.asarray(samples.values, np.float64)
    low, high = getattr(metric, "limits", None) or (-math.inf, math.inf)
    if values.min() < low or values.max() > high:
        raise InputError(
            f"samples of {run.name} are outside the range of {metric.label}, {low:g} to {high:g}: they are from "
            f"{values.min():g} to {values.max():g}",
            hint=("state the range of the scale: ", Setting("metrics", (f"scores:column={column},range=0..1",))),
        )
    return values, samples.counts.astype(np.float64)


def _two_values(outcomes: Sequence[Floats]) -> frozenset[float] | None:
    low = min(float(values.min()) for values in outcomes)
    high = max(float(values.max()) for values in outcomes)
    if all(((values == low) | (values == high)).all() for values in outcomes):
        return frozenset((low, high))
    return None


def _per_item(counts: Sequence[Floats]) -> float:
    """Return the outcomes of an item whose mean varies as the means of these do: runs count alike."""
    shares = sum(1.0 / own for own in counts) / len(counts) ** 2
    return float(1.0 / np.mean(shares))


def range_of(metric: Metric, items: Sequence[ItemScores]) -> tuple[float, float] | None:
    """Return the range of scores: the metric's, or that of 0 and 1, or of 0 and 100, if there are no others."""
    low, high = getattr(metric, "limits", None) or (-math.inf, math.inf)
    if math.isfinite(low) and math.isfinite(high):
        return float(low), float(high)
    for ends in _BINARY:
        if all(own.values is not None and own.values <= {*ends} for own in items):
            return ends
    return None


def _spread(experiment: Observed, m: int, *systems: int) -> _Spread | None:
    error = experiment.standard_error(m, *systems)
    if error is None:
        return None
    return _Spread(error * error, equal_units(experiment), experiment.freedom)


def equal_units(experiment: Observed) -> float:
    """Return the number of equal units, or blocks, that would vary as much; at least 1."""
    length = experiment.units.mean_length
    return max(experiment.units.count / length if length is not None else experiment.effective_units, 1.0)


def _independent(experiment: Observed) -> bool:
    units = experiment.units
    return units.kind != "block" and units.count == experiment.corpus.segments


def _odd(experiment: Observed, values: Floats) -> int:
    units = experiment.units
    of_segment = units.of_segment
    if units.mean_length is not None:
        of_segment = of_segment // max(round(units.mean_length), 1)
    return odd_units(values, of_segment)


def _worth(experiment: Observed, spread: _Spread, item_variance: float, per_item: float, odd: int) -> Worth:
    """Return what items of two-valued outcomes are worth."""
    items = float(experiment.corpus.segments)
    if per_item == 1.0 and _independent(experiment):
        return Worth(items, math.inf)
    return effective_items(
        item_variance,
        spread.variance,
        outcomes=items * per_item,
        clusters=spread.units,
        odd=odd,
        freedom=spread.freedom,
    )


def score_of_items(
    experiment: Observed, items: Sequence[ItemScores | None], m: int, system: int
) -> Share | BoundedMean | None:
    """Return the score of a system as a share of items, or as the mean of a range of which few units vary.

    None if its items have more than two values and vary, or have no range.
    """
    own = items[system]
    ends = None if own is None else range_of(experiment.statistics.blocks[m].metric, [own])
    spread = _spread(experiment, m, system)
    if own is None or ends is None or spread is None:
        return None
    low, high = ends
    odd = _odd(experiment, own.scores)
    if has_two_values(experiment.statistics.blocks[m].metric, [own]):
        share = (float(experiment.scores[m, system]) - low) / (high - low)
        scaled = spread._replace(variance=spread.variance / (high - low) ** 2)
        worth = _worth(experiment, scaled, share * (1.0 - share), own.outcomes, odd)
        return Share(min(max(share, 0.0), 1.0), worth, low, high)
    if odd < max(FEW, RARE * spread.units):
        return BoundedMean(float(experiment.scores[m, system]), *spread, low, high)
    return None


def gain_of_items(
    experiment: Observed, items: Sequence[ItemScores | None], m: int, baseline: int, system: int
) -> PairedShares | BoundedMean | None:
    """Return the gain of a system in wins and losses of items, or as the mean of a range of which few units vary.

    None if the items of either have more than two values and their gains vary, or have no range.
    """
    metric = experiment.statistics.blocks[m].metric
    pair = [own for own in (items[baseline], items[system]) if own is not None]
    if len(pair) < 2:
        return None
    ends = range_of(metric, pair)
    spread = _spread(experiment, m, baseline, system)
    if ends is None or spread is None:
        return None
    low, high = ends
    size = high - low
    old, new = ((own.scores - low) / size for own in pair)
    if metric.higher_is_better is False:
        old, new = 1.0 - old, 1.0 - new
    odd = _odd(experiment, new - old)
    if has_two_values(metric, pair):
        wins, losses = float((new * (1.0 - old)).mean()), float((old * (1.0 - new)).mean())
        per_item = 2.0 / sum(1.0 / own.outcomes for own in pair)
        scaled = spread._replace(variance=spread.variance / size**2)
        item_variance = wins + losses - (wins - losses) ** 2
        return PairedShares(wins, losses, _worth(experiment, scaled, item_variance, per_item, odd), size)
    if odd < FEW:
        return BoundedMean(float((new - old).mean()) * size, *spread, -size, size)
    return None


def has_two_values(metric: Metric, items: Sequence[ItemScores]) -> bool:
    """Return whether all items have the two values at the ends of their range, and no others."""
    ends = range_of(metric, items)
    return ends is not None and all(own.values is not None and own.values <= {*ends} for own in items)
