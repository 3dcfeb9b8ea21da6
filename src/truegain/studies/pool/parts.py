"""What is known of a gain over several test sets, beside what each of them shows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from truegain.inference.conjunction import partial_conjunction, shown_on
from truegain.inference.pvalues import PValue
from truegain.studies.codec import Filled, OneOf, Shape, Shapes
from truegain.studies.shapes import ALPHA, P_VALUE, SHARE, TEST

__all__ = ["PARTS", "Evidence", "Replicability"]


@dataclass(frozen=True)
class Evidence:
    """What one test set says for the claim.

    Attributes
    ----------
    p_value : PValue
        One-sided.
    p_adjusted : float
        After Holm, over the test sets: where it is at most alpha, the claim is made of this set by name.
    """

    testset: str
    test: str
    p_value: PValue
    p_adjusted: float

    @property
    def p(self) -> float:
        """One-sided."""
        return self.p_value.p


@dataclass(frozen=True)
class Replicability:
    """On how many test sets is a system better than the baseline?

    Attributes
    ----------
    side : "better" or "worse"
        What is claimed of the system.
    sets : tuple of Evidence
        In the order of the test sets.
    at_least : tuple of float
        The p-value of "on at least u of the sets", from u = 1 on.
    alpha : float
    """

    metric: str
    baseline: str
    system: str
    side: str
    sets: tuple[Evidence, ...]
    at_least: tuple[float, ...]
    alpha: float

    @property
    def shown(self) -> int:
        """On how many test sets at least, at alpha."""
        return shown_on(self.at_least, self.alpha)

    @property
    def named(self) -> tuple[str, ...]:
        """The test sets of which it can be said by name."""
        return tuple(one.testset for one in self.sets if one.p_adjusted <= self.alpha)

    @property
    def unsure(self) -> tuple[tuple[int, float, float], ...]:
        """The claims that more resamples may decide otherwise: u, and the Monte-Carlo interval of its p-value."""
        ordered = sorted(self.sets, key=lambda one: one.p)
        ends = [partial_conjunction([one.p_value.interval[end] for one in ordered]) for end in (0, 1)]
        found = enumerate(zip(*ends, strict=True), 1)
        return tuple((u, low, high) for u, (low, high) in found if low <= self.alpha < high)


def _faults(one: Replicability) -> Iterator[tuple[str, str]]:
    if len(one.at_least) != len(one.sets):
        yield "at_least", f"{len(one.sets)} p-values were expected, one a test set; found {len(one.at_least)}"
        return
    for i, (found, wanted) in enumerate(zip(one.at_least, sorted(piece.p_adjusted for piece in one.sets), strict=True)):
        if not math.isclose(found, wanted, rel_tol=1e-9):
            yield f"at_least[{i}]", f"{wanted:g} was expected, as adjusted over the test sets; found {found:g}"


#: Where their data differ from their fields.
PARTS: Shapes = {
    Evidence: Shape(types={"test": TEST, "p_adjusted": SHARE}, forms={"p_value": P_VALUE}),
    Replicability: Shape(
        types={
            "side": Annotated[str, OneOf(("better", "worse"))],
            "sets": Annotated[tuple[Evidence, ...], Filled()],
            "at_least": Annotated[tuple[SHARE, ...], Filled()],
            "alpha": ALPHA,
        },
        derived={"shown": lambda one: one.shown, "named": lambda one: list(one.named)},
        faults=_faults,
    ),
}
