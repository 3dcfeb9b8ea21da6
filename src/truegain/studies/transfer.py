"""Several test sets with the same systems: how often signs agree, by p, and thresholds set by set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.errors import InputError, Way
from truegain.inference.agreement import Agreement, Kinds, Signs, expected_agreement
from truegain.inference.all_pairs import pairs_of
from truegain.inference.distributions import normal_quantile
from truegain.inference.results import Unit
from truegain.inference.thresholds import drawn_interval, drawn_percentiles, percentile
from truegain.inputs import Inputs
from truegain.rows import Baseline, Count, MetricKey, NonNegative, Number, Positive, Proportion, Row, System, field
from truegain.studies.population_draws import Counted
from truegain.words import listing

FEWEST_SYSTEMS = 3  # for an interval
NAMED = 5  # systems that are missing: more are counted


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
    share: Annotated[
        Proportion | None, field("The share of all cases; none if there are no cases.", "same sign %", "score")
    ]
    ci: Annotated[
        tuple[Proportion, Proportion] | None,
        field(
            "The interval of the share, for other systems like these; none if there are no cases.",
            "{level} CI",
            "interval share",
        ),
    ]
    expected: Annotated[
        Proportion | None,
        field(
            "What the share would be: on another test set of the same domain (transfers), or the mean of 1 − p "
            "(draws); none if there are no cases.",
            "one domain %",
            "score",
        ),
    ]
    shown: Annotated[
        Number | None,
        field(
            "Cases significant on the target, in the same direction; none if the target is a population, whose "
            "differences are what they are.",
            "sig. too",
        ),
    ] = None
    opposite: Annotated[
        Number | None,
        field(
            "Cases significant on the target, in the opposite direction; none if the target is a population.",
            "sig. opposite",
        ),
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
    set: Annotated[str, field("The set.", show="text")]
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
            "population.",
            "wrong %",
            "score",
        ),
    ]


class SetThreshold(Row):
    """Gain that is usually significant on test sets of one size from a set, next to the other sets."""

    metric: MetricKey
    set: Annotated[str, field("The set.", show="text")]
    units: Annotated[Count, field("The number of units of the test sets, the same for all sets.")]
    segments: Annotated[Positive, field("The segments that so many units have, on average.", show="count")]
    gain: Annotated[
        Positive, field("The gain at which 95 % of the pairs would have p up to alpha.", "threshold", "score")
    ]
    low: Annotated[
        float | None,
        field(
            "The lower end of its interval; none if there are fewer than three systems.", "{level} CI", "ends high gain"
        ),
    ]
    high: Annotated[float | None, field("The upper end of its interval.")]
    ratio: Annotated[Positive, field("The gain as a share of the mean of all sets.", "ratio", "ratio")]
    ratio_low: Annotated[
        float | None, field("The lower end of the ratio's interval.", "{level} CI", "ratios ratio_high ratio")
    ]
    ratio_high: Annotated[float | None, field("The upper end of the ratio's interval.")]
    errors: Annotated[
        tuple[NonNegative, ...],
        field("The standard error of each pair's difference on such test sets, in the order of the pairs."),
    ]


Binned = Transfer | Pooled | Population


def listed(binned: Binned) -> list[Share]:
    """Return the bins, and the band around .05 if it is there."""
    return [*binned.bins, *([] if binned.band is None else [binned.band])]


def by_domain(corpus: Corpus) -> list[Corpus]:
    """Return a corpus per domain, in the order of first appearance; the corpus itself if no domains are known."""
    if corpus.domains is None:
        return [corpus]
    places: dict[str, list[int]] = {}
    for place, domain in enumerate(corpus.domains):
        places.setdefault(domain, []).append(place)
    made = [_chosen(corpus, domain, chosen) for domain, chosen in places.items()]
    return [replace(part, notes=corpus.notes if number == 0 else ()) for number, part in enumerate(made)]


def _chosen(corpus: Corpus, name: str, places: Sequence[int]) -> Corpus:
    """Return some segments as a test set of their own, whose runs are not told apart by training sample or rater."""
    part = corpus.of_segments(places)
    systems = [
        replace(system, runs=tuple(replace(run, sample=None, raters=None, label=None) for run in system.runs))
        for system in part.systems
    ]
    return replace(part, name=name, systems=tuple(systems), domains=None)


def with_the_same_systems(corpora: Sequence[Corpus]) -> list[Corpus]:
    """Return the sets with their systems in one order, that of the first set.

    Raises
    ------
    InputError
        If sets have the same name, or a system is not on all of them.
    """
    if not corpora:
        raise InputError("there is no test set", hint="give one, or several with the same systems")
    names = [corpus.name for corpus in corpora]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            f"two test sets are named {twice!r}",
            hint=("give them different names: ", Way("--set NAME=FOLDER", "truegain.read_corpus(…, name=…)")),
        )
    wanted = list(dict.fromkeys(system.name for corpus in corpora for system in corpus.systems))
    for corpus in corpora:
        known = {system.name for system in corpus.systems}
        missing = [name for name in wanted if name not in known]
        if missing:
            shown = missing if len(missing) <= NAMED else [*missing[:NAMED], f"{len(missing) - NAMED} more"]
            raise InputError(
                f"the test set {corpus.name!r} has no outputs of {listing([str(name) for name in shown])}",
                hint="every system must be on every set, under the same name",
            )
    return [replace(corpus, systems=tuple(corpus.system(name) for name in wanted)) for corpus in corpora]


@dataclass(frozen=True)
class Level:
    """Kinds of cases and systems that all shares have in common.

    Attributes
    ----------
    kinds : Kinds
        With the alpha up to which p is significant; intervals have the level 1 − alpha.
    systems : int
    drawn : array (resamples, systems)
        Resamples of the systems.
    """

    kinds: Kinds
    systems: int
    drawn: NDArray[np.float32]

    def share(
        self,
        ends: tuple[float, float],
        cases: NDArray[np.float64],
        same: NDArray[np.float64],
        ties: float,
        expected: float,
        significant: tuple[int, int] | None = None,
    ) -> Share:
        """Return the share among pairs, each counted ``cases`` times; ``expected`` and ``ties`` are sums over cases."""
        agreement = Agreement(self.systems, cases, same)
        count = int(cases.sum())
        shown, opposite = (None, None) if significant is None else significant
        return Share(
            low=ends[0],
            high=ends[1],
            pairs=int(np.count_nonzero(cases)),
            cases=count,
            same=float(same.sum()),
            ties=int(ties),
            share=agreement.share,
            ci=agreement.interval(self.drawn, 1.0 - self.kinds.alpha),
            expected=expected / count if count else None,
            shown=shown,
            opposite=opposite,
        )


class Compared(NamedTuple):
    """All pairs on one set and on another, counted by kinds of p on the first; shape (kinds, pairs).

    Attributes
    ----------
    cases, same, ties, expected, shown, opposite : array (kinds, pairs)
        See :class:`Share`.
    undirected : int
    """

    cases: NDArray[np.float64]
    same: NDArray[np.float64]
    ties: NDArray[np.float64]
    expected: NDArray[np.float64]
    shown: NDArray[np.float64]
    opposite: NDArray[np.float64]
    undirected: int

    def shares(self, level: Level) -> list[Share]:
        """Return the share of each kind."""
        return [
            level.share(ends, cases, same, float(ties.sum()), float(expected.sum()), (int(shown), int(opposite)))
            for ends, cases, same, ties, expected, shown, opposite in zip(
                level.kinds.ends,
                self.cases,
                self.same,
                self.ties,
                self.expected,
                self.shown.sum(-1),
                self.opposite.sum(-1),
                strict=True,
            )
        ]


def compared(here: Signs, there: Signs, kinds: Kinds) -> Compared:
    """Return how often the signs of all pairs on one set are those on another."""
    directed = here.deltas != 0.0
    ties = there.deltas == 0.0
    agree = np.sign(here.deltas) == np.sign(there.deltas)
    shown = (there.p <= kinds.alpha) & ~ties
    cases = (kinds.of(here.p) & directed).astype(np.float64)
    return Compared(
        cases=cases,
        same=cases * np.where(ties, 0.5, agree),
        ties=cases * ties,
        expected=cases * expected_agreement(here, there),
        shown=cases * (shown & agree),
        opposite=cases * (shown & ~agree),
        undirected=int((~directed).sum()),
    )


def transfer_of(metric: str, source: str, target: str, counted: Compared, level: Level) -> Transfer:
    """Return the transfer from one set to another."""
    *bins, significant, band = counted.shares(level)
    return Transfer(metric, source, target, counted.undirected, tuple(bins), significant, band)


def pooled_of(metric: str, counted: Sequence[Compared], level: Level) -> Pooled:
    """Return all transfers under a metric as one."""
    total = Compared(*(sum(counts) for counts in zip(*counted, strict=True)))
    *bins, significant, band = total.shares(level)
    return Pooled(metric, len(counted), total.undirected, tuple(bins), significant, band)


def population_of(name: str, metric: str, size: int, draws: int, counted: Counted, level: Level) -> Population:
    """Return what was counted on draws from a set of that name, under a metric."""
    *bins, significant, band = [
        level.share(
            ends,
            counted.cases[kind],
            counted.same[kind],
            float(counted.ties[kind].sum()),
            float(counted.cases[kind].sum() - counted.p[kind]),
        )
        for kind, ends in enumerate(level.kinds.ends)
    ]
    return Population(
        metric=metric,
        set=name,
        units=size,
        draws=draws,
        undirected=counted.undirected,
        bins=tuple(bins),
        significant=significant,
        band=band,
        wrong=counted.wrong / (draws * counted.cases.shape[1]),
    )


def common_sizes(sizes: Sequence[Sequence[int]]) -> list[int]:
    """Return the sizes of drawn test sets that all sets have; none if there is one set."""
    return [size for size in sizes[0] if all(size in of_set for of_set in sizes)] if len(sizes) > 1 else []


def set_thresholds(
    metric: str, size: int, sets: Sequence[TestedSet], counted: Sequence[Counted], level: Level
) -> list[SetThreshold]:
    """Return the threshold on each set under a metric, from what was counted on draws of that size.

    Each pair would be significant at the normal quantile times its standard error on a draw, the root mean square over
    draws. The threshold is the 95th percentile over pairs, as that of :func:`truegain.threshold`; its ratio is to the
    mean of all sets. Intervals are over draws of the systems, the same ones on every set, and over the draws of
    units. Empty if on some set no difference varies.
    """
    if not all(draws.errors.any() for draws in counted):
        return []
    quantile = normal_quantile(1.0 - level.kinds.alpha)
    gains = [quantile * percentile(draws.errors[draws.errors > 0.0]) for draws in counted]
    mean = float(np.mean(gains))
    drawn = [
        quantile * _drawn(draws, level, size / tested.n_units) for draws, tested in zip(counted, sets, strict=True)
    ]
    together = np.mean(drawn, axis=0)
    several = min(_distinct(draws.errors, level.systems) for draws in counted) >= FEWEST_SYSTEMS

    def ends(observed: float, values: NDArray[np.float64]) -> tuple[float, float] | tuple[None, None]:
        if not several:
            return None, None
        return drawn_interval(observed, values, level.systems, ratio=True, level=1.0 - level.kinds.alpha)

    rows = []
    for tested, draws, gain, values in zip(sets, counted, gains, drawn, strict=True):
        (low, high), (ratio_low, ratio_high) = ends(gain, values), ends(gain / mean, values / together)
        rows.append(
            SetThreshold(
                metric=metric,
                set=tested.name,
                units=size,
                segments=size * tested.segments / tested.n_units,
                gain=gain,
                low=low,
                high=high,
                ratio=gain / mean,
                ratio_low=ratio_low,
                ratio_high=ratio_high,
                errors=tuple(draws.errors.tolist()),
            )
        )
    return rows


def _drawn(draws: Counted, level: Level, share: float) -> NDArray[np.float64]:
    """Return the percentile of standard errors for other systems and other units: one for each draw of systems.

    Draws of units have a ``share`` of the set's units, and so vary more than the whole set would, or less.
    """
    firsts, seconds = pairs_of(level.systems)
    varies = draws.errors > 0.0
    systems = level.drawn.astype(np.float64)
    by_systems = drawn_percentiles(draws.errors[varies], firsts[varies], seconds[varies], systems)
    deviations = np.log(draws.usual[draws.usual > 0.0])
    deviations = (deviations - deviations.mean()) * np.sqrt(share)
    return np.asarray(by_systems * np.exp(np.resize(deviations, by_systems.size)))


def _distinct(errors: NDArray[np.float64], systems: int) -> int:
    """Count the systems without copies of others."""
    return systems - np.unique(pairs_of(systems)[1][errors == 0.0]).size
