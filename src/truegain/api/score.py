"""How good is each system?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truegain.api.given import corpus_of, development_of
from truegain.cache import Cache
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.inference.intervals import IntervalMethod
from truegain.metrics.base import Metric
from truegain.studies.score import study
from truegain.studies.score.result import ScoreResult

__all__ = ["score"]


def score(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    block_length: float | None = None,
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 12345,
    interval: IntervalMethod = "percentile",
    segments: bool = False,
    intervals: bool = True,
    development: Any = None,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> ScoreResult:
    """Score every system, with bootstrap intervals over segments, or over documents where they are known.

    Parameters
    ----------
    references, systems, documents, domains
        As in :func:`truegain.compare`.
    metrics : sequence of str or Metric
        As in :func:`truegain.compare`.
    alpha : float
        Intervals have the level 1 - alpha.
    segments : bool
        Score single segments too.
    intervals : bool
        Without them nothing is resampled.
    unit, strata, block_length, resamples, seed, interval, development, jobs, cache, engine
        As in :func:`truegain.compare`.
    """
    return study.score(
        corpus_of(references, systems, documents, domains),
        metrics=metrics,
        unit=unit,
        strata=strata,
        block_length=block_length,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        interval=interval,
        segments=segments,
        intervals=intervals,
        development=development_of(development),
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )
