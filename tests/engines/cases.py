"""What engines are asked in tests: designs of every sort, reductions that can be sent, and a corpus of several runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.simulation import SystemSpec, simulate
from truegain.corpus import Corpus
from truegain.readers.memory import corpus_from_memory
from truegain.resampling.design import Design
from truegain.resampling.units import Units

QUALITIES = {"a": 0.6, "b": 0.66, "c": 0.67, "d": 0.9}


def itself(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Keep the totals as they are."""
    return totals


def rows(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Keep dealt sums as they are, a row each."""
    return sums.reshape(len(sums), -1).T


def designs(units: int, seed: int) -> list[Design]:
    """Draws of segments, within strata and in blocks; swaps, without strata and with them."""
    plain = Units.segments(units)
    strata = plain.stratified(["ab"[i % 3 == 0] for i in range(units)])
    blocks = Units.blocks(units, min(3.0, units))
    drawn = [Design(one, "bootstrap", seed) for one in (plain, strata, blocks)]
    return [*drawn, Design(plain, "swap", seed), Design(strata, "swap", seed)]


def a_corpus() -> Corpus:
    """Systems of two runs each, one of them there twice, with documents and domains."""
    made = simulate(segments=60, systems=[SystemSpec(name=name, quality=q, runs=2) for name, q in QUALITIES.items()])
    runs = {name: [list(run) for run in runs] for name, runs in made.systems.items()}
    runs["copy"] = runs["b"]
    domains = ["xy"[i % 2] for i in range(60)]
    return corpus_from_memory(list(made.references[0]), runs, documents=list(made.documents), domains=domains)
