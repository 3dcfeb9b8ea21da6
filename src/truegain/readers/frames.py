"""Data frames of pandas and polars as a corpus."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from truegain.corpus import Corpus
from truegain.errors import InputError, one_of
from truegain.readers.cells import Cells, is_missing
from truegain.readers.column_names import (
    DOCUMENT_NAMES,
    DOMAIN_NAMES,
    ID_NAMES,
    RATER_NAMES,
    REPEAT_NAMES,
    RUN_NAMES,
    SYSTEM_NAMES,
    Chosen,
    column_key,
)
from truegain.readers.column_roles import TableSystems
from truegain.readers.table_corpus import table_systems

_LIBRARIES = ("pandas", "polars")
_PLAIN = {bool, int, float, str, type(None)}
#: Names of what is said of rows, which an index may hold as well as a column.
_OF_ROWS = frozenset((*ID_NAMES, *DOCUMENT_NAMES, *DOMAIN_NAMES))
_OF_LONG_ROWS = _OF_ROWS.union(SYSTEM_NAMES, RUN_NAMES, REPEAT_NAMES, RATER_NAMES)


def is_frame(value: Any) -> bool:
    """Return whether a value is a data frame of pandas or polars."""
    kind = type(value)
    root = kind.__module__.partition(".")[0]
    if root == "polars" and kind.__name__ == "LazyFrame":
        raise InputError("a lazy frame has no rows yet", hint="give frame.collect()")
    return root in _LIBRARIES and kind.__name__ == "DataFrame"


def is_series(value: Any) -> bool:
    """Return whether a value is a series of pandas or polars."""
    kind = type(value)
    return kind.__module__.partition(".")[0] in _LIBRARIES and kind.__name__ == "Series"


def corpus_from_frame(
    frame: Any, references: Any = None, *, documents: Any = None, domains: Any = None, by: str | None = None
) -> Corpus:
    """Build a corpus from a data frame.

    With a column ``system`` (or ``model``) the frame is long: each row is an item of a system, matched by the column of
    ids; ``run`` (or ``seed``) tells runs apart; columns of numbers are scores, and ``output`` is the text. Systems and
    items are sorted, so that the order of the rows does not matter. Otherwise each column is a system, in the order of
    the columns: of texts if there are references, else of scores.

    Parameters
    ----------
    frame : DataFrame
    references : str or sequence of str, optional
        Columns of references; by default ``reference`` or ``ref``, if there is one.
    documents, domains : str, optional
        The columns of these; by default those with a usual name.
    by : str, optional
        A column that segments are to be grouped by, or another grouping; the column is no system.
    """
    asked = {"references": references, "documents": documents, "domains": domains}
    columns = _columns(frame, [one for given in (*asked.values(), by) for one in _listed(given)])
    named = {name: _asked(columns, name, value) for name, value in asked.items()}
    chosen = Chosen(
        references=tuple(named["references"]),
        documents=next(iter(named["documents"]), None),
        domains=next(iter(named["domains"]), None),
        by=by,
    )
    return table_systems(Cells(columns), chosen, texts=True).corpus()


def rated_systems(frame: Any) -> TableSystems:
    """Take the scores of a data frame, wide or long; one that is missing is of an item that was not rated."""
    columns = {name: [None if is_missing(one) else one for one in own] for name, own in _columns(frame).items()}
    return table_systems(Cells(columns, ratings=True), Chosen(), texts=False)


def has_ids(frame: Any) -> bool:
    """Return whether a data frame has a column of ids or of systems, so that the order of its rows means nothing."""
    return any(column_key(str(name)) in (*ID_NAMES, *SYSTEM_NAMES) for name in (*frame.columns, *_levels(frame)))


def _columns(frame: Any, asked: Collection[Any] = ()) -> dict[str, list[Any]]:
    """Return the columns of a frame, and levels of its index: those that were asked for or have a usual name."""
    long = any(column_key(str(name)) in SYSTEM_NAMES for name in (*frame.columns, *_levels(frame)))
    known = _OF_LONG_ROWS if long else _OF_ROWS
    levels = [
        name
        for name in _levels(frame)
        if (column_key(str(name)) in known or name in asked) and name not in frame.columns
    ]
    if levels:
        frame = frame.reset_index(levels)
    names: list[Hashable] = list(frame.columns)
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(f"the frame has two columns {str(name)!r}", hint="columns need names of their own")
    return {str(name): _plain(frame[name].to_list()) for name in names}


def _plain(values: list[Any]) -> list[Any]:
    """Return values of Python's own types: columns of objects may hold others that are the same to their writer."""
    return values if set(map(type, values)) <= _PLAIN else list(map(_plain_value, values))


def _plain_value(value: Any) -> Any:
    if is_missing(value):
        return None
    if isinstance(value, np.bool_ | np.integer | np.floating) and value.dtype.kind != "m":  # no times
        return value.item()
    return float(value) if isinstance(value, Decimal) else value


def _levels(frame: Any) -> list[Hashable]:
    """Return the names of an index of pandas."""
    return list(getattr(getattr(frame, "index", None), "names", ()))


def _listed(given: Any) -> list[Any]:
    """Return the names that were given: none, one or several."""
    return [] if given is None or is_series(given) else [given] if isinstance(given, str) else list(given)


def _asked(columns: Mapping[str, Any], what: str, given: Any) -> list[str]:
    """Return the columns that were named."""
    if is_series(given):
        raise InputError(
            f"{what} must name a column of the frame; got a series",
            hint=f"make it a column, so that rows stay together: frame.assign({what}=…)",
        )
    named = _listed(given)
    for one in named:
        if not isinstance(one, str) or one not in columns:
            raise one_of(f"{what}: the column of the frame", str(one), list(columns))
    return named
