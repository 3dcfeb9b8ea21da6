"""MQM: weighted errors that people marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting
from truegain.metrics.base import References, signature
from truegain.metrics.segment_scores import RatioOfScores


@dataclass(frozen=True)
class MQM(RatioOfScores):
    """Minus the mean over segments of the weighted errors, averaged over raters (Freitag et al. 2021).

    Parameters
    ----------
    major, minor, punctuation, non_translation : float
        The weights; ``punctuation`` is that of minor errors in punctuation. Errors of the source, and creative
        reinterpretations, count nothing.
    critical : float, optional
        The weight of critical errors, which WMT's scheme does not have: none is assumed.
    """

    major: float = 5.0
    minor: float = 1.0
    punctuation: float = 0.1
    non_translation: float = 25.0
    critical: float | None = None

    name: ClassVar[str] = "mqm"
    label: ClassVar[str] = "MQM"
    reads: ClassVar[Literal["scores"]] = "scores"
    higher_is_better: ClassVar[bool] = True
    of_ratings: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name, weight in self._weights().items():
            if not 0 <= weight < np.inf:
                raise InputError(f"mqm:{name} must be 0 or more, and finite; got {weight:g}")

    def _weights(self) -> dict[str, float]:
        weights = {name: getattr(self, name) for name in ("major", "minor", "punctuation", "non_translation")}
        return weights if self.critical is None else {**weights, "critical": self.critical}

    def signature(self, references: int | str = 1) -> str:
        """Name the weights."""
        return signature(**{name: f"{weight:g}" for name, weight in self._weights().items()}, aggregate="mean")

    def prepare(self, references: References) -> References:
        """Return the references: nothing depends on them."""
        return references

    def statistics(self, hypotheses: Mapping[str, NDArray[np.float64]], references: Any = None) -> NDArray[np.float64]:
        """Return minus the weighted errors of each segment, and 1."""
        weights = self._weights()
        lacking = [name for name in weights if name != "critical" and name not in hypotheses]
        if lacking:
            raise InputError(
                f"there is no column {lacking[0]!r}: MQM counts errors of ratings by class",
                hint="give ratings of mt-metrics-eval (LP.mqm.RATER.seg.rating), or a table with the columns "
                f"{', '.join(weights)}",
            )
        if self.critical is None and "critical" in hypotheses and hypotheses["critical"].any():
            segments = np.count_nonzero(hypotheses["critical"])
            raise InputError(
                f"{segments:,} segments have critical errors, which have no weight",
                hint=("give one: ", Setting("metrics", ("mqm:critical=10",))),
            )
        errors = sum(weight * hypotheses[name] for name, weight in weights.items() if name in hypotheses)
        return np.stack([-np.asarray(errors), np.ones(len(hypotheses["major"]))], axis=-1)
