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


def columns(corpus: tg.Corpus) -> dict[str, list[float]]:
    """The only column of scores of each system, of its first run."""
    return {one.name: next(iter(one.runs[0].scores.values())).tolist() for one in corpus.systems}


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


def test_systems_stand_in_the_order_of_files_that_have_their_own(tmp_path: Path) -> None:
    def part(name: str, *systems: str, items: Sequence[int] = range(ITEMS)) -> str:
        chosen = [row for row in rows() if row[0] in systems and int(row[1][2:]) in items]
        return write(tmp_path / name, as_csv([HEADER, *chosen]))

    def order(*files: str) -> tuple[list[str], str, str]:
        corpus = scores(*files)
        (said,) = (note for note in corpus.notes if "is the first" in note.text)
        return [one.name for one in corpus.systems], said.kind, str(said)

    gamma, alpha, both = part("g.csv", "gamma"), part("a.csv", "alpha"), part("ab.csv", "alpha", "beta")
    by_file = ["gamma", "alpha"], "systems", "Systems are in the order of the files: 'gamma' is the first"
    assert order(gamma, alpha) == by_file
    halves = [range(ITEMS // 2), range(ITEMS // 2, ITEMS)]
    new = [part(f"new{i}.csv", "gamma", items=half) for i, half in enumerate(halves)]
    old = [part(f"old{i}.csv", "alpha", items=half) for i, half in enumerate(halves)]
    assert order(*new, *old) == order(new[0], old[0], old[1], new[1]) == by_file
    assert order(gamma, both)[:2] == (["gamma", "alpha", "beta"], "system-order")
    # Parts of one table, wherever it was cut: the second file shares one of its two systems.
    cut = [part("1.csv", "gamma", items=halves[0]), part("2.csv", "gamma", "alpha", items=halves[1]), old[0]]
    assert order(*cut)[:2] == (["alpha", "gamma"], "system-order")


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


def test_a_column_per_system(tmp_path: Path) -> None:
    rows = [[f"i{i}", i / 3, i / 4, "x", i // 2] for i in range(8)]
    path = write(tmp_path / "wide.csv", as_csv([["id", "new", "base", "note", "doc"], *rows]))
    corpus = corpus_from_table(path, scores=True)
    assert columns(corpus) == {"new": [i / 3 for i in range(8)], "base": [i / 4 for i in range(8)]}
    assert corpus.documents == tuple(str(i // 2) for i in range(8))
    (said,) = (note.text for note in corpus.notes if note.kind == "systems")
    assert said == "Each of the columns 'new', 'base' was taken for a system"
    chosen = corpus_from_table(path, ["base", "new"], scores=True)
    assert [system.name for system in chosen.systems] == ["base", "new"]
    with refused(naming=["'note'"]):
        corpus_from_table(path, ["note"], scores=True)


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
ERRORS = "system,id,category,severity,score\na,1,style,major,-5\na,1,fluency,minor,-1\nb,1,style,major,-5\n"
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
    "a row for each error": (ERRORS, {}, None, ["'severity'"]),
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
    documents = write(tmp_path / "d.csv", RESTART.replace("part", "doc"))
    with refused(naming=["'1'", "'y'", "'doc'", "'x'", "id_column"]):
        scores(documents)
    assert scores(documents, id_column="doc,id").documents == ("x",) * 4 + ("y",) * 4


def test_several_columns_of_ids_in_every_kind_of_file(tmp_path: Path) -> None:
    long = [row.split(",") for row in RESTART.splitlines()[1:]]
    a, b = ([row[1:] for row in long if row[0] == system] for system in "ab")
    for name, own in (("a", a), ("b", b)):
        lines = [f"{part}\t{item}\t{score} x" for part, item, score in own]
        write(tmp_path / f"{name}.tsv", ["part\tid\ttext", *lines])
    assert read_corpus([str(tmp_path / "b.tsv")], [str(tmp_path / "a.tsv")], id_column="part,id").segments == 8
    table = write(tmp_path / "a.csv", ["part,id,score", *map(",".join, a)])
    records = [{"part": part, "id": item, "score": int(score)} for part, item, score in b[::-1]]
    lines = [f"{part}\t{item}\tD{part}" for _, part, item, _ in long[::-1]]
    documents = write(tmp_path / "docs.tsv", ["part\tid\tdoc", *lines])
    corpus = scores(table, write(tmp_path / "b.jsonl", records), id_column="part,id", documents=documents)
    assert corpus.documents == ("Dx",) * 4 + ("Dy",) * 4
    assert [*columns(corpus).values()] == [[float(row[-1]) for row in own] for own in (a, b)]


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


def test_ratings_that_one_rater_gave_again_are_averaged_if_they_are_numbered(tmp_path: Path) -> None:
    rows = [(s, i, p, (i + len(p)) % 4) for p in ("p", "qq") for s in "ab" for i in range(6)]
    frame = pd.DataFrame([*rows, ("a", 0, "p", 4)], columns=["system", "id", "rater", "score"])
    path = write(tmp_path / "t.csv", frame.to_csv(index=False))
    for read in (lambda: scores(path), lambda: tg.compare(None, frame, metrics=["scores"])):
        with refused(naming=["'p' rated the item '0' of a system", "number its ratings in a column named sample"]):
            read()
    numbered = write(tmp_path / "n.csv", frame.assign(sample=[1] * len(rows) + [2]).to_csv(index=False))
    assert scores(numbered).systems[0].runs[0].scores["score"][0] == np.mean([1, 2, 4])


def test_raters_who_are_means_or_copies_are_told(tmp_path: Path) -> None:
    table = [(s, i, r, (i * len(r) + (s == "a")) % 7) for s in "ab" for i in range(12) for r in ("p", "qq", "rrr")]
    frame = pd.DataFrame(table, columns=["system", "id", "rater", "score"])
    mean = frame.groupby(["system", "id"], as_index=False).score.mean().assign(rater="Mean")
    copy = frame[frame.rater == "qq"].assign(rater="qq (2)")
    for more, said in ((frame[:0], ""), (mean, "'Mean' counts as a rater"), (copy, "'qq (2)' as 'qq'")):
        corpus = scores(write(tmp_path / "t.csv", pd.concat([frame, more]).to_csv(index=False)))
        told = [note.text for note in corpus.notes if note.kind in ("rater-names", "repeated-rows") and note.warning]
        assert [said in text for text in told] == [True] * bool(said)


def test_ids_that_are_the_same_number_are_named(tmp_path: Path) -> None:
    for other in ("2.0", "02"):
        with refused(naming=[repr(other), "'2'"]):
            scores(write(tmp_path / "t.csv", f"system,id,score\na,1,1\na,2,1\nb,1,1\nb,{other},1\n"))


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
    given = ["--system-column", "who", "--id-column", "question", "--repeat-column", "try", "--docs-column", "part"]
    wanted = compared(scores(write(folder / "known.csv", as_csv([HEADER, *rows()])), document_column="passage"))
    for arguments in (["long.csv"], ["--table", "long.csv"]):
        out = run("compare", "-m", "scores", *arguments, *given, "-R", "200", "-f", "json", "-q")
        found = [one["p"] for one in json.loads(out)["comparisons"]]
        assert found == pytest.approx([one.p for one in wanted.comparisons], abs=1e-9)
    assert "alpha" not in run("compare", "-m", "scores", "--table", "long.csv", *given, "gamma", "beta", "-f", "tsv")
    run("gate", "-m", "scores", "--table", "known.csv", "alpha", "beta", "-q", code=1)
    err = run("compare", "-m", "bleu", "--run-column", "x", "long.csv", "known.csv", code=2)
    assert all(told in err for told in ("a column of runs is named", "'x'"))
    keys = 'table = "long.csv"\nsystem_column = "who"\nid_column = "question"\nrepeat_column = "try"\n'
    listed = 'systems = {gamma = "gamma", beta = "beta"}\n'
    write(folder / "e.toml", f'metrics = ["scores"]\nresamples = 200\n[[testset]]\nname = "quiz"\n{keys}{listed}')
    out = run("run", "e.toml", "-f", "tsv")
    assert ("beta" in out, "alpha" in out) == (True, False)
    lone = 'reference = "known.csv"\nreference_column = "a"\nsystems = {a = "known.csv"}\n'
    two = keys.replace('"long.csv"', '["long.csv", "known.csv"]')
    for before, after, told in (
        ('metrics = ["bleu", "scores"]\n', keys, "e.toml:1: "),
        ('metrics = ["bleu"]\n', two, "a long table of scores"),
        ('metrics = ["scores"]\n', f'{keys}reference = "known.csv"\n', "reference: "),
        ('metrics = ["scores"]\n', f"{keys}references_per_line = 2\n", "references_per_line: "),
        ("", lone, "reference_column: "),
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


@pytest.mark.parametrize("before", ["", "x"])
def test_numbers_in_ids_may_be_longer_than_python_converts(tmp_path: Path, before: str) -> None:
    ids = [*(f"{before}{number}" for number in (2, 10, 10**19)), f"{before}{'1' * 5000}"]
    rows = [f"{system},{one},{len(one) % 7}\n" for system in "ab" for one in ids]
    found = scores(write(tmp_path / "t.csv", "system,id,score\n" + "".join(rows))).ids
    assert found == tuple(sorted(ids) if before else ids)


def test_systems_that_are_always_right_or_wrong_in_letters(tmp_path: Path) -> None:
    path = write(tmp_path / "aime.csv", "problem,o3,none,all\np1,C,I,C\np2,I,I,C\np3,C,I,C\n")
    found = columns(corpus_from_table(path, scores=True))
    assert found == {"o3": [1, 0, 1], "none": [0, 0, 0], "all": [1, 1, 1]}
    path = write(tmp_path / "answers.csv", "problem,x,answer\np1,0.5,C\np2,1,C\np3,0,C\n")
    assert columns(corpus_from_table(path, scores=True)) == {"x": [0.5, 1, 0]}


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


def test_a_column_without_a_name_is_an_index(tmp_path: Path) -> None:
    path = write(tmp_path / "wide.csv", ",base,new\n0,1,2\n1,2,4\n2,3,3\n")
    corpus = corpus_from_table(path, scores=True)
    assert columns(corpus) == {"base": [1, 2, 3], "new": [2, 4, 3]}
    assert any("Column '' is not used" in note.text for note in corpus.notes)
    texts = write(tmp_path / "texts.csv", ",ref,base,new\n0,a b,a,b\n1,c d,c d,d\n")
    assert [system.name for system in corpus_from_table(texts).systems] == ["base", "new"]
    corpus = scores(*(write(tmp_path / f"{name}.csv", ",score\n0,1\n1,2\n2,5\n") for name in "xy"))
    assert columns(corpus) == {"x": [1, 2, 5], "y": [1, 2, 5]}


def test_documents_beside_a_table_without_them(tmp_path: Path, run: Run) -> None:
    table = write(tmp_path / "x.seg.score", [f"{system}\t{value}" for system in "abc" for value in range(6)])
    docs = write(tmp_path / "x.docs", [f"news\td{item // 2}" for item in range(6)])
    corpus, given = corpus_from_table(table, ["a", "b"], documents=docs, scores=True), scores(table, documents=docs)
    assert (corpus.documents, corpus.domains) == (given.documents, given.domains)
    assert corpus.inputs.documents == given.inputs.documents
    own = write(tmp_path / "own.csv", "id,doc,a,b\n1,x,1,2\n2,x,2,1\n3,y,2,2\n")
    few = write(tmp_path / "few.docs", "d1\nd1\nd2\n")
    assert "documents come from" in run("compare", "-m", "scores", "--table", own, "--docs", few, code=2)


def test_ids_that_restart_are_refused_whoever_rated(tmp_path: Path) -> None:
    """Raters that differ by part, and raters who saw all."""
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
    seen = [f"{s},t{d},{i},{r},{(i + d) % 3}" for s in "ab" for d in range(3) for i in range(4) for r in "xyz"]
    path = write(tmp_path / "t.csv", ["system,Akte,id,rater,score", *seen])
    with refused(naming=["'x'", "'0'", "'Akte'"]):
        scores(path)
    assert (scores(path, id_column="Akte,id").segments, scores(path, repeat_column="Akte").segments) == (12, 4)


@pytest.mark.parametrize(
    ("header", "row", "raters"),
    [
        *(
            (f"System,Segment ID,{name},score", "{s},{i},p{k},{n}", 3)
            for name in ("Rater ID", "rater-id", "Linguist", "Coder ID", "rated_by")
        ),
        ("system,id,rater,score,file", "{s},{i},r{k},{n},r{k}.xlsx", 3),
        ("system,id,sample,score,file", "{s},{i},r{k},{n},r{k}.xlsx", None),
        # Samples that answers tell apart.
        ("system,id,reply,score", "{s},{i},answer {s}{i}{k},{n}", None),
        ("system,id,reply,score", "{s},{i},{letter},{n}", None),
        # Authors of several items, of one each, of samples; and beside a column of raters.
        *(
            (f"system,id,{name},score{more}", row, raters)
            for name in ("user", "worker", "reviewer")
            for more, row, raters in (
                ("", "{s},{i},p{few},{m}", None),
                ("", "{s},{i},how do I {i},{m}", None),
                (",sample", "{s},{i},p{j},{n},{k}", None),
                (",rater", "{s},{i},how do I {i},{n},r{k}", 3),
            )
        ),
    ],
)
def test_which_columns_are_raters(tmp_path: Path, header: str, row: str, raters: int | None) -> None:
    cells = itertools.product(("a", "bb"), range(12), range(3))
    given = [
        row.format(s=s, i=i, k=k, few=i % 4, j=(i + k) % 4, letter="AAB"[k], m=(i + len(s)) % 3, n=(i + k + len(s)) % 3)
        for s, i, k in cells
    ]
    corpus = scores(write(tmp_path / "t.csv", [header, *dict.fromkeys(given)]))
    assert (corpus.segments, corpus.raters) == (12, raters)
    if header.endswith("file"):  # a name of languages is another part
        with refused(naming=["'lp'"]):
            scores(write(tmp_path / "t.csv", [header.replace("file", "lp"), *given]))


def test_a_letter_alone_is_told_how_to_be_written(tmp_path: Path) -> None:
    with refused(line=2, naming=["a.csv", "1", "0"]):
        scores(write(tmp_path / "a.csv", "id,score\n1,I\n2,I\n"))
