"""Margins and gains that no two systems can have are refused; those that may be meant are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import truegain as tg
from truegain.errors import InputError
from truegain.testing import assert_not_worse

RIGHT = {"base": [1, 0, 1, 1, 0, 1, 0, 1], "new": [1, 1, 0, 1, 0, 1, 1, 1]}
INSIDE = {"base": [0.81, 0.9, 0.72, 0.85], "new": [0.8, 0.91, 0.7, 0.88]}
TEXTS = ["the cat sat on the mat", "a dog ran far away", "it is late in the day", "we went home by train"]
OUTPUTS = {"base": [one.replace("a", "o", 1) for one in TEXTS], "new": [*TEXTS[:2], "it is day", "we are home"]}


@pytest.mark.parametrize(
    ("study", "message"),
    [
        (
            lambda: tg.gate(None, RIGHT, metrics=["scores"], require="not-worse", margin=2),
            "margin is 2, and no loss can be larger: score lies between 0 and 1\n  did you mean 0.02?",
        ),
        (
            lambda: tg.gate(None, RIGHT, metrics=["scores"], margin=1),
            "margin is 1, and no gain can be larger: score lies between 0 and 1\n  did you mean 0.01?",
        ),
        (
            lambda: tg.gate(None, RIGHT, metrics=["scores"], require="not-worse", margin=0.7),
            "margin is 0.7, and no loss can be larger: base has a score of 0.625, and the worst is 0",
        ),
        (
            lambda: tg.gate(None, RIGHT, metrics=["scores:lower_is_better=true"], require="not-worse", margin=0.5),
            "base has a score of 0.625, and the worst is 1",
        ),
        (
            lambda: tg.gate(TEXTS, OUTPUTS, margin={"bleu": 150}),
            "BLEU lies between 0 and 100\n  it is in points of BLEU",
        ),
        (lambda: tg.gate(TEXTS, OUTPUTS, require="not-worse", margin=90), "no loss can be larger: base has a BLEU of"),
        (lambda: tg.gate(TEXTS, OUTPUTS, metrics=["ter"], margin=90), "no gain can be larger: base has a TER of"),
        (
            lambda: tg.compare(None, RIGHT, metrics=["scores"], null_gain=-2.0),
            "null_gain is -2, and no loss can be larger: score lies",
        ),
        (lambda: tg.compare(None, RIGHT, metrics=["scores"], null_gain=-2.0), "did you mean -0.02?"),
        (
            lambda: tg.plan(None, RIGHT, metrics=["scores"], gain=[0.1, 2]),
            "gain is 2, and no gain can be larger: score lies between",
        ),
        (
            lambda: tg.gate(None, INSIDE, metrics=["scores"], require="not-worse", margin=1),
            "margin is 1, and score lies between 0 and 1 on every segment\n  did you mean 0.01? If it is meant, give",
        ),
        (
            lambda: assert_not_worse(TEXTS, OUTPUTS["base"], OUTPUTS["new"], margin=150),
            "margin is 150, and no loss can be larger",
        ),
    ],
)
def test_what_no_result_can_exceed_is_refused(study: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        study()
    assert message in str(caught.value)


def test_what_may_be_meant_is_not() -> None:
    """A loss of TER has no end, scores from elsewhere can go beyond those there are, and no margin is none."""
    tg.gate(TEXTS, OUTPUTS, metrics=["ter"], require="not-worse", margin=150)
    tg.gate(None, {"a": [0.0, 0.0, 0.0], "b": [0.0, 1.0, 0.0]}, metrics=["scores"])
    tg.gate(None, {"a": [5.0, 5.0, 5.0], "b": [5.0, 5.0, 5.0]}, metrics=["scores"], require="not-worse", margin=1)
    tg.gate(None, INSIDE, metrics=["scores"], require="not-worse", margin=0.9)
    tg.gate(None, {"a": [0, 0, 0], "b": [0, 0, 0]}, metrics=["scores"], require="not-worse", margin=3)  # errors


@pytest.mark.parametrize("margin", [1.5, 10.0, 150.0])
@pytest.mark.parametrize("least", [0.0, 1.0, 97.0])  # errors, ratings and milliseconds
def test_quiet_scores_do_not_limit_a_margin(least: float, margin: float) -> None:
    scores = least + np.random.default_rng(1).integers(0, 6, (2, 30))
    quiet = {"a": scores[0], "b": scores[1]}
    for better in ("scores", "scores:lower_is_better=true"):
        assert tg.gate(None, quiet, metrics=[better], require="not-worse", margin=margin, resamples=99).passed
