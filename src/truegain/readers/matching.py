"""Texts with ids, brought into one order by them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from truegain.errors import InputError, Setting
from truegain.inputs import FileRole, InputFile
from truegain.notes import Note
from truegain.readers.any_format import Files, read_text
from truegain.readers.column_names import SOURCE_NAMES
from truegain.readers.formats import Layout, Role, is_table, named
from truegain.readers.look_alikes import check_look
from truegain.readers.orders import check_row_order
from truegain.readers.plain import Lines
from truegain.readers.score_values import number_in
from truegain.readers.sources import split_choice

_AS_RUNS = "give samples of one item as runs, a file for each: NAME=FILE1,FILE2"


class Ids(NamedTuple):
    """The ids of the segments, in the order that all files are brought into, and the file they come from.

    Attributes
    ----------
    by_row : bool
        Whether this is the order of the file's rows, too: lines without ids can be told apart by it alone.
    column : str, optional
        What the file calls them: another table is matched by its column of this name.
    """

    name: str
    values: tuple[str, ...]
    by_row: bool = True
    column: str | None = None


def read_texts(path: str, layout: Layout, role: Role, files: Files) -> list[Lines]:
    """Read the texts of a file: one, or all those of a file of several that have this role, unless one is chosen."""
    file, choice = split_choice(path)
    several = None if layout.tables and is_table(file) else files(file)
    if several is not None:
        return several.of(role) if choice is None else [several.chosen(choice, role)]
    text = read_text(files.take(path), layout)
    if named(path) or layout.tables:
        return [text]
    doubts = check_look(text.lines, text.name, role, references_per_line=layout.references_per_line)
    return [replace(text, notes=(*text.notes, *doubts))]


def read_sources(path: str, layout: Layout, files: Files) -> Lines:
    """Read the source of the segments."""
    found = read_texts(path, replace(layout, first_names=SOURCE_NAMES), "source", files)
    if len(found) > 1:
        raise InputError(f"it holds {len(found)} sources", path=path, hint=f"choose one: {path}:NAME")
    return found[0]


def read_outputs(path: str, layout: Layout, files: Files) -> Lines:
    """Read the outputs of one system; of a file that holds those of several, one must be chosen."""
    found = read_texts(path, layout, "system", files)
    if len(found) > 1:
        several = files(path)
        names = [] if several is None else several.texts["system"]
        raise InputError(
            f"it holds the outputs of {len(found)} systems: {', '.join(names)}",
            path=path,
            hint=f"choose one: {path}:NAME",
        )
    return found[0]


def match(texts: Sequence[Lines]) -> list[Lines]:
    """Bring texts onto the segments of the first, and into its order by their ids; without ids they stay as they are.

    Raises
    ------
    InputError
        If some have ids and others do not, an id occurs twice, or one is missing.
    """
    texts = [text if text is texts[0] else texts[0].fit(text) for text in texts]
    ids, note = common_ids([(text.name, text.ids) for text in texts])
    if ids is None:
        check_row_order((text.name, text.keys) for text in texts)
    if note is not None:
        texts[0] = replace(texts[0], notes=(*texts[0].notes, note))
    return texts if ids is None else [_reordered(text, ids) for text in texts]


def common_ids(files: Sequence[tuple[str, Sequence[str] | None]]) -> tuple[Ids | None, Note | None]:
    """Return the ids that files are matched by, if they have any, and what should be said about it.

    Ids that only count the rows, from 0 or 1, say no more than the order of lines: then files without any may be
    used with them.

    Parameters
    ----------
    files : sequence of (name, ids)

    Raises
    ------
    InputError
        If some files have other ids, and some have none.
    """
    named = [Ids(name, tuple(ids)) for name, ids in files if ids is not None]
    without = next((name for name, ids in files if ids is None), None)
    if not named or without is None:
        return (named[0] if named else None), None
    other = next((one for one in named if not count_rows(one.values)), None)
    if other is None:
        text = f"{without} has no ids, and those of {named[0].name} count its rows: files were paired by line"
        return None, Note("paired-by-line", text)
    raise InputError(
        f"it has no ids, and {other.name} has: they cannot be matched",
        path=without,
        hint="give ids to all files, or to none",
    )


def count_rows(ids: Sequence[str], groups: Sequence[str] | None = None) -> bool:
    """Return whether ids are numbers that count rows, from 0 or 1: all of them, or those of each group."""
    last: dict[str, int] = {}
    for place, one in enumerate(ids):
        group = "" if groups is None else groups[place]
        expected = {str(last[group] + 1)} if group in last else {"0", "1"}
        if one.strip() not in expected:
            return False
        last[group] = int(one)
    return True


def _reordered(text: Lines, ids: Ids) -> Lines:
    places = order_by(text.ids or (), ids.values, text.name, ids.name)
    documents = None if text.documents is None else tuple(text.documents[place] for place in places)
    lines = [text.lines[place] for place in places]
    return replace(text, lines=lines, ids=ids.values, documents=documents)


def common_documents(texts: Sequence[Lines]) -> tuple[str, ...] | None:
    """Return the documents that the files themselves name, if any does; those that do must agree."""
    named = [text for text in texts if text.documents is not None]
    if not named:
        return None
    first = named[0].documents or ()
    for text in named[1:]:
        for number, (one, other) in enumerate(zip(first, text.documents or (), strict=False), 1):
            if one != other:
                raise InputError(
                    f"segment {number:,} is in the document {other!r}; in {named[0].name} it is in {one!r}",
                    path=text.name,
                    hint=(
                        "are the files of the same test set? Documents given with ",
                        Setting("documents"),
                        " are used instead",
                    ),
                )
    return first


def name_of_documents(texts: Sequence[Lines]) -> str | None:
    """Return the first of the files that name documents themselves."""
    return next((text.name for text in texts if text.documents is not None), None)


def text_file(
    text: Lines, system: str | None, name: str | None = None, *, otherwise: FileRole = "reference"
) -> InputFile:
    """Return what was read: outputs of a system, or otherwise a reference, from a file of another name perhaps."""
    role: FileRole = otherwise if system is None else "outputs"
    return InputFile(name or text.name, role, len(text.lines), system, text.column, text.id_column)


def structures_of(texts: Sequence[Lines]) -> dict[str, str]:
    """Return the structure of files that hold something else than text, by name."""
    return {text.name: text.structure for text in texts if text.structure is not None}


def order_by(ids: Sequence[str], order: Sequence[str], name: str, first: str, *, others: bool = False) -> list[int]:
    """Return the place in ``ids`` of each id of ``order``; ``name`` and ``first`` are the files they come from.

    With ``others``, ids that ``order`` lacks are left out; else they are refused.
    """
    place = places_of(ids, name)
    missing = [one for one in order if one not in place]
    if missing:
        raise InputError(
            f"{len(missing):,} of {len(order):,} ids of {first} are missing, the first {missing[0]!r}",
            path=name,
            hint=same_number(missing[0], ids) or "every file must have every segment, in any order",
        )
    if len(place) > len(order) and not others:
        wanted = set(order)
        extra = next(one for one in ids if one not in wanted)
        message = f"{len(place) - len(order):,} ids are not in {first}, the first {extra!r}"
        raise InputError(message, path=name, hint=same_number(extra, order))
    return [place[one] for one in order]


def same_number(missing: str, ids: Iterable[str]) -> str | None:
    """Say which of these ids is the same number as one that is missing: 29.0 and 29, or 000 and 0."""
    number = number_in(missing.strip())
    if number is None:
        return None
    alike = next((one for one in ids if one != missing and number_in(one.strip()) == number), None)
    return None if alike is None else f"{alike!r} and {missing!r} are two ids: write numbers in one way everywhere"


def places_of(ids: Sequence[str], name: str, way: str = _AS_RUNS) -> dict[str, int]:
    """Return the place of each id, from 0; refuse an id that occurs twice: ``way`` says how to give samples."""
    place: dict[str, int] = {}
    for number, one in enumerate(ids):
        if one in place:
            raise InputError(
                f"the id {one!r} occurs twice, in rows {place[one] + 1:,} and {number + 1:,}",
                path=name,
                hint=f"every segment needs an id of its own; {way}",
            )
        place[one] = number
    return place
