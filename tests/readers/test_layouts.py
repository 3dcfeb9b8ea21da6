"""One meaning of ``seed``, ``run`` and ``sample`` in every layout; every run counts."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Mapping, Sequence
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


def read_scores(files: Sequence[str]) -> tg.Corpus:
    return read_corpus(files, outputs_are_scores=True)


def long(rows: Sequence[Row], column: str, ending: str = "csv") -> tg.Corpus:
    return read_scores([write(f"all.{ending}", rows)])


def long_table(rows: Sequence[Row], column: str) -> tg.Corpus:
    return corpus_from_table(write("all.csv", rows), scores=True)


def parts(rows: Sequence[Row], column: str) -> tg.Corpus:
    return read_scores([write(f"{name}.csv", of_system(rows, name)) for name in SYSTEMS])


def files(rows: Sequence[Row], column: str, ending: str = "csv") -> tg.Corpus:
    return read_scores([f"{name}={write(f'{name}.{ending}', of_system(rows, name, 'system'))}" for name in SYSTEMS])


def files_by_name(rows: Sequence[Row], column: str) -> tg.Corpus:
    return read_scores([write(f"{name}.jsonl", of_system(rows, name, "system")) for name in SYSTEMS])


def named_parts(rows: Sequence[Row], column: str) -> tg.Corpus:
    return read_scores([f"{name}={write(f'{name}.csv', of_system(rows, name))}" for name in SYSTEMS])


def file_each(rows: Sequence[Row], column: str) -> tg.Corpus:
    numbers = sorted({row[column] for row in rows})
    given = []
    for name in SYSTEMS:
        own = {n: [row for row in of_system(rows, name, "system") if row[column] == n] for n in numbers}
        given.append(f"{name}={','.join(write(f'{name}.{n}.csv', held) for n, held in own.items())}")
    return read_scores(given)


def frame(rows: Sequence[Row], column: str) -> tg.Corpus:
    return corpus_from_memory(None, pd.DataFrame(rows))


def polars_frame(rows: Sequence[Row], column: str) -> tg.Corpus:
    return corpus_from_memory(None, pl.DataFrame(rows))


def _wide_rows(rows: Sequence[Row], column: str) -> list[Row]:
    held = {(row["system"], row["id"], row[column]): row["score"] for row in rows}
    places = sorted({(one, number) for _, one, number in held})
    return [{"id": one, column: n} | {name: held[name, one, n] for name in SYSTEMS} for one, n in places]


def wide(rows: Sequence[Row], column: str) -> tg.Corpus:
    return corpus_from_table(write("wide.csv", _wide_rows(rows, column)), scores=True)


def wide_frame(rows: Sequence[Row], column: str) -> tg.Corpus:
    return corpus_from_memory(None, pd.DataFrame(_wide_rows(rows, column)))


def frames(rows: Sequence[Row], column: str) -> tg.Corpus:
    return corpus_from_memory(None, {name: pd.DataFrame(of_system(rows, name, "system")) for name in SYSTEMS})


def without_ids(rows: Sequence[Row], column: str) -> tg.Corpus:
    return read_scores([f"{name}={write(f'{name}.csv', of_system(rows, name, 'system', 'id'))}" for name in SYSTEMS])


def one_without(rows: Sequence[Row], column: str) -> tg.Corpus:
    """The baseline has one run, in a file without the column."""
    first = [row for row in of_system(rows, "base", "system") if row[column] == 1]
    base = write("base.csv", [{key: row[key] for key in ("id", "score")} for row in first])
    return read_scores([f"base={base}", f"new={write('new.csv', of_system(rows, 'new', 'system'))}"])


def beside_texts(rows: Sequence[Row], column: str) -> tg.Corpus:
    ids = sorted({row["id"] for row in rows})
    texts = [write(f"{name}.jsonl", [{"id": one, "text": f"{name} {one}"} for one in ids]) for name in SYSTEMS]
    scores = [f"{name}={write(f'{name}.csv', of_system(rows, name, 'system'))}" for name in SYSTEMS]
    reference = write("ref.jsonl", [{"id": one, "text": f"the {one}"} for one in ids])
    return read_corpus(texts, [reference], scores=scores)


Layout = Callable[[Sequence[Row], str], tg.Corpus]
#: Layouts that can hold runs, or samples, in a column.
BOTH: tuple[Layout, ...] = (
    *(long, long_table, parts, files, files_by_name, named_parts, frame, polars_frame),
    *(lambda rows, column, ending=one: long(rows, column, ending) for one in ("tsv", "jsonl")),
    *(lambda rows, column, ending=one: files(rows, column, ending) for one in ("tsv", "jsonl")),
)
NEITHER: tuple[Layout, ...] = (wide, wide_frame, frames, without_ids)
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
def test_the_same_rows_have_the_same_p_in_every_layout(layout: Layout, column: str) -> None:
    rows = rows_of(VARYING, column)
    corpus = layout(rows, column)
    assert [len(one.runs) for one in corpus.systems] == [5 if column in RUN_COLUMNS else 1] * 2
    assert answer(corpus) == answer(long(rows, column))
    assert (answer(corpus)[4] == "crossed") == (column in RUN_COLUMNS)


@pytest.mark.parametrize("column", [*RUN_COLUMNS, *SAMPLE_COLUMNS])
@pytest.mark.parametrize("layout", NEITHER)
def test_what_a_layout_cannot_hold_is_refused(layout: Layout, column: str) -> None:
    with pytest.raises(InputError) as caught:
        layout(rows_of(VARYING, column), column)
    assert caught.value.hint


@pytest.mark.parametrize("layout", [file_each, one_without, beside_texts])
def test_layouts_that_hold_runs_in_files_of_their_own(layout: Layout) -> None:
    rows = rows_of(VARYING, "seed")
    if layout is file_each:
        assert answer(layout(rows, "seed")) == answer(long(rows, "seed"))
    else:
        with refused(naming=["'seed'", "5"]):
            layout(rows, "seed")
    samples = rows_of(VARYING, "sample")
    if layout is file_each:
        with refused(naming=["'base'", "'sample'"]):
            layout(samples, "sample")
    else:
        assert layout(samples, "sample").system("new").runs[0].repeats["score"].values.size == 100


def test_samples_in_a_file_for_each_run() -> None:
    given = []
    for name, own in VARYING.items():
        held = [rows_of({name: [run[:10], run[10:]]}, "sample") for run in own]
        given.append(f"{name}={','.join(write(f'{name}.{i}.csv', rows) for i, rows in enumerate(held))}")
    corpus = read_scores(given)
    assert [(len(one.runs), len(one.runs[0])) for one in corpus.systems] == [(5, 10)] * 2


def test_raters_in_files_of_systems_are_raters() -> None:
    rows = sorted(rows_of(VARYING, "rater"), key=lambda row: (row["id"], row["rater"]))
    assert answer(files(rows, "rater")) == answer(long(rows, "rater"))
    assert answer(files(rows, "rater"))[4] == "raters"


TEXTS = {
    name: [[f"w{(7 * i + r + k) % 9} of line {i}" for i in range(12)] for r in range(3)]
    for k, name in enumerate(SYSTEMS)
}
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
    assert (
        of(corpus_from_table(write("all.jsonl", rows))) == of(corpus_from_memory(None, pd.DataFrame(rows))) == expected
    )
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
    ordered = sorted(rows, key=lambda row: (row[column], row["id"]))
    numbers = sorted({row[column] for row in rows})
    return {
        name: [[row["score"] for row in of_system(ordered, name) if row[column] == n] for n in numbers]
        for name in SYSTEMS
    }


def lists(rows: Sequence[Row], column: str) -> tg.Corpus:
    return corpus_from_memory(None, _runs(rows, column))


def runs_of_numbers(rows: Sequence[Row], column: str) -> tg.Corpus:
    """A file for each run, of numbers alone."""
    given = []
    for name, runs in _runs(rows, column).items():
        paths = [write(f"{name}.{i}.csv", [{"score": score} for score in run]) for i, run in enumerate(runs)]
        given.append(f"{name}={','.join(paths)}")
    return read_scores(given)


#: Four seeds of ``new`` solve everything, one .8; the truth is .96 against .9067.
NEAR_CEILING = {
    "base": [[1] * k + [0] * (30 - k) for k in (28, 27, 26, 28, 27)],
    "new": [*[[1] * 30] * 4, [0] * 6 + [1] * 24],
}


@pytest.mark.parametrize("study", [tg.score, tg.compare, tg.rank])
@pytest.mark.parametrize("layout", [*BOTH, file_each, runs_of_numbers, lists])
def test_every_run_counts(layout: Layout, study: Any) -> None:
    corpus = layout(rows_of(NEAR_CEILING, "seed"), "seed")
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
