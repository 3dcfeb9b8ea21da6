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
    require: Requirement = "better",
    margin: float | Mapping[str, float] | None = None,
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

    ``better`` passes if a gain above ``margin`` is shown: its lower bound, one-sided at ``alpha``, is above the margin.

    ``not-worse`` passes if a loss above ``margin`` is ruled out: the lower bound is above minus the margin
    (non-inferiority). A margin of 0 asks for a gain, so identical outputs fail.

    Of these two every metric must pass; this is an intersection–union test (Berger 1982), which needs no adjustment.

    ``no-loss-shown`` fails only if a loss is shown: the upper bound is below 0. Any metric can fail it, so each is
    tested at ``alpha`` divided by their number. To pass it does not prove the absence of a loss; the result says how
    large it may be.

    Parameters
    ----------
    references, systems, documents, domains
        As in :func:`truegain.compare`: two systems.
    metrics : sequence of str or Metric
        Of which one way is the better one.
    baseline, system : str, optional
        Which of the two is which; by default the first is the baseline.
    require : "better", "not-worse" or "no-loss-shown"
    margin : float or mapping of str to float, optional
        In points of the metric, 0 or more; for all metrics, or by metric (as asked for, or by its name alone). With
        ``better`` it is 0 if not given; ``not-worse`` needs it; ``no-loss-shown`` has none.
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
        require=require,
        margin=margin,
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
