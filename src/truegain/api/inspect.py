"""Which segments made the difference?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from truegain.api.given import corpus_of, development_of
from truegain.cache import Cache
from truegain.engines.base import Engine
from truegain.executors.processors import available_jobs
from truegain.metrics.base import Metric
from truegain.studies.inspect import study
from truegain.studies.inspect.result import InspectResult, Records
from truegain.studies.inspect.words import LENGTHS

__all__ = ["inspect"]


def inspect(
    references: Any,
    systems: Mapping[str, Any] | None = None,
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    domains: Any = None,
    baseline: str | None = None,
    system: str | None = None,
    count: int = 5,
    ngrams: int = 10,
    tokenize: str = "13a",
    length_buckets: Sequence[int] = LENGTHS,
    frequencies: str | Path | Sequence[str] | None = None,
    everything: bool = False,
    records: Records = "segments",
    development: Any = None,
    jobs: int | None = None,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
) -> InspectResult:
    """Find the segments, documents, lengths, words and n-grams that made the difference between two systems.

    Outputs are those of the median runs, metric by metric; words and n-grams are of the median runs under the first.

    Parameters
    ----------
    references, systems, documents, domains
        As in :func:`truegain.compare`.
    metrics : sequence of str or Metric
        As in :func:`truegain.compare`.
    baseline, system : str, optional
        Which two systems; needless where there are only two, the first being the baseline then.
    count : int
        How many segments and documents to list that speak for the system, and how many against.
    ngrams : int
        How many n-grams to list each way.
    tokenize : str
        How texts are split for lengths, words and n-grams: 13a, none (at white space), or another of BLEU's.
    length_buckets : sequence of int
        Where buckets of reference lengths begin, the first apart.
    frequencies : path or lines, optional
        A text, that of training say, whose counts are the frequencies of words; by default the references.
    everything : bool
        Keep all segments for the records, not only those that are listed.
    records : "segments", "documents", "lengths", "words" or "ngrams"
        What ``to_records`` of the result gives.
    development : Corpus, or references and systems, optional
        The same systems and runs on the development set, for the choice of the median run.
    jobs, cache, engine
        As in :func:`truegain.compare`.

    Examples
    --------
    >>> import truegain as tg
    >>> result = tg.inspect(
    ...     ["the cat sat", "a dog ran off", "it was late"],
    ...     {
    ...         "base": ["the cat sits", "a dog ran", "it was late"],
    ...         "new": ["the cat sat", "a dog ran off", "it is late"],
    ...     },
    ...     metrics=["chrf"],
    ... )
    >>> moved = result["chrf"]
    >>> [one.number for one in moved.up], [one.number for one in moved.down]
    ([2, 1], [3])
    """
    return study.inspect(
        corpus_of(references, systems, documents, domains),
        metrics=metrics,
        baseline=baseline,
        system=system,
        count=count,
        ngrams=ngrams,
        tokenize=tokenize,
        length_buckets=length_buckets,
        frequencies=frequencies,
        everything=everything,
        records=records,
        development=development_of(development),
        jobs=available_jobs(jobs),
        cache=cache,
        engine=engine,
    )
