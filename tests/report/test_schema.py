"""JSON results against the schema in docs/."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import truegain as tg

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs" / "result.schema.json").read_text(encoding="utf-8"))
LINES = ["the cat sat on the mat", "a dog ran off in the rain", "it was late", "they left at noon"] * 6
OTHER = ["the cat sat on a mat", "a dog ran in the rain", "it is late", "they left"] * 6


def check(data: Any) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(data)


@pytest.mark.parametrize("documents", [None, [f"d{i // 4}" for i in range(24)]])
def test_compare(documents: list[str] | None) -> None:
    systems = {"a": [OTHER, [*OTHER[:-1], "x"]], "b": [[*LINES[:-1], "x"], [*LINES[1:], "y"]]}
    result = tg.compare(LINES, systems, metrics=["bleu", "chrf"], documents=documents, resamples=50)
    data = json.loads(result.render("json"))
    check(data)
    data["comparisons"][0]["p"] = 1.5
    with pytest.raises(jsonschema.ValidationError):
        check(data)


def test_runs() -> None:
    systems = {"a": [OTHER, [*OTHER[:-1], "x"]], "b": [[*LINES[:-1], "x"], [*LINES[1:], "y"]]}
    check(json.loads(tg.replicate(LINES, systems, counts=(1, 2), repetitions=3, resamples=19).render("json")))
    check(json.loads(tg.intervals(LINES, systems, resamples=50).render("json")))


@pytest.mark.parametrize("segments", [False, True])
def test_score(segments: bool) -> None:
    check(json.loads(tg.score(LINES, {"a": OTHER}, resamples=50, segments=segments).render("json")))
    check(json.loads(tg.score(LINES[:1], {"a": OTHER[:1]}, resamples=50).render("json")))
