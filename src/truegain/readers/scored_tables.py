"""Files of scores that together are one table, with a column that names the systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from truegain.errors import InputError, Setting
from truegain.readers.any_format import read_columns
from truegain.readers.cells import Cells, cells_of_files
from truegain.readers.column_names import (
    FILE_COLUMN,
    RATER_NAMES,
    REPEAT_NAMES,
    RUN_NAMES,
    SYSTEM_NAMES,
    Chosen,
    column_key,
)
from truegain.readers.column_roles import TableSystems
from truegain.readers.field_columns import coded
from truegain.readers.formats import File
from truegain.readers.sources import Source
from truegain.readers.table_corpus import table_systems
from truegain.readers.tabular import Table


def systems_in_tables(
    sources: Sequence[Source], named: bool, files: dict[str, File], chosen: Chosen
) -> TableSystems | None:
    """Return the systems of files that name them in a column; None if each file is of one system.

    Without a named column, files are such a table if all have one of a usual name, and systems differ.

    Parameters
    ----------
    sources : sequence of Source
    named : bool
        Some systems are named: NAME=FILE.
    files : dict of str to File
        The files by path, as far as they were opened; others are added.
    chosen : Chosen

    Raises
    ------
    InputError
        If a column of systems, runs, samples or raters is named, and the files are no such table.
    """
    paths = [path for source in sources for path in source.paths]
    asked = {"systems": chosen.systems, "runs": chosen.runs, "samples": chosen.repeats, "raters": chosen.raters}
    what, column = next(((what, one) for what, one in asked.items() if one is not None), (None, None))
    for other, one in asked.items():
        before = next(key for key, own in asked.items() if own == one)
        if one is not None and other != before:
            raise InputError(
                f"the column {one!r} is named for {before} and for {other}", hint="name it for one of them"
            )
    if named and column is not None:
        raise InputError(
            f"a column of {what} is named, {column!r}, and so are systems: NAME=FILE",
            hint="give the table as it is; its column names the systems",
        )
    tables: list[Table] = []
    for path in paths if not named else ():
        table = read_columns(files.setdefault(path, File(path, table=True, scores=chosen)))
        if table is None or (chosen.systems is None and table.named(SYSTEM_NAMES, chosen.named()) is None):
            tables = []
            if column is not None:
                found = "it is not a table" if table is None else "it has no column of a usual name for systems"
                raise InputError(f"a column of {what} is named, {column!r}, and {found}", path=path)
            break
        tables.append(table)
    if not tables:
        return None
    cells = cells_of_scores(tables, chosen)
    systems = cells.found(SYSTEM_NAMES, chosen.systems, "systems", Setting("system_column"), chosen.named())
    if column is None and systems is not None and len(cells.labels(systems).values) == 1:
        return None
    return table_systems(cells, chosen, texts=False)


def runs_in_tables(sources: Sequence[Source], files: dict[str, File], chosen: Chosen) -> TableSystems | None:
    """Return systems whose files have a column of runs, samples or raters: columns mean what they do in a long table.

    None if a file has no such column, or if the files of a system are its runs and hold samples.
    """
    tables: list[Table] = []
    for source in sources:
        own = _with_system(source, files, chosen)
        if not own:
            return None
        tables += own
    chosen = chosen._replace(systems=FILE_COLUMN)
    return table_systems(cells_of_scores(tables, chosen), chosen, texts=False)


def _with_system(source: Source, files: dict[str, File], chosen: Chosen) -> list[Table]:
    """Return the tables of a system, with its name in every row; none if they are to be read one by one."""
    tables: list[Table] = []
    for path in source.paths:
        table = read_columns(files.setdefault(path, File(path, table=True, scores=chosen)))
        if table is None or table.named((*RUN_NAMES, *REPEAT_NAMES, *RATER_NAMES), chosen.named()) is None:
            return []
        systems = [key for key in table.columns if column_key(key) in SYSTEM_NAMES]
        if any(len(set(table.columns[key])) > 1 for key in systems):  # refused if they would be averaged
            return []
        columns = {key: own for key, own in table.columns.items() if key not in systems}
        tables.append(replace(table, columns=columns | {FILE_COLUMN: coded([source.name] * len(table))}))
    if len(tables) == 1 or all(table.named(RUN_NAMES, chosen.named()) is not None for table in tables):
        return tables
    others = [table.named((*REPEAT_NAMES, *RATER_NAMES), chosen.named()) or "" for table in tables]
    values = [set(table.columns[key]) for table, key in zip(tables, others, strict=True)]
    if len(tables) == len(set().union(*values)) and all(len(one) == 1 for one in values):
        raise InputError(
            f"the files are given as runs of {source.name!r}, and each has another value in its column {others[0]!r}",
            path=source.paths[0],
            hint="if these are runs, call the column run; else put the rows of these files into one",
        )
    return []


def cells_of_scores(tables: Sequence[Table], chosen: Chosen) -> Cells:
    """Return the rows of tables with what stands inside their objects: columns that are named, or else scores."""
    cells = cells_of_files([table.reaching(chosen.paths()) for table in tables], by_option=chosen.by_option)
    taken = {name for name in cells.columns if name in chosen.paths()}
    if any(cells.kind(name) in ("number", "truth") for name in cells.columns if name not in taken):
        return cells
    inside = [name for table in tables for name in table.numbers_inside()]
    if not inside:
        return cells
    reaching = [table.reaching([*chosen.paths(), *inside]) for table in tables]
    return cells_of_files(reaching, by_option=chosen.by_option)
