"""Variability of scores over runs and test sets (Clark et al. 2011, table 1)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.errors import InputError, Setting
from truegain.experiment.prepared import Experiment
from truegain.inference.results import SampleVariability, Variability
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
