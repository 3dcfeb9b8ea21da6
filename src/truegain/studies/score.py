"""Scores of systems with intervals, and scores of single segments."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Self

from msgspec.structs import replace

from truegain import cautions
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting
from truegain.experiment import Experiment, check_options, variability, with_development
from truegain.inference.intervals import Alpha
from truegain.inference.results import (
    Metrics,
    Scores,
    StandardErrors,
    SystemScore,
    TestedUnit,
    TestSet,
    Unit,
    Units,
    Variability,
)
from truegain.notes import Note
from truegain.report.model import Cell, Column, Table
from truegain.results import Result, completed, no_entry, with_metric
from truegain.rows import Count, MetricKey, Number, Row, Seed, field, record
from truegain.settings.function import takes
from truegain.settings.score import ScoreOptions
from truegain.studies.advice import advice, check_gain, variability_tables
from truegain.studies.given import corpus_of, development_of
from truegain.version import __version__
from truegain.view import Joined, digits_of, slots_of, stacked, standard_errors_notes, table
from truegain.words import Sentence, describe_testset, heading_of

_GLANCE = 20  # segments whose scores a notebook shows unasked
_COLUMNS = "metric system=name runs score standard_error low=ci_low high=ci_high"

ENDING = Sentence("bootstrap, {resamples:,} resamples, seed {seed}")
NO_INTERVALS = Sentence("There is only one {unit}, so there are no intervals")
MANY_SEGMENTS = Sentence("Scores of {count:,} segments: to_pandas() has them, and render() shows them")


class RunSegments(Row):
    """The scores of a run's segments."""

    metric: MetricKey
    run: Annotated[str, field("The run.")]
    scores: Annotated[tuple[float | None, ...], field("The score of each segment; none if it has none.")]


class GroupScores(Row, kw_only=True, rename={"scores": "systems"}):
    """Scores of all systems in one group."""

    group: Annotated[str, field("The group.", show="text")]
    segments: Annotated[Count, field("The number of its segments.")]
    unit: TestedUnit
    n_units: Annotated[Units, field("The number of units.", "units")]
    scores: Annotated[tuple[SystemScore, ...], field("All scores; without intervals below 10 units.")]

    def of(self, metric: str) -> dict[str, SystemScore]:
        """Return the scores under a metric by system."""
        return {one.name: one for one in self.scores if one.metric == metric}


