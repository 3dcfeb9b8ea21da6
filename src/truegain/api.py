"""The functions that Python programs call; see their twins in :mod:`truegain.studies` for what they do."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from truegain.cache import Cache
from truegain.corpus import Corpus
from truegain.engines.base import Engine
from truegain.engines.parts import PartEngine
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.inference.intervals import IntervalMethod
from truegain.inference.pvalues import Alternative
from truegain.metrics.base import Metric
from truegain.readers.experiment_file import read_experiment
from truegain.readers.memory import corpus_from_memory
from truegain.report.files import write_atomically
from truegain.streaming.gather import Given, gather
from truegain.streaming.sums import Sums
from truegain.studies.calibrate.result import CalibrationResult
from truegain.studies.calibrate.study import calibrate as _calibrate
from truegain.studies.compare.result import CompareResult
from truegain.studies.compare.study import Family
from truegain.studies.compare.study import compare as _compare
from truegain.studies.domains.result import DomainsResult
from truegain.studies.domains.sets import by_domain
from truegain.studies.domains.study import domains as _domains
from truegain.studies.gate.result import GateResult, Requirement
from truegain.studies.gate.study import gate as _gate
from truegain.studies.inspect.result import InspectResult, Records
from truegain.studies.inspect.study import inspect as _inspect
from truegain.studies.inspect.words import LENGTHS
from truegain.studies.intervals.result import IntervalsResult
from truegain.studies.intervals.study import intervals as _intervals
from truegain.studies.merge.result import MergeResult
from truegain.studies.merge.study import Shard
from truegain.studies.merge.study import merge as _merge
from truegain.studies.plan.result import PlanResult
from truegain.studies.plan.study import plan as _plan
from truegain.studies.plan.study import plan_from_assumptions
from truegain.studies.pool.result import PooledResult
from truegain.studies.pool.study import pool as _pool
from truegain.studies.rank.result import RankResult
from truegain.studies.rank.study import rank as _rank
from truegain.studies.replicate.result import ReplicateResult
from truegain.studies.replicate.study import replicate as _replicate
from truegain.studies.score.result import ScoreResult
from truegain.studies.score.study import score as _score
from truegain.studies.threshold.result import ThresholdResult
from truegain.studies.threshold.sizes import Subsets
from truegain.studies.threshold.study import threshold as _threshold

__all__ = [
    "calibrate",
    "compare",
    "domains",
    "gate",
    "inspect",
    "intervals",
    "merge",
    "plan",
    "pool",
    "rank",
    "replicate",
    "run",
    "score",
    "stats",
    "threshold",
    "write_part",
]


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
    """Compare systems with a baseline.

    Parameters
    ----------
    references : sequence of str, sequence of sequences, path, None, or Corpus
        The segments of one reference; one sequence for each of several; a file; or nothing for segment scores.
    systems : mapping of str to outputs
        The baseline first. Outputs are a sequence of segments, a file, or a sequence of such for several runs; arrays
        of numbers are segment scores (``metrics=["scores"]``).
    documents : sequence of str, or a file, optional
        The document of each segment; documents are then the unit of resampling.
    domains : sequence of str, or a file, optional
        The domain (or language, or test set) of each segment; bootstrap resamples are then drawn within domains.
    development : Corpus, or references and systems, optional
        The same systems and runs on the development set: for s_dev and the choice of the median run.
    jobs : int, optional
        Threads, by default one for each processor. The result does not depend on it.
    engine : str, optional
        Where it is computed: ``threads``, ``processes``, ``torch``, ``dask``, ``ray``; see docs/engines.md. The result
        does not depend on it either.

    Other parameters are those of :func:`truegain.studies.compare.study.compare`.

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
    return _compare(
        _corpus(references, systems, documents, domains),
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
        development=_development(development),
        moved=moved,
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )


