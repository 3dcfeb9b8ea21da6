"""Test of dependence between neighbouring segments.

Segments of one document share its topic, its author and its difficulty. If the documents are not known and segments
are resampled one by one, standard errors are then too small. The segments' contributions to a difference show it: in
the order of the text, contributions of neighbours are correlated.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from truegain.fields import Field, Shape, documented
from truegain.inference.distributions import median
from truegain.kernels import compiled, neighbours, run
from truegain.notes import Note
from truegain.resampling.generator import resample_keys, shuffled
from truegain.rules import Count, NonNegative, Proportion

#: The level of the test: one warning among a hundred test sets of independent segments.
LEVEL = 0.01
#: Segments, and segments on which two systems differ, without which nothing is tested.
FEWEST_SEGMENTS, FEWEST_DIFFERING = 50, 20
#: Of the long-run variance; blocks of as many segments hold nearly all the dependence there is.
LAGS = 40

_NEIGHBOURS = 10  # segments before each one whose contributions are held against its own
_PERMUTATIONS = 499  # with 999, power would be larger by less than one point in a hundred
_PIECE = 50  # permutations at once; most tests are settled after the first of these
_MOST_SEGMENTS = 50_000  # the first of them are tested: they show any dependence that matters
_ENOUGH_FOR_RATIO = 1_000  # segments: with fewer, the ratio is little more than noise
_STREAM = 7
_ROUNDING = 1e-9  # of z: below it two orders are alike


@documented
@dataclass(frozen=True)
class Dependence:
    """The test of the correlation between neighbouring segments' contributions."""

    shape: ClassVar[Shape] = Shape(derived=("found",))

    p: Annotated[
        Proportion,
        Field(
            "By permutation. Permuting stops as soon as p must lie above the level; p is then that of the permutations "
            "made."
        ),
    ]
    permutations: Annotated[Count, Field("The number of permutations.")]
    segments: Annotated[Count, Field("The number of segments.")]
    series: Annotated[Count, Field("The number of differences, or scores, whose contributions were tested together.")]
    ratio: Annotated[
        NonNegative,
        Field(
            "The standard error that the correlation implies over the one of independent segments, the median over all "
            'series. It is biased down: read it as "at least about".'
        ),
    ]

    @property
    def found(self) -> bool:
        """True if independence is rejected."""
        return self.p <= LEVEL

    @property
    def largest_ratio(self) -> float:
        """The ratio, and twice its standard error: what cannot be excluded."""
        return self.ratio * (1.0 + math.sqrt(4.0 * LAGS / (3.0 * self.segments)))

    def beyond(self, length: float) -> bool:
        """Return whether a correlation was found over more segments than blocks of that mean length hold."""
        return self.found and length < min(_NEIGHBOURS, block_length(self.segments))

    @property
    def note(self) -> Note | None:
        """A sentence without its full stop on what was found; None if nothing was."""
        return self.said(tested=True)

    def said(self, *, tested: bool) -> Note | None:
        """Say what was found; without tests there are no p-values to speak of."""
        if not self.found:
            return None
        size = ""
        if self.segments >= _ENOUGH_FOR_RATIO and self.ratio > 1.0:
            typical = "" if self.series == 1 else ", the median over comparisons"
            size = f" by a factor of at least about {self.ratio:.2g}{typical}"
        text = (
            "Neighbouring segments are correlated "
            f"(permutation test, p = {self.p:.2g}), so standard errors are too small{size}: "
            f"{'p-values are too small and intervals' if tested else 'intervals are'} too narrow. "
            f"Give the documents, or resample blocks of neighbouring segments ({self.options}). "
            "This assumes that segments are in the order of the text"
        )
        return Note("dependence", text)

    @property
    def options(self) -> str:
        """The options that resample blocks of enough segments, in words that hold in every interface."""
        return f"option unit: block, option block-length: {block_length(self.segments)}"


