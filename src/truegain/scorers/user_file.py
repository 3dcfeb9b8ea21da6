"""Scorers that users define on their machine: a file in their configuration, or one named on the command line.

What is run is the user's own choice: no experiment file and no stored result defines a scorer.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from truegain.errors import InputError, one_of
from truegain.file_roles import reads
from truegain.registry import METRICS

if TYPE_CHECKING:
    from truegain.scorers.definition import Definition

#: The largest file of definitions that is read, in bytes.
LIMIT = 1024 * 1024
_TABLES = "begin each scorer with [scorer.NAME]"
_KINDS = {"command": (str,), "reads": (str,), "limits": (int, float)}  # keys with lists, and what these hold

_file: ContextVar[str | None] = ContextVar("scorers", default=None)
_downloads: ContextVar[bool] = ContextVar("downloads", default=False)


@contextmanager
def with_file(path: str) -> Iterator[None]:
    """Take definitions from a file instead of the user's own, for a while."""
    before = _file.set(path)
    try:
        yield
    finally:
        _file.reset(before)


@contextmanager
def with_downloads() -> Iterator[None]:
    """Let scorers fetch models, for a while."""
    before = _downloads.set(True)
    try:
        yield
    finally:
        _downloads.reset(before)


def named_file() -> str | None:
    """Return the file that was named instead of the user's own, if one was."""
    return _file.get()


def downloads_allowed() -> bool:
    """Return whether scorers may fetch models from a hub."""
    return _downloads.get()


def default_file() -> Path | None:
    """Return the user's own file, whether it is there or not; None if the user has no home."""
    base = os.environ.get("XDG_CONFIG_HOME")
    try:
        folder = Path(base) if base else Path.home() / ".config"
    except RuntimeError:
        return None
    return folder / "truegain" / "scorers.toml"


def defined() -> dict[str, Definition]:
    """Return the scorers that the user defined, by name; none if there is no file.

    Raises
    ------
    InputError
        If the file holds anything else than definitions, or others may write to it.
    """
    named = _file.get()
    path = default_file() if named is None else Path(named)
    if path is None or (named is None and not path.exists()):
        return {}
    data = _read(path)
    for key in data:
        if key != "scorer":
            raise InputError(f"the key {key!r} is not known", path=str(path), hint=_TABLES)
    tables = data.get("scorer", {})
    if not isinstance(tables, Mapping):
        raise InputError("scorer must be a table", path=str(path), hint=_TABLES)
    return {name: _definition(name, table, str(path)) for name, table in tables.items()}


def _read(path: Path) -> dict[str, Any]:
    reads(str(path))
    try:
        with path.open("rb") as stream:
            mode = os.fstat(stream.fileno()).st_mode
            data = stream.read(LIMIT + 1) if stat.S_ISREG(mode) else b""
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=str(path)) from error
    if not stat.S_ISREG(mode) or len(data) > LIMIT:
        raise InputError("a file of at most 1 MB was expected", path=str(path))
    if mode & stat.S_IWOTH:
        raise InputError(
            "anybody may write to this file, which says what is run", path=str(path), hint=f"chmod o-w {path}"
        )
    import tomllib

    try:
        return tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise InputError(f"this is not TOML: {error}"[:200], path=str(path)) from error


def _definition(name: str, table: Any, path: str) -> Definition:
    from truegain.scorers.definition import BUILT_IN, Definition

    if not isinstance(table, Mapping):
        raise InputError(f"scorer.{name} must be a table", path=path, hint=f"begin it with [scorer.{name}]")
    if name in BUILT_IN or name in METRICS:
        # Another program under a known name would be another metric in a result that looks the same.
        raise InputError(f"the name {name!r} is taken", path=path, hint="choose another name")
    kinds = {key: kind for key, kind in get_type_hints(Definition).items() if key != "name"}
    given: dict[str, Any] = {"label": name}
    for key, value in table.items():
        if key not in kinds:
            raise one_of(f"{path}: a key of scorer.{name}", key, list(kinds))
        given[key] = _value(value, key, name, path)
    if "command" not in given:
        raise InputError(f"scorer.{name} has no command", path=path, hint='command = ["PROGRAM", "{output}"]')
    try:
        return Definition(name, **given)
    except InputError as error:
        raise error.at(path) from error


def _value(value: Any, key: str, name: str, path: str) -> Any:
    if key in _KINDS:
        right = isinstance(value, list) and all(
            isinstance(one, _KINDS[key]) and not isinstance(one, bool) for one in value
        )
        if not right or (key == "limits" and len(value) != 2):
            wanted = "two numbers" if key == "limits" else "a list of texts"
            raise InputError(f"scorer.{name}: {key} must be {wanted}", path=path)
        return tuple(value)
    if isinstance(value, bool) != (key == "lower_is_better") or not isinstance(value, bool | str):
        wanted = "true or false" if key == "lower_is_better" else "a text"
        raise InputError(f"scorer.{name}: {key} must be {wanted}", path=path)
    return value
