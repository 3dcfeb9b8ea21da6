"""From statistics to p-values: the bootstrap and approximate randomization beside sacreBLEU."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest, Result, _paired_ar_test, _paired_bs_test, estimate_ci

from benchmarks.data import Data
from benchmarks.timing import Row, Times, alternate
from truegain.experiment import Experiment
from truegain.inference.multiplicity import holm, max_t
from truegain.inference.published import strict_randomization
from truegain.inference.pvalues import PValue, bootstrap_test, randomization_test, tolerance
from truegain.procedures.base import Pair, Trial
from truegain.procedures.randomization import AR, swapped_differences

__all__ = [
    "bootstrap_p_values",
    "measure_bootstrap",
    "measure_bootstrap_with_intervals",
    "measure_max_t",
    "measure_randomization",
    "randomization_p_values",
]

_SEED = 12345
#: By test, resamples and systems.
_TARGETS = {
    ("bootstrap", 1_000, 2): 60.0,
    ("bootstrap", 1_000, 10): 200.0,
    ("randomization", 10_000, 2): 150.0,
    ("randomization", 10_000, 10): 300.0,
}


def bootstrap_p_values(
    experiment: Experiment, resamples: int, *, factors: tuple[float, ...] | None = None
) -> tuple[NDArray[np.float64], list[list[list[PValue]]]]:
    """Bootstrap scores (metrics, systems, resamples), and p-values by metric, system and small-sample factor."""
    resampled = experiment.bootstrap(resamples)
    factors = factors or (experiment.factor(0.95),)
    found = []
    for observed, scores in zip(experiment.scores, resampled, strict=True):
        found.append(
            [
                [
                    bootstrap_test(
                        float(observed[s] - observed[0]),
                        scores[s] - scores[0],
                        magnitude=_magnitude(observed[s], observed[0]),
                        factor=factor,
                    )
                    for factor in factors
                ]
                for s in range(1, len(observed))
            ]
        )
    return resampled, found


def randomization_p_values(experiment: Experiment, resamples: int) -> list[list[PValue]]:
    """P-values of approximate randomization, by metric and system."""
    pairs = [Pair(0, s) for s in range(1, len(experiment.corpus.systems))]
    swapped = swapped_differences(experiment, pairs, resamples)
    return [
        [
            randomization_test(
                float(observed[s] - observed[0]),
                swapped[m, pairs[s - 1]],
                magnitude=_magnitude(observed[s], observed[0]),
            )
            for s in range(1, len(observed))
        ]
        for m, observed in enumerate(experiment.scores)
    ]


def _magnitude(one: float, other: float) -> float:
    return max(abs(float(one)), abs(float(other)))


def measure_bootstrap(data: Data, metric: str = "BLEU", *, resamples: int = 1000, repeats: int) -> Row:
    """Compare the paired bootstrap, from statistics in memory to p-values."""
    experiment = _experiment(data, metric)
    peer = _Peer(experiment, metric)
    times = alternate(
        lambda: peer.run(_paired_bs_test, resamples),
        lambda: bootstrap_p_values(_fresh(experiment), resamples)[0],
        repeats=repeats,
    )
    agree = _same_spreads(times.peer_result, times.our_result[0, 1:], experiment.scores[0, 1:])
    return _row("bootstrap", resamples, data, times, agree, metric)


def measure_bootstrap_with_intervals(data: Data, *, resamples: int = 1000, repeats: int) -> Row:
    """Compare it with the interval of every system's score, the baseline's too, as both tools report them."""
    experiment = _experiment(data)
    peer = _Peer(experiment)

    def ours() -> NDArray[np.float64]:
        fresh = _fresh(experiment)
        resampled = bootstrap_p_values(fresh, resamples)[0]
        fresh.system_results(resamples, 0.95, "percentile")
        return resampled

    times = alternate(lambda: peer.run_all("bs", resamples), ours, repeats=repeats)
    agree = _same_spreads(times.peer_result, times.our_result[0], experiment.scores[0])
    return _row("bootstrap", resamples, data, times, agree, "with all intervals")


def measure_randomization(data: Data, metric: str = "BLEU", *, resamples: int = 10_000, repeats: int) -> Row:
    """Approximate randomization, from statistics in memory to p-values."""
    experiment = _experiment(data, metric)
    peer = _Peer(experiment, metric)
    times = alternate(
        lambda: peer.run(_paired_ar_test, resamples),
        lambda: randomization_p_values(_fresh(experiment), resamples)[0],
        repeats=repeats,
    )
    agree = all(
        _same_share(result.p_value, p, resamples)
        for result, p in zip(times.peer_result, _without_ties(experiment, resamples), strict=True)
    )
    return _row("randomization", resamples, data, times, agree, metric)


def _without_ties(experiment: Experiment, resamples: int) -> list[float]:
    """P-values as sacreBLEU counts them: what is equal to the observed difference does not count, as it does here.

    Scores of TER are shares of whole numbers, so that a hundredth of the trials and more are ties.
    """
    observed = experiment.scores[0]
    pairs = [Pair(0, s) for s in range(1, len(observed))]
    swapped = swapped_differences(_fresh(experiment), pairs, resamples)
    return [
        strict_randomization(
            float(observed[pair.system] - observed[0]),
            swapped[0, pair],
            tolerance(_magnitude(observed[pair.system], observed[0])),
        ).p
        for pair in pairs
    ]


def measure_max_t(data: Data, *, resamples: int = 10_000, repeats: int) -> Row:
    """All pairs adjusted by maxT beside all pairs adjusted one by one: both randomized, with statistics in memory."""
    experiment = _experiment(data)
    count = len(data.systems)
    pairs = tuple(Pair(a, b) for a, b in itertools.combinations(range(count), 2))
    keys = [(0, pair) for pair in pairs]

    def adjusted(by_resamples: bool) -> list[float]:
        trial = Trial(_fresh(experiment), pairs, resamples=resamples)
        found = AR(trial)
        if not by_resamples:
            return holm([found[key].p_value.p for key in keys])
        nulls = [null for key in keys if (null := found[key].distribution) is not None]
        slack = [tolerance(trial.magnitude(key)) for key in keys]
        return max_t([trial.delta(key) for key in keys], nulls, slack=slack)

    times = alternate(lambda: adjusted(False), lambda: adjusted(True), repeats=repeats)
    # Both are step-down and made of the same resamples; maxT may only be lower, but for Monte-Carlo error.
    agree = all(ours <= holms + 0.02 for ours, holms in zip(times.our_result, times.peer_result, strict=True))
    work = f"maxT {resamples:,}, BLEU, all {len(pairs)} pairs of {count} systems, beside Holm"
    return Row(work, data.name, "ratio", times.peer, times.ours, 0.5, agree)


def _row(test: str, resamples: int, data: Data, times: Times, agree: bool, what: str = "BLEU") -> Row:
    systems = len(data.systems)
    target = None if what in ("chrF", "TER") else _TARGETS.get((test, resamples, systems))
    work = f"{test} {resamples:,}, {what}, {systems} systems"
    return Row(work, data.name, "ratio", times.peer, times.ours, target, agree)


def _fresh(experiment: Experiment) -> Experiment:
    """Return a copy that has kept nothing from the last time."""
    return replace(experiment)


def _experiment(data: Data, metric: str = "BLEU") -> Experiment:
    return Experiment.prepare(
        data.corpus(), [metric.lower()], unit="segment", seed=_SEED, jobs=1, cache=None, engine=None, progress=None
    )


class _Peer:
    """SacreBLEU's tests, given statistics that are already there."""

    def __init__(self, experiment: Experiment, metric: str = "BLEU") -> None:
        block = experiment.statistics.blocks[0]
        values = experiment.statistics.values
        if metric != "TER":  # whose statistics it holds as floating-point numbers
            values = values.astype(int)
        self.systems = [values[:, block.system_columns(s)].tolist() for s in range(len(block.run_counts))]
        self.baseline = {metric: (self.systems[0], Result(float(experiment.scores[0, 0])))}
        self.metric = metric
        self.metrics = {metric: _KNOWN[metric]()}

    def run(self, test: Callable[..., Any], resamples: int) -> list[Result]:
        """One of its tests for every system but the baseline."""
        found = [
            test(self.baseline, "", statistics, None, self.metrics, n_samples=resamples, seed=_SEED)
            for statistics in self.systems[1:]
        ]
        return [results[self.metric] for _, results in found]

    def run_all(self, test: str, resamples: int) -> list[Result]:
        """All that its command computes, which is an interval of the baseline's score besides."""
        named = [(str(number), statistics) for number, statistics in enumerate(self.systems)]
        found: list[Result] = PairedTest(named, self.metrics, None, test, resamples)()[1][self.metric]
        return found


