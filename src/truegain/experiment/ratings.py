"""Single ratings of the systems of a corpus, and how many of them are of one system only."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError
from truegain.inference.raters import Ratings
from truegain.metrics.base import Metric
from truegain.notes import Note
from truegain.words import whole

#: Without a rater of both systems, fewer raters of one of them do not show how much raters differ: with three each, 8 %
#: of true nulls are rejected at 5 %.
_LEAST_APART = 5
_FEW = 0.01  # the share of ratings of one system only that is no warning

Cells = tuple[NDArray[np.int64], NDArray[np.float64]]


def is_of_ratings(metric: Metric) -> bool:
    """Return whether a metric's score of an item is the mean of those of its ratings."""
    return bool(getattr(metric, "of_ratings", False))


def ratings_of(run: Run, metric: Metric) -> Ratings:
    """Return the score that a metric gives each rating of a run whose raters are known."""
    raters = run.raters
    if raters is None:
        raise ValueError(f"the raters of {run.name!r} are not known")
    columns = {name: one.values for name, one in run.repeats.items()} or {
        name: values[raters.counts > 0] for name, values in run.scores.items()
    }
    scores = np.asarray(metric.statistics(columns, ()), np.float64)[:, 0]
    segments = np.repeat(np.arange(raters.counts.size), raters.counts)
    sign = -1.0 if metric.higher_is_better is False else 1.0
    return Ratings(sign * scores, segments, raters.values.astype(np.int64))


def check_shared_raters(corpus: Corpus, pairs: Sequence[tuple[int, int]]) -> None:
    """Refuse pairs of systems, by number, of which few people rated the one and few others the other.

    Raises
    ------
    InputError
        If nobody rated both: the gain may then be a difference between people.
    """
    people = [people_of(system) for system in corpus.systems]
    for pair in pairs:
        old, new = (people[place] for place in pair)
        if old & new or min(len(old), len(new)) >= _LEAST_APART:
            continue
        first, second = (repr(corpus.systems[place].name) for place in pair)
        noun = corpus.rater_noun
        raise InputError(
            f"no {noun} has scores of both {first} ({whole(len(old), noun)}) and {second} ({whole(len(new), noun)}): "
            f"the gain cannot be told from a difference between {noun}s",
            hint=f"give ratings of both systems by the same {noun}s, or by {_LEAST_APART} {noun}s of each; to compare "
            "the scores whoever gave them, leave the column of raters out",
        )


def people_of(system: System) -> set[int]:
    """Return the numbers of those who rated a system, if they are known."""
    return set().union(*(np.unique(run.raters.values).tolist() for run in system.runs if run.raters is not None))


def effective_raters(old: Run, new: Run, raters: int) -> float:
    """Return the number of equal raters that would weigh as much as those of two runs: 1 / Σ w², w their shares."""
    shares = np.zeros(raters)
    for one in (old.raters, new.raters):
        if one is not None:
            shares += np.bincount(one.values.astype(np.int64), np.repeat(1.0 / one.counts, one.counts), raters)
    return float(shares.sum() ** 2 / (shares @ shares))


def share_rated_alike(old: Run, new: Run, raters: int) -> float:
    """Return the share of the ratings of two runs whose rater rated the other run on that item as well."""
    first, second = (_places(run, raters) for run in (old, new))
    return float((np.isin(first, second).sum() + np.isin(second, first).sum()) / (first.size + second.size))


def unshared_notes(corpus: Corpus, metrics: Collection[Metric]) -> list[Note]:
    """Say how many ratings have none of another system by the same rater of the item, and what the others give."""
    if len(corpus.systems) < 2:
        return []
    runs = [run for system in corpus.systems for run in system.runs]
    people = 1 + max(int(run.raters.values.max()) for run in runs if run.raters is not None)
    rated = [np.concatenate([_places(run, people) for run in system.runs]) for system in corpus.systems]
    shared = rated[0]
    for own in rated[1:]:
        shared = np.intersect1d(shared, own)
    count, unshared = sum(own.size for own in rated), sum(int((~np.isin(own, shared)).sum()) for own in rated)
    if not unshared:
        return []
    two = len(corpus.systems) == 2
    text = f"{unshared:,} of {count:,} ratings are " + (
        f"of one system only: the {corpus.rater_noun} has no score of the other on that item"
        if two
        else f"by {corpus.rater_noun}s without a score of every system on that item"
    )
    text = f"{text}, so Δ depends on who rated what"
    warning = unshared >= _FEW * count
    said = [
        Note("unshared-ratings", f"{text}; {_effect(corpus, metric, people)}", metric.label, warning=warning)
        for metric in metrics
        if is_of_ratings(metric)
    ]
    return said or [Note("unshared-ratings", text, warning=warning)]


def _effect(corpus: Corpus, metric: Metric, people: int) -> str:
    """Say the gain of all ratings and that of ratings of both systems, of the pair where they differ most."""
    systems = corpus.systems
    given = [[ratings_of(run, metric) for run in system.runs] for system in systems]
    scores = [float(np.mean([one.weights @ one.scores for one in own])) for own in given]
    cells = [_cells(own, people) for own in given]
    most, found = -1.0, ""
    for old, new in itertools.combinations(range(len(systems)), 2):
        pair, gain = f"{systems[new].name} − {systems[old].name}", scores[new] - scores[old]
        within = _within(cells[old], cells[new], people)
        if within is None:
            return f"no {corpus.rater_noun} has scores of both systems of {pair} ({_signed(gain)}) on any item"
        if abs(gain - within) > most:
            most = abs(gain - within)
            found = f"{pair} is {_signed(gain)}, and {_signed(within)} by ratings of both systems alone"
    return found


def _signed(gain: float) -> str:
    return f"{gain:+.3g}".replace("-", "−")


def _places(run: Run, people: int) -> NDArray[np.int64]:
    """Return a number for the item and the rater of each rating."""
    if run.raters is None:
        return np.empty(0, np.int64)
    items = np.repeat(np.arange(run.raters.counts.size), run.raters.counts)
    return np.asarray(items * people + run.raters.values.astype(np.int64))


def _cells(runs: Sequence[Ratings], people: int) -> Cells:
    """Return the items and raters of a system, each once, and the mean score of each."""
    places, rows = np.unique(np.concatenate([one.segments * people + one.raters for one in runs]), return_inverse=True)
    scores = np.concatenate([one.scores for one in runs])
    return places, np.bincount(rows, scores) / np.bincount(rows)


def _within(old: Cells, new: Cells, people: int) -> float | None:
    """Return the mean over items of the mean difference of their raters of both systems; None if there are none."""
    shared, first, second = np.intersect1d(old[0], new[0], assume_unique=True, return_indices=True)
    if not shared.size:
        return None
    items = np.unique(shared // people, return_inverse=True)[1]
    return float((np.bincount(items, new[1][second] - old[1][first]) / np.bincount(items)).mean())
