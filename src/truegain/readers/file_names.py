"""Names of files: reference, source, documents, or the outputs of a system and the number of a run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from glob import glob
from os.path import commonprefix
from pathlib import PurePath
from typing import Literal, NamedTuple

from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.formats import is_table, named
from truegain.readers.name_pieces import by_value, name_pieces, padded_numbers
from truegain.readers.orders import first_difference
from truegain.readers.plain import ending
from truegain.readers.sources import is_file, short_names, without_compression

Kind = Literal["reference", "source", "documents", "outputs", "other"]

_FOLDERS: dict[str, Kind] = {
    **dict.fromkeys(("references", "reference", "refs", "ref"), "reference"),
    **dict.fromkeys(("sources", "source", "srcs", "src"), "source"),
    **dict.fromkeys(
        ("system-outputs", "systems", "outputs", "hyps", "hypotheses", "submissions", "translations"), "outputs"
    ),
}
_WORDS: dict[str, Kind] = {
    **dict.fromkeys(("refs", "reference", "references", "gold"), "reference"),
    **dict.fromkeys(("src", "source", "sources"), "source"),
    **dict.fromkeys(("docs", "doc", "documents", "docids", "docid"), "documents"),
    **dict.fromkeys(("readme", "license", "licence", "ids", "scores", "order", "changelog"), "other"),
}
_REFERENCE = re.compile(r"refs?[0-9a-d]?")
_OTHER = {
    *(".md", ".toml", ".pdf", ".html", ".htm", ".py", ".sh", ".tex", ".bib", ".json", ".yaml", ".yml", ".csv", ".png"),
    *(".svg", ".zip", ".tar", ".tgz", ".log", ".npy", ".npz", ".pkl", ".jsonl", ".tsv", ".scores"),
    *(".score", ".rating"),
}
_SCORES = ".seg.score"  # of mt-metrics-eval
_MARKED_RUN = re.compile(r"(?:run|seed|opt|rep|replica|iter|r|s)[-_]?\d+", re.IGNORECASE)
_JOINED_RUN = re.compile(r"(?P<name>.+)[-_](?P<run>(?:run|seed|opt|rep|replica)[-_]?\d+)", re.IGNORECASE)
_SAMPLE = re.compile(r"(?:^|[./_-])(?:fold|split|part)[-_]?\d+\Z", re.IGNORECASE)  # of the training data
# The number of a version (Llama-3.1, DeepSeek-R1), unless it is one of a series that is padded with zeros.
_VERSION = re.compile(r"(?P<series>(?P<name>.+\d)\.|(?P<other>.+)[-_][rs])(?P<number>\d{1,2})", re.IGNORECASE)
_LAST_NUMBER = re.compile(r"(?P<series>.+(?:\.|[-_][rs]))\d+", re.IGNORECASE)
_DEVELOPMENT = {"val", "valid", "validation", "dev", "development"}


class FileName(NamedTuple):
    """Role that a file's name gives it, and its test set.

    Attributes
    ----------
    kind : str
    said_by : str
        What said so: a word in the name, or the folder.
    prefix : str
        What stands before that word: the test set's name, if there is one.
    rest : str
        What stands after it: the language, the number of a reference.
    """

    kind: Kind
    said_by: str
    prefix: str = ""
    rest: str = ""


def file_name(path: PurePath) -> FileName:
    """Return what a path, from the folder that is searched, says of its file."""
    stem = without_compression(path.name)
    folders = [(part, _FOLDERS[part.lower()]) for part in path.parts[:-1] if part.lower() in _FOLDERS]
    pieces = [(match[0], match.start(), match.end()) for match in re.finditer(r"[^.\-_]+", stem)]
    found: dict[Kind, tuple[str, int, int]] = {}
    for piece, first, last in pieces:
        kind = _WORDS.get(piece.lower()) or ("reference" if _REFERENCE.fullmatch(piece.lower()) else None)
        if kind is not None:
            found.setdefault(kind, (piece, first, last))
    if folders and folders[-1][1] == "outputs":
        # In such a folder a name may be anything, "source" or "gold" among it.
        return FileName("outputs", f"the folder {folders[-1][0]}")
    if "documents" in found and "other" not in found:
        return _said("documents", stem, found["documents"])
    if "other" in found or (ending(path.name) in _OTHER and not _is_text(path.name)):
        if stem.lower().endswith(_SCORES):
            return FileName("other", "scores of segments, which the metric scores compares")
        word = found["other"][0] if "other" in found else ending(path.name)
        return FileName("other", f"{word!r} in its name")
    roles = [kind for kind in ("reference", "source") if kind in found]
    if folders:
        kind = folders[-1][1]
        if kind in found:
            return _said(kind, stem, found[kind])
        return FileName(kind, f"the folder {folders[-1][0]}", stem.rpartition(".")[0] or stem, stem.rpartition(".")[2])
    if len(roles) == 2:
        return FileName("other", "both a reference and a source by its name")
    return _said(roles[0], stem, found[roles[0]]) if roles else FileName("outputs", "its name")


def _is_text(name: str) -> bool:
    """Return whether a format of texts has this ending: of one with columns it is not known which to take."""
    return bool(named(name)) and not is_table(name)


def _said(kind: Kind, stem: str, word: tuple[str, int, int]) -> FileName:
    piece, first, last = word
    return FileName(kind, f"{piece!r} in its name", stem[:first].strip(".-_"), stem[last:].strip(".-_"))


def is_reference(name: str) -> bool:
    """Return whether a piece of a file's name between dots is that of a reference: ``refA.txt``, ``en-de.refB.txt``."""
    return any(_REFERENCE.fullmatch(piece.lower()) for piece in name.split("."))


