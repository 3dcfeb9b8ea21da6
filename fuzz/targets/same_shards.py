"""A test set in shards: merged, they say what it says as a whole; a shard that occurs twice is refused."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import truegain as tg
from fuzz.choices import Choices
from truegain.errors import InputError
from truegain.studies.compare.result import CompareResult

LONGEST = 256
_WORDS = ("the", "cat", "sat", "on", "a", "mat", ".", "1,5", "naïve", "猫", "NA")
Systems = Mapping[str, Sequence[Any]]


def check(data: bytes) -> None:
    """Draw a test set, cut it, and add up what its shards say in another order."""
    choices = Choices(data)
    segments = 4 + choices.below(20)
    reference = None if choices.below(2) else [f"{i} {_text(choices)}" for i in range(segments)]
    systems = {
        name: [_text(choices) if reference else choices.below(256) / 8 for _ in range(segments)] for name in "ab"
    }
    documents = [f"d{choices.below(3)}" for _ in range(segments)] if choices.below(2) else None
    try:
        whole = _stats(reference, systems, documents, 0, segments)
    except InputError:
        return
    ends = sorted({0, segments, *(choices.below(segments) for _ in range(1 + choices.below(3)))})
    shards = [_stats(reference, systems, documents, first, last) for first, last in itertools.pairwise(ends)]
    said, again = _said([whole]), _said(choices.order(shards))
    if said != again:
        raise AssertionError(f"cut at {ends}: {said} became {again}")
    first, last = ends[0], ends[1]
    twice = [_stats(reference, systems, documents, first, last), *shards]
    if len(shards) > 0 and _said(twice) is not None:
        raise AssertionError(f"segments {first} to {last} count twice")
    if reference and last - first >= 2:  # of texts, so many are not equal by chance
        renumbered = _stats(reference, systems, documents, first, last, number=segments + 1)
        if _said([renumbered, *shards]) is not None:
            raise AssertionError(f"segments {first} to {last} count twice under other numbers")


def _text(choices: Choices) -> str:
    return " ".join(choices.one_of(_WORDS) for _ in range(1 + choices.below(5)))


def _stats(
    reference: Sequence[str] | None,
    systems: Systems,
    documents: Sequence[str] | None,
    first: int,
    last: int,
    number: int | None = None,
) -> tg.Sums:
    return tg.stats(
        None if reference is None else iter(reference[first:last]),
        {name: iter(own[first:last]) for name, own in systems.items()},
        metrics=["scores" if reference is None else "bleu"],
        documents=None if documents is None else iter(documents[first:last]),
        first=1 + first if number is None else number,
        resamples=19,
        jobs=1,
    )


def _said(shards: Sequence[tg.Sums]) -> Any:
    """Return what the shards say together; None if they are refused."""
    try:
        result = tg.merge(shards)
    except InputError:
        return None
    assert isinstance(result, CompareResult)
    return result.scores, result.comparisons
