"""The statistics of every segment, for all systems, runs and metrics: one matrix, the waist of the hourglass."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache, digest_lines, key_of
from truegain.corpus import Corpus, Run
from truegain.errors import InputError
from truegain.metrics.base import Metric, reference_count
from truegain.metrics.structures import REFERENCE

__all__ = ["Block", "SegmentStatistics", "collect", "mean_of_runs"]


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
    jobs: int = 1,
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
    jobs : int
        Threads.
    progress : callable, optional
        Told how many runs were done since it was last called.
    """
    runs = [run for system in corpus.systems for run in system.runs]
    run_counts = tuple(len(system.runs) for system in corpus.systems)
    outputs = _Fingerprints(corpus, cache is not None)
    tasks: list[_Task] = []
    for metric in metrics.values():
        _check_inputs(metric, corpus, runs)
        _check_contents(metric, corpus)
        prepared = _Prepared(metric, corpus)
        tasks.extend(_Task(metric, run, prepared, outputs, cache) for run in runs)

    def work(task: _Task) -> NDArray[np.float64]:
        result = task()
        if progress is not None:
            progress(1)
        return result

    if jobs > 1 and len(tasks) > 1:
        with ThreadPoolExecutor(jobs) as pool:
            parts = list(pool.map(work, tasks))
    else:
        parts = [work(task) for task in tasks]
    blocks = []
    start = 0
    for key, metric in metrics.items():
        blocks.append(Block(key, metric, start, run_counts))
        start = blocks[-1].columns.stop
    return SegmentStatistics(np.concatenate(parts, axis=1), tuple(blocks))


class _Prepared:
    """References prepared for a metric when the first run needs them: not at all where the cache has everything."""

    def __init__(self, metric: Metric, corpus: Corpus) -> None:
        from threading import Lock

        self._metric = metric
        self._corpus = corpus
        self._lock = Lock()
        self._value: Any = None
        self.signature = metric.signature(reference_count(corpus.references))

    def __call__(self) -> Any:
        with self._lock:
            if self._value is None:
                self._value = self._prepare()
            return self._value

    def _prepare(self) -> Any:
        try:
            return self._metric.prepare(self._corpus.references)
        except InputError as error:
            names = self._corpus.reference_names
            if len(names) != 1 or error.path is None:
                raise
            # A metric sees segments, not files: which file they are from is known here.
            path = error.path.replace(REFERENCE, names[0])
            raise InputError(error.message, path=path, line=error.line, hint=error.hint) from error


class _Fingerprints:
    """Fingerprints of the references and of each run, made once for all metrics."""

    def __init__(self, corpus: Corpus, wanted: bool) -> None:
        self.references = b"".join(digest_lines(reference) for reference in corpus.references) if wanted else b""
        self.runs = (
            {id(run): digest_lines(run.outputs or ()) for system in corpus.systems for run in system.runs}
            if wanted
            else {}
        )


@dataclass(frozen=True)
class _Task:
    metric: Metric
    run: Run
    prepared: _Prepared
    fingerprints: _Fingerprints
    cache: Cache | None

    def __call__(self) -> NDArray[np.float64]:
        if self.metric.reads == "scores":
            return np.asarray(self.metric.statistics(self.run.scores, ()), np.float64)
        if self.cache is None or not getattr(self.metric, "cached", True):
            return self._compute().astype(np.float64)
        signature = f"{self.metric.name}|{self.prepared.signature}"
        key = key_of(signature, self.fingerprints.references, self.fingerprints.runs[id(self.run)])
        found = self.cache.get(key)
        expected = (len(self.run), len(self.metric.statistic_names))
        if found is None or found.shape != expected:
            found = self._compute()
            self.cache.put(key, _compact(found))
        return found.astype(np.float64)

    def _compute(self) -> NDArray[Any]:
        prepared = self.prepared()
        try:
            found = np.asarray(self.metric.statistics(self.run.outputs, prepared))
        except InputError as error:
            if error.path is not None:
                raise
            # A metric sees segments, not files: which run it is about is known here.
            raise InputError(error.message, path=self.run.name, line=error.line, hint=error.hint) from error
        expected = (len(self.run), len(self.metric.statistic_names))
        if found.shape != expected:
            raise InputError(
                f"the metric {self.metric.name!r} gave statistics of shape {found.shape} for {self.run.name}; "
                f"{expected} was expected: a row for each segment, a column for each of its statistic_names"
            )
        if not np.isfinite(found).all():
            row = int(np.argwhere(~np.isfinite(found).all(1))[0, 0])
            raise InputError(
                f"the metric {self.metric.name!r} gave {found[row].tolist()} for segment {row + 1:,} of "
                f"{self.run.name}; finite numbers were expected"
            )
        return found


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
