"""The ratio of lengths."""

from __future__ import annotations

import numpy as np
import pytest

from truegain.metrics.base import References
from truegain.metrics.length import Length


def test_words_of_hypothesis_and_reference() -> None:
    metric = Length()
    statistics = metric.statistics(["a b c", "", "a"], [["a b", "x", ""]])
    assert statistics.tolist() == [[3, 2], [0, 1], [1, 0]]
    assert metric.score(statistics.sum(0)) == pytest.approx(400 / 3)


def test_the_closest_reference_counts_and_of_two_as_close_the_shorter() -> None:
    references: References = [["a b c d", "a b c d", None], ["a b", "a", "a b c"]]
    assert Length().statistics(["a b c", "a b", ""], references).tolist() == [[3, 2], [2, 1], [0, 3]]
    assert Length(tokenize="13a").statistics(["Yes."], [["Yes"]]).tolist() == [[2, 1]]


def test_nothing_over_nothing_is_the_whole() -> None:
    assert Length().score(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 2.0]])).tolist() == [100.0, 200.0, 50.0]
