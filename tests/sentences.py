"""Sentences of studies, held by their templates."""

from __future__ import annotations

import re

from truegain.words import Sentence


def says(text: str, sentence: Sentence) -> bool:
    """Return whether a text is a sentence with its slots filled."""
    pattern = re.sub(r"\\\{[^{}]*\\\}", ".+", re.escape(sentence))
    return re.fullmatch(pattern, text) is not None


def unmarked(text: str) -> str:
    """Return a text without its commas and semicolons, which goldens hold."""
    return re.sub("[,;]", "", text)
