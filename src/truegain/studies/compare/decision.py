"""Decisions: which comparisons are significant after adjustment, and which way."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from truegain.inference.exact import ENUMERATED
from truegain.inference.multiplicity import MAXT, adjust, max_t
from truegain.inference.pvalues import straddling, tolerance
from truegain.inference.results import Comparison
from truegain.procedures.base import Key, TestOutcome, Trial
from truegain.studies.checks import not_shared
from truegain.studies.compare.caveats import harmful_caveats


def decided(
    trial: Trial,
    family: list[Comparison],
    findings: Sequence[TestOutcome],
    keys: Sequence[Key],
    adjustment: str,
    *,
    primary: bool,
) -> list[Comparison]:
    """Adjust over the family, and decide, if one way is the better one."""
    closed = family[0].asked == "exact" or any(finding.distribution is None for finding in findings)
    if adjustment == MAXT and not primary and closed:
        adjustment = "holm"  # a further test, without resamples to share
    adjusted = _max_t(trial, findings, keys) if adjustment == MAXT else adjust([one.p for one in family], adjustment)
    directed = trial.metric(keys[0]).higher_is_better is not None
    more = "undecided" if trial.stopping is not None else "use more resamples to decide"
    if trial.stopping is None and adjustment != MAXT and all(one.test == "ar" for one in family):
        few = trial.experiment.units.count <= ENUMERATED and trial.experiment.test_sets == 1  # exact is for one
        more = f"the test exact counts all {2**trial.experiment.units.count:,} swaps" if few else more
    decided = []
    for key, one, finding, p in zip(keys, family, findings, adjusted, strict=True):
        direction = finding.direction * (one.delta - trial.null_gain)
        one = replace(one, adjust=adjustment, p_adjusted=p)
        one = judged(one, trial.alpha, null_gain=trial.null_gain, favours=direction > 0, directed=directed, more=more)
        decided.append(replace(one, caveats=harmful_caveats(trial, key, one)))
    return decided


def judged(
    one: Comparison, alpha: float, *, null_gain: float = 0.0, favours: bool = True, directed: bool, more: str
) -> Comparison:
    """Decide whether an adjusted comparison is significant, and which system is better.

    Parameters
    ----------
    one : Comparison
    alpha, null_gain : float
    favours : bool
        Whether the test favours the side on which delta lies.
    directed : bool
        Whether one way of the metric is the better one.
    more : str
        What to do if the Monte-Carlo error leaves the decision open.
    """
    # The Monte-Carlo interval of the adjusted value, the other p-values being what they are.
    p = one.p_adjusted
    low, high = (min(1.0, end * p / one.p) if one.p > 0.0 else end for end in one.p_mc)
    notes = one.notes
    beyond = one.delta - null_gain
    if low <= alpha < high and beyond != 0:
        what = "p" if p == one.p else "the adjusted p"
        notes = (*notes, straddling(what, (low, high), alpha, more=more))
    significant = p <= alpha and beyond != 0 and favours
    # A gain above −0.3 is not above zero, nor one below +0.3 below it.
    says = directed and significant and beyond * null_gain >= 0
    return replace(one, significant=significant, better=(beyond > 0) if says else None, notes=notes)


def _max_t(trial: Trial, findings: Sequence[TestOutcome], keys: Sequence[Key]) -> list[float]:
    tests = list(dict.fromkeys(finding.test for finding in findings))
    nulls = [finding.distribution for finding in findings if finding.distribution is not None]
    if len(nulls) < len(findings) or len(tests) > 1:
        raise not_shared(*tests)
    adjusted = max_t(
        [trial.delta(key) for key in keys],
        nulls,
        alternative=trial.alternative,
        slack=[tolerance(trial.magnitude(key)) for key in keys],
        null_gain=trial.null_gain,
        freedom=findings[0].freedom,
    )
    if trial.null_gain == 0.0:
        return adjusted
    # The p of scores that have two values may be larger than that of the resamples.
    return [max(one, finding.p_value.p) for one, finding in zip(adjusted, findings, strict=True)]
