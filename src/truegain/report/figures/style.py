"""Style of all figures: widths, colours, letters and axes; and how figures become files."""

from __future__ import annotations

import functools
import io
import math
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

from truegain.errors import InputError, one_of
from truegain.report.figures.names import FONT, clean, find_fonts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURE_ENDINGS = (".svg", ".pdf", ".png")

#: Okabe and Ito's palette: told apart with any kind of colour vision; the order puts the most different first.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
BLUE, ORANGE, GREEN = COLOURS[:3]
DASHES = ("-", "--", "-.", ":")
MARKS = ("o", "s", "^", "D", "v", "P", "X")
#: Inches: a column of a two-column paper, and both with what is between them.
COLUMN, PAGE = 3.35, 6.9
#: How many columns of a paper a figure is as wide as.
Columns = Literal[1, 2]
#: Lines that only guide the eye.
GUIDE: dict[str, Any] = {"color": "0.6", "linewidth": 0.8, "zorder": 0.5}

_STYLE: dict[Any, Any] = {
    "font.sans-serif": [FONT],
    "font.size": 8.0,
    "axes.facecolor": "none",  # a page shows through; what is no page gets a white ground when it is written
    "axes.labelsize": 8.0,
    "axes.titlesize": 8.0,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.useoffset": False,
    "grid.color": "0.9",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 4.0,
    "lines.solid_capstyle": "butt",
    "legend.frameon": False,
    "legend.fontsize": 7.0,
    "legend.title_fontsize": 7.0,
    "legend.handlelength": 2.2,
    "legend.labelspacing": 0.3,
    **{f"{axis}tick.{key}": size for axis in "xy" for key, size in (("labelsize", 7.0), ("major.width", 0.6))},
    **{f"{axis}tick.{key}": size for axis in "xy" for key, size in (("major.size", 2.5), ("minor.size", 1.5))},
    "text.parse_math": False,  # a dollar sign in the name of a system is a dollar sign
    "svg.fonttype": "none",
    "svg.hashsalt": "truegain",
    "pdf.fonttype": 42,
}
_GROUNDS = {"svg": "none", "pdf": "white", "png": "white"}
_UNDATED: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
_DESCRIPTIONS = {"svg": "Description", "pdf": "Subject", "png": "Description"}

_Given = ParamSpec("_Given")


@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure, and in words what it shows, for those who do not see it."""

    figure: Figure
    alt: str


def in_style(draw: Callable[_Given, Drawing]) -> Callable[_Given, Drawing]:
    """Let a function draw in our style, and with fonts that have the letters of all names."""

    @functools.wraps(draw)
    def drawn(*args: _Given.args, **options: _Given.kwargs) -> Drawing:
        with styled():
            drawing = draw(*args, **options)
            find_fonts(drawing.figure)
        return replace(drawing, alt=clean(drawing.alt))

    return drawn


@contextmanager
def styled() -> Iterator[None]:
    """Make and write figures in our style, whatever the user's own settings are.

    Raises
    ------
    InputError
        If matplotlib cannot be loaded: it refuses to with settings of the user's that it cannot read.
    """
    try:
        import matplotlib
    except (ValueError, OSError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(
            f"matplotlib cannot be loaded: {reason}",
            hint="see the variables MPLBACKEND and MATPLOTLIBRC, and the file matplotlibrc, here or in its folder",
        ) from error
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)  # they are drawn as boxes
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def panels(
    count: int, height: float, columns: Columns | None = None, across: int | None = None, **shared: Any
) -> tuple[Figure, list[Axes]]:
    """Return a figure with so many pairs of axes, in rows from the left.

    Parameters
    ----------
    count : int
    height : float
        Of each row, in inches.
    columns : 1 or 2, optional
        How many columns of a paper it is as wide as: by default one for one panel, two for more.
    across : int, optional
        How many panels stand side by side; by default as many as there are columns.
    shared
        Of :meth:`matplotlib.figure.Figure.subplots`.
    """
    from matplotlib.figure import Figure

    columns = columns or (1 if count == 1 else 2)
    across = min(across or columns, count)
    down = math.ceil(count / across)
    figure = Figure(figsize=(COLUMN if columns == 1 else PAGE, height * down), layout="constrained")
    axes = figure.subplots(down, across, squeeze=False, **shared).ravel().tolist()
    for beyond in axes[count:]:
        beyond.remove()
    return figure, axes[:count]


def mark(axes: Axes, points: Iterable[tuple[float, float]], **look: Any) -> None:
    """Draw points as marks that no line joins."""
    places = list(points)
    axes.plot([x for x, _ in places], [y for _, y in places], linestyle="none", **look)


def logarithmic(axes: Axes, name: Literal["x", "y"], low: float, high: float) -> None:
    """Make an axis logarithmic, with a few round numbers written out."""
    from matplotlib.ticker import NullFormatter

    places = _round_numbers(low, high)
    axes.set(**{f"{name}scale": "log", f"{name}lim": (low, high)})
    axis = axes.xaxis if name == "x" else axes.yaxis
    axis.set_ticks(places, [f"{place:,.0f}" if place >= 1000 else f"{place:g}" for place in places])
    axis.set_minor_formatter(NullFormatter())


def _round_numbers(low: float, high: float) -> list[float]:
    """Return a few round numbers from low to high, about evenly on a logarithmic axis."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for least, steps in ((3, (1.0,)), (3, (1.0, 3.0)), (3, (1.0, 2.0, 5.0)), (2, (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0))):
        places = [round(step * 10.0**power, 12) for power in powers for step in steps]
        places = [place for place in places if low <= place <= high]
        if len(places) >= least:
            return places[:: math.ceil(len(places) / 7)]
    step = (high - low) / 4.0
    digits = max(0, -math.floor(math.log10(step)))
    return sorted({place for i in range(1, 4) if low <= (place := round(low + i * step, digits)) <= high})


def check_ending(path: str | Path) -> Path:
    """Refuse a file whose ending names no format of figures."""
    path = Path(path)
    if path.suffix not in FIGURE_ENDINGS:
        raise one_of("the ending of a figure", path.suffix, list(FIGURE_ENDINGS))
    return path


def rendered(figure: Figure, format: str, alt: str = "") -> bytes:
    """Render a figure as svg, pdf or png: the same bytes for the same figure, and no ground behind it in SVG."""
    written = io.BytesIO()
    metadata = _UNDATED.get(format, {}) | ({_DESCRIPTIONS[format]: alt} if alt else {})
    with styled():
        figure.savefig(written, format=format, dpi=300, metadata=metadata, facecolor=_GROUNDS[format])
    return written.getvalue()


def save(figure: Figure, path: str | Path, alt: str = "") -> None:
    """Write a figure atomically in the format of the file's ending."""
    from truegain.report.files import write_atomically

    path = check_ending(path)
    write_atomically(path, rendered(figure, path.suffix[1:], alt))
