"""Runs that were left out as copies of others: if their number is wrong, this may be why."""

from __future__ import annotations

from truegain.corpus import Corpus
from truegain.notes import Note

__all__ = ["copies_left_out"]


def copies_left_out(*corpora: Corpus) -> list[Note]:
    """Return what was said of copies when the corpora were made."""
    return [note for corpus in corpora for note in corpus.notes if note.kind == "copy"]
