"""JSON, CSV and TSV: for programs, exact to ten digits, and no formula for a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from truegain.report.data import csv_text, finite, json_text, tsv_text
from truegain.rows import rounded

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=cmd|' /C calc'!A0"]


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_ten_significant_digits() -> None:
    assert rounded(1 / 3) == 0.3333333333
    assert rounded(123456789.123456789) == 123456789.1
    assert rounded(1e-12 / 3) == 3.333333333e-13
    data = {"a": [1 / 3, (2, "x")], "b": None, "c": True}
    assert rounded(data) == {"a": [0.3333333333, (2, "x")], "b": None, "c": True}


LARGEST = sys.float_info.max


@pytest.mark.parametrize(
    ("value", "number"),
    [(LARGEST, LARGEST), (-LARGEST, -LARGEST), *((x, None) for x in (math.nan, math.inf, -math.inf))],
)
def test_numbers_that_json_has_and_has_not(value: float, number: float | None) -> None:
    assert finite(rounded([value])) == [number]
    assert json.loads(json_text({"x": finite(value)})) == {"x": number}


_letters = st.text(st.characters(), max_size=5)  # lone surrogates, too: names of files may hold bytes that are no text
_numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**63), 2**63 - 1)
_plain: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | _numbers | _letters,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_letters, inner, max_size=4),
    max_leaves=30,
)


def as_text(value: Any) -> Any:
    """What is left of plain data where names hold bytes that are no text."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"))


@settings(deadline=None, max_examples=400)
@given(st.dictionaries(_letters, _plain, max_size=4))
@example({})
@example({"a": [], "b": {}, "d": [[], [{}], {"e": []}]})
@example({'\u2028\x7f\x00"\\/\ud800': '\u2028\x7f\x00"\\/\ud800\n\t\U0001f600'})
@example({"x": [-0.0, 5e-324, 2.2250738585072014e-308, 1e16, 1e22, 12345678901.5, 0.1 + 0.2, -1 / 3, 1e-5, 1e-4]})
def test_json_is_read_as_it_was(value: dict[str, Any]) -> None:
    text = json_text(value)
    assert json.loads(text) == as_text(value)
    assert text.endswith("}\n")


def test_csv_joins_lists_and_rounds() -> None:
    one = {"a,b": ["one", "two"], "x": 1 / 3, "y": True, "z": math.nan}
    assert (
        csv_text([one, {"a,b": 'say "so"', "x": -2, "y": None, "z": 0}])
        == '"a,b",x,y,z\none two,0.3333333333,True,\n"say ""so""",-2,,0\n'
    )


@pytest.mark.parametrize("text", FORMULAS)
def test_tables_hold_no_formula(text: str) -> None:
    header, first, second = rows(csv_text([{text: text, "x": -1.5}, {text: [text, "b"], "x": 1}]))
    assert header == [f"'{text}", "x"]
    assert first == [f"'{text}", "-1.5"]  # a number is no formula
    assert second == [f"'{text} b", "1"]
    for line, number in zip(tsv_text([{text: text, "x": -1.5}]).splitlines(), ("x", "-1.5"), strict=True):
        assert [unescaped(field) for field in line.split("\t")] == [f"'{text}", number]


def unescaped(field: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}[found[1]], field)


def test_tsv_has_no_quotes_and_writes_tabs_and_line_ends_as_what_they_are_called() -> None:
    records = [{"name": "a,b", "x": 1 / 3, "y": None}, {"name": 'say "so"', "x": -2, "y": ["one", "two"]}]
    assert tsv_text(records) == 'name\tx\ty\na,b\t0.3333333333\t\nsay "so"\t-2\tone two\n'
    assert tsv_text([{"a\tb": "1\t2\n3\r\\4"}]) == "a\\tb\n1\\t2\\n3\\r\\\\4\n"


@settings(deadline=None)
@given(st.lists(st.tuples(st.text(), st.integers(), st.text()), min_size=1))
def test_every_record_of_tsv_is_a_line_that_can_be_undone(records: list[tuple[str, int, str]]) -> None:
    text = tsv_text(dict(zip("abc", record, strict=True)) for record in records)
    assert text.endswith("\n")
    lines = text.removesuffix("\n").split("\n")
    assert lines[0] == "a\tb\tc"
    assert len(lines) == 1 + len(records)
    for line, record in zip(lines[1:], records, strict=True):
        assert "\r" not in line
        for field, value in zip(line.split("\t"), record, strict=True):
            assert unescaped(field) in (str(value), f"'{value}")
            assert isinstance(value, int) or field[:1] not in ("=", "+", "-", "@")
