"""Which systems are better than which? All pairs tested; ranks, clusters and letters claim only what is shown."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec.structs import replace

from truegain import cautions, words
from truegain.corpus import Corpus
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, check_options
from truegain.inference import results as fields
from truegain.inference.claims import OUTPUTS, Claim
from truegain.inference.intervals import Alpha
from truegain.inference.multiplicity import CONTROLS, MAXT, adjust
from truegain.inference.ranking import kendall, rank_systems
from truegain.notes import Finding, Note
from truegain.procedures.base import Pair, Trial
from truegain.registry import CLOSED_FORM, TESTS, size_off_level
from truegain.report.model import Cell, Column, Table
from truegain.results import Result, completed, no_entry, with_metric
from truegain.rows import Number, Seed, field, record
from truegain.settings.function import takes
from truegain.settings.rank import RankOptions
from truegain.studies import rank_groups, tested
from truegain.studies.given import corpus_of
from truegain.studies.grouping import check_grouping, listed
from truegain.studies.rank_groups import Placed, RankedGroup, RankedGroups, RankedPair, sign_of
from truegain.studies.tested import TestedPairs
from truegain.version import __version__
from truegain.view import Digits, digits_of, slots_of, standard_errors_notes, table
from truegain.words import Sentence, listing, whole

HEADING = Sentence("{systems} ranked by {metrics}")
TWO_DIFFER = Sentence("{leaders} is better than {second} in {labels}: {gain}, p {p}.")
TWO_NOT_SHOWN = Sentence("{leaders} are not shown to differ in {labels}: {gain}, p {p}.")
NONE_DIFFER = Sentence("No two of the {count} systems are shown to differ in {labels}.")
BEST = Sentence("{leaders} {are} better than {others} in {labels}.")
LEAD = Sentence("{leaders} {lead} in {labels}.")
LEAD_ONLY = Sentence("{leaders} {lead} in {labels}, but {are} not shown to be better than {unbeaten}.")
OTHER_ORDER = Sentence("{first} and {second} order the systems differently (Kendall's τ {tau:.2f}).")
CONTRADICTION = Sentence("In {pairs}, {first} shows one system to be better and {second} the other.")

RANKS = (
    "Ranks are the places consistent with the significant differences; systems that share a letter are not shown to "
    "differ."
)
RULES = "Every system above a rule is better than every system below it."
COUNT = Sentence("Pairs shown to differ in {label}: {differ:,} of {pairs:,} (p ≤ {result.alpha:g}).")
COUNT_CLAIM = Sentence(
    "Pairs shown to differ in {label}, for {result.claim}: {differ:,} of {pairs:,} (p ≤ {result.alpha:g})."
)

SAME = Sentence("{systems} have identical scores on every {noun}")
SIZE = Sentence("{test} rejects {percent:.0f} % of true nulls at 0.05")
STRADDLING = Sentence("more resamples could decide {pairs} otherwise")
FEW_RESAMPLES = Sentence(
    "With {resamples:,} resamples no p of {pairs} can be below {alpha:g}: adjust by maxt, or use more"
)

OVER_PAIRS = Sentence("{adjust} over {pairs:,} pairs")
DRAWN = Sentence("{result.resamples:,} resamples, seed {result.seed}")
TESTED = Sentence(
    "The differences in {labels} between {systems} systems were tested pair by pair with {test} ({sides}; "
    "{source}) over {units}; claims extend to {claim}."
)
UNADJUSTED = Sentence("P-values were not adjusted for the number of pairs, as in WMT's clusters.")
ADJUSTED = Sentence(
    "P-values were adjusted for the {pairs:,} pairs per metric ({adjust}), which controls the {rate}; "
    "WMT's clusters rest on p-values per pair (adjust: none)."
)
PLACES = Sentence(
    "A system's rank is the range of places between the systems shown to be better and those shown to be "
    "worse; a cluster ends where every system above is shown to be better than every system below. "
    "Intervals of scores are {level} {intervals} (truegain {result.version}, {result.resamples:,} resamples, seed "
    "{result.seed})."
)

_COLUMNS = (
    "metric baseline system baseline_score system_score baseline_standard_error system_standard_error "
    "baseline_cluster system_cluster delta standard_error p p_adjusted adjust better test unit n_units resamples "
    "exceedances seed claim=claim_text claim_runs claim_unit"
)


class RankResult(Result, tag="rank", kw_only=True, rename={"scores": "systems"}):
    """Systems in order, and what is known about their places.

    ``result["bleu", "new"]`` is a system's place under a metric; :meth:`pair` finds two systems.
    """

    title = "Which systems are better than which?"
    study: ClassVar[str] = "rank"

    testset: Annotated[fields.TestSet, field("The test set.")]
    metrics: fields.Metrics
    scores: fields.Scores
    ranking: Annotated[tuple[Placed, ...], field("Metric by metric, the best score first.", min_length=1)]
    pairs: Annotated[tuple[RankedPair, ...], field("Every two systems, metric by metric.", min_length=1)]
    test: Annotated[fields.TestName, field("The test of pairs.")]
    adjust: fields.Adjustment
    claim: Annotated[Claim, field("What the ranking extends to.")]
    alpha: Alpha
    unit: fields.TestedUnit
    n_units: fields.Units
    resamples: Annotated[Number, field("The number of resamples.")]
    seed: Annotated[Seed, field("The seed of the resamples.")]
    standard_errors: fields.StandardErrors = False
    groups: Annotated[RankedGroups | None, field("Rankings by group, if they were asked for.")] = None

    def heading(self) -> str:
        """Say how many systems are ranked, and by what."""
        count = len({one.system for one in self.ranking})
        return HEADING(systems=whole(count, "system"), metrics=listing([metric.label for metric in self.metrics]))

    def __getitem__(self, key: str | tuple[str, str]) -> Placed:
        wanted = with_metric(key, self.metrics)
        for place in self.ranking:
            if (place.metric, place.system) == wanted:
                return place
        raise no_entry(key, ((place.metric, place.system) for place in self.ranking))

    def _keys(self) -> list[tuple[str, ...]]:
        return completed([(place.metric, place.system) for place in self.ranking], self.metrics)

    def __iter__(self) -> Iterator[Placed]:
        return iter(self.ranking)

    def placed(self, metric: str) -> list[Placed]:
        """Return the systems under a metric, the best score first."""
        return [place for place in self.ranking if place.metric == metric]

    def clusters(self, metric: str) -> list[list[str]]:
        """Return the names of the systems of each cluster under a metric, the best first."""
        clusters = itertools.groupby(self.placed(metric), key=attrgetter("cluster"))
        return [[place.system for place in places] for _, places in clusters]

    def pair(self, metric: str, baseline: str, system: str) -> RankedPair:
        """Return two systems, in the order in which they were given."""
        for pair in self.pairs:
            if (pair.metric, pair.baseline, pair.system) == (metric, baseline, system):
                return pair
        raise KeyError((metric, baseline, system))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, methods = super().used()
        return metrics, list(dict.fromkeys([*methods, self.test, self.adjust]))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per pair; then, with groups, one for each pair in each group."""
        parts: list[RankResult | RankedGroup] = [self]
        columns = _COLUMNS
        if self.groups is not None:
            parts += self.groups.groups
            columns = f"group {columns}"
        records, settings = [], self.columns()
        for part in parts:
            scores = {(score.metric, score.name): score for score in part.scores}
            clusters = {(place.metric, place.system): place.cluster for place in part.ranking}
            of_part = {"group": getattr(part, "group", ""), "unit": part.unit, "n_units": part.n_units}
            for pair in part.pairs:
                sides: dict[str, Any] = {}
                for side, name in (("baseline", pair.baseline), ("system", pair.system)):
                    sides[f"{side}_score"] = scores[pair.metric, name].score
                    sides[f"{side}_standard_error"] = scores[pair.metric, name].standard_error
                    sides[f"{side}_cluster"] = clusters[pair.metric, name]
                records.append(record(columns, of_part, sides, pair, settings))
        return records

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield the ranking under each metric, then scores and ranks by group."""
        scores = {(score.metric, score.name): score for score in self.scores}
        by_group = []
        for metric in self.metrics:
            places, digits = self.placed(metric.key), digits_of(self, metric, decimals)
            overall = [scores[metric.key, place.system] for place in places]
            yield _ranking_table(self, metric, overall, digits)
            if self.groups is not None:
                values = [score.score for score in overall]
                by_group.append(rank_groups.group_table(self.groups, metric, places, values, digits))
        yield from by_group


@takes(RankOptions)
def rank(options: RankOptions) -> RankResult:
    """Rank systems by which are shown to be better than which: rank intervals, clusters and letters.

    All pairs are tested, two-sided, metric by metric. The bootstrap needs only each system's score on every
    resample, which all pairs share, so that hundreds of systems take little more than their scores. Of every metric one
    way must be the better one.
    """
    corpus = corpus_of(options)
    check_options(options)
    tested.check_choices(corpus, options)
    if options.by is not None:
        check_grouping(corpus, options.by, options.unit)
    result = _ranked(corpus, options)
    findings = tuple(_findings(result))
    if options.by is None:
        return replace(result, findings=findings)
    groups = rank_groups.groups_of(corpus, options, _ranked)
    findings += tuple(rank_groups.group_findings(groups, result.metrics, result.alpha))
    return replace(result, findings=findings, groups=groups)


def _ranked(corpus: Corpus, options: RankOptions, prepared: Experiment | None = None) -> RankResult:
    """Rank the systems of a corpus, which may be scored already, under these metrics and with these units."""
    asked = options.test
    if asked == "stationary-bootstrap":
        asked = "bootstrap"
        if options.unit in ("auto", "segment"):
            options = options.changed(unit="block")
    experiment = prepared or Experiment.of(corpus, options)
    cautions.check_directions(experiment, "cannot rank systems")
    cautions.check_several_units(experiment)
    pairs = tuple(itertools.starmap(Pair, itertools.combinations(range(len(corpus.systems)), 2)))
    if options.unit == "block":
        experiment = experiment.in_blocks([(pair.baseline, pair.system) for pair in pairs])
    chosen, adjustment = tested.chosen(experiment, asked, options.adjust)
    trial = Trial(experiment, pairs, alpha=options.alpha, resamples=options.resamples, joint=adjustment == MAXT)
    if chosen == "bootstrap" and not trial.apart:
        results = tested.by_bootstrap(trial, adjustment, available_jobs(options.jobs))
    else:
        results = tested.by_procedure(trial, chosen, adjustment)
    of_test = tested.claimed(trial, chosen, results[0].outcomes)
    scores = experiment.system_results(tested.held_resamples(trial), 1.0 - options.alpha, options.interval)
    notes = _notes(trial, chosen, adjustment, results, scores, auto=asked == "auto")
    ranked, places = zip(*(_rows(trial, m, of_pairs) for m, of_pairs in enumerate(results)), strict=True)
    by = "" if options.by is None else f"|by:{options.by}"
    result = RankResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        scores=scores,
        ranking=tuple(itertools.chain(*places)),
        pairs=tuple(itertools.chain(*ranked)),
        adjust=adjustment,
        alpha=options.alpha,
        resamples=options.resamples,
        seed=options.seed,
        # Dependence is a warning, as no finding tells of it.
        notes=tuple(replace(note, warning=note.warning or note.kind == "dependence") for note in notes),
        standard_errors=options.standard_errors,
        about=words.describe_testset(experiment.testset(), scores, corpus.item_noun),
        signature=(
            f"rank|test:{of_test['test']}|{cautions.units_signature(experiment.units)}{by}"
            f"|alpha:{options.alpha:g}|adjust:{adjustment}|{cautions.intervals_signature(scores, options.interval)}"
            f"|R:{options.resamples}|seed:{options.seed}|version:{__version__}"
        ),
        **of_test,
    )
    methods = _methods(result, len(pairs), corpus.item_noun)
    return replace(result, ending=_ending(result, len(pairs)), methods=methods)


def _rows(trial: Trial, m: int, of_pairs: TestedPairs) -> tuple[list[RankedPair], list[Placed]]:
    """Return all pairs, and the systems in the order of their scores."""
    block, scores = trial.experiment.statistics.blocks[m], trial.experiment.scores[m]
    names = [system.name for system in trial.experiment.corpus.systems]
    shown = of_pairs.shown(trial.alpha)
    columns = (of_pairs.deltas, of_pairs.p, of_pairs.adjusted, of_pairs.exceedances, shown)
    rows = zip(trial.pairs, *(column.tolist() for column in columns), of_pairs.standard_errors, strict=True)
    pairs = [
        RankedPair(
            block.key, names[old], names[new], delta, p, adjusted, count, delta > 0.0 if differs else None, error
        )
        for (old, new), delta, p, adjusted, count, differs, error in rows
    ]
    better = np.zeros((scores.size, scores.size), bool)
    olds, news = np.array(trial.pairs).T
    better[news, olds] = shown & (of_pairs.deltas > 0.0)
    better[olds, news] = shown & (of_pairs.deltas < 0.0)
    ranking = rank_systems(sign_of(block.metric) * scores, better)
    places = [
        Placed(block.key, names[s], place, *ranking.ranks[s], ranking.clusters[s], ranking.letters[s])
        for place, s in enumerate(ranking.order, 1)
    ]
    return pairs, places


def _notes(
    trial: Trial, test: str, adjustment: str, results: Sequence[TestedPairs], scores: fields.Scores, *, auto: bool
) -> Iterator[Note]:
    """Say how much the ranking rests on, and what limits it; ``auto``: whether the test was left open."""
    experiment, corpus, resamples = trial.experiment, trial.experiment.corpus, trial.resamples
    pairs = [(pair.baseline, pair.system) for pair in trial.pairs]
    drawn = test not in CLOSED_FORM
    yield cautions.size_note(corpus, experiment.units, runs=[len(system.runs) for system in corpus.systems])
    yield from experiment.notes
    yield from cautions.few_notes(experiment, scores, resamples, trial.alpha, p_values=drawn)
    yield from cautions.block_notes(experiment, pairs, "difference", shared=trial.joint)
    yield from cautions.correlation_notes(experiment, pairs if test == "tango" else ())
    yield from cautions.segment_notes(experiment, [test])
    if (size := size_off_level(test)) is not None:
        yield Note("size", SIZE(test=TESTS[test].label, percent=100 * size), warning=True)
    yield from cautions.tail_notes(experiment, [test], adjustment, len(pairs))
    if corpus.raters is not None:
        from truegain.procedures.raters import rater_notes

        yield from rater_notes(trial, chosen=auto)
    if auto or test == "crossed":
        yield from cautions.one_run_notes(trial, trial.pairs if test == "crossed" else ())
    yield from _same(experiment)
    for block, of_pairs in zip(experiment.statistics.blocks, results, strict=True):
        yield from (note.about(block.metric.label) for note in tested.notes_of_pairs(of_pairs.outcomes))
        if unsure := tested.straddling(trial, of_pairs, adjustment):
            yield Note("straddling", STRADDLING(pairs=whole(unsure, "pair")), scope=block.metric.label)
    if drawn and adjustment != MAXT:
        smallest = adjust([1 / (resamples + 1)] + [1.0] * (len(pairs) - 1), adjustment)[0]
        if smallest > trial.alpha:
            text = FEW_RESAMPLES(resamples=resamples, pairs=whole(len(pairs), "pair"), alpha=trial.alpha)
            yield Note("few-resamples", text, warning=True)


def _same(experiment: Experiment) -> Iterator[Note]:
    """Name systems that have identical statistics on every segment, such as a file that was given twice."""
    statistics, alike = experiment.statistics, dict[bytes, list[str]]()
    for s, system in enumerate(experiment.corpus.systems):
        columns = [statistics.values[:, block.system_columns(s)].tobytes() for block in statistics.blocks]
        alike.setdefault(b"".join(columns), []).append(system.name)
    for names in alike.values():
        if len(names) > 1:
            yield Note("same", SAME(systems=listing(names), noun=experiment.corpus.item_noun))


def _findings(result: RankResult) -> Iterator[Finding]:
    """Say who leads, of metrics together that agree on it; then on what metrics disagree."""
    answers = [(_leading(result, metric), metric.label) for metric in result.metrics]
    for (sentence, slots), same in itertools.groupby(answers, key=itemgetter(0)):
        yield Finding(sentence(labels=listing([label for _, label in same]), **slots))
    scores, better = {}, {}
    for metric in result.metrics:
        scores[metric] = sign_of(metric) * np.array([row.score for row in result.scores if row.metric == metric.key])
        better[metric] = [pair.better for pair in result.pairs if pair.metric == metric.key]
    orders = []
    for first, second in itertools.combinations(result.metrics, 2):
        tau = kendall(scores[first], scores[second])
        if tau < 1.0:
            orders.append((tau, first.label, second.label))
        opposed = sum({*both} == {True, False} for both in zip(better[first], better[second], strict=True))
        if opposed:
            yield Finding(CONTRADICTION(first=first.label, second=second.label, pairs=whole(opposed, "pair")))
    if orders:
        tau, one, other = min(orders)
        yield Finding(OTHER_ORDER(first=one, second=other, tau=tau))


def _leading(result: RankResult, metric: fields.MetricInfo) -> tuple[Sentence, dict[str, Any]]:
    """Return what is said of those who lead: no system is shown to be better, nor leaves them fewer places below."""
    places = result.placed(metric.key)
    first = places[0]
    leaders = [place.system for place in places if place.best == 1 and place.worst <= first.worst]
    unbeaten = [place.system for place in places if place.best == 1 and place.worst > first.worst]
    several = len(leaders) > 1
    if len(places) == 2:
        (pair,) = (pair for pair in result.pairs if pair.metric == metric.key)
        gain = digits_of(result, metric).gain(abs(pair.delta))
        of_two = {"leaders": listing(leaders), "second": places[1].system, "gain": gain}
        return TWO_NOT_SHOWN if several else TWO_DIFFER, of_two | {"p": words.p_words(pair.p_adjusted)}
    if all(place.best == 1 for place in places):
        return NONE_DIFFER, {"count": len(places)}
    lead, are = ("lead", "are") if several else ("leads", "is")
    slots = {"leaders": listed(leaders), "lead": lead, "are": are}
    if unbeaten:
        return LEAD_ONLY, slots | {"unbeaten": listed(unbeaten, "or")}
    if places[len(leaders)].cluster == first.cluster:
        return LEAD, slots
    count = len(places) - len(leaders)
    others = {1: places[-1].system, 2: "both others"}.get(count, f"all {count} others")
    return BEST, slots | {"others": others}


def _ending(result: RankResult, pairs: int) -> str:
    """Name the test, the adjustment and what was drawn."""
    parts = [TESTS[result.test].label]
    if pairs > 1:
        adjusted = words.ADJUSTED_BY | {MAXT: "max-T", "none": "unadjusted"}
        parts.append(OVER_PAIRS(adjust=adjusted[result.adjust], pairs=pairs))
    drawn = {score.ci_method for score in result.scores}.difference((None, "wilson", "test"))
    if drawn or result.test not in CLOSED_FORM:
        parts.append(DRAWN(result=result))
    return ", ".join(parts)


def _methods(result: RankResult, pairs: int, item: str) -> str:
    """Describe the method in a few sentences, to paste into a paper; segments are called as ``item`` says."""
    entry = TESTS[result.test]
    adjusted = {"none": UNADJUSTED}.get(result.adjust, ADJUSTED)
    sentences = [TESTED, adjusted, PLACES] if pairs > 1 else [TESTED, PLACES]
    slots = {
        "result": result,
        "labels": listing([metric.label for metric in result.metrics]),
        "systems": len(result.placed(result.metrics[0].key)),
        "pairs": pairs,
        "test": entry.named,
        "sides": {"one-sided": "one-sided, towards the better system"}.get(entry.sides, "two-sided"),
        "source": entry.source,
        "units": words.units_words(result.unit, result.n_units, item),
        "claim": result.claim.of_outputs(item),
        "adjust": words.ADJUSTED_BY.get(result.adjust),
        "rate": {"FDR": "false discovery rate"}.get(CONTROLS[result.adjust], "family-wise error rate"),
        "level": words.level_words(result.alpha),
        "intervals": words.score_intervals_words(result.scores, "the bootstrap"),
    }
    return " ".join(sentence(**slots) for sentence in sentences)


def _ranking_table(
    result: RankResult, metric: fields.MetricInfo, scores: Sequence[fields.SystemScore], digits: Digits
) -> Table:
    """Return the ranks of each system, with rules between clusters; those that no system beats are bold."""
    places = result.placed(metric.key)
    errors = "scores.standard_error" if result.standard_errors else ""
    shown = table(
        [{"": place, "scores": score} for place, score in zip(places, scores, strict=True)],
        f"scores.name scores.score {errors} scores.ci?",
        digits,
        headings={"scores.name": words.heading_of(metric)},
        caption="Ranks of {count} systems by {label}",
        slots=slots_of(result, metric) | {"count": len(places)},
        breaks="cluster",
        tones={"scores.name": lambda row: "strong" if row[""].best == 1 else "plain"},
    )
    ranked = []
    for place, cells in zip(places, shown.rows, strict=True):
        beaten = len(places) - place.worst
        rank = Cell(place.rank, cells[0].tone, place.best)
        ranked.append((rank, *cells, Cell(f"{beaten}", value=beaten, spread=place.letters)))

    pairs = [pair.better for pair in result.pairs if pair.metric == metric.key]
    sentence = COUNT if result.claim.runs == OUTPUTS else COUNT_CLAIM
    differ = len(pairs) - pairs.count(None)
    explained = [sentence(differ=differ, pairs=len(pairs), label=metric.label, result=result)]
    notes: tuple[str, ...] = ()
    if metric == result.metrics[0]:
        explained = [RANKS, RULES, *explained] if shown.breaks else [RANKS, *explained]
        notes = standard_errors_notes(result)
    if len(pairs) > 1:  # else the finding says it all
        notes = (" ".join(explained), *notes)
    columns = (Column("rank"), *shown.columns, Column("better than"))
    return Table(columns, tuple(ranked), shown.caption, notes, shown.breaks)
