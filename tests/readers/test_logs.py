"""Logs of HELM, OpenAI's evals and promptfoo.

The files in ``logs`` were written by the tools' own code: by promptfoo 0.121.20 with two providers that follow a rule
(reduced to what is read, and to promptfoo's own figures), by ``LocalRecorder`` of evals 3.0.1, and by
``PerInstanceStats`` and ``Stat`` of crfm-helm 0.5.16 with the perturbation ``typos``.
"""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import truegain as tg
from tests.refusals import refused
from truegain.readers.any_format import read_scores
from truegain.readers.corpora import read_corpus
from truegain.readers.scores import ScoreTable

LOGS = Path(__file__).with_name("logs")
HELM: list[dict[str, Any]] = json.loads((LOGS / "helm-base.json").read_text())
EVALS: list[dict[str, Any]] = [json.loads(line) for line in (LOGS / "evals-base.jsonl").read_text().splitlines()]
PROMPTFOO: dict[str, Any] = json.loads((LOGS / "promptfoo.json").read_text())
ROWS: list[dict[str, Any]] = PROMPTFOO["results"]["results"]


def lines(records: list[Any]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def results(rows: list[Any], version: object = 3) -> str:
    return json.dumps({**PROMPTFOO, "results": {**PROMPTFOO["results"], "version": version, "results": rows}})


def tables(path: Path, text: str) -> list[ScoreTable]:
    path.write_text(text, encoding="utf-8")
    return read_scores(str(path))


def columns(table: ScoreTable) -> dict[str, list[float]]:
    return {name: values.tolist() for name, values in table.columns.items()}


def said(table: ScoreTable) -> list[str]:
    return [note.text for note in table.notes]


# ---- HELM


def test_statistics_of_helm_are_averaged_over_trials_and_perturbed_instances_are_apart() -> None:
    (table,) = read_scores(str(LOGS / "helm-base.json"))
    assert table.ids == ("id6", "id7", "id8", "id9", "id10", "id11")
    assert (table.id_column, table.rows, table.samples) == ("instance_id", 12, (2, 2))
    means: dict[str, list[float]] = {}
    for record in HELM:
        for stat in record["stats"]:
            if "perturbation" not in record and "mean" in stat:
                means.setdefault(f"{record['instance_id']} {stat['name']['name']}", []).append(stat["mean"])
    for name, values in columns(table).items():
        for item, value in zip(table.ids, values, strict=True):
            own = means[f"{item} {name}"]
            assert value == sum(own) / len(own)
    assert list(table.columns) == ["exact_match", "num_references", "num_output_tokens"]
    assert table.labels["split"] == ("valid", "test") * 3
    assert any("exact_match@typos" in one and "'id11'" in one for one in said(table))


def test_a_perturbation_of_all_instances_is_a_column(tmp_path: Path) -> None:
    """Of two perturbations of one name the settings are added; a file may hold perturbed instances only."""
    own = [one for one in HELM if one["instance_id"] != "id11"]
    (table,) = tables(tmp_path / "per_instance_stats.json", json.dumps(own))
    assert columns(table)["exact_match@typos"] == [1.0, 0.5, 0.5, 1.0, 0.5]
    more = [{**one, "perturbation": {**one["perturbation"], "prob": 0.5}} for one in own if "perturbation" in one]
    for records, expected in (
        ([*own, *more], {"exact_match", "exact_match@typos(prob=0.1)", "exact_match@typos(prob=0.5)"}),
        (more, {"exact_match@typos"}),
    ):
        (table,) = tables(tmp_path / "more.json", json.dumps(records))
        assert {name for name in table.columns if name.startswith("exact_match")} == expected


def test_runs_of_helm_are_named_after_the_model_in_their_folder(tmp_path: Path) -> None:
    paths = []
    for name in ("base", "new"):
        folder = tmp_path / f"sums:kind=small,model=lab_{name}-1.5"
        folder.mkdir()
        shutil.copy(LOGS / f"helm-{name}.json", folder / "per_instance_stats.json")
        paths.append(str(folder / "per_instance_stats.json"))
    corpus = read_corpus(paths, outputs_are_scores=True, document_column="split")
    assert [system.name for system in corpus.systems] == ["lab_base-1.5", "lab_new-1.5"]
    assert corpus.documents == ("valid", "test") * 3


# ---- OpenAI's evals


def test_matches_and_metrics_of_evals_are_columns() -> None:
    (table,) = read_scores(str(LOGS / "evals-base.jsonl"))
    assert table.ids == tuple(f"sums.test.{i}" for i in range(12))
    right = {one["sample_id"]: one["data"]["correct"] for one in EVALS if one.get("type") == "match"}
    assert columns(table) == {"correct": [right[one] for one in table.ids], "length": [3.0 + i for i in range(12)]}
    assert (table.model, table.id_column, table.samples) == ("base-model", "sample_id", (1, 1))
    assert any("verdict" in one for one in said(table))


def test_a_sample_of_evals_without_a_match_is_missing(tmp_path: Path) -> None:
    """It failed, or the log was cut; it is never zero."""
    left = [one for one in EVALS if one.get("sample_id") != "sums.test.4" or one["type"] in ("sampling", "metrics")]
    failed = {**EVALS[2], "sample_id": "sums.test.4", "type": "error", "data": {"type": "TimeoutError"}}
    (table,) = tables(tmp_path / "a.jsonl", lines([one for one in [*left, failed] if "final_report" not in one]))
    assert list(table.columns) == ["length"]
    assert ["sums.test.4" in one for one in said(table)[:3]] == [False, True, True]


# ---- promptfoo


def test_one_file_of_promptfoo_is_a_comparison(tmp_path: Path) -> None:
    """The sums are promptfoo's own; it counts an error as zero, and here the error is missing."""
    # Tests that are not repeated keep their numbers.
    alone = tables(tmp_path / "a.json", results([row for row in ROWS if row["testIdx"] % 2 == 0]))
    assert alone[0].ids == ("0", "2", "4", "6", "8", "10")
    both = read_scores(str(LOGS / "promptfoo.json"))
    assert [table.model for table in both] == ["base", "new"]
    for index, table in enumerate(both):
        own = PROMPTFOO["results"]["prompts"][index]["metrics"]
        assert (table.rows, table.samples, table.ids) == (12, (2, 2), ("0", "1", "2", "3", "4", "5"))
        assert sum(table.repeats["score"].values) == own["score"]
        assert sum(table.repeats["success"].values) == own["testPassCount"]
        assert len(table.repeats["score"].values) == 12 - own["testErrorCount"]
        assert any("mentions" in one and "'5'" in one for one in said(table))
    assert any(one.startswith("1 of 12 ") for one in said(both[0]))
    corpus = read_corpus([str(LOGS / "promptfoo.json")], outputs_are_scores=True)
    assert corpus.labels["metadata.subject"] == ("small",) * 3 + ("large",) * 3
    result = tg.compare(corpus, metrics=["scores:column=score"], resamples=99)
    assert (result.baseline, result.n_units) == ("base", 6)


def test_prompts_are_systems_if_there_are_several(tmp_path: Path) -> None:
    rows = copy.deepcopy(ROWS)
    for row in rows:
        if row["promptIdx"] == 1:
            row["prompt"]["label"] = "Answer: {{question}}"
    assert [table.model for table in tables(tmp_path / "a.json", results(rows))] == ["base prompt 1", "new prompt 2"]
    for row in rows:
        row["provider"] = {"id": "echo"}
    first, second = tables(tmp_path / "b.json", results(rows))
    assert (first.model, second.model) == ("prompt 1", "prompt 2")
    assert any("'Answer: {{question}}'" in one for one in said(first))


def test_files_of_promptfoo_with_the_same_providers(tmp_path: Path) -> None:
    """They are told apart by the files; one name is not given to several systems."""
    paths = [str(shutil.copy(LOGS / "promptfoo.json", tmp_path / f"{name}.json")) for name in ("before", "after")]
    corpus = read_corpus(paths, outputs_are_scores=True)
    assert [one.name for one in corpus.systems] == ["before base", "before new", "after base", "after new"]
    with refused(naming=["'mine'", "2"]):
        read_corpus([f"mine={paths[0]}"], outputs_are_scores=True)


# ---- All


RECORDS: dict[str, list[Any]] = {"helm-base.json": HELM, "evals-base.jsonl": EVALS, "promptfoo.json": ROWS}
WRITERS: dict[str, Callable[[list[Any]], str]] = {
    "helm-base.json": json.dumps,
    "evals-base.jsonl": lines,
    "promptfoo.json": results,
}


@pytest.mark.parametrize("name", RECORDS)
def test_the_order_of_records_does_not_matter(tmp_path: Path, name: str) -> None:
    first, *rest = RECORDS[name]
    turned = WRITERS[name]([first, *random.Random(5).sample(rest, len(rest))])
    before, after = read_scores(str(LOGS / name)), tables(tmp_path / name, turned)
    for one, other in zip(before, after, strict=True):
        assert columns(one) == columns(other)
        assert (one.ids, one.labels, one.model) == (other.ids, other.labels, other.model)
        for key, values in one.repeats.items():
            assert values.values.tolist() == other.repeats[key].values.tolist()


@pytest.mark.parametrize("name", RECORDS)
def test_logs_are_no_texts_nor_tables_and_have_their_own_ids(run: Callable[..., str], name: str) -> None:
    path = str(LOGS / name)
    with refused("metrics", "references"):
        read_corpus([path], ["ref.txt"])
    with refused(naming=["'question'"]):
        read_scores(path, "question")
    assert "-m scores" in run("init", path, code=2)


def stat(**more: Any) -> dict[str, Any]:
    return {"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": 1.0, **more}


def instance(number: object = "id1", trial: object = 0, *stats: Any) -> dict[str, Any]:
    return {"instance_id": number, "train_trial_index": trial, "stats": list(stats)}


def event(sample: object, kind: object = "match", data: Any = None, run: str = "r1") -> dict[str, Any]:
    return {"run_id": run, "event_id": 0, "sample_id": sample, "type": kind, "data": data or {"correct": True}}


def row(**more: Any) -> dict[str, Any]:
    return {**ROWS[0], **more}


MAYBE, INFINITE = {"correct": "maybe"}, {"f1": float("inf")}
#: What is wrong, and what an error must name: the record, the sample, the key, the value.
BROKEN_HELM: list[tuple[list[Any], list[object]]] = [
    ([instance("id1", 0, stat()), {"instance_id": "id2"}], ["record 2", "instance_id, stats, train_trial_index"]),
    ([{**instance(), "stats": {"exact_match": 1.0}}], ["record 1", "instance_id, stats, train_trial_index"]),
    ([instance(None, 0, stat())], ["record 1", "'instance_id'", "null"]),
    ([instance("id1", 0, {"mean": 1.0})], ["id1", "{'mean': 1.0}"]),  # no name
    ([instance("id1", 0, stat()), instance("id1", 0, stat(mean=0.0))], ["id1", "'exact_match'", "1.0", "0.0"]),
    ([instance("id1", 0, stat(mean=float("nan")))], ["id1", "'exact_match'", "nan"]),
    ([instance("id1", 0, stat()), instance("id2", 0, stat(count=0, mean=None))], ["exact_match", "1 of 2", "'id2'"]),
    ([instance("id1", 0, stat(mean="1.0"))], ["exact_match"]),
]
BROKEN_EVALS: list[tuple[str, list[object]]] = [
    (lines([event("s.1"), event(None)]), ["'sample_id'"]),
    (lines([event("s.1", 3)]), ["s.1", "'type'"]),
    (lines([event("s.1", "match", "yes")]), ["s.1", "'data'"]),
    (lines([event("s.1", "match", {"expected": "4"})]), ["nothing", "'correct'"]),
    (lines([event("s.1", "match", MAYBE)]), ["'maybe'", "'correct'"]),
    (lines([event("s.1"), event("s.1")]), ["s.1", "'correct'", "twice"]),
    (lines([event("s.1"), event("s.2", run="r2")]), ["another run"]),
    (lines([EVALS[0], EVALS[0]]), ["another run"]),
    (lines(EVALS[:2]), ["no samples"]),
    (lines(EVALS[:3]) + '{"run_id": "x"', ["not JSON"]),
    (lines([event("s.1", "metrics", INFINITE)]), ["s.1", "'f1'", "inf"]),
]
BROKEN_PROMPTFOO: list[tuple[str, list[object]]] = [
    (results(ROWS, 2), ["layout 2", "layout 3"]),
    (results([]), ["no results"]),
    (results([row(), 3]), ["result 2", "object"]),
    (results([row(testIdx=None)]), ["result 1", "'promptIdx'", "'testIdx'"]),
    (results([row(provider="echo")]), ["'provider'", "'id'"]),
    (results([row(namedScores=[1])]), ["'namedScores'", "object"]),
    (results([row(), row()]), ["twice"]),
    (results([row(), row(testIdx=99, vars={"question": "?"}, failureReason=2)]), ["score", "1 of 2", "'99'"]),
    (results([row(score=float("nan"))]), ["'score'", "nan"]),
]


@pytest.mark.parametrize(
    ("name", "text", "naming"),
    [
        *(("a.json", json.dumps(records), naming) for records, naming in BROKEN_HELM),
        *(("a.jsonl", text, naming) for text, naming in BROKEN_EVALS),
        *(("a.json", text, naming) for text, naming in BROKEN_PROMPTFOO),
    ],
)
def test_a_broken_log_is_refused(tmp_path: Path, name: str, text: str, naming: list[object]) -> None:
    with refused(path=tmp_path / name, naming=naming):
        tables(tmp_path / name, text)
