"""Answers as the evaluation of SQuAD compares them (Rajpurkar et al. 2016)."""

from __future__ import annotations

import re
import string

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


def plain_answer(text: str) -> str:
    """Return the text in lowercase without ASCII punctuation and English articles, with one blank between words."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_WITHOUT_PUNCTUATION)).split())
