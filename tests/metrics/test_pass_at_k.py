"""pass@k: against all ways to draw k of an item's samples, from every kind of input."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.metrics.pass_at_k import PassAtK
from truegain.repeats import Repeats

Command = Callable[..., tuple[int, str, str]]


def repeats(*items: list[float]) -> dict[str, Repeats]:
    values = np.array([value for item in items for value in item])
    return {"acc": Repeats(values, np.array([len(item) for item in items]), [f"q{i}" for i in range(len(items))])}


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_the_share_of_draws_with_a_right_sample(k: int) -> None:
    generator = np.random.default_rng(k)
    items = [generator.integers(0, 2, size=generator.integers(k, 9)).astype(float).tolist() for _ in range(40)]
    found = PassAtK(k).statistics(repeats(*items))
    for (value, weight), item in zip(found.tolist(), items, strict=True):
        draws = [max(draw) for draw in itertools.combinations(item, k)]
        assert (value, weight) == (float(Fraction(int(sum(draws)), len(draws))), 1.0)
    assert float(PassAtK(k).score(found.sum(0))) == pytest.approx(found[:, 0].mean())


@pytest.mark.parametrize(("n", "c", "k"), [(200, 1, 100), (1000, 3, 997), (20_000, 1, 10), (300, 150, 100), (7, 0, 7)])
def test_many_samples_are_rounded_once(n: int, c: int, k: int) -> None:
    (value, _), *_ = PassAtK(k).statistics(repeats([1.0] * c + [0.0] * (n - c))).tolist()
    assert value == float(1 - Fraction(math.comb(n - c, k), math.comb(n, k)))


# ---- From every kind of input

RIGHT = {  # 12 items, 4 or 5 samples
    system: {f"q{i}": [(i * j + shift) % 3 == 0 for j in range(4 + i % 2)] for i in range(12)}
    for system, shift in (("base", 1), ("new", 0))
}
EXPECTED = {
    system: np.mean([1 - math.comb(len(own) - sum(own), 3) / math.comb(len(own), 3) for own in items.values()])
    for system, items in RIGHT.items()
}
ROWS = [
    {"model": system, "id": item, "epoch": epoch, "right": int(one), "words": 7}
    for system, items in RIGHT.items()
    for item, own in items.items()
    for epoch, one in enumerate(own)
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    keys = list(ROWS[0])
    lines = [",".join(str(row[key]) for key in keys) for row in reversed(ROWS)]
    Path("long.csv").write_text("\n".join([",".join(keys), *lines, ""]))
    for system in RIGHT:
        own = [row for row in ROWS if row["model"] == system]
        Path(f"{system}.tsv").write_text("id\tright\n" + "".join(f"{r['id']}\t{r['right']}\n" for r in own))
        samples = [sample(r["id"], r["epoch"], right={"value": "IC"[int(str(r["right"]))]}) for r in own]
        Path(f"{system}.json").write_text(log_of(samples))
    return tmp_path


def sample(item: object, epoch: object, **scores: object) -> dict[str, object]:
    return {"id": item, "epoch": epoch, "scores": scores}


def log_of(samples: list[dict[str, object]]) -> str:
    return json.dumps({"version": 2, "status": "success", "eval": {"task": "t"}, "samples": samples})


METRIC = "pass:k=3,column=right"


@pytest.mark.parametrize("inputs", [["long.csv"], ["base.tsv", "new.tsv"], ["base.json", "new.json"]])
def test_files(folder: Path, inputs: list[str]) -> None:
    corpus = tg.read_corpus(inputs, outputs_are_scores=True)
    result = tg.compare(corpus, metrics=[METRIC], resamples=99)
    assert {one.name: one.score for one in result.scores} == pytest.approx(EXPECTED)
    (note,) = (note for note in result.notes if note.kind == "samples")
    assert all(told in note.text for told in ("12 items × 4 to 5", "pass@3"))


def test_samples_of_other_columns_are_not_counted(tmp_path: Path) -> None:
    samples = [
        sample(item, epoch, right={"value": 1}, judge={"value": 0.5 if item + epoch else None})
        for item, epoch in itertools.product(range(4), range(5))
    ]
    for name in "ab":
        (tmp_path / f"{name}.json").write_text(log_of(samples), encoding="utf-8")
    corpus = tg.read_corpus([str(tmp_path / f"{name}.json") for name in "ab"], outputs_are_scores=True)
    result = tg.score(corpus, metrics=["pass:k=5,column=right"], resamples=9)
    assert "4 items × 5" in str(result.notes)


def test_what_is_refused(folder: Path, command: Command) -> None:
    Path("one.tsv").write_text("id\tright\na\t1\nb\t0\n")
    for given, told in (
        (("compare", "-m", "pass:k=5,column=right", "long.csv"), "long.csv: base: the item 'q0'"),
        (("compare", "-m", "pass:k=5", "base.tsv", "new.tsv"), "base.tsv: the item 'q0'"),
        (("compare", "-m", "pass:k=3", "long.csv"), "-m pass:k=3,column=right"),
        (("compare", "-m", "pass:k=3,column=words", "long.csv"), "'q0'"),
        (("score", "-m", "pass:k=1", "one.tsv"), "--id-column"),
    ):
        code, _, err = command(*given)
        assert (code, told in err) == (2, True), err


def test_tries_until_one_is_right_are_said(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    tries = {item: [0] * (item % 4) + [1] if item % 5 else [0] * 4 for item in range(8)}  # four at most
    own = [f"{item},{place},{one}" for item, each in tries.items() for place, one in enumerate(each)]
    path.write_text("\n".join(["model,task_id,attempt,passed", *(f"{m},{row}" for m in "ab" for row in own)]))
    result = tg.compare(tg.read_corpus([str(path)], outputs_are_scores=True), metrics=["pass"], resamples=50)
    (told,) = (note for note in result.notes if note.kind == "retried-samples")
    assert told.warning


@pytest.mark.parametrize(
    "items",
    [
        ([0, 1], [0, 0, 1], [0, 1], [1, 0]),  # one is tried again after it was right
        ([0, 1], [0, 0, 1], [0, 1], [0], [0, 0, 0]),  # one was given up early
        ([0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 0]),  # as many of each
        ([1], [1], [1], [0, 0]),
    ],
)
def test_other_samples_are_not_tries(items: tuple[list[float], ...]) -> None:
    assert not PassAtK().advice_on_samples({"a": repeats(*items)})


@pytest.mark.parametrize("metric", ["pass:k=2", "majority:column=answer"])
def test_ratings_are_not_samples(tmp_path: Path, metric: str) -> None:
    path = tmp_path / "t.csv"
    cells = [(m, q, s, j) for m in "ab" for q in range(6) for s in range(2) for j in ("gpt", "claude")]
    for judges in (2, 1):
        rows = [f"{m},{q},{s},{j},x{s},{s}" for m, q, s, j in cells if j == "gpt" or (judges == 2 and q)]
        path.write_text("\n".join(["model,qid,sample,judge,answer,correct", *rows]), encoding="utf-8")
        corpus = tg.read_corpus([str(path)], outputs_are_scores=True)
        if judges == 1:
            tg.compare(corpus, metrics=[metric], resamples=50)
        else:
            with refused(naming=["1"]):
                tg.compare(corpus, metrics=[metric], resamples=50)
