"""Swaps of metrics against swaps that are made one by one, and variances against what is left out one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.agreement.test_measures import accuracy, made, plain_kendall
from truegain.agreement.judged import Bootstrap, Jackknife, Judged, standardised
from truegain.agreement.lookup import MEASURES
from truegain.agreement.measures import normal_tails, tie_agreement
from truegain.agreement.segment_level import _GRID, _WIDEST
from truegain.agreement.swaps import cell_masks, system_masks
from truegain.agreement.variances import document_variance, t_test, total_variance
from truegain.resampling.generator import bootstrap_counts, resample_keys

Array = NDArray[np.float64]


def soft_accuracy(human: Array, metric: Array) -> float:
    """Soft accuracy with normal p-values."""
    found = []
    for i, j in combinations(range(len(human)), 2):
        tails = []
        for scores in (human, metric):
            apart = scores[i] - scores[j]
            spread = np.sqrt((apart**2).sum())
            tails.append(float(normal_tails(np.array(apart.sum() / spread))) if spread > 0 else 1.0)
        found.append(1.0 - abs(tails[0] - tails[1]))
    return float(np.mean(found))


def pearson(one: Array, other: Array) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def grid_accuracy(human: Array, metric: Array) -> float:
    """Accuracy with the best threshold of the grid."""
    first, second = np.triu_indices(len(human), 1)
    signs = np.sign(human[first] - human[second]).astype(np.int8)
    thresholds = _WIDEST * (np.arange(_GRID) / (_GRID - 1)) ** 2
    return max(float(tie_agreement(signs, metric[first] - metric[second], one).mean()) for one in thresholds)


def by_means(function: Callable[[Array, Array], float]) -> Callable[[Array, Array], float]:
    return lambda human, metric: function(human.mean(axis=1), metric)


PLAIN: dict[str, Callable[[Array, Array], float]] = {
    "accuracy": by_means(accuracy),
    "spa": soft_accuracy,
    "system-pearson": by_means(pearson),
    "acc23": grid_accuracy,
    "kendall": plain_kendall,
    "pearson": pearson,
}


def differences(judged: Judged, name: str, masks: NDArray[np.bool_]) -> Array:
    """Swap, measure, subtract: shape (pairs of metrics, masks)."""
    system = name in ("accuracy", "system-pearson")
    scores = standardised(judged.metric_systems, 1) if system else judged.standardised
    found = []
    for one, other in judged.metric_pairs:
        row = []
        for mask in masks:
            swapped = np.broadcast_to(mask if system or mask.ndim == 2 else mask[:, None], scores[one].shape)
            sides = [np.where(swapped, scores[b], scores[a]) for a, b in ((one, other), (other, one))]
            values = [PLAIN[name](judged.human, side) for side in sides]
            row.append(values[1] - values[0])
        found.append(row)
    return np.array(found)


@pytest.mark.parametrize("name", list(MEASURES))
def test_swaps_of_systems(name: str) -> None:
    judged = made(2)
    masks = system_masks(7, 12, 9)[0]
    observed, nulls = MEASURES[name](judged, resamples=50, seed=1).system_swaps(masks)
    expected = differences(judged, name, masks)
    assert nulls == pytest.approx(expected, abs=1e-6 if name == "kendall" else 1e-12)
    unswapped = differences(judged, name, np.zeros((1, 7), bool))[:, 0]
    assert observed == pytest.approx(unswapped, abs=1e-12)


@pytest.mark.whole
@pytest.mark.parametrize("name", ["acc23", "kendall", "pearson"])
def test_swaps_of_scores(name: str) -> None:
    judged = made(3)
    measure: Any = MEASURES[name](judged, resamples=50, seed=1)
    observed, nulls = measure.cell_swaps(9, 6)
    masks = np.concatenate([part for _, part in cell_masks(judged, 9, 6, 4)])
    assert masks.shape == (9, 7, 14)
    assert nulls == pytest.approx(differences(judged, name, masks), abs=1e-12)
    unswapped = differences(judged, name, np.zeros((1, 7, 14), bool))[:, 0]
    assert observed == pytest.approx(unswapped, abs=1e-12)


def test_swaps_of_pairs_have_the_variance_of_random_signs() -> None:
    judged = made(4, segments=30)
    measure: Any = MEASURES["acc23"](judged, resamples=50, seed=1)
    observed, nulls = measure.pair_swaps(4_000, 8)
    values = measure.values()
    for place, (one, other) in enumerate(judged.metric_pairs):
        assert observed[place] == pytest.approx(values[other] - values[one], abs=1e-12)
        apart = measure._agreeing(other).astype(float) - measure._agreeing(one)
        assert nulls[place].std() == pytest.approx(np.sqrt((apart**2).sum()) / apart.size, rel=0.06)
        assert abs(nulls[place].mean()) < 5 * nulls[place].std() / np.sqrt(4_000)


def test_all_swaps_of_few_systems_and_as_many_as_asked_of_more() -> None:
    masks, every = system_masks(6, 31, 1)
    assert every
    assert masks.shape == (31, 6)
    assert len({tuple(one) for one in masks.tolist()}) == 31
    assert not masks[:, 0].any()
    masks, every = system_masks(6, 30, 1)
    assert (masks.shape, every) == ((30, 6), False)


def test_swaps_of_systems_and_of_scores_share_no_random_numbers() -> None:
    judged = made(3)
    ((_, of_scores),) = cell_masks(judged, 40, 6, 40)
    of_systems = system_masks(7, 40, 6)[0]
    assert 0.3 < np.mean(of_systems == of_scores.reshape(40, -1)[:, :7]) < 0.7


def without(judged: Judged, document: int | None, system: int | None) -> tuple[Array, Array]:
    kept = np.ones(judged.human.shape[1], bool) if document is None else judged.documents != document
    rows = [one for one in range(len(judged.human)) if one != system]
    return judged.human[rows][:, kept], judged.metrics[:, rows][:, :, kept]


@pytest.mark.parametrize("name", list(MEASURES))
def test_what_is_left_out_is_left_out(name: str) -> None:
    judged = made(5)
    measure: Any = MEASURES[name](judged, resamples=50, seed=1)
    rows = measure.replicates(Jackknife(5))
    for place, own in enumerate(rows):
        assert own.shape == (6, 8)
        for document in (None, 1, 4):
            for system in (None, 0, 3):
                human, metrics = without(judged, document, system)
                metric = metrics[place]
                if name in ("accuracy", "system-pearson"):
                    metric = metric.mean(axis=1)
                if name == "acc23":  # the threshold is kept
                    first, second = np.triu_indices(len(human), 1)
                    signs = np.sign(human[first] - human[second]).astype(np.int8)
                    threshold = measure.thresholds()[place]
                    expected = float(tie_agreement(signs, metric[first] - metric[second], threshold).mean())
                else:
                    expected = PLAIN[name](human, metric)
                row, column = (0 if one is None else one + 1 for one in (document, system))
                assert own[row, column] == pytest.approx(expected, abs=1e-9), (document, system)


def test_given_scores_of_systems_move_with_the_means_of_segments() -> None:
    judged = made(6)
    shifted = replace(judged, metric_systems=judged.metric_systems + np.arange(7))
    counts = bootstrap_counts(resample_keys(1, 1, 0, 20), 5)
    plain, moved = (
        MEASURES["system-pearson"](one, resamples=9, seed=1).replicates(Bootstrap(counts)) for one in (judged, shifted)
    )
    assert not np.allclose(plain[0], moved[0])
    weights = counts[7][judged.documents]
    means = [(own * weights).sum(axis=-1) / weights.sum() for own in (judged.human, judged.metrics[0])]
    assert plain[0][8, 0] == pytest.approx(pearson(*means), abs=1e-9)
    assert moved[0][8, 0] == pytest.approx(pearson(means[0], means[1] + np.arange(7)), abs=1e-9)


def test_variance_over_systems_is_that_of_means_of_pairs() -> None:
    judged = made(7, systems=8)
    measure = MEASURES["acc23"](judged, resamples=9, seed=1)
    jackknife = Jackknife(5)
    rows = measure.replicates(jackknife)
    difference = rows[1] - rows[0]
    terms = np.array([measure._agreeing(one).mean(axis=1) for one in (0, 1)])  # type: ignore[attr-defined]
    apart = terms[1] - terms[0]
    first, second = np.triu_indices(8, 1)
    own = np.array([apart[(first == j) | (second == j)].mean() for j in range(8)])
    over_systems = 4 * 7 / (8 * 6**2) * ((own - apart.mean()) ** 2).sum()
    assert 7 / 8 * ((difference[0, 1:] - difference[0, 0]) ** 2).sum() == pytest.approx(over_systems)
    over_documents = document_variance(difference, jackknife)
    left = difference[1:, 0]
    assert over_documents == pytest.approx(4 / 5 * ((left - left.mean()) ** 2).sum())
    assert total_variance(difference, jackknife) >= max(over_documents, over_systems) - 1e-15


def test_t_test_never_goes_below_all_signs_alike() -> None:
    assert t_test(0.0, 1.0, 9, 10) == 1.0
    assert t_test(1.0, 0.0, 9, 10) == 2.0**-9
    assert t_test(1.0, 1e-30, 9, 10) == 2.0**-9
    assert t_test(-2.262157, 1.0, 9, 100) == pytest.approx(0.05, abs=1e-6)


def test_documents_count_as_the_bootstrap_draws_them() -> None:
    judged = made(8)
    counts = bootstrap_counts(resample_keys(3, 2, 0, 6), 5)
    bootstrap = Bootstrap(counts)
    sums = judged.document_sums(judged.human)
    totals = bootstrap.totals(sums)
    assert totals[0] == pytest.approx(judged.human.sum(axis=1))
    assert totals[4] == pytest.approx((judged.human * counts[3][judged.documents]).sum(axis=1))
    assert bootstrap.spread(totals[1:]) == pytest.approx(totals[1:].var(axis=0, ddof=1) * 5 / 4)
