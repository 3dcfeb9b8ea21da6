"""Measures of the ranking of systems: pairwise accuracy, soft pairwise accuracy, Pearson's correlation."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from truegain.agreement.judged import LEAST_SYSTEMS, Array, Judged, Resampled, standardised
from truegain.agreement.measures import correlation, normal_tails, pairwise_agreement, randomization_p, soft_agreement
from truegain.agreement.swaps import CASES, coefficients, four_differences, products
from truegain.resampling.generator import resample_keys, swap_masks
from truegain.resampling.streams import Stream


def random_signs(segments: int, resamples: int, seed: int) -> NDArray[np.float32]:
    """Return a random sign per segment, shape (resamples, segments)."""
    masks = swap_masks(resample_keys(seed, Stream.AGREE_SIGNS, 0, resamples), segments)
    return np.asarray(2.0 * masks.astype(np.float32) - 1.0)


def _resampled_systems(judged: Judged, resampled: Resampled) -> tuple[Array, Array]:
    """Return scores of systems from people and from metrics, row by row: (rows, systems), (metrics, rows, systems).

    Each is the score of the system, changed by as much as the mean of its segments changes.
    """
    sizes = resampled.totals(judged.sizes[:, None])
    human = resampled.totals(judged.document_sums(judged.human)) / sizes
    metrics = [resampled.totals(judged.document_sums(own)) / sizes for own in judged.metrics]
    moved = [own - own[0] for own in (human, *metrics)]
    return judged.human_systems + moved[0], judged.metric_systems[:, None] + np.array(moved[1:])


class PairwiseAccuracy:
    """Share of pairs of systems that a metric orders as people do (Kocmi et al. 2021)."""

    name = "accuracy"
    label = "pairwise accuracy"
    level = "system"
    smooth = False

    def __init__(self, judged: Judged, *, resamples: int, seed: int) -> None:
        self.judged = judged

    @cached_property
    def agreeing(self) -> NDArray[np.bool_]:
        """True for pairs that a metric orders as people do: shape (metrics, pairs)."""
        return pairwise_agreement(self.judged.human_systems, self.judged.metric_systems)

    def values(self) -> Array:
        """Return the measure of each metric."""
        return np.asarray(self.agreeing.mean(axis=1))

    def chance(self) -> Array:
        """Return the measure of a metric of pure noise, which has no ties."""
        tied = np.mean(self.judged.pairs.differences(self.judged.human_systems) == 0.0)
        return np.full(len(self.judged.metrics), (1.0 - float(tied)) / 2.0)

    def replicates(self, resampled: Resampled) -> list[Array]:
        """Return the measure of each metric, row by row, over all systems and without each."""
        human, metrics = _resampled_systems(self.judged, resampled)
        return [self.judged.pairs.means(pairwise_agreement(human, own).astype(np.float64)) for own in metrics]

    def system_swaps(self, masks: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Swap standardised scores of systems: return differences of all pairs of metrics, observed and swapped."""
        judged = self.judged
        scores = standardised(judged.metric_systems, 1)
        preferred = np.sign(judged.pairs.differences(judged.human_systems))
        cases = [
            [np.sign(own) == preferred for own in four_differences(scores[one], scores[other], judged.pairs)]
            for one, other in judged.metric_pairs
        ]
        return _pair_sums(judged, np.array(cases, np.float64), masks)


