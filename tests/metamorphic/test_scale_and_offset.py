"""What is counted does not depend on the unit of the scores, nor on where their zero lies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.conftest import only_with_all
from tests.metamorphic.cases import KINDS, ONE_RUN, SEVERAL_RUNS, Scores, compared, documents, pairs, scores
from truegain.errors import InputError

BLOCKS = ["stationary-bootstrap"]


def given(kind: str, runs: int, *, coarse: bool = False) -> dict[str, list[Scores]]:
    """Three systems; coarse ones have few digits, so that an offset takes none of them."""
    found = {
        name: [scores(kind, 700 + 10 * i + r, better=0.15 * i) for r in range(runs)] for i, name in enumerate("abc")
    }
    return {
        name: [np.rint(one * 2.0**24) / 2.0**24 for one in runs] if coarse else runs for name, runs in found.items()
    }


@pytest.mark.parametrize("exponent", [-20, 40, *only_with_all(-150, -1, 3, 150)])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("runs", [1, 3])
def test_powers_of_two_change_no_bit(kind: str, exponent: int, runs: int) -> None:
    factor = 2.0**exponent
    plain = given(kind, runs)
    scaled = {name: [factor * one for one in side] for name, side in plain.items()}
    for tests, unit in ((ONE_RUN if runs == 1 else SEVERAL_RUNS, "document"), (BLOCKS, "block")):
        options: dict[str, Any] = {"metrics": ["scores"], "unit": unit, "documents": documents()}
        before, after = (compared(None, one, tests, **options) for one in (plain, scaled))
        assert len(before) == 2 * len(tests)
        for key, told in before.items():
            other = after[key]
            assert (other["p"], other["test"]) == (told["p"], told["test"]), key
            assert other["delta"] == factor * told["delta"]
            assert (other["effect"], other["overlap"]) == (told["effect"], pytest.approx(told["overlap"]))
            if kind != "shares":  # whose range is not known any more
                assert other["interval"].low == pytest.approx(factor * told["interval"].low, rel=1e-12, abs=0.0)
                assert other["interval"].high == pytest.approx(factor * told["interval"].high, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("offset", [-3.0, *only_with_all(1.0, 100.0, 1024.0)])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("runs", [1, 3])
def test_offsets_that_are_exact_change_no_p(kind: str, offset: float, runs: int) -> None:
    plain = given(kind, runs, coarse=True)
    moved = {name: [one + offset for one in side] for name, side in plain.items()}
    for name, side in plain.items():
        assert all(np.array_equal(one + offset - offset, one) for one in side), name
    for tests, unit in ((ONE_RUN if runs == 1 else SEVERAL_RUNS, "document"), (BLOCKS, "block")):
        options: dict[str, Any] = {"metrics": ["scores"], "unit": unit, "documents": documents()}
        before, after = (compared(None, one, tests, **options) for one in (plain, moved))
        for key, told in before.items():
            if runs == 1:
                assert after[key]["p"] == told["p"], key
            else:  # a mean over runs is rounded, and so are variances of such means
                assert after[key]["p"].exceedances == told["p"].exceedances, key
                assert after[key]["p"].p == pytest.approx(told["p"].p, rel=1e-9, abs=0.0), key
            assert after[key]["delta"] == pytest.approx(told["delta"], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("study", [tg.rank, tg.threshold])
@pytest.mark.parametrize("kind", KINDS)
def test_all_pairs(study: Any, kind: str) -> None:
    plain = {name: one[0] for name, one in given(kind, 1, coarse=True).items()}
    options: dict[str, Any] = {"metrics": ["scores"], "resamples": 199}
    before = pairs(study(None, plain, **options))
    for factor, offset in ((2.0**-30, 0.0), (2.0**50, 0.0), (1.0, 512.0), (1.0, -2.0)):
        after = pairs(study(None, {name: factor * one + offset for name, one in plain.items()}, **options))
        for key, (delta, p, exceedances) in before.items():
            assert after[key][1:] == (p, exceedances)
            assert after[key][0] == pytest.approx(factor * delta, rel=1e-9, abs=1e-12 * factor)


@pytest.mark.parametrize("kind", KINDS)
def test_other_offsets_are_refused(kind: str) -> None:
    for offset in (1e7, -1e9, 1e15):
        moved = {name: one[0] + offset for name, one in given(kind, 1).items()}
        with pytest.raises(InputError, match="rounding sums of them would decide"):
            compared(None, moved, metrics=["scores"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_sign_turns_gains_round(kind: str) -> None:
    plain = {name: one[0] for name, one in given(kind, 1).items()}
    turned = {name: -one for name, one in plain.items()}
    before = compared(None, plain, ONE_RUN, metrics=["scores"])
    after = compared(None, turned, ONE_RUN, metrics=["scores:lower_is_better=yes"])
    assert len(before) == 2 * len(ONE_RUN)
    for (_, test, old, new), told in before.items():
        other = after["scores:lower_is_better=yes", test, old, new]
        assert (other["delta"], other["p"]) == (told["delta"], told["p"])
        if kind not in ("shares", "tenths", "skewed"):
            assert other["interval"] == told["interval"]


@pytest.mark.parametrize("factor", [2.0**-30, 2.0**30])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("runs", [1, 3])
def test_a_gate(kind: str, factor: float, runs: int) -> None:
    plain = {name: one for name, one in given(kind, runs).items() if name != "c"}
    scaled = {name: [factor * one for one in side] for name, side in plain.items()}
    before, after = (
        tg.gate(None, side, metrics=["scores"], margin=margin, require="not-worse", resamples=99).checks[0]
        for side, margin in ((plain, 0.125), (scaled, 0.125 * factor))
    )
    assert (after.p_value, after.passed, after.test) == (before.p_value, before.passed, before.test)
    assert after.delta == factor * before.delta
    if kind not in ("shares", "tenths"):  # whose range is not known any more
        assert (after.lower, after.upper) == pytest.approx((factor * before.lower, factor * before.upper), rel=1e-12)
