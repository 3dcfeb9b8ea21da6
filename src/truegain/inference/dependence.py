"""Test of dependence between neighbouring segments.

Segments of one document share its topic, its author and its difficulty. If the documents are not known and segments
are resampled one by one, standard errors are then too small. The segments' contributions to a difference show it: in
the order of the text, contributions of neighbours are correlated.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from truegain.errors import some
from truegain.inference.distributions import median, normal_tail
from truegain.kernels import compiled, run, widest
from truegain.notes import Note
from truegain.resampling.generator import resample_keys, shuffled
from truegain.resampling.streams import Stream
from truegain.rows import Count, MetricKey, NonNegative, Proportion, Row, System, field
from truegain.scratch import stretches

#: The level of the test: one false alarm among a thousand gains over independent segments.
LEVEL = 0.001
#: Of the long-run variance; blocks of as many segments hold nearly all the dependence there is.
LAGS = 40

_FEWEST_SEGMENTS = 50
_FEWEST_DIFFERING = 20  # segments whose contributions are not the commonest one, that of segments which are alike
_NOISE = 1e-9  # of the largest contribution: what is less is rounding
_NEIGHBOURS = 10  # segments before each one whose contributions are held against its own
_PERMUTATIONS = 999  # of which none may be as large: the fewest that can reach the level
_TOGETHER = 32  # series that are permuted alike: what the kernel takes in one pass
_FEW = 8  # series that are as quick one by one
_PIECE = 20  # permutations at once; most tests are settled after the first of these
#: Of a series: the first of them are tested, and show any dependence that matters.
MOST_SEGMENTS = 50_000
_ENOUGH_FOR_RATIO = 1_000  # segments: with fewer, the ratio is little more than noise
_ROUNDING = 1e-9  # of z: below it two orders are alike
_NAMED = 3  # gains or scores of a note

#: A metric and the systems: the one compared with and the one compared, or one alone for its score.
Tested = tuple[str, ...]


class Dependence(Row):
    """The test of the correlation between neighbouring segments' contributions to one gain, or to one score."""

    metric: MetricKey
    baseline: Annotated[str | None, field("The system compared with; none if the score of a system was tested.")]
    system: System
    p: Annotated[
        Proportion,
        field(
            "Of the normal distribution if that is at the level already, else by permutation. Permuting stops as soon "
            "as p must lie above the level; p is then that of the permutations made."
        ),
    ]
    segments: Annotated[Count, field("The number of segments.")]
    ratio: Annotated[
        NonNegative,
        field(
            "The standard error that the correlation implies over the one of independent segments. It is biased down: "
            'read it as "at least about".'
        ),
    ]

    found: Annotated[bool, field("Whether independence is rejected.")] = False

    def __post_init__(self) -> None:
        self._derive(found=self.p <= LEVEL)

    @property
    def largest_ratio(self) -> float:
        """The ratio, and twice its standard error: what cannot be excluded."""
        return self.ratio * (1.0 + math.sqrt(4.0 * LAGS / (3.0 * self.segments)))

    def beyond(self, length: float) -> bool:
        """Return whether a correlation was found over more segments than blocks of that mean length hold."""
        return self.found and length < min(_NEIGHBOURS, block_length(self.segments))


