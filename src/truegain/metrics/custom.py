"""A metric from two functions of the user's: statistics of segments, and the score of their sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from truegain.errors import InputError
from truegain.metrics.base import References


@dataclass(frozen=True)
class CustomMetric:
    """Metric whose corpus score is a function of sums over segments.

    Parameters
    ----------
    name : str
        Its name in results.
    segment_statistics : callable
        From the outputs of a run and the references (one sequence for each) to an array (segments, k).
    total_score : callable
        From sums of statistics (..., k) to scores (...): it is called with many resamples at once.
    statistic_names : tuple of str
        Names of the k statistics.
    higher_is_better : bool
    version : str, optional
        Change it when the functions change: with it, statistics are kept in the cache; without, they never are.

    Examples
    --------
    >>> import numpy as np
    >>> def matches(outputs, references):
    ...     return [[output == right, 1] for output, right in zip(outputs, references[0])]
    >>> exact = CustomMetric(
    ...     name="exact",
    ...     segment_statistics=matches,
    ...     total_score=lambda totals: 100 * totals[..., 0] / totals[..., 1],
    ...     statistic_names=("equal", "segments"),
    ... )
    >>> float(exact.score(exact.statistics(["a", "b"], [["a", "c"]]).sum(0)))
    50.0
    """

    name: str
    segment_statistics: Callable[[Sequence[str], References], ArrayLike]
    total_score: Callable[[NDArray[np.float64]], ArrayLike]
    statistic_names: tuple[str, ...]
    higher_is_better: bool = True
    version: str | None = None

    reads: ClassVar[Literal["text"]] = "text"
    structure: ClassVar[str] = "any"  # what the functions make of segments is theirs to know

    @property
    def label(self) -> str:
        """Its name."""
        return self.name

    @property
    def cached(self) -> bool:
        """Functions have no version of their own: only what the user vouches for is kept."""
        return self.version is not None

    def signature(self, references: int | str = 1) -> str:
        """Return its name, and its version if it has one."""
        return f"nrefs:{references}|custom:{self.name}|version:{self.version or 'none'}"

    def prepare(self, references: References) -> References:
        """Return the references as they are."""
        return references

    def statistics(self, hypotheses: Sequence[str], references: Any) -> NDArray[np.float64]:
        """Return what the first function gives."""
        given = self.segment_statistics(hypotheses, references)
        try:
            return np.asarray(given, np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"the metric {self.name!r}: segment_statistics gave no array of numbers: {error}",
                hint="it must give a row for each segment, with a number for each of its statistic_names",
            ) from error

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the second function gives."""
        sums = np.asarray(totals, np.float64)
        try:
            found = np.asarray(self.total_score(sums), np.float64)
        except (IndexError, TypeError, ValueError) as error:
            raise self._misfit(f"failed: {error}") from error
        if found.shape != sums.shape[:-1]:
            raise self._misfit(f"gave an array of shape {found.shape} for totals of shape {sums.shape}")
        return found

    def _misfit(self, text: str) -> InputError:
        return InputError(
            f"the metric {self.name!r}: total_score {text}",
            hint="statistics are on the last axis, and many resamples are scored at once: write totals[..., 0], "
            "not totals[0], totals.mean(axis=-1), and np.where in place of if",
        )
