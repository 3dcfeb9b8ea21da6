"""Segment scores read a few lines at a time."""

from __future__ import annotations

import numpy as np
import pytest

from truegain.errors import InputError
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
        (['{"score": 1}'], "JSON cannot be read a piece at a time"),
        (["[1, 2]"], "JSON cannot be read a piece at a time"),
        (["1", "x"], r"a\.tsv:2: 'x' is not a number"),
        (["1", "2", "nan"], r"a\.tsv:3: the score is nan"),
        (["1", "2", "1_0"], r"a\.tsv:3: '1_0' is not a number"),
        (["a\tb", "1\t2", "1\t2", "1"], r"a\.tsv:4: 1 columns where the header has 2"),
        (["a\tb", "1\t2", "1\tx"], r"a\.tsv:3: 'x' is not a number"),
        (["a\t2", "1\t2"], r"a\.tsv:1: the first line of a table must name its columns"),
        (["a\ta", "1\t2"], "two columns have the same name, 'a'"),
        (["a\tb", "x\ty"], r"a\.tsv:2: nothing is a number in the first segment"),
        (["correct", "incorrect", "correct"], r"a\.tsv:1: 'correct' is the name of a column, or the verdict"),
        (["id\ta", "1\t2"], "the table has a column of ids, runs or samples, 'id'"),
        (["seed\ta", "1\t2"], "the table has a column of ids, runs or samples, 'seed'"),
    ],
)
def test_refusals(lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(*lines)


def test_all_digits_are_kept() -> None:
    values = np.random.default_rng(1).normal(size=40)
    found = read(*(repr(float(value)) for value in values))
    assert [value for one in found for value in one["score"]] == values.tolist()
