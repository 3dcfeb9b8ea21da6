"""ROUGE beside rouge-score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from rouge_score.rouge_scorer import RougeScorer

from benchmarks.data import Data
from benchmarks.timing import Row, alternate
from truegain.metrics.rouge import Rouge, Rouge1, Rouge2, RougeL, RougeLsum
from truegain.statistics import collect
from truegain.text.porter import stem as porter_stem

__all__ = ["measure"]

_TARGET = 25.0
_METRICS: dict[str, type[Rouge]] = {"rouge1": Rouge1, "rouge2": Rouge2, "rougeL": RougeL, "rougeLsum": RougeLsum}


def measure(data: Data, *, stem: bool, repeats: int) -> Row:
    """F of every segment under all four; rouge-score wants newlines between sentences, and gets them beforehand."""
    corpus = data.corpus()
    reference, *systems = (
        [line.replace("\t", "\n") for line in lines] for lines in (data.reference, *data.systems.values())
    )

    def peer() -> list[list[list[float]]]:
        scorer = RougeScorer(list(_METRICS), use_stemmer=stem)
        found = [[scorer.score(*pair) for pair in zip(reference, outputs, strict=True)] for outputs in systems]
        return [[[one[kind].fmeasure for one in scores] for scores in found] for kind in _METRICS]

    def ours() -> NDArray[np.float64]:
        porter_stem.cache_clear()  # a command that starts afresh has no stems
        return collect(corpus, {kind: metric(stem=stem) for kind, metric in _METRICS.items()}).values

    times = alternate(peer, ours, repeats=repeats)
    agree = np.array_equal(np.concatenate(times.peer_result), times.our_result[:, ::2].T)
    work = f"extraction, ROUGE-1/2/L/Lsum{', stems' if stem else ''}, {len(systems)} systems"
    return Row(work, data.name, "ratio", times.peer, times.ours, _TARGET, agree)
