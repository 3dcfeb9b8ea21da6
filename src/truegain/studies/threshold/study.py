"""Gain that is usually significant on a test set, from all pairs of systems: Berg-Kirkpatrick et al. (2012, 3.1)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, command
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, check_options
from truegain.inference.all_pairs import AllPairs, pairs_of
from truegain.inference.distributions import normal_quantile
from truegain.inference.thresholds import FEWEST_IN_BAND, drawn_interval, drawn_percentiles, in_band, percentile
from truegain.notes import Note
from truegain.procedures.raters import held_raters
from truegain.report.model import listing, whole
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.streams import Stream
from truegain.resampling.units import UnitKind
from truegain.settings.function import takes
from truegain.settings.threshold import ThresholdOptions
from truegain.statistics import Block
from truegain.studies.checks import block_notes, check_blocks, check_directions, check_several_units, units_signature
from truegain.studies.given import corpus_of
from truegain.studies.threshold.groups import Groups, groups_of
from truegain.studies.threshold.parts import GROUPS, GainPair, Labelled, Threshold
from truegain.studies.threshold.result import ThresholdResult
from truegain.studies.threshold.sizes import at_sizes, chosen_sizes
from truegain.version import __version__

_DRAWS = 1_000  # of systems
_FEWEST_SYSTEMS = 3  # for an interval
_FEW_SYSTEMS = 10  # for one that means much
_INTERVALS = 0.95
_NAMED = 3


@takes(ThresholdOptions)
def threshold(options: ThresholdOptions) -> ThresholdResult:
    """Find the gain that is usually significant on a test set, from all pairs of systems.

    Every pair is tested by the paired bootstrap, one-sided, in favour of the system with the better score; it would be
    significant at a gain of the normal quantile times its standard error. The threshold is the 95th percentile of
    these over pairs (Berg-Kirkpatrick et al. 2012, section 3.1). Intervals need three systems; of every metric one way
    must be the better one.
    """
    alpha, resamples, seed, sizes = options.alpha, options.resamples, options.seed, options.sizes
    subsets, repetitions = options.subsets, options.repetitions
    corpus, jobs = corpus_of(options), available_jobs(options.jobs)
    check_options(options)
    _check_choices(corpus, options)
    names = [system.name for system in corpus.systems]
    groups = groups_of(names, options.groups, options.pair_classes)
    experiment = Experiment.of(corpus, options)
    check_directions(experiment, "has no gains")
    check_several_units(experiment)
    if options.unit == "block":
        experiment = experiment.in_blocks(list(itertools.combinations(range(len(names)), 2)))
    chosen = chosen_sizes(sizes, experiment.units.count, experiment.units.noun) if sizes else ()
    quantile = normal_quantile(1.0 - alpha)
    systems = None
    if len(names) >= _FEWEST_SYSTEMS:
        keys = resample_keys(seed, Stream.THRESHOLD_SYSTEMS, 0, _DRAWS)
        systems = bootstrap_counts(keys, len(names)).astype(np.float64)
    looked = [experiment]
    if experiment.units.kind == "document" and experiment.units.count < corpus.segments:
        looked.append(experiment.on_segments)
    found = [_tested(one, resamples, jobs) for one in looked]
    thresholds = [
        one
        for m, block in enumerate(experiment.statistics.blocks)
        for by, tested in zip(looked, found, strict=True)
        for one in _thresholds(block, by.units.kind, tested[m], groups, quantile, alpha, systems)
    ]
    pairs = [
        one
        for block, tested in zip(experiment.statistics.blocks, found[0], strict=True)
        for one in _pairs(block, tested, names, groups.of_pairs)
    ]
    points, laws = (
        at_sizes(
            experiment,
            chosen,
            subsets=subsets,
            repetitions=repetitions,
            resamples=resamples,
            quantile=quantile,
            counted=[one.differs for one in found[0]],
            systems=systems,
            jobs=jobs,
        )
        if chosen
        else ((), ())
    )
    return ThresholdResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        scores=experiment.system_results(resamples, _INTERVALS, "auto"),
        thresholds=tuple(thresholds),
        pairs=tuple(pairs),
        labels=tuple(Labelled(name, label) for name, label in groups.labels.items()),
        sizes=points,
        laws=laws,
        subsets=subsets,
        alpha=alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=resamples,
        draws=0 if systems is None else _DRAWS,
        seed=seed,
        signature=(
            f"threshold|test:{_test(experiment)}|{units_signature(experiment.units)}"
            f"|alpha:{alpha:g}|one-sided|R:{resamples}|draws:{0 if systems is None else _DRAWS}"
            f"{f'|subsets:{subsets}' if chosen else ''}"
            f"{f'|repetitions:{repetitions}' if chosen and subsets == 'random' else ''}"
            f"|seed:{seed}|version:{__version__}"
        ),
        classes=groups.classes,
        notes=(
            *experiment.notes,
            *held_raters(experiment),
            *_notes(experiment, found[0], groups),
            *_impossible(experiment, thresholds),
            *_too_few(resamples, alpha),
        ),
    )


def _test(experiment: Experiment) -> str:
    return "stationary-bootstrap" if experiment.units.kind == "block" else "bootstrap"


def _check_choices(corpus: Corpus, options: ThresholdOptions) -> None:
    if len(corpus.systems) < 2:
        raise InputError(
            f"there is only one system, {corpus.systems[0].name!r}; a threshold needs pairs of them",
            hint=(command("plan"), " finds what gain a test set can show from assumptions"),
        )
    if options.repetitions < 1:
        raise InputError(f"the number of repetitions must be at least 1; got {options.repetitions}")
    if options.unit == "block" and options.sizes:
        raise InputError(
            "parts of the test set are made of segments or documents, not of blocks",
            hint=("leave out ", Setting("sizes"), ", or take another ", Setting("unit")),
        )
    check_blocks(unit=options.unit, block_length=options.block_length)


@dataclass(frozen=True)
class _Tested:
    """All pairs under a metric, in the order of :func:`itertools.combinations`; deltas have their signs."""

    deltas: NDArray[np.float64]
    p: NDArray[np.float64]
    exceedances: NDArray[np.int64]
    errors: NDArray[np.float64]
    differs: NDArray[np.bool_]


def _tested(experiment: Experiment, resamples: int, jobs: int) -> list[_Tested]:
    resampled = experiment.bootstrap(resamples)
    report = experiment.reporter("pairs", 2 * len(resampled) * resamples)
    found = []
    given = zip(experiment.statistics.blocks, experiment.scores, experiment.rounding, resampled, strict=True)
    for block, observed, rounded, scores in given:
        pairs = AllPairs(
            observed,
            scores,
            lower_is_better=block.metric.higher_is_better is False,
            factor=experiment.factor(0.95),
            jobs=jobs,
            progress=report,
            rounded=rounded,
        )
        counts, errors = pairs.wins(), pairs.spreads()
        differs = errors > pairs.slacks
        if not differs.any():
            raise InputError(
                f"no difference between systems varies under {block.metric.label}: they are the same, or apart by as "
                "much on every segment",
                hint="are these the files of different systems?",
            )
        p = (counts + 1) / (resamples + 1)
        found.append(_Tested(pairs.deltas, p, counts, np.where(differs, errors, 0.0), differs))
    return found


def _thresholds(
    block: Block,
    unit: UnitKind,
    tested: _Tested,
    groups: Groups,
    quantile: float,
    alpha: float,
    systems: NDArray[np.float64] | None,
) -> list[Threshold]:
    """Return thresholds of all pairs and of their groups, if there are any."""
    count = round((1 + np.sqrt(1 + 8 * tested.p.size)) / 2)
    firsts, seconds = pairs_of(count)
    near = in_band(tested.p, alpha)
    found = []
    for group in ("all", *(groups.classes or GROUPS[1:])):
        mine = tested.differs & np.array([group in ("all", kind) for kind in groups.of_pairs])
        if not mine.any():
            continue
        needed = quantile * tested.errors[mine]
        gain = percentile(needed)
        low, high = None, None
        if systems is not None and _distinct(tested.differs, count) >= _FEWEST_SYSTEMS:
            drawn = drawn_percentiles(needed, firsts[mine], seconds[mine], systems)
            low, high = drawn_interval(gain, drawn, count, ratio=True)
        band = np.abs(tested.deltas[mine & near])
        found.append(
            Threshold(
                metric=block.key,
                group=group,
                unit=unit,
                pairs=int(np.count_nonzero(mine)),
                gain=gain,
                low=low,
                high=high,
                in_band=band.size,
                band_gain=percentile(band) if band.size >= FEWEST_IN_BAND else None,
            )
        )
    return found


def _distinct(differs: NDArray[np.bool_], systems: int) -> int:
    """Count the systems without copies of others."""
    copies = {b for (_, b), one in zip(itertools.combinations(range(systems), 2), differs, strict=True) if not one}
    return systems - len(copies)


def _pairs(block: Block, tested: _Tested, names: Sequence[str], kinds: Sequence[str | None]) -> list[GainPair]:
    found = []
    for i, (first, second) in enumerate(itertools.combinations(names, 2)):
        delta = float(tested.deltas[i])
        worse, better = (second, first) if delta < 0.0 else (first, second)
        found.append(
            GainPair(
                metric=block.key,
                baseline=worse,
                system=better,
                group=kinds[i],
                delta=abs(delta),
                p=float(tested.p[i]),
                exceedances=int(tested.exceedances[i]),
                se=float(tested.errors[i]),
            )
        )
    return found


def _impossible(experiment: Experiment, thresholds: Sequence[Threshold]) -> list[Note]:
    """Note thresholds beyond any gain that the metric can have."""
    notes = []
    noun = experiment.units.noun
    for m, block in enumerate(experiment.statistics.blocks):
        low, high = experiment.limits(m, *range(len(experiment.corpus.systems)))
        if any(one.metric == block.key and one.gain > high - low for one in thresholds):
            text = f"no gain that is possible, at most {high - low:g}, is usually significant on so few {noun}s"
            notes.append(Note("no-possible-gain", text, scope=block.metric.label))
    return notes


def _too_few(resamples: int, alpha: float) -> list[Note]:
    if 1 / (resamples + 1) <= alpha:
        return []
    text = f"With {resamples:,} resamples no p can be {alpha:g} or less; use more resamples"
    return [Note("few-resamples", text)]


def _notes(experiment: Experiment, found: Sequence[_Tested], groups: Groups) -> list[Note]:
    notes = []
    few = experiment.few_units_note()
    if few is not None:
        notes.append(few)
    notes.extend(block_notes(experiment, (), "difference", shared=True))
    count = len(experiment.corpus.systems)
    if count < _FEWEST_SYSTEMS:
        text = "With two systems there is one pair, and nothing can be said of other systems: there is no interval"
        notes.append(Note("few-systems", text))
    elif count < _FEW_SYSTEMS:
        text = f"{count} systems say little about other systems: the interval over systems is a rough one"
        notes.append(Note("few-systems", text))
    if len(set(groups.labels.values())) == 1:
        text = f"All systems have the label {next(iter(groups.labels.values()))!r}, so there are no different ones"
        notes.append(Note("one-label", text))
    without = groups.of_pairs.count(None)
    if groups.classes and without:
        text = f"{without:,} of {whole(len(groups.of_pairs), 'pair')} are in no class, and count among all pairs only"
        notes.append(Note("no-class", text))
    if any(len(system.runs) > 1 for system in experiment.corpus.systems):
        text = "Scores are means over runs, and the runs are held fixed: new runs would need larger gains"
        notes.append(Note("held-runs", text))
    names = [system.name for system in experiment.corpus.systems]
    for block, one in zip(experiment.statistics.blocks, found, strict=True):
        same = [
            pair for pair, differs in zip(itertools.combinations(names, 2), one.differs, strict=True) if not differs
        ]
        if same:
            told = listing([f"{first} and {second}" for first, second in same[:_NAMED]])
            more = f" (and {len(same) - _NAMED:,} more pairs)" if len(same) > _NAMED else ""
            text = f"the difference between {told} never varies{more}; no threshold counts such a pair"
            notes.append(Note("same", text, scope=block.metric.label))
        if _distinct(one.differs, count) < min(count, _FEWEST_SYSTEMS):
            text = "without copies there are two systems, so there is no interval over systems"
            notes.append(Note("few-systems", text, scope=block.metric.label))
    return notes
