"""The statistics of every run under every metric: from the cache or new, in threads, processes or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache, digest_lines, key_of
from truegain.corpus import Corpus, Run, sample_numbers
from truegain.errors import InputError
from truegain.executors.over import HERE, Workers, for_each, over
from truegain.metrics.base import Metric
from truegain.scratch import stretches, table
from truegain.statistics.check_inputs import check_fit
from truegain.statistics.matrix import Block, SegmentStatistics
from truegain.statistics.prepared import Prepared

if TYPE_CHECKING:
    from truegain.metrics.scorer import Scorer


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


_PIECE = 50_000  # segments of a run that are looked at together, by metrics that look at each alone
_BUNDLES = 4  # of pieces, to a worker elsewhere


class Piece(NamedTuple):
    """Segments of a run under a metric, from the first up to the end; the metric and the run by their numbers."""

    metric: int
    run: int
    first: int
    end: int


#: Pieces, and the statistics of their segments.
Found = Iterator[tuple[Piece, NDArray[Any]]]


def collect(
    corpus: Corpus,
    metrics: Mapping[str, Metric],
    *,
    cache: Cache | None = None,
    workers: Workers = HERE,
    progress: Callable[[str, int, int], None] | None = None,
) -> SegmentStatistics:
    """Compute (or find in the cache) the statistics of every run under every metric.

    Parameters
    ----------
    corpus : Corpus
    metrics : mapping of str to Metric
        By the name they were asked for.
    cache : Cache, optional
        Where statistics are kept between calls.
    workers : Workers
        Where it is done; by default here, in one thread.
    progress : callable, optional
        Told the stage, how many pieces of runs (or segments, of a program) were done since, and how many there are.
    """
    runs = [run for system in corpus.systems for run in system.runs]
    run_counts = tuple(len(system.runs) for system in corpus.systems)
    for metric in metrics.values():
        check_fit(metric, corpus, runs)
        if (keep_files := getattr(metric, "keep_files", None)) is not None:
            keep_files(cache)
    prepared = tuple(
        Prepared(metric, corpus.references, corpus.reference_names, 0, corpus.segments) for metric in metrics.values()
    )
    kept = None if cache is None else CachedStatistics(cache)
    blocks = []
    start = 0
    for key, metric in metrics.items():
        blocks.append(Block(key, metric, start, run_counts, sample_numbers(corpus.systems)))
        start = blocks[-1].columns.stop
    values = table(corpus.segments, start)
    programs = [m for m, metric in enumerate(metrics.values()) if hasattr(metric, "score_segments")]
    pieces = [
        piece for m in range(len(metrics)) if m not in programs for piece in _pieces(m, prepared[m], runs, _PIECE)
    ]
    for where, wanted in _by_workers(prepared, pieces, workers):
        computed = _here if where.shares_memory else _elsewhere
        for piece, found in computed(prepared, runs, wanted, where, kept):
            values[piece.first : piece.end, blocks[piece.metric].run_columns(piece.run)] = found
            if progress is not None:
                progress("scoring", 1, len(pieces))
    for m in programs:
        from truegain.statistics.scored_once import scored_once

        for r, found in enumerate(scored_once(cast("Scorer", prepared[m].metric), corpus, runs, cache, progress)):
            values[:, blocks[m].run_columns(r)] = found
    return SegmentStatistics(values, tuple(blocks))


def _pieces(m: int, prepared: Prepared, runs: Sequence[Run], size: int) -> Iterator[Piece]:
    """Cut runs into pieces, if the metric looks at one segment at a time: all runs of some segments, then of others."""
    longest = max(map(len, runs))
    if any(run.outputs is None for run in runs) or not getattr(prepared.metric, "by_segment", False):
        size = longest
    for first in range(0, longest, size):
        yield from (Piece(m, r, first, min(first + size, longest)) for r in range(len(runs)))


def _by_workers(
    prepared: Sequence[Prepared], pieces: Sequence[Piece], workers: Workers
) -> Iterator[tuple[Workers, list[Piece]]]:
    """Yield workers with their pieces: metrics that are Python's own work go to processes, instead of threads."""
    slow = []
    if workers.shares_memory and workers.jobs > 1:
        slow = [piece for piece in pieces if getattr(prepared[piece.metric].metric, "processes", False)]
    if slow:
        from truegain.executors.pools import can_run_in_processes, processes

        if can_run_in_processes(prepared):
            with processes(workers.jobs) as others:
                yield others, slow
        else:
            yield workers, slow
    if rest := [piece for piece in pieces if piece not in slow]:
        yield workers, rest


