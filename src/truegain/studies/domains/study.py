"""Does it hold on other test sets? P on one against the sign on another, and on the population it was drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from numbers import Real

import numpy as np

from truegain.corpus import Corpus
from truegain.errors import InputError, Setting
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, check_count, check_options
from truegain.inference.agreement import Kinds, Signs, signs_of
from truegain.inference.all_pairs import AllPairs, pairs_of
from truegain.notes import Note
from truegain.report.model import whole
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.streams import Stream
from truegain.settings.domains import BINS, DomainsOptions
from truegain.settings.function import takes
from truegain.studies.checks import check_directions, shared_segments
from truegain.studies.domains.draws import Counted, count_draws
from truegain.studies.domains.parts import SetPair, SetScore, TestedSet
from truegain.studies.domains.result import DomainsResult
from truegain.studies.domains.sets import by_domain, with_the_same_systems
from truegain.studies.domains.shares import Level, compared, pooled_of, population_of, transfer_of
from truegain.studies.domains.thresholds import common_sizes, set_thresholds
from truegain.studies.given import corpus_of, sets_of
from truegain.version import __version__

_RESAMPLES_OF_SYSTEMS = 2_000
_FEW_SYSTEMS = 10
_POOLED = 3  # sets from which on transfers are pooled


@takes(DomainsOptions)
def domains(options: DomainsOptions) -> DomainsResult:
    """See whether differences between systems hold on other test sets, or in other domains of one.

    Every two systems are tested on every set, one-sided, for the one with the better score there. From each set to each
    other: by p on the first, how often the second has the same sign. And for each set as the population: test sets
    are drawn from it, and by p on a draw, how often the sign is that of the whole set (Berg-Kirkpatrick et al. 2012,
    section 4).

    Every domain is a set. Or, in place of the references, several sets with the same systems are given: a mapping of
    names to corpora, or to references, systems and, if known, documents; or a sequence of corpora. Several runs of a
    system are averaged. Of every metric one way must be the better one.
    """
    alpha, resamples, draw_resamples, seed = options.alpha, options.resamples, options.draw_resamples, options.seed
    unit, sizes, draws, jobs = options.unit, options.sizes, options.draws, available_jobs(options.jobs)
    check_options(options)
    _check_choices(sizes, draws, draw_resamples)
    bins = _checked_bins(options.bins)
    corpora = _sets(options)
    sets = with_the_same_systems(corpora)
    if len(sets[0].systems) < 2:
        raise InputError(f"there is only one system, {sets[0].systems[0].name!r}; differences need two")
    if len(sets) == 1 and draws == 0:
        raise InputError(
            "there is one test set, and nothing is drawn from it", hint=("give another set, or ", Setting("draws"))
        )
    experiments = [_prepared(corpus, options) for corpus in sets]
    systems = len(sets[0].systems)
    drawn = bootstrap_counts(resample_keys(seed, Stream.DOMAIN_SYSTEMS, 0, _RESAMPLES_OF_SYSTEMS), systems)
    level = Level(Kinds(bins, alpha), systems, drawn)
    found = [_signs(experiment, resamples, jobs) for experiment in experiments] if len(sets) > 1 else []
    infos = experiments[0].metric_infos()
    ways = [(i, j) for i in range(len(found)) for j in range(len(found)) if i != j]
    counted = [[compared(found[i][m], found[j][m], level.kinds) for i, j in ways] for m in range(len(infos))]
    transfers = [
        transfer_of(metric.key, sets[i].name, sets[j].name, one, level)
        for metric, own in zip(infos, counted, strict=True)
        for (i, j), one in zip(ways, own, strict=True)
    ]
    tested = [_tested(experiment) for experiment in experiments]
    drawn_sizes = [tuple(sizes) or (experiment.units.count,) for experiment in experiments] if draws else []
    draws_of = [
        {size: _draws(experiment, size, draws, level, draw_resamples) for size in own}
        for experiment, own in zip(experiments, drawn_sizes, strict=False)
    ]
    thresholds = {
        (metric, size): set_thresholds(metric.key, size, tested, [own[size][m] for own in draws_of], level)
        for m, metric in enumerate(infos)
        for size in common_sizes(drawn_sizes)
    }
    return DomainsResult(
        sets=tuple(tested),
        metrics=infos,
        scores=tuple(one for experiment in experiments for one in _scores(experiment)),
        pairs=tuple(_pairs(experiments, found)) if found else (),
        transfers=tuple(transfers),
        pooled=tuple(pooled_of(metric.key, own, level) for metric, own in zip(infos, counted, strict=True))
        if len(sets) >= _POOLED
        else (),
        populations=tuple(
            population_of(corpus.name, metric.key, size, draws, one, level)
            for corpus, own in zip(sets, draws_of, strict=False)
            for size, found_there in own.items()
            for metric, one in zip(infos, found_there, strict=True)
        ),
        thresholds=tuple(one for own in thresholds.values() for one in own),
        alpha=alpha,
        resamples=resamples,
        draw_resamples=draw_resamples,
        seed=seed,
        bins=bins,
        signature=(
            f"domains|test:bootstrap|one-sided|unit:{unit}|alpha:{alpha:g}|R:{resamples}|draws:{draws}"
            f"{'' if bins == BINS else '|bins:' + ','.join(f'{end:g}' for end in bins)}"
            f"{'' if not sizes else '|sizes:' + ','.join(map(str, sizes))}|draw-R:{draw_resamples}"
            f"|seed:{seed}|version:{__version__}"
        ),
        notes=(
            *shared_segments(sets, "that the two agree says little about new segments"),
            *_notes(experiments),
            *(
                Note(
                    "same",
                    f"On some set no difference varies, so no threshold is found for {size:,} units",
                    scope=m.label,
                )
                for (m, size), own in thresholds.items()
                if not own
            ),
        ),
    )


def _sets(options: DomainsOptions) -> list[Corpus]:
    """Return several test sets, or the domains of one."""
    given = options.references
    several = isinstance(given, Mapping) or (
        isinstance(given, Sequence) and bool(given) and all(isinstance(one, Corpus) for one in given)
    )
    if not several:
        return by_domain(corpus_of(options))
    if not options.systems is options.sources is options.documents is options.domains is None:
        raise TypeError("several sets hold their systems, sources, documents and domains already")
    return sets_of(given)


def _check_choices(sizes: Sequence[int], draws: int, draw_resamples: int) -> None:
    if any(size < 2 for size in sizes):
        raise InputError(f"a test set that is drawn must have 2 units or more; got {min(sizes)}")
    if len(set(sizes)) < len(sizes):
        raise InputError("a size of test sets is asked for twice")
    check_count("units to draw", max(sizes, default=1))
    check_count("draws", draws, least=0)
    check_count("resamples", draw_resamples)


def _checked_bins(bins: Sequence[float]) -> tuple[float, ...]:
    if not bins or not all(isinstance(end, Real) for end in bins):
        raise InputError(f"the bins of p must end at one number or more; got {bins!r}")
    if not all(low < high for low, high in pairwise((0.0, *bins, 1.0))):
        raise InputError(
            f"the ends of the bins of p must increase, between 0 and 1; got {', '.join(f'{end:g}' for end in bins)}",
            hint="the last bin, up to 1, is implied",
        )
    return tuple(float(end) for end in bins)


def _prepared(corpus: Corpus, options: DomainsOptions) -> Experiment:
    experiment = Experiment.prepare(
        corpus,
        options.metrics,
        unit=options.unit,
        strata="none",
        seed=options.seed,
        jobs=available_jobs(options.jobs),
        cache=options.cache,
        engine=options.engine,
        executor=options.executor,
        progress=options.progress,
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
    """Return all pairs on a set, metric by metric."""
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


def _draws(experiment: Experiment, size: int, draws: int, level: Level, resamples: int) -> list[Counted]:
    return count_draws(
        experiment,
        size,
        draws,
        kinds=level.kinds,
        resamples=resamples,
        progress=experiment.reporter(f"draws from {experiment.corpus.name}", draws),
    )


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


def _notes(experiments: Sequence[Experiment]) -> list[Note]:
    notes: list[Note] = []
    several = len(experiments) > 1
    for experiment in experiments:
        few = experiment.few_units_note()
        own = [*experiment.notes, *([] if few is None else [few])]
        notes += [note.about(experiment.corpus.name) if several else note for note in own]
    systems = len(experiments[0].corpus.systems)
    if systems < _FEW_SYSTEMS:
        text = (
            f"With {whole(systems, 'system')} the intervals of shares are rough: they are for other systems like these"
        )
        notes.append(Note("few-systems", text))
    return notes
