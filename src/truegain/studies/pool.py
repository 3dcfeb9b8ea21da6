"""Comparison over several test sets: each alone, all segments, the mean of sets, and on how many a gain is shown."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace as changed
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec.structs import replace

from truegain import cautions, words
from truegain.corpus import Corpus, System
from truegain.errors import InputError
from truegain.experiment import Experiment, check_gains, check_options, with_development
from truegain.experiment.matching import matched
from truegain.experiment.pooled import averaged, joined
from truegain.inference.intervals import Alpha
from truegain.inference.results import Comparison, MetricInfo, Scores, TestSet
from truegain.notes import Finding, Note, gathered
from truegain.readers.experiment_file import read_experiment
from truegain.readers.training_samples import with_training_samples
from truegain.registry import TESTS
from truegain.report.model import Passages, Table
from truegain.report.page import Section
from truegain.results import Result, no_entry
from truegain.rows import Seed, field, record
from truegain.settings.compare import CompareOptions
from truegain.settings.function import takes
from truegain.settings.groups import Progress
from truegain.settings.option import described
from truegain.settings.pool import PoolOptions, RunOptions
from truegain.settings.words import in_words_of
from truegain.studies import compared, parts
from truegain.studies.compare import CompareResult, compare_corpus, compared_pairs
from truegain.studies.given import development_of, sets_of
from truegain.studies.grouping import Part
from truegain.studies.transfer import with_the_same_systems
from truegain.version import __version__
from truegain.view import TONES
from truegain.words import Sentence

#: The tests that can go over several test sets.
POOLED_TESTS = ("auto", "ar", "bootstrap", "crossed")
MICRO, MACRO = "all segments (micro)", "mean of sets (macro)"

ABOUT = Sentence("{sets} · {segments} · {systems}")
ON_SET = Sentence("{testset}: {answer}")
ON_MEAN = Sentence("Mean of the {sets} test sets: {answer}")
ON_ALL = Sentence("{system} is {claim} in {metrics} on all {sets} test sets (p {p}): {named}.")
ON_SOME = Sentence("{system} is {claim} in {metrics} on at least {count} of {sets} test sets (p {p}): {named}.")
ON_NONE = Sentence("{system} is not shown to be {claim} in {metrics} on any of {sets} test sets (p {p} after Holm).")
OF_MANY = Sentence("{every} of {pairs} are {claim} in {metrics} on all {sets} test sets, {some} on at least one.")

OTHER_UNITS = Sentence("Segments are the units on {sets}: there are no documents, or only one")
FOR_ONE_SET = Sentence("Tests for one test set ({tests}) do not go over several: auto chose the test there")
SO = "they count twice, and pooled p-values are too small"
CLAIMS = Sentence("Claims on how many test sets show a gain are not adjusted for the {pairs} pairs")
UNSURE = Sentence("More resamples could change {claims} on how many test sets show a gain")
SCOPE = Sentence("{label}: {pair}, {metric}")
NOT_RELIABLE = Sentence("not reliable: {reason}")

OVER_SETS = Sentence(
    "{mean} This is of the mean of the scores on {sets} test sets (macro), with resamples drawn within each; a run is "
    "the same trained model on all of them. All segments as one corpus (micro) were tested likewise, and each test set "
    "alone: {units}. Claims on at least u of {sets} test sets rest on one-sided p-values of {tests} by partial "
    "conjunction (Bonferroni; Dror et al. 2017), and test sets are named after Holm."
)

_SHORT = {MICRO: "micro", MACRO: "macro"}
_LABELS = {MICRO: "all (micro)", MACRO: "mean (macro)"}
#: Options of comparisons over all sets, which are scored already.
_OVER_ALL = {"by": None, "changed_segments": 0, "development": None, "unit": "auto", "strata": "auto", "progress": None}
#: Kinds of notes on a test set that do not matter beside others: its size, and that there was nothing to draw.
_LEFT_OUT = ("unit", "units-to-show", "all-swaps")


class PooledResult(Result, tag="pool", kw_only=True):
    """Systems compared on every test set, over all of them, and on how many a gain is shown.

    ``result["news"]`` is the comparison on one test set; ``result.macro["bleu", "new"]`` that of the mean over sets.
    """

    title = "Does the gain hold over test sets?"
    study: ClassVar[str] = "pool"

    sets: Annotated[tuple[CompareResult, ...], field("One per test set, each as compare gives it.", min_length=1)]
    micro: Annotated[CompareResult | None, field("All segments as one corpus; none if there is one test set.")]
    macro: Annotated[CompareResult | None, field("The mean of the sets' scores; none if there is one test set.")]
    replicability: Annotated[
        tuple[parts.Replicability, ...], field("For every pair and metric of which one way is better.")
    ]
    alpha: Alpha
    seed: Annotated[Seed, field("The seed of the resamples.")]
    item: Annotated[str, field("What a segment is called: segment, or of scores alone such as question.")] = "segment"

    def heading(self) -> str:
        """Name what is compared, and on how many test sets."""
        return f"{self.sets[0].heading()} on {words.whole(len(self.sets), 'test set')}"

    def __getitem__(self, testset: str) -> CompareResult:
        for one in self.sets:
            if one.testset.name == testset:
                return one
        raise no_entry(testset, (one.testset.name for one in self.sets), "; of their mean there is result.macro[…]")

    def _keys(self) -> list[tuple[str, ...]]:
        return [(one.testset.name,) for one in self.sets]

    def __iter__(self) -> Iterator[CompareResult]:
        return iter(self.sets)

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def metrics(self) -> tuple[MetricInfo, ...]:
        """The metrics; where test sets differ, as by their references, with the signatures of all."""
        metrics = []
        for known in zip(*(one.metrics for one in self.sets), strict=True):
            signatures = dict.fromkeys(metric.signature for metric in known)
            metrics.append(replace(known[0], signature="; ".join(signatures)))
        return tuple(metrics)

    @property
    def scores(self) -> Scores:
        """The scores on all test sets."""
        return tuple(score for one in self.sets for score in one.scores)

    @property
    def testset(self) -> TestSet:
        """All test sets as one, with the fingerprints of all."""
        fingerprints = [f"{one.testset.name} {one.testset.fingerprint}" for one in self.sets]
        return replace((self.micro or self.sets[0]).testset, fingerprint=", ".join(fingerprints))

    @property
    def levels(self) -> list[tuple[str, CompareResult]]:
        """Every test set by its name; then all segments, and the mean over the sets."""
        over = [(label, one) for label, one in ((MICRO, self.micro), (MACRO, self.macro)) if one is not None]
        return [*((one.testset.name, one) for one in self.sets), *over]

    def replicated(self, metric: str, system: str, baseline: str | None = None) -> parts.Replicability:
        """Return on how many test sets a system is shown to be better than the baseline, or than another system."""
        for one in self.replicability:
            if (one.metric, one.system) == (metric, system) and baseline in (None, one.baseline):
                return one
        raise KeyError((metric, system, baseline))

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, methods = self.sets[0].used()
        for _, level in self.levels[1:]:
            methods += level.used()[1]
        return metrics, list(dict.fromkeys([*methods, "pool"]))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per comparison: of every test set, with its groups, then of all and of their mean."""
        head = {"group": ""} if any(one.groups is not None for one in self.sets) else {}
        claims = {(claim.metric, claim.baseline, claim.system): claim for claim in self.replicability}
        columns = "p_one_sided=p p_over_sets=p_adjusted sets_shown=shown sets"
        records = []
        for label, level in self.levels:
            names = {"testset": label, "pooling": _SHORT.get(label, "")}
            for one, row in itertools.zip_longest(level.comparisons, level.to_records()):
                said = dict.fromkeys(record(columns))  # of groups
                if one is not None:
                    claim = claims.get((one.metric, one.baseline, one.system))
                    evidence = [] if claim is None else [piece for piece in claim.sets if piece.testset == label]
                    shown = {"sets": len(self.sets), "shown": getattr(claim, "shown", None)}
                    said = record(columns, shown, *evidence)
                records.append(names | head | row | said)
        return records

    def tables(self, decimals: int | None) -> Iterator[Table | Passages]:
        """Yield gains set by set and over all, on how many sets they are shown, and gains by group."""
        if self.micro is None:
            yield from self.sets[0].tables(decimals)
            return
        yield _table(self, decimals)
        for one in self.sets:
            yield from parts.group_tables(one, decimals, where=f"{one.testset.name}: ")

    def appendix(self, *, decimals: int | None = None) -> tuple[Section, ...]:
        """Return the segments that changed most on every test set."""
        sections = [(one.testset.name, section) for one in self.sets for section in one.appendix(decimals=decimals)]
        return tuple(changed(section, heading=f"{section.heading}: {name}") for name, section in sections)


