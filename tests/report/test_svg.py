"""Figures inside a page: no styles, no ids that meet, ink that follows the page."""

from __future__ import annotations

import base64
import io
import math
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from tests.report.test_html import Page
from truegain.report.figures import Drawing
from truegain.report.figures.forest import ForestPanel, ForestPlot
from truegain.report.figures.intervals import Cloud, IntervalsPanel, IntervalsPlot, Whisker
from truegain.report.figures.printed import printed
from truegain.report.figures.runs import Band, RunsPanel, RunsPlot, Strip
from truegain.report.figures.sheet import Area, Box, Cells, Entry, Key, Look, Segments, Sheet, Stairs, Words
from truegain.report.figures.sizes import SizesPanel, SizesPlot
from truegain.report.figures.style import make_figure, styled
from truegain.report.figures.widths import width_of
from truegain.report.svg import inline

Sheets = Callable[[], Sheet]


class Elements(Page):
    """The elements of a picture: tags with attributes, and texts with the attributes of their element."""

    def __init__(self, source: str) -> None:
        self.beside: dict[str, dict[str, str]] = {}
        super().__init__(source)

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.beside[data] = self.elements[-1][1]


def figure() -> Sheet:
    made = Sheet(3.35, 2.0)
    panel = made.panel()
    panel.line([(1, 1), (2, 3), (3, 2)], Look("#0072B2", 1.5, "--", "o"), '<a> & "b"')
    panel.line([(1, 2), (3, 2)], Look("0.6", 1.0, opacity=0.5))
    panel.add(Area([(1, 0, 1), (2, 0, 1)], "#D55E00", 0.3, "area"))
    panel.line([(1, 2), (2, 1)], Look("white", mark="s"))
    panel.x.label = "runs"
    panel.key = Key(panel.entries(), "upper right")
    return made


def everything() -> Sheet:
    """Two panels that have all there is."""
    made = Sheet(6.9, 2.0, across=2, x="all", y="sides")
    first, second = made.panel(), made.panel()
    for place, mark in enumerate("os^v<>DPX|"):
        first.line([(place, 1.0), (place, 2.0)], Look("#0072B2", mark=mark, hollow=place % 2 == 0, opacity=0.7), mark)
    for dash in ("-", "--", "-.", ":"):
        first.rule("y", 1.5, "0.4", 0.8, dash)
        first.rule("x", 1.5, "0.4", 0.8, dash)
    first.add(Segments([((0.0, 1.0), (3.0, 1.5))], Look("black", 1.2)))
    first.add(Words(1.0, 1.5, "+0.5", 6.5, "x", shift=(4.0, 0.0)))
    first.add(Words(1.5, 1.0, "top", 6.5, "y", side="right", top=True))
    first.title = "two\nlines"
    first.key = Key(first.entries(), "below", across=4)
    second.add(Stairs([1, 0, 3], [0.5, 1.0, 2.0, 30.0], "0.8"))
    second.add(Box(1.0, 2.0, None, None, "#009E73", 0.15))
    second.add(Box(1.0, 2.0, 0.5, 1.0, "#009E73"))
    second.x.log, second.x.grid, second.y.grid = True, True, True
    second.x.limit(0.5, 300.0)
    second.y.limit(5.0, 0.0)
    made.key = Key([Entry("sky", colour="#56B4E9", opacity=0.4)], "above")
    return made


def heat_map() -> Sheet:
    made = Sheet(3.0, 3.0)
    panel = made.panel()
    panel.place = (0.5, 0.1, 2.0, 2.0)
    panel.add(Cells([[(0.0, 0.0, 1.0), (1.0, 1.0, 1.0)], [(1.0, 0.5, 0.0), (0.0, 0.0, 0.0)]]))
    panel.rule("y", 0.5, "black", 0.9)
    panel.line([(0, 0)], Look("0.45", mark="o", hollow=True))
    panel.x.limit(-0.5, 1.5)
    panel.y.limit(1.5, -0.5)
    return made


SHEETS = (figure, everything, heat_map)


@pytest.mark.parametrize("sheet", SHEETS)
def test_no_style_and_nothing_that_a_page_forbids(sheet: Sheets) -> None:
    elements = Elements(inline(sheet(), "one", "alt"))
    tags = {tag for tag, _ in elements.elements}
    assert not tags & {"style", "metadata", "script", "title"}
    assert not elements.all("style")
    assert not elements.all("font-family")
    assert not [
        key for _, attributes in elements.elements for key in attributes if key.startswith(("on", "xlink", "xml"))
    ]


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_id_has_the_prefix_and_is_used(sheet: Sheets) -> None:
    source = inline(sheet(), "one.2", "alt")
    ids = Elements(source).all("id")
    assert ids
    assert len(set(ids)) == len(ids)
    assert all(name.startswith("one.2-") for name in ids)
    links = re.findall(r"url\(#([^)]+)\)", source) + re.findall(r'href="#([^"]+)"', source)
    assert set(links) == set(ids)


def test_black_grey_and_white_follow_the_page_and_colours_stay() -> None:
    elements = Elements(inline(figure(), "one", "alt"))
    paints = set(elements.all("fill")) | set(elements.all("stroke"))
    assert {"currentColor", "var(--paper)", "#0072b2", "#d55e00"} <= paints
    assert not [paint for paint in paints if re.fullmatch(r"#(..)\1\1", paint)]
    # Grey 0.6 is two fifths of black; drawn with half the opacity, one fifth.
    grey = [a for _, a in elements.elements if a.get("stroke") == "currentColor" and a.get("stroke-opacity") == "0.2"]
    assert grey
    assert "fill" not in elements.beside["runs"]  # so it has that of the whole picture
    assert elements.elements[0][1]["fill"] == "currentColor"


def test_what_is_said_of_it_is_escaped() -> None:
    elements = Elements(inline(figure(), "one", 'a "<b>" & c'))
    tag, attributes = elements.elements[0]
    assert tag == "svg"
    assert attributes["role"] == "img"
    assert attributes["aria-label"] == 'a "<b>" & c'
    assert '<a> & "b"' in elements.beside


def test_what_is_on_a_heat_map_keeps_its_colour() -> None:
    """On a dark page the page's ink is light, and the map's squares are as light as ever."""
    made = heat_map()
    made.panels[0].add(Words(0.5, 0.5, "on the map", 7.0, "x"))
    made.panels[0].add(Words(1.0, 0.5, "beside it", 7.0, "x", shift=(4.0, 0.0)))
    made.panels[0].title = "above"
    elements = Elements(inline(made, "one", "alt"))
    assert {"#000000", "#737373"} <= set(elements.all("stroke"))
    assert "currentColor" in elements.all("stroke"), "the axes are outside of the map"
    assert elements.beside["on the map"]["fill"] == "#000000"
    assert not any("fill" in elements.beside[text] for text in ("beside it", "above"))


def test_a_map_is_an_image_whose_squares_have_their_colours() -> None:
    (image,) = Elements(inline(heat_map(), "one", "alt")).all("href")
    kind, _, data = image.partition(",")
    assert kind == "data:image/png;base64"
    pixels = np.asarray(imread(io.BytesIO(base64.b64decode(data, validate=True))))
    half = len(pixels) // 2
    assert pixels.shape[:2] == (2 * half, 2 * half)
    assert half >= 100, "so that edges are sharp"
    painted = np.array([[(0, 0, 1), (1, 1, 1)], [(1, 128 / 255, 0), (0, 0, 0)]])
    expected = painted.repeat(half, axis=0).repeat(half, axis=1)
    assert np.abs(pixels[:, :, :3] - expected).max() < 1e-6


def test_names_of_any_characters() -> None:
    made = Sheet(3.0, 3.0)
    made.panel().title = "a\x1bb"
    made.panels[0].x.label = "猫 हिन्दी"
    texts = Elements(inline(made, "one", "\x00")).beside
    assert {"a\ufffdb", "猫 हिन्दी"} <= set(texts)
    assert "\x00" not in inline(made, "one", "\x00")


