"""Variances of agreement: over documents, and over systems as well."""

from __future__ import annotations

import numpy as np

from truegain.agreement.judged import Array, Resampled
from truegain.inference.distributions import student_tail


def document_variance(rows: Array, resampled: Resampled) -> float:
    """Return the variance over documents of a measure, or of a difference of two.

    Parameters
    ----------
    rows : array (1 + resamples, 1 + systems)
        Of all documents in the first row, and of all systems in the first column; see ``replicates`` of measures.
    """
    return float(resampled.spread(rows[1:, :1])[0])


def total_variance(rows: Array, resampled: Resampled) -> float:
    """Return the variance over documents and over systems.

    Over systems it is that of the jackknife, which leaves one out; of a mean over pairs it is 4 (K - 1) / (K (K - 2)²)
    times the sum of squares of each system's mean less the mean. What documents have in it, which both would count, is
    taken off; the sum is never less than either.
    """
    systems = rows.shape[1] - 1
    factor = (systems - 1) / systems
    over_documents = document_variance(rows, resampled)
    over_systems = factor * float(((rows[0, 1:] - rows[0, 0]) ** 2).sum())
    both = factor * float(resampled.spread(rows[1:, 1:] - rows[1:, :1]).sum())
    return float(max(over_documents, over_systems, over_documents + over_systems - both))


def t_test(difference: float, variance: float, freedom: float, documents: int) -> float:
    """Return the two-sided p-value of a difference.

    It is at least that of all documents with the same sign, 2^(1 - documents), which no test by documents goes below.
    """
    if difference == 0.0:
        return 1.0
    least = 2.0 ** (1 - documents)
    if variance <= 0.0:
        return least
    return min(1.0, max(least, 2.0 * student_tail(abs(difference) / float(np.sqrt(variance)), freedom)))
