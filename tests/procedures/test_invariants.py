"""What no test may depend on: which system is which, the order of segments, an added constant."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import truegain as tg
from tests.conftest import only_with_all
from truegain.inference.results import Comparison
from truegain.registry import TESTS

N = 32  # a power of two: means of eighths are exact, so that ties are ties
ON_ONE_RUN = [name for name, entry in TESTS.items() if "run" not in entry.unit and name not in ("crossed", "raters")]
TWO_VALUED = ("mcnemar", "tango")  # tests of scores that are 0 or 1
DIRECTED = [name for name in ON_ONE_RUN if TESTS[name].sides == "as chosen"]
WITHOUT_DRAWS = ["exact", "t", "wilcoxon", "sign", "mcnemar"]
#: Absolute differences less their Monte-Carlo mean: where few values can occur, p jumps with that mean.
FOLDED = ["riezler2005-bootstrap", "sacrebleu-bs", "moses-bs", "fu-rows-bootstrap"]
DRAWN_IN_ANY_ORDER = [
    name
    for name in ON_ONE_RUN
    if name not in (*WITHOUT_DRAWS, *FOLDED, "stationary-bootstrap")  # blocks of neighbours
]

Scores = NDArray[np.float64]
Pair = dict[str, Scores]


def scores(low: int, high: int, step: float) -> st.SearchStrategy[Scores]:
    return st.lists(st.integers(low, high), min_size=N, max_size=N).map(lambda values: np.array(values) * step)


eighths = st.tuples(scores(-16, 16, 0.125), scores(-16, 16, 0.125))
few_differ = st.tuples(scores(0, 8, 0.125), st.dictionaries(st.integers(0, N - 1), st.integers(-4, 4), max_size=6)).map(
    lambda given: (given[0], given[0] + np.array([given[1].get(i, 0) / 8 for i in range(N)]))
)
binary = st.tuples(scores(0, 1, 1.0), scores(0, 1, 1.0))


def pairs_for(test: str) -> st.SearchStrategy[Pair]:
    kinds = binary if test in TWO_VALUED else st.one_of(eighths, few_differ, binary)
    return kinds.map(lambda pair: {"a": pair[0], "b": pair[1]})


def compared(pair: Pair, test: str, **options: Any) -> Comparison:
    settings: dict[str, Any] = {"resamples": 200, "jobs": 1, **options}
    (found,) = tg.compare(None, pair, metrics=["scores"], test=test, **settings)
    return found


def turned(pair: Pair) -> Pair:
    return {name: pair[name] for name in ("b", "a")}


def near(p: float, q: float, resamples: int) -> bool:
    """Whether two shares of so many resamples may be of the same probability: five standard errors."""
    mean = (p + q) / 2
    return abs(p - q) <= 5 * math.sqrt(2 * mean * (1 - mean) / resamples) + 5 / resamples


@pytest.mark.whole
@pytest.mark.parametrize("test", ON_ONE_RUN)
@settings(deadline=None, max_examples=12)
@given(data=st.data())
def test_systems_change_places(test: str, data: st.DataObject) -> None:
    """Exactly, for the draws are the same."""
    pair = data.draw(pairs_for(test))
    there, back = compared(pair, test), compared(turned(pair), test)
    assert back.delta == -there.delta
    if there.delta != 0.0 or TESTS[test].sides != "one-sided":  # of equals, neither is the better one
        assert back.p == there.p
    assert back.significant is there.significant
    assert back.better is (None if there.better is None else not there.better)
    assert (back.interval.low, back.interval.high) == pytest.approx((-there.interval.high, -there.interval.low))


@pytest.mark.whole
@pytest.mark.parametrize("test", DIRECTED)
@settings(deadline=None, max_examples=8)
@given(data=st.data())
def test_sides_change_places(test: str, data: st.DataObject) -> None:
    pair = data.draw(pairs_for(test))
    greater, less = (compared(pair, test, alternative=side) for side in ("greater", "less"))
    assert compared(turned(pair), test, alternative="less").p == greater.p
    assert compared(turned(pair), test, alternative="greater").p == less.p
    if greater.delta > 0.0 and test in ("exact", "t", "mcnemar"):
        assert greater.p <= less.p


@pytest.mark.parametrize("test", [*WITHOUT_DRAWS, *only_with_all(*DRAWN_IN_ANY_ORDER)])
@settings(deadline=None, max_examples=8)
@given(data=st.data(), order=st.permutations(range(N)))
def test_order_of_segments(test: str, data: st.DataObject, order: list[int]) -> None:
    pair = data.draw(pairs_for(test))
    plain = compared(pair, test, resamples=2000)
    moved = compared({name: values[order] for name, values in pair.items()}, test, resamples=2000)
    assert moved.delta == plain.delta
    if test in WITHOUT_DRAWS:
        assert plain.test == test, "nothing was drawn"
        assert moved.p == pytest.approx(plain.p, rel=1e-12)
    else:
        assert near(moved.p, plain.p, 2000)


@pytest.mark.whole
@pytest.mark.parametrize("test", [name for name in ON_ONE_RUN if name != "tango"])  # whose values are 0 and 1
@settings(deadline=None, max_examples=8)
@given(data=st.data(), constant=st.integers(-800, 800).map(lambda number: number / 8), power=st.integers(-6, 6))
def test_a_constant_added_to_both_and_a_factor_of_both(
    test: str, data: st.DataObject, constant: float, power: int
) -> None:
    pair = data.draw(pairs_for(test))
    plain = compared(pair, test)
    moved = compared({name: values + constant for name, values in pair.items()}, test)
    assert moved.delta == plain.delta
    assert moved.p == (pytest.approx(plain.p, rel=1e-6) if test == "skew-t" else plain.p)  # from a variance
    if test not in TWO_VALUED:
        scaled = compared({name: values * 2.0**power for name, values in pair.items()}, test)
        assert scaled.delta == plain.delta * 2.0**power
        assert scaled.p == plain.p


# The same with texts and BLEU, which is no mean of segments.


def texts(seed: int, count: int = 14) -> tuple[list[str], dict[str, list[str]]]:
    generator = np.random.default_rng(seed)
    lines = [" ".join(f"w{i}" for i in generator.integers(0, 30, generator.integers(4, 12))) for _ in range(count)]

    def corrupted(share: float) -> list[str]:
        return [" ".join(w if generator.random() > share else "x" for w in line.split()) for line in lines]

    return lines, {"a": corrupted(0.3), "b": corrupted(0.25)}


def scored(references: list[str], systems: dict[str, list[str]], test: str, metric: str, resamples: int) -> Comparison:
    (found,) = tg.compare(references, systems, metrics=[metric], test=test, resamples=resamples, jobs=1)
    return found


@pytest.mark.whole
@pytest.mark.parametrize("test", [name for name in ON_ONE_RUN if name not in TWO_VALUED])
@pytest.mark.parametrize("metric", ["bleu", "wer"])
@settings(deadline=None, max_examples=4)
@given(seed=st.integers(0, 10_000))
def test_texts_change_places(test: str, metric: str, seed: int) -> None:
    lines, pair = texts(seed)
    there, back = (
        scored(lines, {name: pair[name] for name in order}, test, metric, 200) for order in (("a", "b"), ("b", "a"))
    )
    assert back.delta == -there.delta
    if there.delta != 0.0 or TESTS[test].sides != "one-sided":
        assert back.p == there.p


@pytest.mark.whole
@pytest.mark.parametrize("test", [name for name in ON_ONE_RUN if name not in (*TWO_VALUED, "stationary-bootstrap")])
@settings(deadline=None, max_examples=4)
@given(seed=st.integers(0, 10_000), order=st.permutations(range(14)))
def test_order_of_texts(test: str, seed: int, order: list[int]) -> None:
    lines, pair = texts(seed)
    plain = scored(lines, pair, test, "bleu", 2000)
    moved = scored([lines[i] for i in order], {k: [v[i] for i in order] for k, v in pair.items()}, test, "bleu", 2000)
    assert moved.delta == plain.delta
    if plain.resamples == 0:
        assert moved.p == pytest.approx(plain.p, rel=1e-12)
    elif test not in FOLDED:
        assert near(moved.p, plain.p, 2000)
