"""Metrics held against people, on one test set and on several: what is read, decided, shown and refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import hypothesis
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import strategies as st
from scipy import stats

import truegain as tg
from tests.agreement.test_measures import made
from tests.refusals import kinds, refused
from truegain.agreement.assessment import Assessment
from truegain.agreement.judged import Judged
from truegain.agreement.lookup import MEASURES
from truegain.notes import Note
from truegain.readers.scores_beside import system_level
from truegain.readers.system_scores import SystemScores
from truegain.results import load
from truegain.studies.agree.result import AgreedSet, AgreeResult

Command = Callable[..., tuple[int, str, str]]
Scores = dict[str, list[Any]]
SEGMENTS = 60
DOCUMENTS = [f"d{one // 3}" for one in range(SEGMENTS)]


def judgements(systems: int = 8, seed: int = 1) -> tuple[Scores, dict[str, Scores]]:
    """People's scores, and metrics that are close to them, less close, and noise."""
    random = np.random.default_rng(seed)
    human = np.round(random.normal(0, 1, (systems, SEGMENTS)) + np.linspace(0, 2, systems)[:, None], 1)
    noises = {"close": 0.3, "far": 2.0, "noise": 30.0}
    names = [f"s{one}" for one in range(systems)]

    def named(values: Any) -> Scores:
        return dict(zip(names, values.tolist(), strict=True))

    return named(human), {name: named(human + random.normal(0, one, human.shape)) for name, one in noises.items()}


HUMAN, METRICS = judgements()
TESTS: tuple[Literal["perm-sys", "documents"], ...] = ("perm-sys", "documents")


def held(**options: Any) -> AgreeResult:
    return tg.agree(HUMAN, METRICS, **{"documents": DOCUMENTS, "resamples": 200, **options})


def write(folder: Path, name: str, scores: Scores) -> str:
    lines = [f"{system}\t{one}\n" for system, own in scores.items() for one in own]
    (folder / name).write_text("".join(lines), encoding="utf-8")
    return str(folder / name)


def test_the_closest_metric_is_the_best_by_every_measure() -> None:
    result = held()
    assert result.measures == ("accuracy", "spa", "system-pearson", "acc23", "kendall", "pearson")
    assert (result.test, result.claim, result.adjust) == ("perm-sys", "new systems", "maxt")
    assert (result.resamples, result.exhaustive) == (128, True)
    for measure in result.measures:
        assert result.placed(measure)[0].metric == "close"
        for one in result.placed(measure):
            assert one.interval.low <= one.value <= one.interval.high
    for measure in ("acc23", "kendall", "pearson"):
        assert result.pair(measure, "close", "noise").better is False
        assert result[measure, "close"].cluster == 1
        assert result[measure, "noise"].worst == 3
    assert result["acc23", "close"].threshold is not None
    assert result["spa", "close"].threshold is None
    assert result["acc23", "noise"].value == pytest.approx(result["acc23", "noise"].chance, abs=0.05)


@pytest.mark.parametrize(
    ("test", "measures", "adjustment"),
    [("documents", 6, "holm"), ("perm-sys", 6, "maxt"), ("perm-both", 3, "maxt"), ("pair-swaps", 1, "maxt")],
)
def test_every_test_tells_a_metric_from_noise(test: str, measures: int, adjustment: str) -> None:
    result = held(test=test)
    assert (len(result.measures), result.adjust) == (measures, adjustment)
    assert result.claim == ("new systems" if test == "perm-sys" else "these systems")
    one = result.pair("acc23", "close", "noise")
    assert one.better is False
    assert 0.0 < one.p <= one.p_adjusted <= 0.05


@pytest.mark.whole
def test_values_do_not_depend_on_the_test_and_a_seed_gives_one_answer() -> None:
    first, second, other = held(), held(), held(test="documents")
    assert first.to_dict() == second.to_dict()
    assert [one.value for one in first] == [one.value for one in other]
    assert held(seed=5).pair("kendall", "far", "noise").delta == first.pair("kendall", "far", "noise").delta


def test_new_systems_vary_more_than_these_of_which_all_pairs_right_are_no_certainty() -> None:
    new, these = held(), held(test="documents")
    for one in new.pairs:
        assert one.standard_error >= these.pair(one.measure, one.baseline, one.metric).standard_error - 1e-12
    new, these = (tg.agree(HUMAN, {"same": HUMAN}, measures=["accuracy"], test=test) for test in TESTS)
    assert new["accuracy", "same"].value == these["accuracy", "same"].value == 1.0
    assert new["accuracy", "same"].interval.low == pytest.approx(0.025 ** (1 / 28))
    assert these["accuracy", "same"].interval.low == 1.0


def test_few_systems_have_no_claim_about_new_ones_and_one_metric_no_pairs() -> None:
    human, metrics = judgements(4)
    result = tg.agree(human, metrics, resamples=50)
    assert (result.test, result.unit, result.n_units) == ("documents", "segment", SEGMENTS)
    assert "few-systems" in kinds(result.notes)
    with refused(naming=["perm-sys", 6, 4]):
        tg.agree(human, metrics, test="perm-sys")
    # A metric alone is measured.
    alone = tg.agree(HUMAN, {"close": METRICS["close"]}, resamples=50)
    assert alone.pairs == ()
    assert alone["accuracy", "close"].value == held()["accuracy", "close"].value


