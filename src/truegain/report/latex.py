"""Documents in LaTeX: booktabs tables, sentences as text; every special character escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from truegain.report.latex_text import escape, needs_unicode, width_of, without_unicode
from truegain.report.model import Cell, Document, Paragraph, Passages, Piece, Table
from truegain.words import SYMBOLS

__all__ = ["escape", "text"]

_LONG = 45  # rows: more do not fit a page
# In points: a column of a two-column paper (219 in ACL's; our estimates are two percent too wide), the text of a page,
# and what stands between two columns of a table.
_COLUMN, _PAGE = 224.0, 345.0
_GAPS = {"normalsize": 12.0, "small": 12.0, "footnotesize": 8.0, "scriptsize": 8.0}
# As wide as the letters of ten points would have to be: smaller ones are wider for their size.
_SIZES = {"normalsize": 10.0, "small": 9.25, "footnotesize": 8.5, "scriptsize": 8.0}
_FOLDED = 0.3  # of the width of a page: longer texts may be broken
_MARKS = {"*": "*", "°": r"\circ", "†": r"\dagger"}
# pdfLaTeX stops at a character that it has no glyph for.
_CHARACTERS = r"""
% Some characters below cannot be set by pdfLaTeX, which shows their code points. XeLaTeX and LuaLaTeX set them, given
% \usepackage{fontspec} and a font that has them.
\ifdefined\truegainchar\else
\ifdefined\Umathcode\protected\def\truegainchar#1#2{#1}\else\protected\def\truegainchar#1#2{\texttt{#2}}\fi
\fi
"""


def text(document: Document, *, floating: bool = False) -> str:
    """Render a document; the first line says what its preamble needs.

    Parameters
    ----------
    document : Document
    floating : bool
        To be pasted into a paper: tables are floats with captions, all else comments; titles are left out.
    """
    long = not floating and any(isinstance(item, Table) and len(item.rows) > _LONG for item in document.items)
    packages = ["[T1]{fontenc}", "{booktabs}", *(["{longtable}"] if long else [])]
    sizes = _sizes([item for item in document.items if isinstance(item, Table)])
    parts: list[str] = []
    comments: list[str] = []
    for item in document.items:
        if isinstance(item, Table):
            labels = sum("\\label" in part for part in parts)
            parts.append(_float(item, labels) if floating else _table(item, sizes[len(item.columns)]))
        elif isinstance(item, Passages):
            parts.extend([] if floating else _passages(item))
        elif item.kind in _COMMENTS:
            comments += [] if floating else [item.text]
        elif not floating:
            parts.append(_paragraph(item))
    head = "% " + " ".join(f"\\usepackage{one}" for one in packages)
    if floating:
        said = [one.text for one in document.items if isinstance(one, Paragraph) and one.kind != "title"]
        head += "".join(f"\n% {_flat(line)}" for line in said)
    body = "\n\n".join([*parts, *(["\n".join(f"% {_flat(one)}" for one in comments)] if comments else [])])
    return head + (_CHARACTERS.rstrip() if needs_unicode(body) else "") + "\n\n" + body + "\n"


#: What stands in comments: text for a paper, and how to repeat it.
_COMMENTS = ("methods", "inputs", "signature")


def _flat(text: str) -> str:
    return " ".join(text.replace(" ·", ",").split())


def _paragraph(item: Paragraph) -> str:
    if item.kind == "title":
        return f"\\noindent\\textbf{{{escape(item.text)}}}"
    return _words(item.text)


def _float(table: Table, number: int) -> str:
    """Return a table with a caption; over both columns of a paper if it is too wide for one."""
    narrow = next((one for one in ("small", "footnotesize") if _width(table, one) <= _COLUMN), None)
    size = narrow or _smallest(table, ("small", "footnotesize"))
    wide = "" if narrow else "*"
    label = f"tab:scores{number + 1 if number else ''}"
    return "\n".join(
        [
            f"\\begin{{table{wide}}}[t]",
            "\\centering",
            *_smaller(size),
            *_tabular(table, size),
            *_notes(table),
            _caption(table.caption),
            f"\\label{{{label}}}",
            f"\\end{{table{wide}}}",
        ]
    )


def _caption(caption: str) -> str:
    """Return a caption; a list of tables, which may come before our command is known, has one without it."""
    typeset = _words(caption)
    listed = f"[{without_unicode(typeset)}]" if needs_unicode(typeset) else ""
    return f"\\caption{listed}{{{typeset}}}"


def _passages(passages: Passages) -> list[str]:
    parts = [f"\\noindent\\textbf{{{escape(passages.caption)}}}"]
    for passage in passages.entries:
        lines = [
            f"\\item[{escape(line.label)}] {''.join(_piece(piece) for piece in line.pieces)}" for line in passage.lines
        ]
        body = "\n".join(["\\begin{description}", *lines, "\\end{description}"])
        parts.append(
            f"\\noindent {escape(passage.heading)}\n{body}" if lines else f"\\noindent {escape(passage.heading)}"
        )
    return parts


def _piece(piece: Piece) -> str:
    text = escape(piece.text)
    return f"\\textbf{{{text}}}" if piece.tone in ("good", "bad", "strong") else text


def _table(table: Table, size: str) -> str:
    smaller = _smaller(size)
    if len(table.rows) > _LONG:
        return "\n".join(["{", *smaller, *_longtable(table, size), *_notes(table), "}"])
    return "\n".join(["\\begin{center}", *smaller, *_tabular(table, size), *_notes(table), "\\end{center}"])


def _sizes(tables: Sequence[Table]) -> dict[int, str]:
    """Return, by number of columns, the size in which all such tables fit a page: like tables look alike."""
    order = tuple(_SIZES)
    found: dict[int, str] = {}
    for table in tables:
        fitting = _smallest(table, order)
        found[len(table.columns)] = max(found.get(len(table.columns), fitting), fitting, key=order.index)
    return found


def _smallest(table: Table, sizes: Sequence[str]) -> str:
    """Return the first of the sizes in which the table fits a page, or the last."""
    return next((size for size in sizes if _width(table, size) <= _PAGE), sizes[-1])


def _folded(table: Table, size: str) -> list[bool]:
    """Return which columns are broken into lines: those of long texts, if the table does not fit otherwise."""
    if _width(table, size) <= _PAGE:
        return [False] * len(table.columns)
    return [
        column.align == "left"
        and max((width_of(row[i].text) for row in table.rows), default=0.0) * _SIZES[size] > _FOLDED * _PAGE
        for i, column in enumerate(table.columns)
    ]


def _smaller(size: str) -> list[str]:
    if size == "normalsize":
        return []
    gap = f"\\setlength{{\\tabcolsep}}{{{_GAPS[size] / 2:g}pt}}" if _GAPS[size] != _GAPS["normalsize"] else ""
    return [f"\\{size}{gap}"]


def _tabular(table: Table, size: str) -> list[str]:
    folded = _folded(table, size)
    return [
        f"\\begin{{tabular}}{{{_layout(table, folded)}}}",
        "\\toprule",
        _headings(table, size),
        "\\midrule",
        *_rows(table, folded),
        "\\bottomrule",
        "\\end{tabular}",
    ]


def _longtable(table: Table, size: str) -> list[str]:
    folded = _folded(table, size)
    return [
        f"\\begin{{longtable}}{{{_layout(table, folded)}}}",
        "\\toprule",
        _headings(table, size),
        "\\midrule",
        "\\endhead",
        "\\bottomrule",
        "\\endfoot",
        *_rows(table, folded),
        "\\end{longtable}",
    ]


def _notes(table: Table) -> list[str]:
    if not table.notes:
        return []
    notes = " ".join(_words(note) for note in table.notes)
    return [
        "\\par\\smallskip",
        "\\begin{minipage}{\\linewidth}",
        f"\\footnotesize\\raggedright {notes}",
        "\\end{minipage}",
    ]


def _tailed(table: Table) -> list[bool]:
    """Return which columns have spreads or marks: these get a column of their own, so that the figures are aligned."""
    return [any(row[i].spread or row[i].mark for row in table.rows) for i in range(len(table.columns))]


def _layout(table: Table, folded: Sequence[bool]) -> str:
    sides = [
        f"p{{{_FOLDED}\\linewidth}}" if fold else "l" if column.align == "left" else "r"
        for column, fold in zip(table.columns, folded, strict=True)
    ]
    tails = ["@{}l" if tailed else "" for tailed in _tailed(table)]
    return "@{}" + "".join(side + tail for side, tail in zip(sides, tails, strict=True)) + "@{}"


def _headings(table: Table, size: str) -> str:
    """Return the line of headings; of a table that is too wide, those of figures stand in two lines."""
    figures = _two_lines if _width(table, size) > _PAGE else _words
    cells = []
    for column, tailed in zip(table.columns, _tailed(table), strict=True):
        words = (_words if column.align == "left" else figures)(column.heading)
        cells.append(f"\\multicolumn{{2}}{{c}}{{{words}}}" if tailed else words)
    return " & ".join(cells) + r" \\"


def _two_lines(heading: str) -> str:
    """Typeset a heading in two lines, if it has two words."""
    first, _, rest = heading.partition(" ")
    return rf"\shortstack[r]{{{_words(first)}\\{_words(rest)}}}" if rest else _words(heading)


def _rows(table: Table, folded: Sequence[bool]) -> list[str]:
    lines = []
    tailed = _tailed(table)
    sections = dict(table.sections[1:])
    for number, row in enumerate(table.rows):
        if number in sections:
            across = len(tailed) + sum(tailed)
            lines += [
                "\\midrule",
                f"\\multicolumn{{{across}}}{{@{{}}l}}{{{_words(sections[number])}}} \\\\",
                "\\midrule",
            ]
        elif number and number in table.breaks:
            lines.append("\\midrule")
        cells = []
        for cell, has_tail, fold in zip(row, tailed, folded, strict=True):
            words = f"\\raggedright {_breakable(cell.text)}" if fold else escape(cell.text)
            cells.append(f"\\textbf{{{words}}}" if cell.tone == "strong" else words)
            cells += [_tail(cell)] if has_tail else []
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
    return "".join(_pieces(words))


def _pieces(words: str) -> Iterator[str]:
    end = 0
    for found in SYMBOLS.finditer(words):
        variable, letter, index, mark = found.groups()
        yield escape(words[end : found.start()])
        yield (
            f"$^{{{_MARKS[mark]}}}$" if mark else f"${variable}$" if variable else f"${letter}_{{\\mathrm{{{index}}}}}$"
        )
        end = found.end()
    yield escape(words[end:])


def _width(table: Table, size: str) -> float:
    """Return about how wide the table is, in points."""
    widths = []
    for i, column in enumerate(table.columns):
        figures = [width_of(row[i].text) * (1.15 if row[i].tone == "strong" else 1.0) for row in table.rows]
        tails = [0.8 * width_of(row[i].spread + row[i].mark) for row in table.rows]
        widths.append(max([width_of(column.heading), max(figures, default=0.0) + max(tails, default=0.0)]))
    return sum(widths) * _SIZES[size] + _GAPS[size] * (len(widths) - 1)
