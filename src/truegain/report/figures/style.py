"""What all figures have in common: colours, sizes, and how they become files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from truegain.errors import one_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "COLUMN", "DASHES", "FIGURE_ENDINGS", "check_ending", "save", "styled"]

FIGURE_ENDINGS = (".svg", ".pdf", ".png")

#: Okabe and Ito's palette: told apart with any kind of colour vision; the order puts the most different first.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", ":")
#: Inches: a column of a two-column paper.
COLUMN = 3.35
_STYLE: dict[Any, Any] = {
    "font.size": 8.0,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "truegain",
    "pdf.fonttype": 42,
}


@contextmanager
def styled() -> Iterator[None]:
    """Where figures are made and written."""
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        yield


def check_ending(path: str | Path) -> Path:
    """Refuse a file whose ending names no format of figures."""
    path = Path(path)
    if path.suffix not in FIGURE_ENDINGS:
        raise one_of("the ending of a figure", path.suffix, list(FIGURE_ENDINGS))
    return path


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure in the format of the file's ending, the same bytes for the same figure."""
    import io

    from truegain.report.files import write_atomically

    path = check_ending(path)
    metadata: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix, {})
    held = io.BytesIO()
    with styled():
        figure.savefig(held, format=path.suffix[1:], dpi=300, metadata=metadata)
    write_atomically(path, held.getvalue())
