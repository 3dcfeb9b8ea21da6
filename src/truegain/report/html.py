"""Documents as an HTML fragment, for notebooks."""

from __future__ import annotations

from html import escape

from truegain.report.model import Document, Table

__all__ = ["fragment"]


def fragment(document: Document) -> str:
    """Render a document; everything is escaped."""
    parts = []
    for item in document.items:
        if isinstance(item, Table):
            parts.append(_table(item))
        elif item.kind == "title":
            parts.append(f"<p><strong>{escape(item.text)}</strong></p>")
        elif item.kind == "signature":
            parts.append(f"<p><code>{escape(item.text)}</code></p>")
        else:
            parts.append(f"<p>{escape(item.text)}</p>")
    return '<div class="truegain">' + "".join(parts) + "</div>"


def _table(table: Table) -> str:
    head = "".join(f'<th style="text-align:{column.align}">{escape(column.heading)}</th>' for column in table.columns)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="text-align:{column.align}">'
            + (f"<strong>{escape(cell.text)}</strong>" if cell.tone == "strong" else escape(cell.text))
            + "</td>"
            for column, cell in zip(table.columns, row, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
