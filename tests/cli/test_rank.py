"""``truegain rank``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from truegain.cli.main import main
from truegain.simulation import SystemSpec, simulate

NAMES = ("poor", "fair", "good")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    made = simulate(
        segments=60, systems=[SystemSpec(name=name, quality=0.5 + 0.2 * i, runs=2) for i, name in enumerate(NAMES)]
    )
    (tmp_path / "ref.txt").write_text("\n".join(made.references[0]) + "\n", encoding="utf-8")
    for name in NAMES:
        for run in (0, 1):
            path = tmp_path / f"{name}.{run}.txt"
            path.write_text("\n".join(made.systems[name][run]) + "\n", encoding="utf-8")
    return [f"--ref={tmp_path}/ref.txt", *(f"{name}={tmp_path}/{name}.0.txt" for name in NAMES)]


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["rank", "--no-cache", "-j", "1", *arguments])
    assert isinstance(stop.value.code, int)
    return stop.value.code


def test_the_terminal_shows_the_ranking(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-m", "bleu", "-m", "ter", "-R", "500", *files) == 0
    shown = capsys.readouterr().out
    assert shown.index("good") < shown.index("fair") < shown.index("poor")
    assert "By BLEU, good is better than both others" in shown
    assert "3 clusters; 3 of 3 pairs differ." in shown
    assert "adjust:maxt|ci:percentile|R:500" in shown


def test_options_reach_the_study(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figure, output = tmp_path / "map.svg", tmp_path / "ranking.json"
    options = ["--test", "ar", "--adjust", "bh", "--alpha", "0.01", "--seed", "3", "-R", "200"]
    assert run(*options, "--plot", str(figure), "-o", str(output), *files) == 0
    data = json.loads(output.read_text(encoding="utf-8"))
    assert [data[key] for key in ("test", "adjust", "alpha", "seed", "resamples")] == ["ar", "bh", 0.01, 3, 200]
    assert data["command"].startswith("truegain rank --test ar")
    assert "<svg" in figure.read_text(encoding="utf-8")
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["plot", str(output), "heatmap", "-o", str(tmp_path / "again.svg")])
    assert (tmp_path / "again.svg").read_bytes() == figure.read_bytes()


def test_runs(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    systems = [f"{name}={tmp_path}/{name}.*.txt" for name in NAMES]
    assert run(files[0], *systems, "-f", "csv", "-R", "200") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert "new runs on new segments" in lines[1]


def test_bad_input(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*files[:2]) == 2
    assert "a ranking needs two" in capsys.readouterr().err
    assert run("-m", "length", *files) == 2
    assert "cannot rank systems" in capsys.readouterr().err
    assert run("--test", "t", *files) == 2
    assert run("--plot", f"{tmp_path}/map.gif", *files) == 2
    assert run("--layout", "paper", *files) == 2
