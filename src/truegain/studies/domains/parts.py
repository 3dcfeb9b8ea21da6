"""Parts of a study of several test sets: the sets, pairs of systems on each, and how often signs agree."""

from __future__ import annotations

from typing import Annotated

from truegain.inference.results import Unit
from truegain.inputs import Inputs
from truegain.rows import Baseline, Count, MetricKey, NonNegative, Number, Positive, Proportion, Row, System, field


class TestedSet(Row):
    """A test set, or a domain of one."""

    __test__ = False  # not a test class for pytest

    name: Annotated[str, field("Its name.")]
    segments: Annotated[Count, field("The number of segments.")]
    documents: Annotated[Number | None, field("The number of documents; none if they are not known.")]
    references: Annotated[Number, field("The number of references per segment.")]
    unit: Unit
    n_units: Annotated[Count, field("The number of units.")]
    fingerprint: Annotated[str, field("A short hash of references, outputs and scores.")]
    inputs: Annotated[Inputs, field("What was read; for a domain, that of the whole test set.")] = Inputs()


class SetScore(Row):
    """The score of a system on a set: the mean over its runs there."""

    metric: MetricKey
    set: Annotated[str, field("The set.")]
    system: Annotated[str, field("The system.")]
    score: Annotated[float, field("The mean over runs.")]
    runs: Annotated[Count, field("The number of runs.")]


class SetPair(Row):
    """Two systems under a metric, on each of the sets, in their order."""

    metric: MetricKey
    baseline: Baseline
    system: System
    deltas: Annotated[
        tuple[float, ...], field("Differences of scores, positive if the system is better than the baseline.")
    ]
    p: Annotated[tuple[Proportion, ...], field("One-sided: that the one with the better score there is no better.")]


class Share(Row):
    """Share of the same sign, among pairs whose p lies in a bin."""

    low: Annotated[Proportion, field("The beginning of the bin of p, which does not belong to it.")]
    high: Annotated[Proportion, field("The end of the bin of p, which belongs to it.")]
    pairs: Annotated[Number, field("The number of different pairs of systems in the bin.")]
    cases: Annotated[Number, field("As often as these were there: once, or once for each draw or transfer.")]
    same: Annotated[NonNegative, field("Cases with the same sign; if there is no difference on the target, a half.")]
    ties: Annotated[Number, field("Cases without a difference on the target.")]
    share: Annotated[Proportion | None, field("The share of all cases; none if there are no cases.")]
    ci: Annotated[
        tuple[Proportion, Proportion] | None,
        field("The interval of the share, for other systems like these; none if there are no cases."),
    ]
    expected: Annotated[
        Proportion | None,
        field(
            "What the share would be: on another test set of the same domain (transfers), or the mean of 1 − p "
            "(draws); none if there are no cases."
        ),
    ]
    shown: Annotated[
        Number | None,
        field(
            "Cases significant on the target, in the same direction; none if the target is a population, whose "
            "differences are what they are."
        ),
    ] = None
    opposite: Annotated[
        Number | None,
        field("Cases significant on the target, in the opposite direction; none if the target is a population."),
    ] = None


_Bins = Annotated[tuple[Share, ...], field("Bins of p.", min_length=1)]


class Transfer(Row):
    """From one set to another: p on the source, and whether the sign is the same on the target."""

    metric: MetricKey
    source: Annotated[str, field("The set on which p is computed.")]
    target: Annotated[str, field("The set on which the sign is looked up.")]
    undirected: Annotated[
        Number,
        field("Pairs without a difference on the source: there is no sign to be the same, so they are in no bin."),
    ]
    bins: _Bins
    significant: Annotated[Share, field("All pairs with p up to alpha.")]
    band: Annotated[Share | None, field("Those with p around .05; none in results of versions without it.")] = None


class Pooled(Row):
    """All transfers as one: a case for every pair and every two sets. The cases are not independent."""

    metric: MetricKey
    transfers: Annotated[Count, field("The number of transfers.")]
    undirected: Annotated[Number, field("Cases without a difference on the source, which are in no bin.")]
    bins: _Bins
    significant: Annotated[Share, field("All cases with p up to alpha.")]
    band: Annotated[Share, field("Those with p around .05.")]


class Population(Row):
    """A set as the population: test sets drawn from it, and whether their signs are those of the whole."""

    metric: MetricKey
    set: Annotated[str, field("The set.")]
    units: Annotated[Count, field("The number of units drawn each time, with replacement.")]
    draws: Annotated[Count, field("The number of draws.")]
    undirected: Annotated[Number, field("Cases without a difference on the draw.")]
    bins: _Bins
    significant: Annotated[Share, field("All cases with p up to alpha.")]
    band: Annotated[Share, field("Those with p around .05.")]
    wrong: Annotated[
        Proportion,
        field(
            "Of all pairs and draws, the share with p up to alpha in favour of a system that is not better in the "
            "population."
        ),
    ]


class SetThreshold(Row):
    """Gain that is usually significant on test sets of one size from a set, next to the other sets."""

    metric: MetricKey
    set: Annotated[str, field("The set.")]
    units: Annotated[Count, field("The number of units of the test sets, the same for all sets.")]
    segments: Annotated[Positive, field("The segments that so many units have, on average.")]
    gain: Annotated[Positive, field("The gain at which 95 % of the pairs would have p up to alpha.")]
    low: Annotated[float | None, field("The lower end of its interval; none if there are fewer than three systems.")]
    high: Annotated[float | None, field("The upper end of its interval.")]
    ratio: Annotated[Positive, field("The gain as a share of the mean of all sets.")]
    ratio_low: Annotated[float | None, field("The lower end of the ratio's interval.")]
    ratio_high: Annotated[float | None, field("The upper end of the ratio's interval.")]
    errors: Annotated[
        tuple[NonNegative, ...],
        field("The standard error of each pair's difference on such test sets, in the order of the pairs."),
    ]


def listed(one: Transfer | Pooled | Population) -> list[Share]:
    """Return the bins, and the band around .05 if it is there."""
    return [*one.bins, *([] if one.band is None else [one.band])]
