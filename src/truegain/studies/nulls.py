"""Data of which the truth is known, made from the user's own: what tests are calibrated on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.errors import FILE, InputError, Setting
from truegain.experiment import Experiment, gain
from truegain.experiment.dependence import dependence_of
from truegain.inference.dependence import block_length
from truegain.notes import Note
from truegain.resampling.generator import resample_keys, swap_masks, uniforms
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units
from truegain.settings.calibrate import CalibrateOptions, NullUnitChoice
from truegain.statistics import Block, SegmentStatistics, check_defined, mean_of_runs
from truegain.words import Sentence

SWAPPED = Sentence("outputs of {size:,} of {count:,} {noun}s swapped at random")
DEALT = Sentence("runs dealt out at random, {runs} to each")
UNITS = Sentence("{units} are swapped, {why}: dependence between {noun}s is not covered")
AS_ASKED = "as asked"
TOO_FEW = "since they are too few to look for dependence between them"
UNCORRELATED = Sentence("since neighbours in the order of the files show no correlation (p = {p:.2g})")
CORRELATED = Sentence("since neighbours in the order of the files are correlated (p = {p:.2g})")
FEW_BLOCKS = Sentence("With only {count} blocks the rates are rough")
NEW_RUNS_ALONE = "Runs are dealt out on the same segments: this shows what tests say of new runs, not of new segments"
LEVELLED = (
    " So that neither system is better within what is swapped, outputs of the segments that differ least were swapped "
    "beforehand, one by one."
)
LARGE_GAIN = Sentence(
    "One system is far better than the other, and levelling that hides part of the dependence; two systems of nearly "
    "the same score would show it better"
)
EXCHANGED = Sentence(
    "a gain of {gain:g} is {share:.0f} % of the most that exchanging outputs can make; the standard error falls to "
    "{times:.2f} times its size, so this power is too high"
)

Floats = NDArray[np.float64]

_RELATIVE = 1e-9  # of the largest: below it, contributions that differ are as large
_ENOUGH_BLOCKS = 25
_EXCHANGED = 0.4  # of the most that exchanging can gain: beyond, the standard error is a tenth smaller and less
_LARGE = 0.3  # of a mean contribution over the root mean square: beyond, a tenth and more of the ratio is lost
_FEWEST_RUNS = 4  # to be dealt out to two


class Nulls(NamedTuple):
    """Makers of datasets without a difference, one for all metrics or one per metric, and what to say of them."""

    makers: tuple[SwappedUnits | SplitRuns, ...]
    made: dict[str, Any]  # how, and the unit that is swapped or dealt out, by the names of the result
    notes: tuple[Note, ...]
    levelled: str = ""  # a sentence on what was swapped beforehand


def nulls_of(experiment: Experiment, options: CalibrateOptions) -> Nulls:
    """Swap the outputs of two systems, or deal out the runs of one; see :func:`truegain.calibrate`."""
    systems = experiment.corpus.systems
    if len(systems) == 1:
        return _split(experiment, options)
    if len(systems) != 2:
        raise InputError(
            f"calibration takes two systems, or one with several runs; got {len(systems)} systems",
            hint="give two whose outputs can be swapped",
        )
    if options.runs is not None:
        raise InputError((Setting("runs"), " is for one system, whose runs are dealt out to two"))
    counts = [len(system.runs) for system in systems]
    if counts[0] != counts[1]:
        raise InputError(
            f"outputs are swapped run by run, and {systems[0].name!r} has {counts[0]} runs where "
            f"{systems[1].name!r} has {counts[1]}",
            hint="give both the same number of runs",
        )
    return _swapped(experiment, options)


def _swapped(experiment: Experiment, options: CalibrateOptions) -> Nulls:
    swapped = choose_null_units(experiment, options.null_unit)
    count, blocks = swapped.units.count, experiment.statistics.blocks
    size = count if options.size is None else options.size
    if not 2 <= size <= count:
        raise InputError(f"the size of a dataset must be from 2 to the {count:,} {swapped.noun}s there are; got {size}")
    nulls = SwappedUnits(experiment, swapped.units, options.size)
    if not nulls.contributions.any():
        first, second = (system.name for system in experiment.corpus.systems)
        raise InputError(
            f"{first!r} and {second!r} have the same {blocks[0].metric.label} on every segment",
            hint="swapping makes nothing new of them; give two systems that differ",
        )
    makers, notes, levelling = [nulls], list(swapped.notes), ""
    if swapped.kind != "segment":
        makers, levelling = [], LEVELLED
        for m, block in enumerate(blocks):
            level = levelled(alone(experiment, m))
            makers.append(replace(nulls, experiment=level.experiment))
            if level.gain > _LARGE:
                notes.append(Note("large-gain", LARGE_GAIN(), scope=block.metric.label))
    made = _made(SWAPPED(size=size, count=count, noun=swapped.noun), swapped.kind, count, swapped.block_length)
    return Nulls(tuple(makers), made, tuple(notes), levelling)


def _split(experiment: Experiment, options: CalibrateOptions) -> Nulls:
    (system,) = experiment.corpus.systems
    total = len(system.runs)
    if total < _FEWEST_RUNS:
        raise InputError(
            f"the runs of one system are dealt out to two, which takes four or more; {system.name!r} has {total}",
            hint=("give more runs, ", Setting("systems", {"NAME": "runs/*.txt"}), ", or two systems"),
        )
    for name, default in (("size", None), ("null_unit", "auto"), ("gain", None)):
        if getattr(options, name) != default:
            raise InputError((Setting(name), " is for two systems, whose outputs are swapped"))
    runs = total // 2 if options.runs is None else options.runs
    if not 1 <= runs <= total // 2:
        raise InputError(f"each of the two can get 1 to {total // 2} of the {total} runs; got {runs}")
    made = _made(DEALT(runs=runs), "run", total)
    return Nulls((SplitRuns(experiment, runs),), made, (Note("nulls", NEW_RUNS_ALONE),))


def _made(how: str, unit: str, count: int, length: int | None = None) -> dict[str, Any]:
    return {"how": how, "null_unit": unit, "n_null_units": count, "null_block_length": length}


def exchanged_notes(maker: SwappedUnits, wanted: float) -> Iterator[Note]:
    """Say so if a gain is near the most that exchanging outputs can make: they hardly vary then.

    An exchange wins with a probability of (1 + s) / 2, for a gain that is the share s of the most; its variance falls
    to 1 − s².
    """
    share = abs(2.0 * maker.tilt - 1.0)
    if share >= _EXCHANGED:
        text = EXCHANGED(gain=wanted, share=100.0 * share, times=math.sqrt(1.0 - share**2))
        yield Note("exchanged-gain", text, scope=maker.experiment.statistics.blocks[0].metric.label)


def alone(experiment: Experiment, m: int) -> Experiment:
    """Return the experiment with one of its metrics."""
    block = experiment.statistics.blocks[m]
    values = experiment.statistics.values[:, block.columns]
    return replace(experiment, statistics=SegmentStatistics(values, (replace(block, start=0),)))


class NullUnits(NamedTuple):
    """Units that are swapped as a whole, blocks with their length in segments, and why these."""

    kind: Literal["segment", "document", "block", "domain", "testset"]
    noun: str
    units: Units
    notes: tuple[Note, ...]
    block_length: int | None = None


def choose_null_units(experiment: Experiment, choice: NullUnitChoice) -> NullUnits:
    """Take the largest unit that is known, or suspected from the correlation of neighbours.

    Nulls of a smaller unit than the data's own show a level that tests do not keep on the data.
    """
    corpus = experiment.corpus
    if choice == "segment":
        return _segments(corpus, AS_ASKED)
    if choice == "block":
        return _blocks(corpus, AS_ASKED)
    if choice == "auto" and experiment.units.kind in ("domain", "testset"):
        return _whole(experiment.units)
    if corpus.documents is not None:
        documents = Units.documents(corpus.documents)
        if 1 < documents.count < corpus.segments:  # they group something
            return _whole(documents)
    if choice == "document":
        raise InputError(
            'null unit "document" needs document IDs, and more than one document',
            hint=("give them: ", Setting("documents", FILE)),
        )
    segments = experiment if experiment.units.kind == "segment" else experiment.on_segments
    segments = replace(segments, corpus=replace(corpus, documents=None))
    tests = dependence_of(segments, [(0, 1)], seed=experiment.seed).values()
    if not tests:
        return _segments(corpus, TOO_FEW)
    strongest = min(tests, key=attrgetter("p"))
    if strongest.found:
        return _blocks(corpus, CORRELATED(p=strongest.p))
    return _segments(corpus, UNCORRELATED(p=strongest.p))


def _whole(units: Units) -> NullUnits:
    note = Note("nulls", UNITS(units=f"Whole {units.noun}s", why="the largest unit known", noun=units.noun))
    return NullUnits(units.kind, units.noun, units, (note,))


def _segments(corpus: Corpus, why: str) -> NullUnits:
    note = Note("nulls", UNITS(units=f"Single {corpus.item_noun}s", why=why, noun=corpus.item_noun))
    return NullUnits("segment", "segment", Units.segments(corpus.segments), (note,))


def _blocks(corpus: Corpus, why: str) -> NullUnits:
    """Cut the segments in the order of the files, domain by domain, into blocks of one length."""
    length = block_length(corpus.segments)  # swaps of such blocks keep what Bartlett weights over as many lags do
    places: Counter[str] = Counter()
    ids = []
    for domain in corpus.domains or [""] * corpus.segments:
        ids.append(f"{domain}\t{places[domain] // length}")
        places[domain] += 1
    units = Units.groups("document", ids)  # of the kinds of groups the one that is most like it
    notes = [Note("nulls", UNITS(units=f"Blocks of {length} neighbouring segments", why=why, noun="block"))]
    if units.count < _ENOUGH_BLOCKS:
        notes.append(Note("few-blocks", FEW_BLOCKS(count=units.count)))
    return NullUnits("block", "block", units, tuple(notes), length)


#: Makes the dataset of a number, always the same: two systems, of which the difference is known.
DataMaker = Callable[[int], Experiment]


@dataclass(frozen=True)
class SwappedUnits:
    """Two systems whose outputs are swapped at random, unit by unit, so that neither is better; or one by a given gain.

    The systems have as many runs each; units of the experiment are what the tests resample. The second system gets the
    better output of a unit, by the first metric, with the probability ``tilt``.
    """

    experiment: Experiment
    swapped: Units  # documents if they are known, for segments of a document belong together
    size: int | None = None  # how many of these units a dataset has, drawn without replacement; by default all
    tilt: float = 0.5

    def __call__(self, repetition: int) -> Experiment:
        """Return the dataset of that number."""
        seed = self.experiment.seed
        count = self.swapped.count
        if self.tilt == 0.5:
            moved = swap_masks(resample_keys(seed, Stream.NULL_SWAPS, repetition, 1), count)[0].astype(bool)
        else:
            lucky = uniforms(resample_keys(seed, Stream.NULL_SWAPS, repetition, 1), count)[0] < self.tilt
            moved = (self.contributions > 0.0) != lucky
        values = self.experiment.statistics.values
        rows = np.arange(len(values))
        if self.size is not None and self.size < count:
            places = uniforms(resample_keys(seed, Stream.NULL_CHOICES, repetition, 1), count)[0]
            chosen = np.zeros(count, bool)
            chosen[np.argsort(places, kind="stable")[: self.size]] = True
            rows = np.flatnonzero(chosen[self.swapped.of_segment])
        made = values[rows]
        _swap(made, self.experiment.statistics.blocks, np.flatnonzero(moved[self.swapped.of_segment[rows]]))
        return retaken(self.experiment, rows, made, _seed(seed, repetition))

    @cached_property
    def contributions(self) -> Floats:
        """Contribution of each unit to the second system's gain."""
        block = self.experiment.statistics.blocks[0]
        values = self.swapped.sums(self.experiment.statistics.values)
        return _contributions(block, *(values[:, block.system_columns(s)] for s in (0, 1)))

    def with_gain(self, wanted: float) -> SwappedUnits:
        """Return the same with the second system better by that much on average.

        Each unit's better output goes to it with a probability above one half, the same for all units.
        """
        most = float(np.abs(self.contributions).sum())
        if not abs(wanted) < most:
            raise InputError(
                f"a gain of {wanted:g} cannot be made by exchanging outputs of these systems; less than {most:.3g} can",
                hint="ask for a smaller gain, or take systems that differ more",
            )
        return replace(self, tilt=0.5 + wanted / (2.0 * most))


