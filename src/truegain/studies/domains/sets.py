"""Several test sets with the same systems: the domains of one, or sets of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truegain.corpus import Corpus, Run, System
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
    def of(lines: Sequence[str] | None) -> tuple[str, ...] | None:
        return None if lines is None else tuple(lines[place] for place in places)

    index = np.array(places)
    systems = tuple(
        System(
            system.name,
            tuple(
                Run(
                    run.name,
                    of(run.outputs),
                    {key: one[index] for key, one in run.scores.items()},
                    run.scores_from,
                    repeats={key: one.of_items(index) for key, one in run.repeats.items()},
                    answers={key: one.of_items(index) for key, one in run.answers.items()},
                )
                for run in system.runs
            ),
        )
        for system in corpus.systems
    )
    return replace(
        corpus,
        name=name,
        segments=len(places),
        references=tuple(tuple(side[place] for place in places) for side in corpus.references),
        systems=systems,
        documents=of(corpus.documents),
        domains=None,
        sources=of(corpus.sources),
    )


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
