"""The statistics of every run under every metric: from the cache or new, in threads, processes or elsewhere."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache
from truegain.corpus import Corpus, Run, sample_numbers
from truegain.errors import InputError
from truegain.executors.base import Executor
from truegain.executors.threads import Threads
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
    executor: Executor | None = None,
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
    executor : Executor, optional
        Where it is done; by default here, in one thread.
    progress : callable, optional
        Told the stage, how many runs (or segments, of a program) were done since, and how many there are.
    """
    executor = executor or Threads()
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
    for where, chosen in assigned(prepared, executor):
        wanted = [(m, r) for m in chosen if m not in programs for r in range(len(runs))]
        computed = _computed_here if where.shares_memory else _computed_elsewhere
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


def assigned(prepared: Sequence[Prepared], executor: Executor) -> Iterator[tuple[Executor, list[int]]]:
    """Yield executors with their metrics: those that are Python's own work run in processes, instead of threads."""
    alone = executor.shares_memory and executor.workers > 1
    slow = [m for m, one in enumerate(prepared) if alone and getattr(one.metric, "processes", False)]
    others = [m for m in range(len(prepared)) if m not in slow]
    if slow:
        from truegain.executors.processes import processes, runs_in_others

        yield processes(executor.workers) if runs_in_others() else executor, slow
    if others:
        yield executor, others


def _computed_here(
    prepared: tuple[Prepared, ...],
    runs: Sequence[Run],
    wanted: Sequence[tuple[int, int]],
    executor: Executor,
    kept: CachedStatistics | None,
) -> Found:
    """Yield the wanted statistics of each metric and run, from the cache or new, by workers that see both."""

    def either(place: tuple[int, int]) -> NDArray[np.float64]:
        m, r = place
        found = None if kept is None else kept.get(prepared[m], runs[r])
        if found is None:
            found = prepared[m].statistics(runs[r])
            if kept is not None:
                kept.put(prepared[m], runs[r], found)
        return found.astype(np.float64)

    yield from zip(wanted, executor.map(either, wanted), strict=True)


def _computed_elsewhere(
    prepared: tuple[Prepared, ...],
    runs: Sequence[Run],
    wanted: Sequence[tuple[int, int]],
    executor: Executor,
    kept: CachedStatistics | None,
) -> Found:
    """Yield them by workers that may be on other machines: the cache is here, and long runs are sent in shards."""
    missing = []
    for place in wanted:
        m, r = place
        found = None if kept is None else kept.get(prepared[m], runs[r])
        if found is None:
            missing.append(place)
        else:
            yield place, found.astype(np.float64)
    shards = [shards_of(prepared[m], runs[r], executor.workers) for m, r in missing]
    items = [(m, one) for (m, _), some in zip(missing, shards, strict=True) for one in some]
    results = executor.map(_Extraction(prepared), items)
    for (m, r), some in zip(missing, shards, strict=True):
        try:
            made = list(itertools.islice(results, len(some)))
        except InputError:
            if len(some) > 1:
                prepared[m].statistics(runs[r])  # the same error, with numbers of segments as the user counts them
            raise
        found = made[0] if len(made) == 1 else np.concatenate(made)
        if kept is not None:
            kept.put(prepared[m], runs[r], found)
        yield (m, r), found.astype(np.float64)


class Shard(NamedTuple):
    """Some segments of a run, from the first on; None if it is the whole."""

    run: Run
    first: int | None = None


def shards_of(prepared: Prepared, run: Run, workers: int) -> list[Shard]:
    """Cut a long run into a few pieces per worker, if the metric looks at one segment at a time."""
    size = int(np.clip(-(-len(run) // (4 * workers)), _SHORTEST, _LONGEST))
    if len(run) <= size or run.outputs is None or not getattr(prepared.metric, "by_segment", False):
        return [Shard(run)]
    return [
        Shard(Run(run.name, run.outputs[first : first + size]), first) for first in range(0, len(run.outputs), size)
    ]


@dataclass(frozen=True)
class _Extraction:
    """The statistics of a shard of a run under one of the metrics: what is sent to workers, with the references."""

    prepared: tuple[Prepared, ...]

    def __call__(self, item: tuple[int, Shard]) -> NDArray[Any]:
        which, shard = item
        prepared = self.prepared[which]
        if shard.first is not None:
            prepared = prepared.part(shard.first, len(shard.run))
        return prepared.statistics(shard.run)
