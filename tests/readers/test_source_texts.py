"""Sources of segments: each with its own segment, whatever they come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.readers.files import write
from tests.refusals import refused
from truegain.corpus import Corpus, Run, System
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus
from truegain.readers.experiment_file import read_experiment
from truegain.readers.memory import corpus_from_memory
from truegain.studies.transfer import by_domain

NUMBERS = range(6)
ORDER = (3, 0, 5, 1, 4, 2)


def objects(folder: Path, name: str, what: str, order: Any = NUMBERS) -> str:
    return write(folder / name, [{"id": f"s{i}", "text": f"{what} {i}"} for i in order])


def check(corpus: Corpus) -> None:
    """The source of a segment has the number of its reference and outputs."""
    assert corpus.sources is not None
    for i in range(corpus.segments):
        texts = [corpus.sources[i], corpus.references[0][i], *(one.runs[0].outputs[i] for one in corpus.systems)]  # type: ignore[index]
        assert len({str(text).split()[-1] for text in texts}) == 1, texts


def test_sources_are_matched_by_ids(tmp_path: Path) -> None:
    texts = [objects(tmp_path, "a.jsonl", "output", ORDER)], [objects(tmp_path, "ref.jsonl", "reference")]
    corpus = read_corpus(*texts, sources=objects(tmp_path, "src.jsonl", "source", ORDER[::-1]))
    check(corpus)
    assert [one.role for one in corpus.inputs.files] == ["reference", "outputs", "source"]
    assert corpus.inputs.pairing == "id"
    with refused(naming=["src.txt"]):  # which has none
        read_corpus(*texts, sources=write(tmp_path / "src.txt", [f"source {i}" for i in NUMBERS]))


def test_the_column_of_sources_is_taken_before_that_of_texts(tmp_path: Path) -> None:
    rows = [{"id": f"s{i}", "source": f"source {i}", "text": f"output {i}"} for i in ORDER]
    path = write(tmp_path / "all.jsonl", rows)
    for column in (None, "text"):
        corpus = read_corpus([path], [objects(tmp_path, "ref.jsonl", "reference")], sources=path, text_column=column)
        check(corpus)
        assert str(corpus.sources[0]).startswith("source")  # type: ignore[index]


def test_an_experiment_with_a_table_names_no_source(tmp_path: Path) -> None:
    write(tmp_path / "src.txt", ["a"])
    write(tmp_path / "t.csv", ["id,ref,a,b", "1,x,y,z"])
    with refused(naming=["'t'"]):
        read_experiment(write(tmp_path / "e.toml", '[[testset]]\nname = "t"\ntable = "t.csv"\nsource = "src.txt"\n'))


def test_an_experiment_matches_them_too(tmp_path: Path) -> None:
    objects(tmp_path, "a.jsonl", "output", ORDER)
    objects(tmp_path, "b.jsonl", "output", ORDER[::-1])
    objects(tmp_path, "ref.jsonl", "reference")
    objects(tmp_path, "src.jsonl", "source", ORDER[2:] + ORDER[:2])
    systems, testset = '[systems]\na = "a.jsonl"\nb = "b.jsonl"', '[[testset]]\nname = "t"\nreference = "ref.jsonl"'
    (corpus,) = read_experiment(write(tmp_path / "e.toml", [systems, testset, 'source = "src.jsonl"'])).corpora()
    check(corpus)


@pytest.mark.parametrize("column", ["src", "source", "Source"])
def test_a_table_has_its_own(tmp_path: Path, column: str) -> None:
    rows = [f"s{i},source {i},reference {i},output {i},output {i}\n" for i in ORDER]
    corpus = corpus_from_table(write(tmp_path / "t.csv", f"id,{column},ref,a,b\n{''.join(rows)}"))
    check(corpus)
    assert [system.name for system in corpus.systems] == ["a", "b"]


def test_a_long_table_has_its_own(tmp_path: Path) -> None:
    rows = [f"{s},s{i},source {i},reference {i},output {i}\n" for s in "ab" for i in (ORDER if s == "a" else NUMBERS)]
    table = f"system,id,source,reference,output\n{''.join(rows)}"
    check(corpus_from_table(write(tmp_path / "t.csv", table)))
    corpus = corpus_from_table(write(tmp_path / "t.csv", table.replace("source 3", "another", 1)))
    assert corpus.sources is None
    assert "'source'" in str(corpus.notes)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_has_its_own(library: str) -> None:
    frames = pytest.importorskip(library)
    data = {name: [f"{name} {i}" for i in ORDER] for name in ("source", "reference", "a", "b")}
    corpus = corpus_from_memory(None, frames.DataFrame(data))
    check(corpus)
    assert [system.name for system in corpus.systems] == ["a", "b"]
    with refused(naming=["source"]):
        corpus_from_memory(None, frames.DataFrame(data), sources=["x"] * 6)


def test_xml_holds_one(tmp_path: Path) -> None:
    segments = "".join(f'<seg id="{i}">{{}} {i}</seg>' for i in NUMBERS)
    source, reference, output = (f"<p>{segments.format(*[word] * 6)}</p>" for word in ("source", "reference", "output"))
    document = (
        f'<doc id="d" origlang="de"><src lang="de">{source}</src><ref lang="en" translator="A">{reference}</ref>'
        f'<hyp system="x" language="en">{output}</hyp></doc>'
    )
    path = write(tmp_path / "t.xml", f'<?xml version="1.0"?><dataset id="t">{document}</dataset>')
    check(read_corpus([path], [path], sources=path))
    segment = '<refset setid="t"><doc docid="d"><seg id="1">a</seg></doc></refset>'
    with refused(naming=["plain.sgm"]):
        read_corpus([path], [path], sources=write(tmp_path / "plain.sgm", segment))


def test_parts_of_a_corpus_keep_theirs() -> None:
    outputs = tuple(f"output {i}" for i in NUMBERS)
    references, sources = ([f"{what} {i}" for i in NUMBERS] for what in ("reference", "source"))
    systems = [System("x", (Run("x", outputs),))]
    corpus = Corpus.build(systems, [references], sources=sources, domains=[str(i % 2) for i in NUMBERS])
    check(corpus.of_segments([4, 1]))
    for one in by_domain(corpus):
        assert one.segments == 3
        check(one)
    with refused(naming=["5", "6", "source"]):
        Corpus.build(systems, [outputs], sources=["a"] * 5)


def test_programs_give_sequences_or_files(tmp_path: Path) -> None:
    lines = [f"source {i}" for i in NUMBERS]
    path = write(tmp_path / "src.txt", lines)
    texts = [f"reference {i}" for i in NUMBERS], {"x": [f"output {i}" for i in NUMBERS]}
    for sources in (lines, Path(path), path):
        corpus = corpus_from_memory(*texts, sources=sources)
        check(corpus)
        assert corpus.inputs.files[-1].role == "source"
    with refused("sources"):
        corpus_from_memory(None, {"x": [1.0] * 6}, sources=["a"] * 6)
