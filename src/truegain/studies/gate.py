"""Gates: one baseline, one candidate, and what is required of the difference."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec import structs

from truegain import cautions, words
from truegain.corpus import Corpus
from truegain.errors import NAME, InputError, Setting, command, one_of
from truegain.experiment import Experiment, Limits, check_gains, check_options
from truegain.inference.claims import narrowest
from truegain.inference.intervals import Alpha, Level
from truegain.inference.pvalues import straddling
from truegain.inference.results import MetricInfo, Metrics, Scores, TestedPair, TestSet, Unit, Units
from truegain.notes import Finding, Note, Tone
from truegain.procedures.base import Pair, Side, TestOutcome, Trial, neighbour_caveats
from truegain.procedures.lookup import chosen_test, findings_by_name
from truegain.registry import TESTS
from truegain.report.model import Cell, Column, Table
from truegain.results import Result
from truegain.rows import Baseline, NonNegative, Number, Seed, System, field, record
from truegain.settings.function import takes
from truegain.settings.gate import GateOptions, Requirement
from truegain.studies.given import check_pair, corpus_of
from truegain.version import __version__
from truegain.view import digits_of, table
from truegain.words import Sentence

_DRAWN = ("bootstrap", "stationary-bootstrap", "crossed")
_COLUMNS = (
    "metric baseline system passed require baseline_score system_score delta p resamples test unit n_units alternative "
    "null claim=claim_text claim_runs claim_unit notes caveats margin null_gain alpha lower upper same needed p_mc_low "
    "p_mc_high"
)

#: By requirement; with a margin, ``than`` is ``base by more than 0.5``. Not to be worse by more than 0 is to be better.
PASSED = {
    "better": Sentence("PASS: {system} is better than {than} in {metrics}."),
    "not-worse": Sentence("PASS: {system} is not worse than {than} in {metrics}."),
    "no-loss-shown": Sentence("PASS: no loss of {system} against {baseline} is shown in {metrics}."),
}
NOT_SHOWN = {
    "better": Sentence("FAIL: {system} is not shown to be better than {than} in {metrics}."),
    "not-worse": Sentence("FAIL: {system} may be worse than {than} in {metrics}."),
}
WORSE = Sentence("FAIL: {system} is worse than {than} in {metrics}.")
NOTHING_CHANGED = Sentence(
    "FAIL: {system} and {baseline} have identical scores on every {item} in {metrics}, so no gain can be shown."
)
DOUBTED = Sentence("In {metrics} this is not reliable: {reasons}.")

EXTENDS = Sentence("The answer is about {claim}")
IDENTICAL = Sentence("{result.system} and {result.baseline} have identical scores on every {item} in {metrics}")
REACH = Sentence("On this test set it takes Δ above {amounts} to pass")
NO_PROOF = Sentence("This does not prove the absence of a loss: Δ may be as low as {amounts}")
UNBOUNDED = Sentence("Too few {unit}s vary for a bound of Δ in {metrics}")
SEGMENTS_AS_UNITS = Sentence("Segments are taken as independent, though documents are known")

ENDING = Sentence("{tests}, one-sided {level}")
ENDING_DRAWN = Sentence("{ending}, {resamples:,} resamples, seed {seed}")

METHODS = Sentence(
    "{result.system} and {result.baseline} were compared in {metrics} by {tests} over {units}, one-sided, at a level "
    "of {level} each, against a gain of {gains}. The verdict extends to {claim}."
)
ALL_PASS = Sentence(
    "All metrics must pass, an intersection–union test (Berger 1982): a system that falls short in one of them passes "
    "with a probability of at most {level}, without any adjustment."
)
ANY_FAILS = Sentence("Any of the {count} metrics can fail the gate, which the level takes into account (Bonferroni).")
BOUNDS = Sentence("Bounds follow from the same distributions as the p-values ({ending}; truegain {result.version}).")


class GateCheck(TestedPair, kw_only=True, rename={"lower_end": "lower", "upper_end": "upper", "gain_needed": "needed"}):
    """Pair of systems under a metric that lets the system pass, or not."""

    margin: Annotated[
        NonNegative | None, field("The gain to be exceeded, or the loss that is allowed, if it was given.")
    ]
    null_gain: Annotated[float, field("The gain of the null hypothesis: plus or minus the margin.", "margin", "given")]
    alpha: Annotated[Level, field("The level: that of the gate, for no-loss-shown divided by the number of metrics.")]
    lower_end: Annotated[float | None, field("The one-sided lower bound of the gain, if any.", "at least", "gain")]
    upper_end: Annotated[float | None, field("The one-sided upper bound of the gain, if any.", "at most", "gain")]
    passed: Annotated[bool, field("Whether this metric lets the system pass.")]
    same: Annotated[bool, field("Whether the two systems have the same statistics on every segment.")]
    gain_needed: Annotated[float | None, field("The gain that would just pass here, were the spread the same.")] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        end = self.lower if self.alternative == "greater" else self.upper
        self._derive(gain_needed=None if math.isinf(end) else self.null_gain + (self.delta - end))

    @property
    def lower(self) -> float:
        """The lower bound, of which there may be none."""
        return -math.inf if self.lower_end is None else self.lower_end

    @property
    def upper(self) -> float:
        """The upper bound, of which there may be none."""
        return math.inf if self.upper_end is None else self.upper_end

    @property
    def lost(self) -> bool:
        """Return whether a loss is shown that fails the gate: any, or one above the margin that is allowed."""
        if self.alternative == "less":
            return not self.passed
        return not self.caveats and self.upper < min(self.null_gain, 0.0)


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
        ends = {"no-loss-shown": "lower_end upper_end"}.get(self.require, "lower_end null_gain")
        rows = []
        for check in self.checks:
            metric = self.metric(check.metric)
            digits, headings = digits_of(self, metric, decimals), {"delta": words.gain_heading(self.metrics)}
            shown = table([check], f"delta {ends}", digits, headings=headings)
            scores = [digits.score(self.score(metric.key, name)) for name in (self.baseline, self.system)]
            rows.append((Cell(words.heading_of(metric)), *map(Cell, scores), *shown.rows[0]))
        columns = (Column("", "left"), Column(self.baseline), Column(self.system), *shown.columns)
        yield Table(columns, tuple(rows), f"The gain of {self.system} over {self.baseline}")

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per metric."""
        records = []
        for check in self.checks:
            further = {
                "baseline_score": self.score(check.metric, check.baseline),
                "system_score": self.score(check.metric, check.system),
                "caveats": [caveat.text for caveat in check.caveats],
                "notes": [str(note) for note in check.notes],
            }
            records.append(record(_COLUMNS, further, check, self))
        return records


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
    corpus = corpus_of(options)
    pair = _pair(corpus, options.baseline, options.system)
    experiment, margins = _prepared(corpus, options, pair)

    # With no-loss-shown, any metric can fail the gate: Bonferroni. Otherwise all must pass, which needs no adjustment.
    level = options.alpha / {"no-loss-shown": len(margins)}.get(options.require, 1)
    trial = Trial(experiment, (pair,), alpha=level, resamples=options.resamples, bounded=True)
    tests = [chosen_test(trial, key) if options.test == "auto" else options.test for key in trial.keys]

    testset = experiment.testset()
    scores = experiment.system_results(None, 1.0 - options.alpha, "percentile")
    result = GateResult(
        testset=testset,
        metrics=experiment.metric_infos(),
        scores=scores,
        checks=_checks(trial, tests, options.require, margins),
        baseline=corpus.systems[pair.baseline].name,
        system=corpus.systems[pair.system].name,
        require=options.require,
        alpha=options.alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=options.resamples,
        seed=options.seed,
        about=words.describe_testset(testset, scores, corpus.item_noun),
        signature=_signature(options, experiment, tests, margins),
    )
    names = words.listing(list(dict.fromkeys(check.test for check in result.checks)))
    ending = ENDING(tests=names, level=words.level_words(float(f"{level:.3g}")))
    if set(tests).intersection(_DRAWN):
        ending = ENDING_DRAWN(ending=ending, resamples=options.resamples, seed=options.seed)
    return structs.replace(
        result,
        findings=tuple(_findings(result, corpus.item_noun)),
        notes=(*_answer_notes(result, corpus, experiment), *_input_notes(trial, tests, options)),
        ending=ending,
        methods=_methods(result, corpus.item_noun, ending),
    )


