"""Scores of systems with intervals, and scores of single segments."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Self

from msgspec.structs import replace

from truegain.cautions import (
    block_notes,
    check_blocks,
    correlation_notes,
    few_notes,
    intervals_signature,
    size_note,
    units_signature,
)
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting
from truegain.experiment import Experiment, check_options, variability, with_development
from truegain.inference.intervals import Alpha
from truegain.inference.results import (
    Metrics,
    Scores,
    StandardErrors,
    SystemScore,
    TestSet,
    Unit,
    Units,
    Variability,
)
from truegain.notes import Note
from truegain.report.model import Table
from truegain.results import Result, completed, no_entry, with_metric
from truegain.rows import MetricKey, Number, Row, Seed, field, record
from truegain.settings.function import takes
from truegain.settings.score import ScoreOptions
from truegain.studies.advice import advice, check_gain, variability_tables
from truegain.studies.given import corpus_of, development_of
from truegain.studies.group_scores import GroupedScores, GroupScores
from truegain.version import __version__
from truegain.view import digits_of, slots_of, stacked, standard_errors_notes, table
from truegain.words import Sentence, describe_testset, heading_of

_GLANCE = 20  # segments whose scores a notebook shows unasked
_COLUMNS = "metric system=name runs score standard_error low=ci_low high=ci_high"

ENDING = Sentence("bootstrap, {resamples:,} resamples, seed {seed}")
NO_INTERVALS = Sentence("There is only one {unit}, so there are no intervals")
MANY_SEGMENTS = Sentence("Scores of {count:,} segments: to_pandas() has them, and render() shows them")
NO_RUNS = "a gain is held against how scores vary over runs, and no system has several runs"
NO_SPREAD = "a gain is held against how scores vary over runs, which takes intervals"


class RunSegments(Row):
    """The scores of a run's segments."""

    metric: MetricKey
    run: Annotated[str, field("The run.")]
    scores: Annotated[tuple[float | None, ...], field("The score of each segment; none if it has none.")]


class ScoreResult(Result, tag="score", kw_only=True, rename={"scores": "systems", "segment_scores": "segments"}):
    """Scores of systems."""

    title = "How good is each system?"
    study: ClassVar[str] = "score"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    alpha: Annotated[Alpha, field("One less the confidence level of the intervals.")]
    unit: Unit
    n_units: Units
    resamples: Annotated[Number, field("The number of resamples.")]
    seed: Annotated[Seed, field("The seed of the resamples.")]
    variability: Annotated[
        tuple[Variability, ...],
        field("How scores vary over runs and test sets; empty if no system has several runs."),
    ] = ()
    segment_scores: Annotated[
        tuple[RunSegments, ...], field("Scores of single segments, run by run, if they were asked for.")
    ] = ()
    standard_errors: StandardErrors = False
    groups: Annotated[GroupedScores | None, field("Scores by group, if they were asked for.")] = None

    @property
    def segments(self) -> dict[tuple[str, str], tuple[float, ...]]:
        """Scores of single segments by (metric, run); NaN if a segment has none."""
        return {
            (one.metric, one.run): tuple(math.nan if score is None else score for score in one.scores)
            for one in self.segment_scores
        }

    def __getitem__(self, key: str | tuple[str, str]) -> SystemScore:
        wanted = with_metric(key, self.metrics)
        for one in self.scores:
            if (one.metric, one.name) == wanted:
                return one
        raise no_entry(key, ((one.metric, one.name) for one in self.scores))

    def _keys(self) -> list[tuple[str, ...]]:
        return completed([(one.metric, one.name) for one in self.scores], self.metrics)

    def _at_a_glance(self) -> Self:
        if not self.segment_scores or self.testset.segments <= _GLANCE:
            return self
        note = Note("segments", MANY_SEGMENTS(count=self.testset.segments))
        return replace(self, segment_scores=(), notes=(*self.notes, note))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each score, then of each group, or for each segment if segments were scored."""
        segments = self.segments
        if not segments:
            scores = [record(_COLUMNS, one) for one in self.scores]
            if self.groups is None:
                return scores
            of_groups = [
                record("group", group) | record(_COLUMNS, one) | record("unit n_units", group)
                for group in self.groups.groups
                for one in group.scores
            ]
            whole = {"unit": self.unit, "n_units": self.n_units}
            return [*({"group": ""} | one | whole for one in scores), *of_groups]
        return [
            {"segment": i + 1} | {f"{run} {metric}": values[i] for (metric, run), values in segments.items()}
            for i in range(self.testset.segments)
        ]

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield scores, how they vary over runs, scores by group, and scores of segments."""
        yield from _segment_tables(self, decimals)
        errors = "standard_error" if self.standard_errors else ""
        by_metric = {metric.key: [one for one in self.scores if one.metric == metric.key] for metric in self.metrics}
        yield stacked(
            [
                table(
                    by_metric[metric.key],
                    f"name score {errors} ci?",
                    digits_of(self, metric, decimals),
                    headings={"name": heading_of(metric)},
                    caption="Scores of each system",
                    notes=standard_errors_notes(self),
                    slots=slots_of(self),
                )
                for metric in self.metrics
            ]
        )
        if self.variability:
            yield from variability_tables(self, decimals)
        if self.groups is not None:
            yield from _group_tables(self, self.groups, errors, decimals)

    def as_table(self, layout: str, decimals: int | None) -> Table:
        """Return one table to be pasted into a paper."""
        from truegain.studies.layouts import table_of

        return table_of(self, layout, decimals)