def speaks_of_reference(name: str) -> bool:
    """Return whether a word in a file's name is that of a reference: ``synthetic_ref.txt``."""
    return any(
        _WORDS.get(piece) == "reference" or _REFERENCE.fullmatch(piece) for piece in re.split(r"[.\-_]", name.lower())
    )


def is_development(name: str) -> bool:
    """Return whether a test set is a development set, by its name."""
    return any(piece.lower() in _DEVELOPMENT for piece in re.split(r"[.\-_/]", name))


def names_of(paths: Sequence[PurePath]) -> tuple[dict[PurePath, tuple[str, str]], list[tuple[str, ...]]]:
    """Find the system and the run of each file of a test set.

    A run is named "" if nothing in the file's name is that of a run.

    What all names share at both ends is no part of them: ``newstest2017.KIT.4950.en-de.de`` is ``KIT``. Of the rest, a
    last piece such as ``seed3`` or ``opt0`` is that of a run, and so is a number of one or two digits if it is padded
    with zeros or does not follow a digit: ``base.1`` is a run, ``Llama-3.1`` a system. Longer numbers are those of
    submissions: left out if the names are distinct without them.

    Returns
    -------
    names : dict
        The system and the run of each path.
    doubts : list of tuple of str
        Systems whose names differ by a last number, which may be that of a run.
    """
    stems = {path: without_compression(path.name) for path in paths}
    padded = padded_numbers(stems.values())
    pieces = _without_shared({path: name_pieces(stem, padded) for path, stem in stems.items()})
    versions = {path: _VERSION.fullmatch(".".join(own)) for path, own in pieces.items()}
    series = {
        (one["series"], len(one["number"])) for one in versions.values() if one and re.fullmatch(r"0\d+", one["number"])
    }
    apart: dict[PurePath, tuple[str, str, bool]] = {}
    for path, own in pieces.items():
        name, run, marked = ".".join(own), "", True
        joined, version = _JOINED_RUN.fullmatch(name), versions[path]
        if version is not None:
            if (version["series"], len(version["number"])) in series:
                name, run = version["name"] or version["other"], version["number"]
        elif len(own) > 1 and _is_run(own[-1]):
            name, run, marked = ".".join(own[:-1]), own[-1], len(own[-1]) <= 2 or not own[-1].isdecimal()
        elif joined is not None:
            name, run = joined["name"], joined["run"]
        apart[path] = (name, run, marked)
    counts = Counter(name for name, _, _ in apart.values())
    found: dict[PurePath, tuple[str, str]] = {}
    for path, (name, run, marked) in apart.items():
        if counts[name] > 1 and not marked:
            found[path] = (f"{name}.{run}", "")
        else:
            found[path] = (name, run if marked else "")
    found = _by_folder(found)
    return found, _doubts([name for name, run in found.values() if not run])


