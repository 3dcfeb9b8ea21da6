"""Terminals: nothing is longer than the screen, nothing is cut, nothing is taken for markup."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

import truegain as tg
from truegain.report import terminal
from truegain.report.model import Cell, Column, Document, Paragraph, Table, signed, whole

REFERENCE = [f"the cat number {i} sat on the old mat and slept" for i in range(30)]


def outputs(step: int) -> list[str]:
    return [line if i % step else line.replace("mat", "rug") for i, line in enumerate(REFERENCE)]


@pytest.mark.parametrize(
    "names",
    [
        ("base", "new"),
        ("base", "one", "two", "three"),
        ("base", "one", "two", "three", "four", "five"),
        ("a-rather-long-name-of-a-baseline-system-2024", "another-long-name-with-transformer-big-and-averaging"),
        ("日本語のとても長いシステムの名前がここにあります", "新しいシステム"),
    ],
)
@pytest.mark.parametrize("width", [80, 100])
def test_no_line_is_longer_than_the_screen(names: tuple[str, ...], width: int) -> None:
    compared = tg.compare(
        REFERENCE, {name: outputs(2 + i) for i, name in enumerate(names)}, metrics=["bleu", "chrf"], resamples=50
    )
    text = terminal.text(compared.document(), width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "…" not in text
    for one in compared:
        assert signed(one.delta, 2) in text
        assert f"{signed(one.interval.low, 2)} – {signed(one.interval.high, 2)}" in text
    letters = re.sub(r"\s", "", text)
    for name in names:
        assert name in letters or name[:10] in letters


def test_a_long_name_is_folded_and_not_cut() -> None:
    name = "".join(f"{i:03d}-" for i in range(40))
    table = Table((Column("name", "left"), Column("score")), ((Cell(name), Cell("12.34")),))
    text = terminal.text(Document((table,)), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert name in re.sub(r"\s|12\.34", "", text)


@pytest.mark.parametrize("text", ["[red]x[/red]", "[/x]", "[en]", ":smile:", "[link=http://x]y[/link]", "\\[b]"])
def test_nothing_is_taken_for_markup(text: str) -> None:
    document = Document(
        (
            Paragraph(text, "title"),
            Table((Column(text, "left"), Column("n")), ((Cell(text), Cell("1")),)),
            Paragraph(text),
        )
    )
    assert terminal.text(document).count(text) == 4


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=20))
def test_headings_and_cells_are_shown_as_they_are(text: str) -> None:
    shown = terminal.text(Document((Table((Column(text, "left"),), ((Cell(text),),)),)))
    assert [line.strip() for line in shown.splitlines()] == [text, text]


def test_no_colours_in_files_and_pipes() -> None:
    document = Document((Paragraph("better", "verdict", "good"), Table((Column("x"),), ((Cell("1", "bad"),),))))
    assert "\x1b" not in terminal.text(document)


def test_colours_on_a_terminal() -> None:
    from io import StringIO

    from rich.console import Console

    stream = StringIO()
    console = Console(file=stream, force_terminal=True, color_system="standard", width=80)
    console.print(
        terminal.renderable(Document((Paragraph("better", "verdict", "good"), Paragraph("w", "verdict", "bad"))))
    )
    assert "\x1b[32mbetter" in stream.getvalue()
    assert "\x1b[31mw" in stream.getvalue()


def test_sentences_of_one_kind_stand_together() -> None:
    document = Document((Paragraph("t", "title"), Paragraph("a"), Paragraph("b"), Paragraph("s", "signature")))
    assert terminal.text(document) == "t\n\na\nb\n\ns\n"


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x1c"])
def test_only_line_feeds_end_lines(mark: str) -> None:
    assert terminal.text(Document((Paragraph(f"a{mark}b"),))) == f"a{mark}b\n"


def test_no_line_ends_in_blanks() -> None:
    text = terminal.text(Document((Table((Column("a", "left"), Column("b", "left")), ((Cell("x"), Cell("")),)),)))
    assert text == "a  b\nx\n"


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (1.25, 1, "+1.2"),
        (-1.0, 2, "−1.00"),
        (0.0, 2, "0.00"),
        (-0.001, 2, "0.00"),
        (0.005001, 2, "+0.01"),
        (-0.0, 1, "0.0"),
    ],
)
def test_signed_numbers(value: float, decimals: int, text: str) -> None:
    assert signed(value, decimals) == text


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 documents"), (1, "1 document"), (2, "2 documents"), (12345, "12,345 documents")]
)
def test_counted_things(count: int, text: str) -> None:
    assert whole(count, "document") == text
