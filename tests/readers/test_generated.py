"""What decoders write: output of fairseq-generate, and lists of hypotheses of Moses and Marian."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

import truegain as tg
from tests.readers.files import location, write
from tests.refusals import refused
from truegain.corpus import Corpus
from truegain.readers.corpora import read_corpus
from truegain.readers.folder import look_through
from truegain.readers.memory import corpus_from_memory

SENTENCES = ["the cat sat", "a dog ran off", "", "it is late"]


def generated(sentences: list[str], *, detokenized: bool = True, nbest: int = 1) -> str:
    """Write as fairseq-generate does: sorted by length, with logs around."""
    blocks = []
    for number, text in enumerate(sentences):
        block = [f"S-{number}\tquelle {number}", f"T-{number}\tref {number}"]
        for place in range(nbest):
            best = f"{text} {place}" if place else text
            block.append(f"H-{number}\t{-0.25 - place}\t{best.replace('o', 'o@@ ')}")
            block += [f"D-{number}\t{-0.25 - place}\t{best}"] if detokenized else []
            block.append(f"P-{number}\t-0.1 -0.2 -0.45")
        blocks.append("\n".join(block))
    random.Random(1).shuffle(blocks)
    return "\n".join(["2024-05-01 10:00:00 | INFO | loaded", *blocks, "Generate test with beam=5: BLEU4 = 31.40", ""])


def outputs(corpus: Corpus) -> list[Sequence[str] | None]:
    return [run.outputs for system in corpus.systems for run in system.runs]


@pytest.mark.parametrize("nbest", [1, 5])
@pytest.mark.parametrize("name", ["gen.txt", "gen.out"])
def test_fairseq(tmp_path: Path, name: str, nbest: int) -> None:
    path = write(tmp_path / name, generated(SENTENCES, nbest=nbest))
    other = write(tmp_path / "other.txt", SENTENCES)
    corpus = read_corpus([f"gen={path}", other], [path])
    assert outputs(corpus) == [tuple(SENTENCES)] * 2
    assert corpus.references == (("ref 0", "ref 1", "ref 2", "ref 3"),)
    assert corpus.systems[0].name == "gen"
    (said,) = (note.text for note in corpus.notes if (note.kind, note.file) == ("generated", path))
    assert all(told in said for told in ("fairseq-generate: 4 detokenized hypotheses (D lines)", "sorted by id"))
    assert ("the first of up to 5 per id" in said) == (nbest > 1)
    assert outputs(corpus_from_memory(other, {"gen": Path(path)})) == [tuple(SENTENCES)]


def test_fairseq_without_detokenized_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "gen.txt", generated(["a o b", "c"], detokenized=False))
    corpus = read_corpus([path], [path])
    assert outputs(corpus) == [("a o@@  b", "c")]
    (said,) = (note.text for note in corpus.notes if note.kind == "generated")
    assert all(told in said for told in ("2 hypotheses (H lines)", "sorted by id"))


LIST = """0 ||| the cat sat ||| F0= -1.5 ||| -0.4
0 ||| the cat ||| F0= -1.7 ||| -0.5
1|||a dog ran off  ||| d= 0 -3.3 lm= -47.3 ||| -9.2
2 |||  ||| F0= -2 ||| -1
2 ||| x ||| F0= -1 ||| -0.5
3 ||| it is late ||| F0= -0.1 ||| -0.1
"""


def test_lists_of_hypotheses(tmp_path: Path) -> None:
    path = write(tmp_path / "base.nbest", LIST)
    reference = write(tmp_path / "ref.txt", "a\nb\nc\nd\n")
    corpus = read_corpus([path], [reference])
    assert outputs(corpus) == [tuple(SENTENCES)]
    said = "a list of hypotheses: the first of 1 to 2 was taken for each of 4 sentences; of 1 sentences another one"
    assert any(said in str(note) for note in corpus.notes)
    with refused(naming=["base.nbest"]):
        read_corpus([reference], [path])


BLOCK = "S-0\ta\nT-0\tb\nH-0\t-1\tc\nD-0\t-1\tc\n"
BROKEN = {
    "fairseq: an id twice": (BLOCK + BLOCK.replace("-0\t", "-1\t") + BLOCK, 9, ["the id 0 stands in line 1 already"]),
    "fairseq: twice in a row": (BLOCK + BLOCK, 5, ["the id 0 stands in line 1 already"]),
    "fairseq: a gap": (BLOCK + BLOCK.replace("-0\t", "-2\t"), None, ["there is no S-1", "S lines up to S-2"]),
    "fairseq: not from 0": (BLOCK.replace("-0\t", "-1\t"), None, ["there is no S-0"]),
    "fairseq: no score": (BLOCK + "H-1\tc\n", 5, ["H-1 has no score", "a tab and a text"]),
    "fairseq: some without D": (BLOCK + "H-1\t-1\tc\n", 5, ["there is no S-1", "other ids have such a line"]),
    "fairseq: no T": ("H-0\t-1\tc\nH-1\t-1\tc\nT-1\tx\n", 1, ["there is no T-0", "other ids have such a line"]),
    "list: a gap": (LIST.replace("2 |||", "4 |||"), 4, ["the id 4 where 2 was expected", "from 0"]),
    "list: not from 0": ("1 ||| a ||| b ||| 1\n", 1, ["the id 1 where 0 was expected"]),
    "list: an id again": (LIST + "0 ||| x ||| y ||| 1\n", 7, ["the id 0 comes again", "begin in line 1"]),
    "list: another line": (LIST + "some text\n", 7, ["not an entry of the list", "id ||| text ||| scores"]),
    "list: an empty line": (LIST + "\n" + LIST, 7, ["an empty line", "id ||| text ||| scores"]),
    "list: no scores": (LIST + "4 ||| x\n", 7, ["the line is not an entry of the list"]),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_output_is_refused(tmp_path: Path, what: str) -> None:
    text, line, naming = BROKEN[what]
    path = write(tmp_path / "out.txt", text)
    with refused(naming=[location(path, line), *naming]):
        read_corpus([path], [write(tmp_path / "ref.txt", "a\n")])


@pytest.mark.parametrize("text", ["H-1 B visa\tx\n", "A ||| b ||| c\n", "1 ||| x\n", "H-12\tno number\tx\n"])
def test_text_with_such_marks_stays_text(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "out.txt", f"some text\n{text}")
    corpus = read_corpus([path], [write(tmp_path / "ref.txt", "a\nb\n")])
    assert outputs(corpus) == [("some text", text.removesuffix("\n"))]


def test_a_folder_of_outputs(tmp_path: Path) -> None:
    write(tmp_path / "ref.txt", "a\nb\nc\nd\n")
    for name, text in (("base", generated(SENTENCES)), ("new", LIST), ("short", "x\n")):
        write(tmp_path / f"{name}.txt", text)
    found = look_through(str(tmp_path))
    assert sorted(found.testsets[0].systems) == ["base", "new"]
    assert [path for path, _ in found.left_out] == ["short.txt"]


def test_a_score_that_the_data_has(shared_data: Path) -> None:
    """The first hypotheses have the BLEU that the README of the lists says."""
    reference = shared_data / "nmt_pool" / "test2016" / "ref.en.gz"
    systems = {"forward": shared_data / "nmt_nbest" / "test2016.nbest.gz"}
    result = tg.score(reference, systems, metrics=["bleu:tokenize=none"], resamples=10)
    assert round(result.to_records()[0]["score"], 2) == 40.33
