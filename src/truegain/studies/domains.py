"""Whether differences hold on other test sets, and on the population a set was drawn from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from truegain.cautions import check_directions, shared_segments, size_note
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, check_count, check_options
from truegain.inference.intervals import Alpha
from truegain.inference.results import MetricInfo, Metrics
from truegain.notes import Finding, Note
from truegain.report.model import Cell, Column, Table
from truegain.results import Result, no_entry
from truegain.rows import Count, Proportion, Row, Seed, Show, field, record
from truegain.settings.domains import BINS, DomainsOptions
from truegain.settings.function import takes
from truegain.studies.given import corpus_of, sets_of
from truegain.studies.threshold import few_systems_notes
from truegain.studies.transfer import (
    Pooled,
    Population,
    SetPair,
    SetScore,
    SetThreshold,
    Share,
    TestedSet,
    Transfer,
    by_domain,
    rows_of,
    with_the_same_systems,
)
from truegain.version import __version__
from truegain.view import Digits, Joined, digits_of, interval_text, slots_of, stacked, table, tables_of
from truegain.words import Sentence, alpha_text, level_words, listing, p_words, share_text, whole

LISTED_SETS = 3  # of more, a note has the smallest and the largest

SAME_SIGN = Sentence(
    "In {label}, {share} of {cases} with p ≤ {alpha} on {source} have the same sign on {target} ({level} CI "
    "{interval}); {expected} would be expected in one domain."
)
NO_DIFFERENCE = Sentence("In {label}, no pair has p ≤ {alpha} on {source}.")
WORST = Sentence("The fewest hold from {source} to {target}: {share} of {pairs}.")
REVERSED = Sentence(
    "In {label}, {count} of {pairs} have p ≤ {alpha} in opposite directions on two sets: {pair.system} is better than "
    "{pair.baseline} on {here} (p {p}) but worse on {there} (p {q})."
)
THRESHOLDS = Sentence(
    "With {size} per set, the gain that is usually significant runs from {least} on {easiest} to {most} {label} on "
    "{hardest}."
)
THRESHOLDS_DIFFER = Sentence("The {level} CI of the threshold on {sets} excludes the mean of the sets.")
POPULATION = Sentence(
    "In {label}, {share} of {cases} with p from {low} to {high} on draws of {size} from {set} have the sign of the "
    "whole set ({level} CI {interval})."
)
WRONG = Sentence(
    "In {label}, p ≤ {alpha} favours the wrong system in at most {wrong} of pairs on draws from a set ({allowed} are "
    "allowed)."
)

BINS_NOTE = (
    "one domain: what to expect if both sets were of one domain; sig. too, sig. opposite: significant on the other set "
    "as well."
)
CASES_NOTE = "cases: pairs in all transfers from one set to another, which are not independent."
DRAWS_NOTE = (
    "same sign: as in the whole set; one domain: the mean of 1 − p, though p is not the probability of a wrong sign."
)
WRONG_NOTE = (
    "same sign: as in the whole set, in draws with p from .04 to .06; wrong: significant for the wrong system, of all "
    "draws and pairs."
)
THRESHOLDS_CAPTION = "The gain that is usually significant on test sets of one size"
THRESHOLDS_NOTE = (
    "threshold: the gain at which 95 % of the pairs would be significant on test sets of this size; ratio: to the mean "
    "of the sets."
)
SIZES = Sentence("{sets} test sets of {least:,} to {most:,} {items}s")

ENDING = Sentence("paired bootstrap, one-sided, {resamples:,} resamples, {draws:,} draws, seed {seed}")
METHODS = Sentence(
    "Every pair of {systems} systems was compared in {labels} with the paired bootstrap, shifted by the observed "
    "difference, one-sided for the better system (Berg-Kirkpatrick et al. 2012, section 4); scores are means over "
    "runs, which are held fixed."
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


class BinText(Row):
    """A bin of p as tables have it."""

    p: Annotated[str, field("The bin.", show="text")]


class DomainsResult(Result, tag="domains", kw_only=True):
    """Extent to which differences between systems hold on other test sets.

    ``result["bleu", "news", "talks"]`` is the transfer from one set to another.
    """

    title = "Does it hold on other test sets?"
    study: ClassVar[str] = "domains"
    layout = (
        Show(
            "thresholds", "set units gain low? ratio ratio_low?", THRESHOLDS_CAPTION, (THRESHOLDS_NOTE,), stacked=True
        ),
    )

    sets: Annotated[tuple[TestedSet, ...], field("The test sets, or the domains of one.", min_length=1)]
    metrics: Metrics
    scores: Annotated[tuple[SetScore, ...], field("The score of every system on every set.", min_length=1)]
    pairs: Annotated[tuple[SetPair, ...], field("Every two systems, metric by metric; empty for one set alone.")]
    transfers: Annotated[tuple[Transfer, ...], field("From every set to every other, metric by metric.")]
    populations: Annotated[tuple[Population, ...], field("Every set as the population, by metric and size.")]
    alpha: Annotated[Alpha, field("The level of the tests, which are one-sided.")]
    resamples: Annotated[Count, field("The number of resamples.")]
    draw_resamples: Annotated[Count, field("The number of resamples of each draw.")]
    seed: Annotated[Seed, field("The seed of the resamples.")]
    bins: Annotated[
        tuple[Proportion, ...], field("The ends of the bins of p, rising; one more bin ends at 1.", min_length=1)
    ] = BINS
    pooled: Annotated[tuple[Pooled, ...], field("All transfers as one, by metric; only for three sets or more.")] = ()
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
        records = []
        for row in (*self.transfers, *self.pooled, *self.populations):
            drawn = {}
            if isinstance(row, Population):
                drawn = {"source": row.set, "target": row.set, "drawn_units": row.units}
            records += [record(_COLUMNS, share, drawn, row, self) for share in (*row.bins, row.band)]
        return records

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield shares of the same sign by p, from set to set and on draws, and thresholds by set."""
        shares = "share ci expected shown opposite"
        if any(row.significant.cases for row in self.pooled):
            yield stacked([self._matrix(metric) for metric in self.metrics])
        if self.pooled:
            yield from self._by_p(self.pooled, f"cases {shares}", "p on one set", (BINS_NOTE, CASES_NOTE))
        else:
            yield from self._by_p(self.transfers, f"pairs {shares}", "{row.source} → {row.target}", (BINS_NOTE,))
        if self.transfers:
            columns, sections = "set units wrong band.cases band.share band.ci", {}
            for metric in self.metrics:
                rows = [row for row in self.populations if row.metric == metric.key]
                sections[f"{metric.label}: drawn from"] = [{"": row, "band": row.band} for row in rows]
            yield from self._sections(sections, columns, "Signs on test sets drawn from a set", (WRONG_NOTE,))
        else:
            columns = "cases share ci expected"
            yield from self._by_p(self.populations, columns, "{row.units:,} of {row.set}", (DRAWS_NOTE,))
        yield from tables_of(self, decimals)

    def _matrix(self, metric: MetricInfo) -> Table:
        """Return the share of the same sign from every set to every other, of pairs with p up to alpha."""
        names = [tested.name for tested in self.sets]
        of_metric = [row for row in self.transfers if row.metric == metric.key]
        shares = {(row.source, row.target): row.significant.share for row in of_metric}
        rows = []
        for source in names:
            found = [shares.get((source, target)) for target in names]
            if found != [None] * len(names):
                cells = [Cell("") if share is None else Cell(share_text(share), value=share) for share in found]
                rows.append((Cell(source), *cells))
        columns = (Column(f"{metric.label}: from", "left"), *(Column(f"to {name}") for name in names))
        caption = f"Pairs with p ≤ {alpha_text(self.alpha)} on one set: those with the same sign on another"
        return Table(columns, tuple(rows), caption)

    def _by_p(self, binned: Sequence[Any], columns: str, heading: str, notes: Sequence[str]) -> Iterator[Table]:
        """Yield shares by bins of p, with a section for each transfer or population that has cases."""
        labels = {metric.key: metric.label for metric in self.metrics}
        sections = {}
        for row in binned:
            shares = [share for share in (*row.bins, row.band) if share.cases]
            bins = [BinText(f"{alpha_text(share.low) or 0} – {alpha_text(share.high)}") for share in shares]
            both = zip(shares, bins, strict=True)
            sections[f"{labels[row.metric]}: {heading.format(row=row)}"] = [{"": share, "bin": p} for share, p in both]
        return self._sections(sections, f"bin.p {columns}", "Signs by p", notes)

    def _sections(
        self, sections: Mapping[str, Sequence[Joined]], columns: str, caption: str, notes: Sequence[str]
    ) -> Iterator[Table]:
        """Yield one table of shares, with a section for each heading that has rows."""
        first, slots = columns.split()[0], slots_of(self)
        given: dict[str, Any] = {"caption": caption, "notes": notes, "slots": slots}
        headed = [(heading, rows) for heading, rows in sections.items() if rows]
        if headed:
            yield stacked([table(rows, columns, _SHARES, headings={first: head}, **given) for head, rows in headed])


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
    bins = _checked_bins(options)
    experiments = [_prepared(corpus, options) for corpus in _checked_sets(options)]
    ends, sizes = ",".join(f"{end:g}" for end in bins), ",".join(map(str, options.sizes)) or "all"
    result = DomainsResult(
        **rows_of(experiments, options, bins),
        metrics=experiments[0].metric_infos(),
        alpha=options.alpha,
        resamples=options.resamples,
        draw_resamples=options.draw_resamples,
        seed=options.seed,
        bins=bins,
        signature=(
            f"domains|test:bootstrap|one-sided|unit:{options.unit}|alpha:{options.alpha:g}|R:{options.resamples}"
            f"|draws:{options.draws}|bins:{ends}|sizes:{sizes}|draw-R:{options.draw_resamples}|seed:{options.seed}"
            f"|version:{__version__}"
        ),
    )
    items = {one.unit_noun for one in experiments}
    noun = items.pop() if len(items) == 1 else "unit"
    sets, systems = [f"{tested.name} {whole(tested.segments, 'segment')}" for tested in result.sets], result.systems
    return replace(
        result,
        about=f"{' · '.join(sets)}  {len(systems)} systems · {whole(math.comb(len(systems), 2), 'pair')}",
        findings=tuple(Finding(text) for metric in result.metrics for text in _findings(result, metric, noun)),
        notes=tuple(_notes(experiments)),
        ending=ENDING(resamples=options.resamples, draws=options.draws, seed=options.seed),
        methods=_methods(result, options.draws),
    )


