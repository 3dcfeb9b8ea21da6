"""The accuracy of tags."""

from __future__ import annotations

import numpy as np
import pytest

from truegain.errors import InputError
from truegain.metrics.tag_accuracy import TagAccuracy


def test_right_tags_over_all() -> None:
    metric = TagAccuracy()
    statistics = metric.statistics(["DT NN", "", "VB NN NN"], [["DT NN", "", "VB VB NN"]])
    assert statistics.tolist() == [[2, 2], [0, 0], [2, 3]]
    assert metric.score(statistics.sum(0)) == pytest.approx(80.0)
    assert metric.score(np.zeros((2, 2))).tolist() == [100.0, 100.0]
    assert metric.statistics(["A", "B", "C"], metric.prepare([["A", "A", "C"]]))[:, 0].tolist() == [1, 0, 1]


def test_names_and_signature() -> None:
    assert (TagAccuracy().name, TagAccuracy().label) == ("tag_accuracy", "Tag accuracy")
    assert TagAccuracy().signature().startswith("nrefs:1|version:")


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="sentence 1 has 3 tags, and the reference 2"):
        TagAccuracy().statistics(["A B C"], [["A B"]])
    with pytest.raises(InputError, match="tag_accuracy takes one reference; got 2"):
        TagAccuracy().prepare([["A"], ["A"]])
