"""What one metric says of whether a system may pass."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from truegain.inference.pvalues import PValue

__all__ = ["GateCheck", "check_dict", "check_from"]


@dataclass(frozen=True)
class GateCheck:
    """Whether one metric lets the system pass.

    Attributes
    ----------
    delta : float
        The observed gain, positive where the system is better.
    min_gain : float
        What it is held against.
    p_value : PValue
        Of the null hypothesis that the gain is at most ``min_gain`` (better), or at least (not-worse).
    lower, upper : float
        One-sided bounds of the gain, each at 1 − alpha; infinite where there are too few data for one. They follow from
        the same distribution as p: ``better`` passes where lower > min_gain, ``not-worse`` where upper >= min_gain.
    needed : float
        The gain above which the system passes on this test set, were the spread the same.
    test, unit, n_units, null, claim
        As in :class:`truegain.inference.results.Comparison`.
    passed : bool
    same : bool
        Whether the two systems have the same statistics on every segment.
    notes : tuple of str
    """

    metric: str
    delta: float
    min_gain: float
    p_value: PValue
    lower: float
    upper: float
    needed: float
    test: str
    unit: str
    n_units: int
    null: str
    claim: str
    passed: bool
    same: bool
    notes: tuple[str, ...] = ()

    @property
    def p(self) -> float:
        """The p-value."""
        return self.p_value.p

    @property
    def p_mc(self) -> tuple[float, float]:
        """The Monte-Carlo interval of the p-value."""
        return self.p_value.interval


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def check_dict(one: GateCheck, alternative: str) -> dict[str, Any]:
    """A check as plain data; what is infinite is null."""
    return {
        "metric": one.metric,
        "passed": one.passed,
        "delta": one.delta,
        "min_gain": one.min_gain,
        "lower": _finite(one.lower),
        "upper": _finite(one.upper),
        "needed": _finite(one.needed),
        "p": one.p,
        "p_mc": list(one.p_mc),
        "alternative": alternative,
        "test": one.test,
        "unit": one.unit,
        "n_units": one.n_units,
        "null": one.null,
        "claim": one.claim,
        "same": one.same,
        "notes": list(one.notes),
    }


def check_from(data: Mapping[str, Any]) -> GateCheck:
    """The check that :func:`check_dict` was made of, or its JSON."""
    low, high = data["p_mc"]
    upwards = data["alternative"] == "greater"
    return GateCheck(
        metric=data["metric"],
        delta=data["delta"],
        min_gain=data["min_gain"],
        p_value=PValue(data["p"], sequence=(low, high)),
        lower=-math.inf if data["lower"] is None else data["lower"],
        upper=math.inf if data["upper"] is None else data["upper"],
        needed=(math.inf if upwards else -math.inf) if data["needed"] is None else data["needed"],
        test=data["test"],
        unit=data["unit"],
        n_units=data["n_units"],
        null=data["null"],
        claim=data["claim"],
        passed=data["passed"],
        same=data["same"],
        notes=tuple(data["notes"]),
    )
