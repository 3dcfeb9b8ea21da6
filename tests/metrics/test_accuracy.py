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


def _advice(outputs: list[str], references: list[str]) -> list[str]:
    return [str(note) for note in Accuracy().advice_beside(outputs, [references], "b.txt")]


def test_labels_that_no_reference_has_are_told() -> None:
    assert _advice(["A", "b"] * 10, ["a", "B"] * 10) == [
        "Warning: b.txt: none of its labels ('A', 'b') stands in the reference ('B', 'a'): all count as wrong"
    ]
    assert _advice(["spam", "Spam", "ham", "eggs"] * 10, ["spam", "ham"] * 20) == [
        "Warning: b.txt: its label 'Spam' (10 times) never stands in the reference, 'spam' does: it counts as wrong"
    ]
    assert "'1.0' (10 times)" in _advice(["0", "1.0"] * 10, ["0", "1"] * 10)[0]


def test_honest_labels_are_not() -> None:
    """Labels that only differ, labels in two cases in the reference, and answers in words."""
    assert not _advice(["ham", "eggs"] * 10, ["spam", "ham"] * 10)
    assert not _advice(["a", "A"] * 10, ["A", "a"] * 10)
    assert not _advice([f"Town {i}" for i in range(20)], [f"town {i}" for i in range(20)])
