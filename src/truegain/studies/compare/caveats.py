"""Caveats of p-values: what the test is known for, what it met, and units that depend."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.experiment import Experiment
from truegain.inference.distributions import normal_quantile
from truegain.inference.results import Caveat, Comparison, MetricInfo
from truegain.notes import Note
from truegain.procedures.base import Key, TestOutcome, Trial, neighbour_caveats
from truegain.registry import size_off_level
from truegain.report.model import P, Words, listing

_DRAWN = ("bootstrap", "stationary-bootstrap")  # their resamples are those of the intervals
_COMPARISONS = 20  # that a gain must stand if p-values are adjusted: always as many, for a caveat is the pair's own
_MATTERS = 1.2  # times that the standard error is too small: a test at 5 % then rejects 10 % of true nulls


def caveats_of(experiment: Experiment, frame: Comparison, finding: TestOutcome) -> tuple[Caveat, ...]:
    """Return the caveats of a comparison by a test."""
    found = []
    if (size := size_off_level(finding.test)) is not None:
        found.append(Caveat("size", f"this test rejects {100 * size:.0f} % of true nulls at 0.05"))
    found.extend(finding.caveats)
    ratio = 0.0 if frame.design_effect is None else frame.design_effect**0.5
    if finding.unit in ("segment", "block") and ratio >= _MATTERS:
        text = f"with documents as units the standard error is {ratio:.2g} times as large, so this p-value is too small"
        many = "with documents as units the standard errors are larger, so these p-values are too small"
        found.append(Caveat("dependence", text, summary=many))
    return (*found, *neighbour_caveats(experiment, (frame.metric, frame.baseline, frame.system), finding.unit))


def harmful_caveats(trial: Trial, key: Key, one: Comparison) -> tuple[Caveat, ...]:
    """Return the caveats without dependence that cannot change the verdict.

    The gain stays beyond that of the null hypothesis though its interval is widened: by the ratio of standard errors
    that documents show, or that the correlation of neighbouring segments does not exclude, less what blocks have
    widened it by, and, if p-values are adjusted, for twenty comparisons.
    """
    if not any(caveat.kind == "dependence" for caveat in one.caveats):
        return one.caveats
    m, pair = key
    experiment, systems = trial.experiment, tuple(pair)
    if trial.apart:
        experiment, systems = trial.alone(pair).experiment, (0, 1)
    dependence = experiment.dependence.get((one.metric, one.baseline, one.system))
    ratio = 1.0 if dependence is None else dependence.largest_ratio
    if one.unit == "block":
        ratio /= max(experiment.block_ratio(m, *systems), 1.0)
    if one.design_effect is not None:
        ratio = max(ratio, one.design_effect**0.5)
    beyond = one.delta - trial.null_gain
    reach = one.delta - one.interval.low if beyond > 0.0 else one.interval.high - one.delta
    if one.adjust != "none":
        ratio *= normal_quantile(1.0 - trial.alpha / 2.0 / _COMPARISONS) / normal_quantile(1.0 - trial.alpha / 2.0)
    harmless = abs(beyond) > ratio * reach
    return tuple(caveat for caveat in one.caveats if caveat.kind != "dependence" or not harmless)


def unmarked_note(
    comparisons: Sequence[Comparison],
    baseline: str | None,
    alpha: float,
    *,
    metrics: Sequence[MetricInfo] = (),
    verb: str = "is not marked for",
) -> list[str]:
    """Say which comparisons a table does not mark though they are significant, and why; by metric if it has several."""
    labels = {metric.key: f" ({metric.label})" for metric in metrics} if len(metrics) > 1 else {}
    reasons: dict[str, list[str]] = {}
    for one in comparisons:
        if one.significant and one.caveats:
            who = one.system if baseline is not None else f"{one.system} and {one.baseline}"
            who += labels.get(one.metric, "")
            reasons.setdefault("; ".join(caveat.text for caveat in one.caveats), []).append(who)
    return [
        Words(P, f" ≤ {alpha:g} {verb} {listing(list(dict.fromkeys(names)))}: {text}.")
        for text, names in reasons.items()
    ]


def said_in_verdict(one: Comparison) -> list[Caveat]:
    """Return the caveats that belong in the verdict: what the test is known for, always; others of a small p."""
    return [caveat for caveat in one.caveats if one.significant or caveat.kind == "size"]


def has_interval(one: Comparison) -> bool:
    """Return whether the interval is made as p is: from the test itself, or from the same resamples."""
    made = {"test": True, "t": one.test != "run-permutation"}
    return made.get(one.interval.method, one.test in _DRAWN)


def interval_notes(primary: Sequence[Comparison], units: str, *, strata: int = 1) -> list[Note]:
    """Say whose the intervals of gains are if they are not those of the tests, and if swaps make them too wide.

    Parameters
    ----------
    primary : sequence of Comparison
        By the tests that decide.
    units : str
        What the bootstrap draws, with their number.
    strata : int
        The number of domains or test sets that units are drawn within.
    """
    sources: dict[str, list[str]] = {}
    for one in primary:
        if not has_interval(one):
            drawn = f"those of the paired bootstrap over {units}"
            fixed = ", with these runs held fixed" if one.unit == "run" else ""
            source = "from a t-test of run scores" if one.interval.method == "t" else f"{drawn}{fixed}"
            sources.setdefault(source, []).append(one.test)
    notes = [
        Note("intervals", f"Intervals of Δ are {source}, not of {listing(list(dict.fromkeys(tests)))}; p may disagree")
        for source, tests in sources.items()
    ]
    if strata > 1 and any(one.interval.method == "test" and one.test in ("ar", "exact") for one in primary):
        text = "Swaps ignore domains: intervals of Δ are too wide if domains differ in their gains"
        notes.append(Note("wide-intervals", text))
    return notes
