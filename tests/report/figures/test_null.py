"""Null distributions: what is shaded is what p counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch
from scipy import stats

from truegain.report.figures.null import Density, Histogram, NullPanel, NullPlot
from truegain.report.figures.style import BLUE, Columns, make_figure

Sound = Callable[[Figure], list[str]]

DRAWN = np.random.default_rng(5).normal(0.0, 0.3, 20_000)
SIDES: dict[str, Callable[[Any, float], Any]] = {
    "two-sided": lambda x, delta: np.abs(x) >= abs(delta),
    "greater": lambda x, delta: x >= delta,
    "less": lambda x, delta: x <= delta,
    "observed": lambda x, delta: x >= delta if delta > 0 else x <= delta,
}


def histogram() -> Histogram:
    counts, edges = np.histogram(DRAWN, 60)
    return Histogram(float(edges[0]), float(edges[-1]), tuple(counts.tolist()))


def panel(null: Histogram | Density | None = None, **changes: Any) -> NullPanel:
    options: dict[str, Any] = {
        "title": "new − base",
        "metric": "BLEU",
        "null": null or histogram(),
        "delta": 0.42,
        "p": 0.0123,
        "p_adjusted": None,
        "alternative": "two-sided",
        "decimals": 2,
    }
    return NullPanel(**(options | changes))


@settings(deadline=None)
@given(st.floats(0.01, 100.0), st.floats(0.5, 1e7) | st.just(math.inf), st.lists(st.floats(-50.0, 50.0), min_size=1))
def test_the_density_is_students(scale: float, freedom: float, places: list[float]) -> None:
    found = Density(scale, freedom).at(np.array(places))
    assert found == pytest.approx(stats.t.pdf(places, freedom, scale=scale), rel=1e-3, abs=1e-12)


@pytest.mark.whole
@pytest.mark.parametrize("delta", [0.25, -0.4, 0.0, 5.0, -5.0])
@pytest.mark.parametrize("side", SIDES)
def test_what_is_shaded_in_a_histogram_is_the_share_that_p_counts(side: str, delta: float) -> None:
    (axes,) = make_figure(NullPlot((panel(delta=delta, alternative=side),))).axes
    areas: dict[str, float] = {}
    for patch in axes.patches:
        assert isinstance(patch, StepPatch)
        data: Any = patch.get_data()
        colour = to_hex(patch.get_facecolor())
        areas[colour] = areas.get(colour, 0.0) + float(np.sum(np.asarray(data.values) * np.diff(data.edges)))
    shaded = areas.get(BLUE.lower(), 0.0) / areas["#cccccc"]
    assert shaded == pytest.approx(float(SIDES[side](DRAWN, delta).mean()), abs=0.01)


@pytest.mark.parametrize("delta", [0.25, -0.4, 0.0])
@pytest.mark.parametrize("side", SIDES)
def test_what_is_shaded_under_a_density_is_its_tail(side: str, delta: float) -> None:
    (axes,) = make_figure(NullPlot((panel(Density(0.3, 1e9), delta=delta, alternative=side),))).axes
    shaded = 0.0
    for patch in axes.collections:
        assert isinstance(patch, PolyCollection)
        colours: Any = patch.get_facecolor()
        if to_hex(colours[0]) == BLUE.lower():
            for path in patch.get_paths():
                x, y = np.asarray(path.vertices)[:-1].T
                shaded += abs(float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))) / 2.0
    tails = {
        "two-sided": 2 * stats.norm.sf(abs(delta), scale=0.3),
        "greater": stats.norm.sf(delta, scale=0.3),
        "less": stats.norm.cdf(delta, scale=0.3),
        "observed": stats.norm.sf(abs(delta), scale=0.3) if delta > 0 else stats.norm.cdf(delta, scale=0.3),
    }
    assert shaded == pytest.approx(tails[side], abs=2e-3)


@pytest.mark.parametrize("null", [histogram(), Density(0.3, 2.5)])
@pytest.mark.parametrize("delta", [0.1, -3.0, 3.0])
def test_the_observed_difference_is_marked_and_in_view(null: Histogram | Density, delta: float, sound: Sound) -> None:
    figure = make_figure(NullPlot((panel(null, delta=delta),)))
    (axes,) = figure.axes
    assert [delta, delta] in [list(line.get_xdata()) for line in axes.lines]  # type: ignore[arg-type]
    low, high = axes.get_xlim()
    assert low < delta < high
    texts = sound(figure)
    assert {0.1: "+0.10", -3.0: "−3.00", 3.0: "+3.00"}[delta] in texts
    assert "new − base\np = 0.012" in texts


@pytest.mark.whole
@pytest.mark.parametrize(
    ("count", "columns", "grid"),
    [(1, None, (1, 1)), (2, None, (1, 2)), (3, None, (1, 3)), (4, None, (2, 2)), (9, None, (3, 3)), (5, 1, (3, 2))],
)
def test_layout(
    names: Callable[[int], tuple[str, ...]],
    count: int,
    columns: Columns | None,
    grid: tuple[int, int],
    sound: Sound,
) -> None:
    nulls = (histogram(), Density(0.2, 3.0))
    panels = tuple(
        panel(nulls[place % 2], title=name, p_adjusted=0.0004, metric="COMET-22 (wmt22-comet-da)"[: 4 + 30 * place])
        for place, name in enumerate(names(count))
    )
    figure = make_figure(NullPlot(panels, columns=columns))
    sound(figure)
    assert len(figure.axes) == count
    specs = [axes.get_subplotspec() for axes in figure.axes]
    assert {spec.get_gridspec().get_geometry() for spec in specs if spec is not None} == {grid}


@pytest.mark.parametrize("count", [0, 10])
def test_at_most_nine_panels(count: int) -> None:
    with pytest.raises(ValueError, match="1 to 9 panels"):
        NullPlot((panel(),) * count)


def test_alt_tells_the_numbers() -> None:
    plot = NullPlot((panel(), panel(title="a\nb", delta=-0.1, p=0.0002, p_adjusted=0.04)))
    assert plot.alt.endswith(
        "new − base, observed Δ BLEU +0.42, p = 0.012; a b, observed Δ BLEU −0.10, p < 0.001, adjusted 0.040."
    )
