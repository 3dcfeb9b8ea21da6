"""Comparison over several test sets: each alone, all segments, the mean of sets, and on how many a gain is shown."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace as changed
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec.structs import replace

from truegain.cautions import shared_segments, size_note
from truegain.corpus import Corpus, System
from truegain.errors import InputError
from truegain.experiment import Experiment, check_gains, check_options, with_development
from truegain.experiment.matching import check_same_systems, matched
from truegain.experiment.pooled import averaged, joined
from truegain.inference.intervals import Alpha
from truegain.inference.results import Comparison, MetricInfo, Scores, TestSet
from truegain.notes import Finding, Note, gathered
from truegain.readers.experiment_file import read_experiment
from truegain.readers.training_samples import with_training_samples
from truegain.registry import TESTS
from truegain.report.model import Cell, Passages, Table
from truegain.report.page import Section
from truegain.results import Result, no_entry
from truegain.rows import Number, Row, Seed, field
from truegain.settings.compare import CompareOptions
from truegain.settings.function import takes
from truegain.settings.groups import Progress
from truegain.settings.option import described
from truegain.settings.pool import PoolOptions, RunOptions
from truegain.settings.words import in_words_of
from truegain.studies.compare import CompareResult, compare_corpus, compared_pairs
from truegain.studies.given import development_of, sets_of
from truegain.studies.group_tests import Group
from truegain.studies.parts import (
    SYSTEM_METRIC,
    Replicability,
    counted,
    gain_cell,
    group_findings,
    group_tables,
    matrix,
    names_of,
    pair_label,
    pairs_of,
    replicability,
)
from truegain.version import __version__
from truegain.view import TONES, digits_of, stacked, table, tone_of
from truegain.words import (
    MANY,
    Sentence,
    after_words,
    beyond,
    gain_heading,
    heading_of,
    label_of,
    level_words,
    listing,
    p_heading,
    p_text,
    p_words,
    units_words,
    whole,
)

#: The tests that can go over several test sets.
POOLED_TESTS = ("auto", "ar", "bootstrap", "crossed")
MICRO, MACRO = "all segments (micro)", "mean of sets (macro)"

_BY_GROUP = 6  # tables by group that a screen shows

ABOUT = Sentence("{sets} · {segments} · {systems}")
ON_SET = Sentence("{testset}: {answer}")
ON_MEAN = Sentence("Mean of the {sets} test sets: {answer}")
ON_ALL = Sentence("{system} is {claim} in {metrics} on all {sets} test sets (p {p}): {named}.")
ON_SOME = Sentence("{system} is {claim} in {metrics} on at least {count} of {sets} test sets (p {p}): {named}.")
ON_NONE = Sentence("{system} is not shown to be {claim} in {metrics} on any of {sets} test sets (p {p} after Holm).")
OF_MANY = Sentence("{every} of {pairs} are {claim} in {metrics} on all {sets} test sets, {some} on at least one.")

ONE_SET = Sentence("There is one test set: nothing is pooled")
NO_DOCUMENTS = Sentence("There are no documents to draw in {sets}: every segment there is a unit of its own")
ONE_DOCUMENT = Sentence("There is only one document in {sets}: every segment there is a unit of its own")
FOR_ONE_SET = Sentence("Tests for one test set ({tests}) do not go over several: auto chose the test there")
SAME = Sentence(
    "Outputs of {systems} are the same on {testset} and on {other}: if these are the same segments, pooled p-values "
    "are too small"
)
SO = "they count twice, and pooled p-values are too small"
CLAIMS = Sentence("Claims on how many test sets show a gain are not adjusted for the {pairs} pairs")
CLAIMS_TEST = Sentence("Claims on how many test sets show a gain rest on one-sided p-values of {tests}")
UNSURE = Sentence(
    "{pair}, {metric}: p for at least {count} of {sets} test sets is {low} to {high} by its Monte-Carlo error; more "
    "resamples decide"
)
SEVERAL_UNSURE = Sentence("{count:,} claims on how many test sets show a gain need more resamples to be decided")
SCOPE = Sentence("{label}: {pair}, {metric}")
NOT_RELIABLE = Sentence("not reliable: {reason}")

SETS_CAPTION = Sentence("{metric} of {system} and {baseline}, test set by test set and over all of them")
SETS_CAPTION_OF_SEVERAL = Sentence("Scores and gains, test set by test set and over all of them")
MANY_CAPTION = Sentence("Gains in {metric}, test set by test set")
MANY_STARS = Sentence("*: p ≤ {alpha:g}{after}. Shown on: at least so many test sets, p ≤ {alpha:g}, one-sided.")
SHOWN_ON = Sentence("{count} of {sets}")

OVER_SETS = Sentence(
    "{mean} This is of the mean of the scores on {sets} test sets (macro), with resamples drawn within each. All "
    "segments as one corpus (micro) were tested likewise, and each test set alone: {units}, with {tests}."
)
RUNS_VARY = Sentence("A run is the same trained model on all test sets, and has one pooled score.")
CONJUNCTION = Sentence(
    "Claims on at least u of {sets} test sets rest on one-sided p-values of {tests} by partial conjunction "
    "(Bonferroni; Dror et al. 2017), and test sets are named after Holm."
)

_SHORT = {MICRO: "micro", MACRO: "macro"}
_LABELS = {MICRO: "all (micro)", MACRO: "mean (macro)"}
#: Kinds of notes on a test set that do not matter beside others: its size, and that there was nothing to draw.
_LEFT_OUT = ("unit", "units-to-show", "all-swaps")


class _Level(Row):
    """A row of the table: a test set, or all of them."""

    label: Annotated[str, field("A test set, or all of them.", "{title}", "text")]
    count: Annotated[Number, field("The number of its units.", "{counted}")]
    pooled: Annotated[bool, field("Whether it is all test sets.")]


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
        tuple[Replicability, ...], field("For every metric of which one way is better, and every pair.")
    ]
    alpha: Alpha
    seed: Annotated[Seed, field("The seed of the resamples.")]
    item: Annotated[str, field("What a segment is called: segment, or of scores alone such as question.")] = "segment"

    def heading(self) -> str:
        """Name what is compared, and on how many test sets."""
        return f"{self.sets[0].heading()} on {whole(len(self.sets), 'test set')}"

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
        by_set = [(one.testset.name, one.metrics) for one in self.sets]
        metrics = []
        for m, metric in enumerate(self.sets[0].metrics):
            signatures = {name: known[m].signature for name, known in by_set}
            several = "; ".join(f"{name}: {signature}" for name, signature in signatures.items())
            metrics.append(replace(metric, signature=several) if len(set(signatures.values())) > 1 else metric)
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
    def baseline(self) -> str | None:
        """Baseline; None if all systems are compared with each other."""
        return self.sets[0].baseline

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs that were compared: the system compared with, and the one compared."""
        return pairs_of(self.sets[0])

    @property
    def levels(self) -> list[tuple[str, CompareResult]]:
        """Every test set by its name; then all segments, and the mean over the sets."""
        over = [(label, one) for label, one in ((MICRO, self.micro), (MACRO, self.macro)) if one is not None]
        return [*((one.testset.name, one) for one in self.sets), *over]

    def replicated(self, metric: str, system: str, baseline: str | None = None) -> Replicability:
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
        grouped = any(one.groups is not None for one in self.sets)
        records = []
        for label, level in self.levels:
            head: dict[str, Any] = {"testset": label, "pooling": _SHORT.get(label, "")}
            head |= {"group": ""} if grouped else {}
            of_level = level.to_records()
            claims = [self._claim(label, one) for one in level.comparisons]
            claims += [dict.fromkeys(claims[0])] * (len(of_level) - len(claims))  # of groups
            records += [head | record | claim for record, claim in zip(of_level, claims, strict=True)]
        return records

    def _claim(self, label: str, comparison: Comparison) -> dict[str, Any]:
        """Return what a test set says for the claim about several of them, and on how many it is shown."""
        key = (comparison.metric, comparison.baseline, comparison.system)
        mine = [one for one in self.replicability if (one.metric, one.baseline, one.system) == key]
        evidence = [piece for one in mine for piece in one.sets if piece.testset == label]
        return {
            "p_one_sided": evidence[0].p if evidence else None,
            "p_over_sets": evidence[0].p_adjusted if evidence else None,
            "sets_shown": mine[0].shown if mine else None,
            "sets": len(self.sets),
        }

    def tables(self, decimals: int | None) -> Iterator[Table | Passages]:
        """Yield gains set by set and over all, on how many sets they are shown, and gains by group."""
        if self.micro is None:
            yield from self.sets[0].tables(decimals)
            return
        if len(self.pairs) > MANY:
            yield from (_many_table(self, metric, decimals) for metric in self.metrics)
        else:
            yield stacked([_sets_table(self, metric, pair, decimals) for pair in self.pairs for metric in self.metrics])
        by_group = [_of_set(one.testset.name, shown) for one in self.sets for shown in group_tables(one, decimals)]
        yield from by_group if len(by_group) <= _BY_GROUP else (changed(one, kind="further") for one in by_group)

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
    given = sets_of(options.corpora)
    _check_sets(given)
    copies = _copies(given)
    choices = (options.test,) if isinstance(options.test, str) else tuple(options.test)
    over = next((choice for choice in choices if choice in POOLED_TESTS), "auto")

    parts = [_part(corpus, given[0], options) for corpus in given]
    sets = [compare_corpus(part.corpus, part.options, part.experiment) for part in parts]
    experiments = [part.experiment for part in parts]
    micro = macro = None
    notes: list[Note] = []
    if len(parts) > 1:
        micro, macro, notes = _over_all(experiments, options, over)
        notes += [*copies, *shared_segments([part.corpus for part in parts], SO)]
    if over not in choices:
        notes.append(Note("chosen-test", FOR_ONE_SET(tests=listing(choices))))

    # The test that the sets are shown with, if it has this side; else that over all sets, and a note names it.
    claims = choices[0] if choices[0] == "auto" or TESTS[choices[0]].sides == "as chosen" else over
    result = PooledResult(
        sets=tuple(sets),
        micro=micro,
        macro=macro,
        replicability=tuple(replicability(parts, sets, claims)),
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
            jobs=options.jobs,
            cache=options.cache,
            engine=options.engine,
            executor=options.executor,
            progress=options.progress,
            **read.settings,
        )


