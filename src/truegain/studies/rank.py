"""Which systems are better than which? All pairs tested; ranks, clusters and letters claim only what is shown."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec.structs import replace

from truegain import cautions
from truegain.corpus import Corpus
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, check_options
from truegain.inference.claims import Claim
from truegain.inference.intervals import Alpha
from truegain.inference.multiplicity import CONTROLS, MAXT, adjust
from truegain.inference.ranking import kendall, rank_systems
from truegain.inference.results import (
    Adjustment,
    MetricInfo,
    Metrics,
    Scores,
    StandardErrors,
    SystemScore,
    TestedUnit,
    TestName,
    TestSet,
    Units,
)
from truegain.notes import Finding, Note, Tone
from truegain.procedures.base import Pair, Trial
from truegain.registry import CLOSED_FORM, TESTS, size_off_level
from truegain.report.model import Cell, Column, Table
from truegain.results import Result, completed, no_entry, with_metric
from truegain.rows import Number, Seed, field, record
from truegain.settings.function import takes
from truegain.settings.rank import RankOptions
from truegain.studies import tested
from truegain.studies.given import corpus_of
from truegain.studies.grouping import check_grouping
from truegain.studies.rank_groups import (
    Placed,
    RankedGroup,
    RankedGroups,
    RankedPair,
    group_findings,
    group_table,
    groups_of,
    listed,
    sign_of,
)
from truegain.studies.tested import Found
from truegain.version import __version__
from truegain.view import Digits, digits_of, slots_of, standard_errors_notes, table
from truegain.words import (
    ADJUSTED_BY,
    Sentence,
    describe_testset,
    heading_of,
    label_of,
    level_words,
    listing,
    p_words,
    score_intervals_words,
    units_words,
    whole,
)

_UNKNOWN_RUNS = "this output of each"
_MATRIX = 12  # more systems have no matrix: a map shows them
_NOT_DRAWN = (None, "wilson", "test")  # intervals of scores without resamples
_SIDES = {"as chosen": "two-sided", "two-sided": "two-sided", "one-sided": "one-sided, towards the better system"}
_RATES = {"PFER and FWER": "family-wise error rate", "FWER": "family-wise error rate", "FDR": "false discovery rate"}
_ADJUSTED = ADJUSTED_BY | {MAXT: "max-T", "none": "unadjusted"}
_SHOWN: tuple[Tone, str] = ("good", "*")
_UNSHOWN: tuple[Tone, str] = ("quiet", "")
_COLUMNS = (
    "metric baseline system baseline_score system_score baseline_standard_error system_standard_error "
    "baseline_cluster system_cluster delta standard_error p p_adjusted adjust better test unit n_units resamples "
    "exceedances seed claim=claim_text claim_runs claim_unit"
)

HEADING = Sentence("{systems} ranked by {metrics}")
TWO_DIFFER = Sentence("{leaders} is better than {second} in {labels}: {gain}, p {p}.")
TWO_NOT_SHOWN = Sentence("{leaders} are not shown to differ in {labels}: {gain}, p {p}.")
NONE_DIFFER = Sentence("No two of the {count} systems are shown to differ in {labels}.")
BEST = Sentence("{leaders} is better than {others} in {labels}.")
BEST_SEVERAL = Sentence("{leaders} lead in {labels}: each is better than {others}.")
LEADS = Sentence("{leaders} leads in {labels}.")
LEAD = Sentence("{leaders} lead in {labels}.")
LEADS_ONLY = Sentence("{leaders} leads in {labels}, but is not shown to be better than {unbeaten}.")
LEAD_ONLY = Sentence("{leaders} lead in {labels}, but are not shown to be better than {unbeaten}.")
OTHER_ORDER = Sentence("{first} and {second} order the systems differently (Kendall's τ {tau:.2f}).")
CONTRADICTION = Sentence("In {pairs}, {first} shows one system to be better and {second} the other.")

RANKS = Sentence(
    "Ranks are the places consistent with the significant differences; systems that share a letter are "
    "not shown to differ."
)
RULES = Sentence("Every system above a rule is better than every system below it.")
COUNT = Sentence("Pairs shown to differ in {label}: {shown:,} of {pairs:,} (p ≤ {result.alpha:g}).")
COUNT_CLAIM = Sentence(
    "Pairs shown to differ in {label}, for {result.claim}: {shown:,} of {pairs:,} (p ≤ {result.alpha:g})."
)

SAME = Sentence("{systems} have identical scores on every {noun}")
SIZE = Sentence("{test} rejects {percent:.0f} % of true nulls at 0.05")
STRADDLING = Sentence("more resamples could decide {pairs} otherwise")
HELD_RESAMPLES = Sentence("Intervals of scores are from the first {count:,} resamples")
FEW_RESAMPLES = Sentence(
    "With {resamples:,} resamples no p of {pairs} can be below {alpha:g} after adjustment; use "
    "more resamples, or adjust by maxt"
)

OVER = Sentence("Δ {label} (+ is better) over")
STARS = Sentence("Columns are systems by place; * p ≤ {result.alpha:g}.")
OVER_PAIRS = Sentence("{adjust} over {pairs:,} pairs")
DRAWN = Sentence("{result.resamples:,} resamples, seed {result.seed}")
TESTED = Sentence(
    "The differences in {labels} between {systems} systems were tested pair by pair with {test} ({sides}; "
    "{source}) over {units}."
)
RESAMPLED = Sentence("{result.resamples:,} resamples were drawn.")
CLAIM = Sentence("Differences are shown for {result.claim}.")
MEANS = Sentence("Scores are means over runs.")
UNADJUSTED = Sentence(
    "P-values were not adjusted for the number of pairs, as in WMT's clusters: the rate of errors is that per pair."
)
ADJUSTED = Sentence(
    "P-values were adjusted for the {pairs:,} pairs per metric ({adjust}), which controls the {rate}; "
    "WMT's clusters rest on p-values per pair (adjust: none)."
)
PLACES = Sentence(
    "A system's rank is the range of places between the systems shown to be better and those shown to be "
    "worse; a cluster ends where every system above is shown to be better than every system below."
)
INTERVALS = Sentence("Intervals of scores are {level} {intervals} (truegain {result.version}, seed {result.seed}).")


class RankResult(Result, tag="rank", kw_only=True, rename={"scores": "systems"}):
    """Systems in order, and what is known about their places.

    ``result["bleu", "new"]`` is a system's place under a metric; :meth:`pair` finds two systems.
    """

    title = "Which systems are better than which?"
    study: ClassVar[str] = "rank"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    ranking: Annotated[tuple[Placed, ...], field("Metric by metric, the best score first.", min_length=1)]
    pairs: Annotated[tuple[RankedPair, ...], field("Every two systems, metric by metric.", min_length=1)]
    test: Annotated[TestName, field("The test of pairs.")]
    adjust: Adjustment
    claim: Annotated[Claim, field("What the ranking extends to.")]
    alpha: Alpha
    unit: TestedUnit
    n_units: Units
    resamples: Annotated[Number, field("The number of resamples.")]
    seed: Annotated[Seed, field("The seed of the resamples.")]
    standard_errors: StandardErrors = False
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
        clusters: dict[int, list[str]] = {}
        for place in self.placed(metric):
            clusters.setdefault(place.cluster, []).append(place.system)
        return list(clusters.values())

    def pair(self, metric: str, baseline: str, system: str) -> RankedPair:
        """Return two systems, in the order in which they were given."""
        for pair in self.pairs:
            if (pair.metric, pair.baseline, pair.system) == (metric, baseline, system):
                return pair
        raise KeyError((metric, baseline, system))

    def score(self, metric: str, system: str) -> SystemScore:
        """Return the score of a system under a metric."""
        for score in self.scores:
            if (score.metric, score.name) == (metric, system):
                return score
        raise KeyError((metric, system))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, methods = super().used()
        return metrics, list(dict.fromkeys([*methods, self.test, self.adjust]))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per pair; then, with groups, one for each pair in each group."""
        if self.groups is None:
            return list(self._records(self))
        records = [{"group": ""} | row for row in self._records(self)]
        return records + [{"group": part.group} | row for part in self.groups.groups for row in self._records(part)]

    def _records(self, part: RankResult | RankedGroup) -> Iterator[dict[str, Any]]:
        scores = {(score.metric, score.name): score for score in part.scores}
        clusters = {(place.metric, place.system): place.cluster for place in part.ranking}
        settings = self.columns()
        for pair in part.pairs:
            sides: dict[str, Any] = {"unit": part.unit, "n_units": part.n_units}
            for side, key in (("baseline", (pair.metric, pair.baseline)), ("system", (pair.metric, pair.system))):
                sides[f"{side}_score"] = scores[key].score
                sides[f"{side}_standard_error"] = scores[key].standard_error
                sides[f"{side}_cluster"] = clusters[key]
            yield record(_COLUMNS, sides, pair, settings)

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield the ranking under each metric, then scores and ranks by group, and the differences of few systems."""
        yield from (_ranking_table(self, metric, decimals) for metric in self.metrics)
        for metric in self.metrics:
            places, digits = self.placed(metric.key), digits_of(self, metric, decimals)
            if self.groups is not None:
                scores = [self.score(metric.key, place.system).score for place in places]
                yield group_table(self.groups, metric, places, scores, digits)
            if 2 < len(places) <= _MATRIX:
                yield _matrix_table(self, metric, places, digits)


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
    groups = None if options.by is None else groups_of(corpus, options, _ranked)
    return replace(
        result,
        about=describe_testset(result.testset, result.scores, corpus.item_noun),
        findings=tuple(_findings(result, groups)),
        ending=_ending(result),
        methods=_methods(result, corpus.item_noun),
        groups=groups,
    )


def _ranked(corpus: Corpus, options: RankOptions, prepared: Experiment | None = None) -> RankResult:
    """Rank the systems of a corpus, which may be scored already, under these metrics and with these units."""
    alpha, resamples, asked, jobs = options.alpha, options.resamples, options.test, available_jobs(options.jobs)
    if asked == "stationary-bootstrap":
        options = options.changed(unit="block" if options.unit in ("auto", "segment") else options.unit)
        asked = "bootstrap"
    experiment = prepared or Experiment.of(corpus, options)
    cautions.check_directions(experiment, "cannot rank systems")
    cautions.check_several_units(experiment)
    pairs = tuple(Pair(a, b) for a, b in itertools.combinations(range(len(corpus.systems)), 2))
    if options.unit == "block":
        experiment = experiment.in_blocks([(pair.baseline, pair.system) for pair in pairs])
    chosen = tested.chosen_test(experiment, asked, options.adjust)
    adjustment = tested.chosen_adjustment(chosen, options.adjust)
    trial = Trial(experiment, pairs, alpha=alpha, resamples=resamples, joint=adjustment == MAXT)
    shared = chosen == "bootstrap" and not trial.apart
    results = tested.by_bootstrap(trial, adjustment, jobs) if shared else tested.by_procedure(trial, chosen, adjustment)
    test, unit, n_units, claim = tested.claimed(trial, chosen, results[0].outcomes)
    by = "" if options.by is None else f"|by:{options.by}"
    scores = experiment.system_results(tested.held_resamples(trial), 1.0 - alpha, options.interval)
    notes = _notes(trial, chosen, adjustment, results, scores, chosen=asked == "auto")
    return RankResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        scores=scores,
        ranking=tuple(place for m, found in enumerate(results) for place in _places(trial, m, found)),
        pairs=tuple(pair for m, found in enumerate(results) for pair in _pairs(trial, m, found)),
        test=test,
        adjust=adjustment,
        claim=claim,
        alpha=alpha,
        unit=unit,
        n_units=n_units,
        resamples=resamples,
        seed=options.seed,
        signature=(
            f"rank|test:{test}|{cautions.units_signature(experiment.units)}{by}"
            f"|alpha:{alpha:g}|adjust:{adjustment}|{cautions.intervals_signature(scores, options.interval)}"
            f"|R:{resamples}|seed:{options.seed}|version:{__version__}"
        ),
        # Dependence is a warning, as no finding tells of it.
        notes=tuple(replace(note, warning=note.warning or note.kind == "dependence") for note in notes),
        standard_errors=options.standard_errors,
    )


def _pairs(trial: Trial, m: int, found: Found) -> list[RankedPair]:
    key = trial.experiment.statistics.blocks[m].key
    names = [system.name for system in trial.experiment.corpus.systems]
    shown = (found.adjusted <= trial.alpha) & found.favoured
    columns = (found.deltas, found.p, found.adjusted, found.exceedances, shown)
    rows = zip(trial.pairs, *(column.tolist() for column in columns), found.standard_errors, strict=True)
    return [
        RankedPair(key, names[old], names[new], delta, p, adjusted, count, delta > 0.0 if differs else None, error)
        for (old, new), delta, p, adjusted, count, differs, error in rows
    ]


def _places(trial: Trial, m: int, found: Found) -> list[Placed]:
    """Return the systems in the order of their scores."""
    block, scores = trial.experiment.statistics.blocks[m], trial.experiment.scores[m]
    better = np.zeros((scores.size, scores.size), bool)
    shown = (found.adjusted <= trial.alpha) & found.favoured
    olds, news = (np.array([getattr(pair, who) for pair in trial.pairs]) for who in ("baseline", "system"))
    better[news, olds] = shown & (found.deltas > 0.0)
    better[olds, news] = shown & (found.deltas < 0.0)
    ranking = rank_systems(sign_of(block.metric) * scores, better)
    return [
        Placed(
            block.key,
            trial.experiment.corpus.systems[s].name,
            place,
            *ranking.ranks[s],
            ranking.clusters[s],
            ranking.letters[s],
        )
        for place, s in enumerate(ranking.order, 1)
    ]


def _notes(
    trial: Trial, test: str, adjustment: str, results: Sequence[Found], scores: Scores, *, chosen: bool
) -> Iterator[Note]:
    """Say how much the ranking rests on, and what limits it; ``chosen`` says that the test was left open."""
    experiment, corpus, resamples = trial.experiment, trial.experiment.corpus, trial.resamples
    pairs = [(pair.baseline, pair.system) for pair in trial.pairs]
    yield cautions.size_note(corpus, experiment.units, runs=[len(system.runs) for system in corpus.systems])
    yield from experiment.notes
    yield from cautions.few_notes(experiment, scores, resamples, trial.alpha, p_values=test not in CLOSED_FORM)
    yield from cautions.block_notes(experiment, pairs, "difference", shared=trial.joint)
    yield from cautions.correlation_notes(experiment, pairs if test == "tango" else ())
    yield from cautions.segment_notes(experiment, [test])
    if (size := size_off_level(test)) is not None:
        yield Note("size", SIZE(test=TESTS[test].label, percent=100 * size), warning=True)
    yield from cautions.tail_notes(experiment, [test], adjustment, len(pairs))
    if corpus.raters is not None:
        from truegain.procedures.raters import rater_notes

        yield from rater_notes(trial, chosen=chosen)
    if chosen or test == "crossed":
        yield from cautions.one_run_notes(trial, trial.pairs if test == "crossed" else ())
    yield from _same(experiment)
    for block, found in zip(experiment.statistics.blocks, results, strict=True):
        label = block.metric.label
        yield from (note.about(label) for note in found.notes)
        if unsure := tested.straddling(trial, found, adjustment):
            yield Note("straddling", STRADDLING(pairs=whole(unsure, "pair")), scope=label)
    if tested.held_resamples(trial) < resamples:
        yield Note("held-resamples", HELD_RESAMPLES(count=tested.held_resamples(trial)))
    if test not in CLOSED_FORM and adjustment != MAXT:
        smallest = adjust([1 / (resamples + 1)] + [1.0] * (len(pairs) - 1), adjustment)[0]
        if smallest > trial.alpha:
            text = FEW_RESAMPLES(resamples=resamples, pairs=whole(len(pairs), "pair"), alpha=trial.alpha)
            yield Note("few-resamples", text, warning=True)


def _same(experiment: Experiment) -> list[Note]:
    """Name systems that have identical statistics on every segment: they share their ranks."""
    values, systems = experiment.statistics.values, experiment.corpus.systems
    labels: dict[str, list[str]] = {}
    for block in experiment.statistics.blocks:
        alike: dict[bytes, list[str]] = {}
        for s, system in enumerate(systems):
            alike.setdefault(values[:, block.system_columns(s)].tobytes(), []).append(system.name)
        for names in alike.values():
            if len(names) > 1:
                text = SAME(systems=listing(names), noun=experiment.corpus.item_noun)
                labels.setdefault(text, []).append(block.metric.label)
    everywhere = len(experiment.statistics.blocks)
    return [
        Note("same", text, scope="" if len(scopes) == everywhere else ", ".join(scopes))
        for text, scopes in labels.items()
    ]


def _findings(result: RankResult, groups: RankedGroups | None) -> Iterator[Finding]:
    """Say who leads, of metrics together that agree on it; then on what metrics disagree, and how groups do."""
    answers = [(_leading(result, metric), metric.label) for metric in result.metrics]
    for (sentence, slots), same in itertools.groupby(answers, key=lambda answer: answer[0]):
        yield Finding(sentence(labels=listing([label for _, label in same]), **slots))
    yield from map(Finding, _disagreements(result))
    if groups is not None:
        yield from group_findings(groups, result.metrics, result.alpha)


def _leading(result: RankResult, metric: MetricInfo) -> tuple[Sentence, dict[str, Any]]:
    """Return what is said of those who lead: no system is shown to be better, nor leaves them fewer places below."""
    places = result.placed(metric.key)
    first = places[0]
    leaders = [place.system for place in places if place.best == 1 and place.worst <= first.worst]
    unbeaten = [place.system for place in places if place.best == 1 and place.worst > first.worst]
    several = len(leaders) > 1
    if len(places) == 2:
        (pair,) = (pair for pair in result.pairs if pair.metric == metric.key)
        gain = digits_of(result, metric).gain(abs(pair.delta))
        slots = {"leaders": listing(leaders), "second": places[1].system, "gain": gain, "p": p_words(pair.p_adjusted)}
        return TWO_NOT_SHOWN if several else TWO_DIFFER, slots
    if all(place.best == 1 for place in places):
        return NONE_DIFFER, {"count": len(places)}
    slots = {"leaders": listed(leaders)}
    if unbeaten:
        return LEAD_ONLY if several else LEADS_ONLY, slots | {"unbeaten": listed(unbeaten, "or")}
    if places[len(leaders)].cluster == first.cluster:
        return LEAD if several else LEADS, slots
    count = len(places) - len(leaders)
    others = {1: places[-1].system, 2: "both others"}.get(count, f"all {count} others")
    return BEST_SEVERAL if several else BEST, slots | {"others": others}


def _disagreements(result: RankResult) -> Iterator[str]:
    """Say which two metrics order the systems most differently, and which contradict each other on pairs."""
    names = [place.system for place in result.placed(result.metrics[0].key)]
    scores = {
        metric.key: sign_of(metric) * np.array([result.score(metric.key, name).score for name in names])
        for metric in result.metrics
    }
    agreement = []
    for one, other in itertools.combinations(result.metrics, 2):
        tau = kendall(scores[one.key], scores[other.key])
        if tau < 1.0:
            agreement.append((tau, one.label, other.label))
        better, theirs = _shown(result.pairs, one.key), _shown(result.pairs, other.key)
        opposed = sum(theirs.get(pair, outcome) != outcome for pair, outcome in better.items())
        if opposed:
            yield CONTRADICTION(first=one.label, second=other.label, pairs=whole(opposed, "pair"))
    if agreement:
        tau, first, second = min(agreement)
        yield OTHER_ORDER(first=first, second=second, tau=tau)


def _shown(pairs: Sequence[RankedPair], metric: str) -> dict[tuple[str, str], bool]:
    """Return the pairs that differ under a metric, and whether the second system is the better one."""
    return {
        (pair.baseline, pair.system): pair.better for pair in pairs if pair.metric == metric and pair.better is not None
    }


def _ending(result: RankResult) -> str:
    """Name the test, the adjustment and what was drawn."""
    pairs = len(result.pairs) // len(result.metrics)
    parts = [TESTS[result.test].label]
    if pairs > 1:
        parts.append(OVER_PAIRS(adjust=_ADJUSTED.get(result.adjust, result.adjust), pairs=pairs))
    intervals = {score.ci_method for score in result.scores}
    if result.test not in CLOSED_FORM or intervals.difference(_NOT_DRAWN):
        parts.append(DRAWN(result=result))
    return ", ".join(parts)


def _methods(result: RankResult, item: str) -> str:
    """Describe the method in a few sentences, to paste into a paper; segments are called as ``item`` says."""
    entry = TESTS[result.test]
    pairs = len(result.pairs) // len(result.metrics)
    sentences = [TESTED]
    if result.test not in CLOSED_FORM:
        sentences.append(RESAMPLED)
    if result.claim.runs != _UNKNOWN_RUNS:
        sentences.append(CLAIM)
    if any(score.runs > 1 for score in result.scores):
        sentences.append(MEANS)
    if pairs > 1:
        sentences.append(UNADJUSTED if result.adjust == "none" else ADJUSTED)
    slots = {
        "result": result,
        "labels": listing([metric.label for metric in result.metrics]),
        "systems": len(result.ranking) // len(result.metrics),
        "pairs": pairs,
        "test": label_of(result.test),
        "sides": _SIDES[entry.sides],
        "source": entry.source,
        "units": units_words(result.unit, result.n_units, item),
        "adjust": ADJUSTED_BY.get(result.adjust),
        "rate": _RATES.get(CONTROLS[result.adjust]),
        "level": level_words(result.alpha),
        "intervals": score_intervals_words(result.scores, f"the bootstrap, with {result.resamples:,} resamples"),
    }
    return " ".join(sentence(**slots) for sentence in (*sentences, PLACES, INTERVALS))


def _ranking_table(result: RankResult, metric: MetricInfo, decimals: int | None) -> Table:
    """Return the ranks of each system, with rules between clusters; those that no system beats are bold."""
    places = result.placed(metric.key)
    unbeaten = {place.system for place in places if place.best == 1}
    errors = "scores.standard_error" if result.standard_errors else ""
    middle = table(
        [{"": place, "scores": result.score(metric.key, place.system)} for place in places],
        f"scores.name scores.score {errors} scores.ci?",
        digits_of(result, metric, decimals),
        headings={"scores.name": heading_of(metric)},
        caption="Ranks of {count} systems by {label}",
        slots=slots_of(result, metric) | {"count": len(places)},
        breaks="cluster",
        tones={"scores.name": lambda row: "strong" if row[""].system in unbeaten else "plain"},
    )
    rows = []
    for place, cells in zip(places, middle.rows, strict=True):
        beaten = len(places) - place.worst
        rank = Cell(place.rank, cells[0].tone, place.best)
        rows.append((rank, *cells, Cell(f"{beaten}", value=beaten, spread=place.letters)))
    columns = (Column("rank"), *middle.columns, Column("better than"))
    return Table(columns, tuple(rows), middle.caption, _ranking_notes(result, metric, middle), middle.breaks)


def _ranking_notes(result: RankResult, metric: MetricInfo, ranking: Table) -> tuple[str, ...]:
    """Count the pairs that differ; under the first table, explain ranks, letters and rules first."""
    pairs = sum(pair.metric == metric.key for pair in result.pairs)
    shown = len(_shown(result.pairs, metric.key))
    sentence = COUNT if result.claim.runs == _UNKNOWN_RUNS else COUNT_CLAIM
    count = sentence(shown=shown, pairs=pairs, label=metric.label, result=result)
    if metric != result.metrics[0]:
        return (count,)
    explained = [RANKS, RULES, count] if ranking.breaks else [RANKS, count]
    return (" ".join(explained if pairs > 1 else [count]), *standard_errors_notes(result))


def _matrix_table(result: RankResult, metric: MetricInfo, places: Sequence[Placed], digits: Digits) -> Table:
    """Return by how much the system of each row is better than that of each column."""
    gains = {}
    for pair in result.pairs:
        if pair.metric == metric.key:
            gains[pair.baseline, pair.system] = pair.delta, pair.better
            gains[pair.system, pair.baseline] = -pair.delta, pair.better
    rows = []
    for i, place in enumerate(places[:-1]):
        cells = [Cell(f"{place.place} {place.system}"), *[Cell("")] * i]
        for other in places[i + 1 :]:
            gain, better = gains[other.system, place.system]
            tone, star = _UNSHOWN if better is None else _SHOWN
            cells.append(Cell(digits.gain(gain), tone, gain, mark=star))
        rows.append(tuple(cells))
    return Table(
        (Column(OVER(label=metric.label), "left"), *(Column(f"{place.place}") for place in places[1:])),
        tuple(rows),
        f"Differences in {metric.label} between all systems",
        (STARS(result=result),),
        kind="further",
    )