def test_measures_that_are_not_defined_are_left_out_unless_asked_for() -> None:
    people, metric = {"a": [1, 2, 3], "b": [2, 2, 3]}, {"a": [1, 2, 3], "b": [2, 2, 4]}
    result = tg.agree(people, {"m": metric}, resamples=20)
    assert "system-pearson" not in result.measures
    assert "acc23" in result.measures
    assert "no-measure" in kinds(result.notes)
    with refused():
        tg.agree(people, {"m": metric}, measures=["system-pearson"])


def test_lower_scores_may_be_better() -> None:
    turned = {system: [-one for one in own] for system, own in METRICS["close"].items()}
    against = tg.agree(HUMAN, {"close": turned}, measures=["pearson"])
    assert against["pearson", "close"].value < 0
    assert [note.warning for note in against.notes if note.kind == "against-people"] == [True]
    result = tg.agree(HUMAN, {"close": turned}, measures=["pearson"], lower_is_better=["close"])
    assert result["pearson", "close"].value == pytest.approx(-against["pearson", "close"].value)
    people = {system: [-one for one in own] for system, own in HUMAN.items()}
    both = tg.agree(people, {"close": turned}, measures=["pearson"], lower_is_better=["close", "human"])
    assert both["pearson", "close"].value == pytest.approx(result["pearson", "close"].value)
    all_against: list[tuple[Scores, list[str]]] = [(people, []), (HUMAN, ["human"])]
    for given, lower in all_against:
        two = {name: METRICS[name] for name in ("close", "far")}
        notes = tg.agree(given, two, measures=["pearson"], lower_is_better=lower, resamples=20).notes
        assert [note.kind for note in notes].count("against-people") == 1
    with refused(naming=["lower_is_better"]):
        held(lower_is_better=["comet"])


def test_segments_that_were_not_rated_and_references_are_left_out() -> None:
    human = {system: [None if place < 6 else one for place, one in enumerate(own)] for system, own in HUMAN.items()}
    human["s1"][7] = None
    result = tg.agree(human, METRICS, documents=DOCUMENTS, resamples=50)
    assert (result.segments, result.n_units) == (SEGMENTS - 7, 18)
    assert ["53" in note.text for note in result.notes if note.kind == "not-rated"] == [True]
    # Human references are left out, too, unless asked for.
    human = {**HUMAN, "refA": HUMAN["s7"]}
    metrics = {name: {**own, "refA": own["s7"]} for name, own in METRICS.items()}
    result = tg.agree(human, metrics, resamples=50)
    assert "refA" not in result.systems
    assert "'refA'" in str(result.notes)
    assert "refA" in tg.agree(human, metrics, resamples=50, keep_references=True).systems


def test_files_of_mt_metrics_eval_with_scores_of_systems(tmp_path: Path, command: Command) -> None:
    people = write(tmp_path, "xx.mqm.seg.score", HUMAN)
    (tmp_path / "scores").mkdir()
    for name, own in METRICS.items():
        write(tmp_path / "scores", f"{name}-src.seg.score", {**own, "unrated": own["s0"]})
    order = "".join(f"s{one}\t{7 - one}\n" for one in range(8))
    (tmp_path / "scores/far-src.sys.score").write_text(f"{order}unrated\tNone\n")
    (tmp_path / "docs.txt").write_text("".join(f"{one}\n" for one in DOCUMENTS))
    files = (str(tmp_path / "scores"), "--docs", str(tmp_path / "docs.txt"))
    code, out, said = command("agree", "--human", people, *files, "-R", "50", "-f", "json")
    assert code == 0, said
    result = json.loads(out)
    assert result["metrics"] == ["close-src", "far-src", "noise-src"]
    far = next(one for one in result["agreement"] if (one["measure"], one["metric"]) == ("accuracy", "far-src"))
    assert far["value"] == pytest.approx(1 - 28 / 28, abs=0.2)  # the given order is the reverse
    roles = [(Path(file["name"]).name, file["role"]) for file in result["inputs"]["files"]]
    assert ("far-src.sys.score", "scores") in roles
    assert ("docs.txt", "documents") in roles
    (doubt,) = [note for note in result["notes"] if note.get("warning")]
    assert (doubt["kind"], Path(doubt["file"]).name) == ("system-scores", "far-src.sys.score")
    assert "'unrated'" in str(result["notes"])
    in_memory = held(resamples=50)
    close = next(one for one in result["agreement"] if (one["measure"], one["metric"]) == ("acc23", "close-src"))
    assert close["value"] == pytest.approx(in_memory["acc23", "close"].value)


