"""Whole commands in fresh processes."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import Data
from benchmarks.timing import Row, program, run_command, warm_up

__all__ = ["measure_compare", "measure_help", "measure_many", "measure_page", "measure_start"]

_TARGET = 6.0
_START_TARGET = 1 / 2.2  # a command takes at most 2.2 times as long as Python with numpy takes to start
_MANY_TARGET = 100.0
_PAGE_TARGET = 1 / 1.3  # a page takes at most 1.3 times as long as JSON
_HELP_LIMIT = 0.2


def measure_compare(data: Data, folder: Path, *, resamples: int = 1000, repeats: int, warm: bool = True) -> Row:
    """``truegain compare`` beside ``sacrebleu --paired-bs``: BLEU, two systems, user and system time.

    ``warm``: run both once before, where nothing has yet; Python then has compiled their modules.
    """
    reference, systems = data.first(2).write(folder)
    peer: list[str | Path] = [program("sacrebleu"), reference, "-i", *systems, "-m", "bleu", "--paired-bs"]
    peer += ["--paired-bs-n", str(resamples), "--format", "json"]
    ours = _compare(reference, systems, resamples)
    if warm:
        warm_up(peer)
        warm_up(ours)
    theirs, own = [], []
    for _ in range(repeats):
        theirs.append(run_command(peer))
        own.append(run_command(ours))
    agree = _same_scores(theirs[0].output, run_command([*ours, "-f", "json"]).output)
    work = f"whole command, bootstrap {resamples:,}, BLEU, 2 systems"
    peer_seconds, our_seconds = (min(run.cpu for run in runs) for runs in (theirs, own))
    return Row(work, data.name, "ratio", peer_seconds, our_seconds, _TARGET, agree)


def measure_start(data: Data, folder: Path, *, resamples: int = 1000, repeats: int) -> Row:
    """``truegain compare`` beside a Python that imports numpy, and does nothing: user and system time."""
    reference, systems = data.first(2).write(folder)
    peer: list[str | Path] = [sys.executable, "-c", "import numpy"]
    ours = _compare(reference, systems, resamples)
    for command in (peer, ours):
        warm_up(command)
    theirs, own = zip(*((run_command(peer).cpu, run_command(ours).cpu) for _ in range(repeats)), strict=True)
    work = f"whole command, bootstrap {resamples:,}, BLEU, 2 systems, beside import numpy"
    return Row(work, data.name, "ratio", min(theirs), min(own), _START_TARGET)


def _compare(reference: Path, systems: Sequence[Path], resamples: int) -> list[str | Path]:
    line: list[str | Path] = [program("truegain"), "compare", "--ref", reference, *systems, "--test", "bootstrap"]
    return [*line, "-R", str(resamples), "--no-cache", "-j", "1"]


def measure_many(data: Data, folder: Path, *, resamples: int = 10_000) -> Row:
    """BLEU, chrF and TER of all systems by randomization, beside ``sacrebleu --paired-ar``; once, for it takes long."""
    reference, systems = data.write(folder)
    peer: list[str | Path] = [program("sacrebleu"), reference, "-i", *systems, "-m", "bleu", "chrf", "ter"]
    peer += ["--paired-ar", "--paired-ar-n", str(resamples), "--format", "json"]
    ours: list[str | Path] = [
        program("truegain"),
        "compare",
        "--ref",
        reference,
        *systems,
        "--test",
        "ar",
        "-f",
        "json",
    ]
    ours += ["-m", "bleu", "-m", "chrf", "-m", "ter", "-R", str(resamples), "--no-cache", "-j", "1"]
    theirs, own = run_command(peer), run_command(ours)
    agree = all(_same_scores(theirs.output, own.output, *names) for names in _NAMES)
    work = f"whole command, randomization {resamples:,}, BLEU + chrF + TER, {len(systems)} systems"
    return Row(work, data.name, "ratio", theirs.cpu, own.cpu, _MANY_TARGET, agree)


def measure_page(data: Data, folder: Path, *, repeats: int) -> Row:
    """``truegain compare -f html`` beside the same with ``-f json``: BLEU, chrF and TER, user and system time."""
    reference, systems = data.write(folder)
    line: list[str | Path] = [program("truegain"), "compare", "--ref", reference, *systems, "--no-cache", "-j", "1"]
    line += ["-m", "bleu", "-m", "chrf", "-m", "ter"]
    peer, ours = ([*line, "-f", format] for format in ("json", "html"))
    for command in (peer, ours):
        warm_up(command)
    theirs, own = zip(*((run_command(peer).cpu, run_command(ours).cpu) for _ in range(repeats)), strict=True)
    work = f"whole command to a page, BLEU + chrF + TER, {len(systems)} systems, beside JSON"
    return Row(work, data.name, "ratio", min(theirs), min(own), _PAGE_TARGET)


def measure_help(*, repeats: int) -> Row:
    """``truegain --help``, by the clock."""
    arguments = [program("truegain"), "--help"]
    warm_up(arguments)
    runs = [run_command(arguments) for _ in range(repeats)]
    return Row("truegain --help, by the clock", "", "seconds", None, min(run.wall for run in runs), _HELP_LIMIT)


_NAMES = (("BLEU", "bleu"), ("chrF2", "chrf"), ("TER", "ter"))


def _same_scores(peer: str, ours: str, their_name: str = "BLEU", our_name: str = "bleu") -> bool:
    theirs = [float(one[their_name]["score"]) for one in json.loads(peer)]
    own = [float(one["score"]) for one in json.loads(ours)["systems"] if one["metric"] == our_name]
    return len(theirs) == len(own) and all(abs(a - b) < 1e-6 for a, b in zip(theirs, own, strict=True))
