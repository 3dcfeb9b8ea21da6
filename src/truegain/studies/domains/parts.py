"""Parts of a study of several test sets: the sets, pairs of systems on each, and how often signs agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from truegain.fields import Baseline, Field, MetricKey, Shape, System, documented
from truegain.inputs import Inputs
from truegain.rules import Count, Filled, NonNegative, OneOf, Ordered, Positive, Proportion, Within


@documented
@dataclass(frozen=True)
class TestedSet:
    """A test set, or a domain of one."""

    __test__ = False  # not a test class for pytest

    name: Annotated[str, Field("Its name.")]
    segments: Annotated[Count, Field("The number of segments.")]
    documents: Annotated[int | None, Field("The number of documents; none if they are not known.")]
    references: Annotated[int, Field("The number of references per segment.")]
    unit: Annotated[str, OneOf(("segment", "document")), Field("What was resampled.")]
    n_units: Annotated[Count, Field("The number of units.")]
    fingerprint: Annotated[str, Field("A short hash of references, outputs and scores.")]
    inputs: Annotated[Inputs, Field("What was read; for a domain, that of the whole test set.")] = field(
        default_factory=Inputs
    )


@documented
@dataclass(frozen=True)
class SetScore:
    """The score of a system on a set: the mean over its runs there."""

    metric: MetricKey
    set: Annotated[str, Field("The set.")]
    system: Annotated[str, Field("The system.")]
    score: Annotated[float, Field("The mean over runs.")]
    runs: Annotated[Count, Field("The number of runs.")]


@documented
@dataclass(frozen=True)
class SetPair:
    """Two systems under a metric, on each of the sets, in their order."""

    metric: MetricKey
    baseline: Baseline
    system: System
    deltas: Annotated[
        tuple[float, ...], Field("Differences of scores, positive if the system is better than the baseline.")
    ]
    p: Annotated[tuple[Proportion, ...], Field("One-sided: that the one with the better score there is no better.")]


def _share_faults(one: Share) -> Iterator[tuple[str, str]]:
    if not one.low < one.high:
        yield "high", f"a number above low, {one.low:g}, was expected; found {one.high:g}"
    if (one.share is None, one.ci is None, one.expected is None) != (one.cases == 0,) * 3:
        yield "share", "a share, its interval and what is expected go with cases, and null with none"
    if one.same > one.cases or one.ties > one.cases or one.pairs > one.cases:
        yield "cases", f"there are fewer cases, {one.cases:,}, than are said to be of a kind"
    if (one.shown is None) != (one.opposite is None):
        yield "opposite", "shown and opposite are null together or not at all"


_Number = Annotated[int, Within(0)]


@documented
@dataclass(frozen=True)
class Share:
    """Share of the same sign, among pairs whose p lies in a bin."""

    shape: ClassVar[Shape] = Shape(faults=_share_faults)

    low: Annotated[Proportion, Field("The beginning of the bin of p, which does not belong to it.")]
    high: Annotated[Proportion, Field("The end of the bin of p, which belongs to it.")]
    pairs: Annotated[_Number, Field("The number of different pairs of systems in the bin.")]
    cases: Annotated[_Number, Field("As often as these were there: once, or once for each draw or transfer.")]
    same: Annotated[NonNegative, Field("Cases with the same sign; if there is no difference on the target, a half.")]
    ties: Annotated[_Number, Field("Cases without a difference on the target.")]
    share: Annotated[Proportion | None, Field("The share of all cases; none if there are no cases.")]
    ci: Annotated[
        Annotated[tuple[Proportion, Proportion], Ordered()] | None,
        Field("The interval of the share, for other systems like these; none if there are no cases."),
    ]
    expected: Annotated[
        Proportion | None,
        Field(
            "What the share would be: on another test set of the same domain (transfers), or the mean of 1 − p "
            "(draws); none if there are no cases."
        ),
    ]
    shown: Annotated[
        _Number | None,
        Field(
            "Cases significant on the target, in the same direction; none if the target is a population, whose "
            "differences are what they are."
        ),
    ] = None
    opposite: Annotated[
        _Number | None,
        Field("Cases significant on the target, in the opposite direction; none if the target is a population."),
    ] = None


_Bins = Annotated[tuple[Share, ...], Filled(), Field("Bins of p.")]


@documented
@dataclass(frozen=True)
class Transfer:
    """From one set to another: p on the source, and whether the sign is the same on the target."""

    metric: MetricKey
    source: Annotated[str, Field("The set on which p is computed.")]
    target: Annotated[str, Field("The set on which the sign is looked up.")]
    undirected: Annotated[
        _Number,
        Field("Pairs without a difference on the source: there is no sign to be the same, so they are in no bin."),
    ]
    bins: _Bins
    significant: Annotated[Share, Field("All pairs with p up to alpha.")]
    band: Annotated[Share | None, Field("Those with p around .05; none in results of versions without it.")] = None


@documented
@dataclass(frozen=True)
class Pooled:
    """All transfers as one: a case for every pair and every two sets. The cases are not independent."""

    metric: MetricKey
    transfers: Annotated[Count, Field("The number of transfers.")]
    undirected: Annotated[_Number, Field("Cases without a difference on the source, which are in no bin.")]
    bins: _Bins
    significant: Annotated[Share, Field("All cases with p up to alpha.")]
    band: Annotated[Share, Field("Those with p around .05.")]


@documented
@dataclass(frozen=True)
class Population:
    """A set as the population: test sets drawn from it, and whether their signs are those of the whole."""

    metric: MetricKey
    set: Annotated[str, Field("The set.")]
    units: Annotated[Count, Field("The number of units drawn each time, with replacement.")]
    draws: Annotated[Count, Field("The number of draws.")]
    undirected: Annotated[_Number, Field("Cases without a difference on the draw.")]
    bins: _Bins
    significant: Annotated[Share, Field("All cases with p up to alpha.")]
    band: Annotated[Share, Field("Those with p around .05.")]
    wrong: Annotated[
        Proportion,
        Field(
            "Of all pairs and draws, the share with p up to alpha in favour of a system that is not better in the "
            "population."
        ),
    ]


def _threshold_faults(one: SetThreshold) -> Iterator[tuple[str, str]]:
    for low, value, high, where in (
        (one.low, one.gain, one.high, "low"),
        (one.ratio_low, one.ratio, one.ratio_high, "ratio_low"),
    ):
        if (low is None) != (high is None) or (low is not None and high is not None and not low <= value <= high):
            yield where, "both ends of an interval around the value, or none, were expected"


@documented
@dataclass(frozen=True)
class SetThreshold:
    """Gain that is usually significant on test sets of one size from a set, next to the other sets."""

    shape: ClassVar[Shape] = Shape(faults=_threshold_faults)

    metric: MetricKey
    set: Annotated[str, Field("The set.")]
    units: Annotated[Count, Field("The number of units of the test sets, the same for all sets.")]
    segments: Annotated[Positive, Field("The segments that so many units have, on average.")]
    gain: Annotated[Positive, Field("The gain at which 95 % of the pairs would have p up to alpha.")]
    low: Annotated[float | None, Field("The lower end of its interval; none if there are fewer than three systems.")]
    high: Annotated[float | None, Field("The upper end of its interval.")]
    ratio: Annotated[Positive, Field("The gain as a share of the mean of all sets.")]
    ratio_low: Annotated[float | None, Field("The lower end of the ratio's interval.")]
    ratio_high: Annotated[float | None, Field("The upper end of the ratio's interval.")]
    errors: Annotated[
        tuple[NonNegative, ...],
        Field("The standard error of each pair's difference on such test sets, in the order of the pairs."),
    ]


def listed(one: Transfer | Pooled | Population) -> list[Share]:
    """Return the bins, and the band around .05 if it is there."""
    return [*one.bins, *([] if one.band is None else [one.band])]
