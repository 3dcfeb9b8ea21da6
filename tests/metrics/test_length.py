"""The ratio of lengths."""

from __future__ import annotations

import numpy as np
import pytest

from truegain.errors import InputError
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


def test_tokenisers() -> None:
    assert Length(tokenize="13a").statistics(["Yes."], [["Yes"]]).tolist() == [[2, 1]]
    with pytest.raises(InputError, match="length:tokenize must be one of"):
        Length(tokenize="14a")


def test_nothing_over_nothing_is_the_whole() -> None:
    assert Length().score(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 2.0]])).tolist() == [100.0, 200.0, 50.0]


def test_prepared_references_serve_every_system() -> None:
    prepared = Length().prepare([["a b", "c"]])
    assert Length().statistics(["b", "c d"], prepared).tolist() == [[1, 2], [2, 1]]


def test_signature_and_names() -> None:
    assert Length().signature(3).startswith("nrefs:3|tok:none|version:")
    assert (Length().name, Length().label) == ("length", "Length")