def _here(
    prepared: Sequence[Prepared],
    runs: Sequence[Run],
    wanted: Sequence[Piece],
    workers: Workers,
    kept: CachedStatistics | None,
) -> Found:
    """Yield the statistics of pieces, from the cache or new, by threads that see both."""

    def either(_: None, number: int, __: int) -> NDArray[Any]:
        piece = wanted[number]
        part = prepared[piece.metric].part(piece.first, piece.end)
        found = None if kept is None else kept.get(part, runs[piece.run])
        if found is None:
            try:
                found = part.statistics(runs[piece.run])
            except InputError:
                _count_from_the_first(prepared, runs, piece)
                raise
            if kept is not None:
                kept.put(part, runs[piece.run], found)
        return found

    yield from zip(wanted, over(either, None, 0, len(wanted), workers, size=1), strict=True)


def _elsewhere(
    prepared: Sequence[Prepared],
    runs: Sequence[Run],
    wanted: Sequence[Piece],
    workers: Workers,
    kept: CachedStatistics | None,
) -> Found:
    """Yield them by workers that may be on other machines: the cache is here."""

    def part_of(piece: Piece) -> Prepared:
        return prepared[piece.metric].part(piece.first, piece.end)

    missing = []
    for piece in wanted:
        found = None if kept is None else kept.get(part_of(piece), runs[piece.run])
        if found is None:
            missing.append(piece)
        else:
            yield piece, found
    bundles = [*_bundles(missing, workers)]
    results = for_each(_extracted, (_sent(part_of(same[0]), runs, same) for same in bundles), workers)
    for same in bundles:
        try:
            of_each = next(results)
        except InputError:
            for piece in same:
                _count_from_the_first(prepared, runs, piece)
            raise
        for piece, found in zip(same, of_each, strict=True):
            if kept is not None:
                kept.put(part_of(piece), runs[piece.run], found)
            yield piece, found


def _bundles(pieces: Sequence[Piece], workers: Workers) -> Iterator[list[Piece]]:
    """Cut pieces into bundles of the same segments and metric: a worker prepares their references once."""
    most = -(-len(pieces) // (_BUNDLES * workers.count))
    for (_, first, end), same in groupby(pieces, lambda piece: (piece.metric, piece.first, piece.end)):
        of_all = list(same)
        for part in stretches(len(of_all), max(1, min(most, _PIECE // max(1, end - first)))):
            yield of_all[part]


def _sent(part: Prepared, runs: Sequence[Run], same: Sequence[Piece]) -> tuple[Prepared, list[Run]]:
    """Return what a worker needs for a bundle: the references, and the runs' own texts, of these segments alone."""
    return part.alone(), [part.of(runs[piece.run]) for piece in same]


def _extracted(given: tuple[Prepared, Sequence[Run]]) -> list[NDArray[Any]]:
    """Return the statistics of a bundle on a worker, run by run."""
    prepared, runs = given
    return [prepared.statistics(run) for run in runs]


def _count_from_the_first(prepared: Sequence[Prepared], runs: Sequence[Run], piece: Piece) -> None:
    """Raise the error of a piece as users count segments, from the first of the run."""
    if piece.first:
        prepared[piece.metric].part(0, piece.end).statistics(runs[piece.run])