@takes(PoolOptions)
def pool(options: PoolOptions) -> PooledResult:
    """Compare systems on several test sets, over all of them, and say on how many a gain is shown.

    Of every set the answer is that of :func:`truegain.compare` with the same seed. Over all of them there are two: all
    segments as one corpus (micro), and the mean of the sets' scores (macro). Units are drawn or swapped within each
    set; blocks and test sets cannot be units. A run is the same trained model on all sets: with several runs of both
    systems its pooled score is what varies over runs, and the segments' part adds up over the sets (``crossed``).

    Of several tests, that over all test sets is the first of ar, bootstrap and crossed among them; else ``auto``.
    """
    check_options(options)
    given = with_the_same_systems(sets_of(options.corpora))
    _check_outputs(given)
    choices = parts.tests_of(options.test)
    over = next((choice for choice in choices if choice in POOLED_TESTS), "auto")

    alone = [_part(corpus, options) for corpus in given]
    sets = [compare_corpus(part.experiment.corpus, part.options, part.experiment) for part in alone]
    experiments = [part.experiment for part in alone]
    micro = macro = None
    notes: list[Note] = []
    if len(alone) > 1:
        micro, macro, notes = _over_all(experiments, options, over)
        notes += cautions.shared_segments([part.experiment.corpus for part in alone], SO)
    if over not in choices:
        notes.append(Note("chosen-test", FOR_ONE_SET(tests=words.listing(choices))))

    # The test that the sets are shown with, if it has this side; else that over all sets, and a note names it.
    claims = choices[0] if choices[0] == "auto" or TESTS[choices[0]].sides == "as chosen" else over
    result = PooledResult(
        sets=tuple(sets),
        micro=micro,
        macro=macro,
        replicability=tuple(parts.replicability(alone, sets, claims)),
        alpha=options.alpha,
        seed=options.seed,
        item=given[0].item_noun,
        signature=_signature(options, len(sets), over, claims),
        notes=tuple(notes),
    )
    return _told(result)


