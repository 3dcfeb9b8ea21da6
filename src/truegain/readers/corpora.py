"""From files to a corpus."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from truegain.corpus import Corpus, Run, System, fixed
from truegain.errors import FILE, InputError, Setting
from truegain.inputs import Grouping, InputFile, Inputs
from truegain.notes import Note
from truegain.readers.any_format import Files
from truegain.readers.column_names import Chosen
from truegain.readers.file_names import roles_as_systems, runs_as_systems, sources_as_references, systems_as_runs
from truegain.readers.formats import File, Layout, is_table
from truegain.readers.matching import (
    Ids,
    common_documents,
    match,
    name_of_documents,
    read_outputs,
    read_sources,
    read_texts,
    structures_of,
    text_file,
)
from truegain.readers.plain import Lines
from truegain.readers.sources import Source, is_file, parse_sources, short_names
from truegain.settings.function import names_parameters

if TYPE_CHECKING:
    from truegain.readers.column_roles import TableSystems

_HELD = "read_corpus reads files; give lists and arrays to compare, score or rank"


@names_parameters
def read_corpus(
    systems: Sequence[str],
    references: Sequence[str] = (),
    *,
    documents: str | None = None,
    document_column: str | None = None,
    domains: str | None = None,
    domain_column: str | None = None,
    id_column: str | None = None,
    system_column: str | None = None,
    run_column: str | None = None,
    repeat_column: str | None = None,
    rater_column: str | None = None,
    text_column: str | None = None,
    references_per_line: int | None = None,
    scores: Sequence[str] = (),
    outputs_are_scores: bool = False,
    name: str | None = None,
    sources: str | None = None,
) -> Corpus:
    """Read a corpus from files.

    Parameters
    ----------
    systems : sequence of str
        Paths, ``NAME=GLOB`` or ``NAME=a,b``. Files ending in ``.trn`` and ``.jsonl`` carry ids and are matched by them;
        those ending in ``.conllu`` are treebanks and are brought onto the words of the reference. One ending in
        ``.xml``, ``.sgm`` or ``.sgml`` stands for all systems it holds, or for one: ``FILE.xml:NAME``.
    references : sequence of str
        One path for each reference; a file in XML or SGML has all its references, unless one is chosen.
    documents, document_column : str, optional
        See :func:`truegain.readers.documents.read_documents`. By default the documents that the files themselves name.
    domains, domain_column : str, optional
        A file with the domain of each segment, and the column of domains in it, or else in the file of documents.
    id_column : str, optional
        The column of ids in every table: of texts, scores, documents and domains.
    system_column, run_column, repeat_column, rater_column : str, optional
        If files of scores are one table with a row per system and item: the columns that tell systems, runs, samples
        of an item and raters apart. Columns of documents and domains are then its own, without files of them.
    text_column : str, optional
        If texts are tables: the column of texts.
    references_per_line : int, optional
        How many references, separated by tabs, a line of a reference file holds; with 1, tabs are text. By default 1,
        but a file with the same number of tabs in every line is refused.
    scores : sequence of str
        Segment scores of systems given as text: ``SYSTEM=FILE``, or a file that names the systems itself.
    outputs_are_scores : bool
        The files of the systems hold segment scores, not text.
    name : str, optional
        What the test set is called; by default after the first reference.
    sources : str, optional
        A file with the source of each segment, for metrics that read it.
    """
    systems, references = _paths(systems, "systems"), _paths(references, "references")
    scores = _paths(scores, "scores")
    alone = [one for one in (documents, domains, sources) if one is not None]
    for what, file in (("documents", documents), ("domains", domains), ("sources", sources)):
        if not isinstance(file, str | os.PathLike | None):
            raise InputError(f"{what} must be a file; got {reprlib.repr(file)}", hint=_HELD)
    _check_standard_input([*references, *alone, *_files(systems), *_files(scores)])
    if outputs_are_scores and references:
        raise InputError(
            "segment scores need no reference", hint="leave the reference out, or choose a metric of texts"
        )
    if outputs_are_scores and sources is not None:
        raise InputError("segment scores need no source", hint=("leave out ", Setting("sources")))
    if references_per_line is not None and not references:
        raise InputError(
            "there is no reference file that could hold several per line",
            hint=("give it: ", Setting("references", FILE)),
        )
    chosen = Chosen(
        systems=system_column,
        runs=run_column,
        repeats=repeat_column,
        raters=rater_column,
        ids=id_column,
        documents=document_column if documents is None else None,
        domains=domain_column if documents is None and domains is None else None,
    )
    if not outputs_are_scores:
        _check_long(chosen)
    layout = Layout(id_column, text_column, references_per_line)
    files = Files()
    sides = [
        side
        for path in references
        for text in read_texts(path, layout, "reference", files)
        for side in _split_references(text, references_per_line or 1)
    ]
    notes = list(dict.fromkeys(note for side in sides for note in side.notes))
    matched: list[Lines] = []
    paths = list(references)
    read: list[InputFile] = []
    labels: dict[str, tuple[str | None, ...]] = {}
    if not outputs_are_scores:
        notes += [*sources_as_references(references), *roles_as_systems(systems)]
    notes.extend(runs_as_systems(systems))
    table: TableSystems | None = None
    if outputs_are_scores:
        from truegain.readers.scored_systems import scored_systems
        from truegain.readers.scored_tables import runs_in_tables, systems_in_tables

        given, opened = parse_sources(systems), dict[str, File]()
        table = systems_in_tables(given, any("=" in one and not is_file(one) for one in systems), opened, chosen)
        table = table or runs_in_tables(given, opened, chosen)
        if table is None:
            table = scored_systems(given, opened, chosen, documents=documents is None)
        found, ids, labels = table.systems, table.ids, dict(table.labels)
        notes, read = [*notes, *table.notes], [*read, *table.files]
    else:
        given = parse_sources([one for argument in systems for one in _systems_in(argument, layout, files)])
        paths += [path for source in given for path in source.paths]
        matched, found = _text_systems(given, sides, layout, files, notes, sources)
        owners = [None] * len(sides) + [source.name for source in given for _ in source.paths]
        read += [text_file(text, owner) for text, owner in zip(matched, owners, strict=False)]
        if sources is not None:
            paths.append(sources)
            read.append(text_file(matched[-1], None, otherwise="source"))
        sides, ids = matched[: len(sides)], _ids_of(matched)
    notes += [note for source in given for note in systems_as_runs(source.name, source.paths)]
    if table is None:
        _check_columns(documents, document_column, domains, domain_column)
    if scores:
        from truegain.readers.scored_systems import with_scores

        originals = [] if sources is None else matched[-1:]
        found = with_scores(found, scores, matched[0], id_column, notes, read, labels, sides, originals)
    segments = len(sides[0].lines) if sides else len(found[0].runs[0])
    if sources is not None:
        check_sources(len(matched[-1].lines), segments, sources)
    grouping = Grouping()
    if documents is not None or domains is not None:
        from truegain.readers.documents import read_grouping

        own = common_documents(matched) if table is None else table.documents
        grouping = read_grouping(
            documents,
            domains,
            segments,
            document_column=document_column,
            domain_column=domain_column,
            ids=ids,
            id_column=id_column,
            has_documents=own is not None,
        )
    notes.extend(note for note in grouping.notes if note not in notes)
    grouped = any(file.id_column is not None for file in grouping.files)
    _check_applies(layout, paths, matched, scored=outputs_are_scores or bool(scores), grouped=grouped)
    in_files: Sequence[str] | None = common_documents(matched) if documents is None else None
    by_files, own_domains = name_of_documents(matched), None
    if table is not None:
        in_files, own_domains = table.documents if documents is None else None, table.domains
        by_files = table.name
    unnamed = "scores" if outputs_are_scores else "test set"
    titled = [*references, *([] if sources is None else [sources])]
    inputs = Inputs(
        (*read, *grouping.files),
        "line" if ids is None else "id",
        grouping.source("documents") or (None if in_files is None else by_files),
        grouping.source("domains") or (None if own_domains is None else by_files),
    )
    return Corpus.build(
        found,
        [side.lines for side in sides],
        documents=grouping.documents or in_files,
        domains=grouping.domains or own_domains,
        name=name or (short_names([titled[0]])[0] if titled else unnamed),
        notes=[*notes, *inputs.notes()],
        reference_names=[side.name for side in sides],
        structures=structures_of([*sides, *matched]),
        inputs=inputs,
        labels={**labels, **grouping.labels},
        sources=None if sources is None else matched[-1].lines,
        ids=None if ids is None else ids.values,
    )


def _paths(given: Any, name: str) -> list[str]:
    """Return paths, and NAME=FILE, as texts.

    Raises
    ------
    InputError
        If something else is given in place of a list of files.
    """
    if isinstance(given, str | os.PathLike):
        raise InputError(f"{name} must be a list of files; got one, {os.fspath(given)!r}", hint=f"give {name}=[…]")
    if isinstance(given, Mapping | set | frozenset):
        raise InputError(
            f"{name} must be a list of files; got a {type(given).__name__}", hint=f'give {name}=["NAME=FILE", …]'
        )
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise InputError(f"{name} must be a list of files; got {reprlib.repr(given)}", hint=f"give {name}=[…]")
    found = list(given)
    for one in found:
        if not isinstance(one, str | os.PathLike):
            raise InputError(f"{name} must be a list of files; got {reprlib.repr(one)} in it", hint=_HELD)
    return [os.fspath(one) for one in found]


def check_sources(count: int, segments: int, path: str) -> None:
    """Refuse a source of another number of segments."""
    if count != segments:
        raise InputError(
            f"{count:,} lines of source for {segments:,} segments", path=path, hint="is it the source of this test set?"
        )


def _check_columns(
    documents: str | None, document_column: str | None, domains: str | None, domain_column: str | None
) -> None:
    for what, column, files in (
        ("documents", document_column, (documents,)),
        ("domains", domain_column, (documents, domains)),
    ):
        if column is not None and not any(files):
            raise InputError(
                f"a column of {what} is named, {column!r}, and no table of them is given",
                hint=(
                    *(() if what == "documents" else (Setting("domains", FILE), ", or ")),
                    Setting("documents", FILE),
                ),
            )


def _check_long(chosen: Chosen) -> None:
    asked = {"systems": chosen.systems, "runs": chosen.runs, "samples": chosen.repeats, "raters": chosen.raters}
    for what, column in asked.items():
        if column is not None:
            raise InputError(
                f"a column of {what} is named, {column!r}, and the files are texts of one system each",
                hint=("such a table holds scores: ", Setting("metrics", ("scores",))),
            )


def _check_applies(
    layout: Layout, paths: Sequence[str], texts: Sequence[Lines], *, scored: bool, grouped: bool
) -> None:
    """Refuse names of columns that no file was read by."""
    of_ids = any(text.id_column is not None for text in texts)
    of_texts = any(text.column is not None for text in texts)
    for what, column, used in (
        ("ids", layout.id_column, of_ids or scored or grouped),
        ("texts", layout.text_column, of_texts),
    ):
        if column is not None and not used:
            other = f" ({paths[0]} is none)" if paths else " of texts"
            raise InputError(
                f"a column of {what} is named, {column!r}, and there is no table{other}", hint="leave it out"
            )


def _ids_of(texts: Sequence[Lines]) -> Ids | None:
    """Return the ids that texts were matched by; files of which some have none were paired by line."""
    if any(text.ids is None for text in texts):
        return None
    return Ids(texts[0].name, texts[0].ids or (), column=texts[0].id_column)


def _files(arguments: Sequence[str]) -> list[str]:
    """Return the files in arguments of the form FILE, NAME=FILE or NAME=FILE,FILE."""
    return [
        file
        for argument in arguments
        for file in ([argument] if is_file(argument) else [argument, *argument.partition("=")[2].split(",")])
    ]


def _check_standard_input(files: Sequence[str]) -> None:
    if files.count("-") > 1:
        raise InputError("standard input (-) can be read only once")


def _split_references(side: Lines, count: int) -> list[Lines]:
    """Split a file with several references per line, separated by tabs, as sacreBLEU's ``--num-refs`` does."""
    if count == 1:
        return [side]
    # Lines are looked at before any room is made: the count may be any number.
    for number, line in enumerate(side.lines, 1):
        if (found := line.count("\t") + 1) < count:
            raise InputError(
                f"{found} references where {count} were expected",
                path=side.name,
                line=number,
                hint=("check ", Setting("references_per_line")),
            )
    columns = zip(*(line.split("\t", count - 1) for line in side.lines), strict=True)
    return [replace(side, name=f"{side.name} (reference {i + 1})", lines=list(one)) for i, one in enumerate(columns)]


def _text_systems(
    systems: Sequence[Source],
    sides: Sequence[Lines],
    layout: Layout,
    files: Files,
    notes: list[Note],
    sources: str | None,
) -> tuple[list[Lines], list[System]]:
    """Return references, outputs of all runs and the source, in one order if they have ids, and the systems."""
    outputs = [read_outputs(path, layout, files) for system in systems for path in system.paths]
    source = [] if sources is None else [read_sources(sources, layout, files)]
    matched = match([*sides, *outputs, *source])
    notes.extend(note for one in matched for note in one.notes if note not in notes)
    rest = iter(matched[len(sides) :])
    found = []
    for system in systems:
        texts = [next(rest) for _ in system.paths]
        found.append(System(system.name, tuple(Run(text.name, fixed(text.lines)) for text in texts)))
    return matched, found


def _systems_in(argument: str, layout: Layout, files: Files) -> list[str]:
    """Return an argument for each system of a file that names several; one with named columns is a table."""
    table = layout.tables and is_table(argument)
    several = files(argument) if is_file(argument) and not table else None
    names = [] if several is None else list(several.texts.get("system", {}))
    return [f"{argument}:{name}" for name in names] if len(names) > 1 else [argument]
