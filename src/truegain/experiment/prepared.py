"""What every study of systems on a test set begins with: statistics, units, observed and resampled scores."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache, digest_lines
from truegain.corpus import Corpus, System
from truegain.engines.base import Engine
from truegain.engines.choice import make_engine
from truegain.engines.pairs import PairCounts, PairQuestion
from truegain.errors import InputError, one_of
from truegain.experiment.units import StrataChoice, UnitChoice, choose_units
from truegain.inference.blocks import optimal_block_length
from truegain.inference.intervals import INTERVALS, Interval, IntervalMethod, bootstrap_interval
from truegain.inference.pvalues import degrees_of_freedom, small_sample_factor
from truegain.inference.replicas import SystemRuns
from truegain.inference.results import MetricInfo, SystemScore, TestSet
from truegain.metrics.base import Metric, reference_count
from truegain.metrics.labels import distinct_labels
from truegain.metrics.lookup import make_metrics
from truegain.metrics.segment_scores import SegmentScores
from truegain.report.remarks import gathered
from truegain.resampling.design import Design, check_seed
from truegain.resampling.units import Units, UnitTable
from truegain.statistics import Block, RunScores, SegmentStatistics, check_defined, collect

__all__ = ["Experiment", "Progress", "check_count", "check_defined", "check_options", "within"]

#: Told the name of a stage, how much of it was done since the last call, and how much there is in all.
Progress = Callable[[str, int, int], None]

_FEW_UNITS = 20
_MOST = 10**12
_ALPHAS = (1e-9, 0.999)  # beyond these 1 - alpha is 1, or a quantile 0, to the digits of a float
_PIECE = 10_000  # bootstrap resamples of which run scores are held at once


def check_count(what: str, number: int, *, least: int = 1) -> None:
    """Refuse a number of things to do that is none, or that no array could ever hold."""
    if number < least:
        raise InputError(f"the number of {what} must be {'at least 1' if least else '0 or more'}; got {number}")
    if number > _MOST:
        raise InputError(f"the number of {what} must be at most {_MOST:,}; got {str(number)[:40]}")


def check_options(*, alpha: float, resamples: int, seed: int, interval: str, jobs: int) -> None:
    """Refuse what no study can use."""
    if not 0.0 < alpha < 1.0:
        raise InputError(f"alpha must be between 0 and 1; got {alpha:g}")
    if not _ALPHAS[0] <= alpha <= _ALPHAS[1]:
        raise InputError(f"alpha must be from {_ALPHAS[0]:g} to {_ALPHAS[1]:g}; got {alpha!r}")
    for what, number in (("resamples", resamples), ("seed", seed), ("jobs", jobs)):
        if not isinstance(number, int):
            raise InputError(f"{what} must be a whole number; got {number!r}")
    check_count("resamples", resamples)
    if jobs < 1:
        raise InputError(f"the number of jobs must be at least 1; got {jobs}")
    if interval not in INTERVALS:
        raise one_of("interval", interval, list(INTERVALS))
    check_seed(seed)


@dataclass(frozen=True)
class Experiment:
    """A corpus scored under metrics, with its units of resampling.

    Attributes
    ----------
    block_length : float, optional
        The mean length of blocks, where blocks are drawn; by default the rule of Politis and White decides.
    """

    corpus: Corpus
    statistics: SegmentStatistics
    units: Units
    engine: Engine
    seed: int
    notes: tuple[str, ...]
    progress: Progress | None = None
    block_length: float | None = None

    @classmethod
    def prepare(
        cls,
        corpus: Corpus,
        metrics: Sequence[str | Metric] | Mapping[str, Metric],
        *,
        unit: UnitChoice,
        strata: StrataChoice = "auto",
        block_length: float | None = None,
        seed: int,
        jobs: int,
        cache: Cache | None,
        engine: Engine | str | None,
        progress: Progress | None,
    ) -> Experiment:
        """Compute the statistics and choose the units; blocks are made later, by :meth:`in_blocks`."""
        if block_length is not None and not 1.0 <= block_length <= corpus.segments:
            raise InputError(
                f"the mean length of blocks must be from 1 to the {corpus.segments:,} segments; got {block_length:g}"
            )
        named = {key: _with_column(metric, corpus) for key, metric in make_metrics(metrics).items()}
        runs = [run for system in corpus.systems for run in system.runs]
        total = len(named) * len(runs)
        report = None if progress is None else lambda done: progress("scoring", done, total)
        engine = make_engine(engine, jobs)
        statistics = collect(corpus, named, cache=cache, executor=engine.executor, progress=report)
        units, notes = choose_units(corpus, unit, strata)
        advice = [
            said
            for metric in named.values()
            for run in runs
            if run.outputs is not None and (said := _advice(metric, run.outputs, run.name)) is not None
        ]
        files = [*corpus.reference_names, *(run.name for run in runs)]
        conditions = [said for metric in named.values() if (said := getattr(metric, "condition", None)) is not None]
        experiment = cls(
            corpus,
            statistics,
            units,
            engine,
            seed,
            (*gathered([*corpus.notes, *advice], files), *dict.fromkeys(conditions), *notes),
            progress,
            block_length,
        )
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
        return self._means(np.stack(self.run_scores))

    @cached_property
    def on_segments(self) -> Experiment:
        """The same with every segment for itself, as most published tests have it."""
        if self.units.kind == "segment" and len(self.units.strata) == 1:
            return self
        return replace(self, units=Units.segments(self.corpus.segments))

    def regrouped(self, groups: Mapping[str, Sequence[int]]) -> Experiment:
        """The same segments with other systems, made of the runs there are.

        Parameters
        ----------
        groups : mapping of str to runs
            The name of each system and its runs, numbered from 0 over all systems in their order.
        """
        runs = [run for system in self.corpus.systems for run in system.runs]
        order = [number for numbers in groups.values() for number in numbers]
        counts = tuple(len(numbers) for numbers in groups.values())
        blocks: list[Block] = []
        columns: list[NDArray[np.intp]] = []
        start = 0
        for block in self.statistics.blocks:
            columns.extend(block.start + block.width * number + np.arange(block.width) for number in order)
            blocks.append(Block(block.key, block.metric, start, counts))
            start = blocks[-1].columns.stop
        systems = tuple(System(name, tuple(runs[number] for number in numbers)) for name, numbers in groups.items())
        values = self.statistics.values[:, np.concatenate(columns)]
        return replace(
            self,
            corpus=replace(self.corpus, systems=systems),
            statistics=SegmentStatistics(values, tuple(blocks)),
        )

    def in_blocks(self, pairs: Sequence[tuple[int, int]] = ()) -> Experiment:
        """The same with blocks of neighbouring segments, for the stationary bootstrap.

        Where no length is given, the rule of Politis and White is applied to what each segment contributes to the
        difference of each pair (to each score, where there are no pairs), and the longest length is taken.
        """
        if self.units.kind == "block":
            return self
        kept: dict[tuple[tuple[int, int], ...], Experiment] = self._in_blocks
        key = tuple(pairs)
        if key not in kept:
            blocks = replace(self, units=Units.blocks(self.corpus.segments, 1.0, self.corpus.documents))
            length = self.block_length
            if length is None:
                left = blocks.left_out
                series = [left[:, new] - left[:, old] for old, new in pairs] or [
                    left[:, s] for s in range(left.shape[1])
                ]
                # Rounded: the last bits depend on the order of sums, and the draws must not.
                length = round(max(optimal_block_length(row) for rows in series for row in rows), 2)
            kept[key] = replace(blocks, units=replace(blocks.units, mean_length=min(length, self.corpus.segments)))
        return kept[key]

    @cached_property
    def _in_blocks(self) -> dict[tuple[tuple[int, int], ...], Experiment]:
        return {}

    @property
    def unit_notes(self) -> tuple[str, ...]:
        """What is to be known about the units of a bootstrap."""
        length = self.units.mean_length
        if length is None:
            return ()
        how = "as given" if self.block_length is not None else "by the rule of Politis and White"
        return (f"blocks of {length:.3g} segment{'' if length == 1.0 else 's'} on average, {how}",)

    def bootstrap(self, resamples: int, *, first: int = 0) -> NDArray[np.float64]:
        """Bootstrap scores, shape (metrics, systems, resamples); those from the first resample on are kept."""
        if first:
            return self._means(self.bootstrap_runs(resamples, first=first))
        if resamples not in self._resampled:
            self._resampled[resamples] = self._bootstrap_in_pieces(resamples)
        return self._resampled[resamples][0]

    def _bootstrap_in_pieces(self, resamples: int) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Scores of systems, and, of several runs, standard deviations of theirs: run scores are not all kept."""
        observed = np.stack(self.run_scores)[..., None]
        means = np.empty((len(observed), len(self.corpus.systems), resamples))
        sums, squares = np.zeros(observed.shape[:2]), np.zeros(observed.shape[:2])
        for first in range(0, resamples, _PIECE):
            runs = self.bootstrap_runs(min(_PIECE, resamples - first), first=first, total=resamples)
            means[..., first : first + runs.shape[-1]] = self._means(runs)
            if runs.shape[1] == means.shape[1]:
                continue
            deviations = runs - observed  # small, so that their squares do not cancel
            sums += deviations.sum(-1)
            squares += (deviations**2).sum(-1)
        if observed.shape[1] == means.shape[1]:
            return means, None
        spread = np.sqrt(np.maximum(squares / resamples - (sums / resamples) ** 2, 0.0))
        return means, spread

    def run_deviations(self, resamples: int) -> NDArray[np.float64]:
        """The standard deviation of each run's score over bootstrap resamples, shape (metrics, runs)."""
        scores = self.bootstrap(resamples)
        spread = self._resampled[resamples][1]
        return np.asarray(scores.std(-1)) if spread is None else spread

    def _means(self, run_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """From scores of runs (metrics, runs, …) to scores of systems (metrics, systems, …)."""
        blocks = self.statistics.blocks
        if all(count == 1 for count in blocks[0].run_counts):
            return run_scores
        return np.stack([block.system_scores(one) for block, one in zip(blocks, run_scores, strict=True)])

    @cached_property
    def _resampled(self) -> dict[int, tuple[NDArray[np.float64], NDArray[np.float64] | None]]:
        return {}

    def bootstrap_runs(self, resamples: int, *, first: int = 0, total: int | None = None) -> NDArray[np.float64]:
        """Bootstrap scores of the runs, system by system, shape (metrics, runs, resamples); of ``total`` in all."""
        shape = (len(self.statistics.blocks), sum(self.statistics.blocks[0].run_counts))
        values = self.engine.resample(
            self._drawn,
            self.table,
            resamples,
            RunScores(self.statistics.blocks),
            self.reporter("bootstrap", total or resamples),
            first=first,
        )
        scores = values.reshape(*shape, resamples)
        for block, one in zip(self.statistics.blocks, scores, strict=True):
            check_defined(one, block)
        return scores

    @cached_property
    def left_out_runs(self) -> NDArray[np.float64]:
        """Scores of runs with one unit left out at a time, shape (metrics, runs, units): what the jackknife needs."""
        rest = self.table.values.sum(0) - self.table.values
        totals = (rest * self.table.scale).T
        return np.stack([block.run_scores(totals[block.columns]) for block in self.statistics.blocks])

    @cached_property
    def left_out(self) -> NDArray[np.float64]:
        """The same of systems, shape (metrics, systems, units)."""
        return self._means(self.left_out_runs)

    def runs_of(self, m: int, system: int) -> SystemRuns:
        """The runs of a system under a metric, as the variances over runs and units need them."""
        first = sum(self.statistics.blocks[m].run_counts[:system])
        last = first + self.statistics.blocks[m].run_counts[system]
        strata = self.units.strata if len(self.units.strata) > 1 else None
        return SystemRuns(self.run_scores[m][first:last], self.left_out_runs[m, first:last], strata)

    @cached_property
    def segment_run_scores(self) -> list[NDArray[np.float64]]:
        """Scores of single segments, metric by metric, shape (runs, segments).

        Not finite where a metric has no score for a segment.
        """
        found = []
        for block in self.statistics.blocks:
            values = self.statistics.values[:, block.columns]
            metric: Metric = getattr(block.metric, "for_segments", block.metric)
            by_run = metric.score(values.reshape(len(values), -1, block.width))
            found.append(np.ascontiguousarray(by_run.T))
        return found

    @cached_property
    def segment_scores(self) -> list[NDArray[np.float64]]:
        """The same as means over the runs of each system, shape (systems, segments)."""
        return [
            block.system_scores(scores)
            for block, scores in zip(self.statistics.blocks, self.segment_run_scores, strict=True)
        ]

    def reporter(self, stage: str, total: int) -> Callable[[int], None] | None:
        """A counter for one stage."""
        progress = self.progress
        return None if progress is None else lambda done: progress(stage, done, total)

    @property
    def effective_units(self) -> float:
        """The number of equal units that would vary as much; every stratum beyond the first takes one away."""
        return self.units.effective_number - (len(self.units.strata) - 1)

    @property
    def freedom(self) -> float:
        """The degrees of freedom of what is resampled, by the effective number of units."""
        if self.units.mean_length is not None:
            return degrees_of_freedom(self.units.count / self.units.mean_length)
        return degrees_of_freedom(self.units.effective_number, min(len(self.units.strata), self.units.count - 1))

    def factor(self, level: float) -> float:
        """What bootstrap deviations are multiplied by on these units."""
        if self.units.mean_length is not None:
            blocks = self.units.count / self.units.mean_length
            return small_sample_factor(blocks, blocks, level)
        return small_sample_factor(
            self.units.count, self.units.effective_number, level, min(len(self.units.strata), self.units.count - 1)
        )

    def count_pairs(
        self, questions: Sequence[PairQuestion], first: int, resamples: int, progress: Callable[[int], None] | None
    ) -> list[PairCounts]:
        """Count in further bootstrap resamples, from a first one up to so many in all; none is kept."""
        if first >= resamples:
            return [question.nothing for question in questions]
        blocks = self.statistics.blocks
        return self.engine.count(self._drawn, self.table, blocks, questions, resamples - first, progress, first=first)

    def knowing(self, resamples: int) -> Experiment:
        """The same where what is asked next hangs on the first resamples: an engine that does a part does them all."""
        know = getattr(self.engine, "knowing", None)
        return self if know is None else replace(self, engine=know(resamples))

    @property
    def _drawn(self) -> Design:
        return Design(self.units, "bootstrap", self.seed)

    def few_units_note(self) -> str | None:
        """Say where there are too few units for a bootstrap to be trusted."""
        length = self.units.mean_length
        count = self.units.count if length is None else round(self.units.count / length)
        if count >= _FEW_UNITS:
            return None
        noun = self.units.noun if length is None else "block"
        return (
            f"With only {count} {noun}s, bootstrap intervals and p-values tend to be too optimistic even with the "
            "small-sample factor"
        )

    def metric_infos(self) -> tuple[MetricInfo, ...]:
        """The metrics as they were used."""
        count = reference_count(self.corpus.references)
        labels = distinct_labels({block.key: block.metric for block in self.statistics.blocks})
        return tuple(
            MetricInfo(block.key, labels[block.key], block.metric.higher_is_better, block.metric.signature(count))
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
                    interval = within(interval, block)
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


def within(interval: Interval, block: Block) -> Interval:
    """No end beyond what the metric can reach: few units make wide intervals."""
    low, high = getattr(block.metric, "limits", (-np.inf, np.inf))
    return replace(interval, low=max(interval.low, low), high=min(interval.high, high))


def within_differences(interval: Interval, block: Block) -> Interval:
    """No end beyond what two scores can differ by."""
    low, high = getattr(block.metric, "limits", (-np.inf, np.inf))
    return replace(interval, low=max(interval.low, low - high), high=min(interval.high, high - low))


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


def _fingerprint(corpus: Corpus) -> str:
    whole = hashlib.blake2b(digest_size=8)
    for reference in corpus.references:
        whole.update(digest_lines(reference))
    for system in corpus.systems:
        for run in system.runs:
            whole.update(digest_lines(run.outputs or ()))
            for column, values in run.scores.items():
                whole.update(column.encode() + values.tobytes())
    for ids in (corpus.documents, corpus.domains):
        whole.update(digest_lines(ids or ()))
    return whole.hexdigest()
