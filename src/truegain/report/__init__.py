"""Tables and sentences as data, and one renderer for each format."""

from __future__ import annotations

__all__ = ["FORMATS"]

#: The formats of documents, and of records and results.
FORMATS = ("terminal", "md", "latex", "json", "csv")
