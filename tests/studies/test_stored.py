"""Results that are written as JSON and read again: equal, the same in every format, and refused in words."""

from __future__ import annotations

import copy
import io
import json
import math
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import truegain as tg
from tests.conftest import only_with_all
from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.errors import InputError
from truegain.readers.memory import corpus_from_memory
from truegain.report import FORMATS
from truegain.simulation import SystemSpec, simulate
from truegain.studies import stored
from truegain.studies.compare.result import CompareResult
from truegain.studies.result import SCHEMA, Result
from truegain.studies.stored import load, parse
from truegain.version import __version__

MADE = simulate(segments=24, systems=[SystemSpec(name=name, quality=q, runs=2) for name, q in (("a", 0.6), ("b", 0.8))])
REFERENCE = list(MADE.references[0])
RUNS = {name: [list(run) for run in runs] for name, runs in MADE.systems.items()}
FIRST = {name: runs[0] for name, runs in RUNS.items()}
DOCUMENTS = [f"d{i // 4}" for i in range(24)]


def _compare() -> Result:
    made = tg.compare(REFERENCE, RUNS, metrics=["bleu", "ter"], documents=DOCUMENTS, resamples=50)
    up = ChangedSegment(
        3, "d0", 10.0, 20.0, 1 / 3, 0.5, (1.0, 2.0), (3.0, 4.0), ("a reference",), "an output", "another"
    )
    down = ChangedSegment(24, None, None, None, -1 / 7, None, (0.0, 0.0), (0.0, 1.0))
    pair = ChangedPair("bleu", "a", "b", "a.1", "b.2", 2 / 3, ("correct", "total"), (up,), (down,), 0.5, -0.25, 9, 1)
    return replace(made, changed_segments=(pair,), command="truegain compare --ref 'ref 1.txt' a.txt b.txt")


def _tests() -> Result:
    others = {"c": FIRST["a"][::-1], "d": FIRST["b"][::-1], "e": FIRST["a"]}
    tests = ["ar", "bootstrap", "t", "exact", "koehn2004"]
    return tg.compare(REFERENCE, FIRST | others, metrics=["chrf"], test=tests, resamples=50)


def _tuned() -> Result:
    lines = [
        f"{place} ||| {line} ||| a= {len(line) % 5} b= {number}\n"
        for number, outputs in enumerate(FIRST.values())
        for place, line in enumerate(outputs)
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder, "lists.txt")
        path.write_text("".join(lines), encoding="utf-8")
        return tg.tune(REFERENCE, path, runs=3, restarts=1, apply={"more": path})


def _with_people() -> Result:
    people = {f"s{i}": [float((i + 2) * j % 7 + i) for j in range(24)] for i in range(6)}
    profile = tg.agree(people, {"bleu": people}, measures=["accuracy"], resamples=20)
    return tg.compare(REFERENCE, FIRST, resamples=20, human_agreement=profile)


def _agreed(test: Literal["perm-sys", "documents"]) -> Result:
    def scores(step: int) -> dict[str, list[float]]:
        return {f"s{one}": [(5 * one + place * step) % 17 + one for place in range(24)] for one in range(6)}

    metrics = {"close": scores(4), "far": scores(5), "other": scores(7)}
    if test == "documents":
        return tg.agree([scores(3), scores(2)], [metrics] * 2, documents=[DOCUMENTS] * 2, test=test, resamples=20)
    return tg.agree(scores(3), metrics, documents=DOCUMENTS, test=test, resamples=20)


