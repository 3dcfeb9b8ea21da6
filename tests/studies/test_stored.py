"""Results that are written as JSON and read again: equal, the same in every format, and refused in words."""

from __future__ import annotations

import io
import json
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
from msgspec import structs
from numpy.typing import NDArray

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate
from tests.refusals import refused
from tests.schema import written
from truegain import results
from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.errors import InputError
from truegain.readers.memory import corpus_from_memory
from truegain.report import FORMATS
from truegain.results import SCHEMA, Result, load, parse
from truegain.studies.compare import CompareResult

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
    return structs.replace(made, changed_segments=(pair,), command="truegain compare --ref 'ref 1.txt' a.txt b.txt")


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
    assert [str(one) for one in result.segments["ratio", "a"][-2:]] == ["nan", "nan"]
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


@cache
def made(name: str) -> Result:
    return MAKERS[name]()


def data_of(name: str) -> dict[str, Any]:
    return json.loads(made(name).render("json"))  # type: ignore[no-any-return]


def changed(name: str, place: str, value: Any) -> dict[str, Any]:
    """The data of a result with something else at a place such as ``comparisons[3].ci``."""
    data = data_of(name)
    steps = [int(step) if step.isdecimal() else step for step in re.findall(r"[^.\[\]]+", place)]
    inner: Any = data
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = value
    return data


# ---- What is written comes back


@pytest.mark.parametrize("name", MAKERS)
def test_saved_and_loaded(name: str, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    made(name).save(path)
    back = load(path)
    assert back == made(name).rounded()
    assert back.render("json").encode() == path.read_bytes()


@pytest.mark.whole
@pytest.mark.parametrize("format", [format for format in FORMATS if format not in ("html", "json")])
@pytest.mark.parametrize("name", MAKERS)
def test_every_format_is_the_same_byte_for_byte(name: str, format: str) -> None:
    back, kept = parse(data_of(name)), made(name)
    for decimals in (None, 7):
        assert back.render(format, decimals=decimals) == kept.render(format, decimals=decimals)


@pytest.mark.whole
@pytest.mark.parametrize("name", ["compare", "score segments", "rank", "plan runs", "threshold by sizes", "pool runs"])
def test_a_page_is_the_same_byte_for_byte(name: str) -> None:
    assert parse(data_of(name)).render("html") == made(name).render("html")


@pytest.mark.whole
@pytest.mark.parametrize("name", MAKERS)
def test_json_fits_its_schema(name: str) -> None:
    written(made(name))


def test_standard_input_with_a_byte_order_mark_and_other_line_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream:
        buffer = io.BytesIO(b"\xef\xbb\xbf" + made("score").render("json").replace("\n", "\r\n").encode())

    monkeypatch.setattr(sys, "stdin", Stream)
    assert load("-") == made("score").rounded()


def test_the_version_is_that_of_the_truegain_that_made_it() -> None:
    back = parse(data_of("compare") | {"truegain": "0.0.7"})
    assert back.version == json.loads(back.render("json"))["truegain"] == "0.0.7"
    assert "seed 12345 · truegain 0.0.7" in back.render("md")


def test_a_number_at_the_edge_is_shown_as_it_is_kept() -> None:
    # Above 2.5 in full, which would be shown as 3; of its ten digits 2.5 is left, which goes to the even neighbour.
    result = made("compare")
    assert isinstance(result, CompareResult)
    scores = tuple(structs.replace(one, score=2.5000000000001) for one in result.scores)
    edge = structs.replace(result, scores=scores)
    assert parse(json.loads(edge.render("json"))).render("md", decimals=0) == edge.render("md", decimals=0)


# ---- What was changed is shown with a warning, however it is laid out


@pytest.mark.parametrize("name", MAKERS)
def test_a_changed_result_is_shown_with_a_warning(name: str, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(changed(name, "signature", "by hand")), encoding="utf-8")
    result = load(path)
    assert result.notes[0].kind == "changed"
    assert " ".join(result.render().split()).count("changed after truegain wrote it") == 1
    result.save(path)
    assert [note.kind for note in load(path).notes].count("changed") == 1


def test_a_result_whose_tables_do_not_fit_any_more_is_refused_when_it_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(changed("compare", "systems[0].name", "x")), encoding="utf-8")
    with refused(naming=["truegain compare --ref 'ref 1.txt' a.txt b.txt"]):
        load(path).render()