def test_tables_of_ratings_are_matched_by_item(tmp_path: Path, command: Command) -> None:
    def table(name: str, scores: Scores, order: int) -> str:
        rows = [(system, place, one) for system, own in scores.items() for place, one in enumerate(own)]
        text = "".join(f"{system},i{place},d{place // 3},{one}\n" for system, place, one in rows[::order])
        (tmp_path / name).write_text("system,item,doc,score\n" + text)
        return str(tmp_path / name)

    human, close = table("people.csv", HUMAN, 1), table("close.csv", METRICS["close"], -1)
    code, out, said = command("agree", "--human", human, f"near={close}", "-f", "json", "--measures", "acc23", "-q")
    assert code == 0, said
    result = json.loads(out)
    assert result["agreement"][0]["value"] == pytest.approx(held()["acc23", "close"].value)
    assert (result["unit"], result["n_units"], result["metrics"]) == ("document", 20, ["near"])


def test_segments_that_tables_of_people_lack_are_left_out_of_metrics(tmp_path: Path) -> None:
    rated = [place for place in range(SEGMENTS) if place % 4]

    def scores(name: str, given: Scores, places: Any) -> str:
        rows = [f"{system},{place + 1},{own[place]}\n" for system, own in given.items() for place in places]
        (tmp_path / name).write_text("system,id,score\n" + "".join(rows), encoding="utf-8")
        return str(tmp_path / name)

    everything = range(SEGMENTS)
    people = scores("people.csv", HUMAN, rated)
    same, wider = (scores(f"{name}.csv", METRICS["close"], own) for name, own in (("a", rated), ("b", everything)))
    for name, places in (("a", rated), ("b", everything)):
        (tmp_path / f"{name}.docs").write_text("".join(f"{DOCUMENTS[place]}\n" for place in places))
    by_id = tmp_path / "docs.tsv"
    by_id.write_text("id\tdoc\n" + "".join(f"{place + 1}\t{DOCUMENTS[place]}\n" for place in everything[::-1]))
    options: dict[str, Any] = {"measures": ["accuracy", "kendall"], "resamples": 50}
    expected = tg.agree(people, {"m": same}, documents=tmp_path / "a.docs", **options)
    for documents in (tmp_path / "a.docs", tmp_path / "b.docs", by_id, [*DOCUMENTS], [DOCUMENTS[one] for one in rated]):
        found = tg.agree(people, {"m": wider}, documents=documents, **options)
        assert (found.agreement, found.segments, found.n_units) == (expected.agreement, 45, expected.n_units)
        (note,) = [one for one in found.notes if one.kind == "not-rated"]
        assert [str(one) in str(note) for one in (wider, 15, 60, "'1'")] == [True] * 4
    for documents in (["d"] * 50, [*DOCUMENTS, "d"]):
        with refused(naming=[len(documents)]):
            tg.agree(people, {"m": wider}, documents=documents, **options)
    with refused(naming=[15, 60, "'1'"]):
        tg.agree(wider, {"m": same}, **options)
    (tmp_path / "lines.tsv").write_text("doc\tid\n" + "".join(f"d\t{place}\n" for place in rated[1:]))
    with refused(naming=["lines.tsv"]):
        tg.agree(people, {"m": wider}, documents=tmp_path / "lines.tsv", **options)


@pytest.mark.whole
def test_records_and_formats() -> None:
    result = held(measures=["spa", "acc23"])
    records = result.to_records()
    assert [(one["measure"], one["metric"]) for one in records[:2]] == [("spa", "close"), ("spa", "far")]
    assert len(records) == 6
    for name in ("terminal", "md", "latex", "html", "csv", "tsv"):
        assert "close" in result.render(name)
    for missing in (("spa", "comet"), ("acc", "close")):
        with pytest.raises(KeyError):
            result[missing]
    with pytest.raises(KeyError):
        result.pair("spa", "noise", "close")


def alternating(scores: list[Any], first: int) -> list[Any]:
    return [one if place % 2 == first % 2 else None for place, one in enumerate(scores)]


@pytest.mark.parametrize(
    ("human", "metrics", "options", "naming"),
    [
        (HUMAN, {"m": {name: own for name, own in METRICS["far"].items() if name != "s3"}}, {}, ["'s3'"]),
        (HUMAN, {"m": {**METRICS["far"], "s2": [None, *METRICS["far"]["s2"][1:]]}}, {}, []),
        ({"s0": HUMAN["s0"]}, METRICS, {}, ["'s0'"]),
        ({"refA": HUMAN["s0"], "s0": HUMAN["s0"]}, METRICS, {}, ["keep_references=True"]),
        ({"refA": HUMAN["s0"]}, METRICS, {}, []),
        (HUMAN, {}, {}, []),
        (HUMAN, {"human": METRICS["far"]}, {}, ["'human'"]),
        (HUMAN, {"m": {name: own[:9] for name, own in HUMAN.items()}}, {}, [9, 60]),
        (HUMAN, {"m": {name: [1.0] * SEGMENTS for name in HUMAN}}, {}, ["m", 1]),
        ({name: [2] * SEGMENTS for name in HUMAN}, METRICS, {}, [2]),
        ({**HUMAN, "s0": [1, 2]}, METRICS, {}, ["'s1'", 60, "'s0'", 2]),
        ({**HUMAN, "s0": ["x"] * SEGMENTS}, METRICS, {}, ["s0"]),
        ({**HUMAN, "s0": [float("inf")] * SEGMENTS}, METRICS, {}, ["s0"]),
        ({}, METRICS, {}, ["human"]),
        (3, METRICS, {}, ["int"]),
        (HUMAN, METRICS, {"documents": ["a"]}, [1, 60]),
        (HUMAN, METRICS, {"documents": ["a"] * SEGMENTS}, []),
        (HUMAN, METRICS, {"measures": ["bleu"]}, ["measures"]),
        (HUMAN, METRICS, {"measures": ["spa"], "test": "pair-swaps"}, ["acc23", "spa"]),
        (HUMAN, METRICS, {"adjust": "maxt", "test": "documents"}, ["maxt"]),
        (HUMAN, METRICS, {"alpha": 0.0}, ["alpha"]),
        (HUMAN, METRICS, {"resamples": 0}, ["resamples"]),
        ({name: alternating(own, int(name[1])) for name, own in HUMAN.items()}, METRICS, {}, [60, "'s0'", 30]),
    ],
)
def test_what_does_not_fit_is_refused(human: Any, metrics: Any, options: dict[str, Any], naming: list[Any]) -> None:
    with refused(naming=naming):
        tg.agree(human, metrics, **options)