def dependence_notes(
    tests: Iterable[Dependence], labels: Mapping[str, str], *, longer_than_blocks: bool = False
) -> list[Note]:
    """Say of which gains or scores neighbouring segments are correlated, and what to do; nothing if of none.

    ``labels`` are the names of the metrics; ``longer_than_blocks``: segments are resampled in blocks, which hold less.
    """
    found = [one for one in tests if one.found]
    if not found:
        return []
    pairs = found[0].baseline is not None
    metrics: dict[str, list[str]] = {}
    for one in found:
        metrics.setdefault(f"{one.system} against {one.baseline}" if pairs else one.system, []).append(one.metric)
    names = [
        f"{who} ({', '.join(labels[key] for key in keys)})" if len(keys) < len(labels) else who
        for who, keys in metrics.items()
    ]
    whose = f"for {some(names, _NAMED)} (p ≤ {LEVEL:g})"
    block = f"option unit: block, option block-length: {block_length(found[0].segments)}"
    harm = "p-values are too small and intervals too narrow" if pairs else "intervals are too narrow"
    if longer_than_blocks:
        text = f"Neighbouring segments are correlated over more segments than blocks hold {whose}: {harm}"
        return [Note("dependence", f"{text}. Take longer blocks ({block}), or give the documents (option docs)")]
    size = ""
    ratios = [one.ratio for one in found if one.segments >= _ENOUGH_FOR_RATIO]
    if ratios and (ratio := median(ratios)) > 1.0:
        size = f" by a factor of at least about {ratio:.2g}{', the median' if len(ratios) > 1 else ''}"
    text = (
        f"Neighbouring segments are correlated {whose}, so standard errors are too small{size}: {harm}. "
        f"Give the documents (option docs), or resample blocks of neighbouring segments ({block}). "
        "This assumes that segments are in the order of the text"
    )
    return [Note("dependence", text)]


