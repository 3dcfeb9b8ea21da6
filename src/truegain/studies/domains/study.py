"""Does it hold on other test sets? P on one against the sign on another, and on the population it was drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from truegain.cache import Cache
from truegain.corpus import Corpus
from truegain.engines.base import Engine
from truegain.errors import InputError, one_of
from truegain.experiment import Experiment, Progress, UnitChoice, check_count, check_options
from truegain.inference.agreement import Signs, signs_of
from truegain.inference.all_pairs import AllPairs, pairs_of
from truegain.metrics.base import Metric
from truegain.report.model import whole
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.studies.checks import check_directions
from truegain.studies.domains.draws import count_draws
from truegain.studies.domains.parts import Population, SetPair, SetScore, TestedSet
from truegain.studies.domains.result import DomainsResult
from truegain.studies.domains.sets import with_the_same_systems
from truegain.studies.domains.shares import Level, population_of, transfer_of
from truegain.version import __version__

__all__ = ["DOMAIN_UNITS", "domains"]

#: What can be resampled: what a new test set is made of.
DOMAIN_UNITS: tuple[UnitChoice, ...] = ("auto", "segment", "document")

_SYSTEMS = 503  # a stream of random numbers, beside those in domain_draws.py
_RESAMPLES_OF_SYSTEMS = 2_000
_FEW_SYSTEMS = 10


def domains(
    corpora: Sequence[Corpus],
    *,
    metrics: Sequence[str | Metric] | Mapping[str, Metric] = ("bleu",),
    unit: UnitChoice = "auto",
    sizes: Sequence[int] = (),
    draws: int = 200,
    alpha: float = 0.05,
    resamples: int = 10_000,
    draw_resamples: int = 1_000,
    seed: int = 12345,
    jobs: int = 1,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
    progress: Progress | None = None,
) -> DomainsResult:
    """See whether differences between systems hold on other test sets (Berg-Kirkpatrick et al. 2012, section 4).

    See :func:`truegain.domains` for the parameters.
    """
    check_options(alpha=alpha, resamples=resamples, seed=seed, interval="percentile", jobs=jobs)
    _check_choices(unit, sizes, draws, draw_resamples)
    sets = with_the_same_systems(corpora)
    if len(sets[0].systems) < 2:
        raise InputError(f"there is only one system, {sets[0].systems[0].name!r}; differences need two")
    if len(sets) == 1 and draws == 0:
        raise InputError("there is one test set, and nothing is drawn from it", hint="give another set, or --draws")
    experiments = [
        _prepared(corpus, metrics, unit=unit, seed=seed, jobs=jobs, cache=cache, engine=engine, progress=progress)
        for corpus in sets
    ]
    systems = len(sets[0].systems)
    drawn = bootstrap_counts(resample_keys(seed, _SYSTEMS, 0, _RESAMPLES_OF_SYSTEMS), systems)
    level = Level(alpha, systems, drawn)
    found = [_signs(experiment, resamples, jobs) for experiment in experiments] if len(sets) > 1 else []
    infos = experiments[0].metric_infos()
    transfers = [
        transfer_of(metric.key, (sets[i].name, found[i][m]), (sets[j].name, found[j][m]), level)
        for m, metric in enumerate(infos)
        for i in range(len(found))
        for j in range(len(found))
        if i != j
    ]
    return DomainsResult(
        sets=tuple(_tested(experiment) for experiment in experiments),
        metrics=infos,
        scores=tuple(one for experiment in experiments for one in _scores(experiment)),
        pairs=tuple(_pairs(experiments, found)) if found else (),
        transfers=tuple(transfers),
        populations=tuple(
            one
            for experiment in experiments
            for size in (sizes or (experiment.units.count,))
            for one in _populations(experiment, size, draws, level, draw_resamples)
        )
        if draws
        else (),
        alpha=alpha,
        resamples=resamples,
        draw_resamples=draw_resamples,
        seed=seed,
        signature=(
            f"domains|test:bootstrap|one-sided|unit:{unit}|alpha:{alpha:g}|R:{resamples}|draws:{draws}"
            f"{'' if not sizes else '|sizes:' + ','.join(map(str, sizes))}|draw-R:{draw_resamples}"
            f"|seed:{seed}|version:{__version__}"
        ),
        notes=tuple(_notes(experiments)),
    )


def _check_choices(unit: str, sizes: Sequence[int], draws: int, draw_resamples: int) -> None:
    if unit not in DOMAIN_UNITS:
        raise one_of("unit", unit, list(DOMAIN_UNITS))
    if any(size < 2 for size in sizes):
        raise InputError(f"a test set that is drawn must have 2 units or more; got {min(sizes)}")
    if len(set(sizes)) < len(sizes):
        raise InputError("a size of test sets is asked for twice")
    check_count("units to draw", max(sizes, default=1))
    check_count("draws", draws, least=0)
    check_count("resamples", draw_resamples)


def _prepared(
    corpus: Corpus,
    metrics: Sequence[str | Metric] | Mapping[str, Metric],
    *,
    unit: UnitChoice,
    seed: int,
    jobs: int,
    cache: Cache | None,
    engine: Engine | str | None,
    progress: Progress | None,
) -> Experiment:
    experiment = Experiment.prepare(
        corpus,
        metrics,
        unit=unit,
        strata="none",
        seed=seed,
        jobs=jobs,
        cache=cache,
        engine=engine,
        progress=progress,
    )
    hint = "leave it out: which of two systems is better is the question here"
    check_directions(experiment, "has no better side", hint)
    if experiment.units.count < 2:
        raise InputError(
            f"the test set {corpus.name!r} is one segment: no test can tell a difference from chance on it",
            hint="leave it out, or join it with another",
        )
    return experiment


def _signs(experiment: Experiment, resamples: int, jobs: int) -> list[Signs]:
    """All pairs on a set, metric by metric."""
    return [
        signs_of(
            AllPairs(
                observed,
                scores,
                lower_is_better=block.metric.higher_is_better is False,
                factor=experiment.factor(0.95),
                jobs=jobs,
                rounded=rounded,
            )
        )
        for block, observed, rounded, scores in zip(
            experiment.statistics.blocks,
            experiment.scores,
            experiment.rounding,
            experiment.bootstrap(resamples),
            strict=True,
        )
    ]


def _populations(
    experiment: Experiment,
    size: int,
    draws: int,
    level: Level,
    resamples: int,
) -> list[Population]:
    counted = count_draws(
        experiment,
        size,
        draws,
        alpha=level.alpha,
        resamples=resamples,
        progress=experiment.reporter(f"draws from {experiment.corpus.name}", draws),
    )
    return [
        population_of(experiment.corpus.name, block.key, size, draws, one, level)
        for block, one in zip(experiment.statistics.blocks, counted, strict=True)
    ]


def _tested(experiment: Experiment) -> TestedSet:
    testset = experiment.testset()
    return TestedSet(
        name=testset.name,
        segments=testset.segments,
        documents=testset.documents,
        references=testset.references,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        fingerprint=testset.fingerprint,
        inputs=testset.inputs,
    )


def _scores(experiment: Experiment) -> list[SetScore]:
    corpus = experiment.corpus
    return [
        SetScore(block.key, corpus.name, system.name, float(score), len(system.runs))
        for block, scores in zip(experiment.statistics.blocks, experiment.scores, strict=True)
        for system, score in zip(corpus.systems, scores, strict=True)
    ]


def _pairs(experiments: Sequence[Experiment], found: Sequence[Sequence[Signs]]) -> list[SetPair]:
    names = [system.name for system in experiments[0].corpus.systems]
    firsts, seconds = (one.tolist() for one in pairs_of(len(names)))
    made = []
    for m, block in enumerate(experiments[0].statistics.blocks):
        deltas = np.stack([one[m].deltas for one in found], axis=1).tolist()
        p = np.stack([one[m].p for one in found], axis=1).tolist()
        made += [
            SetPair(block.key, names[a], names[b], tuple(delta), tuple(own))
            for a, b, delta, own in zip(firsts, seconds, deltas, p, strict=True)
        ]
    return made


def _notes(experiments: Sequence[Experiment]) -> list[str]:
    notes: list[str] = []
    several = len(experiments) > 1
    for experiment in experiments:
        few = experiment.few_units_note()
        own = [*experiment.notes, *([] if few is None else [few])]
        notes += [f"{experiment.corpus.name}: {note}" if several else note for note in own]
    systems = len(experiments[0].corpus.systems)
    if systems < _FEW_SYSTEMS:
        notes.append(
            f"With {whole(systems, 'system')} the intervals of shares are rough: they are for other systems like these"
        )
    return notes
