"""Terminals: nothing is longer than the screen, nothing is cut, nothing is taken for markup."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

import truegain as tg
from truegain.report import terminal
from truegain.report.model import Cell, Column, Document, Line, Paragraph, Passage, Passages, Piece, Table
from truegain.words import decimal, signed


@pytest.mark.parametrize("text", ["[red]x[/red]", "[/x]", "[en]", ":smile:", "[link=http://x]y[/link]", "\\[b]"])
def test_nothing_is_taken_for_markup(text: str) -> None:
    table = Table((Column(text, "left"), Column("n")), ((Cell(text), Cell("1")),))
    items = (Paragraph(text, "headline"), table, Paragraph(text), Paragraph(text, "signature"))
    assert terminal.text(Document(items), also=terminal.METHODS).count(text) == 5
    assert terminal.text(Document(items)).count(text) == 4


@pytest.mark.parametrize("mark", ["\n", "\t", "\n\n"])
def test_a_name_of_two_lines_stays_in_its_cell(mark: str) -> None:
    odd = f"x{mark}best  99.99"
    table = Table((Column(odd, "left"), Column("score")), ((Cell(odd), Cell("12.34")), (Cell("b"), Cell("1.00"))))
    lines = terminal.text(Document((table,)), 80).splitlines()
    assert len(lines) == 3
    assert [line.endswith(end) for line, end in zip(lines, ("score", "12.34", "1.00"), strict=True)] == [True] * 3
    passages = Passages(odd, (Passage(odd, (Line(odd, (Piece(odd),)),)),))
    assert len(terminal.text(Document((passages,)), 80).splitlines()) == 4


@pytest.mark.parametrize("mark", ["\u2028", "\u2029"])
def test_only_line_feeds_end_lines(mark: str) -> None:
    assert terminal.text(Document((Paragraph(f"a{mark}b"),))) == f"a{mark}b\n"


@pytest.mark.parametrize("mark", ["\x85", "\x1c", "\x1b", "\x07", "\r", "\x08", "\x9b", "\x7f", "\u202e"])
def test_commands_to_the_terminal_are_not_passed_on(mark: str) -> None:
    odd = f"a{mark}[31mb"
    table = Table((Column(odd),), ((Cell(odd, spread=odd, mark=odd),),), caption=odd, notes=(odd,))
    passages = Passages(odd, (Passage(odd, (Line(odd, (Piece(odd),)),)),))
    text = terminal.text(Document((Paragraph(odd), table, passages)))
    assert mark not in text
    assert "a�[31mb" in text


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(1.25, 1, "+1.2"), (-1.0, 2, "−1.00"), (0.0, 2, "0.00"), (-1e-3, 2, "0.00"), (0.005001, 2, "+0.01")],
)
def test_signed_numbers(value: float, decimals: int, text: str) -> None:
    assert signed(value, decimals) == text
    assert decimal(value, decimals) == text.removeprefix("+")


@pytest.mark.parametrize("format", ["terminal", "md", "latex"])
@pytest.mark.parametrize("layout", ["full", "paper"])
def test_scores_below_zero_have_a_true_minus(format: str, layout: str) -> None:
    systems = {"a": [-3.0, -2.5, -4.0, -1.0], "b": [-2.0, -2.5, -3.0, -1.5]}
    text = tg.compare(None, systems, metrics=["scores"], resamples=19).render(format, layout=layout)
    assert "-2.625" not in text
    assert ("$-$2.625" if format == "latex" else "−2.625") in text


# ---- Tables that fit


def test_figures_are_aligned_without_their_spreads_and_marks() -> None:
    rows = (("34.40", "± 0.14", ""), ("136.90", "", "*"), ("9.00", "± 10.20", "ab"))
    cells = tuple((Cell(text, spread=spread, mark=mark),) for text, spread, mark in rows)
    table = Table((Column("BLEU ↑"),), cells, notes=("* better.",), breaks=(1,))
    rule = "─" * 17
    assert terminal.text(Document((table,))).splitlines() == [
        "        BLEU ↑",
        rule,
        " 34.40 ± 0.14",
        rule,
        "136.90         *",
        "  9.00 ± 10.20 ab",
        "",
        "* better.",
    ]


def test_headings_are_broken_before_names_are() -> None:
    table = Table(
        (Column("system", "left"), Column("95 % interval of it"), Column("p")),
        ((Cell("one long name"), Cell("1.2 – 3.4"), Cell("0.001")),),
    )
    assert terminal.text(Document((table,)), 36) == (
        "                95 % interval\nsystem                  of it      p\none long name       1.2 – 3.4  0.001\n"
    )
    assert terminal.text(Document((table,)), 22) == (
        "                  95 %\n              interval\nsystem           of it\none long     1.2 – 3.4\nname\n"
        "\nsystem             p\none long name  0.001\n"
    )


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["p", "95 % CI of Δ", "score", "a heading of many words", ""]), min_size=1, max_size=9),
    st.lists(st.sampled_from(["base", "a name of words", "one-long-name-of-a-system", "x"]), min_size=1, max_size=4),
    st.sampled_from(["0.976", "−1.39 – +1.49", "<0.001", "1"]),
    st.integers(32, 120),
)
def test_no_figure_is_cut(headings: list[str], names: list[str], figure: str, width: int) -> None:
    columns = (Column("system", "left"), *(Column(heading) for heading in headings))
    rows = tuple((Cell(name), *(Cell(figure) for _ in headings)) for name in names)
    text = terminal.text(Document((Table(columns, rows),)), width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert text.count(figure) == len(names) * len(headings)
    assert "…" not in text
    if sum(map(len, headings)) + 2 * len(headings) + 26 <= width and len(figure) == 1:
        assert len(text.splitlines()) == 1 + len(names)


def test_a_mark_stays_with_its_figure() -> None:
    columns = (Column("system", "left"), Column("score"), Column("delta"), Column("", "left"))
    table = Table(columns, ((Cell("new"), Cell("12.3"), Cell("+1.0"), Cell("*")),))
    assert terminal.text(Document((table,)), 20) == "system  score\nnew      12.3\n\nsystem  delta\nnew      +1.0  *\n"


# ---- Sentences


@pytest.mark.parametrize(
    "together", ["95 % interval", "−1.39 – +1.49", "p < 0.001", "p = 0.976", "p ≤ 0.05", "12.3 – 45.6"]
)
def test_what_belongs_together_is_in_one_line(together: str) -> None:
    kept = together.removesuffix(" interval")
    for before in range(40):
        text = terminal.text(Document((Paragraph(f"{'x' * before} {together} and more words that follow it"),)), 40)
        assert kept in text
        assert " ".join(text.split()) == f"{'x' * before} {together} and more words that follow it".strip()


@settings(deadline=None)
@given(st.text(st.sampled_from("ab %–p<=≤+−1 .|"), max_size=120), st.integers(20, 60), st.booleans())
def test_breaking_lines_loses_nothing(words: str, width: int, signature: bool) -> None:
    shown = Paragraph(words, "signature" if signature else "remark")
    text = terminal.text(Document((shown,)), width, terminal.METHODS)
    assert max(map(cell_len, text.splitlines()), default=0) <= width
    assert re.sub(r"\s", "", text) == re.sub(r"\s", "", words)