def block_length(segments: int) -> int:
    """Return how many segments a block should have to hold the dependence of neighbours; there are ten at least."""
    return max(min(LAGS, segments // 10), 1)


def find_dependence(
    tested: Tested, contributions: NDArray[np.float64], *, strata: NDArray[np.int64] | None = None, seed: int
) -> Dependence | None:
    """Test one gain or score: :func:`find_dependences` of it alone."""
    return find_dependences([tested], contributions[None], strata=strata, seed=seed)[0]


def find_dependences(
    tested: Sequence[Tested], contributions: NDArray[np.float64], *, strata: NDArray[np.int64] | None = None, seed: int
) -> list[Dependence | None]:
    """Test whether contributions of neighbouring segments are correlated, to each of several gains or scores by itself.

    Let u be the contributions, centred, and P the sum of the ten before each. The statistic z = Σ u P / √Σ u² P² has
    mean 0 and variance 1 for independent u, whatever their scales: segments of different documents may vary
    differently. Its upper tail is about the normal distribution's, and lighter for skewed or few u: if the normal tail
    does not show dependence, the distribution of z over permutations of u may.

    Parameters
    ----------
    tested : sequence of tuples of str
        The metric and the systems that each is of.
    contributions : array of float64, shape (gains or scores, segments)
        In the order of the text.
    strata : array of int, optional
        The stratum of each segment. They are centred and permuted within strata, and segments of two strata
        are never neighbours.
    seed : int
        Of the permutations, which are the same for all gains.

    Returns
    -------
    list of Dependence or None
        None if there are too few segments (50), or too few with a contribution of their own (20), to tell.
    """
    found: list[Dependence | None] = [None] * len(tested)
    segments = min(contributions.shape[1], MOST_SEGMENTS)
    if segments < _FEWEST_SEGMENTS:
        return found
    contributions = contributions[:, :segments]
    edges = np.array([0, segments])
    if strata is not None:
        strata = strata[:segments]
        contributions = contributions[:, np.argsort(strata, kind="stable")]
        edges = np.concatenate([[0], np.cumsum(np.unique(strata, return_counts=True)[1])])
    means = np.add.reduceat(contributions, edges[:-1], axis=1) / np.diff(edges)
    centred = contributions - np.repeat(means, np.diff(edges), axis=1)
    noise = _NOISE * np.abs(contributions).max(1, keepdims=True)
    commonest = np.partition(centred, segments // 2, axis=1)[:, segments // 2, None]
    can_tell = np.flatnonzero(np.count_nonzero(np.abs(centred - commonest) > noise, axis=1) >= _FEWEST_DIFFERING)
    centred = centred[can_tell]
    centred /= np.abs(centred).max(1, keepdims=True)
    ratios = standard_error_ratios(centred, edges).tolist()
    for place, p, ratio in zip(can_tell.tolist(), _p_values(centred, edges, seed), ratios, strict=True):
        metric, *baseline, system = tested[place]
        found[place] = Dependence(metric, baseline[0] if baseline else None, system, p, segments, round(ratio, 3))
    return found


def standard_error_ratios(centred: NDArray[np.float64], edges: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the square root of the long-run variance over the variance of series, with Bartlett weights over 40 lags.

    With S the sums of 41 neighbours, zeros before the first and after the last, Σ S² / 41 Σ u² is the sum of products
    at all lags k from -40 to 40, weighted by 1 - |k| / 41, over Σ u² (Newey and West 1987).
    """
    squares = np.zeros(len(centred))
    for part in np.split(centred, edges[1:-1], axis=1):
        sums = np.cumsum(np.pad(part, ((0, 0), (LAGS + 1, LAGS))), axis=1)
        squares += ((sums[:, LAGS + 1 :] - sums[:, : -LAGS - 1]) ** 2).sum(1)
    return np.asarray(np.sqrt(squares / ((LAGS + 1) * (centred**2).sum(1))))


def _p_values(centred: NDArray[np.float64], edges: NDArray[np.int64], seed: int) -> list[float]:
    """Return the normal tail of each statistic if it is at the level, else p by as many permutations as it takes."""
    observed = _statistics(_products(centred, edges))
    p = [float(f"{normal_tail(one):.3g}") for one in observed.tolist()]
    left = np.flatnonzero([normal_tail(one) > LEVEL for one in observed.tolist()])
    made, strata = 0, edges.size - 1
    while left.size and made < _PERMUTATIONS:
        count = min(_PIECE, _PERMUTATIONS - made)
        keys = resample_keys(seed, Stream.DEPENDENCE, made * strata, count * strata).reshape(count, strata)
        permuted = [
            _statistics(_permuted_products(keys, centred[left[part]], edges))
            for part in stretches(left.size, _TOGETHER)
        ]
        made += count
        as_large = np.count_nonzero(np.hstack(permuted) >= observed[left] - _ROUNDING, axis=0)
        for place, larger in zip(left.tolist(), as_large.tolist(), strict=True):
            p[place] = (1 + larger) / (1 + made)
        left = left[as_large == 0]
    return p


def _permuted_products(
    keys: NDArray[np.uint64], centred: NDArray[np.float64], edges: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Permute series alike, each stratum by its column of keys; return the sums of each, shape (rows, series, 2)."""
    if compiled():
        count, segments = centred.shape
        lanes = count if count <= _FEW else -(-count // _TOGETHER) * _TOGETHER
        sums = np.zeros((len(keys), lanes, 2))
        by_segment = np.zeros((segments, lanes))
        by_segment[:, :count] = centred.T
        order = np.empty(segments, np.int64)
        run(widest("neighbours").permuted_products, keys, edges, by_segment, _NEIGHBOURS, order, sums)
        return sums[:, :count]
    strata = zip(np.ascontiguousarray(keys.T), itertools.pairwise(edges), strict=True)
    orders = np.hstack([shuffled(own, np.arange(first, last))[:, ::-1] for own, (first, last) in strata])
    return np.stack([_products(one[orders], edges) for one in centred], axis=1)


def _products(values: NDArray[np.float64], edges: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return Σ u P and Σ u² P² of each row, shape (..., 2); terms are added up one by one."""
    sums = np.zeros((*values.shape[:-1], 2))
    for first, last in itertools.pairwise(edges):
        part = values[..., first:last]
        steps = part.copy()
        steps[..., _NEIGHBOURS:] -= part[..., :-_NEIGHBOURS]
        products = np.zeros_like(part)
        products[..., 1:] = part[..., 1:] * np.cumsum(steps, axis=-1)[..., :-1]
        sums[..., 0] += np.cumsum(products, axis=-1)[..., -1]
        sums[..., 1] += np.cumsum(products**2, axis=-1)[..., -1]
    return sums


def _statistics(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Σ u P / √Σ u² P²; 0 for a series of which no two neighbours have both moved."""
    total, squares = sums[..., 0], sums[..., 1]
    return np.asarray(np.divide(total, np.sqrt(squares), out=np.zeros_like(total), where=squares > 0.0))