def _checked_bins(options: DomainsOptions) -> tuple[float, ...]:
    """Return the bins, if they and the numbers of draws make sense."""
    check_count("draws", options.draws, least=0)
    check_count("resamples", options.draw_resamples)
    for size in options.sizes:
        check_count("units to draw", size)
        if size < 2:
            raise InputError(f"a test set that is drawn must have 2 units or more; got {size}")
    bins = tuple(map(float, options.bins))
    if not bins or not all(low < high for low, high in pairwise((0.0, *bins, 1.0))):
        raise InputError(
            f"the ends of the bins of p must increase, between 0 and 1; got {', '.join(f'{end:g}' for end in bins)}",
            hint="the last bin, up to 1, is implied",
        )
    return bins


def _checked_sets(options: DomainsOptions) -> list[Corpus]:
    """Return several test sets or the domains of one, with the same systems; refuse what has nothing to compare."""
    given = options.references
    several = isinstance(given, Mapping)
    if isinstance(given, Sequence) and given:
        several = all(isinstance(corpus, Corpus) for corpus in given)
    if not several:
        corpora = by_domain(corpus_of(options))
    elif options.systems is options.sources is options.documents is options.domains is None:
        corpora = sets_of(given)
    else:
        raise TypeError("several sets hold their systems, sources, documents and domains already")
    sets = with_the_same_systems(corpora)
    if len(sets[0].systems) < 2:
        raise InputError(f"there is only one system, {sets[0].systems[0].name!r}; differences need two")
    if len(sets) == 1 and options.draws == 0:
        raise InputError(
            "there is one test set, and nothing is drawn from it", hint=("give another set, or ", Setting("draws"))
        )
    return sets


