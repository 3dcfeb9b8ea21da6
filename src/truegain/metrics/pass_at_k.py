"""pass@k: the probability that at least one of k samples of an item is right."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, some
from truegain.metrics.base import References, signature
from truegain.metrics.segment_scores import RatioOfScores, pick_column
from truegain.notes import Note
from truegain.repeats import Repeats

_RETRIED = 3  # items that were right after one or more wrong samples, from which on this is no chance


@dataclass(frozen=True)
class PassAtK(RatioOfScores):
    """The mean over items of the unbiased estimate of pass@k (Chen et al. 2021) from all samples of an item.

    Parameters
    ----------
    k : int
        How many samples; every item must have as many, or more.
    column : str, optional
        The column of rights (1) and wrongs (0); needless if there is only one.
    """

    k: int = 1
    column: str | None = None

    name: ClassVar[str] = "pass"
    reads: ClassVar[Literal["scores"]] = "scores"
    higher_is_better: ClassVar[bool] = True
    limits: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def __post_init__(self) -> None:
        if self.k < 1:
            raise InputError(f"pass:k must be 1 or more; got {self.k}")

    @property
    def label(self) -> str:
        """As papers write it: ``pass@5``."""
        return f"pass@{self.k}"

    @property
    def of_samples(self) -> str:
        """The value of an item, in words, and what it comes from."""
        return f"{self.label} of each item, estimated from all its samples without bias"

    def signature(self, references: int | str = 1) -> str:
        """Name the column, k and the estimator."""
        return signature(column=self.column or "score", k=self.k, estimator="unbiased")

    def prepare(self, references: References) -> References:
        """Return the references: nothing depends on them."""
        return references

    def statistics(self, hypotheses: Mapping[str, Repeats], references: Any = None) -> NDArray[np.float64]:
        """Return the estimate of each item, and 1."""
        samples = pick_column(hypotheses, self.column, f"pass:k={self.k},column")
        check_right_or_wrong(samples, self.label)
        few = np.flatnonzero(samples.counts < self.k)
        if few.size:
            count, more = samples.counts[few[0]], f"; {few.size:,} items have too few" if few.size > 1 else ""
            raise InputError(
                f"the item {samples.items[few[0]]!r} has {count:,} sample{'s' if count > 1 else ''}, and {self.label} "
                f"needs {self.k:,}{more}",
                hint="choose a smaller k, or leave items with fewer samples out for all systems",
            )
        right = samples.sums().astype(np.int64)
        found = [_estimate(n, c, self.k) for n, c in zip(samples.counts.tolist(), right.tolist(), strict=True)]
        return np.stack([np.array(found), np.ones(len(found))], axis=-1)

    def advice_on_samples(self, runs: Mapping[str, Mapping[str, Repeats]]) -> list[Note]:
        """Warn if items were sampled until one was right: every right sample is the last one of its item."""
        picked = {name: pick_column(columns, self.column, f"pass:k={self.k},column") for name, columns in runs.items()}
        names = [name for name, samples in picked.items() if _look_retried(samples)]
        if not names:
            return []
        text = (
            f"items of {some(names, 1)} have different numbers of samples, and a right one is always the last: if they "
            f"were tried until one was right, {self.label} is biased, since it needs numbers of samples that do not "
            "depend on the results"
        )
        return [Note("retried-samples", text, warning=True)]


def _look_retried(samples: Repeats) -> bool:
    """Return whether right samples end their items, and items without one have the most samples."""
    counts, right = samples.counts, samples.sums()
    last = samples.values[np.cumsum(counts) - 1]
    most = counts == counts.max()
    if most.all() or (right != last).any() or not most[right == 0].all():
        return False
    return int(np.count_nonzero((right == 1) & (counts > 1))) >= _RETRIED


@cache
def _estimate(n: int, c: int, k: int) -> float:
    """Return 1 − C(n − c, k) / C(n, k), rounded once: the quotient is of whole numbers."""
    k, c = min(k, c), max(k, c)  # C(n − c, k) / C(n, k) is the same with k and c exchanged
    every = math.comb(n, k)
    return (every - math.comb(n - c, k)) / every


def check_right_or_wrong(samples: Repeats, label: str) -> None:
    """Refuse samples that are neither right (1) nor wrong (0)."""
    odd = np.flatnonzero((samples.values != 0.0) & (samples.values != 1.0))
    if odd.size:
        item = samples.items[int(np.searchsorted(np.cumsum(samples.counts), odd[0], side="right"))]
        raise InputError(
            f"a sample of the item {item!r} has the score {samples.values[odd[0]]:g}; {label} is of samples that are "
            "right (1) or wrong (0)"
        )
