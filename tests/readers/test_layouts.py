"""One meaning of ``seed``, ``run`` and ``sample`` in every layout; every run counts."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus
from truegain.readers.memory import corpus_from_memory

SYSTEMS = ("base", "new")
Row = Mapping[str, Any]
Scores = Mapping[str, Sequence[Sequence[float]]]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, rows: Sequence[Row]) -> str:
    with Path(name).open("w", encoding="utf-8", newline="") as file:
        if name.endswith(".jsonl"):
            file.writelines(f"{json.dumps(row)}\n" for row in rows)
        else:
            table = csv.DictWriter(file, list(rows[0]), delimiter="\t" if name.endswith(".tsv") else ",")
            table.writeheader()
            table.writerows(rows)
    return name


def rows_of(scores: Scores, column: str) -> list[Row]:
    """Return a row per system, run or sample, and item, in a random order."""
    rows = [
        {"system": name, "id": f"q{item:02d}", column: number, "score": score}
        for name, own in scores.items()
        for number, run in enumerate(own, 1)
        for item, score in enumerate(run)
    ]
    return random.Random(1).sample(rows, len(rows))


def of_system(rows: Sequence[Row], name: str, *left_out: str) -> list[Row]:
    return [{key: row[key] for key in row if key not in left_out} for row in rows if row["system"] == name]


def file_of(rows: Sequence[Row], name: str, ending: str, *left_out: str) -> str:
    return write(f"{name}.{ending}", of_system(rows, name, *left_out))


def read_scores(files: Sequence[str]) -> tg.Corpus:
    return read_corpus(files, outputs_are_scores=True)


def long(rows: Sequence[Row], column: str, ending: str = "csv") -> tg.Corpus:
    return read_scores([write(f"all.{ending}", rows)])


def files(rows: Sequence[Row], column: str, ending: str = "csv", *left_out: str) -> tg.Corpus:
    """A file for each system, which has its name, and no column of systems."""
    return read_scores([f"{name}={file_of(rows, name, ending, 'system', *left_out)}" for name in SYSTEMS])


def files_of_runs(runs: Mapping[str, Sequence[Sequence[Row]]]) -> tg.Corpus:
    paths = {name: [write(f"{name}.{i}.csv", rows) for i, rows in enumerate(own)] for name, own in runs.items()}
    return read_scores([f"{name}={','.join(own)}" for name, own in paths.items()])


def file_each(rows: Sequence[Row], column: str) -> tg.Corpus:
    numbers = sorted({row[column] for row in rows})
    held = {name: of_system(rows, name, "system") for name in SYSTEMS}
    return files_of_runs({name: [[row for row in held[name] if row[column] == n] for n in numbers] for name in held})


def _wide_rows(rows: Sequence[Row], column: str) -> list[Row]:
    held = {(row["system"], row["id"], row[column]): row["score"] for row in rows}
    places = sorted({(one, number) for _, one, number in held})
    return [{"id": one, column: n} | {name: held[name, one, n] for name in SYSTEMS} for one, n in places]


def one_without(rows: Sequence[Row], column: str) -> tg.Corpus:
    """The baseline has one run, in a file without the column."""
    first = [row for row in of_system(rows, "base", "system") if row[column] == 1]
    base = write("base.csv", [{key: row[key] for key in ("id", "score")} for row in first])
    return read_scores([f"base={base}", f"new={file_of(rows, 'new', 'csv', 'system')}"])


def beside_texts(rows: Sequence[Row], column: str) -> tg.Corpus:
    ids = sorted({row["id"] for row in rows})
    texts = [write(f"{name}.jsonl", [{"id": one, "text": f"{name} {one}"} for one in ids]) for name in SYSTEMS]
    scores = [f"{name}={file_of(rows, name, 'csv', 'system')}" for name in SYSTEMS]
    reference = write("ref.jsonl", [{"id": one, "text": f"the {one}"} for one in ids])
    return read_corpus(texts, [reference], scores=scores)


Layout = Callable[[Sequence[Row], str], tg.Corpus]
#: Layouts that can hold runs, or samples, in a column.
BOTH: dict[str, Layout] = {
    **{f"long {one}": partial(long, ending=one) for one in ("csv", "tsv", "jsonl")},
    **{f"files {one}": partial(files, ending=one) for one in ("csv", "tsv", "jsonl")},
    "long table": lambda rows, _: corpus_from_table(write("all.csv", rows), scores=True),
    "parts": lambda rows, _: read_scores([file_of(rows, name, "csv") for name in SYSTEMS]),
    "files by name": lambda rows, _: read_scores([file_of(rows, name, "jsonl", "system") for name in SYSTEMS]),
    "named parts": lambda rows, _: read_scores([f"{name}={file_of(rows, name, 'csv')}" for name in SYSTEMS]),
    "frame": lambda rows, _: corpus_from_memory(None, pd.DataFrame(rows)),
    "frame of polars": lambda rows, _: corpus_from_memory(None, pl.DataFrame(rows)),
}
NEITHER: dict[str, Layout] = {
    "wide": lambda rows, column: corpus_from_table(write("wide.csv", _wide_rows(rows, column)), scores=True),
    "wide frame": lambda rows, column: corpus_from_memory(None, pd.DataFrame(_wide_rows(rows, column))),
    "frames": lambda rows, _: corpus_from_memory(
        None, {name: pd.DataFrame(of_system(rows, name, "system")) for name in SYSTEMS}
    ),
    "without ids": lambda rows, column: files(rows, column, "csv", "id"),
}
RUN_COLUMNS, SAMPLE_COLUMNS = ("seed", "Run"), ("sample", "epoch", "Trial")
CHANCE = random.Random(3)
#: Runs that vary: a gain over them all that segments alone would show.
VARYING = {
    name: [[CHANCE.gauss(level, 0.5) for _ in range(20)] for level in levels]
    for name, levels in (("base", (0.1, -0.4, 0.5, 0.0, -0.3)), ("new", (0.6, -0.2, 0.9, 0.1, 0.4)))
}


def answer(corpus: tg.Corpus) -> tuple[Any, ...]:
    result = tg.compare(corpus, metrics=["scores:column=score"], resamples=300, changed_segments=0)
    (found,) = result.primary_tests("scores:column=score")
    interval = found.interval
    assert interval is not None
    return found.baseline, found.system, found.delta, found.p, found.test, interval.low, interval.high


@pytest.mark.parametrize("column", [*RUN_COLUMNS, *SAMPLE_COLUMNS])
@pytest.mark.parametrize("layout", BOTH)
def test_the_same_rows_have_the_same_p_in_every_layout(layout: str, column: str) -> None:
    rows = rows_of(VARYING, column)
    corpus = BOTH[layout](rows, column)
    assert [len(one.runs) for one in corpus.systems] == [5 if column in RUN_COLUMNS else 1] * 2
    assert answer(corpus) == answer(long(rows, column))
    assert (answer(corpus)[4] == "crossed") == (column in RUN_COLUMNS)


@pytest.mark.parametrize("column", [*RUN_COLUMNS, *SAMPLE_COLUMNS])
@pytest.mark.parametrize("layout", NEITHER)
def test_what_a_layout_cannot_hold_is_refused(layout: str, column: str) -> None:
    with pytest.raises(InputError) as caught:
        NEITHER[layout](rows_of(VARYING, column), column)
    assert caught.value.hint


def test_files_of_their_own_hold_runs_and_no_samples() -> None:
    rows = rows_of(VARYING, "seed")
    assert answer(file_each(rows, "seed")) == answer(long(rows, "seed"))
    with refused(naming=["'base'", "'sample'"]):
        file_each(rows_of(VARYING, "sample"), "sample")
    halves = {name: [[run[:10], run[10:]] for run in own] for name, own in VARYING.items()}
    corpus = files_of_runs({name: [rows_of({name: one}, "sample") for one in own] for name, own in halves.items()})
    assert [(len(one.runs), len(one.runs[0])) for one in corpus.systems] == [(5, 10)] * 2
    rated = sorted(rows_of(VARYING, "rater"), key=lambda row: (row["id"], row["rater"]))
    assert answer(files(rated, "rater")) == answer(long(rated, "rater"))
    assert answer(files(rated, "rater"))[4] == "raters"


@pytest.mark.parametrize("layout", [one_without, beside_texts])
def test_layouts_that_hold_samples_and_no_runs(layout: Layout) -> None:
    with refused(naming=["'seed'", "5"]):
        layout(rows_of(VARYING, "seed"), "seed")
    samples = layout(rows_of(VARYING, "sample"), "sample")
    assert samples.system("new").runs[0].repeats["score"].values.size == 100


PLACES = (("base", 0), ("new", 1))
TEXTS = {name: [[f"w{(7 * i + r + k) % 9} of line {i}" for i in range(12)] for r in range(3)] for name, k in PLACES}
REFERENCE = [f"w{i % 9} of line {i}" for i in range(12)]


def text_rows(name: str, *keys: str) -> list[Row]:
    return [
        {key: {"system": name, "id": i, "seed": run, "output": line, "ref": REFERENCE[i]}[key] for key in keys}
        for run, lines in enumerate(TEXTS[name])
        for i, line in enumerate(lines)
    ]


def test_seeds_of_texts() -> None:
    """In a long table, or as files of their own; a text per row is nothing else."""

    def of(corpus: tg.Corpus) -> tuple[float, int]:
        result = tg.score(corpus, metrics=["chrf"], resamples=10)
        return result["chrf", "new"].score, len(result["chrf", "new"].run_scores)

    expected = of(corpus_from_memory(REFERENCE, {name: list(runs) for name, runs in TEXTS.items()}))
    rows = [row for name in SYSTEMS for row in text_rows(name, "system", "id", "seed", "output", "ref")]
    assert of(corpus_from_table(write("all.jsonl", rows))) == expected
    assert of(corpus_from_memory(None, pd.DataFrame(rows))) == expected
    outputs = [write(f"{name}.jsonl", text_rows(name, "seed", "output")) for name in SYSTEMS]
    reference = write("ref.jsonl", [{"ref": line} for _ in range(3) for line in REFERENCE])
    pairs = zip(text_rows("base", "output", "seed", "ref"), text_rows("new", "output"), strict=True)
    sides = [{"seed": a["seed"], "ref": a["ref"], "base": a["output"], "new": b["output"]} for a, b in pairs]
    refusals: list[Callable[[], object]] = [
        lambda: read_corpus(outputs, [reference]),
        lambda: corpus_from_table(write("wide.jsonl", sides), list(SYSTEMS)),
        lambda: corpus_from_table(write("wide.jsonl", sides)),
        lambda: corpus_from_memory(None, pd.DataFrame(sides)),
    ]
    for refusal in refusals:
        with pytest.raises(InputError, match=r"its column 'seed' has 3 values.* one run was") as caught:
            refusal()
        assert caught.value.hint


def _runs(rows: Sequence[Row], column: str) -> dict[str, list[list[float]]]:
    runs: dict[str, dict[Any, list[float]]] = {name: {} for name in SYSTEMS}
    for row in sorted(rows, key=lambda row: (row[column], row["id"])):
        runs[row["system"]].setdefault(row[column], []).append(row["score"])
    return {name: list(own.values()) for name, own in runs.items()}


def runs_of_numbers(rows: Sequence[Row], column: str) -> tg.Corpus:
    """A file for each run, of numbers alone."""
    runs = _runs(rows, column).items()
    return files_of_runs({name: [[{"score": score} for score in run] for run in own] for name, own in runs})


OF_RUNS: dict[str, Layout] = {
    **BOTH,
    "a file each": file_each,
    "numbers alone": runs_of_numbers,
    "lists": lambda rows, column: corpus_from_memory(None, _runs(rows, column)),
}
#: Four seeds of ``new`` solve everything, one .8; the truth is .96 against .9067.
NEAR_CEILING = {
    "base": [[1] * k + [0] * (30 - k) for k in (28, 27, 26, 28, 27)],
    "new": [*[[1] * 30] * 4, [0] * 6 + [1] * 24],
}


@pytest.mark.parametrize("study", [tg.score, tg.compare, tg.rank])
@pytest.mark.parametrize("layout", OF_RUNS)
def test_every_run_counts(layout: str, study: Any) -> None:
    corpus = OF_RUNS[layout](rows_of(NEAR_CEILING, "seed"), "seed")
    result = study(corpus, metrics=["scores:column=score"], resamples=50)
    scores = {one.name: one for one in result.scores}
    assert {name: len(one.run_scores) for name, one in scores.items()} == {"base": 5, "new": 5}
    assert scores["base"].score == pytest.approx(0.9067, abs=1e-4)
    assert scores["new"].score == pytest.approx(0.96, abs=1e-12)
    if study is tg.compare:
        assert result.comparisons[0].delta == pytest.approx(0.0533, abs=1e-4)
    assert not {note.kind for note in result.notes} & {"repeated-texts", "shared-run"}


@pytest.mark.parametrize("again", ["x.txt", "./x.txt"])
def test_one_path_as_two_runs_is_refused(again: str) -> None:
    write("wide.csv", [{"ref": "a", "x": "a", "y": "b"}, {"ref": "b", "x": "c", "y": "b"}])
    for name in ("x.txt", "twin.txt", "ref.txt"):
        Path(name).write_text("1\n2\n3\n")
    refusals: list[Callable[[], object]] = [
        lambda: read_scores([f"a=x.txt,{again}"]),
        lambda: read_corpus([f"a=x.txt,{again}"], ["ref.txt"]),
        lambda: corpus_from_memory(None, {"a": [Path("x.txt"), Path(again)]}),
        lambda: corpus_from_table("wide.csv", ["a=x,x", "y"]),
    ]
    for refusal in refusals:
        with refused(naming=["'a'"]):
            refusal()
    assert len(read_scores(["a=x.txt,twin.txt"]).systems[0].runs) == 2
