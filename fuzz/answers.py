"""What a comparison answers, to be held against what it answers to the same question put in another way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from truegain.corpus import Corpus
from truegain.errors import InputError
from truegain.studies.compare import compare

__all__ = ["Answer", "answer_to", "check_same", "check_same_p"]

#: Each system's score and interval, and each pair's difference, interval and p-value before any adjustment.
Answer = Mapping[tuple[str, ...], Any]


def answer_to(read: Callable[[], Corpus], **options: Any) -> Answer | None:
    """Return the answer; None if the question is refused."""
    try:
        result = compare(read(), **{"resamples": 29, "jobs": 1, **options})
    except InputError:
        return None
    found: dict[tuple[str, ...], Any] = {(one.metric, one.name): (one.score, one.interval) for one in result.scores}
    for one in result.comparisons:
        found[one.metric, one.baseline, one.system, one.test] = (one.delta, one.interval, one.p_value, one.n_units)
    return found


def check_same(way: str, first: Answer | None, second: Answer | None, *, may_refuse: bool = False) -> None:
    """Raise where two ways to put a question have different answers.

    Parameters
    ----------
    way : str
        What was done to the question.
    first, second : Answer or None
        What the first answers, the second must answer to the bit; it may answer more.
    may_refuse : bool
        Whether the second may be refused though the first is not.
    """
    if first is None or (second is None and may_refuse):
        return
    if second is None:
        raise AssertionError(f"{way}: refused")
    for key, value in first.items():
        if second.get(key) != value:
            raise AssertionError(f"{way}: {key} was {value}, and is {second.get(key)}")


def check_same_p(way: str, first: Answer | None, second: Answer | None) -> None:
    """Raise where a question that differs in scale alone is answered by other p-values; it may be refused."""
    if first is None or second is None:
        return
    for key, value in first.items():
        if len(key) > 2 and second[key][2] != value[2]:
            raise AssertionError(f"{way}: p of {key} was {value[2]}, and is {second[key][2]}")
