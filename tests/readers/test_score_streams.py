"""Segment scores read a few lines at a time."""

from __future__ import annotations

import numpy as np
import pytest

from tests.refusals import refused
from truegain.readers.score_streams import ScoreLines
from truegain.readers.streams import LineStream


def read(*lines: str) -> list[dict[str, list[float]]]:
    """In pieces of two segments."""
    stream = LineStream(lines, "a.tsv")
    scores = ScoreLines(stream)
    rest = list(stream)
    found = [scores.columns(rest[first : first + 2], first) for first in range(0, len(rest), 2)]
    return [{name: values.tolist() for name, values in one.items()} for one in found]


def test_one_number_a_line() -> None:
    assert read("1", " 2.5 ", "-3e-2") == [{"score": [1.0, 2.5]}, {"score": [-0.03]}]


def test_a_table_keeps_its_numbers() -> None:
    found = read("comet\ttext\twords", "0.5\tx\t3", "0.25\t7\t4", "1\tz\t0")
    assert found == [{"comet": [0.5, 0.25], "words": [3.0, 4.0]}, {"comet": [1.0], "words": [0.0]}]
    assert read("comet", "0.5") == [{"comet": [0.5]}]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (['{"score": 1}'], []),
        (["[1, 2]"], []),
        (["1", "x"], ["'x'", "a.tsv:2"]),
        (["1", "2", "nan"], ["a.tsv:3"]),
        (["1", "2", "1_0"], ["'1_0'", "a.tsv:3"]),
        (["a\tb", "1\t2", "1\t2", "1"], ["a.tsv:4", "1", "2"]),
        (["a\tb", "1\t2", "1\tx"], ["'x'", "a.tsv:3"]),
        (["a\t2", "1\t2"], ["a.tsv:1"]),
        (["a\ta", "1\t2"], ["'a'"]),
        (["a\tb", "x\ty"], ["a.tsv:2"]),
        (["correct", "incorrect", "correct"], ["'correct'", "a.tsv:1"]),
        (["id\ta", "1\t2"], ["'id'"]),
        (["seed\ta", "1\t2"], ["'seed'"]),
    ],
)
def test_refusals(lines: list[str], message: list[str]) -> None:
    with refused(naming=message):
        read(*lines)


def test_all_digits_are_kept() -> None:
    values = np.random.default_rng(1).normal(size=40)
    found = read(*(repr(float(value)) for value in values))
    assert [value for one in found for value in one["score"]] == values.tolist()
