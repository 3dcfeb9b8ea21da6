"""Sentences on a comparison."""

from __future__ import annotations

import math

from truegain.inference.claims import narrowest
from truegain.inference.multiplicity import CONTROLS
from truegain.inference.results import Comparison, MetricInfo
from truegain.registry import TESTS, size_off_level
from truegain.report.model import P, Paragraph, Words, listing, p_words, signed
from truegain.studies.compare.caveats import has_interval, said_in_verdict
from truegain.studies.compare.result import CompareResult
from truegain.studies.null_gain import (
    as_given,
    beyond_words,
    doubted_words,
    seeks_difference,
    sides_words,
)
from truegain.studies.shared_view import (
    ADJUSTED_BY,
    MANY,
    TONES,
    after_words,
    decimals_for,
    label_of,
    level_words,
    score_intervals_words,
    sentence_tone,
    tone_of,
    units_words,
)

#: What an interval of a difference is that a test's own resamples give.
KEPT_GAINS = "the gains that the test does not reject"
#: What intervals of differences are from, where a test has its own.
INTERVALS_FROM = {
    "crossed": "the crossed test",
    "raters": "the test of raters",
    "run-permutation": "Welch's t-test of run scores",
    "welch": "Welch's t-test of run scores",
}
_RATES = {"FWER": "family-wise error rate", "PFER and FWER": "family-wise error rate", "FDR": "false discovery rate"}


def verdict(result: CompareResult, comparison: Comparison, decimals: int | None = None) -> str:
    """Say the answer in one sentence."""
    metric = next(one for one in result.metrics if one.key == comparison.metric)
    places = decimals_for(metric, result.scores, decimals)
    gain = signed(comparison.delta, places)
    ends = [end for end in (comparison.interval.low, comparison.interval.high) if math.isfinite(end)]
    everywhere = _same_everywhere(result, comparison)
    if comparison.delta == 0.0 and ((ends and not any(ends)) or everywhere):
        unit = result.unit if everywhere else "segment"
        same = f"{comparison.system} and {comparison.baseline} have the same {metric.label} on every {unit}"
        return f"{same}: {_shown(result, comparison, metric)}." if comparison.significant else f"{same}."
    reasons = [caveat.text for caveat in said_in_verdict(comparison)]
    evidence = "; ".join([f"{TESTS[comparison.test].label}, {_p_words(result, comparison)}", *reasons])
    doubt = ", but this is not reliable" if any(caveat.kind != "size" for caveat in comparison.caveats) else ""
    if comparison.significant and result.null_gain != 0.0:
        shown = _shown(result, comparison, metric)
        return f"By {metric.label} {shown} ({gain}), for {comparison.claim}{doubt} ({evidence})."
    if comparison.significant:
        if comparison.better is None:
            word = "higher" if comparison.delta > 0 else "lower"
        else:
            word = "better" if comparison.better else "worse"
        return (
            f"{comparison.system} is {word} than {comparison.baseline} by {metric.label} ({gain}), "
            f"for {comparison.claim}{doubt} ({evidence})."
        )
    interval = _interval_words(result, comparison, places)
    alone = (
        f" Alone it does ({sided(comparison)}p {p_words(comparison.p)}): the interval is not adjusted."
        if alone_only(comparison, result.alpha)
        else ""
    )
    return f"{metric.label} {_doubted(result, comparison, metric)}: {gain}, {interval} ({evidence}).{alone}"


def _same_everywhere(result: CompareResult, comparison: Comparison) -> bool:
    """Return whether a test of these runs found no difference anywhere; the one that decides may be of new runs."""
    pair = (comparison.metric, comparison.baseline, comparison.system)
    return any(
        note.kind == "same"
        for one in result.comparisons
        if (one.metric, one.baseline, one.system) == pair
        for note in one.notes
    )


def _interval_words(result: CompareResult, comparison: Comparison, decimals: int) -> str:
    """Say the interval, or the bound if it has one end only."""
    low, high = (signed(end, decimals) for end in (comparison.interval.low, comparison.interval.high))
    drawn = not has_interval(comparison) and comparison.interval.method != "t"
    level = level_words(result.alpha) + (" bootstrap" if drawn else "")
    has_low, has_high = (math.isfinite(end) for end in (comparison.interval.low, comparison.interval.high))
    if not has_low and not has_high:
        return "and the test rejects no gain, however large"
    if has_low and has_high:
        return f"{level} interval {low} – {high}"
    return f"{level} bound: at {f'least {low}' if has_low else f'most {high}'}"