@dataclass(frozen=True)
class SplitRuns:
    """One system, of which so many runs are dealt out to each of two, so that neither is better for new runs."""

    experiment: Experiment
    runs: int

    def __call__(self, repetition: int) -> Experiment:
        """Return the dataset of that number."""
        experiment = self.experiment
        total = len(experiment.corpus.systems[0].runs)
        places = uniforms(resample_keys(experiment.seed, Stream.NULL_DEALS, repetition, 1), total)[0]
        dealt = np.argsort(places, kind="stable")[: 2 * self.runs]
        groups = {"first": dealt[: self.runs].tolist(), "second": dealt[self.runs :].tolist()}
        return replace(experiment.regrouped(groups), seed=_seed(experiment.seed, repetition))


class Levelled(NamedTuple):
    """Two systems of which neither is better, made of two of which one is."""

    experiment: Experiment
    gain: float  # that was: the mean contribution of a segment over their root mean square


def levelled(experiment: Experiment) -> Levelled:
    """Swap outputs of single segments until neither system is better.

    Swapped as a whole, the segments of a document share the gain of one system over the other, which makes them similar
    even if they are independent. This takes the gain away and leaves nearly all of their other similarity: the segments
    whose outputs differ least, in favour of the better system, are swapped. The larger the gain, the more is lost.

    Experiments have two systems under one metric. If units are drawn within strata, systems are levelled in each.
    """
    statistics, units = experiment.statistics, experiment.units
    (block,) = statistics.blocks
    old, new = (statistics.values[:, block.system_columns(s)] for s in (0, 1))
    ties = uniforms(resample_keys(experiment.seed, Stream.NULL_TIES, 0, 1), len(old))[0]
    stratum = np.repeat(np.arange(len(units.strata)), units.strata)[units.of_segment]
    within = [np.flatnonzero(stratum == number) for number in range(len(units.strata))]
    rows = np.concatenate([one[_least(block, old[one], new[one], ties[one])] for one in within])
    values = statistics.values.copy()
    _swap(values, statistics.blocks, rows)
    contributions = _contributions(block, old, new)
    spread = float(np.sqrt((contributions**2).mean()))
    gained = abs(float(contributions.mean())) / spread if spread else 0.0
    return Levelled(replace(experiment, statistics=replace(statistics, values=values)), gained)


