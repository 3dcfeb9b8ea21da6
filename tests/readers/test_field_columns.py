"""Columns that take a few bytes per row, and what is held of a long table."""

from __future__ import annotations

import csv
import itertools
import json
import os
import random
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import truegain as tg
from tests.readers.files import write
from tests.refusals import refused
from truegain.readers import csv_tables, field_columns, json_lines, plain
from truegain.readers.any_format import read_table
from truegain.readers.corpora import read_corpus
from truegain.readers.field_columns import CodedColumn, ColumnBuilder, FieldColumn, coded, joined
from truegain.readers.formats import File

FIELDS = st.lists(st.sampled_from(["", "a", "b", "0.5", "é", "c\nd", None, "long text", "\ud800"]), min_size=1)


def built(blocks: Iterable[Sequence[str | None]], **options: bool) -> FieldColumn:
    builder = ColumnBuilder(**options)
    for block in blocks:
        builder.add(block)
    return builder.column()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_columns, "_DISTINCT", 3)
    monkeypatch.setattr(field_columns, "_BLOCK", 2)


@given(
    blocks=st.lists(FIELDS, min_size=1, max_size=5).map(lambda blocks: [*blocks, []]),
    distinct=st.integers(0, 9),
    labels=st.booleans(),
)
def test_every_field_comes_back(blocks: list[list[str | None]], distinct: int, labels: bool) -> None:
    every = [field for block in blocks for field in block]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(field_columns, "_DISTINCT", distinct)
        patch.setattr(field_columns, "_BLOCK", 2)
        column = built(blocks, labels=labels)
        assert list(column) == every
        assert [column[place] for place in range(len(column))] == every
        assert column[-1] == every[-1]
        assert column[1:3] == every[1:3]
        assert list(dict.fromkeys(column.distinct())) == list(dict.fromkeys(every))
        assert coded(column).values == list(dict.fromkeys(every))
        assert list(joined([column, built([every]), column])) == every * 3
        with pytest.raises(IndexError):
            column[len(every)]


@pytest.mark.usefixtures("few")
def test_fields_that_differ_are_packed_unless_they_are_names() -> None:
    numbers = [[f"{i / 7}" for i in range(first, first + 5)] for first in range(0, 50, 5)]
    assert not isinstance(built(numbers), CodedColumn)
    assert isinstance(built(numbers, labels=True), CodedColumn)
    assert isinstance(built([["a", "b", "c", "d"] * 9]), CodedColumn)
    # Only texts that are no names are dropped.
    texts = [["a text", f"text {i}"] for i in range(9)]
    dropped = built(texts, droppable=True)
    assert (len(dropped), dropped.kept) == (18, False)
    assert not joined([dropped, built(texts)]).kept
    assert built(texts, droppable=True, labels=True).kept
    assert built([[f"{i / 7}", "NA"] for i in range(9)], droppable=True).kept
    with pytest.raises(AssertionError):
        list(dropped)


def long_table(path: Path, samples: int, text: str = "x", *, items: int = 40) -> str:
    made = random.Random(5)
    with path.open("w", encoding="utf-8") as file:
        file.write("model,item,sample,score,answer\n")
        for system, item, sample in itertools.product(range(10), range(items), range(samples)):
            answer = f"{text}{made.random()}"
            file.write(f"system-{system},question-{item:05},{sample},{made.random():.4f},{answer}\n")
    return str(path)


def as_json_lines(path: str, *, inside: bool = False) -> str:
    """Write a CSV of :func:`long_table` again, an object per line, its scores in it or inside another."""
    target = Path(path).with_suffix(".jsonl")
    with Path(path).open(encoding="utf-8", newline="") as source, target.open("w", encoding="utf-8") as file:
        for row in csv.DictReader(source):
            given = {"score": float(row.pop("score"))}
            file.write(json.dumps(row | ({"given": given} if inside else given)) + "\n")
    return str(target)


def scores(*files: str) -> tg.Corpus:
    return read_corpus(files, outputs_are_scores=True)


def bits(*files: str, column: str = "score") -> list[tuple[str, bytes]]:
    """The scores of each system, to the bit."""
    return [(system.name, system.runs[0].scores[column].tobytes()) for system in scores(*files).systems]


MEASURED = """
import sys, tracemalloc
from truegain.readers import field_columns
from truegain.readers.corpora import read_corpus
field_columns._DISTINCT = 500
read_corpus(sys.argv[1:], outputs_are_scores=True)  # modules are loaded
tracemalloc.start()
read_corpus(sys.argv[1:], outputs_are_scores=True)
print(tracemalloc.get_traced_memory()[1])
"""


def peak(path: str) -> int:
    """Measure the memory that reading takes, in a process whose threads and garbage are no other test's."""
    done = subprocess.run([sys.executable, "-c", MEASURED, path], check=True, capture_output=True, text=True)
    return int(done.stdout)


@pytest.mark.whole
def test_memory_does_not_grow_with_texts_that_are_not_used(tmp_path: Path) -> None:
    short = long_table(tmp_path / "short.csv", 20, "x")
    wide = long_table(tmp_path / "wide.csv", 20, "an answer in many words " * 50)
    grown = Path(wide).stat().st_size - Path(short).stat().st_size
    assert grown > 9_000_000
    assert peak(wide) - peak(short) < grown / 5  # the first 500


