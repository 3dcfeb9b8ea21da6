"""The statistics of every run under every metric: from the cache or new, in threads, processes or elsewhere."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache
from truegain.corpus import Corpus, Run, sample_numbers
from truegain.errors import InputError
from truegain.executors.over import HERE, Workers, over
from truegain.metrics.base import Metric
from truegain.statistics.cached import CachedStatistics
from truegain.statistics.check_inputs import check_fit
from truegain.statistics.matrix import Block, SegmentStatistics
from truegain.statistics.prepared import Prepared

if TYPE_CHECKING:
    from truegain.metrics.scorer import Scorer

#: A metric and a run, by their numbers, and the statistics of the one under the other.
Found = Iterator[tuple[tuple[int, int], NDArray[np.float64]]]

_SHORTEST, _LONGEST = 20_000, 200_000  # segments of a run that are sent to a worker at a time


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
        Told the stage, how many runs (or segments, of a program) were done since, and how many there are.
    """
    runs = [run for system in corpus.systems for run in system.runs]
    run_counts = tuple(len(system.runs) for system in corpus.systems)
    for metric in metrics.values():
        check_fit(metric, corpus, runs)
        if (keep_files := getattr(metric, "keep_files", None)) is not None:
            keep_files(cache)
    prepared = tuple(Prepared(metric, corpus.references, corpus.reference_names) for metric in metrics.values())
    kept = None if cache is None else CachedStatistics(cache, corpus)
    parts: dict[tuple[int, int], NDArray[np.float64]] = {}
    programs = [m for m, metric in enumerate(metrics.values()) if hasattr(metric, "score_segments")]
    total = (len(metrics) - len(programs)) * len(runs)
    for where, chosen in _by_workers(prepared, [m for m in range(len(metrics)) if m not in programs], workers):
        wanted = [(m, r) for m in chosen for r in range(len(runs))]
        computed = _here if where.shares_memory else _elsewhere
        for place, found in computed(prepared, runs, wanted, where, kept):
            parts[place] = found
            if progress is not None:
                progress("scoring", 1, total)
    for m in programs:
        from truegain.statistics.scored_once import scored_once

        for r, found in enumerate(scored_once(cast("Scorer", prepared[m].metric), corpus, runs, cache, progress)):
            parts[m, r] = found
    blocks = []
    start = 0
    for key, metric in metrics.items():
        blocks.append(Block(key, metric, start, run_counts, sample_numbers(corpus.systems)))
        start = blocks[-1].columns.stop
    return SegmentStatistics(np.concatenate([parts[place] for place in sorted(parts)], axis=1), tuple(blocks))


def _by_workers(
    prepared: tuple[Prepared, ...], wanted: Sequence[int], workers: Workers
) -> Iterator[tuple[Workers, list[int]]]:
    """Yield workers with their metrics: those that are Python's own work go to processes, instead of threads."""
    slow = []
    if workers.shares_memory and workers.jobs > 1:
        slow = [m for m in wanted if getattr(prepared[m].metric, "processes", False)]
    if slow:
        from truegain.executors.pools import can_run_in_processes, processes

        if can_run_in_processes(prepared):
            with processes(workers.jobs) as others:
                yield others, slow
        else:
            yield workers, slow
    if rest := [m for m in wanted if m not in slow]:
        yield workers, rest


def _here(
    prepared: tuple[Prepared, ...],
    runs: Sequence[Run],
    wanted: Sequence[tuple[int, int]],
    workers: Workers,
    kept: CachedStatistics | None,
) -> Found:
    """Yield the wanted statistics of each metric and run, from the cache or new, by threads that see both."""

    def either(_: None, number: int, __: int) -> NDArray[np.float64]:
        m, r = wanted[number]
        found = None if kept is None else kept.get(prepared[m], runs[r])
        if found is None:
            found = prepared[m].statistics(runs[r])
            if kept is not None:
                kept.put(prepared[m], runs[r], found)
        return found.astype(np.float64)

    yield from zip(wanted, over(either, None, 0, len(wanted), workers, size=1), strict=True)


def _elsewhere(
    prepared: tuple[Prepared, ...],
    runs: Sequence[Run],
    wanted: Sequence[tuple[int, int]],
    workers: Workers,
    kept: CachedStatistics | None,
) -> Found:
    """Yield them by workers that may be on other machines: the cache is here, and long runs are done in pieces."""
    missing = []
    for place in wanted:
        m, r = place
        found = None if kept is None else kept.get(prepared[m], runs[r])
        if found is None:
            missing.append(place)
        else:
            yield place, found.astype(np.float64)
    by_run = [[_Segments(m, r, *ends) for ends in _pieces(prepared[m], runs[r], workers.count)] for m, r in missing]
    pieces = [piece for own in by_run for piece in own]
    results = over(_extracted, (prepared, runs, pieces), 0, len(pieces), workers, size=1)
    for (m, r), own in zip(missing, by_run, strict=True):
        try:
            made = list(itertools.islice(results, len(own)))
        except InputError:
            if len(own) > 1:
                prepared[m].statistics(runs[r])  # the same error, with numbers of segments as the user counts them
            raise
        found = made[0] if len(made) == 1 else np.concatenate(made)
        if kept is not None:
            kept.put(prepared[m], runs[r], found)
        yield (m, r), found.astype(np.float64)


class _Segments(NamedTuple):
    """Segments of a run under a metric, from the first up to the end."""

    metric: int
    run: int
    first: int
    end: int


def _pieces(prepared: Prepared, run: Run, workers: int) -> list[tuple[int, int]]:
    """Cut a long run into a few pieces per worker, if the metric looks at one segment at a time."""
    size = int(np.clip(-(-len(run) // (4 * workers)), _SHORTEST, _LONGEST))
    if len(run) <= size or run.outputs is None or not getattr(prepared.metric, "by_segment", False):
        return [(0, len(run))]
    return [(first, min(first + size, len(run))) for first in range(0, len(run), size)]


def _extracted(
    data: tuple[tuple[Prepared, ...], Sequence[Run], Sequence[_Segments]], number: int, _: int
) -> NDArray[Any]:
    """Return the statistics of some segments of a run under one of the metrics."""
    prepared, runs, pieces = data
    piece = pieces[number]
    metric, run = prepared[piece.metric], runs[piece.run]
    if (piece.first, piece.end) == (0, len(run)):
        return metric.statistics(run)
    part = Run(run.name, (run.outputs or ())[piece.first : piece.end])
    return metric.part(piece.first, len(part)).statistics(part)
