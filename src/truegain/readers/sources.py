"""Systems and their files: NAME=GLOB, NAME=a,b, or a path whose name is found in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path, PurePath

from truegain.errors import InputError, Setting, Text
from truegain.given_texts import check_names, check_runs
from truegain.readers.compression import ENDINGS
from truegain.readers.formats import may_hold_several
from truegain.readers.name_pieces import name_pieces, padded_numbers, without_time
from truegain.registry import METRICS, SCORERS


@dataclass(frozen=True)
class Source:
    """A system's name, the files of its runs, and whether the name was given, ``NAME=FILE``."""

    name: str
    paths: tuple[str, ...]
    named: bool = field(default=False, compare=False)


def parse_sources(arguments: Sequence[str]) -> list[Source]:
    """Turn command-line arguments into systems.

    ``NAME=GLOB`` and ``NAME=a,b`` give the runs of a system; any other argument is a file, named after the part of its
    path that sets it apart from the others, or ``FILE.xml:NAME``, a text of that name in a file that holds several.
    """
    named: list[tuple[str | None, tuple[str, ...], bool]] = []
    for argument in arguments:
        name, equals, rest = argument.partition("=")
        if equals and name and not _is_there(argument):
            named.append((name.strip(), _expand(rest, name), True))
        else:
            named.append((split_choice(argument)[1], _expand(argument, None), False))
    free = [paths[0] for name, paths, _ in named if name is None]
    taken = iter(short_names(free))
    sources = [Source(next(taken) if name is None else name, paths, given) for name, paths, given in named]
    if sum(path == "-" for source in sources for path in source.paths) > 1:
        raise InputError("standard input (-) can be read only once")
    check_names([source.name for source in sources])
    for source in sources:
        check_runs(source.name, source.paths)
    return sources


def _expand(pattern: str, name: str | None) -> tuple[str, ...]:
    paths: list[str] = []
    for part in pattern.split(",") if name is not None and not is_file(pattern) else [pattern]:
        if part != "-" and not _is_there(part) and any(character in part for character in "*?["):
            found = [] if "\0" in part else sorted(glob(part))  # noqa: PTH207 - the pattern may be absolute
            if not found:
                raise InputError(f"no file matches {part!r}", hint="is the pattern quoted for the shell?")
            if name is None and len(found) > 1:
                raise InputError(
                    f"{part!r} matches {len(found)} files", hint=f"name the system whose runs they are: NAME='{part}'"
                )
            paths.extend(found)
        elif part:
            paths.append(part)
    if not paths:
        raise InputError(f"the system {name!r} has no file", hint="write NAME=FILE")
    for path in paths:
        if path != "-" and not _is_there(path):
            raise InputError("there is no such file", path=path, hint=_instead_of(path))
        if path.endswith(".toml"):
            hint = f"run it: truegain run {path}"
            raise InputError("this is an experiment file, not the outputs of a system", path=path, hint=hint)
    return tuple(paths)


def _instead_of(path: str) -> Text | None:
    """Say how a metric is given, if a file that is not there has its name: ``-m bleu chrf``."""
    if path.lower() not in {*METRICS, *SCORERS}:
        return None
    return (f"{path} is a metric: ", Setting("metrics", (path.lower(),)))


def is_file(path: str) -> bool:
    """Return whether there is such a file or folder; false for a name that no file can have."""
    try:
        return Path(path).exists()
    except PermissionError:  # its folder may not be looked into: whoever reads it is told so
        return True
    except (OSError, ValueError):
        return False


def is_folder(path: str) -> bool:
    """Return whether there is such a folder; false for a name that none can have."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def entries_of(folder: str) -> list[Path]:
    """Return the files and folders in a folder, sorted.

    Raises
    ------
    InputError
        If it may not be looked into.
    """
    try:
        return sorted(Path(folder).iterdir())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=folder) from error


def split_choice(path: str) -> tuple[str, str | None]:
    """Return a file, and the text that is chosen of those it holds, ``FILE.xml:NAME``, or None."""
    if not is_file(path):
        for place in reversed([place for place, character in enumerate(path) if character == ":"]):
            if path[place + 1 :] and may_hold_several(path[:place]) and is_file(path[:place]):
                return path[:place], path[place + 1 :]
    return path, None


def _is_there(path: str) -> bool:
    return is_file(split_choice(path)[0])


def short_names(paths: Sequence[str]) -> list[str]:
    """Return the shortest part of each path that distinguishes it from the others.

    ``a/base/out.txt`` and ``a/new/out.txt`` are ``base`` and ``new``; so are ``wmt.base.de`` and ``wmt.new.de``.
    """
    files = [path for path in paths if path != "-"]
    timeless = [without_time(path) for path in files]
    distinct = len(set(timeless)) == len(set(files))
    names = dict(zip(files, _apart(timeless if distinct else files), strict=True))
    names["-"] = "stdin" if "stdin" not in names.values() else "-"
    return [names[path] for path in paths]


def _apart(paths: Sequence[str]) -> list[str]:
    stems = [_stem(path) for path in paths]
    if len(paths) < 2:
        return stems
    pieces = _pieces(paths)
    shortest = min(len(one) for one in pieces)
    front = 0
    while front < shortest and len({one[front] for one in pieces}) == 1:
        front += 1
    back = 0
    while back < shortest - front and len({one[-1 - back] for one in pieces}) == 1:
        back += 1
    kept = ["".join(one[front : len(one) - back]).strip("./") for one in pieces]
    # What is left may be nothing (a.txt and a.b.txt differ by an addition): then the stems, or else the whole paths.
    distinct = len(set(paths))
    for names in (kept, stems):
        if all(names) and len(set(names)) == distinct:
            return names
    return list(paths)


def _pieces(paths: Sequence[str]) -> list[list[str]]:
    """Cut paths at their slashes and dots, each piece with the mark before it; version numbers are not cut."""
    folders = [without_compression(path).split("/") for path in paths]
    padded = padded_numbers(name for one in folders for name in one)
    found = []
    for one in folders:
        pieces = [name_pieces(name, padded) for name in one]
        marked = [("/" if not place else ".") + piece for own in pieces for place, piece in enumerate(own)]
        found.append([marked[0][1:], *marked[1:]])
    return found


def _stem(path: str) -> str:
    name = PurePath(without_compression(path)).name
    return ".".join(name_pieces(name, padded_numbers([name]))[:-1]) or name or path


def without_compression(path: str) -> str:
    """Return a path without the ending of a compressed file."""
    pure = PurePath(path)
    return str(pure.with_suffix("")) if pure.suffix.lower() in ENDINGS else path
