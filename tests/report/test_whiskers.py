"""Intervals in cells: one scale for a column of a section, and zero if it is near."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.report.model import Cell, Column, Span, Table
from truegain.report.whiskers import Scale, drawn, scales

NUMBERS = st.floats(-1e6, 1e6)


def table(*spans: Span | None) -> Table:
    rows = tuple((Cell("name"), Cell("figures", span=span)) for span in spans)
    return Table((Column("name", "left"), Column("interval")), rows)


def test_a_scale_holds_all_intervals_of_its_column_if_it_has_any() -> None:
    assert scales(table(Span(30.0, 31.0, 32.0), None, Span(33.0, 34.0, 36.0))) == [{1: Scale(30.0, 36.0)}]
    assert scales(table(None)) == [{}]
    assert scales(table(Span(float("nan"), 1.0, 2.0))) == [{}]
    whole = table(Span(30.0, 31.0, 32.0), Span(60.0, 61.0, 64.0), None)
    sections = replace(whole, sections=((0, "BLEU"), (1, "chrF"), (2, "TER")))
    assert scales(sections) == [{1: Scale(30.0, 32.0)}, {1: Scale(60.0, 64.0)}, {1: Scale(30.0, 64.0)}]


@pytest.mark.parametrize(
    ("span", "scale"),
    [
        (Span(-1.0, 1.0, 3.0), Scale(-1.0, 3.0)),
        (Span(0.5, 1.0, 3.0), Scale(0.0, 3.0)),
        (Span(-3.0, -1.0, -0.5), Scale(-3.0, 0.0)),
        (Span(30.0, 31.0, 32.0), Scale(30.0, 32.0)),
        (Span(2.0, 2.0, 2.0), Scale(1.0, 3.0)),
        (Span(0.0, 0.0, 0.0), Scale(-1.0, 1.0)),
    ],
)
def test_zero_belongs_to_the_scale_where_it_is_near(span: Span, scale: Scale) -> None:
    assert scales(table(span)) == [{1: scale}]


def test_an_interval_and_the_line_at_zero() -> None:
    picture = drawn(Span(-1.0, 1.0, 3.0), Scale(-1.0, 3.0))
    assert picture.count("<path") == 2
    assert picture.count("<circle") == 1
    assert 'aria-hidden="true"' in picture
    assert "style=" not in picture
    assert drawn(None, Scale(-1.0, 3.0)).count("<") == 3  # the line at zero alone
    assert drawn(None, Scale(1.0, 3.0)).count("<") == 2


@given(NUMBERS, NUMBERS, NUMBERS)
def test_everything_drawn_is_inside_the_picture(a: float, b: float, c: float) -> None:
    low, middle, high = sorted((a, b, c))
    span = Span(low, middle, high)
    scale = scales(table(span))[0][1]
    width = float(re.findall(r' width="([\d.]+)"', drawn(span, scale))[0])
    places = [scale.share(value) for value in (low, middle, high)]
    assert places == sorted(places)
    assert 0 <= places[0] <= places[2] <= width
