"""Comparison of systems with a baseline, or of all with each other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain.cautions import (
    caveats_of,
    check_blocks,
    check_several_units,
    harmful_caveats,
    interval_notes,
    not_shared,
    size_note,
    units_signature,
)
from truegain.changed_segments import ChangedPair
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, command, one_of
from truegain.experiment import (
    Experiment,
    changed_pairs,
    check_gains,
    check_options,
    clip_difference,
    gain,
    variability,
    with_development,
)
from truegain.inference.claims import Claim
from truegain.inference.effects import effect_of
from truegain.inference.exact import ENUMERATED
from truegain.inference.intervals import Alpha, Interval, IntervalMethod, bootstrap_interval, of_bootstrap, overlap
from truegain.inference.multiplicity import MAXT, adjust, max_t
from truegain.inference.pvalues import tolerance
from truegain.inference.results import (
    Comparison,
    Metrics,
    Scores,
    StandardErrors,
    SystemScore,
    TestSet,
    Unit,
    Units,
    Variability,
)
from truegain.inference.variance import design_effect
from truegain.notes import Note
from truegain.procedures.base import Key, Pair, Stopping, TestOutcome, Trial, check_null_gain
from truegain.procedures.lookup import chosen_test, findings_by_name, first_claim
from truegain.procedures.proportions import within_range
from truegain.registry import TESTS
from truegain.resampling.units import Units as DrawnUnits
from truegain.results import Result, completed, no_entry, with_metric
from truegain.rows import Number, field, record
from truegain.settings import Family
from truegain.settings.compare import CompareOptions
from truegain.settings.function import takes
from truegain.statistics import mean_of_runs
from truegain.studies.decision import judged
from truegain.studies.given import corpus_of, development_of
from truegain.studies.human import HumanAgreement
from truegain.studies.parts import Groups, group_findings, group_tables, groups_of
from truegain.version import __version__
from truegain.words import Sentence, describe_testset, null_words

if TYPE_CHECKING:
    from truegain.report.model import Table
    from truegain.report.page import Section
    from truegain.studies.compared import Tests

_COLUMNS = (
    "metric baseline system baseline_score system_score baseline_standard_error system_standard_error delta "
    "standard_error ci_method ci_low ci_high null_gain p p_mc_low p_mc_high "
    "p_adjusted adjust test asked unit n_units design_effect resamples seed alternative claim=claim_text "
    "claim_runs claim_unit significant better ci_overlap marked caveats notes wins=effect_wins ties=effect_ties "
    "losses=effect_losses standardized=effect_standardized"
)
#: What a comparison within a group has by itself.
_GROUP_COLUMNS = (
    "standard_error ci_method ci_low ci_high p p_mc_low p_mc_high p_adjusted adjust test asked resamples seed "
    "alternative claim=claim_text claim_runs claim_unit significant better marked"
)
_NAMED = 3  # systems in a heading
_LISTED, _MOST_LISTED = 10, 3_000  # segments each way for a pair and metric, and in all
_FIXED = 10_000  # resamples of intervals, and of tests with a fixed number, if tests may choose their own
_OVER_UNITS = ("ar", "bootstrap", "stationary-bootstrap")

TOO_MANY_PANELS = Sentence("There are {count:,} pairs and metrics: the segments that moved most are not listed")
NOT_LISTED = Sentence("The segments that moved most are not listed: {reason}")


class CompareResult(Result, tag="compare", kw_only=True, rename={"scores": "systems"}):
    """Every system against the baseline, or every two systems, under every metric.

    ``result["bleu", "new"]`` is the comparison of one system with the baseline (of all pairs, with the first system)
    under one metric, by the first test if there are several; ``result["bleu", "new", "bootstrap"]`` by another.
    With one metric ``result["new"]`` will do. :meth:`pair` finds any pair.
    """

    title = "Is the gain real?"
    study: ClassVar[str] = "compare"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    comparisons: Annotated[
        tuple[Comparison, ...],
        field("Metric by metric, of every system with the baseline, or of every pair.", min_length=1),
    ]
    baseline: Annotated[str | None, field("The baseline; none if all systems are compared with each other.")]
    alpha: Alpha
    unit: Annotated[Unit, field("What the intervals draw; a test may have a unit of its own.")]
    n_units: Annotated[Units, field("The number of units that the intervals draw.")]
    resamples: Annotated[Number, field("The number of resamples of the intervals.")]
    variability: Annotated[
        tuple[Variability, ...],
        field("How scores vary over runs and test sets; empty if no system has several runs."),
    ] = ()
    null_gain: Annotated[float, field("The gain of the null hypothesis.")] = 0.0
    changed_segments: Annotated[
        tuple[ChangedPair, ...], field("The segments that changed most between the median runs of each pair.")
    ] = ()
    standard_errors: StandardErrors = False
    groups: Annotated[Groups | None, field("Gains by group, if they were asked for.")] = None
    human_agreement: Annotated[HumanAgreement | None, field("What gains mean to people, if it was asked for.")] = None

    def heading(self) -> str:
        """Name the systems, or say how many there are, and what they are compared with."""
        names = list(dict.fromkeys(score.name for score in self.scores if score.name != self.baseline))
        few = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        who = few if len(names) <= _NAMED else f"{len(names)} systems"
        return f"All pairs of {who}" if self.baseline is None else f"{who} against {self.baseline}"

    def __getitem__(self, key: str | tuple[str, str] | tuple[str, str, str]) -> Comparison:
        wanted = with_metric(key, self.metrics)
        for one in self.comparisons:
            if (one.metric, one.system) == wanted[:2] and (len(wanted) < 3 or wanted[2] in (one.test, one.asked)):
                return one
        raise no_entry(key, ((one.metric, one.system) for one in self.comparisons))

    def _keys(self) -> list[tuple[str, ...]]:
        return completed([(one.metric, one.system) for one in self.comparisons], self.metrics)

    def pair(self, metric: str, baseline: str, system: str, test: str | None = None) -> Comparison:
        """Return the comparison of two systems, in the order in which they were compared."""
        for one in self.comparisons:
            if (one.metric, one.baseline, one.system) == (metric, baseline, system) and test in (
                None,
                one.test,
                one.asked,
            ):
                return one
        raise KeyError((metric, baseline, system, test))

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    def score(self, metric: str, system: str) -> SystemScore:
        """Return the score of a system under a metric."""
        for one in self.scores:
            if (one.metric, one.name) == (metric, system):
                return one
        raise KeyError((metric, system))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per comparison; then, with groups, one for each pair in each group."""
        records = self._records()
        if self.groups is None:
            return records
        blank = dict.fromkeys(records[0])
        of_groups = [
            {"group": one.group}
            | blank
            | record("metric baseline system delta unit n_units", one)
            | ({} if one.comparison is None else record(_GROUP_COLUMNS, one.comparison))
            for one in self.groups.gains
        ]
        return [*({"group": ""} | one for one in records), *of_groups]

    def _records(self) -> list[dict[str, Any]]:
        return [
            record(
                _COLUMNS,
                {
                    "baseline_score": (old := self.score(one.metric, one.baseline)).score,
                    "system_score": (new := self.score(one.metric, one.system)).score,
                    "baseline_standard_error": old.standard_error,
                    "system_standard_error": new.standard_error,
                    "caveats": [caveat.text for caveat in one.caveats],
                    "notes": [str(note) for note in one.notes],
                },
                one,
                self,
            )
            | self._human(one)
            for one in self.comparisons
        ]

    def _human(self, one: Comparison) -> dict[str, Any]:
        """Return what a gain means to people, if it was asked for."""
        if self.human_agreement is None:
            return {}
        key = (one.metric, one.baseline, one.system)
        found = [own for own in self.human_agreement.gains if (own.metric, own.baseline, own.system) == key]
        share = found[0] if found else None
        return {f"human_{name}": getattr(share, name, None) for name in ("share", "low", "high")}

    def tables(self, decimals: int | None) -> Iterator[Any]:
        """Yield systems by metrics, gains by group, p-values of other tests, and what gains mean to people."""
        from truegain.studies.gains import gains_tables, tests_tables
        from truegain.studies.human import people_tables

        yield from gains_tables(self, decimals)
        if self.groups is not None:
            yield from group_tables(self, decimals)
        yield from tests_tables(self)
        yield from people_tables(self, decimals)

    def as_table(self, layout: str, decimals: int | None) -> Table:
        """Return one table to be pasted into a paper."""
        from truegain.studies.layouts import table_of

        return table_of(self, layout, decimals)

    def appendix(self, *, decimals: int | None = None) -> tuple[Section, ...]:
        """Return the segments that changed most, if they were asked for."""
        from truegain.report.page import Section
        from truegain.view import segments_item

        pairs = tuple(pair for pair in self.changed_segments if pair.up or pair.down)
        return (Section("Segments that moved most", (segments_item(self, pairs, decimals),)),) if pairs else ()

    def primary_tests(self, metric: str) -> list[Comparison]:
        """Return the comparisons that verdicts use: of several tests the first."""
        first: dict[tuple[str, str], Comparison] = {}
        for one in self.comparisons:
            if one.metric == metric:
                first.setdefault((one.baseline, one.system), one)
        return list(first.values())

    def other_tests(self, metric: str) -> dict[str, dict[tuple[str, str], Comparison]]:
        """Return the comparisons by further tests: test to pair to comparison."""
        others: dict[str, dict[tuple[str, str], Comparison]] = {}
        primary = {id(one) for one in self.primary_tests(metric)}
        for one in self.comparisons:
            if one.metric == metric and id(one) not in primary:
                others.setdefault(one.asked, {})[one.baseline, one.system] = one
        return others

    @property
    def adjusts(self) -> bool:
        """Return whether p-values are adjusted for the number of comparisons."""
        return self.comparisons[0].adjust != "none"


