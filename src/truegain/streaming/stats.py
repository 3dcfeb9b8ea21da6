"""The sums of one shard of a large test set."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from truegain.executors.processors import available_jobs
from truegain.metrics.base import Metric
from truegain.readers.sequences import check_indexes, check_ordered, label_stream
from truegain.streaming.gather import Given, gather
from truegain.streaming.sums import Sums


def stats(
    references: Any,
    systems: Mapping[str, Any],
    *,
    metrics: Sequence[str | Metric] = ("bleu",),
    documents: Any = None,
    first: int = 1,
    resamples: int = 1000,
    seed: int = 12345,
    name: str | None = None,
    jobs: int | None = None,
) -> Sums:
    """Sum the statistics of one shard of a test set that is too large for memory; :func:`merge` adds shards up.

    Parameters
    ----------
    references : path, iterable of str, a list of such, or None
        A ``str`` or ``Path`` is a file, read a piece at a time; anything else gives the segments one after the other, a
        generator, say. None for segment scores.
    systems : mapping of str to outputs
        The same for each system, or a list of such for several runs; or numbers, which are segment scores.
    metrics : sequence of str or Metric
        Any whose statistics of a segment do not depend on other segments: not NIST.
    documents : path or iterable of str, optional
        The document of each segment; documents are then the unit.
    first : int
        The number of the shard's first segment in the whole test set, from 1.
    resamples, seed : int
        The same for all shards.
    name : str, optional
        What the test set is called.
    jobs : int, optional
        Threads, by default one for each processor. The sums do not depend on it.

    Returns
    -------
    Sums
        ``save(path)`` writes them.
    """
    check_indexes({"references": references, "systems": systems, "documents": documents})
    return gather(
        {system: _streams(given, repr(system)) for system, given in systems.items()},
        [] if references is None else _streams(references, "references"),
        metrics=metrics,
        documents=None if documents is None else _documents(documents),
        first=first,
        resamples=resamples,
        seed=seed,
        name=name,
        jobs=available_jobs(jobs),
    )


def _documents(given: Any) -> Given:
    if isinstance(given, str | os.PathLike):
        return os.fspath(given)
    check_ordered(given, "documents")
    return label_stream(given, "document id")


def _streams(given: Any, name: str) -> list[Given]:
    """Return the streams: one thing that gives lines, or the several that a list holds."""
    if isinstance(given, str | os.PathLike):
        return [os.fspath(given)]
    check_ordered(given, name)
    if isinstance(given, list | tuple) and given and all(_is_stream(one) for one in given):
        return [one for several in given for one in _streams(several, name)]
    return [(one if isinstance(one, str) else _score_line(one) for one in given)]


def _is_stream(one: Any) -> bool:
    return isinstance(one, os.PathLike) or (isinstance(one, Iterable) and not isinstance(one, str))


def _score_line(one: Any) -> Any:
    """Return a number as a line of a file of scores, with all its digits; the reader refuses anything else."""
    try:
        return str(one) if isinstance(one, bool | np.bool_) else repr(float(one))
    except (TypeError, ValueError):
        return one