def _gaps() -> Result:
    """Segments without a score: the last two have no weight, and one of them is nothing over nothing."""

    def statistics(outputs: Sequence[str], references: Any) -> list[tuple[float, float]]:
        return [(len(output), 1.0) for output in outputs[:-2]] + [(1.0, 0.0), (0.0, 0.0)]

    def ratio(totals: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(all="ignore"):
            return np.asarray(totals[..., 0] / totals[..., 1])

    metric = tg.CustomMetric("ratio", statistics, ratio, ("sum", "weight"))
    result = tg.score(REFERENCE, FIRST, metrics=["bleu", metric], resamples=50, segments=True)
    assert [str(one) for one in result.segments["ratio", "a"][-2:]] == ["inf", "nan"]
    return result


def _sets(systems: Any) -> list[tg.Corpus]:
    """Two test sets, of which the second has the segments the other way round and no documents."""
    turned = {
        name: [run[::-1] for run in own] if isinstance(own[0], list) else own[::-1] for name, own in systems.items()
    }
    one = corpus_from_memory(REFERENCE, systems, documents=DOCUMENTS)
    return [replace(one, name="one"), replace(corpus_from_memory(REFERENCE[::-1], turned), name="two")]


def _profile() -> Result:
    systems = {f"s{i}": [float((i + 2) * j % 7) for j in range(24)] for i in range(6)}
    return tg.threshold(None, systems, metrics=["scores"], groups="^(s)", resamples=50)


MAKERS: dict[str, Callable[[], Result]] = {
    "compare": _compare,
    "compare by several tests": _tests,
    "compare all, as many resamples as needed": lambda: tg.compare(
        REFERENCE, {**FIRST, "c": FIRST["a"][::-1]}, metrics=["length"], family="all", resamples="auto"
    ),
    "compare blocks": lambda: tg.compare(REFERENCE, FIRST, unit="block", alternative="greater", resamples=50),
    "compare scores": lambda: tg.compare(
        None, {"a": np.linspace(0.0, 1.0, 24), "b": np.linspace(0.0, 1.0, 24) ** 2}, metrics=["scores"], resamples=50
    ),
    "score": lambda: tg.score(REFERENCE, RUNS, metrics=["bleu", "chrf"], resamples=50),
    "score one segment": lambda: tg.score(REFERENCE[:1], {"a": FIRST["a"][:1]}, resamples=50),
    "score segments": lambda: tg.score(REFERENCE, FIRST, resamples=50, segments=True),
    "score segments, some without": _gaps,
    "calibrate": lambda: tg.calibrate(REFERENCE, FIRST, test=["ar", "t"], gain=1.0, repetitions=20, resamples=19),
    "replicate": lambda: tg.replicate(
        REFERENCE, RUNS, metrics=["bleu", "length"], counts=(1, 2), repetitions=5, resamples=19
    ),
    "intervals": lambda: tg.intervals(
        REFERENCE, {**RUNS, "c": [RUNS["a"][0], RUNS["b"][1], RUNS["b"][0]]}, metrics=["chrf", "ter"], resamples=50
    ),
    "inspect": lambda: tg.inspect(REFERENCE, RUNS, metrics=["bleu", "ter"], documents=DOCUMENTS, count=2),
    "inspect all segments": lambda: tg.inspect(REFERENCE, FIRST, everything=True),
    "gate": lambda: tg.gate(REFERENCE, RUNS, metrics=["bleu", "ter"], documents=DOCUMENTS, resamples=50),
    "gate without bounds": lambda: tg.gate(
        None,
        {"a": [np.arange(4.0), np.arange(4.0)[::-1]], "b": [np.arange(4.0) + 1, np.arange(4.0)[::-1] + 1]},
        metrics=["scores"],
        test="welch",
        require="no-loss-shown",
    ),
    "gate with margins": lambda: tg.gate(
        REFERENCE, FIRST, metrics=["bleu", "ter"], require="not-worse", margin={"bleu": 1, "ter": 2}, resamples=50
    ),
    "tune": _tuned,
    "agree": lambda: _agreed("perm-sys"),
    "agree by documents": lambda: _agreed("documents"),
    "compare with people": _with_people,
    "plan": lambda: tg.plan(REFERENCE, FIRST, metrics=["bleu", "ter"], documents=DOCUMENTS),
    "plan runs": lambda: tg.plan(REFERENCE, RUNS, gain=[1, 9], segment_counts=[24, 99], run_counts=[1, 3]),
    "plan from assumptions": lambda: tg.plan(sd=(12, 11), correlation=0.7, design_effect=1.5, gain=0.5),
    "plan without a gain": lambda: tg.plan(sd_difference=1.2, run_sd=0.1, run_counts=[2]),
    "rank": lambda: tg.rank(
        REFERENCE,
        {**FIRST, "c": FIRST["a"], "d": FIRST["b"][::-1]},
        metrics=["bleu", "ter"],
        documents=DOCUMENTS,
        resamples=50,
    ),
    "rank runs": lambda: tg.rank(REFERENCE, RUNS, metrics=["chrf"], resamples=50),
    "domains": lambda: tg.domains(
        REFERENCE,
        {**FIRST, "c": FIRST["a"], "d": FIRST["b"][::-1]},
        metrics=["bleu", "ter"],
        domains=["news" if i < 12 else "talks" for i in range(24)],
        sizes=[6, 12],
        draws=5,
        resamples=50,
        draw_resamples=19,
    ),
    "domains, draws from one": lambda: tg.domains(REFERENCE, RUNS, documents=DOCUMENTS, draws=5, draw_resamples=19),
    "threshold": lambda: tg.threshold(
        REFERENCE,
        {**FIRST, "c": FIRST["a"], "d": FIRST["b"][::-1]},
        metrics=["bleu", "ter"],
        documents=DOCUMENTS,
        groups="^([ab]|.)",
        resamples=50,
    ),
    "threshold by classes": lambda: tg.threshold(
        REFERENCE,
        {**FIRST, "c": FIRST["a"][::-1], "d": FIRST["b"][::-1]},
        pair_classes={("a", "b"): "x", ("c", "a"): "x", ("b", "c"): "y", ("b", "d"): "y"},
        resamples=50,
    ),
    "threshold of two": lambda: tg.threshold(REFERENCE, RUNS, metrics=["chrf"], resamples=50),
    "threshold by sizes": lambda: tg.threshold(
        REFERENCE, {**FIRST, "c": FIRST["a"][::-1]}, sizes=[12, 18, 24], subsets="random", resamples=50
    ),
    "significance": lambda: tg.significance(_profile(), [0.5, 2.0], segments=30, similar=True),
    "merge": lambda: tg.merge(
        tg.stats(REFERENCE, {**FIRST, "c": FIRST["a"], "d": FIRST["b"][::-1]}, metrics=["bleu", "ter"], resamples=50)
    ),
    "merge runs": lambda: tg.merge(
        tg.stats(REFERENCE, {**RUNS, "c": FIRST["a"][::-1]}, metrics=["length"], resamples=50, first=9),
        interval="basic",
    ),
    "merge one": lambda: tg.merge(tg.stats(REFERENCE, {"a": FIRST["a"]}, documents=DOCUMENTS[::-1], resamples=20)),
    "pool": lambda: tg.pool(_sets(FIRST), metrics=["bleu", "ter"], resamples=50),
    "pool runs": lambda: tg.pool(_sets(RUNS), metrics=["chrf", "length"], resamples=50),
    "pool one": lambda: tg.pool(_sets(FIRST)[:1], resamples=50),
}
STUDIES = [
    "compare",
    "score",
    "calibrate",
    "replicate",
    "intervals",
    "inspect",
    "gate",
    "plan",
    "rank",
    "threshold",
    "significance",
    "domains",
    "pool",
]


@cache
def made(name: str) -> Result:
    return MAKERS[name]()


@cache
def written(name: str) -> str:
    return made(name).render("json")


def data_of(name: str) -> dict[str, Any]:
    data = json.loads(written(name))
    assert isinstance(data, dict)
    return data


def same(first: Any, second: Any) -> bool:
    """Equal, where NaN is equal to itself."""
    return repr(vars(first)) == repr(vars(second)) if "nan" in repr(vars(first)) else bool(first == second)


# ---- What is written comes back


@pytest.mark.whole
@pytest.mark.parametrize("name", MAKERS)
def test_equal_up_to_ten_digits(name: str) -> None:
    back = parse(data_of(name))
    assert type(back) is type(made(name))
    assert same(back, made(name).rounded())


@pytest.mark.whole
@pytest.mark.parametrize("name", MAKERS)
def test_equal_in_all_digits_without_json(name: str) -> None:
    if name != "score segments, some without":  # JSON has no infinity
        assert same(parse(made(name).to_dict()), made(name))


# Figures take long: a page of each study, the one with the most to draw that is drawn soon.
PAGES = {
    **{study: study for study in STUDIES},
    "plan": "plan runs",
    "threshold": "threshold by sizes",
    "pool": "pool runs",
}


@pytest.mark.whole
@pytest.mark.parametrize("width", [None, 0, 7, 15])
@pytest.mark.parametrize("format", [format for format in FORMATS if format != "html"])
@pytest.mark.parametrize("name", MAKERS)
def test_every_format_is_the_same_byte_for_byte(name: str, format: str, width: int | None) -> None:
    assert parse(data_of(name)).render(format, decimals=width) == made(name).render(format, decimals=width)


@pytest.mark.whole
@pytest.mark.parametrize("study", STUDIES)
def test_a_page_is_the_same_byte_for_byte(study: str) -> None:
    back, kept = parse(data_of(PAGES[study])), made(PAGES[study])
    assert back.study == study
    assert back.render("html") == kept.render("html")


@pytest.mark.whole
@pytest.mark.parametrize("name", MAKERS)
def test_records_and_reports_are_the_same(name: str) -> None:
    back, kept = parse(data_of(name)), made(name).rounded()
    assert repr(back.to_records()) == repr(kept.to_records())
    assert repr(back.report()) == repr(kept.report())


@pytest.mark.whole
@pytest.mark.parametrize("name", ["calibrate", "replicate", "intervals"])  # the others are drawn on their pages
def test_figures_are_the_same(name: str, tmp_path: Path) -> None:
    for one, file in ((parse(data_of(name)), "back.svg"), (made(name).rounded(), "made.svg")):
        one.plot(tmp_path / file)
    assert (tmp_path / "back.svg").read_bytes() == (tmp_path / "made.svg").read_bytes()


@pytest.mark.parametrize("name", MAKERS)
def test_saved_and_loaded(name: str, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    made(name).save(path)
    for one in (path, str(path)):
        assert load(one).render("json").encode() == path.read_bytes()


def test_a_byte_order_mark_and_other_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(b"\xef\xbb\xbf" + made("score").render("json").replace("\n", "\r\n").encode())
    assert same(load(path), made("score").rounded())


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream:
        buffer = io.BytesIO(made("score").render("json").encode())

    monkeypatch.setattr(sys, "stdin", Stream)
    assert same(load("-"), made("score").rounded())


def test_the_version_is_that_of_the_truegain_that_made_it() -> None:
    data = data_of("compare") | {"truegain": "0.0.7"}
    back = parse(data)
    assert back.version == "0.0.7"
    assert json.loads(back.render("json"))["truegain"] == "0.0.7"
    assert "(truegain 0.0.7, seed 12345)" in back.render("md")


def test_the_command_and_the_segments_that_moved_are_kept() -> None:
    back = parse(data_of("compare"))
    assert isinstance(back, CompareResult)
    assert back.command == "truegain compare --ref 'ref 1.txt' a.txt b.txt"
    assert back.changed_segments[0].up[0].contribution == 0.3333333333
    assert back.changed_segments[0].down[0].references == ()
    assert made("score").command == ""


def test_a_number_at_the_edge_is_shown_as_it_is_kept() -> None:
    # Above 2.5 in full, which would be shown as 3; of its ten digits 2.5 is left, which goes to the even neighbour.
    result = made("compare")
    assert isinstance(result, CompareResult)
    edge = 2.5000000000001
    scores = tuple(replace(one, score=edge) for one in result.scores)
    shown = replace(result, scores=scores).render("md", decimals=0)
    assert parse(json.loads(replace(result, scores=scores).render("json"))).render("md", decimals=0) == shown


# ---- What is no result is refused


def refusal(data: Any) -> str:
    with pytest.raises(InputError) as caught:
        parse(data)
    return str(caught.value)


@pytest.mark.parametrize("data", [None, [], "text", 3, {}, {"study": "compare"}])
def test_something_else(data: Any) -> None:
    assert refusal(data) == (
        "this is not a result of truegain: an object with the key 'truegain' was expected\n"
        '  give what save("FILE.json") wrote'
    )


@pytest.mark.parametrize("schema", [SCHEMA + 1, 99])
def test_a_newer_form(schema: int) -> None:
    said = refusal(data_of("score") | {"schema": schema, "truegain": "9.0"})
    assert said == (
        f"schema: 2 was expected; found {schema}: truegain 9.0 made the file, and this is {__version__}\n"
        "  a newer truegain reads it: pip install --upgrade truegain"
    )


@pytest.mark.parametrize("schema", [0, True, "1", 1.0, None, -1])
def test_no_form(schema: Any) -> None:
    assert refusal(data_of("score") | {"schema": schema}).startswith("schema: ")


def test_results_from_before_forms_were_counted() -> None:
    data = data_of("compare")
    del data["schema"]
    assert refusal(data).startswith("schema is missing; 2 was expected: truegain 0.")


@pytest.mark.parametrize("study", ["ranks", "", None, 3, ["compare"]])
def test_another_study(study: Any) -> None:
    said = refusal(data_of("score") | {"study": study})
    assert said.startswith("study: one of compare, score, calibrate, replicate, intervals")


def test_no_study() -> None:
    data = data_of("score")
    del data["study"]
    assert refusal(data).startswith("study is missing; one of compare, score,")


def test_a_result_of_another_class() -> None:
    with pytest.raises(InputError, match="study: one of compare was expected; found the text 'score'"):
        CompareResult.from_dict(data_of("score"))


def put(data: Any, place: str, value: Any) -> Any:
    """The data with something else at a place such as ``comparisons[3].ci``."""
    changed = copy.deepcopy(data)
    steps = [int(step) if step.isdecimal() else step for step in re.findall(r"[^.\[\]]+", place)]
    inner = changed
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("name", "place", "value", "message"),
    [
        (
            "compare",
            "comparisons[3].ci",
            [1],
            "comparisons[3].ci: a list of 2, the lower end first, was expected; found a list",
        ),
        ("compare", "comparisons[3].ci[1]", "", "comparisons[3].ci[1]: a number or null was expected; found"),
        ("compare", "comparisons[0].p", 1.5, "comparisons[0].p: a number from 0 to 1 was expected; found"),
        ("compare", "comparisons[0].test", "tt", "comparisons[0].test: one of crossed, raters, ar, tango, bootstrap"),
        ("compare", "comparisons[0].adjust", "", "comparisons[0].adjust: one of none, bonferroni"),
        ("compare", "comparisons[0].metric", "x", "comparisons[0].metric: one of the metrics bleu, ter was"),
        ("compare", "comparisons[1].system", "x", "comparisons[1].system: 'x' has no score under 'bleu' among"),
        ("compare", "comparisons[1].baseline", "x", "comparisons[1].baseline: 'x' has no score under 'bleu' among"),
        ("compare", "comparisons[1].exceedances", 51, "comparisons[1].p: there are more exceedances than resamples"),
        ("compare", "comparisons", [], "comparisons: a list that is not empty was expected; found a list of 0"),
        ("compare", "metrics", [], "metrics: a list that is not empty was expected; found a list of 0"),
        ("compare", "systems", [], "systems: a list that is not empty was expected; found a list of 0"),
        ("compare", "metrics[1].metric", "bleu", "metrics: a metric occurs twice: bleu, bleu"),
        ("compare", "systems[1].name", "a", "systems: a system has two scores under one metric"),
        ("compare", "systems[0].ci", None, "systems[0].ci: ci, ci_level and ci_method are null together or not at"),
        ("compare", "systems[0].run_names", ["x"], "systems[0].run_names: 2 names were expected, one a score; found 1"),
        ("compare", "systems[0].run_scores", [], "systems[0].run_scores: a list that is not empty was expected"),
        ("compare", "baseline", "x", "baseline: 'x' has no score under 'bleu' among the systems"),
        ("compare", "alpha", 0, "alpha: a number from 1e-09 to 0.999 was expected; found the number 0"),
        ("compare", "unit", "word", "unit: one of segment, document, block, domain, testset was expected; found"),
        ("compare", "testset.segments", 0, "testset.segments: a whole number from 1 on was expected; found"),
        ("compare", "changed_segments[0].up[0].number", 25, "changed_segments[0].up[0].number: there are 24 segments"),
        (
            "compare",
            "changed_segments[0].down[0].system_statistics",
            [],
            "changed_segments[0].down[0].system_statistics: a list of 2, as",
        ),
        (
            "compare",
            "changed_segments[0].metric",
            "chrf",
            "changed_segments[0].metric: one of the metrics bleu, ter was expected",
        ),
        (
            "score segments",
            "segments[0].scores",
            [1],
            "segments[0].scores: a list of 24, one per segment, was expected",
        ),
        ("score segments", "segments[0].metric", "x", "segments[0].metric: there is no such metric among the metrics"),
        ("score segments, some without", "segments[0].run", "z", "segments[0].run: 'z' has no scores of segments und"),
        ("calibrate", "measured[0].p", [], "measured[0].p: a list that is not empty was expected"),
        ("calibrate", "measured[0].p[3]", -0.1, "measured[0].p[3]: a number from 0 to 1 was expected; found"),
        ("calibrate", "null_block_length", 40, "null_block_length: of the unit 'segment', null was expected"),
        ("calibrate", "null_unit", "block", "null_block_length: of the unit 'block', a number was expected"),
        (
            "calibrate",
            "null_unit",
            "word",
            "null_unit: one of segment, document, block, domain, testset, run was expected",
        ),
        ("calibrate", "systems", [], "systems: a list that is not empty was expected"),
        ("calibrate", "power[0].metric", "x", "power[0].metric: one of the metrics bleu was expected; found 'x'"),
        ("replicate", "picked[0].new", "x", "picked[0].new: one of high, median, low was expected; found the text"),
        ("replicate", "drawn[0].delta", None, "drawn[0].delta: an object was expected; found null"),
        (
            "intervals",
            "intervals[0].method",
            "x",
            "intervals[0].method: one of one-run, all-runs, rows, runs, both was",
        ),
        ("intervals", "intervals[0].method", "both", "intervals: one by each method was expected of 'a' under 'chrf'"),
        ("intervals", "pairs[0].method", "both", "pairs[0]: this pair was expected by each of the methods one-run"),
        ("intervals", "pairs[0].p[0].test", "t", "pairs[0].p: p-values by riezler2005-bootstrap and riezler2005-ar"),
        ("threshold", "pairs[0].p", 1.5, "pairs[0].p: a number from 0 to 1 was expected; found"),
        ("threshold", "pairs[0].delta", -1.0, "pairs[0].delta: a number from 0 on was expected; found"),
        (
            "threshold",
            "pairs[0].group",
            None,
            "pairs[0].group: pairs are of a group where systems have labels or pairs classes",
        ),
        ("threshold", "pairs", [], "pairs: a list that is not empty was expected"),
        ("threshold", "thresholds[0].group", "x", "thresholds[0].group: one of all, same, different was expected"),
        ("threshold by classes", "pairs[0].group", "same", "pairs[0].group: pairs are of a group where systems have"),
        ("threshold by classes", "classes", ["x", "x"], "classes: classes of other names than all, each once, were"),
        ("threshold by classes", "classes", ["all", "x", "y"], "classes: classes of other names than all, each once"),
        ("threshold by classes", "thresholds[1].group", "z", "thresholds[1].group: one of all, x, y was expected"),
        ("threshold", "thresholds[0].group", "same", "thresholds: one of all pairs over documents was expected under"),
        ("threshold", "thresholds[0].high", None, "thresholds[0].high: low and high are null together or not at all"),
        ("threshold", "thresholds[0].low", 1e9, "thresholds[0].high: a number from low on, 1e+09, was expected; found"),
        ("threshold", "labels[0].system", "x", "labels: every system once was expected"),
        ("threshold", "pairs[1].baseline", "x", "pairs[1].baseline: 'x' has no score under 'bleu' among"),
        ("threshold", "alpha", 0.5, "alpha: a number between 5e-10 and 0.5 was expected"),
        ("significance", "gains", [], "gains: a list that is not empty was expected"),
        ("significance", "gains[0].probability", 1.5, "gains[0].probability: a number from 0 to 1 was expected"),
        ("significance", "gains[0].high", None, "gains[0].high: low and high are null together or not at all"),
        ("significance", "group", "different", "group: one of all, same was expected"),
        ("threshold by sizes", "laws", [], "laws: one law was expected where there are sizes"),
        ("threshold by sizes", "sizes[0].units", 30, "sizes: two or more, each larger than the one before"),
        ("intervals", "pairs[4].p", [], "pairs[4].p: p-values by crossed were expected; found none"),
        # Valid alone, and impossible together.
        (
            "compare",
            "comparisons[0].ci",
            [2.5, 1],
            "comparisons[0].ci: a list of 2, the lower end first, was expected;",
        ),
        (
            "compare",
            "systems[0].ci",
            [2.5, 1],
            "systems[0].ci: a list of 2, the lower end first, or null was expected;",
        ),
        (
            "compare",
            "comparisons[0].p_sequence",
            [0.5, 0.4],
            "comparisons[0].p_sequence: a list of 2, the lower end fi",
        ),
        (
            "compare",
            "comparisons[0].seed",
            2**64,
            "comparisons[0].seed: a whole number from 0 to 1.84467e+19 was expect",
        ),
        (
            "compare",
            "comparisons[0].n_units",
            2**53,
            "comparisons[0].n_units: a whole number was expected; found a num",
        ),
        ("compare", "resamples", 2**63, "resamples: a whole number was expected; found a number that is too large"),
        (
            "compare",
            "comparisons[0].delta",
            1e308,
            "comparisons[0].delta: a number was expected; found a number that is",
        ),
        (
            "score",
            "systems[0].run_scores[0]",
            -1e200,
            "systems[0].run_scores[0]: a number was expected; found a number",
        ),
        ("compare", "alpha", 5e-324, "alpha: a number from 1e-09 to 0.999 was expected"),
        (
            "compare",
            "changed_segments[0].delta",
            0,
            "changed_segments[0].up[0].share: null was expected, as delta is 0; found 0.5",
        ),
        (
            "compare",
            "changed_segments[0].up[0].references",
            ["a", "b"],
            "changed_segments[0].up[0].references: a list of up to 1 was expected",
        ),
        (
            "inspect",
            "changed_segments[0].delta",
            0,
            "changed_segments[0].up[0].share: null was expected, as delta is 0; found",
        ),
        (
            "inspect",
            "changed_segments[0].down[0].references",
            ["a", "a"],
            "changed_segments[0].down[0].references: a list of up to 1 was",
        ),
        ("inspect", "changed_segments[1].up[0].number", 25, "changed_segments[1].up[0].number: there are 24 segments"),
        (
            "inspect",
            "testset.references",
            0,
            "changed_segments[0].up[0].references: a list of up to 0 was expected; found 1",
        ),
        ("inspect", "testset.references", 2**52, "testset.references: a whole number from 0 to 65536 was expected"),
        (
            "inspect all segments",
            "testset.segments",
            25,
            "segments[0].segments: segments 1 to 25 were expected, in the",
        ),
        ("intervals", "intervals[0].ci", [2.5, 1], "intervals[0].ci: a list of 2, the lower end first, was expected"),
        ("merge", "comparisons[0].ci", [2.5, 1], "comparisons[0].ci: a list of 2, the lower end first, was expected"),
        ("gate", "checks[0].baseline", "b", "checks[0].baseline: 'a' was expected; found 'b'"),
        ("merge", "weights", "gauss", "weights: one of poisson or null was expected"),
        ("rank", "test", "poisson-bootstrap", "test: one of crossed, raters, ar, tango, bootstrap"),
        ("pool", "replicability[0].at_least[1]", 0, "replicability[0].at_least[1]: "),
        ("rank", "pairs[0].system", "a", "pairs: every two systems once were expected under 'bleu': 6 pairs; found 6"),
        (
            "threshold",
            "pairs[0].baseline",
            "d",
            "pairs: every two systems once were expected under 'bleu': 6 pairs; fou",
        ),
        ("replicate", "drawn[0].delta.low", 1e9, "drawn[0].delta.median: a number from low on, 1e+09, was expected"),
        ("replicate", "drawn[0].p.high", -1, "drawn[0].p.high: a number from median on"),
        (
            "domains",
            "transfers[0].significant.ci",
            [0.5, 0.4],
            "transfers[0].significant.ci: a list of 2, the lower end",
        ),
    ],
)
def test_the_place_is_named(name: str, place: str, value: Any, message: str) -> None:
    assert refusal(put(data_of(name), place, value)).startswith(message)


def test_segments_of_a_run_twice() -> None:
    data = data_of("score segments")
    data["segments"].append(data["segments"][0])
    assert refusal(data) == "segments: a run occurs twice under one metric"


def test_one_system_where_there_must_be_two() -> None:
    data = data_of("replicate")
    for part in ("systems", "variability"):
        data[part] = [one for one in data[part] if "a" in (one.get("name"), one.get("system"))]
    assert refusal(data) == "systems: two systems were expected; found 1"


def test_a_metric_without_pairs() -> None:
    data = data_of("intervals")
    data["pairs"] = [one for one in data["pairs"] if one["metric"] == "chrf"]
    assert refusal(data) == "pairs: none is under 'ter'"


# ---- Files that are no JSON


def said_of(tmp_path: Path, content: bytes) -> str:
    path = tmp_path / "result.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load(path)
    said = str(caught.value)
    assert said.startswith(f"{path}:")
    return said.removeprefix(str(path))


def test_a_file_that_breaks_off(tmp_path: Path) -> None:
    whole = made("score").render("json").encode()
    said = said_of(tmp_path, whole[: len(whole) // 2])
    assert re.match(r":\d+: this is not JSON: .* \(column \d+\)\n  give what save\(\"FILE.json\"\) wrote", said)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ":1: this is not JSON: Expecting value (column 1); the file is empty\n"),
        (b"a,b\n1,2\n", ":1: this is not JSON: Expecting value (column 1)\n"),
        (
            b"\x1f\x8b\x08",
            ":1: byte 2 of the line (0x8b) is not UTF-8\n  is the file compressed? zcat FILE | truegain render -",
        ),
        (b"[" * 100_000, ": objects and lists are nested too deep for a result\n"),
        (b'{"truegain": ' * 100_000, ": objects and lists are nested too deep for a result\n"),
        (b"1" * 5000, ": this JSON cannot be read: Exceeds the limit"),
        (b'{"a": NaN}', ": NaN is not a number in JSON; truegain writes null if there is none\n"),
        (b'{"a": -Infinity}', ": -Infinity is not a number in JSON; truegain writes null if there is none\n"),
        (b'{"study": "compare", "study": "score"}', ": the key 'study' occurs twice in one object\n"),
        (b"[]", ": this is not a result of truegain: an object with the key 'truegain' was expected\n"),
    ],
    ids=["empty", "csv", "gzip", "lists", "objects", "digits", "NaN", "Infinity", "twice", "list"],
)
def test_files_that_are_no_results(tmp_path: Path, content: bytes, message: str) -> None:
    assert said_of(tmp_path, content).startswith(message)