@takes(CompareOptions)
def compare(options: CompareOptions) -> CompareResult:
    """Compare systems with a baseline, or all with each other, under every metric.

    Units are documents if they are known, else segments. Intervals of gains hold what the test does not reject; those
    of scores come from the bootstrap. With several runs of a system its score is the mean over runs. Three claims can
    be made then: for new runs on new segments (``crossed``, which decides), for these runs on new segments, and for new
    runs on this test set. The table of all tests has them all.

    Examples
    --------
    >>> import truegain as tg
    >>> result = tg.compare(
    ...     ["the cat sat", "a dog ran off", "it was late"],
    ...     {
    ...         "base": ["the cat sits", "a dog ran", "it was late"],
    ...         "new": ["the cat sat", "a dog ran off", "it is late"],
    ...     },
    ...     metrics=["chrf"],
    ... )
    >>> result["chrf", "new"].n_units
    3
    """
    return compare_corpus(corpus_of(options), options)


def compare_corpus(corpus: Corpus, options: CompareOptions, prepared: Experiment | None = None) -> CompareResult:
    """Compare the systems of a corpus.

    ``prepared`` is the corpus scored already, under these metrics, with these units and this seed: nothing is scored
    again then.
    """
    options = _checked(corpus, options)
    pairs = compared_pairs(corpus, options.baseline, options.family)
    corpus, development = with_development(corpus, development_of(options))
    trial = _trial(corpus, options, pairs, prepared)
    experiment, fixed, level = trial.experiment, trial.resamples, 1.0 - options.alpha
    families = families_of(trial, _choices(options))
    tested = _compared(trial, families, options)
    comparisons = [one for _, one in tested]
    primary = [one for number, one in tested if number == 0]

    groups = None
    if options.by is not None:
        groups = groups_of(corpus, options.changed(human_agreement=None), pairs, compare_corpus)
    meaning, unsaid = None, list[Note]()
    if options.human_agreement is not None:
        from truegain.studies.human import human_agreement

        meaning, unsaid = human_agreement(options.human_agreement, experiment.metric_infos(), primary, level)
    variable = variability(experiment, fixed, development)
    listed, unlisted = _moved(trial, options.changed_segments, variable)

    result = CompareResult(
        testset=experiment.testset(development),
        metrics=experiment.metric_infos(),
        scores=experiment.system_results(fixed, level, options.interval),
        comparisons=tuple(comparisons),
        baseline=corpus.systems[pairs[0].baseline].name if options.family == "baseline" else None,
        alpha=options.alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=fixed,
        signature=_signature(trial, families, options, comparisons, meaning),
        variability=variable,
        changed_segments=listed,
        null_gain=options.null_gain,
        standard_errors=options.standard_errors,
        groups=groups,
        human_agreement=meaning,
    )
    return _told(result, trial, families, options, (*unlisted, *unsaid))


