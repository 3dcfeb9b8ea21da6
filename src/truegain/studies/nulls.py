"""Data of which the truth is known, made from the user's own: what tests are calibrated on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Protocol

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
from truegain.settings.calibrate import NullUnitChoice
from truegain.statistics import Block, SegmentStatistics, check_defined, mean_of_runs
from truegain.words import Sentence

SWAPPED = Sentence("outputs swapped at random, {noun} by {noun}, on {drawn}{count:,}")
DEALT = Sentence("runs dealt out at random, {runs} to each")
NOT_COVERED = Sentence("Whole {noun}s are swapped: dependence between {noun}s is not covered")
SINGLE_AS_ASKED = Sentence("Single {noun}s are swapped, as asked: dependence between them is not covered")
SINGLE_TOO_FEW = Sentence("Single {noun}s are swapped: there is too little data to look for dependence between them")
SINGLE_UNCORRELATED = Sentence(
    "Single {noun}s are swapped: neighbours show no correlation (p = {p:.2g}) in the order of the files; dependence "
    "that this order does not show is not covered"
)
BLOCKS_AS_ASKED = Sentence("Blocks of {length} neighbouring segments are swapped, as asked; {limits}")
BLOCKS_CORRELATED = Sentence(
    "Blocks of {length} neighbouring segments are swapped, since neighbours are correlated (p = {p:.2g}); {limits}"
)
BLOCKS_LIMITS = (
    "the order of the files is taken to be the text's, and dependence over longer distances is not covered. Documents "
    "would say what belongs together"
)
FEW_BLOCKS = Sentence("With only {count} blocks the rates are rough")
NEW_RUNS_ALONE = "Runs are dealt out on the same segments: this shows what tests say of new runs, not of new segments"
LEVELLED = Sentence(
    " So that neither system is better within what is swapped, outputs of single segments, those that differ least, "
    "were swapped beforehand: {counts} of {segments:,}."
)
LARGE_GAIN = Sentence(
    "One system is far better than the other ({metrics}), and levelling that hides part of the dependence; two systems "
    "of nearly the same score would show it better"
)
EXCHANGED = Sentence(
    "a gain of {gain:g} is {share:.0f} % of the most that exchanging outputs can make; the standard error falls to "
    "{times:.2f} times its size, so this power is too high"
)

_RELATIVE = 1e-9  # of the largest: below it, contributions that differ are as large
_ENOUGH_BLOCKS = 25
_EXCHANGED = 0.4  # of the most that exchanging can gain: beyond, the standard error is a tenth smaller and less
_LARGE = 0.3  # of a mean contribution over the root mean square: beyond, a tenth and more of the ratio is lost


@dataclass(frozen=True)
class Nulls:
    """Makers of datasets without a difference, and what is to be said of them.

    Attributes
    ----------
    makers : tuple of SwappedUnits or SplitRuns
        One for all metrics, or one per metric.
    how : str
        How datasets are made.
    unit : str
        What is swapped or dealt out as a whole: "segment", "document", "block", "domain", "testset" or "run".
    n_units : int
        The number of these that the data have.
    signature : str
    block_length : int, optional
    notes : tuple of Note
    levelled : str
        A sentence on what was swapped beforehand; empty if nothing was.
    """

    makers: tuple[SwappedUnits, ...] | tuple[SplitRuns]
    how: str
    unit: str
    n_units: int
    signature: str
    block_length: int | None = None
    notes: tuple[Note, ...] = ()
    levelled: str = ""


def nulls_of(experiment: Experiment, *, size: int | None, runs: int | None, null_unit: NullUnitChoice) -> Nulls:
    """Swap the outputs of two systems, or deal out the runs of one; see :func:`truegain.calibrate`."""
    systems = experiment.corpus.systems
    if len(systems) == 1:
        return _split(experiment, size, runs, null_unit)
    if len(systems) != 2:
        raise InputError(
            f"calibration takes two systems, or one with several runs; got {len(systems)} systems",
            hint="give two whose outputs can be swapped",
        )
    if runs is not None:
        raise InputError((Setting("runs"), " is for one system, whose runs are dealt out to two"))
    counts = [len(system.runs) for system in systems]
    if counts[0] != counts[1]:
        raise InputError(
            f"outputs are swapped run by run, and {systems[0].name!r} has {counts[0]} runs where "
            f"{systems[1].name!r} has {counts[1]}",
            hint="give both the same number of runs",
        )
    return _swapped(experiment, size, null_unit)


def _swapped(experiment: Experiment, size: int | None, null_unit: NullUnitChoice) -> Nulls:
    first, second = (system.name for system in experiment.corpus.systems)
    swapped = choose_null_units(experiment, null_unit)
    count = swapped.units.count
    if size is not None and not 2 <= size <= count:
        raise InputError(f"the size of a dataset must be from 2 to the {count:,} {swapped.noun}s there are; got {size}")
    nulls = SwappedUnits(experiment, swapped.units, size)
    if not nulls.contributions.any():
        label = experiment.statistics.blocks[0].metric.label
        raise InputError(
            f"{first!r} and {second!r} have the same {label} on every segment",
            hint="swapping makes nothing new of them; give two systems that differ",
        )
    makers: tuple[SwappedUnits, ...] = (nulls,)
    made: list[Levelled] = []
    if swapped.kind != "segment":
        made = [levelled(_alone(experiment, m)) for m in range(len(experiment.statistics.blocks))]
        makers = tuple(replace(nulls, experiment=level.experiment) for level in made)
    large = [level.label for level in made if level.gain > _LARGE]
    counts = [f"{level.swapped:,} ({level.label})" for level in made if level.swapped]
    return Nulls(
        makers,
        SWAPPED(noun=swapped.noun, drawn="" if size is None or size == count else f"{size:,} of ", count=count),
        swapped.kind,
        count,
        f"nulls:swap|{swapped.signature}",
        swapped.block_length,
        swapped.notes if not large else (*swapped.notes, Note("large-gain", LARGE_GAIN(metrics=", ".join(large)))),
        LEVELLED(counts=", ".join(counts), segments=experiment.corpus.segments) if counts else "",
    )


def _split(experiment: Experiment, size: int | None, runs: int | None, null_unit: NullUnitChoice) -> Nulls:
    system = experiment.corpus.systems[0]
    total = len(system.runs)
    if total < 4:
        raise InputError(
            f"the runs of one system are dealt out to two, which takes four or more; {system.name!r} has {total}",
            hint=("give more runs, ", Setting("systems", {"NAME": "runs/*.txt"}), ", or two systems"),
        )
    for name, given in (("size", size is not None), ("null_unit", null_unit != "auto")):
        if given:
            raise InputError((Setting(name), " is for two systems, whose outputs are swapped"))
    wanted = total // 2 if runs is None else runs
    if not 1 <= wanted <= total // 2:
        raise InputError(f"each of the two can get 1 to {total // 2} of the {total} runs; got {wanted}")
    return Nulls(
        (SplitRuns(experiment, wanted),),
        DEALT(runs=wanted),
        "run",
        total,
        "nulls:runs",
        notes=(Note("nulls", NEW_RUNS_ALONE),),
    )


def with_gain(nulls: Nulls, wanted: float) -> list[SwappedUnits]:
    """Return makers of datasets with a gain, one per metric: the same gain means something else to each."""
    makers = []
    for maker in nulls.makers:
        if isinstance(maker, SplitRuns):
            raise InputError(
                "a gain cannot be given to runs of one system",
                hint=("leave out ", Setting("gain"), ", or give two systems"),
            )
        for m in range(len(maker.experiment.statistics.blocks)):
            makers.append(replace(maker, experiment=_alone(maker.experiment, m)).with_gain(wanted))
    return makers


def exchanged_notes(makers: Sequence[SwappedUnits], wanted: float) -> list[Note]:
    """Say so if a gain is near the most that exchanging outputs can make: they hardly vary then.

    A unit adds ± |c| to the gain, the better side with probability (1 + r)/2, so its variance is c² (1 − r²).
    """
    notes = []
    for maker in makers:
        share = abs(2.0 * maker.tilt - 1.0)
        if share >= _EXCHANGED:
            text = EXCHANGED(gain=wanted, share=100.0 * share, times=math.sqrt(1.0 - share**2))
            notes.append(Note("exchanged-gain", text, scope=maker.experiment.statistics.blocks[0].metric.label))
    return notes


def _alone(experiment: Experiment, m: int) -> Experiment:
    """Return the experiment with one of its metrics."""
    block = experiment.statistics.blocks[m]
    values = experiment.statistics.values[:, block.columns]
    return replace(experiment, statistics=SegmentStatistics(values, (replace(block, start=0),)))


@dataclass(frozen=True)
class NullUnits:
    """Units that are swapped as a whole.

    Attributes
    ----------
    kind : "segment", "document", "block", "domain" or "testset"
    units : Units
    block_length : int, optional
        The number of neighbouring segments of a block.
    notes : tuple of Note
        Why these units, and what nulls made of them cannot show.
    """

    kind: Literal["segment", "document", "block", "domain", "testset"]
    units: Units
    block_length: int | None = None
    notes: tuple[Note, ...] = ()

    @property
    def noun(self) -> str:
        """Noun for one unit in a sentence."""
        return "block" if self.block_length is not None else self.units.noun

    @property
    def signature(self) -> str:
        """The unit, and how long blocks are."""
        return f"null-unit:{self.kind}" + ("" if self.block_length is None else f"|null-length:{self.block_length}")


def choose_null_units(experiment: Experiment, choice: NullUnitChoice) -> NullUnits:
    """Take the largest unit that is known, or suspected from the correlation of neighbours.

    Nulls of a smaller unit than the data's own show a level that tests do not keep on the data.

    Parameters
    ----------
    experiment : Experiment
        Two systems; its units are those of the tests.
    choice : "auto", "segment", "document" or "block"
    """
    if choice == "segment":
        return _segments(experiment, SINGLE_AS_ASKED)
    if choice == "block":
        return _blocks(experiment, BLOCKS_AS_ASKED)
    documents = _documents(experiment.corpus)
    if choice == "document" and documents is None:
        raise InputError(
            'null unit "document" needs document IDs, and more than one document',
            hint=("give them: ", Setting("documents", FILE)),
        )
    if choice == "auto" and experiment.units.kind in ("domain", "testset"):
        units = experiment.units
        return NullUnits(units.kind, units, notes=(Note("nulls", NOT_COVERED(noun=units.noun)),))
    if documents is not None:
        return NullUnits("document", documents, notes=(Note("nulls", NOT_COVERED(noun="document")),))
    return _suspected(experiment)


def _documents(corpus: Corpus) -> Units | None:
    """Return the documents, if they are known and group anything."""
    if corpus.documents is None:
        return None
    documents = Units.documents(corpus.documents)
    return documents if 1 < documents.count < corpus.segments else None


def _suspected(experiment: Experiment) -> NullUnits:
    """Take blocks if neighbouring segments are correlated, else segments."""
    segments = experiment if experiment.units.kind == "segment" else experiment.on_segments
    segments = replace(segments, corpus=replace(experiment.corpus, documents=None))
    tests = dependence_of(segments, [(0, 1)], seed=experiment.seed).values()
    if not tests:
        return _segments(experiment, SINGLE_TOO_FEW)
    strongest = min(tests, key=lambda test: test.p)
    if not strongest.found:
        return _segments(experiment, SINGLE_UNCORRELATED, strongest.p)
    return _blocks(experiment, BLOCKS_CORRELATED, strongest.p)


def _segments(experiment: Experiment, sentence: Sentence, p: float = 1.0) -> NullUnits:
    corpus = experiment.corpus
    note = Note("nulls", sentence(noun=corpus.item_noun, p=p))
    return NullUnits("segment", Units.segments(corpus.segments), notes=(note,))


def _blocks(experiment: Experiment, sentence: Sentence, p: float = 1.0) -> NullUnits:
    """Cut the segments in the order of the files, domain by domain, into blocks of one length."""
    corpus = experiment.corpus
    # Swaps of such blocks keep what Bartlett weights over as many lags do.
    length = block_length(corpus.segments)
    places: dict[str, int] = {}
    ids = []
    for domain in corpus.domains or [""] * corpus.segments:
        place = places.get(domain, 0)
        places[domain] = place + 1
        ids.append(f"{domain}\t{place // length}")
    units = Units.groups("document", ids)  # of the kinds of groups the one that is most like it
    notes = [Note("nulls", sentence(length=length, p=p, limits=BLOCKS_LIMITS))]
    if units.count < _ENOUGH_BLOCKS:
        notes.append(Note("few-blocks", FEW_BLOCKS(count=units.count)))
    return NullUnits("block", units, length, tuple(notes))


class DataMaker(Protocol):
    """Makes one dataset after the other: two systems, of which the difference is known."""

    def __call__(self, repetition: int) -> Experiment:
        """Return the dataset of that number; always the same."""
        ...


@dataclass(frozen=True)
class SwappedUnits:
    """Two systems whose outputs are swapped at random, unit by unit, so that neither is better; or one by a given gain.

    Attributes
    ----------
    experiment : Experiment
        Two systems with as many runs each; its units are what the tests resample.
    swapped : Units
        What is swapped as a whole: documents if they are known, for segments of a document belong together.
    size : int, optional
        How many of these units a dataset has, drawn without replacement; by default all.
    tilt : float
        The probability with which the second system gets the better output of a unit, by the first metric.
    """

    experiment: Experiment
    swapped: Units
    size: int | None = None
    tilt: float = 0.5

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`DataMaker`."""
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
    def contributions(self) -> NDArray[np.float64]:
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
    """Runs of one system dealt out to two, so that neither is better for new runs.

    Attributes
    ----------
    experiment : Experiment
        One system with several runs.
    runs : int
        How many runs each of the two gets.
    """

    experiment: Experiment
    runs: int

    def __call__(self, repetition: int) -> Experiment:
        """See :class:`DataMaker`."""
        experiment = self.experiment
        total = len(experiment.corpus.systems[0].runs)
        places = uniforms(resample_keys(experiment.seed, Stream.NULL_DEALS, repetition, 1), total)[0]
        dealt = np.argsort(places, kind="stable")[: 2 * self.runs]
        groups = {"first": dealt[: self.runs].tolist(), "second": dealt[self.runs :].tolist()}
        return replace(experiment.regrouped(groups), seed=_seed(experiment.seed, repetition))


