"""Experiment on a test set: what was observed, and the scores that resampling its units gives."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from truegain.cache import Cache
from truegain.corpus import Corpus, Run, System, sample_numbers
from truegain.engines.choice import make_engine
from truegain.engines.engine import Counting, Engine, Resampling
from truegain.errors import InputError
from truegain.executors.processors import available_jobs
from truegain.experiment.clip_intervals import clip
from truegain.experiment.dependence import dependence_of
from truegain.experiment.observed import Observed
from truegain.experiment.outcomes import (
    ItemScores,
    gain_of_items,
    has_two_values,
    item_scores,
    range_of,
    score_of_items,
)
from truegain.experiment.sizes import check_sizes
from truegain.experiment.units import choose_units, strata_taken
from truegain.inference.dependence import Dependence, Tested, dependence_notes
from truegain.inference.intervals import SCORE_TEST, IntervalMethod, ScoreInterval, bootstrap_interval, of_bootstrap
from truegain.inference.proportions import BoundedMean, PairedShares, Share
from truegain.inference.pvalues import small_sample_factor
from truegain.inference.results import MetricInfo, SystemScore, TestSet
from truegain.metrics.base import Metric, reference_count
from truegain.metrics.lookup import make_metrics
from truegain.metrics.segment_scores import RatioOfScores
from truegain.notes import Note, gathered
from truegain.resampling.design import Design
from truegain.resampling.units import Units
from truegain.settings import StrataChoice, UnitChoice
from truegain.settings.groups import Progress, Scoring
from truegain.statistics import Block, SegmentStatistics, check_defined, collect, run_scores
from truegain.statistics.resemblance import resemblance_notes
from truegain.words import whole

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from truegain.engines.pairs import PairCounts, PairQuestion

__all__ = ["Experiment", "Progress"]

_FEW_UNITS = 20
_PIECE = 10_000  # bootstrap resamples of which run scores are held at once


@dataclass(frozen=True)
class Experiment(Observed):
    """A corpus scored under metrics, whose units can be resampled.

    Attributes
    ----------
    notes : tuple of Note
        What should be said of the files, the metrics and the units.
    block_length : float, optional
        The mean length of blocks, if blocks are drawn; by default the rule of Politis and White decides.
    dependence : mapping
        The tests of dependence between neighbouring segments, by metric and systems.
    test_sets : int
        How many test sets were joined to this one.
    """

    engine: Engine
    seed: int
    notes: tuple[Note, ...]
    progress: Progress | None = None
    block_length: float | None = None
    dependence: Mapping[Tested, Dependence] = field(default_factory=dict)
    test_sets: int = 1

    @classmethod
    def of(cls, corpus: Corpus, options: Scoring, *, compared: Sequence[tuple[int, ...]] | None = None) -> Experiment:
        """Prepare what the options of a study ask for."""
        return cls.prepare(
            corpus,
            options.metrics,
            unit=options.unit,
            strata=options.strata,
            block_length=getattr(options, "block_length", None),
            seed=options.seed,
            jobs=available_jobs(options.jobs),
            cache=options.cache,
            engine=options.engine,
            executor=options.executor,
            progress=options.progress,
            compared=compared,
        )

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
        engine: Engine | str | None = None,
        executor: Executor | None = None,
        progress: Progress | None,
        compared: Sequence[tuple[int, ...]] | None = None,
    ) -> Experiment:
        """Compute the statistics and choose the units; blocks are made later, by :meth:`in_blocks`.

        A note says if segments are resampled one by one though neighbours are correlated in a difference of two systems
        that are ``compared``, or in the score of one alone; by default of all pairs, or of the only system.
        """
        if block_length is not None and not 1.0 <= block_length <= corpus.segments:
            raise InputError(
                f"the mean length of blocks must be from 1 to the {corpus.segments:,} segments; got {block_length:g}"
            )
        named = {key: _with_column(metric, corpus) for key, metric in make_metrics(metrics).items()}
        if not isinstance(engine, Engine):
            engine = make_engine(engine, jobs, executor)
        statistics = collect(corpus, named, cache=cache, workers=engine.workers, progress=progress)
        size_notes = check_sizes(statistics, corpus.systems)
        units, unit_notes = choose_units(corpus, unit, strata)
        observed = Observed(corpus, statistics, units)
        for block, scores in zip(statistics.blocks, observed.run_scores, strict=True):
            _check_scores(block, scores)
        if compared is None:
            compared = [*itertools.combinations(range(len(corpus.systems)), 2)] or [(0,)]
        dependence = dependence_of(observed, compared, seed=seed, jobs=jobs)
        # Of blocks it is said with their length, if they are too short to hold it.
        said = [] if unit == "block" else dependence_notes(dependence.values(), observed.metric_labels)
        file_notes = _notes_on_files(corpus, named.values())
        notes = (*said, *file_notes, *size_notes, *unit_notes, *resemblance_notes(corpus, statistics))
        experiment = cls(corpus, statistics, units, engine, seed, notes, progress, block_length, dependence)
        vars(experiment).update(vars(observed))  # what is computed is not computed again
        return experiment

    def testset(self, development: Corpus | None = None) -> TestSet:
        """Return what was tested on, with what was found of dependence."""
        return structs.replace(super().testset(development), dependence=tuple(self.dependence.values()))

    @cached_property
    def on_segments(self) -> Experiment:
        """The same with every segment for itself, as most published tests have it."""
        if self.units.kind == "segment" and len(self.units.strata) == 1:
            return self
        return replace(self, units=Units.segments(self.corpus.segments))

    def regrouped(self, groups: Mapping[str, Sequence[int]]) -> Experiment:
        """Return the same segments with other systems, made of the runs there are.

        Parameters
        ----------
        groups : mapping of str to runs
            The name of each system and its runs, numbered from 0 over all systems in their order.
        """
        runs = [run for system in self.corpus.systems for run in system.runs]
        order = [number for numbers in groups.values() for number in numbers]
        counts = tuple(len(numbers) for numbers in groups.values())
        systems = tuple(System(name, tuple(runs[number] for number in numbers)) for name, numbers in groups.items())
        blocks: list[Block] = []
        columns: list[NDArray[np.intp]] = []
        start = 0
        for block in self.statistics.blocks:
            columns.extend(block.start + block.width * number + np.arange(block.width) for number in order)
            blocks.append(Block(block.key, block.metric, start, counts, sample_numbers(systems)))
            start = blocks[-1].columns.stop
        values = self.statistics.values[:, np.concatenate(columns)]
        return replace(
            self, corpus=replace(self.corpus, systems=systems), statistics=SegmentStatistics(values, tuple(blocks))
        )

    def in_blocks(self, pairs: Sequence[tuple[int, int]] = ()) -> Experiment:
        """Return the same with blocks of neighbouring segments, for the stationary bootstrap.

        If no length is given, the rule of Politis and White is applied to what each segment contributes to the
        difference of each pair (to each score, if there are no pairs), and the longest length is taken. Two systems
        alone have a length of their own: see :meth:`of_systems`.
        """
        if self.units.kind == "block":
            return self
        kept: dict[tuple[tuple[int, int], ...], Experiment] = self._in_blocks
        key = tuple(pairs)
        if key not in kept:
            blocks = replace(self, units=Units.blocks(self.corpus.segments, 1.0, self.corpus.documents))
            length = self.block_length
            if length is None:
                from truegain.inference.blocks import optimal_block_length

                left = blocks.left_out
                series = [left[:, new] - left[:, old] for old, new in pairs] or [
                    left[:, s] for s in range(left.shape[1])
                ]
                # Rounded: the last bits depend on the order of sums, and the draws must not.
                length = round(max(optimal_block_length(row) for rows in series for row in rows), 2)
            kept[key] = replace(blocks, units=replace(blocks.units, mean_length=min(length, self.corpus.segments)))
        return kept[key]

    @property
    def unit_noun(self) -> str:
        """What a unit is called in sentences: where there are no texts, a segment is an item, or a question."""
        return self.corpus.item_noun if self.units.noun == "segment" else self.units.noun

    @property
    def averaged(self) -> tuple[Experiment, ...]:
        """The test sets whose scores this is the mean of; none if it is one test set."""
        return ()

    @cached_property
    def _in_blocks(self) -> dict[tuple[tuple[int, int], ...], Experiment]:
        return {}

    def of_systems(self, *systems: int) -> Experiment:
        """Return one system, or two, as if there were no others; blocks have the length for their score or gain."""
        if systems not in self._alone:
            edges = np.cumsum((0, *self.statistics.blocks[0].run_counts)).tolist()
            names = [system.name for system in self.corpus.systems]
            alone = self.regrouped({names[s]: range(edges[s], edges[s + 1]) for s in systems})
            tests = {key: test for key, test in self.dependence.items() if key[1:] == tuple(names[s] for s in systems)}
            alone = replace(alone, dependence=tests)
            if self.own_lengths:
                alone = replace(alone, units=Units.segments(self.corpus.segments))
                alone = alone.in_blocks([(0, 1)] if len(systems) > 1 else [])
            self._alone[systems] = alone
        return self._alone[systems]

    @cached_property
    def _alone(self) -> dict[tuple[int, ...], Experiment]:
        return {}

    @property
    def own_lengths(self) -> bool:
        """Return whether every score and every difference has a length of blocks of its own."""
        return self.units.kind == "block" and self.block_length is None

    @property
    def unit_notes(self) -> tuple[Note, ...]:
        """Notes on the units of a bootstrap."""
        return () if self.units.mean_length is None else self.length_notes([self])

    def length_notes(self, parts: Sequence[Experiment], whose: str = "") -> tuple[Note, ...]:
        """Return notes on the lengths of blocks of parts of the experiment; ``whose`` they are."""
        how = "as given" if self.block_length is not None else "by the rule of Politis and White"
        lengths = [one.units.mean_length or 1.0 for one in parts]
        low, high = min(lengths), max(lengths)
        size = f"{low:.3g} segment{'' if low == 1.0 else 's'} on average"
        if low < high:
            size = f"{low:.3g} to {high:.3g} segments on average, as long as each {whose} asks for"
        note = Note("block-length", f"blocks of {size}, {how}", summary=f"blocks have lengths of their own, {how}")
        short = [
            test
            for one, length in zip(parts, lengths, strict=True)
            for test in one.dependence.values()
            if test.beyond(length)
        ]
        return note, *dependence_notes(short, self.metric_labels, longer_than_blocks=True)

    def bootstrap(self, resamples: int, *, first: int = 0) -> NDArray[np.float64]:
        """Bootstrap scores, shape (metrics, systems, resamples); those from the first resample on are kept."""
        if first:
            return self._means(self.bootstrap_runs(resamples, first=first))
        if resamples not in self._resampled:
            self._resampled[resamples] = self._bootstrap_in_pieces(resamples)
        return self._resampled[resamples][0]

    def _bootstrap_in_pieces(self, resamples: int) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Return scores of systems and, of several runs, their standard deviations: run scores are not all kept."""
        if all(len(system.runs) == 1 for system in self.corpus.systems):
            return self.bootstrap_runs(resamples), None
        observed = np.stack(self.run_scores)[..., None]
        means = np.empty((len(observed), len(self.corpus.systems), resamples))
        sums, squares = np.zeros(observed.shape[:2]), np.zeros(observed.shape[:2])
        for first in range(0, resamples, _PIECE):
            runs = self.bootstrap_runs(min(_PIECE, resamples - first), first=first, total=resamples)
            means[..., first : first + runs.shape[-1]] = self._means(runs)
            deviations = runs - observed  # small, so that their squares do not cancel
            sums += deviations.sum(-1)
            squares += (deviations**2).sum(-1)
        spread = np.sqrt(np.maximum(squares / resamples - (sums / resamples) ** 2, 0.0))
        return means, spread

    def run_deviations(self, resamples: int) -> NDArray[np.float64]:
        """Return the standard deviation of each run's score over bootstrap resamples, shape (metrics, runs)."""
        scores = self.bootstrap(resamples)
        spread = self._resampled[resamples][1]
        return np.asarray(scores.std(-1)) if spread is None else spread

    @cached_property
    def _resampled(self) -> dict[int, tuple[NDArray[np.float64], NDArray[np.float64] | None]]:
        return {}

    def bootstrap_runs(self, resamples: int, *, first: int = 0, total: int | None = None) -> NDArray[np.float64]:
        """Bootstrap scores of the runs, system by system, shape (metrics, runs, resamples); of ``total`` in all."""
        shape = (len(self.statistics.blocks), sum(self.statistics.blocks[0].run_counts))
        work = Resampling(self._drawn, self.table, partial(run_scores, self.statistics.blocks))
        values = self.engine.resample(work, resamples, self.reporter("bootstrap", total or resamples), first=first)
        scores = values.reshape(*shape, resamples)
        for block, one in zip(self.statistics.blocks, scores, strict=True):
            check_defined(one, block)
        return scores

    def reporter(self, stage: str, total: int) -> Callable[[int], None] | None:
        """Return a counter for one stage."""
        progress = self.progress
        return None if progress is None else lambda done: progress(stage, done, total)

    def factor(self, level: float) -> float:
        """Return the factor that bootstrap deviations are multiplied by on these units."""
        if self.units.mean_length is not None:
            blocks = self.units.count / self.units.mean_length
            return small_sample_factor(blocks, blocks, level)
        return small_sample_factor(self.units.count, self.units.effective_number, level, strata_taken(self.units))

    def count_pairs(
        self, questions: Sequence[PairQuestion], first: int, resamples: int, progress: Callable[[int], None] | None
    ) -> list[PairCounts]:
        """Count in further bootstrap resamples, from ``first`` up to ``resamples`` in all; none is kept."""
        if first >= resamples:
            return [question.nothing for question in questions]
        work = Counting(self._drawn, self.table, self.statistics.blocks, tuple(questions))
        return self.engine.count(work, resamples - first, progress, first=first)

    @property
    def _drawn(self) -> Design:
        return Design(self.units, "bootstrap", self.seed)

    @property
    def few_units(self) -> str | None:
        """The number of units in words, if it is too small for a bootstrap to be trusted."""
        length = self.units.mean_length
        count = self.units.count if length is None else round(self.units.count / length)
        return None if count >= _FEW_UNITS else whole(count, self.unit_noun if length is None else "block")

    def few_units_note(self, *, p_values: bool = True) -> Note | None:
        """Say so if there are too few units for a bootstrap to be trusted; ``p_values``: some are from it."""
        if self.few_units is None:
            return None
        text = (
            f"With only {self.few_units}, bootstrap intervals {'and p-values ' if p_values else ''}tend to be too "
            "optimistic even with the small-sample factor"
        )
        return Note("few-units", text)

    @cached_property
    def item_scores(self) -> list[tuple[ItemScores | None, ...]]:
        """Scores of items, metric by metric, of all systems; None where a score is no mean of these."""
        return [item_scores(self, m) for m in range(len(self.statistics.blocks))]

    def score_of_items(self, m: int, system: int) -> Share | BoundedMean | None:
        """See :func:`truegain.experiment.outcomes.score_of_items`."""
        return score_of_items(self, self.item_scores[m], m, system)

    def gain_of_items(self, m: int, baseline: int, system: int) -> PairedShares | BoundedMean | None:
        """See :func:`truegain.experiment.outcomes.gain_of_items`."""
        return gain_of_items(self, self.item_scores[m], m, baseline, system)

    def has_two_values(self, m: int, *systems: int) -> bool:
        """See :func:`truegain.experiment.outcomes.has_two_values`."""
        items = [own for s in systems if (own := self.item_scores[m][s]) is not None]
        return len(items) == len(systems) and has_two_values(self.statistics.blocks[m].metric, items)

    def metric_infos(self) -> tuple[MetricInfo, ...]:
        """Return the metrics as they were used."""
        count, labels = reference_count(self.corpus.references), self.metric_labels
        return tuple(
            MetricInfo(
                block.key,
                labels[block.key],
                block.metric.higher_is_better,
                block.metric.signature(count),
                percent=self._are_shares(m),
            )
            for m, block in enumerate(self.statistics.blocks)
        )

    def _are_shares(self, m: int) -> bool:
        """Return whether the scores are shares of items that are right: all items have 0 or 1."""
        everyone = range(len(self.corpus.systems))
        if not self.has_two_values(m, *everyone):
            return False
        items = [own for own in self.item_scores[m] if own is not None]
        return range_of(self.statistics.blocks[m].metric, items) == (0.0, 1.0)

    def system_results(
        self, resamples: int | None, level: float, method: ScoreInterval | IntervalMethod
    ) -> tuple[SystemScore, ...]:
        """Return scores with intervals, metric by metric; without intervals if nothing is to be resampled."""
        results = []
        tested = resamples is not None and method in SCORE_TEST
        for m, block in enumerate(self.statistics.blocks):
            first = 0
            for s, system in enumerate(self.corpus.systems):
                last = first + len(system.runs)
                observed = float(self.scores[m, s])
                interval = None
                drawn, place = (self.of_systems(s), 0) if self.own_lengths else (self, s)
                if tested and (items := drawn.score_of_items(m, place)) is not None:
                    interval = items.interval(1.0 - level)
                elif resamples is not None:
                    found = bootstrap_interval(
                        observed,
                        drawn.bootstrap(resamples)[m, place],
                        level=level,
                        method=of_bootstrap(method),
                        factor=drawn.factor(level),
                        left_out=self.left_out[m, s] if method == "bca" else None,
                    )
                    # All the same, and no range that says how others could be: nothing is known of them.
                    varies = found.high - found.low > self.rounding[m, s]
                    interval = clip(found, self.limits(m, s)) if varies else None
                run_scores = tuple(float(score) for score in self.run_scores[m][first:last])
                names = tuple(run.name for run in system.runs)
                error = drawn.standard_error(m, place)
                ends = {} if interval is None else interval.fields
                results.append(SystemScore(system.name, block.key, observed, names, run_scores, error, **ends))
                first = last
        return tuple(results)


def _check_scores(block: Block, scores: NDArray[np.float64]) -> None:
    """Refuse scores that are not one finite number per run: a metric from elsewhere may give anything."""
    if scores.shape != (sum(block.run_counts),) or not np.isfinite(scores).all():
        from truegain.metrics.custom import CustomMetric

        name = "total_score" if isinstance(block.metric, CustomMetric) else "score"
        raise InputError(
            f"the metric {block.metric.name!r} gave {scores.tolist()} as the scores of {sum(block.run_counts)} runs",
            hint=f"{name}(totals) must give a finite number for each row of totals, over any leading axes",
        )


def _with_column(metric: Metric, corpus: Corpus) -> Metric:
    """Name the one column there is, so that tables and signatures show it."""
    if isinstance(metric, RatioOfScores) and getattr(metric, metric.scored, "") is None:
        taken = getattr(metric, "column", None)
        columns = {tuple(set(run.scores) - {taken}) for system in corpus.systems for run in system.runs}
        if len(columns) == 1 and len(names := columns.pop()) == 1:
            return cast("Metric", replace(cast("Any", metric), **{metric.scored: names[0]}))
    return metric


def _notes_on_files(corpus: Corpus, metrics: Collection[Metric]) -> list[Note]:
    """Return what readers and metrics remark on the files, and what scores are conditional on."""
    runs = [run for system in corpus.systems for run in system.runs]
    advice = [
        note
        for metric in metrics
        if (advise := getattr(metric, "advice", None)) is not None
        for run in runs
        if run.outputs is not None
        for note in advise(run.outputs, run.name)
    ]
    for metric in metrics:
        if (advise := getattr(metric, "advice_beside", None)) is not None:
            for run in runs:
                advice += advise(run.outputs, corpus.references, run.name) if run.outputs is not None else []
        if (advise := getattr(metric, "advice_on_scores", None)) is not None:
            files = [file.name for file in corpus.inputs.files if file.role == "scores"]
            advice += advise([run.scores for run in runs], files)
        if (advise := getattr(metric, "advice_on_samples", None)) is not None:
            advice += advise({run.name: run.repeats for run in runs})
    conditions = [said for metric in metrics if (said := getattr(metric, "condition", None)) is not None]
    made = [(metric, said) for metric in metrics if (said := getattr(metric, "of_samples", None)) is not None]
    # That samples are averaged is not said if no metric takes their means.
    own = [note for note in corpus.notes if len(made) < len(metrics) or note.kind != "samples"]
    samples = [Note("samples", f"{_samples_of(runs, metric)}: {text}") for metric, text in made]
    unshared = []
    if corpus.raters is not None:
        from truegain.experiment.ratings import unshared_notes  # most scores are not of people

        unshared = unshared_notes(corpus, metrics)
    return gathered([*own, *advice, *(Note("condition", text) for text in conditions), *samples, *unshared])


def _samples_of(runs: Sequence[Run], metric: Metric) -> str:
    """Return how many items and samples a metric read, in words."""
    from truegain.readers.repeats import say_samples

    column = getattr(metric, "column", None)
    read = [run.answers if column in run.answers else run.repeats for run in runs]
    counts = np.concatenate(
        [samples.counts for own in read for name, samples in own.items() if column is None or name == column]
    )
    return say_samples(len(runs[0]), (int(counts.min()), int(counts.max())))
