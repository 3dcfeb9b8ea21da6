"""What do intervals say about a difference?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truegain.api.given import corpus_of
from truegain.cache import Cache
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.metrics.base import Metric
from truegain.studies.intervals import study
from truegain.studies.intervals.result import IntervalsResult

__all__ = ["intervals"]


def intervals(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 12345,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> IntervalsResult:
    """Intervals of systems with several runs, their overlap, and p-values against the size of the gain (Fu et al.).

    Four methods: segments with one run of each system, the one in the middle (Koehn 2004; Riezler and Maxwell 2005);
    segments with the mean over runs (Clark et al. 2011); runs, the test set being what it is (Fu et al.); and both. For
    every two systems each has the overlap of the two intervals, p-values by bootstrap and by randomization (the crossed
    test where both are drawn), and the gain at which p is alpha.

    Parameters
    ----------
    references, systems, documents, domains
        As in :func:`truegain.compare`: two systems or more with several runs each. Fu et al.'s tests need as many of
        both; other pairs go without.
    metrics : sequence of str or Metric
        As in :func:`truegain.compare`.
    unit, strata
        Of the intervals, the paired bootstrap and the crossed test, as in :func:`truegain.compare`, but for blocks;
        published tests have segments as their units.
    alpha : float
        The level of tests; intervals have 1 - alpha.
    resamples : int
        Of intervals and of tests.
    seed, jobs, cache, engine
        As in :func:`truegain.compare`.
    """
    return study.intervals(
        corpus_of(references, systems, documents, domains),
        metrics=metrics,
        unit=unit,
        strata=strata,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )
