"""Results as JSON, CSV and TSV: for programs, with ten significant digits."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from truegain.rows import rounded


def finite(value: Any) -> Any:
    """Return plain data with null for what JSON has no number for."""
    kind = type(value)
    if kind is float:
        return value if math.isfinite(value) else None
    if kind is dict:
        return {key: finite(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [finite(item) for item in value]
    return value


def json_text(result: Mapping[str, Any]) -> str:
    """Render as indented JSON, keys in the order given; bytes of names that are no text become question marks."""
    try:
        data = msgspec.json.encode(result)
    except UnicodeEncodeError:
        data = json.dumps(result, ensure_ascii=False).encode(errors="replace")
    return msgspec.json.format(data, indent=2).decode() + "\n"


def csv_text(records: Iterable[Mapping[str, Any]]) -> str:
    """Render records as CSV with a header; lists are joined by blanks.

    A text that a spreadsheet would take for a formula is preceded by an apostrophe.
    """
    lines = []
    for fields in _lines(records):
        stream = io.StringIO()
        # The writer quotes a carriage return only if its own line ends have one.
        csv.writer(stream, lineterminator="\r\n").writerow(fields)
        lines.append(stream.getvalue().removesuffix("\r\n") + "\n")
    return "".join(lines)


def tsv_text(records: Iterable[Mapping[str, Any]]) -> str:
    r"""Render records as lines of fields between tabs, with a header; lists and formulas as in CSV.

    No field has quotes around it: a tab inside one is written ``\t``, a line feed ``\n``, a carriage return ``\r``
    and a backslash ``\\``.
    """
    escapes = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})
    return "".join("\t".join(str(field).translate(escapes) for field in line) + "\n" for line in _lines(records))


def _lines(records: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """Return the header, and the fields of each record."""
    rows = [{_field(key): _field(value) for key, value in record.items()} for record in records]
    header = list(rows[0]) if rows else []
    return [header, *([row[key] for key in header] for row in rows)]


def _field(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return " ".join(str(_field(item)) for item in value)
    if isinstance(value, str):
        return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else value
    return "" if value is None else finite(rounded(value))
