"""Thresholds by the size of the test set."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.figures.conftest import Names, Sound
from truegain.report.figures.sizes import SizesPanel, SizesPlot
from truegain.report.figures.style import Columns, make_figure


def made(titles: tuple[str, ...] = ("BLEU",), c: float = 20.0, columns: Columns | None = None) -> SizesPlot:
    sizes = (25, 50, 100, 200, 400, 800, 1_600, 3_003)
    points = tuple((n, c / n**0.5, 0.9 * c / n**0.5, 1.2 * c / n**0.5) for n in sizes)
    return SizesPlot(tuple(SizesPanel(title, points, c, 0.5) for title in titles), "segments", columns)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("panels", "columns", "width"), [(1, None, 3.35), (2, None, 6.9), (3, None, 6.9), (3, 1, 3.35), (1, 2, 6.9)]
)
def test_layout(names: Names, panels: int, columns: Columns | None, width: float, sound: Sound) -> None:
    figure = make_figure(made(names(panels), columns=columns))
    texts = sound(figure)
    assert figure.get_figwidth() == width
    assert len(figure.axes) == panels
    assert texts.count("20/√n") == panels


@pytest.mark.whole
@pytest.mark.parametrize("c", [0.002, 0.3, 20.0, 4e5])
def test_gains_of_any_magnitude(c: float, sound: Sound) -> None:
    figure = make_figure(made(c=c))
    sound(figure)
    low, high = figure.axes[0].get_ylim()
    assert len([place for place in figure.axes[0].get_yticks() if low <= place <= high]) >= 2


def test_sizes_near_each_other(sound: Sound) -> None:
    panel = SizesPanel("BLEU", ((100, 1.01, None, None), (110, 0.99, None, None)), 10.2, 0.2)
    figure = make_figure(SizesPlot((panel,), "documents"))
    sound(figure)
    assert len(figure.axes[0].lines) == 2, "the law and the points; there are no intervals"


def test_the_law_is_a_straight_line() -> None:
    axis = make_figure(made()).axes[0]
    assert (axis.get_xscale(), axis.get_yscale()) == ("log", "log")
    x, y = (np.log(np.asarray(data, float)) for data in axis.lines[0].get_data())
    assert (y[-1] - y[0]) / (x[-1] - x[0]) == pytest.approx(-0.5)


def test_alt_tells_the_numbers() -> None:
    assert all(told in made().alt for told in ("4.00 at 25", "0.36 at 3,003", "−0.50", "20/√n"))
