"""Figures: what they show, whatever names are; whole and readable; the same bytes; and inside of a page."""

from __future__ import annotations

import io
import itertools
import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.image import imread
from matplotlib.lines import Line2D
from matplotlib.text import Text

from tests.refusals import refused
from truegain.report.figures import style
from truegain.report.figures.forest import Row, RowPanel, forest, heatmap
from truegain.report.figures.series import Panel, Series, plot, quantiles
from truegain.report.figures.style import COLUMN, PAGE, Drawing, clean, fitted, rendered, styled

SCRIPTS = (
    *("system", "система", "σύστημα", "日本語システム", "机器翻译", "번역 시스템", "نظام الترجمة", "מערכת", "अनुवाद"),
    "ระบบแปล",
)
KINDS: dict[str, Sequence[str]] = {
    "plain": ("base", "new"),
    "long": ("a rather long name of a system, with settings, number 1", "x" * 200),
    "odd": ("$\\alpha_1$", "_a^b\\c {d}", "line\nbreak\ttab", "\udcff <&>", ""),
    "scripts": SCRIPTS,
}
GAINS = (
    Row(0.5, 0.1, 0.9, "better"),
    Row(-0.8, -1.3, -0.3, "worse"),
    Row(0.1, -0.4, 0.6, "not significant"),
    Row(0.6, 0.2, 1.0, "differs"),
    Row(0.7, 0.3, 1.1, "p too small"),
)


def named(kind: str, count: int) -> list[str]:
    return [f"{name}{place or ''}" for place, name in zip(range(count), itertools.cycle(KINDS[kind]), strict=False)]


def gains(own: Sequence[str], metrics: int = 1, **options: Any) -> Drawing:
    titles = ("Δ BLEU", "Δ chrF2++", "Δ COMET (wmt22-comet-da), of documents of the news domain alone")
    rows = list(itertools.islice(itertools.cycle(GAINS), len(own)))
    return forest(own, [RowPanel(title, rows, 2, 0.0) for title in titles[:metrics]], "Gains.", **options)


def pairs(own: Sequence[str], **options: Any) -> Drawing:
    clusters = np.arange(len(own)) // 3
    places = -clusters - 0.01 * np.arange(len(own))
    deltas, shown = places[:, None] - places, clusters[:, None] != clusters
    return heatmap(own, "BLEU", deltas.tolist(), shown.tolist(), (clusters + 1).tolist(), **options)


def series(own: Sequence[str], **options: Any) -> Drawing:
    """Two panels: points with a value that matters and its interval, and curves on logarithmic axes."""
    pairs = [(gain, 1.0 - 0.5 * math.exp(-3.0 * gain)) for gain in np.linspace(0.0, 4.0, 30).tolist()]
    curve = [(float(place), 0.9 / place) for place in (10, 100, 760)]
    left = [Series(name, pairs, at=(0.7 + place, 0.6, None), hollow=place == 1) for place, name in enumerate(own)]
    right = [Series(name, curve, [(10.0, 0.05, 0.2)], line=True) for name in own]
    return plot([Panel(own[0], own[-1], left, own[0], 0.95), Panel("units", "p", right, log="xy")], **options)


def categories(own: Sequence[str], **options: Any) -> Drawing:
    """Series side by side over names, and a panel without a key."""
    points = [(float(place), 30.0 + place) for place in range(len(own))]
    bars = [(place, value - 1.0, value + 1.0) for place, value in points]
    ticks = [fitted(name, 10) for name in own]
    return plot([Panel("x", "y", [Series(name, points, bars) for name in own], ticks=ticks)], **options)


def uniform(own: Sequence[str], **options: Any) -> Drawing:
    values = np.linspace(0.0, 1.0, 101) ** 1.2
    return quantiles({title: {name: values.tolist() for name in own} for title in ("BLEU", own[0])}, **options)


FIGURES: dict[str, Callable[..., Drawing]] = {one.__name__: one for one in (categories, gains, pairs, series, uniform)}


