"""Passages in every format: marks and colours, nothing taken for markup, nothing beyond the screen."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from truegain.report import html, latex, markdown, terminal
from truegain.report.model import Document, Line, Paragraph, Passage, Passages, Piece

PASSAGES = Passages(
    "Segments [b] that & moved",
    (
        Passage(
            "+0.1 · segment 7",
            (
                Line("ref", (Piece("the cat_sat " + "on the mat " * 12),)),
                Line("base", (Piece("the "), Piece("[-dog-]", "bad"), Piece(" sat"))),
                Line("new", (Piece("the "), Piece("{+*cat*+}", "good"), Piece(" <sat>"))),
                Line("", (Piece("edits 1 → 0", "quiet"),)),
            ),
        ),
        Passage("−0.1 · segment 8", ()),
    ),
)
DOCUMENT = Document((Paragraph("before", "title"), PASSAGES, Paragraph("after")))


def test_colours_go_with_the_marks() -> None:
    stream = StringIO()
    Console(file=stream, force_terminal=True, color_system="standard", width=80).print(terminal.renderable(DOCUMENT))
    assert "\x1b[31m[-dog-]\x1b[0m" in stream.getvalue()
    assert "\x1b[32m{+*cat*+}\x1b[0m" in stream.getvalue()


@pytest.mark.parametrize("width", [40, 80])
def test_nothing_is_beyond_the_screen(width: int) -> None:
    text = terminal.text(DOCUMENT, width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "\x1b" not in text
    assert all(marked in text for marked in ("[b]", "[-dog-]", "{+*cat*+}", "<sat>"))


@pytest.mark.parametrize(
    ("show", "marked"),
    [
        (markdown.text, ("\\[b\\]", "cat\\_sat", "**\\[-dog-\\]**", "**\\{+\\*cat\\*+\\}**", "\\<sat\\>")),
        (latex.text, ("\\textbf{{[}-dog-{]}}", "\\textbf{\\{+{*}cat{*}+\\}}", "\\textless{}sat", "$\\rightarrow$ 0")),
        (html.fragment, ("that &amp; moved", "<dt>new</dt>", "<strong>{+*cat*+}</strong> &lt;sat&gt;</dd>")),
    ],
    ids=["Markdown", "LaTeX", "HTML"],
)
def test_marks_are_no_markup(show: Callable[[Document], str], marked: tuple[str, ...]) -> None:
    text = show(DOCUMENT)
    assert [one for one in marked if one not in text] == []
