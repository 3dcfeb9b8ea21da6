"""Which systems are better than which?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truegain.api.given import corpus_of
from truegain.cache import Cache
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.inference.intervals import IntervalMethod
from truegain.metrics.base import Metric
from truegain.studies.rank import study
from truegain.studies.rank.result import RankResult

__all__ = ["rank"]


def rank(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    test: str = "auto",
    adjustment: str = "auto",
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    block_length: float | None = None,
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 12345,
    interval: IntervalMethod = "percentile",
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> RankResult:
    """Rank systems by which are shown to be better than which: rank intervals, clusters and letters.

    All pairs are tested, two-sided, metric by metric. The bootstrap needs nothing but each system's score on every
    resample, which all pairs share, so that hundreds of systems take little more than their scores.

    Parameters
    ----------
    references, systems, documents, domains
        As in :func:`truegain.compare`: two systems or more.
    metrics : sequence of str or Metric
        Of which one way is the better one.
    test : "auto", "bootstrap", "ar" or "crossed"
        ``auto`` is ``crossed`` where all systems have several runs, for new runs on new segments; else the paired
        bootstrap, shifted by the observed difference. P-values are those of :func:`truegain.compare` with
        ``family="all"``.
    adjustment : str
        For the number of pairs, metric by metric: maxt, holm, none, bonferroni, hochberg, bh or by. ``auto`` is maxt,
        from the same resamples; with ``crossed``, which has none to share, holm.
    interval : "percentile", "basic", "bca" or "normal"
        Of scores.
    unit, strata, block_length, alpha, resamples, seed, jobs, cache, engine
        As in :func:`truegain.compare`.
    """
    return study.rank(
        corpus_of(references, systems, documents, domains),
        metrics=metrics,
        test=test,
        adjustment=adjustment,
        unit=unit,
        strata=strata,
        block_length=block_length,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        interval=interval,
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )
