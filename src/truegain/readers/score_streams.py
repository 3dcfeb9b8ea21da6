"""Files of segment scores, read a few lines at a time: one number a line, or a table with a header."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.readers.scores import SCORE, number_in, required_number
from truegain.readers.tabular import ID_NAMES

if TYPE_CHECKING:
    from truegain.readers.streams import LineStream

__all__ = ["ScoreLines"]


class ScoreLines:
    """From lines to columns of numbers, by what the first line of the file says.

    Attributes
    ----------
    header : tuple of str or None
        The names of the columns, where the first line names them; that line is no segment.
    """

    def __init__(self, stream: LineStream) -> None:
        self._name = stream.name
        first = stream.first().strip()
        if first.startswith(("{", "[")):
            raise InputError(
                "JSON cannot be read a piece at a time",
                path=stream.name,
                hint="write one score a line, or a table with a header; or let truegain compare read it, all at once",
            )
        self.header: tuple[str, ...] | None = None
        self._wanted: dict[str, int] | None = None
        if "\t" not in first and number_in(first) is not None:
            return
        stream.skip_header()
        self.header = tuple(first.split("\t"))
        if any(number_in(one) is not None for one in self.header):
            raise InputError(
                "the first line of a table must name its columns",
                path=stream.name,
                line=1,
                hint="add a header, or keep one number a line",
            )
        if len(set(self.header)) < len(self.header):
            raise InputError("two columns of the table have one name", path=stream.name, line=1)
        named = [one for one in self.header if one.lower() in ID_NAMES]
        if named:
            raise InputError(
                f"the table has a column of ids, {named[0]!r}, and rows cannot be matched a piece at a time",
                path=stream.name,
                line=1,
                hint="bring all files into one order, and leave the column of ids out",
            )

    def columns(self, lines: Sequence[str], first: int) -> dict[str, NDArray[np.float64]]:
        """The columns of some lines.

        Parameters
        ----------
        lines : sequence of str
        first : int
            How many segments of the file came before.
        """
        offset = first + (1 if self.header is None else 2)
        if self.header is None:
            values = [required_number(line.strip(), self._name, offset + i) for i, line in enumerate(lines)]
            return {SCORE: np.array(values)}
        rows = [line.split("\t") for line in lines]
        for i, row in enumerate(rows):
            if len(row) != len(self.header):
                raise InputError(
                    f"{len(row)} columns where the header has {len(self.header)}", path=self._name, line=offset + i
                )
        if self._wanted is None:
            self._wanted = {
                name: place for place, name in enumerate(self.header) if number_in(rows[0][place].strip()) is not None
            }
            if not self._wanted:
                raise InputError("nothing is a number in the first segment", path=self._name, line=offset)
        return {
            name: np.array([required_number(row[place].strip(), self._name, offset + i) for i, row in enumerate(rows)])
            for name, place in self._wanted.items()
        }
