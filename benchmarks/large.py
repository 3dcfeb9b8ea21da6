"""``python -m benchmarks.large``: what a million and ten million segments take, from files to the answer.

Writes a table of docs/scale.md: seconds and peak memory of whole commands in fresh processes, beside reading the files.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from benchmarks.csv_tables import write_tables
from benchmarks.data import ROOT, simulated
from benchmarks.machine import describe_machine
from benchmarks.one_answer import fingerprint
from benchmarks.runs import table
from benchmarks.scale import replace_tables

__all__ = ["Measured", "main", "measure", "write_texts"]

_PAGE = ROOT / "docs" / "scale.md"
_DIFFERENT = 20_000  # simulated sentences, which words at their ends make different
_WORDS = 5_000
_LINES = 100_000  # written at once
_LOOK = 0.02  # seconds between two looks at a process


@dataclass(frozen=True)
class Measured:
    """A whole command: seconds, and the most bytes of memory that were the process's own."""

    segments: int
    where: str
    seconds: float
    peak: int
    reading: float
    answer: str


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the table into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description="Measure whole large commands.")
    parser.add_argument("--segments", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--where", nargs="+", default=["threads/1", "threads/2", "dask/1", "dask/2", "dask/4"])
    parser.add_argument("--resamples", type=int, default=1_000)
    parser.add_argument("--folder", type=Path, help="where texts are written and kept; by default they are removed")
    parser.add_argument("--output", type=Path, default=_PAGE)
    parser.add_argument("--name", default="large", help="of the table in the page, and of its file")
    options = parser.parse_args(arguments)
    found = []
    with TemporaryDirectory() as place:
        for segments in options.segments:
            texts = write_texts((options.folder or Path(place)) / str(segments), segments)
            for one in measure(texts, segments, options.where, options.resamples):
                found.append(one)
                print(one, flush=True)
    write_page(options.output, found, options.resamples, options.name)
    print(options.output)


def write_texts(folder: Path, segments: int) -> list[Path]:
    """Write a reference and the outputs of two systems, unless they are there: simulated sentences, each made another.

    Two words at the end of a line make it different from all others of its sentence.
    """
    paths = [folder / f"{name}.txt" for name in ("reference", "base", "new")]
    if all(path.exists() for path in paths):
        return paths
    folder.mkdir(parents=True, exist_ok=True)
    data = simulated(_DIFFERENT, 2)
    for kind, (path, lines) in enumerate(zip(paths, [data.reference, *data.systems.values()], strict=True)):
        with path.open("w", encoding="utf-8", newline="") as stream:
            for first in range(0, segments, _LINES):
                numbers = range(first, min(first + _LINES, segments))
                stream.write("".join(f"{lines[i * 7919 % _DIFFERENT]} {_ending(i, kind)}\n" for i in numbers))
    return paths


def _ending(number: int, kind: int) -> str:
    """Return two words, which a system gets wrong now and then."""
    word = number // _DIFFERENT % _WORDS
    other = word if kind == 0 or number * (kind + 1) % 3 else word + 1
    return f"w{word} w{other}"


def measure(texts: Sequence[Path], segments: int, wanted: Sequence[str], resamples: int) -> Iterator[Measured]:
    """Compare two systems under BLEU in each place: ``threads/2``, ``dask/4`` (processes), ``torch:cuda/1``."""
    start = time.perf_counter()
    for path in texts:
        with path.open("rb", buffering=0) as stream:
            while stream.read(1 << 20):
                pass
    reading = time.perf_counter() - start
    command = [sys.executable, "-m", "truegain", "compare", "--ref", *map(str, texts), "-m", "bleu"]
    command += ["--test", "bootstrap", "--resamples", str(resamples), "--no-cache", "--format", "json"]
    for where in wanted:
        name, _, workers = where.partition("/")
        with _engine(name, int(workers)) as engine:
            seconds, peak, answer = _watched([*command, *engine])
        yield Measured(segments, where, seconds, peak, reading, answer)


@contextmanager
def _engine(name: str, workers: int) -> Iterator[list[str]]:
    """Give the options for an engine, and the workers that it needs."""
    if name == "dask":
        from distributed import LocalCluster

        apart = {"n_workers": workers, "threads_per_worker": 1, "memory_limit": 0, "silence_logs": 100}
        with LocalCluster(**apart, protocol="tcp://", dashboard_address=":0") as cluster:
            yield ["--engine", cluster.scheduler_address.replace("tcp://", "dask://"), "--jobs", "1"]
    else:
        yield ["--engine", name, "--jobs", str(workers)]


def _watched(command: Sequence[str]) -> tuple[float, int, str]:
    """Run a command; return its seconds, the peak of its own memory, and the fingerprint of its numbers."""
    peak = 0
    with TemporaryFile("w+", encoding="utf-8") as said:
        start = time.perf_counter()
        with subprocess.Popen(command, stdout=said, cwd=ROOT) as process:
            while process.poll() is None:
                peak = max(peak, _own_memory(process.pid))
                time.sleep(_LOOK)
        seconds = time.perf_counter() - start
        if process.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
        said.seek(0)
        return seconds, peak, fingerprint(said.read())


def _own_memory(pid: int) -> int:
    """Return the bytes that are a process's alone, and stand in no file."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon:"))


def write_page(page: Path, found: Sequence[Measured], resamples: int, name: str) -> None:
    """Replace the table in the page, and write the file beside it."""
    headings = ["segments", "where", "time", "reading the files", "peak of its own memory"]
    rows = [
        [
            f"{one.segments:,}",
            one.where.replace("/", ", "),
            f"{one.seconds:.1f} s",
            f"{one.reading:.1f} s",
            f"{one.peak / 1e9:.2f} GB",
        ]
        for one in found
    ]
    same = all(
        len({one.answer for one in found if one.segments == size}) == 1 for size in {one.segments for one in found}
    )
    said = "All answers of a size are the same." if same else "THE ANSWERS DIFFER."
    text = (
        f"{table(headings, rows, 2)}\n\nBLEU, bootstrap, R = {resamples:,}. {said} Measured on: {describe_machine()}."
    )
    replace_tables(page, {name: text})
    write_tables(page, {f"scale-{name}": [headings, *rows]})


if __name__ == "__main__":
    main()
