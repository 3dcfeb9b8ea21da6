"""Profiles: results of other studies that a study predicts from."""

from __future__ import annotations

import os
from typing import Any, TypeVar

from truegain.errors import InputError, Way
from truegain.results import Result, load

_Profile = TypeVar("_Profile", bound=Result)


def read_profile(given: Any, kind: type[_Profile]) -> _Profile:
    """Return the profile with the digits that a file has, so that both say the same.

    Raises
    ------
    InputError
        If it is neither a result of the study nor a file of one, or was changed by hand.
    """
    profile = given.rounded() if isinstance(given, kind) else _read(given, kind)
    if any(note.kind == "changed" for note in profile.notes):
        raise InputError("a profile must be as truegain wrote it, and this one was changed since")
    return profile


def _read(given: Any, kind: type[_Profile]) -> _Profile:
    """Read the file of a profile."""
    study = kind.study
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"a profile is a result of truegain.{study}, or a file; got {type(given).__name__}")
    result = load(given)
    if not isinstance(result, kind):
        raise InputError(
            f"this is a result of {result.study!r}; a profile is one of {study!r}",
            path="standard input" if os.fspath(given) == "-" else os.fspath(given),
            hint=(Way(f"truegain {study} … -o FILE.json", f'truegain.{study}(…).save("FILE.json")'), " makes one"),
        )
    return result
