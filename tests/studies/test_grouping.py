"""``--by COLUMN``: columns of tables of scores, of the file of documents, of data frames and of ``--table``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import truegain as tg
from truegain.corpus import Corpus
from truegain.errors import InputError
from truegain.studies.compare.result import CompareResult
from truegain.studies.grouping import group_rows

COUNT = 60
TOPICS = [["law", "news", "arts"][i % 3] for i in range(COUNT)]
YEARS = [2019 + i % 2 for i in range(COUNT)]
RNG = np.random.default_rng(8)
BASE = RNG.normal(size=COUNT).round(4)
SCORES = {"base": BASE, "new": (BASE + RNG.normal(0.2, 0.5, size=COUNT)).round(4)}


def groups(result: CompareResult) -> dict[str, float]:
    assert result.groups is not None
    return {one.group: one.delta for one in result.groups.gains}


def expected(labels: list[Any]) -> dict[str, Any]:
    gains = SCORES["new"] - SCORES["base"]
    places = {str(name): [i for i, own in enumerate(labels) if own == name] for name in dict.fromkeys(labels)}
    return {name: pytest.approx(gains[rows].mean()) for name, rows in places.items()}


def write(folder: Path, ending: str, order: list[int] | None = None) -> list[str]:
    """Write a table for each system; the second one in another order."""
    paths = []
    for system, values in SCORES.items():
        rows = [
            {"id": f"s{i}", "score": float(values[i]), "topic": TOPICS[i], "year": YEARS[i], "output": f"{system}{i}"}
            | ({"model": system} if ending == "jsonl" else {})
            for i in (order if order is not None and system == "new" else range(COUNT))
        ]
        lines = [json.dumps(row) for row in rows]
        if ending == "tsv":
            lines = ["\t".join(rows[0]), *("\t".join(map(str, row.values())) for row in rows)]
        paths.append(str(folder / f"{system}.{ending}"))
        Path(paths[-1]).write_text("\n".join(lines) + "\n")
    return paths


def read(paths: list[str], **more: Any) -> Corpus:
    return tg.read_corpus(paths, outputs_are_scores=True, **more)


def compared(corpus: Any, by: str, *systems: Any) -> CompareResult:
    return tg.compare(corpus, *systems, metrics=["scores:column=score"], by=by, resamples=200)


@pytest.mark.parametrize("ending", ["tsv", "jsonl"])
@pytest.mark.parametrize(("by", "labels"), [("topic", TOPICS), ("year", YEARS)])
def test_a_column_of_scores(tmp_path: Path, ending: str, by: str, labels: list[Any]) -> None:
    corpus = read(write(tmp_path, ending, list(reversed(range(COUNT)))))
    assert groups(compared(corpus, by)) == expected(labels)
    assert "output" not in corpus.labels, "it is not the same in both files"


def test_a_column_of_the_documents(tmp_path: Path) -> None:
    lines = [f"s{i}\td{i // 4}\t{['web', 'print'][i % 2]}" for i in reversed(range(COUNT))]
    (tmp_path / "docs.tsv").write_text("\n".join(["id\tdocid\tmedium", *lines]) + "\n")
    corpus = read(write(tmp_path, "tsv"), documents=str(tmp_path / "docs.tsv"))
    result = compared(corpus, "medium")
    assert groups(result) == {
        name: pytest.approx((SCORES["new"] - SCORES["base"])[place::2].mean())
        for place, name in enumerate(("web", "print"))
    }
    assert result.groups is not None
    assert {one.unit for one in result.groups.gains} == {"document"}
    assert "|by:medium|" in result.signature
    assert "of 2 groups by medium; groups by medium are not shown to differ" in " ".join(result.render().split())
    assert CompareResult.from_dict(result.to_dict()).render() == result.render()


@pytest.mark.parametrize("by", ["topic", "year"])
@pytest.mark.parametrize("long", [False, True])
def test_a_column_of_a_frame(by: str, long: bool) -> None:
    """A column of numbers is then no system."""
    wide = pd.DataFrame({**SCORES, "topic": TOPICS, "year": YEARS})
    frame = wide[[*SCORES, by]]
    if long:
        frame = wide.assign(id=range(COUNT)).melt(["id", by], list(SCORES), "system", "score")
    result = tg.compare(frame, metrics=["scores"], by=by, resamples=200)
    assert groups(result) == expected(TOPICS if by == "topic" else YEARS)
    assert not [note for note in result.notes if note.kind == "columns"]


def test_an_item_of_a_frame_lies_in_one_group() -> None:
    frame = pd.DataFrame({**SCORES, "id": range(COUNT)}).melt("id", list(SCORES), "system", "score")
    frame["topic"] = [*TOPICS, *TOPICS[1:], "law"]
    with pytest.raises(InputError, match="the item '0' has 'news' in the column 'topic', and 'law' before"):
        tg.compare(frame, metrics=["scores"], by="topic", resamples=20)


def test_a_column_of_a_table(tmp_path: Path, command: Callable[..., tuple[int, str, str]]) -> None:
    """It is then no system."""
    words = ["a b c d e", "f g h i j", "k l m n o"]
    lines = [f"{words[i % 3]}\t{words[i % 3]} x\t{words[i % 3]} y z\t{TOPICS[i]}" for i in range(COUNT)]
    (tmp_path / "all.tsv").write_text("\n".join(["ref\tbase\tnew\ttopic", *lines]) + "\n")
    given = ["compare", "--table", str(tmp_path / "all.tsv"), "-R", "100", "-f", "json"]
    result = json.loads(command(*given, "--by", "topic")[1])
    assert list(dict.fromkeys(one["system"] for one in result["groups"]["gains"])) == ["new"]
    assert [one["group"] for one in result["groups"]["gains"]] == ["law", "news", "arts"]


@pytest.mark.parametrize("given", ["file", "frame"])
def test_an_unknown_column_is_refused_with_those_there_are(tmp_path: Path, given: str) -> None:
    columns = "topic, year" if given == "file" else "topic"
    frame = pd.DataFrame({**SCORES, "topic": TOPICS}).rename(columns={"base": "score"})
    corpus = read(write(tmp_path, "tsv")) if given == "file" else frame
    with pytest.raises(InputError, match=f"by must be one of domain, document, length, {columns}; got 'genre'"):
        compared(corpus, "genre")


def test_a_segment_without_a_group_is_refused(tmp_path: Path) -> None:
    paths = write(tmp_path, "tsv")
    for path in paths:
        lines = Path(path).read_text().splitlines()
        fields = lines[5].split("\t")
        fields[2] = ""
        lines[5] = "\t".join(fields)
        Path(path).write_text("\n".join(lines) + "\n")
    with pytest.raises(InputError, match="segment 5 has nothing in the column 'topic'"):
        compared(read(paths), "topic")


def test_a_column_named_domain_stands_for_domains(tmp_path: Path) -> None:
    frame = {"id": [f"s{i}" for i in range(COUNT)], "score": BASE, "domain": TOPICS}
    pd.DataFrame(frame).to_csv(tmp_path / "base.tsv", sep="\t", index=False)
    corpus = read([str(tmp_path / "base.tsv")])
    assert corpus.domains is None
    assert {name: len(rows) for name, rows in group_rows(corpus, "domain").items()} == dict.fromkeys(TOPICS, 20)