def verdicts(result: CompareResult, metric: MetricInfo, decimals: int | None) -> list[Paragraph]:
    """Say one sentence per comparison; of many, three that gather the better, the worse and the undecided."""
    family = result.primary_tests(metric.key)
    if len(family) <= MANY or result.null_gain != 0.0:
        return [Paragraph(verdict(result, one, decimals), "verdict", sentence_tone(tone_of(one))) for one in family]
    places = decimals_for(metric, result.scores, decimals)
    tests = " or ".join(sorted({TESTS[one.test].label for one in family}))
    after = after_words(family[0].adjust)
    claim = narrowest(one.claim for one in family)
    plain = seeks_difference(family[0].alternative, result.null_gain)
    evidence = f"for {claim} ({tests}, {sided(family[0])}p ≤ {result.alpha:g}{after})"
    if result.baseline is None:
        return _pairs_verdicts(result, metric, family, evidence, places)
    groups: dict[tuple[int, str], list[Comparison]] = {}
    for one in sorted(family, key=lambda one: (not one.significant, one.delta < 0, bool(one.caveats), -one.delta)):
        outcome = 0 if not one.significant else 1 if one.delta > 0 else -1
        groups.setdefault((outcome, _doubts(one)), []).append(one)
    paragraphs = []
    for (outcome, doubts), group in groups.items():
        what = "differ from" if plain else f"are {_side(family[0].alternative, metric)} than"
        opening = f"{metric.label} does not show that these {what} {result.baseline}"
        if outcome:
            side = _side("greater" if outcome > 0 else "less", metric)
            opening = f"By {metric.label}, {side} than {result.baseline} {evidence}{doubts}"
        members = ", ".join(f"{one.system} ({signed(one.delta, places)})" for one in group)
        alone = [one.system for one in group if alone_only(one, result.alpha)]
        more = f" Alone, p ≤ {result.alpha:g} for {listing(alone)}: intervals are not adjusted." if alone else ""
        paragraphs.append(Paragraph(f"{opening}: {members}.{more}", "verdict", sentence_tone(tone_of(group[0]))))
    return paragraphs


def alone_only(one: Comparison, alpha: float) -> bool:
    """Return whether a comparison is significant for itself, and not after the adjustment for their number."""
    return one.p <= alpha < one.p_adjusted


def _doubts(one: Comparison) -> str:
    """Return what a sentence about several significant comparisons says of their caveats."""
    if not one.significant or not one.caveats:
        return ""
    size = next((f", though {caveat.text}" for caveat in one.caveats if caveat.kind == "size"), "")
    others = dict.fromkeys(caveat.summary or caveat.text for caveat in one.caveats if caveat.kind != "size")
    return size + (f", but this is not reliable ({'; '.join(others)})" if others else "")


def other_claims(result: CompareResult, metric: MetricInfo) -> list[str]:
    """Say so if new runs are not shown to be better but these runs are: that is what runs are for."""
    said = []
    beside = [one for others in result.other_tests(metric.key).values() for one in others.values()]
    for one in result.primary_tests(metric.key):
        if one.test != "crossed" or one.significant:
            continue
        for other in beside:
            same = (other.baseline, other.system) == (one.baseline, one.system)
            if same and other.marked and not other.claim.new_runs:
                differ = f"{one.system} and {one.baseline} do differ"
                plain = seeks_difference(other.alternative, result.null_gain)
                what = differ if plain else f"it is shown that {_shown(result, other, metric)}"
                of = "training samples" if one.claim.training_data else "runs"
                said.append(
                    f"For {other.claim} alone, {what} "
                    f"({TESTS[other.test].label}, {_p_words(result, other)}): the {of} vary too much, or are too "
                    "few, to say so of new ones."
                )
                break
    return said


