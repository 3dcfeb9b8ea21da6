"""Gain against confidence."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.figures.conftest import Names, Sound
from truegain.report.figures.confidence import ConfidencePanel, ConfidencePlot, PairsOf, Reach
from truegain.report.figures.style import Columns, make_figure


def made(titles: tuple[str, ...] = ("BLEU",), groups: int = 1, columns: Columns | None = None) -> ConfidencePlot:
    gains = np.linspace(0.0, 4.0, 60)
    points = tuple(zip(gains.tolist(), (1.0 - 0.5 * np.exp(-3.0 * gains)).tolist(), strict=True))
    labels = ("different labels", "same label")[:groups]
    pairs = tuple(PairsOf(label, points, Reach(0.7 + 0.2 * j, 0.6, 0.95)) for j, label in enumerate(labels))
    return ConfidencePlot(tuple(ConfidencePanel(title, pairs) for title in titles), 0.05, columns)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("panels", "groups", "columns", "width"),
    [(1, 1, None, 3.35), (1, 2, None, 3.35), (2, 2, 2, 6.9), (3, 1, None, 6.9), (3, 2, 1, 3.35), (1, 2, 2, 6.9)],
)
def test_layout(names: Names, panels: int, groups: int, columns: Columns | None, width: float, sound: Sound) -> None:
    figure = make_figure(made(names(panels), groups, columns))
    texts = sound(figure)
    assert figure.get_figwidth() == width
    assert len(figure.axes) == panels
    assert sum(text.startswith("confidence") and text.endswith(" 1 − p") for text in texts) == panels
    assert ("same label: 0.90" in texts) is (groups == 2)


@pytest.mark.whole
def test_groups_of_any_number_and_name(names: Names, sound: Sound) -> None:
    points = [(gain, 1.0 - 0.5 * np.exp(-3.0 * gain)) for gain in np.linspace(0.0, 4.0, 20).tolist()]
    for columns in (1, 2):
        groups = [PairsOf(name, points, Reach(0.7 + 0.1 * place)) for place, name in enumerate(names(6))]
        texts = sound(make_figure(ConfidencePlot([ConfidencePanel("BLEU", groups)] * 2, 0.05, columns)))
        for place in range(6):
            assert sum(text.endswith(f": {0.7 + 0.1 * place:.2f}") for text in texts) == 2, "a name hidden from the key"


def test_what_lies_far_out_is_counted() -> None:
    axis = make_figure(made()).axes[0]
    right = axis.get_xlim()[1]
    assert right == pytest.approx(3 * 0.95)
    points = [line for line in axis.lines if line.get_marker() == "o"]
    shown = np.asarray(points[0].get_xdata())
    legend = axis.get_legend()
    assert legend is not None
    told = legend.get_title().get_text().split()
    assert [*told[:2], told[-1]] == [f"{60 - shown.size}", "pairs", "4.00"]
    assert shown.max() <= right
    assert len(axis.patches) == 1, "the interval of the threshold"


def test_one_pair_and_no_interval(sound: Sound) -> None:
    panel = ConfidencePanel("BLEU", (PairsOf("all", ((0.3, 0.45),), Reach(0.8)),))
    figure = make_figure(ConfidencePlot((panel,), 0.05))
    assert "threshold 0.80" in sound(figure)
    assert not figure.axes[0].patches
    assert figure.axes[0].get_ylim()[0] < 0.45


def test_alt_tells_the_numbers() -> None:
    panel = ConfidencePanel("BLEU", (PairsOf("all", ((0.3, 0.6), (1.0, 0.95), (2.0, 0.999)), Reach(0.8)),))
    assert all(told in ConfidencePlot((panel,), 0.05).alt for told in ("BLEU", "2 of 3", "0.80"))
