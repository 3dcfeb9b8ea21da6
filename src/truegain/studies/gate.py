"""Gates: one baseline, one candidate, and what is required of the difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from msgspec import structs

from truegain.cautions import (
    check_blocks,
    check_directions,
    check_several_units,
    correlation_notes,
    one_run_notes,
    size_note,
    units_signature,
)
from truegain.corpus import Corpus
from truegain.errors import NAME, InputError, Setting, command, one_of
from truegain.experiment import Experiment, Limits, check_gains, check_options
from truegain.inference.claims import narrowest
from truegain.inference.intervals import Alpha, Level
from truegain.inference.margins import MOST_ITEMS
from truegain.inference.pvalues import straddling
from truegain.inference.results import (
    MetricInfo,
    Metrics,
    Scores,
    TestedPair,
    TestName,
    TestSet,
    Unit,
    Units,
)
from truegain.notes import Finding, Note, Tone
from truegain.procedures.base import Key, Pair, TestOutcome, Trial, neighbour_caveats
from truegain.procedures.lookup import chosen_test, findings_by_name
from truegain.registry import TESTS
from truegain.report.model import Cell, Column, Table
from truegain.results import Result
from truegain.rows import Baseline, NonNegative, Number, Seed, System, field, record
from truegain.settings.function import takes
from truegain.settings.gate import GateOptions, Requirement
from truegain.studies.given import check_pair, corpus_of
from truegain.version import __version__
from truegain.view import Digits, digits_of, table
from truegain.words import (
    Sentence,
    as_given,
    describe_testset,
    heading_of,
    level_words,
    listing,
    null_words,
    units_words,
    whole,
)

_DRAWN = ("bootstrap", "stationary-bootstrap", "crossed")
_COLUMNS = (
    "metric baseline system passed require baseline_score system_score delta p resamples test unit n_units alternative "
    "null claim=claim_text claim_runs claim_unit notes caveats margin null_gain alpha lower upper same needed p_mc_low "
    "p_mc_high"
)

BETTER = Sentence("PASS: {system} is better than {baseline} in {metrics}.")
BETTER_BY = Sentence("PASS: {system} is better than {baseline} by more than {margin} in {metrics}.")
NOT_WORSE = Sentence("PASS: {system} is not worse than {baseline} by more than {margin} in {metrics}.")
NO_LOSS = Sentence("PASS: no loss of {system} against {baseline} is shown in {metrics}.")
NOT_BETTER = Sentence("FAIL: {system} is not shown to be better than {baseline} in {metrics}.")
NOT_BETTER_BY = Sentence("FAIL: {system} is not shown to be better than {baseline} by more than {margin} in {metrics}.")
MAY_BE_WORSE = Sentence("FAIL: {system} may be worse than {baseline} by more than {margin} in {metrics}.")
WORSE = Sentence("FAIL: {system} is worse than {baseline} in {metrics}.")
WORSE_BY = Sentence("FAIL: {system} is worse than {baseline} by more than {margin} in {metrics}.")
NOTHING_CHANGED = Sentence(
    "FAIL: {system} and {baseline} have identical scores on every {item} in {metrics}, so no gain can be shown."
)
DOUBTED = Sentence("In {metrics} this is not reliable: {reasons}.")
#: By requirement and outcome: with a margin of 0, or none, and with another.
VERDICTS = {
    ("better", "passed"): (BETTER, BETTER_BY),
    ("better", "not shown"): (NOT_BETTER, NOT_BETTER_BY),
    ("better", "lost"): (WORSE, WORSE),
    ("not-worse", "passed"): (BETTER, NOT_WORSE),
    ("not-worse", "not shown"): (NOT_BETTER, MAY_BE_WORSE),
    ("not-worse", "lost"): (WORSE, WORSE_BY),
    ("no-loss-shown", "passed"): (NO_LOSS, NO_LOSS),
    ("no-loss-shown", "lost"): (WORSE, WORSE),
}

EXTENDS = Sentence("The answer is about {claim}")
REACH = Sentence("On this test set it takes Δ above {gains} to pass")
REACH_AFTER_LOSS = Sentence("On this test set it takes Δ of at least {gains} to pass")
NO_REACH = Sentence("So few {unit}s vary that no Δ would pass in {metrics}")
NO_PROOF = Sentence("This does not prove the absence of a loss, which may be as large as {losses} ({level} bound)")
NO_BOUND = Sentence("With so few data, how large a loss in {metrics} may be is unknown")
IDENTICAL = Sentence("{system} and {baseline} have identical scores on every {item} in {metrics}")
UNSEEN = Sentence("Scores do not show outputs: if these differ, other scores on {share:.1f} % of {unit}s are possible")
NO_MARGIN = Sentence("A margin of 0 allows no loss at all: a gain must be shown, as with better")
SEGMENTS_AS_UNITS = Sentence("Segments are taken as independent, though documents are known")

ENDING = Sentence("{tests}, one-sided {level}")
ENDING_DRAWN = Sentence("{tests}, one-sided {level}, {resamples:,} resamples, seed {seed}")

METHODS = Sentence(
    "{system} and {baseline} were compared in {metrics} by {tests} over {units}, one-sided, at a level of {level}, "
    "against a gain of {gains}."
)
ALL_PASS = Sentence(
    "All metrics must pass, an intersection–union test (Berger 1982): a system that falls short in one of them passes "
    "with a probability of at most {level}, without any adjustment."
)
ANY_FAILS = Sentence(
    "Any of the {count} metrics can fail the gate, so each was tested at a level of {level} (Bonferroni)."
)
EXTENDS_METHODS = Sentence("The verdict extends to {claim}.")
MEANS = Sentence("Scores are means over runs.")
TANGO = Sentence("Up to {most:,} independent items, p is exact; over clusters it is corrected for skewness.")
CROSSED = Sentence("These runs alone were tested with the paired bootstrap, with {resamples:,} resamples.")
RESAMPLES = Sentence("The test drew {resamples:,} resamples.")
BOUNDS = Sentence(
    "Bounds are one-sided and follow from the same distributions as the p-values (truegain {version}, seed {seed})."
)
#: What else is said of a test.
TEST_METHODS = {
    "tango": TANGO,
    "crossed": CROSSED,
    "bootstrap": RESAMPLES,
    "stationary-bootstrap": RESAMPLES,
}


class GateCheck(TestedPair, kw_only=True, rename={"lower_end": "lower", "upper_end": "upper", "gain_needed": "needed"}):
    """Pair of systems under a metric that lets the system pass, or not."""

    test: TestName
    alternative: Annotated[Literal["greater", "less"], field("The side that the test looks at.")]
    margin: Annotated[
        NonNegative | None,
        field("The gain that must be exceeded (better), the loss that is allowed (not-worse); none for no-loss-shown."),
    ]
    null_gain: Annotated[
        float,
        field(
            "What the gain is held against: the margin (better), less than nothing by the margin (not-worse), or 0 "
            "(no-loss-shown). The null hypothesis is that the gain is at most that (better, not-worse), or at least.",
            "margin",
            "given",
        ),
    ]
    alpha: Annotated[
        Level,
        field(
            "The level of this check: that of the gate, and for no-loss-shown that divided by the number of metrics."
        ),
    ]
    lower_end: Annotated[
        float | None,
        field(
            "The one-sided lower bound of the gain at 1 − alpha, from the same distribution as p: better and not-worse "
            "pass if it is above null_gain. None if there are too few data.",
            "at least",
            "gain",
        ),
    ]
    upper_end: Annotated[
        float | None,
        field(
            "The one-sided upper bound of the gain at 1 − alpha: no-loss-shown passes if it is at least 0. None "
            "if there are too few data.",
            "at most",
            "gain",
        ),
    ]
    passed: Annotated[bool, field("Whether this metric lets the system pass.")]
    same: Annotated[bool, field("Whether the two systems have the same statistics on every segment.")]
    gain_needed: Annotated[
        float | None,
        field(
            "The gain above which (no-loss-shown: from which on) the system passes here, were the spread the same; "
            "none if there is none."
        ),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        upwards = self.alternative == "greater"
        spread = self.delta - self.lower if upwards else self.delta - self.upper
        self._derive(gain_needed=None if math.isinf(spread) else self.null_gain + spread)

    @property
    def lower(self) -> float:
        """The lower bound, of which there may be none."""
        return -math.inf if self.lower_end is None else self.lower_end

    @property
    def upper(self) -> float:
        """The upper bound, of which there may be none."""
        return math.inf if self.upper_end is None else self.upper_end

    @property
    def shown(self) -> bool:
        """Return whether p is small enough: a gain is shown (better, not-worse), or a loss (no-loss-shown)."""
        return self.passed == (self.alternative == "greater")

    @property
    def lost(self) -> bool:
        """Return whether a loss is shown that fails the gate: any, or one above the margin that is allowed."""
        if self.alternative == "less":
            return not self.passed
        return not self.caveats and self.upper < min(self.null_gain, 0.0)

    @property
    def unchanged(self) -> bool:
        """Return whether identical scores alone explain the outcome, which they do not for new runs and new items."""
        explained = self.passed == (self.alternative == "less" or self.null_gain < 0.0)
        return self.same and explained and (not self.passed or self.lower >= self.delta)


class GateResult(Result, tag="gate", kw_only=True, rename={"scores": "systems"}):
    """Decision on whether a system passes, and its reasons.

    ``result.passed`` is the answer, and the truth value; ``result["bleu"]`` is what one metric says.
    """

    title = "Gate"
    study: ClassVar[str] = "gate"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    checks: Annotated[tuple[GateCheck, ...], field("One per metric; all must pass.", min_length=1)]
    baseline: Baseline
    system: System
    require: Annotated[Requirement, field("What was required of the system.")]
    alpha: Annotated[Alpha, field("The level of the tests, which are one-sided.")]
    unit: Unit
    n_units: Units
    resamples: Annotated[Number, field("The number of resamples.")]
    seed: Annotated[Seed, field("The seed of the resamples.")]
    passed: Annotated[bool, field("Whether every metric lets the system pass.")] = False

    def __post_init__(self) -> None:
        self._derive(passed=all(check.passed for check in self.checks))

    def heading(self) -> str:
        """Name the candidate and the baseline."""
        return f"Gate: {self.system} against {self.baseline}"

    def __bool__(self) -> bool:
        return self.passed

    def __getitem__(self, metric: str) -> GateCheck:
        for check in self.checks:
            if check.metric == metric:
                return check
        raise KeyError(metric)

    def __iter__(self) -> Iterator[GateCheck]:
        return iter(self.checks)

    def metric(self, key: str) -> MetricInfo:
        """Return a metric as it was used."""
        return next(metric for metric in self.metrics if metric.key == key)

    def score(self, metric: str, system: str) -> float:
        """Return the score of a system under a metric."""
        return next(score.score for score in self.scores if (score.metric, score.name) == (metric, system))

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield a table with a row per metric: scores, gain, bounds and margin."""
        ends = "lower_end upper_end" if self.require == "no-loss-shown" else "lower_end null_gain"
        directed = all(metric.higher_is_better for metric in self.metrics)
        headings = {} if directed else {"delta": "Δ (+ is better)"}
        scores = {(score.metric, score.name): score for score in self.scores}
        rows = []
        for check in self.checks:
            metric = self.metric(check.metric)
            old, new = (scores[check.metric, name] for name in (self.baseline, self.system))
            joined = {"old": old, "new": new, "": check}
            digits = digits_of(self, metric, decimals)
            row = table([joined], f"old.score new.score delta {ends}", digits, headings=headings)
            rows.append((Cell(heading_of(metric)), *row.rows[0]))
        columns = (Column("", "left"), Column(self.baseline), Column(self.system), *row.columns[2:])
        yield Table(columns, tuple(rows), f"The gain of {self.system} over {self.baseline}")

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per metric."""
        return [
            record(
                _COLUMNS,
                {
                    "baseline_score": self.score(check.metric, check.baseline),
                    "system_score": self.score(check.metric, check.system),
                    "caveats": [caveat.text for caveat in check.caveats],
                    "notes": [str(note) for note in check.notes],
                },
                check,
                self,
            )
            for check in self.checks
        ]


@takes(GateOptions)
def gate(options: GateOptions) -> GateResult:
    """Decide whether a system may take the place of a baseline.

    ``better`` passes if a gain above ``margin`` is shown: its lower bound, one-sided at ``alpha``, is above the margin.

    ``not-worse`` passes if a loss above ``margin`` is ruled out: the lower bound is above minus the margin
    (non-inferiority). A margin of 0 asks for a gain, so identical outputs fail.

    Of these two every metric must pass; this is an intersection–union test (Berger 1982), which needs no adjustment.

    ``no-loss-shown`` fails only if a loss is shown: the upper bound is below 0. Any metric can fail it, so each is
    tested at ``alpha`` divided by their number. To pass it does not prove the absence of a loss; the result says how
    large it may be.
    """
    options = _checked(options)
    experiment, pair, margins = _prepared(options)
    corpus = experiment.corpus

    # With no-loss-shown, any metric can fail the gate: Bonferroni. Otherwise all must pass, which needs no adjustment.
    level = options.alpha / len(margins) if options.require == "no-loss-shown" else options.alpha
    trial = Trial(experiment, (pair,), alpha=level, resamples=options.resamples, bounded=True)
    tests = [chosen_test(trial, key) if options.test == "auto" else options.test for key in trial.keys]
    _check_resamples(options, tests, level)

    testset = experiment.testset()
    scores = experiment.system_results(None, 1.0 - options.alpha, "percentile")
    baseline, system = (corpus.systems[s].name for s in (pair.baseline, pair.system))
    result = GateResult(
        testset=testset,
        metrics=experiment.metric_infos(),
        scores=scores,
        checks=_checks(trial, tests, options.require, margins),
        baseline=baseline,
        system=system,
        require=options.require,
        alpha=options.alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=options.resamples,
        seed=options.seed,
        about=describe_testset(testset, scores, corpus.item_noun),
        signature=_signature(options, experiment, tests, margins),
    )
    return structs.replace(
        result,
        findings=_findings(result, corpus.item_noun),
        notes=(
            size_note(corpus, experiment.units, runs=[len(one.runs) for one in corpus.systems]),
            *_answer_notes(result, corpus.item_noun),
            *_input_notes(trial, tests, options, margins),
        ),
        ending=_ending(result),
        methods=_methods(result, corpus.item_noun),
    )


def _checked(options: GateOptions) -> GateOptions:
    """Refuse what needs no inputs to be refused, and draw blocks for the test that does."""
    check_options(options)
    able = [name for name, entry in TESTS.items() if entry.shifted]
    if options.test != "auto" and options.test not in able:
        hint = "others can only show that two systems differ, not by how much" if options.test in TESTS else None
        raise one_of("the test of a gate", options.test, ["auto", *able], hint=hint)
    if options.test == "stationary-bootstrap" and options.unit in ("auto", "segment"):
        options = options.changed(unit="block")
    check_blocks(unit=options.unit, block_length=options.block_length)
    return options


def _prepared(options: GateOptions) -> tuple[Experiment, Pair, list[float | None]]:
    """Return the two systems under all metrics, and the margin of each metric."""
    corpus = corpus_of(options)
    pair = _pair(corpus, options.baseline, options.system)
    experiment = Experiment.of(corpus, options, compared=[pair])
    check_directions(experiment, "cannot decide a gate")
    _check_guesses(experiment)
    margins = margins_of(options.margin, [block.key for block in experiment.statistics.blocks], options.require)
    gains = [null_gain(options.require, margin) for margin in margins]
    check_gains(experiment, "margin", gains, baseline=pair.baseline)
    check_several_units(experiment)
    if options.unit == "block":
        experiment = experiment.in_blocks([(pair.baseline, pair.system)])
    return experiment, pair, margins


def _pair(corpus: Corpus, baseline: str | None, system: str | None) -> Pair:
    """Return which of two systems is the baseline, and which the candidate."""
    names = [one.name for one in corpus.systems]
    if len(names) != 2:
        raise InputError(
            f"a gate is for two systems, a baseline and a candidate; got {listing([repr(name) for name in names])}",
            hint=("give the baseline first, then the candidate; ", command("compare"), " takes any number"),
        )
    check_pair(names, baseline, system)
    if baseline is system is None and any(note.kind == "system-order" for note in corpus.notes):
        raise InputError(
            f"which system is the baseline, {names[0]!r} or {names[1]!r}? A table with a row per system and item does "
            "not say it",
            hint=("name it: ", Setting("baseline", NAME)),
        )
    first = names.index(baseline or names[0])
    if baseline is None and system is not None:
        first = 1 - names.index(system)
    return Pair(first, 1 - first)


def _check_guesses(experiment: Experiment) -> None:
    """Refuse scores that are named as if lower were better, if nobody said which way is: a gate does not guess."""
    asked = [note.scope for note in experiment.notes if note.kind == "penalties"]
    for block in experiment.statistics.blocks:
        if block.metric.label in asked and getattr(block.metric, "lower_is_better", False) is None:
            key = block.key if block.key.startswith("scores") else "scores"  # a program may name it otherwise
            setting = f"{key}{',' if ':' in key else ':'}lower_is_better"
            raise InputError(
                f"is a higher or a lower {block.metric.label} better? By the name lower may be, and a gate does not "
                "guess",
                hint=(
                    Setting("metrics", (f"{setting}=true",)),
                    " if lower is better, else ",
                    Setting("metrics", (f"{setting}=false",)),
                ),
            )


def _check_resamples(options: GateOptions, tests: Sequence[str], level: float) -> None:
    """Refuse so few resamples that no p-value can decide."""
    if not any(name in _DRAWN for name in tests) or 1 / (options.resamples + 1) <= level:
        return
    decides = "fail" if options.require == "no-loss-shown" else "pass"
    given = whole(options.resamples, "resample")
    raise InputError(
        f"with {given} no p can be as low as {level:.3g}: the gate could never {decides}",
        hint=("use more ", Setting("resamples"), f": at least {math.ceil(1 / level) - 1:,}"),
    )


def margins_of(
    given: float | Mapping[str, float] | None, keys: Sequence[str], require: Requirement
) -> list[float | None]:
    """Return the margin of every metric; None for ``no-loss-shown``, which has none."""
    if require == "no-loss-shown":
        if given is not None:
            raise InputError(
                "no-loss-shown has no margin: it fails only if a loss is shown, however small",
                hint="to rule out a loss above the margin, require not-worse",
            )
        return [None] * len(keys)
    named = _margins_by_metric(given, keys)
    missing = [key for key in keys if key not in named]
    if missing and require == "not-worse":
        raise InputError(
            f"not-worse needs a margin, the largest loss that is allowed; there is none for {', '.join(missing)}",
            hint="give a margin in points of the metric, or require no-loss-shown, which proves nothing",
        )
    for key, margin in named.items():
        if not math.isfinite(margin):
            raise InputError(f"margin must be a finite number; got {margin:g} for {key}")
        if margin < 0.0:
            hints = {
                "better": f"to allow a loss of up to {-margin:g}, require not-worse with a margin of {-margin:g}",
                "not-worse": "it is the loss that is allowed; to ask for a gain, require better",
            }
            raise InputError(f"margin must be 0 or more; got {margin:g} for {key}", hint=hints[require])
    return [named.get(key, 0.0) for key in keys]


def _margins_by_metric(given: float | Mapping[str, float] | None, keys: Sequence[str]) -> dict[str, float]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        return dict.fromkeys(keys, float(given))
    named: dict[str, float] = {}
    for name, margin in given.items():
        alike = [name] if name in keys else [key for key in keys if key.partition(":")[0] == name]
        if len(alike) != 1:
            raise one_of("the metric of a margin", name, list(keys))
        if alike[0] in named:
            raise InputError(f"there are two margins for {alike[0]}", hint="give one for each metric")
        named[alike[0]] = float(margin)
    return named


def null_gain(require: Requirement, margin: float | None) -> float:
    """Return the gain that a system must be shown to exceed, or, for no-loss-shown, not to fall short of."""
    if margin is None:
        return 0.0
    return (-margin if require == "not-worse" else margin) + 0.0  # without negative zeros


def _checks(
    trial: Trial, tests: Sequence[str], require: Requirement, margins: Sequence[float | None]
) -> tuple[GateCheck, ...]:
    """Hold every metric against its own margin; both bounds, each from the test that looks that way."""
    gains = [null_gain(require, margin) for margin in margins]
    upwards = {gain: _outcomes(trial, tests, "greater", gain) for gain in dict.fromkeys(gains)}
    downwards = {gain: _outcomes(trial, tests, "less", gain) for gain in dict.fromkeys(gains)}
    loss = require == "no-loss-shown"
    pair = trial.pairs[0]
    baseline, system = (trial.experiment.corpus.systems[s].name for s in (pair.baseline, pair.system))
    checks = []
    for m, (gain, margin) in enumerate(zip(gains, margins, strict=True)):
        key, block = (m, pair), trial.experiment.statistics.blocks[m]
        outcome = (downwards if loss else upwards)[gain][key]
        limits = trial.experiment.limits(m, pair.baseline, pair.system)
        shown = outcome.p_value.p <= trial.alpha
        dependence = neighbour_caveats(trial.experiment, (block.key, baseline, system), outcome.unit)
        checks.append(
            GateCheck(
                metric=block.key,
                baseline=baseline,
                system=system,
                delta=trial.delta(key),
                margin=margin,
                null_gain=gain,
                alpha=trial.alpha,
                **outcome.p_value.fields,
                lower_end=_bound(upwards[gain][key], limits),
                upper_end=_bound(downwards[gain][key], limits),
                alternative="less" if loss else "greater",
                test=outcome.test,
                unit=outcome.unit,
                n_units=outcome.n_units,
                null=null_words(
                    outcome.test,
                    baseline=baseline,
                    system=system,
                    unit=outcome.unit,
                    alternative=outcome.alternative,
                    null_gain=gain,
                    shifted=True,
                    rater=outcome.claim.rater_noun,
                ),
                claim=outcome.claim,
                passed=shown != loss,
                same=_same(trial, key),
                notes=(*outcome.notes, *_straddling(outcome, trial.alpha)),
                caveats=(*outcome.caveats, *dependence),
            )
        )
    return tuple(checks)


def _outcomes(
    trial: Trial, tests: Sequence[str], alternative: Literal["greater", "less"], gain: float
) -> dict[Key, TestOutcome]:
    looking = replace(trial, alternative=alternative, null_gain=gain)
    return findings_by_name(looking, dict(zip(looking.keys, tests, strict=True)))


def _bound(outcome: TestOutcome, limits: Limits) -> float | None:
    """Return the bound of the test, clipped to the least and the greatest difference; None if there is none."""
    if outcome.bound is None:
        raise RuntimeError(f"{outcome.test} gave no bound")
    low, high = limits
    return None if math.isinf(outcome.bound) else min(max(outcome.bound, low - high), high - low)


def _same(trial: Trial, key: Key) -> bool:
    m, pair = key
    block = trial.experiment.statistics.blocks[m]
    old, new = (trial.experiment.statistics.values[:, block.system_columns(s)] for s in (pair.baseline, pair.system))
    return np.array_equal(old, new)


def _straddling(outcome: TestOutcome, alpha: float) -> list[Note]:
    low, high = outcome.p_value.interval
    return [straddling("p", (low, high), alpha)] if low <= alpha < high else []


def _findings(result: GateResult, item: str) -> tuple[Finding, ...]:
    """Say whether it passed and why, and whether that is reliable."""
    outcome = "passed" if result.passed else "not shown"
    decisive = [check for check in result.checks if check.passed == result.passed]
    lost = [check for check in decisive if check.lost]
    if lost:
        outcome, decisive = "lost", lost
    plain, with_margin = VERDICTS[result.require, outcome]
    sentence = with_margin if any(check.margin for check in decisive) else plain
    if not result.passed and all(check.unchanged for check in decisive):
        sentence = NOTHING_CHANGED
    verdict = sentence(
        system=result.system,
        baseline=result.baseline,
        metrics=_labels(result, decisive),
        margin=_margin_words(result, decisive),
        item=item,
    )
    doubted = [check for check in result.checks if check.shown and check.caveats]
    if not doubted:
        return (Finding(verdict, "good" if result.passed else "bad"),)
    reasons = dict.fromkeys(caveat.text for check in doubted for caveat in check.caveats)
    tone: Tone = "warning" if result.passed else "bad"
    doubt = DOUBTED(metrics=_labels(result, doubted), reasons="; ".join(reasons))
    return Finding(verdict, tone), Finding(doubt, tone)


def _labels(result: GateResult, checks: Iterable[GateCheck]) -> str:
    return listing([result.metric(check.metric).label for check in checks])


def _margin_words(result: GateResult, checks: Sequence[GateCheck]) -> str:
    """Write the margin if it is the same for all."""
    margins = {check.margin for check in checks}
    percent = {result.metric(check.metric).percent for check in checks}
    if len(margins) > 1 or len(percent) > 1:
        return "the margin"
    margin = margins.pop() or 0.0
    return f"{100.0 * margin:g} points" if percent.pop() else f"{margin:g}"


def _answer_notes(result: GateResult, item: str) -> Iterator[Note]:
    """Yield what limits the answer: whom it is about, what it takes to pass, how large a loss may be."""
    if any(score.runs > 1 for score in result.scores):
        yield Note("claim", EXTENDS(claim=narrowest(check.claim for check in result.checks)))
    checks = [check for check in result.checks if not check.unchanged]
    unchanged = [check for check in result.checks if check.unchanged and check.passed]
    if unchanged:
        labels = _labels(result, unchanged)
        yield Note("same", IDENTICAL(system=result.system, baseline=result.baseline, item=item, metrics=labels))
    for check in unchanged:
        if result.require == "not-worse" and check.metric.partition(":")[0] == "scores":
            share = 100.0 * (1.0 - check.alpha ** (1.0 / check.n_units))  # none in so many would be no surprise
            yield Note("unseen", UNSEEN(share=share, unit=check.unit))
    kept = result.passed and result.require == "no-loss-shown"
    yield from (_loss_notes if kept else _reach_notes)(result, checks)
    for check in result.checks:
        caveats = [Note(caveat.kind, caveat.text) for caveat in check.caveats if not check.shown]
        for note in (*check.notes, *caveats):
            several = len(result.checks) > 1
            yield note.about(result.metric(check.metric).label) if several else note.capitalized()


def _reach_notes(result: GateResult, checks: Sequence[GateCheck]) -> Iterator[Note]:
    gains = {check.metric: check.gain_needed for check in checks if check.gain_needed is not None}
    if gains:
        sentence = REACH_AFTER_LOSS if result.require == "no-loss-shown" else REACH
        yield Note("reach", sentence(gains=_amounts(result, gains, Digits.gain)))
    unreached = [check for check in checks if check.gain_needed is None]
    if unreached:
        yield Note("reach", NO_REACH(unit=unreached[0].unit, metrics=_labels(result, unreached)))


def _loss_notes(result: GateResult, checks: Sequence[GateCheck]) -> Iterator[Note]:
    losses = {check.metric: -check.lower for check in checks if -math.inf < check.lower < 0.0}
    if losses:
        yield Note("no-proof", NO_PROOF(losses=_amounts(result, losses, Digits.score), level=_level(result)))
    unknown = [check for check in checks if check.lower_end is None]
    if unknown:
        yield Note("no-proof", NO_BOUND(metrics=_labels(result, unknown)))


def _amounts(result: GateResult, amounts: Mapping[str, float], write: Callable[[Digits, float], str]) -> str:
    """Write a gain or a loss for each metric: ``+0.73 in BLEU and +0.33 in chrF2``."""
    metrics = [result.metric(key) for key in amounts]
    written = [write(digits_of(result, metric), amounts[metric.key]) for metric in metrics]
    return listing([f"{amount} in {metric.label}" for amount, metric in zip(written, metrics, strict=True)])


def _input_notes(
    trial: Trial, tests: Sequence[str], options: GateOptions, margins: Sequence[float | None]
) -> Iterator[Note]:
    """Yield what to know of inputs, units and runs."""
    experiment = trial.experiment
    yield from experiment.notes
    few = experiment.few_units_note()
    if few is not None and any(name in _DRAWN for name in tests):
        yield few
    for note in experiment.unit_notes:
        yield note.capitalized()
    segments = "t" in tests or (experiment.units.kind == "segment" and "welch" not in tests)
    if segments and len(set(experiment.corpus.documents or ())) > 1:
        yield Note("segments-as-units", SEGMENTS_AS_UNITS())
    yield from correlation_notes(experiment, trial.pairs if "tango" in tests else (), scores=False)
    yield from one_run_notes(trial, trial.pairs if "crossed" in tests else ())
    if options.test == "auto" and experiment.corpus.raters is not None:
        from truegain.procedures.raters import obstacle_to_raters

        obstacle = obstacle_to_raters(experiment, trial.pairs)
        if obstacle is not None:
            yield Note("no-new-raters", obstacle.message, warning=True).capitalized()
    if options.require == "not-worse" and 0.0 in margins:
        yield Note("no-margin", NO_MARGIN())


def _level(result: GateResult) -> str:
    """Return the level of the bounds: ``95 %``."""
    return level_words(float(f"{result.checks[0].alpha:.3g}"))


def _ending(result: GateResult) -> str:
    tests = [check.test for check in result.checks]
    sentence = ENDING_DRAWN if any(name in _DRAWN for name in tests) else ENDING
    return sentence(
        tests=listing(list(dict.fromkeys(tests))), level=_level(result), resamples=result.resamples, seed=result.seed
    )


def _methods(result: GateResult, item: str) -> str:
    """Return a paragraph on how it was decided; segments are called as ``item`` says."""
    checks = result.checks
    tests = list(dict.fromkeys(check.test for check in checks))
    level = f"{100 * result.alpha:g} %"
    gains = dict.fromkeys(as_given(check.null_gain) for check in checks)
    sentences = [
        METHODS(
            system=result.system,
            baseline=result.baseline,
            metrics=_labels(result, checks),
            tests=listing([f"{TESTS[name].named} ({TESTS[name].source})" for name in tests]),
            units=units_words(checks[0].unit, checks[0].n_units, item),
            level=level,
            gains=listing(list(gains)),
        ),
        *(TEST_METHODS[name](most=MOST_ITEMS, resamples=result.resamples) for name in tests if name in TEST_METHODS),
        EXTENDS_METHODS(claim=narrowest(check.claim for check in checks)),
    ]
    if len(checks) > 1 and result.require != "no-loss-shown":
        sentences.append(ALL_PASS(level=level))
    elif len(checks) > 1:
        sentences.append(ANY_FAILS(count=len(checks), level=f"{100 * float(f'{checks[0].alpha:.3g}'):g} %"))
    if any(score.runs > 1 for score in result.scores):
        sentences.append(MEANS)
    return " ".join([*sentences, BOUNDS(version=result.version, seed=result.seed)])


def _signature(
    options: GateOptions, experiment: Experiment, tests: Sequence[str], margins: Sequence[float | None]
) -> str:
    given = [f"{margin:g}" for margin in margins if margin is not None]
    written = "+".join(given if len(set(given)) > 1 else given[:1])
    return (
        f"gate:{options.require}{f'|margin:{written}' if given else ''}|test:{'+'.join(dict.fromkeys(tests))}"
        f"|{units_signature(experiment.units)}|alpha:{options.alpha:g}|R:{options.resamples}|seed:{options.seed}"
        f"|version:{__version__}"
    )
