"""Run scores as strips: every run a dot in its row, the mean, and the spread over test sets."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from tests.report.figures.conftest import Names, Sound
from truegain.report.figures.strips import RunStrips, StripPanel, SystemStrip
from truegain.report.figures.style import Columns, make_figure, rendered

SYSTEMS = (SystemStrip((33.0, 34.0, 36.5), 34.5, 0.7), SystemStrip((35.0,), 35.0, None))


@pytest.mark.whole
@pytest.mark.parametrize(("rows", "metrics", "columns"), [(1, 1, None), (30, 3, None), (3, 2, 1)])
def test_layout(names: Names, rows: int, metrics: int, columns: Columns | None, sound: Sound) -> None:
    panels = tuple(
        StripPanel(title, tuple(SystemStrip((30.0 + row, 31.0 + row), 30.5 + row, 0.4) for row in range(rows)), 2)
        for title in ("BLEU ↑", "chrF2++ ↑", "TER ↓")[:metrics]
    )
    assert "mean ± s_sel, over test sets" in sound(make_figure(RunStrips(names(rows), panels, columns=columns)))


def dots(axes: Axes) -> list[list[float]]:
    (line,) = axes.lines
    found: list[list[float]] = np.asarray(line.get_xydata()).tolist()
    return found


def test_runs_means_and_bands() -> None:
    (axes,) = make_figure(RunStrips(("a", "b"), (StripPanel("BLEU", SYSTEMS, 1),))).axes
    found = dots(axes)
    assert [score for score, _ in found] == [33.0, 34.0, 36.5, 35.0]
    assert [round(place) for _, place in found] == [0, 0, 0, 1]
    assert len({place for _, place in found}) == 4  # so that runs of one score are seen side by side
    assert all(abs(place - round(place)) <= 0.25 for _, place in found)
    (means,) = axes.collections
    assert isinstance(means, LineCollection)
    assert [part[:, 0].tolist() for part in map(np.asarray, means.get_segments())] == [[34.5, 34.5], [35.0, 35.0]]
    (band,) = axes.patches
    box = band.get_extents().transformed(axes.transData.inverted())
    assert (box.x0, box.x1) == pytest.approx((33.8, 35.2))
    assert sorted((box.y0, box.y1)) == pytest.approx([-0.38, 0.38])


def test_without_a_spread_there_is_no_band() -> None:
    systems = (SystemStrip((33.0, 34.0), 33.5, 0.0), SystemStrip((35.0,), 35.0, None))
    figure = make_figure(RunStrips(("a", "b"), (StripPanel("BLEU", systems, 1),)))
    assert not figure.axes[0].patches
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["run", "mean"]


def test_the_same_dots_every_time() -> None:
    plot = RunStrips(("a", "b"), (StripPanel("BLEU", SYSTEMS, 1),))
    assert dots(make_figure(plot).axes[0]) == dots(make_figure(plot).axes[0])
    assert rendered(make_figure(plot), "svg") == rendered(make_figure(plot), "svg")


def test_alt_tells_the_numbers() -> None:
    few = RunStrips(("a", "b"), (StripPanel("BLEU", SYSTEMS, 1),)).alt
    assert all(told in few for told in ("from 33.0 to 36.5", "34.5", "0.70", "35.0"))
