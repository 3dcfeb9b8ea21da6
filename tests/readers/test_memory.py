"""What Python programs hold: sequences, arrays, paths."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import truegain as tg
from tests.readers.files import write
from tests.refusals import refused
from truegain.metrics.bleu import BLEU
from truegain.readers.memory import corpus_from_memory

LINES = ["the cat sat", "a dog ran", "it was late"]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    rows = {"ref": [{"id": i, "text": LINES[i]} for i in range(3)]}
    rows["base"] = [{"id": i, "text": f"{LINES[i]} x"} for i in (2, 1, 0)]
    return {name: Path(write(tmp_path / f"{name}.jsonl", own)) for name, own in rows.items()}


def test_files_with_ids_are_matched(files: dict[str, Path]) -> None:
    corpus = corpus_from_memory(files["ref"], {"base": str(files["base"])})
    assert corpus.references == (tuple(LINES),)
    assert corpus.systems[0].runs[0].outputs == tuple(f"{line} x" for line in LINES)


def test_a_list_of_names_of_files_is_not_taken_for_segments(files: dict[str, Path]) -> None:
    names = [str(path) for path in files.values()]
    with refused(naming=names[:1]):
        corpus_from_memory(LINES, {"base": names})
    assert len(corpus_from_memory(files["ref"], {"base": [files["base"]]}).systems[0].runs) == 1


def test_documents_from_a_file(tmp_path: Path) -> None:
    path = Path(write(tmp_path / "docs.txt", ["a", "a", "b"]))
    assert corpus_from_memory(LINES, {"s": ["x", "y", "z"]}, documents=path).documents == ("a", "a", "b")


def test_arguments_that_are_something_else() -> None:
    with refused(naming=["system"]):
        corpus_from_memory(LINES, [LINES])  # type: ignore[arg-type]
    corpus = corpus_from_memory(LINES, {"s": ["x", "y", "z"]})
    with pytest.raises(TypeError, match="holds its systems"):
        tg.score(corpus, documents=["a", "b", "c"])
    with refused(naming=["'truegain.metrics.bleu.BLEU'"]):
        tg.score(corpus, metrics=[BLEU])  # type: ignore[list-item]
    for options in ({"resamples": 1e2}, {"seed": None}, {"jobs": 1.5}):
        with refused(naming=["number"]):
            tg.score(corpus, **options)
    assert tg.score(corpus, metrics="chrf", resamples=10).metrics[0].key == "chrf"


def test_an_array_with_a_row_per_segment_is_asked_about() -> None:
    scores = np.arange(12.0).reshape(6, 2)
    with refused(naming=["'s'", "6", "2"]):
        corpus_from_memory(None, {"s": scores})
    assert [len(corpus_from_memory(None, {"s": given}).systems[0].runs) for given in (scores.T, list(scores))] == [2, 6]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.5, None], ["'s'", "'None'", "2"]),
        ([None, 0.5], ["'s'", "'None'", "1"]),
        ([0.5, True], ["'s'", "'True'", "2"]),
        ([True, 1], ["'s'", "'1'", "2"]),
        ([0.5, "0.5"], ["'s'", "'0.5'", "2"]),
    ],
)
def test_scores_that_are_something_else(values: list[object], message: list[str]) -> None:
    with refused(naming=message):
        corpus_from_memory(None, {"s": values})


def test_segments_of_systems_that_share_a_file() -> None:
    first, second, third = ["x", "y", "z"], ["x", "y", "w"], ["x", "y", "v"]
    assert len(tg.score(LINES, {"a": first, "a.1": second}, segments=True, resamples=10).segments) == 2
    runs = tg.score(LINES, {"a": [first, third], "a.1": second}, segments=True, resamples=10)
    assert sorted(run for _, run in runs.segments) == ["a.1: a.1", "a.2", "a: a.1"]


@pytest.mark.parametrize("segment", ["", ".", "..", " "])
def test_segments_that_could_be_folders_are_segments(segment: str) -> None:
    assert corpus_from_memory(["a", "b"], {"silent": [segment] * 2}).systems[0].runs[0].outputs == (segment,) * 2


def test_lines_as_python_reads_them_have_no_ends() -> None:
    corpus = corpus_from_memory([f"{line}\n" for line in LINES], {"base": [f"{line}\r\n" for line in LINES]})
    assert corpus.references == (tuple(LINES),)
    assert corpus.systems[0].runs[0].outputs == tuple(LINES)
