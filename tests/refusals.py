"""What errors and notes are held by: their kind, their place, what they tell users to type. Their words are free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from truegain.errors import InputError, Setting
from truegain.notes import Note


@contextmanager
def refused(
    *options: str, path: str | Path | None = None, line: int | None = None, naming: Iterable[object] = ()
) -> Iterator[None]:
    """Expect an error of input that names all these options, by their names in Python.

    Parameters
    ----------
    path, line : str and int, optional
        Where it was found, if that must be said.
    naming : iterable, optional
        Values that its text must have: names and numbers of the input, not words of ours.
    """
    with pytest.raises(InputError) as raised:
        yield
    error = raised.value
    text = str(error)
    pieces = [piece for part in (error.said, error.advice) if isinstance(part, tuple) for piece in part]
    named = {piece.name for piece in pieces if isinstance(piece, Setting)}
    assert set(options) <= named, text
    assert path is None or error.path == str(path), text
    assert line is None or error.line == line, text
    assert not [value for value in naming if str(value) not in text], text


def kinds(notes: Iterable[Note]) -> set[str]:
    """Return the kinds of notes."""
    return {note.kind for note in notes}
