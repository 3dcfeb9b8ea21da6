"""Words for null hypotheses about another gain than zero."""

from __future__ import annotations

from truegain.inference.results import MetricInfo
from truegain.registry import TESTS


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


def beyond_words(system: str, baseline: str, metric: MetricInfo, *, above: bool, gain: float) -> str:
    """Say what it means that the gain is above, or below, a given one: ``new is better than base by more than 0.3``."""
    return f"{system} is {beyond(baseline, metric, above=above, gain=gain)}"


def beyond(baseline: str, metric: MetricInfo, *, above: bool, gain: float) -> str:
    """Return what a system then is: ``better than base by more than 0.3``, ``not worse than base by more than 0.3``."""
    better, worse = ("better", "worse") if metric.higher_is_better is not None else ("higher", "lower")
    if gain == 0.0:
        return f"{better if above else worse} than {baseline}"
    if above == (gain > 0.0):
        return f"{better if above else worse} than {baseline} by more than {abs(gain):g}"
    return f"not {worse if above else better} than {baseline} by more than {abs(gain):g}"


def doubted_words(
    system: str, baseline: str, metric: MetricInfo, *, above: bool, gain: float, several: bool = False
) -> str:
    """Say what is not shown: ``does not show that …``, or ``does not rule out that …``; ``do`` of several metrics."""
    verb = "do" if several else "does"
    if gain == 0.0 or above == (gain > 0.0):
        return f"{verb} not show that " + beyond_words(system, baseline, metric, above=above, gain=gain)
    return f"{verb} not rule out that " + beyond_words(system, baseline, metric, above=not above, gain=gain)
