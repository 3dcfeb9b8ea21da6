"""Documents in LaTeX: booktabs tables, sentences as text; every special character escaped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import groupby

from truegain.report.model import Cell, Document, Passages, Piece, Table
from truegain.words import SYMBOLS

_LONG = 45  # rows: more do not fit a page
# In points: a column of a two-column paper (219 in ACL's; our estimates are two percent too wide), the text of a page,
# and what stands between two columns of a table.
_COLUMN, _PAGE = 224.0, 345.0
_GAPS = {"normalsize": 12.0, "small": 12.0, "footnotesize": 8.0, "scriptsize": 8.0}
# As wide as the letters of ten points would have to be: smaller ones are wider for their size.
_SIZES = {"normalsize": 10.0, "small": 9.25, "footnotesize": 8.5, "scriptsize": 8.0}
_FOLDED = 0.3  # of the width of a page: longer texts may be broken
_MARKS = {"*": "*", "°": r"\circ", "†": r"\dagger"}
#: What stands in comments: text for a paper, and how to repeat it.
_COMMENTS = ("methods", "inputs", "signature")
_UNICODE = r"\truegainchar{"
# pdfLaTeX stops at a character that it has no glyph for.
_CHARACTERS = r"""
% Some characters below cannot be set by pdfLaTeX, which shows their code points. XeLaTeX and LuaLaTeX set them, given
% \usepackage{fontspec} and a font that has them.
\ifdefined\truegainchar\else
\ifdefined\Umathcode\protected\def\truegainchar#1#2{#1}\else\protected\def\truegainchar#1#2{\texttt{#2}}\fi
\fi"""

_NAMED = r"""\backslash ^asciicircum ~asciitilde <less >greater |bar "quotedbl `asciigrave"""
_MATHEMATICS = (
    r"−- ↑\uparrow ↓\downarrow →\rightarrow ←\leftarrow ↔\leftrightarrow ⇒\Rightarrow ▸\triangleright ≤\leq √\surd "
    r"≥\geq ≈\approx ≠\neq ∞\infty ×\times ±\pm ·\cdot α\alpha β\beta γ\gamma δ\delta ε\epsilon ζ\zeta η\eta θ\theta "
    r"ι\iota κ\kappa λ\lambda μ\mu ν\nu ξ\xi π\pi ρ\rho σ\sigma τ\tau υ\upsilon φ\phi χ\chi ψ\psi ω\omega Γ\Gamma "
    r"Δ\Delta Θ\Theta Λ\Lambda Ξ\Xi Π\Pi Σ\Sigma Υ\Upsilon Φ\Phi Ψ\Psi Ω\Omega"
)
_ESCAPES = {
    **{character: f"\\{character}" for character in "{}$&#_%"},
    **{sign[0]: f"\\text{sign[1:]}{{}}" for sign in _NAMED.split()},
    **{sign[0]: f"${sign[1:]}$" for sign in _MATHEMATICS.split()},
    # At the start of a row these would be an option of the command that ended the row before.
    **{character: f"{{{character}}}" for character in "[]*"},
    **{"–": "--", "—": "---", "…": r"\ldots{}", "\u00a0": "~", "\u202f": r"\,"},
}
# Between two characters that the fonts would set as another one.
_LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")
# What pdfLaTeX can set in T1: Latin letters, and signs that texts have.
_KNOWN = {*map(chr, range(0xA1, 0x17F)), *"ȘșȚțẞ‘’‚“”„†‡•‰‹›€™№"} - {*"ĦħĸĿŀŉŦŧ\u00ad"}
# In ems; other capitals, small letters, and code points.
_WIDTHS = dict.fromkeys(" .,:;|!'()[]-fijlrtI", 0.33) | dict.fromkeys("mwMW%+−±×Δ↑↓<>~^", 0.85)
_CAPITAL, _SMALL, _CODE_POINT = 0.72, 0.51, 3.2


def text(document: Document, *, floating: bool = False) -> str:
    """Render a document; the first line says what its preamble needs.

    ``floating``: to be pasted into a paper. Tables are floats with captions, all else comments; titles are left out.
    """
    parts: list[str] = []
    comments: list[str] = []
    for item in document.items:
        if isinstance(item, Table):
            parts.append("\n".join(_float(item, len(parts)) if floating else _table(item)))
        elif isinstance(item, Passages):
            parts.extend([] if floating else _passages(item))
        elif item.kind in _COMMENTS or (floating and item.kind != "title"):
            comments.append("% " + " ".join(item.text.replace(" ·", ",").split()))
        elif item.kind == "title" and not floating:
            parts.append(f"\\noindent\\textbf{{{escape(item.text)}}}")
        elif not floating:
            parts.append(_words(item.text))
    body = "\n\n".join(parts)
    head = r"% \usepackage[T1]{fontenc} \usepackage{booktabs}"
    if r"\begin{longtable}" in body:
        head += r" \usepackage{longtable}"
    if floating:
        head = "\n".join([head, *comments])
    elif comments:
        body += "\n\n" + "\n".join(comments)
    if _UNICODE in body:
        head += _CHARACTERS
    return f"{head}\n\n{body}\n"


