"""Whether models may be fetched from a hub: only while the user says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_allowed: ContextVar[bool] = ContextVar("downloads", default=False)


@contextmanager
def with_downloads() -> Iterator[None]:
    """Let models be fetched, for a while."""
    before = _allowed.set(True)
    try:
        yield
    finally:
        _allowed.reset(before)


def downloads_allowed() -> bool:
    """Return whether models may be fetched."""
    return _allowed.get()
