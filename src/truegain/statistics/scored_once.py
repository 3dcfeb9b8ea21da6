"""Statistics of metrics that programs compute: all runs in one call, each distinct segment once, none that is known."""

from __future__ import annotations

import hashlib
import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache, key_of
from truegain.corpus import Corpus, Run
from truegain.metrics.scorer import Scorer
from truegain.scorers.program import Segments

_DIGEST = 16
_MOST = 2_000_000  # segments that are kept of one scorer, at 24 bytes each; the oldest go first
_ENTRIES = 16  # that are read at each call before they become one

#: What was scored in this process, by scorer: parts of a corpus are scored again and again.
_known: dict[str, dict[bytes, float]] = {}

#: A source, an output and a reference; none of what the scorer does not read.
_Triple = tuple[str | None, str, str | None]


def scored_once(
    metric: Scorer,
    corpus: Corpus,
    runs: Sequence[Run],
    cache: Cache | None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Iterator[NDArray[np.float64]]:
    """Yield the statistics of each run.

    Parameters
    ----------
    metric : Scorer
    corpus : Corpus
        It has what the metric reads.
    runs : sequence of Run
    cache : Cache, optional
        Where scores are kept between calls, by segment.
    progress : callable, optional
        Told the stage, how many segments were scored since, and how many there are.
    """
    nothing = (None,) * corpus.segments
    sources = corpus.sources if "source" in metric.needs and corpus.sources is not None else nothing
    references = corpus.references[0] if "reference" in metric.needs else nothing
    triples = [list(zip(sources, run.outputs or (), references, strict=True)) for run in runs]
    digests = {triple: _digest(triple) for own in triples for triple in own}
    kept = SegmentScores(cache, metric.identity).scores
    known = {digest: kept[digest] for digest in digests.values() if digest in kept}
    missing = [triple for triple, digest in digests.items() if digest not in known]
    if missing:
        segments = Segments(
            [output for _, output, _ in missing],
            [source or "" for source, _, _ in missing] if "source" in metric.needs else None,
            [reference or "" for *_, reference in missing] if "reference" in metric.needs else None,
        )
        report = None if progress is None else lambda done: progress(metric.name, done, len(missing))
        if report is not None:
            report(0)
        found = metric.score_segments(segments, report).tolist()
        new = {digests[triple]: score for triple, score in zip(missing, found, strict=True)}
        # The identity is asked for again: it changes when a model is fetched. What others kept since stays.
        SegmentScores(cache, metric.identity).add(new)
        known |= new
    for own in triples:
        scores = np.array([known[digests[triple]] for triple in own])
        yield np.stack([scores, np.ones_like(scores)], axis=-1)


def _digest(triple: _Triple) -> bytes:
    parts = [b"" if part is None else part.encode("utf-8", "surrogatepass") for part in triple]
    sizes = np.array([-1 if part is None else len(own) for part, own in zip(triple, parts, strict=True)], "<i8")
    return hashlib.blake2b(sizes.tobytes() + b"".join(parts), digest_size=_DIGEST).digest()


class SegmentScores:
    """Scores of segments by what they were made from: of this process, and in the cache.

    What is found in one call is an entry of its own, under a name that no other process gives: those that score at once
    never write to the same one, and need no lock. Many entries become one; those in it are removed once it is there.

    Parameters
    ----------
    cache : Cache, optional
    identity : str
        What scores depend on besides the texts.
    """

    def __init__(self, cache: Cache | None, identity: str) -> None:
        self._cache = cache
        self._key = key_of("segment scores", identity)
        self.scores = _known.setdefault(self._key, {})
        self._read: list[str] = []
        for key, table in () if cache is None else ((key, cache.get(key)) for key in cache.keys(self._key)):
            if table is not None and table.dtype == np.int64 and table.ndim == 2 and table.shape[1] == 3:
                self.scores.update(_unpacked(table))
                self._read.append(key)

    def add(self, found: dict[bytes, float]) -> None:
        """Keep scores that were all found."""
        self.scores.update(found)
        if self._cache is None:
            return
        # By time: the oldest come first when they are read, and so go first when there are too many.
        name = f"{self._key}-{time.time_ns():020d}-{os.urandom(4).hex()}"
        many = len(self._read) >= _ENTRIES
        written = self._cache.put(name, _packed(dict(list(self.scores.items())[-_MOST:]) if many else found))
        if many and written:
            self._cache.remove(self._read)
        if not written:
            warnings.warn(
                f"new scores of segments could not be kept in the cache, {self._cache.directory}, and are computed "
                "again next time: see that there is room and that it may be written to, or raise TRUEGAIN_CACHE_SIZE",
                RuntimeWarning,
                stacklevel=2,
            )


def _packed(scores: dict[bytes, float]) -> NDArray[np.int64]:
    """Return a row for each segment: two numbers for what it was made from, and the bits of its score."""
    table = np.empty((len(scores), 3), np.int64)
    table[:, :2] = np.frombuffer(b"".join(scores), "<i8").reshape(-1, 2)
    table[:, 2] = np.array(list(scores.values()), np.float64).view(np.int64)
    return table


def _unpacked(table: NDArray[np.int64]) -> Iterator[tuple[bytes, float]]:
    keys = np.ascontiguousarray(table[:, :2], "<i8").tobytes()
    values = np.ascontiguousarray(table[:, 2]).view(np.float64)
    held = (keys[i : i + _DIGEST] for i in range(0, len(keys), _DIGEST))
    return ((digest, score) for digest, score in zip(held, values.tolist(), strict=True) if np.isfinite(score))
