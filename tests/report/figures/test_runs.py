"""Run scores, and the gain by the number of runs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.figures.conftest import Names, Sound
from truegain.report.figures.runs import Band, RunsPanel, RunsPlot, Strip
from truegain.report.figures.style import Columns, make_figure

BANDS = tuple(Band(count, 0.5 - 1.0 / count, 0.5, 0.5 + 1.0 / count) for count in (1, 2, 5, 10))


def panels(names: tuple[str, ...], metrics: int) -> tuple[RunsPanel, ...]:
    rng = np.random.default_rng(2)
    strips = tuple(Strip(name, tuple(rng.normal(34.0, 0.5, 12).tolist())) for name in names)
    return tuple(RunsPanel(title, strips, BANDS) for title in ("BLEU", "chrF2++", "TER")[:metrics])


@pytest.mark.whole
@pytest.mark.parametrize(("metrics", "columns"), [(1, None), (3, None), (2, 1)])
def test_layout(names: Names, metrics: int, columns: Columns | None, sound: Sound) -> None:
    figure = make_figure(RunsPlot(panels(names(2), metrics), columns=columns))
    texts = sound(figure)
    assert len(figure.axes) == 2 * metrics
    assert {"runs of each system", "Δ BLEU"} <= set(texts)


def test_names_are_in_the_key_whatever_they_begin_with() -> None:
    (legend,) = make_figure(RunsPlot(panels(("_base", "$new$"), 1))).legends
    assert [text.get_text().strip() for text in legend.get_texts()] == ["_base", "$new$"]


def test_without_draws_and_with_equal_scores(sound: Sound) -> None:
    plot = RunsPlot((RunsPanel("BLEU", (Strip("a", (3.0, 3.0)), Strip("b", (3.0,))), ()),))
    sound(make_figure(plot))
    assert "from 3 to 3" in plot.alt


def test_alt_tells_the_numbers() -> None:
    plot = RunsPlot((RunsPanel("BLEU", (Strip("a", (33.0, 34.5)), Strip("b", (35.0, 36.0))), BANDS),))
    assert all(told in plot.alt for told in ("33 to 34.5", "35 to 36", "−0.5 to 1.5", "0.4 to 0.6"))
