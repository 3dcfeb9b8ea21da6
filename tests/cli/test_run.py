"""``truegain run``: a whole experiment from one file, shown and written."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import truegain as tg
from tests.cli.said import missing

Command = Callable[..., tuple[int, str, str]]

EXPERIMENT = """\
metrics = ["bleu", "chrf"]
resamples = 60
outputs = ["out/report.html", "out/result.json", "out/table.tex", "out/forest.svg"]

[systems]
base = "{testset}/base.txt"
new = "{testset}/new.txt"

[[testset]]
name = "one"
reference = "one/ref.txt"
documents = "one/docs.txt"

[[testset]]
name = "two"
reference = "two/ref.txt"
"""


@pytest.fixture
def experiment(folder: Path) -> Path:
    for name in ("one", "two"):
        (folder / name).mkdir()
        for file in ("ref.txt", "base.txt", "new.txt", "docs.txt"):
            lines = (folder / file).read_text().splitlines()
            (folder / name / file).write_text("\n".join(lines if name == "one" else lines[:15]) + "\n")
    (folder / "out").mkdir()
    (folder / "experiment.toml").write_text(EXPERIMENT)
    return folder


def test_it_is_shown_and_written(command: Command, experiment: Path) -> None:
    code, out, err = command("run", "experiment.toml", "-j", "1")
    assert code == 0, err
    names = ["report.html", "result.json", "table.tex", "forest.svg"]
    assert err.splitlines() == [f"wrote out/{name}" for name in names]
    assert {path.name for path in (experiment / "out").iterdir()} == set(names)
    stored = tg.load("out/result.json")
    assert stored.command == "truegain run experiment.toml"
    code, again, _ = command("render", "out/result.json")
    assert (code, again) == (0, out)


def test_every_set_is_what_compare_prints(command: Command, experiment: Path) -> None:
    command("run", "experiment.toml", "--no-outputs", "-o", "all.json")
    assert not list((experiment / "out").iterdir())
    options = ("-R", "60", "-m", "bleu", "-m", "chrf")
    for number, (name, more) in enumerate((("one", ("--docs", "one/docs.txt")), ("two", ()))):
        command(
            *("compare", *options, "--ref", f"{name}/ref.txt", *more, "--name", name),
            *(f"base={name}/base.txt", f"new={name}/new.txt", "-o", "single.json"),
        )
        mine = json.loads(Path("all.json").read_text())["sets"][number]
        other = json.loads(Path("single.json").read_text())
        for key in mine.keys() - {"command", "version"}:
            assert mine[key] == other[key], key


def test_from_python(command: Command, experiment: Path) -> None:
    result = tg.run(experiment / "experiment.toml")
    assert result.macro is not None
    assert not list((experiment / "out").iterdir()), "nothing is written but by save"
    assert len(tg.read_experiment("experiment.toml").corpora()) == 2


@pytest.mark.parametrize(
    ("old", "new", "naming"),
    [
        ("resamples = 60", "resample = 60", "experiment.toml:2: 'resample' 'resamples'"),
        ("out/report.html", "../report.html", "experiment.toml:3: outputs '../report.html'"),
        ("out/report.html", "out/report.htm", "experiment.toml: outputs"),
        ("out/report.html", "nowhere/report.html", "nowhere/report.html"),
        ("two/ref.txt", "two/none.txt", "two/none.txt:"),
        ('"bleu"', '"blue"', "'blue'"),
        ('documents = "one/docs.txt"', "", 'documents = "FILE"'),
        ("resamples = 60", 'baseline = "base"\nfamily = "all"', 'baseline family = "all"'),
        ("resamples = 60", 'resamples = "auto"\nadjust = "maxt"', "resamples = 10000"),
    ],
)
def test_what_is_refused_before_any_work(
    refused: Callable[..., str], experiment: Path, old: str, new: str, naming: str
) -> None:
    text = EXPERIMENT.replace(old, new)
    (experiment / "experiment.toml").write_text(text if "documents" in text else f'unit = "document"\n{text}')
    assert not missing(refused("run", "experiment.toml"), naming)
    assert not list((experiment / "out").iterdir())


def test_without_a_file(refused: Callable[..., str], folder: Path) -> None:
    assert "truegain init" in refused("run", "none.toml")
    refused("run", str(folder))


@pytest.mark.skipif(sys.platform == "win32", reason="names of files")
def test_odd_names(command: Command, experiment: Path) -> None:
    (experiment / "two").rename(experiment / "[2] *")
    text = EXPERIMENT.replace('name = "two"', 'name = "[2] *"').replace("two/", "[2] */").replace("base.txt", "b*.txt")
    (experiment / "experiment.toml").write_text(text)
    code, out, err = command("run", "experiment.toml", "--no-outputs")
    assert code == 0, err
    assert "[2] *" in out