def methods(result: CompareResult) -> str:
    """Describe the method in a sentence, to paste into a paper."""
    one = result.comparisons[0]
    others = len(result.primary_tests(one.metric))
    names = listing([metric.label for metric in result.metrics])
    if result.baseline is None:
        who = f"The differences in {names} between all systems"
    elif others == 1:
        who = f"The difference in {names} between the system and the baseline"
    else:
        who = f"The differences in {names} between each system and the baseline"
    sampled = result.testset.inputs.training is not None
    runs = " Scores are means over runs" if any(s.runs > 1 for s in result.scores) else ""
    if runs and sampled:
        runs = " Scores are means over training samples, and that of a sample is the mean over its runs"
    if runs and not any(comparison.claim.new_runs for comparison in result.primary_tests(one.metric)):
        runs += "; both are held fixed" if sampled else ", and runs are held fixed"
    runs += "." if runs else ""
    family = (
        f" P-values were adjusted for the {others} comparisons per metric ({ADJUSTED_BY[one.adjust]}), which controls "
        f"the {_RATES[CONTROLS[one.adjust]]}."
        if others > 1 and result.adjusts
        else f" P-values were not adjusted for the {others} comparisons: the rate of errors is that per comparison."
        if others > 1
        else ""
    )
    verb = "was" if others == 1 and result.baseline is not None else "were"
    unadjusted = ", not adjusted for the number of comparisons" if others > 1 and result.adjusts else ""
    kinds: dict[str, Comparison] = {}
    for comparison in result.comparisons:
        kinds.setdefault(comparison.test, comparison)
    joint = "and" if result.other_tests(one.metric) else "or"
    tests = listing([_test_words(result, comparison) for comparison in kinds.values()], joint)
    level = level_words(result.alpha)
    bootstrap = (
        f"the paired bootstrap over {units_words(result.unit, result.n_units)}, with {result.resamples:,} resamples"
    )
    primary = result.primary_tests(one.metric)
    own = list(dict.fromkeys(c.test for c in primary if c.interval.method == "t"))
    of_samples = "a t-test of the scores of training samples"
    named = [of_samples if sampled and test != "crossed" else INTERVALS_FROM[test] for test in own]
    used = "" if all(c.interval.method == "t" for c in primary) else f" if {'it' if len(own) == 1 else 'one'} was used"
    sources = [f"are from {listing(named, 'or')}{used}"] if own else []
    sources += [f"are {KEPT_GAINS}"] if any(c.interval.method == "test" for c in primary) else []
    what = "Intervals of scores" if sources else "Intervals"
    others_own = f"; those of differences {'; else they '.join(sources)}" if sources else ""
    rates = [
        f" {TESTS[test].label} rejects {100 * size:.0f} % of true nulls at 0.05."
        for test in kinds
        if (size := size_off_level(test)) is not None
    ]
    return (
        f"{who} {verb} tested with {tests}{_decides(result, primary)}.{''.join(rates)}{runs}{family} "
        f"{what} are {level} {score_intervals_words(result.scores, bootstrap)}{unadjusted}{others_own} "
        f"(truegain {result.version}, seed {one.seed}).{_people(result)}"
    )


def _decides(result: CompareResult, primary: list[Comparison]) -> str:
    """Say which of several tests decides, and that the crossed test's p is never below that of its first claim."""
    names = list(dict.fromkeys(one.test for one in primary))
    several = bool(result.other_tests(primary[0].metric))
    said = [f"{listing([label_of(name) for name in names], 'or')} decides"] if several else []
    if "crossed" in names:
        what = "training samples" if primary[0].claim.training_data else "runs"
        whose = "its" if names == ["crossed"] else "the crossed test's"
        said.append(f"{whose} p is at least that with the {what} as they are")
    return f"; {', and '.join(said)}" if said else ""


def _people(result: CompareResult) -> str:
    """Say how shares of pairs that people rank the same way were estimated."""
    if result.human_agreement is None:
        return ""
    return (
        " The share of system pairs that people rank the same way is estimated by logistic regression on the gain, "
        "and one half at a gain of zero; intervals are Student's, over systems."
    )


def tests_note(result: CompareResult) -> str:
    """Name the test that decides, and how its p-values were adjusted: the note under a table."""
    primary = [one for metric in result.metrics for one in result.primary_tests(metric.key)]
    first = {one.test: one for one in reversed(primary)}
    tests = listing([_test_words(result, first[test]) for test in dict.fromkeys(one.test for one in primary)], "or")
    count = len(result.primary_tests(result.metrics[0].key))
    if count == 1:
        return f"Tested with {tests}."
    if not result.adjusts:
        return Words(f"Tested with {tests}; ", P, f"-values are not adjusted for the {count} comparisons.")
    method = ADJUSTED_BY[primary[0].adjust]
    adjusted = f"-values are adjusted for {count} comparisons per metric ({method})."
    return Words(f"Tested with {tests}; ", P, adjusted)


