"""Training sets drawn from line-aligned files, to ask whether a gain holds for new training data.

Berg-Kirkpatrick et al. (2012, section 3.2) train systems on sets drawn with replacement, of the size of the original, a
half and a quarter of it; Fu et al. (table 5) train on halves: random, top, bottom, odd and even lines.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from truegain.atomic_write import new_folder
from truegain.errors import FILE, InputError, Setting
from truegain.readers.plain import read_pieces
from truegain.readers.sources import without_compression
from truegain.resampling.design import check_seed
from truegain.resampling.generator import numbered_keys, uniforms
from truegain.resampling.streams import Stream
from truegain.settings.function import takes
from truegain.settings.split import DRAWN, SplitOptions
from truegain.version import __version__

#: What the manifest of a directory of training sets is called.
MANIFEST = "manifest.json"

_AT_ONCE = 1 << 20  # draws, and bytes of a file
_SIZES = {"full": 1, "half": 2, "quarter": 4}
_MOST_SETS = 10_000
_MOST_TIMES = 10  # the original that a set may be
#: The lines of each fixed half, given the size of the first.
_HALVES: dict[str, Callable[[int], slice]] = {
    "top": lambda size: slice(size),
    "bottom": lambda size: slice(size, None),
    "odd": lambda _: slice(0, None, 2),
    "even": lambda _: slice(1, None, 2),
}

Counts = NDArray[np.uint32]


@dataclass(frozen=True)
class FileDigest:
    """A file and the SHA-256 of its bytes, as ``sha256sum`` prints it."""

    file: str
    sha256: str


@dataclass(frozen=True)
class DrawnSet:
    """One training set: the lines it has, how many of them are distinct lines of the original, and its files."""

    name: str
    lines: int
    distinct: int
    files: tuple[FileDigest, ...]


@dataclass(frozen=True)
class TrainingSets:
    """Record of what :func:`split` wrote; its manifest holds the same.

    Attributes
    ----------
    scheme : str
    seed : int or None
        None if nothing was drawn.
    lines : int
        Lines of the original.
    inputs : tuple of FileDigest
    sets : tuple of DrawnSet
    version : str
        Of the truegain that wrote them.
    """

    scheme: str
    seed: int | None
    lines: int
    inputs: tuple[FileDigest, ...]
    sets: tuple[DrawnSet, ...]
    version: str = __version__


@takes(SplitOptions)
def split(options: SplitOptions) -> TrainingSets:
    """Write training sets drawn from line-aligned files, and a manifest that says how.

    Lines stay in their order; a line that is drawn twice appears twice. The same lines are taken of every file.
    The same files and seed give the same training sets. The directory appears when all of it is written.

    Raises
    ------
    InputError
        If the files differ in their numbers of lines or are empty, or the directory cannot be written.
    """
    paths = [os.fspath(path) for path in ([options.files] if _is_path(options.files) else options.files)]
    _check(options, paths)
    lines = _common_length(paths)
    if options.scheme != "bootstrap" and lines < 2:
        raise InputError("a file of one line has no halves", path=paths[0])
    size = _size(options.size, lines) if options.scheme == "bootstrap" else (lines + 1) // 2
    folder = Path(options.output)
    count = options.samples or 1
    total = count * sum(_bytes(path) for path in paths)

    def advance(done: int) -> None:
        if options.progress is not None:
            options.progress("writing", done, total)

    try:
        with new_folder(folder) as place:
            sets = []
            for number in range(count):
                name = f"sample{number + 1:0{max(2, len(str(count)))}d}" if options.scheme in DRAWN else options.scheme
                taken = _counts(options.scheme, lines, size, options.seed, number)
                (place / name).mkdir()
                files = tuple(_write(path, taken, place / name / _base(path), place, advance) for path in paths)
                sets.append(DrawnSet(name, int(taken.sum()), int(np.count_nonzero(taken)), files))
            inputs = tuple(FileDigest(path, _sha256(Path(path))) for path in paths)
            seed = options.seed if options.scheme in DRAWN else None
            made = TrainingSets(options.scheme, seed, lines, inputs, tuple(sets))
            (place / MANIFEST).write_text(json.dumps(asdict(made), indent=2, ensure_ascii=False) + "\n", "utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=str(folder)) from error
    return made


def _is_path(given: object) -> bool:
    return isinstance(given, str | os.PathLike)


def _check(options: SplitOptions, paths: Sequence[str]) -> None:
    """Refuse options that do not apply, and files that cannot be read twice or would be written to one place."""
    if options.scheme != "bootstrap" and options.size is not None:
        raise InputError(
            (Setting("size"), f" does not apply to the scheme {options.scheme}: it takes a half"),
            hint=("leave it out, or use ", Setting("scheme", "bootstrap")),
        )
    if options.scheme not in DRAWN and options.samples is not None:
        raise InputError((Setting("samples"), f" does not apply to the scheme {options.scheme}: nothing is drawn"))
    check_seed(options.seed)
    if options.samples is not None and not 1 <= options.samples <= _MOST_SETS:
        raise InputError(f"samples must be from 1 to {_MOST_SETS:,}; got {options.samples}")
    if not paths:
        raise InputError("there is no file", hint=("give the files of the training data: ", Setting("files", FILE)))
    names: dict[str, str] = {}
    for path in paths:
        if path == "-":
            raise InputError("standard input (-) cannot be read twice", hint="give files")
        base = _base(path)
        if base in names:
            raise InputError(
                f"this file and {names[base]} would both be written as {base}", path=path, hint="rename one of them"
            )
        names[base] = path


def _base(path: str) -> str:
    """Return the name that a file is written under: its own, without the ending of a compressed file."""
    return Path(without_compression(path)).name


def _bytes(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):  # said when it is read
        return 0


def _common_length(paths: Sequence[str]) -> int:
    """Return the number of lines that all files have."""
    counts = {path: sum(len(piece) for piece in read_pieces(path, _AT_ONCE)) for path in paths}
    first = paths[0]
    for path, count in counts.items():
        if count != counts[first]:
            raise InputError(
                f"its number of lines is {count:,}, and that of {first} is {counts[first]:,}",
                path=path,
                hint="the files must have the same number of lines: line 1 of one belongs to line 1 of the others",
            )
    return counts[first]


def _size(given: str | int | None, lines: int) -> int:
    """Return how many lines are drawn."""
    given = "full" if given is None else given
    if given in _SIZES:
        return max(1, round(lines / _SIZES[str(given)]))
    try:
        size = int(given)
    except ValueError:
        size = 0
    if not 1 <= size <= _MOST_TIMES * lines:
        raise InputError(
            f"size must be full, half, quarter or a number of lines from 1 to {_MOST_TIMES * lines:,}, "
            f"{_MOST_TIMES} times the original; got {given!r}"
        )
    return size


def _counts(scheme: str, lines: int, size: int, seed: int, number: int) -> Counts:
    """Return how often each line is taken."""
    if scheme == "bootstrap":
        return _with_replacement(lines, size, seed, number)
    if scheme == "half":
        return _without_replacement(lines, size, seed, number)
    counts = np.zeros(lines, np.uint32)
    counts[_HALVES[scheme](size)] = 1
    return counts


def _with_replacement(lines: int, size: int, seed: int, number: int) -> Counts:
    counts = np.zeros(lines, np.uint32)
    for first in range(0, size, _AT_ONCE):
        drawn = _uniforms(seed, number, first, min(_AT_ONCE, size - first))
        np.add.at(counts, (drawn * lines).astype(np.int64), 1)
    return counts


def _without_replacement(lines: int, size: int, seed: int, number: int) -> Counts:
    """Take the lines with the smallest random numbers; of equal ones at the edge the first."""
    keys = np.empty(lines, np.uint32)
    for first in range(0, lines, _AT_ONCE):
        part = keys[first : first + _AT_ONCE]
        part[:] = _uniforms(seed, number, first, part.size) * 2.0**32
    edge = np.partition(keys, size - 1)[size - 1]
    counts: Counts = (keys < edge).astype(np.uint32)
    counts[np.flatnonzero(keys == edge)[: size - int(counts.sum())]] = 1
    return counts


def _uniforms(seed: int, number: int, first: int, count: int) -> NDArray[np.float64]:
    """Return random numbers of one training set: the same whatever else is drawn."""
    key = numbered_keys(seed, Stream.TRAINING_SETS, np.array([(number << 32) + first // _AT_ONCE], np.uint64))
    return np.asarray(uniforms(key, count)[0])


def _write(path: str, counts: Counts, target: Path, place: Path, advance: Callable[[int], None]) -> FileDigest:
    """Write the lines that are taken, each as often as it is; return the digest."""
    digest = hashlib.sha256()
    first = 0
    with target.open("wb") as stream:
        for lines in read_pieces(path, _AT_ONCE):
            taken = counts[first : first + len(lines)].tolist()
            if len(taken) < len(lines):
                break
            first += len(lines)
            data = "".join([f"{line}\n" * times for line, times in zip(lines, taken, strict=True) if times]).encode()
            digest.update(data)
            stream.write(data)
        else:
            if first == len(counts):
                advance(_bytes(path))
                return FileDigest(target.relative_to(place).as_posix(), digest.hexdigest())
    raise InputError("it changed while it was read", path=path, hint="is it still being written? Wait for its end")


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