def test_files_that_do_not_fit_are_refused(tmp_path: Path, command: Command) -> None:
    people = write(tmp_path, "people.seg.score", HUMAN)
    close = write(tmp_path, "close.seg.score", METRICS["close"])
    (tmp_path / "empty").mkdir()
    (tmp_path / "one.txt").write_text("1\n2\n")
    (tmp_path / "wide.csv").write_text("system,item,a,b\nx,1,2,3\nx,2,3,3\ny,1,2,2\ny,2,3,1\n")
    for arguments, said in (
        ((close, close), "'close'"),
        ((str(tmp_path / "empty"),), ".seg.score"),
        ((str(tmp_path / "none.seg.score"),), "none.seg.score"),
        ((str(tmp_path / "one.txt"),), "one.txt"),
        ((str(tmp_path / "wide.csv"),), "(a, b)"),
    ):
        code, _, err = command("agree", "--human", people, *arguments)
        assert (code, said in err) == (2, True), err
    for content, said in (("s0\tx\n", "close.sys.score:1"), ("s0\t1\ns0\t2\n", "'s0'")):
        (tmp_path / "close.sys.score").write_text(content)
        code, _, err = command("agree", "--human", people, close)
        assert (code, said in err) == (2, True), err
    (tmp_path / "close.sys.score").write_text("s0\t1\n")
    code, out, _ = command("agree", "--human", people, close, "-R", "20", "--measures", "accuracy")
    assert code == 0
    assert "'s1', 's2', 's3', 's4', 's5' and 2 more" in " ".join(out.split())


