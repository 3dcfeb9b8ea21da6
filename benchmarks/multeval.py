"""MultEval's own example, from files to its table."""

from __future__ import annotations

import gzip
from pathlib import Path

from benchmarks.data import REAL_DATA
from benchmarks.timing import Row, Skipped, program, run_command
from truegain.metrics.meteor_resources import find_resources

__all__ = ["measure"]

_TARGET = 120.0
_WORK = "whole command, MultEval's example, BLEU + METEOR + TER + length, 10,000 + 10,000, 2 threads, by the clock"
_RECORDED = 720.0  # seconds by the clock
_NOTE = "MultEval 0.5.1 is in no package; its 12 minutes, taken once on two such cores, are not of this run."
_SYSTEMS = ("baseline", "sys1", "sys2")
_REFERENCE = "refs.test2010.lc.tok.en.0"


def measure(folder: Path, *, resamples: int = 10_000) -> Row | Skipped:
    """Three systems of three runs; skipped where the example or METEOR's files are not here."""
    example = REAL_DATA / "multeval_newstest2010" / "example"
    if not example.is_dir():
        return Skipped(_WORK, f"TRUEGAIN_DATA has no multeval_newstest2010; {_NOTE}")
    if find_resources(None).jar is None:
        return Skipped(_WORK, f"METEOR's files are not here; {_NOTE}")
    folder.mkdir(parents=True, exist_ok=True)
    for path in example.glob("*.gz"):
        (folder / path.name.removesuffix(".gz")).write_bytes(gzip.decompress(path.read_bytes()))
    arguments: list[str | Path] = [program("truegain"), "compare", "--ref", folder / _REFERENCE]
    arguments += [f"{name}={folder}/hyps.lc.tok.en.{name}.opt*" for name in _SYSTEMS]
    arguments += ["-m", "bleu:tokenize=none", "-m", "meteor", "-m", "ter", "-m", "length", "--test", "multeval-ar"]
    used = run_command([*arguments, "-R", str(resamples), "--no-cache", "-j", "2", "--layout", "multeval"])
    return Row(_WORK, "newstest2010 2,489", "ratio", _RECORDED, used.wall, _TARGET, note=_NOTE)
