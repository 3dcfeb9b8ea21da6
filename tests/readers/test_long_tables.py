"""Tables with a row per system and item, and with a column per system, given as files."""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import truegain as tg
from tests.readers.files import write
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.column_names import joined_id
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus

Run = Callable[..., str]

ITEMS, SAMPLES = 24, 5
HEADER = ["model", "qid", "epoch", "acc", "passage"]
SYSTEMS = ("beta", "alpha", "gamma")


def rows() -> list[list[Any]]:
    made = random.Random(3)
    return [
        [system, f"q {item:03}", epoch, round(made.random() + 0.1 * place, 4), f"p{item // 4}"]
        for place, system in enumerate(SYSTEMS)
        for item in range(ITEMS)
        for epoch in range(SAMPLES)
    ]


def as_csv(table: Sequence[Sequence[Any]], separator: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(table)
    return text.getvalue()


def scores(*files: str, **options: Any) -> tg.Corpus:
    return read_corpus(files, outputs_are_scores=True, **options)


def compared(corpus: tg.Corpus, **options: Any) -> Any:
    return tg.compare(corpus, metrics=["scores"], resamples=200, **options)


def expected(system: str) -> np.ndarray:
    own = [[row[3] for row in rows() if row[0] == system and row[1] == f"q {item:03}"] for item in range(ITEMS)]
    return np.array([float(np.sum(np.array(one, np.longdouble)) / SAMPLES) for one in own])


def test_samples_of_an_item_are_one_item(tmp_path: Path) -> None:
    corpus = scores(write(tmp_path / "long.csv", as_csv([HEADER, *rows()])))
    assert [system.name for system in corpus.systems] == ["alpha", "beta", "gamma"]
    assert corpus.segments == ITEMS
    for system in SYSTEMS:
        (found,) = corpus.system(system).runs[0].scores.values()
        np.testing.assert_allclose(found, expected(system), rtol=1e-15)
    assert corpus.documents is None
    result = compared(corpus, baseline="beta")
    assert result.n_units == ITEMS
    said = {note.kind: note.text for note in result.notes}
    assert said["samples"] == f"{ITEMS} items × {SAMPLES} samples by the column 'qid': averaged per item"
    columns = ("the column 'model'", "items from 'qid'", "samples from 'epoch'", "scores from 'acc'")
    assert all(told in said["systems"] for told in columns)
    assert said["system-order"] == "systems are sorted by name: 'alpha' is the first"
    assert said["columns"].startswith("Column 'passage' is not used")
    assert [file.system for file in corpus.inputs.files] == sorted(SYSTEMS)
    assert {(file.rows, file.samples) for file in corpus.inputs.files} == {(ITEMS * SAMPLES, (SAMPLES, SAMPLES))}


def test_rows_columns_and_files_in_any_order_give_the_same_bits(tmp_path: Path) -> None:
    whole = compared(scores(write(tmp_path / "long.csv", as_csv([HEADER, *rows()]))))
    for seed in range(3):
        made = random.Random(seed)
        shuffled = rows()
        made.shuffle(shuffled)
        order = list(range(len(HEADER)))
        made.shuffle(order)
        columns = [[row[place] for place in order] for row in [HEADER, *shuffled]]
        again = compared(scores(write(tmp_path / "shuffled.csv", as_csv(columns, ";"))))
        assert again.comparisons == whole.comparisons
        assert [note.text for note in again.notes] == [note.text for note in whole.notes]
        cut = made.randrange(1, len(shuffled))
        first = write(tmp_path / "part1.csv", as_csv([HEADER, *shuffled[:cut]]))
        second = write(tmp_path / "part2.csv", as_csv([columns[0], *columns[cut + 1 :]]))
        for parts in ((first, second), (second, first)):
            assert compared(scores(*parts)).comparisons == whole.comparisons


def test_systems_stand_in_the_order_of_files_that_have_their_own(tmp_path: Path) -> None:
    def part(name: str, *systems: str, items: Sequence[int] = range(ITEMS)) -> str:
        chosen = [row for row in rows() if row[0] in systems and int(row[1][2:]) in items]
        return write(tmp_path / name, as_csv([HEADER, *chosen]))

    def order(*files: str) -> tuple[list[str], bool, list[str]]:
        corpus = scores(*files)
        said = [note for note in corpus.notes if "is the first" in note.text]
        return [one.name for one in corpus.systems], said[0].kind == "systems", list(map(str, said))

    gamma, alpha, both = part("g.csv", "gamma"), part("a.csv", "alpha"), part("ab.csv", "alpha", "beta")
    by_file = ["Systems are in the order of the files: 'gamma' is the first"]
    assert order(gamma, alpha) == (["gamma", "alpha"], True, by_file)
    halves = [range(ITEMS // 2), range(ITEMS // 2, ITEMS)]
    new = [part(f"new{i}.csv", "gamma", items=half) for i, half in enumerate(halves)]
    old = [part(f"old{i}.csv", "alpha", items=half) for i, half in enumerate(halves)]
    assert order(*new, *old) == order(new[0], old[0], old[1], new[1]) == (["gamma", "alpha"], True, by_file)
    within = [f"{gamma}: systems are sorted by name within each file: 'gamma' is the first; and so of 1 more file"]
    assert order(gamma, both) == (["gamma", "alpha", "beta"], False, within)
    # Parts of one table, wherever it was cut: the second file shares one of its two systems.
    cut = [part("1.csv", "gamma", items=halves[0]), part("2.csv", "gamma", "alpha", items=halves[1]), old[0]]
    by_name = [f"{cut[0]}: systems are sorted by name: 'alpha' is the first; and so of 2 more files"]
    assert order(*cut) == (["alpha", "gamma"], False, by_name)


def test_every_format_and_a_frame_give_the_same(tmp_path: Path) -> None:
    whole = compared(scores(write(tmp_path / "long.csv", as_csv([HEADER, *rows()]))))
    records = [dict(zip(HEADER, row, strict=True)) for row in rows()]
    others = {
        "long.tsv": as_csv([HEADER, *rows()], "\t"),
        "long.txt": as_csv([HEADER, *rows()]),
        "long.jsonl": "".join(json.dumps(one) + "\n" for one in records),
        "long.json": json.dumps(records),
        "long.ndjson": json.dumps(records, indent=1),
    }
    for name, text in others.items():
        assert compared(scores(write(tmp_path / name, text))).comparisons == whole.comparisons, name
    frame = pd.DataFrame(rows(), columns=HEADER).rename(columns={"qid": "item"})
    found = tg.compare(frame, metrics=["scores"], resamples=200)
    assert found.comparisons == whole.comparisons


def test_named_columns_runs_documents_and_paths_into_objects(tmp_path: Path) -> None:
    cells = [(system, seed, item) for system in ("old", "new") for seed in (1, 2) for item in range(9)]
    records = [
        {
            "setup": {"who": system, "seed": seed},
            "task": {"key": item, "set": f"d{item % 3}"},
            "scores": {"acc": item % 2 == (system == "new"), "f1": (item + seed) / 7},
        }
        for system, seed, item in cells
    ]
    path = write(tmp_path / "nested.jsonl", records)
    columns = {"system_column": "setup.who", "run_column": "setup.seed", "id_column": "task.key"}
    corpus = scores(path, **columns, document_column="task.set")
    assert [(one.name, len(one.runs)) for one in corpus.systems] == [("new", 2), ("old", 2)]
    assert sorted(corpus.systems[0].runs[0].scores) == ["scores.acc", "scores.f1"]
    assert corpus.documents == tuple(f"d{item % 3}" for item in range(9))
    assert corpus.inputs.documents == path


def test_runs_are_told_apart(tmp_path: Path) -> None:
    table: list[list[Any]] = [["system", "id", "run", "score"]]
    table += [[s, i, run, (i * 7 + run * 3 + len(s)) % 5] for s in ("a", "bb") for run in (1, 2, 10) for i in range(9)]
    corpus = scores(write(tmp_path / "runs.csv", as_csv(table)))
    assert [run.name for run in corpus.system("a").runs] == ["a.1", "a.2", "a.10"]
    assert corpus.inputs.runs == {"a": 3, "bb": 3}


@pytest.mark.parametrize(
    ("right", "wrong"), [("C", "I"), ("correct", "incorrect"), ("True", "False"), ("true", "false"), ("1", "0")]
)
def test_right_and_wrong_are_numbers(tmp_path: Path, right: str, wrong: str) -> None:
    table: list[list[Any]] = [["system", "id", "answer", "ok"]]
    table += [[s, i, "CABD"[i % 4], right if i % 3 else wrong] for s in ("a", "b") for i in range(9)]
    corpus = scores(write(tmp_path / "words.csv", as_csv(table)))
    assert list(corpus.system("a").runs[0].scores) == ["ok"]  # letters of answers are no scores
    assert corpus.system("a").runs[0].scores["ok"].tolist() == [float(i % 3 > 0) for i in range(9)]
    words = ("'ok'", f"{right!r} is 1", f"{wrong!r} is 0")
    said = [note.text for note in corpus.notes if note.kind == "truth-values"]
    assert [all(told in text for told in words) for text in said] == [True] * (right != "1")
    (one,) = scores(write(tmp_path / "a.csv", as_csv([row[1:] for row in table[:10]]))).systems
    assert one.runs[0].scores["ok"].tolist() == [float(i % 3 > 0) for i in range(9)]


def test_files_of_one_system_each_stay_systems(tmp_path: Path) -> None:
    table: list[list[Any]] = [["model", "id", "score"], *(["m", str(i), str(i % 3)] for i in range(6))]
    one, two = write(tmp_path / "one.csv", as_csv(table)), write(tmp_path / "two.csv", as_csv(table))
    assert [system.name for system in scores(one, two).systems] == ["one", "two"]
    assert [system.name for system in scores(f"x={one}", f"y={two}").systems] == ["x", "y"]


def test_a_column_per_system(tmp_path: Path) -> None:
    rows = [[f"i{i}", i / 3, i / 4, "x", i // 2] for i in range(8)]
    path = write(tmp_path / "wide.csv", as_csv([["id", "new", "base", "note", "doc"], *rows]))
    corpus = corpus_from_table(path, scores=True)
    assert [system.name for system in corpus.systems] == ["new", "base"]
    assert corpus.documents == tuple(str(i // 2) for i in range(8))
    (said,) = (note.text for note in corpus.notes if note.kind == "systems")
    assert said == "Each of the columns 'new', 'base' was taken for a system"
    chosen = corpus_from_table(path, ["base", "new"], scores=True)
    assert [system.name for system in chosen.systems] == ["base", "new"]
    with refused(naming=["'note'"]):
        corpus_from_table(path, ["note"], scores=True)
    frame = pd.DataFrame({"new": [i / 3 for i in range(8)], "base": [i / 4 for i in range(8)]})
    found = tg.compare(frame, metrics=["scores"], resamples=200)
    assert compared(corpus, unit="segment")["base"].p_value == found["base"].p_value


def test_a_long_table_of_texts(tmp_path: Path) -> None:
    table: list[list[Any]] = [["system", "id", "output", "reference", "domain"]]
    table += [[s, i, f"the {s}, number {i}", f"the cat,\nnumber {i}", "news"] for i in range(6) for s in ("dog", "cat")]
    path = write(tmp_path / "texts.csv", as_csv(table))
    corpus = corpus_from_table(path)
    assert [system.name for system in corpus.systems] == ["cat", "dog"]
    assert corpus.references[0][1] == "the cat,\nnumber 1"
    assert (corpus.system("dog").runs[0].outputs or ())[5] == "the dog, number 5"
    assert [system.name for system in corpus_from_table(path, ["dog", "cat"]).systems] == ["dog", "cat"]
    renamed = write(tmp_path / "renamed.csv", as_csv([["who", "id", "said", "gold", "domain"], *table[1:]]))
    again = corpus_from_table(renamed, system_column="who", text_column="said", reference_columns=["gold"])
    assert again.systems == corpus.systems


LONG = "system,id,score\na,1,0.5\na,2,0.5\nb,1,0.25\nb,2,0.5\n"
TWO_OF_SYSTEMS = "system,model,id,score\na,x,1,1\nb,x,1,2\n"
TWO_OF_IDS = "system,id,item,score\na,1,x,1\na,2,x,2\nb,1,x,2\nb,2,x,2\n"
TWO_SAMPLES = "system,id,epoch,score\na,1,1,1\na,1,2,1\nb,1,1,1\na,1,2,1\n"
TWO_DOCUMENTS = "system,id,doc,score\na,1,x,1\nb,1,y,1\n"
REFUSED: dict[str, tuple[str, dict[str, str], int | None, list[str]]] = {
    "no ids": ("system,score\na,1\nb,2\n", {}, None, ["no column of ids to match rows by"]),
    "no scores": ("system,id,note\na,1,x\nb,1,y\n", {}, None, ["the table has no column of scores"]),
    "an item is missing": (LONG + "b,3,1\n", {}, None, ["a: 1 of 3 ids of ", "the first '3'"]),
    "an empty score": (LONG + "b,3,\na,3,1\n", {}, 6, ["the column 'score' has no score in 1 row", "here ''"]),
    "NA": (LONG + "b,3,1\na,3,NA\nc,3,NA\n", {}, 7, ["the column 'score' has no score in 2 rows", "here 'NA'"]),
    "None": (LONG + "b,3,None\n", {}, 6, ["the column 'score' has no score in 1 row", "here 'None'"]),
    "infinite": (LONG + "b,3,inf\n", {}, 6, ["the column 'score': the score is inf"]),
    "an underscore": (LONG + "b,3,1_0\n", {}, 6, ["the column 'score': '1_0' is not a number"]),
    "a word": (LONG + "b,3,good\n", {}, 6, ["the column 'score': 'good' is not a number"]),
    "other digits": (LONG + "b,3,\u0663\n", {}, 6, ["the column 'score': '\u0663' is not a number"]),
    "mixed": ("system,id,ok\na,1,true\nb,1,2\n", {}, 3, ["the column 'ok': '2' is neither true nor false"]),
    "no id": (LONG + "b,,1\n", {}, 6, ["there is nothing in the column 'id'"]),
    "no system": (LONG + " ,3,1\n", {}, 6, ["there is nothing in the column 'system'"]),
    "two columns of systems": (TWO_OF_SYSTEMS, {}, None, ["'system' or 'model'", "system_column"]),
    "two columns of ids": (TWO_OF_IDS, {}, None, ["'id' or 'item'", "id_column"]),
    "a sample twice": (TWO_SAMPLES, {}, 5, ["the sample '2' of the item '1' occurs twice", "line 3"]),
    "two documents": (TWO_DOCUMENTS, {}, 3, ["item '1' has 'y' in the column 'doc'", "'x' before"]),
    "an unknown column of systems": (LONG, {"system_column": "who"}, None, ["the column of systems must be one of"]),
    "an unknown column of runs": (LONG, {"run_column": "who"}, None, ["the column of runs must be one of"]),
    "an unknown column of samples": (LONG, {"repeat_column": "who"}, None, ["the column of samples must be one of"]),
    "an unknown column of ids": (LONG, {"id_column": "who"}, None, ["the column of ids must be one of"]),
    "an unknown column of documents": (LONG, {"document_column": "d"}, None, ["the column of documents must be one"]),
    "no column of systems": ("id,score\n1,2\n", {"run_column": "id"}, None, ["it has no column of a usual name"]),
    "no table": ("0.5\n0.25\n", {"system_column": "who"}, None, ["a column of systems", "'who'", "not a table"]),
    "fields": (LONG + "b,3\n", {}, 6, ["2 fields where the header has 3"]),
    "a quote": (LONG + 'b,"3,1\n', {}, 6, ["this row cannot be read as CSV"]),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_malformed_table_is_refused(tmp_path: Path, what: str) -> None:
    text, options, line, naming = REFUSED[what]
    path = write(tmp_path / "t.csv", text)
    with pytest.raises(InputError) as error:
        scores(path, **options)
    assert all(told in str(error.value) for told in (path, *naming))
    assert error.value.line == line


#: Ids that restart in each part.
RESTART = "system,part,id,score\n" + "".join(
    f"{system},{part},{item},{(place + (system == 'b')) % 3}\n"
    for system in "ab"
    for place, (part, item) in enumerate((part, item) for part in "xy" for item in range(1, 5))
)


def test_ids_that_restart_are_asked_about(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", RESTART)
    ways = ('id_column="part,id"', 'rater_column="part"', 'repeat_column="part"')
    with refused(line=6, naming=["the id '1' of a system stands on line 2", "in another 'part'", *ways]):
        scores(path)
    for columns in ("part,id", "part, id"):
        assert scores(path, id_column=columns).labels["part"] == ("x",) * 4 + ("y",) * 4  # to group by
    assert scores(path, repeat_column="part").segments == 4
    assert scores(path, rater_column="part").raters == 2
    with refused(naming=["'1'"]):
        tg.compare(pd.read_csv(path), metrics=["scores"])
    testset = ["[[testset]]", 'name = "one"', 'table = "t.csv"', 'id_column = "part,id"']
    experiment = write(tmp_path / "x.toml", ['metrics = ["scores"]', "resamples = 50", *testset])
    assert "8 segments" in str(tg.run(experiment))
    documents = write(tmp_path / "d.csv", RESTART.replace("part", "doc"))
    with refused(naming=["'1'", "'y'", "'doc'", "'x'", "id_column"]):
        scores(documents)
    assert scores(documents, id_column="doc,id").documents == ("x",) * 4 + ("y",) * 4


def test_several_columns_of_ids_in_every_kind_of_file(tmp_path: Path) -> None:
    long = [row.split(",") for row in RESTART.splitlines()]
    a, b = ([row[1:] for row in long if row[0] == system] for system in "ab")
    for name, own in (("a", a), ("b", b)):
        write(
            tmp_path / f"{name}.tsv", ["part\tid\ttext", *(f"{part}\t{item}\t{score} x" for part, item, score in own)]
        )
    assert read_corpus([str(tmp_path / "b.tsv")], [str(tmp_path / "a.tsv")], id_column="part,id").segments == 8
    table = write(tmp_path / "a.csv", ["part,id,score", *map(",".join, a)])
    records = [{"part": part, "id": item, "score": int(score)} for part, item, score in b[::-1]]
    lines = write(tmp_path / "b.jsonl", records)
    rows = [f"{part}\t{item}\tD{part}" for _, part, item, _ in long[:0:-1]]
    documents = write(tmp_path / "docs.tsv", ["part\tid\tdoc", *rows])
    corpus = scores(table, lines, id_column="part,id", documents=documents)
    assert corpus.segments == 8
    assert corpus.documents == ("Dx",) * 4 + ("Dy",) * 4
    assert list(corpus.systems[0].runs[0].scores) == ["score"]


def test_ids_of_two_columns_with_commas_in_them_are_not_merged(tmp_path: Path) -> None:
    pairs = [("a,b", "c"), ("a", "b,c"), ("a\\", "b,c"), ("a,b\\", "c"), ("a\\", "b"), ("x", "1")]
    made = [joined_id(pair) for pair in pairs]
    assert len(set(made)) == len(pairs)
    assert made[-2:] == ["a\\,b", "x,1"]
    rows = "".join(f'{s},"{part}","{number}",1\n' for s in "ab" for part, number in pairs)
    path = write(tmp_path / "t.csv", f"system,doc,seg,score\n{rows}")
    assert scores(path, id_column="doc,seg").segments == len(pairs)


def test_files_of_systems_whose_rows_a_column_tells_apart(tmp_path: Path) -> None:
    rows = [row.split(",", 1) for row in RESTART.splitlines()]
    kept = {system: [row for name, row in rows if name in ("system", system)] for system in "ab"}
    files = [write(tmp_path / f"{system}.csv", own) for system, own in kept.items()]
    with refused(naming=["'part'"]):
        scores(*files)
    assert scores(*files, id_column="part,id").segments == 8
    samples = ["id,reply,score", *(f"{i},answer {i}{k},{k}" for i in range(9) for k in range(3))]
    assert scores(*(write(tmp_path / f"{s}.csv", samples) for s in "xy")).segments == 9


@pytest.mark.parametrize("column", ["sample", "Repeat", "epoch", "trial", "attempt", "run", "seed"])
def test_a_column_of_samples_is_no_part_of_ids(tmp_path: Path, column: str) -> None:
    text = f"id,{column},score\n" + "".join(f"{i},r{k},{(i + k) % 3}\n" for i in range(9) for k in range(3))
    corpus = scores(*(write(tmp_path / f"{s}.csv", text) for s in "ab"))
    assert (corpus.segments, len(corpus.systems[0].runs)) == (9, 3 if column in ("run", "seed") else 1)


def test_samples_that_are_told_apart_by_answers_are_samples(tmp_path: Path) -> None:
    cells = [(s, i, k) for s in "ab" for i in range(9) for k in range(3)]
    answers = [f"{s},{i},answer {s}{i}{k},{k % 2}" for s, i, k in cells]
    letters = [f"{s},{i},{'ABC'[k // 2]},{k % 2}" for s, i, k in cells]
    for rows in (answers, letters):
        assert scores(write(tmp_path / "t.csv", ["system,id,reply,score", *rows])).segments == 9


def test_ratings_that_one_rater_gave_again_are_averaged_if_they_are_numbered(tmp_path: Path) -> None:
    rows = [(s, i, p, (i + len(p)) % 4) for p in ("p", "qq") for s in "ab" for i in range(6)]
    frame = pd.DataFrame([*rows, ("a", 0, "p", 4)], columns=["system", "id", "rater", "score"])
    path = write(tmp_path / "t.csv", frame.to_csv(index=False))
    for read in (lambda: scores(path), lambda: tg.compare(None, frame, metrics=["scores"])):
        with refused(naming=["'p' rated the item '0' of a system", "number its ratings in a column named sample"]):
            read()
    numbered = write(tmp_path / "n.csv", frame.assign(sample=[1] * len(rows) + [2]).to_csv(index=False))
    assert scores(numbered).systems[0].runs[0].scores["score"][0] == np.mean([1, 2, 4])


def test_ids_that_restart_are_refused_if_raters_differ_as_well(tmp_path: Path) -> None:
    parts = itertools.product("ab", ("en-de", "zh-en"), ("d1", "d2"), range(6), range(2))
    table = [(s, lp, doc, i, f"{lp} {k}", (i + k + (s == "a")) % 5) for s, lp, doc, i, k in parts]
    frame = pd.DataFrame(table, columns=["system", "lp", "doc", "id", "rater", "score"])
    path = write(tmp_path / "t.csv", frame.to_csv(index=False))
    with refused(naming=["'doc'"]):
        scores(path)
    with refused(naming=["'zh-en'", "'lp'", "'en-de'"]):
        scores(path, id_column="doc,id")
    assert scores(path, id_column="lp,doc,id").segments == 24
    one = frame[frame.doc == "d1"].drop(columns="doc")
    with refused(naming=["'zh-en'", "'lp'", "'en-de'"]):
        tg.compare(None, one, metrics=["scores"])
    groups = write(tmp_path / "g.csv", one.rename(columns={"lp": "rater_group"}).to_csv(index=False))
    assert scores(groups).segments == 6


def test_ids_that_restart_are_refused_if_a_rater_saw_all(tmp_path: Path) -> None:
    table = [(s, f"t{d}", i, r, (i + d) % 3) for s in "ab" for d in range(3) for i in range(4) for r in "xyz"]
    frame = pd.DataFrame(table, columns=["system", "Akte", "id", "rater", "score"])
    path = write(tmp_path / "t.csv", frame.to_csv(index=False))
    with refused(naming=["'x'", "'0'", "'Akte'"]):
        scores(path)
    assert scores(path, id_column="Akte,id").segments == 12
    assert scores(path, repeat_column="Akte").segments == 4


@pytest.mark.parametrize("column", ["Rater ID", "rater-id", "Linguist", "Coder ID", "rated_by"])
def test_raters_and_ids_are_known_however_their_columns_are_spelt(tmp_path: Path, column: str) -> None:
    table = [(s, i, f"p{i // 3}", (i + (s == "a")) % 4) for s in "ab" for i in range(9)]
    frame = pd.DataFrame(table, columns=["System", "Segment ID", column, "score"])
    corpus = scores(write(tmp_path / "t.csv", frame.to_csv(index=False)))
    assert (corpus.raters, corpus.segments) == (3, 9)


def test_raters_who_are_means_or_copies_are_told(tmp_path: Path) -> None:
    table = [(s, i, r, (i * len(r) + (s == "a")) % 7) for s in "ab" for i in range(12) for r in ("p", "qq", "rrr")]
    frame = pd.DataFrame(table, columns=["system", "id", "rater", "score"])
    path = tmp_path / "t.csv"
    kinds = {"rater-names", "repeated-rows"}
    assert not kinds & {note.kind for note in scores(write(path, frame.to_csv(index=False))).notes}
    mean = frame.groupby(["system", "id"], as_index=False).score.mean().assign(rater="Mean")
    copy = frame[frame.rater == "qq"].assign(rater="qq (2)")
    for more, said in ((mean, "'Mean' counts as a rater"), (copy, "'qq (2)' as 'qq'")):
        corpus = scores(write(path, pd.concat([frame, more]).to_csv(index=False)))
        (told,) = (note for note in corpus.notes if note.kind in kinds)
        assert told.warning
        assert said in told.text


def test_ids_that_are_the_same_number_are_named(tmp_path: Path) -> None:
    for other in ("2.0", "02"):
        text = f"system,id,score\na,1,1\na,2,1\nb,1,1\nb,{other},1\n"
        with refused(naming=[repr(other), "'2'"]):
            scores(write(tmp_path / "t.csv", text))
        files = [write(tmp_path / f"{s}.csv", f"id,score\n1,1\n{i},1\n") for s, i in (("a", "2"), ("b", other))]
        with refused(naming=["'2'", other]):
            scores(*files)


def test_a_missing_score_of_one_sample_has_a_way_out(tmp_path: Path) -> None:
    text = "system,id,sample,score\na,1,1,1\na,1,2,1\nb,1,1,1\nb,1,2,NA\n"
    with refused(line=5, naming=["t.csv"]):
        scores(write(tmp_path / "t.csv", text))
    assert scores(write(tmp_path / "t.csv", text.replace("b,1,2,NA\n", ""))).segments == 1
    with refused(naming=["'score'"]):
        tg.compare(pd.read_csv(io.StringIO(text)), metrics=["scores"])


def test_rows_that_stand_twice_are_told(tmp_path: Path) -> None:
    whole = "system,id,topic,score\n" + "".join(f"{s},{i},t,{i % 2}\n" for s in "ab" for i in range(9))
    twice = "".join(f"a,{i},t,{i % 2}\n" for i in range(4))
    (told,) = (note for note in scores(write(tmp_path / "t.csv", whole + twice)).notes if note.kind == "repeated-rows")
    assert told.warning
    assert all(one in told.text for one in ("4 rows repeat another in every column", "samples of its item"))
    others = "".join(f"a,{i},t,{(i + (i == 2)) % 2}\n" for i in range(4))  # one differs
    for more in (others, whole.partition("\n")[2], ""):
        found = scores(write(tmp_path / "t.csv", whole + more))
        assert "repeated-rows" not in {note.kind for note in found.notes}


def test_parts_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    first = write(tmp_path / "first.csv", LONG)
    with refused(naming=["'1'", "first.csv"]):
        scores(first, write(tmp_path / "again.csv", "system,id,score\nb,1,1\n"))
    with refused(naming=["'more'"]):
        scores(first, write(tmp_path / "more.csv", "system,id,score,more\nc,1,1,1\n"))
    for files in ([f"x={first}", f"y={first}"], [first, write(tmp_path / "other.csv", "id,score\n1,1\n2,1\n")]):
        with refused("system_column", naming=["first.csv", "2"]):
            scores(*files)
    with refused(naming=["'system'"]):
        scores(f"x={first}", system_column="system")
    with refused(naming=["'r'"]):
        read_corpus([first], [first], run_column="r")


def test_the_command_line_and_experiment_files(folder: Path, run: Run) -> None:
    renamed = ["who", "question", "try", "points", "part"]
    write(folder / "long.csv", as_csv([renamed, *rows()]))
    columns = ["--system-column", "who", "--id-column", "question", "--repeat-column", "try", "--docs-column", "part"]
    wanted = compared(scores(write(folder / "known.csv", as_csv([HEADER, *rows()])), document_column="passage"))
    for arguments in (["long.csv"], ["--table", "long.csv"]):
        out = run("compare", "-m", "scores", *arguments, *columns, "-R", "200", "-f", "json", "-q")
        found = [one["p"] for one in json.loads(out)["comparisons"]]
        assert found == pytest.approx([one.p for one in wanted.comparisons], abs=1e-9)
    assert "alpha" not in run("compare", "-m", "scores", "--table", "long.csv", *columns, "gamma", "beta", "-f", "tsv")
    run("gate", "-m", "scores", "--table", "known.csv", "alpha", "beta", "-q", code=1)
    err = run("compare", "-m", "bleu", "--run-column", "x", "long.csv", "known.csv", code=2)
    assert all(told in err for told in ("a column of runs is named", "'x'", "the files are texts of one system each"))
    keys = 'table = "long.csv"\nsystem_column = "who"\nid_column = "question"\nrepeat_column = "try"\n'
    settings = 'metrics = ["scores"]\nbaseline = "gamma"\nresamples = 200\n'
    for listed, with_alpha in (("", True), ('systems = {gamma = "gamma", beta = "beta"}\n', False)):
        write(folder / "e.toml", f'{settings}[[testset]]\nname = "quiz"\n{keys}{listed}')
        out = run("run", "e.toml", "-f", "tsv")
        assert ("beta" in out, "alpha" in out) == (True, with_alpha)
    lone = 'reference = "known.csv"\nreference_column = "a"\nsystems = {a = "known.csv"}\n'
    two = keys.replace('"long.csv"', '["long.csv", "known.csv"]')
    of_table = "the test set 'quiz' has a table"
    for before, after, told in (
        ('metrics = ["bleu", "scores"]\n', keys, "e.toml:1: a table holds texts or scores"),
        ('metrics = ["bleu"]\n', two, "it must be a long table of scores"),
        (settings, f'{keys}reference = "known.csv"\n', f"reference: {of_table}"),
        (settings, f"{keys}references_per_line = 2\n", f"references_per_line: {of_table}"),
        ("", lone, "reference_column: the test set 'quiz' has no table"),
    ):
        write(folder / "e.toml", f'{before}[[testset]]\nname = "quiz"\n{after}')
        assert told in run("run", "e.toml", code=2)


def test_a_column_that_was_named_for_one_thing_is_nothing_else(tmp_path: Path) -> None:
    rows = [f"{model},{seed},{item},{int(item > seed)}" for model in "ab" for seed in range(3) for item in range(4)]
    path = write(tmp_path / "t.csv", "\n".join(["system,seed,qid,acc", *rows]))
    assert [len(one.runs) for one in scores(path).systems] == [3, 3]
    sampled = scores(path, repeat_column="seed")
    counts = [[run.repeats["acc"].counts.tolist() for run in one.runs] for one in sampled.systems]
    assert counts == [[[3] * 4], [[3] * 4]]
    rated = scores(path, rater_column="seed")
    assert ([len(one.runs) for one in rated.systems], rated.raters) == ([1, 1], 3)
    judged = write(tmp_path / "judged.csv", "\n".join(["system,model,qid,acc", *rows]))
    assert [one.name for one in scores(judged, rater_column="model").systems] == ["a", "b"]
    with refused(naming=["'seed'"]):
        scores(path, run_column="seed", repeat_column="seed")


def test_a_list_names_no_judge(tmp_path: Path) -> None:
    """MT-Bench's judge is a model and a prompt: two prompts of one model are not two raters."""
    cells = [(model, item, prompt) for model in "ab" for item in range(4) for prompt in ("v1", "v1-multi-turn")]
    records = [{"model": m, "question_id": i, "judge": ["gpt-4", p], "score": i + len(p)} for m, i, p in cells]
    path = write(tmp_path / "t.jsonl", "\n".join(map(json.dumps, records)))
    with refused(naming=["'judge'"]):
        scores(path)
    assert scores(path, repeat_column="judge").raters is None


def test_lines_beside_ids_whose_numbers_are_sorted_as_texts_are_refused(tmp_path: Path) -> None:
    """As texts, id10 is before id2: lines may be in either order."""

    def read(count: int) -> tg.Corpus:
        rows = [f"{one},{system},{len(one)}" for one in sorted(f"id{i}" for i in range(count)) for system in "ab"]
        lines = write(tmp_path / "docs.txt", [f"d{i // 4}" for i in range(count)])
        return scores(write(tmp_path / "t.csv", ["id,system,score", *rows]), documents=lines)

    assert read(10).documents == ("d0",) * 4 + ("d1",) * 4 + ("d2",) * 2
    with refused(naming=["docs.txt"]):
        read(12)


def test_a_column_that_speaks_of_raters_or_samples_is_no_restart(tmp_path: Path) -> None:
    for who in ("rater", "sample"):
        rows = [f"{s},{i},{r},{(i + len(r)) % 3},{r}.xlsx\n" for s in "ab" for i in range(8) for r in ("ann", "bo")]
        path = write(tmp_path / "t.csv", f"system,id,{who},score,file\n" + "".join(rows))
        assert scores(path).segments == 8
        with refused(naming=["'bo.xlsx'", "'lp'"]):
            scores(write(tmp_path / "t.csv", f"system,id,{who},score,lp\n" + "".join(rows)))


@pytest.mark.parametrize("name", ["user", "worker", "reviewer"])
def test_authors_and_computers_are_no_raters(tmp_path: Path, name: str) -> None:
    """Whoever they are: one of several items, of one each, of samples; nor beside a column of raters."""
    cells = [(s, i) for s in ("a", "bb") for i in range(12)]
    few = [f"{s},{i},p{i % 4},{(i + len(s)) % 3}" for s, i in cells]
    many = [f"{s},{i},how do I {i},{(i + len(s)) % 3}" for s, i in cells]
    sampled = [f"{s},{i},p{(i + r) % 4},{(i + r) % 2},{r}" for s, i in cells for r in range(3)]
    for more, rows in (("", few), ("", many), (",sample", sampled)):
        assert scores(write(tmp_path / "t.csv", [f"system,id,{name},score{more}", *rows])).raters is None
    rated = [f"{row},{'pqr'[place % 3]}" for place, row in enumerate(many)]
    assert scores(write(tmp_path / "t.csv", [f"system,id,{name},score,rater", *rated])).raters == 3


@pytest.mark.parametrize("before", ["", "x"])
def test_numbers_in_ids_may_be_longer_than_python_converts(tmp_path: Path, before: str) -> None:
    ids = [*(f"{before}{number}" for number in (2, 10, 10**19)), f"{before}{'1' * 5000}"]
    rows = [f"{system},{one},{len(one) % 7}\n" for system in "ab" for one in ids]
    found = scores(write(tmp_path / "t.csv", "system,id,score\n" + "".join(rows))).ids
    assert found == tuple(sorted(ids) if before else ids)


def test_systems_that_are_always_right_or_wrong_in_letters(tmp_path: Path) -> None:
    path = write(tmp_path / "aime.csv", "problem,o3,none,all\np1,C,I,C\np2,I,I,C\np3,C,I,C\n")
    found = {one.name: one.runs[0].scores["score"].tolist() for one in corpus_from_table(path, scores=True).systems}
    assert found == {"o3": [1, 0, 1], "none": [0, 0, 0], "all": [1, 1, 1]}
    path = write(tmp_path / "answers.csv", "problem,x,answer\np1,0.5,C\np2,1,C\np3,0,C\n")
    assert [system.name for system in corpus_from_table(path, scores=True).systems] == ["x"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("CPIN", [1, 0.5, 0, 0]),
        (["pass", "fail", "Pass", "pass"], [1, 0, 1, 1]),
        (["passed", "failed"] * 2, [1, 0] * 2),
    ],
)
def test_verdicts_of_logs_in_tables(tmp_path: Path, words: Sequence[str], expected: list[float]) -> None:
    lines = [f"{system},q{item},{word}" for system in "ab" for item, word in enumerate(words)]
    corpus = corpus_from_table(write(tmp_path / "x.csv", ["model,id,result", *lines]), scores=True)
    assert [system.runs[0].scores["result"].tolist() for system in corpus.systems] == [expected] * 2


@pytest.mark.parametrize("words", ["correct incorrect", "incorrect correct", "pass fail", "C I"])
def test_a_verdict_on_the_first_segment_is_no_header(tmp_path: Path, words: str) -> None:
    first, *_ = words.split()
    with refused(naming=[first]):
        scores(write(tmp_path / "a.txt", [first, *words.split() * 3]))
    assert scores(write(tmp_path / "a.txt", [first, *("true", "false") * 3])).segments == 6


def test_a_letter_alone_is_told_how_to_be_written(tmp_path: Path) -> None:
    with refused(line=2, naming=["a.csv", "1", "0"]):
        scores(write(tmp_path / "a.csv", "id,score\n1,I\n2,I\n"))


@pytest.mark.parametrize(("column", "raters"), [("note", [""]), ("rater", ["r1", "r2"])])
def test_rows_of_single_errors_are_not_averaged(tmp_path: Path, column: str, raters: list[str]) -> None:
    errors = [(item, category) for item in range(3) for category in ["style", "fluency"][: 2 - (item == 1)]]
    cells = [(system, item, rater, category) for rater in raters for system in "ab" for item, category in errors]
    lines = [f"{system}\t{item}\t{rater}\t{category}\tmajor\t-5" for system, item, rater, category in cells]
    path = write(tmp_path / "mqm.tsv", [f"system\tid\t{column}\tcategory\tseverity\tscore", *lines])
    with refused(naming=["'severity'"]):
        corpus_from_table(path, scores=True)


def test_a_column_without_a_name_is_an_index(tmp_path: Path, run: Run) -> None:
    path = write(tmp_path / "wide.csv", ",base,new\n0,1,2\n1,2,4\n2,3,3\n")
    assert [system.name for system in corpus_from_table(path, scores=True).systems] == ["base", "new"]
    assert "Column '' is not used" in run("compare", "-m", "scores", "--table", path, "--methods")
    texts = write(tmp_path / "texts.csv", ",ref,base,new\n0,a b,a,b\n1,c d,c d,d\n")
    assert [system.name for system in corpus_from_table(texts).systems] == ["base", "new"]
    corpus = scores(*(write(tmp_path / f"{name}.csv", ",score\n0,1\n1,2\n2,5\n") for name in "xy"))
    assert [list(system.runs[0].scores) for system in corpus.systems] == [["score"]] * 2


def test_documents_beside_a_table_without_them(tmp_path: Path, run: Run) -> None:
    table = write(tmp_path / "x.seg.score", [f"{system}\t{value}" for system in "abc" for value in range(6)])
    docs = write(tmp_path / "x.docs", [f"news\td{item // 2}" for item in range(6)])
    corpus, given = corpus_from_table(table, ["a", "b"], documents=docs, scores=True), scores(table, documents=docs)
    assert (corpus.documents, corpus.domains) == (given.documents, given.domains)
    assert corpus.inputs.documents == given.inputs.documents
    own = write(tmp_path / "own.csv", "id,doc,a,b\n1,x,1,2\n2,x,2,1\n3,y,2,2\n")
    few = write(tmp_path / "few.docs", "d1\nd1\nd2\n")
    assert "documents come from" in run("compare", "-m", "scores", "--table", own, "--docs", few, code=2)
