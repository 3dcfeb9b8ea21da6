"""The figure of tuned runs."""

from __future__ import annotations

import pytest

from truegain.report.figures.style import make_figure
from truegain.report.figures.tuned import TunedPanel, TunedPlot

PANEL = TunedPanel("BLEU", "test", ((30.0, 28.5), (31.0, 28.0), (30.5, 28.25)))


@pytest.mark.parametrize("panels", [1, 2, 3])
@pytest.mark.parametrize("columns", [None, 1, 2])
def test_a_panel_per_set(panels: int, columns: int | None) -> None:
    figure = make_figure(TunedPlot((PANEL,) * panels, columns=columns))  # type: ignore[arg-type]
    assert len(figure.axes) == panels
    (line,) = figure.axes[0].lines
    assert sorted(zip(line.get_xdata(), line.get_ydata(), strict=True)) == sorted(PANEL.points)  # type: ignore[arg-type]
    assert figure.axes[0].get_xlabel() == "BLEU on dev"
    assert figure.axes[0].get_ylabel() == "BLEU on test"


def test_alt_tells_the_ranges() -> None:
    assert all(told in TunedPlot((PANEL,)).alt for told in ("30 to 31", "28 to 28.5"))
