"""Words of all studies: numbers, units, levels, tests and claims as sentences and headings have them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from truegain.registry import TESTS

if TYPE_CHECKING:
    from truegain.inference.results import MetricInfo, SystemScore, TestSet

#: More comparisons than these are told of together.
MANY = 3

#: Whose methods they are.
ADJUSTED_BY = {
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "bh": "Benjamini and Hochberg",
    "by": "Benjamini and Yekutieli",
    "maxt": "Westfall and Young",
}

#: Intervals of scores that are not drawn.
_SCORE_TESTS = {
    "wilson": "score intervals of shares (Wilson 1927)",
    "test": "score intervals within the range of the scores",
}


def signed(value: float, decimals: int) -> str:
    """Write a number with its sign, a true minus included; what rounds to zero has none."""
    if math.isinf(value):
        return "−∞" if value < 0 else "+∞"
    text = f"{abs(value):.{decimals}f}"
    if float(text) == 0.0:
        return text
    return ("−" if value < 0 else "+") + text


def decimal(value: float, decimals: int) -> str:
    """Write a number with a true minus if it is below zero; what rounds to zero has none."""
    return signed(value, decimals).removeprefix("+")


class Sentence(str):
    """A sentence with slots in braces: whole or absent. All of them stand in a table of the contributor's pages."""

    __slots__ = ()

    def __call__(self, **slots: Any) -> str:
        """Fill the slots."""
        return str(self).format(**slots)  # a str, also if there are no slots


def p_text(p: float) -> str:
    """Write a p-value with three digits and without the zero before the point: ``.012``, ``<.001``, ``1``."""
    if p < 0.001:
        return "<.001"
    text = f"{p:.3f}"
    return "1" if text == "1.000" else text.removeprefix("0")


def p_words(p: float) -> str:
    """Return ``= .012`` or ``< .001``."""
    text = p_text(p)
    return f"< {text[1:]}" if text.startswith("<") else f"= {text}"


def listing(words: Sequence[str], joint: str = "and") -> str:
    """Join words: ``one``, ``one and two``, ``one, two and three``."""
    *before, last = words
    return f"{', '.join(before)} {joint} {last}" if before else last


#: What LaTeX sets as mathematics within sentences: p before a relation, Clark et al.'s standard deviations, marks.
SYMBOLS = re.compile(r"\b(?:(p)(?= [=<>≤≥] |-values?\b)|(s)_(sel|dev|test|sample)\b)|(?:(?<=^)|(?<= ))([*°†])(?= )")


def whole(count: int, noun: str) -> str:
    """Write a number of things: ``1 document``, ``1,234 documents``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def level_words(alpha: float) -> str:
    """Return the level of intervals, ``95 %``."""
    return f"{100 * (1 - alpha):g} %"


def after_words(adjustment: str) -> str:
    """Return `` after Holm``; nothing if p-values are not adjusted."""
    return "" if adjustment == "none" else f" after {ADJUSTED_BY[adjustment]}"


def kind_words(method: str) -> str:
    """Return the name of a kind of bootstrap interval within a sentence."""
    return "BCa" if method == "bca" else method


def score_intervals_words(scores: Sequence[SystemScore], bootstrap: str) -> str:
    """Name the kinds of intervals that scores have; ``bootstrap`` is what is said of those that are drawn."""
    methods = dict.fromkeys(one.interval.method for one in scores if one.interval is not None) or ["percentile"]
    return listing([_SCORE_TESTS.get(kind) or f"{kind_words(kind)} intervals of {bootstrap}" for kind in methods], "or")


def label_of(test: str) -> str:
    """Return the name of a test within a sentence."""
    return TESTS[test].named


def units_words(unit: str, count: int, item: str = "segment") -> str:
    """Say what is drawn or swapped, for the methods sentence; segments are called as ``item`` says."""
    if unit == "block":
        return f"blocks of the {count:,} {item}s"
    noun = {"testset": "test set", "segment": item}.get(unit, unit)
    return f"{count:,} {noun}s"


def heading_of(metric: MetricInfo) -> str:
    """Return the label, and which way is better."""
    arrow = {True: " ↑", False: " ↓", None: ""}[metric.higher_is_better]
    return f"{metric.label}{arrow}"


def where(testset: TestSet) -> str:
    """Name the test set and its size, for captions."""
    name = "the test set" if testset.name == "test set" else testset.name
    return f"{name} ({whole(testset.segments, 'segment')})"


def describe_testset(testset: TestSet, scores: Sequence[SystemScore], item: str = "segment") -> str:
    """Describe in one line what was tested on; segments are called as ``item`` says."""
    parts = [whole(testset.segments, item)]
    if testset.documents is not None:
        parts.append(whole(testset.documents, "document"))
    if testset.domains is not None:
        parts.append(whole(testset.domains, "domain"))
    if testset.references:
        parts.append(whole(testset.references, "reference"))
    runs = list({score.name: score.runs for score in scores}.values())
    if max(runs, default=1) > 1:
        parts.append(" + ".join(str(count) for count in runs) + " runs")
    if testset.inputs.training is not None:
        samples = Counter(one.system for one in testset.inputs.training.samples)
        parts.append(" + ".join(str(count) for count in samples.values()) + " training samples")
    return f"{testset.name}  {' · '.join(parts)}"


def as_given(gain: float) -> str:
    """Write a gain with its sign, and with the digits that the user gave."""
    return ("−" if gain < 0 else "+" if gain > 0 else "") + f"{abs(gain):g}"


def null_words(
    test: str,
    *,
    system: str,
    baseline: str,
    unit: str,
    alternative: str,
    null_gain: float = 0.0,
    shifted: bool = False,
    training_data: bool = False,
    rater: str = "rater",
) -> str:
    """Say the null hypothesis in one sentence; of a gain of zero in the test's own words, unless ``shifted``."""
    trained = ", if they are trained on new data of this size" if training_data else ""
    entry = TESTS[test]
    unit = "segment" if unit == "block" else unit
    if null_gain == 0.0 and not shifted:
        return entry.null.format(system=system, baseline=baseline, unit=unit, rater=rater) + trained
    gain = {"greater": "at most ", "less": "at least "}.get(alternative, "") + as_given(null_gain)
    return entry.shifted.format(system=system, baseline=baseline, unit=unit, gain=gain, rater=rater) + trained


