"""The map of all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.figures.conftest import Names, Sound
from truegain.report.figures.heatmap import HeatMap
from truegain.report.figures.style import Columns, make_figure


def made(count: int, *, labels: tuple[str, ...] | None = None, columns: Columns | None = None) -> HeatMap:
    """Systems in clusters of three, a point apart."""
    clusters = np.arange(count) // 3
    scores = -clusters - 0.01 * np.arange(count)
    deltas = tuple(map(tuple, (scores[:, None] - scores[None]).tolist()))
    shown = tuple(map(tuple, (clusters[:, None] != clusters[None]).tolist()))
    names = labels or tuple(f"system {i}" for i in range(count))
    return HeatMap(names, "BLEU", deltas, shown, tuple((clusters + 1).tolist()), columns=columns)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("count", "columns", "width", "named"),
    [(2, None, 3.35, 2), (12, None, 3.35, 12), (12, 2, 6.9, 12), (40, None, 6.9, 40), (200, None, 6.9, 40)],
)
def test_layout(count: int, columns: Columns | None, width: float, named: int, sound: Sound) -> None:
    figure = make_figure(made(count, columns=columns))
    texts = sound(figure)
    assert figure.get_figwidth() == width
    assert "Δ BLEU" in texts
    assert len([text for text in texts if text.startswith("system")]) == 2 * named
    shape = figure.axes[0].get_window_extent()
    assert shape.width == pytest.approx(shape.height)


@pytest.mark.whole
def test_names_of_any_kind(names: Names, sound: Sound) -> None:
    for columns in (1, 2):
        sound(make_figure(made(7, labels=names(7), columns=columns)))


def test_colours_marks_and_lines() -> None:
    axes = make_figure(made(7)).axes[0]
    painted = np.asarray(axes.images[0].get_array())
    assert painted.shape == (7, 7, 3)
    red, _, blue = painted[0, 6]
    assert blue > red, "blue where the row is better"
    red, _, blue = painted[6, 0]
    assert red > blue
    assert painted[0, 1].min() > 0.98, "faded where nothing is shown"
    assert painted[0, 3].min() < 0.8
    rings = {
        (int(x), int(y)) for line in axes.lines if line.get_marker() == "o" for x, y in np.asarray(line.get_xydata())
    }
    assert rings == {(i, j) for i in range(7) for j in range(7) if i != j and i // 3 == j // 3}
    rules = [line for line in axes.lines if line.get_marker() != "o"]
    assert sorted(float(np.asarray(line.get_ydata())[0]) for line in rules[::2]) == [2.5, 5.5]
    assert len(rules) == 4
    assert not [line for line in make_figure(made(60)).axes[0].lines if line.get_marker() == "o"]


def test_systems_that_are_all_the_same() -> None:
    flat = HeatMap(("a", "b"), "TER", ((0.0, 0.0), (0.0, 0.0)), ((False, False), (False, False)), (1, 1))
    assert len(make_figure(flat).axes) == 2
    assert all(told in flat.alt for told in ("0 of 1", "0.00"))


def test_alt_names_the_clusters() -> None:
    assert all(told in made(4).alt for told in ("3 of 6", "+1.03", "2: system 3"))
