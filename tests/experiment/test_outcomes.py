"""Scores of items, the range they lie in, and what they are worth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import truegain as tg
from tests.experiment.made import prepared
from truegain.corpus import Corpus, Run, System
from truegain.experiment import Experiment
from truegain.experiment.outcomes import ItemScores, item_scores, range_of
from truegain.experiment.pooled import averaged
from truegain.inference.proportions import BoundedMean, PairedShares, Share, Worth
from truegain.metrics.segment_scores import SegmentScores

Rows = Mapping[str, Sequence[Sequence[float]]]


@dataclass(frozen=True)
class FromZeroToOne(SegmentScores):
    """Scores whose range is known."""

    column: str | None = "acc"
    limits: ClassVar[tuple[float, float]] = (0.0, 1.0)


@dataclass(frozen=True)
class FromZero(FromZeroToOne):
    """Scores with one end only."""

    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)


def of_table(
    folder: Path, systems: Rows, metric: Any = "scores:column=acc", documents: str | None = None
) -> Experiment:
    """Of items with one sample or several, as a table has them; ``n`` is one more than the number of the item."""
    lines = ["system,id,acc,n"]
    for name, items in systems.items():
        lines += [f"{name},{item},{value},{item + 1}" for item, own in enumerate(items) for value in own]
    (folder / "table.csv").write_text("\n".join(lines) + "\n")
    return prepared(tg.read_corpus([str(folder / "table.csv")], outputs_are_scores=True, documents=documents), [metric])


def of_one(values: Iterable[float]) -> list[list[float]]:
    return [[value] for value in values]


def described(found: Sequence[ItemScores | None]) -> list[tuple[list[float], set[float] | None, Any]]:
    return [
        (own.scores.tolist(), None if own.values is None else {*own.values}, pytest.approx(own.outcomes))
        for own in found
        if own is not None
    ]


def test_items_with_one_sample(tmp_path: Path) -> None:
    experiment = of_table(tmp_path, {"a": of_one([1, 0, 1]), "b": of_one([1, 0.5, 0])})
    assert described(item_scores(experiment, 0)) == [([1, 0, 1], {0, 1}, 1.0), ([1, 0.5, 0], None, 1.0)]


@pytest.mark.parametrize("metric", ["scores:column=acc", "pass:k=1,column=acc"])
def test_items_with_samples(tmp_path: Path, metric: str) -> None:
    """The outcomes of an item are the harmonic mean of their numbers; means of samples are no values."""
    experiment = of_table(tmp_path, {"a": [[1, 0], [1], [0, 0, 1, 1]], "b": [[1, 1], [1, 1], [1, 1]]}, metric)
    assert described(item_scores(experiment, 0)) == [
        ([0.5, 1, 0.5], {0, 1}, 3 / (1 / 2 + 1 + 1 / 4)),
        ([1, 1, 1], {1}, 2.0),
    ]


def test_scores_of_several_samples_together_are_the_outcomes(tmp_path: Path) -> None:
    """That one of two is right is one outcome of an item, and has two values only if all or none are right."""
    systems = {"a": [[1, 0, 0], [1, 1, 1], [0, 0, 0]], "b": [[1, 1, 0], [1, 1, 1], [0, 0, 0]]}
    experiment = of_table(tmp_path, systems, "pass:k=2,column=acc")
    first, second = described(item_scores(experiment, 0))
    assert first[1:] == (None, 1.0)
    assert second == ([1, 1, 0], {0, 1}, 1.0)


def test_runs_count_alike() -> None:
    systems = {"a": [np.array([1.0, 0.0, 1.0]), np.array([1.0, 1.0, 0.0])], "b": [np.array([0.0, 0.0, 1.0])]}
    result = tg.score(None, systems, metrics=["scores"], resamples=19, jobs=1, cache=None)
    share = Share(2 / 3, Worth(3.0, math.inf))
    assert [one.score for one in result.scores] == pytest.approx([2 / 3, 1 / 3])
    for one in result.scores:
        assert one.interval is not None
        assert one.interval.method == "wilson"
    interval = result.scores[0].interval
    assert interval is not None
    assert interval.low < share.interval(0.05).low  # all six outcomes are of three items


@pytest.mark.parametrize("metric", ["scores:column=acc,over=n", "chrf"])
def test_a_score_that_is_no_mean_of_items_has_none(tmp_path: Path, metric: str) -> None:
    if metric == "chrf":
        corpus = Corpus.build([System(name, (Run(name, (name, "x", "y z")),)) for name in "ab"], [("a", "x", "y")])
        experiment = prepared(corpus, [metric])
    else:
        experiment = of_table(tmp_path, {"a": of_one([1, 0, 1]), "b": of_one([1, 1, 0])}, metric)
    assert experiment.item_scores == [(None, None)]
    assert experiment.score_of_items(0, 0) is None
    assert experiment.gain_of_items(0, 0, 1) is None
    assert not experiment.has_two_values(0, 0, 1)


def test_a_mean_over_test_sets_and_scores_without_a_range_have_none(tmp_path: Path) -> None:
    one = of_table(tmp_path, {"a": of_one([1, 0, 1]), "b": of_one([1, 1, 0])})
    both = averaged([one, one])
    assert both.item_scores == [(None, None)]
    assert not both.has_two_values(0, 0, 1)
    endless = of_table(tmp_path, {"a": of_one([0.75] * 30), "b": of_one([0.75] * 30)})
    assert endless.score_of_items(0, 0) is None
    assert endless.gain_of_items(0, 0, 1) is None


@pytest.mark.parametrize(
    ("metric", "values", "expected"),
    [
        *(
            (SegmentScores(), values, (0.0, 1.0))
            for values in ([{0.0, 1.0}, {0.0, 1.0}], [{0.0}, {0.0}], [{1.0}, {1.0}])
        ),
        (SegmentScores(), [{0.0, 100.0}, {100.0}], (0.0, 100.0)),
        *((SegmentScores(), values, None) for values in ([{1.0}, {100.0}], [{0.0, 1.0}, {0.0, 100.0}])),
        *((SegmentScores(), values, None) for values in ([{2.0, 3.0}, {2.0}], [{0.0, 1.0}, None])),
        (FromZeroToOne(), [{0.25}, None], (0.0, 1.0)),
        (FromZero(), [{0.25}, None], None),
        (FromZero(), [{0.0}, {1.0}], (0.0, 1.0)),
    ],
)
def test_ranges(
    metric: SegmentScores, values: Sequence[set[float] | None], expected: tuple[float, float] | None
) -> None:
    items = [ItemScores(np.zeros(3), None if own is None else frozenset(own), 1.0) for own in values]
    assert range_of(metric, items) == expected


def test_systems_of_only_zeros(tmp_path: Path) -> None:
    experiment = of_table(tmp_path, {"a": of_one([0] * 40), "b": of_one([0] * 40)})
    assert experiment.has_two_values(0, 0, 1)
    assert experiment.score_of_items(0, 0) == Share(0.0, Worth(40.0, math.inf))
    assert experiment.gain_of_items(0, 0, 1) == PairedShares(0.0, 0.0, Worth(40.0, math.inf))


def test_in_per_cent(tmp_path: Path) -> None:
    """A system of zeros has the range of the other where both are compared."""
    experiment = of_table(tmp_path, {"a": of_one([0] * 40), "b": of_one([100] * 10 + [0] * 30)})
    assert experiment.score_of_items(0, 1) == Share(0.25, Worth(40.0, math.inf), 0.0, 100.0)
    assert experiment.gain_of_items(0, 0, 1) == PairedShares(0.25, 0.0, Worth(40.0, math.inf), 100.0)


def test_documents_are_worth_their_design_effect(tmp_path: Path) -> None:
    """All items of a document alike: each is worth one."""
    right = np.repeat([1.0] * 14 + [0.0] * 6, 5)
    documents = [f"{item // 5}" for item in range(100)]
    (tmp_path / "documents").write_text("\n".join(documents) + "\n")
    experiment = of_table(
        tmp_path, {"a": of_one(right), "b": of_one(1.0 - right)}, documents=str(tmp_path / "documents")
    )
    share = experiment.score_of_items(0, 0)
    assert isinstance(share, Share)
    assert share.worth._asdict() == pytest.approx({"items": 19.0, "freedom": 19.0, "assumed": False})


@pytest.mark.parametrize(("odd", "kind"), [(0, BoundedMean), (4, BoundedMean), (5, type(None)), (30, type(None))])
def test_more_values_that_hardly_vary(tmp_path: Path, odd: int, kind: type) -> None:
    values = np.full(100, 0.75)
    values[:odd] = 0.5
    experiment = of_table(tmp_path, {"a": of_one([0.75] * 100), "b": of_one(values)}, FromZeroToOne())
    assert type(experiment.score_of_items(0, 1)) is kind
    assert type(experiment.gain_of_items(0, 0, 1)) is kind
    if odd == 0:
        assert experiment.score_of_items(0, 1) == BoundedMean(0.75, 0.0, 100.0, 99.0, 0.0, 1.0)
        assert experiment.gain_of_items(0, 0, 1) == BoundedMean(0.0, 0.0, 100.0, 99.0, -1.0, 1.0)
    assert not experiment.has_two_values(0, 0, 1)


def test_of_many_items_a_share_must_vary(tmp_path: Path) -> None:
    """Below 5 % of the units, a large deviation of a score may hide behind small ones."""
    values = np.full(200, 1.0)
    values[:9] = 0.875
    experiment = of_table(tmp_path, {"a": of_one(values), "b": of_one(np.r_[0.875, values[:-1]])}, FromZeroToOne())
    assert isinstance(experiment.score_of_items(0, 0), BoundedMean)
    assert experiment.score_of_items(0, 1) is None
