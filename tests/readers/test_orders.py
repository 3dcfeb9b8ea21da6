"""Rows and runs that are paired by their places: another order is seen wherever files show one."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus
from truegain.readers.file_names import check_run_order
from truegain.readers.frames import corpus_from_frame
from truegain.readers.memory import corpus_from_memory
from truegain.readers.orders import check_row_order, different_values

Write = Callable[..., str]
Read = Callable[..., tg.Corpus]
Rows = dict[str, list[dict[str, Any]]]

N = 8
TEXTS = {name: [f"{name} the cat number {i} sat" for i in range(N)] for name in ("ref", "a", "b")}
SCORES = {name: random.Random(name).sample(range(100), N) for name in "ab"}
STRAIGHT, TURNED = list(range(N)), [*range(1, N), 0]


def texts(write: Write, order: Sequence[int], key: str, *, numbers: bool) -> list[str]:
    """A reference, a system in its order, and one in another, with ids of an unusual name."""
    orders = {"ref": STRAIGHT, "a": STRAIGHT, "b": order}
    rows = {name: [{key: i if numbers else f"k{i}", "text": TEXTS[name][i]} for i in orders[name]] for name in TEXTS}
    return [write(f"{name}.jsonl", *own) for name, own in rows.items()]


@pytest.mark.parametrize("numbers", [True, False])
def test_texts_with_ids_of_an_unusual_name(write: Write, numbers: bool) -> None:
    reference, *systems = texts(write, TURNED, "key", numbers=numbers)
    with refused(naming=["b.jsonl", "ref.jsonl", "truegain.read_corpus", "id_column"]):
        read_corpus(systems, [reference])
    with refused("id_column", naming=["b.jsonl"]):
        tg.compare(Path(reference), {"a": Path(systems[0]), "b": Path(systems[1])})
    assert read_corpus(systems, [reference], id_column="key").systems[1].runs[0].outputs == tuple(TEXTS["b"])
    reference, *systems = texts(write, STRAIGHT, "key", numbers=numbers)
    assert read_corpus(systems, [reference]).inputs.pairing == "line"


def test_scores_with_numbers_of_items(write: Write) -> None:
    def files(order: Sequence[int]) -> list[str]:
        rows = {
            "a": [f"{i}\t{SCORES['a'][i] / 8}" for i in STRAIGHT],
            "b": [f"{i}\t{SCORES['b'][i] / 8}" for i in order],
        }
        return [write(f"{name}.tsv", "idx\tscore", *own) for name, own in rows.items()]

    with refused(naming=["b.tsv", "a.tsv", "1"]):
        read_corpus(files(TURNED), outputs_are_scores=True)
    assert read_corpus(files(STRAIGHT), outputs_are_scores=True).segments == N
    # Of one column, whole numbers are scores.
    alone = [write(f"{name}.txt", "score", *(i for i in order)) for name, order in (("a", STRAIGHT), ("b", TURNED))]
    assert read_corpus(alone, outputs_are_scores=True).segments == N


@pytest.fixture
def scored(write: Write) -> Read:
    """Read systems of texts with scores beside them, which are of these texts but for what is changed."""
    held = TEXTS | {"src": [f"s{i}" for i in range(N)]}
    plain = [write(f"{name}.txt", *lines) for name, lines in held.items()]
    rows = {name: [{"id": i, "text": line} for i, line in enumerate(lines)] for name, lines in held.items()}
    with_ids = [write(f"{name}.jsonl", *own) for name, own in rows.items()]

    def read(form: str, change: Callable[[Rows], None]) -> tg.Corpus:
        rows: Rows = {name: [] for name in "ab"}
        for name, i in itertools.product("ab", STRAIGHT):
            rows[name].append({"src": f" s{i}", "mt": f"{TEXTS[name][i]} ", "ref": TEXTS["ref"][i], "COMET": i / 8})
        change(rows)
        if form == "comet":
            files = [write("comet.json", rows)]
        elif form == "lines":
            files = [f"{name}={write(f'{name}.jsonl', *own)}" for name, own in rows.items()]
        else:
            files = []
            for name, own in rows.items():
                keyed = [{"id": i, **row} for i, row in enumerate(own)][:: 1 if name == "a" else -1]
                lines = ["\t".join(keyed[0]), *("\t".join(map(str, row.values())) for row in keyed)]
                files.append(f"{name}={write(f'{name}.scores.tsv', *lines)}")
        reference, first, second, source = with_ids if form == "table" else plain
        return read_corpus([first, second], [reference], scores=files, sources=source)

    return read


FORMS = ["comet", "lines", "table"]  # the table has ids, in another order


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("column", "file"), [("mt", "b"), ("src", "src"), ("ref", "ref")])
def test_scores_of_other_texts_are_refused(scored: Read, form: str, column: str, file: str) -> None:
    """One text suffices; white space at its ends does not."""

    def change(rows: Rows) -> None:
        for place in (4, 6):
            rows["b"][place][column] = f"{rows['b'][place][column].strip()} but not quite"

    assert scored(form, lambda rows: None).segments == N
    where = {"comet": "comet.json (b)", "lines": "b.jsonl", "table": "b.scores.tsv"}[form]
    with refused(naming=[where, 7 if form == "table" else 5, f"'{column}'", f"{file}."]):
        scored(form, change)


@pytest.mark.parametrize("form", FORMS)
def test_scores_of_another_system_or_in_another_order_are_refused(scored: Read, form: str) -> None:
    def swap(rows: Rows) -> None:
        rows["a"], rows["b"] = rows["b"], rows["a"]

    def turn(rows: Rows) -> None:
        for name in "ab":
            rows[name] = [{key: rows[name][i][key] for key in ("src", "COMET")} for i in TURNED]

    with refused(naming=["'mt'", "of b."]):
        scored(form, swap)
    if form != "table":  # which has ids
        with refused(naming=["'src'", "'s0'", "src.txt"]):
            scored(form, turn)


def test_scores_of_much_the_same_system_are_told_from_one_other_text(write: Write) -> None:
    """Of long texts only where they differ is shown."""
    long = "a word that comes again " * 9
    lines = {"a": [*"pqrstu"], "b": [*"pqrst", f"{long}v"]}
    systems = [write(f"{name}.txt", *own) for name, own in lines.items()]
    for scored, other in ((lines["a"], True), ([*"pqrsx", f"{long}v"], False), ([*"pqrst", f"{long}c"], False)):
        rows = {
            name: [{"mt": line, "COMET": i} for i, line in enumerate(own)]
            for name, own in (("a", lines["a"]), ("b", scored))
        }
        with pytest.raises(InputError, match="'mt'") as raised:
            read_corpus(systems, [write("ref.txt", *"123456")], scores=[write("comet.json", rows)])
        assert ("a.txt" in str(raised.value.hint)) == other
        assert long not in str(raised.value)


def test_columns_that_are_no_texts_that_were_scored(scored: Read) -> None:
    """A column may be named source or output, and hold labels, or what a judge wrote."""

    def label(rows: Rows) -> None:
        for own in rows.values():
            own[:] = [
                {"source": "news", "output": f"I rate it {i}", "COMET": row["COMET"]} for i, row in enumerate(own)
            ]

    assert scored("comet", label).segments == N


@pytest.mark.parametrize("references", [["ref.txt", "more.txt"], ["more.txt", "ref.txt"]])
def test_scores_by_one_of_several_references(write: Write, references: list[str]) -> None:
    write("ref.txt", "r", "s")
    write("more.txt", "r", "t")
    system = write("a.txt", "x", "y")
    rows = [{"ref": "r", "COMET": 1}, {"ref": "s", "COMET": 2}]
    assert read_corpus([system], references, scores=[f"a={write('a.jsonl', *rows)}"]).segments == 2
    rows[1]["ref"] = "u"
    with refused(naming=["'ref'", "'u'", "2"]):
        read_corpus([system], references, scores=[f"a={write('a.jsonl', *rows)}"])


def test_what_shows_an_order() -> None:
    found = different_values({"x": ["1", "2"], "y": ["1", "1"], "z": ["1", None]})
    assert found == {"x": ("1", "2")}
    check_row_order([("f", found), ("g", {"x": ("1", "3")}), ("h", {"y": ("2", "1")})])
    with refused("id_column"):
        check_row_order([("f", found), ("g", {}), ("h", {"x": ("2", "1")})])
    several = {"src": ("1", "1", "2"), "key": ("0", "1", "2")}
    with refused(naming=["'key'", "'1'", "'0'"]):
        check_row_order([("f", several), ("g", {name: own[1:] + own[:1] for name, own in several.items()})])


def test_documents_numbered_in_another_order(write: Write) -> None:
    plain = [write(f"{name}.txt", *own) for name, own in TEXTS.items()]

    def read(numbers: Sequence[object]) -> tg.Corpus:
        rows = [f"{number}\td{i // 2}" for i, number in enumerate(numbers)]
        return read_corpus(plain[1:], plain[:1], documents=write("docs.tsv", "idx\tdoc", *rows))

    for first in (0, 1):
        with refused(naming=["'idx'", "docs.tsv"]):
            read([i + first for i in TURNED])
        assert len(set(read([i + first for i in STRAIGHT]).documents or ())) == 4
    for others in ([i % 2 for i in STRAIGHT], [i * 2 for i in TURNED], ["x", *TURNED[1:]]):  # which count nothing
        assert read(others).documents is not None


@pytest.mark.parametrize(
    ("runs", "others"),
    [
        (["new.1.txt", "new.10.txt", "new.2.txt"], ["new.01.sc", "new.02.sc", "new.10.sc"]),
        (["a.txt", "b.txt"], ["b.sc", "a.sc"]),
        (["seed1/x.txt", "seed2/x.txt"], ["s/seed2/x.sc", "s/seed1/x.sc"]),
    ],
)
def test_runs_in_another_order(runs: list[str], others: list[str]) -> None:
    with refused(naming=["'new'"]):
        check_run_order("new", runs, others, "scores")
    check_run_order("new", runs, [f"{one}.sc" for one in runs], "scores")
    check_run_order("new", runs, [f"other{i}.sc" for i in range(len(runs))], "scores")  # names that say nothing


def test_runs_in_a_file_of_all_systems(write: Write) -> None:
    held = {f"new.seed{run}.txt": [{"COMET": i + run} for i in STRAIGHT] for run in (1, 2)}
    notes = read_corpus([write("comet.json", held)], outputs_are_scores=True).notes
    (note,) = (note for note in notes if note.kind == "runs-as-systems")
    assert note.warning
    assert "new.seed1.txt, new.seed2.txt" in note.text
    reference = write("ref.txt", *TEXTS["ref"])
    for name in held:
        write(name, *(f"{line} {name}" for line in TEXTS["a"]))
    runs = read_corpus(["new=new.seed1.txt,new.seed2.txt"], [reference], scores=["comet.json"]).systems[0].runs
    assert [run.scores["COMET"][0] for run in runs] == [1, 2]


def test_scores_of_systems_named_as_they_are(write: Write) -> None:
    """What names share is cut off only if no system has the whole name: x.1 is not 1."""
    reference = write("ref.txt", *TEXTS["ref"])
    names = ["1", "x.1", "x.2"]
    held = {name: [{"score": i + 10 * place} for i in STRAIGHT] for place, name in enumerate(names[1:])}
    scores = ["1=" + write("one.sc", *(-i for i in STRAIGHT)), write("comet.json", held)]
    copies = [write(f"{name}.txt", *(f"{line} {name}" for line in TEXTS["a"])) for name in names]
    given = [f"{name}={path}" for name, path in zip(names, copies, strict=True)]
    found = {one.name: one.runs[0].scores["score"][0] for one in read_corpus(given, [reference], scores=scores).systems}
    assert found == {"1": 0, "x.1": 0, "x.2": 10}


@pytest.mark.parametrize("kind", ["documents", "domains"])
def test_white_space_around_names_of_documents(write: Write, kind: str) -> None:
    """It is no part of them in a file of documents; nor in a table, a frame or a list."""
    names = ["d0 ", "d0", " d1", "d1", "d2", "d2", "d2", "d2"]
    column = "doc" if kind == "documents" else "domain"
    plain = [write(f"{name}.txt", *own) for name, own in SCORES.items()]
    given: dict[str, Any] = {kind: write("g.txt", *names)}
    wide = write("w.tsv", f"{column}\ta\tb", *(f"{names[i]}\t{SCORES['a'][i]}\t{SCORES['b'][i]}" for i in STRAIGHT))
    listed: dict[str, Any] = {kind: names}
    for corpus in (
        read_corpus(plain, outputs_are_scores=True, **given),
        corpus_from_table(wide, scores=True),
        corpus_from_frame(pd.DataFrame({column: names, **SCORES})),
        corpus_from_memory(None, SCORES, **listed),
    ):
        assert getattr(corpus, kind) == tuple(name.strip() for name in names)
