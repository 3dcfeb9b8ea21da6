"""Several test sets: how often signs agree by p, from set to set and on draws from one, and thresholds set by set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations
from typing import Annotated, Any, NamedTuple

import numpy as np
from msgspec.structs import asdict
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.engines.engine import Engine, Resampling
from truegain.errors import InputError, Way
from truegain.executors.over import over
from truegain.executors.processors import BLAS_THREAD, need
from truegain.experiment import Experiment, check_defined
from truegain.experiment.matching import check_same_systems
from truegain.inference.agreement import Agreement, Kinds, Signs, expected_agreement, signs_of
from truegain.inference.all_pairs import pairs_of
from truegain.inference.distributions import normal_quantile
from truegain.inference.pvalues import small_sample_factor
from truegain.inference.results import TestSet, Unit
from truegain.inference.thresholds import drawn_interval, drawn_percentiles, percentile
from truegain.resampling.design import Design
from truegain.resampling.generator import bootstrap_counts, resample_keys, uniforms
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units, UnitTable
from truegain.rows import Baseline, Count, MetricKey, NonNegative, Number, Positive, Proportion, Row, System, field
from truegain.settings.domains import DomainsOptions
from truegain.statistics import Block, system_scores
from truegain.studies.threshold import FEWEST_SYSTEMS, all_pairs, bootstrapped_pairs

Floats = NDArray[np.float64]

RESAMPLES_OF_SYSTEMS = 2_000
POOLED = 3  # sets from which on transfers are pooled


class TestedSet(TestSet, kw_only=True):
    """A test set, or a domain of one; what was read is that of the whole test set."""

    unit: Unit
    n_units: Annotated[Count, field("The number of units.")]


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
    deltas: Annotated[tuple[float, ...], field("Differences of scores, positive if the system is better.")]
    p: Annotated[tuple[Proportion, ...], field("One-sided: that the one with the better score there is no better.")]


_CI = "The interval of the share, for other systems like these; none if there are no cases."
_EXPECTED = "The share to expect on another set of the same domain; on draws the mean of 1 − p; none without cases."
_SHOWN = "Cases significant on the target, in the same direction; none if the target is a population."
_OPPOSITE = "Cases significant on the target, in the opposite direction; none if the target is a population."


class Share(Row):
    """Share of the same sign, among pairs whose p lies in a bin."""

    low: Annotated[Proportion, field("The beginning of the bin of p, which does not belong to it.")]
    high: Annotated[Proportion, field("The end of the bin of p, which belongs to it.")]
    pairs: Annotated[Number, field("The number of different pairs of systems in the bin.")]
    cases: Annotated[Number, field("As often as these were there: once, or once for each draw or transfer.")]
    same: Annotated[NonNegative, field("Cases with the same sign; if there is no difference on the target, a half.")]
    ties: Annotated[Number, field("Cases without a difference on the target.")]
    share: Annotated[
        Proportion | None, field("The share of all cases; none if there are none.", "same sign %", "score")
    ]
    ci: Annotated[tuple[Proportion, Proportion] | None, field(_CI, "{level} CI", "interval share")]
    expected: Annotated[Proportion | None, field(_EXPECTED, "one domain %", "score")]
    shown: Annotated[Number | None, field(_SHOWN, "sig. too")] = None
    opposite: Annotated[Number | None, field(_OPPOSITE, "sig. opposite")] = None


class Binned(Row):
    """Cases by p: pairs of systems on two sets."""

    metric: MetricKey
    undirected: Annotated[Number, field("Cases without a difference where p is computed, which are in no bin.")]
    bins: Annotated[tuple[Share, ...], field("Bins of p.", min_length=1)]
    significant: Annotated[Share, field("All cases with p up to alpha.")]
    band: Annotated[Share, field("Those with p around .05.")]


class Transfer(Binned, kw_only=True):
    """From one set to another: p on the source, and whether the sign is the same on the target."""

    source: Annotated[str, field("The set on which p is computed.")]
    target: Annotated[str, field("The set on which the sign is looked up.")]


class Pooled(Binned, kw_only=True):
    """All transfers as one: a case for every pair and every two sets. The cases are not independent."""

    transfers: Annotated[Count, field("The number of transfers.")]


_WRONG = "Of all pairs and draws, the share with p up to alpha for a system that is not better in the population."


class Population(Binned, kw_only=True):
    """A set as the population: test sets drawn from it, and whether their signs are those of the whole."""

    set: Annotated[str, field("The set.", show="text")]
    units: Annotated[Count, field("The number of units drawn each time, with replacement.")]
    draws: Annotated[Count, field("The number of draws.")]
    wrong: Annotated[Proportion, field(_WRONG, "wrong %", "score")]


_GAIN = "The gain at which 95 % of the pairs would have p up to alpha."
_LOW = "The lower end of its interval; none if there are fewer than three systems."
_ERRORS = "The standard error of each pair's difference on such test sets, in the order of the pairs."


class SetThreshold(Row):
    """Gain that is usually significant on test sets of one size from a set, next to the other sets."""

    metric: MetricKey
    set: Annotated[str, field("The set.", show="text")]
    units: Annotated[Count, field("The number of units of the test sets, the same for all sets.")]
    segments: Annotated[Positive, field("The segments that so many units have, on average.", show="count")]
    gain: Annotated[Positive, field(_GAIN, "threshold", "score")]
    low: Annotated[float | None, field(_LOW, "{level} CI", "ends high gain")]
    high: Annotated[float | None, field("The upper end of its interval.")]
    ratio: Annotated[Positive, field("The gain as a share of the mean of all sets.", "ratio", "ratio")]
    ratio_low: Annotated[float | None, field("The lower end of the ratio's.", "{level} CI", "ratios ratio_high ratio")]
    ratio_high: Annotated[float | None, field("The upper end of the ratio's interval.")]
    errors: Annotated[tuple[NonNegative, ...], field(_ERRORS)]


def by_domain(corpus: Corpus) -> list[Corpus]:
    """Return a corpus per domain, in the order of first appearance; the corpus itself if no domains are known.

    The runs of each are not told apart by training sample or rater; the first has the notes.
    """
    if corpus.domains is None:
        return [corpus]
    sets: list[Corpus] = []
    for domain in dict.fromkeys(corpus.domains):
        part = corpus.of_segments([place for place, name in enumerate(corpus.domains) if name == domain])
        systems = []
        for system in part.systems:
            runs = tuple(replace(run, sample=None, raters=None, label=None) for run in system.runs)
            systems.append(replace(system, runs=runs))
        notes = () if sets else corpus.notes
        sets.append(replace(part, name=domain, systems=tuple(systems), domains=None, notes=notes))
    return sets


def with_the_same_systems(corpora: Sequence[Corpus]) -> list[Corpus]:
    """Return the sets with their systems in one order, that of the first set; refuse two sets of one name."""
    if not corpora:
        raise InputError("there is no test set", hint="give one, or several with the same systems")
    name, count = Counter(corpus.name for corpus in corpora).most_common(1)[0]
    if count > 1:
        raise InputError(
            f"two test sets are named {name!r}",
            hint=("give them different names: ", Way("--set NAME=FOLDER", "truegain.read_corpus(…, name=…)")),
        )
    check_same_systems(corpora)
    names = [system.name for system in corpora[0].systems]
    return [replace(corpus, systems=tuple(map(corpus.system, names))) for corpus in corpora]


class Level(NamedTuple):
    """What all shares have in common."""

    kinds: Kinds
    systems: int
    drawn: NDArray[np.float32]  # resamples of the systems, (resamples, systems)


def rows_of(experiments: Sequence[Experiment], options: DomainsOptions, bins: tuple[float, ...]) -> dict[str, Any]:
    """Return the tables of :class:`truegain.studies.domains.DomainsResult`, by their names."""
    systems = len(experiments[0].corpus.systems)
    keys = resample_keys(options.seed, Stream.DOMAIN_SYSTEMS, 0, RESAMPLES_OF_SYSTEMS)
    level = Level(Kinds(bins, options.alpha), systems, bootstrap_counts(keys, systems))
    sets, scores = [], []
    for experiment in experiments:
        testset = asdict(experiment.testset()) | {"dependence": ()}
        sets.append(TestedSet(**testset, unit=experiment.units.kind, n_units=experiment.units.count))
        for block, of_metric in zip(experiment.statistics.blocks, experiment.scores.tolist(), strict=True):
            for system, score in zip(experiment.corpus.systems, of_metric, strict=True):
                scores.append(SetScore(block.key, experiment.corpus.name, system.name, score, len(system.runs)))
    tables: dict[str, list[Any]] = {"sets": sets, "scores": scores, "pairs": [], "transfers": [], "populations": []}
    if len(sets) > 1:
        tables |= _transfers(experiments, options, level)
    if options.draws:
        tables |= _populations(experiments, options, sets, level)
    return {name: tuple(rows) for name, rows in tables.items()}


def _transfers(experiments: Sequence[Experiment], options: DomainsOptions, level: Level) -> dict[str, list[Any]]:
    """Compare the signs on every set with those on every other, and pool what is found on three sets or more."""
    names = [experiment.corpus.name for experiment in experiments]
    systems = [system.name for system in experiments[0].corpus.systems]
    signs = []
    for experiment in experiments:
        signs.append([signs_of(pairs) for pairs in bootstrapped_pairs(experiment, options.resamples, options.jobs)])
    pairs, transfers, pooled = [], [], []
    for m, block in enumerate(experiments[0].statistics.blocks):
        deltas = np.stack([of_set[m].deltas for of_set in signs], axis=1).tolist()
        p = np.stack([of_set[m].p for of_set in signs], axis=1).tolist()
        for (baseline, system), by_set, p_by_set in zip(combinations(systems, 2), deltas, p, strict=True):
            pairs.append(SetPair(block.key, baseline, system, tuple(by_set), tuple(p_by_set)))
        counted = []
        for i, j in permutations(range(len(names)), 2):
            counted.append(_compared(signs[i][m], signs[j][m], level.kinds))
            transfers.append(Transfer(source=names[i], target=names[j], **_binned(block.key, counted[-1], level)))
        if len(names) >= POOLED:
            total = {key: sum(counts[key] for counts in counted) for key in counted[0]}
            pooled.append(Pooled(transfers=len(counted), **_binned(block.key, total, level)))
    return {"pairs": pairs, "transfers": transfers, "pooled": pooled}


def _populations(
    experiments: Sequence[Experiment], options: DomainsOptions, sets: Sequence[TestedSet], level: Level
) -> dict[str, list[Any]]:
    """Draw test sets of every size from every set, and compare the thresholds of several at the sizes that all have."""
    populations, thresholds, found = [], [], []
    blocks = experiments[0].statistics.blocks
    for experiment in experiments:
        by_size = {}
        for size in dict.fromkeys(options.sizes) or (experiment.units.count,):
            by_size[size] = _count_draws(experiment, size, options, level.kinds)
            name, count = experiment.corpus.name, options.draws
            for block, draws in zip(blocks, by_size[size], strict=True):
                wrong = float(draws.counts["wrong"]) / (count * draws.errors.size)
                binned = _binned(block.key, draws.counts, level)
                populations.append(Population(set=name, units=size, draws=count, wrong=wrong, **binned))
        found.append(by_size)
    for m, block in enumerate(blocks):
        for size in found[0]:
            if len(sets) > 1 and all(size in by_size for by_size in found):
                thresholds += _thresholds(block.key, size, sets, [by_size[size][m] for by_size in found], level)
    return {"populations": populations, "thresholds": thresholds}


#: Cases by their keys in :class:`Share`, (kinds, pairs), of ``expected`` also (kinds,); and further numbers.
Counts = dict[str, Any]


def _binned(metric: str, counts: Counts, level: Level) -> dict[str, Any]:
    """Return the fields of :class:`Binned`."""
    shares = []
    for kind, (low, high) in enumerate(level.kinds.ends):
        cases, same, expected = (counts[key][kind] for key in ("cases", "same", "expected"))
        pairs, count, agreement = int(np.count_nonzero(cases)), int(cases.sum()), Agreement(level.systems, cases, same)
        ci = agreement.interval(level.drawn, 1.0 - level.kinds.alpha)
        mean = float(expected.sum()) / count if count else None
        ties, *signs = (int(counts[key][kind].sum()) for key in ("ties", "shown", "opposite") if key in counts)
        shares.append(Share(low, high, pairs, count, float(same.sum()), ties, agreement.share, ci, mean, *signs))
    *bins, significant, band = shares
    undirected = int(counts["undirected"])
    return {"metric": metric, "undirected": undirected, "bins": tuple(bins), "significant": significant, "band": band}


def _counted(deltas: Floats, p: Floats, there: Floats, kinds: Kinds) -> Counts:
    """Count how often the signs of differences, by their p, are those that they have ``there``: (…, pairs) all."""
    directed, ties = deltas != 0.0, there == 0.0
    agree = np.sign(deltas) == np.sign(there)
    cases = (kinds.of(p) & directed[..., None, :]).astype(np.float64)
    return {
        "undirected": (~directed).sum(-1),
        "cases": cases,
        "same": cases * np.where(ties, 0.5, agree)[..., None, :],
        "ties": cases * ties[..., None, :],
    }


def _compared(here: Signs, there: Signs, kinds: Kinds) -> Counts:
    """Return how often the signs of all pairs on one set are those on another."""
    counts = _counted(here.deltas, here.p, there.deltas, kinds)
    agree = np.sign(here.deltas) == np.sign(there.deltas)
    cases, shown = counts["cases"], (there.p <= kinds.alpha) & (there.deltas != 0.0)
    further = {"shown": cases * (shown & agree), "opposite": cases * (shown & ~agree)}
    return counts | further | {"expected": cases * expected_agreement(here, there)}


class Draws(NamedTuple):
    """All pairs under one metric on test sets drawn from a set, the population."""

    counts: Counts  # and how many are wrong: with p up to alpha for a system that is not better in the population
    errors: Floats  # the root mean square over draws of each pair's standard error
    usual: Floats  # the 95th percentile of the standard errors of each draw; 0 if nothing varies


def _count_draws(experiment: Experiment, units: int, options: DomainsOptions, kinds: Kinds) -> list[Draws]:
    """Draw test sets of ``units`` units, with replacement, test all pairs on each, and count, metric by metric.

    With replacement, so that the set is exactly the population which the draws are samples of. What a draw gives
    depends on its number alone; the counts do not depend on where it is done.
    """
    from threadpoolctl import threadpool_limits

    blocks, rounding, scores = experiment.statistics.blocks, experiment.rounding, experiment.scores
    population = np.stack([signs_of(pairs).deltas for pairs in all_pairs(blocks, scores, scores[..., None], rounding)])
    drawn_from = _Population(
        experiment.table, experiment.units, blocks, rounding, experiment.seed, units, options.draw_resamples
    )
    total: Counts = {}
    usual = np.zeros((len(blocks), options.draws))
    workers = experiment.engine.workers
    progress = experiment.reporter(f"draws from {experiment.corpus.name}", options.draws)
    if workers.shares_memory:
        need(BLAS_THREAD * workers.jobs)
    with threadpool_limits(1, user_api="blas"):  # each draw in one thread, with BLAS on one processor inside it
        for number, (deltas, p, errors) in enumerate(over(_drawn, drawn_from, 0, options.draws, workers, size=1)):
            counts = _counted(deltas, p, population, kinds)
            # Of a tie neither system is the right one, and each is found half of the time.
            wrong = np.where(population == 0.0, 0.5, np.sign(deltas) != np.sign(population))
            counts["wrong"] = ((deltas != 0.0) * (p <= kinds.alpha) * wrong).sum(-1)
            counts["p"] = (counts["cases"] * p[:, None]).sum(-1)
            counts["squares"] = errors**2
            total = {key: total.get(key, 0) + count for key, count in counts.items()}
            usual[:, number] = [percentile(row[row > 0.0]) if row.any() else 0.0 for row in errors]
            if progress is not None:
                progress(1)
    total["expected"] = total["cases"].sum(-1) - total["p"]
    errors = np.sqrt(total["squares"] / options.draws)
    return [Draws({key: count[m] for key, count in total.items()}, errors[m], usual[m]) for m in range(len(blocks))]


class _Population(NamedTuple):
    """What test sets are drawn from, and how they are tested."""

    table: UnitTable
    units: Units
    blocks: tuple[Block, ...]
    rounding: Floats
    seed: int
    size: int
    resamples: int


def _drawn(population: _Population, number: int, _: int) -> tuple[Floats, Floats, Floats]:
    """Draw a test set, by its number; return differences, p and standard errors of all pairs, metric by metric."""
    size, blocks = population.size, population.blocks
    places = uniforms(resample_keys(population.seed, Stream.DRAWN_UNITS, number, 1), size)[0]
    chosen = (places * population.units.count).astype(np.int64)
    table = UnitTable(population.table.values[chosen], population.table.scale)
    units = Units(population.units.kind, np.repeat(np.arange(size), population.units.sizes[chosen]), size)
    seed = int(resample_keys(population.seed, Stream.DRAW_SEEDS, number, 1)[0])
    score = partial(system_scores, blocks)
    observed = score(table.totals[:, None]).reshape(len(blocks), -1)
    work = Resampling(Design(units, "bootstrap", seed), table, score)
    resampled = Engine().resample(work, population.resamples).reshape(*observed.shape, -1)
    for block, *scores in zip(blocks, observed[..., None], resampled, strict=True):
        check_defined(np.concatenate(scores, axis=1), block)
    factor = small_sample_factor(size, units.effective_number)
    found = []
    for pairs in all_pairs(blocks, observed, resampled, population.rounding, factor=factor):
        signs = signs_of(pairs)
        found.append((signs.deltas, signs.p, np.where(signs.spreads > pairs.slacks, signs.spreads, 0.0)))
    deltas, p, errors = map(np.stack, zip(*found, strict=True))
    return deltas, p, errors


def _thresholds(
    metric: str, size: int, sets: Sequence[TestedSet], found: Sequence[Draws], level: Level
) -> list[SetThreshold]:
    """Return the threshold on each set under a metric, from what was found on draws of that size.

    Each pair would be significant at the normal quantile times its standard error on a draw, the root mean square over
    draws. The threshold is the 95th percentile over pairs, as that of :func:`truegain.threshold`; its ratio is to the
    mean of all sets. Intervals are over draws of the systems, the same ones on every set, and over the draws of
    units; there are none of fewer than three different systems. Empty if on some set no difference varies.
    """
    if not all(draws.errors.any() for draws in found):
        return []
    quantile = normal_quantile(1.0 - level.kinds.alpha)
    gains = [quantile * percentile(draws.errors[draws.errors > 0.0]) for draws in found]
    mean = float(np.mean(gains))
    both = zip(found, sets, strict=True)
    drawn = [quantile * _percentiles(draws, level, size / tested.n_units) for draws, tested in both]
    means = np.mean(drawn, axis=0)
    seconds = pairs_of(level.systems)[1]
    copies = max(np.unique(seconds[draws.errors == 0.0]).size for draws in found)
    interval = partial(drawn_interval, systems=level.systems, ratio=True, level=1.0 - level.kinds.alpha)
    rows = []
    for tested, draws, gain, values in zip(sets, found, gains, drawn, strict=True):
        low = high = ratio_low = ratio_high = None
        if level.systems - copies >= FEWEST_SYSTEMS:
            low, high = interval(gain, values)
            ratio_low, ratio_high = interval(gain / mean, values / means)
        segments, errors = size * tested.segments / tested.n_units, tuple(draws.errors.tolist())
        ratio = (gain / mean, ratio_low, ratio_high)
        rows.append(SetThreshold(metric, tested.name, size, segments, gain, low, high, *ratio, errors))
    return rows


def _percentiles(draws: Draws, level: Level, share: float) -> Floats:
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
