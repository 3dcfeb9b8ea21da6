"""Precision, recall and F1: what was found correctly, over what was found and what was wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import one_of

#: What can be reported of correct, wanted and found things.
MEASURES = ("f", "precision", "recall")


def share(part: NDArray[np.float64], whole: NDArray[np.float64], *, of_nothing: float = 100.0) -> NDArray[np.float64]:
    """Divide a part by the whole, in percent, over any axes; of nothing, nothing is missing, and that is 100."""
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    return np.asarray(np.divide(100.0 * part, whole, out=np.full(part.shape, of_nothing), where=whole > 0))


@dataclass(frozen=True)
class FScore:
    """A metric of things that are right or wrong: how many were correct, wanted (in the reference) and found.

    Parameters
    ----------
    measure : str
        f (F1, twice the correct over the wanted and the found), precision or recall.
    """

    measure: str = "f"

    name: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[Literal["text"]] = "text"
    limits: ClassVar[tuple[float, float]] = (0.0, 100.0)
    statistic_names: ClassVar[tuple[str, ...]] = ("correct", "wanted", "found")

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise one_of(f"{self.name}:measure", self.measure, list(MEASURES))

    def _labelled(self, label: str) -> str:
        """Return a label with the measure, if that is not F1."""
        return label if self.measure == "f" else f"{label} {self.measure}"

    @property
    def merged(self) -> tuple[tuple[int, ...], ...] | None:
        """Statistics of which the score knows only the sum: F1 has the wanted and the found together."""
        return ((0,), (1, 2)) if self.measure == "f" else None

    @property
    def denominator(self) -> tuple[int, ...]:
        """The wanted and the found; of recall and of precision, one of them."""
        return {"f": (1, 2), "recall": (1,), "precision": (2,)}[self.measure]

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return F1, precision or recall of summed statistics (..., 3), in percent; 100 if there is nothing to find."""
        totals = np.asarray(totals, np.float64)
        if self.measure == "f":
            return share(2.0 * totals[..., 0], totals[..., 1:].sum(-1))
        return share(totals[..., 0], totals[..., 1 if self.measure == "recall" else 2])

    def score_on_device(self, totals: Any) -> Any:
        """Score a tensor as :meth:`score` does; not a number if there is nothing to find."""
        if self.measure == "f":
            top, bottom = 2.0 * totals[..., 0], totals[..., 1:].sum(-1)
        else:
            top, bottom = totals[..., 0], totals[..., 1 if self.measure == "recall" else 2]
        return (100.0 * top / bottom).where(bottom > 0, float("nan"))
