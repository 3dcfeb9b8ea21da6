"""Results as JSON, CSV and TSV: for programs, with ten significant digits."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from json.encoder import encode_basestring
from typing import Any

from truegain.rows import ten_digits


def rounded(value: Any) -> Any:
    """Round floats to ten significant digits, all through a structure; what JSON has no number for becomes null."""
    if isinstance(value, float):
        return ten_digits(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one) for one in value]
    return value


def json_text(result: Mapping[str, Any]) -> str:
    """Render as JSON, keys in the order given, floats as :func:`rounded` leaves them."""
    return _json(result, "\n") + "\n"


def _json(value: Any, line: str) -> str:
    """Return what ``json.dumps`` would, which is slow at indented lines; ``line`` begins one as deep as the value."""
    if isinstance(value, float):
        return float.__repr__(ten_digits(value)) if math.isfinite(value) else "null"
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or value is True or value is False:
        return _WORDS[value]
    if isinstance(value, int):
        return int.__repr__(value)
    inner = line + "  "
    if isinstance(value, list | tuple):
        return _enclosed("[", [_json(one, inner) for one in value], "]", line)
    if isinstance(value, Mapping):
        items = [f"{encode_basestring(key)}: {_json(one, inner)}" for key, one in value.items()]
        return _enclosed("{", items, "}", line)
    raise TypeError(f"{type(value).__name__} is not JSON serializable")


_WORDS = {None: "null", True: "true", False: "false"}


def _enclosed(first: str, items: list[str], last: str, line: str) -> str:
    inner = line + "  "
    return f"{first}{inner}{f',{inner}'.join(items)}{line}{last}" if items else first + last


def csv_text(records: Iterable[Mapping[str, Any]]) -> str:
    """Render records as CSV with a header; lists are joined by blanks.

    A text that a spreadsheet would take for a formula is preceded by an apostrophe.
    """
    return "".join(_line(line) for line in _lines(records))


def tsv_text(records: Iterable[Mapping[str, Any]]) -> str:
    r"""Render records as lines of fields between tabs, with a header; lists and formulas as in CSV.

    No field has quotes around it: a tab inside one is written ``\t``, a line feed ``\n``, a carriage return ``\r``
    and a backslash ``\\``.
    """
    return "".join("\t".join(str(field).translate(_ESCAPES) for field in line) + "\n" for line in _lines(records))


_ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})


def _lines(records: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """Return the header, and the fields of each record."""
    rows = [{_field(key): _field(value) for key, value in record.items()} for record in records]
    header = list(rows[0]) if rows else []
    return [header, *([row[key] for key in header] for row in rows)]


def _line(fields: list[Any]) -> str:
    """Return one line; the writer quotes a carriage return only if its own line ends have one."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerow(fields)
    return stream.getvalue().removesuffix("\r\n") + "\n"


def _field(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return " ".join(str(_field(one)) for one in value)
    if isinstance(value, str):
        return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else value
    return "" if value is None else rounded(value)
