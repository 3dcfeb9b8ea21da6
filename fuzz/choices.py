"""Choices drawn from bytes: a fuzzer that changes a byte changes one choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

__all__ = ["Choices"]

_T = TypeVar("_T")


class Choices:
    """Draw from bytes, in their order; where they end, the first of all options is drawn.

    Parameters
    ----------
    data : bytes
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def below(self, end: int) -> int:
        """Draw a number from 0 on."""
        drawn = 0
        for _ in range(1 if end <= 256 else 2):
            drawn = 256 * drawn + (self._data[self._place] if self._place < len(self._data) else 0)
            self._place += 1
        return drawn % end

    def one_of(self, options: Sequence[_T]) -> _T:
        """Draw one of the options."""
        return options[self.below(len(options))]

    def order(self, items: Sequence[_T]) -> list[_T]:
        """Draw an order of all items."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in items]