def test_a_number_beyond_all_numbers(tmp_path: Path) -> None:
    text = json.dumps(data_of("score") | {"alpha": "here"}).replace('"here"', "1e999")
    said = said_of(tmp_path, text.encode())
    assert said.startswith(": alpha: a number from 1e-09 to 0.999 was expected; found the number inf\n  give what")


def test_a_file_above_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = made("score").render("json").encode()
    monkeypatch.setattr(stored, "LIMIT", len(content))
    path = tmp_path / "result.json"
    path.write_bytes(content)
    load(path)
    monkeypatch.setattr(stored, "LIMIT", len(content) - 1)
    assert "the limit for results" in said_of(tmp_path, content)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a directory; a file was expected"):
        load(tmp_path)
    with pytest.raises(InputError, match=r"there is no such file\n  save\(\"FILE.json\"\) of a result writes one"):
        load(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be read: "):
        load("a\0b.json")


# ---- Whatever is done to a result, it is refused in words or can be shown

PIECES = [
    *(None, True, False, 0, 1, -1, 2, 25, 2**63, 2**70, 0.0, 0.5, -0.5, 1e-300, 1e308, -1e308, math.nan, math.inf),
    *("", "x", "a", "b", "c", "bleu", "ter", "both", "crossed", "ar", "none", "holm", "document", "=1\t\n", "\ud800"),
    *([], {}, [None], [0.5], [0.5, 0.5], {"kind": "bins"}, {"kind": "t", "scale": 1.0, "freedom": 1.0}),
]


def places(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [way] if way else []
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        found.extend(places(value, (*way, key)))
    return found


@cache
def ways(name: str) -> dict[str, list[tuple[Any, ...]]]:
    """Places by what they have in common, so that long lists do not crowd out the rest."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for way in places(data_of(name)):
        found.setdefault(".".join("*" if isinstance(step, int) else step for step in way), []).append(way)
    return found


def mutate(data: Any, way: tuple[Any, ...], how: str, piece: Any) -> None:
    for step in way[:-1]:
        data = data[step]
    last = way[-1]
    if how == "delete":
        del data[last]
    elif how == "twice" and isinstance(data, list):
        data.insert(last, copy.deepcopy(data[last]))
    elif how == "turn" and isinstance(data[last], list):
        data[last].reverse()
    else:
        data[last] = copy.deepcopy(piece)


def change_and_show(name: str, data: st.DataObject) -> None:
    changed = data_of(name)
    for _ in range(data.draw(st.integers(1, 2))):
        kinds = sorted(ways(name))
        way = data.draw(st.sampled_from(ways(name)[data.draw(st.sampled_from(kinds))]))
        how = data.draw(st.sampled_from(("delete", "replace", "replace", "twice", "turn")))
        try:
            mutate(changed, way, how, data.draw(st.sampled_from(PIECES)))
        except (KeyError, IndexError, TypeError):  # the first change took the place of the second away
            continue
    try:
        result = parse(changed)
    except InputError:
        return
    for format in FORMATS:
        if format != "html":
            result.render(format)
    if name != "plan":  # its curves take seconds; "plan runs" has the same
        result.report(decimals=3)
    written = result.render("json")
    assert parse(json.loads(written)).render("json") == written


@pytest.mark.parametrize("name", ["compare", *only_with_all(*(name for name in MAKERS if name != "compare"))])
@settings(max_examples=25)
@given(st.data())
def test_changed_results_are_refused_or_shown(name: str, data: st.DataObject) -> None:
    change_and_show(name, data)


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
@settings(max_examples=500)
@given(st.data())
def test_many_changes(name: str, data: st.DataObject) -> None:
    change_and_show(name, data)
