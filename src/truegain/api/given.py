"""What programs give, as a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truegain.corpus import Corpus
from truegain.readers.memory import corpus_from_memory

__all__ = ["corpus_of", "development_of"]


def corpus_of(references: Any, systems: Mapping[str, Any] | None, documents: Any, domains: Any) -> Corpus:
    """The corpus itself, or one made of references and outputs."""
    if isinstance(references, Corpus):
        if not systems is documents is domains is None:
            raise TypeError("a Corpus holds its systems, documents and domains already")
        return references
    if systems is None:
        raise TypeError("systems are needed: a mapping of names to outputs")
    return corpus_from_memory(references, systems, documents=documents, domains=domains)


def development_of(given: Any) -> Corpus | None:
    """The same of a development set: a corpus, or references and systems."""
    if given is None or isinstance(given, Corpus):
        return given
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
        raise TypeError("the development set is a Corpus, or references and systems: (references, {name: outputs})")
    return corpus_from_memory(*given)