ERRORS = '{"errors": [{"category": "accuracy", "severity": "major"}]}'


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("a.tsv", "doc\tsystem\tscore\na\ts0\t1\na\ts1\t2\n", "'doc', 'system', 'score'"),
        ("b.csv", "id,item,system,score\n1,2,s0,1\n1,3,s0,1\n2,2,s1,2\n", "'item'"),
        ("c.csv", "id,system,by,score\n1,s0,x,1\n1,s0,y,1\n1,s1,x,3\n1,s1,y,3\n", "rater"),
        ("d.csv", "id,system,score,z\n1,s0,1,2\n1,s1,1,2\n", "(score, z)"),
        ("e.mqm.one.seg.rating", f"s0\t{ERRORS}\ns1\t{ERRORS}\n", "counts of errors"),
    ],
)
def test_hints_name_no_option_that_agree_lacks(
    tmp_path: Path, command: Command, name: str, text: str, named: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    good = write(tmp_path, "people.seg.score", HUMAN)
    for people, metric in ((str(path), good), (good, str(path))):
        code, _, err = command("agree", "--human", people, f"m={metric}")
        assert (code, named in err, "--" in err) == (2, True, False), err


@hypothesis.settings(max_examples=30, deadline=None)
@hypothesis.given(
    seed=st.integers(0, 10**6),
    sizes=st.tuples(st.integers(6, 9), st.integers(2, 12)),
    alpha=st.sampled_from([0.01, 0.05, 0.2, 0.45]),
    measure=st.sampled_from(list(MEASURES)),
    test=st.sampled_from(TESTS),
)
def test_p_and_interval_never_contradict_each_other(
    seed: int, sizes: tuple[int, int], alpha: float, measure: str, test: Literal["perm-sys", "documents"]
) -> None:
    systems, documents = sizes
    random = np.random.default_rng(seed)
    human = np.round(random.normal(0, 1, (systems, 3 * documents)) + random.normal(0, 1, (systems, 1)), 1)
    noise = np.repeat(np.exp(random.normal(0, 1, (4, 1, documents))), 3, axis=2)
    scores = human + noise * random.normal(0, 1, (4, *human.shape))
    scores[3] = scores[2]
    people, *metrics = (dict(zip("abcdefghi", one.tolist(), strict=False)) for one in (human, *scores))
    ids = np.repeat(np.arange(documents), 3).astype(str).tolist()
    named = dict(zip("wxyz", metrics, strict=True))
    result = tg.agree(people, named, documents=ids, alpha=alpha, measures=[measure], test=test, resamples=99)
    for one in result.pairs:
        assert (one.p <= alpha) == (not one.interval.low <= 0.0 <= one.interval.high), one
        assert one.p_adjusted >= one.p
    assert {one.p_adjusted for one in result.pairs if (one.baseline, one.metric) == ("y", "z")} == {1.0}


def test_p_for_new_documents_is_the_larger_one_of_swaps_and_students_t() -> None:
    result = held()
    deciding = set()
    for one in result.pairs:
        student = max(2.0**-19, 2.0 * float(stats.t.sf(abs(one.delta) / one.standard_error, 7)))
        places = [result.metrics.index(name) for name in (one.baseline, one.metric)]
        scores = np.array([list(own.values()) for own in (METRICS[one.baseline], METRICS[one.metric])])
        judged = Judged.of(np.array(list(HUMAN.values())), scores, np.arange(SEGMENTS) // 3)
        swaps = Assessment(one.measure, [judged], resamples=200, seed=result.seed).swapped("perm-sys").p_values()[0]
        assert one.p == pytest.approx(max(swaps, student)), places
        deciding.add(swaps > student)
    assert deciding == {True, False}


@pytest.mark.whole
def test_true_nulls_are_seldom_rejected() -> None:
    """Two metrics that are equally good by construction, on systems of which each metric has a view of its own."""
    random = np.random.default_rng(20)
    found: dict[Literal["documents", "perm-sys"], list[float]] = {"documents": [], "perm-sys": []}
    for _ in range(120):
        human = random.normal(0, 1, (8, 40)) + random.normal(0, 0.5, (8, 1))
        people = {f"s{one}": own.tolist() for one, own in enumerate(human)}
        metrics = {}
        for name in "ab":
            scores = human + random.normal(0, 1, human.shape) + random.normal(0, 0.1, (8, 1))
            metrics[name] = {f"s{one}": own.tolist() for one, own in enumerate(scores)}
        for test, p in found.items():
            p.append(tg.agree(people, metrics, test=test, measures=["pearson"], resamples=127).pairs[0].p)
    sizes = {test: np.mean(np.array(p) <= 0.05) for test, p in found.items()}
    assert sizes["perm-sys"] <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 120)
    assert sizes["documents"] <= 0.25  # systems are a sample, too, which this test does not see
    assert np.mean(found["perm-sys"]) > 0.4


@pytest.mark.whole
@pytest.mark.parametrize("measure", ["pearson", "acc23"])
def test_metrics_dealt_out_by_document_are_seldom_told_apart(measure: str) -> None:
    """A good and a poor metric that change places by coin: neither is better on new documents."""
    random = np.random.default_rng(7)
    documents = np.arange(SEGMENTS) // 3
    found = []
    for number in range(200):
        human = random.normal(0, 1, (8, SEGMENTS)) + random.normal(0, 0.5, (8, 1))
        scores = human + np.array([0.3, 2.0])[:, None, None] * random.normal(0, 1, (2, *human.shape))
        scores /= scores.std(axis=(1, 2), keepdims=True)
        coin = random.integers(0, 2, 20).astype(bool)[documents]
        judged = Judged.of(human, np.where(coin, scores, scores[::-1]), documents)
        own = Assessment(measure, [judged], resamples=127, seed=number)
        found.append([own.swapped("perm-sys").p_values()[0], own.tested("perm-sys", "none")[0][0]])
    swaps, both = np.mean(np.array(found) <= 0.05, axis=0)
    assert swaps > 0.2
    assert both <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)


WORDS = [f"word{one}" for one in range(16)]


def texts(
    systems: int = 6, segments: int = 20, least: float = 0.4, step: float = 0.08, noise: float = 0.1, seed: int = 5
) -> tuple[Scores, dict[str, list[str]], list[str]]:
    """People's scores, outputs that differ from the reference in ever fewer words, and the reference."""
    random = np.random.default_rng(seed)
    reference = [list(random.choice(WORDS, 12)) for _ in range(segments)]
    people: Scores = {}
    outputs: dict[str, list[str]] = {}
    for place in range(systems):
        kept = random.random((segments, 12)) < least + step * place
        outputs[f"s{place}"] = [" ".join(np.where(own, line, "x")) for line, own in zip(reference, kept, strict=True)]
        people[f"s{place}"] = np.round(kept.mean(1) + random.normal(0, noise, segments), 2).tolist()
    return people, outputs, [" ".join(line) for line in reference]


def _beside(folder: Path, scores: Scores, systems: dict[str, float]) -> list[Note]:
    """Return the notes on a metric's scores of systems beside those of its segments."""
    (folder / "m.sys.score").write_text("".join(f"{name}\t{own}\n" for name, own in systems.items()))
    metric = write(folder, "m.seg.score", scores)
    notes = tg.agree(HUMAN, {"m": metric}, measures=["accuracy"], resamples=20).notes
    return [note for note in notes if note.kind == "system-scores" and note.file]


