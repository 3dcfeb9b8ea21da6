"""Small systems of every kind, and what a study says of each pair of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import truegain as tg
from tests.conftest import only_with_all

__all__ = ["KINDS", "ONE_RUN", "SEVERAL_RUNS", "SIZE", "compared", "documents", "pairs", "scores", "texts", "texts_of"]

Scores = NDArray[np.float64]
#: What a study says of a metric, a test and two systems.
Told = dict[tuple[str, str, str, str], dict[str, Any]]

SIZE = 60
_R = 99

#: Tests for one run of each system, and for several.
ONE_RUN = (
    "ar",
    "bootstrap",
    "exact",
    "t",
    "wilcoxon",
    "sign",
    "koehn2004",
    "riezler2005-ar",
    "riezler2005-bootstrap",
    "bergkirkpatrick2012",
    "clark2011",
    "sacrebleu-bs",
    "sacrebleu-ar",
    "multeval-ar",
    "moses-bs",
)
SEVERAL_RUNS = (
    "crossed",
    "ar",
    "bootstrap",
    "exact",
    "run-permutation",
    "welch",
    "t",
    "wilcoxon",
    "sign",
    "clark2011",
    "fu-bootstrap",
    "fu-ar",
    "multeval-ar",
)

#: Kinds of segment scores.
KINDS = ("fractions", "shares", "few differ", *only_with_all("tenths", "ratings", "skewed", "signed"))


def scores(kind: str, seed: int, *, better: float = 0.0) -> Scores:
    """Scores of one run; those of one kind and the same seed // 100 are paired."""
    common, own = np.random.default_rng(seed // 100), np.random.default_rng(1000 + seed)
    hard, noise = common.normal(size=SIZE), own.normal(size=SIZE)
    value = 1.0 / (1.0 + np.exp(-(hard + 0.5 * noise + better)))
    if kind == "fractions":
        return value
    if kind == "tenths":
        return np.rint(10.0 * value) / 10.0
    if kind == "ratings":
        return np.rint(4.0 * value) + 1.0
    if kind == "shares":
        # Not of two values: 0 and 1 have a test of their own, which no other scale has.
        return np.asarray((value > 0.45) / 2.0 + (value > 0.55) / 2.0, np.float64)
    if kind == "skewed":
        return -np.rint(np.exp(3.0 * (1.0 - value)))
    if kind == "signed":
        return hard + 0.5 * noise + better
    found = 1.0 / (1.0 + np.exp(-hard))
    found[own.permutation(SIZE)[:7]] += 0.01 * (1.0 + seed % 7)
    return found


def texts_of(seed: int, systems: int) -> tuple[list[str], list[list[str]]]:
    """A reference, and outputs that change some of its words."""
    draws = np.random.default_rng(seed)
    words = np.array([f"w{i}" for i in range(30)])
    reference = [list(draws.choice(words, draws.integers(3, 12))) for _ in range(SIZE)]
    outputs = []
    for system in range(systems):
        own = np.random.default_rng(100 * seed + system)
        share = 0.15 + 0.1 * own.random()
        outputs.append(
            [" ".join(own.choice(words) if own.random() < share else word for word in line) for line in reference]
        )
    return [" ".join(line) for line in reference], outputs


def texts(seed: int, names: Sequence[str], runs: int = 1) -> tuple[list[str], dict[str, list[list[str]]]]:
    """A reference, and systems with so many runs each."""
    reference, outputs = texts_of(seed, len(names) * runs)
    return reference, {name: outputs[i * runs : (i + 1) * runs] for i, name in enumerate(names)}


def documents() -> list[str]:
    """Documents of unequal lengths."""
    lengths = [1, 2, 3, 4, 5, 6, 7, 8, 4, 5, 6, 2, 3, 4]
    return [f"d{i}" for i, length in enumerate(lengths) for _ in range(length)][:SIZE]


def compared(reference: Any, systems: Mapping[str, Any], tests: Sequence[str] = ("ar",), **options: Any) -> Told:
    """What compare says of each pair, but for what is adjusted for the number of pairs."""
    result = tg.compare(reference, systems, test=list(tests), **{"resamples": _R, "changed_segments": 0, **options})
    own = {(one.metric, one.name): one for one in result.scores}
    found: Told = {}
    for one in result.comparisons:
        key = (one.metric, one.asked, one.baseline, one.system)
        assert key not in found
        found[key] = {
            "delta": one.delta,
            "interval": one.interval,
            "p": one.p_value,
            "test": one.test,
            "effect": one.effect,
            "overlap": one.overlap,
            "design effect": one.design_effect,
            "score": own[one.metric, one.system],
        }
    return found


def pairs(result: Any) -> dict[tuple[str, frozenset[str]], tuple[float, float, int]]:
    """Of a ranking or a threshold: what is said of each pair, whichever stands first."""
    return {
        (one.metric, frozenset((one.baseline, one.system))): (abs(one.delta), one.p, one.exceedances)
        for one in result.pairs
    }
