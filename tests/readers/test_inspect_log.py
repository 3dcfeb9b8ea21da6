"""Logs of Inspect: written here as it writes them, and by Inspect itself."""

from __future__ import annotations

import importlib.util
import itertools
import json
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import zstandard

import truegain as tg
from tests.readers import files
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.any_format import read_scores
from truegain.readers.corpora import read_corpus
from truegain.readers.scores import ScoreTable

HEAD = {"version": 2, "status": "success", "eval": {"task": "sums", "model": "mockllm/model", "config": {"epochs": 2}}}


def sample(item: str | int, epoch: int = 1, *, passage: str = "p1", error: str | None = None, **scores: Any) -> Any:
    made = {
        "id": item,
        "epoch": epoch,
        "input": f"What is {item}?",
        "target": "0",
        "metadata": {"passage": passage, "level": 1, "tags": ["a"]},
        "scores": {name: {"value": value, "answer": "0", "history": []} for name, value in scores.items()},
    }
    return made if error is None else {**made, "error": error}


ROWS = [("q1", 1, "C", 3), ("q2", 1, "I", 5), ("q1", 2, "I", 4), ("q2", 2, "P", 5)]
SAMPLES = [sample(item, epoch, match=match, length=length) for item, epoch, match, length in ROWS]


def archive(path: Path, documents: Mapping[str, Any], method: int = zipfile.ZIP_DEFLATED) -> str:
    """Write a zip archive with a document in JSON for each name; method 93 is that of Inspect, Zstandard."""
    if method != 93:
        with zipfile.ZipFile(path, "w", method) as made:
            for name, document in documents.items():
                made.writestr(name, json.dumps(document))
        return str(path)
    data, directory = b"", b""
    for name, document in documents.items():
        plain, written = json.dumps(document).encode(), name.encode()
        packed = zstandard.compress(plain)
        lengths = (len(packed), len(plain), len(written))
        sizes = struct.pack("<HHHHHIIIHH", 20, 0, 93, 0, 0, zlib.crc32(plain), *lengths, 0)
        directory += b"PK\x01\x02\x14\x00" + sizes + struct.pack("<HHHII", 0, 0, 0, 0, len(data)) + written
        data += b"PK\x03\x04" + sizes + written + packed
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, len(documents), len(documents), len(directory), len(data), 0)
    path.write_bytes(data + directory + end)
    return str(path)


def scores(*paths: str, **columns: Any) -> tg.Corpus:
    return read_corpus(paths, outputs_are_scores=True, **columns)


def table_of(path: Path, samples: Any, head: Mapping[str, Any] = HEAD) -> ScoreTable:
    """Write a log, and read it."""
    (table,) = read_scores(written(path, samples, head))
    return table


def columns_of(table: ScoreTable) -> dict[str, list[float]]:
    return {name: values.tolist() for name, values in table.columns.items()}


def written(path: Path, samples: Any, head: Mapping[str, Any] = HEAD) -> str:
    """Write a log, as an archive or as JSON, by the ending of the file."""
    if path.suffix == ".json":
        return files.write(path, [{**head, "samples": samples}])
    return archive(path, {"_journal/start.json": head, "summaries.json": samples, "header.json": head}, 93)


@pytest.mark.parametrize("name", ["log.eval", "log.json"])
def test_scorers_are_columns_and_epochs_are_averaged(tmp_path: Path, name: str) -> None:
    table = table_of(tmp_path / name, SAMPLES)
    assert columns_of(table) == {"match": [0.5, 0.25], "length": [3.5, 5]}
    assert table.ids == ("q1", "q2")
    assert (table.id_column, table.rows, table.samples) == ("id", 4, (2, 2))
    head = {**HEAD, "eval": {"config": {"epochs_reducer": ["pass_at_2"]}}}
    assert any("pass_at_2" in note.text for note in table_of(tmp_path / name, SAMPLES, head).notes)
    other = written(tmp_path / f"other.{name}", [{**one, "target": "1"} for one in SAMPLES])
    with refused(naming=["other", "1", "0"]):
        scores(str(tmp_path / name), other)
    # A log is no text, and has its own ids.
    with refused("metrics", "references", naming=["other"]):
        read_corpus([other], [files.write(tmp_path / "ref.txt", "a\nb\n")])
    with refused(naming=["'id'", "'question'"]):
        read_scores(other, "question")


METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, 93]


