"""Which document, and which domain, each segment belongs to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from truegain.errors import InputError, one_of
from truegain.readers.matching import order_by
from truegain.readers.plain import Lines, read_lines
from truegain.readers.tabular import (
    DOCUMENT_NAMES,
    DOMAIN_NAMES,
    ID_NAMES,
    check_column_names,
    is_json_lines,
    read_table,
)
from truegain.readers.two_columns import document_column, told_apart

__all__ = ["Grouping", "read_documents", "read_domains"]


@dataclass(frozen=True)
class Grouping:
    """The document and the domain of each segment, None if they are not known, and notes on what was read."""

    documents: list[str] | None = None
    domains: list[str] | None = None
    notes: tuple[str, ...] = ()

    def with_domains(self, domains: list[str], notes: Sequence[str] = ()) -> Grouping:
        """Replace the domains by those that were given for themselves."""
        said = [] if self.domains is None else ["domains as they were given, not those of the file of documents"]
        return Grouping(self.documents, domains, (*self.notes, *notes, *said))


def read_documents(
    path: str,
    segments: int,
    *,
    column: str | None = None,
    domain_column: str | None = None,
    ids: Sequence[str] | None = None,
) -> Grouping:
    """Read one document id per segment, and the domains beside them.

    Parameters
    ----------
    path : str
        One id per line; JSON lines; a table separated by tabs with a header; or two columns without a header, as
        :func:`truegain.readers.two_columns.document_column` takes them.
    segments : int
        How many segments there are.
    column, domain_column : str, optional
        The names of columns in the header line.
    ids : sequence of str, optional
        The ids of the segments: a table with a header and a column of ids is matched by them.
    """
    table = _Table(path, segments, DOCUMENT_NAMES, {"documents": column, "domains": domain_column}, ids)
    domain_position = None
    if table.headed:
        position = table.named(column, DOCUMENT_NAMES, "documents")
        if domain_column is not None or _first(table.header, DOMAIN_NAMES) not in (None, position):
            domain_position = table.named(domain_column, DOMAIN_NAMES, "domains")
    else:
        position = table.documents()
        if position == 1:
            domain_position = 0
            table.say("domains from its first column, documents from its second")
        elif table.width > 1:
            table.say("documents from its first column; to use the second, name both in a first line: docid, domain")
    documents = table.values(position, "document id")
    if domain_position is None:
        return Grouping(documents, None, tuple(table.notes))
    domains = table.values(domain_position, "domain")
    apart = told_apart(documents, domains)
    if apart != documents:
        table.say("documents of one name in several domains count as several documents")
    return Grouping(apart, domains, tuple(table.notes))


def read_domains(path: str, segments: int, *, ids: Sequence[str] | None = None) -> tuple[list[str], tuple[str, ...]]:
    """Read one domain per segment, and notes on what was read, from a file as :func:`read_documents` takes it."""
    table = _Table(path, segments, DOMAIN_NAMES, {}, ids)
    position = 0
    if table.headed:
        position = table.named(None, DOMAIN_NAMES, "domains")
    elif table.width > 1:
        position = 1 - table.documents()
        table.say(f"domains from its {('first', 'second')[position]} column")
    return table.values(position, "domain"), tuple(table.notes)


class _Table:
    """The rows of a file, one per segment, in the order of the segments.

    Parameters
    ----------
    path : str
    segments : int
    names : sequence of str
        A first line that has one of them is a header, if the number of lines allows it.
    columns : mapping of str to str
        The columns that are asked for by name, None for others: the first line is then a header in any case.
    ids : sequence of str, optional
        The ids of the segments.
    """

    def __init__(
        self,
        path: str,
        segments: int,
        names: Sequence[str],
        columns: Mapping[str, str | None],
        ids: Sequence[str] | None,
    ) -> None:
        source, rows = _rows(path)
        self.name = source.name
        self.notes = list(source.notes)
        self.header = rows[0][1]
        keys = _first(self.header, ID_NAMES)
        matched = ids is not None and keys is not None
        known = _first(self.header, names) is not None and (matched or len(rows) == segments + 1)
        for what, column in columns.items():
            if column is not None and column not in self.header:
                raise one_of(f"{self.name}: the column of {what}", column, self.header)
        self.headed = is_json_lines(path) or any(column is not None for column in columns.values()) or known
        if self.headed:
            check_column_names(self.header, self.name)
            rows = rows[1:]
        if self.headed and ids is not None and keys is not None:
            found = [fields[keys] if keys < len(fields) else "" for _, fields in rows]
            rows = [rows[place] for place in order_by(found, ids, self.name, "the texts")]
        elif len(rows) != segments:
            what = "document ids" if names is DOCUMENT_NAMES else "domains"
            hint = f"one per line, for every segment; of a table, {_naming(names)}"
            raise InputError(f"{len(rows):,} {what} for {segments:,} segments", path=self.name, hint=hint)
        self.rows = rows
        self.width = max((len(fields) for _, fields in rows), default=1)

    def say(self, note: str) -> None:
        """Add a note on this file."""
        self.notes.append(f"{self.name}: {note}")

    def named(self, column: str | None, names: Sequence[str], what: str) -> int:
        """Find a column by the name that was given, or by the usual names."""
        if column is not None:
            return self.header.index(column)
        found = _first(self.header, names)
        if found is None:
            message = f"which column holds the {what}? It has {', '.join(self.header)}"
            raise InputError(message, path=self.name, hint=_naming(names))
        self.say(f"{what} from its column {self.header[found]!r}")
        return found

    def documents(self) -> int:
        """Find the column of documents without a header."""
        return 0 if self.width == 1 else document_column(self.rows, self.name)

    def values(self, position: int, what: str) -> list[str]:
        """Return a column that has a value in every row."""
        found = []
        for number, fields in self.rows:
            if position >= len(fields) or not fields[position].strip():
                raise InputError(f"there is no {what}", path=self.name, line=number)
            found.append(fields[position].strip())
        return found


def _first(header: Sequence[str], names: Sequence[str]) -> int | None:
    by_name = {name.lower(): place for place, name in enumerate(header)}
    return next((by_name[name] for name in names if name in by_name), None)


def _naming(names: Sequence[str]) -> str:
    if names is DOCUMENT_NAMES:
        return "name the column of documents: --docs-column NAME"
    return f"call the column of domains {names[0]} in the header"


def _rows(path: str) -> tuple[Lines, list[tuple[int, list[str]]]]:
    """The rows of a file with their line numbers, the first one the header where there is one."""
    if is_json_lines(path):
        table = read_table(path)
        values = zip(*table.columns.values(), strict=True)
        rows = [(number, [value or "" for value in row]) for number, row in enumerate(values, 1)]
        return Lines(table.name, [], table.notes), [(0, list(table.columns)), *rows]
    source = read_lines(path)
    return source, [(number, line.split("\t")) for number, line in enumerate(source.lines, 1)]
