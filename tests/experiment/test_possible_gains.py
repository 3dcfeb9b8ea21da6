"""Margins and gains that no two systems can have are refused; those that may be meant are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.errors import InputError
from truegain.testing import assert_not_worse

RIGHT = {"base": [1, 0, 1, 1, 0, 1, 0, 1], "new": [1, 1, 0, 1, 0, 1, 1, 1]}
INSIDE = {"base": [0.81, 0.9, 0.72, 0.85], "new": [0.8, 0.91, 0.7, 0.88]}
TEXTS = ["the cat sat on the mat", "a dog ran far away", "it is late in the day", "we went home by train"]
OUTPUTS = {"base": [one.replace("a", "o", 1) for one in TEXTS], "new": [*TEXTS[:2], "it is day", "we are home"]}


def gated(margin: Any, systems: Mapping[str, Sequence[float]] = RIGHT, **options: Any) -> Any:
    return tg.gate(None, systems, **{"metrics": ["scores"], "margin": margin, **options})


def gated_texts(margin: Any, **options: Any) -> Any:
    return tg.gate(TEXTS, OUTPUTS, margin=margin, **options)


@pytest.mark.parametrize(
    ("study", "naming"),
    [
        (lambda: gated(2, require="not-worse"), ["margin is 2", "0 and 1", "0.02?"]),
        (lambda: gated(1), ["margin is 1", "0 and 1", "0.01?"]),
        (lambda: gated(0.7, require="not-worse"), ["margin is 0.7", "base has a score of 0.625", "worst is 0"]),
        (
            lambda: gated(0.5, metrics=["scores:lower_is_better=true"], require="not-worse"),
            ["base has a score of 0.625", "worst is 1"],
        ),
        (lambda: gated(1, INSIDE, require="not-worse"), ["margin is 1", "0 and 1", "0.01?"]),
        (lambda: gated_texts({"bleu": 150}), ["BLEU", "0 and 100"]),
        (lambda: gated_texts(90, require="not-worse"), ["no loss", "base has a BLEU of"]),
        (lambda: gated_texts(90, metrics=["ter"]), ["no gain", "base has a TER of"]),
        (lambda: tg.compare(None, RIGHT, metrics=["scores"], null_gain=-2.0), ["null_gain is -2", "-0.02?"]),
        (lambda: tg.plan(None, RIGHT, metrics=["scores"], gain=[0.1, 2]), ["gain is 2"]),
        (lambda: assert_not_worse(TEXTS, OUTPUTS["base"], OUTPUTS["new"], margin=150), ["margin is 150"]),
    ],
)
def test_what_no_result_can_exceed_is_refused(study: Callable[[], Any], naming: list[str]) -> None:
    with refused(naming=naming):
        study()


def test_what_may_be_meant_is_not() -> None:
    """Scores from elsewhere can go beyond those there are, and scores that do not vary tell no scale."""
    tg.gate(None, {"a": [0.0, 0.0, 0.0], "b": [0.0, 1.0, 0.0]}, metrics=["scores"])
    for level, margin in ((5.0, 1), (0, 3)):  # ratings, errors
        gated(margin, {"a": [level] * 3, "b": [level] * 3}, require="not-worse")


RNG = np.random.default_rng(11)
COMET = RNG.beta(17, 3, 400)
MQM = -RNG.exponential(4.0, 400).round()
ONE_WRONG = np.where(np.arange(1000) == 7, 0.0, 1.0)


def off(base: Any, new: Any, margin: Any, *, metric: str = "scores", **options: Any) -> str:
    """Return what is said of a margin: nothing if it is accepted."""
    options = {"require": "not-worse", "resamples": 99, **options}
    try:
        tg.gate(None, {"base": base, "new": new}, metrics=[metric], baseline="base", margin=margin, **options)
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("require", ["better", "not-worse"])
def test_a_margin_on_another_scale(require: str) -> None:
    """Halved COMET passes with a margin for BLEU, though it lost half of all there is."""
    spread = max(COMET.std(), (COMET / 2).std())
    said = off(COMET, COMET / 2, 0.5, require=require)
    assert f"its standard deviation is {spread:.3g}" in said
    assert said.endswith("for example margin=0.005")
    assert not off(COMET, COMET / 2, 0.999 * spread, require=require)
    assert off(COMET, COMET / 2, 1.001 * spread, require=require)


@pytest.mark.parametrize(
    ("base", "new", "margins"),
    [
        (np.ones(300), np.ones(300), (0.01, 0.05, 0.2)),
        (np.ones(1000), ONE_WRONG, (0.01, 0.05, 0.2)),  # a standard deviation of .03
        (ONE_WRONG, ONE_WRONG[::-1], (0.01, 0.05, 0.2)),
        (np.ones(1000), (4 + ONE_WRONG) / 5, (0.01, 0.05)),  # four samples of five
        (MQM, MQM - RNG.integers(0, 2, 400), (0.2, 0.5, 1.0)),
        (COMET, COMET - 0.002, (0.002, 0.005, 0.01, 0.02)),
        (np.full(50, 0.1) * 3.0, np.full(50, 0.1) * 3.0 + 1e-17, (0.1,)),  # rounding is no spread
    ],
)
def test_margins_that_people_use(base: Any, new: Any, margins: tuple[float, ...]) -> None:
    assert [off(base, new, margin) for margin in margins] == [""] * len(margins)


def test_a_loss_of_more_than_half() -> None:
    """Only a loss, and only if higher is better on a scale that begins at 0."""
    base, new = (np.repeat([1.0, 0.0], sides) for sides in ((30, 170), (28, 172)))
    assert "0.15" in off(base, new, 0.08)
    assert not off(base, new, 0.07)
    assert not off(base, new, 0.08, require="better")
    assert not off(base, new, 0.08, metric="scores:lower_is_better=true")
    assert not off(base - 1.0, new - 1.0, 0.08)
    old, later = 1.5 + 3.0 * base, 1.4 + 3.0 * base  # 1.95, with a standard deviation of 1.07
    assert not off(old, later, 0.99, metric="scores:range=0.5..5")
    assert not off(old, later, 0.96, metric="scores:range=0..5")
    assert off(old, later, 0.99, metric="scores:range=0..5")


def test_a_null_gain_on_another_scale() -> None:
    """A loss that is allowed decides as a margin does; any gain can be asked about."""
    systems = {"base": COMET, "new": COMET / 2}
    options: dict[str, Any] = {"metrics": ["scores"], "resamples": 99}
    with refused(naming=["null_gain is -0.5", "null_gain=-0.005"]):
        tg.compare(None, systems, null_gain=-0.5, **options)
    assert tg.compare(None, systems, null_gain=0.3, **options)


@pytest.mark.parametrize("margin", [0.1, 1.0])
@pytest.mark.parametrize("least", [0.0, 1.0, 97.0])  # errors, ratings and milliseconds
def test_quiet_scores_do_not_limit_a_margin(least: float, margin: float) -> None:
    scores = least + np.random.default_rng(1).integers(0, 6, (2, 30))
    quiet = {"a": scores[0], "b": scores[0]}
    for better in ("scores", "scores:lower_is_better=true"):
        assert tg.gate(None, quiet, metrics=[better], require="not-worse", margin=margin, resamples=99).passed
