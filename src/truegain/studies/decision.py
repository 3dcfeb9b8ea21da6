"""Decision on one comparison: whether it is significant after adjustment, and which way."""

from __future__ import annotations

from msgspec.structs import replace

from truegain.inference.pvalues import straddling
from truegain.inference.results import Comparison


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
