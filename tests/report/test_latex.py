"""LaTeX: every special character is typeset, none is obeyed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from truegain.report import latex
from truegain.report.model import Cell, Column, Document, Paragraph, Table


@pytest.mark.parametrize(
    ("character", "typeset"),
    [
        *((one, f"\\{one}") for one in "{}$&#_%"),
        *(("\\", r"\textbackslash{}"), ("^", r"\textasciicircum{}"), ("~", r"\textasciitilde{}")),
        *(("<", r"\textless{}"), (">", r"\textgreater{}"), ("|", r"\textbar{}"), ("`", r"\textasciigrave{}")),
        *(("Δ", r"$\Delta$"), ("λ", r"$\lambda$"), ("−", r"$-$"), ("↑", r"$\uparrow$"), ("≤", r"$\leq$")),
        *(("–", "--"), ("…", r"\ldots{}"), ("\u00a0", "~"), ("\n", " "), ('"', r"\textquotedbl{}")),
    ],
)
def test_special_characters(character: str, typeset: str) -> None:
    assert latex.escape(character) == typeset
    assert latex.escape(f"a{character}b") == f"a{typeset}b"


@pytest.mark.parametrize(
    ("text", "typeset"),
    [
        ("größer, Łódź ș 12.5 € “x”", "größer, Łódź ș 12.5 € “x”"),
        ("e\u0301", "é"),  # composed, or the accent would stand alone
        ("a--b ---", "a-{}-b -{}-{}-"),  # two characters do not become another
        ("'' ,, <<", r"'{}' ,{}, \textless{}\textless{}"),
        ("1–2", "1--2"),
        ("x 日本 y", r"x \truegainchar{日本}{U+65E5 U+672C} y"),  # pdflatex cannot set these
    ],
)
def test_texts(text: str, typeset: str) -> None:
    assert latex.escape(text) == typeset


def test_what_pdflatex_cannot_set_has_its_code_points_beside_it() -> None:
    text = latex.text(Document((Paragraph("日本"),)))
    assert r"\protected\def\truegainchar#1#2{#1}\else\protected\def\truegainchar#1#2{\texttt{#2}}" in text
    assert text.count("\\truegainchar{日本}{U+65E5 U+672C}") == 1
    assert "truegainchar" not in latex.text(Document((Paragraph("größer"),)))


@pytest.mark.parametrize(
    ("characters", "shown"), [("\x00\x07\x7f\ud800", "?"), ("\t\x0b\x1c\u2028\u3000", " ")], ids=["no text", "spaces"]
)
def test_what_is_no_letter(characters: str, shown: str) -> None:
    for character in characters:
        assert latex.escape(f"a{character}b") == f"a{shown}b"


@settings(deadline=None)
@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Z"])))
def test_nothing_special_is_left(text: str) -> None:
    escaped = latex.escape(text)
    rest = re.sub(r"\\(text[a-z]+|ldots)\{\}|\{\}|\\[{}$&#_%,]|\{[\[\]*]\}|\$[^$]*\$", "", escaped)
    assert not set(rest) & set("\\{}$&#^_~%")


def document(*names: str) -> Document:
    rows = tuple((Cell(name), Cell("+1.0", "good")) for name in names)
    return Document((Table((Column("BLEU ↑", "left"), Column("Δ")), rows),))


@pytest.mark.parametrize("name", ["[base]", "*new", "[", "*"])
def test_a_row_does_not_become_an_option_of_the_one_before(name: str) -> None:
    # \\ looks for a star or a bracket, over line ends too; so do the rules of booktabs for a bracket.
    text = latex.text(document("base", name))
    assert not re.search(r"\\\\\s*[\[*]", text)
    heading = latex.text(Document((Table((Column(name, "left"),), ((Cell(name),),)),)))
    assert not re.search(r"(\\\\|\\toprule|\\midrule)\s*\[", heading)


# ---- Tables for papers


def paper(*rows: tuple[Cell, ...], **options: Any) -> Table:
    return Table((Column("System", "left"), Column("BLEU ↑"), Column("s_test")), rows, **options)


ROWS = (
    (Cell("base"), Cell("40.64", spread="± 0.14"), Cell("0.14")),
    (Cell("new"), Cell("43.47", "strong", spread="± 0.01", mark="*"), Cell("0.01")),
    (Cell("old"), Cell("9.11", mark="°"), Cell("–")),
)
NOTES = ("* better or ° worse than base (p ≤ .05).", "p-values; s_test over runs.")


def test_spreads_and_marks_do_not_move_figures() -> None:
    text = latex.text(Document((paper(*ROWS, breaks=(1, 2)),)))
    assert "minipage" not in text
    assert text.partition("\\toprule\n")[2].splitlines()[:8] == [
        r"System & \multicolumn{2}{c}{BLEU $\uparrow$} & $s_{\mathrm{test}}$ \\",
        r"\midrule",
        r"base & 40.64 & $_{\pm 0.14}$ & 0.14 \\",
        r"\midrule",
        r"new & \textbf{43.47} & $_{\pm 0.01}$$^{*}$ & 0.01 \\",
        r"\midrule",
        r"old & 9.11 & $^{\circ}$ & -- \\",
        r"\bottomrule",
    ]


def test_notes_stand_under_the_table_and_other_marks_are_raised() -> None:
    text = latex.text(Document((paper(*ROWS, notes=NOTES),)))
    assert re.search(r"\\end\{tabular\}\n\\par\\smallskip\n\\begin\{minipage\}\{\\linewidth\}\n\\footnotesize", text)
    assert r"{*}$ better or $^{\circ}$ worse than base ($p$ $\leq$ .05). $p$-values; $s_{\mathrm{test}}$ over" in text
    for mark, raised in (("†", r"$^{\dagger}$"), ("ab", r"$^{\mathrm{ab}}$")):
        assert f"1.0 & {raised} & 2" in latex.text(Document((paper((Cell("x"), Cell("1.0", mark=mark), Cell("2"))),)))


def test_a_float() -> None:
    title, signature = Paragraph("a title", "title"), Paragraph("tok:13a · x\ny %", "signature")
    table = paper(*ROWS, caption="Scores_1", notes=NOTES)
    text = latex.text(Document((title, table, signature)), floating=True)
    lines = text.splitlines()
    assert lines[:2] == [r"% \usepackage[T1]{fontenc} \usepackage{booktabs}", "% tok:13a, x y %"]
    assert lines[3:6] == [r"\begin{table}[t]", r"\centering", r"\small"]
    assert lines[-3:] == [r"\caption{Scores\_1}", r"\label{tab:scores}", r"\end{table}"]
    assert "a title" not in text
    several = latex.text(Document((table, table)), floating=True)
    assert re.findall(r"\\label\{(.*)\}", several) == ["tab:scores", "tab:scores2"]


def test_the_list_of_tables_does_not_need_our_command() -> None:
    text = latex.text(Document((paper(*ROWS, caption="on 日本"),)), floating=True)
    assert r"\caption[on \texttt{U+65E5 U+672C}]{on \truegainchar{日本}{U+65E5 U+672C}}" in text


def wide(columns: int, name: str = "name") -> Table:
    figures = tuple(Cell("12.34 – 56.78") for _ in range(columns))
    return Table((Column("x", "left"), *(Column("y") for _ in figures)), ((Cell(name), *figures),))


@pytest.mark.parametrize(
    ("columns", "place", "size"),
    [(2, "table", r"\small"), (3, "table", r"\footnotesize\setlength{\tabcolsep}{4pt}"), (4, "table*", r"\small")],
)
def test_a_wide_float_spans_both_columns(columns: int, place: str, size: str) -> None:
    text = latex.text(Document((wide(columns, "a nice name"),)), floating=True)
    assert re.findall(r"\\(?:begin|end)\{(table\*?)\}", text) == [place, place]
    assert size in text.splitlines()


def test_a_wide_table_is_set_smaller_and_its_names_are_broken() -> None:
    for columns, size in ((4, []), (5, ["footnotesize"]), (6, ["scriptsize"])):
        assert re.findall(r"\\(small|footnotesize|scriptsize)", latex.text(Document((wide(columns),)))) == size
    text = latex.text(Document((wide(6, "a_long-name/of.a:system" * 4),)))
    assert r"\begin{tabular}{@{}p{0.3\linewidth}rrrrrr@{}}" in text
    name = r"\raggedright a\_\allowbreak{}long-\allowbreak{}name/\allowbreak{}of.\allowbreak{}a:\allowbreak{}system"
    assert name in text


def test_headings_of_a_table_that_is_too_wide_stand_in_two_lines() -> None:
    for columns, heading in ((4, r"segment $\times$ run"), (7, r"\shortstack[r]{segment\\$\times$ run}")):
        table = wide(columns)
        headed = replace(table, columns=(Column("x y", "left"), *(Column("segment × run"),) * columns))
        line = latex.text(Document((headed,))).partition("\\toprule\n")[2].partition("\n")[0]
        assert line == " & ".join(["x y", *[heading] * columns]) + r" \\"


@pytest.mark.parametrize(
    ("text", "typeset"),
    [
        ("With p ≤ .05", r"With $p$ $\leq$ .05"),
        ("(p = .012, p < .001)", r"($p$ = .012, $p$ \textless{} .001)"),
        ("p-values and a p-value", "$p$-values and a $p$-value"),
        ("map ≤ 1, p of x, p-hacking", r"map $\leq$ 1, p of x, p-hacking"),
        (
            "s_sel s_dev s_test s_sample",
            " ".join(rf"$s_{{\mathrm{{{name}}}}}$" for name in ("sel", "dev", "test", "sample")),
        ),
        ("s_tested as_test s_run", r"s\_tested as\_test s\_run"),
    ],
)
def test_symbols_in_sentences_are_mathematics(text: str, typeset: str) -> None:
    """In sentences, notes and headings; names in cells are left alone."""
    table = Table((Column(text, "left"),), ((Cell(text),),), notes=(text,))
    lines = latex.text(Document((table, Paragraph(text)))).splitlines()
    assert f"{typeset} \\\\" in lines
    assert f"{latex.escape(text)} \\\\" in lines
    assert rf"\footnotesize\raggedright {typeset}" in lines
    assert lines[-1] == typeset
