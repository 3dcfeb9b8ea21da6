"""The numbers of a result by table, key and column, without its words: what must not change when the words do."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Row", "digest", "kinds_of", "rows_of"]

#: Fields that tell the rows of a table apart, in the order in which a key has them.
KEYS = ("set", "source", "target", "by", "group", "measure", "metric", "test", "baseline", "system", "name", "who")
#: Numbers in a list, and rows of a table, beyond which their digest is held instead of each.
MOST_IN_A_LIST, MOST_ROWS = 8, 40
#: Tables of segments, of which the digest is held at any length.
SEGMENTS = ("up", "down")


@dataclass(frozen=True)
class Row:
    """A row of a table: its key and its numbers by column, as the result in JSON has them."""

    table: str
    key: str
    numbers: Mapping[str, float | bool | str]

    def __str__(self) -> str:
        """Write the row in a line, its parts between tabs."""
        cells = [f"{column}={value!r}" for column, value in self.numbers.items()]
        return "\t".join([self.table, self.key, " ".join(cells)])


def rows_of(result: Mapping[str, Any], dropped: Collection[str] = (), *, digests: bool = True) -> list[Row]:
    """Return the numbers of a result that was read from JSON.

    Parameters
    ----------
    dropped : collection of str
        Fields that are left out with all that is in them, by their name or as ``table.name``.
    digests : bool
        Whether long tables are one row, their digest.
    """
    by_table: dict[str, list[Row]] = {}
    for row in _rows("", "", result, frozenset(dropped)):
        by_table.setdefault(row.table, []).append(row)
    rows: list[Row] = []
    for table, members in by_table.items():
        each = not digests or (len(members) <= MOST_ROWS and not table.endswith(SEGMENTS))
        rows += members if each else [Row(table, f"{len(members)} rows", {"digest": digest(members)})]
    return rows


def kinds_of(result: Any, table: str = "") -> Iterator[Row]:
    """Return the kinds of notes and caveats, and how many of each there are, by the table that has them."""
    if isinstance(result, dict):
        for name, value in result.items():
            if name in ("notes", "caveats"):
                kinds = sorted(item["kind"] for item in value)
                yield from (
                    Row(_below(table, name), kind, {"count": kinds.count(kind)}) for kind in dict.fromkeys(kinds)
                )
            else:
                yield from kinds_of(value, _below(table, name))
    elif isinstance(result, list):
        counts: dict[tuple[str, str], int] = {}
        for item in result:
            for row in kinds_of(item, table):
                counts[row.table, row.key] = counts.get((row.table, row.key), 0) + int(row.numbers["count"])
        yield from (Row(place, kind, {"count": count}) for (place, kind), count in counts.items())


def digest(rows: Iterable[Row]) -> str:
    """Return a fingerprint of rows, whatever their order."""
    lines = sorted(str(row) for row in rows)
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=8).hexdigest()


def _rows(table: str, key: str, fields: Mapping[str, Any], dropped: frozenset[str]) -> Iterator[Row]:
    """Return the row of an object, then those of the tables in it."""
    numbers: dict[str, float | bool | str] = {}
    tables: list[tuple[str, list[Mapping[str, Any]]]] = []
    _collect("", table, fields, dropped, numbers, tables)
    if numbers:
        yield Row(table or "result", key, numbers)
    for name, items in tables:
        seen: dict[str, int] = {}
        for item in items:
            own = "/".join(
                [*([key] if key else []), *(item[field] for field in KEYS if isinstance(item.get(field), str))]
            )
            seen[own] = seen.get(own, 0) + 1
            yield from _rows(name, own if seen[own] == 1 else f"{own}#{seen[own]}", item, dropped)


def _collect(
    prefix: str,
    table: str,
    fields: Mapping[str, Any],
    dropped: frozenset[str],
    numbers: dict[str, float | bool | str],
    tables: list[tuple[str, list[Mapping[str, Any]]]],
) -> None:
    """Sort the fields of an object into its numbers, those of objects in it among them, and its tables."""
    for name, value in sorted(fields.items()):
        column = _below(prefix, name)
        if name in dropped or _below(table, column) in dropped:
            continue
        if isinstance(value, bool | int | float):
            numbers[column] = value
        elif isinstance(value, dict):
            _collect(column, table, value, dropped, numbers, tables)
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            tables.append((_below(table, column), value))
        elif isinstance(value, list):
            numbers.update(_of_list(column, value))


def _of_list(column: str, values: list[Any]) -> dict[str, float | bool | str]:
    """Return the numbers of a list one by one, or the digest of a long list; lists in it have their places too."""
    flat = {column: values} if not any(isinstance(item, list) for item in values) else {}
    for place, item in enumerate(values):
        if isinstance(item, list):
            flat[f"{column}.{place}"] = item
    found: dict[str, float | bool | str] = {}
    for name, part in flat.items():
        numbers = [item for item in part if isinstance(item, bool | int | float)]
        if len(numbers) > MOST_IN_A_LIST:
            text = json.dumps(part)
            found[name] = f"{len(part)}:{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}"
        else:
            found.update(
                {f"{name}.{place}": item for place, item in enumerate(part) if isinstance(item, bool | int | float)}
            )
    return found


def _below(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name
