"""How much do runs vary, and how many are needed?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truegain.api.given import corpus_of, development_of
from truegain.cache import Cache
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.metrics.base import Metric
from truegain.studies.replicate import study
from truegain.studies.replicate.result import ReplicateResult

__all__ = ["replicate"]


def replicate(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    test: str | Sequence[str] = ("ar", "crossed"),
    counts: Sequence[int] = (1, 2, 3, 5, 10, 20),
    repetitions: int = 250,
    replacement: bool = False,
    gain: float | None = None,
    power: float = 0.8,
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    alpha: float = 0.05,
    resamples: int = 1_000,
    seed: int = 12345,
    development: Any = None,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> ReplicateResult:
    """See how the conclusion depends on the runs, and how many are needed (Clark et al. 2011, section 4).

    Runs are drawn from a pool of many, again and again, and tested.

    Parameters
    ----------
    references, systems, documents, domains
        As in :func:`truegain.compare`: two systems with several runs each.
    metrics : sequence of str or Metric
        As in :func:`truegain.compare`.
    test : str or sequence of str
        Claims about new runs are left out where one run of each is drawn.
    counts : sequence of int
        How many runs of each system to draw; without replacement those above what there are are left out.
    repetitions : int
        Draws for each count.
    replacement : bool
        Draw runs with replacement, as Clark et al. did; a claim about new runs then takes copies for replicas.
    gain : float, optional
        The gain to plan for; by default the observed one of each metric.
    power : float
        The probability with which it should be shown.
    unit, strata, alpha, resamples, seed
        As in :func:`truegain.compare`, of the tests; the unit cannot be blocks.
    development, jobs, cache, engine
        As in :func:`truegain.compare`.
    """
    return study.replicate(
        corpus_of(references, systems, documents, domains),
        metrics=metrics,
        test=test,
        counts=counts,
        repetitions=repetitions,
        replacement=replacement,
        gain=gain,
        power=power,
        unit=unit,
        strata=strata,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        development=development_of(development),
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )
