"""Messages for GitHub's workflows."""

from __future__ import annotations

import os
from pathlib import Path

from truegain.errors import InputError
from truegain.file_roles import check_write, writes


def in_a_workflow() -> bool:
    """Return whether this is a step of a workflow."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def error_annotation(title: str, message: str) -> str:
    """Return a line that marks the build with an error; everything in it is escaped as workflow commands want it."""
    return f"::error title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def check_appendable(path: str) -> None:
    """Check before any work is done that the file can be written."""
    writes(path)
    if Path(path).is_dir():
        raise InputError("this is a directory; a file was expected", path=path)
    if not Path(path).resolve().parent.is_dir():
        raise InputError("cannot be written: there is no such directory", path=path)


def append(path: str, text: str) -> None:
    """Add a text to the end of a file, which other steps may have begun."""
    check_write(path)
    try:
        held = text.encode(errors="replace")
        with Path(path).open("ab") as stream:
            stream.write(held)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path) from error
