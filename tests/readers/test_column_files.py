"""Tables in Parquet and Arrow: the same as CSV and JSON lines of one table, to the bit."""

from __future__ import annotations

import gzip
import random
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.readers import column_files, field_columns
from truegain.readers.any_format import read_scores, read_table, read_text
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus
from truegain.readers.documents import read_documents
from truegain.readers.formats import Layout

ENDINGS = ["parquet", "arrow", "feather", "ipc"]


def frame() -> pl.DataFrame:
    made = random.Random(3)
    rows = [
        {"model": system, "qid": f"q {item:03}", "epoch": epoch, "acc": made.random(), "right": made.random() < 0.5}
        for system in ("beta", "alpha", "gamma")
        for item in range(12)
        for epoch in range(3)
    ]
    return pl.DataFrame(rows)


def write(table: pl.DataFrame, path: Path) -> str:
    if path.suffix == ".parquet":
        table.write_parquet(path, row_group_size=7)
    elif path.suffix == ".csv":
        table.write_csv(path)
    elif path.suffix == ".jsonl":
        table.write_ndjson(path)
    elif path.suffix == ".ipc":
        table.write_ipc_stream(path)
    else:
        table.write_ipc(path)
    return str(path)


def scores(*files: str, **options: Any) -> tg.Corpus:
    return read_corpus(files, outputs_are_scores=True, **options)


def compared(corpus: tg.Corpus) -> Any:
    return tg.compare(corpus, metrics=["scores:column=acc", "scores:column=right"], resamples=200)


def test_every_format_gives_the_same_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = compared(scores(write(frame(), tmp_path / "a.csv")))
    shuffled = frame().sample(fraction=1, shuffle=True, seed=1).select(sorted(frame().columns))
    for ending in ENDINGS:
        assert compared(scores(write(shuffled, tmp_path / f"a.{ending}"))).comparisons == whole.comparisons
    parts = [write(shuffled[:40], tmp_path / "1.parquet"), write(shuffled[40:], tmp_path / "2.csv")]
    assert compared(scores(*parts)).comparisons == whole.comparisons
    monkeypatch.setattr(column_files, "_ROWS", 10)
    monkeypatch.setattr(column_files, "_FIELDS", 3)
    monkeypatch.setattr(field_columns, "_DISTINCT", 4)
    assert compared(scores(str(tmp_path / "a.parquet"))).comparisons == whole.comparisons


@pytest.mark.parametrize("ending", ENDINGS)
def test_texts_documents_and_one_system(tmp_path: Path, ending: str) -> None:
    table = pl.DataFrame({"id": [1, 2, 3], "docid": ["d", "d", "e"], "ref": ["a", "b", None], "new": ["a", "c", "d"]})
    path = write(table, tmp_path / f"all.{ending}")
    corpus = corpus_from_table(path)
    assert [system.name for system in corpus.systems] == ["new"]
    assert corpus.references[0] == ("a", "b", None)
    assert read_documents(path, 3).documents == ["d", "d", "e"]
    text = read_text(path, Layout(text_column="new"))
    assert (text.lines, text.ids) == (["a", "c", "d"], ("1", "2", "3"))
    (one,) = read_scores(write(pl.DataFrame({"id": ["x", "y"], "score": [0.1, 1.0]}), tmp_path / f"one.{ending}"))
    assert (one.ids, one.columns["score"].tolist()) == (("x", "y"), [0.1, 1.0])
    wide = write(pl.DataFrame({"id": ["x", "y"], "base": [1, 2], "new": [True, False]}), tmp_path / f"w.{ending}")
    systems = corpus_from_table(wide, scores=True).systems
    assert [own.runs[0].scores["score"].tolist() for own in systems] == [[1.0, 2.0], [1.0, 0.0]]


@pytest.mark.parametrize("ending", ENDINGS)
def test_numbers_are_exact(tmp_path: Path, ending: str) -> None:
    numbers = [5e-324, 1.7976931348623157e308, 0.1, 1 / 3, 1e22, 1e23, 1e-7, 123456789012345680.0, -2.5]
    whole = [2**53 - 1 - i for i in range(9)]
    columns = {"score": numbers, "narrow": pl.Series([0.1] * 9, dtype=pl.Float32), "whole": whole}
    path = write(pl.DataFrame(columns), tmp_path / f"a.{ending}")
    packed = tmp_path / f"b.{ending}.gz"
    packed.write_bytes(gzip.compress(Path(path).read_bytes()))
    for file in (path, str(packed)):
        (table,) = read_scores(file)
        found = {name: values.tolist() for name, values in table.columns.items()}
        assert found == {"score": numbers, "narrow": [0.10000000149011612] * 9, "whole": whole}