def _least(block: Block, old: Floats, new: Floats, ties: Floats) -> NDArray[np.intp]:
    """Return which segments to swap so that the difference is as near to zero as can be, those that differ least."""
    before = _differences(block, old.sum(0, keepdims=True), new.sum(0, keepdims=True))
    ranks = _rounded(np.sign(before) * _contributions(block, old, new))
    order = np.lexsort((ties, ranks))
    order = order[ranks[order] > 0.0]
    if not order.size:
        return order
    moved = np.cumsum((new - old)[order], axis=0)
    after = _differences(block, old.sum(0) + moved, new.sum(0) - moved)
    return order[: int(_rounded(np.abs(np.concatenate([before, after]))).argmin())]


def _contributions(block: Block, old: Floats, new: Floats) -> Floats:
    """Return what each row adds to the second system's gain: half of what its swap would change."""
    moved = new - old
    before, after = old.sum(0, keepdims=True), new.sum(0, keepdims=True)
    return (_differences(block, before, after) - _differences(block, before + moved, after - moved)) / 2.0


def _rounded(values: Floats) -> Floats:
    """Put values on a grid: what is chosen by them must not depend on their last bits."""
    return np.asarray(np.rint(values / (_RELATIVE * np.abs(values).max(initial=1e-290))))


def _swap(values: Floats, blocks: Sequence[Block], rows: NDArray[np.intp]) -> None:
    """Swap the two systems' statistics of some segments, in place."""
    for block in blocks:
        old, new = (block.system_columns(s) for s in (0, 1))
        values[rows, old], values[rows, new] = values[rows, new], values[rows, old]


