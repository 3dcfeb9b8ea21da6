"""Sums, scored: what a merge begins with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, command
from truegain.experiment import check_defined, clip, limits_of, rounding_of
from truegain.inference.intervals import BootstrapInterval, bootstrap_interval
from truegain.inference.pvalues import small_sample_factor
from truegain.inference.results import MetricInfo, SystemScore
from truegain.metrics.base import Metric
from truegain.metrics.labels import distinct_labels
from truegain.metrics.lookup import make_metrics
from truegain.metrics.segment_scores import SegmentScores
from truegain.report.model import whole
from truegain.statistics import Block
from truegain.streaming.sums import Description, Sums


@dataclass(frozen=True)
class Held:
    """Sums with their metrics, and scored.

    Attributes
    ----------
    totals, swaps : arrays
        Statistics, no longer whole numbers: (columns,), (columns, resamples).
    """

    sums: Sums
    blocks: tuple[Block, ...]
    totals: NDArray[np.float64]
    swaps: NDArray[np.float64]
    run_scores: tuple[NDArray[np.float64], ...]
    observed: NDArray[np.float64]
    rounding: NDArray[np.float64]
    resampled: NDArray[np.float64]

    @classmethod
    def of(cls, sums: Sums, given: Sequence[Metric] | Mapping[str, Metric]) -> Held:
        """Score the sums, observed and resampled; ``given`` are metrics that a file can only name."""
        if sums.units < 2:
            raise InputError(
                f"there is only one {sums.description.unit}: nothing can be told from chance on it",
                hint="merge more shards"
                if sums.description.unit == "segment"
                else ("leave ", Setting("documents"), " out"),
            )
        if not sums.drawn.all():
            raise InputError(
                f"{whole(int((sums.drawn == 0).sum()), 'resample')} drew none of the {sums.units} "
                f"{sums.description.unit}s: they are too few for Poisson weights",
                hint=(command("compare"), " draws as many units as there are"),
            )
        metrics = _metrics(sums.description, given)
        blocks: list[Block] = []
        for key, metric in metrics.items():
            start = blocks[-1].columns.stop if blocks else 0
            blocks.append(Block(key, metric, start, sums.description.runs))
        scale = sums.scale
        totals = sums.totals * scale
        poisson, swaps = (np.ascontiguousarray((held * scale).T) for held in (sums.poisson, sums.swaps))
        sizes = sums.reach * scale
        loss = np.where(scale == 1.0, 0.0, np.sqrt(sums.segments) * scale)
        run_scores, observed, rounding, resampled = [], [], [], []
        for block in blocks:
            run_scores.append(block.run_scores(totals[block.columns]))
            observed.append(block.system_scores(run_scores[-1]))
            rounding.append(rounding_of(block, run_scores[-1], sizes[block.columns], loss[block.columns]))
            resampled.append(block.system_scores(block.run_scores(poisson[block.columns])))
            if not np.isfinite(observed[-1]).all():
                raise InputError(f"{block.metric.label} is not defined on these segments")
            check_defined(resampled[-1], block)
        return cls(
            sums,
            tuple(blocks),
            totals,
            swaps,
            tuple(run_scores),
            np.stack(observed),
            np.stack(rounding),
            np.stack(resampled),
        )

    @property
    def runs(self) -> tuple[int, ...]:
        """Return the number of runs of each system."""
        return self.sums.description.runs

    def factor(self, level: float) -> float:
        """Return the factor of bootstrap deviations for few or unequal units, as without shards."""
        return small_sample_factor(self.sums.units, self.sums.effective_units, level)

    def infos(self) -> tuple[MetricInfo, ...]:
        """Return the metrics as they were used."""
        labels = distinct_labels({block.key: block.metric for block in self.blocks})
        parts = {part.key: part for part in self.sums.description.metrics}
        return tuple(
            MetricInfo(block.key, labels[block.key], block.metric.higher_is_better, parts[block.key].signature)
            for block in self.blocks
        )

    def scores(self, alpha: float, method: BootstrapInterval) -> tuple[SystemScore, ...]:
        """Return scores with intervals, metric by metric."""
        found = []
        factor = self.factor(1.0 - alpha)
        edges = np.cumsum((0, *self.runs))
        for m, block in enumerate(self.blocks):
            for s, system in enumerate(self.sums.description.systems):
                mine = slice(int(edges[s]), int(edges[s + 1]))
                observed = float(self.observed[m, s])
                interval = bootstrap_interval(
                    observed, self.resampled[m, s], level=1.0 - alpha, method=method, factor=factor
                )
                found.append(
                    SystemScore(
                        system,
                        block.key,
                        observed,
                        self.sums.run_names[mine],
                        tuple(self.run_scores[m][mine].tolist()),
                        clip(interval, limits_of(block.metric)),
                        standard_error(self.resampled[m, s]),
                    )
                )
        return tuple(found)


def standard_error(resampled: NDArray[np.float64]) -> float:
    """Return the standard error that Poisson weights give: the segments are no longer at hand."""
    return float(resampled.std(ddof=1))


def _metrics(description: Description, given: Sequence[Metric] | Mapping[str, Metric]) -> dict[str, Metric]:
    """Return the metrics that sums are of: made again by their names, and the same to the last setting."""
    own = dict(given) if isinstance(given, Mapping) else {metric.name: metric for metric in given}
    unknown = [key for key in own if key not in {part.key for part in description.metrics}]
    if unknown:
        raise InputError(f"the sums are not of the metric {unknown[0]!r}")
    found: dict[str, Metric] = {}
    for part in description.metrics:
        try:
            metric = own[part.key] if part.key in own else make_metrics([part.key])[part.key]
        except InputError as error:
            before = f"the sums are of the metric {part.key!r}, which cannot be had here: "
            raise error.at(None, before=before) from error
        if isinstance(metric, SegmentScores) and part.column is not None:
            metric = replace(metric, column=part.column)
        signature = metric.signature(description.references)
        if signature != part.signature or tuple(metric.statistic_names) != part.statistics:
            raise InputError(
                f"the sums are of {part.key} as {part.signature}, and here it is {signature}",
                hint="make the shards again, or merge them with the truegain that made them",
            )
        found[part.key] = metric
    return found