def _doubted(result: CompareResult, comparison: Comparison, metric: MetricInfo) -> str:
    """Say what the test looked for, and did not find."""
    system, baseline = comparison.system, comparison.baseline
    if result.null_gain != 0.0:
        if comparison.alternative == "two-sided":
            return f"does not show that the gain of {system} over {baseline} is other than {as_given(result.null_gain)}"
        above = comparison.alternative == "greater"
        return doubted_words(system, baseline, metric, above=above, gain=result.null_gain)
    if comparison.alternative in ("two-sided", "observed"):
        return f"does not show that {system} and {baseline} differ"
    return f"does not show that {system} is {_side(comparison.alternative, metric)} than {baseline}"


def _shown(result: CompareResult, comparison: Comparison, metric: MetricInfo) -> str:
    """Say what a significant comparison shows, with another gain than zero in the null hypothesis."""
    above = comparison.delta > result.null_gain
    return beyond_words(comparison.system, comparison.baseline, metric, above=above, gain=result.null_gain)


def _p_words(result: CompareResult, comparison: Comparison) -> str:
    family = len(result.primary_tests(comparison.metric))
    after = after_words(comparison.adjust) if family > 1 and result.adjusts else ""
    return f"{sided(comparison)}p {p_words(comparison.p_adjusted)}{after}"


def sided(comparison: Comparison) -> str:
    """Return what stands before a p-value in a sentence: that it is one-sided, if so."""
    return "" if comparison.alternative == "two-sided" else "one-sided "


def _test_words(result: CompareResult, one: Comparison) -> str:
    """Describe one test, for the methods sentence."""
    sides = {"two-sided": "two-sided", "observed": "one-sided, towards the better system"}.get(
        one.alternative, f"one-sided, {_side(one.alternative, next(m for m in result.metrics if m.key == one.metric))}"
    )
    if result.null_gain != 0.0:
        sides = sides_words(one.alternative, result.null_gain)
    entry = TESTS[one.test]
    what = " of segment scores" if (entry.kind, entry.unit) == ("classical", "segment") else ""
    words = f"{label_of(one.test)}{what} ({sides}; {entry.source}) over {units_words(one.unit, one.n_units)}"
    drawn = {comparison.resamples for comparison in result.comparisons if comparison.test == one.test}
    if 0 in drawn:  # p follows from a distribution; or, of the crossed test, it may be that of another claim
        return words
    many = f"{drawn.pop():,}" if len(drawn) == 1 else f"{min(drawn):,} to {max(drawn):,}"
    enough = ", as many as the decision needed" if one.p_value.sequence is not None else ""
    return f"{words} with {many} resamples{enough}"


def _pairs_verdicts(
    result: CompareResult, metric: MetricInfo, family: list[Comparison], evidence: str, decimals: int
) -> list[Paragraph]:
    """Say of many pairs which system is better than which, and which do not differ significantly."""
    word, tone = _side("greater", metric), TONES[None if metric.higher_is_better is None else True]
    better: dict[tuple[str, str], list[str]] = {}
    undecided = []
    for one in sorted(family, key=lambda one: -abs(one.delta)):
        if not one.significant:
            undecided.append(f"{one.system} and {one.baseline}")
        else:
            winner, loser = (one.system, one.baseline) if one.delta > 0 else (one.baseline, one.system)
            better.setdefault((winner, _doubts(one)), []).append(f"{loser} ({signed(abs(one.delta), decimals)})")
    said = [
        Paragraph(
            f"By {metric.label}, {winner} is {word} {evidence} than {', '.join(losers)}{doubts}.",
            "verdict",
            sentence_tone("plain" if doubts else tone),
        )
        for (winner, doubts), losers in better.items()
    ]
    if undecided:
        alone = [f"{one.system} and {one.baseline}" for one in family if alone_only(one, result.alpha)]
        more = f" Alone, p ≤ {result.alpha:g} for {', '.join(alone)}: intervals are not adjusted." if alone else ""
        text = f"{metric.label} does not tell apart: {', '.join(undecided)}.{more}"
        if not seeks_difference(family[0].alternative, result.null_gain):
            first = f"{metric.label} does not show that the first is {_side(family[0].alternative, metric)}"
            text = f"{first}: {', '.join(undecided)}.{more}"
        said.append(Paragraph(text, "verdict", "undecided"))
    return said


def _side(alternative: str, metric: MetricInfo) -> str:
    words = ("better", "worse") if metric.higher_is_better is not None else ("higher", "lower")
    return words[0] if alternative == "greater" else words[1]
