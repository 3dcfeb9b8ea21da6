"""The plot of scores: a row a system, with an interval where there is one."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.collections import LineCollection

from tests.report.figures.conftest import Names, Sound
from truegain.report.figures.scores import Score, ScoresPanel, ScoresPlot
from truegain.report.figures.style import Columns, make_figure

SCORES = (Score(34.41, 33.1, 35.7), Score(36.9, 35.5, 38.2), Score(20.0))
PLOT = ScoresPlot(("a", "b", "c"), (ScoresPanel("BLEU", SCORES, 1),), 0.95)


@pytest.mark.whole
@pytest.mark.parametrize(("rows", "metrics", "columns"), [(1, 1, None), (30, 3, None), (4, 2, 1)])
def test_layout(names: Names, rows: int, metrics: int, columns: Columns | None, sound: Sound) -> None:
    panels = tuple(
        ScoresPanel(title, tuple(Score(30.0 + row, 29.0 + row, 31.5 + row) for row in range(rows)), 2)
        for title in ("BLEU ↑", "chrF2++ ↑", "TER ↓")[:metrics]
    )
    assert "30.00" in sound(make_figure(ScoresPlot(names(rows), panels, 0.95, columns=columns)))


def test_intervals_and_values() -> None:
    (axes,) = make_figure(PLOT).axes
    (marks,), (lines,) = axes.lines, axes.collections
    assert np.asarray(marks.get_xydata()).tolist() == [[34.41, 0], [36.9, 1], [20.0, 2]]
    assert isinstance(lines, LineCollection)
    parts = [np.asarray(part).tolist() for part in lines.get_segments()]
    assert parts == [[[33.1, 0], [35.7, 0]], [[35.5, 1], [38.2, 1]]]
    assert [text.get_text() for text in axes.texts] == ["34.4", "36.9", "20.0"]
    low, high = axes.get_xlim()
    assert low < 20.0 < 38.2 < high


@pytest.mark.parametrize("scores", [(Score(0.0),), (Score(5.0, 5.0, 5.0),), (Score(5.0, -math.inf, 6.0),)])
def test_scores_that_do_not_spread(scores: tuple[Score, ...], sound: Sound) -> None:
    figure = make_figure(ScoresPlot(("a",), (ScoresPanel("BLEU", scores, 1),), 0.95))
    sound(figure)
    low, high = figure.axes[0].get_xlim()
    assert math.isfinite(low)
    assert low < scores[0].value < high


def test_numbers_are_optional(sound: Sound) -> None:
    assert "34.4" not in sound(make_figure(replace(PLOT, numbers=False)))


def test_alt_tells_the_numbers() -> None:
    assert all(told in PLOT.alt for told in ("95 %", "a 34.4 (33.1 to 35.7)", "b 36.9 (35.5 to 38.2)", "c 20.0"))
    many = ScoresPlot(("a", "b", "c") * 3, (ScoresPanel("BLEU", SCORES * 3, 1),), 0.95).alt
    assert all(told in many for told in ("of 9 systems", "c 20.0", "b 36.9 (35.5 to 38.2)"))
    assert "34.4" not in many, "neither the lowest nor the highest"


def test_a_mark_and_lines_between_rows(sound: Sound) -> None:
    panels = (ScoresPanel("SPA", SCORES, 1, mark=10.0),)
    plot = ScoresPlot(("a", "b", "c"), panels, 0.95, rows="metrics", rules=(2,))
    figure = make_figure(plot)
    sound(figure)
    (axes,) = figure.axes
    mark, rule, _ = (np.asarray(line.get_xydata()).tolist() for line in axes.lines)
    assert [x for x, _ in mark] == [10.0, 10.0]
    assert [y for _, y in rule] == [1.5, 1.5]
    assert axes.get_xlim()[0] < 10.0
    many = ScoresPlot(tuple("abcdefgh"), (ScoresPanel("SPA", (Score(1.0),) * 8, 1),), 0.95, rows="metrics")
    assert "SPA of 8 metrics" in many.alt
