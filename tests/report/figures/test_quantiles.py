"""Quantiles of p-values."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.figures.conftest import Sound
from truegain.report.figures.quantiles import Curve, QuantilePanel, QuantilePlot
from truegain.report.figures.style import Columns, make_figure

PLACES = np.linspace(0.0, 1.0, 101)
CURVES = (Curve("ar", tuple(PLACES.tolist())), Curve("koehn2004", tuple((PLACES**2).tolist())))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("metrics", "columns", "size"),
    [(1, None, (3.35, 1)), (2, None, (6.9, 1)), (3, None, (6.9, 2)), (2, 1, (3.35, 2)), (1, 2, (6.9, 1))],
)
def test_layout(metrics: int, columns: Columns | None, size: tuple[float, int], sound: Sound) -> None:
    panels = tuple(QuantilePanel(title, CURVES) for title in ("BLEU", "chrF2++", "$TER_1$")[:metrics])
    figure = make_figure(QuantilePlot(panels, columns=columns))
    texts = sound(figure)
    assert len(figure.axes) == metrics
    assert figure.get_size_inches().tolist() == pytest.approx([size[0], 3.35 * 0.95 * size[1]])
    assert {"ar", "koehn2004", "0.01", "0.1", "1", *(panel.title for panel in panels)} <= set(texts)


def test_curves_are_where_they_belong() -> None:
    (axes,) = make_figure(QuantilePlot((QuantilePanel("BLEU", CURVES),))).axes
    for curve in CURVES:
        (line,) = [line for line in axes.lines if line.get_label() == curve.label]
        assert np.asarray(line.get_xydata()) == pytest.approx(np.stack([PLACES, curve.values], axis=1)[1:])


def test_alt_tells_how_often_tests_reject() -> None:
    alt = QuantilePlot((QuantilePanel("BLEU", CURVES), QuantilePanel("TER", CURVES[:1]))).alt
    assert all(told in alt for told in ("ar 5 %", "koehn2004 22 %"))
