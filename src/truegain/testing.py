"""Assertions for test suites: a system's outputs are not worse than a baseline's, or they are better."""

from __future__ import annotations

from typing import Any

from truegain.cache import Cache
from truegain.errors import InputError
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.metrics.base import Metric
from truegain.readers.memory import corpus_from_memory
from truegain.report.model import signed
from truegain.studies.gate.result import GateResult, Requirement
from truegain.studies.gate.study import gate
from truegain.studies.tabulating import decimals_for

__all__ = ["assert_better", "assert_not_worse"]


def assert_not_worse(
    references: Any,
    baseline: Any,
    system: Any,
    *,
    metric: str | Metric = "bleu",
    margin: float | None = None,
    documents: Any = None,
    domains: Any = None,
    test: str = "auto",
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 12345,
    jobs: int | None = None,
    cache: Cache | None = None,
) -> GateResult:
    """Assert that a system is not worse than a baseline.

    Without a margin it fails only where a loss is shown: to pass is no evidence that there is none. With a margin it
    fails unless it is shown that the loss, if there is any, is smaller than that.

    Parameters
    ----------
    references : sequence of str, sequence of sequences, path, or None
        As in :func:`truegain.compare`.
    baseline, system : outputs
        A sequence of segments, a file, or a sequence of such for several runs; arrays of numbers are segment scores
        (``metric="scores"``).
    metric : str or Metric
        One of those that :func:`truegain.compare` takes.
    margin : float, optional
        The loss that is allowed, in points of the metric; not negative.
    documents, domains : sequence of str, or a file, optional
        Of each segment.
    alpha : float
        The level of the one-sided test: how often a system just as good (without a margin), or one just as much worse
        as the margin, is decided on wrongly.
    test, unit, strata, resamples, seed, jobs, cache
        As in :func:`truegain.gate`.

    Raises
    ------
    AssertionError
        Where it is worse, or not shown to be good enough.

    Examples
    --------
    >>> from truegain.testing import assert_not_worse
    >>> lines = [f"the cat number {i} sat on the mat" for i in range(30)]
    >>> old = [line.replace("sat", "sits") for line in lines]
    >>> assert_not_worse(lines, old, old).passed
    True
    """
    __tracebackhide__ = True
    if margin is not None and not margin >= 0.0:
        raise InputError(f"the margin is a loss that is allowed, 0 or more; got {margin:g}")
    return _asserted(
        references,
        baseline,
        system,
        metric=metric,
        min_gain=0.0 if margin is None else -margin,
        require="not-worse" if margin is None else "better",
        documents=documents,
        domains=domains,
        test=test,
        unit=unit,
        strata=strata,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        jobs=jobs,
        cache=cache,
    )


def assert_better(
    references: Any,
    baseline: Any,
    system: Any,
    *,
    metric: str | Metric = "bleu",
    min_gain: float = 0.0,
    documents: Any = None,
    domains: Any = None,
    test: str = "auto",
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 12345,
    jobs: int | None = None,
    cache: Cache | None = None,
) -> GateResult:
    """Assert that a system is shown to be better than a baseline, by more than ``min_gain``.

    Parameters
    ----------
    min_gain : float
        The gain that must be shown to be exceeded, in points of the metric.
    references, baseline, system, metric, documents, domains, test, unit, strata, alpha, resamples, seed, jobs, cache
        As in :func:`truegain.testing.assert_not_worse`.

    Raises
    ------
    AssertionError
        Where it is not shown.
    """
    __tracebackhide__ = True
    return _asserted(
        references,
        baseline,
        system,
        metric=metric,
        min_gain=min_gain,
        require="better",
        documents=documents,
        domains=domains,
        test=test,
        unit=unit,
        strata=strata,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        jobs=jobs,
        cache=cache,
    )


def _asserted(
    references: Any,
    baseline: Any,
    system: Any,
    *,
    metric: str | Metric,
    min_gain: float,
    require: Requirement,
    documents: Any,
    domains: Any,
    jobs: int | None,
    **options: Any,
) -> GateResult:
    """What both assertions do: a gate of two systems in memory, as an exception where it does not pass."""
    __tracebackhide__ = True
    corpus = corpus_from_memory(
        references, {"baseline": baseline, "system": system}, documents=documents, domains=domains
    )
    result = gate(corpus, metrics=[metric], min_gain=min_gain, require=require, jobs=available_jobs(jobs), **options)
    if not result.passed:
        raise AssertionError(_message(result))
    return result


def _message(result: GateResult) -> str:
    """What was compared, what was found, what it means, and what to do."""
    check = result.checks[0]
    metric = result.metric(check.metric)
    decimals = decimals_for(metric, result.scores, None)
    old, new = (next(one.score for one in result.scores if one.name == name) for name in ("baseline", "system"))
    scores = f"{metric.label} {old:.{decimals}f} → {new:.{decimals}f} ({signed(check.delta, decimals)})"
    return "\n".join(
        [
            result.headline().removeprefix("FAIL: "),
            f"  {scores} on {result.testset.segments:,} segments",
            *(f"  {text}" for text in result.reasons()),
            f"  {_advice(result)}",
        ]
    )


def _advice(result: GateResult) -> str:
    check = result.checks[0]
    if result.require == "not-worse":
        return "Find what changed; where the loss is meant, make these outputs the baseline."
    if check.same:
        return "Are these the outputs of the new system?"
    if check.delta > check.min_gain:
        return "Δ is above what is asked for, but not by enough: take more segments, more runs, or ask for less."
    return "Δ is not even above what is asked for: find what changed, or ask for less."
