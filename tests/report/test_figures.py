"""Figures: what they show, whatever names are; whole and readable; the same bytes; and inside of a page."""

from __future__ import annotations

import io
import itertools
import math
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
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
from matplotlib.image import imread
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from tests.refusals import refused
from tests.report.test_html import Page
from truegain.report.figures import curves, names, points
from truegain.report.figures.forest import Row, RowPanel, forest
from truegain.report.figures.heatmap import heatmap
from truegain.report.figures.inline import inline
from truegain.report.figures.names import clean, find_fonts, fitted, in_key, width_of
from truegain.report.figures.style import (
    COLUMN,
    PAGE,
    Drawing,
    check_ending,
    logarithmic,
    panels,
    rendered,
    save,
    styled,
)

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


def row(**values: Any) -> Any:
    return SimpleNamespace(**values)


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


def confidence(own: Sequence[str], metrics: int = 1, **options: Any) -> Drawing:
    every = [(gain, 1.0 - 0.5 * math.exp(-3.0 * gain)) for gain in np.linspace(0.0, 4.0, 30).tolist()]
    groups = [points.PairsOf(name, every, 0.7 + 0.1 * place, 0.6, 0.95) for place, name in enumerate(own)]
    return points.confidence([points.ConfidencePanel("BLEU", groups, 2)] * metrics, 0.05, **options)


def agreement(own: Sequence[str], **options: Any) -> Drawing:
    ends = [(0.0, 0.001), (0.001, 0.01), (0.01, 0.05), (0.05, 0.25), (0.25, 1.0)]
    shares = [row(share=0.9 - 0.1 * i, ci=(0.7 - 0.1 * i, 0.95 - 0.1 * i), expected=0.95 - 0.1 * i) for i in range(4)]
    shares.append(row(share=None, ci=None, expected=None))
    series = [points.Series(name, shares, within=place == 0) for place, name in enumerate(own)]
    return points.agreement([points.AgreementPanel(own[0], own[-1], series)] * 3, ends, **options)


def intervals(own: Sequence[str], **options: Any) -> Drawing:
    rows = [row(system=name, score=30.0 + i, interval=row(low=29.0 + i, high=31.0 + i)) for i, name in enumerate(own)]
    spread = [(0.2, 0.4), (0.5, 0.03), (0.9, 0.001)]
    curve = [(gain, math.exp(-3.0 * gain)) for gain in np.linspace(0.0, 1.0, 20).tolist()]
    methods = [points.Method(name, spread, spread[:1], curve) for name in ("documents, one run", "runs", "both")]
    return points.intervals(
        [points.IntervalsPanel("BLEU", {one.label: rows for one in methods}, methods)], 0.05, **options
    )


def scatter(own: Sequence[str], **options: Any) -> Drawing:
    sets = [[(float(i), i * i + place) for i in range(5)] for place in range(len(own))]
    return points.scatter(dict.fromkeys([f"{name} {i}" for i, name in enumerate(own)], sets), own, **options)


def tuned(own: Sequence[str], **options: Any) -> Drawing:
    return points.tuned("BLEU", {name: [(30.0, 28.0), (31.0, 28.5)] for name in own[:2]}, **options)


def quantiles(own: Sequence[str], **options: Any) -> Drawing:
    values = np.linspace(0.0, 1.0, 101) ** 1.2
    return curves.quantiles({title: {name: values.tolist() for name in own} for title in ("BLEU", own[0])}, **options)


def power(own: Sequence[str], **options: Any) -> Drawing:
    sizes = [100.0, 400.0, 1600.0]
    panel = curves.PowerPanel(own[0], "", sizes, {"Δ 0.5": [0.2, 0.5, 0.9]}, {"2 runs": [2.0, 1.0, 0.5]})
    return curves.power([panel], "segments", 0.8, **options)


def sizes(own: Sequence[str], **options: Any) -> Drawing:
    rows = [row(units=units, gain=7.1 / units**0.5, low=6.0 / units**0.5, high=None) for units in (100, 600)]
    return curves.sizes([curves.SizesPanel(own[0], rows, 7.1, 0.5, 2)], "segments", **options)


def runs(own: Sequence[str], **options: Any) -> Drawing:
    scores = {name: [30.0 + i, 30.5 + i, 31.2 + i] for i, name in enumerate(own[:2])}
    return curves.runs([curves.RunsPanel("BLEU", scores, [(1, -0.5, 0.4, 1.2), (2, 0.1, 0.4, 0.9)])], **options)


FIGURES: dict[str, Callable[..., Drawing]] = {
    one.__name__: one
    for one in (agreement, confidence, gains, intervals, pairs, power, quantiles, runs, scatter, sizes, tuned)
}


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
    return [text.get_text() for text, _ in boxes]


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


def test_ten_scripts_stay_text() -> None:
    svg = rendered(gains(SCRIPTS).figure, "svg").decode()
    assert all(f">{name}<" in svg for name in SCRIPTS)
    assert rendered(gains(SCRIPTS).figure, "pdf").startswith(b"%PDF")


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
    return [part[:, 0].tolist() for part in parts if (part[:, 1] == place).all()]


def test_a_forest_has_a_mark_for_each_outcome_at_its_value() -> None:
    figure = gains(("up", "down", "open", "other", "doubt")).figure
    (axes,) = figure.axes
    marks = [line for line in axes.lines if line.get_marker() not in ("None", "", None)]
    assert [xy(line) for line in marks] == [[[one.value, i]] for i, one in enumerate(GAINS)]
    assert [line.get_marker() for line in marks] == ["^", "v", "o", "D", "s"]
    assert [line.get_markerfacecolor() == "white" for line in marks] == [False, False, True, False, True]
    assert [segments(axes, i) for i in range(5)] == [[[one.low, one.high]] for one in GAINS]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        *("better", "worse", "differs", "p too small", "not significant"),
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
    assert "beyond the axis" in check_layout(far.figure)
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
    assert painted.shape == (7, 7, 4)
    assert painted[0, 6, 2] > painted[0, 6, 0], "bluish where the row is better"
    assert painted[6, 0, 0] > painted[6, 0, 2]
    assert painted[0, 1, 3] < 0.02 < 0.4 < painted[0, 3, 3], "faded where nothing is shown"
    rings = {(int(x), int(y)) for line in axes.lines if line.get_marker() == "o" for x, y in xy(line)}
    assert rings == {(i, j) for i in range(7) for j in range(7) if i != j and i // 3 == j // 3}
    rules = [line for line in axes.lines if line.get_marker() != "o"]
    assert sorted(xy(line)[0][1] for line in rules[::2]) == [2.5, 5.5]
    flat = heatmap(("a", "b"), "TER", ((0.0, 0.0), (0.0, 0.0)), ((False, False), (False, False)), (1, 1))
    assert all(told in flat.alt for told in ("0 of 1 pair ", "0.00", "1 cluster"))


def test_pairs_that_lie_far_out_are_counted() -> None:
    (axes,) = confidence(["all"]).figure.axes
    assert axes.get_xlim()[1] == pytest.approx(3 * 0.95)
    near = next(line for line in axes.lines if line.get_marker() == "o")
    legend = axes.get_legend()
    assert legend is not None
    assert legend.get_title().get_text() == f"{30 - len(xy(near))} pairs beyond, to 4.00"
    assert [text.get_text() for text in legend.get_texts()] == ["threshold 0.70"]
    assert len(axes.patches) == 1, "the interval of the threshold"


def test_shares_stand_at_their_bins() -> None:
    figure = agreement(["drawn", "one → two"]).figure
    marks = [line for line in figure.axes[0].lines if line.get_marker() in ("o", "s")]
    assert [line.get_markerfacecolor() == "white" for line in marks] == [True, False]
    assert np.asarray(marks[1].get_ydata()).tolist() == pytest.approx([0.9, 0.8, 0.7, 0.6])
    assert np.asarray(marks[0].get_xdata()).round().tolist() == [0, 1, 2, 3]


def test_axes_of_curves() -> None:
    left, right = power(["BLEU"]).figure.axes
    assert left.get_ylim() == (0.0, 1.02)
    assert right.get_ylim()[0] == 0.0
    assert xy(right.lines[-1])[-1][1] == pytest.approx(0.5), "as one over the root of the size"
    left, right = runs(["a", "b"]).figure.axes
    assert sum(patch.get_height() for patch in left.patches if isinstance(patch, Rectangle)) == 6
    assert [xy(line) for line in right.lines if line.get_marker() == "o"] == [[[1, 0.4], [2, 0.4]]]
    (axes,) = sizes(["BLEU"]).figure.axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    _, right = intervals(["a", "b"]).figure.axes
    assert right.get_yscale() == "log"
    assert right.get_ylim()[0] < 0.001


@pytest.mark.parametrize(("low", "high"), [(10.0, 760.0), (42.0, 118.0), (0.71, 1.06), (0.9, 0.98), (10.0, 1e9)])
def test_a_logarithmic_axis_has_a_few_round_numbers(low: float, high: float) -> None:
    with styled():
        figure, (axes,) = panels(1, 2.0)
        logarithmic(axes, "x", low, high)
    assert 2 <= len([place for place in axes.get_xticks() if low <= place <= high]) <= 7
    check_layout(figure)


# ---- Names


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
@given(st.text(), st.integers(2, 60))
def test_names_fit_and_have_nothing_that_breaks_lines_or_xml(name: str, most: int) -> None:
    shown = fitted(name, most)
    assert width_of(shown) <= most
    assert shown == clean(name) or "…" in shown
    assert not {unicodedata.category(one) for one in shown} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}


