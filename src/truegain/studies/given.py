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
    given: dict[str, Any] = {name: getattr(options, name, None) for name in ("documents", "domains", "sources")}
    if isinstance(options.references, Corpus):
        if any(value is not None for value in (options.systems, *given.values())):
            raise TypeError("a Corpus holds its systems, documents, domains and sources already")
        corpus = options.references
    else:
        from truegain.metrics.lookup import check_sources_read
        from truegain.readers.memory import corpus_from_memory

        if given["sources"] is not None:
            check_sources_read(getattr(options, "metrics", ()))
        corpus = corpus_from_memory(options.references, options.systems, by=getattr(options, "by", None), **given)
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
    for role, name in (("the baseline", baseline), ("the system", system)):
        if name is not None and name not in names:
            raise one_of(role, name, list(names))
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
    """Return several test sets, given as corpora, or by name as corpora or ``(references, systems[, documents])``."""
    if isinstance(given, Mapping):
        return [_named_set(str(name), testset) for name, testset in given.items()]
    if isinstance(given, Corpus):
        hint = ("give a list of them; for one there is ", command("compare"))
        raise InputError("several test sets are needed, and one Corpus is given", hint=hint)
    testsets: list[Any] = list(given) if isinstance(given, list | tuple) else [given]
    for testset in testsets:
        if not isinstance(testset, Corpus):
            raise InputError(f"a test set is a Corpus; got {type(testset).__name__}", hint=_SETS)
    return testsets


def _named_set(name: str, given: Any) -> Corpus:
    if isinstance(given, Corpus):
        return replace(given, name=name)
    from truegain.readers.frames import is_frame
    from truegain.readers.memory import corpus_from_memory

    parts = (given, None) if is_frame(given) else given
    if not isinstance(parts, tuple | list) or len(parts) not in (2, 3):
        length = f" of {len(parts)}" if isinstance(parts, tuple | list) else ""
        kind = f"{type(parts).__name__}{length}"
        raise InputError(f"the test set {name!r} must be (references, systems); got {kind}", hint=_SETS)
    references, systems, documents = (*parts, None)[:3]
    try:
        return corpus_from_memory(references, systems, documents=documents, name=name)
    except InputError as error:
        raise error.at(error.path, error.line, before=f"test set {name!r}: ") from None
