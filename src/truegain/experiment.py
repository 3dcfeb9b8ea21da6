"""What every study of systems on a test set begins with: statistics, units, observed and resampled scores."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache, digest_lines
from truegain.corpus import Corpus
from truegain.engines.base import Engine
from truegain.engines.blas import BlasEngine
from truegain.errors import InputError, one_of
from truegain.inference.intervals import INTERVALS, Interval, IntervalMethod, bootstrap_interval
from truegain.inference.pvalues import small_sample_factor
from truegain.inference.results import MetricInfo, SystemScore, TestSet
from truegain.metrics.base import Metric, reference_count
from truegain.metrics.lookup import make_metrics
from truegain.metrics.segment_scores import SegmentScores
from truegain.resampling.design import Design, check_seed
from truegain.resampling.units import Units, UnitTable
from truegain.statistics import Block, SegmentStatistics, collect

__all__ = ["Experiment", "Progress", "UnitChoice", "check_defined", "check_options"]

UnitChoice = Literal["auto", "segment", "document"]
#: Told the name of a stage, how much of it was done since the last call, and how much there is in all.
Progress = Callable[[str, int, int], None]

_FEW_UNITS = 20


def check_options(*, alpha: float, resamples: int, seed: int, interval: str, jobs: int) -> None:
    """Refuse what no study can use."""
    if not 0.0 < alpha < 1.0:
        raise InputError(f"alpha must be between 0 and 1; got {alpha:g}")
    for what, number in (("resamples", resamples), ("seed", seed), ("jobs", jobs)):
        if not isinstance(number, int):
            raise InputError(f"{what} must be a whole number; got {number!r}")
    if resamples < 1:
        raise InputError(f"the number of resamples must be at least 1; got {resamples}")
    if jobs < 1:
        raise InputError(f"the number of jobs must be at least 1; got {jobs}")
    if interval not in INTERVALS:
        raise one_of("interval", interval, list(INTERVALS))
    check_seed(seed)


@dataclass(frozen=True)
class Experiment:
    """A corpus scored under metrics, with its units of resampling."""

    corpus: Corpus
    statistics: SegmentStatistics
    units: Units
    engine: Engine
    seed: int
    notes: tuple[str, ...]
    progress: Progress | None = None

    @classmethod
    def prepare(
        cls,
        corpus: Corpus,
        metrics: Sequence[str | Metric] | Mapping[str, Metric],
        *,
        unit: UnitChoice,
        seed: int,
        jobs: int,
        cache: Cache | None,
        engine: Engine | None,
        progress: Progress | None,
    ) -> Experiment:
        """Compute the statistics and choose the units."""
        named = {key: _with_column(metric, corpus) for key, metric in make_metrics(metrics).items()}
        runs = [run for system in corpus.systems for run in system.runs]
        total = len(named) * len(runs)
        report = None if progress is None else lambda done: progress("scoring", done, total)
        statistics = collect(corpus, named, cache=cache, jobs=jobs, progress=report)
        units, notes = _choose_units(corpus, unit)
        advice = [
            said
            for metric in named.values()
            for run in runs
            if run.outputs is not None and (said := _advice(metric, run.outputs, run.name)) is not None
        ]
        remarks = (*corpus.notes, *advice, *notes)
        experiment = cls(corpus, statistics, units, engine or BlasEngine(jobs=jobs), seed, remarks, progress)
        for block, scores in zip(statistics.blocks, experiment.run_scores, strict=True):
            _check_scores(block, scores)
        return experiment

    @cached_property
    def table(self) -> UnitTable:
        """The statistics of the units, exact."""
        kinds = np.concatenate(
            [block.start + np.tile(np.arange(block.width), sum(block.run_counts)) for block in self.statistics.blocks]
        )
        return UnitTable.build(self.statistics.values, self.units, kinds)

    @cached_property
    def run_scores(self) -> list[NDArray[np.float64]]:
        """Observed scores of the runs, metric by metric."""
        totals = self.table.totals
        return [block.run_scores(totals[block.columns]) for block in self.statistics.blocks]

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """Observed scores, shape (metrics, systems)."""
        return self.system_scores(self.table.totals)

    def system_scores(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """From totals (columns, …) to scores (metrics, systems, …)."""
        return np.stack(
            [block.system_scores(block.run_scores(totals[block.columns])) for block in self.statistics.blocks]
        )

    def bootstrap(self, resamples: int) -> NDArray[np.float64]:
        """Bootstrap scores, shape (metrics, systems, resamples)."""
        shape = (len(self.statistics.blocks), len(self.corpus.systems))

        def reduce(totals: NDArray[np.float64]) -> NDArray[np.float64]:
            return self.system_scores(totals).reshape(shape[0] * shape[1], -1)

        design = Design(self.units, "bootstrap", self.seed)
        values = self.engine.resample(design, self.table, resamples, reduce, self.reporter("bootstrap", resamples))
        scores = values.reshape(*shape, resamples)
        for block, one in zip(self.statistics.blocks, scores, strict=True):
            check_defined(one, block)
        return scores

    @cached_property
    def left_out(self) -> NDArray[np.float64]:
        """Scores with one unit left out at a time, shape (metrics, systems, units): what the jackknife needs."""
        rest = self.table.values.sum(0) - self.table.values
        return self.system_scores((rest * self.table.scale).T)

    def reporter(self, stage: str, total: int) -> Callable[[int], None] | None:
        """A counter for one stage."""
        progress = self.progress
        return None if progress is None else lambda done: progress(stage, done, total)

    def factor(self, level: float) -> float:
        """What bootstrap deviations are multiplied by on these units."""
        return small_sample_factor(self.units.count, self.units.effective_number, level)

    def few_units_note(self) -> str | None:
        """Say where there are too few units for a bootstrap to be trusted."""
        if self.units.count >= _FEW_UNITS:
            return None
        return (
            f"With only {self.units.count} {self.units.kind}s, bootstrap intervals and p-values tend to be too "
            "optimistic even with the small-sample factor"
        )

    def metric_infos(self) -> tuple[MetricInfo, ...]:
        """The metrics as they were used."""
        count = reference_count(self.corpus.references)
        return tuple(
            MetricInfo(block.key, block.metric.label, block.metric.higher_is_better, block.metric.signature(count))
            for block in self.statistics.blocks
        )

    def system_results(
        self, resampled: NDArray[np.float64] | None, level: float, method: IntervalMethod
    ) -> tuple[SystemScore, ...]:
        """Scores with intervals, metric by metric; without intervals where nothing was resampled."""
        results = []
        factor = self.factor(level)
        for m, block in enumerate(self.statistics.blocks):
            first = 0
            for s, system in enumerate(self.corpus.systems):
                last = first + len(system.runs)
                observed = float(self.scores[m, s])
                interval = (
                    None
                    if resampled is None
                    else bootstrap_interval(
                        observed,
                        resampled[m, s],
                        level=level,
                        method=method,
                        factor=factor,
                        left_out=self.left_out[m, s] if method == "bca" else None,
                    )
                )
                if interval is not None:
                    interval = _within(interval, block)
                run_scores = tuple(float(score) for score in self.run_scores[m][first:last])
                names = tuple(run.name for run in system.runs)
                results.append(SystemScore(system.name, block.key, observed, names, run_scores, interval))
                first = last
        return tuple(results)

    def testset(self) -> TestSet:
        """What was tested on."""
        corpus = self.corpus
        return TestSet(
            name=corpus.name,
            segments=corpus.segments,
            references=len(corpus.references),
            documents=None if corpus.documents is None else len(set(corpus.documents)),
            domains=None if corpus.domains is None else len(set(corpus.domains)),
            fingerprint=_fingerprint(corpus),
        )


def check_defined(values: NDArray[np.float64], block: Block) -> None:
    """Refuse a metric that is not defined on some resamples (the last axis): they would count for nothing."""
    undefined = int((~np.isfinite(values)).reshape(-1, values.shape[-1]).any(0).sum())
    if undefined:
        raise InputError(
            f"{block.metric.label} is not defined on {undefined:,} of {values.shape[-1]:,} resamples",
            hint="the metric's score must be a finite number for any sum of statistics",
        )


def _within(interval: Interval, block: Block) -> Interval:
    """No end beyond what the metric can reach: few units make wide intervals."""
    low, high = getattr(block.metric, "limits", (-np.inf, np.inf))
    return replace(interval, low=max(interval.low, low), high=min(interval.high, high))


def _check_scores(block: Block, scores: NDArray[np.float64]) -> None:
    """A metric from elsewhere may give anything: what it gave is said."""
    if scores.shape != (sum(block.run_counts),) or not np.isfinite(scores).all():
        raise InputError(
            f"the metric {block.metric.name!r} gave {scores.tolist()} as the scores of {sum(block.run_counts)} runs",
            hint="score(totals) must give a finite number for each row of totals, over any leading axes",
        )


def _with_column(metric: Metric, corpus: Corpus) -> Metric:
    """Name the one column there is, so that tables and signatures show it."""
    if isinstance(metric, SegmentScores) and metric.column is None:
        columns = {tuple(run.scores) for system in corpus.systems for run in system.runs}
        if len(columns) == 1 and len(names := columns.pop()) == 1:
            return replace(metric, column=names[0])
    return metric


def _advice(metric: Metric, outputs: Sequence[str], name: str) -> str | None:
    advise = getattr(metric, "advice", None)
    return None if advise is None else advise(outputs, name)


def _choose_units(corpus: Corpus, unit: UnitChoice) -> tuple[Units, list[str]]:
    if unit not in ("auto", "segment", "document"):
        raise one_of("unit", unit, ["auto", "segment", "document"])
    if unit == "segment" or (unit == "auto" and corpus.documents is None):
        return Units.segments(corpus.segments), []
    if corpus.documents is None:
        raise InputError("documents cannot be the unit: it is not known which there are", hint="give them: --docs FILE")
    documents = Units.documents(corpus.documents)
    if documents.count == corpus.segments > 1:
        return documents, ["Every document is one segment, so documents are no other unit than segments here"]
    if documents.count >= 2:
        return documents, []
    if unit == "document":
        raise InputError(
            "documents cannot be the unit: all segments are in one", hint="resample segments: --unit segment"
        )
    return Units.segments(corpus.segments), ["All segments are in one document, so segments are the unit"]


def _fingerprint(corpus: Corpus) -> str:
    whole = hashlib.blake2b(digest_size=8)
    for reference in corpus.references:
        whole.update(digest_lines(reference))
    for system in corpus.systems:
        for run in system.runs:
            whole.update(digest_lines(run.outputs or ()))
            for column, values in run.scores.items():
                whole.update(column.encode() + values.tobytes())
    whole.update(digest_lines(corpus.documents or ()))
    return whole.hexdigest()
