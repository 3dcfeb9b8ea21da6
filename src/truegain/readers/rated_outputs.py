"""Outputs of the systems that people rated."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from truegain.errors import InputError, Way
from truegain.notes import Note
from truegain.readers.judgements import listed, ranked_systems
from truegain.readers.sources import entries_of, is_folder, parse_sources
from truegain.readers.system_scores import SystemScores


def rated_outputs(given: Any, human: SystemScores, *, keep_references: bool) -> tuple[dict[str, Any], list[Note]]:
    """Return the outputs of each system that people rated, in their order, and say which others there are.

    Parameters
    ----------
    given : mapping of str to outputs, or path or paths
        ``NAME=FILE``, a file, or a folder of files, each named after its system.

    Raises
    ------
    InputError
        If a system that people rated has no outputs, or has several runs.
    """
    named = {str(name): one for name, one in given.items()} if isinstance(given, Mapping) else _files(given)
    systems = ranked_systems(human, keep_references=keep_references)
    missing = [name for name in systems if name not in named]
    if missing:
        raise InputError(
            f"there are no outputs of {listed(missing)}, which people rated",
            hint=(
                f"there are outputs of {listed(list(named))}; name them as people's scores do, ",
                Way("--outputs NAME=FILE", 'outputs={"NAME": FILE}'),
            ),
        )
    others = [name for name in named if name not in human.segments]
    notes = [Note("left-out", f"People did not rate {listed(others)}: left out")] if others else []
    return {name: named[name] for name in systems}, notes


def _files(given: Any) -> dict[str, Path]:
    paths = [given] if isinstance(given, str | os.PathLike) else list(given)
    arguments = [one for path in paths for one in _of_folder(os.fspath(path))]
    if not arguments:
        raise InputError("there are no outputs", hint="give files or a folder of them, each named after its system")
    found = {}
    for source in parse_sources(arguments):
        if len(source.paths) != 1:
            raise InputError(
                f"{source.name!r} has {len(source.paths):,} runs, and one is compared with people's scores"
            )
        found[source.name] = Path(source.paths[0])
    return found


def _of_folder(path: str) -> list[str]:
    """Return the files of a folder that are not hidden; a file as it is."""
    if not is_folder(path):
        return [path]
    found = [str(one) for one in entries_of(path) if one.is_file() and not one.name.startswith(".")]
    if not found:
        raise InputError("there is no file in it", path=path)
    return found
