"""A metric with its references, and the statistics of runs under it, checked."""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Run
from truegain.errors import InputError
from truegain.metrics.base import REFERENCE, Metric, References, reference_count


class Prepared:
    """Metric with the references of some segments, prepared when the first run needs them: never if the cache has all.

    Parameters
    ----------
    metric : Metric
    whole : sequence of sequences
        The references of all segments.
    names : tuple of str
        Their files.
    first, end : int
        The segments that it is for.
    """

    def __init__(self, metric: Metric, whole: References, names: tuple[str, ...], first: int, end: int) -> None:
        self.metric = metric
        self.whole = whole
        self.first, self.end = first, end
        self._names = names
        self._lock = Lock()
        self._value: Any = None
        self._parts: list[Prepared] = []

    def part(self, first: int, end: int) -> Prepared:
        """Return the same for some of the segments; it is kept for other runs until the one after the next is made."""
        with self._lock:
            found = next((part for part in self._parts if (part.first, part.end) == (first, end)), None)
            if found is None:
                found = Prepared(self.metric, self.whole, self._names, first, end)
                self._parts = [*self._parts[-1:], found]
            return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Prepared, (self.metric, self.whole, self._names, self.first, self.end)

    def alone(self) -> Prepared:
        """Return the same without the references of other segments, to be sent elsewhere."""
        own = [one[self.first : self.end] for one in self.whole]
        return Prepared(self.metric, own, self._names, 0, self.end - self.first)

    def of(self, run: Run) -> Run:
        """Return what it reads of its segments of a run: texts, or all scores."""
        if self.metric.reads == "scores" or run.outputs is None:
            return run
        return Run(run.name, run.outputs[self.first : self.end])

    @cached_property
    def signature(self) -> str:
        """Of the metric, with these references."""
        return f"{self.metric.name}|{self.metric.signature(reference_count(self.whole))}"

    def statistics(self, run: Run) -> NDArray[Any]:
        """Return statistics of each of the segments of a run, checked."""
        if getattr(self.metric, "of_samples", None) is not None:
            return self._of_samples(run)
        run = self.of(run)
        if self.metric.reads == "scores":
            return np.asarray(self.metric.statistics(run.scores, ()), np.float64)
        prepared = self._ready()
        try:
            found = np.asarray(self.metric.statistics(run.outputs, prepared))
        except InputError as error:
            if error.path is not None:
                raise
            # A metric sees segments, not files: which run it is about is known here.
            raise error.at(run.name, error.line) from error
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

    def _of_samples(self, run: Run) -> NDArray[Any]:
        try:
            return np.asarray(self.metric.statistics(run.repeats, run.answers), np.float64)
        except InputError as error:
            file = run.scores_from or run.name
            raise error.at(file, before="" if run.name == file else f"{run.name}: ") from error

    def _ready(self) -> Any:
        with self._lock:
            if self._value is None:
                self._value = self._prepare()
            return self._value

    def _prepare(self) -> Any:
        try:
            return self.metric.prepare([one[self.first : self.end] for one in self.whole])
        except InputError as error:
            if len(self._names) != 1 or error.path != REFERENCE:
                raise
            # A metric sees segments, not files: which file they are from is known here.
            raise error.at(self._names[0], error.line) from error
