"""What a merge of sums finds: each system against the baseline, by two tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from truegain.inference.intervals import Interval
from truegain.studies.codec import Shape, Shapes
from truegain.studies.shapes import INTERVAL, SHARE

__all__ = ["MERGE_TESTS", "PARTS", "TEST_LABELS", "MergedPair"]

#: The tests of a merge, and what sentences call them.
TEST_LABELS = {"ar": "approximate randomization", "poisson-bootstrap": "the Poisson bootstrap"}
MERGE_TESTS = tuple(TEST_LABELS)


@dataclass(frozen=True)
class MergedPair:
    """A system and the baseline under a metric.

    Attributes
    ----------
    delta : float
        The gain, positive where the system is better, whatever the metric's direction.
    interval : Interval
        Of the gain, from the Poisson bootstrap.
    p_ar, p_ar_adjusted : float or None
        By approximate randomization, plain, and adjusted over the systems under this metric; None where the two have
        not as many runs, which cannot be swapped then.
    exceedances_ar : int or None
        How many resamples were at least as far out.
    p_bootstrap, p_bootstrap_adjusted : float
        By the Poisson bootstrap, shifted by the observed difference.
    exceedances_bootstrap : int
    significant : bool
        Whether the adjusted p of the deciding test is at most alpha.
    better : bool or None
        The sign of delta where it is significant; None for a metric of which neither way is better.
    differing : int or None
        On how many segments the two differ in a statistic; None where that was not counted.
    """

    metric: str
    baseline: str
    system: str
    delta: float
    interval: Interval
    p_ar: float | None
    p_ar_adjusted: float | None
    exceedances_ar: int | None
    p_bootstrap: float
    p_bootstrap_adjusted: float
    exceedances_bootstrap: int
    significant: bool
    better: bool | None
    differing: int | None

    def p(self, test: str) -> float | None:
        """The p-value by a test, not adjusted."""
        return self.p_ar if test == "ar" else self.p_bootstrap

    def p_adjusted(self, test: str) -> float | None:
        """The p-value by a test, adjusted."""
        return self.p_ar_adjusted if test == "ar" else self.p_bootstrap_adjusted


def _faults(pair: MergedPair) -> Iterator[tuple[str, str]]:
    together = (pair.p_ar, pair.p_ar_adjusted, pair.exceedances_ar)
    if any(one is None for one in together) and not all(one is None for one in together):
        yield "p_ar", "p_ar, p_ar_adjusted and exceedances_ar are null together or not at all"


#: Where their data differ from their fields.
PARTS: Shapes = {
    MergedPair: Shape(
        types={
            "p_ar": SHARE | None,
            "p_ar_adjusted": SHARE | None,
            "p_bootstrap": SHARE,
            "p_bootstrap_adjusted": SHARE,
        },
        forms={"interval": INTERVAL},
        faults=_faults,
    ),
}