def _pair_sums(judged: Judged, cases: Array, masks: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Return the differences of means over pairs from the terms of all pairs of metrics: (metric pairs, 4, pairs)."""
    found = np.stack([coefficients(own, judged.pairs) for own in cases], axis=1) / judged.pairs.first.size
    own, others = products(masks, judged.pairs) @ found, products(~masks, judged.pairs) @ found
    observed = (cases[:, 3] - cases[:, 0]).mean(axis=1)
    return observed, np.asarray((others - own).T)


class SoftAccuracy:
    """Soft pairwise accuracy (Thompson et al. 2024): 1 - mean difference of p-values of people and of the metric."""

    name = "spa"
    label = "SPA"
    level = "system"
    smooth = True

    def __init__(self, judged: Judged, *, resamples: int, seed: int) -> None:
        self.judged = judged
        self._resamples, self._seed = resamples, seed

    @cached_property
    def _p_values(self) -> tuple[Array, list[Array]]:
        judged = self.judged
        signs = random_signs(judged.human.shape[1], self._resamples, self._seed)
        return randomization_p(judged.human, signs), [randomization_p(own, signs) for own in judged.metrics]

    def values(self) -> Array:
        """Return the measure of each metric."""
        human, metrics = self._p_values
        return np.array([soft_agreement(human, own).mean() for own in metrics])

    def chance(self) -> Array:
        """Return the measure of a metric of pure noise, whose p-values are uniform."""
        human, metrics = self._p_values
        return np.full(len(metrics), 0.5 + np.mean(human * (1.0 - human)))

    def replicates(self, resampled: Resampled) -> list[Array]:
        """Return the measure of each metric, row by row, over all systems and without each."""
        human, *metrics = (self._tails(own, resampled) for own in (self.judged.human, *self.judged.metrics))
        return [self.judged.pairs.means(soft_agreement(human, own)) for own in metrics]

    def _tails(self, scores: Array, resampled: Resampled) -> Array:
        apart = self.judged.pairs.differences(scores)
        totals = [resampled.totals(self.judged.document_sums(own)) for own in (apart, apart**2)]
        return _tails(totals[0], totals[1])

    def system_swaps(self, masks: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Swap standardised scores by system: return differences of all pairs of metrics, observed and swapped.

        P-values are those of a normal distribution with the variance that random signs have.
        """
        judged, scores = self.judged, self.judged.standardised
        apart = judged.pairs.differences(judged.human)
        human = _tails(apart.sum(axis=1), (apart**2).sum(axis=1))
        sums, squares = scores.sum(axis=2), (scores**2).sum(axis=2)
        within = [own @ own.T for own in scores]
        first, second = judged.pairs.first, judged.pairs.second
        cases = []
        for one, other in judged.metric_pairs:
            across = scores[one] @ scores[other].T
            inner = (
                within[one][first, second], across.T[first, second], across[first, second], within[other][first, second]
            )  # fmt: skip
            totals = four_differences(sums[one], sums[other], judged.pairs)
            terms = []
            for (of_first, of_second), total, product in zip(CASES, totals, inner, strict=True):
                both = squares[other if of_first else one][first] + squares[other if of_second else one][second]
                terms.append(soft_agreement(human, _tails(total, both - 2.0 * product)))
            cases.append(terms)
        return _pair_sums(judged, np.array(cases), masks)


def _tails(totals: Array, squares: Array) -> Array:
    """Return p-values of totals whose terms have random signs; 1 if all terms are 0."""
    spread = np.sqrt(np.maximum(squares, 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.where(spread > 1e-12, totals / spread, -np.inf)
    return normal_tails(z)


class SystemPearson:
    """Pearson's correlation of scores of systems."""

    name = "system-pearson"
    label = "Pearson of systems"
    level = "system"
    smooth = True

    def __init__(self, judged: Judged, *, resamples: int, seed: int) -> None:
        self.judged = judged

    def values(self) -> Array:
        """Return the measure of each metric."""
        human = standardised(self.judged.human_systems, 0)
        return np.asarray((standardised(self.judged.metric_systems, 1) * human).mean(axis=1))

    def chance(self) -> Array:
        """Return the measure of a metric of pure noise."""
        return np.zeros(len(self.judged.metrics))

    def replicates(self, resampled: Resampled) -> list[Array]:
        """Return the measure of each metric, row by row, over all systems and without each."""
        human, metrics = _resampled_systems(self.judged, resampled)
        human = (human - self.judged.human_systems.mean()) / _spread(self.judged.human_systems)
        return [
            correlation(deletions(_moments(human, (own - given.mean()) / _spread(given))))
            for own, given in zip(metrics, self.judged.metric_systems, strict=True)
        ]

    def system_swaps(self, masks: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Swap standardised scores of systems: return differences of all pairs of metrics, observed and swapped."""
        human = standardised(self.judged.human_systems, 0)
        scores = standardised(self.judged.metric_systems, 1)
        observed, nulls = [], []
        for one, other in self.judged.metric_pairs:
            sides = [
                correlation(_moments(human, np.where(swapped, scores[other], scores[one])).sum(axis=-2))
                for swapped in (masks, ~masks)
            ]
            nulls.append(sides[1] - sides[0])
            observed.append(float((human * (scores[other] - scores[one])).mean()))
        return np.array(observed), np.array(nulls)


def _spread(scores: Array) -> float:
    return float(scores.std()) or 1.0


def _moments(x: Array, y: Array) -> Array:
    """Return 1, x, y, x², y² and xy along a last axis."""
    x, y = np.broadcast_arrays(x, y)
    return np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=-1)


def deletions(moments: Array) -> Array:
    """Sum moments over systems: all, then all but one if there are enough: (…, systems, 6) to (…, 1 + systems, 6)."""
    total = moments.sum(axis=-2, keepdims=True)
    return total if moments.shape[-2] < LEAST_SYSTEMS else np.concatenate([total, total - moments], axis=-2)
