"""Ticks: round numbers inside of their axis, written with no more decimals than they need."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.report.figures.ticks import count_ticks, log_ticks, nice_ticks, numbers, spaced_ticks


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0.0, 1.0, 5, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (-0.3, 0.3, 3, [-0.2, 0.0, 0.2]),
        (0.0, 1.0, 4, [0.0, 0.25, 0.5, 0.75, 1.0]),
        (33.1, 36.2, 7, [33.5, 34.0, 34.5, 35.0, 35.5, 36.0]),
        (0.0, 0.3, 3, [0.0, 0.1, 0.2, 0.3]),
        (1.2, 1.4, 1, [1.2, 1.4]),
        (0.21, 0.39, 1, [0.3]),
    ],
)
def test_round_numbers(low: float, high: float, most: int, expected: list[float]) -> None:
    assert nice_ticks(low, high, most) == expected


def test_counts_have_whole_numbers() -> None:
    assert nice_ticks(-0.4, 2.1, 9, whole=True) == [0.0, 1.0, 2.0]


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(1, 9))
def test_ticks_are_inside_evenly_spaced_and_few(low: float, length: float, most: int) -> None:
    high = low + length
    found = nice_ticks(low, high, most)
    slack = 1e-6 * length
    assert 1 <= len(found) <= most + 1
    assert all(low - slack <= place <= high + slack for place in found)
    steps = [b - a for a, b in itertools.pairwise(found)]
    assert all(step == pytest.approx(steps[0], rel=1e-3) and step > 0 for step in steps)
    labels = numbers(found)
    assert len(set(labels)) == len(found)


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([-1.0, 0.0, 1.0], ["−1", "0", "1"]),
        ([0.0, 0.25, 0.5], ["0.00", "0.25", "0.50"]),
        ([-0.0, 0.5], ["0.0", "0.5"]),
        ([0.71234, 0.71236], ["0.71234", "0.71236"]),
        ([-1e-7, 0.0, 2.5e-7], ["−1e−7", "0", "2.5e−7"]),
        ([2e8, 4e8], ["2e8", "4e8"]),
        ([], []),
    ],
)
def test_how_numbers_are_written(places: list[float], expected: list[str]) -> None:
    assert numbers(places) == expected


def test_fewer_ticks_where_there_is_less_space() -> None:
    counts = [len(spaced_ticks(0.0, 10.0, inches, 8.0)) for inches in (5.0, 1.0, 0.4, 0.1)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 4


def test_powers_of_ten_and_what_is_between() -> None:
    ticks, minor = log_ticks(0.009, 1.05)
    assert ticks == [(0.01, "0.01"), (0.1, "0.1"), (1.0, "1")]
    assert minor[:3] == pytest.approx([0.009, 0.02, 0.03])
    assert not log_ticks(0.3, 0.7)[1]
    assert len(log_ticks(0.3, 0.7)[0]) >= 3


def test_counts_are_written_out() -> None:
    labels = [label for _, label in count_ticks(250.0, 6250.0, 2.4, 8.0, between=0.12)]
    assert labels == ["500", "1,000", "2,000", "5,000"]