def test_marks_are_where_the_data_are() -> None:
    made = Sheet(3.0, 3.0)
    panel = made.panel()
    panel.place = (0.5, 0.5, 2.0, 2.0)
    panel.x.limit(0.0, 10.0)
    panel.y.limit(0.0, 1.0)
    panel.line([(5.0, 0.25)], Look("#0072B2", mark="s", size=4.0))
    panel.line([(0.0, 0.0), (10.0, 1.0)], Look("#D55E00", 1.0))
    paths = Elements(inline(made, "one", "alt")).all("d")
    assert "M106 142L110 142L110 146L106 146Z" in paths
    assert "M36 180L180 36" in paths


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e300])
def test_no_place_is_without_end(bad: float) -> None:
    made = everything()
    for panel in made.panels:
        panel.line([(1.0, bad), (bad, 1.0), (2.0, 1.0)], Look("black", 1.0, mark="o"))
        panel.add(Segments([((1.0, bad), (bad, 1.0))], Look("black", 1.0)))
        panel.add(Area([(1.0, bad, 1.0), (2.0, 1.0, bad)], "0.5"))
        panel.rule("x", bad, "black", 1.0)
        panel.x.limit(0.5, 3.0)
        panel.y.limit(0.0, 3.0)
    drawn = inline(made, "one", "alt")
    assert not re.search(r"nan|inf|\d{6}|e\+", drawn.partition(">")[2])


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_file_has_the_same_texts_at_the_same_places(sheet: Sheets) -> None:
    """Texts of both drawings: none is elsewhere by more than a line."""
    made = sheet()
    with styled():
        drawn = printed(made)
        drawn.draw_without_rendering()
        boxes = {
            text.get_text().strip(): text.get_window_extent()
            for axes in drawn.axes
            for text in (*axes.get_xticklabels(), *axes.get_yticklabels(), axes.xaxis.label, axes.yaxis.label)
        }
    found = Elements(inline(made, "one", "alt")).beside
    compared = 0
    for text, box in boxes.items():
        if text in found and "x" in found[text]:
            y = 72.0 * made.height - (box.y0 + box.y1) / 2.0 * 72.0 / drawn.dpi
            assert float(found[text]["y"]) == pytest.approx(y, abs=9.0), text
            compared += 1
    assert compared or sheet is heat_map


@pytest.mark.parametrize("sheet", SHEETS)
def test_texts_are_inside_of_the_figure(sheet: Sheets) -> None:
    made = sheet()
    for text, attributes in Elements(inline(made, "one", "alt")).beside.items():
        if "x" not in attributes:
            continue
        size = float(attributes["font-size"].removesuffix("px"))
        wide = 72.0 * width_of(text, size)
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[attributes.get("text-anchor", "start")]
        left = float(attributes["x"]) - share * wide
        assert -0.5 <= left <= left + wide <= 72.0 * made.width + 0.5, text
        assert size * 0.7 <= float(attributes["y"]) <= 72.0 * made.height, text


@pytest.mark.whole
@pytest.mark.parametrize("command", ["compare", "rank", "score"])
def test_a_page_needs_no_matplotlib(command: str, tmp_path: Path) -> None:
    draws = np.random.default_rng(3).normal(0.5, 0.1, (4, 60))
    for number, row in enumerate(draws.tolist()):
        (tmp_path / f"{number}.scores").write_text("".join(f"{value + 0.1 * number:.4f}\n" for value in row))
    files = sorted(path.name for path in tmp_path.iterdir())
    script = (
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"  # so that its import fails
        "from truegain.cli.main import main\n"
        f"main({[command, *files, '-m', 'scores', '-f', 'html', '-o', 'page.html']!r})\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path)
    assert '<svg class="drawing' in (tmp_path / "page.html").read_text(encoding="utf-8")


def odd_figures() -> dict[str, Drawing]:
    runs = RunsPanel("BLEU", (Strip("\u200b", (1.0, 2.0)), Strip("\u2060", (2.0, 3.0))), (Band(1, 0.1, 0.5, 0.9),))
    points = ((25, 4.0, 0.0, 5.0), (100, 2.0, 1.0, 3.0))
    clouds = (Cloud("runs", ((0.5, 0.0), (2.0, 0.0)), (), ((0.0, 1.0), (2.0, 0.0))),)
    small = (Cloud("runs", ((0.5, 1e-30), (2.0, 0.5)), (), ()),)
    whiskers = (Whisker("a", "runs", 1.0, 2.0, 3.0),)
    return {
        "names that cannot be seen": RunsPlot((runs,)),
        "no rows": ForestPlot((), (ForestPanel("BLEU", (), 2),), "base", 0.95),
        "an interval down to 0": SizesPlot((SizesPanel("BLEU", points, 20.0, 0.5),), "segments"),
        "p of 0": IntervalsPlot((IntervalsPanel("BLEU", whiskers, clouds),), 0.05),
        "p of 1e-30": IntervalsPlot((IntervalsPanel("BLEU", whiskers, small),), 0.05),
        "numbers wider than the figure": RunsPlot((replace(runs, strips=(Strip("a", (1e40, 1.0000001e40)),)),)),
    }


@pytest.mark.parametrize("name", list(odd_figures()))
def test_odd_figures_are_drawn(name: str) -> None:
    drawing = odd_figures()[name]
    text = inline(drawing.draw(), "one", drawing.alt)
    assert not re.search(r'(width|height)="-|nan|inf\b', text)
    make_figure(drawing)
