"""Groups of segments, each scored alone, and the test whether gains differ between them more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.engines.work import Resampling
from truegain.experiment import Experiment
from truegain.inference.heterogeneity import LEAST_UNITS, apart, exchanged, joint_columns, own_columns, together
from truegain.inference.pvalues import PValue
from truegain.resampling.design import Design
from truegain.resampling.generator import resample_keys
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units, UnitTable
from truegain.settings.groups import Scoring
from truegain.settings.option import described
from truegain.studies.grouping import group_rows, unit_within

Floats = NDArray[np.float64]
_Options = TypeVar("_Options", bound=Scoring)

_AT_ONCE = 32  # gains that share their resamples
#: What a group does not have, or need not do.
_LEFT_OUT = {"by": None, "development": None, "progress": None, "systems": None, "documents": None, "domains": None}
_LEFT_OUT |= {"training_samples": None}


@dataclass(frozen=True)
class Group(Generic[_Options]):
    """A group: its segments alone, scored, and the options to study it with."""

    name: str
    options: _Options
    experiment: Experiment

    @property
    def corpus(self) -> Corpus:
        """Its segments."""
        return self.experiment.corpus

    @property
    def units(self) -> Units:
        """Its units."""
        return self.experiment.units

    @property
    def tested(self) -> bool:
        """True if it has enough units."""
        return self.units.count >= LEAST_UNITS


def groups_alone(corpus: Corpus, options: _Options, by: str, unit: str) -> list[Group[_Options]]:
    """Return every group as if it were alone, with the same seed."""
    names = {one.name for one in described(type(options))}
    changes = {name: value for name, value in _LEFT_OUT.items() if name in names}
    found = []
    for name, rows in group_rows(corpus, by).items():
        own = options.changed(references=(some := corpus.of_segments(rows)), unit=unit_within(by, unit), **changes)
        found.append(Group(name, own, Experiment.of(some, own, compared=())))
    return found


@dataclass(frozen=True)
class GainByGroup:
    """A gain in every group, and what each group's units contribute to it."""

    deltas: Sequence[float]
    contributions: Sequence[Floats]


@dataclass(frozen=True)
class Difference:
    """The groups between which a gain was tested, by number, and what was found."""

    groups: tuple[int, ...]
    q: float
    p_value: PValue


def differences_between(
    experiments: Sequence[Experiment], gains: Sequence[GainByGroup], seed: int, resamples: int
) -> list[Difference | None]:
    """Test each gain between the groups that are large enough and in which it varies; None if these are fewer than two.

    Gains share their resamples.
    """
    found: list[Difference | None] = [None] * len(gains)
    alike: dict[tuple[int, ...], list[int]] = {}
    for place, one in enumerate(gains):
        kept = tuple(
            g
            for g, (experiment, own) in enumerate(zip(experiments, one.contributions, strict=True))
            if experiment.units.count >= LEAST_UNITS and np.isfinite(own).all() and np.ptp(own) > 0.0
        )
        if len(kept) > 1:
            alike.setdefault(kept, []).append(place)
    for kept, places in alike.items():
        for first in range(0, len(places), _AT_ONCE):
            some = places[first : first + _AT_ONCE]
            joined = [np.stack([gains[place].contributions[g] for place in some], axis=1) for g in kept]
            deltas = np.array([[gains[place].deltas[g] for place in some] for g in kept])
            tested = _tested([experiments[g] for g in kept], deltas, joined, seed, resamples)
            for place, (q, p_value) in zip(some, tested, strict=True):
                found[place] = Difference(kept, q, p_value)
    return found


def _tested(
    experiments: Sequence[Experiment], deltas: Floats, contributions: Sequence[Floats], seed: int, resamples: int
) -> list[tuple[float, PValue]]:
    """Return Q and its p-value of each gain, from deltas (groups, gains) and contributions (units, gains) by group."""
    engine, count = experiments[0], deltas.shape[1]
    seeds = resample_keys(seed, Stream.GROUP_SEEDS, 0, len(experiments)).tolist()
    units = [one.units for one in experiments]
    shared = [_shared(units, [own[:, k] for own in contributions]) for k in range(count)]
    columns = [joint_columns(one) for one in shared if one is not None]
    if columns:
        drawn = _drawn(engine, columns, seeds[0], resamples)
        return [together(deltas[:, k], columns[k], drawn[k]) for k in range(count)]
    by_group = [[own_columns(own[:, k]) for k in range(count)] for own in contributions]
    sums = [_drawn(engine, own, one, resamples) for own, one in zip(by_group, seeds, strict=True)]
    bootstrap = [apart(deltas[:, k], [own[k] for own in by_group], [own[k] for own in sums]) for k in range(count)]
    permuted = exchanged(deltas, contributions, seed, resamples)
    return [(q, max(p, other, key=lambda one: one.p)) for (q, p), other in zip(bootstrap, permuted, strict=True)]


def _as_they_are(totals: Floats) -> Floats:
    return totals


def _drawn(experiment: Experiment, columns: Sequence[Floats], seed: int, resamples: int) -> list[Floats]:
    """Return the sums of columns over the units of the same bootstrap resamples, shape (columns, resamples) each."""
    units = Units.segments(len(columns[0]))
    table = UnitTable.build(np.concatenate(columns, axis=1), units)
    work = Resampling(Design(units, "bootstrap", seed), table, _as_they_are)
    return np.split(np.asarray(experiment.engine.resample(work, resamples, None)), len(columns))


def _shared(units: Sequence[Units], contributions: Sequence[Floats]) -> Floats | None:
    """Return what each document contributes to each group's gain, if documents cut across groups; else None."""
    if any(own.kind != "document" or own.names is None for own in units):
        return None
    places: dict[str, int] = {}
    for own in units:
        for name in own.names or ():
            places.setdefault(name, len(places))
    if len(places) == sum(own.count for own in units):
        return None
    found = np.zeros((len(places), len(units)))
    for g, (own, values) in enumerate(zip(units, contributions, strict=True)):
        found[[places[name] for name in own.names or ()], g] = values
    return found