def score(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    block_length: float | None = None,
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 12345,
    interval: IntervalMethod = "percentile",
    segments: bool = False,
    development: Any = None,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> ScoreResult:
    """Score systems; parameters as in :func:`compare` and :func:`truegain.studies.score.study.score`."""
    return _score(
        _corpus(references, systems, documents, domains),
        metrics=metrics,
        unit=unit,
        strata=strata,
        block_length=block_length,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        interval=interval,
        segments=segments,
        development=_development(development),
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )


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
    swap: Literal["auto", "segment", "document"] = "auto",
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
    """Measure how often tests reject on data without a difference, made of the given data.

    Parameters as in :func:`compare` and :func:`truegain.studies.calibrate.study.calibrate`.
    """
    return _calibrate(
        _corpus(references, systems, documents, domains),
        metrics=metrics,
        test=test,
        gain=gain,
        size=size,
        runs=runs,
        unit=unit,
        swap=swap,
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
    """See how the conclusion depends on the runs, and how many are needed.

    Parameters as in :func:`compare` and :func:`truegain.studies.replicate.study.replicate`.
    """
    return _replicate(
        _corpus(references, systems, documents, domains),
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
        development=_development(development),
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )


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
    """Intervals of systems with several runs, over segments, over runs and over both; their overlap, and tests.

    Parameters as in :func:`compare` and :func:`truegain.studies.intervals.study.intervals`.
    """
    return _intervals(
        _corpus(references, systems, documents, domains),
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


def inspect(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    baseline: str | None = None,
    system: str | None = None,
    count: int = 5,
    ngrams: int = 10,
    tokenize: str = "13a",
    length_buckets: Sequence[int] = LENGTHS,
    frequencies: str | Path | Sequence[str] | None = None,
    everything: bool = False,
    records: Records = "segments",
    development: Any = None,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> InspectResult:
    """Find the segments, documents, lengths, words and n-grams that made the difference between two systems.

    Parameters as in :func:`compare` and :func:`truegain.studies.inspect.study.inspect`.

    Examples
    --------
    >>> from truegain.api import inspect
    >>> result = inspect(
    ...     ["the cat sat", "a dog ran off", "it was late"],
    ...     {
    ...         "base": ["the cat sits", "a dog ran", "it was late"],
    ...         "new": ["the cat sat", "a dog ran off", "it is late"],
    ...     },
    ...     metrics=["chrf"],
    ... )
    >>> [one.number for one in result["chrf"].up], [one.number for one in result["chrf"].down]
    ([2, 1], [3])
    """
    return _inspect(
        _corpus(references, systems, documents, domains),
        metrics=metrics,
        baseline=baseline,
        system=system,
        count=count,
        ngrams=ngrams,
        tokenize=tokenize,
        length_buckets=length_buckets,
        frequencies=frequencies,
        everything=everything,
        records=records,
        development=_development(development),
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )


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

    Parameters as in :func:`compare` and :func:`truegain.studies.gate.study.gate`.
    """
    return _gate(
        _corpus(references, systems, documents, domains),
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

    From a pilot, two systems' outputs; or, without any, from ``sd`` and ``correlation`` or ``sd_difference``.
    Parameters as in :func:`compare`, :func:`truegain.studies.plan.study.plan` and
    :func:`truegain.studies.plan.study.plan_from_assumptions`; sizes are ``segment_counts``, ``document_counts`` and
    ``run_counts``.

    Examples
    --------
    >>> from truegain.api import plan
    >>> result = plan(sd=12, correlation=0.8, gain=0.5, segment_counts=[1000])
    >>> result.units_needed[0].segments
    1812
    """
    if references is None and systems is None:
        if document_counts:
            raise TypeError("document_counts need a pilot with documents; design_effect stands for them here")
        return plan_from_assumptions(
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
    return _plan(
        _corpus(references, systems, documents, domains),
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

    Parameters as in :func:`compare` and :func:`truegain.studies.rank.study.rank`.
    """
    return _rank(
        _corpus(references, systems, documents, domains),
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
    """Compare systems on several test sets, and over all of them.

    Parameters as in :func:`compare` and :func:`truegain.studies.pool.study.pool`; a corpus for each test set, as
    :func:`truegain.read_corpus` reads them.
    """
    return _pool(
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
        development=_development(development),
        moved=moved,
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )


def run(
    experiment: str | Path,
    *,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> PooledResult:
    """Run the experiment that a TOML file describes; its outputs are not written, ``result.save`` does that.

    Parameters
    ----------
    experiment : str or Path
        See docs/experiments.md; :func:`truegain.read_experiment` reads it without running it.
    jobs : int, optional
        Threads; by default all processors. The result does not depend on it.
    cache : Cache, optional
    engine : str, optional
        As in :func:`compare`.
    """
    read = read_experiment(experiment)
    return _pool(
        read.corpora(),
        metrics=read.metrics,
        development=read.development_corpus(),
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
        **read.settings,
    )


def stats(
    references: Any,
    systems: Mapping[str, Any],
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    first: int = 1,
    resamples: int = 1000,
    seed: int = 12345,
    name: str | None = None,
    jobs: int | None = None,
) -> Sums:
    """Sum the statistics of one shard of a test set that is too large for memory; :func:`merge` adds shards up.

    Parameters
    ----------
    references : path, iterable of str, a list of such, or None
        A ``str`` or ``Path`` is a file, read a piece at a time; anything else gives the segments one after the other, a
        generator, say. None for segment scores.
    systems : mapping of str to outputs
        The same for each system, or a list of such for several runs; or numbers, which are segment scores.
    metrics : sequence of str or Metric
        Any whose statistics of a segment do not depend on other segments: not NIST.
    documents : path or iterable of str, optional
        The document of each segment; documents are then the unit.
    first : int
        The number of the shard's first segment in the whole test set, from 1.
    resamples, seed : int
        The same for all shards.
    name : str, optional
        What the test set is called.
    jobs : int, optional
        Threads, by default one for each processor. The sums do not depend on it.

    Returns
    -------
    Sums
        ``save(path)`` writes them.
    """
    return gather(
        {system: _streams(given) for system, given in systems.items()},
        [] if references is None else _streams(references),
        metrics=metrics,
        documents=None if documents is None else _streams(documents)[0],
        first=first,
        resamples=resamples,
        seed=seed,
        name=name,
        jobs=available_jobs(jobs),
    )


def merge(
    shards: Shard | Iterable[Shard],
    *,
    metrics: Sequence[Metric] = (),
    baseline: str | None = None,
    test: str = "auto",
    adjustment: str = "holm",
    alpha: float = 0.05,
    interval: IntervalMethod = "percentile",
) -> MergeResult:
    """Add up the sums of shards, in any order, and test each system against the baseline.

    Parameters as in :func:`truegain.studies.merge.study.merge`; shards are saved files, or what :func:`stats` gave.
    """
    return _merge(
        shards,
        metrics=metrics,
        baseline=baseline,
        test=test,
        adjustment=adjustment,
        alpha=alpha,
        interval=interval,
    )


def _streams(given: Any) -> list[Given]:
    """One thing that gives lines, or the several that a list holds."""
    if isinstance(given, str | os.PathLike):
        return [os.fspath(given)]
    if isinstance(given, list | tuple) and given and all(_is_stream(one) for one in given):
        return [one for several in given for one in _streams(several)]
    return [(one if isinstance(one, str) else _score_line(one) for one in given)]


def _is_stream(one: Any) -> bool:
    return isinstance(one, os.PathLike) or (isinstance(one, Iterable) and not isinstance(one, str))


def _score_line(one: Any) -> Any:
    """A number as a line of a file of scores, with all its digits; whoever reads it refuses what is none."""
    try:
        return repr(float(one))
    except (TypeError, ValueError):
        return one


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

    Parameters as in :func:`compare` and :func:`truegain.studies.threshold.study.threshold`; ``groups`` are labels,
    or a pattern that finds them in their names.
    """
    return _threshold(
        _corpus(references, systems, documents, domains),
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


def domains(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    unit: UnitChoice = "auto",
    sizes: Sequence[int] = (),
    draws: int = 200,
    alpha: float = 0.05,
    resamples: int = 10_000,
    draw_resamples: int = 1_000,
    seed: int = 12345,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> DomainsResult:
    """See whether differences between systems hold on other test sets, or in other domains of one.

    Parameters
    ----------
    references, systems, documents, domains
        As in :func:`compare`; every domain is a set. Or, in place of the references, several sets with the same
        systems: a mapping of names to corpora, or to references, systems and, if known, documents; or a sequence of
        corpora.
    metrics, unit, sizes, draws, alpha, resamples, draw_resamples, seed, jobs, cache
        As in :func:`truegain.studies.domains.study.domains`.
    """
    return _domains(
        _sets(references, systems, documents, domains),
        metrics=metrics,
        unit=unit,
        sizes=sizes,
        draws=draws,
        alpha=alpha,
        resamples=resamples,
        draw_resamples=draw_resamples,
        seed=seed,
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )


def write_part(engine: PartEngine, path: str | Path) -> None:
    """Write what an engine has done of a study, at once and whole, for :meth:`truegain.StoredEngine.read`.

    Parameters
    ----------
    engine : PartEngine
        As a study was given it: ``engine=PartEngine(3, 7)``.
    path : path
    """
    write_atomically(path, engine.made().pack())


def _sets(references: Any, systems: Mapping[str, Any] | None, documents: Any, domains: Any) -> list[Corpus]:
    """Several test sets, or the domains of one."""
    several = isinstance(references, Mapping) or (
        isinstance(references, Sequence) and bool(references) and all(isinstance(one, Corpus) for one in references)
    )
    if not several:
        return by_domain(_corpus(references, systems, documents, domains))
    if not systems is documents is domains is None:
        raise TypeError("several sets hold their systems, documents and domains already")
    if not isinstance(references, Mapping):
        return list(references)
    return [
        replace(given, name=name) if isinstance(given, Corpus) else _of_parts(name, *given)
        for name, given in references.items()
    ]


def _of_parts(name: str, references: Any, systems: Mapping[str, Any], documents: Any = None) -> Corpus:
    return corpus_from_memory(references, systems, documents=documents, name=name)


def _development(given: Any) -> Corpus | None:
    if given is None or isinstance(given, Corpus):
        return given
    references, systems = given
    return corpus_from_memory(references, systems)


def _corpus(references: Any, systems: Mapping[str, Any] | None, documents: Any, domains: Any) -> Corpus:
    if isinstance(references, Corpus):
        if not systems is documents is domains is None:
            raise TypeError("a Corpus holds its systems, documents and domains already")
        return references
    if systems is None:
        raise TypeError("systems are needed: a mapping of names to outputs")
    return corpus_from_memory(references, systems, documents=documents, domains=domains)
