"""How many segments, documents or runs does a gain take?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truegain.api.given import corpus_of
from truegain.cache import Cache
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.metrics.base import Metric
from truegain.studies.plan import study
from truegain.studies.plan.result import PlanResult

__all__ = ["plan"]


def plan(
    references: Any = None,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    sd: float | tuple[float, float] | None = None,
    correlation: float | None = None,
    sd_difference: float | None = None,
    design_effect: float = 1.0,
    run_sd: float | tuple[float, float] | None = None,
    gain: float | Sequence[float] | None = None,
    power: float = 0.8,
    segment_counts: Sequence[int] = (),
    document_counts: Sequence[int] = (),
    run_counts: Sequence[int] = (),
    one_sided: bool = False,
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    alpha: float = 0.05,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> PlanResult:
    """Plan a test set: which gains it will show, and how many segments, documents or runs others take.

    From a pilot, two systems' outputs, which says how their difference varies; or, without any, from ``sd`` and
    ``correlation`` or ``sd_difference``.

    Parameters
    ----------
    references, systems, documents, domains
        The pilot, as in :func:`truegain.compare`; with several runs of both systems, runs are planned for too.
    metrics : sequence of str or Metric
        As in :func:`truegain.compare`.
    sd : float, or one of each system, optional
        Without a pilot: the standard deviation of scores of segments.
    correlation : float, optional
        Of the two systems' scores of segments, with ``sd``.
    sd_difference : float, optional
        In place of both: the standard deviation of differences of segments.
    design_effect : float
        How many times the variance of a difference is that of independent segments, where they stand in documents.
    run_sd : float, or one of each system, optional
        The standard deviation of scores over runs, where the pilot has one run, or there is none.
    gain : float or sequence of float, optional
        The gains to plan for, in points of each metric; by default the observed one, and none without a pilot.
    power : float
        The probability with which a gain should be shown.
    segment_counts, document_counts : sequence of int
        Sizes of test sets. By default half, one, two and four times the pilot; without one, 500, 1,000, 2,000 and 5,000
        segments.
    run_counts : sequence of int
        Of each system. By default 2, 3, 5 and 10 where it is known how they vary, else 1.
    one_sided : bool
        Of the test to come.
    unit, strata, alpha, jobs, cache, engine
        As in :func:`truegain.compare`; the unit cannot be blocks.

    Examples
    --------
    >>> import truegain as tg
    >>> result = tg.plan(sd=12, correlation=0.8, gain=0.5, segment_counts=[1000])
    >>> result.units_needed[0].segments
    1811
    """
    if references is None and systems is None:
        if document_counts:
            raise TypeError("document_counts need a pilot with documents; design_effect stands for them here")
        return study.plan_from_assumptions(
            sd=sd,
            correlation=correlation,
            sd_difference=sd_difference,
            design_effect=design_effect,
            run_sd=run_sd,
            gain=gain,
            power=power,
            segments=segment_counts,
            runs=run_counts,
            one_sided=one_sided,
            alpha=alpha,
        )
    if not sd is correlation is sd_difference is None or design_effect != 1.0:
        raise TypeError("a pilot shows how segments vary: sd, correlation, sd_difference and design_effect go without")
    return study.plan(
        corpus_of(references, systems, documents, domains),
        metrics=metrics,
        gain=gain,
        power=power,
        segments=segment_counts,
        documents=document_counts,
        runs=run_counts,
        run_sd=run_sd,
        one_sided=one_sided,
        unit=unit,
        strata=strata,
        alpha=alpha,
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )
