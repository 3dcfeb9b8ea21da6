"""Profiles: results of other studies that a study predicts from."""

from __future__ import annotations

import os
from typing import Any, TypeVar

from truegain.errors import InputError, Way
from truegain.studies.result import Result
from truegain.studies.stored import load

_Profile = TypeVar("_Profile", bound=Result)


def read_profile(given: Any, kind: type[_Profile]) -> _Profile:
    """Return the profile with the digits that a file has, so that both say the same.

    Raises
    ------
    InputError
        If it is neither a result of the study nor a file of one.
    """
    study = kind.study
    if isinstance(given, kind):
        return given.rounded()
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"a profile is a result of truegain.{study}, or a file; got {type(given).__name__}")
    found = load(given)
    if not isinstance(found, kind):
        raise InputError(
            f"this is a result of {found.study!r}; a profile is one of {study!r}",
            path="standard input" if os.fspath(given) == "-" else os.fspath(given),
            hint=(Way(f"truegain {study} … -o FILE.json", f'truegain.{study}(…).save("FILE.json")'), " makes one"),
        )
    return found
