"""``truegain rank``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.simulation import SystemSpec, simulate
from tests.cli.said import missing

Command = Callable[..., tuple[int, str, str]]

NAMES = ("poor", "fair", "good")


@pytest.fixture
def files(folder: Path) -> list[str]:
    made = simulate(
        segments=60, systems=[SystemSpec(name=name, quality=0.5 + 0.2 * i, runs=2) for i, name in enumerate(NAMES)]
    )
    (folder / "ref.txt").write_text("\n".join(made.references[0]) + "\n", encoding="utf-8")
    for name in NAMES:
        for run in (0, 1):
            path = folder / f"{name}.{run}.txt"
            path.write_text("\n".join(made.systems[name][run]) + "\n", encoding="utf-8")
    return [f"--ref={folder}/ref.txt", *(f"{name}={folder}/{name}.0.txt" for name in NAMES)]


@pytest.fixture
def run(command: Command) -> Command:
    return lambda *arguments: command("rank", "--no-cache", "-j", "1", *arguments)


def test_options_reach_the_study(files: list[str], tmp_path: Path, run: Command, command: Command) -> None:
    figure, output = tmp_path / "map.svg", tmp_path / "ranking.json"
    options = ["--test", "ar", "--adjust", "bh", "--alpha", "0.01", "--seed", "3", "-R", "200"]
    assert run(*options, "--plot", str(figure), "-o", str(output), *files)[0] == 0
    data = json.loads(output.read_text(encoding="utf-8"))
    assert [data[key] for key in ("test", "adjust", "alpha", "seed", "resamples")] == ["ar", "bh", 0.01, 3, 200]
    assert data["command"].startswith("truegain rank --test ar")
    assert "<svg" in figure.read_text(encoding="utf-8")
    assert command("plot", str(output), "heatmap", "-o", str(tmp_path / "again.svg"))[0] == 0
    assert (tmp_path / "again.svg").read_bytes() == figure.read_bytes()


EXPERIMENT = """\
metrics = ["bleu", "ter"]
test = "ar"
adjust = "holm"
resamples = 200
seed = 3
standard_errors = true
baseline = "fair"
outputs = ["report.html"]

[systems]
poor = "poor.0.txt"
fair = "fair.0.txt"
good = "good.0.txt"

[[testset]]
name = "news"
reference = "ref.txt"
"""


def answer(text: str) -> dict[str, object]:
    """Return a result without the command that made it, what is shown of it, and the note on keys that are not used."""
    result = json.loads(text)
    del result["command"], result["digest"], result["standard_errors"]
    result["notes"] = [note for note in result["notes"] if note["kind"] != "unused-keys"]
    assert isinstance(result, dict)
    return result


def test_an_experiment_file_is_ranked_as_its_files_and_settings_are(
    files: list[str], tmp_path: Path, run: Command
) -> None:
    experiment = tmp_path / "experiment.toml"
    experiment.write_text(EXPERIMENT)
    code, by_file, _ = run(str(experiment), "-f", "json")
    assert code == 0
    options = "--test ar --adjust holm -R 200 --seed 3 -m bleu -m ter --name news -f json"
    assert answer(by_file) == answer(run(*options.split(), *files)[1])
    kinds = {note["kind"]: note["text"] for note in json.loads(by_file)["notes"]}
    assert not missing(kinds["unused-keys"], "baseline outputs")
    assert not (tmp_path / "report.html").exists()
    given = json.loads(run(str(experiment), "--test", "bootstrap", "-m", "chrf", "-R", "100", "-f", "json")[1])
    assert [given["test"], given["adjust"], given["resamples"], given["seed"]] == ["bootstrap", "holm", 100, 3]
    assert [one["metric"] for one in given["ranking"]][:1] == ["chrf"]


@pytest.mark.usefixtures("files")
def test_of_several_test_sets_the_name_chooses_one(run: Command) -> None:
    Path("experiment.toml").write_text(EXPERIMENT + '[[testset]]\nname = "talks"\nreference = "good.1.txt"\n')
    for name, naming in ((), "2 talks --name news"), (("--name", "talk"), "'talks'"):
        code, _, said = run("experiment.toml", *name)
        assert code == 2
        assert not missing(said, naming), said
    result = json.loads(run("experiment.toml", "--name", "talks", "-f", "json")[1])
    assert result["testset"]["name"] == "talks"
    assert {Path(one["name"]).name for one in result["testset"]["inputs"]["files"]} == {
        *("good.1.txt", "poor.0.txt", "fair.0.txt", "good.0.txt")
    }


@pytest.mark.parametrize(
    ("arguments", "change", "naming"),
    [
        *((options, ("", ""), "") for options in (("-m", "length"), ("--test", "tukey"), ("--layout", "paper"))),
        (("--plot", "map.gif"), ("", ""), "'.gif'"),
        (("--ref", "ref.txt"), ("", ""), "-m --name"),
        (("--id-column", "id"), ("", ""), "-m --name"),
        (("--scorers", "x.toml"), ("", ""), "--scorers -m scores"),
        (("good.0.txt",), ("", ""), "experiment.toml"),
        ((), ('"ar"', '"tukey"'), "bootstrap tango crossed 'tukey'"),
        ((), ('"ar"', '["ar", "t"]'), "--test"),
        ((), ("200", '"auto"'), "--resamples 10000"),
        ((), ('"ref.txt"', '"none.txt"'), "none.txt experiment.toml 'news'"),
    ],
)
@pytest.mark.usefixtures("files")
def test_options_and_keys_that_do_not_apply_are_refused(
    run: Command, arguments: tuple[str, ...], change: tuple[str, str], naming: str
) -> None:
    Path("x.toml").write_text("")
    Path("experiment.toml").write_text(EXPERIMENT.replace(*change))
    code, _, said = run("experiment.toml", *arguments)
    assert code == 2
    assert not missing(said, naming), said
