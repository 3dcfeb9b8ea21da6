"""Measures of the ranking of translations, segment by segment: accuracy with ties, Kendall's tau-b, Pearson."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from truegain.agreement.judged import Array, Judged, Resampled, standardised
from truegain.agreement.measures import correlation, item_kendall, tie_accuracy, tie_agreement
from truegain.agreement.swaps import cell_masks, coefficients, four_differences, products
from truegain.agreement.system_level import deletions
from truegain.resampling.generator import resample_keys, swap_masks, uniforms
from truegain.resampling.streams import Stream

_HELD = 4_000_000  # numbers held at once
_EXACT = 2**22  # counts up to here are exact in single precision, sums of four of them, too
_GRID, _WIDEST = 256, 4.0  # tie thresholds to choose from again, and the largest, in standard deviations
_CHANCE_PAIRS = 300_000
_ROWS = 64  # swaps at a time whose numbers stay close to the processor


class TieAccuracy:
    """Accuracy with ties, its threshold chosen on the data (Deutsch et al. 2023): acc23, by item.

    In swaps the threshold is chosen again, among 256 that lie closer to each other near 0.
    """

    name = "acc23"
    label = "acc-eq"
    level = "segment"
    smooth = True

    def __init__(self, judged: Judged, *, resamples: int, seed: int) -> None:
        self.judged = judged
        self._seed = seed

    @cached_property
    def chosen(self) -> list[tuple[float, float]]:
        """The accuracy and the tie threshold of each metric."""
        signs, pairs = self.judged.human_signs, self.judged.pairs
        return [tie_accuracy(signs, pairs.differences(own)) for own in self.judged.metrics]

    def values(self) -> Array:
        """Return the measure of each metric."""
        return np.array([accuracy for accuracy, _ in self.chosen])

    def thresholds(self) -> list[float]:
        """Return the smallest tie threshold of each metric that reaches the maximum."""
        return [threshold for _, threshold in self.chosen]

    def chance(self) -> Array:
        """Return the measure of each metric if its scores are dealt out again among the systems of each segment."""
        judged = self.judged
        times = min(max(1, -(-_CHANCE_PAIRS // judged.human_signs.size)), 1_000)
        systems, segments = judged.human.shape
        totals = np.zeros(len(judged.metrics))
        for drawn in uniforms(resample_keys(self._seed, Stream.AGREE_CHANCE, 0, times), systems * segments):
            order = np.argsort(drawn.reshape(systems, segments), axis=0, kind="stable")
            for place, own in enumerate(judged.metrics):
                dealt = np.take_along_axis(own, order, axis=0)
                totals[place] += tie_accuracy(judged.human_signs, judged.pairs.differences(dealt))[0]
        return totals / times

    def _agreeing(self, place: int) -> NDArray[np.bool_]:
        """Return whether a metric with its threshold says what people say: shape (pairs, segments)."""
        judged = self.judged
        return tie_agreement(judged.human_signs, judged.pairs.differences(judged.metrics[place]), self.chosen[place][1])

    def replicates(self, resampled: Resampled) -> list[Array]:
        """Return the measure of each metric, row by row, over all systems and without each; the threshold is kept."""
        judged = self.judged
        sizes = resampled.totals(judged.sizes[:, None])
        return [
            judged.pairs.means(resampled.totals(judged.document_sums(self._agreeing(place))) / sizes)
            for place in range(len(judged.metrics))
        ]

    def _bins(self, differences: NDArray[np.floating]) -> NDArray[np.intp]:
        """Return the first threshold of the grid that makes each difference a tie; the size of the grid for none."""
        places = np.sqrt(np.abs(differences) * ((_GRID - 1) ** 2 / _WIDEST))
        return np.asarray(np.minimum(np.ceil(places, out=places), _GRID, out=places), np.intp)

    def _right(self, differences: NDArray[np.floating]) -> Array:
        """Count what is right with each threshold: (pairs, segments) to (pairs, thresholds)."""
        signs = self.judged.human_signs
        pairs = len(signs)
        places = self._bins(differences) + np.arange(pairs)[:, None] * (_GRID + 1)
        counts = [
            np.bincount(places[which], minlength=pairs * (_GRID + 1)).reshape(pairs, -1).cumsum(axis=1)
            for which in (signs == 0, (np.sign(differences) == signs) & (signs != 0))
        ]
        return np.asarray(counts[0] + counts[1][:, -1:] - counts[1], np.float64)[:, :_GRID]

    def system_swaps(self, masks: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Swap standardised scores by system: return differences of all pairs of metrics, observed and swapped."""
        judged, scores = self.judged, self.judged.standardised
        count = judged.human_signs.size
        kind: type[np.floating] = np.float32 if count < _EXACT else np.float64
        own, others = (products(one, judged.pairs).astype(kind) for one in (masks, ~masks))
        observed, nulls = [], []
        plain = [self._right(judged.pairs.differences(one)) for one in scores]
        for one, other in judged.metric_pairs:
            four = four_differences(scores[one], scores[other], judged.pairs)
            cases = [plain[one], plain[other], plain[one], plain[other]]
            for place, apart in enumerate(four):
                if place in (1, 2):
                    cases[place] = self._right(apart)
            found = coefficients(np.array(cases), judged.pairs).astype(kind)
            nulls.append(((others @ found).max(axis=1) - (own @ found).max(axis=1)).astype(np.float64) / count)
            observed.append((plain[other].sum(axis=0).max() - plain[one].sum(axis=0).max()) / count)
        return np.array(observed), np.array(nulls)

    def cell_swaps(self, resamples: int, seed: int) -> tuple[Array, Array]:
        """Swap standardised scores one by one: return differences of all pairs of metrics, observed and swapped."""
        judged, scores = self.judged, self.judged.standardised
        count = judged.human_signs.size
        plain = [float(self._right(judged.pairs.differences(one)).sum(axis=0).max()) for one in scores]
        nulls = np.empty((len(judged.metric_pairs), resamples))
        for rows, masks in cell_masks(judged, resamples, seed, max(1, _HELD // judged.human.size)):
            for place, (one, other) in enumerate(judged.metric_pairs):
                for row, swapped in enumerate(masks, rows.start):
                    sides = (np.where(swapped, scores[b], scores[a]) for a, b in ((one, other), (other, one)))
                    own, others = (self._best(judged.pairs.differences(side)) for side in sides)
                    nulls[place, row] = (others - own) / count
        return np.array([(plain[b] - plain[a]) / count for a, b in judged.metric_pairs]), nulls

    def _best(self, differences: NDArray[np.floating]) -> int:
        """Count what is right with the best threshold."""
        signs = self.judged.human_signs
        right = (np.sign(differences) == signs) & (signs != 0)
        step = np.where(signs == 0, _GRID + 1, 0) + self._bins(differences)
        counts = np.bincount(step[right | (signs == 0)], minlength=2 * (_GRID + 1)).reshape(2, -1).cumsum(axis=1)
        return int((counts[1] + counts[0, -1] - counts[0])[:_GRID].max())

    def pair_swaps(self, resamples: int, seed: int) -> tuple[Array, Array]:
        """Swap what two metrics say of two translations, as mt-metrics-eval does; thresholds are kept."""
        judged = self.judged
        count = judged.human_signs.size
        right = np.array([self._agreeing(place).ravel() for place in range(len(judged.metrics))])
        terms = right.T.astype(np.float32 if count < _EXACT else np.float64)
        sums = np.empty((resamples, len(judged.metrics)))
        step = max(1, 2 * _HELD // count)
        for start in range(0, resamples, step):
            keys = resample_keys(seed, Stream.AGREE_PAIRS, start, min(step, resamples - start))
            sums[start : start + len(keys)] = swap_masks(keys, count).astype(terms.dtype) @ terms
        totals = terms.sum(axis=0, dtype=np.float64)
        kept = totals - 2.0 * sums  # those that stay less those that are swapped
        first, second = (np.array(own) for own in zip(*judged.metric_pairs, strict=True))
        return (totals[second] - totals[first]) / count, (kept[:, second] - kept[:, first]).T / count


class ItemKendall:
    """Kendall's tau-b over the systems of each segment, averaged over the segments where it is defined."""

    name = "kendall"
    label = "Kendall's tau-b"
    level = "segment"
    smooth = True

    def __init__(self, judged: Judged, *, resamples: int, seed: int) -> None:
        self.judged = judged

    def _items(self, place: int) -> Array:
        judged = self.judged
        return item_kendall(judged.human_signs, judged.pairs.differences(judged.metrics[place]), judged.pairs)

    def values(self) -> Array:
        """Return the measure of each metric."""
        return np.array([_defined_mean(self._items(place)[:, 0]) for place in range(len(self.judged.metrics))])

    def chance(self) -> Array:
        """Return the measure of a metric of pure noise."""
        return np.zeros(len(self.judged.metrics))

    def replicates(self, resampled: Resampled) -> list[Array]:
        """Return the measure of each metric, row by row, over all systems and without each."""
        found = []
        for place in range(len(self.judged.metrics)):
            items = self._items(place).T
            sums, counts = (
                resampled.totals(self.judged.document_sums(own)) for own in (np.nan_to_num(items), ~np.isnan(items))
            )
            with np.errstate(invalid="ignore", divide="ignore"):
                found.append(sums / counts)
        return found

    def system_swaps(self, masks: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Swap standardised scores by system: return differences of all pairs of metrics, observed and swapped."""
        judged, scores = self.judged, self.judged.standardised
        signs, pairs = judged.human_signs, judged.pairs
        swaps = [products(one, pairs).astype(np.float32) for one in (masks, ~masks)]
        preferred = np.count_nonzero(signs, axis=0)
        known = preferred > 0
        signs, weights = signs[:, known].astype(np.float32), 1.0 / np.sqrt(preferred[known], dtype=np.float32)
        values, nulls = self.values(), []
        for one, other in judged.metric_pairs:
            four = four_differences(scores[one][:, known], scores[other][:, known], pairs)
            metric = np.array([np.sign(apart) for apart in four], np.float32)
            same = coefficients(metric * (signs * weights), pairs)
            # Without ties, whatever is swapped, the sum over segments is linear, too.
            tied = (metric == 0.0).any(axis=(0, 1))
            plain = same[:, ~tied].sum(axis=1, dtype=np.float64) / np.sqrt(pairs.first.size)
            apart = coefficients(np.abs(metric[:, :, tied]), pairs)
            sides = [_mean_taus(own, plain, int(np.count_nonzero(~tied)), same[:, tied], apart) for own in swaps]
            nulls.append(sides[1] - sides[0])
        return np.array([values[b] - values[a] for a, b in judged.metric_pairs]), np.array(nulls)

    def cell_swaps(self, resamples: int, seed: int) -> tuple[Array, Array]:
        """Swap standardised scores one by one: return differences of all pairs of metrics, observed and swapped."""
        judged, scores = self.judged, self.judged.standardised.astype(np.float32)
        signs = judged.human_signs
        preferred = np.count_nonzero(signs, axis=0)
        values, nulls = self.values(), np.empty((len(judged.metric_pairs), resamples))
        for rows, masks in cell_masks(judged, resamples, seed, max(1, _HELD // judged.human.size)):
            for place, (one, other) in enumerate(judged.metric_pairs):
                for row, swapped in enumerate(masks, rows.start):
                    taus = []
                    for a, b in ((one, other), (other, one)):
                        metric = np.sign(judged.pairs.differences(np.where(swapped, scores[b], scores[a])))
                        same, apart = (metric * signs).sum(axis=0), np.count_nonzero(metric, axis=0)
                        taus.append(_defined_mean(_ratios(same, apart * preferred)))
                    nulls[place, row] = taus[1] - taus[0]
        return np.array([values[b] - values[a] for a, b in judged.metric_pairs]), nulls


def _defined_mean(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")


def _ratios(same: NDArray[np.floating], apart: NDArray[np.number]) -> Array:
    """Divide by the square root; NaN if there is nothing to divide by."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(same / np.sqrt(apart))


def _mean_taus(
    swaps: NDArray[np.floating], plain: Array, segments: int, same: NDArray[np.floating], apart: NDArray[np.floating]
) -> Array:
    """Average tau-b over segments, swap by swap.

    Parameters
    ----------
    swaps : array (swaps, products)
    plain : array (products,)
        Coefficients of the sum over the segments without ties.
    segments : int
        Their number.
    same, apart : array (products, segments)
        Of the others, coefficients of: agreements less disagreements over the root of the number of pairs that are no
        ties to people, and the number of pairs that are no ties to the metric.
    """
    totals, counts = swaps @ plain, np.full(len(swaps), segments + same.shape[1])
    for start in range(0, len(swaps), _ROWS):
        rows = slice(start, start + _ROWS)
        some = swaps[rows] @ apart
        none = some < 0.5
        if none.any():
            counts[rows] -= none.sum(axis=1)
            some[none] = 1.0
        taus = swaps[rows] @ same
        taus /= np.sqrt(some, out=some)
        totals[rows] += taus.sum(axis=1, dtype=np.float64)
    return np.asarray(totals / counts)


class SegmentPearson:
    """Pearson's correlation of scores of translations, over all systems and segments."""

    name = "pearson"
    label = "Pearson of segments"
    level = "segment"
    smooth = True

    def __init__(self, judged: Judged, *, resamples: int, seed: int) -> None:
        self.judged = judged

    @cached_property
    def _human(self) -> Array:
        return standardised(self.judged.human, (0, 1))

    def values(self) -> Array:
        """Return the measure of each metric."""
        return np.array([float((own * self._human).mean()) for own in self.judged.standardised])

    def chance(self) -> Array:
        """Return the measure of a metric of pure noise."""
        return np.zeros(len(self.judged.metrics))

    def replicates(self, resampled: Resampled) -> list[Array]:
        """Return the measure of each metric, row by row, over all systems and without each."""
        x, judged = self._human, self.judged
        found = []
        for y in judged.standardised:
            sums = [resampled.totals(judged.document_sums(own)) for own in (np.ones_like(x), x, y, x * x, y * y, x * y)]
            found.append(correlation(deletions(np.stack(sums, axis=-1))))
        return found

    def system_swaps(self, masks: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Swap standardised scores by system: return differences of all pairs of metrics, observed and swapped."""
        return self._swapped([(masks.astype(np.float64), slice(0, len(masks)))], len(masks), by_system=True)

    def cell_swaps(self, resamples: int, seed: int) -> tuple[Array, Array]:
        """Swap standardised scores one by one: return differences of all pairs of metrics, observed and swapped."""
        step = max(1, _HELD // self.judged.human.size)
        parts = (
            (masks.reshape(len(masks), -1).astype(np.float64), rows)
            for rows, masks in cell_masks(self.judged, resamples, seed, step)
        )
        return self._swapped(parts, resamples, by_system=False)

    def _swapped(self, parts: Iterable[tuple[Array, slice]], resamples: int, *, by_system: bool) -> tuple[Array, Array]:
        """Sum what is swapped: sums of a mixture of two metrics are linear in the swaps."""
        x = self._human
        moments = np.stack([np.stack([y, y * y, x * y]) for y in self.judged.standardised])  # metrics, 3, …
        flat = moments.sum(axis=-1) if by_system else moments.reshape(*moments.shape[:2], -1)
        totals = flat.sum(axis=-1)
        moved = np.empty((resamples, *totals.shape))
        for swaps, rows in parts:
            moved[rows] = np.moveaxis(flat @ swaps.T, -1, 0)
        values, nulls = self.values(), []
        for one, other in self.judged.metric_pairs:
            change = moved[:, other] - moved[:, one]
            nulls.append(self._of(totals[other] - change) - self._of(totals[one] + change))
        return np.array([values[b] - values[a] for a, b in self.judged.metric_pairs]), np.array(nulls)

    def _of(self, sums: Array) -> Array:
        count = self._human.size
        y, yy, xy = np.moveaxis(sums, -1, 0)
        full = np.full_like(y, count)
        return correlation(np.stack([full, np.zeros_like(y), y, full, yy, xy], axis=-1))
