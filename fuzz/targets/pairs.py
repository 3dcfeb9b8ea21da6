"""Two inputs that mean the same, or do not: the same answer, another one, a refusal or a word; nothing in silence."""

from __future__ import annotations

from fuzz.choices import Choices
from fuzz.pairs import KINDS, judged

LONGEST = 512


def check(data: bytes) -> None:
    """Draw a kind and a pair of it."""
    choices = Choices(data)
    judged(choices.one_of(list(KINDS.values()))(choices))