def _signature(options: PoolOptions, sets: int, over: str, claims: str) -> str:
    parts = [
        f"pool|sets:{sets}|test:{over}",
        *([] if claims == over else [f"claims:{claims}"]),
        f"unit:{options.unit}|strata:testset",
        *([] if options.by is None else [f"by:{options.by}"]),
        f"alternative:{options.alternative}",
        *([] if options.null_gain == 0.0 else [f"null-gain:{options.null_gain:g}"]),
        f"alpha:{options.alpha:g}|family:{options.family}|adjust:{options.adjust}|ci:{options.interval}",
        f"R:{options.resamples}|seed:{options.seed}|version:{__version__}",
    ]
    return "|".join(parts)


def _check_sets(corpora: Sequence[Corpus]) -> None:
    if not corpora:
        raise InputError("there is no test set", hint="give one corpus for each")
    names = [corpus.name for corpus in corpora]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two test sets are named {twice!r}", hint="give them different names")
    check_same_systems(corpora)


def _copies(corpora: Sequence[Corpus]) -> list[Note]:
    """Refuse the same segments as two test sets; if only some systems have the same outputs, say so.

    Other references do not make other segments: what a system does to them occurs twice.
    """
    notes = []
    for one, other in itertools.combinations(corpora, 2):
        names = [system.name for system in one.systems]
        same = [name for name in names if _same_outputs(one.system(name), other.system(name))]
        if len(same) == len(names):
            raise InputError(
                f"{one.name} and {other.name} have the same outputs of every system: they are one test set, and its "
                "segments would count twice",
                hint="give several references to one test set; where these are two, is {testset} missing in a path?",
            )
        if same:
            notes.append(Note("same-outputs", SAME(systems=listing(same), testset=one.name, other=other.name)))
    return notes


