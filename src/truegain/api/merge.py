"""What do the sums of all shards say?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from truegain.inference.intervals import IntervalMethod
from truegain.metrics.base import Metric
from truegain.studies.merge import study
from truegain.studies.merge.result import MergeResult
from truegain.studies.merge.study import Shard

__all__ = ["merge"]


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

    Parameters
    ----------
    shards : file, Sums, or several of them
        As ``truegain stats`` or :func:`truegain.stats` made them, in any order; or sums that were merged before.
    metrics : sequence of Metric, optional
        Metrics of your own, which a file can only name.
    baseline : str, optional
        By default the first system.
    test : "auto", "ar" or "poisson-bootstrap"
        By which test verdicts go; p-values of both are given. ``auto`` is ``ar`` where all systems have as many runs as
        the baseline.
    adjustment : str
        For the number of systems, metric by metric: holm, none, bonferroni, hochberg, bh or by.
    alpha : float
        Level of the tests; intervals have 1 - alpha.
    interval : "percentile", "basic" or "normal"
        Of the Poisson bootstrap.
    """
    return study.merge(
        shards,
        metrics=metrics,
        baseline=baseline,
        test=test,
        adjustment=adjustment,
        alpha=alpha,
        interval=interval,
    )
