"""Fall of the usual gain with the size of the test set: thresholds on parts of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting
from truegain.experiment import Experiment
from truegain.inference.all_pairs import AllPairs
from truegain.inference.thresholds import drawn_interval, drawn_percentiles, fitted_exponent, fitted_root, percentile
from truegain.resampling.generator import bootstrap_counts, resample_keys, uniforms
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units
from truegain.settings.threshold import Subsets
from truegain.statistics import SegmentStatistics
from truegain.studies.threshold.parts import SizeLaw, ThresholdAtSize

_FEWEST, _FIRST, _MOST = 10, 25, 6


def chosen_sizes(sizes: Sequence[int] | Literal["auto"], units: int, noun: str) -> tuple[int, ...]:
    """Return the sizes in their order; ``auto``: 25 and its doubles, and all units, the largest six of these."""
    if sizes == "auto":
        doubled = [_FIRST << power for power in range(64) if (_FIRST << power) < 0.8 * units]
        if not doubled:
            raise InputError(
                f"{units} {noun}s are too few for parts of them",
                hint=(Setting("sizes", "auto"), f" needs {round(_FIRST / 0.8) + 1} or more"),
            )
        return (*doubled, units)[-_MOST:]
    chosen = tuple(sorted(set(sizes)))
    for size in chosen:
        if not _FEWEST <= size <= units:
            raise InputError(
                f"a part of {size:,} {noun}s was asked for, and the test set has {units:,}",
                hint=f"sizes are numbers of {noun}s, from {_FEWEST} to {units:,}",
            )
    if len(chosen) < 2:
        raise InputError(
            "two sizes are needed to see how the threshold falls", hint=("such as ", Setting("sizes", (100, 200, 400)))
        )
    return chosen


def at_sizes(
    experiment: Experiment,
    sizes: Sequence[int],
    *,
    subsets: Subsets,
    repetitions: int,
    resamples: int,
    quantile: float,
    counted: Sequence[NDArray[np.bool_]],
    systems: NDArray[np.float64] | None,
    jobs: int,
) -> tuple[tuple[ThresholdAtSize, ...], tuple[SizeLaw, ...]]:
    """Return thresholds on parts of the test set, metric by metric, and the laws that they follow.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of units.
    repetitions : int
        Random parts of each size; all units are one part.
    quantile : float
        Of the normal distribution, that the standard errors are multiplied by.
    counted : masks of pairs
        Metric by metric, the pairs that differ.
    systems : array (draws, systems), optional
        How often each system is drawn, for intervals; random parts are drawn as well.
    """
    blocks = experiment.statistics.blocks
    gains: list[list[NDArray[np.float64]]] = [[] for _ in blocks]  # of each size, one a repetition
    drawn: list[list[NDArray[np.float64]]] = [[] for _ in blocks]  # and one a draw of systems
    segments, parts = [], []
    whole = experiment.units.count
    total = sum(1 if size == whole or subsets == "initial" else repetitions for size in sizes)
    report = experiment.reporter("sizes", total)
    for size in sizes:
        times = 1 if size == whole or subsets == "initial" else repetitions
        needed: list[list[NDArray[np.float64]]] = [[] for _ in blocks]
        held = []
        for number in range(times):
            part = _part(experiment, _units_of(experiment, size, subsets, number))
            held.append(part.units.of_segment.size)
            for m, one in enumerate(_needed(part, resamples, quantile, jobs)):
                needed[m].append(one)
            if report is not None:
                report(1)
        segments.append(float(np.mean(held)))
        parts.append(times)
        for m, mine in enumerate(needed):
            gains[m].append(np.array([percentile(one[counted[m]]) for one in mine]))
            if systems is not None:
                drawn[m].append(_drawn(experiment, mine, counted[m], systems, size))
    points: list[ThresholdAtSize] = []
    laws: list[SizeLaw] = []
    for m, block in enumerate(blocks):
        means = np.array([one.mean() for one in gains[m]])
        if not (means > 0.0).all():
            size = sizes[int(np.argmin(means))]
            raise InputError(
                f"{block.metric.label}: no two systems differ on a part of {size:,} {experiment.units.noun}s",
                hint=("take larger ", Setting("sizes")),
            )
        c = float(fitted_root(sizes, means))
        count = len(experiment.corpus.systems)
        ends: list[tuple[float, float] | tuple[None, None]] = [(None, None)] * len(sizes)
        if drawn[m]:
            both = zip(means.tolist(), drawn[m], strict=True)
            ends = [drawn_interval(gain, one, count, ratio=True) for gain, one in both]
        for i, (size, (low, high)) in enumerate(zip(sizes, ends, strict=True)):
            law = c / float(np.sqrt(size))
            points.append(ThresholdAtSize(block.key, size, segments[i], parts[i], float(means[i]), low, high, law))
        exponent = float(fitted_exponent(sizes, means))
        slope: tuple[float, float] | tuple[None, None] = (None, None)
        if drawn[m]:
            with np.errstate(divide="ignore", invalid="ignore"):
                slopes = fitted_exponent(sizes, np.stack(drawn[m], -1))
            slope = drawn_interval(exponent, slopes, count, ratio=False)
        laws.append(SizeLaw(block.key, c, exponent, *slope))
    return tuple(points), tuple(laws)


def _drawn(
    experiment: Experiment,
    needed: Sequence[NDArray[np.float64]],
    counted: NDArray[np.bool_],
    systems: NDArray[np.float64],
    size: int,
) -> NDArray[np.float64]:
    """Return, for every draw of systems, the mean over as many random parts, drawn with replacement as well."""
    firsts, seconds = np.triu_indices(len(experiment.corpus.systems), 1)
    every = np.stack([drawn_percentiles(one[counted], firsts[counted], seconds[counted], systems) for one in needed])
    if len(needed) == 1:
        return np.asarray(every[0])
    keys = resample_keys(experiment.seed, Stream.THRESHOLD_REPEATED, size * len(systems), len(systems))
    times = bootstrap_counts(keys, len(needed)).astype(np.float64)
    return np.asarray((every * times.T).sum(0) / len(needed))


def _needed(part: Experiment, resamples: int, quantile: float, jobs: int) -> list[NDArray[np.float64]]:
    """Return the gain at which each pair would be significant, metric by metric."""
    resampled = part.bootstrap(resamples)
    return [
        quantile * AllPairs(observed, scores, factor=part.factor(0.95), jobs=jobs).spreads()
        for observed, scores in zip(part.scores, resampled, strict=True)
    ]


def _units_of(experiment: Experiment, size: int, subsets: Subsets, number: int) -> NDArray[np.intp]:
    """Return the units of a part: the first of the test set, or some at random."""
    count = experiment.units.count
    if subsets == "initial":
        # Units in strata are numbered stratum by stratum: what comes first is what the test set begins with.
        _, starts = np.unique(experiment.units.of_segment, return_index=True)
        return np.sort(np.argsort(starts, kind="stable")[:size])
    places = uniforms(resample_keys(experiment.seed, Stream.THRESHOLD_PARTS, number, 1), count)[0]
    return np.sort(np.argsort(places, kind="stable")[:size])


def _part(experiment: Experiment, chosen: NDArray[np.intp]) -> Experiment:
    """Return the experiment with these units alone; the corpus stays what it was."""
    units = experiment.units
    if chosen.size == units.count:
        return experiment
    number = np.full(units.count, -1, np.int64)
    number[chosen] = np.arange(chosen.size)
    of_segment = number[units.of_segment]
    kept = of_segment >= 0
    edges = np.cumsum((0, *units.strata))
    strata = np.diff(np.searchsorted(chosen, edges))
    fewer = Units(units.kind, of_segment[kept], chosen.size, strata=tuple(strata[strata > 0].tolist()))
    statistics = SegmentStatistics(experiment.statistics.values[kept], experiment.statistics.blocks)
    return replace(experiment, units=fewer, statistics=statistics, progress=None)