@takes(RunOptions)
def run(options: RunOptions) -> PooledResult:
    """Run the experiment that a TOML file describes; its outputs are not written, ``save`` of the result does that."""
    read = read_experiment(options.experiment)
    with in_words_of(str(options.experiment)):
        return pool(
            read.corpora(),
            metrics=read.metrics,
            development=read.development_corpus(),
            **{name: getattr(options, name) for name in ("jobs", "cache", "engine", "executor", "progress")},
            **read.settings,
        )


def _signature(options: PoolOptions, sets: int, over: str, claims: str) -> str:
    claimed = {over: ""}.get(claims, f"|claims:{claims}")
    grouped = f"|by:{options.by}" if options.by else ""
    null_gain = f"|null-gain:{options.null_gain:g}" if options.null_gain else ""
    return (
        f"pool|sets:{sets}|test:{over}{claimed}|unit:{options.unit}|strata:testset{grouped}"
        f"|alternative:{options.alternative}{null_gain}|alpha:{options.alpha:g}|family:{options.family}"
        f"|adjust:{options.adjust}|ci:{options.interval}|R:{options.resamples}|seed:{options.seed}|version:{__version__}"
    )


def _check_outputs(corpora: Sequence[Corpus]) -> None:
    """Refuse sets of the same segments, which other references do not change."""
    for one, other in itertools.combinations(corpora, 2):
        if all(_same_outputs(system, other.system(system.name)) for system in one.systems):
            raise InputError(
                f"{one.name} and {other.name} have the same outputs of every system: they are one test set, and its "
                "segments would count twice",
                hint="give several references to one test set; where these are two, is {testset} missing in a path?",
            )