def _same_outputs(one: System, other: System) -> bool:
    """Return whether two runs are the same; scores may differ with the references, so they count only without texts."""
    return any(
        run.outputs == twin.outputs
        if run.outputs is not None
        else run.scores.keys() == twin.scores.keys()
        and all(np.array_equal(run.scores[key], twin.scores[key]) for key in run.scores)
        for run, twin in itertools.product(one.runs, other.runs)
    )


def _part(given: Corpus, first: Corpus, options: PoolOptions) -> Group[CompareOptions]:
    """Return a test set, scored, with the systems in the order of the first one, and the options to compare it with."""
    known = with_training_samples(given, options.training_samples)
    ordered = changed(known, systems=tuple(known.system(system.name) for system in first.systems))
    corpus, development = with_development(ordered, development_of(options))
    progress = _named(corpus.name, options.progress)
    own = _comparing(options, references=corpus, progress=progress, development=development)
    experiment = Experiment.of(corpus, own, compared=compared_pairs(corpus, options.baseline, options.family))
    check_gains(experiment, "null_gain", [options.null_gain] * len(experiment.statistics.blocks))
    return Group(corpus.name, own.changed(progress=None), experiment)


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
    same, notes = matched(experiments)
    together = changed(joined(same, cache=options.cache), progress=_named("micro", options.progress))
    micro = _compared(together, options, test, "micro")
    mean = averaged([changed(one, progress=_named("macro", options.progress)) for one in same])
    macro = _compared(mean, options, test, "macro")
    # What documents do to the variance is known of all segments together only.
    comparisons = tuple(replace(one, design_effect=None) for one in macro.comparisons)
    name = f"mean over {len(experiments)} test sets"
    macro = replace(macro, comparisons=comparisons, testset=replace(macro.testset, name=name))
    units = _unit_notes(experiments)
    if not units:
        effects = [one.design_effect for one in _primary(micro)]
        runs = [len(system.runs) for system in together.corpus.systems]
        units = [size_note(together.corpus, together.units, runs=runs, design_effects=effects)]
    few = mean.few_units_note()
    return micro, macro, [*notes, *units, *([] if few is None else [few.about("macro")])]


