"""Peak memory of whole commands, beside sacreBLEU's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.data import Data
from benchmarks.timing import Row, program, run_command

__all__ = ["measure"]

_LIMIT = 150.0


def measure(data: Data, folder: Path, *, resamples: int = 10_000) -> Iterator[Row]:
    """``truegain compare`` by approximate randomization, and by a tenth as many resamples of the bootstrap."""
    for name, test, flag, count in (
        ("randomization", "ar", "--paired-ar", resamples),
        ("bootstrap", "bootstrap", "--paired-bs", max(1, resamples // 10)),
    ):
        reference, systems = data.first(2).write(folder)
        peer: list[str | Path] = [program("sacrebleu"), reference, "-i", *systems, "-m", "bleu", flag]
        ours: list[str | Path] = [program("truegain"), "compare", "--ref", reference, *systems, "--test", test]
        theirs = run_command([*peer, f"{flag}-n", str(count)])
        used = run_command([*ours, "-R", str(count), "--no-cache", "-j", "1"])
        work = f"peak memory, {name} {count:,}, BLEU, 2 systems"
        yield Row(work, data.name, "megabytes", theirs.peak / 1e6, used.peak / 1e6, _LIMIT)