class _Known:
    """A metric of sacreBLEU with the extraction already done: what it is given are the statistics."""

    def __init__(self) -> None:
        super().__init__()
        self.num_refs = 1

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Any:
        return hypotheses


class _KnownBLEU(_Known, BLEU):  # type: ignore[misc]
    pass


class _KnownCHRF(_Known, CHRF):  # type: ignore[misc]
    pass


class _KnownTER(_Known, TER):  # type: ignore[misc]
    pass


_KNOWN = {"BLEU": _KnownBLEU, "chrF": _KnownCHRF, "TER": _KnownTER}


def _same_spreads(peer: list[Result], ours: NDArray[np.float64], observed: NDArray[np.float64]) -> bool:
    """Return whether scores are the same, and bootstrap means and intervals within Monte-Carlo error."""
    for result, scores, score in zip(peer, ours, observed, strict=True):
        mean, reach = estimate_ci(scores)
        error = 5.0 * float(scores.std()) * (2.0 / scores.size) ** 0.5
        if abs(result.score - score) > 1e-6 or abs(result.mean - mean) > error or abs(result.ci - reach) > 3.0 * error:
            return False
    return True


def _same_share(one: float, other: float, trials: int) -> bool:
    """Two Monte-Carlo shares of the same event."""
    middle = (one + other) / 2
    error = (2.0 * middle * (1.0 - middle) / trials) ** 0.5
    return bool(abs(one - other) <= 5.0 * error + 2.0 / trials)
