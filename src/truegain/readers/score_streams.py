"""Files of segment scores, read a few lines at a time: one number per line, or a table with a header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, command
from truegain.readers.column_names import ID_NAMES, REPEAT_NAMES, RUN_NAMES, column_key
from truegain.readers.formats import opened
from truegain.readers.orders import ColumnOrder
from truegain.readers.score_values import (
    Kind,
    check_header,
    check_header_is_no_verdict,
    column_kind,
    is_header,
    required_score,
    text_kind,
)
from truegain.readers.scores import SCORE
from truegain.readers.tabular import check_column_names

if TYPE_CHECKING:
    from truegain.readers.streams import LineStream


class ScoreLines:
    """From lines to columns of numbers, by what the first line of the file says.

    Attributes
    ----------
    header : tuple of str or None
        The names of the columns, if the first line names them; that line is no segment.
    orders : dict of str to ColumnOrder
        The order of rows, by the columns of a table that are texts, or whole numbers beside scores.
    """

    def __init__(self, stream: LineStream) -> None:
        self._name = stream.name
        first = stream.first()
        if any(form.scores is not None for form in opened(first)):
            raise InputError(
                "JSON cannot be read a piece at a time",
                path=stream.name,
                hint=(
                    "write one score per line, or a table with a header; or let ",
                    command("compare"),
                    " read it, all at once",
                ),
            )
        self.header: tuple[str, ...] | None = None
        self.orders: dict[str, ColumnOrder] = {}
        self._kinds: dict[str, Kind] = {}
        if not is_header(first):
            return
        stream.skip_header()
        self.header = tuple(first.split("\t"))
        check_header(self.header, stream.name)
        check_column_names(self.header, stream.name)
        named = [one for one in self.header if column_key(one) in (*ID_NAMES, *RUN_NAMES, *REPEAT_NAMES)]
        if named:
            raise InputError(
                f"the table has a column of ids, runs or samples, {named[0]!r}, and rows cannot be matched a piece at "
                "a time",
                path=stream.name,
                line=1,
                hint="bring all files into one order, a file for each run, and leave the column out",
            )

    def columns(self, lines: Sequence[str], first: int) -> dict[str, NDArray[np.float64]]:
        """Return the columns of some lines.

        Parameters
        ----------
        lines : sequence of str
        first : int
            How many segments of the file came before.
        """
        offset = first + (1 if self.header is None else 2)
        names = (SCORE,) if self.header is None else self.header
        rows = [[line] if self.header is None else line.split("\t") for line in lines]
        for i, row in enumerate(rows):
            if len(row) != len(names):
                raise InputError(
                    f"{len(row)} columns where the header has {len(names)}", path=self._name, line=offset + i
                )
        fields = dict(zip(names, zip(*rows, strict=True), strict=True))
        self._decide(fields, offset)
        if first == 0 and self.header is not None:
            truths = {name: set(own) if self._kinds[name] == "truth" else () for name, own in fields.items()}
            check_header_is_no_verdict(truths, self._name)
        scores = {name: kind for name, kind in self._kinds.items() if kind in ("number", "truth")}
        if not scores:
            raise InputError("nothing is a number in the first segment", path=self._name, line=offset)
        for name, values in fields.items():
            if self._kinds[name] == "text" or (len(scores) > 1 and all(map(str.isdecimal, values))):
                self.orders.setdefault(name, ColumnOrder()).add(values)
        return {
            name: np.array([required_score(text, kind, self._name, offset + i) for i, text in enumerate(fields[name])])
            for name, kind in scores.items()
        }

    def _decide(self, fields: Mapping[str, Sequence[str]], offset: int) -> None:
        """Tell what columns hold; one whose values were missing so far may turn out to be of texts, not of scores."""
        for name, values in fields.items():
            if self._kinds.get(name, "missing") == "missing":
                kind = column_kind(values, text_kind)
                if name in self._kinds and kind in ("number", "truth"):
                    raise InputError(
                        f"column {name!r} has a score, and no earlier line has", path=self._name, line=offset
                    )
                self._kinds[name] = kind
