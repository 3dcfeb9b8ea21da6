"""Systems and items of a table: a column per system, or a row per system and item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truegain.corpus import Run, System
from truegain.errors import InputError, Setting, one_of
from truegain.notes import Note
from truegain.readers.cells import Cells
from truegain.readers.column_names import (
    JUDGE_NAMES,
    RATER_NAMES,
    REPEAT_NAMES,
    RUN_NAMES,
    SYSTEM_NAMES,
    Chosen,
    check_one_run,
    column_key,
)
from truegain.readers.column_roles import ColumnRoles, TableSystems, listed
from truegain.readers.long_rows import LongTable
from truegain.readers.matching import places_of
from truegain.readers.scores import SCORE

#: How texts of several runs are given in one table.
ROW_PER_RUN = "make a row for each: columns system, id, run, output and ref; or give a column for each run: NAME=A,B"

_AS_ROWS = "of samples of one item, make a row per system, item and sample, with the columns system, id, sample, score"

#: Names of columns that tell scores of one item and system apart.
_OF_SCORES = (*RUN_NAMES, *REPEAT_NAMES, *RATER_NAMES, *JUDGE_NAMES)


def table_systems(cells: Cells, chosen: Chosen, systems: Sequence[str] = (), *, texts: bool) -> TableSystems:
    """Take the systems of a table: long if it has a column of systems, else wide.

    Parameters
    ----------
    cells : Cells
    chosen : Chosen
    systems : sequence of str
        Which systems, and in which order; by default all: in the order of files or columns, or sorted by name.
    texts : bool
        Systems have texts, if the table has references or outputs; else scores only.
    """
    if not len(cells):
        raise InputError(f"{cells.noun} has no rows", path=cells.path)
    column = cells.found(SYSTEM_NAMES, chosen.systems, "systems", Setting("system_column"), chosen.named())
    table = (_WideTable if column is None else LongTable)(cells, chosen, column, texts=texts)
    return table.read(systems)


class _WideTable(ColumnRoles):
    """A table with a column for each system."""

    def read(self, wanted: Sequence[str]) -> TableSystems:
        """Take every column that is left for a system: of texts if there are references, else of scores."""
        if self.references:
            columns = {name: self.cells.columns[name] for name in self.left() if name not in wanted}
            check_one_run(columns, self.cells.name, (*RUN_NAMES, *REPEAT_NAMES), ROW_PER_RUN)
        else:
            self._check_one_row_each(wanted)
        kind = ("text",) if self.references else ("number", "truth")
        if not self.references and any("C" in (self.cells.verdicts(name) or ()) for name in self.left()):
            self.cells = replace(self.cells, lone_letters=True)  # a system may be right, or wrong, in every row
        fit = [name for name in self.left() if self.cells.kind(name) in kind]
        for name in wanted:
            if name not in fit:
                raise one_of(f"{self.cells.name}: a column of {'outputs' if self.references else 'scores'}", name, fit)
        names = list(wanted) or fit
        if not names:
            raise InputError(
                f"no column of {self.cells.noun} holds "
                f"{'texts of a system' if self.references else 'scores'}; "
                f"it has {', '.join(map(repr, self.cells.columns)) or 'no columns'}",
                path=self.cells.path,
                hint="a column per system, and for texts one of references, named ref; or a row per system and item, "
                "with the columns system, id and score",
            )
        if not wanted:
            self.notes.append(Note("systems", f"Each of the columns {listed(names)} was taken for a system"))
        self._say_unused([name for name in self.left() if name not in names])
        rows = np.arange(len(self.cells))
        ids = None
        if self.ids is not None:
            own = self.cells.labels(self.ids)
            ids = tuple(own.values[code] for code in own.codes.tolist())
            places_of(ids, self.cells.name, _AS_ROWS)
        systems = []
        for name in names:
            if self.references:
                run = Run(name, tuple(self.cells.text(name, row) for row in rows.tolist()))
            else:
                run = Run(name, None, {SCORE: self._scores(name)})
            systems.append(System(name, (run,)))
            self._given(name, run, len(rows), self.cells.name, name if self.cells.in_files else None)
        return self._result(systems, rows, ids, [name for name in self.left() if name not in names])

    def _check_one_row_each(self, systems: Sequence[str]) -> None:
        """Refuse a column that tells scores of one item apart: a row of this table is an item."""
        for name in self.left():
            if column_key(name) in _OF_SCORES and name not in systems:
                counted = (f"if {name!r} numbers the items: ", Setting("id_column", name), "; if it says ")
                raise InputError(
                    f"the column {name!r} has no meaning in a table with a column for each system",
                    path=self.cells.path,
                    hint=(
                        *(
                            counted
                            if self.cells.in_files
                            else (f"if {name!r} numbers the items, call it id; if it says ",)
                        ),
                        f"who gave scores, or in which run, make a row for each: columns system, id, {name} and score; "
                        "otherwise leave it out",
                    ),
                )
