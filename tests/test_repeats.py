"""Samples of items are kept beside their means, whatever they were read from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import truegain as tg
from truegain.repeats import Repeats, joined_repeats

VALUES = {"q1": [1.0, 0.0, 1.0], "q2": [0.0], "q10": [1.0, 1.0]}
REPEATS = Repeats(np.array([1.0, 0.0, 1.0, 0.0, 1.0, 1.0]), np.array([3, 1, 2]), ["q1", "q2", "q10"])


def listed(repeats: Repeats) -> dict[str, list[float]]:
    return {item: values.tolist() for item, values in zip(repeats.items, repeats, strict=True)}


def test_items_are_chosen_and_joined_with_their_samples() -> None:
    assert listed(REPEATS) == VALUES
    assert listed(REPEATS.of_items([2, 0])) == {"q10": [1.0, 1.0], "q1": [1.0, 0.0, 1.0]}
    both = joined_repeats([REPEATS.of_items([1]), REPEATS.of_items([2])])
    assert listed(both) == {"q2": [0.0], "q10": [1.0, 1.0]}


def test_sums_and_variances_of_each_item() -> None:
    assert REPEATS.sums().tolist() == [2.0, 0.0, 2.0]
    found = REPEATS.variances()
    assert found[0] == pytest.approx(np.var([1.0, 0.0, 1.0], ddof=1))
    assert np.isnan(found[1])
    assert found[2] == 0.0


def rows(system: str) -> list[dict[str, object]]:
    return [{"system": system, "id": item, "acc": value} for item, values in VALUES.items() for value in values]


def test_every_reader_keeps_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows("a")))
    Path("b.csv").write_text("id,acc\n" + "".join(f"{row['id']},{row['acc']}\n" for row in reversed(rows("b"))))
    long = [f"{row['system']},{row['id']},{row['acc']}\n" for row in [*rows("a"), *rows("b")]]
    Path("long.csv").write_text("".join(["system,id,acc\n", *long]))
    for inputs in (["a.jsonl", "b.csv"], ["long.csv"]):
        corpus = tg.read_corpus(inputs, outputs_are_scores=True)
        for system in corpus.systems:
            found = listed(system.runs[0].repeats["acc"])
            assert {item: sorted(own) for item, own in found.items()} == {item: sorted(VALUES[item]) for item in VALUES}
        part = corpus.of_segments([2, 0])
        kept = part.systems[1].runs[0]
        assert kept.repeats["acc"].sums().tolist() == (kept.scores["acc"] * kept.repeats["acc"].counts).tolist()


def test_items_with_one_row_each_have_none(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("id,acc\n1,0\n2,1\n")
    assert tg.read_corpus([str(path)], outputs_are_scores=True).systems[0].runs[0].repeats == {}