def _same_outputs(one: System, other: System) -> bool:
    """Return whether two runs are the same; scores may differ with the references, so they count only without texts."""
    for run, twin in itertools.product(one.runs, other.runs):
        same = run.outputs == twin.outputs
        if run.outputs is None:
            same = run.scores.keys() == twin.scores.keys()
            same = same and all(np.array_equal(values, twin.scores[key]) for key, values in run.scores.items())
        if same:
            return True
    return False


def _part(given: Corpus, options: PoolOptions) -> Part[CompareOptions]:
    """Return a test set, scored, and the options to compare it with."""
    known = with_training_samples(given, options.training_samples)
    corpus, development = with_development(known, development_of(options))
    progress = _named(corpus.name, options.progress)
    own = _comparing(options, references=corpus, progress=progress, development=development)
    experiment = Experiment.of(corpus, own, compared=compared_pairs(corpus, options.baseline, options.family))
    check_gains(experiment, "null_gain", [options.null_gain] * len(experiment.statistics.blocks))
    return Part(corpus.name, own.changed(progress=None), experiment)


def _comparing(options: PoolOptions, **changes: Any) -> CompareOptions:
    """Return the options of a comparison, with some changes."""
    shared = {one.name: getattr(options, one.name) for one in described(PoolOptions) if one.name != "corpora"}
    return CompareOptions(**shared | changes)


def _named(name: str, progress: Progress | None) -> Progress | None:
    """Report stages with the name of their test set, since every test set has the same ones."""
    return None if progress is None else lambda stage, done, total: progress(f"{name} {stage}", done, total)


def _over_all(
    experiments: Sequence[Experiment], options: PoolOptions, test: str
) -> tuple[CompareResult, CompareResult, list[Note]]:
    """Compare all segments as one corpus, and by the mean of the sets' scores; say how many units there are."""
    same, of_runs = matched(experiments)
    notes = list(of_runs)
    together = changed(joined(same, cache=options.cache), progress=_named("micro", options.progress))
    micro = _compared(together, options, test, "micro")
    mean = averaged([changed(one, progress=_named("macro", options.progress)) for one in same])
    macro = _compared(mean, options, test, "macro")
    # What documents do to the variance is known of all segments together only.
    comparisons = tuple(replace(one, design_effect=None) for one in macro.comparisons)
    name = f"mean over {len(experiments)} test sets"
    macro = replace(macro, comparisons=comparisons, testset=replace(macro.testset, name=name))
    segments = [one.corpus.name for one in experiments if one.units.kind == "segment"]
    if 0 < len(segments) < len(experiments):
        notes.append(Note("unit-choice", OTHER_UNITS(sets=words.listing(segments))))
    else:
        effects = [one.design_effect for one in _primary(micro)]
        runs = [len(system.runs) for system in together.corpus.systems]
        notes.append(cautions.size_note(together.corpus, together.units, runs=runs, design_effects=effects))
    if (few := mean.few_units_note()) is not None:
        notes.append(few.about("macro"))
    return micro, macro, notes