def _prepared(corpus: Corpus, options: DomainsOptions) -> Experiment:
    shared = {name: getattr(options, name) for name in ("unit", "seed", "cache", "engine", "executor", "progress")}
    jobs = available_jobs(options.jobs)
    experiment = Experiment.prepare(corpus, options.metrics, strata="none", jobs=jobs, **shared)
    check_directions(experiment, "has no better side", "leave it out: which of two systems is better is the question")
    if experiment.units.count < 2:
        raise InputError(
            f"the test set {corpus.name!r} is one segment: no test can tell a difference from chance on it",
            hint="leave it out, or join it with another",
        )
    return experiment


def _findings(result: DomainsResult, metric: MetricInfo, noun: str) -> Iterator[str]:
    """Say how often signs hold from set to set, and which are reversed; of one set, what draws from it say."""
    yield from _same_signs(result, metric)
    yield from _reversed_signs(result, metric)
    yield from _set_thresholds(result, metric, noun)
    if len(result.sets) > 1:
        return
    populations = [row for row in result.populations if row.metric == metric.key]
    for row in populations:
        if row.band.cases:
            slots = _slots(result, metric, row.band, f"{row.band.cases:,} cases")
            low, high = alpha_text(row.band.low), alpha_text(row.band.high)
            yield POPULATION(low=low, high=high, size=whole(row.units, noun), set=row.set, **slots)
    wrong = share_text(max(row.wrong for row in populations), 1)
    yield WRONG(label=metric.label, wrong=wrong, alpha=alpha_text(result.alpha), allowed=share_text(result.alpha))


