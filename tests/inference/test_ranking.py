"""Ranks, clusters and letters from any pattern of shown differences."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import kendalltau

from truegain.inference.ranking import Ranking, kendall, rank_systems

Shown = tuple[NDArray[np.float64], NDArray[np.bool_]]


@st.composite
def shown_differences(draw: st.DrawFn) -> Shown:
    """Scores, ties among them, and any differences that may be shown: the higher score is the better one."""
    count = draw(st.integers(2, 12))
    scores = np.array(draw(st.lists(st.integers(0, 8), min_size=count, max_size=count)), float)
    pattern = np.array(draw(st.lists(st.booleans(), min_size=count**2, max_size=count**2))).reshape(count, count)
    share = draw(st.sampled_from([0.0, 2.0, 4.0]))
    margins = scores[:, None] - scores[None]
    return scores, (margins > 0) & (pattern | (margins > share))


def letters_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z]\d*", text))


@given(shown_differences())
def test_clusters_part_only_what_differs(shown: Shown) -> None:
    scores, better = shown
    ranking = rank_systems(scores, better)
    assert sorted(ranking.order) == list(range(scores.size))
    assert (np.diff(scores[list(ranking.order)]) <= 0).all()
    clusters = [ranking.clusters[s] for s in ranking.order]
    assert clusters[0] == 1
    assert set(np.diff(clusters)) <= {0, 1}
    for a, b in itertools.permutations(range(scores.size), 2):
        if ranking.clusters[a] < ranking.clusters[b]:
            assert better[a, b]
    for place in range(1, scores.size):  # as many clusters as there can be
        if clusters[place] == clusters[place - 1]:
            above, below = ranking.order[:place], ranking.order[place:]
            assert not better[np.ix_(above, below)].all()


@given(shown_differences())
def test_rank_intervals_count_the_better_and_the_worse(shown: Shown) -> None:
    scores, better = shown
    ranking = rank_systems(scores, better)
    for place, s in enumerate(ranking.order, 1):
        low, high = ranking.ranks[s]
        assert 1 <= low <= place <= high <= scores.size
        assert low - 1 == sum(better[other, s] for other in range(scores.size))
        assert scores.size - high == sum(better[s, other] for other in range(scores.size))


@pytest.mark.whole
@given(shown_differences())
def test_letters_are_shared_by_those_that_are_not_shown_to_differ(shown: Shown) -> None:
    scores, better = shown
    ranking = rank_systems(scores, better)
    letters = [letters_of(text) for text in ranking.letters]
    for a, b in itertools.combinations(range(scores.size), 2):
        assert bool(letters[a] & letters[b]) == (not better[a, b] and not better[b, a])
    assert all(letters)


@pytest.mark.whole
@given(shown_differences())
def test_the_order_in_which_systems_are_given_does_not_matter(shown: Shown) -> None:
    scores, better = shown
    turned = np.arange(scores.size)[::-1]
    scores = scores + np.linspace(0.0, 0.1, scores.size)  # no ties
    first, second = rank_systems(scores, better), rank_systems(scores[turned], better[np.ix_(turned, turned)])
    for name in ("ranks", "clusters", "letters"):
        assert getattr(first, name) == getattr(second, name)[::-1]


def test_an_example() -> None:
    scores = np.array([10.0, 30.0, 20.0, 29.0])
    better = np.zeros((4, 4), bool)
    better[[1, 1, 3], [2, 0, 0]] = True
    better[2, 0] = True
    assert rank_systems(scores, better) == Ranking(
        order=(1, 3, 2, 0), ranks=((4, 4), (1, 2), (2, 3), (1, 3)), clusters=(2, 1, 1, 1), letters=("c", "a", "b", "ab")
    )


def test_many_letters() -> None:
    count = 60
    scores = -np.arange(count, dtype=float)
    ranking = rank_systems(scores, np.triu(np.ones((count, count), bool), 1))
    assert ranking.clusters == tuple(range(1, count + 1))
    assert len(set(ranking.letters)) == count
    assert (ranking.letters[25], ranking.letters[26], ranking.letters[59]) == ("z", "a1", "h2")


def test_two_cannot_both_be_better() -> None:
    with pytest.raises(ValueError, match="at most one can be better"):
        rank_systems(np.zeros(2), np.array([[False, True], [True, False]]))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_kendall(pairs: list[tuple[int, int]]) -> None:
    first, second = (np.array(one, float) for one in zip(*pairs, strict=True))
    np.testing.assert_allclose(kendall(first, second), kendalltau(first, second).statistic, atol=1e-12)


def test_systems_in_a_row_need_few_letters() -> None:
    """Each is alike to its two neighbours on either side: a letter for every three in a row."""
    count = 8
    margins = np.subtract.outer(np.arange(count), np.arange(count))
    ranking = rank_systems(-np.arange(count, dtype=float), margins < -2)
    assert ranking.letters == ("a", "ab", "abc", "bcd", "cde", "def", "ef", "f")


def test_letters_begin_with_the_best_groups() -> None:
    """The first is alike to the second and to the fourth, and these two differ."""
    better = np.triu(np.ones((4, 4), bool), 1)
    better[0, [1, 3]] = False
    assert rank_systems(np.array([4.0, 3.0, 2.0, 1.0]), better).letters == ("ab", "a", "c", "b")
