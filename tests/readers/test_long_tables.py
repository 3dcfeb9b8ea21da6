"""Tables with a row per system and item, and with a column per system, given as files."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.column_names import joined_id
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus

Command = Callable[..., tuple[int, str, str]]

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


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)


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
    assert [(file.system, file.rows, file.samples) for file in corpus.inputs.files] == [
        (system, ITEMS * SAMPLES, (SAMPLES, SAMPLES)) for system in sorted(SYSTEMS)
    ]


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
        parts = [
            write(tmp_path / "part1.csv", as_csv([HEADER, *shuffled[:cut]])),
            write(tmp_path / "part2.csv", as_csv([columns[0], *columns[cut + 1 :]])),
        ]
        assert compared(scores(*parts)).comparisons == whole.comparisons
        assert compared(scores(*reversed(parts))).comparisons == whole.comparisons


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
    records = [
        {
            "setup": {"who": system, "seed": seed},
            "task": {"key": item, "set": f"d{item % 3}"},
            "scores": {"acc": item % 2 == place, "f1": (item + seed) / 7},
        }
        for place, system in enumerate(("old", "new"))
        for seed in (1, 2)
        for item in range(9)
    ]
    path = write(tmp_path / "nested.jsonl", "".join(json.dumps(one) + "\n" for one in records))
    corpus = scores(
        path, system_column="setup.who", run_column="setup.seed", id_column="task.key", document_column="task.set"
    )
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
    table += [[s, i, "CI"[i % 2] + "x", right if i % 3 else wrong] for s in ("a", "b") for i in range(9)]
    corpus = scores(write(tmp_path / "words.csv", as_csv(table)))
    assert corpus.system("a").runs[0].scores["ok"].tolist() == [float(i % 3 > 0) for i in range(9)]
    words = ("'ok'", f"{right!r} is 1", f"{wrong!r} is 0")
    said = [note.text for note in corpus.notes if note.kind == "truth-values"]
    assert [all(told in text for told in words) for text in said] == [True] * (right != "1")
    (one,) = tg.read_corpus(
        [write(tmp_path / "a.csv", as_csv([row[1:] for row in table[:10]]))], outputs_are_scores=True
    ).systems
    assert one.runs[0].scores["ok"].tolist() == [float(i % 3 > 0) for i in range(9)]


def test_letters_of_answers_are_no_scores(tmp_path: Path) -> None:
    table: list[list[Any]] = [["system", "id", "answer", "score"]]
    table += [[s, i, "CABD"[i % 4], i / 4] for s in ("a", "b") for i in range(8)]
    corpus = scores(write(tmp_path / "letters.csv", as_csv(table)))
    assert list(corpus.system("a").runs[0].scores) == ["score"]


def test_files_of_one_system_each_stay_systems(tmp_path: Path) -> None:
    table: list[list[Any]] = [["model", "id", "score"], *(["m", str(i), str(i % 3)] for i in range(6))]
    one, two = write(tmp_path / "one.csv", as_csv(table)), write(tmp_path / "two.csv", as_csv(table))
    assert [system.name for system in scores(one, two).systems] == ["one", "two"]
    assert [system.name for system in scores(f"x={one}", f"y={two}").systems] == ["x", "y"]


def test_a_column_per_system(tmp_path: Path) -> None:
    table: list[list[Any]] = [
        ["id", "new", "base", "note", "doc"],
        *([f"i{i}", i / 3, i / 4, "x", i // 2] for i in range(8)),
    ]
    path = write(tmp_path / "wide.csv", as_csv(table))
    corpus = corpus_from_table(path, scores=True)
    assert [system.name for system in corpus.systems] == ["new", "base"]
    assert corpus.documents == tuple(str(i // 2) for i in range(8))
    assert {note.kind: note.text for note in corpus.notes}["systems"] == (
        "Each of the columns 'new', 'base' was taken for a system"
    )
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
REFUSED: dict[str, tuple[str, dict[str, str], int | None, list[str]]] = {
    "no ids": ("system,score\na,1\nb,2\n", {}, None, ["no column of ids to match rows by"]),
    "no scores": ("system,id,note\na,1,x\nb,1,y\n", {}, None, ["the table has no column of scores"]),
    "an item is missing": (LONG + "b,3,1\n", {}, None, ["a: 1 of 3 ids of ", "the first '3'"]),
    "an empty score": (LONG + "b,3,\na,3,1\n", {}, 6, ["the column 'score' has no score in 1 row", "here ''"]),
    "NA": (LONG + "b,3,1\na,3,NA\nc,3,NA\n", {}, 7, ["the column 'score' has no score in 2 rows", "here 'NA'"]),
    "None": (LONG + "b,3,None\n", {}, 6, ["the column 'score' has no score in 1 row", "here 'None'"]),
    "infinite": (LONG + "b,3,inf\n", {}, 6, ["the column 'score': the score is inf"]),
    "a word": (LONG + "b,3,good\n", {}, 6, ["the column 'score': 'good' is not a number"]),
    "an underscore": (LONG + "b,3,1_0\n", {}, 6, ["the column 'score': '1_0' is not a number"]),
    "other digits": (LONG + "b,3,\u0663\n", {}, 6, ["the column 'score': '\u0663' is not a number"]),
    "mixed": ("system,id,ok\na,1,true\nb,1,2\n", {}, 3, ["the column 'ok': '2' is neither true nor false"]),
    "no id": (LONG + "b,,1\n", {}, 6, ["there is nothing in the column 'id'"]),
    "no system": (LONG + " ,3,1\n", {}, 6, ["there is nothing in the column 'system'"]),
    "two columns of systems": (
        "system,model,id,score\na,x,1,1\nb,x,1,2\n",
        {},
        None,
        ["'system' or 'model'", "system_column"],
    ),
    "two columns of ids": (
        "system,id,item,score\na,1,x,1\na,2,x,2\nb,1,x,2\nb,2,x,2\n",
        {},
        None,
        ["'id' or 'item'", "id_column"],
    ),
    "a sample twice": (
        "system,id,epoch,score\na,1,1,1\na,1,2,1\nb,1,1,1\na,1,2,1\n",
        {},
        5,
        ["the sample '2' of the item '1' occurs twice", "line 3"],
    ),
    "two documents": (
        "system,id,doc,score\na,1,x,1\nb,1,y,1\n",
        {},
        3,
        ["item '1' has 'y' in the column 'doc'", "'x' before"],
    ),
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
    assert scores(path, id_column="part,id").segments == 8
    assert scores(path, id_column="part, id").segments == 8
    assert scores(path, id_column="part,id").labels["part"] == ("x",) * 4 + ("y",) * 4  # to group by
    assert scores(path, repeat_column="part").segments == 4
    assert scores(path, rater_column="part").raters == 2
    with refused(naming=["'1'"]):
        tg.compare(pd.read_csv(path), metrics=["scores"])
    (tmp_path / "x.toml").write_text(
        'metrics = ["scores"]\nresamples = 50\n[[testset]]\nname = "one"\ntable = "t.csv"\nid_column = "part,id"\n'
    )
    assert "8 segments" in str(tg.run(tmp_path / "x.toml"))
    documents = write(tmp_path / "d.csv", RESTART.replace("part", "doc"))
    with refused(naming=["'1'", "'y'", "'doc'", "'x'", "id_column"]):
        scores(documents)
    assert scores(documents, id_column="doc,id").documents == ("x",) * 4 + ("y",) * 4


def test_several_columns_of_ids_in_every_kind_of_file(tmp_path: Path) -> None:
    long = [row.split(",") for row in RESTART.splitlines()]
    for system in "ab":
        rows = [long[0], *(row for row in long if row[0] == system)]
        write(tmp_path / f"{system}.csv", "".join(f"{','.join(row[1:])}\n" for row in rows))
        lines = [dict(zip(("part", "id", "score"), (*row[1:3], int(row[3])), strict=True)) for row in rows[1:]]
        write(tmp_path / f"{system}.jsonl", "".join(json.dumps(one) + "\n" for one in lines[::-1]))
        write(tmp_path / f"{system}.tsv", "part\tid\ttext\n" + "".join(f"{r[1]}\t{r[2]}\t{r[3]} x\n" for r in rows[1:]))
    write(tmp_path / "docs.tsv", "part\tid\tdoc\n" + "".join(f"{r[1]}\t{r[2]}\tD{r[1]}\n" for r in long[:0:-1]))
    files = [str(tmp_path / name) for name in ("a.csv", "b.jsonl")]
    documents = str(tmp_path / "docs.tsv")
    corpus = read_corpus(files, outputs_are_scores=True, id_column="part,id", documents=documents)
    assert corpus.segments == 8
    assert corpus.documents == ("Dx",) * 4 + ("Dy",) * 4
    assert list(corpus.systems[0].runs[0].scores) == ["score"]
    a, b = (str(tmp_path / f"{system}.tsv") for system in "ab")
    assert read_corpus([b], [a], id_column="part,id").segments == 8


def test_ids_of_two_columns_with_commas_in_them_are_not_merged(tmp_path: Path) -> None:
    pairs = [("a,b", "c"), ("a", "b,c"), ("a\\", "b,c"), ("a,b\\", "c"), ("a\\", "b"), ("x", "1")]
    made = [joined_id(pair) for pair in pairs]
    assert len(set(made)) == len(pairs)
    assert made[-2:] == ["a\\,b", "x,1"]
    rows = "".join(f'{s},"{part}","{number}",1\n' for s in "ab" for part, number in pairs)
    path = write(tmp_path / "t.csv", f"system,doc,seg,score\n{rows}")
    assert scores(path, id_column="doc,seg").segments == len(pairs)


def test_files_of_systems_whose_rows_a_column_tells_apart(tmp_path: Path) -> None:
    rows = [row.split(",", 1)[1] for row in RESTART.splitlines()]
    half = len(rows) // 2
    files = [
        write(tmp_path / f"{s}.csv", "\n".join([rows[0], *own]))
        for s, own in zip("ab", (rows[1 : half + 1], rows[half + 1 :]), strict=True)
    ]
    with refused(naming=["'part'"]):
        scores(*files)
    assert scores(*files, id_column="part,id").segments == 8
    samples = "id,reply,score\n" + "".join(f"{i},answer {i}{k},{k}\n" for i in range(9) for k in range(3))
    alike = [write(tmp_path / f"{s}.csv", samples) for s in "xy"]
    assert scores(*alike).segments == 9


@pytest.mark.parametrize("column", ["sample", "Repeat", "epoch", "trial", "attempt", "run", "seed"])
def test_a_column_of_samples_is_no_part_of_ids(tmp_path: Path, column: str) -> None:
    text = f"id,{column},score\n" + "".join(f"{i},r{k},{(i + k) % 3}\n" for i in range(9) for k in range(3))
    corpus = scores(*(write(tmp_path / f"{s}.csv", text) for s in "ab"))
    assert (corpus.segments, len(corpus.systems[0].runs)) == (9, 3 if column in ("run", "seed") else 1)


def test_samples_that_are_told_apart_by_answers_are_samples(tmp_path: Path) -> None:
    rows = [(s, i, f"answer {s}{i}{k}", k % 2) for s in "ab" for i in range(9) for k in range(3)]
    text = "system,id,reply,score\n" + "".join(f"{s},{i},{reply},{score}\n" for s, i, reply, score in rows)
    assert scores(write(tmp_path / "t.csv", text)).segments == 9
    letters = "system,id,reply,score\n" + "".join(f"{s},{i},{'ABC'[k // 2]},{k % 2}\n" for s, i, _, k in rows)
    assert scores(write(tmp_path / "l.csv", letters)).segments == 9


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
    table = [
        (s, lp, doc, i, f"{lp} {k}", (i + k + (s == "a")) % 5)
        for s in "ab"
        for lp in ("en-de", "zh-en")
        for doc in ("d1", "d2")
        for i in range(6)
        for k in range(2)
    ]
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
    assert corpus.raters == 3
    assert corpus.segments == 9


def test_raters_who_are_means_or_copies_are_told(tmp_path: Path) -> None:
    table = [(s, i, r, (i * len(r) + (s == "a")) % 7) for s in "ab" for i in range(12) for r in ("p", "qq", "rrr")]
    frame = pd.DataFrame(table, columns=["system", "id", "rater", "score"])
    path = tmp_path / "t.csv"
    kinds = {"rater-names", "repeated-rows"}
    assert not kinds & {note.kind for note in scores(write(path, frame.to_csv(index=False))).notes}
    mean = frame.groupby(["system", "id"], as_index=False).score.mean().assign(rater="Mean")
    for more, said in (
        (mean, "'Mean' counts as a rater"),
        (frame[frame.rater == "qq"].assign(rater="qq (2)"), "'qq (2)' as 'qq'"),
    ):
        corpus = scores(write(path, pd.concat([frame, more]).to_csv(index=False)))
        (told,) = (note for note in corpus.notes if note.kind in kinds)
        assert told.warning
        assert said in told.text


def test_people_who_wrote_items_are_no_raters(tmp_path: Path) -> None:
    table = [(s, i, f"how do I {i}", (i + (s == "a")) % 4) for s in "ab" for i in range(9)]
    frame = pd.DataFrame(table, columns=["system", "id", "user", "score"])
    assert scores(write(tmp_path / "t.csv", frame.to_csv(index=False))).raters is None
    rated = frame.assign(rater=["p", "q", "r"] * 6, reviewer=["x", "y"] * 9)
    assert scores(write(tmp_path / "r.csv", rated.to_csv(index=False))).raters == 3


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
    with refused("system_column", naming=["first.csv", "2"]):
        scores(f"x={first}", f"y={first}")
    with refused("system_column", naming=["first.csv", "2"]):
        scores(first, write(tmp_path / "other.csv", "id,score\n1,1\n2,1\n"))
    with refused(naming=["'system'"]):
        scores(f"x={first}", system_column="system")
    with refused(naming=["'r'"]):
        read_corpus([first], [first], run_column="r")


def test_the_command_line_and_experiment_files(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    renamed = ["who", "question", "try", "points", "part"]
    write(tmp_path / "long.csv", as_csv([renamed, *rows()]))
    columns = ["--system-column", "who", "--id-column", "question", "--repeat-column", "try", "--docs-column", "part"]
    wanted = compared(scores(write(tmp_path / "known.csv", as_csv([HEADER, *rows()])), document_column="passage"))
    for arguments in (["long.csv"], ["--table", "long.csv"]):
        code, out, err = command("compare", "-m", "scores", *arguments, *columns, "-R", "200", "-f", "json", "-q")
        assert code == 0, err
        assert [one["p"] for one in json.loads(out)["comparisons"]] == [
            pytest.approx(one.p, abs=1e-9) for one in wanted.comparisons
        ]
    code, out, err = command("compare", "-m", "scores", "--table", "long.csv", *columns, "gamma", "beta", "-f", "tsv")
    assert code == 0, err
    assert "alpha" not in out
    keys = 'table = "long.csv"\nsystem_column = "who"\nid_column = "question"\nrepeat_column = "try"\n'
    settings = 'metrics = ["scores"]\nbaseline = "gamma"\nresamples = 200\n'
    write(tmp_path / "e.toml", f'{settings}[[testset]]\nname = "quiz"\n{keys}')
    code, out, err = command("run", "e.toml", "-f", "tsv")
    assert code == 0, err
    assert "alpha" in out
    write(
        tmp_path / "some.toml",
        f'{settings}[[testset]]\nname = "quiz"\n{keys}systems = {{gamma = "gamma", beta = "beta"}}\n',
    )
    code, out, err = command("run", "some.toml", "-f", "tsv")
    assert code == 0, err
    assert "beta" in out
    assert "alpha" not in out
    write(tmp_path / "texts.toml", f'metrics = ["bleu", "scores"]\n[[testset]]\nname = "quiz"\n{keys}')
    code, out, err = command("run", "texts.toml")
    assert code == 2
    assert "texts.toml:1: a table holds texts or scores" in err
    two = keys.replace('"long.csv"', '["long.csv", "known.csv"]')
    write(tmp_path / "two.toml", f'metrics = ["bleu"]\n[[testset]]\nname = "quiz"\n{two}')
    code, out, err = command("run", "two.toml")
    assert code == 2
    assert "it must be a long table of scores" in err
    for more in ('reference = "known.csv"', "references_per_line = 2"):
        write(tmp_path / "more.toml", f'{settings}[[testset]]\nname = "quiz"\n{keys}{more}\n')
        code, out, err = command("run", "more.toml")
        assert code == 2
        assert f"{more.split()[0]}: the test set 'quiz' has a table" in err
    lone = 'reference = "known.csv"\nreference_column = "a"\nsystems = {a = "known.csv"}\n'
    write(tmp_path / "lone.toml", f'[[testset]]\nname = "quiz"\n{lone}')
    code, out, err = command("run", "lone.toml")
    assert code == 2
    assert "reference_column: the test set 'quiz' has no table" in err
    code, out, err = command("gate", "-m", "scores", "--table", "known.csv", "alpha", "beta", "-q")
    assert code in (0, 1), err
    code, out, err = command("compare", "-m", "bleu", "--run-column", "x", "long.csv", "known.csv")
    assert code == 2
    assert all(told in err for told in ("a column of runs is named", "'x'", "the files are texts of one system each"))


def test_144_questions_of_five_samples_are_144_units(tmp_path: Path) -> None:
    random = np.random.default_rng(144)
    right = {"base": random.beta(2, 2, 144), "new": random.beta(2.4, 2, 144)}
    values = {name: (random.random((144, 5)) < own[:, None]).astype(float) for name, own in right.items()}
    lines = [["model", "question_id", "sample", "correct"]]
    lines += [
        [name, f"q{i}", str(k), f"{own[i, k]:g}"] for name, own in values.items() for i in range(144) for k in range(5)
    ]
    found = tg.compare(scores(write(tmp_path / "quiz.csv", as_csv(lines))), metrics=["scores"], resamples=2000)
    means = {name: own.mean(axis=1) for name, own in values.items()}
    wanted = tg.compare(None, means, metrics=["scores"], resamples=2000)
    assert found.n_units == 144
    assert found.comparisons[0].delta == pytest.approx(wanted.comparisons[0].delta)
    assert found.comparisons[0].p == pytest.approx(wanted.comparisons[0].p, abs=0.03)  # items stand in another order
    assert any("144 items × 5 samples" in str(note) for note in found.notes)
    alone = tg.compare(None, {name: own.ravel() for name, own in values.items()}, metrics=["scores"], resamples=2000)
    assert alone.comparisons[0].p < found.comparisons[0].p - 0.005


def test_a_column_that_was_named_for_one_thing_is_nothing_else(tmp_path: Path) -> None:
    rows = [f"{model},{seed},{item},{int(item > seed)}" for model in "ab" for seed in range(3) for item in range(4)]
    path = write(tmp_path / "t.csv", "\n".join(["system,seed,qid,acc", *rows]))
    assert [len(one.runs) for one in scores(path).systems] == [3, 3]
    sampled = scores(path, repeat_column="seed")
    assert [len(one.runs) for one in sampled.systems] == [1, 1]
    assert sampled.systems[0].runs[0].repeats["acc"].counts.tolist() == [3] * 4
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
    lines = write(tmp_path / "docs.txt", "".join(f"d{i // 4}\n" for i in range(12)))
    for count in (10, 12):
        rows = [f"{one},{system},{len(one)}\n" for one in sorted(f"id{i}" for i in range(count)) for system in "ab"]
        path = write(tmp_path / "t.csv", "id,system,score\n" + "".join(rows))
        if count == 10:
            lines_of_ten = write(tmp_path / "ten.txt", "".join(f"d{i // 4}\n" for i in range(10)))
            documents = read_corpus([path], outputs_are_scores=True, documents=lines_of_ten).documents
            assert documents == ("d0",) * 4 + ("d1",) * 4 + ("d2",) * 2
        else:
            with refused(naming=["docs.txt"]):
                read_corpus([path], outputs_are_scores=True, documents=lines)


def test_a_column_that_speaks_of_raters_or_samples_is_no_restart(tmp_path: Path) -> None:
    for who in ("rater", "sample"):
        rows = [f"{s},{i},{r},{(i + len(r)) % 3},{r}.xlsx\n" for s in "ab" for i in range(8) for r in ("ann", "bo")]
        path = write(tmp_path / "t.csv", f"system,id,{who},score,file\n" + "".join(rows))
        assert scores(path).segments == 8
        with refused(naming=["'bo.xlsx'", "'lp'"]):
            scores(write(tmp_path / "t.csv", f"system,id,{who},score,lp\n" + "".join(rows)))


@pytest.mark.parametrize("name", ["user", "worker", "reviewer"])
def test_authors_and_computers_are_no_raters(tmp_path: Path, name: str) -> None:
    rows = [f"{s},{i},p{i % 4},{(i + len(s)) % 3}\n" for s in ("a", "bb") for i in range(12)]
    assert scores(write(tmp_path / "t.csv", f"system,id,{name},score\n" + "".join(rows))).raters is None
    rows = [f"{s},{i},{r},p{(i + r) % 4},{(i + r) % 2}\n" for s in "ab" for i in range(12) for r in range(3)]
    assert scores(write(tmp_path / "t.csv", f"system,id,sample,{name},score\n" + "".join(rows))).raters is None


@pytest.mark.parametrize("before", ["", "x"])
def test_numbers_in_ids_may_be_longer_than_python_converts(tmp_path: Path, before: str) -> None:
    ids = [*(f"{before}{number}" for number in (2, 10, 10**19)), f"{before}{'1' * 5000}"]
    rows = [f"{system},{one},{len(one) % 7}\n" for system in "ab" for one in ids]
    found = scores(write(tmp_path / "t.csv", "system,id,score\n" + "".join(rows))).ids
    assert found == tuple(sorted(ids) if before else ids)


def test_systems_that_are_always_right_or_wrong_in_letters(tmp_path: Path) -> None:
    path = tmp_path / "aime.csv"
    path.write_text("problem,o3,none,all\np1,C,I,C\np2,I,I,C\np3,C,I,C\n", encoding="utf-8")
    corpus = corpus_from_table(str(path), scores=True)
    found = {system.name: system.runs[0].scores["score"].tolist() for system in corpus.systems}
    assert found == {"o3": [1, 0, 1], "none": [0, 0, 0], "all": [1, 1, 1]}
    path.write_text("problem,x,answer\np1,0.5,C\np2,1,C\np3,0,C\n", encoding="utf-8")
    assert [system.name for system in corpus_from_table(str(path), scores=True).systems] == ["x"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("CPIN", [1, 0.5, 0, 0]),
        (["pass", "fail", "Pass", "pass"], [1, 0, 1, 1]),
        (["passed", "failed"] * 2, [1, 0] * 2),
    ],
)
def test_verdicts_of_logs_in_tables(tmp_path: Path, words: Sequence[str], expected: list[float]) -> None:
    path = tmp_path / "x.csv"
    lines = [f"{system},q{item},{word}" for system in "ab" for item, word in enumerate(words)]
    path.write_text("\n".join(["model,id,result", *lines]) + "\n", encoding="utf-8")
    corpus = corpus_from_table(str(path), scores=True)
    assert [system.runs[0].scores["result"].tolist() for system in corpus.systems] == [expected] * 2


@pytest.mark.parametrize("first", ["correct", "incorrect", "pass", "C"])
def test_a_verdict_on_the_first_segment_is_no_header(tmp_path: Path, first: str) -> None:
    words = {"correct": ("correct", "incorrect"), "incorrect": ("correct", "incorrect"), "pass": ("pass", "fail")}
    path = tmp_path / "a.txt"
    path.write_text("\n".join([first, *words.get(first, ("C", "I")) * 3]) + "\n", encoding="utf-8")
    with refused(naming=[first]):
        read_corpus([str(path)], outputs_are_scores=True)
    path.write_text("\n".join([first, *("true", "false") * 3]) + "\n", encoding="utf-8")
    assert read_corpus([str(path)], outputs_are_scores=True).segments == 6


def test_a_letter_alone_is_told_how_to_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,score\n1,I\n2,I\n", encoding="utf-8")
    with refused(line=2, naming=["a.csv", "1", "0"]):
        read_corpus([str(path)], outputs_are_scores=True)


@pytest.mark.parametrize("raters", [("",), ("r1", "r2")])
def test_rows_of_single_errors_are_not_averaged(tmp_path: Path, raters: tuple[str, ...]) -> None:
    path = tmp_path / "mqm.tsv"
    lines = [
        f"{system}\t{item}\t{rater}\t{category}\tmajor\t-5"
        for rater in raters
        for system in "ab"
        for item in range(3)
        for category in ["style", "fluency"][: 2 - (item == 1)]
    ]
    path.write_text("\n".join(["system\tid\trater\tcategory\tseverity\tscore", *lines]) + "\n", encoding="utf-8")
    if raters == ("",):
        path.write_text(path.read_text(encoding="utf-8").replace("rater", "note"), encoding="utf-8")
    with refused(naming=["'severity'"]):
        corpus_from_table(str(path), scores=True)


def test_a_column_without_a_name_is_an_index(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(",base,new\n0,1,2\n1,2,4\n2,3,3\n", encoding="utf-8")
    assert [system.name for system in corpus_from_table(str(path), scores=True).systems] == ["base", "new"]
    code, out, _ = command("compare", "-m", "scores", "--table", str(path))
    assert code == 0
    assert "Column '' is not used" in out
    path.write_text(",ref,base,new\n0,a b,a,b\n1,c d,c d,d\n", encoding="utf-8")
    assert [system.name for system in corpus_from_table(str(path)).systems] == ["base", "new"]
    for name in "xy":
        (tmp_path / f"{name}.csv").write_text(",score\n0,1\n1,2\n2,5\n", encoding="utf-8")
    corpus = read_corpus([str(tmp_path / "x.csv"), str(tmp_path / "y.csv")], outputs_are_scores=True)
    assert [list(system.runs[0].scores) for system in corpus.systems] == [["score"]] * 2


def test_documents_beside_a_table_without_them(tmp_path: Path, command: Command) -> None:
    table, docs = tmp_path / "x.seg.score", tmp_path / "x.docs"
    table.write_text("".join(f"{system}\t{value}\n" for system in "abc" for value in range(6)), encoding="utf-8")
    docs.write_text("".join(f"news\td{item // 2}\n" for item in range(6)), encoding="utf-8")
    corpus = corpus_from_table(str(table), ["a", "b"], documents=str(docs), scores=True)
    given = read_corpus([str(table)], documents=str(docs), outputs_are_scores=True)
    assert (corpus.documents, corpus.domains) == (given.documents, given.domains)
    assert corpus.inputs.documents == given.inputs.documents
    own = tmp_path / "own.csv"
    own.write_text("id,doc,a,b\n1,x,1,2\n2,x,2,1\n3,y,2,2\n", encoding="utf-8")
    docs.write_text("d1\nd1\nd2\n", encoding="utf-8")
    code, _, err = command("compare", "-m", "scores", "--table", str(own), "--docs", str(docs))
    assert code == 2
    assert "documents come from" in err
