"""Files read in whichever format they are: as one text, several texts, a table, or scores.

:mod:`truegain.readers.formats` has the formats and tells which of them a file may have; here they are tried in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from truegain.errors import InputError, Setting
from truegain.readers.formats import File, Format, Layout, Texts, any_file, is_table, load, marked, named, opened
from truegain.readers.plain import Lines
from truegain.readers.score_values import is_header, names_columns

if TYPE_CHECKING:
    from truegain.readers.column_names import Chosen
    from truegain.readers.scores import ScoreTable
    from truegain.readers.tabular import Table

_AS_IT_IS = Layout()


class Files:
    """Files that hold several texts, each read once however many of its texts are asked for."""

    def __init__(self) -> None:
        self._read: dict[str, Texts | None] = {}
        self._opened: dict[str, File] = {}

    def __call__(self, path: str) -> Texts | None:
        """Return the texts that the file holds; None if it is one text, whose role and name it does not say."""
        if path not in self._read:
            file = File(path, table=is_table(path))
            found = (form.texts(file) for form in named(path) or marked(file.lines.lines) if form.texts is not None)
            self._read[path] = next((texts for texts in found if texts is not None), None)
            if self._read[path] is None:
                self._opened[path] = file
        return self._read[path]

    def take(self, path: str) -> File:
        """Return a file that holds one text, as it was opened to look at it; it is no longer held here."""
        return self._opened.pop(path, None) or File(path, table=is_table(path))


def read_text(source: str | File, layout: Layout = _AS_IT_IS) -> Lines:
    """Read one text: by the ending of the file, by columns if some are named, else a segment per line."""
    file = File(source, table=is_table(source)) if isinstance(source, str) else source
    own = named(file.path)
    # Without columns only an ending makes a file a table: what reads tables need not be loaded.
    for form in chain(own, any_file() if layout.tables else [load("lines")]):
        if form.text is not None and (text := form.text(file, layout)) is not None:
            return text
        if form.segments is not None:
            return _collected(form.segments, file.lines)
    raise AssertionError("the last format takes any file")


def _collected(segments: Callable[[Iterable[str], str], Iterator[str]], source: Lines) -> Lines:
    lines = list(segments(source.lines, source.name))
    if not lines:
        raise InputError("there are no segments in it", path=source.name, hint="is this the right file?")
    return Lines(source.name, lines, source.notes)


def read_table(path: str, scores: Chosen | None = None, *, of_systems: bool = False) -> Table:
    """Read columns with names: by the ending of the file, else CSV or TSV with a header.

    Parameters
    ----------
    path : str
    scores : Chosen, optional
        See :class:`truegain.readers.formats.File`.
    of_systems : bool
        The columns are to be those of a comparison: a log is refused, which says itself what its scores are.
    """
    file = File(path, table=True, scores=scores)
    for form in _with_columns(file):
        if of_systems and form.is_log is not None and form.is_log(file):
            raise InputError(
                f"this is {form.about}: it is not a table, and names its own scores",
                path=path,
                hint=("give it as a system: ", Setting("metrics", ("scores",))),
            )
        if form.table is not None and (table := form.table(file)) is not None:
            return table
    raise AssertionError("any file is a table of tabs")


def read_scores(source: str | File, id_column: str | None = None) -> list[ScoreTable]:
    """Read a file of segment scores, one table for each system that it names.

    The format is known by the ending, if one of that ending takes the file, or else by the content. True and false are
    1 and 0. Rows of one id are samples of one item, and averaged.

    Parameters
    ----------
    source : str or File
        A path, or the file if it was opened.
    id_column : str, optional
        The column of ids, which the file must have; by default one with a usual name, if there is one.
    """
    file = File(source, table=True) if isinstance(source, str) else source
    file.scores = None  # texts may show whether rows of files fit together
    for form in _with_scores(file):
        if form.scores is not None and (tables := form.scores(file, id_column)) is not None:
            return tables
    raise AssertionError("the last format takes any file")


def read_columns(file: File) -> Table | None:
    """Return a file of scores as columns with names; None if it has no such columns."""
    own = named(file.path)
    if own and all(form.table is None for form in own):  # it may be no text
        return None
    if any(form.binary for form in own):
        pass
    elif opened(file.head[0]):
        if isinstance(file.json, dict):  # lists by system, or a single record
            return None
    elif not is_header(file.head[0]) and not own and not marked(file.head):
        return None
    for form in _with_scores(file):
        if form.is_log is not None and form.is_log(file):
            return None
        if form.table is not None and (table := form.table(file)) is not None:
            return table if names_columns(list(table.columns)) else None
    return None


def _with_scores(file: File) -> Iterator[Format]:
    """Yield the formats to try; lines are read only if none of that ending takes the file, which may be no text."""
    yield from named(file.path)
    yield from opened(file.head[0])
    yield from marked(file.head)
    yield from any_file()


def _with_columns(file: File) -> Iterator[Format]:
    """Yield the formats to try if columns are asked for."""
    yield from named(file.path)
    yield from marked(file.head)
    yield from any_file()
