"""What a command says is held by what it names: files, lines, numbers, options."""

from __future__ import annotations


def missing(said: str, naming: str) -> list[str]:
    """Return which of these words, separated by white space, were not said."""
    return [word for word in naming.split() if word not in said]
