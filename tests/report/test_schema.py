"""JSON results against the schema in docs/."""

from __future__ import annotations

import copy
import json
import runpy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import truegain as tg
from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.studies.result import SCHEMA as FORM
from truegain.studies.stored import _RESULTS as STUDIES

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCHEMA = json.loads((DOCS / "result.schema.json").read_text(encoding="utf-8"))
LINES = ["the cat sat on the mat", "a dog ran off in the rain", "it was late", "they left at noon"] * 6
OTHER = ["the cat sat on a mat", "a dog ran in the rain", "it is late", "they left"] * 6
#: Keys that only some results of a study have.
OPTIONAL = {
    *("id", "alike", "segments", "weights", "scope", "file", "more", "summary", "warning", "standard_error"),
    *("standard_errors", "sampling", "predicted_samples", "groups", "human_agreement", "computed"),
}
SYSTEMS = {"a": [OTHER, [*OTHER[:-1], "x"]], "b": [[*LINES[:-1], "x"], [*LINES[1:], "y"]]}


def check(data: Any) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(data)


def objects(schema: Any) -> list[dict[str, Any]]:
    """The schemas of objects."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    found = [one for part in inner for one in objects(part)]
    return [schema, *found] if isinstance(schema, dict) and isinstance(schema.get("properties"), dict) else found


def test_the_schema_is_one_and_what_the_annotations_say() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    made = runpy.run_path(str(DOCS / "tools" / "schema.py"))["text"]()
    assert made == (DOCS / "result.schema.json").read_text(encoding="utf-8"), "run python docs/tools/schema.py"


def test_every_key_is_described() -> None:
    for one in objects(SCHEMA):
        assert one["description"]
        for key, told in one["properties"].items():
            assert told["description"] or key == "notes", key


def test_every_study_has_a_form_and_all_keys_are_required() -> None:
    assert [one["properties"]["study"]["const"] for one in SCHEMA["oneOf"]] == list(STUDIES)
    assert {one["properties"]["schema"]["const"] for one in SCHEMA["oneOf"]} == {FORM}
    for one in objects(SCHEMA):
        assert one["additionalProperties"] is False
        assert set(one["properties"]) - OPTIONAL == set(one["required"]) - OPTIONAL


DOCUMENTS = [f"d{i // 4}" for i in range(24)]
ONE_RUN = {"a": OTHER, "b": SYSTEMS["b"][0]}
THREE: dict[str, Any] = {**SYSTEMS, "c": SYSTEMS["a"][::-1]}
ALONE = {**ONE_RUN, "c": SYSTEMS["b"][1]}
FEW: dict[str, Any] = {"metrics": ["bleu", "ter"], "resamples": 50}
#: Results of every kind, and for some a list in them and what its first entry may not be.
RESULTS: dict[str, tuple[Callable[[], Any], str, tuple[dict[str, Any], ...]]] = {
    "compare": (lambda: tg.compare(LINES, SYSTEMS, **FEW), "comparisons", ({"p": 1.5}, {"ci_level": None})),
    "compare, of documents": (lambda: tg.compare(LINES, SYSTEMS, documents=DOCUMENTS, **FEW), "", ()),
    "score": (lambda: tg.score(LINES, {"a": OTHER}, resamples=50), "", ()),
    "score, of segments": (lambda: tg.score(LINES, {"a": OTHER}, resamples=50, segments=True), "", ()),
    "score, of one segment": (lambda: tg.score(LINES[:1], {"a": OTHER[:1]}, resamples=50), "", ()),
    "replicate": (lambda: tg.replicate(LINES, SYSTEMS, counts=(1, 2), repetitions=3, resamples=19), "", ()),
    "intervals": (lambda: tg.intervals(LINES, SYSTEMS, resamples=50), "", ()),
    "calibrate": (lambda: tg.calibrate(LINES, ONE_RUN, gain=1.0, repetitions=5, resamples=19), "", ()),
    "plan": (lambda: tg.plan(LINES, SYSTEMS, run_counts=[1, 3], documents=DOCUMENTS), "", ()),
    "plan, of gains": (lambda: tg.plan(LINES, ONE_RUN, gain=[1, 2]), "", ()),
    "plan, of deviations": (lambda: tg.plan(sd=(12, 11), correlation=0.8, run_sd=0.3), "", ()),
    "plan, of a difference": (lambda: tg.plan(sd_difference=8, gain=0.5), "", ()),
    "domains": (
        lambda: tg.domains(LINES, SYSTEMS, domains=["news", "talks"] * 12, draws=3, resamples=50, draw_resamples=19),
        "populations",
        ({"wrong": 1.5}, {"units": 0}, {"q": 1}),
    ),
    "domains, of one": (lambda: tg.domains(LINES, SYSTEMS, draws=3, resamples=50, draw_resamples=19), "", ()),
    "rank": (lambda: tg.rank(LINES, THREE, **FEW), "pairs", ({"p_adjusted": 1.5}, {"better": "yes"}, {"q": 1})),
    "rank, by ar": (lambda: tg.rank(LINES, THREE, test="ar", **FEW), "", ()),
    "threshold": (lambda: tg.threshold(LINES, SYSTEMS, resamples=50), "thresholds", ({"gain": -1.0},)),
    "threshold, of groups": (
        lambda: tg.threshold(
            LINES, ALONE, documents=[f"d{i // 2}" for i in range(24)], groups="^(a|.)", sizes=[10, 12], **FEW
        ),
        "pairs",
        ({"p": 1.5}, {"group": 3}),
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results(name: str) -> None:
    made, part, wrongs = RESULTS[name]
    data = json.loads(made().render("json"))
    check(data)
    for wrong in wrongs:
        changed = copy.deepcopy(data)
        changed[part][0] |= wrong
        with pytest.raises(jsonschema.ValidationError):
            check(changed)


def test_segments_that_moved_and_a_sequence() -> None:
    result = tg.compare(LINES, ONE_RUN, resamples="auto")
    assert result.comparisons[0].p_value.sequence is not None
    one = ChangedSegment(1, None, 1.0, None, 0.5, None, (1.0,), (2.0,), ("r",), "o", "p")
    pair = ChangedPair("bleu", "a", "b", "a", "b", 1.0, ("words",), (one,), (), 0.5, 0.0, 1, 0)
    check(json.loads(replace(result, changed_segments=(pair,)).render("json")))
