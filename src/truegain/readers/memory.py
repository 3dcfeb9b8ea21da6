"""From what Python programs hold to a corpus: sequences, arrays, paths."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Set, ValuesView
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus, Run, System, fixed
from truegain.errors import InputError, Setting, excerpt
from truegain.given_texts import check_runs
from truegain.inputs import IN_MEMORY, Grouping, InputFile, Inputs
from truegain.notes import Note
from truegain.readers.any_format import Files
from truegain.readers.cells import is_missing
from truegain.readers.decoding import check_characters
from truegain.readers.documents import read_documents, read_domains
from truegain.readers.file_names import sources_as_references, swapped_roles
from truegain.readers.formats import Layout
from truegain.readers.frames import corpus_from_frame, is_frame, is_series
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
from truegain.readers.scores import SCORE
from truegain.readers.sequences import check_indexes, in_order, label_stream
from truegain.readers.sources import is_file
from truegain.settings.groups import Frame

_NAMED = 'give them by name: {"base": […], "new": […]}'
_ONE_EACH = "give one value per segment"
_REFERENCE, _SOURCE = "a reference", "the source"  # those that are no files


def corpus_from_memory(
    references: Any,
    systems: Mapping[str, Any] | Frame | None,
    *,
    documents: Any = None,
    domains: Any = None,
    by: str | None = None,
    name: str = "test set",
    sources: Any = None,
) -> Corpus:
    """Build a corpus from what Python programs hold.

    Parameters
    ----------
    references : sequence of str, sequence of sequences, path, or None
        The segments of one reference; one sequence for each of several; or a file. A ``str`` or ``Path`` is a file; in
        a list, strings are segments and paths are files. None stands for a reference that a segment does not have.
    systems : mapping of str to outputs, or data frame
        The segments of a run, a file, or a sequence of such for several runs; arrays of numbers are segment scores,
        of several runs with a row per run.
        A mapping of training samples to such, if runs were trained on several samples. Of a data frame, references,
        documents and domains are names of columns; see :func:`truegain.readers.frames.corpus_from_frame`.
        None, if the first argument is the data frame.
    documents, domains : sequence of str, or a file, optional
        The document of each segment, and its domain. By default the documents that the files themselves name.
    by : str, optional
        A column of a data frame that segments are to be grouped by; it is no system.
    sources : sequence of str, or a file, optional
        The source of each segment. A data frame has it in a column ``source`` or ``src``.
    """
    if systems is None:
        if not is_frame(references):
            first = "; the reference comes first, None if there is none" if isinstance(references, Mapping) else ""
            raise TypeError(f"systems are needed: a mapping of names to outputs, or a data frame{first}")
        references, systems = None, references
    if is_frame(systems):
        if sources is not None:
            raise InputError("a data frame holds its sources itself", hint="name their column source")
        corpus = corpus_from_frame(systems, references, documents=documents, domains=domains, by=by)
        return replace(corpus, name=name)
    if not isinstance(systems, Mapping):
        raise InputError(
            f"systems must be a mapping of names to outputs; got {type(systems).__name__}",
            hint="the references come first, then the systems" if isinstance(references, Mapping) else _NAMED,
        )
    check_indexes(
        {"references": references, "systems": systems, "sources": sources, "documents": documents, "domains": domains}
    )
    files = Files()
    sides: list[Lines] = []
    given = [] if references is None else _several(references, "references")
    for place, one in enumerate(given):
        if any(one is other for other in given[:place]):
            raise InputError("one reference is given twice", hint="a reference counts once: leave one out")
        if isinstance(one, str | os.PathLike):
            sides += read_texts(os.fspath(one), Layout(), "reference", files)
        else:
            sides.append(_side(one, _REFERENCE, missing=True))
    outputs: list[tuple[str, str | None, str, bool, Lines | NDArray[np.float64]]] = []
    for system, by_system in systems.items():
        if not isinstance(system, str):
            raise InputError(f"the name of a system must be a text; got {system!r}", hint=f'give {{"{system}": …}}')
        if isinstance(by_system, Mapping):
            _check_samples(by_system, system)
        by_sample = {str(key): one for key, one in by_system.items()} if isinstance(by_system, Mapping) else None
        for sample, given in ({None: by_system} if by_sample is None else by_sample).items():
            _check_shape(given, system)
            own = system if sample is None else f"{system}.{sample}"
            runs = _several(given, repr(own))
            check_runs(own, [os.fspath(one) for one in runs if isinstance(one, str | os.PathLike)])
            names = [own] if len(runs) == 1 else [f"{own}.{i + 1}" for i in range(len(runs))]
            outputs.extend(
                (system, sample, label, isinstance(one, str | os.PathLike), _run(label, one, files))
                for label, one in zip(names, runs, strict=True)
            )
    source = None if sources is None else _source(sources, files)
    texts = [one for *_, one in outputs if isinstance(one, Lines)]
    if source is not None and not texts:
        raise InputError("segment scores need no source", hint=("leave out ", Setting("sources")))
    matched = match([*sides, *texts, *([] if source is None else [source])])
    rest = iter(matched[len(sides) :])
    read = [text_file(side, None, IN_MEMORY if side.name == _REFERENCE else None) for side in matched[: len(sides)]]
    found: dict[str, list[Run]] = {system: [] for system in systems}
    for system, sample, label, in_file, one in outputs:
        if isinstance(one, Lines):
            text = next(rest)
            found[system].append(Run(text.name, fixed(text.lines), sample=sample))
            read.append(text_file(text, system, None if in_file else IN_MEMORY))
        else:
            found[system].append(Run(label, None, {SCORE: one}, sample=sample))
            read.append(InputFile(IN_MEMORY, "scores", len(one), system))
    if source is not None:
        read.append(text_file(matched[-1], None, IN_MEMORY if source.name == _SOURCE else None, otherwise="source"))
    built = [System(system, tuple(runs)) for system, runs in found.items()]
    grouping = _grouping(documents, domains, matched, len(built[0].runs[0]) if built else 0)
    in_files = common_documents(matched) if documents is None else None
    inputs = Inputs(
        (*read, *grouping.files),
        "id" if matched and all(text.ids is not None for text in matched) else "line",
        grouping.source("documents") or (None if in_files is None else name_of_documents(matched)),
        grouping.source("domains"),
    )
    return Corpus.build(
        built,
        [side.lines for side in matched[: len(sides)]],
        documents=grouping.documents or in_files,
        domains=grouping.domains,
        name=name,
        notes=[
            *_on_roles(read),
            *dict.fromkeys(note for text in matched for note in text.notes),
            *grouping.notes,
            *inputs.notes(),
        ],
        reference_names=[
            f"reference {i + 1}" if side.name == _REFERENCE else side.name for i, side in enumerate(sides)
        ],
        structures=structures_of(matched),
        inputs=inputs,
        labels=grouping.labels,
        sources=None if source is None else matched[-1].lines,
        ids=matched[0].ids if matched and all(text.ids is not None for text in matched) else None,
    )


def _on_roles(read: Sequence[InputFile]) -> list[Note]:
    """Say which files have the name of something else."""
    references, outputs = (
        [one.name for one in read if one.role == role and one.name != IN_MEMORY] for role in ("reference", "outputs")
    )
    return [*sources_as_references(references), *swapped_roles(references, outputs)]


def _source(given: Any, files: Files) -> Lines:
    if isinstance(given, str | os.PathLike):
        return read_sources(os.fspath(given), Layout(), files)
    return _side(given, _SOURCE)


def _grouping(documents: Any, domains: Any, texts: Sequence[Lines], scored: int) -> Grouping:
    segments = len(texts[0].lines) if texts else scored
    ids = None
    if texts and texts[0].ids is not None:
        ids = Ids(texts[0].name, texts[0].ids, column=texts[0].id_column)
    grouping = Grouping()
    if isinstance(documents, str | os.PathLike):
        grouping = read_documents(os.fspath(documents), segments, ids=ids)
    elif documents is not None:
        grouping = Grouping(_labels(documents, "documents", "document id"))
    if isinstance(domains, str | os.PathLike):
        alone = documents is None and common_documents(texts) is None
        return grouping.with_domains(read_domains(os.fspath(domains), segments, ids=ids, with_documents=alone))
    if domains is None:
        return grouping
    return grouping.with_domains(Grouping(domains=_labels(domains, "domains", "domain")))


def _labels(given: Any, name: str, what: str) -> list[str]:
    return list(label_stream(in_order(given, name), what))


def _several(given: Any, name: str) -> list[Any]:
    """Return one thing, or those that a sequence holds: paths, sequences of lines, arrays of numbers."""
    if isinstance(given, str | os.PathLike):
        return [given]
    items = in_order(given, name)
    if not items:
        raise InputError(f"{name}: there are no segments in it", hint=_ONE_EACH)
    if all(isinstance(one, os.PathLike) or _is_several(one) for one in items):
        _check_no_words(items, name)
        return items
    if all(isinstance(one, str) and _is_name_of_file(one) for one in items):
        raise InputError(
            f"a list of strings is a list of segments, and these are names of files: {items[0]!r}, …",
            hint="give files as pathlib.Path objects",
        )
    return [items]


def _check_no_words(items: Sequence[Any], name: str) -> None:
    """Refuse lists of different lengths as runs or references if they look like the words of segments."""
    lists = [one for one in items if isinstance(one, list | tuple)]
    lengths = list(dict.fromkeys(map(len, lists)))
    words = (word for one in lists for word in one)
    if len(lists) == len(items) and len(lengths) > 1 and all(isinstance(one, str) and " " not in one for one in words):
        raise InputError(
            f"{name} is a list of lists of different lengths, {lengths[0]:,} and {lengths[1]:,}: are these words?",
            hint='a segment is one string: [" ".join(words) for words in …]; lists in a list are runs or references',
        )


def _check_shape(given: Any, system: str) -> None:
    """Refuse an array with a row per segment: rows are runs, and these would be many runs of few segments."""
    if isinstance(given, np.ndarray) and given.ndim == 2 and given.shape[0] > given.shape[1]:
        rows, columns = given.shape
        raise InputError(
            f"the array of {system!r} has {rows:,} rows and {columns:,} columns; "
            f"are these {rows:,} runs of {columns:,} segments?",
            hint=f"give array.T for {columns:,} runs of {rows:,} segments, or list(array) for rows that are runs",
        )


def _check_samples(given: Mapping[Any, Any], system: str) -> None:
    """Refuse a mapping of segments: what is given by name are training samples, each with all segments."""
    if not given:
        raise InputError(f"{system!r}: there are no segments in it", hint=_ONE_EACH)
    for key, one in given.items():
        text = isinstance(one, str) and (isinstance(key, int) or " " in one) and not is_file(one)
        if text or isinstance(one, int | float | np.number | np.bool_):
            raise InputError(
                f"{system!r} is a {type(given).__name__} with a {'text' if text else 'number'} per key; outputs are a "
                "list of segments, or by name the runs of training samples",
                hint="give a list: [values[one] for one in ids], with the same ids for every input",
            )


def _is_name_of_file(text: str) -> bool:
    """Return whether a text names a file; an empty segment, or one of a full stop, is not meant as a folder."""
    return text.strip() not in ("", ".", "..") and is_file(text)


def _is_several(value: Any) -> bool:
    """Return whether a value holds segments, and is no segment itself; sets and mappings are refused later."""
    held = isinstance(value, Sequence | np.ndarray | Set | Mapping | ValuesView) or is_series(value) or is_frame(value)
    return held and not isinstance(value, str | bytes)


def _side(given: Any, name: str, *, missing: bool = False) -> Lines:
    lines: list[Any] = [None if is_missing(line) else line for line in in_order(given, name)]
    for number, line in enumerate(lines, 1):
        if line is None and not missing:
            raise InputError(
                f"segment {number:,} of {name} is missing; a string was expected",
                hint='give "" for an empty output, or leave the segment out of all inputs',
            )
        if not (isinstance(line, str) or line is None):
            raise InputError(f"segment {number:,} of {name} is {type(line).__name__}; a string was expected")
        if line is not None:
            check_characters(line, f"segment {number:,} of {name}")
    # Lines as Python reads them from a file have their ends; those of files that are read here have none.
    return Lines(name, [line and line.removesuffix("\n").removesuffix("\r") for line in lines])


def _run(name: str, given: Any, files: Files) -> Lines | NDArray[np.float64]:
    if isinstance(given, str | os.PathLike):
        return read_outputs(os.fspath(given), Layout(), files)
    items = in_order(given, repr(name))
    if isinstance(_first(items), int | float | np.number | np.bool_):
        return _finite(_numbers(items, name), name)
    return replace(_side(items, repr(name)), name=name)


def _first(items: Sequence[Any]) -> Any:
    """Return the first value that is not missing, or else the first: it tells scores from texts."""
    return next((one for one in items if not is_missing(one)), items[0] if items else None)


def _numbers(items: Sequence[Any], name: str) -> NDArray[np.float64]:
    """Return scores as an array, true as 1 and false as 0; refuse a mix of truth values and numbers."""
    truths = isinstance(_first(items), bool | np.bool_)
    for number, one in enumerate(items, 1):
        truth = isinstance(one, bool | np.bool_)
        if truth != truths or not (truth or isinstance(one, int | float | np.number)):
            expected = "true or false" if truths else "a number"
            raise InputError(
                f"segment {number:,} of {name!r} is {excerpt(str(one))}; {expected} was expected",
                hint="a segment without a score must be left out of all systems",
            )
    return np.array(items, np.float64)


def _finite(values: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    odd = np.flatnonzero(~np.isfinite(values))
    if odd.size:
        raise InputError(
            f"the score of segment {odd[0] + 1:,} of {name!r} is {values[odd[0]]}",
            hint="scores must be finite; leave a segment without a score out of all systems",
        )
    return values
