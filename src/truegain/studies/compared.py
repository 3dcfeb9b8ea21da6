"""What a comparison says: the answer in sentences, what limits it, the methods, and its tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace as changed
from typing import TYPE_CHECKING, Any, NamedTuple

from truegain.cautions import (
    block_notes,
    correlation_notes,
    few_notes,
    one_run_notes,
    segment_notes,
    tail_notes,
    units_to_show,
)
from truegain.errors import some
from truegain.inference.claims import OUTPUTS, Claim, narrowest
from truegain.inference.multiplicity import CONTROLS, MAXT, adjust
from truegain.inference.results import Comparison, MetricInfo
from truegain.notes import Finding, Note, Tone
from truegain.procedures.base import Key, Trial
from truegain.registry import TESTS, size_off_level
from truegain.view import (
    digits_of,
)
from truegain.words import (
    ADJUSTED_BY,
    MANY,
    Sentence,
    as_given,
    beyond,
    kind_words,
    label_of,
    level_words,
    listing,
    p_words,
    score_intervals_words,
    seeks_difference,
    sides_words,
    signed,
    units_words,
    whole,
)

if TYPE_CHECKING:
    from truegain.settings.compare import CompareOptions

#: A result of ``compare``, whose module imports this one.
CompareResult = Any
#: Which test each pair gets under each metric.
Tests = dict[Key, str]

SHOWN = Sentence("{system} is {beyond} in {metrics}.")
SHOWN_FOR = Sentence("{system} is {beyond} in {metrics}, for {claim}.")
SHOWN_ALONE = Sentence("{system} is {beyond} in {metric}: {gain}, {interval}, {p}.")
SHOWN_ALONE_FOR = Sentence("{system} is {beyond} in {metric}, for {claim}: {gain}, {interval}, {p}.")
SHOWN_SHARES = Sentence("{system} is {beyond}: {score} % against {other} % {metric} ({gain}).")
SHOWN_SHARES_FOR = Sentence("{system} is {beyond}, for {claim}: {score} % against {other} % {metric} ({gain}).")
DISAGREE = Sentence("The metrics disagree: {system} is {beyond} in {metrics}, and {against} in {others}.")
DISAGREE_FOR = Sentence(
    "The metrics disagree: {system} is {beyond} in {metrics}, and {against} in {others}, for {claim}."
)
NOT_SHOWN = Sentence("{who} not shown to {sought} in {metrics}.")
NOT_SHOWN_AGAIN = Sentence("{who} not shown to {sought}.")
NOT_SHOWN_POINTS = Sentence("{who} not shown to {sought} ({gain}).")
NOT_SHOWN_ALONE = Sentence("{who} not shown to {sought} in {metric}: {gain}, {interval}, {p}.")
NOT_SHOWN_SHARES = Sentence("{who} not shown to {sought}: {score} % against {other} % {metric} ({gain}).")
MAY_BE = Sentence("{systems} may be {beyond} in {metrics}.")
MAY_BE_ALONE = Sentence("{systems} may be {beyond} in {metric}: {gain}, {interval}, {p}.")
SAME = Sentence("{system} and {baseline} have identical {metrics} scores on every {unit}.")
COUNTED = Sentence("Of {count} systems, {counts}.")
COUNTED_FIRST = Sentence("{count} {are} {beyond} in {metric} ({named})")
COUNTED_NEXT = Sentence("{count} {are} {beyond} ({named})")
COUNTED_NOT_SHOWN = Sentence("{count} {are} not shown to {sought}")
COUNTED_MAY_BE = Sentence("{count} may be {beyond}")
NONE_SHOWN = Sentence("None of {count} systems is shown to {sought} in {metric}.")
NONE_EXCLUDED = Sentence("Each of {count} systems may be {beyond} in {metric}.")
PAIRS = Sentence("{count} of {pairs} pairs are shown to differ in {metric}.")
PAIRS_SOUGHT = Sentence("In {count} of {pairs} pairs, the system given later is {beyond} in {metric}.")
NOT_RELIABLE = Sentence("This is not reliable: {reason}.")
NOT_RELIABLE_FOR = Sentence("This is not reliable for {members}: {reason}.")
THESE_RUNS = Sentence(
    "For {claim} alone, {system} and {baseline} do differ in {metrics}: the {runs} vary too much, or are too few, to "
    "say so of new ones."
)
THESE_RUNS_SHOW = Sentence(
    "For {claim} alone, {system} is {beyond} in {metrics}: the {runs} vary too much, or are too few, to say so of new "
    "ones."
)

TO_SHOW_GAIN = Sentence("To show a gain of {gain} takes about {units} ({system})")
TO_SHOW_LOSS = Sentence("To show a loss of {gain} takes about {units} ({system})")
TO_DECIDE = Sentence("To decide this at a gain of {gain} takes about {units} ({system})")
NOT_ADJUSTED = Sentence("Intervals are not adjusted for the number of comparisons: alone, p ≤ {alpha:g} for {members}")
BLOCKS_CHOSEN = Sentence("The stationary bootstrap was chosen: blocks can be drawn, not swapped")
BLOCKS_OF_RUNS = Sentence("With blocks nothing is claimed of new runs: the crossed test needs segments or documents")
ONE_SIDE_GAIN = Sentence(
    "Of each two systems, only a gain of the one given later over the one given earlier was tested"
)
ONE_SIDE_LOSS = Sentence(
    "Of each two systems, only a loss of the one given later against the one given earlier was tested"
)
SETTLED = Sentence(
    "Resampling continued until each decision was settled (error probability {error:g}), at most {cap:,} resamples"
)
FEW_RESAMPLES = Sentence(
    "With {resamples:,} resamples no p of {comparisons} can be below {alpha:g} after adjustment; use more resamples"
)
STANDARDISED = Sentence("With each {rater}'s scores standardised, {gains}")
STANDARDISED_MANY = Sentence(
    "With each {rater}'s scores standardised, p is at most {alpha:g} for {count:,} of {pairs:,} pairs, not adjusted"
)
STANDARDISED_GAIN = Sentence("{system} − {baseline}: {gain} standard deviations, p {p}")
NOT_STANDARDISED = Sentence(
    "Scores are not standardised: too few ratings are of both systems of a pair on the same items"
)
NULL_GAIN = Sentence("P-values are of the null hypothesis that Δ is {gain}, not of zero")
BOOTSTRAP_CHOSEN = Sentence("The bootstrap was chosen: swaps can only show that two systems differ, not by how much")
NO_NEW_RUNS = Sentence("Nothing is said of new runs on this test set: regrouped runs can only show that systems differ")

ENDING = Sentence("{tests}, {resamples:,} resamples, seed {seed}")
ENDING_ONE_SIDED = Sentence("{tests}, one-sided, {resamples:,} resamples, seed {seed}")
ENDING_UNDRAWN = Sentence("{tests}, two-sided")
ENDING_UNDRAWN_ONE_SIDED = Sentence("{tests}, one-sided")

METHODS_PAIR = Sentence("The difference in {metrics} between the system and the baseline was tested with {tests}.")
METHODS_BASELINE = Sentence(
    "The differences in {metrics} between each system and the baseline were tested with {tests}."
)
METHODS_ALL = Sentence("The differences in {metrics} between all systems were tested with {tests}.")
DECIDES = Sentence("Of these tests, {tests} decides.")
CROSSED = Sentence("The p of the crossed test is at least that with the {runs} as they are.")
OFF_LEVEL = Sentence("{test} rejects {percent:.0f} % of true nulls at 0.05.")
MEANS = Sentence("Scores are means over runs.")
MEANS_OF_SAMPLES = Sentence("Scores are means over training samples, and that of a sample is the mean over its runs.")
HELD = Sentence("These runs are held fixed.")
ADJUSTED = Sentence(
    "P-values were adjusted for the {count} comparisons per metric ({method}), which controls the {rate}."
)
UNADJUSTED = Sentence(
    "P-values were not adjusted for the {count} comparisons: the rate of errors is that per comparison."
)
SCORE_INTERVALS = Sentence("Intervals of scores are {level} {kinds}.")
INTERVALS = Sentence("Intervals are {level} {kinds}.")
INTERVALS_FROM = Sentence("Intervals of differences are from {tests}.")
INTERVALS_KEPT = Sentence("Intervals of differences are the gains that the test does not reject.")
INTERVALS_ELSE = Sentence("Other intervals of differences are {kind} intervals of {bootstrap}.")
INTERVALS_UNADJUSTED = Sentence("Intervals are not adjusted for the number of comparisons.")
BOOTSTRAP = Sentence("the paired bootstrap over {units}, with {resamples:,} resamples")
MADE_WITH = Sentence("Computed with truegain {version}, seed {seed}.")
PEOPLE = Sentence(
    "The share of system pairs that people rank the same way is estimated by logistic regression on the gain, and one "
    "half at a gain of zero; intervals are Student's, over systems."
)
TEST = Sentence("{test} ({sides}; {source}) over {units}")
TEST_DRAWN = Sentence("{test} ({sides}; {source}) over {units} with {resamples} resamples")
TEST_SEQUENTIAL = Sentence(
    "{test} ({sides}; {source}) over {units} with {resamples} resamples, as many as the decision needed"
)
TESTED = Sentence("Tested with {tests}.")

#: What intervals of differences are from, of tests that have their own.
SOURCES = {
    "crossed": "the crossed test",
    "raters": "the test of raters",
    "run-permutation": "Welch's t-test of run scores",
    "welch": "Welch's t-test of run scores",
}
_OF_SAMPLES = "a t-test of the scores of training samples"
_RATES = {"FWER": "family-wise error rate", "PFER and FWER": "family-wise error rate", "FDR": "false discovery rate"}
_WITHOUT_BOOTSTRAP = ("ar", "tango", "exact", "crossed", "run-permutation", "raters")  # besides the classical tests
_SAID = ("same", "block-length")  # kinds of notes that the answer, or a note on all comparisons, says
_NAMED = 3  # systems of each side
_STANDARDISED = 5  # pairs whose standardised gains are written out


class _Pair(NamedTuple):
    """Two systems under all metrics, by the tests that decide."""

    baseline: str
    system: str
    comparisons: tuple[Comparison, ...]


class _Teller:
    """A comparison, and how its metrics, gains and claims are written in sentences."""

    def __init__(self, result: CompareResult, item: str) -> None:
        self.result, self.item = result, item
        self.unit = {"segment": item, "block": item, "testset": "test set"}.get(result.unit, result.unit)
        self.metrics = {metric.key: metric for metric in result.metrics}
        self.digits = {metric.key: digits_of(result, metric) for metric in result.metrics}
        self.null_gain = result.null_gain
        self.plain = seeks_difference(result.comparisons[0].alternative, result.null_gain)

    def pairs(self) -> list[_Pair]:
        pairs: dict[tuple[str, str], list[Comparison]] = {}
        for metric in self.result.metrics:
            for one in self.result.primary_tests(metric.key):
                pairs.setdefault((one.baseline, one.system), []).append(one)
        return [_Pair(*names, tuple(comparisons)) for names, comparisons in pairs.items()]

    def label(self, one: Comparison) -> str:
        label: str = self.metrics[one.metric].label
        return label

    def who(self, one: Comparison) -> str:
        """Name the system; of all pairs both."""
        return one.system if self.result.baseline is not None else f"{one.system} and {one.baseline}"

    def gain(self, one: Comparison) -> str:
        text = self.digits[one.metric].gain(one.delta)
        return f"{text} points" if self.metrics[one.metric].percent else text

    def beyond(self, one: Comparison, baseline: str | None = None) -> str:
        """Return what is shown: ``better than base``, ``not worse than base by more than 0.3``."""
        above = one.delta > self.null_gain
        return beyond(baseline or one.baseline, self.metrics[one.metric], above=above, gain=self.null_gain)

    def sought(self, one: Comparison, baseline: str) -> str:
        """Return what was looked for and not found: ``differ from base``, ``be better than base``."""
        return sought(one.alternative, self.null_gain, baseline, self.metrics[one.metric])

    def excluded(self, one: Comparison, baseline: str) -> str:
        """Return what was to be ruled out, and is not: ``worse than base by more than 0.3``; empty if nothing was."""
        above = one.alternative == "greater"
        if self.null_gain == 0.0 or one.alternative == "two-sided" or above == (self.null_gain > 0.0):
            return ""
        return beyond(baseline, self.metrics[one.metric], above=not above, gain=self.null_gain)

    def claim(self, claim: Claim) -> str:
        """Return what a verdict extends to; empty if that is new units alone."""
        further = claim.runs != OUTPUTS or claim.unit is None or claim.raters or claim.test_sets or claim.about
        return claim.of_outputs(self.item) if further else ""

    def figures(self, one: Comparison) -> dict[str, str]:
        """Return the gain, its interval and its p-value."""
        digits, side = self.digits[one.metric], one.alternative != "two-sided"
        low, high = (digits.gain(end) for end in (one.interval.low, one.interval.high))
        level = level_words(self.result.alpha)
        interval = f"{level} CI {low} – {high}"
        if math.isinf(one.interval.low) and math.isinf(one.interval.high):
            interval = "no gain is excluded"
        elif math.isinf(one.interval.high):
            interval = f"{level} bound: at least {low}"
        elif math.isinf(one.interval.low):
            interval = f"{level} bound: at most {high}"
        p = f"p {p_words(one.p_adjusted)}"
        return {"gain": self.gain(one), "interval": interval, "p": f"one-sided {p}" if side else p}

    def shares(self, one: Comparison) -> dict[str, str]:
        """Return the scores of both systems in percent, and the gain."""
        new, old = (self.result.score(one.metric, name).score for name in (one.system, one.baseline))
        digits = self.digits[one.metric]
        return {"score": digits.score(new), "other": digits.score(old), "gain": self.gain(one)}

    def same(self, one: Comparison) -> bool:
        """Return whether the scores are the same everywhere, by the interval or by a test of these runs."""
        ends = [end for end in (one.interval.low, one.interval.high) if math.isfinite(end)]
        tests = [one, *(own.get((one.baseline, one.system)) for own in self.result.other_tests(one.metric).values())]
        noted = any(note.kind == "same" for other in tests if other is not None for note in other.notes)
        return one.delta == 0.0 and (noted or (bool(ends) and not any(ends)))

    def tone(self, comparisons: Sequence[Comparison]) -> Tone:
        """Return the tone of what is shown, if it is the same and nothing of it is to be doubted."""
        tones = {
            ("good" if one.delta > self.null_gain else "bad")
            if one.marked and self.metrics[one.metric].higher_is_better is not None
            else "plain"
            for one in comparisons
        }
        return tones.pop() if len(tones) == 1 else "plain"  # type: ignore[return-value]


def sought(alternative: str, null_gain: float, baseline: str, metric: MetricInfo) -> str:
    """Return what a test looks for: ``differ from base``, ``be better than base by more than 0.3``."""
    if seeks_difference(alternative, null_gain):
        return f"differ from {baseline}"
    if alternative == "two-sided":
        return f"have a gain over {baseline} other than {as_given(null_gain)}"
    return f"be {beyond(baseline, metric, above=alternative == 'greater', gain=null_gain)}"


def _choose(condition: object, sentence: Sentence, otherwise: Sentence) -> Sentence:
    """Return the sentence for what is so, or the other one."""
    return sentence if condition else otherwise


def answer(result: CompareResult, item: str) -> tuple[Finding, ...]:
    """Return the answer: which systems are better or worse, what is not shown, and what is to be doubted.

    ``item`` is what a segment is called.
    """
    teller = _Teller(result, item)
    pairs = teller.pairs()
    if len(pairs) > MANY:
        return (*_of_many(teller), *_doubts(teller, single=False))
    said = _of_few(teller, pairs)
    return (*said, *_doubts(teller, single=len(said) == 1), *_of_these_runs(teller, pairs))


def _of_few(teller: _Teller, pairs: Sequence[_Pair]) -> list[Finding]:
    """Say of each pair what is shown, then of several together what is not."""
    findings: list[Finding] = []
    silent: dict[str, list[_Pair]] = {}
    for pair in pairs:
        same = [one for one in pair.comparisons if teller.same(one)]
        if same:
            slots = {"metrics": listing([teller.label(one) for one in same]), "unit": teller.unit}
            findings.append(Finding(SAME(system=pair.system, baseline=pair.baseline, **slots), "undecided"))
        if any(one.significant for one in pair.comparisons):
            findings += _shown(teller, pair, alone=len(pairs) == 1)
        elif len(same) < len(pair.comparisons):
            silent.setdefault(pair.baseline, []).append(pair)
    for baseline, mine in silent.items():
        again = bool(findings) and teller.result.baseline is not None
        findings += _not_shown(teller, mine, "it" if again else baseline, alone=len(pairs) == 1)
    return findings


def _shown(teller: _Teller, pair: _Pair, *, alone: bool) -> Iterator[Finding]:
    """Say by which metrics a system is better or worse; then by which it is not shown to be."""
    shown = [one for one in pair.comparisons if one.significant]
    claim = teller.claim(narrowest(one.claim for one in shown))
    slots = {"system": pair.system, "claim": claim}
    phrases: dict[str, list[Comparison]] = {}
    for one in shown:
        phrases.setdefault(teller.beyond(one), []).append(one)
    sides = {one.delta > teller.null_gain for one in shown if teller.metrics[one.metric].higher_is_better is not None}
    first = shown[0]
    if len(pair.comparisons) == 1 and teller.metrics[first.metric].percent:
        sentence = _choose(claim, SHOWN_SHARES_FOR, SHOWN_SHARES)
        figures = teller.shares(first) | {"beyond": teller.beyond(first), "metric": teller.label(first)}
        yield Finding(sentence(**slots, **figures), teller.tone(shown))
    elif len(pair.comparisons) == 1 and alone:
        sentence = _choose(claim, SHOWN_ALONE_FOR, SHOWN_ALONE)
        figures = teller.figures(first) | {"beyond": teller.beyond(first), "metric": teller.label(first)}
        yield Finding(sentence(**slots, **figures), teller.tone(shown))
    elif len(sides) == 2 and len(phrases) == 2:
        (up, metrics), (against, others) = phrases.items()
        sentence = _choose(claim, DISAGREE_FOR, DISAGREE)
        named = {"metrics": _with_gains(teller, metrics), "others": _with_gains(teller, others)}
        yield Finding(sentence(beyond=up, against=against, **slots, **named), "plain")
    else:
        sentence = _choose(claim, SHOWN_FOR, SHOWN)
        for phrase, members in phrases.items():
            yield Finding(sentence(beyond=phrase, metrics=_with_gains(teller, members), **slots), teller.tone(members))
    rest = [one for one in pair.comparisons if not one.significant and not teller.same(one)]
    yield from _silent(teller, rest, [pair.system], pair.baseline)


def _with_gains(teller: _Teller, comparisons: Sequence[Comparison]) -> str:
    return listing([f"{teller.label(one)} ({teller.gain(one)})" for one in comparisons])


def _not_shown(teller: _Teller, pairs: Sequence[_Pair], baseline: str, *, alone: bool) -> Iterator[Finding]:
    """Say of pairs with one baseline that nothing is shown of them."""
    first = pairs[0].comparisons[0]
    excluded, sought = teller.excluded(first, baseline), teller.sought(first, baseline)
    single = len(pairs[0].comparisons) == 1
    if single and teller.metrics[first.metric].percent and not excluded:
        for pair in pairs:
            (one,) = pair.comparisons
            slots = {"who": f"{pair.system} is", "sought": teller.sought(one, one.baseline)}
            sentence = _choose(alone, NOT_SHOWN_SHARES, NOT_SHOWN_POINTS)
            yield Finding(sentence(metric=teller.label(one), **slots, **teller.shares(one)), "undecided")
    elif single and alone:
        sentence = _choose(excluded, MAY_BE_ALONE, NOT_SHOWN_ALONE)
        slots = {"who": f"{first.system} is", "systems": first.system, "sought": sought, "beyond": excluded}
        yield Finding(sentence(metric=teller.label(first), **slots, **teller.figures(first)), "undecided")
    else:
        comparisons = [one for one in pairs[0].comparisons if not teller.same(one)]
        yield from _silent(teller, comparisons, [pair.system for pair in pairs], baseline)


def _silent(
    teller: _Teller, comparisons: Sequence[Comparison], systems: Sequence[str], baseline: str
) -> Iterator[Finding]:
    """Say by which metrics nothing is shown of systems."""
    who = f"{listing(systems)} {_are(len(systems))}"
    phrases: dict[tuple[str, str], list[str]] = {}
    for one in comparisons:
        phrase = teller.sought(one, baseline), teller.excluded(one, baseline)
        phrases.setdefault(phrase, []).append(teller.label(one))
    for (sought, excluded), labels in phrases.items():
        complete = baseline == "it" and len(labels) == len(teller.metrics)
        metrics = listing(labels, "or")
        if complete and len(labels) > 1:
            metrics = "either" if len(labels) == 2 else "any metric"
        if excluded:
            yield Finding(MAY_BE(systems=listing(systems), beyond=excluded, metrics=metrics), "undecided")
        else:
            sentence = _choose(complete and len(labels) == 1, NOT_SHOWN_AGAIN, NOT_SHOWN)
            yield Finding(sentence(who=who, sought=sought, metrics=metrics), "undecided")


def _of_many(teller: _Teller) -> Iterator[Finding]:
    """Count, metric by metric, the systems that are better and worse, and name at most three on each side."""
    for metric in teller.result.metrics:
        family = teller.result.primary_tests(metric.key)
        yield _of_pairs(teller, metric, family) if teller.result.baseline is None else _counted(teller, metric, family)


def _of_pairs(teller: _Teller, metric: MetricInfo, family: Sequence[Comparison]) -> Finding:
    """Count the pairs that differ."""
    shown = [one for one in family if one.significant]
    slots = {"count": len(shown), "pairs": len(family), "metric": metric.label}
    if teller.plain or family[0].alternative == "two-sided":
        return Finding(PAIRS(**slots))
    above = family[0].alternative == "greater"
    return Finding(PAIRS_SOUGHT(beyond=beyond("the other", metric, above=above, gain=teller.null_gain), **slots))


def _counted(teller: _Teller, metric: MetricInfo, family: Sequence[Comparison]) -> Finding:
    """Count the systems that are better than the baseline, worse, and not shown to differ."""
    baseline, first = family[0].baseline, family[0]
    above = [one for one in family if one.significant and one.delta > teller.null_gain]
    below = [one for one in family if one.significant and one.delta <= teller.null_gain]
    silent = len(family) - len(above) - len(below)
    excluded, count = teller.excluded(first, baseline), len(family)
    if silent == count and excluded:
        return Finding(NONE_EXCLUDED(count=count, beyond=excluded, metric=metric.label), "undecided")
    if silent == count:
        sought = teller.sought(first, baseline)
        return Finding(NONE_SHOWN(count=count, sought=sought, metric=metric.label), "undecided")
    counts: list[str] = []
    for members in (sorted(above, key=lambda one: -one.delta), sorted(below, key=lambda one: one.delta)):
        if members:
            named = ", ".join(f"{one.system} {teller.gain(one)}" for one in members[:_NAMED])
            phrase = teller.beyond(members[0])
            if counts and teller.null_gain == 0.0:
                phrase = phrase.partition(" than ")[0]
            slots = {"count": len(members), "are": _are(len(members)), "beyond": phrase, "metric": metric.label}
            sentence = _choose(counts, COUNTED_NEXT, COUNTED_FIRST)
            counts.append(sentence(named=f"{named}, …" if len(members) > _NAMED else named, **slots))
    if silent:
        sought = "differ" if teller.plain else teller.sought(first, baseline)
        sentence = _choose(excluded, COUNTED_MAY_BE, COUNTED_NOT_SHOWN)
        counts.append(sentence(count=silent, are=_are(silent), beyond=excluded, sought=sought))
    return Finding(COUNTED(count=count, counts=", ".join(counts)), teller.tone([*above, *below]))


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _doubts(teller: _Teller, *, single: bool) -> Iterator[Finding]:
    """Say which of what is shown is not reliable, and why; of all of it if there is a ``single`` sentence before."""
    shown = [one for pair in teller.pairs() for one in pair.comparisons if one.significant]
    reasons: dict[str, list[tuple[Comparison, Note]]] = {}
    for one in shown:
        for caveat in one.caveats:
            reasons.setdefault(caveat.kind, []).append((one, caveat))
    for doubted in reasons.values():
        first = doubted[0][1]
        same = all(caveat.text == first.text for _, caveat in doubted)
        reason = first.text if same else first.summary or first.text
        sentence = _choose(single and len(doubted) == len(shown), NOT_RELIABLE, NOT_RELIABLE_FOR)
        members = _members(teller, [one for one, _ in doubted])
        yield Finding(sentence(reason=reason, members=members), "warning")


def _members(teller: _Teller, comparisons: Sequence[Comparison]) -> str:
    """Name comparisons, at most three: by their systems, and by their metric if there are several."""
    names = []
    for one in comparisons:
        names.append(f"{teller.who(one)} in {teller.label(one)}" if len(teller.metrics) > 1 else teller.who(one))
    return some(names, _NAMED)


def _of_these_runs(teller: _Teller, pairs: Sequence[_Pair]) -> Iterator[Finding]:
    """Say so if new runs are not shown to differ but these runs are: that is what runs are for."""
    for pair in pairs:
        found = []
        for one in pair.comparisons:
            tests = teller.result.other_tests(one.metric).values() if one.test == "crossed" else ()
            others = [test[pair.baseline, pair.system] for test in tests if (pair.baseline, pair.system) in test]
            found += [other for other in others if not one.significant and other.marked and not other.claim.new_runs][
                :1
            ]
        if found:
            sentence = _choose(teller.plain, THESE_RUNS, THESE_RUNS_SHOW)
            yield Finding(
                sentence(
                    claim=teller.claim(found[0].claim),
                    system=pair.system,
                    baseline=pair.baseline,
                    beyond=teller.beyond(found[0]),
                    metrics=listing([teller.label(one) for one in found]),
                    runs=_runs(pair.comparisons[0].claim),
                )
            )


def _runs(claim: Claim) -> str:
    """Name what is varied, besides units."""
    return "training samples" if claim.training_data else "runs"


def to_show_notes(result: CompareResult, item: str) -> list[Note]:
    """Say about how many units would show a gain that is not shown, of the first metric that has one; the fewest."""
    teller = _Teller(result, item)
    for metric in result.metrics:
        family = result.primary_tests(metric.key)
        needed = [
            (count, one)
            for one in family
            if not one.significant
            and (count := units_to_show(one, result.n_units, result.alpha, result.null_gain)) is not None
        ]
        if needed and result.unit != "block":
            count, one = min(needed, key=lambda pair: pair[0])
            gain = teller.gain(one) if metric.percent else f"{teller.gain(one)} {metric.label}"
            sentence = TO_DECIDE
            if result.null_gain == 0.0:
                sentence = _choose(one.delta > 0.0, TO_SHOW_GAIN, TO_SHOW_LOSS)
                gain = gain.removeprefix("−")
            return [Note("units-to-show", sentence(gain=gain, units=whole(count, teller.unit), system=one.system))]
    return []


def outcome_notes(result: CompareResult) -> list[Note]:
    """Return what is to know of the tests that decide: once what all have, of many of a kind a summary."""
    teller = _Teller(result, "segment")
    families = {metric.key: result.primary_tests(metric.key) for metric in result.metrics}
    primary = [one for family in families.values() for one in family]
    shared = [note for note in primary[0].notes if all(note in one.notes for one in primary)]
    notes = [note.capitalized() for note in shared]
    kinds: dict[tuple[str, str], list[tuple[Comparison, Note]]] = {}
    for one in primary:
        for note in one.notes:
            if note not in shared:
                kinds.setdefault((one.metric, note.kind), []).append((one, note))
    for (metric, kind), members in kinds.items():
        first = members[0][1]
        if len(members) > MANY and first.summary:
            scope = f"{teller.metrics[metric].label}, {len(members):,} of {len(families[metric]):,} comparisons"
            notes.append(Note(kind, first.summary, scope))
        else:
            notes += [note.about(f"{teller.who(one)}, {teller.label(one)}") for one, note in members]
    alone = [one for one in primary if one.p <= result.alpha < one.p_adjusted]
    if alone:
        text = NOT_ADJUSTED(alpha=result.alpha, members=_members(teller, alone))
        notes.append(Note("not-adjusted", text))
    return [note for note in notes if note.kind not in _SAID]


def notes_of(
    trial: Trial, families: Sequence[Tests], options: CompareOptions, result: CompareResult, tests: Sequence[str]
) -> list[Note]:
    """Return the notes on units, on choices that were made, and on resamples that are too few.

    ``tests`` are those of all families.
    """
    experiment, scores = trial.experiment, result.scores
    chosen = (options.test if isinstance(options.test, str) else options.test[0]) == "auto"
    notes: list[Note] = []
    drawn = any(name not in _WITHOUT_BOOTSTRAP and TESTS[name].kind != "classical" for name in tests)
    notes += few_notes(experiment, scores, trial.resamples, trial.alpha, p_values=drawn)
    tango = dict.fromkeys((pair.baseline, pair.system) for (_, pair), name in families[0].items() if name == "tango")
    notes += correlation_notes(experiment, [*tango])
    notes += segment_notes(experiment, tests)
    pairs = [(pair.baseline, pair.system) for pair in trial.pairs]
    notes += block_notes(experiment, pairs, "difference", shared=trial.joint)
    if chosen and experiment.units.kind == "block":
        notes.append(Note("chosen-test", BLOCKS_CHOSEN()))
        if max(len(system.runs) for system in experiment.corpus.systems) > 1:
            notes.append(Note("no-new-runs", BLOCKS_OF_RUNS()))
    if experiment.corpus.raters is not None:
        from truegain.procedures.raters import rater_notes

        notes += rater_notes(trial, chosen=chosen)
    if "raters" in families[0].values() and trial.null_gain == 0.0:
        notes += _standardised_notes(trial, families[0])
    crossed = [pair for (_, pair), name in families[0].items() if name == "crossed"]
    if chosen or crossed:
        notes += one_run_notes(trial, crossed)
    if trial.alternative != "two-sided" and len({pair.baseline for pair in trial.pairs}) > 1:
        notes.append(Note("one-side", _choose(trial.alternative == "greater", ONE_SIDE_GAIN, ONE_SIDE_LOSS)()))
    if trial.null_gain != 0.0:
        notes += _null_gain_notes(trial, families, tests, chosen=chosen)
    notes += tail_notes(experiment, families[0].values(), options.adjust, len(trial.pairs))
    return [*notes, *_resamples_notes(trial, options.adjust, result)]


def _resamples_notes(trial: Trial, adjustment: str, result: CompareResult) -> list[Note]:
    """Say how many resamples there were if tests chose, and if they are too few for an adjusted p-value."""
    count, resamples = len(trial.pairs), trial.resamples
    if trial.stopping is not None and any(one.p_value.sequence is not None for one in result.comparisons):
        return [Note("sequential", SETTLED(error=trial.stopping.error, cap=trial.stopping.cap))]
    if adjustment != MAXT and adjust([1 / (resamples + 1)] + [1.0] * (count - 1), adjustment)[0] > trial.alpha:
        slots = {"resamples": resamples, "comparisons": whole(count, "comparison"), "alpha": trial.alpha}
        return [Note("few-resamples", FEW_RESAMPLES(**slots))]
    return []


def _standardised_notes(trial: Trial, tests: Tests) -> list[Note]:
    """Say what the test of raters finds of scores that are standardised for each rater."""
    from truegain.procedures.raters import standardised_gains

    pairs = tuple(dict.fromkeys(pair for (_, pair), test in tests.items() if test == "raters"))
    found = standardised_gains(changed(trial, pairs=pairs))
    names = [system.name for system in trial.experiment.corpus.systems]
    rater = trial.experiment.corpus.rater_noun
    notes = []
    for m, block in enumerate(trial.experiment.statistics.blocks):
        gains = {pair: found[m, pair] for pair in pairs if (m, pair) in found}
        if not gains:
            text = NOT_STANDARDISED()
        elif len(gains) > _STANDARDISED:
            count = sum(p <= trial.alpha for _, p in gains.values())
            text = STANDARDISED_MANY(rater=rater, alpha=trial.alpha, count=count, pairs=len(gains))
        else:
            pieces = [
                STANDARDISED_GAIN(
                    system=names[pair.system], baseline=names[pair.baseline], gain=signed(gain, 3), p=p_words(p)
                )
                for pair, (gain, p) in gains.items()
            ]
            text = STANDARDISED(rater=rater, gains="; ".join(pieces))
        notes.append(Note("standardised", text, scope=block.metric.label))
    return notes


def _null_gain_notes(trial: Trial, families: Sequence[Tests], tests: Sequence[str], *, chosen: bool) -> list[Note]:
    """Say what p-values are about if they are not about zero, and what gave way to that."""
    side = {"greater": "at most ", "less": "at least "}.get(trial.alternative, "")
    notes = [Note("null-gain", NULL_GAIN(gain=f"{side}{as_given(trial.null_gain)}"))]
    if chosen and "bootstrap" in tests:
        notes.append(Note("chosen-test", BOOTSTRAP_CHOSEN()))
    if chosen and "crossed" in families[0].values():
        notes.append(Note("no-new-runs", NO_NEW_RUNS()))
    return notes


def ending(result: CompareResult) -> str:
    """Name the tests that decide, and the resamples and the seed if anything was drawn."""
    primary = [one for metric in result.metrics for one in result.primary_tests(metric.key)]
    names = ["AR" if one.test == "ar" else one.test for one in primary]
    tests = listing(list(dict.fromkeys(names)), "or")
    if result.adjusts and primary[0].adjust == MAXT:
        tests = f"{tests}, max-T over {len(result.primary_tests(result.metrics[0].key))} comparisons"
    two_sided = all(one.alternative == "two-sided" for one in primary)
    kinds = [one.interval.method for one in result.scores if one.interval is not None]
    if not any(one.resamples for one in primary) and all(kind in ("wilson", "test") for kind in kinds):
        return _choose(two_sided, ENDING_UNDRAWN, ENDING_UNDRAWN_ONE_SIDED)(tests=tests)
    resamples = max([result.resamples, *(one.resamples for one in primary)])
    sentence = _choose(two_sided, ENDING, ENDING_ONE_SIDED)
    return sentence(tests=tests, resamples=resamples, seed=primary[0].seed)


def methods(result: CompareResult, item: str) -> str:
    """Describe the method in a few sentences, to paste into a paper; segments are called as ``item`` says."""
    made = MADE_WITH(version=result.version, seed=result.comparisons[0].seed)
    return " ".join([*_tested(result, item), *_means(result), *_adjusted(result), *_intervals(result, item), made])


def _tested(result: CompareResult, item: str) -> Iterator[str]:
    """Say what was tested with which tests, which of them decides, and what is known of them."""
    first = result.comparisons[0]
    primary, others = result.primary_tests(first.metric), result.other_tests(first.metric)
    by_test: dict[str, Comparison] = {}
    for one in result.comparisons:
        by_test.setdefault(one.test, one)
    tests = [_test_words(result, one, item) for one in by_test.values()]
    sentence = METHODS_ALL
    if result.baseline is not None:
        sentence = _choose(len(primary) > 1, METHODS_BASELINE, METHODS_PAIR)
    metrics = listing([metric.label for metric in result.metrics])
    yield sentence(metrics=metrics, tests=listing(tests, "and" if others else "or"))
    names = list(dict.fromkeys(one.test for one in primary))
    if others:
        yield DECIDES(tests=listing([label_of(name) for name in names], "or"))
    if "crossed" in names:
        yield CROSSED(runs=_runs(first.claim))
    for test in by_test:
        if (size := size_off_level(test)) is not None:
            yield OFF_LEVEL(test=TESTS[test].label, percent=100 * size)


def _means(result: CompareResult) -> Iterator[str]:
    """Say what scores of several runs are."""
    if any(score.runs > 1 for score in result.scores):
        yield _choose(result.testset.inputs.training, MEANS_OF_SAMPLES, MEANS)
        if not any(one.claim.new_runs for one in result.primary_tests(result.metrics[0].key)):
            yield HELD


def _intervals(result: CompareResult, item: str) -> Iterator[str]:
    """Say what intervals of scores are, and those of differences if these are others."""
    primary = result.primary_tests(result.metrics[0].key)
    units = units_words(result.unit, result.n_units, item)
    bootstrap = BOOTSTRAP(units=units, resamples=result.resamples)
    kinds = score_intervals_words(result.scores, bootstrap)
    kept = any(one.interval.method == "test" for one in primary)
    student = list(dict.fromkeys(one.test for one in primary if one.interval.method == "t"))
    drawn = [one.interval.method for one in primary if one.interval.method not in ("t", "test")]
    sentence = _choose(kept or student, SCORE_INTERVALS, INTERVALS)
    yield sentence(level=level_words(result.alpha), kinds=kinds)
    if student:
        sampled = result.testset.inputs.training is not None
        sources = [_OF_SAMPLES if sampled and test != "crossed" else SOURCES[test] for test in student]
        yield INTERVALS_FROM(tests=listing(list(dict.fromkeys(sources)), "or"))
    if kept:
        yield INTERVALS_KEPT
    if drawn and (kept or student):
        yield INTERVALS_ELSE(kind=kind_words(drawn[0]), bootstrap=bootstrap)
    if result.adjusts and len(primary) > 1:
        yield INTERVALS_UNADJUSTED
    if result.human_agreement is not None:
        yield PEOPLE


def tests_note(result: CompareResult) -> str:
    """Name the test that decides, and how its p-values were adjusted: the note under a table."""
    primary = [one for metric in result.metrics for one in result.primary_tests(metric.key)]
    first = {one.test: one for one in reversed(primary)}
    tests = listing([_test_words(result, first[test]) for test in dict.fromkeys(one.test for one in primary)], "or")
    return " ".join([TESTED(tests=tests), *_adjusted(result)])


def _adjusted(result: CompareResult) -> Iterator[str]:
    """Say how p-values were adjusted for their number, if there are several."""
    family = result.primary_tests(result.metrics[0].key)
    count, method = len(family), family[0].adjust
    if count > 1 and result.adjusts:
        yield ADJUSTED(count=count, method=ADJUSTED_BY[method], rate=_RATES[CONTROLS[method]])
    elif count > 1:
        yield UNADJUSTED(count=count)


def _test_words(result: CompareResult, one: Comparison, item: str = "segment") -> str:
    """Describe one test, for the methods; segments are called as ``item`` says."""
    metric = next(metric for metric in result.metrics if metric.key == one.metric)
    sides = {"two-sided": "two-sided", "observed": "one-sided, towards the better system"}.get(one.alternative, "")
    if result.null_gain != 0.0:
        sides = sides_words(one.alternative, result.null_gain)
    elif not sides:
        sought = beyond("", metric, above=one.alternative == "greater", gain=0.0)
        sides = f"one-sided, {sought.removesuffix(' than ')}"
    entry = TESTS[one.test]
    of_segments = (entry.kind, entry.unit) == ("classical", "segment")
    slots = {
        "test": f"{label_of(one.test)} of segment scores" if of_segments else label_of(one.test),
        "sides": sides,
        "source": entry.source,
        "units": units_words(one.unit, one.n_units, item),
    }
    drawn = {other.resamples for other in result.comparisons if other.test == one.test}
    if 0 in drawn:  # p follows from a distribution; or, of the crossed test, it may be that of another claim
        return TEST(**slots)
    resamples = f"{min(drawn):,}" if len(drawn) == 1 else f"{min(drawn):,} to {max(drawn):,}"
    sentence = _choose(one.p_value.sequence, TEST_SEQUENTIAL, TEST_DRAWN)
    return sentence(resamples=resamples, **slots)