def _checked(corpus: Corpus, options: CompareOptions) -> CompareOptions:
    """Refuse options that do not go together; return them with blocks as units if the test draws these."""
    check_options(options)
    choices = _choices(options)
    _check_choices(choices, options.null_gain)
    if options.resamples == "auto" and options.adjust == MAXT:
        raise InputError(
            "maxt needs as many resamples of every comparison",
            hint=("give their number: ", Setting("resamples", 10000)),
        )
    if choices[0] == "exact" and options.adjust == MAXT:  # also if the swaps turn out too many to be counted
        raise not_shared("exact")
    blocks = "stationary-bootstrap" in choices
    if options.by is not None:
        from truegain.studies.grouping import check_grouping

        check_grouping(corpus, options.by, "block" if blocks else options.unit)
    if choices[0] == "stationary-bootstrap" and options.unit in ("auto", "segment"):
        options = options.changed(unit="block")
    drawn = options.unit == "block" or blocks
    check_blocks(unit=options.unit, block_length=options.block_length, interval=options.interval, drawn=drawn)
    return options


def _choices(options: CompareOptions) -> tuple[str, ...]:
    return (options.test,) if isinstance(options.test, str) else tuple(options.test)


def _trial(corpus: Corpus, options: CompareOptions, pairs: tuple[Pair, ...], prepared: Experiment | None) -> Trial:
    """Score the systems, and return what tests are asked."""
    experiment = prepared or Experiment.of(corpus, options, compared=pairs)
    if prepared is None:
        check_gains(experiment, "null_gain", [options.null_gain] * len(experiment.statistics.blocks))
    check_several_units(experiment)
    if options.unit == "block":
        experiment = experiment.in_blocks([(pair.baseline, pair.system) for pair in pairs])
    return Trial(
        experiment,
        pairs,
        options.alternative,
        options.alpha,
        _FIXED if options.resamples == "auto" else options.resamples,
        Stopping(options.adjust, len(pairs)) if options.resamples == "auto" else None,
        options.null_gain,
        joint=options.adjust == MAXT,
        inverted=options.interval == "test",
    )


