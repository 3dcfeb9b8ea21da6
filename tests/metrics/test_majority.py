"""The majority vote over the answers of an item: against a naive count, from every kind of table."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.metrics.majority import Majority
from truegain.repeats import Repeats

Command = Callable[..., tuple[int, str, str]]
Item = list[tuple[Any, int]]  # answers, and whether they are right


def naive(items: Sequence[Item]) -> list[float]:
    found = []
    for item in items:
        votes = Counter(answer for answer, _ in item)
        tied = {answer for answer, count in votes.items() if count == max(votes.values())}
        found.append(float(Fraction(len({answer for answer, right in item if right and answer in tied}), len(tied))))
    return found


def statistics(items: Sequence[Item]) -> list[list[float]]:
    counts, names = np.array([len(item) for item in items]), [f"q{i}" for i in range(len(items))]
    right = Repeats(np.array([right for item in items for _, right in item], float), counts, names)
    answers = Repeats(np.array([answer for item in items for answer, _ in item]), counts, names)
    found: list[list[float]] = Majority("answer").statistics({"acc": right}, {"answer": answers}).tolist()
    return found


@pytest.mark.parametrize("seed", range(5))
def test_a_naive_count(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    items = []
    for _ in range(60):
        right = {answer: int(drawn.integers(0, 2)) for answer in range(5)}
        items.append([(one, right[one]) for one in drawn.integers(0, 5, size=drawn.integers(1, 9)).tolist()])
    found = statistics(items)
    assert found == [[value, 1.0] for value in naive(items)]
    assert any(0 < value < 1 for value, _ in found)  # there are ties


def test_ties_give_the_share_that_is_right() -> None:
    items: list[Item] = [
        [(1, 1), (2, 0)],
        [(1, 1), (2, 0), (2, 0)],
        [(1, 1), (2, 0), (3, 0)],
        [(1, 1), (2, 1), (3, 0), (1, 1), (2, 1), (3, 0), (4, 1)],
    ]
    assert [value for value, _ in statistics(items)] == [1 / 2, 0.0, 1 / 3, 2 / 3]


def test_an_answer_both_right_and_wrong_is_refused() -> None:
    items: list[Item] = [[(1, 1), (2, 0)], [(2, 1), (1, 0), (3, 0), (1, 1)]]
    with refused(naming=["'q1'", 2, 4]):
        statistics(items)


# ---- From every kind of table

WORDS = ["A, or B", "B", 'the "C"', "", "14"]


def rows(answers: Sequence[str]) -> list[dict[str, Any]]:
    """Return 30 items of two systems, of 3 to 6 samples, with the first answer right, the fourth in odd items too."""
    drawn = random.Random(3)
    return [
        {"model": system, "id": f"q{i}", "epoch": epoch, "answer": answers[place], "right": right}
        for system, weights in (("base", [2, 2, 1, 2, 1]), ("new", [4, 2, 1, 2, 1]))
        for i in range(30)
        for epoch in range(3 + i % 4)
        for place in drawn.choices(range(5), weights)
        for right in [int(place == 0 or (place == 3 and i % 2 == 1))]
    ]


def expected(given: Sequence[dict[str, Any]]) -> dict[str, float]:
    items: dict[str, dict[str, Item]] = {}
    for row in given:
        items.setdefault(row["model"], {}).setdefault(row["id"], []).append((row["answer"], row["right"]))
    return {system: float(np.mean(naive(list(own.values())))) for system, own in items.items()}


def quoted(value: Any) -> str:
    return '"{}"'.format(str(value).replace('"', '""'))


def write(given: Sequence[dict[str, Any]]) -> None:
    keys = list(given[0])
    table = (keys, *(row.values() for row in given))
    Path("long.csv").write_text("".join(",".join(map(quoted, row)) + "\n" for row in table))
    Path("long.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in table))
    Path("long.jsonl").write_text("".join(json.dumps(row | {"answer": row["answer"] or None}) + "\n" for row in given))
    for system in ("base", "new"):
        short = [{key: row[key] for key in ("id", "answer", "right")} for row in given if row["model"] == system]
        Path(f"{system}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in short))
        lines = (",".join(map(quoted, row.values())) + "\n" for row in short)
        Path(f"{system}.csv").write_text("id,answer,right\n" + "".join(lines))


METRIC = "majority:column=answer,correct=right"
NUMBERS = ["3", "4.5", "7", "-1", "0"]


def voted(source: Any, given: Sequence[dict[str, Any]], metric: str = METRIC) -> Any:
    """Return a result whose scores are those of the naive count."""
    corpus = tg.read_corpus(source, outputs_are_scores=True) if isinstance(source, list) else source
    result = tg.score(corpus, metrics=[metric], resamples=99, seed=1)
    assert {one.name: one.score for one in result.scores} == pytest.approx(expected(given), abs=1e-15)
    return result


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("answers", [WORDS, NUMBERS], ids=["texts", "numbers"])
@pytest.mark.parametrize(
    "inputs",
    [["long.csv"], ["long.tsv"], ["long.jsonl"], ["base.csv", "new.csv"], ["base.jsonl", "new.jsonl"]],
    ids=lambda inputs: inputs[0],
)
def test_files_with_rows_in_any_order(inputs: list[str], answers: list[str]) -> None:
    given = rows(answers)
    found = []
    for seed in (1, 2):
        write(given)
        result = voted(inputs, given)
        found.append([(one.name, one.score, one.interval) for one in result.scores])
        random.Random(seed).shuffle(given)
    (note,) = (note for note in result.notes if note.kind == "samples")
    assert "30 items × 3 to 6" in note.text
    if len(inputs) == 1:  # items are sorted, and not in the order of a file of one system
        assert found[0] == found[1]
        assert "correct:right" in voted(inputs, given, "majority:column=answer").render("json")  # the only other column


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(library: str) -> None:
    given = rows(WORDS)
    missing = [row | {"answer": row["answer"] or None} for row in given]
    frame = pytest.importorskip(library).DataFrame(missing)
    voted(frame, given)
    if library == "pandas":  # each missing value an object of its own
        frame["answer"] = [float("nan") if one is None else one for one in frame["answer"]]
        voted(frame, given)


def test_parts_of_a_test_set() -> None:
    given = rows(WORDS)
    for row in given:
        row["domain"] = "odd" if int(row["id"][1:]) % 2 else "even"
    write(given)
    corpus = tg.read_corpus(["long.csv"], outputs_are_scores=True)
    odd = [int(one == "odd") for one in corpus.domains or ()]
    part = corpus.of_segments(np.flatnonzero(odd).tolist())
    voted(part, [row for row in given if row["domain"] == "odd"])


def test_what_is_refused(command: Command) -> None:
    given = rows(WORDS)
    wide = [row | {"words": 7} for row in given]
    wrong = next(row for row in given if row["id"] == "q5" and row["answer"] == "B")
    both = [*given, wrong | {"right": 1, "epoch": 9}]
    for table, metric, told in (
        (given, "majority", "-m majority:column=answer\n"),
        (given, "majority:column=answers", "majority:column"),
        (given, "majority:column=right", "'right'"),
        (given, "majority:column=answer,correct=answer", "majority:column=answer,correct"),
        (wide, "majority:column=answer", "-m majority:column=answer,correct=right"),
        (wide, "majority:column=answer,correct=words", "7"),
        (both, METRIC, f"long.csv: {wrong['model']}: samples "),
    ):
        write(table)
        code, _, err = command("score", "-m", metric, "long.csv")
        assert (code, told in err) == (2, True), err
    samples = [
        {"id": r["id"], "epoch": r["epoch"], "scores": {"right": {"value": r["right"], "answer": r["answer"]}}}
        for r in given
        if r["model"] == "base"
    ]
    log = {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": samples}
    Path("base.json").write_text(json.dumps(log))
    code, _, err = command("score", "-m", "majority:column=right", "base.json")
    assert (code, "base.json: " in err) == (2, True)


def test_answers_that_are_not_held_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truegain.readers.field_columns._DISTINCT", 3)
    write(rows(WORDS))
    with refused(naming=["majority:column", "'answer'"]):
        tg.score(tg.read_corpus(["long.csv"], outputs_are_scores=True), metrics=[METRIC], resamples=9)
    voted(["base.csv", "new.csv"], rows(WORDS))


def test_numbers_are_compared_by_value_among_texts_too() -> None:
    answers = ["42", "42.0", " 42", "x", "x ", "y"]
    rights = [1, 1, 1, 0, 0, 0]
    given = [f"a,{i},{answer},{right}\n" for i in range(4) for answer, right in zip(answers, rights, strict=True)]
    Path("s.csv").write_text("model,id,answer,right\n" + "".join(given) + "".join(given).replace("a,", "b,"))
    result = tg.score(tg.read_corpus(["s.csv"], outputs_are_scores=True), metrics=[METRIC], resamples=9)
    assert [one.score for one in result.scores] == [1.0, 1.0]


def test_there_is_no_split_of_its_variance() -> None:
    write(rows(WORDS))
    corpus = tg.read_corpus(["long.csv"], outputs_are_scores=True)
    with refused():
        tg.plan(corpus, metrics=[METRIC], gain=0.1, sample_counts=[5])
