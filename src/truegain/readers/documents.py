"""Which document each segment belongs to."""

from __future__ import annotations

from truegain.errors import InputError, one_of
from truegain.readers.plain import read_lines

__all__ = ["read_documents"]

_HEADERS = ("docid", "doc_id", "doc", "document", "document_id")


def read_documents(path: str, segments: int, column: str | None = None) -> tuple[list[str], list[str]]:
    """Read one document id a segment.

    Parameters
    ----------
    path : str
        One id a line; or a table separated by tabs, whose first column holds the ids, or the column that is named.
    segments : int
        How many segments there are.
    column : str, optional
        The column's name in the header line.

    Returns
    -------
    ids, notes
    """
    source = read_lines(path)
    lines, notes = source.lines, list(source.notes)
    header = lines[0].split("\t")
    position = 0
    if column is not None:
        if column not in header:
            raise one_of(f"{source.name}: the column of documents", column, header)
        position = header.index(column)
        lines = lines[1:]
    elif len(lines) == segments + 1 and any(name.lower() in _HEADERS for name in header):
        position = next(i for i, name in enumerate(header) if name.lower() in _HEADERS)
        notes.append(f"{source.name}: documents from its column {header[position]!r}")
        lines = lines[1:]
    elif len(header) > 1:
        notes.append(f"{source.name}: documents from the first of its {len(header)} columns")
    if len(lines) != segments:
        raise InputError(
            f"{len(lines):,} document ids for {segments:,} segments",
            path=source.name,
            hint="one id a line, for every segment; name the column of a table with a header: --docs-column NAME",
        )
    ids = []
    for number, line in enumerate(lines, 1 + (column is not None)):
        fields = line.split("\t")
        if position >= len(fields) or not fields[position].strip():
            raise InputError("there is no document id", path=source.name, line=number)
        ids.append(fields[position].strip())
    return ids, notes
