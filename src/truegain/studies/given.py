"""Corpora from what programs give."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.corpus import Corpus
from truegain.errors import InputError, command
from truegain.settings.groups import Development, Inputs, TrainingSamples

__all__ = ["corpus_of", "development_of"]


def corpus_of(options: Inputs) -> Corpus:
    """Return the corpus that was given, or make one of references and outputs."""
    documents, domains, by, sources = (
        getattr(options, name, None) for name in ("documents", "domains", "by", "sources")
    )
    if isinstance(options.references, Corpus):
        if not options.systems is documents is domains is sources is None:
            raise TypeError("a Corpus holds its systems, documents, domains and sources already")
        corpus = options.references
    else:
        from truegain.readers.memory import corpus_from_memory

        if sources is not None:
            from truegain.metrics.lookup import check_sources_read

            check_sources_read(getattr(options, "metrics", ()))
        corpus = corpus_from_memory(
            options.references, options.systems, documents=documents, domains=domains, by=by, sources=sources
        )
    known = any(system.samples for system in corpus.systems)
    if isinstance(options, TrainingSamples) and (known or options.training_samples is not None):
        from truegain.readers.training_samples import with_training_samples

        return with_training_samples(corpus, options.training_samples)
    if known:
        raise InputError(
            "runs are given by training sample, and nothing is known of samples here",
            hint=("give them as a list of runs; ", command("compare"), " and ", command("score"), " know samples"),
        )
    return corpus


def development_of(options: Development) -> Corpus | None:
    """Return the development set, if there is one: a corpus, or references and systems."""
    given = options.development
    if given is None or isinstance(given, Corpus):
        return given
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
        raise TypeError("the development set is a Corpus, or references and systems: (references, {name: outputs})")
    from truegain.readers.memory import corpus_from_memory

    return corpus_from_memory(*given)
