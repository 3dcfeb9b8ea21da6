"""``truegain domains``: domains of one test set, folders, and one set alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.simulation import SystemSpec, simulate
from tests.cli.said import missing
from truegain.cli.main import main

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


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["domains", "--no-cache", "-j", "1", *QUICK, *arguments])
    assert isinstance(stop.value.code, int)
    return stop.value.code


def parsed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run("-f", "json", *arguments) == 0
    data = json.loads(capsys.readouterr().out)
    assert isinstance(data, dict)
    return data


def systems(data: dict[str, Any]) -> list[tuple[str, int]]:
    return list(dict.fromkeys((one["system"], one["runs"]) for one in data["scores"]))


FIRST = [f"out/{name}.0.txt" for name in NAMES]


def test_domains_of_one_set(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inputs = [f"news/{one}" for one in FIRST]
    data = parsed(capsys, "--ref", "news/ref.txt", "--domains", "news/domains.txt", *inputs)
    assert [(one["name"], one["segments"]) for one in data["sets"]] == [("a", 20), ("b", 20)]
    assert [(one["source"], one["target"]) for one in data["transfers"]] == [("a", "b"), ("b", "a")]
    assert systems(data) == [(name, 1) for name in NAMES]


def test_one_set_is_a_population(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inputs = ["--ref", "news/ref.txt", "--docs", "news/docs.txt", *(f"news/{one}" for one in FIRST)]
    data = parsed(capsys, *inputs, "--draw", "3", "--draw", "9")
    assert data["transfers"] == data["pairs"] == []
    assert [(one["units"], one["draws"]) for one in data["populations"]] == [(3, 5), (9, 5)]
    assert data["sets"][0]["unit"] == "document"
    assert parsed(capsys, *inputs, "--unit", "segment")["populations"][0]["units"] == 40


def test_folders(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = parsed(capsys, "--set", "news", "--set", "chat=talks", "--ref", "ref.txt", "--docs", "docs.txt", *FIRST)
    assert [(one["name"], one["unit"]) for one in data["sets"]] == [("news", "document"), ("chat", "document")]
    assert systems(data) == [(name, 1) for name in NAMES]
    assert data["command"].startswith("truegain domains -R 100")


def test_patterns_in_folders(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sets = ("--set", "news", "--set", "talks", "--ref", "ref.txt")
    every = parsed(capsys, *sets, "out/*.txt")
    assert systems(every) == [(f"{name}.{i}", 1) for name in sorted(NAMES) for i in (0, 1)]
    runs = parsed(capsys, *sets, "bad=out/poor.*.txt", "fine=out/fair.0.txt,out/good.1.txt", "out/good.0.txt")
    assert systems(runs) == [("bad", 2), ("fine", 2), ("good.0", 1)]


def test_a_pattern_leaves_the_reference_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("news", "talks"):
        for one in FIRST:
            path = folder / name / one
            path.rename(folder / name / path.name)
        (folder / name / "docs.txt").rename(folder / name / "docs.ids")
    (folder / "news" / "domains.txt").unlink()
    data = parsed(capsys, "--set", "news", "--set", "talks", "--ref", "ref.txt", "*.txt")
    assert systems(data) == [(name, 1) for name in sorted(NAMES)]


def test_scores_in_folders(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("news", "talks"):
        for i, one in enumerate(("x", "y")):
            write(folder / name / f"{one}.scores", [str((7 * k + i) % 5) for k in range(40)])
    data = parsed(capsys, "--set", "news", "--set", "talks", "-m", "scores", "x.scores", "y.scores")
    assert systems(data) == [("x", 1), ("y", 1)]


@pytest.mark.whole
def test_the_figure_and_the_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inputs = ("--set", "news", "--set", "talks", "--ref", "ref.txt", *FIRST)
    assert run(*inputs, "--plot", "shares.svg", "-o", "result.json") == 0
    with pytest.raises(SystemExit):
        main(["plot", "result.json", "agreement", "-o", "again.svg"])
    assert (folder / "shares.svg").read_bytes() == (folder / "again.svg").read_bytes()
    with pytest.raises(SystemExit):
        main(["render", "result.json", "-o", "page.html"])
    assert (folder / "page.html").exists()


def test_gains_against_confidence_at_one_size(folder: Path) -> None:
    inputs = ("--set", "news", "--set", "talks", "--ref", "ref.txt", "--draw", "30", *FIRST)
    assert run(*inputs, "--plot-confidence", "one.svg", "-o", "result.json") == 0
    with pytest.raises(SystemExit):
        main(["plot", "result.json", "confidence", "-o", "again.svg"])
    assert (folder / "one.svg").read_bytes() == (folder / "again.svg").read_bytes()


@pytest.mark.usefixtures("folder")
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
def test_bad_input(capsys: pytest.CaptureFixture[str], line: str, naming: str) -> None:
    given = line.replace("FIRST", " ".join(FIRST)).split()
    assert run(*given, *(() if "--ref" in given else ("--ref", "ref.txt"))) == 2
    said = capsys.readouterr().err
    assert not missing(said, naming), said


def test_an_experiment_file_names_the_sets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    systems = "\n".join(f'{one} = "{{testset}}/out/{one}.*.txt"' for one in NAMES)
    sets = "\n".join(
        f'[[testset]]\nname = "{one}"\nreference = "{one}/ref.txt"\ndocuments = "{one}/docs.txt"'
        for one in ("news", "talks")
    )
    (folder / "experiment.toml").write_text(f'metrics = ["chrf"]\n[systems]\n{systems}\n{sets}\n')
    given = ("--set", "news", "--set", "talks", "--ref", "ref.txt", "--docs", "docs.txt", "-m", "chrf")
    found = []
    for arguments in (("experiment.toml",), (*given, *(f"{one}=out/{one}.*.txt" for one in NAMES))):
        with pytest.raises(SystemExit) as stop:
            main(["domains", *QUICK, *arguments, "-f", "json"])
        assert stop.value.code == 0
        found.append(json.loads(capsys.readouterr().out))
    assert [one["name"] for one in found[0]["sets"]] == ["news", "talks"]
    assert found[0]["transfers"] == found[1]["transfers"]
    with (folder / "experiment.toml").open("r+") as file:
        text = file.read()
        file.seek(0)
        file.write('alpha = 0.2\nseed = 7\nunit = "segment"\nresamples = 60\n' + text)
    for typed, level, resamples in (("", 0.2, 60), ("--alpha 0.1 -R 50", 0.1, 50)):
        with pytest.raises(SystemExit) as stop:
            main(["domains", "-q", "--draws", "0", "experiment.toml", *typed.split(), "-f", "json"])
        settings = json.loads(capsys.readouterr().out)
        assert [settings[one] for one in ("alpha", "seed", "resamples")] == [level, 7, resamples]
        assert "|unit:segment|" in settings["signature"]
    for more in (("--id-column", "id"), ("--ref", "news/ref.txt")):
        with pytest.raises(SystemExit) as stop:
            main(["domains", *QUICK, "experiment.toml", *more])
        assert stop.value.code == 2
        assert "experiment.toml" in capsys.readouterr().err


def test_a_pattern_leaves_out_what_other_options_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for one in ("news", "talks"):
        for name in NAMES:
            (folder / one / f"{name}.txt").write_bytes((folder / one / "out" / f"{name}.0.txt").read_bytes())
    (folder / "news" / "domains.txt").unlink()
    data = parsed(capsys, "--set", "news", "--set", "talks", "--ref", "ref.txt", "--docs", "docs.txt", "*.txt")
    assert {one["system"] for one in data["scores"]} == set(NAMES)
