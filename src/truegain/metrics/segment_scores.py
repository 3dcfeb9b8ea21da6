"""Segment scores made elsewhere (COMET, MetricX, MQM, human ratings, judges): their mean, or a ratio of two columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, one_of
from truegain.metrics.base import References, signature

__all__ = ["SegmentScores"]


@dataclass(frozen=True)
class SegmentScores:
    """The mean of a column, or the sum of one column over the sum of another.

    Parameters
    ----------
    column : str, optional
        Which column; needless if there is only one.
    over : str, optional
        The column to divide by, summed as well: errors over words, say.
    lower_is_better : bool
        For errors and penalties.
    title : str, optional
        What tables call it; by default the column's name.
    """

    column: str | None = None
    over: str | None = None
    lower_is_better: bool = False
    title: str | None = None

    name: ClassVar[str] = "scores"
    reads: ClassVar[Literal["scores"]] = "scores"
    statistic_names: ClassVar[tuple[str, ...]] = ("sum", "weight")
    denominator: ClassVar[tuple[int, ...]] = (1,)

    @property
    def label(self) -> str:
        """The title, or what is known of the columns."""
        if self.title is not None:
            return self.title
        column = self.column or "score"
        return column if self.over is None else f"{column}/{self.over}"

    @property
    def higher_is_better(self) -> bool:
        """Direction: higher, unless ``lower_is_better``."""
        return not self.lower_is_better

    def signature(self, references: int | str = 1) -> str:
        """Name the columns, and how they are combined."""
        over = {} if self.over is None else {"over": self.over}
        return signature(
            column=self.column or "score",
            **over,
            aggregate="mean" if self.over is None else "ratio",
            better="lower" if self.lower_is_better else "higher",
        )

    def prepare(self, references: References) -> References:
        """Return the references: nothing depends on them."""
        return references

    def statistics(self, hypotheses: Mapping[str, NDArray[np.float64]], references: Any = None) -> NDArray[np.float64]:
        """Return the numerator and the denominator of each segment."""
        numerator = _pick(hypotheses, self.column, "column")
        weight = np.ones_like(numerator) if self.over is None else _pick(hypotheses, self.over, "over")
        if self.over is not None and not weight.sum() > 0:
            raise InputError(f"the column {self.over!r} sums to {weight.sum():g}; a ratio needs a positive sum")
        return np.stack([numerator, weight], axis=-1)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over weight."""
        totals = np.asarray(totals, np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(totals[..., 1] > 0, totals[..., 0] / totals[..., 1], 0.0)

    def score_on_device(self, totals: Any) -> Any:
        """Score a tensor as :meth:`score` does; not a number if no segment has a score."""
        return (totals[..., 0] / totals[..., 1]).where(totals[..., 1] > 0, float("nan"))


def _pick(columns: Mapping[str, NDArray[np.float64]], wanted: str | None, setting: str) -> NDArray[np.float64]:
    if wanted is None:
        if len(columns) == 1:
            return next(iter(columns.values()))
        raise InputError(
            f"the scores have several columns: {', '.join(columns)}",
            hint=("choose one: ", Setting("metrics", ("scores:column=NAME",))),
        )
    if wanted not in columns:
        raise one_of(f"scores:{setting}", wanted, list(columns))
    return columns[wanted]
