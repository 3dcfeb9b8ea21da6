"""A command line that works for every command of truegain, and the files that it needs; a new command must be added."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

EXPERIMENT = """\
metrics = ["bleu"]
resamples = 200

[systems]
base = "base.txt"
new = "new.txt"

[[testset]]
name = "one"
reference = "ref.txt"
"""

_QUICK = ("-q", "-j", "2")
_REF = ("--ref", "ref.txt")
_TWO = ("base.txt", "new.txt")
_RUNS = ("base=runs/base.*.txt", "new=runs/new.*.txt")

#: Every command and, of a group, every command within.
COMMANDS: dict[str, tuple[str, ...]] = {
    "compare": ("compare", *_QUICK, "-R", "200", *_REF, *_TWO),
    "score": ("score", *_QUICK, "-R", "200", *_REF, *_TWO),
    "rank": ("rank", *_QUICK, "-R", "200", *_REF, *_TWO, "third.txt"),
    "run": ("run", *_QUICK, "experiment.toml"),
    "init": ("init", "data", "-o", "new.toml"),
    "inspect": ("inspect", *_QUICK, *_REF, *_TWO),
    "gate": ("gate", *_QUICK, "-R", "200", *_REF, *_TWO),
    "threshold": ("threshold", *_QUICK, "-R", "200", *_REF, *_TWO, "third.txt"),
    "domains": ("domains", *_QUICK, "-R", "200", *_REF, "--docs", "docs.txt", "--domains", "domains.txt", *_TWO),
    "plan": ("plan", *_QUICK, *_REF, *_TWO, "--gain", "3"),
    "calibrate": ("calibrate", *_QUICK, "-R", "99", "-n", "20", *_REF, *_TWO),
    "replicate": ("replicate", *_QUICK, "-R", "200", *_REF, *_RUNS),
    "intervals": ("intervals", *_QUICK, "-R", "200", *_REF, *_RUNS),
    "agree": ("agree", "-q", "-R", "50", "--human", "people.seg.score", "close.seg.score", "far.seg.score"),
    "tune": ("tune", *_QUICK, *_REF, "--nbest", "lists.txt", "--runs", "2", "--restarts", "1", "-o", "made"),
    "split": ("split", "base.txt", "new.txt", "--samples", "2", "-o", "made"),
    "render": ("render", "result.json"),
    "plot": ("plot", "result.json", "-o", "new.svg"),
    "metrics": ("metrics",),
    "tests": ("tests",),
    "demo": ("demo", "-q", "-o", "made"),
}

#: In every run of the tests; the others with --slow.
FEW = ("compare", "gate", "render", "metrics")

#: What the files are made with, in their folder.
PREPARATIONS: tuple[tuple[str, ...], ...] = ((*COMMANDS["compare"], "-o", "result.json"),)


def all_commands() -> dict[str, click.Command]:
    """The commands as the command line itself has them."""
    from truegain.cli.main import group

    context = click.Context(group)
    found = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


def has_option(command: click.Command, name: str) -> Any:
    """The option of that name, if the command has it."""
    return next((option for option in command.params if option.name == name), None)


def with_engine(name: str, engine: str) -> tuple[str, ...]:
    """The command line on another engine."""
    first, *rest = COMMANDS[name]
    return first, "--engine", engine, *rest


def write_files(folder: Path) -> None:
    """Put beside the files of the fixture ``folder`` what commands need besides them."""
    for kind, names in {"runs": ("base", "new"), "data": ("ref", "base", "new")}.items():
        (folder / kind).mkdir()
        for name in names:
            lines = (folder / f"{name}.txt").read_text().splitlines()
            for run in range(3) if kind == "runs" else [0]:
                moved = [line if place % 3 != run or run == 0 else f"{line} again" for place, line in enumerate(lines)]
                end = f".{run}.txt" if kind == "runs" else ".txt"
                (folder / kind / f"{name}{end}").write_text("".join(f"{line}\n" for line in moved))
    (folder / "domains.txt").write_text("".join(f"{'news' if place < 12 else 'law'}\n" for place in range(24)))
    texts = {name: (folder / f"{name}.txt").read_text().splitlines() for name in ("base", "new")}
    entries = [
        f"{place} ||| {line} ||| lm= {len(line)} tm= {number} ||| 0\n"
        for number, lines in enumerate(texts.values())
        for place, line in enumerate(lines)
    ]
    (folder / "lists.txt").write_text("".join(entries))
    for number, name in enumerate(("people", "close", "far")):
        scores = [f"s{one}\t{(5 * one + place * (3 + number)) % 17}\n" for one in range(6) for place in range(24)]
        (folder / f"{name}.seg.score").write_text("".join(scores))
    (folder / "experiment.toml").write_text(EXPERIMENT)