def test_of_a_pair_both_names_are_shortened_and_keys_show_underscores() -> None:
    assert fitted("abcdefgh", 7) == "abc…fgh"
    assert fitted("aaaaaaaaaa − bbbbbbbbbb", 13) == "aa…aa − bb…bb"
    assert fitted("日本語システム", 9) == "日本…テム"
    assert (in_key("_a", 9), in_key("a_", 9)) == (" _a", "a_")


def test_letters_that_the_own_font_lacks_come_from_another(monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = "STIXGeneral"  # with matplotlib; it has letters that its default font lacks
    lacking = sorted(names._characters(bundled) - names._characters(names.FONT))
    letter = next(chr(one) for one in lacking if chr(one).isprintable())
    figure = Figure()
    texts = [figure.text(0.5, 0.5, name) for name in ("base", f"new {letter}")]
    monkeypatch.setattr(names, "_OTHERS", ("no such font", bundled))
    before = texts[0].get_fontfamily()
    find_fonts(figure)
    assert [text.get_fontfamily() for text in texts] == [before, [names.FONT, bundled]]


# ---- Files


def test_endings(tmp_path: Path) -> None:
    for ending, magic in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")):
        save(gains(["a"]).figure, tmp_path / f"figure{ending}", "a")
        assert (tmp_path / f"figure{ending}").read_bytes().startswith(magic)
    for name in ("figure.gif", "figure", "figure.PDF"):
        with refused():
            check_ending(tmp_path / name)


@pytest.mark.parametrize("format", ["svg", "pdf", "png"])
def test_the_users_settings_do_not_matter(format: str) -> None:
    expected = rendered(gains(KINDS["odd"]).figure, format)
    with matplotlib.rc_context({"font.size": 20.0, "text.usetex": True, "axes.grid": True, "svg.fonttype": "path"}):
        assert rendered(gains(KINDS["odd"]).figure, format) == expected
        assert matplotlib.rcParams["font.size"] == 20.0


@pytest.mark.whole
def test_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    path = tmp_path / "figure.svg"
    script = (
        "import importlib.util\n"
        f"spec = importlib.util.spec_from_file_location('there', {str(Path(__file__).resolve())!r})\n"
        "there = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(there)\n"
        f"there.save(there.gains(there.SCRIPTS).figure, {str(path)!r})\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)
    assert path.read_bytes() == rendered(gains(SCRIPTS).figure, "svg")


def test_an_svg_keeps_text_is_undated_and_has_no_ground() -> None:
    data = rendered(gains(["$x_1$ ŝ"]).figure, "svg", "What it shows").decode()
    words = ["".join(one.itertext()) for one in ElementTree.fromstring(data).iter() if one.tag.endswith("}text")]
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


# ---- Inside of a page


@pytest.mark.parametrize("figure", FIGURES)
def test_inside_of_a_page_there_are_no_styles_and_no_ids_that_meet(figure: str) -> None:
    drawing = FIGURES[figure](['<a> & "b"', "b"])
    source = inline(drawing, "figure.1.1") + inline(drawing, "figure.1.2")
    made = Page(source)
    assert not made.all("style")
    assert not made.of("style")
    ids = made.all("id")
    assert len(set(ids)) == len(ids)
    links = re.findall(r'(?:href="|url\()#([^")]+)', source)
    assert links
    assert set(links) <= set(ids)
    (first, second) = (one for one in made.of("svg"))
    assert first == second
    assert (first["role"], first["aria-label"], first["fill"]) == ("img", drawing.alt, "currentColor")
    assert not re.search(r"#(?!ffffff)([0-9a-f]{2})\1\1", source), "black and grey are the ink of the page"
    assert "font-family" not in source
    assert not set(re.findall(r"\w+:\w+=", source)), "no names of other languages"
    assert ("wide" in first["class"]) == (drawing.figure.get_figwidth() == PAGE)
