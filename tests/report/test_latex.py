"""LaTeX: every special character is typeset, none is obeyed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import truegain as tg
from truegain.report import latex
from truegain.report.model import Cell, Column, Document, Paragraph, Table


@pytest.mark.parametrize(
    ("character", "typeset"),
    [
        ("\\", r"\textbackslash{}"),
        ("{", r"\{"),
        ("}", r"\}"),
        ("$", r"\$"),
        ("&", r"\&"),
        ("#", r"\#"),
        ("^", r"\textasciicircum{}"),
        ("_", r"\_"),
        ("~", r"\textasciitilde{}"),
        ("%", r"\%"),
        ("<", r"\textless{}"),
        (">", r"\textgreater{}"),
        ("|", r"\textbar{}"),
        ('"', r"\textquotedbl{}"),
        ("Δ", r"$\Delta$"),
        ("−", r"$-$"),
        ("–", "--"),
        ("↑", r"$\uparrow$"),
        ("↓", r"$\downarrow$"),
        ("≤", r"$\leq$"),
        ("×", r"$\times$"),
        ("·", r"$\cdot$"),
        ("…", r"\ldots{}"),
        ("\u00a0", "~"),
        ("\n", " "),
    ],
)
def test_special_characters(character: str, typeset: str) -> None:
    assert latex.escape(character) == typeset
    assert latex.escape(f"a{character}b") == f"a{typeset}b"


def test_letters_stay_letters() -> None:
    assert latex.escape("größer, 日本語 -- 12.5") == "größer, 日本語 -- 12.5"


@settings(deadline=None)
@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Z"])))
def test_nothing_special_is_left(text: str) -> None:
    escaped = latex.escape(text)
    rest = re.sub(r"\\(text[a-z]+|ldots)\{\}|\\[{}$&#_%,]|\{[\[\]*]\}|\$[^$]*\$", "", escaped)
    assert not set(rest) & set("\\{}$&#^_~%")


def document(*names: str) -> Document:
    rows = tuple((Cell(name), Cell("+1.0", "good")) for name in names)
    return Document((Table((Column("BLEU ↑", "left"), Column("Δ")), rows),))


def test_a_table() -> None:
    text = latex.text(document("base_1", "new"))
    assert text.startswith("% ")
    assert r"\begin{tabular}{@{}lr@{}}" in text
    assert "\\toprule\nBLEU $\\uparrow$ & $\\Delta$ \\\\\n\\midrule\nbase\\_1 & +1.0 \\\\\nnew & +1.0 \\\\\n" in text
    assert text.count(r"\begin") == text.count(r"\end")


@pytest.mark.parametrize("name", ["[base]", "*new", "[", "*"])
def test_a_row_does_not_become_an_option_of_the_one_before(name: str) -> None:
    # \\ looks for a star or a bracket, over line ends too; so do the rules of booktabs for a bracket.
    text = latex.text(document("base", name))
    assert not re.search(r"\\\\\s*[\[*]", text)
    heading = latex.text(Document((Table((Column(name, "left"),), ((Cell(name),),)),)))
    assert not re.search(r"(\\\\|\\toprule|\\midrule)\s*\[", heading)


def test_a_comment_never_swallows_text() -> None:
    text = latex.text(
        Document((Paragraph("95 % of all"), Paragraph("a % b", "title"), Paragraph("x % y", "signature")))
    )
    body = text.split("\n", 1)[1]
    assert not re.search(r"(?<!\\)%", body)


def test_signatures_can_be_broken() -> None:
    text = latex.text(Document((Paragraph("tok:13a|smooth:exp", "signature"),)))
    assert r"\texttt{tok:\allowbreak{}13a\textbar{}\allowbreak{}smooth:\allowbreak{}exp}" in text


@pytest.mark.parametrize("study", ["compare", "score"])
def test_what_the_studies_say_needs_no_unicode(study: str) -> None:
    reference = [f"the cat number {i} sat on the mat" for i in range(6)]
    systems = {
        "base": [["the cat", "", *reference[2:]], [*reference[:5], "it"]],
        "new": [[*reference[:3], "a", "b", "c"]],
        "worse": [["x", "y", "z", "u", "v", "w"]],
    }
    scores = {name: [0.1 * len(line) for line in runs[0]] for name, runs in systems.items()}
    texts = getattr(tg, study)(reference, systems, metrics=["bleu", "chrf"], documents=list("aabbcc"), resamples=20)
    numbers = getattr(tg, study)(None, scores, metrics=["scores:lower_is_better=true"], resamples=20)
    assert texts.render("latex").isascii()
    assert numbers.render("latex").isascii()