def _slots(result: DomainsResult, metric: MetricInfo, share: Share, cases: str) -> dict[str, str]:
    """Return what sentences on a share have in common."""
    low, high = share.ci or (0.0, 1.0)
    return {
        "label": metric.label,
        "alpha": alpha_text(result.alpha),
        "level": level_words(result.alpha),
        "share": share_text(share.share or 0.0),
        "cases": cases,
        "interval": interval_text(low, high, share_text),
        "expected": share_text(share.expected or 0.0),
    }


def _same_signs(result: DomainsResult, metric: MetricInfo) -> Iterator[str]:
    """Say how often signs are the same on another set: of two sets each way, of more all together and at worst."""
    transfers = [row for row in result.transfers if row.metric == metric.key]
    pooled = [row.significant for row in result.pooled if row.metric == metric.key]
    told = [(share, f"{share.cases:,} cases", "any set", "another") for share in pooled]
    if not pooled:
        told = [(row.significant, whole(row.significant.cases, "pair"), row.source, row.target) for row in transfers]
    for share, cases, source, target in told:
        sentence = SAME_SIGN if share.cases else NO_DIFFERENCE
        yield sentence(source=source, target=target, **_slots(result, metric, share, cases))
    found = [(row.significant.share, row) for row in transfers if row.significant.share is not None]
    least, worst = min(found, key=lambda pair: pair[0], default=(1.0, None))
    if pooled and worst is not None and least < 1.0:
        pairs = whole(worst.significant.pairs, "pair")
        yield WORST(source=worst.source, target=worst.target, share=share_text(least), pairs=pairs)


