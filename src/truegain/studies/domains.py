"""Whether differences hold on other test sets, and on the population a set was drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from numbers import Real
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec.structs import replace as changed

from truegain.cautions import check_directions, shared_segments, size_note
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, check_count, check_options
from truegain.inference.agreement import Kinds, Signs, signs_of
from truegain.inference.all_pairs import AllPairs, pairs_of
from truegain.inference.intervals import Alpha
from truegain.inference.results import MetricInfo, Metrics
from truegain.notes import Finding, Note
from truegain.report.model import Cell, Column, Table
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.streams import Stream
from truegain.results import Result, no_entry
from truegain.rows import Count, Proportion, Row, Seed, field, record
from truegain.settings.domains import BINS, DomainsOptions
from truegain.settings.function import takes
from truegain.studies.given import corpus_of, sets_of
from truegain.studies.population_draws import Counted, count_draws
from truegain.studies.transfer import (
    Binned,
    Compared,
    Level,
    Pooled,
    Population,
    SetPair,
    SetScore,
    SetThreshold,
    Share,
    TestedSet,
    Transfer,
    by_domain,
    common_sizes,
    compared,
    listed,
    pooled_of,
    population_of,
    set_thresholds,
    transfer_of,
    with_the_same_systems,
)
from truegain.version import __version__
from truegain.view import Digits, digits_of, interval_text, slots_of, stacked, table
from truegain.words import Sentence, alpha_text, level_words, listing, p_words, share_text, whole

RESAMPLES_OF_SYSTEMS = 2_000
FEW_SYSTEMS = 10
POOLED = 3  # sets from which on transfers are pooled
SHOWN_SETS = 4  # more sets than these have bins of transfers in the data alone
LISTED_SETS = 3  # of more, a note has the smallest and the largest

TRANSFER = Sentence(
    "In {label}, {share} of {pairs} with p ≤ {alpha} on {source} have the same sign on {target} ({level} CI "
    "{interval}); {expected} would be expected in one domain."
)
NO_TRANSFER = Sentence("In {label}, no pair has p ≤ {alpha} on {source}.")
ALL_TRANSFERS = Sentence(
    "In {label}, {share} of {cases:,} cases with p ≤ {alpha} on one set have the same sign on another ({level} CI "
    "{interval}); {expected} would be expected in one domain."
)
NO_TRANSFERS = Sentence("In {label}, no pair has p ≤ {alpha} on any set.")
WORST = Sentence("The fewest hold from {source} to {target}: {share} of {pairs}.")
REVERSED = Sentence("In {label}, {system} is better than {baseline} on {here} (p {p}) but worse on {there} (p {q}).")
REVERSED_TOO = Sentence("The signs of {more} are reversed, too.")
THRESHOLDS = Sentence(
    "With {size} per set, the gain that is usually significant runs from {least} on {easiest} to {most} {label} on "
    "{hardest}."
)
THRESHOLDS_DIFFER = Sentence("The {level} CI of the threshold on {sets} excludes the mean of the sets.")
POPULATION = Sentence(
    "In {label}, {share} of {cases:,} p-values from {low} to {high} on draws of {size} from {set} have the sign of the "
    "whole set ({level} CI {interval})."
)
WRONG = Sentence(
    "In {label}, p ≤ {alpha} favours the wrong system in at most {wrong} of pairs on draws from a set ({allowed} are "
    "allowed)."
)

BINS_NOTE = Sentence(
    "one domain: what to expect if both sets were of one domain; sig. too, sig. opposite: p ≤ {alpha} on the other set "
    "as well."
)
CASES_NOTE = Sentence("cases: pairs in all {transfers} transfers from one set to another, which are not independent.")
DRAWS_NOTE = Sentence(
    "right sign: that of the whole set. 1 − p: its mean, though p is not the probability that the sign is wrong."
)
WRONG_NOTE = Sentence(
    "right sign: that of the whole set, in draws with p from {low} to {high}; wrong: p ≤ {alpha} for the wrong system, "
    "of all draws and pairs."
)
THRESHOLDS_NOTE = Sentence(
    "threshold: the gain at which 95 % of the pairs would have p ≤ {alpha} on test sets of this size; ratio: to the "
    "mean of the sets."
)
SIZES = Sentence("{sets} test sets of {least:,} to {most:,} {items}s")
ROUGH = Sentence("With {systems} the intervals of shares are rough: they are for other systems like these")
NO_THRESHOLD = Sentence("on some set no difference varies, so there is no threshold for {size:,} units")

ENDING = Sentence("paired bootstrap, one-sided, {resamples:,} resamples, seed {seed}")
ENDING_DRAWS = Sentence(
    "paired bootstrap, one-sided, {resamples:,} resamples, {draws:,} draws with {draw_resamples:,} each, seed {seed}"
)
METHODS = Sentence(
    "Every pair of {systems} systems was compared in {labels} with the paired bootstrap, shifted by the observed "
    "difference, one-sided for the better system (Berg-Kirkpatrick et al. 2012, section 4)."
)
METHODS_TRANSFERS = Sentence(
    "It had {resamples:,} resamples on each of {sets} test sets. By p on one set we report how often the sign of the "
    "difference is the same on another; the share expected in one domain is that of normal differences with the "
    "observed one as mean and the variances of both sets."
)
METHODS_DRAWS = Sentence(
    "With a set as the population, {draws:,} test sets of {sizes} units were drawn from it with replacement and tested "
    "with {draw_resamples:,} resamples each, and the sign compared with that of the whole set."
)
METHODS_THRESHOLDS = Sentence(
    "The gain that is usually significant on test sets of one size is that at which 95 % of the pairs would have "
    "p ≤ {alpha}, by their standard errors on the draws; its intervals are over resamples of systems and over draws."
)
METHODS_RUNS = Sentence("Scores are means over runs, which are held fixed.")
METHODS_INTERVALS = Sentence(
    "Intervals ({level}) of shares are percentiles over resamples of the systems, because pairs share them, and no "
    "narrower than Clopper–Pearson intervals of as many independent pairs. Computed with truegain {version}, seed "
    "{seed}."
)

_COLUMNS = (
    "metric source target drawn_units draws p_above=low p_up_to=high pairs cases same ties share ci_low ci_high "
    "expected significant_same=shown significant_opposite=opposite seed"
)
_SHARES = Digits(1, percent=True)

#: What was counted on draws from a set: size by size, and metric by metric.
Drawn = dict[int, list[Counted]]


class BinText(Row):
    """A bin of p as tables have it."""

    p: Annotated[str, field("The bin.", show="text")]


class DomainsResult(Result, tag="domains", kw_only=True):
    """Extent to which differences between systems hold on other test sets.

    ``result["bleu", "news", "talks"]`` is the transfer from one set to another.
    """

    title = "Does it hold on other test sets?"
    study: ClassVar[str] = "domains"

    sets: Annotated[tuple[TestedSet, ...], field("The test sets, or the domains of one.", min_length=1)]
    metrics: Metrics
    scores: Annotated[tuple[SetScore, ...], field("The score of every system on every set.", min_length=1)]
    pairs: Annotated[tuple[SetPair, ...], field("Every two systems, metric by metric; empty for one set alone.")]
    transfers: Annotated[tuple[Transfer, ...], field("From every set to every other, metric by metric.")]
    populations: Annotated[
        tuple[Population, ...], field("Every set as the population, metric by metric and size by size.")
    ]
    alpha: Annotated[Alpha, field("The level of the tests, which are one-sided.")]
    resamples: Annotated[Count, field("The number of resamples.")]
    draw_resamples: Annotated[Count, field("The number of resamples of each draw.")]
    seed: Annotated[Seed, field("The seed of the resamples.")]
    bins: Annotated[
        tuple[Proportion, ...], field("The ends of the bins of p, rising; one more bin ends at 1.", min_length=1)
    ] = BINS
    pooled: Annotated[
        tuple[Pooled, ...],
        field("All transfers as one, metric by metric; empty for fewer than three sets, and in results without it."),
    ] = ()
    thresholds: Annotated[
        tuple[SetThreshold, ...],
        field("With several sets: what gain is usually significant on each, for every size of draws that all have."),
    ] = ()

    def __getitem__(self, key: tuple[str, str, str]) -> Transfer:
        for transfer in self.transfers:
            if (transfer.metric, transfer.source, transfer.target) == key:
                return transfer
        raise no_entry(key, self._keys())

    def _keys(self) -> list[tuple[str, ...]]:
        return [(transfer.metric, transfer.source, transfer.target) for transfer in self.transfers]

    @property
    def fingerprint(self) -> str:
        """The short hashes of all sets."""
        return " ".join(tested.fingerprint for tested in self.sets)

    @property
    def ends(self) -> list[tuple[float, float]]:
        """Return where each bin of p begins and ends."""
        return list(zip((0.0, *self.bins), (*self.bins, 1.0), strict=True))

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names, in order."""
        return tuple(dict.fromkeys(score.system for score in self.scores))

    def population(self, metric: str, name: str, units: int | None = None) -> Population:
        """Return a set as the population; by default with the first size of draws."""
        for population in self.populations:
            if (population.metric, population.set) == (metric, name) and units in (None, population.units):
                return population
        raise KeyError((metric, name, units))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, methods = super().used()
        return metrics, [*methods, "bootstrap", "domains"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each bin of p and the band, of every transfer, of all together, of every population.

        All transfers together have neither source nor target.
        """
        none = {"drawn_units": None, "draws": None}
        together = {"source": None, "target": None, **none}
        return [
            *(record(_COLUMNS, share, row, self, none) for row in self.transfers for share in listed(row)),
            *(record(_COLUMNS, share, row, self, together) for row in self.pooled for share in listed(row)),
            *(
                record(_COLUMNS, {"source": row.set, "target": row.set, "drawn_units": row.units}, share, row, self)
                for row in self.populations
                for share in listed(row)
            ),
        ]

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield shares of the same sign by p, from set to set and on draws, and thresholds by set."""
        sets = len(self.sets)
        matrices = [self._matrix(metric) for metric in self.metrics if sets >= POOLED]
        if any(matrix.rows for matrix in matrices):
            yield stacked([matrix for matrix in matrices if matrix.rows])
        shares = "share ci expected shown opposite"
        yield from self._bins_tables(self.pooled, f"cases {shares}", "p on one set", "table")
        if sets <= SHOWN_SETS:
            kind = "further" if sets >= POOLED else "table"
            yield from self._bins_tables(self.transfers, f"pairs {shares}", "{row.source} → {row.target}", kind)
        if sets > 1 and self.populations:
            yield stacked([self._populations_table(metric) for metric in self.metrics])
        kind = "further" if sets > 1 else "table"
        yield from self._bins_tables(self.populations, "cases share ci expected", "{row.units:,} of {row.set}", kind)
        if self.thresholds:
            yield stacked(
                [
                    self._thresholds_table(metric, digits_of(self, metric, decimals))
                    for metric in self.metrics
                    if any(row.metric == metric.key for row in self.thresholds)
                ]
            )

    def _matrix(self, metric: MetricInfo) -> Table:
        """Return the share of the same sign from every set to every other, of pairs with p up to alpha."""
        names = [tested.name for tested in self.sets]
        columns = (Column(f"{metric.label}: from", "left"), *(Column(f"to {name}") for name in names))
        rows = []
        for source in names:
            cells = [Cell(source)]
            for target in names:
                share = None if source == target else self[metric.key, source, target].significant.share
                cells.append(Cell("") if share is None else Cell(share_text(share), value=share))
            if any(cell.text for cell in cells[1:]):
                rows.append(tuple(cells))
        caption = f"Pairs with p ≤ {alpha_text(self.alpha)} on one set: those with the same sign on another"
        return Table(columns, tuple(rows), caption)

    def _bins_tables(self, binned: Sequence[Binned], columns: str, heading: str, kind: Any) -> Iterator[Table]:
        """Yield shares by bins of p as sections of one table; bins without cases are left out."""
        labels = {metric.key: metric.label for metric in self.metrics}
        drawn = isinstance(binned[0], Population) if binned else False
        notes = [DRAWS_NOTE()] if drawn else [BINS_NOTE(alpha=alpha_text(self.alpha))]
        notes += [CASES_NOTE(transfers=row.transfers) for row in binned[:1] if isinstance(row, Pooled)]
        headings = {"share": "right sign %", "expected": "1 − p %"} if drawn else {}
        tables = [
            table(
                rows,
                f"bin.p {columns}",
                _SHARES,
                headings=headings | {"bin.p": f"{labels[row.metric]}: {heading.format(row=row)}"},
                caption="Signs by p",
                notes=notes,
                slots=slots_of(self),
            )
            for row in binned
            if (rows := _rows(row))
        ]
        if tables:
            yield replace(stacked(tables), kind=kind)

    def _populations_table(self, metric: MetricInfo) -> Table:
        populations = [row for row in self.populations if row.metric == metric.key]
        band = populations[0].band
        return table(
            [{"": row, "band": row.band} for row in populations],
            "set units wrong band.cases band.share band.ci",
            _SHARES,
            headings={"set": f"{metric.label}: drawn from", "band.share": "right sign %"},
            caption="Signs on test sets drawn from a set",
            notes=[WRONG_NOTE(low=alpha_text(band.low), high=alpha_text(band.high), alpha=alpha_text(self.alpha))],
            slots=slots_of(self),
        )

    def _thresholds_table(self, metric: MetricInfo, digits: Digits) -> Table:
        rows = [row for row in self.thresholds if row.metric == metric.key]
        of_segments = all(tested.unit == "segment" for tested in self.sets)
        return table(
            rows,
            f"set units {'' if of_segments else 'segments'} gain low? ratio ratio_low?",
            digits,
            headings={"set": f"{metric.label}: on"},
            caption="The gain that is usually significant on test sets of one size",
            notes=[THRESHOLDS_NOTE(alpha=alpha_text(self.alpha))],
            slots=slots_of(self),
        )


def _rows(binned: Binned) -> list[dict[str, Row | None]]:
    return [{"": share, "bin": BinText(_bin_text(share))} for share in listed(binned) if share.cases]


def _bin_text(share: Share) -> str:
    """Write ``≤ .001``, ``.001 – .01``, ``> .25``."""
    low, high = alpha_text(share.low), alpha_text(share.high)
    if share.low == 0.0:
        return f"≤ {high}"
    return f"> {low}" if share.high == 1.0 else f"{low} – {high}"


@takes(DomainsOptions)
def domains(options: DomainsOptions) -> DomainsResult:
    """See whether differences between systems hold on other test sets, or in other domains of one.

    Every two systems are tested on every set, one-sided, for the one with the better score there. From each set to each
    other: by p on the first, how often the second has the same sign. And for each set as the population: test sets
    are drawn from it, and by p on a draw, how often the sign is that of the whole set (Berg-Kirkpatrick et al. 2012,
    section 4).

    Every domain is a set. Or, in place of the references, several sets with the same systems are given: a mapping of
    names to corpora, or to references, systems and, if known, documents; or a sequence of corpora. Several runs of a
    system are averaged. Of every metric one way must be the better one.
    """
    check_options(options)
    _check_choices(options.sizes, options.draws, options.draw_resamples)
    bins = _checked_bins(options.bins)
    sets = _checked_sets(_sets(options), options.draws)
    experiments = [_prepared(corpus, options) for corpus in sets]
    level = _level(options, bins, len(sets[0].systems))
    metrics = experiments[0].metric_infos()
    tested = [_tested(experiment) for experiment in experiments]
    signs = [_signs(experiment, options) for experiment in experiments] if len(sets) > 1 else []
    counted = [_transfers(signs, m, level) for m in range(len(metrics))]
    draws = _all_draws(experiments, options, level)
    thresholds = {
        (metric, size): set_thresholds(metric.key, size, tested, [by_size[size][m] for by_size in draws], level)
        for m, metric in enumerate(metrics)
        for size in common_sizes([tuple(by_size) for by_size in draws])
    }
    result = DomainsResult(
        sets=tuple(tested),
        metrics=metrics,
        scores=tuple(row for experiment in experiments for row in _scores(experiment)),
        pairs=tuple(_pairs(experiments, signs)) if signs else (),
        transfers=tuple(
            transfer_of(metric.key, sets[i].name, sets[j].name, cases, level)
            for metric, by_way in zip(metrics, counted, strict=True)
            for (i, j), cases in by_way.items()
        ),
        pooled=tuple(
            pooled_of(metric.key, [*by_way.values()], level)
            for metric, by_way in zip(metrics, counted, strict=True)
            if len(sets) >= POOLED
        ),
        populations=tuple(
            population_of(corpus.name, metric.key, size, options.draws, cases, level)
            for corpus, by_size in zip(sets, draws, strict=False)
            for size, by_metric in by_size.items()
            for metric, cases in zip(metrics, by_metric, strict=True)
        ),
        thresholds=tuple(row for rows in thresholds.values() for row in rows),
        alpha=options.alpha,
        resamples=options.resamples,
        draw_resamples=options.draw_resamples,
        seed=options.seed,
        bins=bins,
        signature=_signature(options, bins),
    )
    missing = [(metric, size) for (metric, size), rows in thresholds.items() if not rows]
    notes = [Note("same", NO_THRESHOLD(size=size), scope=metric.label) for metric, size in missing]
    return _answered(result, [*_notes(experiments), *notes], _noun(experiments), options)


def _answered(result: DomainsResult, notes: list[Note], noun: str, options: DomainsOptions) -> DomainsResult:
    """Return the result with its answer in words."""
    ending = ENDING_DRAWS if options.draws else ENDING
    return changed(
        result,
        about=_about(result),
        findings=tuple(Finding(text) for metric in result.metrics for text in _findings(result, metric, noun)),
        notes=tuple(notes),
        ending=ending(
            resamples=options.resamples, draws=options.draws, draw_resamples=options.draw_resamples, seed=options.seed
        ),
        methods=_methods(result),
    )


def _sets(options: DomainsOptions) -> list[Corpus]:
    """Return several test sets, or the domains of one."""
    given = options.references
    several = isinstance(given, Mapping) or (
        isinstance(given, Sequence) and bool(given) and all(isinstance(corpus, Corpus) for corpus in given)
    )
    if not several:
        return by_domain(corpus_of(options))
    if not options.systems is options.sources is options.documents is options.domains is None:
        raise TypeError("several sets hold their systems, sources, documents and domains already")
    return sets_of(given)


def _check_choices(sizes: Sequence[int], draws: int, draw_resamples: int) -> None:
    if any(size < 2 for size in sizes):
        raise InputError(f"a test set that is drawn must have 2 units or more; got {min(sizes)}")
    if len(set(sizes)) < len(sizes):
        raise InputError("a size of test sets is asked for twice")
    check_count("units to draw", max(sizes, default=1))
    check_count("draws", draws, least=0)
    check_count("resamples", draw_resamples)


def _checked_sets(corpora: Sequence[Corpus], draws: int) -> list[Corpus]:
    """Return the sets with the same systems in one order; refuse one system, and one set without draws."""
    sets = with_the_same_systems(corpora)
    if len(sets[0].systems) < 2:
        raise InputError(f"there is only one system, {sets[0].systems[0].name!r}; differences need two")
    if len(sets) == 1 and draws == 0:
        raise InputError(
            "there is one test set, and nothing is drawn from it", hint=("give another set, or ", Setting("draws"))
        )
    return sets


def _checked_bins(bins: Sequence[float]) -> tuple[float, ...]:
    if not bins or not all(isinstance(end, Real) for end in bins):
        raise InputError(f"the bins of p must end at one number or more; got {bins!r}")
    if not all(low < high for low, high in pairwise((0.0, *bins, 1.0))):
        raise InputError(
            f"the ends of the bins of p must increase, between 0 and 1; got {', '.join(f'{end:g}' for end in bins)}",
            hint="the last bin, up to 1, is implied",
        )
    return tuple(float(end) for end in bins)


def _prepared(corpus: Corpus, options: DomainsOptions) -> Experiment:
    experiment = Experiment.prepare(
        corpus,
        options.metrics,
        unit=options.unit,
        strata="none",
        seed=options.seed,
        jobs=available_jobs(options.jobs),
        cache=options.cache,
        engine=options.engine,
        executor=options.executor,
        progress=options.progress,
    )
    hint = "leave it out: which of two systems is better is the question here"
    check_directions(experiment, "has no better side", hint)
    if experiment.units.count < 2:
        raise InputError(
            f"the test set {corpus.name!r} is one segment: no test can tell a difference from chance on it",
            hint="leave it out, or join it with another",
        )
    return experiment


def _level(options: DomainsOptions, bins: tuple[float, ...], systems: int) -> Level:
    """Draw the systems with replacement, for the intervals of all shares."""
    keys = resample_keys(options.seed, Stream.DOMAIN_SYSTEMS, 0, RESAMPLES_OF_SYSTEMS)
    return Level(Kinds(bins, options.alpha), systems, bootstrap_counts(keys, systems))


def _signs(experiment: Experiment, options: DomainsOptions) -> list[Signs]:
    """Return all pairs on a set, metric by metric."""
    given = zip(
        experiment.statistics.blocks,
        experiment.scores,
        experiment.rounding,
        experiment.bootstrap(options.resamples),
        strict=True,
    )
    return [
        signs_of(
            AllPairs(
                observed,
                scores,
                lower_is_better=block.metric.higher_is_better is False,
                factor=experiment.factor(0.95),
                jobs=available_jobs(options.jobs),
                rounded=rounded,
            )
        )
        for block, observed, rounded, scores in given
    ]


def _transfers(signs: Sequence[Sequence[Signs]], m: int, level: Level) -> dict[tuple[int, int], Compared]:
    """Compare the signs under a metric on every set with those on every other."""
    ways = [(i, j) for i in range(len(signs)) for j in range(len(signs)) if i != j]
    return {(i, j): compared(signs[i][m], signs[j][m], level.kinds) for i, j in ways}


def _all_draws(experiments: Sequence[Experiment], options: DomainsOptions, level: Level) -> list[Drawn]:
    """Draw test sets of every size from every set; nothing if no draws were asked for."""
    if not options.draws:
        return []
    return [
        {
            size: count_draws(
                experiment,
                size,
                options.draws,
                kinds=level.kinds,
                resamples=options.draw_resamples,
                progress=experiment.reporter(f"draws from {experiment.corpus.name}", options.draws),
            )
            for size in tuple(options.sizes) or (experiment.units.count,)
        }
        for experiment in experiments
    ]


def _tested(experiment: Experiment) -> TestedSet:
    testset = experiment.testset()
    return TestedSet(
        name=testset.name,
        segments=testset.segments,
        documents=testset.documents,
        references=testset.references,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        fingerprint=testset.fingerprint,
        inputs=testset.inputs,
    )


def _scores(experiment: Experiment) -> list[SetScore]:
    corpus = experiment.corpus
    return [
        SetScore(block.key, corpus.name, system.name, float(score), len(system.runs))
        for block, scores in zip(experiment.statistics.blocks, experiment.scores, strict=True)
        for system, score in zip(corpus.systems, scores, strict=True)
    ]


def _pairs(experiments: Sequence[Experiment], signs: Sequence[Sequence[Signs]]) -> Iterator[SetPair]:
    names = [system.name for system in experiments[0].corpus.systems]
    firsts, seconds = (places.tolist() for places in pairs_of(len(names)))
    for m, block in enumerate(experiments[0].statistics.blocks):
        deltas = np.stack([of_set[m].deltas for of_set in signs], axis=1).tolist()
        p = np.stack([of_set[m].p for of_set in signs], axis=1).tolist()
        for first, second, by_set, p_by_set in zip(firsts, seconds, deltas, p, strict=True):
            yield SetPair(block.key, names[first], names[second], tuple(by_set), tuple(p_by_set))


def _noun(experiments: Sequence[Experiment]) -> str:
    """Return what the units of all sets are called."""
    nouns = {experiment.units.noun for experiment in experiments}
    if nouns == {"segment"}:
        return experiments[0].corpus.item_noun
    return nouns.pop() if len(nouns) == 1 else "unit"


def _signature(options: DomainsOptions, bins: tuple[float, ...]) -> str:
    parts = [] if bins == BINS else [f"bins:{','.join(f'{end:g}' for end in bins)}"]
    parts += [f"sizes:{','.join(map(str, options.sizes))}"] if options.sizes else []
    return "|".join(
        (
            f"domains|test:bootstrap|one-sided|unit:{options.unit}|alpha:{options.alpha:g}|R:{options.resamples}",
            f"draws:{options.draws}",
            *parts,
            f"draw-R:{options.draw_resamples}|seed:{options.seed}|version:{__version__}",
        )
    )


def _about(result: DomainsResult) -> str:
    """Describe in one line what was tested on."""
    sets = " · ".join(f"{tested.name} {whole(tested.segments, 'segment')}" for tested in result.sets)
    systems = len(result.systems)
    return f"{sets}  {systems} systems · {whole(systems * (systems - 1) // 2, 'pair')}"


def _findings(result: DomainsResult, metric: MetricInfo, noun: str) -> Iterator[str]:
    """Say how often signs hold from set to set, and which are reversed; of one set, what draws from it say."""
    yield from _same_signs(result, metric)
    yield from _reversed_signs(result, metric)
    yield from _set_thresholds(result, metric, noun)
    populations = [row for row in result.populations if row.metric == metric.key]
    if len(result.sets) == 1:
        for row in populations:
            yield from _population(result, metric, row, noun)
        wrong = share_text(max(row.wrong for row in populations), 1)
        yield WRONG(label=metric.label, wrong=wrong, alpha=alpha_text(result.alpha), allowed=share_text(result.alpha))


def _of_share(result: DomainsResult, metric: MetricInfo, share: Share) -> dict[str, Any]:
    """Return what sentences on a share have in common; there are cases."""
    low, high = share.ci or (0.0, 1.0)
    return {
        "label": metric.label,
        "alpha": alpha_text(result.alpha),
        "level": level_words(result.alpha),
        "share": share_text(share.share or 0.0),
        "interval": interval_text(low, high, share_text),
        "expected": share_text(share.expected or 0.0),
        "cases": share.cases,
        "pairs": whole(share.pairs, "pair"),
    }


def _same_signs(result: DomainsResult, metric: MetricInfo) -> Iterator[str]:
    """Say how often signs are the same on another set: of two sets each way, of more all together and at worst."""
    transfers = [row for row in result.transfers if row.metric == metric.key]
    alpha = alpha_text(result.alpha)
    if not result.pooled:
        for row in transfers:
            slots = {**_of_share(result, metric, row.significant), "source": row.source, "target": row.target}
            yield TRANSFER(**slots) if row.significant.cases else NO_TRANSFER(**slots)
        return
    if not any(row.significant.cases for row in transfers):
        yield NO_TRANSFERS(label=metric.label, alpha=alpha)
        return
    pooled = next(row for row in result.pooled if row.metric == metric.key)
    yield ALL_TRANSFERS(**_of_share(result, metric, pooled.significant))
    shares = [(row.significant.share, row) for row in transfers if row.significant.share is not None]
    least, worst = min(shares, key=lambda pair: pair[0])
    if least < 1.0:
        pairs = whole(worst.significant.pairs, "pair")
        yield WORST(source=worst.source, target=worst.target, share=share_text(least), pairs=pairs)


def _reversed_signs(result: DomainsResult, metric: MetricInfo) -> Iterator[str]:
    """Name the pair that is most clearly significant on two sets in opposite directions, and count the others."""
    names = [tested.name for tested in result.sets]
    reversals = []
    for pair in result.pairs:
        if pair.metric != metric.key:
            continue
        by_p = sorted(zip(pair.p, names, pair.deltas, strict=True))
        better = next(((p, name) for p, name, delta in by_p if delta > 0.0), (1.0, ""))
        worse = next(((p, name) for p, name, delta in by_p if delta < 0.0), (1.0, ""))
        if max(better[0], worse[0]) <= result.alpha:
            reversals.append((max(better[0], worse[0]), pair, better, worse))
    if reversals:
        _, pair, (p, here), (q, there) = min(reversals, key=lambda reversal: reversal[0])
        slots = {"system": pair.system, "baseline": pair.baseline, "here": here, "there": there}
        yield REVERSED(label=metric.label, p=p_words(p), q=p_words(q), **slots)
    if len(reversals) > 1:
        yield REVERSED_TOO(more=whole(len(reversals) - 1, "more pair"))


def _set_thresholds(result: DomainsResult, metric: MetricInfo, noun: str) -> Iterator[str]:
    """Say whether the domain moves what gain is usually significant on test sets of one size."""
    digits = digits_of(result, metric)
    for size in dict.fromkeys(row.units for row in result.thresholds if row.metric == metric.key):
        rows = sorted(
            (row for row in result.thresholds if (row.metric, row.units) == (metric.key, size)),
            key=lambda row: row.gain,
        )
        yield THRESHOLDS(
            size=whole(size, noun),
            label=metric.label,
            least=digits.score(rows[0].gain),
            easiest=rows[0].set,
            most=digits.score(rows[-1].gain),
            hardest=rows[-1].set,
        )
        moved = [row.set for row in rows if not (row.ratio_low or 0.0) <= 1.0 <= (row.ratio_high or 1.0)]
        if moved:
            yield THRESHOLDS_DIFFER(level=level_words(result.alpha), sets=listing(moved))


def _population(result: DomainsResult, metric: MetricInfo, population: Population, noun: str) -> Iterator[str]:
    """Say how often p around .05 goes with the right sign on draws from the only set."""
    band = population.band
    if band.cases:
        yield POPULATION(
            low=alpha_text(band.low),
            high=alpha_text(band.high),
            size=whole(population.units, noun),
            set=population.set,
            **_of_share(result, metric, band),
        )


def _notes(experiments: Sequence[Experiment]) -> Iterator[Note]:
    corpora = [experiment.corpus for experiment in experiments]
    several = len(corpora) > 1
    sizes = [
        size_note(experiment.corpus, experiment.units, runs=[len(system.runs) for system in experiment.corpus.systems])
        for experiment in experiments
    ]
    if len(corpora) <= LISTED_SETS:
        yield from (note.about(corpus.name) if several else note for note, corpus in zip(sizes, corpora, strict=True))
    else:
        segments = [corpus.segments for corpus in corpora]
        yield Note(
            "unit", SIZES(sets=len(corpora), least=min(segments), most=max(segments), items=corpora[0].item_noun)
        )
    yield from shared_segments(corpora, "that the two agree says little about new segments")
    for experiment in experiments:
        few = experiment.few_units_note()
        for note in [*experiment.notes, *([] if few is None else [few])]:
            yield note.about(experiment.corpus.name) if several else note
    systems = len(corpora[0].systems)
    if systems < FEW_SYSTEMS:
        yield Note("few-systems", ROUGH(systems=whole(systems, "system")))


def _methods(result: DomainsResult) -> str:
    sentences = [METHODS(systems=len(result.systems), labels=listing([metric.label for metric in result.metrics]))]
    if result.transfers:
        sentences.append(METHODS_TRANSFERS(resamples=result.resamples, sets=len(result.sets)))
    if result.populations:
        sizes = listing(list(dict.fromkeys(f"{row.units:,}" for row in result.populations)))
        draws = result.populations[0].draws
        sentences.append(METHODS_DRAWS(draws=draws, sizes=sizes, draw_resamples=result.draw_resamples))
    if result.thresholds:
        sentences.append(METHODS_THRESHOLDS(alpha=alpha_text(result.alpha)))
    if any(row.runs > 1 for row in result.scores):
        sentences.append(METHODS_RUNS())
    level = level_words(result.alpha)
    return " ".join((*sentences, METHODS_INTERVALS(level=level, version=result.version, seed=result.seed)))
