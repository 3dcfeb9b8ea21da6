"""Fall of the usual gain with the size of the test set: thresholds on parts of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting
from truegain.experiment import Experiment
from truegain.inference.all_pairs import AllPairs
from truegain.inference.thresholds import drawn_interval, drawn_percentiles, fitted_exponent, fitted_root, percentile
from truegain.resampling.generator import bootstrap_counts, resample_keys, uniforms
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units
from truegain.rows import Count, MetricKey, Positive, Row, field
from truegain.settings.threshold import Subsets
from truegain.statistics import SegmentStatistics

_FEWEST, _FIRST, _MOST = 10, 25, 6


class ThresholdAtSize(Row):
    """The threshold of all pairs on a part of the test set."""

    metric: MetricKey
    units: Annotated[Count, field("The number of units of the part.", "n")]
    segments: Annotated[
        Positive, field("The number of segments of the part, on average over the repetitions.", show="count")
    ]
    repetitions: Annotated[Count, field("The number of parts of this size.")]
    gain: Annotated[Positive, field("The threshold; the mean over repetitions.", "threshold", "score")]
    low: Annotated[
        float | None,
        field(
            "The lower end of its 95 % interval over systems; none if there are too few.", "95 % CI", "ends high gain"
        ),
    ]
    high: Annotated[float | None, field("The upper end of its 95 % interval over systems; none if there are too few.")]
    law: Annotated[Positive, field("What c/√units says.", "c/√n", "score")]

    covered: Annotated[bool | None, field("Whether the law lies in the interval; none if there is no interval.")] = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None:
            self._derive(covered=self.low <= self.law <= self.high)


class SizeLaw(Row):
    """Law by which the threshold falls with the number of units."""

    metric: MetricKey
    c: Annotated[Positive, field("The c of gain = c/√units.")]
    exponent: Annotated[float, field("The b of gain ∝ units^−b, fitted on logarithms.")]
    low: Annotated[
        float | None, field("The lower end of its 95 % interval, over the same draws as those of the sizes.")
    ]
    high: Annotated[
        float | None, field("The upper end of its 95 % interval, over the same draws as those of the sizes.")
    ]


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


@dataclass(frozen=True)
class PartsAsked:
    """Which parts of a test set are tested, and how.

    Attributes
    ----------
    sizes : sequence of int
        Numbers of units.
    subsets : str
        Whether parts are the first units, or random ones.
    repetitions : int
        Random parts of each size; all units are one part.
    resamples, jobs : int
    quantile : float
        Of the normal distribution, that the standard errors are multiplied by.
    systems : array (draws, systems), optional
        How often each system is drawn, for intervals; random parts are drawn as well.
    """

    sizes: Sequence[int]
    subsets: Subsets
    repetitions: int
    resamples: int
    quantile: float
    systems: NDArray[np.float64] | None
    jobs: int

    def times(self, size: int, units: int) -> int:
        """Return the number of parts of a size."""
        return 1 if size == units or self.subsets == "initial" else self.repetitions


class _AtSize(NamedTuple):
    """Thresholds on the parts of one size: by metric those of each part, and those of each draw of systems."""

    segments: float
    repetitions: int
    gains: list[NDArray[np.float64]]
    drawn: list[NDArray[np.float64]]


def at_sizes(
    experiment: Experiment, asked: PartsAsked, counted: Sequence[NDArray[np.bool_]]
) -> tuple[tuple[ThresholdAtSize, ...], tuple[SizeLaw, ...]]:
    """Return thresholds on parts of the test set, metric by metric, and the laws that they follow.

    ``counted`` are masks, metric by metric, of the pairs that differ.
    """
    units = experiment.units.count
    report = experiment.reporter("sizes", sum(asked.times(size, units) for size in asked.sizes))
    measured = [_measured(experiment, asked, counted, size, report) for size in asked.sizes]
    points: list[ThresholdAtSize] = []
    laws: list[SizeLaw] = []
    for m in range(len(experiment.statistics.blocks)):
        of_metric, law = _law(experiment, asked.sizes, measured, m)
        points += of_metric
        laws.append(law)
    return tuple(points), tuple(laws)


def _measured(
    experiment: Experiment,
    asked: PartsAsked,
    counted: Sequence[NDArray[np.bool_]],
    size: int,
    report: Callable[[int], None] | None,
) -> _AtSize:
    """Test all pairs on the parts of one size."""
    needed: list[list[NDArray[np.float64]]] = [[] for _ in counted]
    segments = []
    for number in range(asked.times(size, experiment.units.count)):
        part = _part(experiment, _units_of(experiment, size, asked.subsets, number))
        segments.append(part.units.of_segment.size)
        for m, errors in enumerate(_needed(part, asked)):
            needed[m].append(errors)
        if report is not None:
            report(1)
    gains = [
        np.array([percentile(errors[mask]) for errors in parts]) for parts, mask in zip(needed, counted, strict=True)
    ]
    drawn = []
    if asked.systems is not None:
        drawn = [
            _drawn(experiment, parts, mask, asked.systems, size) for parts, mask in zip(needed, counted, strict=True)
        ]
    return _AtSize(float(np.mean(segments)), len(segments), gains, drawn)


def _law(
    experiment: Experiment, sizes: Sequence[int], measured: Sequence[_AtSize], m: int
) -> tuple[list[ThresholdAtSize], SizeLaw]:
    """Return the thresholds of a metric by size, beside c/√n, and the exponent by which they fall."""
    block = experiment.statistics.blocks[m]
    count = len(experiment.corpus.systems)
    means = np.array([at_size.gains[m].mean() for at_size in measured])
    if not (means > 0.0).all():
        size = sizes[int(np.argmin(means))]
        raise InputError(
            f"{block.metric.label}: no two systems differ on a part of {size:,} {experiment.units.noun}s",
            hint=("take larger ", Setting("sizes")),
        )
    c = float(fitted_root(sizes, means))
    exponent = float(fitted_exponent(sizes, means))
    ends: list[tuple[float, float] | tuple[None, None]] = [(None, None)] * len(sizes)
    slope: tuple[float, float] | tuple[None, None] = (None, None)
    if measured[0].drawn:
        drawn = [at_size.drawn[m] for at_size in measured]
        both = zip(means.tolist(), drawn, strict=True)
        ends = [drawn_interval(gain, values, count, ratio=True) for gain, values in both]
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = fitted_exponent(sizes, np.stack(drawn, -1))
        slope = drawn_interval(exponent, slopes, count, ratio=False)
    points = [
        ThresholdAtSize(
            metric=block.key,
            units=size,
            segments=at_size.segments,
            repetitions=at_size.repetitions,
            gain=float(mean),
            low=low,
            high=high,
            law=c / float(np.sqrt(size)),
        )
        for size, at_size, mean, (low, high) in zip(sizes, measured, means, ends, strict=True)
    ]
    return points, SizeLaw(block.key, c, exponent, *slope)


def _drawn(
    experiment: Experiment,
    needed: Sequence[NDArray[np.float64]],
    counted: NDArray[np.bool_],
    systems: NDArray[np.float64],
    size: int,
) -> NDArray[np.float64]:
    """Return, for every draw of systems, the mean over as many random parts, drawn with replacement as well."""
    firsts, seconds = np.triu_indices(len(experiment.corpus.systems), 1)
    every = np.stack(
        [drawn_percentiles(gains[counted], firsts[counted], seconds[counted], systems) for gains in needed]
    )
    if len(needed) == 1:
        return np.asarray(every[0])
    keys = resample_keys(experiment.seed, Stream.THRESHOLD_REPEATED, size * len(systems), len(systems))
    times = bootstrap_counts(keys, len(needed)).astype(np.float64)
    return np.asarray((every * times.T).sum(0) / len(needed))


def _needed(part: Experiment, asked: PartsAsked) -> list[NDArray[np.float64]]:
    """Return the gain at which each pair would be significant, metric by metric."""
    resampled = part.bootstrap(asked.resamples)
    return [
        asked.quantile * AllPairs(observed, scores, factor=part.factor(0.95), jobs=asked.jobs).spreads()
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
    chosen_segments = of_segment >= 0
    edges = np.cumsum((0, *units.strata))
    strata = np.diff(np.searchsorted(chosen, edges))
    fewer = Units(units.kind, of_segment[chosen_segments], chosen.size, strata=tuple(strata[strata > 0].tolist()))
    values = experiment.statistics.values[chosen_segments]
    statistics = SegmentStatistics(values, experiment.statistics.blocks)
    return replace(experiment, units=fewer, statistics=statistics, progress=None)
