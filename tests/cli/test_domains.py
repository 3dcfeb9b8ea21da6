"""``truegain domains``: domains of one test set, folders, and one set alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.simulation import SystemSpec, simulate
from tests.cli.said import missing

Command = Callable[..., tuple[int, str, str]]
Answer = Callable[..., dict[str, Any]]

NAMES = ("poor", "fair", "good")
QUICK = ("-R", "100", "--draw-resamples", "19", "--draws", "5", "-q")


def write(path: Path, lines: tuple[str, ...] | list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sets in folders of their own, each with a reference, documents and two runs of three systems."""
    for seed, name in enumerate(("news", "talks")):
        made = simulate(
            segments=40,
            seed=seed,
            systems=[SystemSpec(name=one, quality=0.5 + 0.2 * i, runs=2) for i, one in enumerate(NAMES)],
        )
        write(tmp_path / name / "ref.txt", made.references[0])
        write(tmp_path / name / "docs.txt", made.documents)
        for one in NAMES:
            for run in (0, 1):
                write(tmp_path / name / "out" / f"{one}.{run}.txt", made.systems[one][run])
    write(tmp_path / "news" / "domains.txt", ["a" if i < 20 else "b" for i in range(40)])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def answer(command: Command) -> Answer:
    """Return the JSON of a study of few draws."""

    def parsed(*arguments: str) -> dict[str, Any]:
        code, out, err = command("domains", "--no-cache", "-j", "1", *QUICK, "-f", "json", *arguments)
        assert code == 0, err
        data: dict[str, Any] = json.loads(out)
        return data

    return parsed


def systems(data: dict[str, Any]) -> list[tuple[str, int]]:
    return list(dict.fromkeys((one["system"], one["runs"]) for one in data["scores"]))


FIRST = [f"out/{name}.0.txt" for name in NAMES]


def test_domains_of_one_set(folder: Path, answer: Answer) -> None:
    inputs = [f"news/{one}" for one in FIRST]
    data = answer("--ref", "news/ref.txt", "--domains", "news/domains.txt", *inputs)
    assert [(one["name"], one["segments"]) for one in data["sets"]] == [("a", 20), ("b", 20)]
    assert [(one["source"], one["target"]) for one in data["transfers"]] == [("a", "b"), ("b", "a")]
    assert systems(data) == [(name, 1) for name in NAMES]


def test_one_set_is_a_population(folder: Path, answer: Answer) -> None:
    inputs = ["--ref", "news/ref.txt", "--docs", "news/docs.txt", *(f"news/{one}" for one in FIRST)]
    data = answer(*inputs, "--draw", "3", "--draw", "9")
    assert data["transfers"] == data["pairs"] == []
    assert [(one["units"], one["draws"]) for one in data["populations"]] == [(3, 5), (9, 5)]
    assert data["sets"][0]["unit"] == "document"
    assert answer(*inputs, "--unit", "segment")["populations"][0]["units"] == 40


def test_folders(folder: Path, answer: Answer) -> None:
    data = answer("--set", "news", "--set", "chat=talks", "--ref", "ref.txt", "--docs", "docs.txt", *FIRST)
    assert [(one["name"], one["unit"]) for one in data["sets"]] == [("news", "document"), ("chat", "document")]
    assert systems(data) == [(name, 1) for name in NAMES]
    assert data["command"].startswith("truegain domains -R 100")


def test_patterns_in_folders(folder: Path, answer: Answer) -> None:
    sets = ("--set", "news", "--set", "talks", "--ref", "ref.txt")
    every = answer(*sets, "out/*.txt")
    assert systems(every) == [(f"{name}.{i}", 1) for name in sorted(NAMES) for i in (0, 1)]
    runs = answer(*sets, "bad=out/poor.*.txt", "fine=out/fair.0.txt,out/good.1.txt", "out/good.0.txt")
    assert systems(runs) == [("bad", 2), ("fine", 2), ("good.0", 1)]


def test_scores_in_folders(folder: Path, answer: Answer) -> None:
    for name in ("news", "talks"):
        for i, one in enumerate(("x", "y")):
            write(folder / name / f"{one}.scores", [str((7 * k + i) % 5) for k in range(40)])
    data = answer("--set", "news", "--set", "talks", "-m", "scores", "x.scores", "y.scores")
    assert systems(data) == [("x", 1), ("y", 1)]


