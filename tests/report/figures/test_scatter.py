"""The plot of systems by two scores."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.figures.conftest import Names, Sound
from truegain.report.figures.scatter import ScatterPanel, ScatterPlot
from truegain.report.figures.style import Columns, make_figure

POINTS = (((-14.2, 0.7), (-3.9, 0.81), (-6.5, 0.76)), ((0.5, 0.9), (0.25, 0.8)))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("panels", "sets", "columns"), [(1, 1, None), (2, 2, None), (7, 2, None), (15, 1, 2), (3, 2, 1), (5, 9, None)]
)
def test_layout(names: Names, panels: int, sets: int, columns: Columns | None, sound: Sound) -> None:
    made = tuple(ScatterPanel(title, (POINTS * 5)[:sets]) for title in names(panels))
    sound(make_figure(ScatterPlot(made, names(sets), columns=columns)))


def test_a_panel_for_each_metric_and_marks_for_each_test_set(sound: Sound) -> None:
    plot = ScatterPlot((ScatterPanel("comet", POINTS), ScatterPanel("chrF", POINTS)), ("en-de", "zh-en"))
    figure = make_figure(plot)
    assert len(figure.axes) == 2
    lines = figure.axes[1].lines
    assert [np.asarray(line.get_xydata()).tolist() for line in lines] == [list(map(list, own)) for own in POINTS]
    assert len({(line.get_marker(), line.get_color()) for line in lines}) == 2
    assert {"comet", "chrF", "en-de", "zh-en", "people", "metric"} <= set(sound(figure))
    assert all(told in plot.alt for told in ("5", "comet", "chrF"))


def test_systems_that_are_all_the_same(sound: Sound) -> None:
    sound(make_figure(ScatterPlot((ScatterPanel("comet", (((1.0, 2.0), (1.0, 2.0)),)),), ("en-de",))))
