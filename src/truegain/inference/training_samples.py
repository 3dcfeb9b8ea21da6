"""Several training samples of each system, with one run or several each.

Runs of one training sample share its data, so the mean of its runs is one observation. K samples take the place of runs
in the crossed test, and its claim extends to new training data. If both systems were trained on the same samples, the
samples are matched, and differences within samples are what varies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from truegain.inference.distributions import student_quantile
from truegain.inference.intervals import Interval
from truegain.inference.pvalues import Alternative, PValue, counted, degrees_of_freedom, exceeds
from truegain.inference.replicas import NOTHING, Crossed, Spread, SystemRuns, read_off, student_interval

Floats = NDArray[np.float64]

#: Samples from which on they are taken as matched: two leave one degree of freedom, and too many true nulls rejected.
FEWEST_MATCHED = 3


def sample_means(runs: SystemRuns, samples: Sequence[int]) -> SystemRuns:
    """Return the means of the runs of each training sample; ``samples`` has the sample of each run, from 0."""
    return replace(
        runs,
        scores=np.array([one.scores.mean() for one in _by_sample(runs, samples)]),
        left_out=np.stack([one.left_out.mean(0) for one in _by_sample(runs, samples)]),
    )


def _by_sample(runs: SystemRuns, samples: Sequence[int]) -> list[SystemRuns]:
    of_run = np.asarray(samples)
    groups = [of_run == number for number in range(int(of_run.max()) + 1)]
    return [replace(runs, scores=runs.scores[group], left_out=runs.left_out[group]) for group in groups]


def matched_test(
    delta: float,
    old: SystemRuns,
    new: SystemRuns,
    *,
    effective_units: float,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    null_gain: float = 0.0,
) -> Crossed:
    """Test whether the system is better with new training data, new runs and new segments, by matched samples.

    The variance of δ is V_h + s²_d / K, with d_k the difference within sample k, and V_h = J(δ) − r_d the variance over
    segments of what the differences have in common. The degrees of freedom f are such that 1 / f is the mean of the two
    parts' own, weighted by the parts. Satterthwaite's are too many if there are two for one of the parts: three
    matched samples could then reject 7.8 % of true nulls at 5 %; by this rule at most 5.7 %.

    Parameters
    ----------
    delta : float
        The difference of the mean scores, positive if the system is better.
    old, new : SystemRuns
        The means of the samples, in one order.
    effective_units, alternative, level, null_gain
        As in :func:`truegain.inference.replicas.crossed_test`.
    """
    within = replace(new, scores=new.scores - old.scores, left_out=new.left_out - old.left_out)
    over_segments, over_units = within.selection_variance, degrees_of_freedom(effective_units)
    parts = (within.segment_variance, over_units), (within.variance / within.count, within.count - 1.0)
    variance = sum(part for part, _ in parts)
    found = Spread(over_segments, over_units)
    if variance > NOTHING * over_segments:
        found = Spread(variance, variance / sum(part / freedom for part, freedom in parts))
    return read_off(delta, over_segments, found, found, alternative, level, null_gain)


def swapping_test(
    old: Floats,
    new: Floats,
    *,
    alternative: Alternative = "two-sided",
    magnitude: float,
    draws: NDArray[np.bool_] | None = None,
) -> PValue:
    """Swap the two systems within matched training samples in every way: new samples and runs, this test set.

    Parameters
    ----------
    old, new : array (samples,)
        Means of samples in one order, given so that a positive difference is a gain.
    alternative, magnitude
        As in :func:`truegain.inference.pvalues.randomization_test`.
    draws : array (ways, samples), optional
        Which samples are swapped; given if there are too many ways to enumerate.
    """
    gains = new - old
    swapped = draws
    if swapped is None:
        swapped = (np.arange(2**gains.size)[:, None] >> np.arange(gains.size) & 1).astype(bool)
    differences = np.where(swapped, -gains, gains).mean(1)
    reached = exceeds(differences, float(gains.mean()), alternative=alternative, magnitude=magnitude)
    return PValue(int(np.count_nonzero(reached)) / len(swapped)) if draws is None else counted(reached)


def least_swapping_p(samples: int, alternative: Alternative) -> float:
    """Return the least p of swapping matched samples: the system is better on every one."""
    return (2.0 if alternative == "two-sided" else 1.0) / 2.0**samples


def paired_interval(old: Floats, new: Floats, level: float, alternative: Alternative = "two-sided") -> Interval:
    """Return Student's interval of the mean difference of matched samples, on this test set."""
    gains = new - old
    probability = 0.5 + level / 2.0 if alternative == "two-sided" else level
    reach = student_quantile(probability, gains.size - 1.0) * float(gains.std(ddof=1)) / gains.size**0.5
    return student_interval(float(gains.mean()), reach, alternative, level)


@dataclass(frozen=True)
class SampleComponents:
    """Variances of a system's scores by their sources, on this test set.

    Attributes
    ----------
    between : float
        s² of the sample means.
    within : float or None
        σ²_within, of runs of one sample, pooled over samples; None if every sample has one run.
    sample : float or None
        σ²_sample = s² of the sample means − σ²_within · mean(1/m_k); negative if chance makes it so. None if every
        sample has one run: what a sample adds and what a run adds cannot be told apart.
    """

    between: float
    within: float | None
    sample: float | None


def components(runs: SystemRuns, samples: Sequence[int]) -> SampleComponents:
    """Return the variance between training samples and that of runs within them."""
    groups = _by_sample(runs, samples)
    between = sample_means(runs, samples).variance
    freedom = sum(one.count - 1 for one in groups)
    if freedom == 0:
        return SampleComponents(between, None, None)
    within = sum((one.count - 1) * one.variance for one in groups) / freedom
    return SampleComponents(between, within, between - within * float(np.mean([1.0 / one.count for one in groups])))
