"""Test whether a gain differs between groups of units more than chance.

Q = Σ (Δ_g − Δ̄)² / se_g², with Δ̄ weighted by 1/se_g²; if units lie in several groups Q = d′V⁻d, with V their joint
covariance. Q is held against its bootstrap distribution, in which each Δ_g is centred and each se_g, or V, computed
again: χ² and fixed standard errors reject far too often with few units. The bootstrap rejects too often if gains are
skewed and a small group stands beside a large one. Without common units, Q is therefore also held against its
distribution over permutations of units between groups, exact if groups are alike (Chung and Romano 2013), and the
larger p-value counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.inference.pvalues import PValue, counted
from truegain.resampling.generator import resample_keys, shuffled
from truegain.resampling.streams import Stream

Floats = NDArray[np.float64]

#: Units below which a group is not tested.
LEAST_UNITS = 10

_TIE = 1e-9  # relative size of a difference that is only rounding
_AT_ONCE = 2_000_000  # numbers that are permuted at once


def own_columns(contributions: Floats) -> Floats:
    """Return what is drawn of a group's units: contributions to Δ_g, centred, and their squares, shape (units, 2)."""
    centred = contributions - contributions.mean()
    return np.stack([centred, centred**2], axis=1)


def exchanged(deltas: Floats, contributions: Sequence[Floats], seed: int, resamples: int) -> list[PValue]:
    """Return p-values of Q over permutations of units between groups without common units.

    Parameters
    ----------
    deltas : array (groups, gains)
        Several gains share their permutations.
    contributions : sequence of arrays (units, gains)
        To each group's gains.
    seed, resamples : int
        Of the permutations.
    """
    sizes = np.array([len(own) for own in contributions])
    values = np.concatenate(
        [delta + (own - own.mean(0)) * len(own) for delta, own in zip(deltas, contributions, strict=True)]
    )
    values = values - values.mean(0)
    columns = np.concatenate([values, values**2], axis=1)
    own_sums = np.add.reduceat(columns, np.cumsum(sizes) - sizes, axis=0)[:, None]
    observed = _q_of_means(own_sums, sizes)[0]
    groups = np.repeat(np.arange(sizes.size), sizes)
    reached = np.zeros(deltas.shape[1], np.int64)
    step = max(1, _AT_ONCE // groups.size)
    for first in range(0, resamples, step):
        labels = shuffled(resample_keys(seed, Stream.GROUP_LABELS, first, min(step, resamples - first)), groups)
        sums = np.stack([(labels == g).astype(np.float64) @ columns for g in range(sizes.size)])
        reached += (_q_of_means(sums, sizes) >= observed * (1.0 - _TIE)).sum(0)
    return [PValue((count + 1) / (resamples + 1), count, resamples) for count in reached.tolist()]


def _q_of_means(sums: Floats, sizes: NDArray[np.int64]) -> Floats:
    """Return Q, shape (resamples, gains), of sums and sums of squares, shape (groups, resamples, 2 gains)."""
    counts = sizes.astype(np.float64)[:, None, None]
    totals, squares = np.split(sums, 2, axis=-1)
    return _weighted(totals / counts, _variances(counts, totals / counts, squares / counts**2))


def apart(deltas: Floats, columns: Sequence[Floats], drawn: Sequence[Floats]) -> tuple[float, PValue]:
    """Return Q and its p-value for groups without common units.

    Parameters
    ----------
    deltas : array (groups,)
    columns : sequence of arrays (units, 2)
        Of each group, from :func:`own_columns`.
    drawn : sequence of arrays (2, resamples)
        Their sums over the units of each bootstrap resample, drawn independently by group.
    """
    sizes = np.array([len(one) for one in columns], np.float64)[:, None]
    observed = _variances(sizes, np.zeros((sizes.size, 1)), np.array([one[:, 1].sum() for one in columns])[:, None])
    gains, squares = (np.stack([one[place] for one in drawn]) for place in (0, 1))
    q = float(_weighted(deltas[:, None], observed)[0])
    return q, _p(q, _weighted(gains, _variances(sizes, gains, squares)))


def _variances(sizes: Floats, sums: Floats, squares: Floats) -> Floats:
    left = squares - sums**2 / sizes
    return sizes / (sizes - 1.0) * np.where(left > _TIE * squares, left, 0.0)


def _weighted(gains: Floats, variances: Floats) -> Floats:
    """Return Q of each column; infinite if a group does not vary."""
    with np.errstate(all="ignore"):
        weights = 1.0 / variances
        mean = (weights * gains).sum(0) / weights.sum(0)
        found = (weights * (gains - mean) ** 2).sum(0)
    return np.where(np.isfinite(found), found, np.inf)


def joint_columns(contributions: Floats) -> Floats:
    """Return what is drawn of units in several groups: contributions (units, groups), centred, and their products."""
    centred = contributions - contributions.mean(0)
    first, second = np.triu_indices(contributions.shape[1])
    return np.concatenate([centred, centred[:, first] * centred[:, second]], axis=1)


def together(deltas: Floats, columns: Floats, drawn: Floats) -> tuple[float, PValue]:
    """Return Q and its p-value for groups with common units.

    Parameters
    ----------
    deltas : array (groups,)
    columns : array (units, columns)
        From :func:`joint_columns`.
    drawn : array (columns, resamples)
        Their sums over the units of each bootstrap resample.
    """
    q = float(
        _joint(deltas[:, None], columns[:, deltas.size :].sum(0)[:, None], np.zeros((deltas.size, 1)), len(columns))[0]
    )
    gains, products = drawn[: deltas.size], drawn[deltas.size :]
    return q, _p(q, _joint(gains, products, gains, len(columns)))


def _joint(gains: Floats, products: Floats, sums: Floats, units: int) -> Floats:
    """Return d′V⁻d of each column, with d the gains less the last one."""
    groups = len(gains)
    first, second = np.triu_indices(groups)
    own = units / (units - 1.0) * (products - sums[first] * sums[second] / units)
    covariance = np.empty((gains.shape[1], groups, groups))
    covariance[:, first, second] = covariance[:, second, first] = own.T
    contrast = np.concatenate([np.eye(groups - 1), -np.ones((groups - 1, 1))], axis=1)
    differences = (contrast @ gains).T
    inverse = np.linalg.pinv(contrast @ covariance @ contrast.T, hermitian=True)
    return np.asarray(np.einsum("ri,rij,rj->r", differences, inverse, differences))


def _p(q: float, resampled: Floats) -> PValue:
    return counted(resampled >= q * (1.0 - _TIE))