def _compared(experiment: Experiment, options: PoolOptions, test: str, pooling: str) -> CompareResult:
    """Compare over all test sets, scored already, and word the answer for several test sets."""
    own = _comparing(
        options,
        references=experiment.corpus,
        by=None,
        test=test,
        changed_segments=0,
        development=None,
        unit="auto",
        strata="auto",
        progress=None,
    )
    result = compare_corpus(experiment.corpus, own, experiment)
    return replace(
        result,
        comparisons=tuple(replace(one, claim=replace(one.claim, test_sets=True)) for one in result.comparisons),
        signature=f"{pooling}|{result.signature.replace('strata:domain', 'strata:testset')}",
    )


def _unit_notes(experiments: Sequence[Experiment]) -> list[Note]:
    """Note units that differ between test sets."""
    if len({one.units.kind for one in experiments}) == 1:
        return []
    segments = [one.corpus for one in experiments if one.units.kind == "segment"]
    bare = [corpus.name for corpus in segments if corpus.documents is None]
    single = [corpus.name for corpus in segments if corpus.documents is not None]
    sentences = ((NO_DOCUMENTS, bare), (ONE_DOCUMENT, single))
    return [Note("unit-choice", sentence(sets=listing(names))) for sentence, names in sentences if names]


def _told(result: PooledResult) -> PooledResult:
    """Return the result with its answer, what limits it, and the methods; of one test set, those of its comparison."""
    alone = result.sets[0]
    if result.micro is None or result.macro is None:
        notes = (*alone.notes, *result.notes, Note("one-set", ONE_SET()))
        told = {name: getattr(alone, name) for name in ("about", "findings", "ending", "methods")}
        return replace(result, notes=notes, **told)
    about = ABOUT(
        sets=whole(len(result.sets), "test set"),
        segments=whole(sum(one.testset.segments for one in result.sets), result.item),
        systems=whole(len({score.name for score in alone.scores}), "system"),
    )
    answers = list(result.macro.findings)
    answers[:1] = [replace(one, text=ON_MEAN(sets=len(result.sets), answer=one.text)) for one in answers[:1]]
    by_group = [
        Finding(ON_SET(testset=one.testset.name, answer=finding.text), finding.tone)
        for one in result.sets
        for finding in group_findings(one)
    ]
    counts = _findings_of_many if len(result.pairs) > MANY else _findings
    notes = (*result.notes, *_set_notes(result), *_doubt_notes(result), *_level_notes(result), *_claim_notes(result))
    return replace(
        result,
        about=about,
        findings=(*answers, *counts(result), *by_group),
        notes=tuple(dict.fromkeys(notes)),
        ending=result.macro.ending,
        methods=" ".join(_methods(result, result.macro)),
    )


def _findings(result: PooledResult) -> Iterator[Finding]:
    """Yield on how many test sets each pair is shown to differ, with the metrics that say the same."""
    alike: dict[tuple[object, ...], list[Replicability]] = {}
    for claim in result.replicability:
        alike.setdefault((claim.baseline, claim.system, claim.named, claim.marked > 0), []).append(claim)
    metrics = {metric.key: metric for metric in result.metrics}
    for claims in alike.values():
        first, sets = claims[0], len(result.sets)
        above, gain = first.side == "better", result.sets[0].null_gain
        p, *others = [claim.at_least[max(claim.shown, 1) - 1] for claim in claims]
        sentence = ON_NONE if first.shown == 0 else ON_ALL if first.shown == sets else ON_SOME
        text = sentence(
            system=first.system,
            claim=beyond(first.baseline, metrics[first.metric], above=above, gain=gain),
            metrics=listing([metrics[claim.metric].label for claim in claims], "or" if first.shown == 0 else "and"),
            count=first.shown,
            sets=sets,
            p=listing([p_words(p), *map(p_text, others)]),
            named=listing(first.named or ("none",)),
        )
        yield Finding(text, TONES[above] if first.marked else "undecided")


