"""What a comparison says: the answer in sentences, its tables, what limits it, and the methods."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace as changed
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

from msgspec.structs import replace

from truegain import cautions, words
from truegain.errors import some
from truegain.inference.claims import OUTPUTS, narrowest
from truegain.inference.multiplicity import CONTROLS, MAXT, adjust
from truegain.inference.pvalues import straddling
from truegain.inference.results import Comparison, Difference, MetricInfo, SystemPair, TestedUnit, Units
from truegain.notes import Finding, Note, Tone
from truegain.procedures.base import Key, Trial
from truegain.registry import TESTS, size_off_level
from truegain.report.model import Cell, Table
from truegain.rows import Baseline, Count, Row, field
from truegain.studies.human import TABLE_NOTE, share_of
from truegain.view import TONES, digits_of, slots_of, stacked, standard_errors_notes, table, tone_of
from truegain.words import MANY, Sentence, listing

if TYPE_CHECKING:
    from truegain.settings.compare import CompareOptions

#: A result of ``compare``, whose module imports this one.
CompareResult = Any
#: Which test each pair gets under each metric.
Tests = dict[Key, str]

VERDICT = Sentence("{systems} {verdict} in {metrics}{claim}.")
VERDICT_FIGURES = Sentence("{systems} {verdict} in {metrics}{claim}: {gain}, {interval}, {p}.")
VERDICT_SHARES = Sentence("{systems} {verdict}{claim}: {score} % against {other} % {metrics} ({gain}).")
VERDICT_POINTS = Sentence("{systems} {verdict} ({gain}).")
FOR = Sentence(", for {claim}")
IDENTICAL = Sentence("{verb} scored identically to {baseline} on every {item}")
COUNTED = Sentence("Of {count} systems, {counts}.")
PAIRS = Sentence("{count} of {pairs} pairs are shown to differ in {metric}.")
PAIRS_SOUGHT = Sentence("In {count} of {pairs} pairs, the system given later is shown to {sought} in {metric}.")
NOT_RELIABLE = Sentence("This is not reliable for {members}: {reason}.")
THESE_RUNS = Sentence(
    "For {claim} alone, {system} {verdict} in {metrics}: the {varied} vary too much, or are too few, to say so of new "
    "ones."
)
#: How an interval is written, by whether it ends below and above.
INTERVALS = {
    (True, True): Sentence("{level} CI {low} – {high}"),
    (True, False): Sentence("{level} bound: at least {low}"),
    (False, True): Sentence("{level} bound: at most {high}"),
    (False, False): Sentence("no gain is excluded"),
}

TO_SHOW = Sentence("To show a {side} of {gain} takes about {units} ({system})")
TO_DECIDE = Sentence("To decide this at a gain of {gain} takes about {units} ({system})")
NOT_ADJUSTED = Sentence("Intervals are not adjusted for the number of comparisons: alone, p ≤ {alpha:g} for {members}")
BLOCKS_OF_RUNS = Sentence("With blocks nothing is claimed of new runs: the crossed test needs segments or documents")
SETTLED = Sentence(
    "Resampling continued until each decision was settled (error probability {error:g}), at most {cap:,} resamples"
)
FEW_RESAMPLES = Sentence(
    "With {resamples:,} resamples no p of {comparisons} can be below {alpha:g} after adjustment; use more resamples"
)
STANDARDISED = Sentence("With each {rater}'s scores standardised, {gains}")
STANDARDISED_GAIN = Sentence("{system} − {baseline}: {gain} standard deviations, p {p}")

METHODS = Sentence("The differences in {metrics} between {systems} were tested with {tests}.")
DECIDES = Sentence("Of these tests, {tests} decides.")
OFF_LEVEL = Sentence("{test} rejects {percent:.0f} % of true nulls at 0.05.")
MEANS = Sentence("Scores are means over {varied}.")
ADJUSTED = Sentence(
    "P-values, not intervals, were adjusted for the {count} comparisons per metric ({method}), which controls the "
    "{rate}."
)
UNADJUSTED = Sentence(
    "P-values were not adjusted for the {count} comparisons: the rate of errors is that per comparison."
)
INTERVALS_OF = Sentence("Intervals of scores are {level} {kinds}; those of differences are {gains}.")
BOOTSTRAP = Sentence("the paired bootstrap over {units}, with {resamples:,} resamples")
MADE_WITH = Sentence("Computed with truegain {version}, seed {seed}.")
PEOPLE = Sentence(
    "The share of system pairs that people rank the same way is estimated by logistic regression on the gain, and one "
    "half at a gain of zero; intervals are Student's, over systems."
)
TEST = Sentence("{test} ({sides}; {source}) over {units}")
TEST_DRAWN = Sentence("{test} ({sides}; {source}) over {units} with {resamples} resamples")
TESTED = Sentence("Tested with {tests}.")

#: What an interval of a difference is that a test's own resamples give.
KEPT_GAINS = "the gains that the test does not reject"
#: What intervals of differences are from, of tests that have their own.
SOURCES = {
    "crossed": "the crossed test",
    "raters": "the test of raters",
    "run-permutation": "Welch's t-test of run scores",
    "welch": "Welch's t-test of run scores",
}
_RATES = {"FWER": "family-wise error rate", "PFER and FWER": "family-wise error rate", "FDR": "false discovery rate"}
_WITHOUT_BOOTSTRAP = ("ar", "tango", "exact", "crossed", "run-permutation", "raters")  # besides the classical tests
_SCORES = "scores.name scores.score scores.standard_error scores.ci"
_IN_ANSWER = ("same", "block-length")  # kinds of notes that the answer, or a note on all comparisons, says
_NAMED = 3  # systems of each side
_STANDARDISED = 5  # pairs whose standardised gains are written out


class GainInGroup(SystemPair, kw_only=True):
    """Gain of a system over the baseline in one group."""

    group: Annotated[str, field("The group.", "{title}", "text")]
    segments: Annotated[Count, field("The number of its segments.")]
    unit: TestedUnit
    n_units: Annotated[Units, field("The number of units.", "{counted}")]
    baseline_score: Annotated[float, field("The baseline's score in the group.", "{baseline}", "score")]
    system_score: Annotated[float, field("The system's score in the group.", "{system}", "score")]
    comparison: Annotated[
        Comparison | None, field("On this group alone, p adjusted over the groups; none below 10 units.")
    ]

    @property
    def marked(self) -> bool:
        """True if the gain is significant by a test that keeps its level here."""
        return self.comparison is not None and self.comparison.marked

    @property
    def tone(self) -> Tone:
        """The tone of the gain: quiet if it is not tested."""
        return "quiet" if self.comparison is None else tone_of(self.comparison)


class Heterogeneity(Difference):
    """Test whether the gain differs between groups more than chance, with the runs as they are."""

    baseline: Baseline


class Groups(Row):
    """Gains by group."""

    by: Annotated[str, field("What the segments are grouped by: domain, document, length, or the name of a column.")]
    gains: Annotated[tuple[GainInGroup, ...], field("Of every metric and pair, group by group.")]
    heterogeneity: Annotated[
        tuple[Heterogeneity, ...], field("Of every metric and pair; left out if fewer than two groups can be tested.")
    ]
    item: Annotated[str, field("What a segment is called: segment, or of scores alone such as question.")] = "segment"

    def of(self, metric: str, baseline: str, system: str) -> list[GainInGroup]:
        """Return the gains of a pair under a metric, group by group."""
        return [one for one in self.gains if (one.metric, one.baseline, one.system) == (metric, baseline, system)]


def judged(
    one: Comparison, alpha: float, *, null_gain: float = 0.0, favours: bool = True, directed: bool, more: str
) -> Comparison:
    """Decide whether an adjusted comparison is significant, and which system is better.

    The test ``favours`` the side on which delta lies, or not; the metric is ``directed`` if one way is the better one;
    ``more`` is what to do if the Monte-Carlo error leaves the decision open.
    """
    p, gained, notes = one.p_adjusted, one.delta - null_gain, one.notes
    # The Monte-Carlo interval of the adjusted value, the other p-values being what they are.
    low, high = (min(1.0, end * p / one.p) if one.p > 0.0 else end for end in one.p_mc)
    if low <= alpha < high and gained != 0:
        notes = (*notes, straddling("p" if p == one.p else "the adjusted p", (low, high), alpha, more=more))
    significant = p <= alpha and gained != 0 and favours
    # A gain above −0.3 is not above zero, nor one below +0.3 below it.
    known = directed and significant and gained * null_gain >= 0
    return replace(one, significant=significant, better=(gained > 0) if known else None, notes=notes)


def sought(alternative: str, null_gain: float, baseline: str, metric: MetricInfo) -> str:
    """Return what a test looks for: ``differ from base``, ``be better than base by more than 0.5``."""
    if words.seeks_difference(alternative, null_gain):
        return f"differ from {baseline}"
    if alternative == "two-sided":
        return f"have a gain over {baseline} other than {words.as_given(null_gain)}"
    return f"be {words.beyond(baseline, metric, above=alternative == 'greater', gain=null_gain)}"


# ---- The answer


class _Teller:
    """A comparison, and how its gains, verdicts and claims are written in sentences."""

    def __init__(self, result: CompareResult, item: str) -> None:
        self.result, self.item, self.null_gain = result, item, result.null_gain
        self.metrics: dict[str, MetricInfo] = {metric.key: metric for metric in result.metrics}
        self.pairs: dict[tuple[str, str], list[Comparison]] = {}
        for one in result.primary_tests():
            self.pairs.setdefault((one.baseline, one.system), []).append(one)

    def gain(self, one: Comparison) -> str:
        metric = self.metrics[one.metric]
        text = digits_of(self.result, metric).gain(one.delta)
        return f"{text} points" if metric.percent else text

    def with_gain(self, one: Comparison) -> str:
        return f"{self.metrics[one.metric].label} ({self.gain(one)})"

    def members(self, comparisons: Sequence[Comparison]) -> str:
        """Name comparisons, at most three: by their systems, of all pairs both; by their metrics if there are more."""
        names = []
        for one in comparisons:
            name = one.system
            if self.result.baseline is None:
                name = f"{name} and {one.baseline}"
            if len(self.metrics) > 1:
                name = f"{name} in {self.metrics[one.metric].label}"
            names.append(name)
        return some(names, _NAMED)

    def verdict(self, one: Comparison, baseline: str, count: int = 1) -> str:
        """Return what ``count`` systems are: ``is better than base``; what they may be, if it was to be ruled out."""
        metric, gain, verb = self.metrics[one.metric], self.null_gain, {1: "is"}.get(count, "are")
        if one.significant:
            return f"{verb} {words.beyond(baseline, metric, above=one.delta > gain, gain=gain)}"
        if _identical(one):
            return IDENTICAL(verb=verb, baseline=baseline, item=self.item)
        above = one.alternative == "greater"
        if gain != 0.0 and one.alternative != "two-sided" and above != (gain > 0.0):
            return f"may be {words.beyond(baseline, metric, above=not above, gain=gain)}"
        return f"{verb} not shown to {sought(one.alternative, gain, baseline, metric)}"

    def claim(self, comparisons: Sequence[Comparison]) -> str:
        """Return what verdicts extend to together; empty if that is new units alone."""
        claim = narrowest(one.claim for one in comparisons)
        if claim.runs != OUTPUTS or claim.unit is None or claim.raters or claim.test_sets or claim.about:
            return FOR(claim=claim.of_outputs(self.item))
        return ""

    def figures(self, one: Comparison) -> dict[str, str]:
        """Return the gain, its interval, its p-value, and the scores of both systems."""
        digits, level = digits_of(self.result, self.metrics[one.metric]), words.level_words(self.result.alpha)
        low, high, p = one.interval.low, one.interval.high, f"p {words.p_words(one.p_adjusted)}"
        if one.alternative != "two-sided":
            p = f"one-sided {p}"
        interval = INTERVALS[math.isfinite(low), math.isfinite(high)]
        return {
            "gain": self.gain(one),
            "interval": interval(level=level, low=digits.gain(low), high=digits.gain(high)),
            "p": p,
            "score": digits.score(self.result.score(one.metric, one.system).score),
            "other": digits.score(self.result.score(one.metric, one.baseline).score),
        }

    def tone(self, comparisons: Sequence[Comparison]) -> Tone:
        """Return the tone of what is shown, if it is the same and nothing of it is to be doubted."""
        if not comparisons:
            return "undecided"
        outcomes: set[bool | None] = set()
        for one in comparisons:
            directed = self.metrics[one.metric].higher_is_better is not None
            outcomes.add(one.delta > self.null_gain if one.marked and directed else None)
        return TONES[outcomes.pop()] if len(outcomes) == 1 else "plain"


def _identical(one: Comparison) -> bool:
    """Return whether both systems have the same score on every segment."""
    return one.delta == 0.0 and one.effect is not None and one.effect.wins == one.effect.losses == 0


def answer(result: CompareResult, item: str) -> tuple[Finding, ...]:
    """Return the answer: which systems are better or worse, what is not shown, and what is to be doubted.

    ``item`` is what a segment is called.
    """
    teller = _Teller(result, item)
    if len(teller.pairs) > MANY:
        return (*_of_many(teller), *_doubts(teller))
    return (*_of_few(teller), *_doubts(teller), *_of_these_runs(teller))


def _of_few(teller: _Teller) -> list[Finding]:
    """Say of each pair what is shown, then of several together what is not."""
    in_shares = [metric.percent for metric in teller.result.metrics] == [True]
    findings: list[Finding] = []
    unshown: dict[tuple[str, ...], list[list[Comparison]]] = {}
    for (baseline, system), comparisons in teller.pairs.items():
        verdicts: dict[str, list[Comparison]] = {}
        for one in comparisons:
            verdicts.setdefault(teller.verdict(one, baseline), []).append(one)
        for verdict, members in verdicts.items():
            if members[0].significant:
                findings.append(_finding(teller, [members], baseline))
            else:
                named = [system] if in_shares else [one.metric for one in members]
                unshown.setdefault((baseline, verdict, *named), []).append(members)
    for (baseline, *_), pairs in unshown.items():
        again = findings and teller.result.baseline is not None and not in_shares
        findings.append(_finding(teller, pairs, "it" if again else baseline))
    return findings


def _finding(teller: _Teller, pairs: Sequence[Sequence[Comparison]], baseline: str) -> Finding:
    """Say what systems are by the same metrics: with gains if that is shown, with all figures of one pair alone."""
    comparisons, count, template, claim = pairs[0], len(teller.metrics), VERDICT, ""
    first, shown = comparisons[0], [one for one in comparisons if one.significant]
    metric = teller.metrics[first.metric]
    metrics = listing([teller.metrics[one.metric].label for one in comparisons], "or")
    if shown:
        claim, metrics = teller.claim(shown), listing([teller.with_gain(one) for one in shown])
    elif baseline == "it" and len(comparisons) == count > 1:
        metrics = {2: "either"}.get(count, "any metric")
    if count == 1 and metric.percent:
        template, metrics = VERDICT_POINTS, metric.label
        if shown or len(teller.pairs) == 1:
            template = VERDICT_SHARES
    elif count == len(teller.pairs) == 1:
        template, metrics = VERDICT_FIGURES, metric.label
    systems, verdict = listing([one.system for one, *_ in pairs]), teller.verdict(first, baseline, len(pairs))
    text = template(systems=systems, verdict=verdict, metrics=metrics, claim=claim, **teller.figures(first))
    return Finding(text, teller.tone(shown))


def _of_many(teller: _Teller) -> Iterator[Finding]:
    """Count, metric by metric, the systems that are better and worse, or the pairs that differ."""
    for metric in teller.result.metrics:
        family = teller.result.primary_tests(metric.key)
        shown = [one for one in family if one.significant]
        counts = {"count": len(shown), "pairs": len(family), "metric": metric.label}
        if teller.result.baseline is not None:
            yield _counted(teller, metric.label, family)
        elif words.seeks_difference(family[0].alternative, teller.null_gain):
            yield Finding(PAIRS(**counts))
        else:
            wanted = sought(family[0].alternative, teller.null_gain, "the other", metric)
            yield Finding(PAIRS_SOUGHT(sought=wanted, **counts))


def _counted(teller: _Teller, label: str, family: Sequence[Comparison]) -> Finding:
    """Count the systems that are better than the baseline, worse, and not shown to differ; name at most three."""
    shown = sorted((one for one in family if one.significant), key=lambda one: -one.delta)
    above = [one for one in shown if one.delta > teller.null_gain]
    below = [one for one in reversed(shown) if one.delta <= teller.null_gain]
    silent = sorted((one for one in family if not one.significant), key=_identical)
    counts: list[str] = []
    baseline, where = family[0].baseline, f" in {label}"
    if not shown:
        systems, verdict = f"The {len(family)} systems", teller.verdict(silent[0], baseline, len(family))
        return Finding(VERDICT(systems=systems, verdict=verdict, metrics=label, claim=""), "undecided")
    for members in filter(None, (above, below, silent)):
        count = f"{len(members)} {teller.verdict(members[0], baseline, len(members))}{where}"
        if members is not silent:
            count = f"{count} ({some([f'{one.system} {teller.gain(one)}' for one in members], _NAMED)})"
        counts.append(count)
        baseline, where = "it", ""
    return Finding(COUNTED(count=len(family), counts=", ".join(counts)), teller.tone(shown))


def _doubts(teller: _Teller) -> Iterator[Finding]:
    """Say which of what is shown is not reliable, and why."""
    for caveat, members in _gathered((one, one.caveats) for one in teller.result.primary_tests() if one.significant):
        yield Finding(NOT_RELIABLE(members=teller.members(members), reason=caveat.text), "warning")


def _gathered(noted: Iterable[tuple[Comparison, Sequence[Note]]]) -> Iterator[tuple[Note, list[Comparison]]]:
    """Yield each note with the comparisons that have it; if many have different ones of a kind, a summary."""
    kinds: dict[str, dict[Note, list[Comparison]]] = {}
    for one, notes in noted:
        for note in notes:
            kinds.setdefault(note.kind, {}).setdefault(note, []).append(one)
    for by_note in kinds.values():
        first, members = next(iter(by_note)), [one for same in by_note.values() for one in same]
        if len(by_note) > 1 and len(members) > MANY and first.summary:
            by_note = {replace(first, text=first.summary): members}
        yield from by_note.items()


def _of_these_runs(teller: _Teller) -> Iterator[Finding]:
    """Say so if new runs are not shown to differ but these runs are: that is what runs are for."""
    shown: dict[tuple[str, str], dict[str, Comparison]] = {}
    for one in teller.result.comparisons:
        first = teller.result.pair(one.metric, one.baseline, one.system)
        if first.test == "crossed" and not first.significant and one.marked and not one.claim.new_runs:
            shown.setdefault((one.baseline, one.system), {}).setdefault(one.metric, one)
    for (baseline, system), by_metric in shown.items():
        first, *_ = by_metric.values()
        claim, verdict = first.claim.of_outputs(teller.item), teller.verdict(first, baseline)
        metrics, varied = listing([teller.metrics[key].label for key in by_metric]), _varied(teller.result)
        yield Finding(THESE_RUNS(claim=claim, system=system, verdict=verdict, metrics=metrics, varied=varied))


def _varied(result: CompareResult) -> str:
    """Name what scores are means over."""
    return "runs" if result.testset.inputs.training is None else "training samples"


# ---- What limits it


def limits(trial: Trial, families: Sequence[Tests], options: CompareOptions, result: CompareResult) -> list[Note]:
    """Return the notes on the size, on what is not shown, on units and choices, and on resamples that are too few."""
    experiment, corpus, units = trial.experiment, trial.experiment.corpus, trial.experiment.units
    primary, deciding = result.primary_tests(), families[0]
    tests = list(dict.fromkeys(name for family in families for name in family.values()))
    chosen = "auto" in (options.test, options.test[0])  # alone, or first of several
    drawn = any(name not in _WITHOUT_BOOTSTRAP and TESTS[name].kind != "classical" for name in tests)
    runs = [len(system.runs) for system in corpus.systems]
    pairs = [(pair.baseline, pair.system) for pair in trial.pairs]
    by_test: dict[str, dict[Any, None]] = {}
    for (_, pair), name in deciding.items():
        by_test.setdefault(name, {})[pair] = None
    crossed = by_test.get("crossed", {})
    notes = [
        cautions.size_note(corpus, units, runs=runs, design_effects=[one.design_effect for one in primary]),
        *to_show_notes(result, corpus.item_noun),
        *experiment.notes,
        *cautions.interval_notes(primary, f"{units.count:,} {experiment.unit_noun}s", strata=len(units.strata)),
        *outcome_notes(result),
        *cautions.few_notes(experiment, result.scores, trial.resamples, trial.alpha, p_values=drawn),
        *cautions.correlation_notes(experiment, [*by_test.get("tango", {})]),
        *cautions.segment_notes(experiment, tests),
        *cautions.block_notes(experiment, pairs, "difference", shared=trial.joint),
    ]
    if chosen and units.kind == "block" and max(runs) > 1:
        notes.append(Note("no-new-runs", BLOCKS_OF_RUNS()))
    if corpus.raters is not None:
        from truegain.procedures.raters import rater_notes

        notes += rater_notes(trial, chosen=chosen)
    if "raters" in by_test and trial.null_gain == 0.0:
        notes += _standardised_notes(changed(trial, pairs=tuple(by_test["raters"])))
    if chosen or crossed:
        notes += cautions.one_run_notes(trial, crossed)
    notes += cautions.tail_notes(experiment, deciding.values(), options.adjust, len(pairs))
    if trial.stopping is not None and any(one.p_value.sequence is not None for one in result.comparisons):
        notes.append(Note("sequential", SETTLED(error=trial.stopping.error, cap=trial.stopping.cap)))
        return notes
    least = [1 / (trial.resamples + 1), *[1.0] * (len(pairs) - 1)]
    if options.adjust != MAXT and adjust(least, options.adjust)[0] > trial.alpha:
        slots = {"resamples": trial.resamples, "comparisons": words.whole(len(pairs), "comparison")}
        notes.append(Note("few-resamples", FEW_RESAMPLES(alpha=trial.alpha, **slots)))
    return notes


def to_show_notes(result: CompareResult, item: str) -> list[Note]:
    """Say about how many units would show a gain that is not shown, of the first metric that has one; the fewest."""
    needed: dict[str, dict[int, Comparison]] = {}
    for one in result.primary_tests():
        count = cautions.units_to_show(one, result.n_units, result.alpha, result.null_gain)
        if count is not None and not one.significant and result.unit != "block":
            needed.setdefault(one.metric, {}).setdefault(count, one)
    if not needed:
        return []
    teller, counts = _Teller(result, item), next(iter(needed.values()))
    one, units = counts[min(counts)], {"segment": item, "testset": "test set"}.get(result.unit, result.unit)
    gain, metric, side = teller.gain(one), teller.metrics[one.metric], {True: "gain", False: "loss"}[one.delta > 0.0]
    if not metric.percent:
        gain = f"{gain} {metric.label}"
    slots = {"units": words.whole(min(counts), units), "system": one.system}
    if result.null_gain != 0.0:
        return [Note("units-to-show", TO_DECIDE(gain=gain, **slots))]
    return [Note("units-to-show", TO_SHOW(side=side, gain=gain.removeprefix("−"), **slots))]


def outcome_notes(result: CompareResult) -> list[Note]:
    """Return what is to know of the tests that decide: once what all have, of many of a kind a summary."""
    teller, primary, notes = _Teller(result, "segment"), result.primary_tests(), list[Note]()
    for note, members in _gathered((one, one.notes) for one in primary):
        scope = f"{len(members):,} of {len(primary):,} comparisons"
        if len(members) <= MANY:
            scope = teller.members(members)
        notes.append(note.capitalized() if len(members) == len(primary) else note.about(scope))
    alone = [one for one in primary if one.p <= result.alpha < one.p_adjusted]
    if alone:
        notes.append(Note("not-adjusted", NOT_ADJUSTED(alpha=result.alpha, members=teller.members(alone))))
    return [note for note in notes if note.kind not in _IN_ANSWER]


def _standardised_notes(trial: Trial) -> Iterator[Note]:
    """Say what the test of raters finds of scores that are standardised for each rater."""
    from truegain.procedures.raters import standardised_gains

    corpus, blocks = trial.experiment.corpus, trial.experiment.statistics.blocks
    gains: dict[int, list[str]] = {}
    for (m, pair), (gain, p) in standardised_gains(trial).items():
        old, new = corpus.systems[pair.baseline].name, corpus.systems[pair.system].name
        text = STANDARDISED_GAIN(system=new, baseline=old, gain=words.signed(gain, 3), p=words.p_words(p))
        gains.setdefault(m, []).append(text)
    for m, texts in gains.items():
        text = STANDARDISED(rater=corpus.rater_noun, gains=some(texts, _STANDARDISED, "; "))
        yield Note("standardised", text, scope=blocks[m].metric.label)


# ---- The last line, and the methods


def ending(result: CompareResult) -> str:
    """Name the tests that decide, and the resamples and the seed if anything was drawn."""
    primary = result.primary_tests()
    first, kinds = primary[0], {one.interval.method for one in result.scores if one.interval is not None}
    parts = [listing(list(dict.fromkeys({"ar": "AR"}.get(one.test, one.test) for one in primary)), "or")]
    if first.adjust == MAXT:
        parts.append(f"max-T over {len(primary) // len(result.metrics)} comparisons")
    parts.append(_sides(result, first))
    if kinds - {"wilson", "test"} or any(one.resamples for one in primary):
        resamples = max([result.resamples, *(one.resamples for one in primary)])
        parts = [*(part for part in parts if part != "two-sided"), f"{resamples:,} resamples", f"seed {first.seed}"]
    return ", ".join(parts)


def methods(result: CompareResult, item: str) -> str:
    """Describe the method in a few sentences, to paste into a paper; segments are called as ``item`` says."""
    primary = result.primary_tests(result.metrics[0].key)
    tests, deciding = _by_test(result.comparisons), [words.label_of(name) for name in _by_test(primary)]
    described = [_test_words(result, one, item) for one in tests.values()]
    metrics, systems = listing([metric.label for metric in result.metrics]), "all systems"
    if result.baseline is not None:
        systems = "each system and the baseline" if len(primary) > 1 else "the system and the baseline"
    sentences = [METHODS(metrics=metrics, systems=systems, tests=listing(described, "or"))]
    if len(result.comparisons) > len(result.primary_tests()):
        sentences = [METHODS(metrics=metrics, systems=systems, tests=listing(described))]
        sentences.append(DECIDES(tests=listing(deciding, "or")))
    sizes = [(TESTS[name].label, size) for name in tests if (size := size_off_level(name)) is not None]
    sentences += [OFF_LEVEL(test=label, percent=100 * size) for label, size in sizes]
    if any(score.runs > 1 for score in result.scores):
        sentences.append(MEANS(varied=_varied(result)))
    units = words.units_words(result.unit, result.n_units, item)
    bootstrap = BOOTSTRAP(units=units, resamples=result.resamples)
    kinds = words.score_intervals_words(result.scores, bootstrap)
    gains = dict.fromkeys(_interval_words(result, one, bootstrap) for one in primary)
    sentences += _adjusted(result)
    sentences.append(INTERVALS_OF(level=words.level_words(result.alpha), kinds=kinds, gains=listing([*gains], "or")))
    if result.human_agreement is not None:
        sentences.append(PEOPLE)
    return " ".join([*sentences, MADE_WITH(version=result.version, seed=primary[0].seed)])


def tests_note(result: CompareResult) -> str:
    """Name the test that decides, and how its p-values were adjusted: the note under a table."""
    described = [_test_words(result, one) for one in _by_test(result.primary_tests()).values()]
    return " ".join([TESTED(tests=listing(described, "or")), *_adjusted(result)])


def _by_test(comparisons: Sequence[Comparison]) -> dict[str, Comparison]:
    """Return the first comparison by each test."""
    tests: dict[str, Comparison] = {}
    for one in comparisons:
        tests.setdefault(one.test, one)
    return tests


def _test_words(result: CompareResult, one: Comparison, item: str = "segment") -> str:
    """Describe one test, for the methods; segments are called as ``item`` says."""
    entry, name = TESTS[one.test], words.label_of(one.test)
    if (entry.kind, entry.unit) == ("classical", "segment"):
        name = f"{name} of segment scores"
    units = words.units_words(one.unit, one.n_units, item)
    slots = {"test": name, "sides": _sides(result, one), "source": entry.source, "units": units}
    drawn = {other.resamples for other in result.comparisons if other.test == one.test}
    if 0 in drawn:  # p follows from a distribution; or, of the crossed test, it may be that of another claim
        return TEST(**slots)
    return TEST_DRAWN(resamples=" to ".join(f"{count:,}" for count in sorted({min(drawn), max(drawn)})), **slots)


def _sides(result: CompareResult, one: Comparison) -> str:
    """Say which gains were tested for."""
    if words.seeks_difference(one.alternative, result.null_gain):
        return {"observed": "one-sided, towards the better system"}.get(one.alternative, "two-sided")
    return words.sides_words(one.alternative, result.null_gain)


def _interval_words(result: CompareResult, one: Comparison, bootstrap: str) -> str:
    """Say what the interval of a difference is."""
    if one.interval.method == "test":
        return KEPT_GAINS
    if one.interval.method != "t":
        return f"{words.kind_words(one.interval.method)} intervals of {bootstrap}"
    if result.testset.inputs.training is not None and one.test != "crossed":
        return "from a t-test of the scores of training samples"
    return f"from {SOURCES[one.test]}"


def _adjusted(result: CompareResult) -> Iterator[str]:
    """Say how p-values were adjusted for their number, if there are several."""
    family = result.primary_tests(result.metrics[0].key)
    count, method = len(family), family[0].adjust
    if count > 1 and result.adjusts:
        yield ADJUSTED(count=count, method=words.ADJUSTED_BY[method], rate=_RATES[CONTROLS[method]])
    elif count > 1:
        yield UNADJUSTED(count=count)


# ---- The tables


class _Named(Row):
    """Names beside a comparison."""

    pair: Annotated[str, field("The difference.", "difference", "text")]
    test: Annotated[str, field("The test.", show="text")]
    claim: Annotated[str, field("What its verdict extends to.", "for", "text")]


def tables(result: CompareResult, decimals: int | None) -> Iterator[Table]:
    """Yield scores and gains over the baseline by metric; of all pairs scores, then gains."""
    if result.baseline is None:
        caption, scores = "Scores of each system", []
        for metric in result.metrics:
            rows: list[_Tested] = [(name, None) for name in _best_first(result, metric)]
            scores.append(_table(result, metric, rows, _SCORES, decimals, caption))
        yield stacked(scores)
    yield stacked([_gains_table(result, metric, decimals) for metric in result.metrics])


def tests_tables(result: CompareResult, decimals: int | None) -> Iterator[Table]:
    """Yield the p-values and intervals of all tests, but of those that cannot reach the level."""
    possible = [one for one in result.comparisons if not any(note.kind == "few-runs" for note in one.notes)]
    if len(possible) > len(result.primary_tests()):
        columns, caption, shown = "named.test named.claim named.pair ci p", "All tests: p-values are not adjusted", []
        for metric in result.metrics:
            rows: list[_Tested] = [(one.system, one) for one in possible if one.metric == metric.key]
            shown.append(_table(result, metric, rows, columns, decimals, caption))
        yield changed(stacked(shown), kind="further")


#: A system, and its comparison: None for the baseline.
_Tested = tuple[str, Comparison | None]


def _gains_table(result: CompareResult, metric: MetricInfo, decimals: int | None) -> Table:
    """Return scores and gains over the baseline, many by outcome and score; gains alone if there is no baseline."""
    family = result.primary_tests(metric.key)
    rows: list[_Tested] = [(one.system, one) for one in family]
    first, caption = "named.pair", "Differences between all systems"
    breaks: list[int] = []
    if result.baseline is not None:
        first, caption = _SCORES, "Scores and gains"
        rows.insert(0, (result.baseline, None))
        if len(family) > MANY:
            places = _best_first(result, metric)
            rows.sort(key=lambda row: (-_side(row), places.index(row[0])))
            breaks = [place for place, pair in enumerate(pairwise(map(_side, rows)), 1) if len({*pair}) > 1]
    if all(one.interval.method == "test" for one in family):
        caption = f"{caption}; {{level}} CI of Δ: {KEPT_GAINS}"
    p = "p_adjusted" if result.adjusts and len(family) > 1 else "p"
    shown = _table(result, metric, rows, f"{first} delta standard_error ci {p} people.share", decimals, caption)
    lines = [list(line) for line in shown.rows]
    place = [column.heading.endswith("CI of Δ") for column in shown.columns].index(True)
    for line, (_, one) in zip(lines, rows, strict=True):
        if one is None:
            line[place] = Cell("baseline", "quiet")
    return changed(shown, rows=tuple(map(tuple, lines)), breaks=tuple(breaks))


def _best_first(result: CompareResult, metric: MetricInfo) -> list[str]:
    scores = [one for one in result.scores if one.metric == metric.key]
    return [one.name for one in sorted(scores, key=lambda one: one.score, reverse=metric.higher_is_better is not False)]


def _side(row: _Tested) -> float:
    """Return 1 for better than the baseline, −1 for worse, 0 for neither."""
    return 0.0 if row[1] is None or not row[1].significant else math.copysign(1.0, row[1].delta)


def _table(
    result: CompareResult, metric: MetricInfo, rows: Sequence[_Tested], columns: str, decimals: int | None, caption: str
) -> Table:
    """Return a section of a table, headed by the metric, without the columns that were not asked for."""
    asked = dict.fromkeys(("standard_error", "scores.standard_error"), result.standard_errors)
    asked["people.share"] = result.human_agreement is not None
    names = [column for column in columns.split() if asked.get(column, True)]
    notes = standard_errors_notes(result, result.primary_tests(metric.key))
    if "people.share" in names:
        notes = (*notes, TABLE_NOTE(source=result.human_agreement.source))
    joined: list[dict[str, Any]] = []
    for name, one in rows:
        joined.append({"": one, "scores": result.score(metric.key, name)})
        if one is not None:
            named = _Named(f"{one.system} − {one.baseline}", one.asked, one.claim.of_outputs())
            joined[-1] |= {"named": named, "people": share_of(result.human_agreement, one)}
    return table(
        joined,
        " ".join(names),
        digits_of(result, metric, decimals),
        caption=caption,
        notes=notes,
        headings={
            "delta": words.gain_heading(result.metrics),
            "p_adjusted": words.p_heading(result.comparisons[0].adjust),
            names[0]: words.heading_of(metric),
        },
        slots=slots_of(result, metric),
        tones={"delta": lambda row: TONES[None] if row[""] is None else tone_of(row[""])},
        secondary=("scores.ci",),
    )
