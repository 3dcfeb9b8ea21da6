"""Does a gain hold over several test sets?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from truegain.api.given import development_of
from truegain.cache import Cache
from truegain.corpus import Corpus
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.inference.intervals import IntervalMethod
from truegain.inference.pvalues import Alternative
from truegain.metrics.base import Metric
from truegain.studies.compare.study import Family
from truegain.studies.pool import study
from truegain.studies.pool.result import PooledResult

__all__ = ["pool"]


def pool(
    corpora: Sequence[Corpus],
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    baseline: str | None = None,
    family: Family = "baseline",
    test: str | Sequence[str] = "auto",
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    resamples: int | Literal["auto"] = 10_000,
    seed: int = 12345,
    interval: IntervalMethod = "percentile",
    adjustment: str = "holm",
    development: Any = None,
    moved: int | None = None,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> PooledResult:
    """Compare systems on several test sets, over all of them, and say on how many a gain is shown.

    Of every set the answer is that of :func:`truegain.compare` with the same seed. Over all of them there are two: all
    segments as one corpus (micro), and the mean of the sets' scores (macro). Units are drawn or swapped within each
    set. A run is the same trained model on all sets: with several runs of both systems its pooled score is what varies
    over runs, and the segments' part adds up over the sets (``crossed``).

    Parameters
    ----------
    corpora : sequence of Corpus
        One for each test set, as :func:`truegain.read_corpus` reads them: the same systems on each, with names of
        their own.
    metrics : sequence of str or Metric
        As in :func:`truegain.compare`.
    test : str, or sequence of str
        As in :func:`truegain.compare`. Over all test sets the first of ar, bootstrap and crossed that is among them;
        else ``auto``.
    unit : "auto", "segment", "document" or "domain"
        What is drawn or swapped as a whole.
    development, moved
        As in :func:`truegain.compare`, for every test set.
    baseline, family, strata, alternative, alpha, resamples, seed, interval, adjustment, jobs, cache, engine
        As in :func:`truegain.compare`.
    """
    return study.pool(
        corpora,
        metrics=metrics,
        baseline=baseline,
        family=family,
        test=test,
        unit=unit,
        strata=strata,
        alternative=alternative,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        interval=interval,
        adjustment=adjustment,
        development=development_of(development),
        moved=moved,
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )
