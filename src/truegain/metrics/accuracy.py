"""Accuracy: the share of labels that are right, one label per line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from truegain.metrics.base import signature
from truegain.metrics.exact import Matches


@dataclass(frozen=True)
class Accuracy(Matches):
    """The share of segments whose label is that of a reference, in percent.

    A label is the whole line, without the white space around it.
    """

    name: ClassVar[str] = "accuracy"
    label: ClassVar[str] = "accuracy"

    def signature(self, references: int | str = 1) -> str:
        """Name the number of references."""
        return signature(nrefs=references, case="mixed")

    def _compared(self, lines: Sequence[str]) -> list[str]:
        return [line.strip() for line in lines]
