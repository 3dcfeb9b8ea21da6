"""Scores of whole systems beside those of their segments: taken, said, and doubted if the two contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.errors import some
from truegain.notes import Note
from truegain.readers.system_scores import SystemScores

_LISTED = 5
# A score of a corpus (BLEU, chrF) is within half a standard deviation of the mean of its segments, and correlates with
# it at .98 over systems; another metric's is on another scale as a rule, and correlates less.
_NEAR, _ALIKE, _OPPOSED = 1.0, 0.97, 0.5
_ROUNDED = 0.01  # of a standard deviation
_FEW = 3  # systems, whose correlation says nothing
# Nor does that of systems whose means differ by chance. In 320 simulated sets of honest scores of a corpus it was above
# .84 if the means of systems vary by twice their standard error, above .97 if by four times; else anything from −1.
_APART, _FAR_APART = 2.5, 4.0

Array = NDArray[np.float64]


def listed(names: Sequence[str]) -> str:
    """Return the first names, quoted, and how many more there are."""
    return some(list(map(repr, names)), _LISTED)


def system_level(one: SystemScores, side: Array, systems: Sequence[str], notes: list[Note], *, people: bool) -> Array:
    """Return the scores of systems that were given, or the means over segments.

    Parameters
    ----------
    one : SystemScores
    side : array (systems, segments)
        The scores of segments; NaN for one that was not rated.
    systems : sequence of str
    notes : list of Note
        What should be said is added.
    people : bool
        Whether these are scores of people, which are means.
    """
    means = np.asarray(np.nanmean(side, axis=1))
    if one.systems and all(name in one.systems for name in systems):
        found = np.array([one.systems[name] for name in systems])
        notes += [] if one.beside is None else _doubts(one, found, side, systems, people=people)
        return found
    if one.systems and one.beside is not None:
        lacking = [name for name in systems if name not in one.systems]
        text = f"scores of systems lack {listed(lacking)}: means of segments are used"
        notes.append(Note("system-scores", text, file=one.beside))
    return means


def _doubts(one: SystemScores, found: Array, side: Array, systems: Sequence[str], *, people: bool) -> list[Note]:
    """Say that scores of systems are not those of their segments, as a warning if they contradict them."""
    means, spread = np.nanmean(side, axis=1), float(np.sqrt(np.nanmean(np.nanvar(side, axis=1))))
    apart = np.abs(found - means)
    place = int(apart.argmax())
    rated = np.count_nonzero(~np.isnan(side[place]))
    if people:
        contradicted = bool(apart[place] > 3.0 * spread / np.sqrt(rated))
    else:
        alike, separation = _correlation(found, means), _separation(side)
        opposed = separation > _APART and alike < _OPPOSED
        contradicted = opposed or (separation > _FAR_APART and apart.max() > _NEAR * spread and alike < _ALIKE)
    if not contradicted and (not people or apart[place] <= _ROUNDED * spread):
        return []
    given, mean = (f"{own[place]:.4g}".replace("-", "−") for own in (found, means))
    shown = f"{systems[place]} has {given}, and its segments {mean} on average"
    if not contradicted:
        return [
            Note("system-scores", f"scores of systems are not the means of segments: {shown}", file=one.beside or "")
        ]
    text = (
        f"scores of systems do not go with {one.name}: {shown}. Does the file belong to it? Without it, means are used"
    )
    return [Note("system-scores", text, file=one.beside or "", warning=True)]


def _correlation(found: Array, means: Array) -> float:
    """Return Pearson's correlation; 1 if there are too few systems, or none differ."""
    if len(found) < _FEW or np.ptp(found) == 0.0 or np.ptp(means) == 0.0:
        return 1.0
    return float(np.corrcoef(found, means)[0, 1])


def _separation(side: Array) -> float:
    """Return how much the means of systems vary, in their standard errors on the same segments."""
    rated = side[:, ~np.isnan(side).any(axis=0)]
    if min(rated.shape) < 2:
        return 0.0
    chance = np.sqrt(np.mean(np.var(rated - rated.mean(axis=0), axis=1, ddof=1)) / rated.shape[1])
    spread = float(rated.mean(axis=1).std(ddof=1))
    return spread / float(chance) if chance > 0.0 else np.inf


def say_origins(human: SystemScores, metrics: Mapping[str, SystemScores], systems: Sequence[str]) -> list[Note]:
    """Say whose scores of systems were read beside those of segments, and whose are means; nothing if none was read."""
    given = {"people": human, **metrics}
    read = [name for name, one in given.items() if one.beside and all(system in one.systems for system in systems)]
    means = [name for name, one in given.items() if name not in read and not one.systems]
    if not read:
        return []
    text = f"System scores: from .sys.score ({some(read, _LISTED)})"
    return [Note("system-scores", f"{text}; means of segments ({some(means, _LISTED)})" if means else text)]
