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
from benchmarks.simulation import SystemSpec, simulate
from tests.conftest import only_with_all
from tests.refusals import refused
from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.errors import InputError
from truegain.readers.memory import corpus_from_memory
from truegain.report import FORMATS
from truegain.studies import stored
from truegain.studies.compare.result import CompareResult
from truegain.studies.result import SCHEMA, Result
from truegain.studies.stored import load, parse

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
    assert re.search(r"\(truegain 0\.0\.7\W+seed 12345\)", back.render("md"))


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
    assert "'truegain'" in refusal(data)


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("schema", (SCHEMA + 1, 99, 0, True, "1", 1.0, None, -1)),
        ("study", ("ranks", "", None, 3, ["compare"])),
    ],
)
def test_another_form_or_study(key: str, values: tuple[Any, ...]) -> None:
    data = data_of("score")
    for value in values:
        assert refusal(data | {key: value}).startswith(f"{key}: ")
    del data[key]
    assert refusal(data).startswith(key)
    assert "9.0" in refusal(data_of("score") | {"schema": 99, "truegain": "9.0"})


def test_a_result_of_another_class() -> None:
    with refused(naming=["study", "'score'"]):
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
    ("name", "place", "value"),
    [
        ("compare", "comparisons[3].ci", [1]),
        ("compare", "comparisons[3].ci[1]", ""),
        ("compare", "comparisons[0].p", 1.5),
        ("compare", "comparisons[0].test", "tt"),
        ("compare", "comparisons[0].metric", "x"),
        ("compare", "comparisons[1].system", "x"),
        ("compare", "comparisons", []),
        ("compare", "systems[0].ci", None),
        ("compare", "systems[0].run_names", ["x"]),
        ("compare", "baseline", "x"),
        ("compare", "alpha", 0),
        ("compare", "testset.segments", 0),
        ("compare", "changed_segments[0].up[0].number", 25),
        ("compare", "changed_segments[0].down[0].system_statistics", []),
        ("score segments", "segments[0].scores", [1]),
        ("score segments, some without", "segments[0].run", "z"),
        ("calibrate", "measured[0].p[3]", -0.1),
        ("calibrate", "null_block_length", 40),
        ("calibrate", "power[0].metric", "x"),
        ("replicate", "picked[0].new", "x"),
        ("replicate", "drawn[0].delta", None),
        ("threshold", "pairs[0].delta", -1.0),
        ("threshold", "pairs[0].group", None),
        ("threshold", "thresholds[0].group", "x"),
        ("threshold by classes", "pairs[0].group", "same"),
        ("threshold by classes", "classes", ["x", "x"]),
        ("threshold by classes", "thresholds[1].group", "z"),
        ("threshold", "alpha", 0.5),
        ("significance", "gains[0].high", None),
        ("threshold by sizes", "laws", []),
        ("intervals", "pairs[4].p", []),
        ("compare", "comparisons[0].ci", [2.5, 1]),
        ("compare", "comparisons[0].seed", 2**64),
        ("compare", "resamples", 2**63),
        ("compare", "comparisons[0].delta", 1e308),
        ("compare", "alpha", 5e-324),
        ("compare", "changed_segments[0].up[0].references", ["a", "b"]),
        ("inspect", "testset.references", 2**52),
        ("gate", "checks[0].baseline", "b"),
        ("pool", "replicability[0].at_least[1]", 0),
        ("replicate", "drawn[0].p.high", -1),
    ],
)
def test_the_place_is_named(name: str, place: str, value: Any) -> None:
    assert refusal(put(data_of(name), place, value)).startswith(f"{place}: ")


