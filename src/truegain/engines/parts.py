"""A share of the resamples, done here and kept; the other shares are done elsewhere, at any time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from truegain.engines.base import Engine, Report
from truegain.engines.blas import BlasEngine
from truegain.engines.call_keys import call_key
from truegain.engines.pairs import PairCounts
from truegain.engines.part_files import MOST_PARTS, Call, Part, share
from truegain.engines.work import Counting, Dealing, Resampling
from truegain.errors import InputError
from truegain.executors.base import Executor

_LEAST = 64  # resamples that a study gets to see: of none, or of one, some have nothing to compute


@dataclass(frozen=True)
class PartEngine:
    """Engine that does one part of the resamples of a study, and keeps it for a file: see :meth:`made`.

    The study goes through all its steps, so that all parts are asked the same, but its result is of no use: the
    resamples of other parts are replaced by those of this one. All parts together, read by
    :class:`truegain.engines.stored.StoredEngine`, give what one engine alone would.

    Parameters
    ----------
    part, parts : int
        Which part, from 1, and of how many.
    engine : Engine
        What it is done with.
    known : int
        The number of resamples, from the first on, that every part does itself: what is asked next depends on them.
    """

    part: int
    parts: int
    engine: Engine = field(default_factory=BlasEngine)
    known: int = 0
    calls: dict[str, Call] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 1 <= self.parts <= MOST_PARTS:
            raise InputError(f"the number of parts must be from 1 to {MOST_PARTS:,}; got {self.parts}")
        if not 1 <= self.part <= self.parts:
            raise InputError(f"there is no part {self.part} of {self.parts}: parts are counted from 1 to {self.parts}")

    def __reduce__(self) -> NoReturn:
        raise TypeError("what a part keeps stays in the process that makes it")

    @property
    def executor(self) -> Executor:
        """See :class:`truegain.engines.base.Engine`."""
        return self.engine.executor

    def knowing(self, resamples: int) -> PartEngine:
        """Return a copy for the same part that does the first ``resamples`` in full, as all parts do."""
        return replace(self, known=resamples)

    def made(self, command: str = "") -> Part:
        """Return what was done so far.

        Parameters
        ----------
        command : str
            What it was done by, for people who look into the file.
        """
        return Part(self.part, self.parts, dict(self.calls), command)

    def resample(
        self, work: Resampling, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`; true for this part's own resamples alone."""
        return self._filled("resample", work, self.engine.resample, first, resamples, progress)

    def deal(
        self, work: Dealing, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`; true for this part's own resamples alone."""
        return self._filled("deal", work, self.engine.deal, first, resamples, progress)

    def count(
        self, work: Counting, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> list[PairCounts]:
        """See :class:`truegain.engines.base.Engine`; the counts of this part's own resamples alone."""
        key = call_key("count", work, first, resamples)
        start, stop = share(self.part, self.parts, resamples)
        counts = [question.nothing for question in work.questions]
        if start < stop:
            counts = self.engine.count(work, stop - start, progress, first=first + start)
        arrays = tuple(array for one in counts for array in (one.exceedances, one.maxima))
        self.calls[key] = Call("count", resamples, arrays)
        if progress is not None:
            progress((resamples - (stop - start)) * len(work.questions))
        return [replace(one, resamples=resamples) for one in counts]

    def _filled(
        self,
        kind: str,
        work: Resampling | Dealing,
        compute: Callable[..., NDArray[np.float64]],
        first: int,
        resamples: int,
        progress: Report | None,
    ) -> NDArray[np.float64]:
        """Compute and keep the own share; its resamples, over and over, stand in for the others."""
        own = share(self.part, self.parts, resamples)
        start = max(0, min(own[0], resamples - _LEAST))
        stop = min(resamples, max(own[1], start + _LEAST))
        known = min(max(self.known - first, 0), resamples)
        ranges = [(0, known), (start, stop)] if known < start else [(0 if known else start, max(known, stop))]
        places = np.concatenate([np.arange(*one) for one in ranges])
        done = np.concatenate([compute(work, b - a, progress, first=first + a) for a, b in ranges if a < b], axis=1)
        column = np.empty(resamples, np.intp)
        column[:] = np.resize(np.flatnonzero((places >= start) & (places < stop)), resamples)
        column[places] = np.arange(places.size)
        filled = np.take(done, column, axis=1)
        self.calls[call_key(kind, work, first, resamples)] = Call(kind, resamples, (filled[:, own[0] : own[1]].copy(),))
        if progress is not None:
            progress(resamples - places.size)
        return filled
