"""JSON results against the schema in docs/."""

from __future__ import annotations

import copy
import json
import runpy
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
    "id",
    "alike",
    "segments",
    "weights",
    "scope",
    "file",
    "more",
    "summary",
    "warning",
    "standard_error",
    "standard_errors",
    "sampling",
    "predicted_samples",
    "groups",
    "human_agreement",
    "computed",
}
SYSTEMS = {"a": [OTHER, [*OTHER[:-1], "x"]], "b": [[*LINES[:-1], "x"], [*LINES[1:], "y"]]}


def check(data: Any) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(data)


def objects(schema: Any) -> list[dict[str, Any]]:
    """The schemas of objects."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    found = [one for part in inner for one in objects(part)]
    return [schema, *found] if isinstance(schema, dict) and isinstance(schema.get("properties"), dict) else found


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_file_is_what_the_annotations_say() -> None:
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


@pytest.mark.parametrize("systems", ["ab", "a"])
def test_merge(systems: str) -> None:
    sums = tg.stats(LINES, {name: SYSTEMS[name] for name in systems}, resamples=50, jobs=1)
    data = json.loads(tg.merge(sums).render("json"))
    check(data)
    assert (data["study"], data["weights"]) == ("compare" if systems == "ab" else "score", "poisson")


@pytest.mark.parametrize("documents", [None, [f"d{i // 4}" for i in range(24)]])
def test_compare(documents: list[str] | None) -> None:
    result = tg.compare(LINES, SYSTEMS, metrics=["bleu", "chrf"], documents=documents, resamples=50)
    data = json.loads(result.render("json"))
    check(data)
    for place, wrong in ((0, {"p": 1.5}), (1, {"ci_level": None})):
        changed = copy.deepcopy(data)
        changed["comparisons"][place] |= wrong
        with pytest.raises(jsonschema.ValidationError):
            check(changed)


def test_segments_that_moved_and_a_sequence() -> None:
    result = tg.compare(LINES, {"a": OTHER, "b": SYSTEMS["b"][0]}, resamples="auto")
    assert result.comparisons[0].p_value.sequence is not None
    one = ChangedSegment(1, None, 1.0, None, 0.5, None, (1.0,), (2.0,), ("r",), "o", "p")
    pair = ChangedPair("bleu", "a", "b", "a", "b", 1.0, ("words",), (one,), (), 0.5, 0.0, 1, 0)
    check(json.loads(replace(result, changed_segments=(pair,)).render("json")))


def test_runs() -> None:
    check(json.loads(tg.replicate(LINES, SYSTEMS, counts=(1, 2), repetitions=3, resamples=19).render("json")))
    check(json.loads(tg.intervals(LINES, SYSTEMS, resamples=50).render("json")))


def test_calibrate() -> None:
    systems = {"a": OTHER, "b": SYSTEMS["b"][0]}
    check(json.loads(tg.calibrate(LINES, systems, gain=1.0, repetitions=5, resamples=19).render("json")))


@pytest.mark.parametrize("segments", [False, True])
def test_score(segments: bool) -> None:
    check(json.loads(tg.score(LINES, {"a": OTHER}, resamples=50, segments=segments).render("json")))
    check(json.loads(tg.score(LINES[:1], {"a": OTHER[:1]}, resamples=50).render("json")))


def test_plan() -> None:
    check(
        json.loads(
            tg.plan(LINES, SYSTEMS, run_counts=[1, 3], documents=[f"d{i // 4}" for i in range(24)]).render("json")
        )
    )
    check(json.loads(tg.plan(LINES, {"a": OTHER, "b": SYSTEMS["b"][0]}, gain=[1, 2]).render("json")))
    check(json.loads(tg.plan(sd=(12, 11), correlation=0.8, run_sd=0.3).render("json")))
    data = json.loads(tg.plan(sd_difference=8, gain=0.5).render("json"))
    check(data)
    with pytest.raises(jsonschema.ValidationError):
        check(data | {"power": 1.5})


@pytest.mark.parametrize("domains", [None, ["news", "talks"] * 12])
def test_domains(domains: list[str] | None) -> None:
    result = tg.domains(LINES, SYSTEMS, domains=domains, draws=3, resamples=50, draw_resamples=19)
    data = json.loads(result.render("json"))
    check(data)
    for wrong in ({"wrong": 1.5}, {"units": 0}, {"q": 1}):
        changed = copy.deepcopy(data)
        changed["populations"][0] |= wrong
        with pytest.raises(jsonschema.ValidationError):
            check(changed)


@pytest.mark.parametrize("test", ["bootstrap", "ar", "crossed"])
def test_rank(test: Any) -> None:
    result = tg.rank(LINES, {**SYSTEMS, "c": SYSTEMS["a"][::-1]}, metrics=["bleu", "ter"], test=test, resamples=50)
    data = json.loads(result.render("json"))
    check(data)
    for wrong in ({"p_adjusted": 1.5}, {"better": "yes"}, {"q": 1}):
        changed = copy.deepcopy(data)
        changed["pairs"][0] |= wrong
        with pytest.raises(jsonschema.ValidationError):
            check(changed)


def test_threshold() -> None:
    systems = {"a": OTHER, "b": SYSTEMS["b"][0], "c": SYSTEMS["b"][1]}
    documents = [f"d{i // 2}" for i in range(24)]
    result = tg.threshold(
        LINES, systems, metrics=["bleu", "ter"], documents=documents, groups="^(a|.)", sizes=[10, 12], resamples=50
    )
    data = json.loads(result.render("json"))
    check(data)
    check(json.loads(tg.threshold(LINES, SYSTEMS, resamples=50).render("json")))
    for part, wrong in (("pairs", {"p": 1.5}), ("pairs", {"group": 3}), ("thresholds", {"gain": -1.0})):
        changed = copy.deepcopy(data)
        changed[part][0] |= wrong
        with pytest.raises(jsonschema.ValidationError):
            check(changed)
