"""Segment scores made elsewhere (COMET, MetricX, MQM, human ratings, judges): their mean, or a ratio of two columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, Text, Written, one_of
from truegain.metrics.base import References, signature
from truegain.notes import Note
from truegain.readers.directions import is_perplexity, lower_by_files, lower_by_name, never_negative

_Column = TypeVar("_Column")
_LISTED = 60  # columns that an error lists
_UNNAMED = ("score", "scores", "value")  # columns whose names do not say what they hold


class RatioOfScores:
    """Metric whose statistics are a sum and what it is divided by; means divide by the number of items.

    ``scored`` is the setting that names its column of scores.
    """

    scored: ClassVar[str] = "column"
    statistic_names: ClassVar[tuple[str, ...]] = ("sum", "weight")
    denominator: ClassVar[tuple[int, ...]] = (1,)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over weight."""
        totals = np.asarray(totals, np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(totals[..., 1] > 0, totals[..., 0] / totals[..., 1], 0.0)

    def score_on_device(self, totals: Any) -> Any:
        """Score a tensor as :meth:`score` does; not a number if no segment has a score."""
        return (totals[..., 0] / totals[..., 1]).where(totals[..., 1] > 0, float("nan"))


@dataclass(frozen=True)
class SegmentScores(RatioOfScores):
    """The mean of a column, or the sum of one column over the sum of another.

    Parameters
    ----------
    column : str, optional
        Which column; needless if there is only one.
    over : str, optional
        The column to divide by, summed as well: errors over words, say.
    lower_is_better : bool, optional
        For errors, times and costs. By default higher is better, with a warning if the scores are named like these.
    title : str, optional
        What tables call it; by default the column's name.
    range : str, optional
        The least and the greatest score that a segment can have, as in ``1..10``. Where few segments vary, intervals
        then allow for others at its ends.
    """

    column: str | None = None
    over: str | None = None
    lower_is_better: bool | None = None
    title: str | None = None
    range: str | None = None

    name: ClassVar[str] = "scores"
    reads: ClassVar[Literal["scores"]] = "scores"

    def __post_init__(self) -> None:
        if self.range is not None and (self.limits is None or self.over is not None):
            raise InputError(
                f"the range of scores is {self.range!r}"
                f"{'' if self.over is None else ', and a ratio of two columns has none'}",
                hint=("write its ends, and leave out over: ", Setting("metrics", ("scores:range=0..1",))),
            )

    @property
    def limits(self) -> tuple[float, float] | None:
        """The ends of the range, if one is stated."""
        low, _, high = (self.range or "").partition("..")
        try:
            ends = float(low), float(high)
        except ValueError:
            return None
        return ends if ends[0] < ends[1] and math.isfinite(ends[1] - ends[0]) else None

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

    @property
    def of_ratings(self) -> bool:
        """True if the score of an item is the mean of those of its ratings."""
        return self.over is None

    def advice_on_scores(
        self, columns: Iterable[Mapping[str, NDArray[np.float64]]], files: Sequence[str] = ()
    ) -> list[Note]:
        """Ask whether scores that are named like errors, and are never negative, are better if they are lower."""
        column = self.column or ""
        values = [own[column] for own in columns if column in own]
        if self.lower_is_better and is_perplexity(column) and any((own < 0.0).any() for own in values):
            text = (
                f"the column {column!r} has negative values, which no perplexity has: these look like log-likelihoods, "
                "of which higher ones are better, yet lower counts as better"
            )
            return [Note("log-likelihoods", text, scope=self.label, warning=True)]
        named = next((one for one in (column, self.title) if one and lower_by_name(one)), None)
        if named is None and column.lower() in _UNNAMED:
            named = lower_by_files(files)
        if self.lower_is_better is not None or named is None or not never_negative(values):
            return []
        text = (
            f"scores named {named!r} are usually better if they are lower, and none is negative, yet higher counts as "
            "better: write scores:lower_is_better=true, or =false if higher is better"
        )
        return [Note("penalties", text, scope=self.label, warning=True)]

    def signature(self, references: int | str = 1) -> str:
        """Name the columns, and how they are combined."""
        over = {} if self.over is None else {"over": self.over}
        return signature(
            column=self.column or "score",
            **over,
            **({} if self.range is None else {"range": self.range}),
            aggregate="mean" if self.over is None else "ratio",
            better="lower" if self.lower_is_better else "higher",
        )

    def prepare(self, references: References) -> References:
        """Return the references: nothing depends on them."""
        return references

    def statistics(self, hypotheses: Mapping[str, NDArray[np.float64]], references: Any = None) -> NDArray[np.float64]:
        """Return the numerator and the denominator of each segment."""
        numerator = pick_column(hypotheses, self.column, "scores:column")
        weight = np.ones_like(numerator) if self.over is None else pick_column(hypotheses, self.over, "scores:over")
        if self.limits is not None:
            self._check_range(numerator, *self.limits)
        if self.over is not None and not weight.sum() > 0:
            raise InputError(f"the column {self.over!r} sums to {weight.sum():g}; a ratio needs a positive sum")
        return np.stack([numerator, weight], axis=-1)

    def _check_range(self, scores: NDArray[np.float64], low: float, high: float) -> None:
        beyond = np.flatnonzero((scores < low) | (scores > high))
        if beyond.size:
            raise InputError(
                f"the range of {self.label} is {self.range}, and {beyond.size:,} of {scores.size:,} are outside: "
                f"that of segment {beyond[0] + 1:,} is {scores[beyond[0]]:g}",
                hint=(
                    "state the range of the scale, not that of these scores: ",
                    Setting("metrics", ("scores:range=0..1",)),
                ),
            )


def pick_column(columns: Mapping[str, _Column], wanted: str | None, named: str) -> _Column:
    """Return a column of scores; the only one if none is wanted. Errors say by which setting it is named."""
    if wanted is None:
        if len(columns) == 1:
            return next(iter(columns.values()))
        raise InputError("the scores have several columns", hint=column_choices(list(columns), named))
    if wanted not in columns:
        raise one_of(named, wanted, list(columns))
    return columns[wanted]


def column_choices(columns: Sequence[str], setting: str) -> Text:
    """List columns, a line for each, as the metric that takes it is written."""
    lines: list[str | Written] = ["choose one:"]
    for column in columns[:_LISTED]:
        # Settings are separated by commas, and stripped.
        plain = "," not in column and column == column.strip()
        named = Setting("metrics", (f"{setting}={column}",)) if plain else f"{column!r}, to be renamed"
        lines += ["\n    ", named]
    if len(columns) > _LISTED:
        lines.append(f"\n    … and {len(columns) - _LISTED:,} more")
    return tuple(lines)
