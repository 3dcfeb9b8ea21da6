"""What ``init`` takes the columns of a table for, and that the file it writes gives what the table gives."""

from __future__ import annotations

import csv
import itertools
import json
import random
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import truegain as tg
from tests.readers import files
from tests.refusals import refused
from truegain.readers.column_names import Chosen
from truegain.readers.experiment_text import experiment_of_table
from truegain.readers.found_table import FoundTable, look_at

Run = Callable[..., str]
SYSTEMS, ITEMS, SAMPLES = ("base", "new", "zeta"), 12, 3


def write(path: Path, rows: Sequence[Sequence[object]]) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return str(path)


def long(header: Sequence[str]) -> list[Sequence[object]]:
    draw = random.Random(3)
    rows: list[Sequence[object]] = [header]
    for system, item, sample in itertools.product(SYSTEMS, range(ITEMS), range(SAMPLES)):
        subject, answer = ("law", "art")[item % 2], draw.choice("ABCD")
        rows.append((system, f"q{item}", sample, subject, draw.choice(("correct", "incorrect")), answer))
    return rows


def wide(folder: Path) -> str:
    rows: list[Sequence[object]] = [("id", "src", "ref", "new", "base", "doc", "kind", "words")]
    for i in range(20):
        text = f"the cat {i} sat on the mat {i * i}"
        texts = (f"quelle {i}", text, text.replace("sat", "is"), text.replace("the", "a"))
        rows.append((i, *texts, i // 4, "xy"[i % 2], i))
    return write(folder / "wide.csv", rows)


def found(path: str, **columns: str) -> FoundTable:
    return look_at(path, Chosen(**columns))  # type: ignore[arg-type]


def test_a_long_table_of_scores(tmp_path: Path) -> None:
    one = found(write(tmp_path / "t.csv", long(("model", "question_id", "epoch", "subject", "grade", "answer"))))
    assert one.columns == Chosen(systems="model", ids="question_id", repeats="epoch")
    assert one.scores == ("grade",)
    assert one.systems == dict.fromkeys(SYSTEMS, 1)
    assert (one.groups, one.answers, one.unused, one.doubts) == (("subject",), ("answer",), (), ())
    assert (one.rows, one.segments) == (108, 12)
    assert [note.kind for note in one.notes] == ["system-order", "truth-values", "samples"]


@pytest.mark.parametrize("columns", [("engine", "id"), ("model", "prompt"), ("engine", "prompt")])
def test_columns_without_a_usual_name_are_guessed_and_asked_about(tmp_path: Path, columns: tuple[str, str]) -> None:
    one = found(write(tmp_path / "t.csv", long((*columns, "epoch", "subject", "grade", "answer"))))
    assert (one.columns.systems, one.columns.ids) == columns
    (doubt,) = one.doubts
    assert [name in columns for name in ("engine", "prompt")] == [f"'{name}'" in doubt for name in ("engine", "prompt")]


def test_columns_of_which_lower_is_better_are_written_so_and_asked_about(tmp_path: Path) -> None:
    rows = [("system", "id", "acc", "latency_ms", "mqm")]
    rows += [(system, str(i), str(i % 2), str(i * 10), str(-i)) for system in ("base", "new") for i in range(9)]
    one = found(write(tmp_path / "t.csv", rows))
    assert one.lower == ("latency_ms",)  # with a minus, higher ones are better
    (doubt,) = one.doubts
    assert all(told in doubt for told in ("is a lower latency_ms better", "lower_is_better=false"))
    written = ["scores:column=acc", "scores:column=latency_ms,lower_is_better=true", "scores:column=mqm"]
    alone = found(write(tmp_path / "t.csv", [(row[0], row[1], row[3]) for row in rows]))
    for table, metrics in ((one, written), (alone, ["scores:lower_is_better=true"])):
        assert tomllib.loads(experiment_of_table(table, str(tmp_path / "t.toml")))["metrics"] == metrics


def test_two_columns_that_may_name_systems_are_asked_about(tmp_path: Path) -> None:
    rows = [(e, s, i, i % 3) for e in ("x", "y") for s in ("s", "l") for i in range(9)]
    path = write(tmp_path / "t.csv", [("engine", "size", "id", "score"), *rows])
    with refused(naming=["'engine'", "'size'"]):
        found(path)
    assert found(path, systems="engine", repeats="size").columns.systems == "engine"


def test_no_column_is_guessed_from_rows_that_are_items(tmp_path: Path) -> None:
    rows = [(i % 3, i % 4, "ab"[i % 2], "cd"[i // 20]) for i in range(40)]
    one = found(write(tmp_path / "t.csv", [("base", "new", "topic", "place"), *rows]))
    assert (one.wide, list(one.systems), one.groups) == (True, ["base", "new"], ("topic", "place"))


def test_references_are_of_texts_and_beside_scores_not_used(tmp_path: Path) -> None:
    one = found(wide(tmp_path))
    assert one.columns == Chosen(ids="id", documents="doc", references=("ref",))
    assert (one.texts, one.wide, list(one.systems)) == (True, True, ["new", "base"])
    assert (one.groups, one.unused) == (("kind",), ("words",))
    rows = [("model", "id", "reference", "score")]
    rows += [(m, str(i), f"answer {i}", str(i % 3)) for m in ("x", "y") for i in range(9)]
    one = found(write(tmp_path / "t.csv", rows))
    assert (one.texts, one.scores, one.unused) == (False, ("score",), ("reference",))


def test_the_file_gives_what_the_table_gives(folder: Path, run: Run) -> None:
    write(folder / "long.csv", long(("engine", "prompt", "epoch", "subject", "grade", "answer")))
    wide(folder)
    cells = [(model, i) for model in ("x", "yy") for i in range(9)]
    texts = [{"model": m, "item": {"id": i}, "scores": {"acc": (i * 7 + len(m)) % 2, "f": i / 9}} for m, i in cells]
    files.write(folder / "nested.jsonl", texts)
    cases = {
        "long.csv": ("-m scores", "--system-column engine --id-column prompt"),
        "wide.csv": ("-m bleu -m chrf", "base new"),
        "nested.jsonl": ("-m scores:column=scores.acc -m scores:column=scores.f", "--id-column item.id"),
    }
    for file, (metrics, columns) in cases.items():
        given = columns.split() if "--id" in columns else []
        assert f"table {file}: " in run("init", file, "-o", f"{file}.toml", *given)
        own = json.loads(run("run", f"{file}.toml", "--no-outputs", "-f", "json", "-q"))
        options = ["--table", file, *columns.split(), "-f", "json", "-q"]
        assert own["sets"][0]["comparisons"] == json.loads(run("compare", *metrics.split(), *options))["comparisons"]


def test_what_init_says(folder: Path, run: Run) -> None:
    wide(folder)
    first, *others = run("init", "wide.csv", "-o", "e.toml").splitlines()
    assert all(told in first for told in ("table wide.csv: 20 rows", " 20 segments"))
    said = ["systems    a column each", "items      id", "documents  doc", "references ref"]
    assert others[:5] == [f"  {one}" for one in (*said, 'groups     kind (by = "kind" compares within them)')]
    written = tomllib.loads((folder / "e.toml").read_text(encoding="utf-8"))
    assert written["testset"][0]["systems"] == {"new": "new", "base": "base"}
    assert written["baseline"] == "base"
    assert [one.name for one in tg.read_experiment("e.toml").corpora()[0].systems] == ["new", "base"]
    # Columns that are not there.
    files.write(folder / "plain.txt", "one line\nand another\n")
    for path, words in ((".", ". is not a table"), ("plain.txt", "plain.txt"), ("wide.csv", "must be one of")):
        err = run("init", path, "-o", "none.toml", "--id-column", "x", code=2)
        assert all(told in err for told in (words, "'x'"))
        assert not (folder / "none.toml").exists()
