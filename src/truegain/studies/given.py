"""Corpora from what programs give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from truegain.corpus import Corpus
from truegain.errors import InputError, command, one_of
from truegain.settings.groups import Development, Inputs, TrainingSamples


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


def check_pair(names: Sequence[str], baseline: str | None, system: str | None) -> None:
    """Refuse names of a baseline and a system that are not there, or are the same."""
    for what, name in (("the baseline", baseline), ("the system", system)):
        if name is not None and name not in names:
            raise one_of(what, name, list(names))
    if baseline is not None and baseline == system:
        raise InputError(f"{baseline!r} cannot be both the baseline and the system compared with it")


def development_of(options: Development) -> Corpus | None:
    """Return the development set, if there is one: a corpus, or references and systems."""
    given = options.development
    if given is None or isinstance(given, Corpus):
        return given
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
        raise TypeError("the development set is a Corpus, or references and systems: (references, {name: outputs})")
    from truegain.readers.memory import corpus_from_memory

    return corpus_from_memory(*given)


_SETS = 'give them by name: {"news": (references, systems), "talks": …}, with documents as a third part if known'


def sets_of(given: Any) -> list[Corpus]:
    """Return several test sets.

    Parameters
    ----------
    given : sequence of Corpus, or mapping of str to Corpus or tuple
        A tuple has references, systems and, if known, documents.

    Raises
    ------
    InputError
        If it is something else, or a test set does not fit together.
    """
    if isinstance(given, Mapping):
        return [_named_set(str(name), one) for name, one in given.items()]
    if isinstance(given, Corpus):
        hint = ("give a list of them; for one there is ", command("compare"))
        raise InputError("several test sets are needed, and one Corpus is given", hint=hint)
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise InputError(f"test sets were expected; got {type(given).__name__}", hint=_SETS)
    for one in given:
        if not isinstance(one, Corpus):
            raise InputError(f"in a list, every test set must be a Corpus; got {type(one).__name__}", hint=_SETS)
    return list(given)


def _named_set(name: str, given: Any) -> Corpus:
    if isinstance(given, Corpus):
        return replace(given, name=name)
    from truegain.readers.frames import is_frame
    from truegain.readers.memory import corpus_from_memory

    parts = (given, None) if is_frame(given) else given
    if not isinstance(parts, tuple | list) or len(parts) not in (2, 3):
        found = f"{len(parts)} parts" if isinstance(parts, tuple | list) else type(parts).__name__
        raise InputError(f"the test set {name!r} must be (references, systems); got {found}", hint=_SETS)
    references, systems, documents = (*parts, None)[:3]
    try:
        return corpus_from_memory(references, systems, documents=documents, name=name)
    except InputError as error:
        raise error.at(error.path, error.line, before=f"test set {name!r}: ") from None
