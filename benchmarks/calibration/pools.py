"""Segments with the statistics of two systems, which nulls are made of by swapping."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import wmt17
from benchmarks.simulation import SystemSpec, simulate
from truegain.corpus import Corpus, Run, System
from truegain.engines.engine import Engine
from truegain.experiment import Experiment
from truegain.metrics.base import Metric
from truegain.metrics.bleu import BLEU
from truegain.metrics.segment_scores import SegmentScores
from truegain.metrics.wer import WER
from truegain.resampling.units import Units
from truegain.statistics import Block, SegmentStatistics
from truegain.studies.nulls import SwappedUnits

__all__ = [
    "DOCUMENT_CORRELATION",
    "LARGEST_DOCUMENT",
    "SEED",
    "Floats",
    "assembled",
    "binary_pool",
    "contributions",
    "heavy_pool",
    "in_documents",
    "mean_score",
    "real_pools",
    "simulated_pool",
    "tied",
]

Floats = NDArray[np.float64]

SEED = 20_120_712
LARGEST_DOCUMENT = 40
DOCUMENT_CORRELATION = 0.3
TIES = 0.9
FREEDOM = 2.1  # of Student's t: the variance is finite, and hardly
BOTH_RIGHT, BOTH_WRONG = 0.5, 0.2

_SEGMENTS = 20_000
_DOCUMENTS = 2_000
_QUALITY = 0.7
_STEPS = 10.0  # whole numbers to a standard unit: a grid on which all swaps can be counted
_TIED, _DOCUMENTED, _LATENT, _HEAVY, _BINARY = range(1, 6)  # streams of random numbers


def assembled(
    columns: Mapping[str, tuple[Metric, Floats]], *, documents: Sequence[str] | None = None, seed: int = SEED
) -> Experiment:
    """Two systems as the product's studies take them.

    Parameters
    ----------
    columns : mapping of str to (Metric, array)
        By the metric's key: statistics of shape (segments, runs, k), the first half of the runs those of one system.
    documents : sequence of str, optional
        The document of each segment; documents are the units then, else segments.
    """
    blocks: list[Block] = []
    start = 0
    for key, (metric, values) in columns.items():
        half = values.shape[1] // 2
        blocks.append(Block(key, metric, start, (half, half)))
        start = blocks[-1].columns.stop
    values = np.concatenate([one.reshape(len(one), -1) for _, one in columns.values()], axis=1)
    half = blocks[0].run_counts[0]
    systems = tuple(System(name, tuple(Run(f"{name} {i}") for i in range(half))) for name in ("first", "second"))
    return Experiment(
        corpus=Corpus("pool", len(values), (), systems, None if documents is None else tuple(documents)),
        statistics=SegmentStatistics(values, tuple(blocks)),
        units=Units.segments(len(values)) if documents is None else Units.documents(documents),
        engine=Engine(),
        seed=seed,
        notes=(),
    )


def mean_score(scores: Floats) -> tuple[Metric, Floats]:
    """Return the mean of segment scores (segments, runs)."""
    return SegmentScores(), np.stack([scores, np.ones_like(scores)], axis=-1)


def simulated_pool(segments: int = _SEGMENTS) -> Experiment:
    """Two simulated systems of equal quality."""
    specs = [SystemSpec(name=name, quality=_QUALITY) for name in ("first", "second")]
    made = simulate(segments=segments, systems=specs, references=1, run_sd=0.0, seed=SEED)
    return _scored(made.references[0], *(made.systems[spec.name][0] for spec in specs))


def _scored(reference: Sequence[str], *sides: Sequence[str]) -> Experiment:
    """BLEU, WER and the mean of sentence BLEU of two systems."""
    bleu, wer = BLEU(), WER()
    prepared = bleu.prepare([list(reference)])
    counts = np.stack([bleu.statistics(side, prepared) for side in sides], axis=1).astype(np.float64)
    words = wer.prepare([list(reference)])
    errors = np.stack([wer.statistics(side, words) for side in sides], axis=1).astype(np.float64)
    sentences = np.asarray(bleu.for_segments.score(counts))
    return assembled({"bleu": (bleu, counts), "wer": (wer, errors), "mean": mean_score(sentences)})


def real_pools(count: int = 4) -> dict[str, Experiment]:
    """Return the pairs of WMT17 systems closest in BLEU, each system in one pair only; empty if they are absent."""
    data = wmt17()
    if data is None:
        return {}
    bleu = BLEU()
    prepared = bleu.prepare([list(data.reference)])
    statistics = {
        name: np.asarray(bleu.statistics(outputs, prepared), np.float64) for name, outputs in data.systems.items()
    }
    scores = {name: float(bleu.score(one.sum(0))) for name, one in statistics.items()}
    ranked = sorted(scores, key=scores.__getitem__)
    pairs: list[tuple[str, str]] = []
    for pair in sorted(itertools.pairwise(ranked), key=lambda pair: scores[pair[1]] - scores[pair[0]]):
        if len(pairs) < count and not any(name in known for name in pair for known in pairs):
            pairs.append(pair)
    return {
        f"{one} and {other}": assembled({"bleu": (bleu, np.stack([statistics[one], statistics[other]], axis=1))})
        for one, other in pairs
    }


def contributions(pool: Experiment) -> Floats:
    """Return what each segment adds to the second system's gain by the first metric."""
    return SwappedUnits(pool, Units.segments(pool.corpus.segments)).contributions


