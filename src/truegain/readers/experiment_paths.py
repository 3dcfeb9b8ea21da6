"""Files that an experiment file may name: those it reads must be there, those it writes stay in its folder."""

from __future__ import annotations

import glob
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath

from truegain.errors import InputError, Way
from truegain.file_roles import identity
from truegain.readers.experiment_keys import Place
from truegain.readers.sources import is_file, split_choice

#: Stands for the name of each test set.
PATTERN = "{testset}"


def _resolved(file: str, testset: str, place: Place) -> str:
    """Return a path from the folder of the file, with the test set's name filled in."""
    if file == "-":
        raise place.error("standard input (-) cannot be part of an experiment", hint="give a file")
    return str(PurePath(place.path).parent / file.replace(PATTERN, testset))


def existing(file: str, testset: str, place: Place) -> str:
    """Return the path of a file that a test set names; it must be there, and a file."""
    path = _resolved(file, testset, place)
    if not is_file(split_choice(path)[0]):
        raise InputError("there is no such file", path=path, hint=f"{place.path} names it, for {testset!r}")
    return _regular(path, testset, place)


def _regular(path: str, testset: str, place: Place) -> str:
    """Refuse pipes and devices: a file that came from elsewhere could wait for one, or empty it."""
    try:
        kind = Path(split_choice(path)[0]).stat().st_mode
    except OSError:  # whoever reads it says why it cannot be
        return path
    if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
        raise InputError(
            "this is a pipe or a device; an experiment reads files",
            path=path,
            hint=f"{place.path} names it, for {testset!r}",
        )
    return path


def expanded(files: Sequence[str], system: str, testset: str, place: Place) -> tuple[str, ...]:
    """Return the files of a system's runs on a test set."""
    found: list[str] = []
    for file in files:
        path = _resolved(file, testset, place)
        if not is_file(split_choice(path)[0]) and any(character in file for character in "*?["):
            own = file.replace(PATTERN, glob.escape(testset))
            folder = glob.escape(str(PurePath(place.path).parent))
            matches = sorted(glob.glob(str(PurePath(folder) / own)))  # noqa: PTH207 - the pattern may be absolute
            if not matches:
                raise place.error(f"{system}: no file matches {file.replace(PATTERN, testset)!r}", system)
            found += [_regular(one, testset, place) for one in matches]
        else:
            found.append(existing(file, testset, place))
    if len(found) > 1 and (odd := next((path for path in found if "," in path), None)) is not None:
        raise InputError("a comma in the name of a file that is one of several runs", path=odd, hint="rename it")
    return tuple(found)


def writable(wanted: Sequence[str], read: Iterable[str], place: Place) -> tuple[str, ...]:
    """Return the paths of results: below the file's folder, and never a file that the experiment reads."""
    found = tuple(_inside(one, place) for one in wanted)
    taken = {identity(place.path), *(identity(split_choice(path)[0]) for path in read)}
    for given, path in zip(wanted, found, strict=True):
        if identity(path) in taken:
            raise place.error(f"outputs: {given!r} is a file that the experiment reads", "outputs", hint="name another")
    return found


def _inside(output: str, place: Place) -> str:
    """Return a path below the file's folder: what a file that came from elsewhere may write, and nothing more."""
    pure = PurePath(output)
    hint = (
        "outputs are written below the experiment file's folder; ",
        Way("truegain run FILE -o PATH", "save() of the result"),
        " writes anywhere",
    )
    if pure.is_absolute() or ".." in pure.parts or output.startswith("~") or "\\" in output:
        raise place.error(f"outputs: {output!r} leads out of the folder", "outputs", hint=hint)
    folder = Path(place.path).parent
    path = folder / pure
    try:
        # A link inside the folder may lead out of it.
        contained = path.resolve().is_relative_to(folder.resolve())
        special = path.exists() and not path.is_file() and not path.is_dir()
    except (OSError, ValueError, RuntimeError) as error:
        raise place.error(f"outputs: {output!r} cannot be a file: {error}", "outputs") from error
    if not contained:
        raise place.error(f"outputs: {output!r} leads out of the folder", "outputs", hint=hint)
    if special:
        raise place.error(f"outputs: {output!r} is a pipe or a device; a file was expected", "outputs", hint=hint)
    return str(path)
