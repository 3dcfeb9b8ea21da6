"""Files of figures: the same bytes everywhere, fonts inside, text as text, no ground behind a drawing."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.image import imread

from tests.refusals import refused
from truegain.report.figures.forest import ForestPanel, ForestPlot, Gain
from truegain.report.figures.printed import printed
from truegain.report.figures.sheet import Sheet
from truegain.report.figures.style import (
    COLUMN,
    FIGURE_ENDINGS,
    PAGE,
    Columns,
    arrangement,
    check_ending,
    in_columns,
    make_figure,
    rendered,
    save,
    styled,
)
from truegain.report.figures.ticks import spaced_ticks
from truegain.report.figures.widths import width_of

PLOT = ForestPlot(
    ("$x_1$ ŝ", "new"),
    (ForestPanel("BLEU", (Gain(0.5, 0.1, 0.9, True, True), Gain(-0.1, -0.6, 0.4, False, None)), 2),),
    "base",
    0.95,
)
Format = Literal["svg", "pdf", "png"]
FORMATS: tuple[Format, ...] = ("svg", "pdf", "png")


@pytest.mark.whole
@pytest.mark.parametrize("ending", FIGURE_ENDINGS)
def test_endings(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"figure{ending}"
    assert check_ending(path) == path
    save(make_figure(PLOT), path)
    assert path.read_bytes().startswith({".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}[ending])
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["figure.gif", "figure", "figure.PDF"])
def test_other_endings_are_refused(name: str, tmp_path: Path) -> None:
    with refused():
        save(make_figure(PLOT), tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.whole
@pytest.mark.parametrize("format", FORMATS)
def test_the_users_settings_do_not_matter(format: Format) -> None:
    expected = rendered(make_figure(PLOT), format)
    with matplotlib.rc_context({"font.size": 20.0, "text.usetex": True, "axes.grid": True, "svg.fonttype": "path"}):
        assert rendered(make_figure(PLOT), format) == expected
        assert matplotlib.rcParams["font.size"] == 20.0


@pytest.mark.whole
@pytest.mark.parametrize("format", FORMATS)
def test_the_same_bytes_in_another_process(format: Format, tmp_path: Path) -> None:
    path = tmp_path / f"figure.{format}"
    here = Path(__file__).resolve()
    script = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('there', {str(here)!r})\n"
        "there = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(there)\n"
        f"there.save(there.make_figure(there.PLOT), {str(path)!r})\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env={**os.environ, "PYTHONHASHSEED": "7"})
    assert path.read_bytes() == rendered(make_figure(PLOT), format)


def test_a_pdf_holds_its_fonts() -> None:
    data = rendered(make_figure(PLOT), "pdf")
    assert b"/FontFile2" in data  # TrueType, embedded
    assert b"/Type3" not in data
    assert b"CreationDate" not in data


def test_an_svg_keeps_text_and_has_no_ground() -> None:
    data = rendered(make_figure(PLOT), "svg").decode()
    words = ["".join(one.itertext()) for one in ElementTree.fromstring(data).iter() if one.tag.endswith("}text")]
    assert {"$x_1$ ŝ", "new", "Δ BLEU", "+0.50", "−0.10", "better", "not significant"} <= set(words)
    assert "<dc:date>" not in data
    assert not re.search("fill: ?#f{6}|fill: ?white", data)


def test_names_stay_names_where_others_write_the_figure() -> None:
    held = io.StringIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams["svg.fonttype"] = "none"
        make_figure(PLOT).savefig(held, format="svg")
    assert "$x_1$ ŝ</text>" in held.getvalue()


def test_a_png_has_a_white_ground() -> None:
    pixels = imread(io.BytesIO(rendered(make_figure(PLOT), "png")))
    assert pixels[0, 0].tolist() == [1.0, 1.0, 1.0, 1.0]
    assert pixels.shape[1] == round(3.35 * 300)


def test_neutral_ink_is_grey() -> None:
    colours = set(re.findall(r"#[0-9a-f]{6}", rendered(make_figure(PLOT), "svg").decode()))
    tinted = {one for one in colours if len({one[1:3], one[3:5], one[5:7]}) > 1}
    assert tinted == {"#009e73"}  # what is better; all else is black or grey


def test_the_number_of_columns() -> None:
    assert make_figure(in_columns(PLOT, 2)).get_figwidth() == 6.9
    assert make_figure(in_columns(PLOT, 1)).get_figwidth() == 3.35

    class Fixed:
        alt = "a figure"

        def draw(self) -> Sheet:
            raise AssertionError

    with refused():
        in_columns(Fixed(), 1)


@pytest.mark.parametrize(("low", "high"), [(-12.0, 3.0), (0.71234, 0.71239), (-1e-7, 2e-7), (12345.0, 99999.0)])
@pytest.mark.parametrize("inches", [0.8, 2.0, 6.0])
def test_ticks_have_room_for_what_is_written_under_them(low: float, high: float, inches: float) -> None:
    ticks = spaced_ticks(low, high, inches, 8.0)
    places, labels = [place for place, _ in ticks], [label for _, label in ticks]
    assert all(low <= place <= high for place in places)
    widest = max(width_of(label, 8.0) for label in labels)
    assert len(places) == 1 or widest < (places[1] - places[0]) / (high - low) * inches
    if inches == 6.0:
        assert len(places) >= 4


@pytest.mark.parametrize(
    ("panels", "columns", "expected"),
    [
        (1, None, (COLUMN, 1, 1)),
        (1, 2, (PAGE, 1, 1)),
        (2, None, (PAGE, 2, 1)),
        (3, None, (PAGE, 2, 2)),
        (3, 1, (COLUMN, 1, 3)),
    ],
)
def test_panels_fill_the_width_of_their_figure(
    panels: int, columns: Columns | None, expected: tuple[float, int, int]
) -> None:
    width, across, down = arrangement(panels, columns)
    assert (width, across, down) == expected
    sheet = Sheet(width, 2.0 * down, across=across)
    for _ in range(panels):
        sheet.panel()
    with styled():
        figure = printed(sheet)
    assert len(figure.axes) == panels
    assert max(axes.get_position().x1 for axes in figure.axes) > 0.95
