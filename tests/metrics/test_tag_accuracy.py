"""The accuracy of tags."""

from __future__ import annotations

import numpy as np
import pytest

from tests.refusals import refused
from truegain.metrics.tag_accuracy import TagAccuracy


def test_right_tags_over_all() -> None:
    metric = TagAccuracy()
    statistics = metric.statistics(["DT NN", "", "VB NN NN"], [["DT NN", "", "VB VB NN"]])
    assert statistics.tolist() == [[2, 2], [0, 0], [2, 3]]
    assert metric.score(statistics.sum(0)) == pytest.approx(80.0)
    assert metric.score(np.zeros((2, 2))).tolist() == [100.0, 100.0]
    assert metric.statistics(["A", "B", "C"], metric.prepare([["A", "A", "C"]]))[:, 0].tolist() == [1, 0, 1]


def test_what_is_refused() -> None:
    with refused(naming=["1", "3", "2"]):
        TagAccuracy().statistics(["A B C"], [["A B"]])
    with refused(naming=["2"]):
        TagAccuracy().prepare([["A"], ["A"]])
