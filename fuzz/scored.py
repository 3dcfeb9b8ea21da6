"""Whether texts that were read can be scored: what a reader lets through must not break what comes after it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from truegain.corpus import Corpus
from truegain.metrics.lookup import make_metric, make_metrics
from truegain.statistics import collect

__all__ = ["score", "score_corpus"]


def score_corpus(specification: str, corpus: Corpus) -> None:
    """Score every run of a corpus, with the checks that a study begins with."""
    collected = collect(corpus, make_metrics([specification]))
    for block in collected.blocks:
        block.run_scores(collected.totals[block.columns])


def score(specification: str, outputs: Sequence[str], references: Sequence[Sequence[str | None]]) -> None:
    """Score the outputs; a score must be a number or NaN, where there is nothing to score."""
    metric = make_metric(specification)
    metric.signature(len(references))
    statistics = metric.statistics(outputs, references)
    if len(statistics) != len(outputs):
        raise AssertionError(f"{len(statistics)} rows of statistics of {len(outputs)} segments")
    found = float(metric.score(statistics.sum(0, dtype=float)))
    if math.isinf(found):
        raise AssertionError(f"{specification}: the score is {found}")
