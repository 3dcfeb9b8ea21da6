"""Passages in every format: marks and colours, nothing taken for markup, nothing beyond the screen."""

from __future__ import annotations

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


@pytest.mark.parametrize("width", [40, 80])
def test_terminal(width: int) -> None:
    text = terminal.text(DOCUMENT, width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "\x1b" not in text
    assert "Segments [b] that & moved\n\n+0.1 · segment 7\n  ref  the cat_sat" in text
    assert "\n  base the [-dog-] sat\n  new  the {+*cat*+} <sat>\n       edits 1 → 0\n\n−0.1 · segment 8\n" in text


def test_colours_go_with_the_marks() -> None:
    stream = StringIO()
    Console(file=stream, force_terminal=True, color_system="standard", width=80).print(terminal.renderable(DOCUMENT))
    assert "\x1b[31m[-dog-]\x1b[0m" in stream.getvalue()
    assert "\x1b[32m{+*cat*+}\x1b[0m" in stream.getvalue()


def test_markdown() -> None:
    text = markdown.text(DOCUMENT)
    assert "**Segments \\[b\\] that \\& moved**\n\n+0.1 · segment 7\n\n- ref: the cat\\_sat" in text
    assert "- base: the **\\[-dog-\\]** sat\n- new: the **\\{+\\*cat\\*+\\}** \\<sat\\>\n" in text


def test_latex() -> None:
    text = latex.text(DOCUMENT)
    assert "\\item[base] the \\textbf{{[}-dog-{]}} sat\n" in text
    assert "\\textbf{\\{+{*}cat{*}+\\}} \\textless{}sat\\textgreater{}" in text
    assert "edits 1 $\\rightarrow$ 0" in text
    assert text.count("\\begin{description}") == text.count("\\end{description}") == 1


def test_html() -> None:
    text = html.fragment(DOCUMENT)
    assert "<p><strong>Segments [b] that &amp; moved</strong></p>" in text
    assert "<dt>new</dt><dd>the <strong>{+*cat*+}</strong> &lt;sat&gt;</dd>" in text
