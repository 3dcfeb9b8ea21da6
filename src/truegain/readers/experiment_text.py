"""An experiment file written from what lies in a folder or a table, with every key explained."""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from truegain.errors import InputError
from truegain.readers.experiment_keys import SETTINGS
from truegain.readers.folder import FoundFolder, unusable
from truegain.readers.formats import named
from truegain.readers.found_sets import FoundSet, baseline_of
from truegain.readers.orders import first_difference
from truegain.readers.plain import read_lines
from truegain.settings.option import Described

if TYPE_CHECKING:
    from truegain.readers.found_table import FoundTable

_LINKS = re.compile(r"(\d+[-?p]\d+(:\d+)?\s*)*")
#: Of alignments whose words are counted from 1 in the gold file.
_FROM_ONE = ("aer:reference_base=1",)
_ENDS = re.compile(r"(\d+)[-?p](\d+)")


def metrics_for(found: FoundFolder) -> tuple[str, ...]:
    """Return the metrics that the files call for: by their format, or of alignments by what they hold."""
    reference = found.testsets[0].references[0]
    if forms := named(reference):
        return forms[0].metrics
    if not all(_LINKS.fullmatch(line) for line in read_lines(reference).lines[:100]):
        return ("bleu", "chrf")
    return ("aer",) if any(_has_zero(path) for one in found.testsets for path in one.references) else _FROM_ONE


def _has_zero(path: str) -> bool:
    """Return whether words are counted from 0: whether the first of them is aligned anywhere."""
    return any(0 in map(int, ends) for line in read_lines(path).lines for ends in _ENDS.findall(line))


def questions(found: FoundFolder, path: str) -> list[str]:
    """Return what the person may decide otherwise, and how to write it into the file."""
    folder = _folder_of(path)
    asked = []
    for names in found.doubts:
        files = [_quoted(_relative(next(iter(found.testsets[0].systems[name].values())), folder)) for name in names]
        joined = re.sub(r"[-._]?[rs]?\d+$", "", names[0], flags=re.IGNORECASE)
        asked.append(
            f"are {', '.join(names)} runs of one system? They were taken for separate systems; if they are runs, write "
            f"{_key(joined)} = [{', '.join(files)}] instead"
        )
    return asked


def experiment_text(found: FoundFolder, path: str) -> str:
    """Return the file as text.

    Parameters
    ----------
    found : FoundFolder
    path : str
        Where it will be: paths in it go from there.

    Raises
    ------
    InputError
        If such a file cannot name the folder.
    """
    folder = _folder_of(path)
    lines = _head(found.folder, path, metrics_for(found), baseline_of(found.testsets[0].systems))
    lines += [f"# question: {one}" for one in questions(found, path)]
    every = [_systems(one, folder) for one in found.testsets]
    shared = _shared(found.testsets, every)
    if shared is not None:
        lines += ["", "[systems]  # {testset} is the name of each test set; * stands for the runs"]
        lines += [f"{_key(name)} = {files}" for name, files in shared.items()]
    for one, systems in zip(found.testsets, every, strict=True):
        lines += ["", "[[testset]]", f"name = {_quoted(one.name)}  # {one.segments:,} segments"]
        lines += _files(one, folder)
        if shared is None:
            lines += ["", "[testset.systems]", *(f"{_key(name)} = {files}" for name, files in systems.items())]
    if found.development is not None:
        one = found.development
        lines += ["", "[development]  # for s_dev, and for the median run", f"# {one.name}"]
        lines += [f"reference = {_list([_relative(path, folder) for path in one.references])}"]
        lines += ["", "[development.systems]"]
        lines += [f"{_key(name)} = {files}" for name, files in _systems(one, folder).items()]
    return "\n".join([*lines, ""])


def experiment_of_table(found: FoundTable, path: str) -> str:
    """Return the file for a table as text; see :func:`experiment_text`."""
    folder = _folder_of(path)
    metrics = [_metric(name, found) for name in found.scores] or ["scores"]
    lines = _head(found.path, path, ["bleu", "chrf"] if found.texts else metrics, found.baseline)
    lines += [f"# question: {one}" for one in found.doubts]
    name, table = _quoted(PurePath(found.path).stem), _quoted(_relative(found.path, folder))
    lines += ["", "[[testset]]", f"name = {name}  # {found.segments:,} segments", f"table = {table}"]
    lines += [f"{key} = {json.dumps(column, ensure_ascii=False)}" for key, column in found.keys().items()]
    if found.wide:
        lines += ["", "[testset.systems]  # the columns; a list of them: its runs"]
        lines += [f"{_key(system)} = {_quoted(system)}" for system in found.systems]
    return "\n".join([*lines, ""])


