"""Plain text: one segment per line, compressed or not, or standard input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.compression import ENDINGS
from truegain.readers.decoding import decode
from truegain.readers.file_bytes import ByteStream

#: The longest line that is accepted, in characters: beyond it a file is not one segment per line.
LINE_LIMIT = 1_000_000

#: The most lines of a file: each takes memory, an empty one too.
LINES_LIMIT = 20_000_000

#: The most that a compressed file, one in XML or SGML, a pipe or a device may hold, in bytes.
SIZE_LIMIT = 1 << 29

_PIECE = 1 << 20  # bytes that are read at once
_BLOCK = 1 << 16  # likewise, if lines are made of them: they then stay in the processor's cache
_HELD = 1 << 11  # lines that are given at once


@dataclass(frozen=True)
class Lines:
    """The segments of a file, what should be said about it, and their ids and documents if it has them."""

    name: str
    lines: list[str]
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
    """Read one segment per line, as :class:`LineBlocks` finds them; with ``json``, a line of JSON may be long."""
    blocks = FileBlocks(path, json=json)
    lines: list[str] = []
    for block in blocks:
        lines += block
    return Lines(blocks.name, lines, blocks.said())


class LineBlocks:
    r"""The lines of a file, a block at a time.

    Lines end at ``\n`` and nowhere else: a lone ``\r``, U+2028 or ``\x0b`` stays inside its line. ``\r\n`` is accepted
    and said.

    Parameters
    ----------
    source : ByteStream
    longest : int, optional
        The most characters of a line that is waited for; by default a line is read to its end before it is refused.
    json : bool
        A line that begins as a list or an object in JSON may have as many characters as a file may have bytes.

    Attributes
    ----------
    name : str
        The file.
    ended : int
        Lines that were read to a line end; the last one of a file may have none.
    """

    def __init__(self, source: ByteStream, *, longest: int | None = None, json: bool = False) -> None:
        self.name = source.name
        self._json = json
        self.ended = 0
        self._source = source
        self._longest = longest
        self._mark = False
        self._returns = self._inside = 0

    def __iter__(self) -> Iterator[list[str]]:
        number = 0
        for block in cut_at_lines(self._source, self._longest):
            text = decode(block, self.name, before=number)
            if number == 0 and text.startswith("\ufeff"):
                text = text[1:]
                self._mark = True
            lines = text.split("\n")
            ended = len(lines) - 1
            self.ended += ended
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
                        raise too_long(f"{len(line):,}", self.name, place)
            number += len(lines)
            yield lines
        if number == 0:
            raise InputError("the file is empty", path=self.name, hint="is this the right file?")

    def notes(self, of: str = "") -> list[Note]:
        """Return what should be said of what was read; ``of`` follows the number of lines that end in a return."""
        said = []
        if self._mark:
            said.append(Note("byte-order-mark", "a byte order mark at its start was left out", file=self.name))
        if self._returns:
            text = f"{self._returns:,}{of} lines end in \\r\\n; the \\r was left out"
            said.append(Note("line-ends", text, file=self.name))
        if self._inside:
            where = "a line" if self._inside == 1 else f"{self._inside:,} lines"
            text = f"a carriage return stands inside {where} and was kept there"
            said.append(Note("carriage-returns", text, file=self.name))
        return said


class FileBlocks(LineBlocks):
    """The lines of a file that is read to its end, with the limits that hold then."""

    def __init__(self, path: str, *, json: bool = False) -> None:
        super().__init__(ByteStream(path, _BLOCK, limit=SIZE_LIMIT), json=json)

    def __iter__(self) -> Iterator[list[str]]:
        found = super().__iter__()
        for block in found:
            if self.ended > LINES_LIMIT:
                for _ in found:  # to say how many there are
                    pass
                raise InputError(
                    f"it has {self.ended:,} lines; the limit is {LINES_LIMIT:,}",
                    path=self.name,
                    hint="one segment per line is expected",
                )
            yield block

    def said(self) -> tuple[Note, ...]:
        """Return what should be said of the file, once all of it was read."""
        return tuple(self.notes(f" of {self.ended:,}"))


class HeldBlocks:
    """The lines of a file that are held, block by block as :class:`FileBlocks` gives them."""

    def __init__(self, source: Lines) -> None:
        self.name = source.name
        self._source = source

    def __iter__(self) -> Iterator[list[str]]:
        lines = self._source.lines
        return (lines[first : first + _HELD] for first in range(0, len(lines), _HELD))

    def said(self) -> tuple[Note, ...]:
        """Return what should be said of the file."""
        return self._source.notes


def cut_at_lines(source: ByteStream, longest: int | None = None) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks that end at the end of a line; a line longer than a block is a block."""
    begun: list[bytes] = []  # of a line whose end has not come yet
    waiting = lines = 0
    for data in source:
        cut = data.rfind(b"\n") + 1
        if cut:
            lines += data.count(b"\n")
            yield b"".join([*begun, data[:cut]])
            begun, waiting = [], 0
        begun.append(data[cut:])
        waiting += len(data) - cut
        if longest is not None and waiting > 4 * longest:  # a character has four bytes at most
            raise too_long(f"more than {longest:,}", source.name, lines + 1)
    if waiting:
        yield b"".join(begun)


def too_long(size: str, name: str, number: int) -> InputError:
    """Return the error about a line beyond :data:`LINE_LIMIT`."""
    return InputError(
        f"the line has {size} characters; the limit is {LINE_LIMIT:,}",
        path=name,
        line=number,
        hint="one segment per line is expected; does the file use other line ends?",
    )