def _findings_of_many(result: PooledResult) -> Iterator[Finding]:
    """Yield how many pairs are shown to differ on all test sets, and on any, with the metrics that say the same."""
    alike: dict[tuple[int, int], list[MetricInfo]] = {}
    for metric in result.metrics:
        shown = [claim.shown for claim in result.replicability if claim.metric == metric.key]
        if shown:
            alike.setdefault((shown.count(len(result.sets)), len(shown) - shown.count(0)), []).append(metric)
    above, gain = any(claim.side == "better" for claim in result.replicability), result.sets[0].null_gain
    for (every, some), metrics in alike.items():
        text = OF_MANY(
            every=every,
            pairs=whole(len(result.pairs), "pair" if result.baseline is None else "system"),
            claim=beyond(result.baseline or "the other", metrics[0], above=above, gain=gain),
            metrics=listing([metric.label for metric in metrics]),
            sets=len(result.sets),
            some=some,
        )
        yield Finding(text)


def _primary(level: CompareResult) -> list[Comparison]:
    """Return the comparisons by the test that decides, metric by metric."""
    return [one for metric in level.metrics for one in level.primary_tests(metric.key)]


def _set_notes(result: PooledResult) -> Iterator[Note]:
    """Yield the notes of the test sets: of all of them once, of some with their names."""
    sets: dict[Note, list[str]] = {}
    for one in result.sets:
        for note in one.notes:
            if note.kind not in _LEFT_OUT:
                sets.setdefault(note, []).append(one.testset.name)
    for note in gathered(sets):
        names = sets.get(note, [])  # none of a note that was gathered over sets
        yield note.about(", ".join(names)) if 0 < len(names) < len(result.sets) else note


def _level_notes(result: PooledResult) -> Iterator[Note]:
    """Yield the notes on the tests over all test sets."""
    labels = {metric.key: metric.label for metric in result.metrics}
    for label, level in result.levels[len(result.sets) :]:
        for one in _primary(level):
            pair = pair_label((one.baseline, one.system), result.baseline)
            scope = SCOPE(label=_SHORT[label], pair=pair, metric=labels[one.metric])
            yield from (note.about(scope) for note in one.notes)


def _doubt_notes(result: PooledResult) -> Iterator[Note]:
    """Yield what speaks against gains and claims that are shown; of the mean over sets the answer says it itself."""
    doubts: dict[Note, dict[str, None]] = {}
    pieces = [piece for claim in result.replicability for piece in claim.doubted]
    for label, level in result.levels:
        caveats = [caveat for one in _primary(level) if one.significant and label != MACRO for caveat in one.caveats]
        caveats += [caveat for piece in pieces if piece.testset == label for caveat in piece.caveats]
        for caveat in caveats:
            note = Note(caveat.kind, NOT_RELIABLE(reason=caveat.summary or caveat.text))
            doubts.setdefault(note, {})[label] = None
    yield from (note.about(listing([*labels])) for note, labels in doubts.items())


def _claim_notes(result: PooledResult) -> Iterator[Note]:
    """Yield what claims about several test sets rest on, and which of them more resamples may decide otherwise."""
    shown = {one.test for level in result.sets for one in _primary(level)}
    pieces = [piece for claim in result.replicability for piece in claim.sets]
    unseen = dict.fromkeys(label_of(piece.test) for piece in pieces if piece.test not in shown)
    if unseen:
        yield Note("claims", CLAIMS_TEST(tests=listing([*unseen], "or")))
    if pieces and len(result.pairs) > 1:
        yield Note("claims", CLAIMS(pairs=len(result.pairs)))
    yield from _unsure_notes(result)


def _unsure_notes(result: PooledResult) -> Iterator[Note]:
    """Yield the claims that more resamples may decide otherwise; of many, how many they are."""
    labels = {metric.key: metric.label for metric in result.metrics}
    texts = [
        UNSURE(
            pair=pair_label((claim.baseline, claim.system), result.baseline),
            metric=labels[claim.metric],
            count=count,
            sets=len(claim.sets),
            low=p_text(low),
            high=p_text(high),
        )
        for claim in result.replicability
        for count, low, high in claim.unsure
    ]
    texts = texts if len(texts) <= MANY else [SEVERAL_UNSURE(count=len(texts))]
    yield from (Note("straddling", text) for text in texts)


