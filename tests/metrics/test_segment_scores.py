"""Segment scores from elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from truegain.errors import InputError
from truegain.metrics.lookup import make_metric, make_metrics
from truegain.metrics.segment_scores import SegmentScores

COLUMNS = {"errors": np.array([1.0, 0.0, 3.0]), "words": np.array([10.0, 5.0, 5.0])}


def test_mean() -> None:
    metric = SegmentScores(column="errors")
    totals = metric.statistics(COLUMNS).sum(0)
    assert totals.tolist() == [4.0, 3.0]
    assert float(metric.score(totals)) == pytest.approx(4 / 3)


def test_ratio_of_two_columns() -> None:
    metric = SegmentScores(column="errors", over="words", lower_is_better=True)
    assert float(metric.score(metric.statistics(COLUMNS).sum(0))) == 0.2
    assert metric.label == "errors/words"
    assert not metric.higher_is_better
    assert metric.signature().startswith("column:errors|over:words|aggregate:ratio|better:lower|version:")


def test_which_column() -> None:
    assert SegmentScores().statistics({"COMET": np.array([0.5])}).tolist() == [[0.5, 1.0]]
    with pytest.raises(InputError, match="several columns: errors, words"):
        SegmentScores().statistics(COLUMNS)
    with pytest.raises(InputError, match="did you mean 'errors'"):
        SegmentScores(column="error").statistics(COLUMNS)


def test_a_ratio_needs_a_positive_sum() -> None:
    with pytest.raises(InputError, match="sums to 0"):
        SegmentScores(column="errors", over="none").statistics({**COLUMNS, "none": np.zeros(3)})


def test_lookup() -> None:
    assert make_metric("scores:column=COMET,lower_is_better=yes,title=x") == SegmentScores("COMET", None, True, "x")
    assert list(make_metrics(["bleu", SegmentScores()])) == ["bleu", "scores"]
    with pytest.raises(InputError, match="asked for twice"):
        make_metrics(["bleu", "bleu"])
    with pytest.raises(InputError, match="did you mean 'bleu'"):
        make_metric("blue")
    with pytest.raises(InputError, match="no metric"):
        make_metrics([])
