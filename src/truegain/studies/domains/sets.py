"""Several test sets with the same systems: the domains of one, or sets of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from truegain.corpus import Corpus
from truegain.errors import InputError, Way
from truegain.report.model import listing

_NAMED = 5  # systems that are missing: more are counted


def by_domain(corpus: Corpus) -> list[Corpus]:
    """Return a corpus per domain, in the order of first appearance; the corpus itself if no domains are known."""
    if corpus.domains is None:
        return [corpus]
    places: dict[str, list[int]] = {}
    for place, domain in enumerate(corpus.domains):
        places.setdefault(domain, []).append(place)
    made = [_chosen(corpus, domain, chosen) for domain, chosen in places.items()]
    return [replace(one, notes=corpus.notes if number == 0 else ()) for number, one in enumerate(made)]


def _chosen(corpus: Corpus, name: str, places: Sequence[int]) -> Corpus:
    """Return some segments as a test set of their own, whose runs are not told apart by training sample or rater."""
    found = corpus.of_segments(places)
    systems = [
        replace(one, runs=tuple(replace(run, sample=None, raters=None, label=None) for run in one.runs))
        for one in found.systems
    ]
    return replace(found, name=name, systems=tuple(systems), domains=None)


def with_the_same_systems(corpora: Sequence[Corpus]) -> list[Corpus]:
    """Return the sets with their systems in one order, that of the first set.

    Raises
    ------
    InputError
        If sets have the same name, or a system is not on all of them.
    """
    if not corpora:
        raise InputError("there is no test set", hint="give one, or several with the same systems")
    names = [corpus.name for corpus in corpora]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            f"two test sets are named {twice!r}",
            hint=("give them different names: ", Way("--set NAME=FOLDER", "truegain.read_corpus(…, name=…)")),
        )
    wanted = list(dict.fromkeys(system.name for corpus in corpora for system in corpus.systems))
    for corpus in corpora:
        there = {system.name for system in corpus.systems}
        missing = [name for name in wanted if name not in there]
        if missing:
            shown = missing if len(missing) <= _NAMED else [*missing[:_NAMED], f"{len(missing) - _NAMED} more"]
            raise InputError(
                f"the test set {corpus.name!r} has no outputs of {listing([str(name) for name in shown])}",
                hint="every system must be on every set, under the same name",
            )
    return [replace(corpus, systems=tuple(corpus.system(name) for name in wanted)) for corpus in corpora]
