"""Does it hold on other test sets?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from truegain.api.given import corpus_of
from truegain.cache import Cache
from truegain.corpus import Corpus
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.experiment import UnitChoice
from truegain.metrics.base import Metric
from truegain.readers.memory import corpus_from_memory
from truegain.studies.domains import study
from truegain.studies.domains.result import DomainsResult
from truegain.studies.domains.sets import by_domain

__all__ = ["domains"]


def domains(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    unit: UnitChoice = "auto",
    sizes: Sequence[int] = (),
    draws: int = 200,
    alpha: float = 0.05,
    resamples: int = 10_000,
    draw_resamples: int = 1_000,
    seed: int = 12345,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> DomainsResult:
    """See whether differences between systems hold on other test sets, or in other domains of one.

    Every two systems are tested on every set, one-sided, for the one with the better score there. From each set to each
    other: by p on the first, how often the second has the same sign. And for each set as the population: test sets
    are drawn from it, and by p on a draw, how often the sign is that of the whole set (Berg-Kirkpatrick et al. 2012,
    section 4).

    Parameters
    ----------
    references, systems, documents, domains
        As in :func:`truegain.compare`; every domain is a set. Or, in place of the references, several sets with the
        same systems: a mapping of names to corpora, or to references, systems and, if known, documents; or a sequence
        of corpora. Several runs of a system are averaged.
    metrics : sequence of str or Metric
        Of which one way is the better one.
    unit : "auto", "segment" or "document"
        What is resampled and drawn; ``auto``: documents where they are known.
    sizes : sequence of int
        How many units test sets that are drawn have; by default as many as the set they are drawn from.
    draws : int
        How many test sets are drawn from each set; with 0, none.
    alpha : float
        What counts as significant, one-sided; intervals of shares have the level 1 - alpha.
    resamples, draw_resamples : int
        Of the bootstrap on each set, and on each test set that is drawn.
    seed, jobs, cache, engine
        As in :func:`truegain.compare`.
    """
    return study.domains(
        _sets(references, systems, documents, domains),
        metrics=metrics,
        unit=unit,
        sizes=sizes,
        draws=draws,
        alpha=alpha,
        resamples=resamples,
        draw_resamples=draw_resamples,
        seed=seed,
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )


def _sets(references: Any, systems: Mapping[str, Any] | None, documents: Any, domains: Any) -> list[Corpus]:
    """Several test sets, or the domains of one."""
    several = isinstance(references, Mapping) or (
        isinstance(references, Sequence) and bool(references) and all(isinstance(one, Corpus) for one in references)
    )
    if not several:
        return by_domain(corpus_of(references, systems, documents, domains))
    if not systems is documents is domains is None:
        raise TypeError("several sets hold their systems, documents and domains already")
    if not isinstance(references, Mapping):
        return list(references)
    return [
        replace(given, name=name) if isinstance(given, Corpus) else _of_parts(name, *given)
        for name, given in references.items()
    ]


def _of_parts(name: str, references: Any, systems: Mapping[str, Any], documents: Any = None) -> Corpus:
    return corpus_from_memory(references, systems, documents=documents, name=name)
