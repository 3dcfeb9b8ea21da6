"""Test sets to measure on: simulated ones, and public ones if TRUEGAIN_DATA names their folder."""

from __future__ import annotations

import gzip
import os
from dataclasses import dataclass
from pathlib import Path

from benchmarks.simulation import SystemSpec, simulate
from truegain.corpus import Corpus, Run, System

__all__ = ["APART", "REAL_DATA", "ROOT", "Data", "realsumm", "simulated", "wmt17"]

ROOT = Path(__file__).resolve().parents[1]
#: Public test sets, which are no part of the project (docs/test-sets.md); what needs one is left out without it.
REAL_DATA = Path(os.environ.get("TRUEGAIN_DATA") or ROOT / "data")

_CLOSE = 0.700, 0.705  # so that p-values are neither 0 nor 1
#: The worst and the best quality of systems whose BLEU spans twelve points, as at WMT17.
APART = 0.600, 0.800


@dataclass(frozen=True)
class Data:
    """A reference and the outputs of systems."""

    name: str
    reference: tuple[str, ...]
    systems: dict[str, tuple[str, ...]]

    def first(self, count: int) -> Data:
        """Return the same with the first systems only."""
        return Data(self.name, self.reference, dict(list(self.systems.items())[:count]))

    def segments(self, count: int) -> Data:
        """Return the same with the first segments only."""
        name = f"{self.name}, first {count:,}"
        return Data(name, self.reference[:count], {k: v[:count] for k, v in self.systems.items()})

    def corpus(self) -> Corpus:
        """Return the corpus that the product would read."""
        systems = [System(name, (Run(name, outputs),)) for name, outputs in self.systems.items()]
        return Corpus.build(systems, [self.reference], name=self.name)

    def write(self, folder: Path) -> tuple[Path, list[Path]]:
        """Write one file for the reference and one for each system."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = []
        for name, lines in {"reference": self.reference, **self.systems}.items():
            paths.append(folder / f"{name}.txt")
            paths[-1].write_bytes("".join(line + "\n" for line in lines).encode())
        return paths[0], paths[1:]


def simulated(segments: int, systems: int = 10, *, qualities: tuple[float, float] = _CLOSE, seed: int = 1) -> Data:
    """Systems of slightly different quality, unless told, on a test set of the project's own making."""
    worst, best = qualities
    step = (best - worst) / max(1, systems - 1)
    specs = [SystemSpec(name=f"system-{i}", quality=worst + i * step) for i in range(systems)]
    made = simulate(segments=segments, systems=specs, references=1, run_sd=0.0, seed=seed)
    return Data(f"simulated {segments:,}", made.references[0], {name: runs[0] for name, runs in made.systems.items()})


def wmt17() -> Data | None:
    """WMT17 en-de, 16 systems on 3,004 segments; None where it is not here."""
    folder = REAL_DATA / "sacrebleu_wmt17_ende"
    if not folder.is_dir():
        return None
    order = (folder / "systems.order.txt").read_text().split()
    systems = {name.split(".")[1]: _read(folder / "systems" / f"{name}.de.gz") for name in order}
    return Data("WMT17 en-de 3,004", _read(folder / "ref0.de.gz"), systems)


def realsumm() -> Data | None:
    """REALSumm, 25 summarisers on 100 documents, sentences separated by tabs; None where it is not here."""
    folder = REAL_DATA / "realsumm_cnndm"
    if not folder.is_dir():
        return None
    systems = {path.name.removesuffix(".txt.gz"): _read(path) for path in sorted((folder / "systems").glob("*.gz"))}
    return Data("REALSumm 100", _read(folder / "ref.txt.gz"), systems)


def _read(path: Path) -> tuple[str, ...]:
    return tuple(gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n"))
