"""Derivatives of scores in their statistics: those of formulas against differences of scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truegain as tg
from tests.experiment.made import prepared
from truegain.metrics.bleu import BLEU
from truegain.metrics.lookup import make_metric

FOLDER = Path(tg.__file__).parent / "sample"
METRICS = [
    "bleu",
    "bleu:max_ngram_order=2",
    "bleu:smooth_method=add-k",
    "nist",
    "nist:max_ngram_order=3",
    "meteor",
    "meteor:task=rank",
]


def sums(specification: str, *, words: int | None = None) -> tuple[Any, NDArray[np.float64]]:
    """Return a metric and the statistics of the sample; of the first words of every output, if these are given."""
    metric = make_metric(specification)
    outputs, reference = ((FOLDER / name).read_text().splitlines() for name in ("better.1.txt", "ref.1.txt"))
    cut = [" ".join(line.split()[:words]) for line in outputs]
    return metric, np.asarray(metric.statistics(cut, [reference]), float)


@pytest.mark.parametrize("words", [None, 12])
@pytest.mark.parametrize("specification", METRICS)
def test_formulas_are_differences_of_scores(specification: str, words: int | None) -> None:
    metric, values = sums(specification, words=words)
    totals = values.sum(0)
    slopes = metric.slopes(totals)
    assert np.isfinite(slopes).all()
    for column in range(totals.size):
        step = np.zeros(totals.size)
        step[column] = 1e-5 * totals[column]
        if step[column] > 0:
            ahead, behind = metric.score(totals + step), metric.score(totals - step)
            assert slopes[column] * 2.0 * step[column] == pytest.approx(ahead - behind, rel=1e-6, abs=1e-12)


def test_lengths_that_are_the_same_count_half() -> None:
    metric, values = sums("bleu")
    totals = values.sum(0)
    totals[1] = totals[0]
    more = np.eye(totals.size)[1] * 1e-9
    short, equal, long = metric.slopes(np.stack([totals + more, totals, totals - more]))
    assert equal[:2] == pytest.approx(short[:2] / 2.0)
    assert not long[:2].any()


@pytest.mark.parametrize("specification", METRICS)
def test_where_nothing_matches_they_are_not_known(specification: str) -> None:
    metric, values = sums(specification)
    assert not np.isfinite(metric.slopes(np.zeros(values.shape[1]))).all()


@dataclass(frozen=True)
class Unsteady(BLEU):
    """BLEU on a processor that rounds otherwise: the last place of every score is another."""

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        exact = np.asarray(super().score(totals))
        return np.nextafter(exact, np.where(np.arange(exact.size).reshape(exact.shape) % 2, np.inf, 0.0))


def test_standard_errors_do_not_depend_on_the_last_place_of_scores() -> None:
    corpus = tg.read_corpus(
        [str(FOLDER / name) for name in ("baseline.1.txt", "better.1.txt")], [str(FOLDER / "ref.1.txt")]
    )
    errors = []
    for metric in (BLEU(), Unsteady()):
        experiment = prepared(corpus, [metric])
        errors.append(experiment.standard_error(0, 0, 1))
    assert errors[0] == pytest.approx(errors[1], rel=1e-14)