def test_other_spaces_and_another_order_of_keys_are_no_change(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(data_of("compare"), sort_keys=True), encoding="utf-8")
    assert load(path) == made("compare").rounded()


# ---- What is no result is refused


def refusal(data: Any) -> str:
    with pytest.raises(InputError) as caught:
        parse(data)
    return str(caught.value)


@pytest.mark.parametrize("data", [None, [], "text", 3, {}, {"study": "compare"}, {"truegain": 2}])
def test_something_else(data: Any) -> None:
    assert "'truegain'" in refusal(data)


@pytest.mark.parametrize(
    ("key", "values"), [("schema", (SCHEMA + 1, 99, 0, True, "1", None, -1)), ("study", ("ranks", "", None, 3))]
)
def test_another_form_or_study(key: str, values: tuple[Any, ...]) -> None:
    for value in values:
        assert refusal(data_of("score") | {key: value}).startswith(f"{key}: ")
    assert "9.0" in refusal(data_of("score") | {"schema": 99, "truegain": "9.0"})


def test_a_result_of_the_first_form_names_the_command_that_makes_it_again(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(data_of("compare") | {"schema": 1}), encoding="utf-8")
    with refused(path=path, naming=["truegain compare --ref 'ref 1.txt' a.txt b.txt"]):
        load(path)


def test_a_result_of_another_class() -> None:
    with refused(naming=["study", "'score'"]):
        CompareResult.from_dict(data_of("score"))


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("compare", "comparisons[3].ci", [1]),
        ("compare", "comparisons[3].ci[1]", ""),
        ("compare", "comparisons[0].p", 1.5),
        ("compare", "comparisons[0].delta", None),
        ("compare", "comparisons[0].significant", 1),
        ("compare", "systems[0].run_scores", []),
        ("compare", "metrics", []),
        ("compare", "alpha", 0),
        ("compare", "testset.segments", 0),
        ("compare", "testset.inputs.pairing", "x"),
        ("compare", "changed_segments[0].up[0].number", -1),
        ("score segments", "segments[0].scores[1]", "x"),
        ("calibrate", "measured[0].p[3]", -0.1),
        ("replicate", "picked[0].new", "x"),
        ("replicate", "drawn[0].delta", None),
        ("threshold", "pairs[0].delta", -1.0),
        ("threshold", "alpha", 0.5),
        ("plan", "sizes[0].units", 1),
        ("pool", "sets[1].comparisons[0].p_adjusted", 2),
        ("agree", "agreement[0].value", 1.5),
    ],
)
def test_the_place_is_named(name: str, place: str, value: Any) -> None:
    assert refusal(changed(name, place, value)).startswith(f"{place}: ")


def test_what_is_missing_is_named() -> None:
    data = data_of("compare")
    del data["comparisons"][1]["p"]
    message = refusal(data)
    assert message.startswith("comparisons[1]: ")
    assert "`p`" in message


# ---- Files that are no JSON


@pytest.mark.parametrize(
    ("content", "naming"),
    [
        (b"", ["empty"]),
        (b"a,b\n1,2\n", []),
        (b'{"truegain": "1.0",\n"study": ', ["column"]),
        (b"\x1f\x8b\x08", ["0x8b", "zcat"]),
        (b"[" * 100_000, ["deep"]),
        (b"1" * 5000, []),
        (b'{"a": NaN}', []),
        (b'{"study": "compare", "study": "score"}', ["'study'"]),
        (b"[]", ["'truegain'"]),
    ],
    ids=["empty", "csv", "broken off", "gzip", "lists", "digits", "NaN", "twice", "list"],
)
def test_files_that_are_no_results(tmp_path: Path, content: bytes, naming: list[str]) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(content)
    with refused(path=path, naming=naming):
        load(path)


def test_a_file_above_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "result.json"
    made("score").save(path)
    monkeypatch.setattr(results, "LIMIT", path.stat().st_size)
    load(path)
    monkeypatch.setattr(results, "LIMIT", path.stat().st_size - 1)
    with refused(path=path):
        load(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json", "a\0b.json"):
        with refused(path=path):
            load(path)
