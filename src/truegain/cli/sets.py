"""Several test sets on the command line: the same names of files in one folder a set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from truegain.cli.options import read_inputs
from truegain.errors import InputError
from truegain.readers.sources import is_file

if TYPE_CHECKING:
    from truegain.corpus import Corpus

_GLOB = "*?["
_ONE_SET = {
    "domains": "--domains",
    "domain_column": "--domain-column",
    "table": "--table",
    "reference_columns": "--ref-column",
    "name": "--name",
}


def read_sets(sets: Sequence[str], given: dict[str, Any]) -> tuple[list[Corpus], list[str]]:
    """Read every set, ``NAME=FOLDER`` or ``FOLDER``, with the files that the other options name, from its folder.

    A pattern without a name stands for all files that match it, each a system, but not for those of other options.
    Takes the options of :func:`truegain.cli.options.read_inputs` out of ``given``.
    """
    for key, option in _ONE_SET.items():
        if given[key]:
            raise InputError(
                f"{option} does not go with --set: every set is a folder", hint=f"leave out {option}, or --set"
            )
    folders = _folders(sets)
    others = [one for name in ("references", "documents", "domains") for one in _listed(given[name])]
    files = _files(given["systems"], others, folders)
    names = _names([file for found in files.values() for file in found])
    corpora: list[Corpus] = []
    for name, folder in folders.items():
        own = given | {
            "name": name,
            "references": [str(folder / one) for one in given["references"]],
            "documents": None if given["documents"] is None else str(folder / given["documents"]),
            "systems": [one for argument in given["systems"] for one in _systems(argument, folder, name, files, names)],
            "scores": [_named(argument, folder) or str(folder / argument) for argument in given["scores"]],
        }
        corpus, metrics = read_inputs(own)
        corpora.append(corpus)
    for key in set(given) - set(own):
        del given[key]
    return corpora, metrics


def _folders(sets: Sequence[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for one in sets:
        name, equals, rest = one.partition("=")
        path = Path(one) if not equals or _is_folder(one) else Path(rest)
        label = name if equals and not _is_folder(one) else path.resolve().name
        if not _is_folder(str(path)):
            raise InputError(
                "there is no such folder" if not is_file(str(path)) else "this is not a folder",
                path=str(path),
                hint="write --set NAME=FOLDER, or --set FOLDER",
            )
        if label in found:
            raise InputError(f"two test sets are named {label!r}", hint="give them different names: --set NAME=FOLDER")
        found[label] = path
    return found


def _is_folder(path: str) -> bool:
    return is_file(path) and Path(path).is_dir()


def _is_name(argument: str, folder: Path) -> bool:
    name, equals, _ = argument.partition("=")
    return bool(equals and name) and not is_file(str(folder / argument))


def _named(argument: str, folder: Path) -> str | None:
    """Return ``NAME=GLOB`` or ``NAME=a,b`` in a folder; None if it has no name."""
    if not _is_name(argument, folder):
        return None
    name, _, rest = argument.partition("=")
    parts = [rest] if is_file(str(folder / rest)) else rest.split(",")
    return f"{name}={','.join(str(folder / part) for part in parts)}"


def _matching(argument: str, folder: Path, others: Sequence[str]) -> list[str]:
    """Return the files that an argument without a name stands for, relative to the folder."""
    if is_file(str(folder / argument)) or not any(character in argument for character in _GLOB):
        return [argument]
    kept = {str(Path(one)) for one in others}
    found = sorted(str(path.relative_to(folder)) for path in folder.glob(argument))
    return [one for one in found if one not in kept]


def _files(systems: Sequence[str], others: Sequence[str], folders: dict[str, Path]) -> dict[str, list[str]]:
    """Return, for every argument without a name, the files that it stands for on any of the sets."""
    found: dict[str, list[str]] = {}
    for argument in systems:
        matching = [
            file
            for folder in folders.values()
            if not _is_name(argument, folder)
            for file in _matching(argument, folder, others)
        ]
        if matching:
            found[argument] = list(dict.fromkeys(matching))
    return found


def _names(files: Sequence[str]) -> dict[str, str]:
    """Return the names of the systems of files: the same on every set. Files that name their systems are left out."""
    from truegain.readers.formats import holds_several
    from truegain.readers.sources import short_names

    plain = [file for file in dict.fromkeys(files) if not holds_several(file)]
    return dict(zip(plain, short_names(plain), strict=True))


def _systems(argument: str, folder: Path, name: str, files: dict[str, list[str]], names: dict[str, str]) -> list[str]:
    """Return an argument as it is for one set."""
    named = _named(argument, folder)
    if named is not None:
        return [named]
    wanted = files.get(argument, [])
    if not wanted:
        raise InputError(f"no file of any set matches {argument!r}", hint="is the pattern quoted for the shell?")
    missing = next((one for one in wanted if not is_file(str(folder / one))), None)
    if missing is not None and wanted != [argument]:
        raise InputError(
            f"there is no such file, and another set has it: the set {name!r} lacks the system {names[missing]!r}",
            path=str(folder / missing),
            hint="every system must be on every set, in a file of the same name",
        )
    return [f"{names[one]}={folder / one}" if one in names else str(folder / one) for one in wanted]


def _listed(given: str | Sequence[str] | None) -> list[str]:
    return [] if given is None else [given] if isinstance(given, str) else list(given)