def _float(table: Table, number: int) -> list[str]:
    """Return a table with a caption; over both columns of a paper if it is too wide for one."""
    narrow = [size for size in ("small", "footnotesize") if _width(table, size) <= _COLUMN]
    size = narrow[0] if narrow else _smallest(table, ("small", "footnotesize"))
    environment = "table" if narrow else "table*"
    # A list of tables, which may come before our command is known, has a caption without it.
    caption = _words(table.caption)
    listed = "[" + re.sub(r"\\truegainchar\{[^}]*\}", r"\\texttt", caption) + "]" if _UNICODE in caption else ""
    return [
        f"\\begin{{{environment}}}[t]",
        "\\centering",
        *_tabular(table, size),
        f"\\caption{listed}{{{caption}}}",
        f"\\label{{tab:scores{number + 1 if number else ''}}}",
        f"\\end{{{environment}}}",
    ]


def _table(table: Table) -> list[str]:
    size = _smallest(table, tuple(_SIZES))
    if len(table.rows) > _LONG:
        return ["{", *_tabular(table, size, long=True), "}"]
    return ["\\begin{center}", *_tabular(table, size), "\\end{center}"]


def _smallest(table: Table, sizes: Sequence[str]) -> str:
    """Return the first of the sizes in which the table fits a page, or the last."""
    return next((size for size in sizes if _width(table, size) <= _PAGE), sizes[-1])


def _passages(passages: Passages) -> list[str]:
    parts = [f"\\noindent\\textbf{{{escape(passages.caption)}}}"]
    for passage in passages.entries:
        lines = [f"\\item[{escape(line.label)}] {''.join(map(_piece, line.pieces))}" for line in passage.lines]
        body = ["\\begin{description}", *lines, "\\end{description}"] if lines else []
        parts.append("\n".join([f"\\noindent {escape(passage.heading)}", *body]))
    return parts


def _piece(piece: Piece) -> str:
    text = escape(piece.text)
    return f"\\textbf{{{text}}}" if piece.tone in ("good", "bad", "strong") else text


def _tabular(table: Table, size: str, *, long: bool = False) -> list[str]:
    """Return the lines of a table in a size, with its notes; a long one goes over pages."""
    lines = []
    if size != "normalsize":
        gap = f"\\setlength{{\\tabcolsep}}{{{_GAPS[size] / 2:g}pt}}" if _GAPS[size] != _GAPS["normalsize"] else ""
        lines.append(f"\\{size}{gap}")
    folded = [_is_folded(table, number, size) for number in range(len(table.columns))]
    # Columns of spreads or marks: these get a column of their own, so that the figures are aligned.
    tailed = [any(row[i].spread or row[i].mark for row in table.rows) for i in range(len(table.columns))]
    environment = "longtable" if long else "tabular"
    lines += [
        f"\\begin{{{environment}}}{{{_layout(table, folded, tailed)}}}",
        "\\toprule",
        _headings(table, size, tailed),
        "\\midrule",
        *(["\\endhead", "\\bottomrule", "\\endfoot"] if long else []),
        *_rows(table, folded, tailed),
        *([] if long else ["\\bottomrule"]),
        f"\\end{{{environment}}}",
    ]
    if table.notes:
        notes = " ".join(map(_words, table.notes))
        lines += ["\\par\\smallskip", "\\begin{minipage}{\\linewidth}"]
        lines += [f"\\footnotesize\\raggedright {notes}", "\\end{minipage}"]
    return lines


def _is_folded(table: Table, number: int, size: str) -> bool:
    """Return whether a column is broken into lines: one of long texts, if the table does not fit otherwise."""
    longest = max((_em(row[number].text) for row in table.rows), default=0.0) * _SIZES[size]
    return table.columns[number].align == "left" and longest > _FOLDED * _PAGE and _width(table, size) > _PAGE


def _layout(table: Table, folded: Sequence[bool], tailed: Sequence[bool]) -> str:
    layout = "@{}"
    for column, fold, tail in zip(table.columns, folded, tailed, strict=True):
        layout += f"p{{{_FOLDED}\\linewidth}}" if fold else column.align[0]
        layout += "@{}l" * tail
    return layout + "@{}"


