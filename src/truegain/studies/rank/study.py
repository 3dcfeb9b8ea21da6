"""Ranking of systems that claims only what is shown."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, command, one_of
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, check_options
from truegain.inference.claims import Claim, held_runs
from truegain.inference.multiplicity import MAXT, adjust
from truegain.inference.pvalues import clopper_pearson, undecided_counts
from truegain.inference.ranking import rank_systems
from truegain.notes import Note
from truegain.procedures.base import Pair, Trial
from truegain.procedures.lookup import new_raters
from truegain.registry import CLOSED_FORM, TESTS, size_off_level
from truegain.report.model import listing, whole
from truegain.settings.function import takes
from truegain.settings.rank import RankOptions
from truegain.statistics import Block
from truegain.studies.checks import (
    block_notes,
    check_blocks,
    check_directions,
    check_several_units,
    correlation_notes,
    few_notes,
    intervals_signature,
    not_shared,
    one_run_notes,
    segment_notes,
    tail_notes,
    units_signature,
)
from truegain.studies.given import corpus_of
from truegain.studies.rank.parts import Placed, RankedPair
from truegain.studies.rank.result import RankResult
from truegain.studies.rank.tested import Found, by_bootstrap, by_procedure, held_resamples
from truegain.version import __version__

_SHARED = ("bootstrap", "ar")  # tests whose resamples all pairs share
_WITHOUT_BLOCKS = ("ar", "crossed", "raters")


@takes(RankOptions)
def rank(options: RankOptions) -> RankResult:
    """Rank systems by which are shown to be better than which: rank intervals, clusters and letters.

    All pairs are tested, two-sided, metric by metric. The bootstrap needs only each system's score on every
    resample, which all pairs share, so that hundreds of systems take little more than their scores. Of every metric one
    way must be the better one.
    """
    corpus = corpus_of(options)
    check_options(options)
    _check_choices(corpus, options)
    if options.by is None:
        return _ranked(corpus, options)
    from truegain.studies.grouping import check_grouping
    from truegain.studies.rank.groups import groups_of

    check_grouping(corpus, options.by, options.unit)
    result = _ranked(corpus, options)
    return replace(result, groups=groups_of(corpus, options, _ranked))


def _ranked(corpus: Corpus, options: RankOptions, prepared: Experiment | None = None) -> RankResult:
    """Rank the systems of a corpus, which may be scored already, under these metrics and with these units."""
    alpha, interval, resamples, seed = options.alpha, options.interval, options.resamples, options.seed
    test, jobs = options.test, available_jobs(options.jobs)
    if test == "stationary-bootstrap":
        options = options.changed(unit="block" if options.unit in ("auto", "segment") else options.unit)
        test = "bootstrap"
    experiment = prepared or Experiment.of(corpus, options)
    check_directions(experiment, "cannot rank systems")
    check_several_units(experiment)
    pairs = tuple(Pair(a, b) for a, b in itertools.combinations(range(len(corpus.systems)), 2))
    if options.unit == "block":
        experiment = experiment.in_blocks([(pair.baseline, pair.system) for pair in pairs])
    chosen = _chosen_test(experiment, test, options.adjust)
    adjusting = _chosen_adjustment(chosen, options.adjust)
    trial = Trial(experiment, pairs, alpha=alpha, resamples=resamples, joint=adjusting == MAXT)
    shared = chosen == "bootstrap" and not trial.apart
    found = by_bootstrap(trial, adjusting, jobs) if shared else by_procedure(trial, chosen, adjusting)
    ranked: list[RankedPair] = []
    placed: list[Placed] = []
    for m, block in enumerate(experiment.statistics.blocks):
        ranked += _pairs(trial, block, found[m])
        placed += _places(trial, block, experiment.scores[m], found[m])
    tested = _tested(trial, chosen, found[0])
    scores = experiment.system_results(held_resamples(trial), 1.0 - alpha, interval)
    return RankResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        scores=scores,
        ranking=tuple(placed),
        pairs=tuple(ranked),
        test=tested.test,
        adjust=adjusting,
        claim=tested.claim,
        alpha=alpha,
        unit=tested.unit,
        n_units=tested.n_units,
        resamples=resamples,
        seed=seed,
        signature=(
            f"rank|test:{tested.test}|{units_signature(experiment.units)}"
            f"{'' if options.by is None else f'|by:{options.by}'}"
            f"|alpha:{alpha:g}|adjust:{adjusting}|{intervals_signature(scores, interval)}"
            f"|R:{resamples}|seed:{seed}|version:{__version__}"
        ),
        notes=(
            *experiment.notes,
            *few_notes(experiment, scores, resamples, alpha, p_values=_draws(chosen)),
            *_notes(trial, chosen, test, adjusting, found),
        ),
        standard_errors=options.standard_errors,
    )


class _Tested(NamedTuple):
    """The test of all pairs in the end, what it draws, and what it claims."""

    test: str
    unit: str
    n_units: int
    claim: Claim


def _tested(trial: Trial, chosen: str, found: Found) -> _Tested:
    """Return what was tested: units of its own if the test has such, else those that are drawn for intervals."""
    experiment, corpus = trial.experiment, trial.experiment.corpus
    units = experiment.units
    if TESTS[chosen].unit != "as chosen":
        first = found.outcomes[0]
        return _Tested(first.test, first.unit, first.n_units, first.claim)
    test = found.outcomes[0].test if found.outcomes else chosen
    counts = [len(system.runs) for system in corpus.systems]
    crossed = test == "crossed"
    claim = Claim(
        "new runs" if crossed else held_runs(several=max(counts) > 1, known=corpus.knows_runs),
        units.noun,
        raters=test == "raters",
        rater_noun=corpus.rater_noun,
        alike=crossed and min(counts) == 1,
    )
    blocks = units.kind == "block" and test == "bootstrap"
    return _Tested("stationary-bootstrap" if blocks else test, units.kind, units.count, claim)


def _draws(test: str) -> bool:
    """Return whether p-values of a test come from resamples."""
    return test not in CLOSED_FORM


def _check_choices(corpus: Corpus, options: RankOptions) -> None:
    if len(corpus.systems) < 2:
        raise InputError(
            f"there is only one system, {corpus.systems[0].name!r}; a ranking needs two",
            hint=(command("score"), " gives the score of one"),
        )
    if options.unit == "block" and options.test in _WITHOUT_BLOCKS:
        raise InputError(
            f"{options.test} needs segments or documents as units, not blocks",
            hint=("use ", Setting("test", "bootstrap")),
        )
    if options.test != "auto" and options.test not in TESTS:
        raise one_of("test", options.test, ["auto", *TESTS])
    drawn = options.unit == "block" or options.test == "stationary-bootstrap"
    check_blocks(unit=options.unit, block_length=options.block_length, interval=options.interval, drawn=drawn)


def _chosen_test(experiment: Experiment, test: str, adjustment: str) -> str:
    if test != "auto":
        return test
    counts = sorted(len(system.runs) for system in experiment.corpus.systems)
    if counts[1] > 1 and experiment.units.kind != "block":
        return "crossed"
    if new_raters(experiment):
        return "raters"
    everyone = range(len(experiment.corpus.systems))
    two_valued = all(experiment.has_two_values(m, *everyone) for m in range(len(experiment.statistics.blocks)))
    return "tango" if two_valued and adjustment != MAXT else "bootstrap"


def _chosen_adjustment(test: str, adjustment: str) -> str:
    if adjustment == "auto":
        return MAXT if test in _SHARED else "holm"
    if adjustment == MAXT and test in CLOSED_FORM:
        raise not_shared(test)
    return adjustment


def _pairs(trial: Trial, block: Block, found: Found) -> list[RankedPair]:
    names = [system.name for system in trial.experiment.corpus.systems]
    rows = zip(
        trial.pairs,
        found.deltas.tolist(),
        found.p.tolist(),
        found.adjusted.tolist(),
        found.exceedances.tolist(),
        found.standard_errors,
        found.favoured.tolist(),
        strict=True,
    )
    return [
        RankedPair(
            metric=block.key,
            baseline=names[pair.baseline],
            system=names[pair.system],
            delta=delta,
            p=p,
            p_adjusted=adjusted,
            exceedances=exceedances,
            standard_error=error,
            better=delta > 0.0 if adjusted <= trial.alpha and favoured else None,
        )
        for pair, delta, p, adjusted, exceedances, error, favoured in rows
    ]


def _places(trial: Trial, block: Block, scores: NDArray[np.float64], found: Found) -> list[Placed]:
    """Return the systems in the order of their scores."""
    count = scores.size
    better = np.zeros((count, count), bool)
    shown = (found.adjusted <= trial.alpha) & found.favoured
    olds, news = (np.array([getattr(pair, who) for pair in trial.pairs]) for who in ("baseline", "system"))
    better[news, olds] = shown & (found.deltas > 0.0)
    better[olds, news] = shown & (found.deltas < 0.0)
    ranking = rank_systems(-scores if block.metric.higher_is_better is False else scores, better)
    return [
        Placed(
            block.key,
            trial.experiment.corpus.systems[s].name,
            place,
            *ranking.ranks[s],
            ranking.clusters[s],
            ranking.letters[s],
        )
        for place, s in enumerate(ranking.order, 1)
    ]


def _notes(trial: Trial, chosen: str, asked: str, adjustment: str, found: Sequence[Found]) -> list[Note]:
    experiment = trial.experiment
    notes: list[Note] = []
    pairs = [(pair.baseline, pair.system) for pair in trial.pairs]
    notes.extend(block_notes(experiment, pairs, "difference", shared=trial.joint))
    notes.extend(correlation_notes(experiment, pairs if chosen == "tango" else ()))
    notes.extend(segment_notes(experiment, [chosen]))
    if (size := size_off_level(chosen)) is not None:
        text = f"{TESTS[chosen].label} rejects {100 * size:.0f} % of true nulls at 0.05"
        notes.append(Note("size", text, warning=True))
    notes.extend(tail_notes(experiment, [chosen], adjustment, len(pairs)))
    if experiment.corpus.raters is not None:
        from truegain.procedures.raters import rater_notes

        notes.extend(rater_notes(trial, chosen=asked == "auto"))
    if asked == "auto" or chosen == "crossed":
        notes.extend(one_run_notes(trial, trial.pairs if chosen == "crossed" else ()))
    for block, one in zip(experiment.statistics.blocks, found, strict=True):
        notes.extend(note.about(block.metric.label) for note in (*_same(experiment, block), *one.notes))
        unsure = _straddling(trial, one, adjustment)
        if unsure:
            text = f"the Monte-Carlo error of {whole(unsure, 'adjusted p-value')} straddles {trial.alpha:g}"
            notes.append(Note("straddling", f"{text}; use more resamples to decide", scope=block.metric.label))
    count, resamples = len(trial.pairs), trial.resamples
    if held_resamples(trial) < resamples:
        text = f"Intervals of scores are from the first {held_resamples(trial):,} resamples"
        notes.append(Note("held-resamples", text))
    if (
        _draws(chosen)
        and adjustment != MAXT
        and adjust([1 / (resamples + 1)] + [1.0] * (count - 1), adjustment)[0] > trial.alpha
    ):
        text = (
            f"With {resamples:,} resamples no p of {whole(count, 'pair')} can be below {trial.alpha:g} after adjustment"
        )
        notes.append(Note("few-resamples", f"{text}; use more resamples, or adjust by maxt"))
    return notes


def _same(experiment: Experiment, block: Block) -> list[Note]:
    """Name systems that have identical statistics on every segment: they share their ranks."""
    groups: dict[bytes, list[str]] = {}
    for s, system in enumerate(experiment.corpus.systems):
        groups.setdefault(experiment.statistics.values[:, block.system_columns(s)].tobytes(), []).append(system.name)
    same = [names for names in groups.values() if len(names) > 1]
    return [Note("same", f"{listing(names)} are the same on every segment") for names in same]


def _straddling(trial: Trial, found: Found, adjustment: str) -> int:
    """Count the decisions that might be others with other resamples, the other p-values being what they are."""
    alpha, resamples = trial.alpha, trial.resamples
    near = (found.adjusted > alpha / 10) & (found.adjusted < min(1.0, 10 * alpha)) & (found.deltas != 0.0)
    if adjustment == MAXT:
        counts = np.rint(found.adjusted * (resamples + 1)).astype(np.int64) - 1
    else:
        counts = found.exceedances
        near &= counts > 0  # else p follows from a distribution
    if adjustment in (MAXT, "none"):
        undecided = undecided_counts(resamples, alpha)
        return int(np.count_nonzero(near & (counts >= undecided.start) & (counts < undecided.stop)))
    distinct, places = np.unique(counts[near], return_inverse=True)
    ends = np.array([clopper_pearson(count, resamples) for count in distinct.tolist()]).reshape(-1, 2)
    low, high = ends[places].T * found.adjusted[near] / found.p[near]
    return int(np.count_nonzero((low <= alpha) & (alpha < high)))