def _methods(result: PooledResult, macro: CompareResult) -> Iterator[str]:
    """Yield what was done in a few sentences, to paste into a paper."""
    yield OVER_SETS(
        mean=macro.methods,
        sets=len(result.sets),
        units=listing([f"{one.testset.name} ({units_words(one.unit, one.n_units)})" for one in result.sets]),
        tests=_sourced([one.test for level in result.sets for one in _primary(level)]),
    ).strip()
    if any(one.test == "crossed" for one in _primary(macro)):
        yield RUNS_VARY()
    if result.replicability:
        tests = _sourced([piece.test for claim in result.replicability for piece in claim.sets])
        yield CONJUNCTION(sets=len(result.sets), tests=tests)


def _sourced(tests: Iterable[str]) -> str:
    return listing([f"{label_of(test)} ({TESTS[test].source})" for test in dict.fromkeys(tests)], "or")


def _sets_table(result: PooledResult, metric: MetricInfo, pair: tuple[str, str], decimals: int | None) -> Table:
    """Return one row per test set, then all segments together and the mean over the sets."""
    first, several = result.sets[0], len(result.pairs) > 1
    rows = [
        {
            "": _Level(_LABELS.get(label, label), level.n_units, label in _LABELS),
            "baseline": level.score(metric.key, pair[0]),
            "system": level.score(metric.key, pair[1]),
            "test": level.pair(metric.key, *pair),
        }
        for label, level in result.levels
    ]
    title = SYSTEM_METRIC(system=pair_label(pair, result.baseline), metric=heading_of(metric))
    names = names_of(result.pairs, result.baseline)
    of_one = SETS_CAPTION(metric=metric.label, system=pair[1], baseline=pair[0])
    slots = {
        "title": title if several else heading_of(metric),
        "counted": counted([one.unit for one in result.sets], result.item),
        "level": level_words(result.alpha),
        "caption": SETS_CAPTION_OF_SEVERAL() if several or len(result.metrics) > 1 else of_one,
    }
    errors = "test.standard_error?" if first.standard_errors else ""
    return table(
        rows,
        f"label count baseline.score system.score test.delta {errors} test.ci test.p_adjusted",
        digits_of(result, metric, decimals),
        caption="{caption}",
        headings={
            "baseline.score": names["baseline"],
            "system.score": names["system"],
            "test.delta": gain_heading(result.metrics),
            "test.p_adjusted": p_heading(first.comparisons[0].adjust if several else "none"),
        },
        slots=slots,
        secondary=("count", "baseline.score", "system.score"),
        breaks="pooled",
        tones={"test.delta": lambda row: tone_of(row["test"])},
    )


def _of_set(name: str, shown: Table) -> Table:
    """Return a table that is headed by the name of its test set."""
    first, *others = shown.columns
    columns = (changed(first, heading=ON_SET(testset=name, answer=first.heading)), *others)
    sections = tuple((row, ON_SET(testset=name, answer=heading)) for row, heading in shown.sections)
    return changed(shown, columns=columns, sections=sections, caption=ON_SET(testset=name, answer=shown.caption))


def _many_table(result: PooledResult, metric: MetricInfo, decimals: int | None) -> Table:
    """Return the gain of every pair on every test set and over all, and on how many sets it is shown."""
    digits = digits_of(result, metric, decimals)
    claims = {(one.baseline, one.system): one for one in result.replicability if one.metric == metric.key}
    cells = []
    for pair in result.pairs:
        tests = [level.pair(metric.key, *pair) for _, level in result.levels]
        shown = Cell(SHOWN_ON(count=claims[pair].shown, sets=len(result.sets))) if pair in claims else Cell("")
        cells.append([*(gain_cell(test.delta, tone_of(test), digits, marked=test.marked) for test in tests), shown])
    return matrix(
        SYSTEM_METRIC(system="Δ", metric=heading_of(metric)),
        [pair_label(pair, result.baseline) for pair in result.pairs],
        [*(_SHORT.get(label, label) for label, _ in result.levels), "shown on"],
        cells,
        MANY_CAPTION(metric=metric.label),
        [MANY_STARS(alpha=result.alpha, after=after_words(result.sets[0].comparisons[0].adjust))],
    )
