"""Evidence for a gain over several test sets, besides what each of them shows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from truegain.fields import Baseline, Field, MetricKey, Shape, System, documented
from truegain.inference.conjunction import partial_conjunction, shown_on
from truegain.inference.intervals import Alpha
from truegain.inference.pvalues import P_VALUE, PValue
from truegain.inference.results import Caveat, TestName
from truegain.rules import Filled, OneOf, Proportion


@documented
@dataclass(frozen=True)
class Evidence:
    """Evidence of one test set for the claim."""

    testset: Annotated[str, Field("The name of the test set.")]
    test: TestName
    p_value: Annotated[PValue, P_VALUE, Field("One-sided.")]
    p_adjusted: Annotated[
        Proportion,
        Field("After Holm, over the test sets: if it is at most alpha, the claim is made of this set by name."),
    ]

    caveats: Annotated[
        tuple[Caveat, ...], Field("Why the test rejects more often than its level says; tables do not mark the claim.")
    ] = ()

    @property
    def p(self) -> float:
        """One-sided."""
        return self.p_value.p


def _faults(one: Replicability) -> Iterator[tuple[str, str]]:
    if len(one.at_least) != len(one.sets):
        yield "at_least", f"{len(one.sets)} p-values were expected, one a test set; found {len(one.at_least)}"
        return
    for i, (found, wanted) in enumerate(zip(one.at_least, sorted(piece.p_adjusted for piece in one.sets), strict=True)):
        if not math.isclose(found, wanted, rel_tol=1e-9):
            yield f"at_least[{i}]", f"{wanted:g} was expected, as adjusted over the test sets; found {found:g}"


@documented
@dataclass(frozen=True)
class Replicability:
    """Number of test sets on which a system is better than the baseline."""

    shape: ClassVar[Shape] = Shape(derived=("shown", "named", "marked"), faults=_faults)

    metric: MetricKey
    baseline: Baseline
    system: System
    side: Annotated[str, OneOf(("better", "worse")), Field("What is claimed of the system.")]
    sets: Annotated[tuple[Evidence, ...], Filled(), Field("In the order of the test sets.")]
    at_least: Annotated[
        tuple[Proportion, ...], Filled(), Field('The p-value of "on at least u of the sets", from u = 1 on.')
    ]
    alpha: Alpha

    @property
    def shown(self) -> int:
        """The number of test sets, at least, on which it is shown at alpha."""
        return shown_on(self.at_least, self.alpha)

    @property
    def named(self) -> tuple[str, ...]:
        """The test sets of which it can be said by name."""
        return tuple(one.testset for one in self.sets if one.p_adjusted <= self.alpha)

    @property
    def marked(self) -> int:
        """The number of test sets, at least, on which p-values without a caveat show it: as many tables mark."""
        return shown_on(partial_conjunction([1.0 if one.caveats else one.p for one in self.sets]), self.alpha)

    @property
    def doubted(self) -> tuple[Evidence, ...]:
        """The test sets that it can be said of by name but for a caveat."""
        return tuple(one for one in self.sets if one.caveats and one.p_adjusted <= self.alpha)

    @property
    def unsure(self) -> tuple[tuple[int, float, float], ...]:
        """The claims that more resamples may decide otherwise: u, and the Monte-Carlo interval of its p-value."""
        ordered = sorted(self.sets, key=lambda one: one.p)
        ends = [partial_conjunction([one.p_value.interval[end] for one in ordered]) for end in (0, 1)]
        found = enumerate(zip(*ends, strict=True), 1)
        return tuple((u, low, high) for u, (low, high) in found if low <= self.alpha < high)
