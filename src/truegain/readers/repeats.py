"""Several samples of one item: scores of the same id, averaged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.readers.field_columns import coded, smallest
from truegain.readers.score_values import number_in

if TYPE_CHECKING:
    from truegain.repeats import Repeats


@dataclass(frozen=True)
class Averaged:
    """Scores of items, each of which may have several samples.

    Attributes
    ----------
    ids : tuple of str
        Each once, in the order in which they first occur.
    columns : mapping of str to array
        Means. The sum of an item is rounded once, so the order of its rows does not matter.
    samples : tuple of two ints
        The least and the most rows of an item.
    repeats : mapping of str to Repeats
        The samples, column by column; none if every item has one row.
    answers : mapping of str to Repeats
        See :class:`truegain.corpus.Run`.
    """

    ids: tuple[str, ...]
    columns: Mapping[str, NDArray[np.float64]]
    samples: tuple[int, int] = (1, 1)
    repeats: Mapping[str, Repeats] = field(default_factory=dict)
    answers: Mapping[str, Repeats] = field(default_factory=dict)


def averaged(
    ids: Sequence[str],
    columns: Mapping[str, NDArray[np.float64]],
    texts: Mapping[str, Iterable[str | None]] | None = None,
) -> Averaged:
    """Average scores over rows of one id: samples of one item are not independent segments.

    Parameters
    ----------
    ids : sequence of str
        One for each row.
    columns : mapping of str to array
    texts : mapping of str to iterable of str, optional
        Other columns that may be answers; for scores of which these are not known, nothing is.
    """
    places: dict[str, int] = {}
    items = np.array([places.setdefault(item, len(places)) for item in ids])
    counts = np.bincount(items)
    if counts.max() == 1:
        return Averaged(tuple(ids), dict(columns))
    rows = np.argsort(items, kind="stable")
    means = {name: averaged_in_order(values[rows], counts) for name, values in columns.items()}
    repeats = {name: samples_in_order(values[rows], counts, tuple(places)) for name, values in columns.items()}
    answers = {}
    if texts is not None:
        codes = {name: answer_codes(own)[rows] for name, own in texts.items()}
        answers = {name: samples_in_order(own, counts, tuple(places)) for name, own in codes.items()} | repeats
    return Averaged(tuple(places), means, (int(counts.min()), int(counts.max())), repeats, answers)


def answer_codes(values: Iterable[Any]) -> NDArray[np.unsignedinteger[Any]]:
    """Give each different answer a number; numbers are compared by value, and no answer is one as well.

    Raises
    ------
    TypeError
        If an answer is a list, or holds one.
    """
    from truegain.readers.cells import is_empty  # most tables have no answers

    found = coded(values if isinstance(values, Sequence) else list(values))
    places: dict[Any, int] = {}
    numbers = [places.setdefault(None if is_empty(one) else _answer(one), len(places)) for one in found.values]
    return smallest(np.array(numbers), len(places))[found.codes]


def _answer(value: Any) -> Any:
    """Return a number as such, another text without white space around it."""
    if not isinstance(value, str):
        return value
    number = number_in(word := value.strip())
    return word if number is None or not math.isfinite(number) else number


def samples_in_order(values: NDArray[Any], counts: NDArray[np.int64], items: Sequence[str]) -> Repeats:
    """Keep scores that stand item by item, so many of each."""
    from truegain.repeats import Repeats  # most tables have none

    return Repeats(values, counts, items)


def averaged_in_order(values: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Average scores that stand item by item, so many of each."""
    if counts.max() == 1:
        return values
    ends = np.cumsum(counts)
    starts = ends - counts
    means = values[starts]
    differ = np.minimum.reduceat(values, starts) != np.maximum.reduceat(values, starts)
    listed = values.tolist()
    spans = zip(starts[differ].tolist(), ends[differ].tolist(), strict=True)
    means[differ] = [_sum(listed[start:end]) for start, end in spans] / counts[differ]
    return np.asarray(means + 0.0)  # -0.0 is 0.0, whichever comes first


def _sum(values: list[float]) -> float:
    """Return the sum, rounded once."""
    try:
        return math.fsum(values)
    except OverflowError:
        raise InputError(f"scores such as {max(values, key=abs):g} are too large to be averaged") from None


def say_samples(items: int, samples: tuple[int, int], noun: str = "samples") -> str:
    """Return how many items and samples there are, in words: ``144 items × 5 samples``."""
    least, most = samples
    each = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    return f"{items:,} item{'s' if items != 1 else ''} × {each} {noun}"
