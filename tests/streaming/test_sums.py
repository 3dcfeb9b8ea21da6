"""Adding sums: what fits together, what does not, and what is said of that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.refusals import refused
from truegain.notes import Note
from truegain.streaming.fold import Fold
from truegain.streaming.sums import Description, MetricPart, Sums
from truegain.streaming.sums_file import add_up

METRIC = MetricPart("bleu", "sig", ("a",))
DESCRIPTION = Description((METRIC,), ("base", "new"), (1, 1), 1, "segment", 3, 7)


def shard(first: int, count: int = 5, name: str = "t", description: Description = DESCRIPTION) -> Sums:
    fold = Fold(description)
    columns = description.kinds.size
    documents = ["d"] * count if description.unit == "document" else None
    fold.add(np.full((count, columns), 2.0), first, documents)
    runs = tuple(f"{name}.{i}" for i in range(sum(description.runs)))
    return fold.sums(name=name, run_names=runs, fingerprint=2**63 + first, notes=[Note("origin", f"from {name}")])


def test_the_shard_with_the_first_segment_gives_the_names() -> None:
    parts = [("x", shard(10, name="last")), ("y", shard(0, name="first")), ("z", shard(5, name="middle"))]
    for order in (parts, parts[::-1], parts[1:] + parts[:1]):
        total = add_up(order)
        assert (total.name, total.run_names) == ("first", ("first.0", "first.1"))
        assert total.ranges == ((0, 15),)
        assert tuple(map(str, total.notes)) == ("from first", "from last", "from middle")
        assert total.fingerprint == (3 * 2**63 + 15) % 2**64
        assert total.totals.tolist() == [30, 30]


def test_gaps_stay_and_shards_that_touch_are_one_range() -> None:
    assert add_up([("x", shard(10)), ("y", shard(0))]).ranges == ((0, 5), (10, 15))
    assert add_up([(str(first), shard(first)) for first in (10, 0, 20, 5, 15)]).ranges == ((0, 25),)


@pytest.mark.parametrize(
    ("first", "count", "told"),
    [
        (0, 5, (1, 5, "a.sums")),
        (3, 5, (4, 5, "a.sums")),
        (4, 5, (5, "a.sums")),
        (38, 5, (41, 43, "c.sums")),
        (44, 5, (45, "c.sums")),
        (10, 90, (41, 45, "c.sums")),
    ],
)
def test_segments_count_once(first: int, count: int, told: tuple[object, ...]) -> None:
    others = [("c.sums", shard(40)), ("a.sums", shard(0)), ("d.sums", shard(60))]
    for order in (others, others[::-1]):
        with refused("first", naming=("b.sums", *told)):
            add_up([*order, ("b.sums", shard(first, count))])


def test_nothing_to_merge() -> None:
    with refused():
        add_up([])


@pytest.mark.parametrize(
    "change",
    [
        {"systems": ("base", "old")},
        {"systems": ("base",), "runs": (1,)},
        {"runs": (1, 2)},
        {"metrics": (replace(METRIC, key="ter"),)},
        {"metrics": (replace(METRIC, signature="other"),)},
        {"unit": "document"},
        {"references": 2},
        {"resamples": 4},
        {"seed": 8},
    ],
)
def test_sums_of_different_things(change: dict[str, Any]) -> None:
    other = shard(50, description=replace(DESCRIPTION, **change))
    with refused(naming=["a.sums", "b.sums"]):
        add_up([("a.sums", shard(0)), ("b.sums", other)])
    with pytest.raises(ValueError, match="different"):
        shard(0) + other
