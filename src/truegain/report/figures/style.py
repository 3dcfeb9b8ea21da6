"""Style of all figures: colours, sizes, and how they become files."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from truegain.errors import InputError, one_of
from truegain.report.figures.names import quiet_about_glyphs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from truegain.report.figures import Drawing

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
_GROUNDS = {"svg": "none", "pdf": "white", "png": "white"}
_UNDATED: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


def make_figure(drawing: Drawing) -> Figure:
    """Draw a figure with matplotlib.

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
    from truegain.report.figures.printed import printed

    with styled():
        return printed(drawing.draw())


@contextmanager
def styled() -> Iterator[None]:
    """Make and write figures in our style, whatever the user's own settings are."""
    import matplotlib

    with matplotlib.rc_context(), quiet_about_glyphs():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def arrangement(panels: int, columns: Columns | None) -> tuple[float, int, int]:
    """Return the width of a figure of ``panels`` in inches, how many stand side by side, and the number of rows.

    One column of a paper for one panel, unless ``columns`` says otherwise, and two for more.
    """
    columns = columns or (1 if panels == 1 else 2)
    across = min(columns, panels)
    return COLUMN if columns == 1 else PAGE, across, math.ceil(panels / across)


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
