"""What the page's script reads: plain texts, numbers in words, and nothing that ends a script."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.report.page import Segments, script_json, segments_data, summary

UP = ChangedSegment(7, "news", 38.125, 54.25, 0.0312, 0.0125, (3.0, 10.0), (4.0, 0.25), ("a b c",), "a x c", "a b c")
DOWN = replace(UP, number=9, contribution=-0.0104, share=-0.004, document=None)
PAIR = ChangedPair("bleu", "base", "new", "base.1", "new.2", 2.5, ("correct", "total"), (UP,), (DOWN,), 0.9, -0.4, 1, 1)


def data(*pairs: ChangedPair, **options: Any) -> dict[str, Any]:
    return segments_data(Segments(pairs, {"bleu": "BLEU"}, {"bleu": 1}, **options))


@given(st.recursive(st.text(st.characters(codec="utf-8")), lambda inner: st.lists(inner, max_size=4)))
def test_nothing_can_end_the_script(value: object) -> None:
    text = script_json({"a": value})
    assert json.loads(text) == {"a": value}
    assert not set(text) & set("<>&\u2028\u2029")


def test_a_pair() -> None:
    (pair,) = data(PAIR)["pairs"]
    assert (pair["label"], pair["runs"], pair["names"]) == ("BLEU", ["base.1", "new.2"], ["correct", "total"])
    assert all(told in pair["summary"] for told in ("+2.5", "1 of 1", "+0.900", "−0.400"))
    up, down = pair["segments"]
    assert up == {
        "number": 7,
        "document": "news",
        "size": 0.0312,
        "contribution": "+0.0312",
        "share": "1.2 % of Δ",
        "scores": ["38.1", "54.2"],
        "references": [0],
        "statistics": [["3", "10"], ["4", "0.25"]],
        "outputs": 0,
    }
    assert (down["contribution"], down["share"], down["document"]) == ("−0.0104", "−0.4 % of Δ", None)


def test_texts_are_kept_once() -> None:
    found = data(PAIR, replace(PAIR, system="other"))
    assert found["texts"] == ["a b c"]
    assert found["marked"] == [[["a ", 0, "x", 1, " c", 0], ["a ", 0, "b", 2, " c", 0]]]


def test_scores_without_texts() -> None:
    bare = replace(UP, references=(), baseline_output=None, system_output=None, share=None, baseline_score=None)
    (pair,) = data(replace(PAIR, up=(bare,), down=()))["pairs"]
    (segment,) = pair["segments"]
    assert "outputs" not in segment
    assert segment["references"] == []
    assert segment["share"] is None
    assert segment["scores"] == [None, "54.2"]


def test_single_runs_are_not_named_and_others_by_their_files() -> None:
    assert data(PAIR, several_runs=False)["pairs"][0]["runs"] == []
    far = replace(PAIR, baseline_run="runs/a/x.1", system_run="runs/b/x.2")
    assert data(far)["pairs"][0]["runs"] == ["x.1", "x.2"]
    alike = replace(PAIR, baseline_run="runs/a/x", system_run="runs/b/x")
    assert data(alike)["pairs"][0]["runs"] == ["runs/a/x", "runs/b/x"]


def test_a_metric_without_a_direction() -> None:
    (pair,) = data(PAIR, undirected=frozenset({"bleu"}))["pairs"]
    assert pair["directed"] is False
    assert all(told in pair["summary"] for told in ("+2.5", "+0.900", "−0.400"))


@pytest.mark.parametrize(
    ("pair", "told"),
    [
        (
            replace(PAIR, up=(UP,) * 10, down=(DOWN,) * 10, up_count=1176, down_count=1410),
            ("10 of 1,176", "+0.900", "10 of 1,410", "−0.400"),
        ),
        (replace(PAIR, down=()), ("1 of 1", "+0.900")),
        (replace(PAIR, up=(), delta=-0.3, down_count=7), ("−0.3", "1 of 7", "−0.400")),
        (replace(PAIR, up=(), down=()), ()),
    ],
)
def test_what_they_make_up_together(pair: ChangedPair, told: tuple[str, ...]) -> None:
    found = summary(pair, 1)
    assert [one for one in told if one not in found] == []
    assert found.count(" of ") == len([one for one in told if " of " in one])