def _checked(options: GateOptions) -> GateOptions:
    """Refuse what needs no inputs to be refused, and draw blocks for the test that does."""
    check_options(options)
    able = [name for name, entry in TESTS.items() if entry.shifted]
    if options.test not in ("auto", *able):
        raise one_of("the test of a gate", options.test, ["auto", *able])
    if options.test == "stationary-bootstrap" and options.unit in ("auto", "segment"):
        options = options.changed(unit="block")
    cautions.check_blocks(unit=options.unit, block_length=options.block_length)
    return options


def _pair(corpus: Corpus, baseline: str | None, system: str | None) -> Pair:
    """Return which of two systems is the baseline, and which the candidate."""
    names = [one.name for one in corpus.systems]
    if len(names) != 2:
        raise InputError(
            f"a gate is for two systems, a baseline and a candidate; got {words.listing([*map(repr, names)])}",
            hint=("give the baseline first, then the candidate; ", command("compare"), " takes any number"),
        )
    check_pair(names, baseline, system)
    if baseline is system is None and any(note.kind == "system-order" for note in corpus.notes):
        raise InputError(
            f"which system is the baseline, {names[0]!r} or {names[1]!r}? A table with a row per system and item does "
            "not say it",
            hint=("name it: ", Setting("baseline", NAME)),
        )
    old = baseline or next(name for name in names if name != system)
    return Pair(names.index(old), 1 - names.index(old))


