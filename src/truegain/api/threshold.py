"""What gain is usually significant?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from truegain.api.given import corpus_of
from truegain.cache import Cache
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.metrics.base import Metric
from truegain.studies.threshold import study
from truegain.studies.threshold.result import ThresholdResult
from truegain.studies.threshold.sizes import Subsets

__all__ = ["threshold"]


def threshold(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    groups: Mapping[str, str] | str | None = None,
    sizes: Sequence[int] | Literal["auto"] = (),
    subsets: Subsets = "initial",
    repetitions: int = 5,
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    block_length: float | None = None,
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 12345,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> ThresholdResult:
    """Find the gain that is usually significant on a test set, from all pairs of systems.

    Every pair is tested by the paired bootstrap, one-sided, in favour of the system with the better score; it would be
    significant at a gain of the normal quantile times its standard error. The threshold is the 95th percentile of
    these over pairs (Berg-Kirkpatrick et al. 2012, section 3.1).

    Parameters
    ----------
    references, systems, documents, domains
        As in :func:`truegain.compare`: two systems or more; intervals need three.
    metrics : sequence of str or Metric
        Of which one way is the better one.
    groups : mapping of str to str, or str, optional
        The label of each system, or a pattern with one group in parentheses that finds it in the system's name: pairs
        with one label and with two are then also looked at apart.
    sizes : sequence of int, or "auto"
        Numbers of units: the same on parts of the test set, and how it falls with their size.
    subsets : "initial" or "random"
        Which units a part is made of.
    repetitions : int
        How many random parts of each size there are.
    alpha : float
        The level of the tests.
    unit, strata, block_length, resamples, seed, jobs, cache, engine
        As in :func:`truegain.compare`.
    """
    return study.threshold(
        corpus_of(references, systems, documents, domains),
        metrics=metrics,
        groups=groups,
        sizes=sizes,
        subsets=subsets,
        repetitions=repetitions,
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