def seeks_difference(alternative: str, null_gain: float) -> bool:
    """Return whether a test looks for any difference: on both sides, and from zero."""
    return null_gain == 0.0 and alternative in ("two-sided", "observed")


def sides_words(alternative: str, null_gain: float) -> str:
    """Say what was tested against which gain, for the methods sentence."""
    if alternative == "two-sided":
        return f"two-sided, against a gain of {as_given(null_gain)}"
    return f"one-sided, towards a gain {'above' if alternative == 'greater' else 'below'} {as_given(null_gain)}"


def beyond(baseline: str, metric: MetricInfo, *, above: bool, gain: float) -> str:
    """Return what a system then is: ``better than base by more than 0.3``, ``not worse than base by more than 0.3``."""
    better, worse = ("better", "worse") if metric.higher_is_better is not None else ("higher", "lower")
    if gain == 0.0:
        return f"{better if above else worse} than {baseline}"
    if above == (gain > 0.0):
        return f"{better if above else worse} than {baseline} by more than {abs(gain):g}"
    return f"not {worse if above else better} than {baseline} by more than {abs(gain):g}"


def contribution_digits(contributions: Sequence[float], decimals: int) -> int:
    """Return how many decimals contributions need: three leading digits of the largest, at least those of scores."""
    largest = max((abs(one) for one in contributions if math.isfinite(one)), default=0.0)
    if largest == 0.0:
        return decimals
    return min(max(decimals, 2 - math.floor(math.log10(largest))), max(_MOST_DIGITS, decimals))


_MOST_DIGITS = 8


def alpha_text(alpha: float) -> str:
    """Write a level of significance as p-values are: ``.05``."""
    return f"{alpha:g}".removeprefix("0")


def share_text(share: float, decimals: int = 0) -> str:
    """Write ``46 %``; what is not quite 0 or 1 does not look so: ``< 1 %``, ``> 99 %``."""
    least = 10.0**-decimals
    if 0.0 < 100.0 * share < least / 2.0:
        return f"< {least:.{decimals}f} %"
    if 100.0 - least / 2.0 < 100.0 * share < 100.0:
        return f"> {100.0 - least:.{decimals}f} %"
    return f"{100.0 * share:.{decimals}f} %"


def count_words(count: int) -> str:
    """Write a number of things within a sentence: in words up to ten."""
    return _NUMBERS[count - 2] if 2 <= count <= 10 else f"{count:,}"


_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SHORT = {"bonferroni": "Bonf.", "holm": "Holm", "hochberg": "Hochb.", "bh": "BH", "by": "BY", "maxt": "maxT"}


def p_heading(adjustment: str) -> str:
    """Return what a column of p-values is headed, ``p`` or ``p Holm``."""
    return "p" if adjustment == "none" else f"p {_SHORT[adjustment]}"


def gain_heading(metrics: Sequence[MetricInfo]) -> str:
    """Return what a column of gains is headed; the sign is explained if lower scores of a metric are better."""
    return "Δ (+ is better)" if any(metric.higher_is_better is False for metric in metrics) else "Δ"


def chance_text(probability: float) -> str:
    """Write a probability in whole per cent; what is nearly sure is not said to be: ``80 %``, ``>99 %``."""
    return "<1 %" if probability < 0.01 else ">99 %" if probability > 0.99 else f"{100 * probability:.0f} %"


def rounded_up(count: int) -> int:
    """Round up to two leading digits and a half: more would say more than is known."""
    step = int(10 ** max(len(str(count)) - 2, 0))
    if count < 5 * 10 ** (len(str(count)) - 1):
        step = max(step // 2, 1)
    return -(-count // step) * step
