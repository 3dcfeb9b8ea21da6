"""Plain text: one segment a line, compressed or not, or standard input."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from truegain.errors import InputError
from truegain.readers.compression import ENDINGS
from truegain.readers.decoding import decode
from truegain.readers.file_bytes import ByteStream

__all__ = [
    "LINES_LIMIT",
    "LINE_LIMIT",
    "SIZE_LIMIT",
    "Lines",
    "ending",
    "read_bytes",
    "read_lines",
    "too_long",
]

#: The longest line that is accepted, in characters: beyond it a file is not one segment a line.
LINE_LIMIT = 1_000_000

#: The most lines of a file: each takes memory, an empty one too.
LINES_LIMIT = 20_000_000

#: The most that a compressed file, one in XML or SGML, a pipe or a device may hold, in bytes.
SIZE_LIMIT = 1 << 29

_PIECE = 1 << 20  # read at once


@dataclass(frozen=True)
class Lines:
    """The segments of a file, what should be said about it, and their ids and documents where it has them."""

    name: str
    lines: list[str]
    notes: tuple[str, ...] = ()
    ids: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    structure: str | None = None  # what segments are that are not text: see Corpus.structures
    column: str | None = None  # of texts, and of ids, in a table
    id_column: str | None = None

    def fit(self, other: Lines) -> Lines:
        """Bring another text onto the segments of this one: lines of text have them already."""
        return other


def ending(path: str) -> str:
    """What a file's name ends in, in lower case; the ending of a compressed file says nothing of what is in it."""
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
    return ByteStream(path, _PIECE).read(limit)


def read_lines(path: str) -> Lines:
    r"""Read one segment a line.

    Lines end at ``\n`` and nowhere else: a lone ``\r``, U+2028 or ``\x0b`` stays inside its line. ``\r\n`` is accepted
    and said.
    """
    name = "standard input" if path == "-" else path
    data = read_bytes(path)
    if (count := data.count(b"\n")) > LINES_LIMIT:
        raise InputError(
            f"it has {count:,} lines; the limit is {LINES_LIMIT:,}", path=name, hint="one segment a line is expected"
        )
    text = decode(data, name)
    notes = []
    if text.startswith("\ufeff"):
        text = text[1:]
        notes.append(f"{name}: a byte order mark at its start was left out")
    if not text:
        raise InputError("the file is empty", path=name, hint="is this the right file?")
    lines = text.split("\n")
    last = lines.pop()  # what stands after the last line end
    if "\r" in text:
        ends = sum(line.endswith("\r") for line in lines)
        if ends:
            lines = [line.removesuffix("\r") for line in lines]
            notes.append(f"{name}: {ends:,} of {len(lines):,} lines end in \\r\\n; the \\r was left out")
        inside = sum("\r" in line for line in [*lines, last])
        if inside:
            where = "a line" if inside == 1 else f"{inside:,} lines"
            notes.append(f"{name}: a carriage return stands inside {where} and was kept there")
    if last:
        lines.append(last)
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_LIMIT:
            raise too_long(f"{len(line):,}", name, number)
    return Lines(name, lines, tuple(notes))


def too_long(size: str, name: str, number: int) -> InputError:
    """What to say of a line beyond :data:`LINE_LIMIT`."""
    return InputError(
        f"the line has {size} characters; the limit is {LINE_LIMIT:,}",
        path=name,
        line=number,
        hint="one segment a line is expected; does the file use other line ends?",
    )
