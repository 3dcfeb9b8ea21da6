"""Tables and texts that are too large to be held: in scratch files, which are gone when the process is.

The files lie in the folder of the cache without a name, so that the system removes what they hold however the process
ends.
"""

from __future__ import annotations

import mmap
import operator
import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, overload

from truegain.cache_folder import bytes_in_environment, default_directory
from truegain.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_HELD = 256 << 20
_LINE = 57  # bytes of a line beside its characters: its place in a list, and what Python adds to a text
_END = ord("\n")
_GROUP = 64  # lines, of which the place of the first is known
_GROUPS = 256  # that are read back at once


def most_held() -> int:
    """Return how many bytes a table or a text may take in memory: ``$TRUEGAIN_MEMORY``, or 256 MiB."""
    return bytes_in_environment("TRUEGAIN_MEMORY", _MOST_HELD)


def table(rows: int, columns: int, kind: type[np.float32 | np.float64] | None = None) -> NDArray[Any]:
    """Return a table of numbers to be filled: in memory, or in a scratch file if it is too large.

    Parameters
    ----------
    rows, columns : int
    kind : type
        Of its numbers, by default float64.

    Raises
    ------
    InputError
        If there is no room for the file.
    """
    import numpy as np

    kind = kind or np.float64
    size = np.dtype(kind).itemsize * rows * columns
    if size <= most_held():
        return np.empty((rows, columns), kind)
    with _scratch_file(size) as stream:
        if hasattr(os, "posix_fallocate"):  # a disk that is full later would end the process
            os.posix_fallocate(stream.fileno(), 0, size)
        return np.asarray(np.memmap(stream, kind, shape=(rows, columns)))


def stretches(count: int, size: int = 1 << 16) -> Iterator[slice]:
    """Yield slices that cut so many rows, or columns, into pieces that are looked at one after the other."""
    for first in range(0, count, size):
        yield slice(first, min(first + size, count))


def hold(blocks: Iterable[list[str]], size: int = 0) -> Sequence[str]:
    """Hold the lines of a text: in memory, or in a scratch file if they are too large.

    Parameters
    ----------
    blocks : iterable of lists of str
        Some lines at a time.
    size : int
        How many bytes are to come at least, if that is known.
    """
    rest = iter(blocks)
    lines: list[str] = []
    held, most = 0, most_held()
    while max(held, size) <= most:
        block = next(rest, None)
        if block is None:
            return lines
        lines += block
        held += sum(map(len, block)) + _LINE * len(block)
    return LinesOnDisk(chain(_taken_from(lines), rest), size)


def _taken_from(lines: list[str]) -> Iterator[list[str]]:
    """Yield a list of lines, which is empty then."""
    if lines:
        yield lines
        lines.clear()


class LinesOnDisk(Sequence[str]):
    """The lines of a text in a scratch file, from which they are read whenever they are asked for.

    Parameters
    ----------
    blocks : iterable of lists of str
        Some lines at a time, none of which holds the end of a line.
    size : int
        How many bytes they take at least.
    """

    def __init__(self, blocks: Iterable[list[str]], size: int = 0) -> None:
        import numpy as np

        place = self._count = 0
        self._places = array("q", [0])  # of the first byte of every group of lines, and of the end
        with _scratch_file(size) as stream:
            for block in blocks:
                data = ("\n".join(block) + "\n").encode()
                stream.write(data)
                ends = np.flatnonzero(np.frombuffer(data, np.uint8) == _END) + 1
                self._places.extend((place + ends[(-self._count - 1) % _GROUP :: _GROUP]).tolist())
                self._count += len(block)
                place += len(data)
            stream.flush()
            self._bytes = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        if self._count % _GROUP:
            self._places.append(place)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self[part] for part in stretches(self._count, _GROUP * _GROUPS))

    @overload
    def __getitem__(self, which: int) -> str: ...

    @overload
    def __getitem__(self, which: slice) -> tuple[str, ...]: ...

    def __getitem__(self, which: int | slice) -> str | tuple[str, ...]:
        if isinstance(which, slice):
            wanted = range(self._count)[which]
            if wanted.step != 1:
                return tuple(self[place] for place in wanted)
            return tuple(self._read(wanted.start, wanted.stop))
        place = range(self._count)[which]
        return self._read(place, place + 1)[0]

    def _read(self, first: int, end: int) -> list[str]:
        if first >= end:
            return []
        group, after = first // _GROUP, -(-end // _GROUP)
        text = self._bytes[self._places[group] : self._places[after] - 1].decode()
        start = group * _GROUP
        return text.split("\n")[first - start : end - start]

    def pieces(self) -> Iterator[bytes]:
        """Yield what the file holds: lines and their ends."""
        for first in range(0, len(self._places) - 1, _GROUPS):
            after = min(first + _GROUPS, len(self._places) - 1)
            yield self._bytes[self._places[first] : self._places[after]]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LinesOnDisk):
            same_size = (len(self), len(self._bytes)) == (len(other), len(other._bytes))
            return same_size and all(map(operator.eq, self.pieces(), other.pieces()))
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(operator.eq, self, other))

    def __hash__(self) -> int:
        return hash((self._count, len(self._bytes), self[0]))

    def __reduce__(self) -> tuple[object, ...]:
        return _held_again, (self._bytes[:],)


def _held_again(text: bytes) -> Sequence[str]:
    """Hold a text where it was sent to."""
    return hold([text.decode().removesuffix("\n").split("\n")], len(text))


@contextmanager
def _scratch_file(size: int) -> Iterator[IO[bytes]]:
    """Open a file without a name for so many bytes, or more; say so if it finds no room."""
    import shutil
    import tempfile

    folder = default_directory()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
        if free < size:
            raise _no_room(size, f"{free:,} are free")
        with tempfile.TemporaryFile(dir=folder) as stream:
            yield stream
    except OSError as error:
        raise _no_room(size, error.strerror or str(error)) from error


def _no_room(size: int, why: str) -> InputError:
    needed = f"{size:,} bytes" if size else "a text"
    return InputError(
        f"a scratch file for {needed} cannot be written here: {why}",
        path=str(default_directory()),
        hint="TRUEGAIN_CACHE names another folder; TRUEGAIN_MEMORY says how many bytes a table or a text may take in "
        f"memory before it needs a file, by default {_MOST_HELD:,}",
    )
