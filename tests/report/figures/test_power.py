"""Power, and the least gain found, by the size of a test set."""

from __future__ import annotations

import pytest

from tests.report.figures.conftest import Names, Sound
from truegain.report.figures.power import Curve, PowerPanel, PowerPlot
from truegain.report.figures.style import Columns, make_figure


def panel(title: str, labels: tuple[str, ...], low: float, high: float, of: str = "") -> PowerPanel:
    sizes = [low * (high / low) ** (i / 8) for i in range(9)]
    powers = tuple(
        Curve(label, tuple((n, min(1.0, (k + 1) * (0.1 + 0.1 * i))) for i, n in enumerate(sizes)))
        for k, label in enumerate(labels)
    )
    gains = Curve("with a power of 0.8", tuple((n, 30.0 / n**0.5) for n in sizes))
    return PowerPanel(title, of, powers, (gains,), Curve("as 1/√n", gains.points))


@pytest.mark.whole
@pytest.mark.parametrize(("metrics", "columns"), [(1, None), (3, None), (2, 1)])
@pytest.mark.parametrize(("low", "high"), [(2.0, 9.0), (19.0, 190.0), (450.0, 60_000.0), (5e6, 8e7)])
def test_layout(names: Names, metrics: int, columns: Columns | None, low: float, high: float, sound: Sound) -> None:
    panels = tuple(panel(name, ("Δ 0.50", "Δ 1.00"), low, high) for name in names(metrics))
    figure = make_figure(PowerPlot(panels, "documents", 0.8, columns))
    texts = sound(figure)
    assert len(figure.axes) == 2 * metrics
    assert {"documents", "power", "as 1/√n", "Δ 0.50", "Δ 1.00"} <= set(texts)


def test_axes_have_round_numbers() -> None:
    figure = make_figure(PowerPlot((panel("BLEU", ("Δ 1",), 250.0, 6250.0),), "segments", 0.8))
    for axis in figure.axes:
        assert [tick.get_text() for tick in axis.get_xticklabels()] == ["500", "1,000", "2,000", "5,000"]


def test_alt_tells_the_numbers() -> None:
    plot = PowerPlot((panel("BLEU", ("2 runs", "5 runs"), 100.0, 900.0, "for Δ 0.50"),), "segments", 0.8)
    assert all(told in plot.alt for told in ("100 to 900", "2 runs from 0.10 to 0.90", "from 3 to 1"))