def _metric(column: str, found: FoundTable) -> str:
    """Return the metric of a column of scores, with what is not the default."""
    settings = [f"column={column}"] if len(found.scores) > 1 else []
    settings += ["lower_is_better=true"] if column in found.lower else []
    return f"scores:{','.join(settings)}" if settings else "scores"


def _folder_of(path: str) -> str:
    return os.path.dirname(path) or "."  # noqa: PTH120 - as relpath, without touching the disk


def _head(place: str, path: str, metrics: Sequence[str], baseline: tuple[str, str]) -> list[str]:
    """Return what stands before the test sets; refuse a place that such a file cannot name."""
    for part, where in ((_relative(place, _folder_of(path)), place), (PurePath(path).name, path)):
        why = unusable(part)
        if why is not None:
            raise InputError(
                f"an experiment file cannot name it: {why}", path=where, hint="rename it, or go into it and name ."
            )
    stem = PurePath(path).stem
    return [
        "# An experiment for truegain: run it with",
        f"#   truegain run {path if unusable(path) is None else PurePath(path).name}",
        "# Paths go from this file's folder; lines that begin with # are the defaults.",
        "",
        f"name = {_quoted(stem)}",
        f"metrics = [{', '.join(map(_quoted, metrics))}]  # truegain metrics lists them",
        f"baseline = {_quoted(baseline[0])}  # {baseline[1]}",
        *(_default(one) for one in SETTINGS.values() if one.default is not None),
        f"outputs = [{_quoted(f'{stem}.html')}, {_quoted(f'{stem}.json')}]  # by their endings; below this folder",
    ]


def _default(one: Described) -> str:
    """Return a setting as a comment, with its default and what else it may be."""
    line = f"# {one.key} = {json.dumps(one.default)}"
    return f"{line:<28} # {one.option.comment}" if one.option.comment else line


def _files(one: FoundSet, folder: str) -> list[str]:
    lines = [f"reference = {_list([_relative(path, folder) for path in one.references])}"]
    if one.source is not None:
        lines.append(f"source = {_quoted(_relative(one.source, folder))}")
    if one.documents is not None:
        lines.append(f"documents = {_quoted(_relative(one.documents, folder))}")
    return lines


def _systems(one: FoundSet, folder: str) -> dict[str, str]:
    """Return the files of each system: one, a pattern that matches its runs and nothing else, or a list."""
    return {name: _runs(list(files.values()), folder) for name, files in one.systems.items()}


def _runs(files: Sequence[str], folder: str) -> str:
    own = [_relative(path, folder) for path in files]
    if len(own) == 1:
        return _quoted(own[0])
    front = _common(own)
    cut = len(front) - len(re.sub(r"[^./_-]*$", "", front))  # back to a dot or a slash: a number may go on
    for short in dict.fromkeys((cut, 0)):
        start = len(front) - short
        back = _common([path[start:][::-1] for path in own])[::-1]
        middles = "".join(path[start : len(path) - len(back)] for path in own)
        real = glob.escape(_common(files)[: len(_common(files)) - short]) + "*" + glob.escape(back)
        plain = "/" not in middles and not any(character in front + back for character in "*?[")
        if plain and sorted(glob.glob(real)) == sorted(files):  # noqa: PTH207 - paths as they were given
            return _quoted(f"{front[:start]}*{back}")
    return _list(own)


def _common(texts: Sequence[str]) -> str:
    """Return what all begin with."""
    first, last = min(texts), max(texts)
    return first[: first_difference(first, last)]


def _shared(sets: Sequence[FoundSet], every: Sequence[Mapping[str, str]]) -> dict[str, str] | None:
    """Return the systems once for all test sets, if their files differ by the set's name alone."""
    if any('"' in one.name or "\\" in one.name or "{" in one.name for one in sets):
        return None
    patterns = [
        {name: files.replace(one.name, "{testset}") for name, files in systems.items()}
        for one, systems in zip(sets, every, strict=True)
    ]
    first = patterns[0]
    same = len(sets) > 1 and all(one == first for one in patterns)
    return first if same and all("{testset}" in files for files in first.values()) else None


def _relative(path: str, folder: str) -> str:
    return PurePath(os.path.relpath(path, folder)).as_posix()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _list(texts: Sequence[str]) -> str:
    if len(texts) == 1:
        return _quoted(texts[0])
    return "[\n" + "".join(f"    {_quoted(text)},\n" for text in texts) + "]"


def _key(name: str) -> str:
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else _quoted(name)
