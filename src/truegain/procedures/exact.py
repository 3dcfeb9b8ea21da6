"""Randomization with every possible swap, if these can be counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from truegain.inference.claims import Claim
from truegain.inference.intervals import Interval
from truegain.inference.pvalues import PValue
from truegain.notes import Note
from truegain.procedures.all_swaps import AllSwaps, with_p
from truegain.procedures.base import Key, Pair, TestOutcome, Trial, check_null_gain
from truegain.procedures.randomization import AR, check_swappable, differing_notes
from truegain.procedures.skewness import skewness_caveats


@dataclass(frozen=True)
class Exact:
    """Randomization test without Monte-Carlo error: see :mod:`truegain.inference.exact`.

    All swaps are enumerated if few units differ; counted in a table if one or two statistics differ, and their
    differences lie on a grid; else drawn at random (``ar``), which is said. So are those behind the ends of the
    interval if they cannot be counted with their weights.
    """

    name: str = "exact"

    def __call__(self, trial: Trial) -> dict[Key, TestOutcome]:
        """See :class:`truegain.procedures.base.Procedure`."""
        check_null_gain(self.name, trial.null_gain)
        experiment = trial.experiment
        check_swappable(experiment, trial.pairs)
        swaps = {key: AllSwaps.of(trial, key) for key in trial.keys}
        found = {key: one.p_value() for key, one in swaps.items()}
        beyond = _pairs(key for key, p_value in found.items() if p_value is None)
        drawn = AR(replace(trial, pairs=beyond)) if beyond else {}
        exact = {key: p_value for key, p_value in found.items() if p_value is not None}
        ends = _intervals(trial, swaps, exact) if trial.inverted else {}
        findings = {}
        for key, p_value in found.items():
            if p_value is None:
                note = Note("random-swaps", "the swaps are too many to be counted, so they were drawn at random")
                findings[key] = replace(drawn[key], notes=(note, *drawn[key].notes))
                continue
            m, pair = key
            interval, notes = ends.get(key, (None, ()))
            findings[key] = TestOutcome(
                test=self.name,
                p_value=p_value,
                unit=experiment.units.noun,
                n_units=experiment.units.count,
                alternative=trial.alternative,
                claim=Claim(trial.held_runs(pair), experiment.units.noun),
                direction=trial.delta(key),
                notes=(*notes, *differing_notes(experiment, m, pair, trial.alternative, trial.alpha)),
                caveats=skewness_caveats(trial, key),
                interval=interval,
            )
        return findings


def _pairs(keys: Iterable[Key]) -> tuple[Pair, ...]:
    return tuple(dict.fromkeys(pair for _, pair in keys))


def _intervals(
    trial: Trial, swaps: Mapping[Key, AllSwaps], found: Mapping[Key, PValue]
) -> dict[Key, tuple[Interval | None, tuple[Note, ...]]]:
    """Return the intervals of the gains that are kept; from random swaps, with a note, if there are too many to count.

    None if units have no weights by which a gain could be shared out.
    """
    counted = {key: swaps[key].interval() for key in found}
    beyond = _pairs(key for key, interval in counted.items() if interval is None)
    drawn = AR(replace(trial, pairs=beyond, stopping=None)) if beyond else {}
    note = Note("random-ends", "the ends of the interval are from swaps drawn at random; p is from all swaps")
    intervals: dict[Key, tuple[Interval | None, tuple[Note, ...]]] = {}
    for key, interval in counted.items():
        random = None if interval is not None else drawn[key].interval
        if random is None:
            intervals[key] = interval, ()
        else:
            intervals[key] = with_p(random, found[key].p, trial.delta(key), trial.alpha), (note,)
    return intervals


EXACT = Exact()