def test_scores_of_systems_that_contradict_those_of_segments_are_doubted(tmp_path: Path) -> None:
    scores = {name: [10.0 * one for one in own] for name, own in METRICS["close"].items()}
    means = {name: float(np.mean(own)) for name, own in scores.items()}
    spread = float(np.std(list(means.values())))
    noise = np.random.default_rng(1).normal(0.3 * spread, 0.1 * spread, len(means))
    corpus = {name: one + more for (name, one), more in zip(means.items(), noise, strict=True)}
    # Means, rounded or on another scale, and scores of a corpus, which are not quite the means.
    for honest in (means, {name: round(one, 2) for name, one in means.items()}, corpus):
        assert _beside(tmp_path, scores, honest) == []
    assert _beside(tmp_path, scores, {name: one / 100 + 3 for name, one in means.items()}) == []
    noisy = np.random.default_rng(2).normal(90, 1, len(means))
    other = {name: one / spread + more for (name, one), more in zip(means.items(), noisy, strict=True)}
    for stale in (other, dict(zip(means, list(means.values())[::-1], strict=True))):
        (note,) = _beside(tmp_path, scores, stale)
        assert note.warning


def test_scores_of_systems_that_hardly_differ_are_not_doubted() -> None:
    random, systems = np.random.default_rng(3), ["s0", "s1", "s2", "s3"]
    notes: list[Note] = []
    for seed in range(200):
        lengths = random.integers(5, 40, 150)  # by which a corpus score weights segments
        side = random.normal(50, 15, 150) + random.normal(0, 10, (4, 150)) + 0.3 * (seed % 3) * np.arange(4)[:, None]
        corpus = dict(zip(systems, np.average(side, axis=1, weights=lengths) - 7.0, strict=True))
        read = SystemScores("m.seg.score", {}, corpus, beside="m.sys.score")
        system_level(read, side, systems, notes, people=False)
    assert notes == []


def test_scores_of_systems_by_people_are_means(tmp_path: Path) -> None:
    people = write(tmp_path, "people.seg.score", HUMAN)
    means = {name: float(np.mean(own)) for name, own in HUMAN.items()}
    for much, said in ((0.0, []), (0.004, []), (0.05, [False]), (5.0, [True])):
        beside = "".join(f"{name}\t{own + much}\n" for name, own in means.items())
        (tmp_path / "people.sys.score").write_text(beside)
        notes = tg.agree(people, {"close": METRICS["close"]}, measures=["accuracy"], resamples=20).notes
        assert [note.warning for note in notes if note.kind == "system-scores" and note.file] == said, much


@pytest.mark.whole
def test_metrics_are_computed_from_outputs(tmp_path: Path, command: Command) -> None:
    people, outputs, reference = texts()
    result = tg.agree(people, outputs=outputs, references=reference, compute=["bleu", "ter"], resamples=20)
    assert result.metrics == ("bleu", "ter")
    assert [one.signature.partition("|")[0] for one in result.computed] == ["nrefs:1", "nrefs:1"]
    scores = tg.score(reference, outputs, metrics=["bleu", "ter"])
    assert result["accuracy", "bleu"].value > 0.8
    # Of TER lower is better, which is known: nobody has to say it.
    assert result["accuracy", "ter"].value > 0.8
    assert "against-people" not in kinds(result.notes)
    bleu = {one.name: one.score for one in scores.scores if one.metric == "bleu"}
    human = {name: float(np.mean(own)) for name, own in people.items()}
    pairs = [(a, b) for a in outputs for b in outputs if a < b]
    right = np.mean([(bleu[a] - bleu[b]) * (human[a] - human[b]) > 0 for a, b in pairs])
    assert result["accuracy", "bleu"].value == pytest.approx(right)
    folder = tmp_path / "outputs"
    folder.mkdir()
    for name, lines in {**outputs, "unrated": reference}.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    (folder / ".hidden").write_text("x\n")
    (tmp_path / "ref.txt").write_text("".join(f"{line}\n" for line in reference))
    human_file, arguments = write(tmp_path, "people.seg.score", people), ("-m", "bleu", "-m", "ter", "-R", "20")
    file = write(tmp_path, "near.seg.score", people)
    given = ("--human", human_file, "--ref", str(tmp_path / "ref.txt"), "--outputs", str(folder), *arguments)
    code, out, said = command("agree", *given, file, "-f", "json", "-q")
    assert code == 0, said
    read = json.loads(out)
    assert read["metrics"] == ["bleu", "ter", "near"]
    assert [one["metric"] for one in read["computed"]] == ["bleu", "ter"]
    assert "'unrated'" in str(read["notes"])
    found = {(one["measure"], one["metric"]): one["value"] for one in read["agreement"]}
    for one in result:
        assert found[one.measure, one.metric] == pytest.approx(one.value)
    roles = {(Path(one["name"]).name, one["role"]) for one in read["inputs"]["files"]}
    assert roles >= {("ref.txt", "reference"), ("s0.txt", "outputs"), ("near.seg.score", "scores")}
    assert command("agree", *given, "-q")[0] == 0