def tied(pool: Experiment) -> Experiment:
    """Return the same with the second system made identical to the first on most segments."""
    count = pool.corpus.segments
    same = np.random.default_rng([SEED, _TIED]).permutation(count)[: round(TIES * count)]
    values = pool.statistics.values.copy()
    for block in pool.statistics.blocks:
        values[same, block.system_columns(1)] = values[same, block.system_columns(0)]
    return replace(pool, statistics=SegmentStatistics(values, pool.statistics.blocks))


def in_documents(pool: Experiment, documents: int = _DOCUMENTS) -> Experiment:
    """Documents of segments from a pool, whose contributions are correlated within a document."""
    rng = np.random.default_rng([SEED, _DOCUMENTED])
    of_segment = np.repeat(np.arange(documents), rng.integers(1, LARGEST_DOCUMENT + 1, documents))
    added = contributions(pool)
    shared, own = rng.standard_normal(documents)[of_segment], rng.standard_normal(of_segment.size)
    rows = _rows(added, _blend(_latent_correlation(added), shared, own))
    names = tuple(str(number) for number in of_segment.tolist())
    return replace(
        pool,
        corpus=replace(pool.corpus, segments=len(rows), documents=names),
        statistics=SegmentStatistics(pool.statistics.values[rows], pool.statistics.blocks),
        units=Units.documents(names),
    )


def _latent_correlation(added: Floats) -> float:
    """Return the correlation of normal variates that gives contributions the wanted correlation within a document."""
    shared, one, other = np.random.default_rng([SEED, _LATENT]).standard_normal((3, 100_000))
    low, high = 0.0, 1.0
    for _ in range(12):
        middle = (low + high) / 2
        sides = [added[_rows(added, _blend(middle, shared, own))] for own in (one, other)]
        reached = np.corrcoef(sides[0], sides[1])[0, 1]
        low, high = (middle, high) if reached < DOCUMENT_CORRELATION else (low, middle)
    return (low + high) / 2


def _rows(added: Floats, normal: Floats) -> NDArray[np.intp]:
    """Segments at the given places of a normal distribution over the pool, ordered by contribution."""
    edges = [NormalDist().inv_cdf(i / added.size) for i in range(1, added.size)]
    return np.argsort(added, kind="stable")[np.searchsorted(edges, normal)]


def _blend(share: float, shared: Floats, own: Floats) -> Floats:
    return np.asarray(share**0.5 * shared + (1.0 - share) ** 0.5 * own)


def heavy_pool(segments: int = _SEGMENTS) -> Experiment:
    """Segment scores whose differences have heavy tails."""
    rng = np.random.default_rng([SEED, _HEAVY])
    first = rng.standard_normal(segments)
    second = first + rng.standard_t(FREEDOM, segments)
    return assembled({"mean": mean_score(np.rint(_STEPS * np.stack([first, second], axis=1)))})


def binary_pool(segments: int = _SEGMENTS) -> Experiment:
    """Scores of 0 and 1: either system alone is right equally often."""
    place = np.random.default_rng([SEED, _BINARY]).random(segments)
    one_right = 1.0 - BOTH_RIGHT - BOTH_WRONG
    both = place < BOTH_RIGHT
    first = both | (place >= 1.0 - one_right / 2.0)
    second = both | ((place >= 1.0 - one_right) & (place < 1.0 - one_right / 2.0))
    return assembled({"mean": mean_score(np.stack([first, second], axis=1).astype(np.float64))})
