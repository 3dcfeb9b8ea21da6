"""Scores of any size: what one system has changes nothing for others, and what floats cannot hold is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from tests.refusals import refused
from truegain.errors import InputError
from truegain.inference.results import Comparison

Scores = NDArray[np.float64]


def scores(seed: int = 1, segments: int = 120) -> dict[str, Scores]:
    draws = np.random.default_rng(seed)
    base = draws.beta(8, 2, segments)
    new = np.clip(base + draws.normal(0.01, 0.05, segments), 0.0, 0.999)
    return {"base": np.round(base * 2**20) / 2**20, "new": np.round(new * 2**20) / 2**20}


def compared(given: dict[str, Scores], **options: Any) -> Comparison:
    result = tg.compare(None, given, metrics=["scores"], resamples=500, **options)
    return next(one for one in result.comparisons if one.system == "new")


def test_it_is_said_that_one_score_decides() -> None:
    given = {**scores(), "third": scores(2)["new"]}
    given["third"][7] = 1e13
    notes = tg.compare(None, given, metrics=["scores"], resamples=99).notes
    assert ["third has a score of 1e+13" in note.text for note in notes if "lost in rounding" in note.text] == [True]


def test_ties_are_relative_to_differences() -> None:
    """Ten of ten thousand segments differ, by little: 2^-9 is the least p, however large the scores are."""
    base = np.random.default_rng(3).integers(0, 1000, 10_000) / 8
    new = base.copy()
    new[:10] += 2.0**-20
    found = compared({"base": base, "new": new}, test="exact")
    assert found.p_value.p == 2.0**-9
    drawn = compared({"base": base, "new": new}, test="ar")
    assert drawn.p_value.p < 0.02


def test_whole_numbers_far_from_zero_that_differ_by_one() -> None:
    base = np.random.default_rng(4).integers(0, 2, 100).astype(np.float64) + 2.0**12
    found = compared({"base": base, "new": np.where(np.arange(100) < 20, base + 1.0, base)}, test="exact")
    assert found.p_value.p == 2.0**-19


@pytest.mark.parametrize("number", [2, 8])
def test_few_scores_may_lie_close_together(number: int) -> None:
    """As those of a document do: 0.68407 and 0.68416."""
    base = 0.684 + 1e-4 * np.random.default_rng(5).integers(0, 100, number) / 128
    found = compared({"base": base, "new": base + 2.0**-20}, test="exact")
    assert found.p_value.p == 2.0 ** (1 - number)


@pytest.mark.parametrize("offset", [1e5, 1e9, -1e12])
def test_scores_that_rounding_would_decide_on_are_refused(offset: float) -> None:
    given = {name: one + offset for name, one in scores().items()}
    with pytest.raises(InputError) as error:
        compared(given)
    told = float((error.value.hint or "").split()[1])
    nearer = compared({name: one - told for name, one in given.items()})
    assert nearer.p_value.p == pytest.approx(compared(scores()).p_value.p, abs=0.02)  # digits are lost at 1e12


def test_scores_far_from_zero_are_refused_for_the_pair_that_has_them_only() -> None:
    given = scores()
    assert compared({**given, "third": given["base"] + 1e9}) == compared(given)
    with pytest.raises(InputError, match="far and farther"):
        compared({**given, "far": given["base"] + 1e9, "farther": given["new"] + 1e9})


@pytest.mark.parametrize(("factor", "way"), [(1e290, "divide"), (-1e290, "divide"), (1e-300, "multiply")])
def test_scores_whose_squares_cannot_be_held_are_refused(factor: float, way: str) -> None:
    with refused(path="base", naming=[way]):
        compared({name: one * factor for name, one in scores().items()})
