"""Counting rules of published tests and of other tools, to the letter.

Each source has its own way from resampled differences to a p-value: absolute values taken before centring, centring
on the Monte-Carlo mean, a strict "greater", no added one. See docs/calibration.md for what that does to their size. All
take the observed difference and the resampled ones, positive if the system is better than the baseline, and
``slack``, below which two differences are the same except for rounding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from truegain.inference.intervals import quantiles
from truegain.inference.pvalues import PValue, counted

Floats = NDArray[np.float64]


def koehn(delta: float, resampled: Floats, slack: float = 0.0) -> PValue:
    """Count by Koehn (2004): the share of resamples in which the better system does not win; not centred, one-sided."""
    return max((_share(one <= slack) for one in _towards(resampled, delta)), key=_p)


def berg_kirkpatrick(delta: float, resampled: Floats, slack: float = 0.0) -> PValue:
    """Count by Berg-Kirkpatrick et al. (2012), figure 1: the share with δ* > 2δ, for the better system; one-sided."""
    return max((_share(one > 2.0 * abs(delta) + slack) for one in _towards(resampled, delta)), key=_p)


def riezler_bootstrap(delta: float, resampled: Floats, slack: float = 0.0) -> PValue:
    """Count by Riezler and Maxwell (2005), after Okita and Way: |δ*| less its mean over resamples, at least |δ|."""
    return counted(_centred_folds(resampled) >= abs(delta) - slack)


def sacrebleu_bootstrap(delta: float, resampled: Floats, slack: float = 0.0) -> PValue:
    """Count as sacreBLEU's paired bootstrap: as :func:`riezler_bootstrap`, but strictly greater."""
    return counted(_centred_folds(resampled) > abs(delta) + slack)


def moses_bootstrap(delta: float, resampled: Floats, slack: float = 0.0) -> PValue:
    """Count as Moses' script: as :func:`riezler_bootstrap`, but divided by the number of resamples."""
    return _share(_centred_folds(resampled) >= abs(delta) - slack)


def fu_bootstrap(delta: float, resampled: Floats, slack: float = 0.0) -> PValue:
    """Count by Fu et al., table 3: resamples of runs, |δ*| less its mean over resamples, strictly greater."""
    return counted(_centred_folds(resampled) > abs(delta) + slack)


def strict_randomization(delta: float, swapped: Floats, slack: float = 0.0) -> PValue:
    """Count randomizations with a strict "greater", as in sacreBLEU, MultEval and Fu et al., table 4."""
    return counted(np.abs(swapped) > abs(delta) + slack)


def critical_difference(resampled: Floats, alpha: float, *, folded: bool) -> float:
    """Return the size of an observed difference at which p is alpha.

    Parameters
    ----------
    resampled : array
        The resampled differences.
    alpha : float
    folded : bool
        Whether their sizes are centred on their mean, as :func:`fu_bootstrap` does.
    """
    sizes = _centred_folds(resampled) if folded else np.abs(resampled)
    return max(quantiles(sizes, (1.0 - alpha,))[0], 0.0)


def _towards(resampled: Floats, delta: float) -> list[Floats]:
    """Return the differences with the sign that makes the observed one positive; with both signs if it is 0."""
    return [sign * resampled for sign in (1.0, -1.0) if sign * delta >= 0.0]


def _p(found: PValue) -> float:
    return found.p


def _centred_folds(resampled: Floats) -> Floats:
    folded = np.abs(resampled)
    return np.asarray(folded - folded.mean())


def _share(reached: NDArray[np.bool_]) -> PValue:
    count = int(np.count_nonzero(reached))
    return PValue(count / reached.size, count, int(reached.size))
