"""Documents in LaTeX: booktabs tables, sentences as text; every special character escaped."""

from __future__ import annotations

from truegain.report.model import Document, Passages, Piece, Table

__all__ = ["escape", "text"]

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "^": r"\textasciicircum{}",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "%": r"\%",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # at the start of a row it would be an option of the command that ended the row before
    "]": "{]}",
    "*": "{*}",
    '"': r"\textquotedbl{}",
    "Δ": r"$\Delta$",
    "−": r"$-$",
    "–": "--",
    "—": "---",
    "→": r"$\rightarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "·": r"$\cdot$",
    "…": r"\ldots{}",
    "\u00a0": "~",
    "\u202f": r"\,",
    "\n": " ",
}


def text(document: Document) -> str:
    """Render a document; the preamble needs ``booktabs`` and, for quotation marks, ``[T1]{fontenc}``."""
    parts = ["% \\usepackage[T1]{fontenc} \\usepackage{booktabs}"]
    for item in document.items:
        if isinstance(item, Table):
            parts.append(_table(item))
        elif isinstance(item, Passages):
            parts.extend(_passages(item))
        elif item.kind == "title":
            parts.append(f"\\noindent\\textbf{{{escape(item.text)}}}")
        elif item.kind == "signature":
            # Bars and colons are where a signature may be broken.
            breakable = (
                escape(item.text).replace(r"\textbar{}", r"\textbar{}\allowbreak{}").replace(":", r":\allowbreak{}")
            )
            parts.append(f"{{\\footnotesize\\noindent\\raggedright\\texttt{{{breakable}}}\\par}}")
        else:
            parts.append(escape(item.text))
    return "\n\n".join(parts) + "\n"


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


def _table(table: Table) -> str:
    layout = "".join("l" if column.align == "left" else "r" for column in table.columns)
    lines = [
        "\\begin{center}",
        f"\\begin{{tabular}}{{@{{}}{layout}@{{}}}}",
        "\\toprule",
        " & ".join(escape(column.heading) for column in table.columns) + r" \\",
        "\\midrule",
    ]
    for row in table.rows:
        cells = [f"\\textbf{{{escape(cell.text)}}}" if cell.tone == "strong" else escape(cell.text) for cell in row]
        lines.append(" & ".join(cells) + r" \\")
    lines += ["\\bottomrule", "\\end{tabular}", "\\end{center}"]
    return "\n".join(lines)


def escape(text: str) -> str:
    """Make a text safe to typeset."""
    return "".join(_ESCAPES.get(character, character) for character in text)
