"""May a system pass?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truegain.api.given import corpus_of
from truegain.cache import Cache
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.metrics.base import Metric
from truegain.studies.gate import study
from truegain.studies.gate.result import GateResult, Requirement

__all__ = ["gate"]


def gate(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    baseline: str | None = None,
    system: str | None = None,
    min_gain: float | Mapping[str, float] = 0.0,
    require: Requirement = "better",
    test: str = "auto",
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    block_length: float | None = None,
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 12345,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> GateResult:
    """Decide whether a system may take the place of a baseline.

    ``better`` passes where it is shown, one-sided at ``alpha``, that the gain is above ``min_gain``: the null
    hypothesis that it is at most that is rejected. A negative ``min_gain`` is a margin of non-inferiority: not worse by
    more than that. Every metric must pass; this is an intersection–union test (Berger 1982), which needs no adjustment.

    ``not-worse`` fails only where a loss is shown: the null hypothesis that the gain is at least ``min_gain`` is
    rejected. To pass it is no evidence that there is no loss; the result says how large a one may hide.

    Parameters
    ----------
    references, systems, documents, domains
        As in :func:`truegain.compare`: two systems.
    metrics : sequence of str or Metric
        Of which one way is the better one.
    baseline, system : str, optional
        Which of the two is which; by default the first is the baseline.
    min_gain : float or mapping of str to float
        For all metrics, or by metric (as asked for, or by its name alone); those left out have 0.
    require : "better" or "not-worse"
    test : str
        A test that can be held against any gain. ``auto`` is ``crossed`` where both systems have several runs, else the
        bootstrap, also where the gain is zero: bounds and p-values then go together.
    alpha : float
        Of one-sided tests.
    unit, strata, block_length, resamples, seed, jobs, cache, engine
        As in :func:`truegain.compare`.
    """
    return study.gate(
        corpus_of(references, systems, documents, domains),
        metrics=metrics,
        baseline=baseline,
        system=system,
        min_gain=min_gain,
        require=require,
        test=test,
        unit=unit,
        strata=strata,
        block_length=block_length,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )
