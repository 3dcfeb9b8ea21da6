"""Comparison of systems with a baseline, or of all with each other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain import cautions
from truegain.changed_segments import ChangedPair
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, command, one_of
from truegain.experiment import Experiment, changed_pairs, check_gains, check_options, clip_difference, gain
from truegain.experiment.variability import variability, with_development
from truegain.inference import results as rows
from truegain.inference.effects import effect_of
from truegain.inference.intervals import Alpha, Interval, IntervalMethod, bootstrap_interval, of_bootstrap, overlap
from truegain.inference.multiplicity import MAXT, adjust, max_t
from truegain.inference.pvalues import tolerance
from truegain.inference.results import Comparison, SystemScore, Variability
from truegain.inference.variance import design_effect
from truegain.notes import Finding, Note
from truegain.procedures.base import Key, Pair, Stopping, TestOutcome, Trial, check_null_gain
from truegain.procedures.lookup import chosen_test, findings_by_name, first_claim
from truegain.procedures.proportions import within_range
from truegain.registry import TESTS
from truegain.resampling.units import Units
from truegain.results import Result, completed, no_entry, with_metric
from truegain.rows import Number, field, record
from truegain.settings import Family
from truegain.settings.compare import CompareOptions
from truegain.settings.function import takes
from truegain.statistics import mean_of_runs
from truegain.studies import compared
from truegain.studies.compared import Groups
from truegain.studies.given import corpus_of, development_of
from truegain.studies.human import HumanAgreement, human_agreement, people_findings, share_of
from truegain.version import __version__
from truegain.words import Sentence, describe_testset, listing, null_words

if TYPE_CHECKING:
    from truegain.report.model import Table
    from truegain.report.page import Section

_COLUMNS = (
    "metric baseline system baseline_score system_score baseline_standard_error system_standard_error delta "
    "standard_error ci_method ci_low ci_high null_gain p p_mc_low p_mc_high "
    "p_adjusted adjust test asked unit n_units design_effect resamples seed alternative claim=claim_text "
    "claim_runs claim_unit significant better ci_overlap marked caveats notes wins=effect_wins ties=effect_ties "
    "losses=effect_losses standardized=effect_standardized"
)
_COLUMNS_OF_PEOPLE = "human_share=share human_low=low human_high=high"
_NAMED = 3  # systems in a heading
_LISTED, _MOST_LISTED = 10, 3_000  # segments each way for a pair and metric, and in all
_FIXED = 10_000  # resamples of intervals, and of tests with a fixed number, if tests may choose their own
_OF_OUTCOMES = ("test", "unit", "n_units", "alternative", "claim", "notes")  # fields that comparisons have of them
_OVER_UNITS = ("ar", "bootstrap", "stationary-bootstrap")

NOT_LISTED = Sentence("The segments that moved most are not listed: {reason}")


class CompareResult(Result, tag="compare", kw_only=True, rename={"scores": "systems"}):
    """Every system against the baseline, or every two systems, under every metric.

    ``result["bleu", "new"]`` is the comparison of one system with the baseline (of all pairs, with the first system)
    under one metric, by the first test if there are several; ``result["bleu", "new", "bootstrap"]`` by another.
    With one metric ``result["new"]`` will do. :meth:`pair` finds any pair.
    """

    title = "Is the gain real?"
    study: ClassVar[str] = "compare"

    testset: Annotated[rows.TestSet, field("The test set.")]
    metrics: rows.Metrics
    scores: rows.Scores
    comparisons: Annotated[
        tuple[Comparison, ...],
        field("Metric by metric, of every system with the baseline, or of every pair.", min_length=1),
    ]
    baseline: Annotated[str | None, field("The baseline; none if all systems are compared with each other.")]
    alpha: Alpha
    unit: Annotated[rows.Unit, field("What the intervals draw; a test may have a unit of its own.")]
    n_units: Annotated[rows.Units, field("The number of units that the intervals draw.")]
    resamples: Annotated[Number, field("The number of resamples of the intervals.")]
    variability: Annotated[
        tuple[Variability, ...], field("How scores vary over runs and test sets; empty if no system has several runs.")
    ] = ()
    null_gain: Annotated[float, field("The gain of the null hypothesis.")] = 0.0
    changed_segments: Annotated[
        tuple[ChangedPair, ...], field("The segments that changed most between the median runs of each pair.")
    ] = ()
    standard_errors: rows.StandardErrors = False
    groups: Annotated[Groups | None, field("Gains by group, if they were asked for.")] = None
    human_agreement: Annotated[HumanAgreement | None, field("What gains mean to people, if it was asked for.")] = None

    def heading(self) -> str:
        """Name the systems, or say how many there are, and what they are compared with."""
        names = list(dict.fromkeys(score.name for score in self.scores if score.name != self.baseline))
        who = listing(names) if len(names) <= _NAMED else f"{len(names)} systems"
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
            names = (one.metric, one.baseline, one.system)
            if names == (metric, baseline, system) and test in (None, one.test, one.asked):
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
        columns = _COLUMNS if self.groups is None else f"group {_COLUMNS}"
        if self.human_agreement is not None:
            columns = f"{columns} {_COLUMNS_OF_PEOPLE}"
        records = []
        for one in self.comparisons:
            old, new = (self.score(one.metric, name) for name in (one.baseline, one.system))
            scores = {
                "group": "",
                "baseline_score": old.score,
                "system_score": new.score,
                "baseline_standard_error": old.standard_error,
                "system_standard_error": new.standard_error,
            }
            records.append(record(columns, scores, _texts(one), one, self, share_of(self.human_agreement, one)))
        if self.groups is not None:
            for of_group in self.groups.gains:
                tested = [of_group.comparison] if of_group.comparison is not None else []
                records.append(record(columns, of_group, *map(_texts, tested), *tested))
        return records

    def tables(self, decimals: int | None) -> Iterator[Any]:
        """Yield systems by metrics, gains by group, and what every test says."""
        yield from compared.tables(self, decimals)
        if self.groups is not None:
            from truegain.studies.parts import group_tables

            yield from group_tables(self, decimals)
        yield from compared.tests_tables(self, decimals)

    def as_table(self, layout: str, decimals: int | None) -> Table:
        """Return one table to be pasted into a paper."""
        from truegain.studies.layouts import table_of

        return table_of(self, layout, decimals)

    def appendix(self, *, decimals: int | None = None) -> tuple[Section, ...]:
        """Return the segments that changed most, if they were asked for."""
        from truegain.report.page import Section
        from truegain.view import segments_item

        if not (pairs := tuple(pair for pair in self.changed_segments if pair.up or pair.down)):
            return ()
        return (Section("Segments that moved most", (segments_item(self, pairs, decimals),)),)

    def primary_tests(self, metric: str | None = None) -> list[Comparison]:
        """Return the comparisons that verdicts use, under one metric or all: of several tests the first."""
        first: dict[tuple[str, str, str], Comparison] = {}
        for one in self.comparisons:
            if metric in (None, one.metric):
                first.setdefault((one.metric, one.baseline, one.system), one)
        return list(first.values())

    @property
    def adjusts(self) -> bool:
        """Return whether p-values are adjusted for the number of comparisons."""
        return self.comparisons[0].adjust != "none"


def _texts(one: Comparison) -> dict[str, list[str]]:
    return {"caveats": [caveat.text for caveat in one.caveats], "notes": [str(note) for note in one.notes]}


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
    experiment, resamples, level = trial.experiment, trial.resamples, 1.0 - options.alpha
    families = _families(trial, _choices(options))
    variable = variability(experiment, resamples, development)
    listed, notes = _moved(trial, options.changed_segments, variable)
    result = CompareResult(
        testset=experiment.testset(development),
        metrics=experiment.metric_infos(),
        scores=experiment.system_results(resamples, level, options.interval),
        comparisons=tuple(_compared(trial, families, options)),
        baseline=corpus.systems[pairs[0].baseline].name if options.family == "baseline" else None,
        alpha=options.alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=resamples,
        signature="",
        variability=variable,
        changed_segments=listed,
        null_gain=options.null_gain,
        standard_errors=options.standard_errors,
    )
    of_groups: Iterable[Finding] = ()
    if options.by is not None:
        from truegain.studies.parts import group_findings, groups_of

        groups = groups_of(corpus, options.changed(human_agreement=None), pairs, compare_corpus)
        result = replace(result, groups=groups)
        of_groups = group_findings(result)
    if options.human_agreement is not None:
        given, primary = options.human_agreement, result.primary_tests()
        meaning, unknown = human_agreement(given, result.metrics, primary, level)
        result, notes = replace(result, human_agreement=meaning), [*notes, *unknown]
    item = corpus.item_noun
    return replace(
        result,
        about=describe_testset(result.testset, result.scores, item),
        findings=(*compared.answer(result, item), *of_groups, *people_findings(result)),
        notes=(*compared.limits(trial, families, options, result), *notes),
        ending=compared.ending(result),
        methods=compared.methods(result, item),
        signature=_signature(result, trial, families, options),
    )


def _checked(corpus: Corpus, options: CompareOptions) -> CompareOptions:
    """Refuse options that do not go together; return them with blocks as units if the test draws these."""
    check_options(options)
    choices, null_gain = _choices(options), options.null_gain
    if not choices:
        raise InputError("there is no test to compare with", hint=f"choose among {', '.join(('auto', *TESTS))}")
    if not math.isfinite(null_gain):
        raise InputError(f"the gain of the null hypothesis must be a finite number; got {null_gain:g}")
    for choice in choices:
        if choice not in ("auto", *TESTS):
            raise one_of("test", choice, ["auto", *TESTS])
        if choice != "auto":
            check_null_gain(choice, null_gain)
    if options.resamples == "auto" and options.adjust == MAXT:
        raise InputError(
            "maxt needs as many resamples of every comparison",
            hint=("give their number: ", Setting("resamples", 10000)),
        )
    if choices[0] == "exact" and options.adjust == MAXT:  # also if the swaps turn out too many to be counted
        raise cautions.not_shared("exact")
    if options.changed_segments is not None and options.changed_segments < 0:
        raise InputError(f"the number of segments to list must be 0 or more; got {options.changed_segments}")
    blocks = "stationary-bootstrap" in choices
    if options.by is not None:
        from truegain.studies.grouping import check_grouping

        check_grouping(corpus, options.by, "block" if blocks else options.unit)
    if choices[0] == "stationary-bootstrap" and options.unit in ("auto", "segment"):
        options = options.changed(unit="block")
    drawn = options.unit == "block" or blocks
    cautions.check_blocks(unit=options.unit, block_length=options.block_length, interval=options.interval, drawn=drawn)
    return options


def _choices(options: CompareOptions) -> tuple[str, ...]:
    return (options.test,) if isinstance(options.test, str) else tuple(options.test)


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
    base = names.index(baseline or names[0])
    return tuple(Pair(base, s) for s in range(len(names)) if s != base)


def _trial(corpus: Corpus, options: CompareOptions, pairs: tuple[Pair, ...], prepared: Experiment | None) -> Trial:
    """Score the systems, and return what tests are asked."""
    experiment = prepared or Experiment.of(corpus, options, compared=pairs)
    if prepared is None:
        check_gains(experiment, "null_gain", [options.null_gain] * len(experiment.statistics.blocks))
    cautions.check_several_units(experiment)
    if options.unit == "block":
        experiment = experiment.in_blocks([(pair.baseline, pair.system) for pair in pairs])
    resamples, stopping = options.resamples, None
    if resamples == "auto":
        resamples, stopping = _FIXED, Stopping(options.adjust, len(pairs))
    return Trial(
        experiment,
        pairs,
        options.alternative,
        options.alpha,
        resamples,
        stopping,
        options.null_gain,
        joint=options.adjust == MAXT,
        inverted=options.interval == "test",
    )


def _families(trial: Trial, choices: Sequence[str]) -> list[compared.Tests]:
    """Return the primary tests, and others: as asked for, or those of the other claims of several runs or raters."""
    families = [
        {key: chosen_test(trial, key) if choice == "auto" else choice for key in trial.keys} for choice in choices
    ]
    if tuple(choices) == ("auto",):
        systems = trial.experiment.corpus.systems
        several = [key for key, name in families[0].items() if name == "crossed"]
        regrouped = [key for key in several if min(systems[s].replicas for s in key[1]) > 1 and trial.null_gain == 0.0]
        rated = [key for key, name in families[0].items() if name == "raters"]
        families += [
            {key: first_claim(trial, key) for key in several},
            dict.fromkeys(regrouped, "run-permutation"),
            {key: first_claim(trial, key) for key in rated},
        ]
    return [tests for place, tests in enumerate(families) if tests and tests not in families[:place]]


def _compared(trial: Trial, families: Sequence[compared.Tests], options: CompareOptions) -> Iterator[Comparison]:
    """Yield the decided comparisons, metric by metric; every test runs once, on all pairs that any family gives it."""
    chosen = _choices(options) == ("auto",) and not trial.joint
    outcomes: dict[tuple[str, Key], TestOutcome] = {}
    for name in dict.fromkeys(name for tests in families for name in tests.values()):
        asked = {key: name for key in trial.keys if any(tests.get(key) == name for tests in families)}
        for key, outcome in findings_by_name(trial, asked).items():
            ranged = chosen and name in _OVER_UNITS
            outcomes[name, key] = within_range(trial, key, outcome) if ranged else outcome
    measured = {key: _measured(trial, key, options.interval) for key in trial.keys}
    metrics = range(len(trial.experiment.statistics.blocks))
    for m, (number, tests) in itertools.product(metrics, enumerate(families)):
        of_metric = {key: outcomes[name, key] for key, name in tests.items() if key[0] == m}
        family = [_comparison(trial, key, measured[key], one, tests[key]) for key, one in of_metric.items()]
        if family:
            yield from _decided(trial, family, of_metric, options.adjust, primary=number == 0)


def _measured(trial: Trial, key: Key, method: IntervalMethod) -> tuple[Interval, dict[str, Any]]:
    """Return what of a comparison does not depend on the test: the bootstrap's interval of the gain, and fields."""
    if trial.apart:
        key, trial = (key[0], Pair(0, 1)), trial.alone(key[1])
    experiment, (m, pair) = trial.experiment, key
    block = experiment.statistics.blocks[m]
    resampled = experiment.bootstrap(trial.resamples)
    scores = [resampled[m, pair.baseline], resampled[m, pair.system]]
    level, delta = 1.0 - trial.alpha, trial.delta(key)
    left_out = None
    if method == "bca":
        left = experiment.left_out[m]
        left_out = gain(block.metric, left[pair.baseline], left[pair.system])
    segment_differences, slack = trial.segment_gains(key)
    interval = bootstrap_interval(
        delta,
        gain(block.metric, *scores),
        level=level,
        method=of_bootstrap(method),
        factor=experiment.factor(level),
        left_out=left_out,
    )
    systems = experiment.corpus.systems
    return interval, {
        "metric": block.key,
        "baseline": systems[pair.baseline].name,
        "system": systems[pair.system].name,
        "delta": delta,
        "seed": experiment.seed,
        "design_effect": _design_effect(trial, key),
        "effect": effect_of(segment_differences, slack=slack) if np.isfinite(segment_differences).all() else None,
        "overlap": overlap(*scores, level=level),
        "standard_error": experiment.standard_error(m, pair.baseline, pair.system),
    }


def _design_effect(trial: Trial, key: Key) -> float | None:
    """Return how much larger the difference's variance is with documents as units; None if they are not known."""
    experiment, (m, pair) = trial.experiment, key
    block, ids = experiment.statistics.blocks[m], experiment.corpus.documents
    if ids is None or (documents := Units.documents(ids)).count < 2:
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


def _comparison(
    trial: Trial, key: Key, measured: tuple[Interval, dict[str, Any]], outcome: TestOutcome, asked: str
) -> Comparison:
    """Return the comparison by a test, not decided yet; ``asked`` is the name that the test was asked for by."""
    experiment, (m, pair), (bootstrap, fields) = trial.experiment, key, measured
    interval = outcome.interval or bootstrap
    if outcome.interval is not None and outcome.test == "crossed":  # two claims must hold: what covers both intervals
        first = outcome.first or bootstrap
        interval = replace(interval, low=min(interval.low, first.low), high=max(interval.high, first.high))
    error = outcome.standard_error
    if error is None and outcome.claim.new_runs and outcome.claim.unit is None:
        from truegain.procedures.replicas import standard_error_over_runs

        error = standard_error_over_runs(trial, key)
    elif error is None:
        error = fields["standard_error"]
    one = Comparison(
        **fields | {"standard_error": error},
        **{name: getattr(outcome, name) for name in _OF_OUTCOMES},
        **clip_difference(interval, experiment.limits(m, pair.baseline, pair.system)).fields,
        **outcome.p_value.fields,
        p_adjusted=outcome.p_value.p,
        adjust="none",
        asked=asked,
        null=null_words(
            outcome.test,
            system=fields["system"],
            baseline=fields["baseline"],
            unit=outcome.unit,
            alternative=outcome.alternative,
            null_gain=trial.null_gain,
            training_data=outcome.claim.training_data,
            rater=outcome.claim.rater_noun,
        ),
        significant=False,
        better=None,
    )
    drawn = trial.alone(pair).experiment if trial.apart else experiment
    return replace(one, caveats=cautions.caveats_of(drawn, one, outcome))


def _decided(
    trial: Trial, family: Sequence[Comparison], outcomes: dict[Key, TestOutcome], adjustment: str, *, primary: bool
) -> Iterator[Comparison]:
    """Adjust over the family, and decide, if one way is the better one."""
    tests = list(dict.fromkeys(outcome.test for outcome in outcomes.values()))
    nulls = [outcome.distribution for outcome in outcomes.values() if outcome.distribution is not None]
    if adjustment == MAXT and not primary and (family[0].asked == "exact" or len(nulls) < len(family)):
        adjustment = "holm"  # a further test, without resamples to share
    if adjustment != MAXT:
        adjusted = adjust([one.p for one in family], adjustment)
    elif len(nulls) < len(family) or len(tests) > 1:
        raise cautions.not_shared(*tests)
    else:
        adjusted = max_t(
            [one.delta for one in family],
            nulls,
            alternative=trial.alternative,
            slack=[tolerance(trial.magnitude(key)) for key in outcomes],
            null_gain=trial.null_gain,
            freedom=next(iter(outcomes.values())).freedom,
        )
        if trial.null_gain != 0.0:  # the p of scores that have two values may be larger than that of the resamples
            adjusted = [max(p, one.p) for p, one in zip(adjusted, family, strict=True)]
    more = "undecided" if trial.stopping is not None else "use more resamples to decide"
    for (key, outcome), one, p in zip(outcomes.items(), family, adjusted, strict=True):
        favours = outcome.direction * (one.delta - trial.null_gain) > 0
        directed = trial.metric(key).higher_is_better is not None
        one = replace(one, adjust=adjustment, p_adjusted=p)
        one = compared.judged(
            one, trial.alpha, null_gain=trial.null_gain, favours=favours, directed=directed, more=more
        )
        yield replace(one, caveats=cautions.harmful_caveats(trial, key, one))


def _moved(
    trial: Trial, asked: int | None, variable: Sequence[Variability]
) -> tuple[tuple[ChangedPair, ...], list[Note]]:
    """Return the segments that changed most, or a note on why they are not listed."""
    panels = len(trial.pairs) * len(trial.experiment.statistics.blocks)
    count = min(_LISTED, _MOST_LISTED // (2 * panels)) if asked is None else asked
    if asked is None and count == 0:
        return (), [Note("no-segments", NOT_LISTED(reason=f"there are {panels:,} pairs and metrics"))]
    pairs = [(pair.baseline, pair.system) for pair in trial.pairs if count > 0]
    try:
        return changed_pairs(trial.experiment, pairs, count=count, variability=variable), []
    except InputError as error:  # a metric of the user's that has no score with two outputs swapped
        return (), [Note("no-segments", NOT_LISTED(reason=error.message))]


def _signature(result: CompareResult, trial: Trial, families: Sequence[compared.Tests], options: CompareOptions) -> str:
    """Name all choices in one line; the unit of the intervals, too, if that is another than that of the tests."""
    units, drawn = trial.experiment.units, cautions.units_signature(trial.experiment.units)
    deciding = [one for one in result.comparisons if one.asked in families[0].values()]
    kinds = list(dict.fromkeys(one.unit for one in deciding))
    sides = "+".join(dict.fromkeys(one.alternative for one in deciding))
    samples = [len(system.samples) for system in trial.experiment.corpus.systems]
    parts = [f"test:{'+'.join(dict.fromkeys(name for tests in families for name in tests.values()))}"]
    if kinds in ([units.kind], [units.noun]):
        parts += [drawn, f"alternative:{sides}"]
    else:
        parts += [f"unit:{'+'.join(kinds)}", f"alternative:{sides}", f"ci-{drawn}"]
    if options.null_gain != 0.0:
        parts.append(f"null-gain:{options.null_gain:g}")
    parts.append(f"alpha:{options.alpha:g}")
    if any(samples):
        parts.append(f"training-samples:{'+'.join(map(str, samples))}")
    if options.by is not None:
        parts.append(f"by:{options.by}")
    if result.human_agreement is not None:
        parts.append(f"human-agreement:{result.human_agreement.fingerprint}")
    parts += [f"family:{options.family}", f"adjust:{options.adjust}", f"ci:{options.interval}"]
    return "|".join([*parts, f"R:{options.resamples}", f"seed:{options.seed}", f"version:{__version__}"])
