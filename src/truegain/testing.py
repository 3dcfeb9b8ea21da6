"""Assertions for test suites: a system is better than a baseline, not worse, or not shown to be worse."""

from __future__ import annotations

from typing import Any

from truegain.cache import Cache
from truegain.executors.processors import available_jobs
from truegain.experiment import StrataChoice, UnitChoice
from truegain.metrics.base import Metric
from truegain.readers.memory import corpus_from_memory
from truegain.report.model import signed
from truegain.studies.gate.result import GateResult, Requirement
from truegain.studies.gate.study import gate
from truegain.studies.shared_view import decimals_for

__all__ = ["assert_better", "assert_no_loss_shown", "assert_not_worse"]


def assert_not_worse(
    references: Any,
    baseline: Any,
    system: Any,
    *,
    metric: str | Metric = "bleu",
    margin: float,
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
    """Assert that a system is not worse than a baseline by more than a margin.

    It fails unless a loss above the margin is ruled out. It is ``truegain gate --require not-worse``.

    Parameters
    ----------
    references : sequence of str, sequence of sequences, path, or None
        As in :func:`truegain.compare`.
    baseline, system : outputs
        A sequence of segments, a file, or a sequence of such for several runs; arrays of numbers are segment scores
        (``metric="scores"``).
    metric : str or Metric
        One of those that :func:`truegain.compare` takes.
    margin : float
        The loss that is allowed, in points of the metric; 0 asks for a gain.
    documents, domains : sequence of str, or a file, optional
        Of each segment.
    alpha : float
        The level of the one-sided test: how often a system that is worse by just the margin passes.
    test, unit, strata, resamples, seed, jobs, cache
        As in :func:`truegain.gate`.

    Raises
    ------
    AssertionError
        If a loss above the margin is not ruled out.

    Examples
    --------
    >>> from truegain.testing import assert_not_worse
    >>> lines = [f"the cat number {i} sat on the mat" for i in range(30)]
    >>> old = [line.replace("sat", "sits") for line in lines]
    >>> assert_not_worse(lines, old, old, margin=0.3).passed
    True
    """
    __tracebackhide__ = True
    return _asserted(
        references,
        baseline,
        system,
        metric=metric,
        require="not-worse",
        margin=margin,
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


def assert_no_loss_shown(
    references: Any,
    baseline: Any,
    system: Any,
    *,
    metric: str | Metric = "bleu",
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
    """Assert that no loss is shown: weaker than :func:`assert_not_worse`, and without a margin.

    It fails only if a system is shown to be worse. To pass does not prove the absence of a loss: a small test set shows
    hardly any. It is ``truegain gate --require no-loss-shown``.

    Parameters
    ----------
    references, baseline, system, metric, documents, domains, test, unit, strata, alpha, resamples, seed, jobs, cache
        As in :func:`truegain.testing.assert_not_worse`; ``alpha`` is how often a system just as good fails.

    Raises
    ------
    AssertionError
        If a loss is shown.
    """
    __tracebackhide__ = True
    return _asserted(
        references,
        baseline,
        system,
        metric=metric,
        require="no-loss-shown",
        margin=None,
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
    margin: float = 0.0,
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
    """Assert that a system is shown to be better than a baseline, by more than a margin.

    It is ``truegain gate --require better``.

    Parameters
    ----------
    margin : float
        The gain that must be shown to be exceeded, in points of the metric.
    references, baseline, system, metric, documents, domains, test, unit, strata, alpha, resamples, seed, jobs, cache
        As in :func:`truegain.testing.assert_not_worse`; ``alpha`` is how often a system that gains just the margin
        passes.

    Raises
    ------
    AssertionError
        If it is not shown.
    """
    __tracebackhide__ = True
    return _asserted(
        references,
        baseline,
        system,
        metric=metric,
        require="better",
        margin=margin,
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
    require: Requirement,
    margin: float | None,
    documents: Any,
    domains: Any,
    jobs: int | None,
    **options: Any,
) -> GateResult:
    """Run a gate of two systems in memory, and raise if it does not pass."""
    __tracebackhide__ = True
    corpus = corpus_from_memory(
        references, {"baseline": baseline, "system": system}, documents=documents, domains=domains
    )
    result = gate(corpus, metrics=[metric], require=require, margin=margin, jobs=available_jobs(jobs), **options)
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
    if result.require == "no-loss-shown":
        return "Find what changed; if the loss is meant, make these outputs the baseline."
    if check.same:
        return "Are these the outputs of the new system?"
    if check.delta > check.null_gain:
        return "Δ is above what is asked for, but not by enough: take more segments, more runs, or ask for less."
    return "Δ is not even above what is asked for: find what changed, or ask for less."
