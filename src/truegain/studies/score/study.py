"""Scores of systems with intervals, and scores of single segments."""

from __future__ import annotations

import math
from collections import Counter

from truegain.corpus import Corpus
from truegain.errors import InputError, Setting
from truegain.experiment import (
    Experiment,
    check_options,
    variability,
    with_development,
)
from truegain.notes import Note
from truegain.settings.function import takes
from truegain.settings.score import ScoreOptions
from truegain.studies.advice import advice, check_gain
from truegain.studies.checks import (
    block_notes,
    check_blocks,
    correlation_notes,
    few_notes,
    intervals_signature,
    units_signature,
)
from truegain.studies.given import corpus_of, development_of
from truegain.studies.group_scores import GroupedScores, GroupScores
from truegain.studies.score.result import RunSegments, ScoreResult
from truegain.version import __version__


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
    notes = [*experiment.notes]
    drawn = None
    if not options.intervals:
        pass
    elif experiment.units.count < 2:
        text = f"There is only one {experiment.units.noun}, so there are no intervals"
        notes.append(Note("no-intervals", text))
    else:
        drawn = resamples
        notes.extend(block_notes(experiment, [(s,) for s in range(len(corpus.systems))], "score"))
        notes.extend(correlation_notes(experiment))
    metrics = experiment.metric_infos()
    varies = () if drawn is None else variability(experiment, resamples, development)
    if options.gain is not None and not varies:
        text = "a gain is held against how scores vary over runs"
        raise InputError(f"{text}, and no system has several runs" if drawn else f"{text}, which takes intervals")
    notes.extend(advice(varies, _gains(experiment, options.gain), metrics))
    scores = experiment.system_results(drawn, 1.0 - alpha, interval)
    if drawn is not None:
        notes.extend(few_notes(experiment, scores, resamples, alpha, p_values=False))
    return ScoreResult(
        testset=experiment.testset(development),
        metrics=metrics,
        scores=scores,
        alpha=alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=resamples,
        seed=seed,
        signature=(
            f"{intervals_signature(scores, interval)}|{units_signature(experiment.units)}"
            f"{'' if options.by is None else f'|by:{options.by}'}|R:{resamples}|seed:{seed}|version:{__version__}"
        ),
        notes=tuple(notes),
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