def _compared(experiment: Experiment, options: PoolOptions, test: str, pooling: str) -> CompareResult:
    """Compare over all test sets, scored already, and word the answer for several test sets."""
    own = _comparing(options, references=experiment.corpus, test=test, **_OVER_ALL)
    result = compare_corpus(experiment.corpus, own, experiment)
    return replace(
        result,
        comparisons=tuple(replace(one, claim=replace(one.claim, test_sets=True)) for one in result.comparisons),
        signature=f"{pooling}|{result.signature.replace('strata:domain', 'strata:testset')}",
    )


def _told(result: PooledResult) -> PooledResult:
    """Return the result with its answer, what limits it, and the methods; of one test set, those of its comparison."""
    alone = result.sets[0]
    if result.micro is None or result.macro is None:
        told = {name: getattr(alone, name) for name in ("about", "findings", "ending", "methods")}
        return replace(result, notes=(*alone.notes, *result.notes), **told)
    about = ABOUT(
        sets=words.whole(len(result.sets), "test set"),
        segments=words.whole(sum(one.testset.segments for one in result.sets), result.item),
        systems=words.whole(len({score.name for score in alone.scores}), "system"),
    )
    answers = list(result.macro.findings)
    answers[:1] = [replace(one, text=ON_MEAN(sets=len(result.sets), answer=one.text)) for one in answers[:1]]
    answers += (_findings_of_many if len(parts.pairs_of(alone)) > words.MANY else _findings)(result)
    answers += [
        replace(finding, text=ON_SET(testset=one.testset.name, answer=finding.text))
        for one in result.sets
        for finding in parts.group_findings(one)
    ]
    notes = (*result.notes, *_set_notes(result), *_claim_notes(result))
    return replace(
        result,
        about=about,
        findings=tuple(answers),
        notes=tuple(dict.fromkeys(notes)),
        ending=result.macro.ending,
        methods=_methods(result, result.macro.methods),
    )


def _findings(result: PooledResult) -> Iterator[Finding]:
    """Yield on how many test sets each pair is shown to differ, with the metrics that say the same."""
    alike: dict[tuple[object, ...], list[parts.Replicability]] = {}
    for claim in result.replicability:
        alike.setdefault((claim.baseline, claim.system, claim.named, claim.marked > 0), []).append(claim)
    metrics = {metric.key: metric for metric in result.metrics}
    sets = len(result.sets)
    for claims in alike.values():
        first = claims[0]
        above = first.side == "better"
        p, *others = [claim.at_least[max(claim.shown, 1) - 1] for claim in claims]
        sentence = {0: ON_NONE, sets: ON_ALL}.get(first.shown, ON_SOME)
        text = sentence(
            system=first.system,
            claim=words.beyond(first.baseline, metrics[first.metric], above=above, gain=result.sets[0].null_gain),
            metrics=words.listing([metrics[claim.metric].label for claim in claims], "and" if first.shown else "or"),
            count=first.shown,
            sets=sets,
            p=words.listing([words.p_words(p), *map(words.p_text, others)]),
            named=words.listing(first.named or ("none",)),
        )
        yield Finding(text, TONES[above] if first.marked else "undecided")


def _findings_of_many(result: PooledResult) -> Iterator[Finding]:
    """Yield how many pairs are shown to differ on all test sets, and on any, metric by metric."""
    first, sets = result.sets[0], len(result.sets)
    slots = {"pairs": parts.pairs_counted(first), "sets": sets}
    for metric in result.metrics:
        claims = [claim for claim in result.replicability if claim.metric == metric.key]
        if claims:
            above, baseline = claims[0].side == "better", first.baseline or "the other"
            claim = words.beyond(baseline, metric, above=above, gain=first.null_gain)
            every, some = (sum(one.shown >= least for one in claims) for least in (sets, 1))
            yield Finding(OF_MANY(claim=claim, metrics=metric.label, every=every, some=some, **slots))


def _primary(level: CompareResult) -> list[Comparison]:
    """Return the comparisons by the test that decides, metric by metric."""
    return [one for metric in level.metrics for one in level.primary_tests(metric.key)]