def _reversed_signs(result: DomainsResult, metric: MetricInfo) -> Iterator[str]:
    """Count the pairs that are significant on two sets in opposite directions, and name the clearest."""
    names = [tested.name for tested in result.sets]
    pairs = [pair for pair in result.pairs if pair.metric == metric.key]
    reversals = []
    for pair in pairs:
        by_p = sorted(zip(pair.p, names, pair.deltas, strict=True))
        p, here = next(((p, name) for p, name, delta in by_p if delta > 0.0), (1.0, ""))
        q, there = next(((p, name) for p, name, delta in by_p if delta < 0.0), (1.0, ""))
        if max(p, q) <= result.alpha:
            slots = {"p": p_words(p), "q": p_words(q), "here": here, "there": there, "pair": pair}
            reversals.append((max(p, q), slots))
    if reversals:
        _, clearest = min(reversals, key=lambda reversal: reversal[0])
        counts = {"count": len(reversals), "pairs": whole(len(pairs), "pair")}
        yield REVERSED(label=metric.label, alpha=alpha_text(result.alpha), **counts, **clearest)


def _set_thresholds(result: DomainsResult, metric: MetricInfo, noun: str) -> Iterator[str]:
    """Say whether the domain moves what gain is usually significant on test sets of one size."""
    digits = digits_of(result, metric)
    by_size: dict[int, list[SetThreshold]] = {}
    for row in sorted(result.thresholds, key=lambda row: row.gain):
        if row.metric == metric.key:
            by_size.setdefault(row.units, []).append(row)
    for size, rows in sorted(by_size.items()):
        least, most = digits.score(rows[0].gain), digits.score(rows[-1].gain)
        ends = {"least": least, "easiest": rows[0].set, "most": most, "hardest": rows[-1].set}
        yield THRESHOLDS(size=whole(size, noun), label=metric.label, **ends)
        moved = [row.set for row in rows if not (row.ratio_low or 0.0) <= 1.0 <= (row.ratio_high or 1.0)]
        if moved:
            yield THRESHOLDS_DIFFER(level=level_words(result.alpha), sets=listing(moved))


def _notes(experiments: Sequence[Experiment]) -> Iterator[Note]:
    """Yield the sizes of sets, segments that they share, and what limits the numbers of each set."""
    corpora = [experiment.corpus for experiment in experiments]
    if len(corpora) > LISTED_SETS:
        segments = [corpus.segments for corpus in corpora]
        sizes = SIZES(sets=len(corpora), least=min(segments), most=max(segments), items=corpora[0].item_noun)
        yield Note("unit", sizes)
    else:
        for experiment, corpus in zip(experiments, corpora, strict=True):
            runs = [len(system.runs) for system in corpus.systems]
            yield size_note(corpus, experiment.units, runs=runs).about(corpus.name)
    yield from shared_segments(corpora, "that the two agree says little about new segments")
    for experiment in experiments:
        for note in (*experiment.notes, experiment.few_units_note()):
            if note is not None:
                yield note.about(experiment.corpus.name)
    yield from few_systems_notes(len(corpora[0].systems))


def _methods(result: DomainsResult, draws: int) -> str:
    sentences = [METHODS(systems=len(result.systems), labels=listing([metric.label for metric in result.metrics]))]
    if result.transfers:
        sentences.append(METHODS_TRANSFERS(resamples=result.resamples, sets=len(result.sets)))
    if draws:
        sizes = listing(list(dict.fromkeys(f"{row.units:,}" for row in result.populations)))
        sentences.append(METHODS_DRAWS(draws=draws, sizes=sizes, draw_resamples=result.draw_resamples))
    if result.thresholds:
        sentences.append(METHODS_THRESHOLDS(alpha=alpha_text(result.alpha)))
    level = level_words(result.alpha)
    return " ".join((*sentences, METHODS_INTERVALS(level=level, version=result.version, seed=result.seed)))
