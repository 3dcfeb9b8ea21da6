"""Document and domain of each segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from truegain.errors import NAME, InputError, Setting, one_of
from truegain.inputs import FileRole, Grouping, InputFile
from truegain.notes import Note
from truegain.readers.any_format import read_table
from truegain.readers.column_names import DOCUMENT_NAMES, DOMAIN_NAMES, ID_NAMES, column_key, joined_id, parts_of
from truegain.readers.formats import is_table
from truegain.readers.matching import Ids, count_rows, order_by
from truegain.readers.plain import Lines, by_order, read_lines
from truegain.readers.tabular import Table, check_column_names, label_columns
from truegain.readers.two_columns import document_column, told_apart

_Row = tuple[int, list[str]]  # the number of its line, and its fields


def read_grouping(
    documents: str | None,
    domains: str | None,
    segments: int,
    *,
    document_column: str | None = None,
    domain_column: str | None = None,
    ids: Ids | None = None,
    id_column: str | None = None,
    has_documents: bool = False,
) -> Grouping:
    """Read documents and domains from the files that were given for them, if any.

    Parameters
    ----------
    documents, domains : str, optional
        The files; that of documents may hold the domains, too.
    segments, document_column, domain_column, ids, id_column
        As in :func:`read_documents`.
    has_documents : bool
        Documents are known already; else those in a file of domains count.
    """
    found = Grouping()
    if documents is not None:
        beside = None if domains is not None else domain_column
        found = read_documents(
            documents, segments, column=document_column, domain_column=beside, ids=ids, id_column=id_column
        )
    if domains is not None:
        alone = documents is None and not has_documents
        found = found.with_domains(
            read_domains(domains, segments, column=domain_column, ids=ids, id_column=id_column, with_documents=alone)
        )
    return found


def read_documents(
    path: str,
    segments: int,
    *,
    column: str | None = None,
    domain_column: str | None = None,
    ids: Ids | None = None,
    id_column: str | None = None,
    wider: Sequence[Ids] = (),
) -> Grouping:
    """Read one document id per segment, and the domains in the same file.

    Parameters
    ----------
    path : str
        One id per line; JSON lines; a table separated by tabs with a header; or two columns without a header, as
        :func:`truegain.readers.two_columns.document_column` takes them.
    segments : int
        How many segments there are.
    column, domain_column : str, optional
        The names of columns in the header line.
    ids : Ids, optional
        The ids of the segments: a table with a header and a column of ids is matched by them.
    id_column : str, optional
        The column of ids, by default one of the same name as theirs, or of a usual name; a file of several columns
        must have it.
    wider : sequence of Ids
        The ids of files with further segments, in whose order lines may be, too; further segments are left out.
    """
    columns = {"documents": column, "domains": domain_column}
    table = _Table(path, segments, DOCUMENT_NAMES, columns, ids, id_column, wider)
    domain_position = None
    if table.headed:
        position = table.named(column, DOCUMENT_NAMES, "documents")
        if domain_column is not None or table.usual(DOMAIN_NAMES) not in (None, position):
            domain_position = table.named(domain_column, DOMAIN_NAMES, "domains")
    else:
        position = table.documents()
        if position == 1:
            return _two_columns(table, 0)
        if table.width > 1:
            table.say(
                "columns",
                "documents from its first column; to use the second, name both in a first line: docid, domain",
            )
    if domain_position is not None:
        return _both(table, position, domain_position)
    documents = table.values(position, "document id")
    return Grouping(documents, None, tuple(table.notes), (table.file("documents", position),), table.labels())


def read_domains(
    path: str,
    segments: int,
    *,
    column: str | None = None,
    ids: Ids | None = None,
    id_column: str | None = None,
    with_documents: bool = True,
) -> Grouping:
    """Read one domain per segment, from a file as :func:`read_documents` takes it.

    Of two columns without a header the other one holds documents: they are read, too, unless others are known.
    """
    table = _Table(path, segments, DOMAIN_NAMES, {"domains": column}, ids, id_column)
    position = 0
    if table.headed:
        position = table.named(column, DOMAIN_NAMES, "domains")
    elif table.width > 1:
        position = 1 - table.documents()
        if with_documents:
            return _two_columns(table, position)
        table.say("columns", f"domains from its {('first', 'second')[position]} column")
    values = table.values(position, "domain")
    return Grouping(None, values, tuple(table.notes), (table.file("domains", position),), table.labels())


def _two_columns(table: _Table, domains: int) -> Grouping:
    """Read the domains at that position, and the documents in the other column."""
    first, second = ("domains", "documents") if domains == 0 else ("documents", "domains")
    table.say("columns", f"{first} from its first column, {second} from its second")
    return _both(table, 1 - domains, domains)


def _both(table: _Table, document_position: int, domain_position: int) -> Grouping:
    documents, domains = table.values(document_position, "document id"), table.values(domain_position, "domain")
    apart = told_apart(documents, domains)
    if apart != documents:
        table.say("documents", "documents of one name in several domains count as several documents")
    files = (table.file("documents", document_position), table.file("domains", domain_position))
    return Grouping(apart, domains, tuple(table.notes), files, table.labels())


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
    ids : Ids, optional
        The ids of the segments.
    id_column : str, optional
        The column of ids in the file: the first line is then a header, if it has several columns.
    wider : sequence of Ids
        The ids of files with further segments.
    """

    def __init__(
        self,
        path: str,
        segments: int,
        names: Sequence[str],
        columns: Mapping[str, str | None],
        ids: Ids | None,
        id_column: str | None,
        wider: Sequence[Ids] = (),
    ) -> None:
        self._source, rows = _rows(path)
        self._usual = "document" if names is DOCUMENT_NAMES else "domain"
        self.name = self._source.name
        self.notes = list(self._source.notes)
        self.header = rows[0][1]
        parts = parts_of(id_column) if id_column not in self.header else []
        if id_column is not None and parts and all(part in self.header for part in parts):
            places = [self.header.index(part) for part in parts]
            made = [joined_id([fields[place] for place in places if place < len(fields)]) for _, fields in rows[1:]]
            rows = [(rows[0][0], [*self.header, id_column])] + [
                (number, [*fields, own or ""]) for (number, fields), own in zip(rows[1:], made, strict=True)
            ]
            self.header = rows[0][1]
        columns = {**columns, "ids": id_column if len(self.header) > 1 else None}
        for what, column in columns.items():
            if column is not None and column not in self.header:
                raise one_of(f"{self.name}: the column of {what}", column, self.header)
        self.keys = self._ids(columns, None if ids is None else ids.column)
        matched = ids is not None and self.keys is not None
        sizes = (segments, *(len(one.values) for one in wider))
        known = self.usual(names) is not None and (matched or len(rows) - 1 in sizes)
        self.headed = isinstance(self._source, Table) or any(column is not None for column in columns.values()) or known
        if self.headed:
            check_column_names(self.header, self.name)
            rows = rows[1:]
        else:
            self.keys = None
        self.count = len(rows)
        self.repeated: list[tuple[_Row, _Row]] = []
        self.matched = ids is not None and self.keys is not None
        read = {column for column in columns.values() if column is not None}
        if columns[f"{self._usual}s"] is None:
            read |= {*names}
        if ids is not None and self.keys is not None:
            rows = self._matched(rows, self.keys, ids, others=bool(wider))
        elif ids is not None and len(rows) in sizes[1:]:
            own = wider[sizes.index(len(rows)) - 1]
            self._in_order(rows, own, read)
            rows = [rows[place] for place in order_by(own.values, ids.values, own.name, ids.name, others=True)]
        elif len(rows) != segments:
            what = "document ids" if names is DOCUMENT_NAMES else "domains"
            hint = ("one per line, for every segment; of a table, ", *_naming(names))
            raise InputError(f"{len(rows):,} {what} for {segments:,} segments", path=self.name, hint=hint)
        elif ids is not None:
            self._in_order(rows, ids, read)
        elif self.keys is not None:
            self._check_order(rows, self.keys)
        elif self.headed:
            self._check_numbers(rows, read)
        self.rows = rows
        self.width = max((len(fields) for _, fields in rows), default=1)

    def _ids(self, columns: Mapping[str, str | None], used: str | None) -> int | None:
        """Return the column of ids: the one asked for, one that is called as those of other files, or a usual one."""
        if (asked := columns["ids"]) is not None:
            return self.header.index(asked)
        free = ["" if name in columns.values() else name for name in self.header]
        same = () if used is None or len(free) == 1 else (used.lower(),)
        return _first(free, (*same, *ID_NAMES))

    def usual(self, names: Sequence[str]) -> int | None:
        """Return the column of a usual name, which is not the column of ids."""
        return _first([name if place != self.keys else "" for place, name in enumerate(self.header)], names)

    def file(self, role: FileRole, position: int) -> InputFile:
        """Return what was read from the file, the values from the column at that position."""
        by = self.header[self.keys] if self.matched and self.keys is not None else None
        return InputFile(self.name, role, self.count, None, self.header[position] if self.headed else None, by)

    def _matched(self, rows: Sequence[_Row], keys: int, ids: Ids, *, others: bool) -> list[_Row]:
        """Return the row of each segment; several rows of one id must say the same of it.

        With ``others``, rows of further ids are left out; else they are refused.
        """
        found: dict[str, _Row] = {}
        for number, fields in rows:
            own = fields[keys] if keys < len(fields) else ""
            if own in found:
                self.repeated.append((found[own], (number, fields)))
            else:
                found[own] = (number, fields)
        kept = list(found.values())
        return [kept[place] for place in order_by(tuple(found), ids.values, self.name, ids.name, others=others)]

    def _in_order(self, rows: Sequence[_Row], ids: Ids, read: set[str]) -> None:
        """Say that lines are taken in the order of other files, which have ids; not if a column may be the ids.

        Documents and domains may be it if they are not read, and all are different. Refuse lines if items are sorted
        by their ids: they may be in either order.
        """
        other = [
            name
            for place, name in enumerate(self.header)
            if self.headed and name not in read and column_key(name) not in read
            if name.lower() not in (*DOCUMENT_NAMES, *DOMAIN_NAMES)
            or len({fields[place] for _, fields in rows if place < len(fields)}) == len(rows) > 1
        ]
        if other:
            raise InputError(
                f"which column holds the ids of segments? It has {', '.join(self.header)}, and {ids.name} has ids",
                path=self.name,
                hint=(
                    "name it: ",
                    Setting("id_column", NAME),
                    "; or leave out the columns that are not read, if the order is the same",
                ),
            )
        if not ids.by_row:
            raise InputError(
                f"it has no ids, and the rows of {ids.name} are not in the order of theirs: which line belongs to "
                "which item?",
                path=self.name,
                hint=f"give a table with the columns id, such as {ids.values[0]!r}, and {self._usual}",
            )
        if not count_rows(ids.values):
            self.notes.append(by_order(self.name, ids.name))

    def _check_order(self, rows: Sequence[_Row], keys: int) -> None:
        """Refuse ids that no other file has, unless they only count the segments, or those of each document."""
        columns = [
            [fields[place] if place < len(fields) else "" for _, fields in rows] for place in range(len(self.header))
        ]
        if not any(count_rows(columns[keys], None if place == keys else own) for place, own in enumerate(columns)):
            raise InputError(
                f"it has ids of segments, {self.header[keys]!r}, and the other files have none: they cannot be matched",
                path=self.name,
                hint="give ids to all files, or leave the column of ids out",
            )

    def _check_numbers(self, rows: Sequence[_Row], read: set[str]) -> None:
        """Refuse a column that is not read and counts the segments in another order."""
        for place, name in enumerate(self.header):
            own = [fields[place].strip() if place < len(fields) else "" for _, fields in rows]
            if name in read or column_key(name) in read or not all(one.isascii() and one.isdecimal() for one in own):
                continue
            numbers = [int(one) for one in own if len(one) < 10]
            low = min(numbers, default=2)
            if low < 2 and numbers != (order := list(range(low, low + len(own)))) and sorted(numbers) == order:
                raise InputError(
                    f"its column {name!r} counts the segments in another order, and the other files have no ids: they "
                    "cannot be matched",
                    path=self.name,
                    hint="sort it by this column; or leave the column out, if the order is the same",
                )

    def say(self, kind: str, text: str) -> None:
        """Add a note on this file."""
        self.notes.append(Note(kind, text, file=self.name))

    def named(self, column: str | None, names: Sequence[str], what: str) -> int:
        """Find a column by the name that was given, or by the usual names."""
        if column is not None:
            return self.header.index(column)
        found = self.usual(names)
        if found is None and self.keys is not None and len(self.header) == 2:
            found = 1 - self.keys
        if found is None:
            message = f"which column holds the {what}? It has {', '.join(self.header)}"
            raise InputError(message, path=self.name, hint=_naming(names))
        self.say("columns", f"{what} from its column {self.header[found]!r}")
        return found

    def documents(self) -> int:
        """Find the column of documents without a header."""
        return 0 if self.width == 1 else document_column(self.rows, self.name)

    def labels(self) -> dict[str, tuple[str | None, ...]]:
        """Return the columns of a header that segments can be grouped by."""
        if not self.headed:
            return {}
        differing = {
            place
            for (_, fields), (_, others) in self.repeated
            for place in range(len(self.header))
            if fields[place : place + 1] != others[place : place + 1]
        }
        return label_columns(
            {
                name: [fields[place] if place < len(fields) else None for _, fields in self.rows]
                for place, name in enumerate(self.header)
                if place != self.keys and place not in differing
            }
        )

    def values(self, position: int, what: str) -> list[str]:
        """Return a column that has a value in every row."""
        if isinstance(self._source, Table):
            for column in (position, self.keys):
                if column is not None:
                    self._source.check_labels(self.header[column], "a column of ids, documents or domains")
        found = []
        for number, fields in self.rows:
            if position >= len(fields) or not fields[position].strip():
                raise InputError(f"there is no {what}", path=self.name, line=number)
            found.append(fields[position].strip())
        for (first, fields), (second, others) in self.repeated:
            if fields[position : position + 1] != others[position : position + 1]:
                raise InputError(
                    f"lines {first:,} and {second:,} have one id, and not one {what}", path=self.name, line=second
                )
        return found


def _first(header: Sequence[str], names: Sequence[str]) -> int | None:
    by_name = {column_key(name): place for place, name in enumerate(header)}
    return next((by_name[name] for name in names if name in by_name), None)


def _naming(names: Sequence[str]) -> tuple[str, Setting]:
    if names is DOCUMENT_NAMES:
        return "name the column of documents: ", Setting("document_column", NAME)
    return "name the column of domains: ", Setting("domain_column", NAME)


def _rows(path: str) -> tuple[Lines | Table, list[tuple[int, list[str]]]]:
    """Return the rows of a file with their line numbers, the header first if there is one."""
    if is_table(path):
        table = read_table(path)
        values = zip(*table.columns.values(), strict=True)
        rows = [(number, [value or "" for value in row]) for number, row in enumerate(values, 1)]
        return table, [(0, list(table.columns)), *rows]
    source = read_lines(path)
    return source, [(number, line.split("\t")) for number, line in enumerate(source.lines, 1)]
