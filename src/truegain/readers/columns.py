"""A whole comparison in one table: references, systems, ids, documents and domains as columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError, Setting, one_of
from truegain.inputs import FileRole, InputFile, Inputs
from truegain.readers.cells import cells_of_files
from truegain.readers.formats import read_table
from truegain.readers.matching import places_of
from truegain.readers.scored_tables import cells_of_scores
from truegain.readers.sources import short_names
from truegain.readers.table_corpus import table_systems
from truegain.readers.tabular import (
    DOCUMENT_NAMES,
    DOMAIN_NAMES,
    ID_NAMES,
    OUTPUT_NAMES,
    SYSTEM_NAMES,
    Chosen,
    Table,
    label_columns,
)

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
    system_column: str | None = None,
    run_column: str | None = None,
    repeat_column: str | None = None,
    text_column: str | None = None,
    scores: bool = False,
    name: str | None = None,
) -> Corpus:
    """Read a corpus from one table, CSV or TSV with a header, JSON lines or a list in JSON.

    It is long, a row per system and item, if it has a column of systems and holds scores or a column of outputs.

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
    system_column, run_column, repeat_column, text_column : str, optional
        Of a long table: the columns of systems, runs, samples of an item, and outputs.
    scores : bool
        It holds segment scores, not texts.
    name : str, optional
        What the test set is called; by default after the file.
    """
    chosen = Chosen(
        systems=system_column,
        runs=run_column,
        repeats=repeat_column,
        ids=id_column,
        documents=document_column,
        domains=domain_column,
        outputs=text_column,
        references=tuple(reference_columns),
        by=by,
    )
    table = read_table(path).reaching(chosen.paths())
    if scores or _is_long(table, chosen):
        if scores and (reference_columns or text_column):
            raise InputError("a column of texts is named, and the table holds scores", path=path, hint="leave it out")
        cells = cells_of_scores([table], chosen) if scores else cells_of_files([table])
        return table_systems(cells, chosen, systems, texts=not scores).corpus(name or short_names([path])[0])
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


def _is_long(table: Table, chosen: Chosen) -> bool:
    """Return whether texts are in one column, and another names their systems."""
    if chosen.systems is not None:
        return True
    for what, column in (("runs", chosen.runs), ("samples", chosen.repeats), ("outputs", chosen.outputs)):
        if column is not None:
            raise InputError(
                f"a column of {what} is named, {column!r}, and none of systems",
                path=table.name,
                hint=("name it: ", Setting("system_column")),
            )
    return table.named(SYSTEM_NAMES) is not None and table.named(OUTPUT_NAMES) is not None


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
