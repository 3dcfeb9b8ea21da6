"""The forest plot: rows in order, marks that say what was found, intervals where they belong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

from tests.report.figures.conftest import Names, Sound
from truegain.report.figures.forest import ForestPanel, ForestPlot, Gain
from truegain.report.figures.style import Columns, make_figure

GAINS = (
    Gain(0.5, 0.1, 0.9, True, True),
    Gain(-0.8, -1.3, -0.3, True, False),
    Gain(0.1, -0.4, 0.6, False, None),
    Gain(0.6, 0.2, 1.0, True, None),
)
LABELS = ("up", "down", "open", "other")
FOUND = ForestPlot(LABELS, (ForestPanel("BLEU", GAINS, 2),), "base", 0.95)
LABELLED = ("BLEU", "chrF2++", "TER", "length", "COMET (wmt22-comet-da), of documents of the news domain alone")


def plot(labels: Sequence[str], metrics: int, **options: Any) -> ForestPlot:
    rng = np.random.default_rng(len(labels))
    panels = []
    for title in LABELLED[:metrics]:
        gains = []
        for delta, reach in zip(rng.normal(0.2, 0.6, len(labels)), rng.uniform(0.1, 0.8, len(labels)), strict=True):
            significant = abs(delta) > reach
            better = bool(delta > 0) if significant and title != "length" else None
            gains.append(Gain(float(delta), float(delta - reach), float(delta + reach), bool(significant), better))
        panels.append(ForestPanel(title, tuple(gains), 2))
    return ForestPlot(tuple(labels), tuple(panels), "base", 0.95, **options)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("rows", "metrics", "columns"), [(1, 1, None), (2, 5, 1), (5, 3, None), (30, 1, 1), (30, 3, None), (7, 4, 2)]
)
def test_layout(names: Names, rows: int, metrics: int, columns: Columns | None, sound: Sound) -> None:
    made = plot(names(rows), metrics, columns=columns)
    texts = sound(make_figure(made))
    for panel in made.panels:
        assert any(text.startswith(f"Δ {panel.title[:4]}") for text in texts)


def marks(axes: Axes) -> dict[int, tuple[float, Line2D]]:
    """By row, where a mark is, and how it looks."""
    found = {}
    for line in axes.lines:
        if line.get_marker() not in ("None", "", None):
            for delta, row in np.asarray(line.get_xydata()).tolist():
                found[int(row)] = (delta, line)
    return found


def segments(axes: Axes, row: int) -> list[list[float]]:
    """The parts of an interval, from left to right."""
    lines = [one for one in axes.collections if isinstance(one, LineCollection)]
    parts = [np.asarray(part) for one in lines for part in one.get_segments()]
    return sorted(part[:, 0].tolist() for part in parts if (part[:, 1] == row).all())


def test_marks_say_what_was_found_by_shape_colour_and_filling() -> None:
    figure = make_figure(FOUND)
    (axes,) = figure.axes
    found = marks(axes)
    assert [found[row][0] for row in range(4)] == [gain.delta for gain in GAINS]
    looks = [found[row][1] for row in range(4)]
    assert [look.get_marker() for look in looks] == ["^", "v", "o", "D"]
    assert [to_hex(str(look.get_color())) for look in looks] == ["#009e73", "#d55e00", "#595959", "#000000"]
    assert [look.get_fillstyle() for look in looks] == ["full", "full", "none", "full"]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["better", "worse", "differs", "not significant"]
    assert [label.get_text() for label in axes.get_yticklabels()] == list(LABELS)
    bottom, top = axes.get_ylim()
    assert bottom > top  # the first row is at the top


def test_intervals_reach_from_low_to_high_and_stay_out_of_hollow_marks() -> None:
    (axes,) = make_figure(FOUND).axes
    for row, gain in enumerate(GAINS):
        parts = segments(axes, row)
        assert (parts[0][0], parts[-1][1]) == (gain.low, gain.high)
        if gain.significant:
            assert len(parts) == 1
        else:
            (_, before), (after, _) = parts
            assert before < gain.delta < after
            assert 0.02 < after - before < 0.2


def test_zero_is_always_in_view() -> None:
    panel = ForestPanel("BLEU", (Gain(9.0, 8.0, 9.5, True, True),), 1)
    (axes,) = make_figure(ForestPlot(("a",), (panel,), None, 0.9)).axes
    low, high = axes.get_xlim()
    assert low < 0.0 < 9.5 < high


@pytest.mark.parametrize("gain", [Gain(0.0, 0.0, 0.0, False, None), Gain(1.0, -math.inf, math.inf, False, None)])
def test_no_interval_and_one_without_ends(gain: Gain, sound: Sound) -> None:
    figure = make_figure(ForestPlot(("a",), (ForestPanel("BLEU", (gain,), 2),), "base", 0.95))
    sound(figure)
    low, high = figure.axes[0].get_xlim()
    assert math.isfinite(low)
    assert math.isfinite(high)
    if math.isinf(gain.low):
        parts = segments(figure.axes[0], 0)
        assert (parts[0][0], parts[-1][1]) == (low, high)


def test_numbers_are_optional(sound: Sound) -> None:
    assert {"+0.50", "−0.80", "+0.10"} <= set(sound(make_figure(FOUND)))
    assert "+0.50" not in sound(make_figure(replace(FOUND, numbers=False)))


def test_the_width_follows_from_names_and_metrics() -> None:
    assert make_figure(plot(["a", "b"], 1)).get_figwidth() == 3.35
    assert make_figure(plot(["a", "b"], 2)).get_figwidth() == 6.9
    assert make_figure(plot(["a", "b" * 40], 1)).get_figwidth() == 6.9


def test_alt_tells_the_numbers() -> None:
    few = replace(FOUND, over="the\nbase").alt
    assert all(told in few for told in ("the base", "+0.50 (+0.10 to +0.90)", "−0.80", "+0.10 (−0.40 to +0.60)"))
    many = ForestPlot(LABELS * 3, (ForestPanel("BLEU", GAINS * 3, 2),), None, 0.9).alt
    assert all(told in many for told in ("−0.80 (down)", "+0.60 (other)"))