def roles_as_systems(arguments: Sequence[str]) -> list[Note]:
    """Say which files, given as systems without a name, have the name of a reference or a source: ``ref.txt``."""
    notes = []
    for path in [argument for argument in arguments if is_file(argument)]:
        if (kind := _role(path)) is not None:
            text = f"{path} has the name of a {kind}, and was taken for a system; if it is one, write NAME={path}"
            notes.append(Note(f"{kind}-as-system", text, warning=True))
    return notes


def sources_as_references(paths: Sequence[str]) -> list[Note]:
    """Say which references have the name of a source: ``src.txt``."""
    text = "{} has the name of a source, and was taken for a reference"
    return [Note("source-as-reference", text.format(one), warning=True) for one in paths if _role(one) == "source"]


def swapped_roles(references: Sequence[str], outputs: Sequence[str]) -> list[Note]:
    """Say which outputs that a program names have the name of a reference, if no reference has it."""
    if not references or any(speaks_of_reference(PurePath(one).name) for one in references):
        return []
    text = f"{{}} has the name of a reference, and was taken for a system; {references[0]} was taken for the reference"
    return [Note("reference-as-system", text.format(one), warning=True) for one in outputs if _role(one) == "reference"]


def _role(file: str) -> Literal["reference", "source"] | None:
    """Return the role that a piece of its name between dots gives a file, unless it stands in a folder of outputs."""
    path = PurePath(file)
    if file_name(path).kind == "outputs":
        return None
    kind = file_name(PurePath(path.name)).kind  # any program may lie in a folder src
    pieces = without_compression(path.name).lower().split(".")
    for role in ("reference", "source"):
        if kind == role and any(is_reference(one) or _WORDS.get(one) == role for one in pieces):
            return role
    return None


def runs_as_systems(arguments: Sequence[str]) -> list[Note]:
    """Say which files, given as systems without a name, have names of runs of one system, and how to give runs."""
    several = _runs_of([argument for argument in arguments if is_file(argument)])
    if not several:
        return []
    given = [f"{name}={_pattern(files)}" for name, files in several.items()]
    count, owners = sum(map(len, several.values())), "one system" if len(several) == 1 else f"{len(several)} systems"
    text = (
        f"{count} files look like runs of {owners}, and each was taken for a system of its own; write "
        f"{' '.join(given)} to give runs"
    )
    return [Note("runs-as-systems", text, warning=True)]


def systems_as_runs(name: str, files: Sequence[str]) -> list[Note]:
    """Say if files given as the runs of one system have names of runs of several: of too wide a pattern."""
    several = _runs_of(files)
    if len({_without_sample(own) for own in several}) < 2:
        return []
    found = {str(path): run for path, (_, run) in names_of(list(map(PurePath, files)))[0].items()}
    runs = [run for own in several.values() for run in {found[path] for path in own}]
    if len(set(runs)) == len(runs):  # seeds of one system, here and there
        return []
    text = f"files given as runs of {name} look like runs of {len(several)} systems, {', '.join(several)}"
    return [Note("systems-as-runs", text, warning=True)]


def _without_sample(name: str) -> str:
    """Return the name of a system without that of the training sample that its runs are of."""
    rest, _, last = name.rpartition(".")
    return rest if _is_run(last) else _SAMPLE.sub("", name)


def _pattern(files: Sequence[str]) -> str:
    """Return a quoted pattern that matches these files and no other; or the files, if there is none."""
    from shlex import quote

    start = commonprefix(files)  # noqa: RUF071 - character by character
    end = commonprefix([path[len(start) :][::-1] for path in files])[::-1]  # noqa: RUF071 - likewise
    pattern = f"{start}*{end}"
    if set(glob(pattern)) == set(files):  # noqa: PTH207 - the pattern may be absolute
        return quote(pattern)
    return f"{','.join(files[:2])}{',…' if len(files) > 2 else ''}"


def runs_in_file(names: Sequence[str], file: str) -> list[Note]:
    """Say which systems of one file are named like runs of one system."""
    several = _runs_of(names)
    told = "; ".join(", ".join(own[:3]) + (", …" if len(own) > 3 else "") for own in several.values())
    text = (
        f"systems are named like runs of one, and each was taken for a system of its own: {told}; to give runs, give "
        f"their outputs under these names (NAME=FILE1,FILE2) with the references, and these scores beside them (option "
        f"scores: {file})"
    )
    return [Note("runs-as-systems", text, file=file, warning=True)] if several else []


