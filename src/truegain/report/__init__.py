"""Tables and sentences as data, and one renderer for each format."""

from __future__ import annotations

__all__ = ["ENDINGS", "FORMATS"]

#: The formats of documents, and of records and results.
FORMATS = ("terminal", "md", "latex", "json", "csv", "html")
#: Which format a file's ending stands for.
ENDINGS = {".md": "md", ".tex": "latex", ".json": "json", ".csv": "csv", ".html": "html", ".txt": "terminal"}