@pytest.mark.parametrize(
    ("changes", "naming"),
    [
        ({"outputs": None}, ["outputs"]),
        ({"outputs": {"s0": ["a"] * 20}}, ["'s1', 's2', 's3', 's4', 's5'"]),
        ({"outputs": []}, ["outputs"]),
        ({"outputs": {f"s{one}": [["a"] * 20, ["b"] * 20] for one in range(6)}}, ["'s0'", 2]),
        ({"references": None}, ["reference"]),
        ({"compute": ["length"]}, ["Length"]),
        ({"compute": ["nosuch"]}, ["nosuch"]),
        ({"lower_is_better": ["bleu"]}, ["lower_is_better"]),
        ({"metrics": {"bleu": texts()[0]}}, ["'bleu'"]),
        ({"human": {name: [*own, 1] for name, own in texts()[0].items()}}, [20, 21]),
    ],
)
def test_outputs_that_do_not_fit_are_refused(changes: dict[str, Any], naming: list[Any]) -> None:
    people, outputs, reference = texts()
    given = {"human": people, "outputs": outputs, "references": reference, "compute": ["bleu"], **changes}
    with refused(naming=naming):
        tg.agree(**given)


def frames_of(scores: dict[str, list[float | None]]) -> list[Any]:
    """Compare a wide and a long frame of one table of scores; rows with ids may stand in another order."""
    wide = pd.DataFrame(scores)
    rows = [(name, i, one) for name, own in scores.items() for i, one in enumerate(own)]
    long = pd.DataFrame(rows[::-1], columns=["system", "id", "score"])
    return [wide, wide.assign(id=range(len(wide))).iloc[::-1], long, pl.DataFrame(scores)]


def test_frames_are_taken_as_compare_takes_them() -> None:
    people: dict[str, list[float | None]] = {"a": [1, 2, 3, None, 5], "b": [2, 2, 4, 4, 5], "c": [3, 4, 4, 1, 6]}
    metric: dict[str, list[float | None]] = {"a": [1, 2, 3, 1, 4], "b": [2, 2, 3, 1, 5], "c": [3, 1, 5, 1, 6]}
    plain = tg.agree(people, {"m": metric}, measures=["pearson", "acc23"], resamples=50)
    for human, other in zip(frames_of(people), frames_of(metric), strict=True):
        found = tg.agree(human, {"m": other}, measures=["pearson", "acc23"], resamples=50)
        assert [one.value for one in found] == pytest.approx([one.value for one in plain])
        assert found.segments == plain.segments == 4
    wide, _, long, _ = frames_of(metric)
    with refused(naming=["metrics['m']"]):
        tg.agree(frames_of(people)[0], {"m": wide.iloc[::-1]})
    for given in (wide, [metric], long):
        with refused(naming=['{"metric": frame}']):
            tg.agree(people, given)


# ---- On several test sets: what is pooled, how it varies, and what is refused

OTHERS, OTHER_METRICS = judgements(6, seed=2)


def pooled(**options: Any) -> AgreeResult:
    turned = dict(reversed(OTHER_METRICS.items()))  # metrics are matched by name
    given = {"documents": [DOCUMENTS, DOCUMENTS], "resamples": 200, **options}
    return tg.agree([HUMAN, OTHERS], [METRICS, turned], **given)


def singles(**options: Any) -> list[AgreeResult]:
    both = ((HUMAN, METRICS), (OTHERS, OTHER_METRICS))
    return [tg.agree(*one, documents=DOCUMENTS, **{"resamples": 200, **options}) for one in both]


def agreeing(own: AgreedSet, metric: int) -> tuple[int, int]:
    """Count pairs of systems by hand."""
    people, scores = own.human, own.scores[metric]
    pairs = list(combinations(range(len(people)), 2))
    return sum((people[i] > people[j]) == (scores[i] > scores[j]) for i, j in pairs), len(pairs)


@pytest.mark.whole
def test_accuracy_counts_all_pairs_of_systems_and_other_measures_are_means() -> None:
    result = pooled()
    assert result.metrics == ("close", "far", "noise")
    assert [len(own.systems) for own in result.test_sets] == [8, 6]
    for place, metric in enumerate(result.metrics):
        counts = [agreeing(own, place) for own in result.test_sets]
        assert [count for _, count in counts] == [28, 15]
        right = sum(count for count, _ in counts)
        assert result["accuracy", metric].value == pytest.approx(right / 43)
        for measure in set(result.measures) - {"accuracy", "spa"}:  # SPA of the second set has other signs
            mean = np.mean([one[measure, metric].value for one in singles()])
            assert result[measure, metric].value == pytest.approx(mean)
    assert result["acc23", "close"].threshold is None
    assert (result.segments, result.n_units, result.resamples, result.exhaustive) == (120, 40, 200, False)


@pytest.mark.whole
@pytest.mark.parametrize("test", ["documents", "perm-sys"])
def test_variances_are_added(test: Any) -> None:
    result, alone = pooled(test=test), singles(test=test)
    for one in result.pairs:
        if one.measure in ("pearson", "acc23"):
            errors = [own.pair(one.measure, one.baseline, one.metric).standard_error for own in alone]
            assert one.standard_error == pytest.approx(np.linalg.norm(errors) / 2)


def test_degrees_of_freedom_lie_between_those_of_a_set_and_their_sum() -> None:
    sets = [made(1), made(2, systems=9)]
    for measure in ("pearson", "accuracy"):
        found = Assessment(measure, sets, resamples=50, seed=1).spreads(new_systems=True)
        assert all(6 - 1e-9 <= one.freedom <= 14 + 1e-9 for one in found)


