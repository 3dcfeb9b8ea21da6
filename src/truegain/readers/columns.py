"""A whole comparison in one table: references, systems, ids, documents and domains as columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError, Setting, one_of
from truegain.inputs import FileRole, InputFile
from truegain.notes import Note
from truegain.readers.any_format import read_table
from truegain.readers.cells import cells_of_files
from truegain.readers.column_names import (
    DOCUMENT_NAMES,
    DOMAIN_NAMES,
    ID_NAMES,
    OUTPUT_NAMES,
    REPEAT_NAMES,
    RUN_NAMES,
    SOURCE_NAMES,
    SYSTEM_NAMES,
    UNNAMED_COLUMN,
    Chosen,
    check_one_run,
    parts_of,
)
from truegain.readers.column_roles import TableSystems
from truegain.readers.matching import places_of
from truegain.readers.scored_tables import cells_of_scores
from truegain.readers.sources import short_names
from truegain.readers.table_corpus import ROW_PER_RUN, table_systems
from truegain.readers.tabular import Table, label_columns

REFERENCE = re.compile(r"(ref|reference|references|target)([._ -]?\d+)?", re.IGNORECASE)


def corpus_from_table(
    path: str,
    systems: Sequence[str] = (),
    *,
    documents: str | None = None,
    domains: str | None = None,
    reference_columns: Sequence[str] = (),
    id_column: str | None = None,
    document_column: str | None = None,
    domain_column: str | None = None,
    by: str | None = None,
    system_column: str | None = None,
    run_column: str | None = None,
    repeat_column: str | None = None,
    rater_column: str | None = None,
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
    documents, domains : str, optional
        Files of these, if the table has no columns of them; the columns named for them are those of the files.
    reference_columns : sequence of str
        By default the columns named ``ref``, ``ref1``, ``reference``, ….
    id_column, document_column, domain_column : str, optional
        By default columns with the usual names, if there are any.
    by : str, optional
        A column that segments are to be grouped by, or another grouping; the column is no system.
    system_column, run_column, repeat_column, rater_column, text_column : str, optional
        Of a long table: the columns of systems, runs, samples of an item, raters, and outputs.
    scores : bool
        It holds segment scores, not texts.
    name : str, optional
        What the test set is called; by default after the file.
    """
    chosen = Chosen(
        systems=system_column,
        runs=run_column,
        repeats=repeat_column,
        raters=rater_column,
        ids=id_column,
        documents=document_column if documents is None else None,
        domains=domain_column if documents is None and domains is None else None,
        outputs=text_column,
        references=tuple(reference_columns),
        by=by,
    )
    found = systems_of_table(path, systems, chosen, scores=scores)
    grouping = None
    if documents is not None or domains is not None:
        from truegain.readers.documents import read_grouping

        grouping = read_grouping(
            documents,
            domains,
            len(found.systems[0].runs[0]),
            document_column=document_column,
            domain_column=domain_column,
            ids=found.ids,
            id_column=id_column,
            has_documents=found.documents is not None,
        )
    return found.corpus(name or short_names([path])[0], grouping)


def systems_of_table(path: str, systems: Sequence[str], chosen: Chosen, *, scores: bool) -> TableSystems:
    """Read the systems of one table; see :func:`corpus_from_table`."""
    table = read_table(path, chosen if scores else None, of_systems=True).reaching(chosen.paths())
    if scores or _is_long(table, chosen):
        if scores and (chosen.references or chosen.outputs):
            raise InputError("a column of texts is named, and the table holds scores", path=path, hint="leave it out")
        cells = cells_of_scores([table], chosen) if scores else cells_of_files([table])
        return table_systems(cells, chosen, systems, texts=not scores)
    references = list(chosen.references) or [column for column in table.columns if REFERENCE.fullmatch(column)]
    ids = chosen.ids or table.named(ID_NAMES)
    documents = chosen.documents or table.named(DOCUMENT_NAMES)
    domains = chosen.domains or table.named(DOMAIN_NAMES)
    sources = table.named(SOURCE_NAMES)
    taken = {*references, ids, *parts_of(ids), documents, domains, sources, chosen.by}
    left = [column for column in table.columns if column not in taken]
    free = [column for column in left if not UNNAMED_COLUMN.fullmatch(column)]
    notes = [*table.notes, *(Note("columns", f"Column {name!r} is not used") for name in left if name not in free)]
    unused = {name: column for name, column in table.columns.items() if name not in systems}
    check_one_run(unused, table.name, (*RUN_NAMES, *REPEAT_NAMES), ROW_PER_RUN)
    if ids is not None:
        places_of(table.labels(ids, "the column of ids"), table.name)
    found = [_system(argument, table, free) for argument in systems or free]
    runs = [run.name for system in found for run in system.runs]
    for run in (run for run in runs if run in references):
        raise InputError(
            f"the column {run!r} is a reference and a system", path=table.name, hint="leave it out of the systems"
        )
    rows = len(table)
    files = [InputFile(table.name, "reference", rows, None, column) for column in references]
    files += [InputFile(table.name, "outputs", rows, one.name, run.name) for one in found for run in one.runs]
    others: tuple[tuple[FileRole, str | None], ...] = (
        ("documents", documents),
        ("domains", domains),
        ("source", sources),
    )
    files += [InputFile(table.name, role, rows, None, column) for role, column in others if column is not None]
    return TableSystems(
        table.name,
        found,
        {column: table.some_texts(column, "a column of references") for column in references},
        None,
        None if documents is None else table.labels(documents, "the column of documents"),
        None if domains is None else table.labels(domains, "the column of domains"),
        notes,
        files,
        _labels(table, chosen.by),
        Chosen(ids=ids, documents=documents, domains=domains, references=tuple(references), by=chosen.by),
        tuple(column for column in free if column not in runs),
        None if sources is None else table.texts(sources, "the column of sources"),
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
    asked = {"runs": chosen.runs, "samples": chosen.repeats, "raters": chosen.raters, "outputs": chosen.outputs}
    for what, column in asked.items():
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
    if again := next((one for place, one in enumerate(columns) if one in columns[:place]), None):
        raise InputError(
            f"the column {again!r} is given as a run of {name!r} twice", path=table.name, hint="leave one out"
        )
    return System(name, tuple(Run(column, tuple(table.texts(column, "a column of outputs"))) for column in columns))