def _compared(trial: Trial, families: Sequence[Tests], options: CompareOptions) -> list[tuple[int, Comparison]]:
    """Return the decided comparisons, metric by metric, each with the number of its family: 0 decides."""
    found = outcomes_of(trial, families, chosen=_choices(options) == ("auto",))
    frames = {key: frame_of(trial, key, options.interval) for key in trial.keys}
    compared: list[tuple[int, Comparison]] = []
    blocks = range(len(trial.experiment.statistics.blocks))
    for m, (number, tests) in itertools.product(blocks, enumerate(families)):
        asked = {key: name for key, name in tests.items() if key[0] == m}
        if not asked:
            continue
        outcomes = [found[name, key] for key, name in asked.items()]
        family = [
            with_outcome(trial, key, frames[key], outcome, name)
            for (key, name), outcome in zip(asked.items(), outcomes, strict=True)
        ]
        decisions = decided(trial, family, outcomes, list(asked), options.adjust, primary=number == 0)
        compared += [(number, one) for one in decisions]
    return compared


def _told(
    result: CompareResult, trial: Trial, families: Sequence[Tests], options: CompareOptions, further: Sequence[Note]
) -> CompareResult:
    """Return the result with its answer, what limits it, and the methods."""
    from truegain.studies.compared import answer, ending, methods, notes_of, outcome_notes, to_show_notes
    from truegain.studies.human import people_findings

    experiment, item = trial.experiment, trial.experiment.corpus.item_noun
    primary = [one for metric in result.metrics for one in result.primary_tests(metric.key)]
    runs = [len(system.runs) for system in experiment.corpus.systems]
    effects = [one.design_effect for one in primary]
    drawn = f"{experiment.units.count:,} {experiment.units.noun}s"
    return replace(
        result,
        about=describe_testset(result.testset, result.scores, item),
        findings=(*answer(result, item), *group_findings(result), *people_findings(result)),
        notes=(
            size_note(experiment.corpus, experiment.units, runs=runs, design_effects=effects),
            *to_show_notes(result, item),
            *experiment.notes,
            *interval_notes(primary, drawn, strata=len(experiment.units.strata)),
            *outcome_notes(result),
            *notes_of(trial, families, options, result, names_of(families)),
            *further,
        ),
        ending=ending(result),
        methods=methods(result, item),
    )


