"""What every figure must be: of the right width, whole, readable, and plain about names."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from truegain.report.figures.style import COLUMN, PAGE, rendered, styled

#: So many names, a figure's texts once its layout is checked, and a figure as SVG.
Names = Callable[[int], tuple[str, ...]]
Sound = Callable[[Figure], list[str]]
Svg = Callable[[Figure], str]

NAMES = {
    "long": ("a rather long name of a system, with settings, number 1", "x" * 200),
    "odd": ("$\\alpha_1$", "_a^b\\c {d}", "line\nbreak\ttab", "日本語システム", "نظام الترجمة", "\udcff <&>", ""),
}


@pytest.fixture(params=list(NAMES))
def names(request: pytest.FixtureRequest) -> Names:
    """So many names of a kind."""
    kind = NAMES[request.param]

    def make(count: int) -> tuple[str, ...]:
        return tuple(f"{name}{place or ''}" for place, name in zip(range(count), itertools.cycle(kind), strict=False))

    return make


@pytest.fixture(scope="session")
def sound() -> Sound:
    """Check a figure's layout; gives the texts that it shows."""

    def check(figure: Figure) -> list[str]:
        assert figure.get_figwidth() in (COLUMN, PAGE)
        canvas = FigureCanvasAgg(figure)
        with styled():
            canvas.draw()  # type: ignore[no-untyped-call]
            renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
            boxes = [(text, text.get_window_extent(renderer)) for text in shown_texts(figure)]
        for axes in (one for one in figure.axes if one.get_label() != "<colorbar>"):  # a key is as narrow as it may be
            width, height = (side / figure.dpi for side in axes.get_window_extent().size)
            assert width >= 0.8, axes
            assert height >= 0.3, axes
        whole = figure.bbox.padded(0.5)
        for text, box in boxes:
            assert whole.x0 <= box.x0 <= box.x1 <= whole.x1, text
            assert whole.y0 <= box.y0 <= box.y1 <= whole.y1, text
            assert float(text.get_fontsize()) >= 6.0, text
            assert not text.get_parse_math(), text
        for (one, box), (other, second) in itertools.combinations(boxes, 2):
            assert not box.padded(-0.75).overlaps(second.padded(-0.75)), (one, other)
        return [text.get_text() for text, _ in boxes]

    return check


def shown_texts(figure: Figure) -> Iterator[Text]:
    hidden = {id(label) for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for label in _beyond(axis)}
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        if text.get_visible() and text.get_text().strip() and id(text) not in hidden:
            yield text


def _beyond(axis: Axis) -> Iterator[Text]:
    """Labels of ticks that are not drawn: they lie beyond the ends of their axis, or are of its other side."""
    low, high = sorted(axis.get_view_interval())
    slack = 1e-9 * (high - low)
    for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
        if not low - slack <= tick.get_loc() <= high + slack:
            yield tick.label1
        yield tick.label2
    if not axis.get_visible():
        yield from axis.get_ticklabels()


@pytest.fixture(scope="session")
def svg() -> Svg:
    """A figure as SVG."""

    def text(figure: Figure) -> str:
        return rendered(figure, "svg").decode()

    return text