@pytest.mark.whole
@pytest.mark.parametrize(("made", "in_file"), [(str, 50), (as_json_lines, 100)])
def test_a_row_takes_fewer_bytes_than_in_the_file(tmp_path: Path, made: Callable[[str], str], in_file: int) -> None:
    few, many = (made(long_table(tmp_path / f"{samples}.csv", samples)) for samples in (60, 240))  # both many blocks
    more = 180 * 10 * 40
    assert (Path(many).stat().st_size - Path(few).stat().st_size) / more > in_file
    assert (peak(many) - peak(few)) / more < 45


OBJECT = st.just({"f": [1, {"g": None}]})
VALUES = st.one_of(st.none(), st.sampled_from(["x", "", "é"]), st.integers(), st.booleans(), OBJECT)
KEYS = st.dictionaries(st.sampled_from("abcde"), VALUES, min_size=1)


@given(records=st.lists(KEYS, min_size=1, max_size=9), rows=st.integers(1, 4))
def test_keys_that_come_late_are_missing_before(records: list[dict[str, object]], rows: int) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_lines, "_ROWS", rows)
        table = json_lines.json_table(File(write(Path(folder) / "a.jsonl", records), table=True))
    names = list(dict.fromkeys(key for one in records for key in one))
    assert list(table.columns) == names
    for name in names:
        values = [one.get(name) for one in records]
        texts = [one if one is None or isinstance(one, str) else json.dumps(one) for one in values]
        assert list(table.columns[name]) == texts
        first = next(((row, one) for row, one in enumerate(values, 1) if not isinstance(one, str | None)), None)
        assert table.odd.get(name) == first


def test_a_file_of_json_lines_is_not_held_to_tell_what_it_is(tmp_path: Path) -> None:
    file = File(write(tmp_path / "a.jsonl", '{"a": 1}\n' * 3), table=True)
    assert file.json is None
    assert "lines" not in vars(file)
    for text, value in (('{"a": 1}\n\n', {"a": 1}), ("[1,\n2]\n", [1, 2]), ('{"a":\n1}', {"a": 1})):
        assert File(write(tmp_path / "a.jsonl", text), table=True).json == value


def test_cells_are_the_same_however_they_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As are those of objects within JSON lines."""
    path = long_table(tmp_path / "a.csv", 3)
    lines = Path(path).read_text(encoding="utf-8").splitlines(keepends=True)
    whole = bits(path)
    objects = as_json_lines(path, inside=True)
    quoted = [re.sub(r"question-\d+", r'"\g<0>"', line) for line in lines[700:]]
    halves = (lines[:700], [lines[0], *quoted])
    parts = [write(tmp_path / f"{number}.csv", "".join(own)) for number, own in enumerate(halves)]
    for distinct, rows in ((1, 7), (1_000, 1_000), (1 << 16, 1 << 10)):
        monkeypatch.setattr(field_columns, "_DISTINCT", distinct)
        monkeypatch.setattr(json_lines, "_ROWS", rows)
        for files in ([path], parts, parts[::-1]):
            assert bits(*files) == whole
        assert bits(objects, column="given.score") == whole


def test_places_are_right_whatever_the_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "_BLOCK", 16)
    monkeypatch.setattr(csv_tables, "_ROWS", 2)
    rows = [("a", "1"), ("b", "2"), ('"c\nd\n\n"', "3"), ("e", "4"), ('"f\n"', "5"), ("g", "6"), ("h", "7")]
    written = ["text,score", *(f"{one},{two}" for one, two in rows)]
    table = read_table(write(tmp_path / "a.csv", written))
    assert list(table.lines or ()) == [2, 3, 4, 8, 9, 11, 12]
    assert [table.lines[place] for place in range(7)] == [2, 3, 4, 8, 9, 11, 12] if table.lines else False
    with refused(line=13, naming=["3", "2"]):
        read_table(write(tmp_path / "a.csv", [*written, "i,j,k"]))
    with refused(line=32, naming=["1", "2"]):
        read_table(write(tmp_path / "a.tsv", "text\tscore\n" + "some\t1\n" * 30 + "other\n"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_table_may_come_through_a_pipe(tmp_path: Path) -> None:
    path = long_table(tmp_path / "a.csv", 2)
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(Path(path).read_bytes()))
    writer.start()
    piped = bits(str(pipe))
    writer.join()
    assert piped == bits(path)


@pytest.mark.usefixtures("few")
def test_files_of_one_system_keep_their_texts(tmp_path: Path) -> None:
    base, new = (
        write(tmp_path / f"{name}.csv", ["model,question,score", *(f"{name},question {i},{i / 7}" for i in order)])
        for name, order in (("base", range(9)), ("new", range(8, -1, -1)))
    )
    with refused("id_column", naming=["new.csv"]):
        scores(f"a={base}", f"b={new}")
    assert scores(base).systems[0].runs[0].scores["score"].tolist() == [i / 7 for i in range(9)]


def test_missing_and_bad_scores_are_named_in_any_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for bad, said in (("NA", "has no score in 1 row"), ("1,5", "'1,5' is not a number"), ("inf", "the score is inf")):
        rows = [f'base,{i},"{bad if i == 33 else i / 7}"' for i in range(40)]
        path = write(tmp_path / "a.csv", ["system,id,score", *rows, *(f"new,{i},{i / 9}" for i in range(40))])
        for distinct in (4, 1 << 16):
            monkeypatch.setattr(field_columns, "_DISTINCT", distinct)
            with refused(line=35, naming=[said, "'score'"]):
                scores(path)
