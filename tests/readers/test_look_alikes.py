"""Plain text that is something else: refused by what its lines look like, and real text is not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from benchmarks.data import REAL_DATA
from tests.readers.files import write
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.corpora import read_corpus
from truegain.readers.look_alikes import LOOK, check_look
from truegain.readers.memory import corpus_from_memory
from truegain.readers.plain import read_lines

TEXT = ["I always do.", "The cat sat on a mat.", "Nobody came."]
IDS = ["1", "2", "3"]


def with_ids(ids: Sequence[str], tab: str = "\t") -> list[str]:
    return [f"{one}{tab}{text}" for one, text in zip(ids, TEXT, strict=True)]


JSON = [json.dumps({"id": i, "text": text}) for i, text in enumerate(TEXT)]
#: Lines that are refused whatever they are given as, the line that is named, and what else must be.
REFUSED: dict[str, tuple[list[str], int | None, list[str]]] = {
    "objects": (JSON, 1, ["JSON", "FILE.jsonl"]),
    "objects and empty lines": ([JSON[0], "", JSON[1]], 1, ["JSON", "text_column=…"]),
    "a key twice": (['{"a": 1, "a": 2}'], 1, ["JSON", "text_column"]),
    "a document": (json.dumps(TEXT, indent=1).split("\n"), None, ["JSON", "one text per line"]),
    "a document of objects": (json.dumps({"a": TEXT}, indent=1).split("\n"), None, ["JSON", "per line"]),
    "a document in one line": (["[" + ", ".join(JSON) + "]"], None, ["JSON", "one text per line"]),
    "XML": (['<?xml version="1.0"?>', "<dataset>"], None, ["XML or SGML", "FILE.xml"]),
    "SGML": (['<refset setid="a">', "<seg>"], None, ["XML or SGML", "FILE.sgm"]),
    "numbers": (with_ids(IDS), 1, ["an id and a tab", "('1'", "'2'", 'id_column="id"']),
    "ids": (with_ids(["doc-a:1", "doc-a:2", "b_7"]), 1, ["an id and a tab", "cut -f2-"]),
    "ids and empty lines": ([*with_ids(IDS), ""], 1, ["an id and a tab", "cut -f2-"]),
    "three columns": ([f"{line}\tx" for line in with_ids(IDS)], 1, ["an id and a tab", "cut -f2-"]),
    "a header": (["ID\ttext", *with_ids(["a", "b", "c"])], 1, ["table", 'text_column="text"']),
}
#: Lines that are text.
TEXTS = {
    "text": TEXT,
    "empty lines": ["", "", ""],
    "a tab here and there": ["a\tb", "c", "d\te"],
    "braces": ["{ a }", "{}", "{b: 1}"],
    "an empty object": ["{}", "{}", "{}"],
    "some objects": [JSON[0], TEXT[1], JSON[2]],
    "lists": ["[1]", "[2]", "[1, 2]"],
    "a list": ["[1, 2]"],
    "brackets": ["[laughter]", "[", "]"],
    "links": ["0-0 1-1", "0-0", "2-1"],
    "trees": ["(S (NN a))", "(S (NN b))", "(S (NN c))"],
    "markup inside": ["a <seg> b", "<b>bold</b>", "<p>"],
    "ids and a blank": with_ids(IDS, " "),
}


def refusals(folder: Path, name: str, lines: Sequence[str]) -> list[InputError]:
    """What is said of lines as a reference and as outputs, in files and from Python."""
    odd = write(folder / name, lines)
    plain = write(folder / "plain.txt", ["w x y z"] * len(lines))
    found = []
    for reference, outputs in ((odd, plain), (plain, odd)):
        from_files = partial(read_corpus, [outputs], [reference])
        for call in (from_files, partial(corpus_from_memory, reference, {"a": Path(outputs)})):
            try:
                call()
            except InputError as error:
                found.append(error)
    return found


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_refused(kind: str, tmp_path: Path) -> None:
    lines, line, naming = REFUSED[kind]
    found = refusals(tmp_path, "odd.txt", lines)
    assert len(found) == 4
    for error in found:
        assert (error.path, error.line) == (str(tmp_path / "odd.txt"), line)
        assert all(told in str(error) for told in naming)


@pytest.mark.parametrize("kind", TEXTS)
def test_what_is_text(kind: str, tmp_path: Path) -> None:
    assert refusals(tmp_path, "odd.txt", TEXTS[kind]) == []


@pytest.mark.parametrize(
    "lines", [["a b\tc d", "e\tf", "g\th"], ["a\tb\tc", "d\te\tf"], ["x y\tz"], ["1\t2", "", "1\t3"]]
)
def test_the_same_number_of_tabs_in_every_line(lines: list[str], tmp_path: Path) -> None:
    tabs = lines[0].count("\t")
    found = refusals(tmp_path, "odd.txt", lines)
    assert len(found) == 2  # as a reference
    for error in found:
        assert all(told in error.message for told in (f"{tabs} tab", f"{tabs + 1} references"))
        assert f"references_per_line={tabs + 1})" in str(error.hint)
    odd = str(tmp_path / "odd.txt")
    plain = write(tmp_path / "plain.txt", ["w x y z"] * len(lines))
    # As outputs they are scored, and it is said.
    (note,) = (note for note in read_corpus([odd], [plain]).notes if note.kind == "tabs")
    assert (note.file, f"{tabs} tab" in note.text) == (odd, True)
    # With --num-refs it is known what tabs are.
    assert read_corpus([plain], [odd], references_per_line=1).references == (tuple(lines),)
    if "" not in lines:
        split = read_corpus([plain], [odd], references_per_line=tabs + 1).references
        assert list(zip(*split, strict=True)) == [tuple(line.split("\t")) for line in lines]


def test_files_of_which_it_was_said_what_they_are(tmp_path: Path) -> None:
    """By an option, or by their names; only the start of a file decides."""
    odd, plain = write(tmp_path / "odd.txt", with_ids(IDS)), write(tmp_path / "plain.txt", TEXT)
    assert read_corpus([plain], [odd], references_per_line=2).references == (tuple(IDS), tuple(TEXT))
    table = [write(tmp_path / name, ["id\ttext", *with_ids(IDS)]) for name in ("a.tsv", "b.tsv")]
    assert read_corpus(table[:1], table[1:], id_column="id", text_column="text").references == (tuple(TEXT),)
    lines = [f"{i}\ttext" for i in range(LOOK)]
    with refused("id_column", "text_column", line=1):
        check_look([*lines, "text"], "a", "system")
    assert check_look(["text", *lines], "a", "system") == []


@pytest.mark.whole
@pytest.mark.skipif(not REAL_DATA.is_dir(), reason="TRUEGAIN_DATA names no folder")
def test_published_texts_are_text() -> None:
    patterns = (
        *("multeval_newstest2010/example/**/*", "nmt_pool/**/*"),
        *(f"{folder}/**/*.gz" for folder in ("align_hansards", "sacrebleu_wmt17_ende", "wmt11_deen")),
        *(f"{folder}/**/*.txt.gz" for folder in ("realsumm_cnndm", "wmt23_mtme")),
    )
    checked = 0
    for path in (path for pattern in patterns for path in sorted(REAL_DATA.glob(pattern)) if path.is_file()):
        if path.name.endswith((".md", ".tsv", ".tsv.gz", ".json")):
            continue
        said = check_look(read_lines(str(path)).lines, str(path), "system")
        # The summaries of one system have three sentences each, between tabs: scored, and noted.
        assert said == [] or "heter_graph" in path.name, path
        checked += 1
    assert checked >= 100