def _unknown_direction(key: str, label: str) -> InputError:
    """Return the refusal of scores that are named as if lower were better, if nobody said which way is."""
    scores = key if key.startswith("scores") else "scores"  # a program may name it otherwise
    setting = f"{scores}{',' if ':' in scores else ':'}lower_is_better"
    lower, higher = (Setting("metrics", (f"{setting}={answer}",)) for answer in ("true", "false"))
    return InputError(
        f"is a higher or a lower {label} better? By the name lower may be, and a gate does not guess",
        hint=(lower, " if lower is better, else ", higher),
    )


def _prepared(corpus: Corpus, options: GateOptions, pair: Pair) -> tuple[Experiment, list[float | None]]:
    """Return the two systems under all metrics, and the margin of each metric."""
    experiment = Experiment.of(corpus, options, compared=[pair])
    cautions.check_directions(experiment, "cannot decide a gate")
    guessed = {note.scope for note in experiment.notes if note.kind == "penalties"}
    for block in experiment.statistics.blocks:
        if block.metric.label in guessed:
            raise _unknown_direction(block.key, block.metric.label)
    margins = margins_of(options.margin, [block.key for block in experiment.statistics.blocks], options.require)
    check_gains(experiment, "margin", _null_gains(options.require, margins), baseline=pair.baseline)
    cautions.check_several_units(experiment)
    if options.unit == "block":
        experiment = experiment.in_blocks([(pair.baseline, pair.system)])
    return experiment, margins


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
    named: float | Mapping[str, float] = {} if given is None else given
    if not isinstance(named, Mapping):
        named = dict.fromkeys(keys, named)
    margins: dict[str, float] = {}
    for name, margin in named.items():
        alike = [name] if name in keys else [key for key in keys if key.partition(":")[0] == name]
        if len(alike) != 1 or alike[0] in margins:
            raise one_of("the metric of a margin", name, [key for key in keys if key not in margins])
        margins[alike[0]] = float(margin)
        if not 0.0 <= margins[alike[0]] < math.inf:
            loss = f"{-margins[alike[0]]:g}"
            raise InputError(
                f"margin must be a finite number of 0 or more; got {margin:g} for {alike[0]}",
                hint=f"to allow a loss of up to {loss}, require not-worse with a margin of {loss}",
            )
    missing = [key for key in keys if key not in margins]
    if missing and require == "not-worse":
        raise InputError(
            f"not-worse needs a margin, the largest loss that is allowed; there is none for {', '.join(missing)}",
            hint="give a margin in points of the metric, or require no-loss-shown, which proves nothing",
        )
    return [margins.get(key, 0.0) for key in keys]


def _null_gains(require: Requirement, margins: Sequence[float | None]) -> list[float]:
    """Return the gains that a system must be shown to exceed, or, for no-loss-shown, not to fall short of."""
    sign = {"not-worse": -1.0}.get(require, 1.0)
    return [sign * (margin or 0.0) + 0.0 for margin in margins]  # without negative zeros


