"""Documents in LaTeX: booktabs tables, sentences as text; every special character escaped."""

from __future__ import annotations

from truegain.report.model import Document, Table

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