def _headings(table: Table, size: str, tailed: Sequence[bool]) -> str:
    """Return the line of headings; of a table that is too wide, those of figures stand in two lines."""
    too_wide = _width(table, size) > _PAGE
    cells = []
    for column, tail in zip(table.columns, tailed, strict=True):
        words = _words(column.heading)
        first, _, rest = column.heading.partition(" ")
        if too_wide and rest and column.align == "right":
            words = rf"\shortstack[r]{{{_words(first)}\\{_words(rest)}}}"
        cells.append(f"\\multicolumn{{2}}{{c}}{{{words}}}" if tail else words)
    return " & ".join(cells) + r" \\"


def _rows(table: Table, folded: Sequence[bool], tailed: Sequence[bool]) -> list[str]:
    lines = []
    sections = dict(table.sections[1:])
    for number, row in enumerate(table.rows):
        if number in sections:
            across = f"\\multicolumn{{{len(tailed) + sum(tailed)}}}{{@{{}}l}}{{{_words(sections[number])}}} \\\\"
            lines += ["\\midrule", across, "\\midrule"]
        elif number and number in table.breaks:
            lines.append("\\midrule")
        cells = []
        for cell, fold, tail in zip(row, folded, tailed, strict=True):
            words = f"\\raggedright {_breakable(cell.text)}" if fold else escape(cell.text)
            cells.append(f"\\textbf{{{words}}}" if cell.tone == "strong" else words)
            if tail:
                cells.append(_tail(cell))
        # Where the last column is ragged, \\ would only end a line of it.
        lines.append(" & ".join(cells) + (r" \tabularnewline" if folded[-1] else r" \\"))
    return lines


def _breakable(name: str) -> str:
    """Return a long name that may be broken after the characters that join its parts."""
    return re.sub(r"(\\_|[./:=+]|(?<!-)-(?!-))(?=.)", r"\1\\allowbreak{}", escape(name))


def _tail(cell: Cell) -> str:
    """Write the spread a little lower and the mark a little higher than the figure."""
    spread = rf"$_{{{_small(cell.spread)}}}$" if cell.spread else ""
    mark = rf"$^{{{_MARKS.get(cell.mark) or _small(cell.mark)}}}$" if cell.mark else ""
    return spread + mark


def _small(words: str) -> str:
    if re.fullmatch(r"± [0-9.]+", words):
        return rf"\pm {words[2:]}"
    return rf"\mathrm{{{words}}}" if re.fullmatch("[A-Za-z]+", words) else rf"\mbox{{\scriptsize {escape(words)}}}"


def _words(words: str) -> str:
    """Typeset words; symbols among them are mathematics."""
    parts = []
    end = 0
    for match in SYMBOLS.finditer(words):
        variable, letter, index, mark = match.groups()
        parts.append(escape(words[end : match.start()]))
        if mark:
            parts.append(f"$^{{{_MARKS[mark]}}}$")
        else:
            parts.append(f"${variable}$" if variable else f"${letter}_{{\\mathrm{{{index}}}}}$")
        end = match.end()
    return "".join([*parts, escape(words[end:])])


def _width(table: Table, size: str) -> float:
    """Return about how wide the table is, in points."""
    widths = []
    for i, column in enumerate(table.columns):
        figures = [_em(row[i].text) * (1.15 if row[i].tone == "strong" else 1.0) for row in table.rows]
        tails = [0.8 * _em(row[i].spread + row[i].mark) for row in table.rows]
        widths.append(max(_em(column.heading), max(figures, default=0.0) + max(tails, default=0.0)))
    return sum(widths) * _SIZES[size] + _GAPS[size] * (len(widths) - 1)


def escape(text: str) -> str:
    """Make a text safe to typeset."""
    typeset = []
    for known, characters in groupby(unicodedata.normalize("NFC", text), key=_is_known):
        run = "".join(characters)
        if known:
            typeset.append("{}".join("".join(map(_plain, part)) for part in _LIGATURES.split(run)))
        else:
            typeset.append(rf"\truegainchar{{{run}}}{{{' '.join(f'U+{ord(one):04X}' for one in run)}}}")
    return "".join(typeset)


def _em(text: str) -> float:
    """Return about how wide a text is when set, in ems."""
    widths = (
        _WIDTHS.get(one, _CAPITAL if one.isupper() else _SMALL) if _is_known(one) else _CODE_POINT for one in text
    )
    return sum(widths)


def _is_known(character: str) -> bool:
    return (
        character.isascii()
        or character in _ESCAPES
        or character in _KNOWN
        or character.isspace()
        or unicodedata.category(character) in ("Cc", "Cs")
    )


def _plain(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isspace():
        return " "
    return character if character.isprintable() else "?"
