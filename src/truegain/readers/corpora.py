"""From files to a corpus."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError
from truegain.readers.documents import Grouping, read_documents, read_domains
from truegain.readers.harness import check_same_questions
from truegain.readers.markup import MarkupFiles, is_markup
from truegain.readers.matching import Layout, common_documents, match, order_by, read_outputs, read_texts, structures_of
from truegain.readers.plain import Lines
from truegain.readers.scores import ScoreTable, read_scores
from truegain.readers.sources import is_file, parse_sources, short_names

__all__ = ["read_corpus"]


def read_corpus(
    systems: Sequence[str],
    references: Sequence[str] = (),
    *,
    documents: str | None = None,
    document_column: str | None = None,
    domains: str | None = None,
    domain_column: str | None = None,
    id_column: str | None = None,
    text_column: str | None = None,
    references_per_line: int = 1,
    scores: Sequence[str] = (),
    outputs_are_scores: bool = False,
    name: str | None = None,
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
    documents, document_column, domain_column : str, optional
        See :func:`truegain.readers.documents.read_documents`. By default the documents that the files themselves name.
    domains : str, optional
        A file with the domain of each segment.
    id_column, text_column : str, optional
        Where texts are tables: the columns of ids and of texts.
    references_per_line : int
        How many references, separated by tabs, a line of a reference file holds.
    scores : sequence of str
        Segment scores of systems given as text: ``SYSTEM=FILE``, or a file that names the systems itself.
    outputs_are_scores : bool
        The files of the systems hold segment scores, not text.
    name : str, optional
        What the test set is called; by default after the first reference.
    """
    groups = [one for one in (documents, domains) if one is not None]
    _check_standard_input([*references, *groups, *_files(systems), *_files(scores)])
    layout = Layout(id_column, text_column)
    files = MarkupFiles()
    sides = [
        side
        for path in references
        for text in read_texts(path, layout, "reference", files)
        for side in _split_references(text, references_per_line)
    ]
    notes = list(dict.fromkeys(note for side in sides for note in side.notes))
    matched: list[Lines] = []
    if outputs_are_scores:
        found, ids = _scored_systems(systems, notes)
    else:
        matched, found = _text_systems(systems, sides, layout, files, notes)
        sides, ids = matched[: len(sides)], matched[0].ids
    if scores:
        found = _with_scores(found, scores, ids, notes)
    segments = len(sides[0].lines) if sides else len(found[0].runs[0])
    grouping = Grouping()
    if documents is None and (document_column is not None or domain_column is not None):
        raise InputError("a column of documents or domains is named, and no table of them is given", hint="--docs FILE")
    if documents is not None:
        grouping = read_documents(documents, segments, column=document_column, domain_column=domain_column, ids=ids)
    if domains is not None:
        if domain_column is not None:
            raise InputError("domains are given twice, as a file and as a column", hint="leave out one of the two")
        grouping = grouping.with_domains(*read_domains(domains, segments, ids=ids))
    notes.extend(grouping.notes)
    return Corpus.build(
        found,
        [side.lines for side in sides],
        documents=common_documents(matched) if documents is None else grouping.documents,
        domains=grouping.domains,
        name=name or (short_names([references[0]])[0] if references else "segment scores"),
        notes=notes,
        reference_names=[side.name for side in sides],
        structures=structures_of([*sides, *matched]),
    )


def _files(arguments: Sequence[str]) -> list[str]:
    """The files that arguments of the form FILE, NAME=FILE or NAME=FILE,FILE speak of."""
    return [
        file
        for argument in arguments
        for file in ([argument] if is_file(argument) else [argument, *argument.partition("=")[2].split(",")])
    ]


def _check_standard_input(files: Sequence[str]) -> None:
    if files.count("-") > 1:
        raise InputError("standard input (-) can be read only once")


def _split_references(side: Lines, count: int) -> list[Lines]:
    """A file with several references a line, separated by tabs, as sacreBLEU's ``--num-refs`` reads it."""
    if count == 1:
        return [side]
    # Lines are looked at before any room is made: the count may be any number.
    for number, line in enumerate(side.lines, 1):
        if (found := line.count("\t") + 1) < count:
            raise InputError(
                f"{found} references where {count} were expected",
                path=side.name,
                line=number,
                hint="check --num-refs",
            )
    columns = zip(*(line.split("\t", count - 1) for line in side.lines), strict=True)
    return [replace(side, name=f"{side.name} (reference {i + 1})", lines=list(one)) for i, one in enumerate(columns)]


def _text_systems(
    arguments: Sequence[str], sides: Sequence[Lines], layout: Layout, files: MarkupFiles, notes: list[str]
) -> tuple[list[Lines], list[System]]:
    """The references and the outputs of all runs, in one order where they have ids, and the systems."""
    sources = parse_sources([one for argument in arguments for one in _systems_in(argument, files)])
    outputs = [read_outputs(path, layout, files) for source in sources for path in source.paths]
    matched = match([*sides, *outputs])
    notes.extend(note for one in matched[len(sides) :] for note in one.notes)
    rest = iter(matched[len(sides) :])
    systems = []
    for source in sources:
        texts = [next(rest) for _ in source.paths]
        systems.append(System(source.name, tuple(Run(text.name, tuple(text.lines)) for text in texts)))
    return matched, systems


def _systems_in(argument: str, files: MarkupFiles) -> list[str]:
    """A file that names several systems stands for all of them."""
    if not is_markup(argument) or not is_file(argument):
        return [argument]
    names = list(files(argument).texts.get("system", {}))
    return [f"{argument}:{name}" for name in names] if len(names) > 1 else [argument]


def _scored_systems(arguments: Sequence[str], notes: list[str]) -> tuple[list[System], tuple[str, ...] | None]:
    """Systems whose files hold scores; a file that names its systems stands for all of them."""
    systems = []
    sources = parse_sources(arguments)
    tables = {path: _noted_scores(path, notes) for source in sources for path in source.paths}
    _check_questions([table for one in tables.values() for table in one])
    ids = next((table.ids for one in tables.values() for table in one), None)
    for source in sources:
        own = [_in_order(table, ids) for path in source.paths for table in tables[path]]
        if any(table.system is not None for table in own):
            names = short_names([table.system or source.name for table in own])
            systems += [
                System(short, (Run(table.system or table.name, None, table.columns, table.name),))
                for short, table in zip(names, own, strict=True)
            ]
        else:
            systems.append(
                System(source.name, tuple(Run(table.name, None, table.columns, table.name) for table in own))
            )
    return systems, ids


def _noted_scores(path: str, notes: list[str]) -> list[ScoreTable]:
    tables = read_scores(path)
    notes.extend(note for note in tables[0].notes if note not in notes)
    return tables


def _check_questions(tables: Sequence[ScoreTable]) -> None:
    check_same_questions([(table.name, table.questions) for table in tables if table.questions])


def _in_order(table: ScoreTable, ids: Sequence[str] | None) -> ScoreTable:
    """Scores in the order of the segments' ids; where only one of the two has ids they cannot be matched."""
    if (ids is None) != (table.ids is None):
        has, lacks = ("these scores", "the other files") if ids is None else ("the other files", "these scores")
        raise InputError(
            f"{has} have ids and {lacks} have none: they cannot be matched",
            path=table.name,
            hint="give ids to all files, or leave the column of ids out",
        )
    if ids is None or table.ids is None:
        return table
    order = np.array(order_by(table.ids, ids, table.name, "the first file"))
    return replace(table, columns={key: values[order] for key, values in table.columns.items()}, ids=tuple(ids))


def _with_scores(
    systems: Sequence[System], arguments: Sequence[str], ids: Sequence[str] | None, notes: list[str]
) -> list[System]:
    """Attach segment scores to systems given as text."""
    given: dict[str, list[ScoreTable]] = {}
    by_run: dict[str, ScoreTable] = {}
    known = [system.name for system in systems]
    runs = {os.path.normpath(run.name) for system in systems for run in system.runs}
    for argument in arguments:
        _, equals, _ = argument.partition("=")
        if equals and not is_file(argument):
            source = parse_sources([argument])[0]
            given.setdefault(source.name, []).extend(t for path in source.paths for t in _noted_scores(path, notes))
            continue
        tables = _noted_scores(argument, notes)
        if any(table.system is None for table in tables):
            raise InputError(
                "it does not say which system the scores belong to",
                path=argument,
                hint=f"write --scores {known[0]}={argument}",
            )
        # A system that the file names by the path of a run is that run; else the short name decides.
        for short, table in zip(short_names([str(table.system) for table in tables]), tables, strict=True):
            path = os.path.normpath(str(table.system))
            if path in runs:
                by_run[path] = table
            else:
                given.setdefault(short, []).append(table)
    _check_questions([*by_run.values(), *(table for tables in given.values() for table in tables)])
    unknown = [system for system in given if system not in known]
    if unknown:
        raise InputError(f"there are scores for {unknown[0]!r}, and the systems are {', '.join(known)}")
    result = []
    for one in systems:
        paths = [os.path.normpath(run.name) for run in one.runs]
        own = [by_run[path] for path in paths if path in by_run]
        tables = [_in_order(table, ids) for table in own or given.get(one.name, [])]
        if len(tables) != len(one.runs):
            raise InputError(
                f"there are scores for {len(tables)} of the {len(one.runs)} runs of {one.name!r}",
                hint=f"give them: --scores {one.name}=FILE",
            )
        scored = zip(one.runs, tables, strict=True)
        result.append(replace(one, runs=tuple(replace(r, scores=t.columns, scores_from=t.name) for r, t in scored)))
    return result
