"""The statistics of every segment, for all systems, runs and metrics: one matrix, the waist of the hourglass."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache, digest_lines, key_of
from truegain.corpus import Corpus, Run
from truegain.errors import InputError
from truegain.executors.base import Executor
from truegain.executors.threads import Threads
from truegain.metrics.base import Metric, References, reference_count
from truegain.metrics.structures import REFERENCE

__all__ = ["Block", "RunScores", "SegmentStatistics", "SystemScores", "check_defined", "collect", "mean_of_runs"]

_SHORTEST, _LONGEST = 20_000, 200_000  # segments of a run that are sent to a worker at a time


@dataclass(frozen=True)
class Block:
    """The columns of one metric: those of every run, system by system, k to a run.

    Attributes
    ----------
    key : str
        What the metric was asked for as: ``bleu``, ``bleu:tokenize=intl``.
    metric : Metric
    start : int
        Its first column.
    run_counts : tuple of int
        The number of runs of each system.
    """

    key: str
    metric: Metric
    start: int
    run_counts: tuple[int, ...]

    @property
    def width(self) -> int:
        """The number of columns of a run."""
        return len(self.metric.statistic_names)

    @property
    def columns(self) -> slice:
        """All columns of the metric."""
        return slice(self.start, self.start + self.width * sum(self.run_counts))

    def system_columns(self, system: int) -> slice:
        """The columns of the runs of one system."""
        first = self.start + self.width * sum(self.run_counts[:system])
        return slice(first, first + self.width * self.run_counts[system])

    def run_scores(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Score each run: totals (columns of whole runs, …) to scores (runs, …)."""
        runs = totals.reshape(-1, self.width, *totals.shape[1:])
        return self.metric.score(np.moveaxis(runs, 1, -1))

    def system_scores(self, run_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean over the runs of each system: (runs, …) to (systems, …)."""
        if all(count == 1 for count in self.run_counts):
            return run_scores
        edges = np.cumsum((0, *self.run_counts))
        return np.stack([mean_of_runs(run_scores[a:b]) for a, b in itertools.pairwise(edges)])


@dataclass(frozen=True)
class RunScores:
    """From totals of all columns (columns, resamples) to scores of runs (metrics × runs, resamples)."""

    blocks: tuple[Block, ...]

    def __call__(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Score every resample."""
        return np.concatenate([block.run_scores(totals[block.columns]) for block in self.blocks])


@dataclass(frozen=True)
class SystemScores:
    """From totals of all columns (columns, resamples) to scores of systems (metrics × systems, resamples)."""

    blocks: tuple[Block, ...]

    def __call__(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Score every resample."""
        return np.concatenate([block.system_scores(block.run_scores(totals[block.columns])) for block in self.blocks])


def check_defined(values: NDArray[np.float64], block: Block) -> None:
    """Refuse a metric that is not defined on some resamples (the last axis): they would count for nothing."""
    undefined = int((~np.isfinite(values)).reshape(-1, values.shape[-1]).any(0).sum())
    if undefined:
        raise InputError(
            f"{block.metric.label} is not defined on {undefined:,} of {values.shape[-1]:,} resamples",
            hint="the metric's score must be a finite number for any sum of statistics",
        )


def mean_of_runs(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean over the first axis, added up in order: numpy's order depends on the shape, and so would the bits."""
    return np.asarray(reduce(np.add, scores) / len(scores))


@dataclass(frozen=True)
class SegmentStatistics:
    """The matrix of statistics and the index of its columns.

    Attributes
    ----------
    values : array of float64, shape (segments, columns)
        Whole numbers for most metrics; float64 holds them exactly.
    blocks : tuple of Block
        One a metric.
    """

    values: NDArray[np.float64]
    blocks: tuple[Block, ...]

    @cached_property
    def totals(self) -> NDArray[np.float64]:
        """The sum of every column."""
        return np.asarray(self.values.sum(0))


def collect(
    corpus: Corpus,
    metrics: Mapping[str, Metric],
    *,
    cache: Cache | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
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
        Told how many runs were done since it was last called.
    """
    executor = executor or Threads()
    runs = [run for system in corpus.systems for run in system.runs]
    run_counts = tuple(len(system.runs) for system in corpus.systems)
    for metric in metrics.values():
        _check_inputs(metric, corpus, runs)
        _check_contents(metric, corpus)
    prepared = tuple(_Prepared(metric, corpus.references, corpus.reference_names) for metric in metrics.values())
    kept = None if cache is None else _Kept(cache, _Fingerprints(corpus))
    parts: dict[tuple[int, int], NDArray[np.float64]] = {}
    for where, chosen in _places(prepared, executor):
        wanted = [(m, r) for m in chosen for r in range(len(runs))]
        for place, found in _computed(prepared, runs, wanted, where, kept):
            parts[place] = found
            if progress is not None:
                progress(1)
    blocks = []
    start = 0
    for key, metric in metrics.items():
        blocks.append(Block(key, metric, start, run_counts))
        start = blocks[-1].columns.stop
    return SegmentStatistics(np.concatenate([parts[place] for place in sorted(parts)], axis=1), tuple(blocks))


def _places(prepared: Sequence[_Prepared], executor: Executor) -> Iterator[tuple[Executor, list[int]]]:
    """Which metrics are computed where: a metric that is Python's own work in processes, instead of threads."""
    alone = executor.shares_memory and executor.workers > 1
    slow = [m for m, one in enumerate(prepared) if alone and getattr(one.metric, "processes", False)]
    others = [m for m in range(len(prepared)) if m not in slow]
    if slow:
        from truegain.executors.processes import processes

        yield processes(executor.workers), slow
    if others:
        yield executor, others


def _computed(
    prepared: tuple[_Prepared, ...],
    runs: Sequence[Run],
    wanted: Sequence[tuple[int, int]],
    executor: Executor,
    kept: _Kept | None,
) -> Iterator[tuple[tuple[int, int], NDArray[np.float64]]]:
    """The statistics of each metric and run that is wanted, from the cache or new."""
    if executor.shares_memory:

        def either(place: tuple[int, int]) -> NDArray[np.float64]:
            m, r = place
            found = None if kept is None else kept.get(prepared[m], runs[r])
            if found is None:
                found = prepared[m].statistics(runs[r])
                if kept is not None:
                    kept.put(prepared[m], runs[r], found)
            return found.astype(np.float64)

        yield from zip(wanted, executor.map(either, wanted), strict=True)
        return
    missing = []
    for place in wanted:  # the cache is here, the workers may be elsewhere
        m, r = place
        found = None if kept is None else kept.get(prepared[m], runs[r])
        if found is None:
            missing.append(place)
        else:
            yield place, found.astype(np.float64)
    shards = [_shards(prepared[m], runs[r], executor.workers) for m, r in missing]
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


@dataclass(frozen=True)
class _Shard:
    """Some segments of a run, from the first on; None where it is the whole."""

    run: Run
    first: int | None = None


def _shards(prepared: _Prepared, run: Run, workers: int) -> list[_Shard]:
    """Cut a run that is long, where the metric looks at one segment at a time: a few pieces for each worker."""
    size = int(np.clip(-(-len(run) // (4 * workers)), _SHORTEST, _LONGEST))
    if len(run) <= size or run.outputs is None or not getattr(prepared.metric, "by_segment", False):
        return [_Shard(run)]
    return [
        _Shard(Run(run.name, run.outputs[first : first + size]), first) for first in range(0, len(run.outputs), size)
    ]


@dataclass(frozen=True)
class _Extraction:
    """The statistics of a shard of a run under one of the metrics: what is sent to workers, with the references."""

    prepared: tuple[_Prepared, ...]

    def __call__(self, item: tuple[int, _Shard]) -> NDArray[Any]:
        which, shard = item
        prepared = self.prepared[which]
        if shard.first is not None:
            prepared = prepared.part(shard.first, len(shard.run))
        return prepared.statistics(shard.run)


class _Prepared:
    """A metric with its references, prepared when the first run needs them: not at all where the cache has all."""

    def __init__(self, metric: Metric, references: References, names: tuple[str, ...]) -> None:
        from threading import Lock

        self.metric = metric
        self._references = references
        self._names = names
        self._lock = Lock()
        self._value: Any = None
        self._parts: dict[tuple[int, int], _Prepared] = {}

    def part(self, first: int, size: int) -> _Prepared:
        """The same for some segments, kept for other runs."""
        with self._lock:
            if (first, size) not in self._parts:
                references = [one[first : first + size] for one in self._references]
                self._parts[first, size] = _Prepared(self.metric, references, self._names)
            return self._parts[first, size]

    def __reduce__(self) -> tuple[Any, ...]:
        return _Prepared, (self.metric, self._references, self._names)

    @cached_property
    def signature(self) -> str:
        """Of the metric, with these references."""
        return f"{self.metric.name}|{self.metric.signature(reference_count(self._references))}"

    def statistics(self, run: Run) -> NDArray[Any]:
        """Statistics of each segment of a run, checked."""
        if self.metric.reads == "scores":
            return np.asarray(self.metric.statistics(run.scores, ()), np.float64)
        prepared = self._ready()
        try:
            found = np.asarray(self.metric.statistics(run.outputs, prepared))
        except InputError as error:
            if error.path is not None:
                raise
            # A metric sees segments, not files: which run it is about is known here.
            raise InputError(error.message, path=run.name, line=error.line, hint=error.hint) from error
        expected = (len(run), len(self.metric.statistic_names))
        if found.shape != expected:
            raise InputError(
                f"the metric {self.metric.name!r} gave statistics of shape {found.shape} for {run.name}; "
                f"{expected} was expected: a row for each segment, a column for each of its statistic_names"
            )
        if not np.isfinite(found).all():
            row = int(np.argwhere(~np.isfinite(found).all(1))[0, 0])
            raise InputError(
                f"the metric {self.metric.name!r} gave {found[row].tolist()} for segment {row + 1:,} of "
                f"{run.name}; finite numbers were expected"
            )
        return found

    def _ready(self) -> Any:
        with self._lock:
            if self._value is None:
                self._value = self._prepare()
            return self._value

    def _prepare(self) -> Any:
        try:
            return self.metric.prepare(self._references)
        except InputError as error:
            if len(self._names) != 1 or error.path is None:
                raise
            # A metric sees segments, not files: which file they are from is known here.
            path = error.path.replace(REFERENCE, self._names[0])
            raise InputError(error.message, path=path, line=error.line, hint=error.hint) from error


class _Fingerprints:
    """Fingerprints of the references and of each run, made once for all metrics."""

    def __init__(self, corpus: Corpus) -> None:
        self.references = b"".join(digest_lines(reference) for reference in corpus.references)
        self.runs = {id(run): digest_lines(run.outputs or ()) for system in corpus.systems for run in system.runs}


@dataclass(frozen=True)
class _Kept:
    """Statistics in the cache, found by what they were made from."""

    cache: Cache
    fingerprints: _Fingerprints

    def get(self, prepared: _Prepared, run: Run) -> NDArray[Any] | None:
        key = self._key(prepared, run)
        found = None if key is None else self.cache.get(key)
        expected = (len(run), len(prepared.metric.statistic_names))
        return None if found is None or found.shape != expected else found

    def put(self, prepared: _Prepared, run: Run, found: NDArray[Any]) -> None:
        key = self._key(prepared, run)
        if key is not None:
            self.cache.put(key, _compact(found))

    def _key(self, prepared: _Prepared, run: Run) -> str | None:
        """None for what is never kept."""
        if prepared.metric.reads == "scores" or not getattr(prepared.metric, "cached", True):
            return None
        return key_of(prepared.signature, self.fingerprints.references, self.fingerprints.runs[id(run)])


def _compact(values: NDArray[Any]) -> NDArray[Any]:
    """Small whole numbers need four bytes, not eight."""
    if values.dtype == np.int64 and values.size and values.min() >= -(2**31) and values.max() < 2**31:
        return values.astype(np.int32)
    return values


def _check_inputs(metric: Metric, corpus: Corpus, runs: Sequence[Run]) -> None:
    for run in runs:
        if metric.reads == "text" and run.outputs is None:
            raise InputError(
                f"{metric.label} needs the outputs of {run.name}, and only its scores are given",
                hint="give the outputs as files, and the scores with --scores",
            )
        if metric.reads == "scores" and not run.scores:
            raise InputError(f"there are no segment scores for {run.name}", hint="give them: --scores SYSTEM=FILE")
    if metric.reads == "text" and not corpus.references:
        raise InputError(f"{metric.label} needs a reference", hint="give it: --ref FILE")


#: What files hold that are not text: in words, the ending of such files, and the metrics that read them.
_STRUCTURES = {
    "dependencies": ("dependency trees", ".conllu", "-m las (or uas)"),
    "brackets": ("trees in brackets", ".mrg", "-m parseval"),
    "tags": ("tagged words", ".conll", "-m span_f1 (or tag_accuracy)"),
}


def _check_contents(metric: Metric, corpus: Corpus) -> None:
    """Refuse what the metric would score, but without sense: trees as if they were text, a reference as a system."""
    if metric.reads != "text":
        return
    reads = getattr(metric, "structure", "text")
    words, ending, _ = _STRUCTURES.get(reads, (reads, "", ""))
    for name, structure in corpus.structures.items():
        if reads not in (structure, "any"):
            found, _, way_out = _STRUCTURES[structure]
            raise InputError(
                f"it holds {found}, and {metric.label} is a metric of {words}",
                path=name,
                hint=f"score it with {way_out}"
                + (f"; or, if there are {words} in it, name it FILE{ending}" if ending else ""),
            )
    for run, reference in corpus.copies_of_references() if reads == "text" else ():
        raise InputError(
            f"these outputs are {reference} itself, word for word",
            path=run.name,
            hint="a reference was given as a system; leave it out",
        )