def shown_texts(figure: Figure) -> Iterator[Text]:
    """What is read: no labels of ticks that lie beyond the ends of their axis."""
    hidden = set()
    for axis in (one for axes in figure.axes for one in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            hidden |= set() if low <= tick.get_loc() <= high else {id(tick.label1), id(tick.label2)}
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_visible() and text.get_text().strip() and id(text) not in hidden:
            yield text


def check_layout(figure: Figure) -> list[str]:
    """Refuse texts that are small, reach over the edge or over each other; return them."""
    canvas = FigureCanvasAgg(figure)
    with styled():
        canvas.draw()  # type: ignore[no-untyped-call]
        renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
        boxes = [(text, text.get_window_extent(renderer)) for text in shown_texts(figure)]
    assert figure.get_figwidth() in (COLUMN, PAGE)
    whole = figure.bbox.padded(1.0)
    for text, box in boxes:
        assert whole.x0 <= box.x0 <= box.x1 <= whole.x1, text
        assert whole.y0 <= box.y0 <= box.y1 <= whole.y1, text
        assert float(text.get_fontsize()) >= 6.0, text
    for (one, box), (other, second) in itertools.combinations(boxes, 2):
        assert not box.padded(-1.0).overlaps(second.padded(-1.0)), (one, other)
    return [text.get_text().strip() for text, _ in boxes]


@pytest.mark.parametrize(
    "kind", ["odd", "scripts", *(pytest.param(one, marks=pytest.mark.whole) for one in ("plain", "long"))]
)
@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_is_whole_with_any_names(figure: str, kind: str) -> None:
    for columns in (None, 1, 2) if kind == "long" else (None,):
        drawing = FIGURES[figure](named(kind, 4), columns=columns)
        texts = check_layout(drawing.figure)
        assert drawing.alt == clean(drawing.alt) != ""
    if kind == "scripts" and figure in ("gains", "pairs"):
        assert set(named(kind, 4)) <= set(texts)


@pytest.mark.parametrize("count", [1, 26, pytest.param(150, marks=pytest.mark.whole)])
def test_long_lists_grow_in_height(count: int) -> None:
    figure = gains(named("plain", count), 3).figure
    assert len(check_layout(figure)) > 4 * count
    assert figure.get_figheight() > 0.16 * count
    texts = check_layout(pairs([f"system {i}" for i in range(max(count, 2))]).figure)
    assert sum(text.startswith("system") for text in texts) <= 2 * 55


# ---- What they show


def xy(line: Line2D) -> list[list[float]]:
    """The points of a line."""
    places: list[list[float]] = np.asarray(line.get_xydata()).tolist()
    return places


def segments(axes: Axes, place: float) -> list[list[float]]:
    """The intervals of a row, from left to right."""
    lines = [one for one in axes.collections if isinstance(one, LineCollection)]
    parts = [np.asarray(part) for one in lines for part in one.get_segments()]
    return [part[:, 0].tolist() for part in parts if part.size and (part[:, 1] == place).all()]


def test_a_forest_has_a_mark_for_each_outcome_at_its_value() -> None:
    figure = gains(("up", "down", "open", "other", "doubt")).figure
    (axes,) = figure.axes
    marks = [line for line in axes.lines if line.get_marker() not in ("None", "", None)]
    assert [xy(line) for line in marks] == [[[one.value, i]] for i, one in enumerate(GAINS)]
    assert [line.get_marker() for line in marks] == ["^", "v", "o", "D", "s"]
    assert [line.get_markerfacecolor() == "white" for line in marks] == [False, False, True, False, True]
    assert [segments(axes, i) for i in range(5)] == [[[one.low, one.high]] for one in GAINS]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        *("better", "worse", "differs", "p too small", "not significant")
    ]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["up", "down", "open", "other", "doubt"]
    assert {"+0.50", "−0.80", "+0.10"} <= set(check_layout(figure))
    bottom, top = axes.get_ylim()
    assert bottom > top, "the first row is at the top"