def _differences(block: Block, old: Floats, new: Floats) -> Floats:
    """Return the gain of the second system, from totals of shape (cases, columns of a system)."""
    scores = np.stack([mean_of_runs(block.run_scores(one.T)) for one in (old, new)])
    check_defined(scores, block)
    return gain(block.metric, *scores)


def retaken(experiment: Experiment, rows: NDArray[np.intp], values: Floats, seed: int) -> Experiment:
    """Return the same experiment on some of the segments, with other statistics."""
    corpus, units, size = experiment.corpus, experiment.units, int(rows.size)
    if size < corpus.segments:
        documents, domains = (
            None if names is None else tuple(names[row] for row in rows.tolist())
            for names in (corpus.documents, corpus.domains)
        )
        corpus = replace(corpus, segments=size, documents=documents, domains=domains)
        of_rows, stratified = units.of_segment[rows], len(units.strata) > 1
        if units.mean_length is not None:
            order = np.argsort(np.argsort(of_rows, kind="stable"), kind="stable")
            units = replace(units, of_segment=order, count=size, strata=(), names=None)
        elif units.kind == "segment":
            units = Units.segments(size)
        else:
            numbers, of_segment = np.unique(of_rows, return_inverse=True)
            units = Units(units.kind, of_segment.astype(np.int64), int(numbers.size))
        if stratified and domains is not None:
            units = units.stratified(domains)
    statistics = SegmentStatistics(values, experiment.statistics.blocks)
    return replace(experiment, corpus=corpus, statistics=statistics, units=units, seed=seed)


def _seed(seed: int, repetition: int) -> int:
    return int(resample_keys(seed, Stream.NULL_SEEDS, repetition, 1)[0])