@pytest.mark.parametrize(
    ("name", "place", "value", "where"),
    [
        ("compare", "comparisons[1].exceedances", 51, "comparisons[1].p"),
        ("compare", "metrics[1].metric", "bleu", "metrics"),
        ("compare", "systems[1].name", "a", "systems"),
        ("calibrate", "null_unit", "block", "null_block_length"),
        ("intervals", "intervals[0].method", "both", "intervals"),
        ("intervals", "pairs[0].method", "both", "pairs[0]"),
        ("intervals", "pairs[0].p[0].test", "t", "pairs[0].p"),
        ("threshold", "thresholds[0].group", "same", "thresholds"),
        ("threshold", "thresholds[0].low", 1e9, "thresholds[0].high"),
        ("threshold", "labels[0].system", "x", "labels"),
        ("threshold by sizes", "sizes[0].units", 30, "sizes"),
        ("compare", "changed_segments[0].delta", 0, "changed_segments[0].up[0].share"),
        ("inspect", "changed_segments[0].delta", 0, "changed_segments[0].up[0].share"),
        ("inspect", "testset.references", 0, "changed_segments[0].up[0].references"),
        ("inspect all segments", "testset.segments", 25, "segments[0].segments"),
        ("rank", "pairs[0].system", "a", "pairs"),
        ("threshold", "pairs[0].baseline", "d", "pairs"),
        ("replicate", "drawn[0].delta.low", 1e9, "drawn[0].delta.median"),
    ],
)
def test_the_place_that_does_not_fit_another_is_named(name: str, place: str, value: Any, where: str) -> None:
    assert refusal(put(data_of(name), place, value)).startswith(f"{where}: ")


def test_parts_that_are_twice_or_missing() -> None:
    made = tg.compare(REFERENCE, {**FIRST, "c": FIRST["a"][::-1]}, metrics=["bleu", "chrf"], resamples=19)
    fewer, turned = (json.loads(made.render("json")) for _ in range(2))
    fewer["comparisons"].pop()
    turned["comparisons"][2:] = turned["comparisons"][:1:-1]
    for data in (fewer, turned):
        assert refusal(data).startswith("comparisons")

    many = data_of("inspect all segments")  # the number is only compared: no list of so many is made
    many["testset"]["segments"] = 2**53 - 1
    assert "9,007,199,254,740,991" in refusal(many)

    twice = data_of("score segments")
    twice["segments"].append(twice["segments"][0])
    assert refusal(twice).startswith("segments: ")

    alone = data_of("replicate")
    for part in ("systems", "variability"):
        alone[part] = [one for one in alone[part] if "a" in (one.get("name"), one.get("system"))]
    assert refusal(alone).startswith("systems: ")

    without = data_of("intervals")
    without["pairs"] = [one for one in without["pairs"] if one["metric"] == "chrf"]
    assert refusal(without).startswith("pairs: ")
    assert "'ter'" in refusal(without)


# ---- Files that are no JSON


@pytest.mark.parametrize(
    ("content", "line", "naming"),
    [
        (b"", 1, []),
        (b"a,b\n1,2\n", 1, []),
        (b'{"truegain": "1.0",\n"study": ', 2, []),
        (b"\x1f\x8b\x08", 1, ["0x8b", "zcat"]),
        (b"[" * 100_000, None, []),
        (b'{"truegain": ' * 100_000, None, []),
        (b"1" * 5000, None, []),
        (b'{"a": NaN}', None, ["NaN"]),
        (b'{"a": -Infinity}', None, ["-Infinity"]),
        (b'{"study": "compare", "study": "score"}', None, ["'study'"]),
        (b"[]", None, ["'truegain'"]),
    ],
    ids=["empty", "csv", "broken off", "gzip", "lists", "objects", "digits", "NaN", "Infinity", "twice", "list"],
)
def test_files_that_are_no_results(tmp_path: Path, content: bytes, line: int | None, naming: list[str]) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(content)
    with refused(path=path, line=line, naming=naming):
        load(path)


def test_a_number_beyond_all_numbers(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(data_of("score") | {"alpha": "here"}).replace('"here"', "1e999"))
    with refused(path=path, naming=["alpha", "inf"]):
        load(path)


def test_a_file_above_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = made("score").render("json").encode()
    path = tmp_path / "result.json"
    path.write_bytes(content)
    monkeypatch.setattr(stored, "LIMIT", len(content))
    load(path)
    monkeypatch.setattr(stored, "LIMIT", len(content) - 1)
    with refused(path=path):
        load(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json", "a\0b.json"):
        with refused(path=path):
            load(path)


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
