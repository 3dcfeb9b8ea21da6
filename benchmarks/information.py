"""NIST beside nltk."""

from __future__ import annotations

import numpy as np
from nltk.translate.nist_score import corpus_nist
from numpy.typing import NDArray

from benchmarks.data import Data
from benchmarks.timing import Row, alternate
from truegain.metrics.nist import NIST
from truegain.statistics import collect
from truegain.text.tokenizers import split_into_words

__all__ = ["measure"]

_TARGET = 40.0
_CLOSE = 1e-6  # weights are whole numbers of 2^-24 bits here, and not there


def measure(data: Data, *, repeats: int) -> Row:
    """Scores of every system; nltk gets words, which are made beforehand, and counts the references for each system.

    Segments with the word 0 are left out: what follows it weighs more in mteval, and so here, than in nltk.
    """
    words = split_into_words(data.reference, "13a").texts()
    kept = [i for i, one in enumerate(words) if "0" not in one]
    references = [[words[i]] for i in kept]
    systems = {name: tuple(lines[i] for i in kept) for name, lines in data.systems.items()}
    spoken = [split_into_words(lines, "13a").texts() for lines in systems.values()]
    corpus = Data(data.name, tuple(data.reference[i] for i in kept), systems).corpus()

    def peer() -> list[float]:
        return [corpus_nist(references, hypotheses) for hypotheses in spoken]

    def ours() -> NDArray[np.float64]:
        found = collect(corpus, {"nist": NIST()})
        return found.blocks[0].run_scores(found.totals)

    times = alternate(peer, ours, repeats=repeats)
    agree = bool(np.allclose(times.peer_result, times.our_result, rtol=0.0, atol=_CLOSE))
    return Row(f"NIST, {len(systems)} systems", data.name, "ratio", times.peer, times.ours, _TARGET, agree)
