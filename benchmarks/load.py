"""What heavy use takes: ``python -m benchmarks.load`` prints a table; ``--quick`` is to see that it works."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.data import simulated
from benchmarks.timing import program, run_command
from truegain.cache import Cache

__all__ = ["Load", "measure"]

_METRICS = ("bleu", "chrf", "ter")
_LONG = ("bleu", "chrf", "ter", "rougel", "wer", "cer", "nist")
_SEED = 1


@dataclass(frozen=True)
class Load:
    """A piece of work: what it took, and what became of it."""

    work: str
    seconds: float
    megabytes: float | None
    outcome: str


def measure(*, quick: bool = False) -> Iterator[Load]:
    """Do everything, one after the other."""
    with tempfile.TemporaryDirectory(prefix="load-") as name:
        folder = Path(name)
        yield from _many_systems(folder / "many", *((8, 100) if quick else (200, 5_000)))
        yield _many_commands(folder / "commands", 4 if quick else 100)
        yield from _long_segments(folder / "long", 500 if quick else 5_000)
        yield _line_beyond_the_limit(folder / "line")


def _many_systems(folder: Path, systems: int, segments: int) -> Iterator[Load]:
    """All pairs, and all against the baseline, three metrics; from files to the report, without and with the cache."""
    reference, paths = simulated(segments, systems).write(folder)
    os.environ["TRUEGAIN_CACHE"] = str(folder / "cache")
    wanted = [part for metric in _METRICS for part in ("-m", metric)]
    common: list[str | Path] = ["--ref", reference, *paths, *wanted, "-R", "1000"]
    size = f"{systems} systems × {segments:,} segments × {len(_METRICS)} metrics"
    for command, state in (("compare", "first time"), ("compare", "cached"), ("rank", "cached")):
        used = run_command([program("truegain"), command, *common, "-o", folder / f"{command}.json"])
        yield Load(f"{command}, {size}, {state}", used.wall, used.peak / 1e6, "done")


def _many_commands(folder: Path, count: int) -> Load:
    """Commands at the same time on one cache: their results must be the same bytes, and the cache sound."""
    reference, paths = simulated(40, 3).write(folder)
    environment = {**os.environ, "TRUEGAIN_CACHE": str(folder / "cache")}
    command = [program("truegain"), "compare", "-R", "100", "-j", "1", "-f", "json", "--ref", str(reference)]
    command += [str(path) for path in paths]
    start = time.perf_counter()
    running = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(count)
    ]
    answers = [(*process.communicate(), process.returncode) for process in running]
    seconds = time.perf_counter() - start
    cache = Cache(folder / "cache")
    entries = list(cache.directory.glob("*.statistics"))
    sound = all(cache.get(path.stem) is not None for path in entries)
    left = [path for path in cache.directory.iterdir() if path not in entries]
    same = len(set(answers)) == 1 and answers[0][2] == 0
    outcome = f"results {'the same' if same else 'DIFFER'}, cache {'sound' if sound and not left else 'DAMAGED'}"
    return Load(f"{count} commands at once on one cache, 3 systems × 40 segments", seconds, None, outcome)


def _long_segments(folder: Path, words: int) -> Iterator[Load]:
    """One segment of very many words, half of them moved to the front and a fifth of them others."""
    folder.mkdir()
    chance = random.Random(_SEED)
    text = [f"w{chance.randrange(2_000)}" for _ in range(words)]
    moved = [f"w{chance.randrange(2_000)}" if chance.random() < 0.2 else one for one in text[words // 2 :]]
    for name, lines in {"ref": text, "out": moved + text[: words // 2]}.items():
        (folder / name).write_text(" ".join(lines) + "\na short one\n", encoding="utf-8")
    for metric in _LONG:
        command: list[str | Path] = [program("truegain"), "score", "-m", metric, "-R", "100", "--no-cache", "-j", "1"]
        used = run_command([*command, "--ref", folder / "ref", folder / "out"])
        yield Load(f"{metric}, a segment of {words:,} words", used.wall, used.peak / 1e6, "done")


def _line_beyond_the_limit(folder: Path) -> Load:
    from truegain.readers.plain import LINE_LIMIT

    folder.mkdir()
    (folder / "ref").write_text("short\n" * 2)
    (folder / "out").write_text("x" * (LINE_LIMIT + 1) + "\nshort\n")
    start = time.perf_counter()
    command = [program("truegain"), "score", "--ref", str(folder / "ref"), str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True)
    refused = done.returncode == 2 and "the limit is" in done.stderr
    outcome = "refused" if refused else "NOT REFUSED"
    return Load(f"a line of {LINE_LIMIT + 1:,} characters", time.perf_counter() - start, None, outcome)


def main() -> None:
    """Print the table, row by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it works")
    quick = parser.parse_args().quick
    print("| work | seconds | megabytes | outcome |\n| :-- | --: | --: | :-- |")
    failed = False
    for one in measure(quick=quick):
        memory = "–" if one.megabytes is None else f"{one.megabytes:,.0f}"
        print(f"| {one.work} | {one.seconds:.1f} | {memory} | {one.outcome} |", flush=True)
        failed |= any(word.isupper() and len(word) > 2 for word in one.outcome.split())
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
