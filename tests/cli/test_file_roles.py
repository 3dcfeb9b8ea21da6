"""No command writes over what it reads, by whatever name, and no two outputs go to one file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.refusals import refused
from truegain.cli.main import _COMMANDS
from truegain.file_roles import check_write, reads, separate_files, writes
from truegain.report import write_atomically

Command = Callable[..., tuple[int, str, str]]

_TEXTS = ("--ref", "ref.txt", "base.txt", "new.txt")
_RUNS = ("--ref", "ref.txt", "base=base.txt,third.txt", "new=n*.txt,third.txt")
_FEW = ("-R", "20", "-j", "1")
_OUTPUTS = ("--outputs", "base.txt", "--outputs", "new.txt", "-f", "csv")
_AGREE = ("-R", "20", "--human", "people.seg.score", "c=close.seg.score", "-f", "csv", "-o", "FILE")
_TUNE = ("--ref", "ref.txt", "--nbest", "FILE")

#: Every command that writes, with a file that it reads (FILE) as its output.
OVER: list[tuple[str, str, tuple[str, ...]]] = [
    ("compare", "new.txt", (*_FEW, *_TEXTS, "-o", "FILE", "-f", "json")),
    ("compare", "ref.txt", (*_FEW, *_TEXTS, "-o", "FILE", "-f", "json")),
    ("compare", "docs.txt", (*_FEW, *_TEXTS, "--docs", "docs.txt", "-o", "FILE")),
    ("compare", "docs.txt", (*_FEW, *_TEXTS, "--domains", "docs.txt", "-o", "FILE")),
    ("compare", "new.txt", (*_FEW, *_RUNS, "-o", "FILE")),
    ("compare", "base.scores", (*_FEW, "-m", "scores", "base.scores", "new.scores", "-f", "csv", "-o", "FILE")),
    ("compare", "base.scores", (*_FEW, *_TEXTS, "--scores", "base=base.scores", "-f", "csv", "-o", "FILE")),
    ("compare", "all.tsv", (*_FEW, "--table", "all.tsv", "-o", "FILE")),
    ("compare", "third.txt", (*_FEW, *_TEXTS, "--dev-ref", "third.txt", "--dev", "base=base.txt", "-o", "FILE")),
    ("compare", "sets.json", (*_FEW, *_RUNS, "--training-samples", "sets.json", "-o", "FILE")),
    ("compare", "people.json", (*_FEW, *_TEXTS, "--human-agreement", "people.json", "-f", "md", "-o", "FILE")),
    ("score", "new.txt", (*_FEW, *_TEXTS, "-o", "FILE")),
    ("score", "new.txt", (*_TEXTS, "--score-only", "-o", "FILE")),
    ("rank", "new.txt", (*_FEW, *_TEXTS, "-o", "FILE")),
    ("rank", "new.txt", (*_FEW, "experiment.toml", "-f", "json", "-o", "FILE")),
    ("rank", "experiment.toml", (*_FEW, "experiment.toml", "-f", "json", "-o", "FILE")),
    ("run", "experiment.toml", ("experiment.toml", "-f", "json", "-o", "FILE")),
    ("run", "new.txt", ("experiment.toml", "-o", "FILE")),
    ("run", "new.html", ("over.toml",)),
    ("init", "data/doc.toml", ("data", "--force", "-o", "FILE")),
    ("inspect", "new.txt", (*_TEXTS, "-o", "FILE")),
    ("inspect", "third.txt", (*_TEXTS, "--frequencies", "third.txt", "-o", "FILE")),
    ("gate", "new.txt", (*_FEW, *_TEXTS, "-o", "FILE")),
    ("gate", "new.txt", (*_FEW, *_TEXTS, "--summary", "FILE")),
    ("threshold", "new.txt", (*_FEW, *_TEXTS, "third.txt", "-o", "FILE")),
    ("threshold", "groups.csv", (*_FEW, *_TEXTS, "third.txt", "--groups", "groups.csv", "-o", "FILE")),
    ("threshold", "pairs.csv", (*_FEW, *_TEXTS, "third.txt", "--pair-classes", "pairs.csv", "-o", "FILE")),
    ("threshold", "profile.json", ("--profile", "profile.json", "--gain", "1", "-f", "md", "-o", "FILE")),
    ("domains", "new.txt", (*_FEW, "--draws", "0", *_TEXTS, "--domains", "docs.txt", "-o", "FILE")),
    ("plan", "new.txt", (*_TEXTS, "-o", "FILE")),
    ("calibrate", "new.txt", (*_FEW, "-n", "5", *_TEXTS, "-o", "FILE")),
    ("replicate", "new.txt", (*_FEW, "-n", "3", *_RUNS, "-o", "FILE")),
    ("intervals", "new.txt", (*_FEW, *_RUNS, "-o", "FILE")),
    ("agree", "people.seg.score", _AGREE),
    ("agree", "close.seg.score", _AGREE),
    ("agree", "close.sys.score", _AGREE),
    ("agree", "new.txt", ("-R", "20", "--human", "rated.seg.score", "--ref", "ref.txt", *_OUTPUTS, "-o", "FILE")),
    ("tune", "made/dev.run01.txt", (*_TUNE, "--runs", "1", "--restarts", "1", "-o", "made")),
    ("render", "result.json", ("result.json", "-f", "html", "-o", "FILE")),
    ("plot", "result.svg", ("result.svg", "-o", "FILE")),
]
#: They read nothing, or write nothing; or, as split, only a folder that is not there yet.
WITHOUT = {"split", "demo", "metrics", "tests"}


@pytest.fixture
def inputs(folder: Path, command: Command) -> Path:
    """More files to read: a table, results, experiment files."""
    columns = [(folder / f"{name}.txt").read_text().split("\n") for name in ("ref", "base", "new")]
    (folder / "all.tsv").write_text(
        "ref\tbase\tnew\n" + "".join("\t".join(row) + "\n" for row in zip(*columns, strict=True) if row[0])
    )
    (folder / "sets.json").write_text('{"scheme": "bootstrap", "lines": 9, "sets": [{"name": "base", "lines": 9}]}')
    (folder / "groups.csv").write_text("base\ta\nnew\tb\nthird\tb\n")
    (folder / "pairs.csv").write_text("base\tnew\tsame\n")
    text = (
        'resamples = 20\n[[testset]]\nname = "t"\nreference = "ref.txt"\nsystems = {base = "base.txt", new = "NEW"}\n'
    )
    (folder / "experiment.toml").write_text(text.replace("NEW", "new.txt"))
    (folder / "over.toml").write_text('outputs = ["new.html"]\n' + text.replace("NEW", "new.html"))
    (folder / "new.html").write_bytes((folder / "new.txt").read_bytes())
    (folder / "made").mkdir()
    entries = [f"{i} ||| {text} ||| a= {j} ||| 0\n" for i in range(24) for j, text in enumerate(("x y", "z"))]
    (folder / "made/dev.run01.txt").write_text("".join(entries))
    for number, name in enumerate(("people", "close")):
        scores = [f"s{one}\t{(5 * one + place * (3 + number)) % 17}\n" for one in range(6) for place in range(24)]
        (folder / f"{name}.seg.score").write_text("".join(scores))
    rated = [f"{name}\t{place % (3 + number)}\n" for number, name in enumerate(("base", "new")) for place in range(24)]
    (folder / "rated.seg.score").write_text("".join(rated))
    (folder / "close.sys.score").write_text("".join(f"s{one}\t{one}\n" for one in range(6)))
    profiled = ("--human", "people.seg.score", "bleu=close.seg.score", "-R", "20", "--measures", "accuracy")
    assert command("agree", *profiled, "-o", "people.json")[0] == 0
    (folder / "data").mkdir()
    for name in ("ref", "base", "new"):
        (folder / f"data/{name}.txt").write_bytes((folder / f"{name}.txt").read_bytes())
    (folder / "data/doc.toml").write_bytes((folder / "docs.txt").read_bytes())
    assert command("compare", *_FEW, *_TEXTS, "-o", "result.json")[0] == 0
    scored = [f"{i}.scores" for i in range(5)]
    for i, name in enumerate(scored):
        (folder / name).write_text("".join(f"{(i + 2) * j % 7}\n" for j in range(24)))
    assert command("threshold", *_FEW, "-m", "scores", *scored, "-o", "profile.json")[0] == 0
    (folder / "result.svg").write_bytes((folder / "result.json").read_bytes())
    return folder


def held(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("name", "file", "arguments"), OVER, ids=[f"{one[0]}-{one[1]}" for one in OVER])
def test_no_command_writes_over_what_it_reads(
    command: Command, inputs: Path, name: str, file: str, arguments: tuple[str, ...]
) -> None:
    before = held(inputs)
    code, out, err = command(name, *(file if one == "FILE" else one for one in arguments))
    assert held(inputs) == before
    assert code == 2, err
    assert out == "" or name == "init"  # which says what it found
    assert file in err


def test_every_command_is_tried() -> None:
    assert {name for name, _, _ in OVER} == set(_COMMANDS) - WITHOUT


@pytest.mark.parametrize("name", ["hard.html", "soft.html", "twin/new.txt", "data/../new.txt"])
def test_whatever_the_file_is_called(command: Command, inputs: Path, name: str) -> None:
    (inputs / "hard.html").hardlink_to(inputs / "new.txt")
    (inputs / "soft.html").symlink_to("new.txt")
    (inputs / "twin").symlink_to(".")
    output = f"{inputs}/{name}"
    before = held(inputs)
    code, _, err = command("compare", *_FEW, *_TEXTS, "-o", output)
    assert code == 2
    assert err.startswith(f"truegain: {output}: ")
    assert "new.txt" in err
    assert held(inputs) == before


def test_outputs_of_an_experiment_by_another_name(command: Command, inputs: Path) -> None:
    (inputs / "report.html").hardlink_to(inputs / "new.txt")
    text = (inputs / "experiment.toml").read_text()
    (inputs / "experiment.toml").write_text(f'outputs = ["report.html"]\n{text}')
    before = held(inputs)
    code, _, err = command("run", "experiment.toml")
    assert code == 2
    assert err.startswith("truegain: experiment.toml:1: outputs: 'report.html'")
    assert held(inputs) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("threshold", *_FEW, *_TEXTS, "third.txt", "--sizes", "10,20", "--plot", "x.svg", "--plot-sizes", "x.svg"),
        (
            *("domains", *_FEW, "--draws", "3", "--draw", "9", *_TEXTS, "--domains", "docs.txt"),
            *("--plot", "x.svg", "--plot-confidence", "x.svg"),
        ),
        ("gate", *_FEW, *_TEXTS, "-o", "x.md", "--summary", "./x.md"),
        ("run", "two.toml", "-o", "x.json"),
        ("run", "two.toml", "--plot", "x.svg"),
    ],
)
def test_two_outputs_are_two_files(command: Command, inputs: Path, arguments: tuple[str, ...]) -> None:
    text = (inputs / "experiment.toml").read_text()
    (inputs / "two.toml").write_text(f'outputs = ["x.json", "x.svg"]\n{text}')
    before = held(inputs)
    code, _, err = command(*arguments)
    assert code == 2
    assert "x." in err
    assert held(inputs) == before


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's redirections")
@pytest.mark.parametrize("line", ["< new.txt - -o new.txt", "new.txt >> new.txt"])
def test_standard_streams_are_files_too(inputs: Path, line: str) -> None:
    before = held(inputs)
    done = subprocess.run(
        f"{sys.executable} -m truegain compare -R 20 --ref ref.txt base.txt {line}",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "new.txt" in done.stderr
    assert held(inputs) == before


def test_what_was_not_announced_is_refused_when_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n")
    with separate_files():
        reads(tmp_path / "a.txt")
        with refused(naming=["a.txt"]):
            write_atomically(tmp_path / "a.txt", "b\n")
        check_write(tmp_path / "b.txt")
    # A program may write what it has read.
    reads(tmp_path / "a.txt")
    write_atomically(tmp_path / "a.txt", "b\n")
    assert (tmp_path / "a.txt").read_text() == "b\n"


def test_pipes_and_devices_may_be_both() -> None:
    with separate_files():
        reads(os.devnull)
        writes(os.devnull)
        writes(os.devnull)