@dataclass(frozen=True)
class Levelled:
    """Two systems of which neither is better, made of two of which one is.

    Attributes
    ----------
    experiment : Experiment
    swapped : int
        The number of segments whose outputs were swapped.
    gain : float
        The mean contribution of a segment to the gain that was, over their root mean square: from 0 to 1.
    """

    experiment: Experiment
    swapped: int
    gain: float

    @property
    def label(self) -> str:
        """The label of the metric."""
        return self.experiment.statistics.blocks[0].metric.label


def levelled(experiment: Experiment) -> Levelled:
    """Swap outputs of single segments until neither system is better.

    Swapped as a whole, the segments of a document share the gain of one system over the other, which makes them similar
    even if they are independent. This takes the gain away and leaves nearly all of their other similarity: the segments
    whose outputs differ least, in favour of the better system, are swapped. The larger the gain, the more is lost.

    Parameters
    ----------
    experiment : Experiment
        Two systems under one metric. If its units are drawn within strata, the systems are levelled in each of them.
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
    return Levelled(replace(experiment, statistics=replace(statistics, values=values)), int(rows.size), gained)


def _least(
    block: Block, old: NDArray[np.float64], new: NDArray[np.float64], ties: NDArray[np.float64]
) -> NDArray[np.intp]:
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


def _contributions(block: Block, old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what each row adds to the second system's gain: half of what its swap would change."""
    moved = new - old
    before, after = old.sum(0, keepdims=True), new.sum(0, keepdims=True)
    return (_differences(block, before, after) - _differences(block, before + moved, after - moved)) / 2.0


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put values on a grid: what is chosen by them must not depend on their last bits."""
    return np.asarray(np.rint(values / (_RELATIVE * np.abs(values).max(initial=1e-290))))


def _swap(values: NDArray[np.float64], blocks: Sequence[Block], rows: NDArray[np.intp]) -> None:
    """Swap the two systems' statistics of some segments, in place."""
    for block in blocks:
        old, new = (block.system_columns(s) for s in (0, 1))
        values[rows, old], values[rows, new] = values[rows, new], values[rows, old]


def _differences(block: Block, old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the gain of the second system, from totals of shape (cases, columns of a system)."""
    scores = np.stack([mean_of_runs(block.run_scores(one.T)) for one in (old, new)])
    check_defined(scores, block)
    return gain(block.metric, *scores)


def retaken(experiment: Experiment, rows: NDArray[np.intp], values: NDArray[np.float64], seed: int) -> Experiment:
    """Return the same experiment on some of the segments, with other statistics."""
    corpus, units = experiment.corpus, experiment.units
    if rows.size < corpus.segments:
        documents, domains = (
            None if names is None else tuple(names[row] for row in rows.tolist())
            for names in (corpus.documents, corpus.domains)
        )
        corpus = replace(corpus, segments=int(rows.size), documents=documents, domains=domains)
        units = _retaken_units(units, rows, domains)
    statistics = SegmentStatistics(values, experiment.statistics.blocks)
    return replace(experiment, corpus=corpus, statistics=statistics, units=units, seed=seed)


def _retaken_units(units: Units, rows: NDArray[np.intp], domains: tuple[str, ...] | None) -> Units:
    if units.kind == "segment":
        kept = Units.segments(int(rows.size))
    elif units.mean_length is not None:
        order = np.argsort(np.argsort(units.of_segment[rows], kind="stable"), kind="stable")
        return replace(units, of_segment=order, count=int(rows.size), strata=(), names=None)
    else:
        numbers, of_segment = np.unique(units.of_segment[rows], return_inverse=True)
        kept = Units(units.kind, of_segment.astype(np.int64), int(numbers.size))
    if len(units.strata) > 1 and domains is not None:
        return kept.stratified(domains)
    return kept


def _seed(seed: int, repetition: int) -> int:
    return int(resample_keys(seed, Stream.NULL_SEEDS, repetition, 1)[0])
