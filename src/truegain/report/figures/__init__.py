"""Figures: data in, vector graphics out; made for two-column papers, and for eyes that see colours differently.

A file for each kind: a frozen dataclass of plain data with the method ``draw`` and the property ``alt``, as
:class:`Drawing` asks for. What they have in common is in :mod:`truegain.report.figures.style`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from truegain.report.figures.sheet import Sheet

__all__ = ["Drawing"]


class Drawing(Protocol):
    """A figure as data: one class for each kind."""

    @property
    def alt(self) -> str:
        """Description of what the figure shows, for those who do not see it."""
        ...

    def draw(self) -> Sheet:
        """Draw the figure."""
        ...