@takes(ScoreOptions)
def score(options: ScoreOptions) -> ScoreResult:
    """Score every system, with bootstrap intervals over segments, or over documents if they are known."""
    alpha, interval, resamples, seed = options.alpha, options.interval, options.resamples, options.seed
    check_options(options, tests=False)
    check_gain(options.gain)
    check_blocks(unit=options.unit, block_length=options.block_length, interval=interval)
    corpus, development = with_development(corpus_of(options), development_of(options))
    if options.by is not None:
        from truegain.studies.grouping import check_grouping

        check_grouping(corpus, options.by, options.unit)
        if options.segments:
            raise InputError(
                "scores of segments are not by group",
                hint=("leave out ", Setting("segments"), " or ", Setting("by")),
            )
    experiment = Experiment.of(corpus, options, compared=[(s,) for s in range(len(corpus.systems))])
    if options.unit == "block":
        experiment = experiment.in_blocks()
    notes = [size_note(corpus, experiment.units, runs=[len(system.runs) for system in corpus.systems])]
    notes += experiment.notes
    drawn = resamples if options.intervals and experiment.units.count > 1 else None
    if drawn is not None:
        notes.extend(block_notes(experiment, [(s,) for s in range(len(corpus.systems))], "score"))
        notes.extend(correlation_notes(experiment))
    elif options.intervals:
        notes.append(Note("no-intervals", NO_INTERVALS(unit=experiment.units.noun)))
    metrics = experiment.metric_infos()
    varies = () if drawn is None else variability(experiment, resamples, development)
    if options.gain is not None and not varies:
        raise InputError(NO_RUNS if drawn else NO_SPREAD)
    notes.extend(advice(varies, _gains(experiment, options.gain), metrics))
    scores = experiment.system_results(drawn, 1.0 - alpha, interval)
    if drawn is not None:
        notes.extend(few_notes(experiment, scores, resamples, alpha, p_values=False))
    testset = experiment.testset(development)
    return ScoreResult(
        testset=testset,
        metrics=metrics,
        scores=scores,
        alpha=alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=resamples,
        seed=seed,
        about=describe_testset(testset, scores, experiment.corpus.item_noun),
        notes=tuple(notes),
        ending=ENDING(resamples=resamples, seed=seed) if drawn is not None else "",
        signature=(
            f"{intervals_signature(scores, interval)}|{units_signature(experiment.units)}"
            f"{'' if options.by is None else f'|by:{options.by}'}|R:{resamples}|seed:{seed}|version:{__version__}"
        ),
        variability=varies,
        segment_scores=_segment_scores(experiment) if options.segments else (),
        standard_errors=options.standard_errors,
        groups=None if options.by is None else _by_group(corpus, options, options.by),
    )


def _by_group(corpus: Corpus, options: ScoreOptions, by: str) -> GroupedScores:
    """Score every group as if it were alone, with the same seed; below 10 units without intervals."""
    from truegain.studies.group_tests import groups_alone

    return GroupedScores(
        by,
        tuple(
            GroupScores(
                group=one.name,
                segments=one.corpus.segments,
                unit=one.units.noun,
                n_units=one.units.count,
                scores=one.experiment.system_results(
                    options.resamples if one.tested and options.intervals else None,
                    1.0 - options.alpha,
                    options.interval,
                ),
            )
            for one in groups_alone(corpus, options, by, options.unit)
        ),
    )


def _gains(experiment: Experiment, gain: float | None) -> dict[str, float]:
    """Return the gain that is asked about by metric: the one given, or the difference of two systems."""
    if gain is None and len(experiment.corpus.systems) != 2:
        return {}
    blocks = experiment.statistics.blocks
    return {
        block.key: float(scores[1] - scores[0]) if gain is None else gain
        for block, scores in zip(blocks, experiment.scores, strict=True)
    }


def _segment_scores(experiment: Experiment) -> tuple[RunSegments, ...]:
    result = []
    runs = [(system.name, run.name) for system in experiment.corpus.systems for run in system.runs]
    once = Counter(run for _, run in runs)
    names = [run if once[run] == 1 else f"{system}: {run}" for system, run in runs]
    for block, scores in zip(experiment.statistics.blocks, experiment.segment_run_scores, strict=True):
        for name, values in zip(names, scores, strict=True):
            finite = tuple(score if math.isfinite(score) else None for score in values.tolist())
            result.append(RunSegments(block.key, name, finite))
    return tuple(result)


def _group_tables(result: ScoreResult, groups: GroupedScores, errors: str, decimals: int | None) -> Iterator[Table]:
    """Yield the scores of all groups, metric by metric."""
    for metric in result.metrics:
        rows = [
            {"group": group, "": one} for group in groups.groups for one in group.scores if one.metric == metric.key
        ]
        yield table(
            rows,
            f"group.group group.n_units name score {errors} ci?",
            digits_of(result, metric, decimals),
            headings={"group.group": f"{heading_of(metric)} by {groups.by}", "name": "system"},
            caption=f"{{label}} of each system by {groups.by}",
            slots=slots_of(result, metric),
        )


def _segment_tables(result: ScoreResult, decimals: int | None) -> Iterator[Table]:
    """Yield a table for each run, so that any number of systems can be read."""
    from truegain.report.model import Cell, Column

    digits = {metric.key: digits_of(result, metric, decimals) for metric in result.metrics}
    for run in dict.fromkeys(run for _, run in result.segments):
        own = {metric.key: result.segments[metric.key, run] for metric in result.metrics}
        columns = (Column(run, "left"), *(Column(metric.label) for metric in result.metrics))
        rows = tuple(
            (Cell(f"{i + 1}"), *(Cell(digits[key].score(values[i])) for key, values in own.items()))
            for i in range(result.testset.segments)
        )
        yield Table(columns, rows, f"Scores of the segments of {run}")