def test_a_forest_shows_zero_arrows_for_what_is_far_out_and_intervals_without_ends() -> None:
    (axes,) = forest(["a"], [RowPanel("Δ", [Row(9.0, 8.0, 9.5, "better")], 1, 0.0)], "").figure.axes
    low, high = axes.get_xlim()
    assert low < 0.0 < 9.5 < high
    near = [Row(0.1 * i, 0.1 * i - 0.2, 0.1 * i + 0.2, "better") for i in range(8)]
    far = forest(named("plain", 9), [RowPanel("Δ", [*near, Row(-55.0, -60.0, -50.0, "worse")], 2, 0.0)], "")
    assert far.figure.axes[0].get_xlim()[0] > -2.0
    assert far.figure.axes[0].lines[-1].get_marker() == "<"
    assert "−55.00" in check_layout(far.figure)
    assert "−55.00" in far.alt
    (axes,) = forest(["a"], [RowPanel("Δ", [Row(1.0, -math.inf, math.inf, "not significant")], 2, 0.0)], "").figure.axes
    assert segments(axes, 0) == [list(axes.get_xlim())]


def test_scores_with_and_without_intervals() -> None:
    drawing = forest(["a", "b"], [RowPanel("BLEU ↑", [Row(30.0), Row(31.0, 30.5, 31.5)], 1, 29.5)], "Scores.")
    (axes,) = drawing.figure.axes
    assert (segments(axes, 0), segments(axes, 1)) == ([], [[30.5, 31.5]])
    assert drawing.alt == "Scores. BLEU ↑: a 30.0; b 31.0 (30.5 to 31.5)."
    assert not drawing.figure.legends


def test_a_map_has_colours_rings_and_lines_between_clusters() -> None:
    axes = pairs(named("plain", 7)).figure.axes[0]
    painted = np.asarray(axes.images[0].get_array())
    assert painted.shape == (7, 7)
    assert painted[0, 6] == -painted[6, 0] > 0.0, "greenish where the row is better"
    alpha = np.asarray(axes.images[0].get_alpha())
    assert alpha[0, 1] < 0.5 < alpha[0, 3] == 1.0, "faded where nothing is shown"
    rings = {(int(x), int(y)) for line in axes.lines if line.get_marker() == "o" for x, y in xy(line)}
    assert rings == {(i, j) for i in range(7) for j in range(7) if i != j and i // 3 == j // 3}
    rules = [line for line in axes.lines if line.get_marker() != "o"]
    assert sorted(xy(line)[0][1] for line in rules[::2]) == [2.5, 5.5]
    flat = heatmap(("a", "b"), "TER", ((0.0, 0.0), (0.0, 0.0)), ((False, False), (False, False)), (1, 1))
    assert all(told in flat.alt for told in ("0 of 1 pair ", "0.00", "1 cluster"))


def test_series_have_marks_dashes_bars_and_their_ends_in_words() -> None:
    left, right = series(["one", "two"]).figure.axes
    marks = [line for line in left.lines if line.get_linestyle() == "None"]
    assert [line.get_marker() for line in marks] == ["o", "s"]
    assert [line.get_markerfacecolor() == "white" for line in marks] == [False, True]
    assert xy(left.lines[-1])[0][1] == 0.95
    assert (right.get_xscale(), right.get_yscale()) == ("log", "log")
    assert [line.get_linestyle() for line in right.lines] == ["-", "--"]
    assert "p by units: one from 0.09 at 10 to 0.00118 at 760" in series(["one", "two"]).alt
    drawn = categories(["a", "b", "c"])
    (axes,) = drawn.figure.axes
    assert [round(place) for place in np.asarray(axes.lines[0].get_xdata()).tolist()] == [0, 1, 2]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b", "c"]
    assert "y by x: a from 30 at a to 32 at c" in drawn.alt
    assert "BLEU: one 8 %" in uniform(["one"]).alt


@pytest.mark.parametrize(("low", "high"), [(10.0, 760.0), (42.0, 118.0), (0.71, 1.06), (0.9, 0.98), (10.0, 1e9)])
def test_a_logarithmic_axis_has_a_few_round_numbers(low: float, high: float) -> None:
    figure = plot([Panel("x", "y", [Series("", [(low, 1.0), (high, 2.0)])], log="x", xlim=(low, high))]).figure
    (axes,) = figure.axes
    assert 2 <= len([place for place in axes.get_xticks() if low <= place <= high]) <= 7
    check_layout(figure)


# ---- Names


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (" a\r\n\tb\u2028c\x00d ", "a b c d"),
        ("$x_1^2$ \\alpha", "$x_1^2$ \\alpha"),
        ("\ue000\uffff", "\N{REPLACEMENT CHARACTER}" * 2),
        ("a\u202eb\u200bc", "abc"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("", ""),
    ],
)
def test_clean(name: str, shown: str) -> None:
    assert clean(name) == shown


