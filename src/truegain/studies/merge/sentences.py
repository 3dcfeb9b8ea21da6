"""What a merge found, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truegain.report.model import listing, p_text, signed, whole
from truegain.studies.merge.parts import TEST_LABELS, MergedPair
from truegain.studies.shared_view import ADJUSTED_BY, decimals_for, interval_text

if TYPE_CHECKING:
    from truegain.studies.merge.result import MergeResult

__all__ = ["methods", "remarks", "verdict"]

_SOURCES = {
    "ar": "Noreen 1989; Riezler and Maxwell 2005",
    "poisson-bootstrap": "Hanley and MacGibbon 2006; Chamandy et al. 2012",
}


def verdict(result: MergeResult, one: MergedPair, width: int | None = None) -> str:
    """The answer in one sentence."""
    metric = next(metric for metric in result.metrics if metric.key == one.metric)
    if one.differing == 0:
        return f"{one.system} and {one.baseline} are the same to {metric.label}."
    decimals = decimals_for(metric, result.scores, width)
    gain = signed(one.delta, decimals)
    text = p_text(one.p_adjusted(result.test) or 0.0)
    relation = text.replace("<", "< ") if text.startswith("<") else f"= {text}"
    after = f" after {ADJUSTED_BY[result.adjustment]}" if _adjusts(result, one.metric) else ""
    evidence = f"{TEST_LABELS[result.test]}, p {relation}{after}"
    if one.significant:
        words = ("higher", "lower") if one.better is None else ("better", "worse")
        word = words[0] if one.delta > 0 else words[1]
        return (
            f"{one.system} is {word} than {one.baseline} by {metric.label} ({gain}), for {result.claim} ({evidence})."
        )
    interval = interval_text(one.interval.low, one.interval.high, lambda x: signed(x, decimals))
    level = f"{100 * (1 - result.alpha):g} %"
    return (
        f"{metric.label} does not show that {one.system} and {one.baseline} differ: {gain}, {level} interval "
        f"{interval} ({evidence})."
    )


def remarks(result: MergeResult) -> list[str]:
    """What to know."""
    said = [f"Unit: {result.unit}s"]
    if result.pairs and any(metric.higher_is_better is False for metric in result.metrics):
        said.append("Δ is positive where the system is better, also where lower scores are better")
    labels = {metric.key: metric.label for metric in result.metrics}
    for one in result.pairs:
        mine, other = (_decides(result, one, test) for test in sorted(TEST_LABELS, key=lambda t: t != result.test))
        if mine is not None and other is not None and mine != other:
            said.append(
                f"{one.system}, {labels[one.metric]}: the two tests disagree at {result.alpha:g}, so the evidence is "
                "near the border"
            )
    return [*said, *result.notes]


def methods(result: MergeResult) -> str:
    """A few sentences on the method, to paste into a paper."""
    names = listing([metric.label for metric in result.metrics])
    units = whole(result.n_units, result.unit)
    drawn = f"over {units} with {whole(result.resamples, 'resample')}"
    text = ""
    if result.pairs:
        count = len(result.of(result.metrics[0].key))
        who = (
            "the difference between the system and the baseline was"
            if count == 1
            else (f"the differences between each of {count} systems and the baseline were")
        )
        text = (
            f"In terms of {names}, {who} tested with {TEST_LABELS[result.test]} (two-sided; {_SOURCES[result.test]}) "
            f"{drawn}. "
        )
        if count > 1 and result.adjustment != "none":
            text += (
                f"P-values were adjusted for the {count} comparisons, metric by metric, by the method of "
                f"{ADJUSTED_BY[result.adjustment]}. "
            )
        elif count > 1:
            text += f"P-values were not adjusted for the {count} comparisons. "
    if any(one.runs > 1 for one in result.scores):
        text += "Scores are means over runs, and runs are held fixed. "
    kind = next((one.interval.method for one in result.scores if one.interval is not None), "percentile")
    level = f"{100 * (1 - result.alpha):g} %"
    what = "Intervals" if result.pairs else f"Intervals of {names}"
    source = "" if result.pairs and result.test == "poisson-bootstrap" else f" ({_SOURCES['poisson-bootstrap']})"
    return (
        f"{text}{what} are {level} {kind} intervals of the Poisson bootstrap{source} {drawn}: in every resample each "
        f"{result.unit} has a weight of its own, drawn from Poisson(1) by its number, and the data were summed in "
        f"parts (truegain {result.version}, seed {result.seed})."
    )


def _adjusts(result: MergeResult, metric: str) -> bool:
    return result.adjustment != "none" and len(result.of(metric)) > 1


def _decides(result: MergeResult, one: MergedPair, test: str) -> bool | None:
    p = one.p_adjusted(test)
    return None if p is None else p <= result.alpha