def block_length(segments: int) -> int:
    """Return how many segments a block should have to hold the dependence of neighbours; there are ten at least."""
    return max(min(LAGS, segments // 10), 1)


def find_dependence(
    contributions: NDArray[np.float64],
    *,
    strata: NDArray[np.int64] | None = None,
    seed: int,
) -> Dependence | None:
    """Test whether contributions of neighbouring segments are correlated.

    Let u be the contributions, centred, and P the sum of the ten before each. The statistic Σ u P / √Σ u² P² has mean 0
    and variance 1 for independent u, whatever their scales: segments of different documents may vary differently.
    Its distribution is that over permutations of u. Several series are tested together, by the mean of their
    statistics under the same permutations.

    Parameters
    ----------
    contributions : array of float64, shape (series, segments)
        In the order of the text.
    strata : array of int, optional
        The stratum of each segment. They are centred and permuted within strata, and segments of two strata
        are never neighbours.
    seed : int
        Of the permutations.

    Returns
    -------
    Dependence or None
        None if there are too few segments (50), or too few with a contribution (20), to tell.
    """
    contributing = int(np.count_nonzero(contributions, axis=1).max(initial=0))
    if contributions.shape[1] < FEWEST_SEGMENTS or contributing < FEWEST_DIFFERING:
        return None
    contributions = contributions[:, :_MOST_SEGMENTS]
    strata = None if strata is None else strata[:_MOST_SEGMENTS]
    edges = np.array([0, contributions.shape[1]])
    if strata is not None:
        contributions = contributions[:, np.argsort(strata, kind="stable")]
        edges = np.concatenate([[0], np.cumsum(np.unique(strata, return_counts=True)[1])])
    centred = _centred(contributions, edges)
    centred = centred[np.abs(centred).max(1) > 0.0]
    if not len(centred):
        return None
    p, made = _permutation_p(centred, edges, seed)
    ratio = median(standard_error_ratio(one, edges) for one in centred)
    return Dependence(p, made, centred.shape[1], len(centred), round(ratio, 3))


def standard_error_ratio(centred: NDArray[np.float64], edges: NDArray[np.int64] | None = None) -> float:
    """Return the square root of the long-run variance over the variance, with Bartlett weights over 40 lags.

    Never below zero: Bartlett weights make every estimate non-negative (Newey and West 1987).
    """
    edges = np.array([0, centred.size]) if edges is None else edges
    products = np.zeros(LAGS + 1)
    for first, last in itertools.pairwise(edges):
        part = centred[first:last]
        for lag in range(min(LAGS, part.size - 1) + 1):
            # Not a product of BLAS, whose last bits depend on its threads.
            products[lag] += (part[lag:] * part[: part.size - lag]).sum()
    weights = 1.0 - np.arange(1, LAGS + 1) / (LAGS + 1)
    return math.sqrt(max(1.0 + 2.0 * float(weights @ products[1:]) / products[0], 0.0))


def _centred(values: NDArray[np.float64], edges: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return each series with mean 0 within every stratum, and with a largest absolute value of 1."""
    means = np.add.reduceat(values, edges[:-1], axis=1) / np.diff(edges)
    centred = values - np.repeat(means, np.diff(edges), axis=1)
    largest = np.abs(centred).max(1, keepdims=True)
    # What is left of a constant series is rounding.
    rounding = largest <= 1e-12 * np.abs(values).max(1, keepdims=True)
    return np.asarray(np.where(rounding, 0.0, centred / np.where(largest == 0.0, 1.0, largest)))


def _permutation_p(centred: NDArray[np.float64], edges: NDArray[np.int64], seed: int) -> tuple[float, int]:
    """Return p and the number of permutations made: all, or as many as show that p is above the level."""
    observed = _statistics(_products(centred[None], edges))[0]
    tolerated = math.floor(LEVEL * (_PERMUTATIONS + 1)) - 1  # as large as observed, and p is still at the level
    strata = edges.size - 1
    as_large = made = 0
    while made < _PERMUTATIONS and as_large <= tolerated:
        count = min(_PIECE, _PERMUTATIONS - made)
        keys = resample_keys(seed, _STREAM, made * strata, count * strata).reshape(count, strata)
        found = _statistics(_permuted_products(keys, centred, edges))
        as_large += int(np.count_nonzero(found >= observed - _ROUNDING))
        made += count
    return (1 + as_large) / (1 + made), made


def _permuted_products(
    keys: NDArray[np.uint64], centred: NDArray[np.float64], edges: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Permute all series alike, each stratum by its column of keys; return their sums, shape (rows, series, 2)."""
    if compiled():
        sums = np.empty((len(keys), len(centred), 2))
        work = np.empty(centred.shape[1])
        run(neighbours.permuted_products, keys, edges, np.ascontiguousarray(centred), _NEIGHBOURS, work, sums)
        return sums
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
    """Return the mean over series of Σ u P / √Σ u² P²; 0 for one of which no two neighbours have both moved."""
    total, squares = sums[..., 0], sums[..., 1]
    each = np.divide(total, np.sqrt(squares), out=np.zeros_like(total), where=squares > 0.0)
    return np.asarray(each.mean(-1))