class GroupedScores(Row):
    """Scores by group."""

    by: Annotated[str, field("What the segments are grouped by: domain, document, length, or the name of a column.")]
    groups: Annotated[tuple[GroupScores, ...], field("The groups.")]


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
    variability: Annotated[tuple[Variability, ...], field("How scores of several runs vary, and over test sets.")] = ()
    segment_scores: Annotated[tuple[RunSegments, ...], field("Scores of single segments, if asked for.")] = ()
    standard_errors: StandardErrors = False
    groups: Annotated[GroupedScores | None, field("Scores by group, if they were asked for.")] = None

    @property
    def segments(self) -> dict[tuple[str, str], tuple[float, ...]]:
        """Scores of single segments by (metric, run); NaN if a segment has none."""
        return {
            (row.metric, row.run): tuple(math.nan if score is None else score for score in row.scores)
            for row in self.segment_scores
        }

    def __getitem__(self, key: str | tuple[str, str]) -> SystemScore:
        wanted = with_metric(key, self.metrics)
        for score in self.scores:
            if (score.metric, score.name) == wanted:
                return score
        raise no_entry(key, ((score.metric, score.name) for score in self.scores))

    def _keys(self) -> list[tuple[str, ...]]:
        return completed([(score.metric, score.name) for score in self.scores], self.metrics)

    def _at_a_glance(self) -> Self:
        if not self.segment_scores or self.testset.segments <= _GLANCE:
            return self
        note = Note("segments", MANY_SEGMENTS(count=self.testset.segments))
        return replace(self, segment_scores=(), notes=(*self.notes, note))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each score, then of each group, or for each segment if segments were scored."""
        if segments := self.segments:
            return [
                {"segment": i + 1} | {f"{run} {metric}": values[i] for (metric, run), values in segments.items()}
                for i in range(self.testset.segments)
            ]
        scores = [record(_COLUMNS, score) for score in self.scores]
        if self.groups is None:
            return scores
        whole = {"unit": self.unit, "n_units": self.n_units}
        by_group = [
            record("group", group) | record(_COLUMNS, score) | record("unit n_units", group)
            for group in self.groups.groups
            for score in group.scores
        ]
        return [*({"group": ""} | score | whole for score in scores), *by_group]

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield scores of segments, those of systems, how they vary over runs, and scores by group."""
        digits = {metric.key: digits_of(self, metric, decimals) for metric in self.metrics}
        for run in dict.fromkeys(run for _, run in self.segments):  # each alone, so that any number can be read
            scores = [[digits[key].score(score) for score in self.segments[key, run]] for key in digits]
            columns = (Column(run, "left"), *(Column(metric.label) for metric in self.metrics))
            rows = enumerate(zip(*scores, strict=True), 1)
            cells = tuple((Cell(f"{number}"), *map(Cell, texts)) for number, texts in rows)
            yield Table(columns, cells, f"Scores of the segments of {run}")
        yield stacked([*self._score_tables(decimals)])
        if self.variability:
            yield from variability_tables(self, decimals)
        if self.groups is not None:
            yield from self._score_tables(decimals, self.groups)

    def _score_tables(self, decimals: int | None, grouped: GroupedScores | None = None) -> Iterator[Table]:
        """Yield the scores of each metric, of all segments or by group."""
        errors = {True: "standard_error", False: ""}[self.standard_errors]
        for metric in self.metrics:
            rows: list[Joined] = [{"": score} for score in self.scores if score.metric == metric.key]
            columns, headings, caption = "name", {"name": heading_of(metric)}, "Scores of each system"
            if grouped is not None:
                rows = [
                    {"group": group, "": score} for group in grouped.groups for score in group.of(metric.key).values()
                ]
                columns, caption = "group.group group.n_units name", f"{{label}} of each system by {grouped.by}"
                headings = {"group.group": f"{heading_of(metric)} by {grouped.by}", "name": "system"}
            yield table(
                rows,
                f"{columns} score {errors} ci?",
                digits_of(self, metric, decimals),
                headings=headings,
                caption=caption,
                notes=() if grouped else standard_errors_notes(self),
                slots=slots_of(self, metric),
            )

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
    cautions.check_blocks(unit=options.unit, block_length=options.block_length, interval=interval)
    corpus, development = with_development(corpus_of(options), development_of(options))
    groups, by = None, ""
    if options.by is not None:
        groups, by = _by_group(corpus, options, options.by), f"|by:{options.by}"
    systems = [(s,) for s in range(len(corpus.systems))]
    experiment = Experiment.of(corpus, options, compared=systems)
    if options.unit == "block":
        experiment = experiment.in_blocks()
    metrics, drawn, ending = experiment.metric_infos(), None, ""
    varies: tuple[Variability, ...] = ()
    if options.intervals and experiment.units.count > 1:
        drawn, ending = resamples, ENDING(resamples=resamples, seed=seed)
        varies = variability(experiment, resamples, development)
    if options.gain is not None and not varies:
        raise InputError(
            "a gain is held against how scores vary over runs, which takes several runs of a system, and intervals"
        )
    scores = experiment.system_results(drawn, 1.0 - alpha, interval)
    notes = [cautions.size_note(corpus, experiment.units, runs=[len(system.runs) for system in corpus.systems])]
    notes += experiment.notes
    if drawn is not None:
        notes += cautions.block_notes(experiment, systems, "score")
        notes += cautions.correlation_notes(experiment)
        notes += advice(varies, _gains(experiment, options.gain), metrics)
        notes += cautions.few_notes(experiment, scores, resamples, alpha, p_values=False)
    elif options.intervals:
        notes.append(Note("no-intervals", NO_INTERVALS(unit=experiment.unit_noun)))
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
        ending=ending,
        signature=(
            f"{cautions.intervals_signature(scores, interval)}|{cautions.units_signature(experiment.units)}{by}"
            f"|R:{resamples}|seed:{seed}|version:{__version__}"
        ),
        variability=varies,
        segment_scores=tuple(_segment_scores(experiment)) if options.segments else (),
        standard_errors=options.standard_errors,
        groups=groups,
    )


def _by_group(corpus: Corpus, options: ScoreOptions, by: str) -> GroupedScores:
    """Score every group as if it were alone, with the same seed; below 10 units without intervals."""
    from truegain.studies.grouping import check_grouping, groups_alone

    check_grouping(corpus, by, options.unit)
    if options.segments:
        raise InputError(
            "scores of segments are not by group", hint=("leave out ", Setting("segments"), " or ", Setting("by"))
        )
    groups = []
    for group in groups_alone(corpus, options, by, options.unit):
        resamples = options.resamples if group.tested and options.intervals else None
        scores = group.experiment.system_results(resamples, 1.0 - options.alpha, options.interval)
        groups.append(GroupScores(**group.fields, scores=scores))
    return GroupedScores(by, tuple(groups))


def _gains(experiment: Experiment, gain: float | None) -> dict[str, float]:
    """Return the gain that is asked about by metric: the one given, or the difference of two systems."""
    keys = [block.key for block in experiment.statistics.blocks]
    if gain is not None:
        return dict.fromkeys(keys, gain)
    if len(experiment.corpus.systems) != 2:
        return {}
    return {key: float(new - old) for key, (old, new) in zip(keys, experiment.scores, strict=True)}


def _segment_scores(experiment: Experiment) -> Iterator[RunSegments]:
    """Yield the scores of each run's segments under each metric."""
    runs = [(system.name, run.name) for system in experiment.corpus.systems for run in system.runs]
    count = Counter(run for _, run in runs)
    names = [run if count[run] == 1 else f"{system}: {run}" for system, run in runs]
    for block, scores in zip(experiment.statistics.blocks, experiment.segment_run_scores, strict=True):
        for name, values in zip(names, scores, strict=True):
            yield RunSegments(
                block.key, name, tuple(score if math.isfinite(score) else None for score in values.tolist())
            )
