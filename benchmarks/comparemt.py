"""The bootstrap beside compare-mt, where it is installed."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import Data
from benchmarks.timing import Row, Skipped, alternate
from truegain.experiment import Experiment

__all__ = ["measure"]

_SEED = 12345
_SHORTEST = 4  # words: compare-mt counts an n-gram where a shorter segment has none
#: No development tool: its package puts a folder named tests beside those of others.
_WHY_NOT = "`pip install compare_mt` adds the row"


def measure(data: Data, *, resamples: int = 1000, repeats: int) -> Row | Skipped:
    """From statistics in memory to bootstrap scores of all systems; segments of fewer than four words are left out."""
    work = f"bootstrap {resamples:,}, BLEU of words, {len(data.systems)} systems, beside compare-mt"
    if find_spec("compare_mt") is None:
        return Skipped(work, _WHY_NOT)
    scorer = import_module("compare_mt.scorers").BleuScorer()
    paired_bootstrap = import_module("compare_mt.sign_utils").eval_with_paired_bootstrap
    lines = list(zip(data.reference, *data.systems.values(), strict=True))
    kept = [i for i, said in enumerate(lines) if all(len(one.split()) >= _SHORTEST for one in said)]
    reference = tuple(data.reference[i] for i in kept)
    systems = {name: tuple(outputs[i] for i in kept) for name, outputs in data.systems.items()}
    corpus = Data(data.name, reference, systems).corpus()
    experiment = Experiment.prepare(
        corpus,
        ["bleu:tokenize=none"],
        unit="segment",
        seed=_SEED,
        jobs=1,
        cache=None,
        engine=None,
        progress=None,
    )
    words = [one.split() for one in reference]
    outs = [[one.split() for one in outputs] for outputs in systems.values()]
    held = [scorer.cache_stats(words, out) for out in outs]

    def peer() -> list[float]:
        _, found = paired_bootstrap(
            words, outs, None, scorer, num_samples=resamples, sample_ratio=1.0, cache_stats=held
        )
        return [float(one["mean"]) for one in found]

    def ours() -> NDArray[np.float64]:
        return np.asarray(replace(experiment).bootstrap(resamples)[0])

    np.random.seed(_SEED)  # noqa: NPY002  # compare-mt draws from numpy's old generator
    times = alternate(peer, ours, repeats=repeats)
    means, error = times.our_result.mean(1), 5.0 * times.our_result.std(1) * (2.0 / resamples) ** 0.5
    agree = bool((np.abs(means - times.peer_result) <= error).all())
    return Row(work, data.name, "ratio", times.peer, times.ours, None, agree)
