"""Numbers as documents show them."""

from __future__ import annotations

import pytest

import truegain as tg
from truegain.words import decimal


@pytest.mark.parametrize(
    ("value", "shown"), [(1.25, "1.2"), (-1.26, "−1.3"), (-0.01, "0.0"), (0.0, "0.0"), (12345.6, "12345.6")]
)
def test_a_true_minus_and_no_minus_zero(value: float, shown: str) -> None:
    assert decimal(value, 1) == shown


@pytest.mark.parametrize("format", ["terminal", "md", "latex"])
@pytest.mark.parametrize("layout", ["full", "paper"])
def test_scores_below_zero(format: str, layout: str) -> None:
    systems = {"a": [-3.0, -2.5, -4.0, -1.0], "b": [-2.0, -2.5, -3.0, -1.5]}
    text = tg.compare(None, systems, metrics=["scores"], resamples=19).render(format, layout=layout)
    assert "-2.625" not in text
    assert ("$-$2.625" if format == "latex" else "−2.625") in text
