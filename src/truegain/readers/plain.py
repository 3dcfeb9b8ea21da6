"""Plain text: one segment per line, compressed or not, or standard input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.compression import ENDINGS
from truegain.readers.decoding import decode
from truegain.readers.file_bytes import ByteStream
from truegain.scratch import hold

#: The longest line that is accepted, in characters: beyond it a file is not one segment per line.
LINE_LIMIT = 1_000_000

#: The most lines of a file: each takes memory, an empty one too.
LINES_LIMIT = 20_000_000

#: The most that a compressed file, one in XML or SGML, a pipe or a device may hold, in bytes.
SIZE_LIMIT = 1 << 29

_PIECE = 1 << 20  # bytes that are read at once
_BLOCK = 1 << 16  # likewise, if lines are made of them: they then stay in the processor's cache
_TO_COUNT = 1 << 24  # likewise, for what is only counted
_HELD = 1 << 11  # lines that are given at once


@dataclass(frozen=True)
class Lines:
    """The segments of a file, what should be said about it, and their ids and documents if it has them."""

    name: str
    lines: Sequence[str]
    notes: tuple[Note, ...] = ()
    ids: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    structure: str | None = None  # what segments are that are not text: see Corpus.structures
    column: str | None = None  # of texts, and of ids, in a table
    id_column: str | None = None
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # columns that show the order, without ids

    def fit(self, other: Lines) -> Lines:
        """Bring another text onto the segments of this one: lines of text have them already."""
        return other


def by_order(name: str, other: str) -> Note:
    """Return the note on a file without ids that is used with one with ids."""
    return Note(
        "taken-in-order", f"{name} has no ids: its lines were taken for the segments of {other}, in their order"
    )


def ending(path: str) -> str:
    """Return the ending of a file's name, in lower case and without that of a compressed file."""
    pure = Path(path)
    return (pure.with_suffix("") if pure.suffix.lower() in ENDINGS else pure).suffix.lower()


def read_bytes(path: str, *, limit: int = SIZE_LIMIT) -> bytes:
    """Return the content of a file, decompressed by its ending; ``-`` is standard input.

    Parameters
    ----------
    path : str
    limit : int
        The most bytes of a compressed file, a pipe or a device.

    Raises
    ------
    InputError
        If it cannot be read, is compressed in another way than its name says, or holds too much.
    """
    return b"".join(ByteStream(path, _PIECE, limit=limit))


def read_lines(path: str, *, json: bool = False) -> Lines:
    """Read one segment per line, as :class:`FileBlocks` finds them; with ``json``, a line of JSON may be long."""
    blocks = FileBlocks(path, json=json)
    lines = hold(blocks, blocks.size)
    return Lines(blocks.name, lines, blocks.said())


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


class FileBlocks:
    r"""The lines of a file, a block at a time, with the limits that hold for all files of lines.

    Lines end at ``\n`` and nowhere else: a lone ``\r``, U+2028 or ``\x0b`` stays inside its line. ``\r\n`` is accepted
    and said.

    Parameters
    ----------
    path : str
    json : bool
        A line that begins as a list or an object in JSON may have as many characters as a file may have bytes.

    Attributes
    ----------
    name : str
        The file.
    size : int
        Its size in bytes, compressed as it is; 0 if that is not known.
    """

    def __init__(self, path: str, *, json: bool = False) -> None:
        self._source = ByteStream(path, _BLOCK, limit=SIZE_LIMIT)
        self.name, self.size = self._source.name, self._source.size
        self._json = json
        self._ended = 0  # lines that were read to a line end; the last one of a file may have none
        self._mark = False
        self._returns = self._inside = 0

    def __iter__(self) -> Iterator[list[str]]:
        found = self._lines()
        for block in found:
            if self._ended > LINES_LIMIT:
                for _ in found:  # to say how many there are
                    pass
                raise InputError(
                    f"it has {self._ended:,} lines; the limit is {LINES_LIMIT:,}",
                    path=self.name,
                    hint="one segment per line is expected",
                )
            yield block

    def _lines(self) -> Iterator[list[str]]:
        number = 0
        for block in cut_at_lines(self._source):
            text = decode(block, self.name, before=number)
            if number == 0 and text.startswith("\ufeff"):
                text = text[1:]
                self._mark = True
            lines = text.split("\n")
            ended = len(lines) - 1
            self._ended += ended
            if not lines[-1]:
                lines.pop()
            if "\r" in text:
                for place in range(ended):
                    if lines[place].endswith("\r"):
                        lines[place] = lines[place][:-1]
                        self._returns += 1
                self._inside += sum("\r" in line for line in lines)
            if len(text) > LINE_LIMIT and max(map(len, lines), default=0) > LINE_LIMIT:
                for place, line in enumerate(lines, number + 1):
                    if len(line) > (SIZE_LIMIT if self._json and line.lstrip()[:1] in {"{", "["} else LINE_LIMIT):
                        raise _too_long(len(line), self.name, place)
            number += len(lines)
            yield lines
        if number == 0:
            raise InputError("the file is empty", path=self.name, hint="is this the right file?")

    def said(self) -> tuple[Note, ...]:
        """Return what should be said of the file, once all of it was read."""
        said = []
        if self._mark:
            said.append(Note("byte-order-mark", "a byte order mark at its start was left out", file=self.name))
        if self._returns:
            text = f"{self._returns:,} of {self._ended:,} lines end in \\r\\n; the \\r was left out"
            said.append(Note("line-ends", text, file=self.name))
        if self._inside:
            where = "a line" if self._inside == 1 else f"{self._inside:,} lines"
            text = f"a carriage return stands inside {where} and was kept there"
            said.append(Note("carriage-returns", text, file=self.name))
        return tuple(said)


class HeldBlocks:
    """The lines of a file that are held, block by block as :class:`FileBlocks` gives them."""

    def __init__(self, source: Lines) -> None:
        self.name = source.name
        self._source = source

    def __iter__(self) -> Iterator[list[str]]:
        lines = self._source.lines
        return (list(lines[first : first + _HELD]) for first in range(0, len(lines), _HELD))

    def said(self) -> tuple[Note, ...]:
        """Return what should be said of the file."""
        return self._source.notes


def cut_at_lines(source: ByteStream) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks that end at the end of a line; a line longer than a block is a block."""
    begun: list[bytes] = []  # of a line whose end has not come yet
    for data in source:
        cut = data.rfind(b"\n") + 1
        if cut:
            yield b"".join([*begun, data[:cut]])
            begun = []
        if cut < len(data):
            begun.append(data[cut:])
    if begun:
        yield b"".join(begun)


def _too_long(length: int, name: str, number: int) -> InputError:
    return InputError(
        f"the line has {length:,} characters; the limit is {LINE_LIMIT:,}",
        path=name,
        line=number,
        hint="one segment per line is expected; does the file use other line ends?",
    )
