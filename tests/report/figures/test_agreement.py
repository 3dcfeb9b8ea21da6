"""Shares of the same sign by p."""

from __future__ import annotations

import pytest

from tests.report.figures.conftest import Names, Sound
from truegain.report.figures.agreement import AgreementPanel, AgreementPlot, Shares
from truegain.report.figures.style import Columns, make_figure

ENDS = ((0.0, 0.001), (0.001, 0.01), (0.01, 0.05), (0.05, 0.1), (0.1, 0.25), (0.25, 1.0))


def series(label: str, top: float, within: bool = False) -> Shares:
    points = [(top - 0.06 * i, top - 0.06 * i - 0.1, min(1.0, top + 0.05), top) for i in range(6)]
    return Shares(label, (None, *points[1:]), within)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("panels", "count", "columns"), [(1, 2, None), (2, 2, None), (3, 6, None), (2, 3, 1), (1, 1, 2)]
)
def test_layout(names: Names, panels: int, count: int, columns: Columns | None, sound: Sound) -> None:
    made = [
        AgreementPanel(name, f"p on {name}", [series(label, 0.95, k == 0) for k, label in enumerate(names(count))])
        for name in names(panels)
    ]
    texts = sound(make_figure(AgreementPlot(made, ENDS, columns)))
    assert {"≤ .001", ".05–.1", "> .25", "1 − p", "same sign"} <= set(texts)
    assert ("expected of one domain" in texts) == (count > 1)


@pytest.mark.whole
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("bins", [8, 25])
def test_many_bins_are_named_by_their_ends(bins: int, columns: Columns, sound: Sound) -> None:
    edges = [0.00125 * 1.3**place for place in range(bins - 1)]
    ends = tuple(zip((0.0, *edges), (*edges, 1.0), strict=True))
    shares = Shares("x → y", [(0.9, 0.8, 1.0, 0.9)] * bins)
    figure = make_figure(
        AgreementPlot([AgreementPanel(name, f"p on {name}", [shares]) for name in "ab"], ends, columns)
    )
    texts = sound(figure)
    assert ".00125" in texts
    assert not any("–" in text for text in texts)
    assert figure.axes[0].get_xticks()[0] == 0.5, "where the first bin meets the second"


def test_nothing_to_show_is_no_fault(sound: Sound) -> None:
    empty = AgreementPlot([AgreementPanel("BLEU", "p on x", [Shares("x → y", (None,) * 6)])], ENDS)
    assert "x → y" in sound(make_figure(empty))
    assert empty.alt


def test_low_shares_are_in_the_picture() -> None:
    figure = make_figure(AgreementPlot([AgreementPanel("BLEU", "p", [series("x", 0.4)])], ENDS))
    low, high = figure.axes[0].get_ylim()
    assert low == 0.0
    assert high > 1.0


def test_alt_tells_the_first_and_the_last_share() -> None:
    plot = AgreementPlot([AgreementPanel("BLEU, news", "p on news", [series("news → talks", 0.9)])], ENDS)
    assert all(told in plot.alt for told in ("BLEU, news", "84 % at p .001–.01", "60 % at p > .25"))
