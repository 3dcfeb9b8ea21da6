"""Style of all figures: widths, colours, names and axes; and how figures become files."""

from __future__ import annotations

import functools
import io
import math
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

from truegain.errors import InputError, one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURE_ENDINGS = (".svg", ".pdf", ".png")

#: Between the names of a pair.
MINUS = " − "
#: Comes with matplotlib, so figures are the same everywhere.
FONT = "DejaVu Sans"
# Where that lacks a character, those of these that are installed; in SVG the reader's program chooses.
_OTHERS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Noto Sans JP", "Noto Sans KR", "Source Han Sans SC"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "PingFang SC", "Hiragino Sans", "Apple SD Gothic Neo"),
    *("Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "Noto Sans Devanagari", "Noto Sans Bengali", "Noto Sans Tamil"),
    *("Noto Sans Thai", "Nirmala UI", "Leelawadee UI", "Arial Unicode MS", "FreeSans", "Noto Sans Symbols2"),
)
_JOINERS = "\u200c\u200d"  # they shape the letters beside them

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
    "axes.titlesize": 8.0,
    "axes.linewidth": 0.6,
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
    "legend.labelspacing": 0.3,
    **{f"{axis}tick.{key}": size for axis in "xy" for key, size in (("labelsize", 7.0), ("major.width", 0.6))},
    **{f"{axis}tick.{key}": size for axis in "xy" for key, size in (("major.size", 2.5), ("minor.size", 1.5))},
    "text.parse_math": False,  # a dollar sign in the name of a system is a dollar sign
    "svg.fonttype": "none",
    "svg.hashsalt": "truegain",
    "pdf.fonttype": 42,
}
_GROUNDS = {"pdf": "white", "png": "white"}
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
    """Make and write figures in our style, whatever the user's own settings are."""
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
    count: int, height: float, columns: Columns | None = None, across: int = 2, **shared: Any
) -> tuple[Figure, list[Axes]]:
    """Return a figure with so many pairs of axes, in rows of a height in inches, ``across`` side by side.

    It is as wide as one or two columns of a paper: by default one for one panel, two for more.
    """
    from matplotlib.figure import Figure

    columns = columns or (1 if count == 1 else 2)
    across = min(count, columns if columns == 1 else across)
    down = math.ceil(count / across)
    figure = Figure(figsize=(COLUMN if columns == 1 else PAGE, height * down), layout="constrained")
    axes = figure.subplots(down, across, squeeze=False, **shared).ravel().tolist()
    for beyond in axes[count:]:
        beyond.remove()
    return figure, axes[:count]


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
        figure.savefig(written, format=format, dpi=300, metadata=metadata, facecolor=_GROUNDS.get(format, "none"))
    return written.getvalue()


def save(figure: Figure, path: str | Path, alt: str = "") -> None:
    """Write a figure atomically in the format of the file's ending."""
    from truegain.report import write_atomically

    path = check_ending(path)
    write_atomically(path, rendered(figure, path.suffix[1:], alt))


def clean(text: str) -> str:
    """Return a name on one line, without what cannot be seen: line ends and tabs become spaces, odd bytes a mark."""
    characters = []
    for character in text:
        kind = unicodedata.category(character)
        if kind[0] == "Z" or kind == "Cc":
            characters.append(" ")
        elif kind in ("Cs", "Co", "Cn"):
            characters.append("\N{REPLACEMENT CHARACTER}")
        elif kind != "Cf" or character in _JOINERS:
            characters.append(character)
    visible = " ".join("".join(characters).split())
    return visible or "\N{REPLACEMENT CHARACTER}" * bool(text)


def width_of(text: str) -> int:
    """Return how many letters wide a text is; a letter of East Asia is as wide as two others."""
    return sum(
        1 + (unicodedata.east_asian_width(character) in "WF") - (unicodedata.combining(character) > 0)
        for character in text
    )


def fitted(text: str, most: int) -> str:
    """Clean a name, and shorten it to the width of ``most`` letters, with … for its middle: systems differ at the ends.

    Of a pair both names are shortened.
    """
    text = clean(text)
    if width_of(text) <= most:
        return text
    if text.count(MINUS) == 1 and most > 2 * len(MINUS):
        return MINUS.join(fitted(name, (most - len(MINUS)) // 2) for name in text.split(MINUS))
    head, tail = text[: len(text) // 2], text[len(text) // 2 :]
    while width_of(head) + width_of(tail) >= most and (head or tail):
        head, tail = (head[:-1], tail) if width_of(head) > width_of(tail) else (head, tail[1:])
    return f"{head.rstrip()}…{tail.lstrip()}"


def find_fonts(figure: Figure) -> None:
    """Give every text with characters that our font lacks the installed fonts that may have them."""
    from matplotlib.font_manager import findfont, fontManager, get_font
    from matplotlib.text import Text

    known = get_font(findfont(FONT)).get_charmap()
    others = [family for family in _OTHERS if family in fontManager.get_font_names()]
    for text in figure.findobj(Text):
        if isinstance(text, Text) and any(ord(character) not in known for character in text.get_text()):
            text.set_fontfamily([FONT, *others])
