"""Datasets without a difference, or with a known gain, made from an experiment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from truegain.errors import InputError, Setting
from truegain.experiment import Experiment
from truegain.notes import Note
from truegain.settings.calibrate import NullUnitChoice
from truegain.statistics import SegmentStatistics
from truegain.studies.calibrate.null_units import choose_null_units
from truegain.studies.calibrate.nulls import Levelled, SplitRuns, SwappedUnits, levelled

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
    """

    makers: tuple[SwappedUnits, ...] | tuple[SplitRuns]
    how: str
    unit: str
    n_units: int
    signature: str
    block_length: int | None = None
    notes: tuple[Note, ...] = ()


def nulls_of(
    experiment: Experiment, tests: Sequence[str], *, size: int | None, runs: int | None, null_unit: NullUnitChoice
) -> Nulls:
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
    return _swapped(experiment, tests, size, null_unit)


def _swapped(experiment: Experiment, tests: Sequence[str], size: int | None, null_unit: NullUnitChoice) -> Nulls:
    first, second = (system.name for system in experiment.corpus.systems)
    swapped = choose_null_units(experiment, null_unit, tests)
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
    notes = swapped.notes
    if swapped.kind != "segment":
        made = [levelled(_alone(experiment, m)) for m in range(len(experiment.statistics.blocks))]
        makers = tuple(replace(nulls, experiment=one.experiment) for one in made)
        notes = (*notes, *_levelling(made))
    drawn = "" if size is None or size == count else f"{size:,} of "
    return Nulls(
        makers,
        f"outputs swapped at random, {swapped.noun} by {swapped.noun}, on {drawn}{count:,}",
        swapped.kind,
        count,
        f"nulls:swap|{swapped.signature}",
        swapped.block_length,
        notes,
    )


def _levelling(made: Sequence[Levelled]) -> list[Note]:
    """Say what was done so that nulls have the likeness of segments, and not the gain that they share."""
    labels = [one.experiment.statistics.blocks[0].metric.label for one in made]
    notes = []
    if counts := [f"{one.swapped:,} ({label})" for one, label in zip(made, labels, strict=True) if one.swapped]:
        text = (
            "So that neither system is better within what is swapped, outputs of single segments, those that differ "
            f"least, were swapped beforehand: {', '.join(counts)} of {made[0].experiment.corpus.segments:,}"
        )
        notes.append(Note("levelled", text))
    if large := [label for one, label in zip(made, labels, strict=True) if one.gain > _LARGE]:
        text = (
            f"One system is far better than the other ({', '.join(large)}), and levelling that hides part of the "
            "dependence; two systems of nearly the same score would show it better"
        )
        notes.append(Note("large-gain", text))
    return notes


def _split(experiment: Experiment, size: int | None, runs: int | None, null_unit: NullUnitChoice) -> Nulls:
    system = experiment.corpus.systems[0]
    total = len(system.runs)
    if total < 4:
        raise InputError(
            f"the runs of one system are dealt out to two, which takes four or more; {system.name!r} has {total}",
            hint=(
                "give more runs, ",
                Setting("systems", {"NAME": "runs/*.txt"}),
                ", or two systems whose outputs can be swapped",
            ),
        )
    if size is not None:
        raise InputError((Setting("size"), " is for two systems, whose outputs are swapped"))
    if null_unit != "auto":
        raise InputError((Setting("null_unit"), " is for two systems, whose outputs are swapped"))
    wanted = total // 2 if runs is None else runs
    if not 1 <= wanted <= total // 2:
        raise InputError(f"each of the two can get 1 to {total // 2} of the {total} runs; got {wanted}")
    text = "Nulls deal out runs on the same segments: they show what tests say of new runs, not of new segments"
    return Nulls(
        (SplitRuns(experiment, wanted),),
        f"runs dealt out at random, {wanted} to each",
        "run",
        total,
        "nulls:runs",
        notes=(Note("nulls", text),),
    )


def with_gain(nulls: Nulls, gain: float) -> list[SwappedUnits]:
    """Return makers of datasets with a gain, one per metric: the same gain means something else to each."""
    makers = []
    for maker in nulls.makers:
        if isinstance(maker, SplitRuns):
            raise InputError(
                "a gain cannot be given to runs of one system",
                hint=("leave out ", Setting("gain"), ", or give two systems"),
            )
        for m in range(len(maker.experiment.statistics.blocks)):
            makers.append(replace(maker, experiment=_alone(maker.experiment, m)).with_gain(gain))
    return makers


def exchanged_notes(makers: Sequence[SwappedUnits], gain: float) -> list[Note]:
    """Say so if a gain is near the most that exchanging outputs can make: they hardly vary then.

    A unit adds ± |c| to the gain, the better side with probability (1 + r)/2, so its variance is c² (1 − r²).
    """
    notes = []
    for maker in makers:
        share = abs(2.0 * maker.tilt - 1.0)
        if share >= _EXCHANGED:
            text = (
                f"a gain of {gain:g} is {100.0 * share:.0f} % of the most that exchanging outputs can make; the "
                f"standard error falls to {math.sqrt(1.0 - share**2):.2f} times its size, so this power is too "
                "high"
            )
            notes.append(Note("exchanged-gain", text, scope=maker.experiment.statistics.blocks[0].metric.label))
    return notes


def _alone(experiment: Experiment, m: int) -> Experiment:
    """Return the experiment with one of its metrics."""
    block = experiment.statistics.blocks[m]
    values = experiment.statistics.values[:, block.columns]
    return replace(experiment, statistics=SegmentStatistics(values, (replace(block, start=0),)))
