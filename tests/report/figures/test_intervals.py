"""Intervals by method, and p against the size of the gain."""

from __future__ import annotations

import pytest

from tests.report.figures.conftest import Names, Sound
from truegain.report.figures.intervals import Cloud, IntervalsPanel, IntervalsPlot, Whisker
from truegain.report.figures.style import Columns, make_figure

METHODS = ("segments, one run", "segments, all runs", "runs", "segments and runs")


def panel(title: str, names: tuple[str, ...]) -> IntervalsPanel:
    whiskers = tuple(
        Whisker(name, method, 30.0 + place, 31.0 + place, 32.5 + place)
        for place, name in enumerate(names)
        for method in METHODS
    )
    clouds = tuple(
        Cloud(method, ((0.5, 0.2), (2.0, 0.01)), ((0.5, 0.3),), ((0.0, 1.0), (2.0, 0.02))) for method in METHODS
    )
    return IntervalsPanel(title, whiskers, clouds)


@pytest.mark.whole
@pytest.mark.parametrize(("rows", "metrics", "columns"), [(2, 1, None), (12, 2, None), (7, 1, 1)])
def test_layout(names: Names, rows: int, metrics: int, columns: Columns | None, sound: Sound) -> None:
    unique = tuple(f"{place} {name}" for place, name in enumerate(names(rows)))
    panels = tuple(panel(title, unique) for title in ("BLEU", "chrF2++")[:metrics])
    texts = sound(make_figure(IntervalsPlot(panels, 0.05, columns=columns)))
    assert {*METHODS, "difference in BLEU", "randomization, crossed", "bootstrap"} <= set(texts)


def test_a_narrow_range_of_p_has_plain_ticks(sound: Sound) -> None:
    cloud = Cloud("runs", ((0.5, 0.6), (2.0, 0.4)), (), ())
    whiskers = (Whisker("a", "runs", 1.0, 2.0, 3.0),)
    texts = sound(make_figure(IntervalsPlot((IntervalsPanel("BLEU", whiskers, (cloud,)),), 0.5)))
    assert not [text for text in texts if "$" in text]


def test_alt_tells_the_numbers() -> None:
    alt = IntervalsPlot((panel("BLEU", ("a", "b")),), 0.05).alt
    assert all(told in alt for told in ("2.5", "1 of 2"))
