"""Sequences of Python programs: paired by position, and refused if their order is in doubt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.memory import corpus_from_memory

LINES = ["the cat sat", "a dog ran", "it was late", "rain fell"]
FRAME = pd.DataFrame(
    {"ref": LINES, "base": LINES[::-1], "new": LINES, "doc": list("aabb"), "x": [1.0, 2, 3, 4]}, index=list("pqrs")
)
SHUFFLED = FRAME.iloc[[2, 0, 3, 1]]
PEOPLE = {"a": FRAME.x, "b": FRAME.x**2 + 1}


class Labels(list[str]):
    """Labels of a library that is not installed."""

    def equals(self, other: object) -> bool:
        return self == other


class Labelled(list[str]):
    """Series of that library."""

    def __init__(self, values: list[str], labels: str) -> None:
        super().__init__(values)
        self.index = Labels(labels)  # type: ignore[assignment]


def outputs(corpus: tg.Corpus) -> Any:
    return corpus.systems[-1].runs[0].outputs


PAIRED: dict[str, Callable[[Any], Any]] = {
    "systems['new']": lambda own: corpus_from_memory(FRAME.ref, {"base": FRAME.base, "new": own.new}),
    "systems['new'][1]": lambda own: corpus_from_memory(LINES, {"new": [FRAME.base, own.new]}),
    "systems['b']": lambda own: corpus_from_memory(None, {"a": FRAME.x, "b": own.x}),
    "documents": lambda own: corpus_from_memory(FRAME.ref, {"new": FRAME.new}, documents=own.doc),
    "domains": lambda own: corpus_from_memory(FRAME.ref, {"new": FRAME.new}, domains=own.doc),
    "sources": lambda own: corpus_from_memory(LINES, {"new": FRAME.new}, sources=own.ref),
    "references[2]": lambda own: corpus_from_memory([LINES[::-1], FRAME.ref, own.base], {"new": LINES}),
    "metrics['m']['b']": lambda own: tg.agree(PEOPLE, {"m": {"a": FRAME.x, "b": own.x * own.x}}, measures=["acc23"]),
}


@pytest.mark.parametrize("name", PAIRED)
def test_series_are_paired_if_their_labels_are_in_one_order(name: str) -> None:
    assert PAIRED[name](FRAME) is not None
    with pytest.raises(InputError) as caught:
        PAIRED[name](SHUFFLED)
    assert caught.value.message.startswith(f"{name} has the labels of ")
    assert f"give {name}.loc[" in str(caught.value.hint)
    # Both ways out.
    assert outputs(corpus_from_memory(FRAME.ref, {"new": SHUFFLED.new.loc[FRAME.ref.index]})) == tuple(LINES)
    assert outputs(corpus_from_memory(FRAME.ref.to_numpy(), {"new": SHUFFLED.new.to_numpy()})) == tuple(SHUFFLED.new)


def test_other_labels_are_asked_about() -> None:
    with refused(naming=["'new'"]):
        corpus_from_memory(FRAME.ref, {"new": FRAME.new.reset_index(drop=True)})
    with refused(naming=["reference"]):
        corpus_from_memory(FRAME.ref, {"new": FRAME.new[1:]})
    with refused(naming=["frame.assign"]):  # a series beside a frame
        corpus_from_memory("ref", FRAME[["ref", "base", "new"]], documents=SHUFFLED.doc)
    # Labels are known by what they can, whatever library they are of.
    corpus_from_memory(Labelled(LINES, "pqrs"), {"new": Labelled(LINES, "pqrs")})
    with refused(naming=["'new'"]):
        corpus_from_memory(Labelled(LINES, "pqrs"), {"new": Labelled(LINES, "qprs")})


def test_series_go_with_lists_and_with_those_without_labels() -> None:
    for reference in (LINES, np.array(LINES), pl.Series(LINES), (line for line in LINES)):
        assert outputs(corpus_from_memory(reference, {"new": FRAME.new}, documents=list("aabb"))) == tuple(LINES)
    for given in ((line for line in LINES), list(dict(enumerate(LINES)).values())):
        assert outputs(corpus_from_memory(LINES, {"new": given})) == tuple(LINES)
    kept = FRAME[FRAME.doc == "b"]
    assert corpus_from_memory(kept.ref, {"new": kept.new}, documents=kept.doc).segments == 2
    assert len(corpus_from_memory(LINES, {"new": [pl.Series(LINES), pl.Series(LINES[::-1])]}).systems[0].runs) == 2


@pytest.mark.parametrize("missing", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, "", " "])
def test_a_missing_document_or_domain_is_refused(missing: object) -> None:
    given = ["a", "a", missing, "b"]
    for each in (given, np.array(given, dtype=object), pd.Series(given, dtype=object), tuple(given)):
        with refused(naming=["3", "document"]):
            corpus_from_memory(LINES, {"new": LINES}, documents=each)
    with refused(naming=["3", "domain"]):
        corpus_from_memory(LINES, {"new": LINES}, domains=given)
    people = {"a": [1, 2, 3, 5], "b": [2, 2, 4, 5]}
    with refused(naming=["3", "document"]):
        tg.agree(people, {"m": people}, documents=given)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        *(([1, 1, "1", "1"], None), ([1, 1, True, 2], None), ([True, False, 1, 1], None), (["1", 2.0, "3", "3"], None)),
        *((one, "1122") for one in ([1, 1, 2, 2], [1.0, 1.0, 2.0, 2.0], [1, 1.0, np.int64(2), np.float32(2)])),
        (["1", np.str_("1"), "2", "2"], "1122"),
        (pd.Categorical(list("aabb")), "aabb"),
    ],
)
def test_names_of_documents_are_of_one_type(given: Any, expected: str | None) -> None:
    if expected is None:
        with refused(naming=["1", "'1'"]):
            corpus_from_memory(LINES, {"new": LINES}, documents=given)
    else:
        assert corpus_from_memory(LINES, {"new": LINES}, documents=given).documents == tuple(expected)


BY_ID = dict(enumerate(LINES))
NO_SEQUENCES = [b"bytes", 3, FRAME[["new"]], *(getattr(BY_ID, name)() for name in ("values", "keys", "items"))]


@pytest.mark.parametrize("given", [*(make(LINES) for make in (set, frozenset, dict.fromkeys)), *NO_SEQUENCES])
def test_what_is_no_sequence_or_has_no_order_is_refused(given: Any) -> None:
    with refused(naming=["new"]):
        corpus_from_memory(LINES, {"new": given})
    if isinstance(given, set | frozenset | dict):
        for call in (
            lambda: corpus_from_memory(given, {"new": LINES}),
            lambda: corpus_from_memory([LINES, given], {"new": LINES}),
            lambda: corpus_from_memory(LINES, {"new": [given]}),
            lambda: corpus_from_memory(LINES, {"new": LINES}, documents=given),
            lambda: corpus_from_memory(LINES, {"new": LINES}, sources=given),
            lambda: tg.agree({"a": given, "b": [1, 2, 3, 4]}, {"m": PEOPLE}),
        ):
            with refused(naming=["order"]):
                call()
