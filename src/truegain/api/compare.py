"""Is a system better than the baseline?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from truegain.api.given import corpus_of, development_of
from truegain.cache import Cache
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.inference.intervals import IntervalMethod
from truegain.inference.pvalues import Alternative
from truegain.metrics.base import Metric
from truegain.studies.compare import study
from truegain.studies.compare.result import CompareResult
from truegain.studies.compare.study import Family

__all__ = ["compare"]


def compare(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    baseline: str | None = None,
    family: Family = "baseline",
    test: str | Sequence[str] = "auto",
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    block_length: float | None = None,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    resamples: int | Literal["auto"] = 10_000,
    seed: int = 12345,
    interval: IntervalMethod = "percentile",
    adjustment: str = "holm",
    null_gain: float = 0.0,
    development: Any = None,
    moved: int | None = None,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> CompareResult:
    """Compare systems with a baseline, or all with each other, under every metric.

    P-values come from the tests asked for, intervals from the paired bootstrap, over documents where they are known,
    else over segments. With several runs of a system its score is the mean over runs. Three claims can be made then:
    for new runs on new segments (``crossed``, which decides and has an interval of its own), for these runs on new
    segments, and for new runs on this test set. All are shown.

    Parameters
    ----------
    references : sequence of str, sequence of sequences, path, None, or Corpus
        The segments of one reference; one sequence for each of several; a file; or nothing for segment scores. A corpus
        that was read already holds all that is given otherwise by ``systems``, ``documents`` and ``domains``.
    systems : mapping of str to outputs
        The baseline first. Outputs are a sequence of segments, a file, or a sequence of such for several runs; arrays
        of numbers are segment scores (``metrics=["scores"]``).
    metrics : sequence of str or Metric
        Names with their options, as ``truegain metrics`` lists them, or metrics of your own.
    documents : sequence of str, or a file, optional
        The document of each segment; documents are then the unit of resampling.
    domains : sequence of str, or a file, optional
        The domain (or language, or test set) of each segment; bootstrap resamples are then drawn within domains.
    baseline : str, optional
        The system to compare with; by default the first.
    family : "baseline" or "all"
        Every system with the baseline, or every two systems.
    test : str, or sequence of str
        As ``truegain tests`` lists them. ``auto`` is ``crossed`` where both systems have several runs, with the tests
        of the other two claims beside it; else ``ar``, or the bootstrap where two systems differ in their number of
        runs or blocks are the unit. Of several, the verdict goes by the first; the others stand beside it.
    unit : "auto", "segment", "document", "block", "domain" or "testset"
        What is drawn or swapped as a whole; ``auto``: documents where they are known, else segments. ``block``:
        neighbouring segments, by the stationary bootstrap.
    strata : "auto", "none" or "domain"
        Whether bootstrap resamples draw units within each domain; ``auto``: where domains are known.
    block_length : float, optional
        The mean length of blocks; by default the rule of Politis and White decides.
    alternative : "two-sided", "greater" or "less"
        ``greater``: the system is better than the baseline.
    alpha : float
        The level of the tests, and one minus that of the intervals.
    resamples : int or "auto"
        ``auto``: as many as the decision at ``alpha`` needs, at most a million.
    seed : int
        The same seed gives the same answer, wherever it is computed.
    interval : "percentile", "basic", "bca" or "normal"
        How an interval is made of resamples.
    adjustment : str
        For the number of comparisons, metric by metric: none, bonferroni, holm, hochberg, bh, by or maxt.
    null_gain : float
        The gain of the null hypothesis, in points of every metric: that it is this (two-sided), at most this
        (``greater``) or at least this (``less``). With another than zero ``auto`` takes the bootstrap, not ``ar``, and
        tests of exchangeability are refused.
    development : Corpus, or references and systems, optional
        The same systems and runs on the development set: for s_dev and the choice of the median run.
    moved : int, optional
        How many segments to list for each pair and metric that speak most for the system, and as many against it; by
        default 10, fewer where there are very many pairs.
    jobs : int, optional
        Threads, by default one for each processor. The result does not depend on it.
    cache : Cache, optional
        Where statistics of segments are kept, and found again; by default nowhere.
    engine : str or Engine, optional
        Where it is computed: ``threads``, ``processes``, ``torch``, ``dask``, ``ray``; see docs/engines.md. The result
        does not depend on it either.

    Examples
    --------
    >>> import truegain as tg
    >>> result = tg.compare(
    ...     ["the cat sat", "a dog ran off", "it was late"],
    ...     {
    ...         "base": ["the cat sits", "a dog ran", "it was late"],
    ...         "new": ["the cat sat", "a dog ran off", "it is late"],
    ...     },
    ...     metrics=["chrf"],
    ... )
    >>> result["chrf", "new"].n_units
    3
    """
    return study.compare(
        corpus_of(references, systems, documents, domains),
        metrics=metrics,
        baseline=baseline,
        family=family,
        test=test,
        unit=unit,
        strata=strata,
        block_length=block_length,
        alternative=alternative,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        interval=interval,
        adjustment=adjustment,
        null_gain=null_gain,
        development=development_of(development),
        moved=moved,
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )
