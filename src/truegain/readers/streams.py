"""Files that are read a few lines at a time, and never held: plain text, compressed or not, or standard input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest

from truegain.errors import InputError, command, excerpt
from truegain.notes import Note
from truegain.readers.decoding import check_characters, decode
from truegain.readers.file_bytes import ByteStream
from truegain.readers.formats import named, segments_of
from truegain.readers.look_alikes import LOOK
from truegain.readers.plain import LINE_LIMIT, LineBlocks, cut_at_lines, too_long
from truegain.readers.sources import split_choice

_BYTES = 1 << 20  # read at once
_TO_COUNT = 1 << 24  # likewise, for what is only counted
_LINES = 8192  # to a piece
_CHARACTERS = 1 << 24  # to a piece, of all files together
_LOOKED_AT = 1 << 20  # characters at the start of a file


class LineStream:
    """The lines of a file, or of anything else that gives lines, one after the other.

    Lines end where :func:`truegain.readers.plain.read_lines` ends them, and what that notes is counted here.

    Parameters
    ----------
    source : str or iterable of str
        A path, ``-`` for standard input, or the lines themselves.
    name : str, optional
        What to call it, if it is no file.

    Attributes
    ----------
    name : str
    """

    def __init__(self, source: str | Iterable[str], name: str | None = None) -> None:
        self._source: ByteStream | None = None
        self._plain = False
        self._blocks: LineBlocks | None = None
        if isinstance(source, str):
            segments = _segments(source)
            self._source = ByteStream(source, _BYTES)
            self.name = self._source.name
            self._plain = not named(source)
            self._blocks = LineBlocks(self._source, longest=LINE_LIMIT)
            self._lines: Iterator[str] = segments(chain.from_iterable(self._blocks), self.name)
        else:
            self.name = name or "lines"
            self._lines = self._given(source)

    @property
    def size(self) -> int:
        """Return the size of the file in bytes, compressed as it is; 0 if that is not known."""
        return 0 if self._source is None else self._source.size

    @property
    def consumed(self) -> int:
        """Return how many bytes of the file were read."""
        return 0 if self._source is None else self._source.consumed

    def __iter__(self) -> Iterator[str]:
        return self._lines

    def first(self) -> str:
        """Return the first line, which stays to be read."""
        line = next(self._lines)
        self._lines = chain([line], self._lines)
        return line

    def look(self) -> list[str]:
        """Return lines from the first on, which stay to be read: enough to tell a format; of a plain file only."""
        found: list[str] = []
        size = 0
        if self._plain:
            for line in islice(self._lines, LOOK):
                found.append(line)
                size += len(line)
                if size >= _LOOKED_AT:
                    break
            self._lines = chain(found, self._lines)
        return found

    def notes(self) -> list[Note]:
        """Return what should be said of what was read."""
        return [] if self._blocks is None else self._blocks.notes()

    def _given(self, lines: Iterable[str]) -> Iterator[str]:
        number = 0
        for number, line in enumerate(lines, 1):
            if not isinstance(line, str):
                raise InputError(f"segment {number:,} of {self.name} is {type(line).__name__}; a string was expected")
            check_characters(line, f"segment {number:,}", self.name)
            if len(line) > LINE_LIMIT:
                raise too_long(f"{len(line):,}", self.name, number)
            yield line
        if number == 0:
            raise InputError("there are no segments in it", path=self.name)


def pieces(
    streams: Sequence[LineStream], *, lines: int = _LINES, characters: int = _CHARACTERS
) -> Iterator[list[tuple[str, ...]]]:
    """Yield rows of lines, one of each file, a piece at a time.

    Parameters
    ----------
    streams : sequence of LineStream
    lines, characters : int
        About the most that a piece has, of all files together; a single row may have more.

    Raises
    ------
    InputError
        If one file ends before another, when its end is reached.
    """
    rows: list[tuple[str, ...]] = []
    size = 0
    for number, row in enumerate(zip_longest(*streams)):
        if None in row:
            raise _unequal(streams, row, number)
        rows.append(row)
        size += sum(map(len, row))
        if len(rows) >= lines or size >= characters:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def _unequal(streams: Sequence[LineStream], row: Sequence[str | None], segments: int) -> InputError:
    short = streams[row.index(None)]
    longer, line = next((stream, line) for stream, line in zip(streams, row, strict=True) if line is not None)
    shown = excerpt(line.strip())
    return InputError(
        f"it ends after {segments:,} lines, and {longer.name} goes on: its line {segments + 1:,} ({shown}) has no "
        "counterpart",
        path=short.name,
        line=segments,
        hint="every file must have one line for each segment, in the same order",
    )


def _segments(path: str) -> Callable[[Iterable[str], str], Iterator[str]]:
    """Return what reads the segments of a file from its lines; refuse a format that is read as a whole."""
    segments = segments_of(split_choice(path)[0])
    if segments is None:
        raise InputError(
            "only one segment per line can be read a piece at a time, in plain text or compressed",
            path=path,
            hint=("write one segment per line; or let ", command("compare"), " read the file, all of it at once"),
        )
    return segments


def read_pieces(path: str, size: int = _TO_COUNT) -> Iterator[list[str]]:
    """Yield the lines of a file, compressed or not, some megabytes at a time: for what is only counted."""
    source = ByteStream(path, size)
    lines = 0
    for block in cut_at_lines(source):  # without limits: a text of training may be large, and all of it one line
        text = decode(block, source.name, before=lines)
        if lines == 0:
            text = text.removeprefix("\ufeff")
        found = text.removesuffix("\n").split("\n")
        lines += len(found)
        yield found
    if lines == 0:
        raise InputError("the file is empty", path=source.name, hint="is this the right file?")
