"""What ``init`` takes the columns of a table for, and that the file it writes gives what the table gives."""

from __future__ import annotations

import csv
import json
import random
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import truegain as tg
from tests.refusals import refused
from truegain.readers.column_names import Chosen
from truegain.readers.experiment_text import experiment_of_table
from truegain.readers.found_table import FoundTable, look_at

Command = Callable[..., tuple[int, str, str]]
SYSTEMS, ITEMS, SAMPLES = ("base", "new", "zeta"), 12, 3


def write(path: Path, rows: Sequence[Sequence[object]]) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return str(path)


def long(header: Sequence[str]) -> list[Sequence[object]]:
    draw = random.Random(3)
    rows: list[Sequence[object]] = [header]
    for system in SYSTEMS:
        for item in range(ITEMS):
            for sample in range(SAMPLES):
                subject, answer = ("law", "art")[item % 2], draw.choice("ABCD")
                rows.append((system, f"q{item}", sample, subject, draw.choice(("correct", "incorrect")), answer))
    return rows


def wide(folder: Path) -> str:
    rows: list[Sequence[object]] = [("id", "src", "ref", "new", "base", "doc", "kind", "words")]
    for i in range(20):
        text = f"the cat {i} sat on the mat {i * i}"
        rows.append(
            (i, f"quelle {i}", text, text.replace("sat", "is"), text.replace("the", "a"), i // 4, "xy"[i % 2], i)
        )
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


@pytest.mark.parametrize(
    ("header", "columns", "asked"),
    [
        (("engine", "id", "epoch"), ("engine", "id"), ["'engine'"]),
        (("model", "prompt", "epoch"), ("model", "prompt"), ["'prompt'"]),
        (("engine", "prompt", "epoch"), ("engine", "prompt"), ["'engine'", "'prompt'"]),
    ],
)
def test_columns_without_a_usual_name_are_guessed_and_asked_about(
    tmp_path: Path, header: tuple[str, ...], columns: tuple[str, str], asked: list[str]
) -> None:
    one = found(write(tmp_path / "t.csv", long((*header, "subject", "grade", "answer"))))
    assert (one.columns.systems, one.columns.ids) == columns
    (doubt,) = one.doubts
    assert [name for name in ("'engine'", "'prompt'") if name in doubt] == asked


def test_columns_of_which_lower_is_better_are_written_so_and_asked_about(tmp_path: Path) -> None:
    rows = [("system", "id", "acc", "latency_ms", "mqm")]
    rows += [(system, str(i), str(i % 2), str(i * 10), str(-i)) for system in ("base", "new") for i in range(9)]
    one = found(write(tmp_path / "t.csv", rows))
    assert one.lower == ("latency_ms",)  # with a minus, higher ones are better
    (doubt,) = one.doubts
    assert all(told in doubt for told in ("is a lower latency_ms better", "lower_is_better=false"))
    text = experiment_of_table(one, str(tmp_path / "t.toml"))
    written = ["scores:column=acc", "scores:column=latency_ms,lower_is_better=true", "scores:column=mqm"]
    assert tomllib.loads(text)["metrics"] == written
    alone = found(write(tmp_path / "t.csv", [(row[0], row[1], row[3]) for row in rows]))
    text = experiment_of_table(alone, str(tmp_path / "t.toml"))
    assert tomllib.loads(text)["metrics"] == ["scores:lower_is_better=true"]


def test_two_columns_that_may_name_systems_are_asked_about(tmp_path: Path) -> None:
    rows = [("engine", "size", "id", "score")]
    rows += [(e, s, str(i), str(i % 3)) for e in ("x", "y") for s in ("s", "l") for i in range(9)]
    path = write(tmp_path / "t.csv", rows)
    with refused(naming=["'engine'", "'size'"]):
        found(path)
    assert found(path, systems="engine", repeats="size").columns.systems == "engine"


def test_no_column_is_guessed_from_rows_that_are_items(tmp_path: Path) -> None:
    rows = [("base", "new", "topic", "place")]
    rows += [(str(i % 3), str(i % 4), "ab"[i % 2], "cd"[i // 20]) for i in range(40)]
    one = found(write(tmp_path / "t.csv", rows))
    assert one.wide
    assert list(one.systems) == ["base", "new"]
    assert one.groups == ("topic", "place")


def test_a_wide_table_of_texts(tmp_path: Path) -> None:
    one = found(wide(tmp_path))
    assert one.columns == Chosen(ids="id", documents="doc", references=("ref",))
    assert (one.texts, one.wide, list(one.systems)) == (True, True, ["new", "base"])
    assert (one.groups, one.unused) == (("kind",), ("words",))


def test_a_reference_beside_scores_is_not_scored(tmp_path: Path) -> None:
    rows = [("model", "id", "reference", "score")]
    rows += [(m, str(i), f"answer {i}", str(i % 3)) for m in ("x", "y") for i in range(9)]
    one = found(write(tmp_path / "t.csv", rows))
    assert not one.texts
    assert one.scores == ("score",)
    assert one.unused == ("reference",)


def test_the_file_gives_what_the_table_gives(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "long.csv", long(("engine", "prompt", "epoch", "subject", "grade", "answer")))
    wide(tmp_path)
    texts = [
        {"model": m, "item": {"id": i}, "scores": {"acc": (i * 7 + len(m)) % 2, "f": i / 9}}
        for m in ("x", "yy")
        for i in range(9)
    ]
    (tmp_path / "nested.jsonl").write_text("".join(json.dumps(one) + "\n" for one in texts), encoding="utf-8")
    cases = {
        "long.csv": ("-m scores", "--system-column engine --id-column prompt"),
        "wide.csv": ("-m bleu -m chrf", "base new"),
        "nested.jsonl": ("-m scores:column=scores.acc -m scores:column=scores.f", "--id-column item.id"),
    }
    for file, (metrics, columns) in cases.items():
        given = columns.split() if "--id" in columns else []
        code, out, err = command("init", file, "-o", f"{file}.toml", *given)
        assert code == 0, err
        assert f"table {file}: " in out
        code, out, err = command("run", f"{file}.toml", "--no-outputs", "-f", "json", "-q")
        assert code == 0, err
        code, wanted, err = command("compare", *metrics.split(), "--table", file, *columns.split(), "-f", "json", "-q")
        assert code == 0, err
        own, same = json.loads(out), json.loads(wanted)
        assert own["sets"][0]["comparisons"] == same["comparisons"]


def test_what_init_says(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wide(tmp_path)
    code, out, err = command("init", "wide.csv", "-o", "e.toml")
    assert code == 0, err
    first, *others = out.splitlines()[:6]
    assert all(told in first for told in ("table wide.csv: 20 rows", " 20 segments"))
    assert others == [
        "  systems    a column each",
        "  items      id",
        "  documents  doc",
        "  references ref",
        '  groups     kind (by = "kind" compares within them)',
    ]
    assert "baseline base: by its name" in out
    written = tomllib.loads((tmp_path / "e.toml").read_text(encoding="utf-8"))
    assert written["testset"][0]["systems"] == {"new": "new", "base": "base"}
    assert written["baseline"] == "base"
    assert [one.name for one in tg.read_experiment("e.toml").corpora()[0].systems] == ["new", "base"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["."], ". is not a table"),
        (["plain.txt"], "plain.txt"),
        (["wide.csv"], "must be one of"),
    ],
)
def test_columns_that_are_not_there_are_refused(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    wide(tmp_path)
    (tmp_path / "plain.txt").write_text("one line\nand another\n", encoding="utf-8")
    code, _, err = command("init", *arguments, "-o", "e.toml", "--id-column", "x")
    assert code == 2
    assert all(told in err for told in (words, "'x'"))
    assert not (tmp_path / "e.toml").exists()