@pytest.mark.parametrize("method", METHODS)
def test_an_archive_is_read_however_it_is_compressed(tmp_path: Path, method: int) -> None:
    """One that was cut off has its journal."""
    (table,) = read_scores(archive(tmp_path / "a.eval", {"summaries.json": SAMPLES, "header.json": HEAD}, method))
    assert table.columns["length"].tolist() == [3.5, 5]
    samples = [sample(f"q{n % 2}", n // 2, match="C") for n in range(12)]
    parts = {f"_journal/summaries/{number}.json": [one] for number, one in enumerate(samples, 1)}
    journal = {"_journal/start.json": {**HEAD, "status": "started"}, **parts}
    (table,) = read_scores(archive(tmp_path / "a.eval", journal, method))
    assert table.rows == 12
    assert any("'started'" in note.text for note in table.notes)


def test_values_by_key_and_values_that_are_no_numbers(tmp_path: Path) -> None:
    samples = [sample(n, judge={"style": n, "facts": True}, choice="B", listed=[1, 2], sure="Yes") for n in (1, 2)]
    table = table_of(tmp_path / "a.json", samples)
    assert columns_of(table) == {"judge.style": [1, 2], "judge.facts": [1, 1], "sure": [1, 1]}
    assert any("choice" in note.text and "listed" in note.text for note in table.notes)


def passages(passage: str = "p0") -> list[Any]:
    """Ten items of five passages, two epochs each; the passage of the first item is as given."""
    cells = [(n, epoch, f"p{n // 2}" if n else passage) for n in range(10) for epoch in (1, 2)]
    return [sample(f"q{n}", epoch, passage=own, match="CI"[(n + epoch) % 2]) for n, epoch, own in cells]


def test_documents_and_domains_come_from_the_metadata(tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{name}.eval", passages()[::-1]) for name in ("base", "new")]
    corpus = scores(*paths, document_column="metadata.passage", domain_column="metadata.level")
    assert corpus.documents == tuple(f"p{n // 2}" for n in range(10))
    assert corpus.domains == ("1",) * 10
    assert corpus.inputs.documents == paths[0]
    grouped = scores(*paths)
    assert grouped.documents is None
    assert set(grouped.labels) == {"metadata.passage", "metadata.level"}
    result = tg.compare(grouped, metrics=["scores"], by="metadata.passage", resamples=19)
    assert result.groups is not None
    assert [(one.group, one.n_units) for one in result.groups.gains] == [(f"p{n}", 2) for n in range(5)]


PASSAGE = "metadata.passage"


@pytest.mark.parametrize(
    ("logs", "column", "message"),
    [
        ([passages(), passages()], "metadata.passages", [PASSAGE, "metadata.level"]),
        ([passages(), passages("p4")], PASSAGE, ["'metadata.passage'", "'p4'", "b.json", "'p0'", "a.json"]),
        ([passages(), [{**one, "metadata": {}} for one in passages()]], PASSAGE, []),
        ([[{**one, "metadata": {}} if one["id"] == "q3" else one for one in passages()]], PASSAGE, [f"'{PASSAGE}'"]),
    ],
)
def test_documents_that_the_logs_do_not_have(tmp_path: Path, logs: list[Any], column: str, message: list[str]) -> None:
    paths = [written(tmp_path / f"{name}.json", own) for name, own in zip("ab", logs, strict=False)]
    with refused(naming=message):
        scores(*paths, document_column=column)


def test_systems_are_named_after_the_models_of_their_logs(tmp_path: Path) -> None:
    models = ("openai/gpt-4.1", "openai/gpt-4.1-mini", "openai/gpt-4.1")
    heads = [{**HEAD, "eval": {"model": model}} for model in models]
    paths = [written(tmp_path / f"{n}.eval", SAMPLES, head) for n, head in enumerate(heads)]

    def names(*systems: str) -> list[str]:
        return [one.name for one in scores(*systems).systems]

    assert names(*paths[:2]) == ["openai/gpt-4.1", "openai/gpt-4.1-mini"]
    assert names(f"base={paths[0]}", paths[1]) == ["base", "openai/gpt-4.1-mini"]
    assert names(f"openai/gpt-4.1-mini={paths[0]}", paths[1]) == ["openai/gpt-4.1-mini", "1"]
    assert names(*paths) == ["0", "1", "2"]
    assert [note.kind for note in scores(*paths[:2]).notes].count("system-names") == 1


@pytest.mark.parametrize(
    "samples",
    [
        *([], "no list", [{"epoch": 1}]),
        *([{"id": None, "scores": {}}], [{"id": 1, "scores": ["C"]}], [{"id": 1, "scores": {}}]),
        *([sample(1, a=odd)] for odd in (float("inf"), 10**400, "B")),
        # Logs that were joined, or two ids that read the same, are not epochs of one sample.
        SAMPLES * 2,
        [sample(1, match="C"), sample("1", match="I")],
    ],
)
def test_logs_that_cannot_be_used(tmp_path: Path, samples: Any) -> None:
    with refused(naming=["a.json"]):
        read_scores(written(tmp_path / "a.json", samples))


def test_archives_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Path(written(tmp_path / "whole.eval", SAMPLES)).read_bytes()
    place = whole.index(b"\x28\xb5\x2f\xfd", whole.index(b"summaries.json")) + 12
    archive(tmp_path / "other.eval", {"a.json": 1})
    archive(tmp_path / "odd.eval", {"summaries.json": {}, "header.json": HEAD})
    damaged = whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :]
    size = struct.pack("<I", len(json.dumps(SAMPLES).encode()))
    assert whole.count(size) == 2
    more = whole.replace(size, struct.pack("<I", 5))  # bytes than it says
    for name, data in (("cut", whole[:-30]), ("text", b"1\n2\n"), ("damaged", damaged), ("more", more)):
        (tmp_path / f"{name}.eval").write_bytes(data)
    for name in ("cut", "other", "odd", "text", "damaged", "more", "none"):
        with refused(naming=[f"{name}.eval"]):
            read_scores(str(tmp_path / f"{name}.eval"))
    # Parts are bounded together: an archive may have any number of them.
    parts = {f"_journal/summaries/{number}.json": [sample(f"q{number}", match="C")] for number in range(40)}
    documents = {"_journal/start.json": HEAD, **parts}
    path = archive(tmp_path / "a.eval", documents)
    limit = sum(len(json.dumps(one)) for one in documents.values())
    monkeypatch.setattr("truegain.readers.inspect_log.SIZE_LIMIT", limit)
    read_scores(path)
    monkeypatch.setattr("truegain.readers.inspect_log.SIZE_LIMIT", limit - 1)
    with refused(naming=[f"{limit - 1:,}"]):
        read_scores(path)


@pytest.mark.whole
@pytest.mark.parametrize("form", ["eval", "json"])
def test_the_scores_are_those_that_inspect_reads(tmp_path: Path, form: str) -> None:
    """Two scorers, three epochs, and a sample that fails after the first scorer."""
    if importlib.util.find_spec("inspect_ai") is None:
        pytest.skip("Inspect is not installed (make engines)")
    command = [sys.executable, str(Path(__file__).with_name("inspect_peer.py")), form]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    peer = json.loads(done.stdout.splitlines()[-1])
    assert peer["status"] == "success"
    (table,) = read_scores(peer["location"])
    assert list(table.columns) == list(peer["reductions"]) == ["includes", "size"]
    for scorer, values in peer["reductions"].items():
        own = dict(zip(table.ids or (), table.columns[scorer].tolist(), strict=True))
        assert own == pytest.approx(values)
        assert table.columns[scorer].mean() == pytest.approx(peer["means"][scorer])
    assert any(note.text.startswith("1 of 30 ") for note in table.notes)


@pytest.mark.whole
@pytest.mark.parametrize("method", METHODS)
def test_any_byte_that_is_changed_is_an_error_in_words(tmp_path: Path, method: int) -> None:
    """Whatever the compression: what it raises itself is no answer."""
    made = archive(tmp_path / "a.eval", {"header.json": HEAD, "summaries.json": SAMPLES}, method)
    whole = Path(made).read_bytes()
    right = columns_of(read_scores(made)[0])
    refused = 0
    for place, bit in itertools.product(range(0, len(whole), 3), (1, 128)):
        (tmp_path / "b.eval").write_bytes(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
        try:  # a byte may say nothing of the two documents, such as a time
            assert columns_of(read_scores(str(tmp_path / "b.eval"))[0]) == right
        except InputError:
            refused += 1
    assert refused > 100


def test_samples_that_some_scorer_did_not_score(tmp_path: Path) -> None:
    """A failed sample counts where a scorer gave it a score; a scorer that left an item out is passed over."""
    failed = [sample("q1", 3, match="C", error="RuntimeError"), sample("q2", 3, error="RuntimeError")]
    table = table_of(tmp_path / "a.eval", [*SAMPLES, *failed])
    assert table.columns["match"].tolist() == pytest.approx([2 / 3, 0.25])
    assert table.columns["length"].tolist() == [3.5, 5]
    assert any(note.text.startswith("2 of 6 ") for note in table.notes)
    table = table_of(tmp_path / "a.json", [*SAMPLES, sample("q3", 1, match="C", length=float("nan"))])
    assert list(table.columns) == ["match"]
    assert any("length" in note.text and "'q3'" in note.text for note in table.notes)
    with refused(naming=["'q2'", "1", "2"]):
        read_scores(written(tmp_path / "b.eval", [sample("q1", match="C"), sample("q2", error="TimeoutError")]))
