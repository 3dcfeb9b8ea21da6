"""Style of all figures: colours, sizes, and how they become files."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from truegain.errors import InputError, one_of
from truegain.report.figures.names import find_fonts, quiet_about_glyphs, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from truegain.report.figures import Drawing

__all__ = [
    "BLUE",
    "COLOURS",
    "COLUMN",
    "DASHES",
    "FIGURE_ENDINGS",
    "GREEN",
    "ORANGE",
    "PAGE",
    "SKY",
    "SMALL",
    "Columns",
    "Drawn",
    "arrangement",
    "check_ending",
    "has_columns",
    "in_columns",
    "make_figure",
    "panel_axes",
    "rendered",
    "save",
    "sheet",
    "space_ticks",
    "styled",
]

FIGURE_ENDINGS = (".svg", ".pdf", ".png")

#: Okabe and Ito's palette: told apart with any kind of colour vision; the order puts the most different first.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
BLUE, ORANGE, GREEN, SKY = COLOURS[0], COLOURS[1], COLOURS[2], COLOURS[5]
DASHES = ("-", "--", "-.", ":")
#: Inches: a column of a two-column paper, and both with what is between them.
COLUMN, PAGE = 3.35, 6.9
#: Points: of what is said beside a figure's own axes.
SMALL = 7.0
#: How many columns of a paper a figure is as wide as.
Columns = Literal[1, 2]

_STYLE: dict[Any, Any] = {
    "font.size": 8.0,
    "axes.facecolor": "none",  # a page shows through; what is no page gets a white ground when it is written
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.useoffset": False,
    "legend.frameon": False,
    "text.parse_math": False,  # a dollar sign in the name of a system is a dollar sign
    "svg.fonttype": "none",
    "svg.hashsalt": "truegain",
    "pdf.fonttype": 42,
}
_TICKS = 7  # of an axis, at most
_BETWEEN = 0.1  # inches from one label to the next, at least
_GROUNDS = {"svg": "none", "pdf": "white", "png": "white"}
_UNDATED: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


def make_figure(drawing: Drawing) -> Figure:
    """Draw a figure.

    Raises
    ------
    InputError
        If matplotlib cannot be loaded: it refuses to with settings of the user's that it cannot read.
    """
    try:
        import matplotlib  # noqa: F401
    except (ValueError, OSError) as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(
            f"matplotlib cannot be loaded: {said}",
            hint="see the variables MPLBACKEND and MATPLOTLIBRC, and the file matplotlibrc, here or in its folder",
        ) from error
    return drawing.draw()


@contextmanager
def styled() -> Iterator[None]:
    """Make and write figures in our style, whatever the user's own settings are."""
    import matplotlib

    with matplotlib.rc_context(), quiet_about_glyphs():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def space_ticks(axis: Axes, inches: float) -> None:
    """Set as many ticks on the horizontal axis, of that width, as have space for their labels."""
    from matplotlib.ticker import MaxNLocator

    low, high = axis.get_xlim()
    size = float(axis.xaxis.get_major_ticks(1)[0].label1.get_fontsize())
    for most in range(_TICKS, 0, -1):
        locator = MaxNLocator(most, steps=[1, 2, 2.5, 5, 10], min_n_ticks=min(most, 2))
        axis.xaxis.set_major_locator(locator)
        places = [float(place) for place in locator.tick_values(low, high) if low <= place <= high]
        labels = axis.xaxis.get_major_formatter().format_ticks(places)
        if len(places) < 2:
            return
        between = (places[1] - places[0]) / (high - low) * inches
        if max(width_of(label, size) for label in labels) + _BETWEEN <= between:
            return


@contextmanager
def sheet(width: float = COLUMN, height: float = COLUMN) -> Iterator[Figure]:
    """Yield an empty figure of that size in inches; when it is done, give its texts fonts that can show them."""
    from matplotlib.figure import Figure

    with styled():
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        find_fonts(figure)


def arrangement(panels: int, columns: Columns | None) -> tuple[float, int, int]:
    """Return the width of a figure of ``panels`` in inches, how many stand side by side, and the number of rows.

    One column of a paper for one panel, unless ``columns`` says otherwise, and two for more.
    """
    columns = columns or (1 if panels == 1 else 2)
    across = min(columns, panels)
    return COLUMN if columns == 1 else PAGE, across, math.ceil(panels / across)


def panel_axes(figure: Figure, panels: int, across: int, *, sharey: bool = False) -> list[Axes]:
    """Return ``panels`` axes in rows of ``across``; the last row may have fewer."""
    grid = figure.subplots(math.ceil(panels / across), across, squeeze=False, sharey=sharey)
    axes = list(grid.flat)
    for axis in axes[panels:]:
        axis.remove()
    return axes[:panels]


def has_columns(drawing: Drawing) -> bool:
    """Return whether a figure can be as wide as one or two columns of a paper."""
    return "columns" in getattr(drawing, "__dataclass_fields__", ())


def in_columns(drawing: Drawing, columns: Columns) -> Drawing:
    """Return the same figure, as wide as one or two columns of a paper."""
    if not has_columns(drawing):
        raise InputError("this figure has only one width", hint="leave out the number of columns")
    return cast("Drawing", dataclasses.replace(cast("Any", drawing), columns=columns))


def check_ending(path: str | Path) -> Path:
    """Refuse a file whose ending names no format of figures."""
    path = Path(path)
    if path.suffix not in FIGURE_ENDINGS:
        raise one_of("the ending of a figure", path.suffix, list(FIGURE_ENDINGS))
    return path


def rendered(figure: Figure, format: Literal["svg", "pdf", "png"]) -> bytes:
    """Render the figure in a format: the same bytes for the same figure, and no ground behind it in SVG."""
    import io

    held = io.BytesIO()
    with styled():
        figure.savefig(held, format=format, dpi=300, metadata=_UNDATED.get(format, {}), facecolor=_GROUNDS[format])
    return held.getvalue()


@dataclasses.dataclass(frozen=True, eq=False)
class Drawn:
    """Figure that a notebook shows."""

    name: str
    figure: Figure

    def _repr_svg_(self) -> str:
        return rendered(self.figure, "svg").decode()

    def __repr__(self) -> str:
        return f"<figure {self.name!r}: a notebook shows it; give a file name to write it>"


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure atomically in the format of the file's ending."""
    from truegain.report.files import write_atomically

    path = check_ending(path)
    format = cast("Literal['svg', 'pdf', 'png']", path.suffix[1:])
    write_atomically(path, rendered(figure, format))
