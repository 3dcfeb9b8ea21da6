"""Widths of texts, held against the font that files are written with."""

from __future__ import annotations

import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from truegain.report.figures.widths import width_of


@pytest.mark.parametrize(
    "text",
    [
        "baseline",
        "GPT-4.1 (few-shot, k=5)",
        "WWW MMM iii lll",
        "Δ BLEU ≤ −0.25 … p → q",
        "Größe, naïve, Łódź, ŝ",
        "система перевода",
        "μετάφραση",
        "0123456789 +−.,%",
    ],
)
def test_widths_are_those_of_the_font(text: str) -> None:
    font = FontProperties(family="DejaVu Sans", size=8.0)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    assert width_of(text, 8.0) == pytest.approx(width / 72.0, rel=0.03)


def test_what_is_not_in_the_table_has_a_width_of_its_kind() -> None:
    assert width_of("猫", 72.0) == pytest.approx(1.0, abs=0.1)
    assert width_of("🚀", 72.0) > width_of("猫", 72.0)
    assert width_of("e\u0301", 72.0) == width_of("e", 72.0)
    assert width_of("", 72.0) == 0.0
    assert 0.5 < width_of("نظام", 72.0) / 4 < 1.0
