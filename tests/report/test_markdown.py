"""Markdown, and HTML for notebooks: what users named their systems is never read as markup."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from truegain.report import html as html_report
from truegain.report import markdown
from truegain.report.model import Cell, Column, Document, Paragraph, Table

SPECIAL = "\\`*_{}[]<>|#~$&"


def table(*texts: str) -> Table:
    return Table((Column("name", "left"), Column("score")), tuple((Cell(text), Cell("1.0")) for text in texts))


@pytest.mark.parametrize("character", SPECIAL)
def test_what_could_be_markup_is_escaped(character: str) -> None:
    text = markdown.text(Document((Paragraph(f"a{character}b"),)))
    assert text == f"a\\{character}b\n"
    # In a table, too: "&lt;" without a backslash would be shown as "<".
    assert f"a\\{character}lt;b" in markdown.text(Document((table(f"a{character}lt;b"),)))


def test_notes_stand_under_the_table() -> None:
    base = (Cell("base"), Cell("34.4", spread="± 0.1"))
    rows = (base, (Cell("new"), Cell("36.9", "strong", spread="± 0.2", mark="*")))
    columns = (Column("BLEU ↑", "left"), Column("score"))
    table = Table(columns, rows, "Scores.", ("* better.", "s_test over runs."), (1,))
    document = Document((Paragraph("a_b", "title"), table, Paragraph("tok:13a|x`y", "signature")))
    assert markdown.text(document) == (
        "**a\\_b**\n\n| BLEU ↑ | score |\n| :-- | --: |\n| base | 34.4 ± 0.1 |\n| new | **36.9** ± 0.2 \\* |\n\n"
        "Scores. \\* better. s\\_test over runs.\n\n`tok:13a|x'y`\n"
    )
    # A caption alone is not shown: the tables of a report follow each other.
    assert "Scores." not in markdown.text(Document((Table(columns, rows, "Scores."),)))


@settings(deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=12), min_size=1, max_size=3))
def test_every_row_stays_one_row_with_its_cells(texts: list[str]) -> None:
    text = markdown.text(Document((table(*texts),)))
    lines = re.split(r"\r\n|\r|\n", text.removesuffix("\n"))
    assert len(lines) == len(texts) + 2
    for line in lines:
        # A bar divides cells unless an odd number of backslashes stands before it.
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3


@pytest.mark.parametrize("name", ["1.", "1)", "-", "+", "#", ">", "*"])
def test_a_name_at_the_start_of_a_sentence_begins_no_list(name: str) -> None:
    text = markdown.text(Document((Paragraph(f"{name} is better than base."),)))
    assert not re.match(r"(\d+[.)]|[-+*]|#{1,6}|>)(\s|$)", text)


def test_the_fragment_for_notebooks_is_escaped() -> None:
    odd = "<script>alert('x')</script>&\""
    table = Table((Column(odd, "left"),), ((Cell(odd),), (Cell(odd, "strong"),)), odd)
    paragraphs = (Paragraph(odd, "title"), Paragraph(odd, "signature"), Paragraph(odd))
    text = html_report.fragment(Document((*paragraphs, table)))
    assert "<script" not in text
    assert text.count("&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;&amp;&quot;") >= 6
