"""Statistics kept between calls."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache, digest_lines, key_of
from truegain.corpus import Run
from truegain.statistics.prepared import Prepared


class CachedStatistics:
    """Statistics in the cache, found by what they were made from."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._lock = Lock()
        self._digests: dict[tuple[int, int, int], bytes] = {}

    def get(self, prepared: Prepared, run: Run) -> NDArray[Any] | None:
        """Return the statistics of the segments of a run, if they are kept."""
        key = self._key(prepared, run)
        found = None if key is None else self._cache.get(key)
        expected = (prepared.end - prepared.first, len(prepared.metric.statistic_names))
        return None if found is None or found.shape != expected else found

    def put(self, prepared: Prepared, run: Run, found: NDArray[Any]) -> None:
        """Keep the statistics of the segments of a run, unless the metric wants them new each time."""
        key = self._key(prepared, run)
        if key is not None:
            self._cache.put(key, compact(found))

    def _key(self, prepared: Prepared, run: Run) -> str | None:
        """Return the key of a run's statistics; None if they are never kept."""
        if prepared.metric.reads == "scores" or not getattr(prepared.metric, "cached", True):
            return None
        references = b"".join(self._digest(reference, prepared) for reference in prepared.whole)
        return key_of(prepared.signature, references, self._digest(run.outputs or (), prepared))

    def _digest(self, lines: Sequence[str | None], prepared: Prepared) -> bytes:
        """Return the fingerprint of the lines of some segments, made once for all metrics."""
        which = id(lines), prepared.first, prepared.end
        with self._lock:
            if which not in self._digests:
                self._digests[which] = digest_lines(lines[prepared.first : prepared.end])
            return self._digests[which]


def compact(values: NDArray[Any]) -> NDArray[Any]:
    """Return small whole numbers in four bytes, not eight."""
    if values.dtype == np.int64 and values.size and values.min() >= -(2**31) and values.max() < 2**31:
        return values.astype(np.int32)
    return values
