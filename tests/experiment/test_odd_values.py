"""Values that may mark missing scores, and scores on two scales: told, and honest ones are not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import truegain as tg


def _told(kind: str, table: object = None, **scores: NDArray[np.float64]) -> list[str]:
    result = tg.compare(table, scores or None, metrics=["scores"], resamples=99)
    return [str(note) for note in result.notes if note.kind == kind]


def _scales(**scores: NDArray[np.float64]) -> list[str]:
    return _told("scales", **scores)


def test_fractions_beside_percentages_are_told() -> None:
    rng = np.random.default_rng(3)
    right = (rng.random((3, 100)) < 0.6).astype(float)
    (told,) = _scales(a=right[0], b=100.0 * right[1], c=right[2])
    assert "a and c look like fractions" in told
    neural = rng.normal(0.8, 0.1, (2, 100))
    assert _scales(a=neural[0], b=100.0 * neural[1])
    assert _scales(a=100.0 * neural[0], b=np.stack([neural[0], neural[1]]))


def test_scores_that_differ_for_other_reasons_are_not() -> None:
    """One scale, a scale without end, penalties of a good and of a bad system, a system that is always wrong."""
    rng = np.random.default_rng(4)
    right = (rng.random((2, 100)) < 0.6).astype(float)
    assert not _scales(a=right[0], b=right[1])
    assert not _scales(a=100.0 * right[0], b=np.zeros(100))
    assert not _scales(a=right[0], b=300.0 * right[1])
    assert not _scales(a=right[0], b=rng.integers(0, 26, 100).astype(float))
    assert not _scales(a=rng.integers(1, 6, 100) / 5.0, b=rng.integers(1, 6, 100).astype(float))


def test_thousandths_are_told() -> None:
    rng = np.random.default_rng(5)
    seconds = rng.lognormal(0.0, 0.5, (3, 100))
    (told,) = _scales(a=seconds[0], b=900.0 * seconds[1], c=seconds[2])
    assert "a and c are about a thousandth of those of b" in told
    assert not _scales(a=seconds[0], b=200.0 * seconds[1])
    assert not _scales(a=seconds[0], b=900.0 * seconds[1] ** 5)


def _rated() -> pd.DataFrame:
    rng = np.random.default_rng(6)
    rows = [(s, i, r, f"d{i % 2}") for s in "ab" for i in range(40) for r in "xyz"]
    table = pd.DataFrame(rows, columns=["system", "id", "rater", "domain"])
    return table.assign(score=rng.uniform(20.0, 99.0, len(rows)).round(1))


def test_raters_and_domains_on_two_scales_are_told() -> None:
    table = _rated()
    assert not _told("scales", table)
    by_rater = table.assign(score=table.score.where(table.rater != "y", table.score / 100.0))
    assert "1 of 3 raters look like fractions" in _told("scales", by_rater)[0]
    by_domain = table.assign(score=table.score.where(table.domain != "d1", table.score / 100.0))
    assert "d1 look like fractions" in _told("scales", by_domain)[0]
    tasks = table.assign(score=table.score.where(table.domain != "d1", table.score * 1000.0))
    assert not _told("scales", tasks)
    renamed = by_domain.rename(columns={"domain": "subject"})
    assert "d1 look like fractions" in _told("scales", renamed)[0]


def test_test_sets_on_two_scales_are_told() -> None:
    one, other = np.random.default_rng(7).uniform(0.4, 0.9, (2, 2, 60))
    for factor, said in ((1.0, 0), (100.0, 1)):
        sets = {name: (None, {"a": x[0], "b": x[1]}) for name, x in (("s", one), ("t", factor * other))}
        result = tg.pool(sets, metrics=["scores"], resamples=99)
        texts = [str(note) for note in result.notes if note.kind == "scales"]
        assert len(texts) == said
        assert all("s look like fractions" in text for text in texts)


@pytest.mark.parametrize(("mark", "said"), [(-1.0, "−1 stands 2 times among the scores of b"), (99.0, "above 10")])
def test_marks_among_scores_are_told(mark: float, said: str) -> None:
    judged = np.random.default_rng(8).integers(1, 11, (2, 80)).astype(float)
    judged[0, 0] = 10.0
    judged[1, [3, 50]] = mark
    (text,) = _told("marks-as-scores", a=judged[0], b=judged[1])
    assert said in text


def test_marks_among_ratings_and_verdicts_are_told() -> None:
    """A mean of ratings hides the mark; of verdicts, one system has few of it and the other none."""
    table = _rated()
    table.loc[[3, 100, 200], "score"] = 999.0
    assert "999 stands 3 times among the scores of a and b" in _told("marks-as-scores", table)[0]
    right = (np.random.default_rng(9).random((2, 60)) < 0.6).astype(float)
    right[1, [4, 9]] = -1.0
    assert _told("marks-as-scores", a=right[0], b=right[1])


def test_honest_scores_are_no_marks() -> None:
    """Preferences, penalties, COMET below -1, logarithms of likelihoods, percentages, latencies."""
    rng = np.random.default_rng(10)
    draw = rng.integers(-1, 2, (2, 100)).astype(float)
    assert not _told("marks-as-scores", a=draw[0], b=draw[1])
    assert not _told("marks-as-scores", a=np.minimum(draw[0], 0.0), b=np.minimum(draw[1], 0.0))
    assert not _told("marks-as-scores", a=np.append(draw[0] * 0.9, -1.3), b=np.append(draw[1], -1.0))
    assert not _told("marks-as-scores", a=-5.0 * (draw[0] + 1.0), b=np.where(draw[1] > 0, -99.0, -60.0))
    marked = rng.choice([-1.0, 0.0, 4.0], (2, 100))
    assert not _told("marks-as-scores", a=marked[0], b=marked[1])
    penalties = rng.choice([0.0, -0.1, -1.0], (2, 100), p=[0.8, 0.1, 0.1])
    assert not _told("marks-as-scores", a=penalties[0], b=penalties[1])
    whole = rng.integers(0, 100, (2, 100)).astype(float)
    assert not _told("marks-as-scores", a=whole[0], b=np.append(whole[1, :-1], 99.0))
    assert not _told("marks-as-scores", a=10.0 * whole[0], b=np.append(7.0 * whole[1, :-1], 999.0))


def test_rows_that_sum_up_others_are_told() -> None:
    table = pd.DataFrame(
        {"id": [*map(str, range(20)), "Total"], "a": [*[0.0, 1.0] * 10, 10.0], "b": [*[1.0] * 20, 20.0]}
    )
    assert "'Total'" in _told("totals-as-items", table)[0]
    assert not _told("totals-as-items", table[:-1])
    words = table.assign(id=[*(f"word{chr(97 + i)}" for i in range(20)), "mean"])
    assert not _told("totals-as-items", words)
    documents = table.assign(id=range(21), document=[*(f"d{i % 5}" for i in range(20)), "Mean"])
    assert "rows named 'Mean'" in _told("totals-as-items", documents)[0]
