"""Peak memory of a whole command."""

from __future__ import annotations

from pathlib import Path

from benchmarks.data import Data
from benchmarks.timing import Row, program, run_command

__all__ = ["measure"]

_LIMIT = 300.0


def measure(data: Data, folder: Path, *, resamples: int = 10_000) -> Row:
    """``truegain compare`` by approximate randomization: BLEU, two systems."""
    reference, systems = data.first(2).write(folder)
    arguments: list[str | Path] = [program("truegain"), "compare", "--ref", reference, *systems, "--test", "ar"]
    used = run_command([*arguments, "-R", str(resamples), "--no-cache", "-j", "1"])
    work = f"peak memory, randomization {resamples:,}, BLEU, 2 systems"
    return Row(work, data.name, "megabytes", None, used.peak / 1e6, _LIMIT)
