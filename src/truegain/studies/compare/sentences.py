"""What a comparison found, in sentences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from truegain.inference.multiplicity import CONTROLS
from truegain.inference.results import Comparison, MetricInfo
from truegain.registry import TESTS
from truegain.report.model import Paragraph, listing, p_text, signed
from truegain.studies.null_gain import as_given, beyond_words, doubted_words, sides_words
from truegain.studies.tabulating import MANY, TONES, decimals_for, interval_text
from truegain.studies.wording import ADJUSTED_BY, label_of, units_words

if TYPE_CHECKING:
    from truegain.studies.compare.result import CompareResult

__all__ = [
    "INTERVALS_FROM",
    "methods",
    "other_claims",
    "remarks",
    "tests_note",
    "verdict",
    "verdicts",
]

#: What intervals of differences are from, where a test has its own.
INTERVALS_FROM = {
    "crossed": "the crossed test",
    "run-permutation": "Welch's t-test of run scores",
    "welch": "Welch's t-test of run scores",
}
_RATES = {"FWER": "family-wise error rate", "PFER and FWER": "family-wise error rate", "FDR": "false discovery rate"}


def verdict(result: CompareResult, comparison: Comparison, width: int | None = None) -> str:
    """The answer in one sentence."""
    metric = next(one for one in result.metrics if one.key == comparison.metric)
    decimals = decimals_for(metric, result.scores, width)
    gain = signed(comparison.delta, decimals)
    if comparison.delta == 0.0 and comparison.interval.low == comparison.interval.high == 0.0:
        same = f"{comparison.system} and {comparison.baseline} are the same to {metric.label}"
        return f"{same}: {_shown(result, comparison, metric)}." if comparison.significant else f"{same}."
    evidence = f"{TESTS[comparison.test].label}, {_p_words(result, comparison)}"
    if comparison.significant and result.null_gain != 0.0:
        shown = _shown(result, comparison, metric)
        return f"By {metric.label} {shown} ({gain}), for {comparison.claim} ({evidence})."
    if comparison.significant:
        if comparison.better is None:
            word = "higher" if comparison.delta > 0 else "lower"
        else:
            word = "better" if comparison.better else "worse"
        return (
            f"{comparison.system} is {word} than {comparison.baseline} by {metric.label} ({gain}), "
            f"for {comparison.claim} ({evidence})."
        )
    interval = interval_text(comparison.interval.low, comparison.interval.high, lambda x: signed(x, decimals))
    level = f"{100 * (1 - result.alpha):g} %"
    return f"{metric.label} {_doubted(result, comparison, metric)}: {gain}, {level} interval {interval} ({evidence})."


def verdicts(result: CompareResult, metric: MetricInfo, width: int | None) -> list[Paragraph]:
    """A sentence for each comparison; of many, three that gather the better, the worse and the undecided."""
    family = result.deciding(metric.key)
    if len(family) <= MANY or result.null_gain != 0.0:
        return [Paragraph(verdict(result, one, width), "verdict", TONES[one.better]) for one in family]
    decimals = decimals_for(metric, result.scores, width)
    tests = " or ".join(sorted({TESTS[one.test].label for one in family}))
    after = f" after {ADJUSTED_BY[family[0].adjustment]}" if result.adjusts else ""
    claims = {one.claim for one in family}
    claim = claims.pop() if len(claims) == 1 else max(claims, key=len).replace("this run", "these runs")
    evidence = f"for {claim} ({tests}, p ≤ {result.alpha:g}{after})"
    if result.baseline is None:
        return _pairs_verdicts(metric, family, evidence, decimals)
    openings = {
        1: f"By {metric.label}, {_side('greater', metric)} than {result.baseline} {evidence}",
        -1: f"By {metric.label}, {_side('less', metric)} than {result.baseline} {evidence}",
        0: f"{metric.label} does not show that these differ from {result.baseline}",
    }
    paragraphs = []
    for outcome, opening in openings.items():
        group = sorted((one for one in family if _outcome(one) == outcome), key=lambda one: -one.delta)
        if group:
            members = ", ".join(f"{one.system} ({signed(one.delta, decimals)})" for one in group)
            paragraphs.append(Paragraph(f"{opening}: {members}.", "verdict", TONES[group[0].better]))
    return paragraphs


def _outcome(one: Comparison) -> int:
    """1 and -1 for a difference that was shown, with its sign; 0 for none."""
    return 0 if not one.significant else 1 if one.delta > 0 else -1


def other_claims(result: CompareResult, metric: MetricInfo) -> list[str]:
    """Where new runs are not shown to be better but these runs are, say so: that is what runs are for."""
    said = []
    beside = [one for others in result.beside(metric.key).values() for one in others.values()]
    for one in result.deciding(metric.key):
        if one.test != "crossed" or one.significant:
            continue
        for other in beside:
            same = (other.baseline, other.system) == (one.baseline, one.system)
            if same and other.significant and "new runs" not in other.claim:
                differ = f"{one.system} and {one.baseline} do differ"
                what = differ if result.null_gain == 0.0 else f"it is shown that {_shown(result, other, metric)}"
                said.append(
                    f"For {other.claim} alone, {what} "
                    f"({TESTS[other.test].label}, {_p_words(result, other)}): the runs vary too much, or are too few, "
                    "to say so of new ones."
                )
                break
    return said


def remarks(result: CompareResult) -> list[str]:
    """Notes without repetitions: what holds for all comparisons is said once."""
    remarks = [_unit_remark(result)]
    if any(metric.higher_is_better is False for metric in result.metrics):
        remarks.append("Δ is positive where the system is better, also where lower scores are better")
    shared = _shared_notes(result)
    remarks.extend(f"{test}: {note}" for test, note in shared)
    gathered = _gathered_notes(result)
    remarks.extend(gathered.values())
    for one in result.comparisons:
        metric = next(metric for metric in result.metrics if metric.key == one.metric)
        several = len(result.comparisons) > 1
        who = one.system if result.baseline is not None else f"{one.system} and {one.baseline}"
        label = f"{who}, {metric.label}" + (f", {one.test}" if result.beside(one.metric) else "")
        own = [
            note
            for note in one.notes
            if (one.test, note) not in shared and (one.metric, one.test, _alike(note)) not in gathered
        ]
        remarks.extend(f"{label}: {note}" if several else note[:1].upper() + note[1:] for note in own)
    if any((TESTS[one.test].kind, one.unit) == ("classical", "segment") for one in result.comparisons):
        remarks.extend(_effects(result))
    return [*remarks, *result.notes]


def methods(result: CompareResult) -> str:
    """A sentence on the method, to paste into a paper."""
    one = result.comparisons[0]
    others = len(result.deciding(one.metric))
    if result.baseline is None:
        who = "the differences between all systems"
    else:
        who = f"the difference{'' if others == 1 else 's'} between {'the' if others == 1 else 'each'} system and the"
        who += " baseline"
    names = listing([metric.label for metric in result.metrics])
    runs = " Scores are means over runs." if any(s.runs > 1 for s in result.scores) else ""
    if runs and not any("new runs" in comparison.claim for comparison in result.deciding(one.metric)):
        runs = " Scores are means over runs, and runs are held fixed."
    family = (
        f" P-values were adjusted for the {others} comparisons, metric by metric, by the method of "
        f"{ADJUSTED_BY[one.adjustment]}, which controls the {_RATES[CONTROLS[one.adjustment]]}."
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
    joint = "and" if result.beside(one.metric) else "or"
    tests = listing([_test_words(result, comparison) for comparison in kinds.values()], joint)
    level = f"{100 * (1 - result.alpha):g} %"
    kind = next((score.interval.method for score in result.scores if score.interval is not None), "percentile")
    own = list(dict.fromkeys(c.test for c in result.deciding(one.metric) if c.interval.method == "t"))
    what = "Intervals" if not own else "Intervals of scores"
    sources = listing([INTERVALS_FROM[test] for test in own]) if own else ""
    others_own = f"; those of differences are from {sources}, where that was the test" if own else ""
    return (
        f"In terms of {names}, {who} {verb} tested with {tests}.{runs}{family} {what} are {level} {kind} intervals "
        f"of the paired bootstrap over {units_words(result.unit, result.n_units)}, with {result.resamples:,} "
        f"resamples{unadjusted}{others_own} (truegain {result.version}, seed {one.seed})."
    )


def tests_note(result: CompareResult) -> str:
    """The test that decides, and how its p-values were adjusted: the note under a table."""
    deciding = [one for metric in result.metrics for one in result.deciding(metric.key)]
    first = {one.test: one for one in reversed(deciding)}
    tests = listing([_test_words(result, first[test]) for test in dict.fromkeys(one.test for one in deciding)], "or")
    count = len(result.deciding(result.metrics[0].key))
    if count == 1:
        return f"Tested with {tests}."
    if not result.adjusts:
        return f"Tested with {tests}; p-values are not adjusted for the {count} comparisons."
    method = ADJUSTED_BY[deciding[0].adjustment]
    return f"Tested with {tests}; p-values are adjusted for {count} comparisons a metric by the method of {method}."


def _doubted(result: CompareResult, comparison: Comparison, metric: MetricInfo) -> str:
    """What the test looked for, and did not find."""
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
    """What a significant comparison shows, with another gain than zero in the null hypothesis."""
    above = comparison.delta > result.null_gain
    return beyond_words(comparison.system, comparison.baseline, metric, above=above, gain=result.null_gain)


def _p_words(result: CompareResult, comparison: Comparison) -> str:
    family = len(result.deciding(comparison.metric))
    text = p_text(comparison.p_adjusted)
    relation = text if text.startswith("<") else f"= {text}"
    relation = relation.replace("<", "< ")
    return f"p {relation}" + (f" after {ADJUSTED_BY[comparison.adjustment]}" if family > 1 and result.adjusts else "")


def _test_words(result: CompareResult, one: Comparison) -> str:
    """One test, for the methods sentence."""
    sides = {"two-sided": "two-sided", "observed": "one-sided, towards the better system"}.get(
        one.alternative, f"one-sided, {_side(one.alternative, next(m for m in result.metrics if m.key == one.metric))}"
    )
    if result.null_gain != 0.0:
        sides = sides_words(one.alternative, result.null_gain)
    entry = TESTS[one.test]
    words = f"{label_of(one.test)} ({sides}; {entry.source}) over {units_words(one.unit, one.n_units)}"
    drawn = {comparison.resamples for comparison in result.comparisons if comparison.test == one.test}
    if 0 in drawn:  # p follows from a distribution; or, of the crossed test, it may be that of another claim
        return words
    many = f"{drawn.pop():,}" if len(drawn) == 1 else f"{min(drawn):,} to {max(drawn):,}"
    enough = ", as many as the decision needed" if one.p_value.sequence is not None else ""
    return f"{words} with {many} resamples{enough}"


def _shared_notes(result: CompareResult) -> list[tuple[str, str]]:
    """Notes that a test has on all of its comparisons, where there are several: said once."""
    found: list[tuple[str, str]] = []
    for test in dict.fromkeys(one.test for one in result.comparisons):
        mine = [one for one in result.comparisons if one.test == test]
        if len(mine) > 1:
            found.extend((test, note) for note in mine[0].notes if all(note in one.notes for one in mine))
    return found


def _gathered_notes(result: CompareResult) -> dict[tuple[str, str, str], str]:
    """Notes that differ only in their figures and that many comparisons have: said once, with their number."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for one in result.comparisons:
        for note in one.notes:
            found.setdefault((one.metric, one.test, _alike(note)), []).append(note)
    labels = {metric.key: metric.label for metric in result.metrics}
    said = {}
    for (metric, test, alike), notes in found.items():
        several = len(set(notes)) > 1
        if len(notes) > MANY and several:
            total = sum((one.metric, one.test) == (metric, test) for one in result.comparisons)
            by = f", {test}" if result.beside(metric) else ""
            figures = re.sub(r" \([^()]*\)", "", notes[0])
            said[metric, test, alike] = f"{labels[metric]}{by}, {len(notes):,} of {total:,} comparisons: {figures}"
    return said


def _alike(note: str) -> str:
    """A note without its figures."""
    return re.sub(r"\d[\d.,]*", "#", note)


def _effects(result: CompareResult) -> list[str]:
    """Wins, ties and losses, for the reader of a test of segment scores."""
    said = []
    for metric in result.metrics:
        for one in result.deciding(metric.key):
            if one.effect is not None:
                effect = one.effect
                size = "" if effect.standardized is None else f"; standardised Δ {signed(effect.standardized, 2)}"
                said.append(
                    f"{metric.label} of segments: {one.system} beats {one.baseline} on {effect.wins:,}, ties on "
                    f"{effect.ties:,} and loses on {effect.losses:,}{size}"
                )
    return said


def _unit_remark(result: CompareResult) -> str:
    """What was resampled, and what the other choice would have done to the standard error."""
    effects = [one.design_effect for one in result.comparisons if one.design_effect is not None]
    unit = result.unit
    if unit in ("block", "domain", "testset"):
        return "Unit: " + {"block": "blocks of segments", "domain": "domains", "testset": "test sets"}[unit]
    text = f"Unit: {unit}s"
    ratio = (sum(effects) / len(effects)) ** 0.5 if effects else 0.0
    if ratio == 0.0:  # documents are not known, or all of them differ alike
        return text
    if unit == "document":
        size, word = (ratio, "small") if ratio >= 1 else (1 / ratio, "large")
        if f"{size:.2g}" == "1":
            return f"{text}. Treating segments as independent would hardly change the standard error"
        return f"{text}. Treating segments as independent would make the standard error {size:.2g}× too {word}"
    return f"{text}, though documents are known: with these the standard error would be {ratio:.2g}× as large"


def _pairs_verdicts(metric: MetricInfo, family: list[Comparison], evidence: str, decimals: int) -> list[Paragraph]:
    """Of many pairs: which system is better than which, and which are not told apart."""
    word, tone = _side("greater", metric), TONES[None if metric.higher_is_better is None else True]
    better: dict[str, list[str]] = {}
    undecided = []
    for one in sorted(family, key=lambda one: -abs(one.delta)):
        if not one.significant:
            undecided.append(f"{one.system} and {one.baseline}")
        else:
            winner, loser = (one.system, one.baseline) if one.delta > 0 else (one.baseline, one.system)
            better.setdefault(winner, []).append(f"{loser} ({signed(abs(one.delta), decimals)})")
    said = [
        Paragraph(f"By {metric.label}, {winner} is {word} {evidence} than {', '.join(losers)}.", "verdict", tone)
        for winner, losers in better.items()
    ]
    if undecided:
        said.append(Paragraph(f"{metric.label} does not tell apart: {', '.join(undecided)}.", "verdict"))
    return said


def _side(alternative: str, metric: MetricInfo) -> str:
    words = ("better", "worse") if metric.higher_is_better is not None else ("higher", "lower")
    return words[0] if alternative == "greater" else words[1]