def _checks(
    trial: Trial, tests: Sequence[str], require: Requirement, margins: Sequence[float | None]
) -> tuple[GateCheck, ...]:
    """Hold every metric against its own margin; both bounds, each from the test that looks that way."""
    if set(tests).intersection(_DRAWN) and 1 / (trial.resamples + 1) > trial.alpha:
        raise InputError(
            f"with {trial.resamples:,} resamples no p can be as low as {trial.alpha:.3g}: nothing could be shown",
            hint=("use more ", Setting("resamples"), f": at least {math.ceil(1 / trial.alpha) - 1:,}"),
        )
    sides: tuple[Side, Side] = ("greater", "less")
    gains, chosen = _null_gains(require, margins), dict(zip(trial.keys, tests, strict=True))
    outcomes = {
        (side, gain): findings_by_name(replace(trial, alternative=side, null_gain=gain), chosen)
        for side, gain in itertools.product(sides, dict.fromkeys(gains))
    }
    experiment, pair = trial.experiment, trial.pairs[0]
    old, new = (experiment.corpus.systems[s].name for s in pair)
    checks = []
    for m, (block, gain, margin) in enumerate(zip(experiment.statistics.blocks, gains, margins, strict=True)):
        above, below = (outcomes[side, gain][m, pair] for side in sides)
        outcome = below if require == "no-loss-shown" else above
        limits = experiment.limits(m, pair.baseline, pair.system)
        notes, (low, high) = outcome.notes, outcome.p_value.interval
        if low <= trial.alpha < high:
            notes = (*notes, straddling("p", (low, high), trial.alpha))
        of_old, of_new = (experiment.statistics.values[:, block.system_columns(s)] for s in pair)
        dependence = neighbour_caveats(experiment, (block.key, old, new), outcome.unit)
        seen: dict[str, Any] = {"baseline": old, "system": new, "unit": outcome.unit, "null_gain": gain}
        seen["alternative"] = outcome.alternative
        checks.append(
            GateCheck(
                metric=block.key,
                **seen,
                delta=trial.delta((m, pair)),
                margin=margin,
                alpha=trial.alpha,
                **outcome.p_value.fields,
                lower_end=_bound(above, limits),
                upper_end=_bound(below, limits),
                test=outcome.test,
                n_units=outcome.n_units,
                null=words.null_words(outcome.test, **seen, shifted=True, rater=outcome.claim.rater_noun),
                claim=outcome.claim,
                passed=(outcome.p_value.p <= trial.alpha) == (outcome is above),
                same=np.array_equal(of_old, of_new),
                notes=notes,
                caveats=(*outcome.caveats, *dependence),
            )
        )
    return tuple(checks)


def _bound(outcome: TestOutcome, limits: Limits) -> float | None:
    """Return the bound of the test, clipped to the least and the greatest difference; None if there is none."""
    if outcome.bound is None or math.isinf(outcome.bound):
        return None
    low, high = limits
    return min(max(outcome.bound, low - high), high - low)


def _findings(result: GateResult, item: str) -> Iterator[Finding]:
    """Say whether it passed and why, and whether that is reliable."""
    decisive = [check for check in result.checks if check.passed == result.passed]
    lost = [check for check in decisive if check.lost]
    than, require = _than(result, lost or decisive), str(result.require)
    if than == result.baseline and require == "not-worse":
        require = "better"
    if result.passed:
        sentence = PASSED[require]
    elif lost:
        sentence, decisive = WORSE, lost
        than = {"better": result.baseline}.get(result.require, than)
    elif all(check.same and check.null_gain >= 0.0 for check in decisive):
        sentence = NOTHING_CHANGED
    else:
        sentence = NOT_SHOWN[require]
    doubted = [check for check in result.checks if check.caveats and check.passed == (check.alternative == "greater")]
    tone: Tone = "bad"
    if result.passed:
        tone = "warning" if doubted else "good"
    slots = {"system": result.system, "baseline": result.baseline, "than": than, "item": item}
    yield Finding(sentence(metrics=_labels(result, decisive), **slots), tone)
    if doubted:
        reasons = dict.fromkeys(caveat.text for check in doubted for caveat in check.caveats)
        yield Finding(DOUBTED(metrics=_labels(result, doubted), reasons="; ".join(reasons)), tone)


def _labels(result: GateResult, checks: Sequence[GateCheck]) -> str:
    return words.listing([result.metric(check.metric).label for check in checks])


def _than(result: GateResult, checks: Sequence[GateCheck]) -> str:
    """Name the baseline, and the margin if there is one."""
    margins = {digits_of(result, result.metric(check.metric)).shown(check.margin or 0.0) for check in checks}
    if not any(margins):
        return result.baseline
    return f"{result.baseline} by more than {f'{margins.pop():g}' if len(margins) == 1 else 'the margin'}"