def _runs_of(paths: Sequence[str]) -> dict[str, list[str]]:
    """Return the systems of which several of these are runs, by their names."""
    systems: dict[str, list[str]] = {}
    for path, (name, run) in (names_of(list(map(PurePath, paths)))[0] if len(paths) > 1 else {}).items():
        if run:
            systems.setdefault(name, []).append(str(path))
    return {name: files for name, files in systems.items() if len(files) > 1}


def check_run_order(system: str, runs: Sequence[str], others: Sequence[str], what: str) -> None:
    """Refuse what belongs to the runs of a system, if its files are named like the runs, and are in another order.

    Runs and the others are paired by their places. Numbers are compared by value: ``new.2.txt`` and ``new.02.scores``
    are of one run, and sorted names put ``new.10`` before ``new.2``, but not ``new.02`` after ``new.10``.

    Parameters
    ----------
    system : str
    runs, others : sequences of str
        The files, as many of both.
    what : str
        What the others are: scores.
    """
    mine, theirs = ([by_value(name) for name in short_names(list(names))] for names in (runs, others))
    if mine != theirs and len(set(mine)) == len(mine) and set(mine) == set(theirs):
        place = first_difference(mine, theirs)
        raise InputError(
            f"run {place + 1} of {system!r} is {runs[place]}, and its {what} would be {others[place]}: by their names "
            "they are in another order",
            hint="give both in one order, as lists with commas: NAME=FILE1,FILE2",
        )


def _by_folder(found: Mapping[PurePath, tuple[str, str]]) -> dict[PurePath, tuple[str, str]]:
    """Distinguish by folders what file names do not: ``seed1/base.txt``, ``base/seed1.txt``, ``base/out.txt``."""
    names = {name for name, _ in found.values()}
    numbered = all(_is_run(name) for name in names)
    if len(found) < 2 or not (numbered or len(set(found.values())) < len(found)):
        return dict(found)
    folders = _without_shared({path: ["", *path.parts[:-1], ""] for path in found}, of_files=False)
    own = {path: "/".join(piece for piece in parts if piece) for path, parts in folders.items()}
    if not all(own.values()):
        return dict(found)
    if all(_is_run(folder) for folder in own.values()):
        return {path: (name, ".".join(filter(None, (own[path], run)))) for path, (name, run) in found.items()}
    if numbered:
        return {path: (own[path], ".".join(filter(None, (name, run)))) for path, (name, run) in found.items()}
    return {path: (own[path], run) for path, (_, run) in found.items()} if len(names) == 1 else dict(found)


def _doubts(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Find names that differ by a last number after a dot, or after ``-r`` and the like."""
    groups: dict[str, list[str]] = {}
    for name in names:
        if (number := _LAST_NUMBER.fullmatch(name)) is not None:
            groups.setdefault(number["series"], []).append(name)
    return [tuple(own) for own in groups.values() if len(own) > 1]


def _without_shared(pieces: Mapping[PurePath, list[str]], *, of_files: bool = True) -> dict[PurePath, list[str]]:
    """Cut off what all share, at the front and at the back; one name of a file keeps what precedes its last piece."""
    every = list(pieces.values())
    shortest = min(len(one) for one in every)
    if len(every) == 1 or (of_files and all(one == every[0] for one in every)):
        return {path: one[:-1] or one for path, one in pieces.items()}
    front = 0
    while front < shortest - 1 and len({one[front] for one in every}) == 1:
        front += 1
    back = 0
    while back < shortest - 1 - front and len({one[-1 - back] for one in every}) == 1:
        back += 1
    found = {path: one[front : len(one) - back] for path, one in pieces.items()}
    if of_files and front and all(len(one) == 1 and _is_run(one[0]) for one in found.values()):
        # Runs of one system: what they share is its name.
        return {path: one[front - 1 : len(one) - back] for path, one in pieces.items()}
    return found


def _is_run(piece: str) -> bool:
    return piece.isdecimal() or _MARKED_RUN.fullmatch(piece) is not None
