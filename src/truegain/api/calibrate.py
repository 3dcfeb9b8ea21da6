"""Can I trust this test on my data?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truegain.api.given import corpus_of
from truegain.cache import Cache
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.inference.pvalues import Alternative
from truegain.metrics.base import Metric
from truegain.studies.calibrate import study
from truegain.studies.calibrate.null_units import NullUnitChoice
from truegain.studies.calibrate.result import CalibrationResult

__all__ = ["calibrate"]


def calibrate(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    test: str | Sequence[str] | None = None,
    gain: float | None = None,
    size: int | None = None,
    runs: int | None = None,
    unit: UnitChoice = "auto",
    null_unit: NullUnitChoice = "auto",
    strata: StrataChoice = "auto",
    block_length: float | None = None,
    alternative: Alternative = "two-sided",
    repetitions: int = 1_000,
    resamples: int = 1_000,
    seed: int = 12345,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> CalibrationResult:
    """Measure how often tests find a difference in data without one, made of the given data.

    With two systems, their outputs are swapped at random: neither is better then. What depends on each other is swapped
    as a whole, so that tests with too small a unit are found out. With one system of four runs or more, its runs are
    dealt out to two: neither is better for new runs then.

    Parameters
    ----------
    references, systems, documents, domains
        As in :func:`truegain.compare`: two systems with as many runs each, or one system with several runs.
    metrics : sequence of str or Metric
        As in :func:`truegain.compare`.
    test : str or sequence of str, optional
        By default ``ar`` and ``bootstrap`` with two systems; with one, tests whose claim is about new runs.
    gain : float, optional
        With two systems, measure power too: the second is made better by so much on average, in each metric's own
        points, by giving it the better output of a unit more often than not.
    size : int, optional
        With two systems, the number of swapped units (see ``null_unit``) in each dataset, drawn without replacement;
        by default all.
    runs : int, optional
        With one system, how many runs each of the two gets; by default half.
    null_unit : "auto", "segment", "document" or "block"
        What is swapped as a whole, whatever the tests resample. ``auto``: documents if they are known; else blocks of
        40 neighbouring segments if neighbours are correlated, and single segments if they are not.
    repetitions : int
        Datasets.
    resamples : int
        Of each test on each dataset.
    unit, strata, block_length, alternative
        As in :func:`truegain.compare`, of the tests.
    seed, cache, engine
        As in :func:`truegain.compare`.
    jobs : int, optional
        Processes, by default one for each processor. The result does not depend on it.
    """
    return study.calibrate(
        corpus_of(references, systems, documents, domains),
        metrics=metrics,
        test=test,
        gain=gain,
        size=size,
        runs=runs,
        unit=unit,
        null_unit=null_unit,
        strata=strata,
        block_length=block_length,
        alternative=alternative,
        repetitions=repetitions,
        resamples=resamples,
        seed=seed,
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )
