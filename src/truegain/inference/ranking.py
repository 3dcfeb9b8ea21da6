"""A ranking that does not pretend: rank intervals, clusters and letters from the differences that were shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Ranking:
    """Systems in order, and what is known about their places.

    Attributes
    ----------
    order : tuple of int
        The systems, the best score first; of equal scores the first given.
    ranks : tuple of (int, int)
        For each system, as given, the best and the worst place that the shown differences leave it.
    clusters : tuple of int
        For each system, as given, the number of its cluster from 1: every system of a cluster was shown to be better
        than every system of the clusters after it.
    letters : tuple of str
        For each system, as given: two systems without a letter in common were shown to differ, and two with one were
        not.
    """

    order: tuple[int, ...]
    ranks: tuple[tuple[int, int], ...]
    clusters: tuple[int, ...]
    letters: tuple[str, ...]


def rank_systems(scores: NDArray[np.float64], better: NDArray[np.bool_]) -> Ranking:
    """Rank systems by which were shown to be better than which.

    Parameters
    ----------
    scores : array
        So that higher is better.
    better : array of bool, (systems, systems)
        Whether the system of the row was shown to be better than that of the column; never both ways.
    """
    count = scores.size
    if better.shape != (count, count) or (better & better.T).any():
        raise ValueError("of two systems at most one can be better")
    order = np.argsort(-scores, kind="stable")
    ranks = tuple((1 + int(better[:, s].sum()), count - int(better[s].sum())) for s in range(count))
    ordered = better[np.ix_(order, order)]
    clusters = np.empty(count, int)
    number = 0
    for place in range(count):
        # A cluster begins where all above are better than all from here on.
        if place == 0 or ordered[:place, place:].all():
            number += 1
        clusters[order[place]] = number
    return Ranking(tuple(order.tolist()), ranks, tuple(clusters.tolist()), _letters(better | better.T, order))


def kendall(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return Kendall's τ-b between two scores of the same systems; NaN if one of them scores all the same."""
    places = np.triu_indices(first.size, 1)
    signs = [np.sign(one[places[0]] - one[places[1]]) for one in (first, second)]
    untied = float(np.count_nonzero(signs[0])) * float(np.count_nonzero(signs[1]))
    return float(signs[0] @ signs[1]) / untied**0.5 if untied else float("nan")


def letter_groups(differ: NDArray[np.bool_]) -> list[list[int]]:
    """Return groups for a letter display (Piepho 2004): two systems share a group exactly if they do not differ.

    Groups are grown from what no group holds yet, the two that are furthest apart first, so that systems in a row need
    few of them; there may be more groups than the fewest.

    Parameters
    ----------
    differ : array of bool, (systems, systems)
        Symmetric, the systems in the order of their places.

    Returns
    -------
    list of list of int
        The places in each group, that of the best first.
    """
    count = len(differ)
    alike = ~differ
    np.fill_diagonal(alike, True)
    covered = np.zeros((count, count), bool)
    groups: list[list[int]] = []
    for place in range(count):
        while (left := np.flatnonzero(alike[place] & ~covered[place])).size:
            group = np.zeros(count, bool)
            group[[place, left[-1]]] = True
            for one in np.flatnonzero(alike[place] & alike[left[-1]]):
                group[one] |= bool(alike[one][group].all())
            places = np.flatnonzero(group)
            covered[np.ix_(places, places)] = True
            groups.append(places.tolist())
    return sorted(groups)


def _letters(differ: NDArray[np.bool_], order: NDArray[np.int64]) -> tuple[str, ...]:
    letters = [""] * order.size
    for number, group in enumerate(letter_groups(differ[np.ix_(order, order)])):
        for place in group:
            letters[order[place]] += _letter(number)
    return tuple(letters)


def _letter(number: int) -> str:
    """Return letters from a to z, and then with numbers: a1, b1, and so on."""
    turn, place = divmod(number, 26)
    return chr(ord("a") + place) + (str(turn) if turn else "")
