"""Means of segment scores: randomization and bootstrap beside scipy, the stationary bootstrap beside arch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Row, alternate
from truegain.corpus import Corpus, Run, System
from truegain.experiment import Experiment
from truegain.inference.pvalues import randomization_test
from truegain.procedures.base import Pair
from truegain.procedures.randomization import swapped_differences

__all__ = ["measure_bootstrap", "measure_randomization", "measure_stationary"]

Floats = NDArray[np.float64]

_SEED = 12345
_GAIN = 0.05  # of a standard deviation: a p-value that is neither 0 nor 1
_BLOCK = 8


def measure_randomization(segments: int, *, resamples: int = 10_000, repeats: int) -> Row:
    """From scores in memory to a p-value, beside ``scipy.stats.permutation_test`` of paired samples."""
    from scipy.stats import permutation_test

    old, new = _scores(segments)
    experiment = _experiment(old, new)

    def difference(one: Floats, other: Floats, axis: int) -> Floats:
        return np.asarray(other.mean(axis) - one.mean(axis))

    def peer() -> float:
        found = permutation_test(
            (old, new), difference, permutation_type="samples", vectorized=True, n_resamples=resamples, rng=_SEED
        )
        return float(found.pvalue)

    def ours() -> float:
        fresh, pair = replace(experiment), Pair(0, 1)
        observed = fresh.scores[0]
        null = swapped_differences(fresh, [pair], resamples)[0, pair]
        return randomization_test(float(observed[1] - observed[0]), null, magnitude=float(np.abs(observed).max())).p

    times = alternate(peer, ours, repeats=repeats)
    share = (times.peer_result + times.our_result) / 2
    error = (2.0 * share * (1.0 - share) / resamples) ** 0.5
    agree = abs(times.peer_result - times.our_result) <= 5.0 * error + 2.0 / resamples
    work = f"randomization {resamples:,}, difference of means, beside scipy"
    return Row(work, _name(segments), "ratio", times.peer, times.ours, None, agree)


def measure_bootstrap(segments: int, *, resamples: int = 10_000, repeats: int) -> Row:
    """From scores in memory to resampled differences of means, beside ``scipy.stats.bootstrap``."""
    from scipy.stats import bootstrap

    old, new = _scores(segments)
    experiment = _experiment(old, new)

    def difference(one: Floats, other: Floats, axis: int) -> Floats:
        return np.asarray(other.mean(axis) - one.mean(axis))

    def peer() -> Floats:
        found = bootstrap(
            (old, new), difference, paired=True, vectorized=True, n_resamples=resamples, method="percentile", rng=_SEED
        )
        return np.asarray(found.bootstrap_distribution)

    def ours() -> Floats:
        scores = replace(experiment).bootstrap(resamples)[0]
        return np.asarray(scores[1] - scores[0])

    work = f"bootstrap {resamples:,}, difference of means, beside scipy"
    return _row(work, segments, peer, ours, repeats)


def measure_stationary(segments: int, *, resamples: int = 10_000, repeats: int) -> Row:
    """Blocks of neighbours, of a mean length that is given, beside arch's ``StationaryBootstrap``."""
    from arch.bootstrap import StationaryBootstrap

    old, new = _scores(segments)
    experiment = replace(_experiment(old, new), block_length=float(_BLOCK))

    def peer() -> Floats:
        drawn = StationaryBootstrap(_BLOCK, old, new, seed=_SEED)
        return np.asarray(drawn.apply(_difference, resamples)).reshape(resamples)

    def ours() -> Floats:
        scores = replace(experiment).in_blocks([(0, 1)]).bootstrap(resamples)[0]
        return np.asarray(scores[1] - scores[0])

    work = f"stationary bootstrap {resamples:,}, difference of means, beside arch"
    return _row(work, segments, peer, ours, repeats)


def _difference(old: Floats, new: Floats) -> Floats:
    return np.asarray(new.mean() - old.mean())


def _row(work: str, segments: int, peer: Callable[[], Floats], ours: Callable[[], Floats], repeats: int) -> Row:
    """Both give the resampled differences: their means and deviations differ by no more than Monte-Carlo error."""
    times = alternate(peer, ours, repeats=repeats)
    one, other = times.peer_result, times.our_result
    error = 5.0 * float(one.std()) * (2.0 / one.size) ** 0.5
    agree = bool(abs(one.mean() - other.mean()) <= error and abs(one.std() - other.std()) <= error)
    return Row(work, _name(segments), "ratio", times.peer, times.ours, None, agree)


def _name(segments: int) -> str:
    return f"scores of {segments:,}"


def _scores(segments: int) -> tuple[Floats, Floats]:
    """Of two systems: hard segments are hard for both, and neighbours are alike."""
    generator = np.random.default_rng(_SEED)
    noise = generator.standard_normal((2, segments + 1))
    own = 0.8 * noise[:, 1:] + 0.6 * noise[:, :-1]
    shared = generator.standard_normal(segments)
    return shared + own[0], shared + own[1] + _GAIN


def _experiment(old: Floats, new: Floats) -> Experiment:
    runs = {name: Run(name, scores={"score": scores}) for name, scores in (("old", old), ("new", new))}
    corpus = Corpus.build([System(name, (run,)) for name, run in runs.items()], [], name="scores")
    return Experiment.prepare(
        corpus, ["scores"], unit="segment", seed=_SEED, jobs=1, cache=None, engine=None, progress=None
    )