def _signature(
    trial: Trial,
    families: Sequence[Tests],
    options: CompareOptions,
    comparisons: Sequence[Comparison],
    meaning: HumanAgreement | None,
) -> str:
    """Name all choices in one line."""
    parts = [
        f"test:{'+'.join(names_of(families))}",
        *_tested_signature(trial.experiment.units, comparisons, families[0]),
        *([] if options.null_gain == 0.0 else [f"null-gain:{options.null_gain:g}"]),
        f"alpha:{options.alpha:g}",
        *_samples_signature(trial.experiment.corpus),
        *([] if options.by is None else [f"by:{options.by}"]),
        *([] if meaning is None else [f"human-agreement:{meaning.fingerprint}"]),
        f"family:{options.family}",
        f"adjust:{options.adjust}",
        f"ci:{options.interval}",
        f"R:{options.resamples}",
        f"seed:{options.seed}",
        f"version:{__version__}",
    ]
    return "|".join(parts)


def _samples_signature(corpus: Corpus) -> list[str]:
    """Return the number of training samples of each system, if they are known."""
    counts = [len(system.samples) for system in corpus.systems]
    return [f"training-samples:{'+'.join(map(str, counts))}"] if any(counts) else []


def _tested_signature(units: DrawnUnits, comparisons: Sequence[Comparison], primary: Tests) -> list[str]:
    """Return the unit and the side of the tests that decide, and the unit of the intervals if that is another."""
    first = [one for one in comparisons if one.asked in primary.values()]
    kinds = dict.fromkeys(one.unit for one in first)
    sides = f"alternative:{'+'.join(dict.fromkeys(one.alternative for one in first))}"
    drawn = units_signature(units)
    if list(kinds) in ([units.kind], [units.noun]):
        return [drawn, sides]
    return [f"unit:{'+'.join(kinds)}", sides, f"ci-{drawn}"]


