"""Statistics kept between calls."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache, digest_lines, key_of
from truegain.corpus import Corpus, Run
from truegain.statistics.prepared import Prepared


class CachedStatistics:
    """Statistics in the cache, found by what they were made from.

    Parameters
    ----------
    cache : Cache
    corpus : Corpus
        Its references and runs are looked at once, for all metrics.
    """

    def __init__(self, cache: Cache, corpus: Corpus) -> None:
        self._cache = cache
        self._references = b"".join(digest_lines(reference) for reference in corpus.references)
        self._runs = {id(run): digest_lines(run.outputs or ()) for system in corpus.systems for run in system.runs}

    def get(self, prepared: Prepared, run: Run) -> NDArray[Any] | None:
        """Return the statistics of a run, if they are kept."""
        key = self._key(prepared, run)
        found = None if key is None else self._cache.get(key)
        expected = (len(run), len(prepared.metric.statistic_names))
        return None if found is None or found.shape != expected else found

    def put(self, prepared: Prepared, run: Run, found: NDArray[Any]) -> None:
        """Keep the statistics of a run, unless the metric wants them new each time."""
        key = self._key(prepared, run)
        if key is not None:
            self._cache.put(key, compact(found))

    def _key(self, prepared: Prepared, run: Run) -> str | None:
        """Return the key of a run's statistics; None if they are never kept."""
        if prepared.metric.reads == "scores" or not getattr(prepared.metric, "cached", True):
            return None
        return key_of(prepared.signature, self._references, self._runs[id(run)])


def compact(values: NDArray[Any]) -> NDArray[Any]:
    """Return small whole numbers in four bytes, not eight."""
    if values.dtype == np.int64 and values.size and values.min() >= -(2**31) and values.max() < 2**31:
        return values.astype(np.int32)
    return values
