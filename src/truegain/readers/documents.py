"""Which document, and which domain, each segment belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from truegain.errors import InputError, one_of
from truegain.readers.matching import order_by
from truegain.readers.plain import Lines, read_lines
from truegain.readers.tabular import DOCUMENT_NAMES, ID_NAMES, is_json_lines, read_table

__all__ = ["Grouping", "read_documents"]


@dataclass(frozen=True)
class Grouping:
    """The document of each segment, its domain where a column of domains was named, and what should be said."""

    documents: list[str]
    domains: list[str] | None
    notes: tuple[str, ...]


def read_documents(
    path: str,
    segments: int,
    *,
    column: str | None = None,
    domain_column: str | None = None,
    ids: Sequence[str] | None = None,
) -> Grouping:
    """Read one document id a segment.

    Parameters
    ----------
    path : str
        One id a line; JSON lines; or a table separated by tabs, whose first column holds the ids of documents, or the
        column that is named.
    segments : int
        How many segments there are.
    column, domain_column : str, optional
        The names of columns in the header line.
    ids : sequence of str, optional
        The ids of the segments: a table with a header and a column of ids is matched by them.
    """
    source, rows = _rows(path)
    header = rows[0][1]
    by_name = {name.lower(): i for i, name in enumerate(header)}
    known = next((by_name[name] for name in DOCUMENT_NAMES if name in by_name), None)
    keys = next((by_name[name] for name in ID_NAMES if name in by_name), None)
    notes = list(source.notes)
    named = column is not None or domain_column is not None
    matched = ids is not None and keys is not None
    headed = is_json_lines(path) or named or (known is not None and (matched or len(rows) == segments + 1))
    position = 0
    if column is not None:
        position = _position(header, column, source, "documents")
    elif headed and known is not None:
        position = known
        notes.append(f"{source.name}: documents from its column {header[known]!r}")
    elif is_json_lines(path):
        raise InputError(f"which key names documents? It has {', '.join(header)}", path=path, hint="--docs-column NAME")
    elif len(header) > 1:
        notes.append(f"{source.name}: documents from the first of its {len(header)} columns")
    if headed:
        rows = rows[1:]
    if headed and ids is not None and keys is not None:
        found = [fields[keys] if keys < len(fields) else "" for _, fields in rows]
        rows = [rows[place] for place in order_by(found, ids, source.name, "the texts")]
    elif len(rows) != segments:
        raise InputError(
            f"{len(rows):,} document ids for {segments:,} segments",
            path=source.name,
            hint="one id a line, for every segment; name the column of a table with a header: --docs-column NAME",
        )
    domains = None
    if domain_column is not None:
        domains = _values(rows, _position(header, domain_column, source, "domains"), source, "domain")
    return Grouping(_values(rows, position, source, "document id"), domains, tuple(notes))


def _rows(path: str) -> tuple[Lines, list[tuple[int, list[str]]]]:
    """The rows of a file with their line numbers, the first one the header where there is one."""
    if is_json_lines(path):
        table = read_table(path)
        values = zip(*table.columns.values(), strict=True)
        rows = [(number, [value or "" for value in row]) for number, row in enumerate(values, 1)]
        return Lines(table.name, [], table.notes), [(0, list(table.columns)), *rows]
    source = read_lines(path)
    return source, [(number, line.split("\t")) for number, line in enumerate(source.lines, 1)]


def _position(header: list[str], column: str, source: Lines, what: str) -> int:
    if column not in header:
        raise one_of(f"{source.name}: the column of {what}", column, header)
    return header.index(column)


def _values(rows: list[tuple[int, list[str]]], position: int, source: Lines, what: str) -> list[str]:
    found = []
    for number, fields in rows:
        if position >= len(fields) or not fields[position].strip():
            raise InputError(f"there is no {what}", path=source.name, line=number)
        found.append(fields[position].strip())
    return found
