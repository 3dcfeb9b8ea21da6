"""Parses, alignments, tags and test sets in XML, from files to the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.said import missing

Command = Callable[..., tuple[int, str, str]]
Refused = Callable[..., str]


def treebank(right: int, words: str = "ab") -> str:
    """24 sentences of two words in six documents, of which so many are parsed right."""
    parts = []
    for i in range(24):
        heads = ("0", "1") if i < right else ("2", "0")
        parts += [f"# newdoc id = d{i // 4}"] if i % 4 == 0 else []
        parts += [f"{n + 1}\t{words[n]}\t_\tX\t_\t_\t{heads[n]}\tdep\t_\t_" for n in (0, 1)]
        parts.append("")
    return "\n".join(parts)


def test_treebanks_are_compared_by_document(folder: Path, command: Command) -> None:
    for name, right in (("gold", 24), ("old", 10), ("best", 20)):
        (folder / f"{name}.conllu").write_text(treebank(right))
    code, out, err = command("compare", "-m", "las", "--ref", "gold.conllu", "old.conllu", "best.conllu", "-f", "json")
    assert code == 0, err
    result = json.loads(out)
    assert result["testset"]["documents"] == 6
    assert [round(one["score"], 3) for one in result["systems"]] == [41.667, 83.333]
    assert (result["unit"], result["n_units"]) == ("document", 6)


def test_other_words_are_refused(folder: Path, refused: Refused) -> None:
    trees = {
        "gold.mrg": "(S (NN a))\n(S (NN a) (NN c))\n",
        "old.mrg": "(S (NN a))\n(S (X (NN a) (NN c)))\n",
        "odd.mrg": "(S (NN a))\n(S (X (NN b) (NN c)))\n",
    }
    for name, text in trees.items():
        (folder / name).write_text(text)
    assert not missing(refused("compare", "-m", "parseval", "--ref", *trees), "odd.mrg: 2 'b' 'a'")


CONTENT = {"conllu": "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", "mrg": "(S (NN a) (NN b))\n", "conll": "a B-X\nb O\n\n"}


@pytest.mark.parametrize(
    ("kind", "metric", "naming"),
    [
        ("conllu", "bleu", "BLEU las uas"),
        ("mrg", "chrf", "chrF2 parseval"),
        ("conll", "ter", "TER span_f1"),
        ("conll", "las", "LAS FILE.conllu"),
        ("mrg", "aer", "AER parseval"),
    ],
)
def test_trees_are_no_text(folder: Path, refused: Refused, kind: str, metric: str, naming: str) -> None:
    for name in ("gold", "old", "best"):
        (folder / f"{name}.{kind}").write_text(CONTENT[kind] * 24)
    said = refused("compare", "-m", metric, "--ref", f"gold.{kind}", f"old.{kind}", f"best.{kind}")
    assert said.startswith(f"truegain: gold.{kind}: ")
    assert not missing(said, naming), said


@pytest.mark.parametrize(("kind", "metric"), [("conllu", "las"), ("mrg", "parseval"), ("conll", "span_f1")])
def test_a_perfect_system_is_no_mistake(folder: Path, command: Command, kind: str, metric: str) -> None:
    for name in ("gold", "best"):
        (folder / f"{name}.{kind}").write_text(CONTENT[kind] * 24)
    code, out, err = command("score", "-m", metric, "--ref", f"gold.{kind}", f"best.{kind}", "--score-only")
    assert (code, out.split()) == (0, ["100.0"]), err


def test_labels_may_all_be_right(folder: Path, command: Command) -> None:
    for name in ("gold", "best"):
        (folder / f"{name}.labels").write_text("yes\nno\n" * 12)
    (folder / "old.labels").write_text("yes\n" * 24)
    code, out, err = command("compare", "-m", "accuracy", "--ref", "gold.labels", "old.labels", "best.labels")
    assert code == 0, err
    assert "Warning: best.labels: " in out + err


def test_sample_logs_are_no_text(folder: Path, refused: Refused) -> None:
    for name in ("a", "b"):
        records = [{"doc_id": i, "target": "x", "filtered_resps": ["y"], "acc": i % 2} for i in range(24)]
        (folder / f"samples_{name}.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in records))
    said = refused("compare", "samples_a.jsonl", "samples_b.jsonl")
    assert said.startswith("truegain: samples_a.jsonl: ")
    assert "-m scores:column=acc" in said
