"""Accuracy: labels that are right."""

from __future__ import annotations

from truegain.metrics.accuracy import Accuracy


def test_a_label_is_the_line_without_white_space_around_it() -> None:
    metric = Accuracy()
    statistics = metric.statistics(["pos", " neg\t", "Neu", "a b"], [["pos", "neg", "neu", "a  b"]])
    assert statistics.tolist() == [[1, 1], [1, 1], [0, 1], [0, 1]]
    assert metric.score(statistics.sum(0)) == 50.0


def test_any_of_several_references_will_do() -> None:
    assert Accuracy().statistics(["x", "y"], [["x", "a"], ["b", None]]).tolist() == [[1, 1], [0, 1]]


def test_signature_and_names() -> None:
    metric = Accuracy()
    assert metric.signature().startswith("nrefs:1|case:mixed|version:")
    assert (metric.name, metric.label, metric.higher_is_better) == ("accuracy", "accuracy", True)