def _answer_notes(result: GateResult, corpus: Corpus, experiment: Experiment) -> Iterator[Note]:
    """Yield what the answer rests on, whom it is about, what it takes to pass, and how large a loss may be."""
    yield cautions.size_note(corpus, experiment.units, runs=[len(system.runs) for system in corpus.systems])
    if any(score.runs > 1 for score in result.scores):
        yield Note("claim", EXTENDS(claim=narrowest(check.claim for check in result.checks)))
    if same := [check for check in result.checks if check.same and check.passed]:
        yield Note("same", IDENTICAL(result=result, item=corpus.item_noun, metrics=_labels(result, same)))
    kept = result.passed and result.require == "no-loss-shown"
    kind, sentence = ("no-proof", NO_PROOF) if kept else ("reach", REACH)
    amounts, unbounded = [], []
    for check in result.checks:
        amount, metric = check.lower_end if kept else check.gain_needed, result.metric(check.metric)
        if amount is None:
            unbounded.append(check)
        elif amount != check.null_gain and not (kept and amount > 0.0):  # equal if nothing varies
            amounts.append(f"{digits_of(result, metric).gain(amount)} in {metric.label}")
    if amounts:
        yield Note(kind, sentence(amounts=words.listing(amounts)))
    if unbounded:
        yield Note(kind, UNBOUNDED(unit=unbounded[0].unit, metrics=_labels(result, unbounded)))
    for check in result.checks:
        yield from (note.about(result.metric(check.metric).label) for note in check.notes)


def _input_notes(trial: Trial, tests: Sequence[str], options: GateOptions) -> Iterator[Note]:
    """Yield what to know of inputs, units and runs."""
    experiment = trial.experiment
    yield from experiment.notes
    few = experiment.few_units_note()
    if few is not None and set(tests).intersection(_DRAWN):
        yield few
    yield from (note.capitalized() for note in experiment.unit_notes)
    segments = "t" in tests or (experiment.units.kind == "segment" and "welch" not in tests)
    if segments and len(set(experiment.corpus.documents or ())) > 1:
        yield Note("segments-as-units", SEGMENTS_AS_UNITS())
    yield from cautions.correlation_notes(experiment, trial.pairs if "tango" in tests else (), scores=False)
    yield from cautions.one_run_notes(trial, trial.pairs if "crossed" in tests else ())
    if options.test == "auto" and experiment.corpus.raters is not None:
        from truegain.procedures.raters import obstacle_to_raters

        obstacle = obstacle_to_raters(experiment, trial.pairs)
        if obstacle is not None:
            yield Note("no-new-raters", obstacle.message, warning=True).capitalized()


def _methods(result: GateResult, item: str, ending: str) -> str:
    """Return a paragraph on how it was decided; segments are called as ``item`` says."""
    checks = result.checks
    tests = dict.fromkeys(check.test for check in checks)
    sentences = [METHODS, BOUNDS]
    if len(checks) > 1:
        sentences.insert(1, ANY_FAILS if result.require == "no-loss-shown" else ALL_PASS)
    slots = {
        "result": result,
        "metrics": _labels(result, checks),
        "tests": words.listing([f"{TESTS[name].named} ({TESTS[name].source})" for name in tests]),
        "units": words.units_words(checks[0].unit, checks[0].n_units, item),
        "level": f"{100 * float(f'{checks[0].alpha:.3g}'):g} %",
        "gains": words.listing(list(dict.fromkeys(words.as_given(check.null_gain) for check in checks))),
        "claim": narrowest(check.claim for check in checks),
        "count": len(checks),
        "ending": ending,
    }
    return " ".join(sentence(**slots) for sentence in sentences)


def _signature(
    options: GateOptions, experiment: Experiment, tests: Sequence[str], margins: Sequence[float | None]
) -> str:
    given = [f"{margin:g}" for margin in margins if margin is not None]
    margin = f"|margin:{'+'.join(given if len(set(given)) > 1 else given[:1])}" if given else ""
    return (
        f"gate:{options.require}{margin}|test:{'+'.join(dict.fromkeys(tests))}"
        f"|{cautions.units_signature(experiment.units)}|alpha:{options.alpha:g}|R:{options.resamples}"
        f"|seed:{options.seed}|version:{__version__}"
    )
