"""The data of :mod:`benchmarks.edges`: what is drawn, as the product's experiments, and real scores."""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchmarks.data import REAL_DATA
from truegain.corpus import Corpus, Run, System
from truegain.engines.engine import Engine
from truegain.experiment import Experiment
from truegain.metrics.segment_scores import SegmentScores
from truegain.repeats import Repeats
from truegain.resampling.units import Units
from truegain.statistics import Block, SegmentStatistics

__all__ = ["POPULATIONS", "SEED", "Bounded", "mqm_scores", "prepared", "right_by_unit"]

Floats = NDArray[np.float64]

SEED = 20_261_121


def right_by_unit(
    shares: tuple[float, float], icc: float, shape: tuple[int, int]
) -> Callable[..., tuple[Floats, Floats]]:
    """Return what draws the probabilities of being right of units, Beta with the ICC; half of both systems' are alike.

    Quantiles are looked up, so that the true shares are those of the table: the mean of ``draw`` at even places.
    """
    grid = np.linspace(0.0, 1.0, 4_001)
    odds = 1.0 / icc - 1.0
    tables = [
        np.ones(grid.size) if share >= 1.0 else special.betaincinv(share * odds, (1.0 - share) * odds, grid)
        for share in shares
    ]

    def draw(generator: np.random.Generator | None = None) -> tuple[Floats, Floats]:
        if generator is None:
            first = second = (np.arange(40_000) + 0.5) / 40_000
        else:
            first, other = generator.random((2, *shape))
            second = np.where(generator.random(shape) < 0.5, first, other)
        return np.interp(first, grid, tables[0]), np.interp(second, grid, tables[1])

    return draw


def prepared(scores: Floats, cluster: int = 1, metric: SegmentScores | None = None) -> Experiment:
    """Return an experiment with the given scores, shape (systems, items, samples); clusters of neighbouring items."""
    systems, items, samples = scores.shape
    names = [str(item) for item in range(items)]
    documents = tuple(str(item // cluster) for item in range(items))
    values = np.stack([scores.mean(-1).T, np.ones((items, systems))], axis=-1).reshape(items, -1)
    runs = [
        Run(f"{s}", repeats={"score": Repeats(own.ravel(), np.full(items, samples), names)} if samples > 1 else {})
        for s, own in enumerate(scores)
    ]
    block = Block("score", metric or SegmentScores(column="score"), 0, (1,) * systems)
    return Experiment(
        corpus=Corpus("drawn", items, (), tuple(System(run.name, (run,)) for run in runs), documents),
        statistics=SegmentStatistics(values, (block,)),
        units=Units.documents(documents) if cluster > 1 else Units.segments(items),
        engine=Engine(),
        seed=SEED,
        notes=(),
    )


@dataclass(frozen=True)
class Bounded(SegmentScores):
    """Scores from 0 to 1 that have more than two values."""

    column: str | None = "score"
    limits: ClassVar[tuple[float, float]] = (0.0, 1.0)


def judged(marks: dict[int, float]) -> tuple[Floats, Floats]:
    """Return the marks of a judge, one to ten, on the range, and how likely each is; what is left has a ten."""
    chances = np.array([marks.get(mark, 0.0) for mark in range(1, 11)])
    chances[-1] += 1.0 - chances.sum()
    return np.arange(10) / 9.0, chances


#: Scores of more values: marks with their probabilities, or the parameters of Beta.
POPULATIONS: dict[str, tuple[Floats, Floats] | tuple[float, float]] = {
    "judge: .5 % ones, 1 % nines": judged({1: 0.005, 9: 0.01}),
    "judge: 1 % ones, 3 % nines": judged({1: 0.01, 9: 0.03}),
    "judge: 10 % nines": judged({9: 0.1}),
    "judge: five to ten": judged({5: 0.1, 6: 0.15, 7: 0.25, 8: 0.25, 9: 0.15}),
    "judge: sevens, 2 % ones": judged({1: 0.02, 7: 0.98}),
    "Beta(6, 2), like F1": (6.0, 2.0),
    "Beta(8, .4)": (8.0, 0.4),
    "Beta(50, 8)": (50.0, 8.0),
}


def mqm_scores(languages: str) -> tuple[dict[str, Floats], list[str]]:
    """Return the MQM scores of the systems of WMT23, of the segments that all have scores of, and their documents."""
    folder = REAL_DATA / "wmt23_mtme"
    scores: dict[str, list[float]] = {}
    with gzip.open(folder / "human-scores" / f"{languages}.mqm.seg.score.gz", "rt", encoding="utf-8") as file:
        for line in file:
            system, score = line.split()
            scores.setdefault(system, []).append(math.nan if score == "None" else float(score))
    with gzip.open(folder / "documents" / f"{languages}.docs.gz", "rt", encoding="utf-8") as file:
        documents = np.array(file.read().splitlines())
    rated = {system: np.array(own) for system, own in scores.items() if not np.isnan(own).all()}
    whole = ~np.isnan(np.array(list(rated.values()))).any(0)
    return {system: own[whole] for system, own in rated.items()}, documents[whole].tolist()