@settings(deadline=None)
@given(st.text(), st.integers(2, 60))
def test_names_fit_and_have_nothing_that_breaks_lines_or_xml(name: str, most: int) -> None:
    shown = fitted(name, most)
    assert style.width_of(shown) <= most
    assert shown == clean(name) or "…" in shown
    assert not {unicodedata.category(one) for one in shown} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}


def test_of_a_pair_both_names_are_shortened() -> None:
    assert fitted("abcdefgh", 7) == "abc…fgh"
    assert fitted("aaaaaaaaaa − bbbbbbbbbb", 13) == "aa…aa − bb…bb"
    assert fitted("日本語システム", 9) == "日本…テム"


def test_letters_that_the_own_font_lacks_come_from_another(monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = "STIXGeneral"  # with matplotlib; it has letters that its default font lacks
    known, lacking = (set(get_font(findfont(name)).get_charmap()) for name in (style.FONT, bundled))
    letter = next(chr(one) for one in sorted(lacking - known) if chr(one).isprintable())
    figure = Figure()
    texts = [figure.text(0.5, 0.5, name) for name in ("base", f"new {letter}")]
    monkeypatch.setattr(style, "_OTHERS", ("no such font", bundled))
    before = texts[0].get_fontfamily()
    style.find_fonts(figure)
    assert [text.get_fontfamily() for text in texts] == [before, [style.FONT, bundled]]


# ---- Files


def test_endings(tmp_path: Path) -> None:
    for ending, magic in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")):
        style.save(gains(["a"]).figure, tmp_path / f"figure{ending}", "a")
        assert (tmp_path / f"figure{ending}").read_bytes().startswith(magic)
    for name in ("figure.gif", "figure", "figure.PDF"):
        with refused():
            style.check_ending(tmp_path / name)


@pytest.mark.parametrize("format", ["svg", "pdf", "png"])
def test_the_users_settings_do_not_matter(format: str) -> None:
    expected = rendered(gains(KINDS["odd"]).figure, format)
    with matplotlib.rc_context({"font.size": 20.0, "text.usetex": True, "axes.grid": True, "svg.fonttype": "path"}):
        assert rendered(gains(KINDS["odd"]).figure, format) == expected
        assert matplotlib.rcParams["font.size"] == 20.0


def test_an_svg_keeps_text_is_undated_and_has_no_ground() -> None:
    data = rendered(gains(["$x_1$ ŝ"]).figure, "svg", "What it shows").decode()
    words = [
        "".join(one.itertext()).strip() for one in ElementTree.fromstring(data).iter() if one.tag.endswith("}text")
    ]
    assert {"$x_1$ ŝ", "Δ BLEU", "+0.50", "better"} <= set(words)
    assert "<dc:date>" not in data
    assert "What it shows" in data
    assert len(data) < 20_000
    assert not re.search("fill: ?#f{6}|fill: ?white", data)
    assert {colour for colour in re.findall("#[0-9a-f]{6}", data) if len(set(re.findall("..", colour[1:]))) > 1} == {
        "#009e73"
    }


def test_a_pdf_holds_its_fonts_and_a_png_has_a_white_ground() -> None:
    data = rendered(gains(["a"]).figure, "pdf")
    assert b"/FontFile2" in data  # TrueType, embedded
    assert b"/Type3" not in data
    assert b"CreationDate" not in data
    pixels = imread(io.BytesIO(rendered(gains(["a"]).figure, "png")))
    assert pixels[0, 0].tolist() == [1.0, 1.0, 1.0, 1.0]
    assert pixels.shape[1] == round(COLUMN * 300)