def _moved(
    trial: Trial, asked: int | None, variable: Sequence[Variability]
) -> tuple[tuple[ChangedPair, ...], tuple[Note, ...]]:
    """Return the segments that changed most, or a note on why they are not listed."""
    if asked is not None and asked < 0:
        raise InputError(f"the number of segments to list must be 0 or more; got {asked}")
    panels = len(trial.pairs) * len(trial.experiment.statistics.blocks)
    count = min(_LISTED, _MOST_LISTED // (2 * panels)) if asked is None else asked
    if count == 0:
        return (), (Note("no-segments", TOO_MANY_PANELS(count=panels)),) if asked is None else ()
    pairs = [(pair.baseline, pair.system) for pair in trial.pairs]
    try:
        return changed_pairs(trial.experiment, pairs, count=count, variability=variable), ()
    except InputError as error:  # a metric of the user's that has no score with two outputs swapped
        return (), (Note("no-segments", NOT_LISTED(reason=error.message)),)


def _check_choices(choices: Sequence[str], null_gain: float) -> None:
    for choice in choices:
        if choice != "auto" and choice not in TESTS:
            raise one_of("test", choice, ["auto", *TESTS])
    if not choices:
        raise InputError("there is no test to compare with", hint=f"choose among {', '.join(('auto', *TESTS))}")
    if not math.isfinite(null_gain):
        raise InputError(f"the gain of the null hypothesis must be a finite number; got {null_gain:g}")
    for choice in choices:
        if choice != "auto":
            check_null_gain(choice, null_gain)


def compared_pairs(corpus: Corpus, baseline: str | None, family: Family) -> tuple[Pair, ...]:
    """Return the pairs that are compared: each system with the baseline, or all with each other."""
    names = [system.name for system in corpus.systems]
    if len(names) < 2:
        raise InputError(
            f"there is only one system, {names[0]!r}; a comparison needs two",
            hint=("give the baseline first, then the others; ", command("score"), " gives the score of one"),
        )
    if baseline is not None and baseline not in names:
        raise one_of("the baseline", baseline, names)
    if family == "all":
        if baseline is not None:
            raise InputError(
                "with all pairs there is no baseline",
                hint=("leave out ", Setting("baseline"), ", or ", Setting("family", "all")),
            )
        return tuple(Pair(a, b) for a, b in itertools.combinations(range(len(names)), 2))
    base = 0 if baseline is None else names.index(baseline)
    return tuple(Pair(base, s) for s in range(len(names)) if s != base)


def families_of(trial: Trial, choices: Sequence[str]) -> list[Tests]:
    """Return the primary tests, and others: as asked for, or those of the other claims of several runs or raters."""
    families = [
        {key: chosen_test(trial, key) if choice == "auto" else choice for key in trial.keys} for choice in choices
    ]
    if tuple(choices) == ("auto",):
        several = [key for key, name in families[0].items() if name == "crossed"]
        if several:
            families.append({key: first_claim(trial, key) for key in several})
            systems = trial.experiment.corpus.systems
            regrouped = [key for key in several if min(systems[s].replicas for s in key[1]) > 1]
            if regrouped and trial.null_gain == 0.0:
                families.append(dict.fromkeys(regrouped, "run-permutation"))
        rated = [key for key, name in families[0].items() if name == "raters"]
        if rated:
            families.append({key: first_claim(trial, key) for key in rated})
    return [tests for place, tests in enumerate(families) if tests not in families[:place]]


def names_of(families: Sequence[Tests]) -> list[str]:
    """Return the tests of all families, each once."""
    return list(dict.fromkeys(name for tests in families for name in tests.values()))


def outcomes_of(trial: Trial, families: Sequence[Tests], *, chosen: bool) -> dict[tuple[str, Key], TestOutcome]:
    """Run every test once, on all pairs that any family gives it; ``chosen``: by ``auto``, not by name."""
    found = {}
    for name in names_of(families):
        mine = {key: name for key in trial.keys if any(tests.get(key) == name for tests in families)}
        for key, outcome in findings_by_name(trial, mine).items():
            held = chosen and not trial.joint and name in _OVER_UNITS
            found[name, key] = within_range(trial, key, outcome) if held else outcome
    return found


def frame_of(trial: Trial, key: Key, method: IntervalMethod) -> Comparison:
    """Return the comparison without its p-value: what does not depend on the test."""
    if trial.apart:
        key, trial = (key[0], Pair(0, 1)), trial.alone(key[1])
    experiment = trial.experiment
    m, pair = key
    block = experiment.statistics.blocks[m]
    resampled = experiment.bootstrap(trial.resamples)
    sides = [resampled[m, pair.baseline], resampled[m, pair.system]]
    level = 1.0 - trial.alpha
    delta = trial.delta(key)
    left = experiment.left_out[m] if method == "bca" else None
    segment_differences, slack = trial.segment_gains(key)
    systems = experiment.corpus.systems
    interval = bootstrap_interval(
        delta,
        gain(block.metric, *sides),
        level=level,
        method=of_bootstrap(method),
        factor=experiment.factor(level),
        left_out=None if left is None else gain(block.metric, left[pair.baseline], left[pair.system]),
    )
    return Comparison(
        metric=block.key,
        baseline=systems[pair.baseline].name,
        system=systems[pair.system].name,
        delta=delta,
        **interval.fields,
        p=1.0,
        p_adjusted=1.0,
        adjust="none",
        test="",
        asked="",
        unit="",
        n_units=0,
        seed=experiment.seed,
        alternative="two-sided",
        null="",
        claim=Claim("this output of each"),
        significant=False,
        better=None,
        design_effect=_design_effect(trial, key),
        effect=effect_of(segment_differences, slack=slack) if np.isfinite(segment_differences).all() else None,
        overlap=overlap(sides[0], sides[1], level=level),
        standard_error=experiment.standard_error(m, pair.baseline, pair.system),
    )


def with_outcome(trial: Trial, key: Key, frame: Comparison, outcome: TestOutcome, asked: str) -> Comparison:
    """Return the comparison with what a test found; ``asked`` is the name it was asked for by."""
    experiment = trial.experiment
    m, pair = key
    limits = experiment.limits(m, pair.baseline, pair.system)
    return replace(
        frame,
        **outcome.p_value.fields,
        p_adjusted=outcome.p_value.p,
        test=outcome.test,
        asked=asked,
        unit=outcome.unit,
        n_units=outcome.n_units,
        alternative=outcome.alternative,
        null=null_words(
            outcome.test,
            system=frame.system,
            baseline=frame.baseline,
            unit=outcome.unit,
            alternative=outcome.alternative,
            null_gain=trial.null_gain,
            training_data=outcome.claim.training_data,
            rater=outcome.claim.rater_noun,
        ),
        claim=outcome.claim,
        notes=outcome.notes,
        caveats=caveats_of(trial.alone(pair).experiment if trial.apart else experiment, frame, outcome),
        **clip_difference(_interval(frame.interval, outcome), limits).fields,
        standard_error=_standard_error(trial, key, frame, outcome),
    )


def _standard_error(trial: Trial, key: Key, frame: Comparison, outcome: TestOutcome) -> float | None:
    """Return the standard error of the gain over what the claim extends to."""
    if outcome.standard_error is not None:
        return outcome.standard_error
    if not outcome.claim.new_runs or outcome.claim.unit is not None:
        return frame.standard_error
    from truegain.procedures.replicas import standard_error_over_runs

    return standard_error_over_runs(trial, key)


def _interval(bootstrap: Interval, outcome: TestOutcome) -> Interval:
    """Return the test's own interval, or the bootstrap's; if two claims must hold, what covers both of theirs."""
    own = outcome.interval
    if own is None:
        return bootstrap
    if outcome.test != "crossed":
        return own
    first = outcome.first or bootstrap
    return replace(own, low=min(own.low, first.low), high=max(own.high, first.high))


def _design_effect(trial: Trial, key: Key) -> float | None:
    """Return how much larger the difference's variance is with documents as units; None if they are not known."""
    experiment = trial.experiment
    m, pair = key
    block = experiment.statistics.blocks[m]
    ids = experiment.corpus.documents
    documents = None if ids is None else DrawnUnits.documents(ids)
    if documents is None or documents.count < 2:
        return None
    columns = [np.r_[block.system_columns(s)] for s in (pair.baseline, pair.system)]
    values = experiment.statistics.values[:, np.concatenate(columns)]
    edge = columns[0].size

    def difference(totals: NDArray[np.float64]) -> NDArray[np.float64]:
        new, old = (
            mean_of_runs(block.run_scores(part), block.samples_of(s))
            for s, part in ((pair.system, totals[edge:]), (pair.baseline, totals[:edge]))
        )
        return np.asarray(new - old)[None]

    effect = float(design_effect(values, documents.sums(values), difference)[0])
    return effect if math.isfinite(effect) else None


def decided(
    trial: Trial,
    family: list[Comparison],
    outcomes: Sequence[TestOutcome],
    keys: Sequence[Key],
    adjustment: str,
    *,
    primary: bool,
) -> list[Comparison]:
    """Adjust over the family, and decide, if one way is the better one."""
    closed = family[0].asked == "exact" or any(outcome.distribution is None for outcome in outcomes)
    if adjustment == MAXT and not primary and closed:
        adjustment = "holm"  # a further test, without resamples to share
    adjusted = _max_t(trial, outcomes, keys) if adjustment == MAXT else adjust([one.p for one in family], adjustment)
    directed = trial.metric(keys[0]).higher_is_better is not None
    more = "undecided" if trial.stopping is not None else "use more resamples to decide"
    if trial.stopping is None and adjustment != MAXT and all(one.test == "ar" for one in family):
        few = trial.experiment.units.count <= ENUMERATED and trial.experiment.test_sets == 1  # exact is for one
        more = f"the test exact counts all {2**trial.experiment.units.count:,} swaps" if few else more
    decided = []
    for key, one, outcome, p in zip(keys, family, outcomes, adjusted, strict=True):
        direction = outcome.direction * (one.delta - trial.null_gain)
        one = replace(one, adjust=adjustment, p_adjusted=p)
        one = judged(one, trial.alpha, null_gain=trial.null_gain, favours=direction > 0, directed=directed, more=more)
        decided.append(replace(one, caveats=harmful_caveats(trial, key, one)))
    return decided


def _max_t(trial: Trial, outcomes: Sequence[TestOutcome], keys: Sequence[Key]) -> list[float]:
    tests = list(dict.fromkeys(outcome.test for outcome in outcomes))
    nulls = [outcome.distribution for outcome in outcomes if outcome.distribution is not None]
    if len(nulls) < len(outcomes) or len(tests) > 1:
        raise not_shared(*tests)
    adjusted = max_t(
        [trial.delta(key) for key in keys],
        nulls,
        alternative=trial.alternative,
        slack=[tolerance(trial.magnitude(key)) for key in keys],
        null_gain=trial.null_gain,
        freedom=outcomes[0].freedom,
    )
    if trial.null_gain == 0.0:
        return adjusted
    # The p of scores that have two values may be larger than that of the resamples.
    return [max(one, outcome.p_value.p) for one, outcome in zip(adjusted, outcomes, strict=True)]
