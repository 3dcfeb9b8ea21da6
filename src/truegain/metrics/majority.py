"""Majority vote: whether the most frequent answer of an item's samples is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, one_of
from truegain.metrics.base import References, signature
from truegain.metrics.pass_at_k import check_right_or_wrong
from truegain.metrics.segment_scores import RatioOfScores, column_choices, pick_column
from truegain.repeats import Repeats

_WHERE = (
    "answers are columns of tables and data frames with several rows per item; of a table of several systems, columns "
    "with very many different texts are not held: give a file per system"
)


@dataclass(frozen=True)
class Majority(RatioOfScores):
    """The share of items whose most frequent answer is right; of answers equally frequent, the share that is right.

    Parameters
    ----------
    column : str
        The column of answers: texts or numbers, which are compared as they stand.
    correct : str, optional
        The column of rights (1) and wrongs (0); needless if there is only one beside the answers.
    """

    column: str | None = None
    correct: str | None = None

    name: ClassVar[str] = "majority"
    label: ClassVar[str] = "majority"
    reads: ClassVar[Literal["scores"]] = "scores"
    scored: ClassVar[str] = "correct"
    higher_is_better: ClassVar[bool] = True
    limits: ClassVar[tuple[float, float]] = (0.0, 1.0)
    of_samples: ClassVar[str] = (
        "the most frequent answer of each item, ties by the share that is right; it depends on the number of samples"
    )

    def signature(self, references: int | str = 1) -> str:
        """Name the columns, and what is made of ties."""
        return signature(column=self.column or "answer", correct=self.correct or "score", ties="share")

    def prepare(self, references: References) -> References:
        """Return the references: nothing depends on them."""
        return references

    def statistics(
        self, hypotheses: Mapping[str, Repeats], references: Mapping[str, Repeats] | None = None
    ) -> NDArray[np.float64]:
        """Return the share of the most frequent answers of each item that is right, and 1.

        Parameters
        ----------
        hypotheses : mapping of str to Repeats
            Scores.
        references : mapping of str to Repeats
            Answers: equal numbers are equal answers of an item.
        """
        answers = self._answers(references or {})
        others = {name: own for name, own in hypotheses.items() if name != self.column}
        if not others:
            raise InputError(f"beside {self.column!r}, there is no column of samples that are right (1) or wrong (0)")
        right = pick_column(others, self.correct, f"majority:column={self.column},correct")
        check_right_or_wrong(right, self.label)
        items = np.repeat(np.arange(len(right.counts)), right.counts)
        values, codes = np.unique(answers.values, return_inverse=True)
        different, places, votes = np.unique(
            items * len(values) + codes.reshape(-1), return_inverse=True, return_counts=True
        )
        found = np.bincount(places.reshape(-1), right.values)  # how many times an answer of an item is right
        _check_one_verdict(right, places.reshape(-1), (found > 0) & (found < votes))
        own = different // len(values)
        most = np.zeros(len(right.counts), np.int64)
        np.maximum.at(most, own, votes)
        tied = votes == most[own]
        shares = np.bincount(own[tied], found[tied] > 0) / np.bincount(own[tied])
        return np.stack([shares, np.ones(len(shares))], axis=-1)

    def _answers(self, columns: Mapping[str, Repeats]) -> Repeats:
        if not columns:
            raise InputError("there are no answers of samples in it", hint=_WHERE)
        if self.column is None:
            hint: Any = column_choices(list(columns), "majority:column")
            raise InputError("majority needs the column of answers", hint=hint)
        if self.column not in columns:
            raise one_of("majority:column", self.column, list(columns), hint=_WHERE)
        return columns[self.column]


def _check_one_verdict(right: Repeats, answers: NDArray[np.int64], both: NDArray[np.bool_]) -> None:
    """Refuse an answer of an item that is right in one sample and wrong in another."""
    if not both.any():
        return
    row = int(np.argmax(both[answers]))
    other = int(np.argmax((answers == answers[row]) & (right.values != right.values[row])))
    ends = np.cumsum(right.counts)
    item = int(np.searchsorted(ends, row, side="right"))
    first = int(ends[item] - right.counts[item])
    said = {1.0: "right", 0.0: "wrong"}
    raise InputError(
        f"samples {row - first + 1} and {other - first + 1} of the item {right.items[item]!r} have the same answer, "
        f"and the first is {said[right.values[row]]}, the other {said[right.values[other]]}",
        hint="an answer of an item is right or wrong; is this the column of the answers that were judged?",
    )