@pytest.mark.parametrize("measure", list(MEASURES))
def test_test_sets_are_swapped_independently(measure: str) -> None:
    """Nulls of two equal test sets have half the mean square of one's; were they swapped alike, they had all of it."""
    judged = made(5, systems=8)
    one, two = (
        Assessment(measure, sets, resamples=2_000, seed=3).swapped("perm-sys") for sets in ([judged], [judged] * 2)
    )
    assert two.observed == pytest.approx(one.observed)
    assert (two.nulls**2).mean(axis=1) == pytest.approx((one.nulls**2).mean(axis=1) / 2, rel=0.2)


@pytest.mark.whole
def test_more_test_sets_show_more() -> None:
    (first, second), both = singles(measures=["acc23"]), pooled(measures=["acc23"])
    errors = [one.pair("acc23", "far", "noise").standard_error for one in (first, second, both)]
    assert errors[2] < max(errors[:2])
    assert both.pair("acc23", "close", "noise").better is False
    for test in ("perm-both", "pair-swaps"):  # tests of these systems serve as well
        one = pooled(test=test, measures=["acc23"]).pair("acc23", "close", "noise")
        assert 0.0 < one.p <= 0.05


def test_folders_of_language_pairs(tmp_path: Path, command: Command) -> None:
    for pair, people, metrics in (("en-de", HUMAN, METRICS), ("zh-en", OTHERS, OTHER_METRICS)):
        write(tmp_path, f"{pair}.mqm.seg.score", people)
        (tmp_path / pair).mkdir()
        for name, own in metrics.items():
            write(tmp_path / pair, f"{name}.seg.score", own)
        (tmp_path / f"{pair}.docs").write_text("".join(f"{one}\n" for one in DOCUMENTS))
    sides = [str(tmp_path / pair) for pair in ("en-de", "zh-en")]
    humans = [part for side in sides for part in ("--human", f"{side}.mqm.seg.score")]
    documents = [part for side in sides for part in ("--docs", f"{side}.docs")]
    saved = str(tmp_path / "result.json")
    code, _, said = command("agree", *humans, *documents, *sides, "-R", "200", "-q", "-o", saved)
    assert code == 0, said
    result = load(saved)
    assert isinstance(result, AgreeResult)
    assert [own.name for own in result.test_sets] == ["en-de", "zh-en"]
    assert result["kendall", "close"].value == pytest.approx(pooled()["kendall", "close"].value)
    for arguments, expected in (
        ((*humans, sides[0]), "METRIC"),
        ((*humans, *sides, *documents[:2]), "--docs"),
        ((*humans, *sides[::-1]), "the folder 'zh-en'"),
        ((*humans[:2], sides[0], *documents), "documents"),
    ):
        code, _, said = command("agree", *arguments)
        assert (code, expected in " ".join(said.split())) == (2, True), said


@pytest.mark.whole
def test_figures_of_agreement_and_of_systems() -> None:
    result = pooled(measures=["acc23", "pearson"])
    first, second, third = result.pictures()
    assert (first.name, second.name, third.name) == ("agreement", "agreement-pearson", "scatter")
    placed = result.placed("acc23")
    (axes,) = first.draw().figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [one.metric for one in placed]
    chance = next(line for line in axes.lines if line.get_linestyle() == ":")
    assert np.asarray(chance.get_xdata())[0] == pytest.approx(np.mean([one.chance for one in placed]))
    scatter = third.draw().figure.axes[1]
    place = result.metrics.index(scatter.get_title())
    for own, line in zip(result.test_sets, scatter.lines, strict=True):
        assert np.asarray(line.get_xydata()).tolist() == np.stack([own.human, own.scores[place]], 1).tolist()


def less(metrics: dict[str, Scores], *names: str) -> dict[str, Scores]:
    return {name: own for name, own in metrics.items() if name not in names}


@pytest.mark.parametrize(
    ("human", "metrics", "options", "naming"),
    [
        ([HUMAN, OTHERS], [METRICS, less(OTHER_METRICS, "far", "noise")], {}, ["'2'", "'far', 'noise'"]),
        ([HUMAN, OTHERS], [less(METRICS, "close"), OTHER_METRICS], {}, ["'1'", "'close'"]),
        ([HUMAN, OTHERS], METRICS, {}, ["metrics", 1]),
        ([HUMAN, OTHERS], [METRICS] * 2, {"documents": DOCUMENTS}, ["documents", 60]),
        ([HUMAN, OTHERS], [METRICS, OTHER_METRICS], {"documents": [DOCUMENTS, None]}, ["'1'"]),
        ([HUMAN, HUMAN], [METRICS, METRICS], {}, []),
        ([], [], {}, []),
        ([HUMAN, OTHERS], [METRICS, OTHER_METRICS], {"compute": ["bleu"]}, ["outputs"]),
        ([HUMAN, judgements(5)[0]], [METRICS, METRICS], {"test": "perm-sys"}, [6, 5]),
    ],
)
def test_test_sets_that_do_not_fit_are_refused(
    human: Any, metrics: Any, options: dict[str, Any], naming: list[object]
) -> None:
    with refused(naming=naming):
        tg.agree(human, metrics, **options)