def test_what_stands_inside_structures_is_a_column(tmp_path: Path) -> None:
    rows = [{"run": {"model": m}, "task": {"id": i, "of": {"set": "s"}}, "acc": i / 7} for m in "ab" for i in range(4)]
    paths = [write(pl.DataFrame(rows), tmp_path / f"a[1]*.{ending}") for ending in ("parquet", "jsonl")]
    assert list(read_table(paths[0]).columns) == ["run.model", "task.id", "task.of.set", "acc"]
    for path in paths:
        systems = scores(path, system_column="run.model", id_column="task.id").systems
        assert [system.name for system in systems] == ["a", "b"]
        assert [system.runs[0].scores["acc"].tolist() for system in systems] == [[i / 7 for i in range(4)]] * 2


@pytest.mark.parametrize("ending", ENDINGS)
def test_rows_and_columns_are_named(tmp_path: Path, ending: str) -> None:
    at = pl.when(pl.int_range(pl.len()) == 40)
    for changed, naming in (
        (at.then(None).otherwise("acc").alias("acc"), ["row 41", "'acc'", "no score in 1 row"]),
        (at.then(float("inf")).otherwise("acc").alias("acc"), ["row 41", "'acc'", "inf"]),
        (at.then(None).otherwise("qid").alias("qid"), ["row 41", "'qid'"]),
    ):
        path = write(frame().with_columns(changed), tmp_path / f"a.{ending}")
        with refused(path=path, naming=naming):
            scores(path)


def test_lists_bytes_and_nul_are_no_texts(tmp_path: Path) -> None:
    table = pl.DataFrame({"ref": ["a", "b"], "new": [[1], [2]], "raw": [b"x", b"\xff"]})
    path = write(table, tmp_path / "a.parquet")
    with refused(naming=["'new'", "1"]):
        corpus_from_table(path)
    assert [note.text for note in read_table(path).notes] == ["Column 'raw' of bytes was skipped"]
    nul = write(pl.DataFrame({"ref": ["a", "b\0"], "new": ["a", "b"]}), tmp_path / "nul.parquet")
    with refused(naming=["'ref'", "2"]):
        corpus_from_table(nul)
    for name, table in (("two", pl.DataFrame({"ref": ["a"], "ref ": ["b"]})), ("none", pl.DataFrame({"ref": []}))):
        with refused(naming=[f"{name}.parquet"]):
            read_table(write(table, tmp_path / f"{name}.parquet"))


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_broken_file_is_refused(tmp_path: Path, ending: str) -> None:
    whole = Path(write(frame(), tmp_path / f"a.{ending}")).read_bytes()
    path = tmp_path / f"broken.{ending}"
    for cut in (0, 1, 4, 8, 60, len(whole) // 2, len(whole) - 1):
        if ending == "ipc" and cut > 8:  # a stream that ends between two messages is whole
            continue
        path.write_bytes(whole[:cut])
        with refused(path=str(path)):
            scores(str(path))
    for content in (b"model,qid\n", gzip.compress(whole)):
        path.write_bytes(content)
        with refused():
            read_table(str(path))


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of bytes, with those of lists, and of rows."""
    path = write(frame(), tmp_path / "a.parquet")
    listed = write(pl.DataFrame({"a": [[1] * 50] * 100, "b": [1.5] * 100}), tmp_path / "b.parquet")
    read_table(listed)
    monkeypatch.setattr(column_files, "SIZE_LIMIT", 10_000)
    with refused(naming=["b.parquet", "10,000"]):
        read_table(listed)
    for limit, to, naming in (("SIZE_LIMIT", 600, ["600"]), ("LINES_LIMIT", 100, ["108", "100"])):
        monkeypatch.setattr(column_files, limit, to)
        with refused(naming=["a.parquet", *naming]):
            scores(path)


def test_only_what_is_needed_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_files, "_ROWS", 10)
    monkeypatch.setattr(field_columns, "_DISTINCT", 4)
    table = frame().with_columns(answer=pl.format("answer {}", pl.int_range(pl.len())))
    read: list[str] = []
    whole = column_files._Reading._texts

    def counted(reading: column_files._Reading, name: str, series: pl.Series, first: int) -> pl.Series:
        read.append(name)
        return whole(reading, name, series, first)

    monkeypatch.setattr(column_files._Reading, "_texts", counted)
    scores(write(table.select("answer", "model", "qid", "acc"), tmp_path / "a.parquet"))
    assert {name: read.count(name) for name in read} == {"answer": 1, "model": 11, "qid": 11, "acc": 11}


def test_polars_may_panic_or_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def panic(*_: object, **__: object) -> None:
        raise pl.exceptions.PanicException("broken")

    path = write(frame(), tmp_path / "a.parquet")
    monkeypatch.setattr(pl, "scan_parquet", panic)
    with refused(naming=["a.parquet"]):
        scores(path)
    monkeypatch.setitem(sys.modules, "polars", None)
    with refused(naming=["'truegain[frames]'"]):
        scores(path)
