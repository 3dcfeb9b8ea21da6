"""Variability of scores over runs and test sets (Clark et al. 2011, table 1)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError, Setting
from truegain.experiment.prepared import Experiment
from truegain.inference.results import SampleVariability, Variability
from truegain.notes import Note
from truegain.readers.file_names import check_run_order
from truegain.statistics import collect

if TYPE_CHECKING:
    from truegain.inference.replicas import SystemRuns


def variability(experiment: Experiment, resamples: int, development: Corpus | None = None) -> tuple[Variability, ...]:
    """Return how scores of systems with several runs vary, metric by metric; empty if no system has several.

    Parameters
    ----------
    experiment : Experiment
    resamples : int
        Of the bootstrap.
    development : Corpus, optional
        The same systems and runs, in the same order, on the development set.
    """
    counts = experiment.statistics.blocks[0].run_counts
    if max(counts) == 1:
        return ()
    elsewhere = None if development is None else _development_scores(experiment, development)
    medians = _medians(experiment, elsewhere)
    if experiment.units.count < 2:
        deviations = np.zeros((len(experiment.run_scores), sum(counts)))
    elif experiment.own_lengths:
        alone = [experiment.of_systems(s).run_deviations(resamples) for s in range(len(counts))]
        deviations = np.concatenate(alone, axis=1)
    else:
        deviations = experiment.run_deviations(resamples)
    found = []
    for m, block in enumerate(experiment.statistics.blocks):
        edges = np.cumsum((0, *counts))
        for s, system in enumerate(experiment.corpus.systems):
            part = slice(edges[s], edges[s + 1])
            runs = experiment.runs_of(m, s)
            several = runs.count > 1
            dev = None if elsewhere is None else elsewhere[m][part]
            found.append(
                Variability(
                    system=system.name,
                    metric=block.key,
                    runs=runs.count,
                    average=float(experiment.scores[m, s]),
                    s_sel=float(deviations[m, part].mean()),
                    s_dev=float(dev.std(ddof=1)) if dev is not None and several else None,
                    s_test=math.sqrt(runs.variance) if several else None,
                    units=math.sqrt(runs.segment_variance),
                    run=math.sqrt(runs.run_variance) if several else None,
                    interaction=math.sqrt(runs.interaction) if several else None,
                    median_run=system.runs[medians[m][s]].name,
                    training=_over_samples(runs, block.samples_of(s)),
                )
            )
    return tuple(found)


def _over_samples(runs: SystemRuns, samples: Sequence[int]) -> SampleVariability | None:
    if not samples:
        return None
    from truegain.inference.training_samples import components

    found = components(runs, samples)
    return SampleVariability(
        samples=len(set(samples)),
        s_sample=math.sqrt(found.between),
        sample=None if found.sample is None else math.sqrt(max(found.sample, 0.0)),
        run=None if found.within is None else math.sqrt(found.within),
    )


def median_runs(experiment: Experiment, development: Corpus | None = None) -> list[list[int]]:
    """Return each system's run to read by hand, metric by metric: its number within the system, from 0.

    Parameters
    ----------
    experiment : Experiment
    development : Corpus, optional
        As in :func:`variability`: the median run on the development set, if it is given, else on the test set.
    """
    return _medians(experiment, None if development is None else _development_scores(experiment, development))


def _medians(experiment: Experiment, elsewhere: list[NDArray[np.float64]] | None) -> list[list[int]]:
    scores = experiment.run_scores if elsewhere is None else elsewhere
    edges = np.cumsum((0, *experiment.statistics.blocks[0].run_counts)).tolist()
    return [[middle(one[a:b]) for a, b in itertools.pairwise(edges)] for one in scores]


def middle(scores: NDArray[np.float64]) -> int:
    """Return the run whose score is in the middle; of the two in the middle of an even number, the first."""
    order = np.argsort(scores, kind="stable")
    return int(order[(scores.size - 1) // 2 : scores.size // 2 + 1].min())


def _development_scores(experiment: Experiment, development: Corpus) -> list[NDArray[np.float64]]:
    """Return scores of the runs on the development set, metric by metric."""
    found = {system.name: system for system in development.systems}
    for mine in experiment.corpus.systems:
        same = found.keys() == {system.name for system in experiment.corpus.systems}
        if not same or len(mine.runs) != len(found[mine.name].runs):
            here = ", ".join(f"{one.name} ({len(one.runs)})" for one in experiment.corpus.systems)
            there = ", ".join(f"{one.name} ({len(one.runs)})" for one in development.systems)
            raise InputError(
                f"the development set must have the same systems and numbers of runs: {there} there, {here} here",
                hint=(
                    "give the outputs of every run, in the same order: ",
                    Setting("development", {"NAME": "dev/NAME.*.txt"}),
                ),
            )
    development = replace(development, systems=tuple(found[mine.name] for mine in experiment.corpus.systems))
    metrics = {block.key: block.metric for block in experiment.statistics.blocks}
    for metric in metrics.values():
        if "source" in getattr(metric, "needs", ()) and development.sources is None:
            raise InputError(f"{metric.label} reads the source, and that of the development set is not known")
    statistics = collect(development, metrics)
    return [block.run_scores(statistics.totals[block.columns]) for block in statistics.blocks]


def with_development(corpus: Corpus, development: Corpus | None) -> tuple[Corpus, Corpus | None]:
    """Return the test set and the development set, checked to have the same runs.

    Raises
    ------
    InputError
        If a development set says nothing, as no system has several runs, or has runs in another order.
    """
    if development is None:
        return corpus, None
    if all(len(system.runs) == 1 for system in corpus.systems):
        raise InputError(
            "a development set shows how runs vary, and every system has one run",
            hint="leave it out, or give several runs of a system",
        )
    elsewhere = _by_name(development)
    for system in corpus.systems:
        others = elsewhere[system.name].runs if system.name in elsewhere else ()
        if len(others) == len(system.runs):
            names, files = ([run.name for run in runs] for runs in (system.runs, others))
            check_run_order(system.name, names, files, "outputs on the development set")
    if _is_same_set(corpus, development):
        text = "the development set is the test set: s_dev is s_test, and the median run is that of the test set"
        corpus = replace(corpus, notes=(*corpus.notes, Note("development-is-test", text, warning=True)))
    return corpus, development


def _by_name(corpus: Corpus) -> dict[str, System]:
    return {system.name: system for system in corpus.systems}


def _is_same_set(corpus: Corpus, development: Corpus) -> bool:
    """Return whether the two have the same references, or a system the same outputs on both."""
    if corpus.references and corpus.references == development.references:
        return True
    elsewhere = _by_name(development)
    return any(
        _same_run(mine, other)
        for system in corpus.systems
        if system.name in elsewhere
        for mine, other in zip(system.runs, elsewhere[system.name].runs, strict=False)
    )


def _same_run(run: Run, other: Run) -> bool:
    """Return whether two runs have the same outputs, scores and answers."""
    return (
        run.outputs == other.outputs
        and run.scores.keys() == other.scores.keys()
        and all(np.array_equal(run.scores[key], other.scores[key], equal_nan=True) for key in run.scores)
        and run.answers.keys() == other.answers.keys()
        and all(np.array_equal(run.answers[key].values, other.answers[key].values) for key in run.answers)
    )
