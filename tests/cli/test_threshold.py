"""``truegain threshold``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.simulation import SystemSpec, simulate
from tests.cli.said import missing

Command = Callable[..., tuple[int, str, str]]

NAMES = ("word-1", "word-2", "bpe-1", "bpe-2")


@pytest.fixture
def files(folder: Path) -> list[str]:
    made = simulate(
        segments=60, systems=[SystemSpec(name=name, quality=0.6 + 0.05 * i) for i, name in enumerate(NAMES)]
    )
    (folder / "ref.txt").write_text("\n".join(made.references[0]) + "\n", encoding="utf-8")
    for name in NAMES:
        (folder / f"{name}.txt").write_text("\n".join(made.systems[name][0]) + "\n", encoding="utf-8")
    return [f"--ref={folder}/ref.txt", *(f"{folder}/{name}.txt" for name in NAMES)]


@pytest.fixture
def run(command: Command) -> Command:
    return lambda *arguments: command("threshold", "--no-cache", "-j", "1", "-R", "200", *arguments)


def test_options_reach_the_study(files: list[str], tmp_path: Path, run: Command, command: Command) -> None:
    output, labels = tmp_path / "threshold.json", tmp_path / "labels.tsv"
    labels.write_text("".join(f"{name}\t{name[:3]}\n" for name in NAMES), encoding="utf-8")
    options = ["--groups", str(labels), "--sizes", "20,60", "--subsets", "random", "-n", "3", "--alpha", "0.01"]
    plots = ["--plot", str(tmp_path / "confidence.svg"), "--plot-sizes", str(tmp_path / "sizes.svg")]
    assert run(*options, "--seed", "3", *plots, "-o", str(output), *files)[0] == 0
    data = json.loads(output.read_text(encoding="utf-8"))
    assert [data[key] for key in ("alpha", "seed", "subsets", "resamples")] == [0.01, 3, "random", 200]
    assert [one["label"] for one in data["labels"]] == ["wor", "wor", "bpe", "bpe"]
    assert [(one["units"], one["repetitions"]) for one in data["sizes"]] == [(20, 3), (60, 1)]
    for name in ("confidence", "sizes"):
        drawn = (tmp_path / f"{name}.svg").read_bytes()
        assert command("plot", str(output), name, "-o", str(tmp_path / f"{name}.svg"))[0] == 0
        assert (tmp_path / f"{name}.svg").read_bytes() == drawn


@pytest.mark.parametrize(
    ("line", "naming"),
    [
        ("--group (w) --groups x", "--group"),
        ("--group ^(word)", "'bpe-1' 'bpe-2'"),
        ("--groups none.tsv", "none.tsv:"),
        ("--sizes 10,many", "auto"),
        ("--plot-sizes sizes.svg", "sizes"),
        ("--repetitions 9", "--repetitions"),
        ("--subsets random", "--subsets"),
        ("--plot gains.gif", "'.gif'"),
    ],
)
def test_bad_input(files: list[str], run: Command, line: str, naming: str) -> None:
    code, _, said = run(*line.split(), *files)
    assert code == 2
    assert not missing(said, naming), said


def test_classes_of_pairs_are_read(files: list[str], tmp_path: Path, run: Command) -> None:
    classes = tmp_path / "classes.tsv"
    classes.write_text("word-1\tword-2\tsame\n\nbpe-1\tword-1\tdifferent\nword-2\tword-1\tsame\n", encoding="utf-8")
    rows = [line.split(",") for line in run("--pair-classes", str(classes), "-f", "csv", *files)[1].splitlines()]
    groups = [row[rows[0].index("group")] for row in rows[1:]]
    assert sorted(groups) == ["", "", "", "", "different", "same"]
    for text, naming in (
        ("word-1\tword-2\n", "classes.tsv:1:"),
        ("\nword-1\tword-2\ta\tb\n", "classes.tsv:2:"),
        ("word-1\tword-2\ta\nword-2\tword-1\tb\n", "classes.tsv:2: 'word-2' 'word-1' 'a'"),
        ("word-1\tword-2\ta\nword-1\tword\tb\n", "classes.tsv:2: 'word'"),
        ("\n", "classes.tsv:"),
    ):
        classes.write_text(text, encoding="utf-8")
        code, _, said = run("--pair-classes", str(classes), *files)
        assert code == 2
        assert not missing(said, naming)
    assert run("--pair-classes", str(classes), "--group", "^(word|bpe)", *files)[0] == 2


def test_a_profile_predicts_reported_gains(run: Command, command: Command) -> None:
    names = [f"{i}.scores" for i in range(6)]
    for i, name in enumerate(names):
        Path(name).write_text("".join(f"{(i + 2) * j % 7}\n" for j in range(40)), encoding="utf-8")
    assert run("-m", "scores", "--group", "^(.)", *names, "-o", "profile.json")[0] == 0
    given = ["--profile", "profile.json", "--gain", "0.2,0.9", "--segments", "80"]
    for more in ([], ["-m", "scores"]):
        assert command("threshold", *given, *more, "-o", "answer.json")[0] == 0
        data = json.loads(Path("answer.json").read_text(encoding="utf-8"))
        assert [one["gain"] for one in data["gains"]] == [0.2, 0.9]
        assert (data["study"], data["segments"], data["group"]) == ("significance", 80, "all")
    for wrong in ("-m scores -m bleu", "-m bleu", names[0], "--similar", "--group ^(.)", "--gain 0"):
        assert command("threshold", *given, *wrong.split())[0] == 2
