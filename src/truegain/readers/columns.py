"""A whole comparison in one table: references, systems, ids, documents and domains as columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError, one_of
from truegain.inputs import FileRole, InputFile, Inputs
from truegain.readers.formats import read_table
from truegain.readers.matching import places_of
from truegain.readers.sources import short_names
from truegain.readers.tabular import DOCUMENT_NAMES, DOMAIN_NAMES, ID_NAMES, Table, label_columns

__all__ = ["corpus_from_table"]

_REFERENCE = re.compile(r"(ref|reference|references|target)([._ -]?\d+)?", re.IGNORECASE)
_SOURCE_NAMES = ("src", "source")


def corpus_from_table(
    path: str,
    systems: Sequence[str] = (),
    *,
    reference_columns: Sequence[str] = (),
    id_column: str | None = None,
    document_column: str | None = None,
    domain_column: str | None = None,
    by: str | None = None,
    name: str | None = None,
) -> Corpus:
    """Read a corpus from one table, TSV with a header or JSON lines.

    Parameters
    ----------
    path : str
    systems : sequence of str
        Columns, ``NAME=PATTERN`` or ``NAME=a,b`` for runs; by default every column that is nothing else.
    reference_columns : sequence of str
        By default the columns named ``ref``, ``ref1``, ``reference``, ….
    id_column, document_column, domain_column : str, optional
        By default columns with the usual names, if there are any.
    by : str, optional
        A column that segments are to be grouped by, or another grouping; the column is no system.
    name : str, optional
        What the test set is called; by default after the file.
    """
    table = read_table(path)
    references = list(reference_columns) or [column for column in table.columns if _REFERENCE.fullmatch(column)]
    ids = id_column or table.named(ID_NAMES)
    documents = document_column or table.named(DOCUMENT_NAMES)
    domains = domain_column or table.named(DOMAIN_NAMES)
    taken = {*references, ids, documents, domains, table.named(_SOURCE_NAMES), by}
    free = [column for column in table.columns if column not in taken]
    if ids is not None:
        places_of(table.labels(ids, "the column of ids"), table.name)
    found = [_system(argument, table, free) for argument in systems or free]
    for run in (run for system in found for run in system.runs if run.name in references):
        raise InputError(
            f"the column {run.name!r} is a reference and a system", path=table.name, hint="leave it out of the systems"
        )
    rows = len(table)
    files = [InputFile(table.name, "reference", rows, None, column) for column in references]
    files += [InputFile(table.name, "outputs", rows, one.name, run.name) for one in found for run in one.runs]
    groups: tuple[tuple[FileRole, str | None], ...] = (("documents", documents), ("domains", domains))
    files += [InputFile(table.name, role, rows, None, column) for role, column in groups if column is not None]
    return Corpus.build(
        found,
        [table.some_texts(column, "a column of references") for column in references],
        documents=None if documents is None else table.labels(documents, "the column of documents"),
        domains=None if domains is None else table.labels(domains, "the column of domains"),
        name=name or short_names([path])[0],
        notes=table.notes,
        reference_names=[f"the column {column!r}" for column in references],
        labels=_labels(table, by),
        inputs=Inputs(
            tuple(files),
            "line",
            None if documents is None else table.name,
            None if domains is None else table.name,
        ),
    )


def _labels(table: Table, by: str | None) -> dict[str, tuple[str | None, ...]]:
    """Return the columns that segments can be grouped by."""
    found = label_columns(table.columns)
    return (
        found if by is None or by not in table.columns else {**found, by: tuple(table.labels(by, "a column of groups"))}
    )


def _system(argument: str, table: Table, free: Sequence[str]) -> System:
    name, equals, rest = argument.partition("=")
    name = name.strip()
    if not equals or argument in table.columns:
        name, rest = argument, argument
    columns: list[str] = []
    for pattern in [rest] if rest in table.columns else rest.split(","):
        matching = [pattern] if pattern in table.columns else [one for one in free if fnmatchcase(one, pattern)]
        if not matching:
            raise one_of(f"{table.name}: a column of outputs", pattern, list(free))
        columns.extend(matching)
    return System(name, tuple(Run(column, tuple(table.texts(column, "a column of outputs"))) for column in columns))
