"""Tables and sentences as data, and one renderer for each format."""

from __future__ import annotations

__all__ = ["DATA_FORMATS", "ENDINGS", "FORMATS", "LAYOUTS", "LAYOUT_FORMATS"]

#: The formats of documents, and of records and results.
FORMATS = ("terminal", "md", "latex", "json", "csv", "tsv", "html")
#: Those that programs read: numbers with all their digits.
DATA_FORMATS = ("json", "csv", "tsv")
#: Which format a file's ending stands for.
ENDINGS = {
    ".md": "md",
    ".tex": "latex",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".html": "html",
    ".txt": "terminal",
}
#: How a document may be laid out: everything there is to know, or one table to be pasted into a paper.
LAYOUTS = ("full", "paper", "multeval")
#: The formats that have other layouts than ``full``.
LAYOUT_FORMATS = ("terminal", "md", "latex")
