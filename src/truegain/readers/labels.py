"""Labels of systems: a name and what it belongs to, a tab between them."""

from __future__ import annotations

from truegain.errors import InputError
from truegain.readers.plain import read_lines

__all__ = ["read_labels"]


def read_labels(path: str) -> dict[str, str]:
    """Read the label of each name.

    Parameters
    ----------
    path : str
        Lines of a name, a tab and a label; ``-`` is standard input. Empty lines are passed over.

    Raises
    ------
    InputError
        If a line is something else, or a name has two labels.
    """
    source = read_lines(path)
    labels: dict[str, str] = {}
    for number, line in enumerate(source.lines, 1):
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split("\t")]
        if len(parts) != 2 or not all(parts):
            raise InputError(
                f"a name, a tab and a label were expected; found {line[:60]!r}", path=source.name, line=number
            )
        name, label = parts
        if labels.setdefault(name, label) != label:
            raise InputError(f"{name!r} has two labels, {labels[name]!r} and {label!r}", path=source.name, line=number)
    return labels