def _set_notes(result: PooledResult) -> Iterator[Note]:
    """Yield the notes of the test sets, of all of them once, of some with their names; then those of all together."""
    sets: dict[Note, list[str]] = {}
    for one in result.sets:
        for note in one.notes:
            if note.kind not in _LEFT_OUT:
                sets.setdefault(note, []).append(one.testset.name)
    for note in gathered(sets):
        names = sets.get(note, [])  # none of a note that was gathered over sets
        yield note.about(", ".join(names)) if 0 < len(names) < len(result.sets) else note
    labels = {metric.key: metric.label for metric in result.metrics}
    for label, level in result.levels[len(result.sets) :]:
        for comparison in _primary(level):
            pair = parts.pair_label((comparison.baseline, comparison.system), result.sets[0].baseline)
            scope = SCOPE(label=_SHORT[label], pair=pair, metric=labels[comparison.metric])
            yield from (note.about(scope) for note in comparison.notes)


def _claim_notes(result: PooledResult) -> Iterator[Note]:
    """Yield what speaks against gains and claims that are shown (of the mean the answer does), and against claims."""
    doubts: dict[Note, dict[str, None]] = {}
    pieces = [piece for claim in result.replicability for piece in claim.sets if piece.testset in claim.named]
    for label, level in result.levels:
        caveats = [caveat for one in _primary(level) if one.significant and label != MACRO for caveat in one.caveats]
        caveats += [caveat for piece in pieces if piece.testset == label for caveat in piece.caveats]
        for caveat in caveats:
            note = Note(caveat.kind, NOT_RELIABLE(reason=caveat.summary or caveat.text))
            doubts.setdefault(note, {})[label] = None
    yield from (note.about(words.listing([*labels])) for note, labels in doubts.items())
    pairs = len(parts.pairs_of(result.sets[0]))
    if result.replicability and pairs > 1:
        yield Note("claims", CLAIMS(pairs=pairs))
    if unsure := sum(len(claim.unsure) for claim in result.replicability):
        yield Note("straddling", UNSURE(claims=words.whole(unsure, "claim")))


def _methods(result: PooledResult, mean: str) -> str:
    """Describe the method in a few sentences, to paste into a paper."""
    pieces = [piece for claim in result.replicability for piece in claim.sets] or _primary(result.sets[0])
    tests = dict.fromkeys(piece.test for piece in pieces)
    return OVER_SETS(
        mean=mean,
        sets=len(result.sets),
        units=words.listing(
            [f"{one.testset.name} ({words.units_words(one.unit, one.n_units)})" for one in result.sets]
        ),
        tests=words.listing([f"{words.label_of(test)} ({TESTS[test].source})" for test in tests], "or"),
    )


def _table(result: PooledResult, decimals: int | None) -> Table:
    """Return the gains on every test set; below a rule, of all segments together and of the mean over the sets."""
    gains = [_on_level(label, level, comparison) for label, level in result.levels for comparison in _primary(level)]
    first = replace(result.sets[0], scores=result.scores)
    adjust = first.comparisons[0].adjust if len(parts.pairs_of(first)) > 1 else "none"
    shown = parts.part_table(first, gains, ("", "test set", result.item), words.p_heading(adjust), decimals)
    sets, levels = len(result.sets), len(result.levels)
    return changed(shown, breaks=tuple(place for place in range(1, len(shown.rows)) if place % levels == sets))


def _on_level(label: str, level: CompareResult, comparison: Comparison) -> compared.GainInGroup:
    return compared.GainInGroup(
        metric=comparison.metric,
        baseline=comparison.baseline,
        system=comparison.system,
        delta=comparison.delta,
        group=_LABELS.get(label, label),
        segments=level.testset.segments,
        unit=level.unit,
        n_units=level.n_units,
        baseline_score=level.score(comparison.metric, comparison.baseline).score,
        system_score=level.score(comparison.metric, comparison.system).score,
        comparison=comparison,
    )
