"""Names in figures: on one line, not too long, in fonts that have their letters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.text import Text

from truegain.report.figures import names
from truegain.report.figures.names import clean, find_fonts, fitted, in_key, shortened
from truegain.report.figures.widths import width_of

BOTH = "STIXGeneral"  # bundled with matplotlib, and has letters that its default font lacks


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("base", "base"),
        (" a\r\n\tb\u2028c\x00d ", "a b c d"),
        ("$x_1^2$ \\alpha", "$x_1^2$ \\alpha"),
        ("\udcff", "\N{REPLACEMENT CHARACTER}"),
        ("\ue000\uffff", "\N{REPLACEMENT CHARACTER}" * 2),
        ("a\u202eb\u200bc", "abc"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("", ""),
    ],
)
def test_clean(name: str, shown: str) -> None:
    assert clean(name) == shown


@settings(deadline=None)
@given(st.text())
def test_clean_leaves_nothing_that_breaks_lines_or_xml(name: str) -> None:
    shown = clean(name)
    assert clean(shown) == shown
    assert shown == " ".join(shown.split())
    assert not {unicodedata.category(one) for one in shown} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("name", "most", "shown"),
    [
        ("abcdefgh", 8, "abcdefgh"),
        ("abcdefgh", 7, "abc…fgh"),
        ("abcdefgh", 6, "abc…gh"),
        ("abcdefgh", 1, "…"),
        ("abc defgh", 6, "abc…gh"),
        ("aaaaaaaaaa − bb", 12, "aaa…aaa − bb"),
        ("aa − bbbbbbbbbb", 12, "aa − bbb…bbb"),
        ("aaaaaaaaaa − bbbbbbbbbb", 13, "aa…aa − bb…bb"),
    ],
)
def test_shortened(name: str, most: int, shown: str) -> None:
    assert shortened(name, most) == shown


@settings(deadline=None)
@given(st.text(), st.integers(1, 60))
def test_shortened_is_as_short_as_asked_for(name: str, most: int) -> None:
    found = shortened(name, most)
    assert len(found) <= most
    assert found == name or "…" in found


@settings(deadline=None, max_examples=30)
@given(st.text(st.characters(codec="utf-8"), max_size=80), st.floats(0.2, 3.0))
def test_fitted_fits(name: str, inches: float) -> None:
    shown = fitted(name, inches, 7.0)
    assert width_of(shown, 7.0) <= inches
    assert len(shown) <= names.LONGEST
    if len(clean(name)) <= names.LONGEST and width_of(clean(name), 7.0) <= inches:
        assert shown == clean(name)


def test_nothing_fits_into_nothing() -> None:
    assert fitted("name", 0.001, 7.0) == "…"


def test_a_key_shows_names_that_begin_with_an_underscore() -> None:
    assert in_key("_a") == " _a"
    assert in_key("a_") == "a_"


def test_letters_that_the_own_font_lacks_come_from_another(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = sorted(names._characters(BOTH) - names._characters("DejaVu Sans"))
    assert lacking
    letter = next(chr(one) for one in lacking if chr(one).isprintable())
    figure = Figure()
    texts = {name: figure.text(0.5, 0.5, name) for name in ("base", f"new {letter}")}
    monkeypatch.setattr(names, "_OTHERS", ("no such font", BOTH))
    before = texts["base"].get_fontfamily()
    find_fonts(figure)
    assert texts["base"].get_fontfamily() == before
    assert texts[f"new {letter}"].get_fontfamily() == ["DejaVu Sans", BOTH]
    assert isinstance(texts["base"], Text)
