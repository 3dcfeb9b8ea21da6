"""F1, precision and recall of counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from tests.refusals import refused
from truegain.metrics.ratios import FScore, share


@dataclass(frozen=True)
class Things(FScore):
    name: ClassVar[str] = "things"


TOTALS = np.array([[3.0, 4.0, 6.0], [0.0, 4.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("measure", "expected"),
    [("f", [60.0, 0.0, 0.0, 100.0]), ("precision", [50.0, 100.0, 0.0, 100.0]), ("recall", [75.0, 0.0, 100.0, 100.0])],
)
def test_scores(measure: str, expected: list[float]) -> None:
    assert Things(measure=measure).score(TOTALS).tolist() == expected
    assert Things(measure=measure).score(TOTALS[None]).tolist() == [expected]
    assert Things(measure=measure).score(TOTALS[0]) == expected[0]


def test_f_knows_only_the_sum_of_wanted_and_found() -> None:
    metric = Things()
    assert metric.merged == ((0,), (1, 2))
    summed = np.stack([TOTALS[:, list(group)].sum(-1) for group in metric.merged], -1)
    assert metric.score(summed).tolist() == metric.score(TOTALS).tolist()
    assert Things(measure="recall").merged is None


def test_a_share_of_nothing() -> None:
    assert share(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist() == [25.0, 100.0]
    assert share(np.array([1.0, 0.0]), np.array([4.0, 0.0]), of_nothing=0.0).tolist() == [25.0, 0.0]


def test_another_measure_is_refused() -> None:
    with refused(naming=["things:measure", "f1"]):
        Things(measure="f1")