@pytest.mark.parametrize(
    ("options", "figure"),
    [
        pytest.param(("--plot",), "agreement", marks=pytest.mark.whole),
        (("--draw", "30", "--plot-confidence"), "confidence"),
    ],
)
def test_the_figures_and_the_page(folder: Path, command: Command, options: tuple[str, ...], figure: str) -> None:
    inputs = ("--set", "news", "--set", "talks", "--ref", "ref.txt", *FIRST)
    assert command("domains", "--no-cache", *QUICK, *inputs, *options, "one.svg", "-o", "result.json")[0] == 0
    assert command("plot", "result.json", figure, "-o", "again.svg")[0] == 0
    assert (folder / "one.svg").read_bytes() == (folder / "again.svg").read_bytes()
    assert command("render", "result.json", "-o", "page.html")[0] == 0
    assert (folder / "page.html").exists()


@pytest.mark.parametrize(
    ("line", "naming"),
    [
        ("--set news FIRST --bins 0.1,x", "'0.1,x'"),
        ("--set news FIRST --bins 0.1,0.1", "bins"),
        ("--set news --set talks FIRST --plot-confidence x.svg", "--draw"),
        ("--set news FIRST --draw 9 --plot-confidence x.svg", "--draw"),
        ("--set none FIRST", "none:"),
        ("--set news/ref.txt FIRST", "news/ref.txt:"),
        ("--set news --set news=talks FIRST", "'news'"),
        ("--set news --domains domains.txt FIRST", "--domains --set"),
        ("--set news --table x.tsv", "--table --set"),
        ("--set news out/*.de", "'out/*.de'"),
        ("--set news --set talks *.txt", "'domains'"),
        ("--set news --set talks x=out/none.txt", "news/out/none.txt:"),
        ("--ref news/ref.txt news/out/fair.0.txt", "system"),
        ("--ref news/ref.txt --unit block news/out/fair.0.txt", "'--unit'"),
        ("--set news out/*.txt --draw 20 --draws 0", "--draws 0"),
    ],
)
def test_bad_input(command: Command, line: str, naming: str) -> None:
    given = line.replace("FIRST", " ".join(FIRST)).split()
    code, _, said = command(
        "domains", "--no-cache", *QUICK, *given, *([] if "--ref" in given else ["--ref", "ref.txt"])
    )
    assert code == 2
    assert not missing(said, naming), said


def test_an_experiment_file_names_the_sets(folder: Path, command: Command, answer: Answer) -> None:
    systems = "\n".join(f'{one} = "{{testset}}/out/{one}.*.txt"' for one in NAMES)
    sets = "\n".join(
        f'[[testset]]\nname = "{one}"\nreference = "{one}/ref.txt"\ndocuments = "{one}/docs.txt"'
        for one in ("news", "talks")
    )
    (folder / "experiment.toml").write_text(f'metrics = ["chrf"]\n[systems]\n{systems}\n{sets}\n')
    given = ("--set", "news", "--set", "talks", "--ref", "ref.txt", "--docs", "docs.txt", "-m", "chrf")
    found = answer("experiment.toml")
    assert [one["name"] for one in found["sets"]] == ["news", "talks"]
    assert found["transfers"] == answer(*given, *(f"{one}=out/{one}.*.txt" for one in NAMES))["transfers"]
    text = (folder / "experiment.toml").read_text()
    (folder / "experiment.toml").write_text(f'alpha = 0.2\nseed = 7\nunit = "segment"\nresamples = 60\n{text}')
    for typed, level, resamples in (("", 0.2, 60), ("--alpha 0.1 -R 50", 0.1, 50)):
        settings = json.loads(command("domains", "--draws", "0", "experiment.toml", *typed.split(), "-f", "json")[1])
        assert [settings[one] for one in ("alpha", "seed", "resamples")] == [level, 7, resamples]
        assert "|unit:segment|" in settings["signature"]
    for more in (("--id-column", "id"), ("--ref", "news/ref.txt")):
        code, _, said = command("domains", *QUICK, "experiment.toml", *more)
        assert (code, "experiment.toml" in said) == (2, True), said


def test_a_pattern_leaves_out_what_other_options_name(folder: Path, answer: Answer) -> None:
    """The references and the documents."""
    for one in ("news", "talks"):
        for name in FIRST:
            (folder / one / name).rename(folder / one / Path(name).name)
    (folder / "news" / "domains.txt").unlink()
    data = answer("--set", "news", "--set", "talks", "--ref", "ref.txt", "--docs", "docs.txt", "*.txt")
    assert systems(data) == [(name, 1) for name in sorted(NAMES)]
