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


def _advice(outputs: list[str], references: list[str]) -> str:
    notes = Accuracy().advice_beside(outputs, [references], "b.txt")
    assert all(note.warning for note in notes)
    return " ".join(map(str, notes))


def test_labels_that_no_reference_has_are_told() -> None:
    assert all(told in _advice(["A", "b"] * 10, ["a", "B"] * 10) for told in ("'A', 'b'", "'B', 'a'"))
    found = _advice(["spam", "Spam", "ham", "eggs"] * 10, ["spam", "ham"] * 20)
    assert all(told in found for told in ("'Spam'", "10", "'spam'"))
    assert all(told in _advice(["0", "1.0"] * 10, ["0", "1"] * 10) for told in ("'1.0'", "10"))


def test_honest_labels_are_not() -> None:
    """Labels that only differ, labels in two cases in the reference, and answers in words."""
    assert not _advice(["ham", "eggs"] * 10, ["spam", "ham"] * 10)
    assert not _advice(["a", "A"] * 10, ["A", "a"] * 10)
    assert not _advice([f"Town {i}" for i in range(20)], [f"town {i}" for i in range(20)])
