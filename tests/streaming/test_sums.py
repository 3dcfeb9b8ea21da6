"""Adding sums: what fits together, what does not, and what is said of that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from truegain.errors import InputError
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


def test_gaps_stay() -> None:
    assert add_up([("x", shard(10)), ("y", shard(0))]).ranges == ((0, 5), (10, 15))


@pytest.mark.parametrize(
    ("first", "count", "said"),
    [
        (0, 5, "1 to 5 are also in a.sums"),
        (3, 5, "4 to 5 are also in a.sums"),
        (4, 5, "5 to 5 are also in a.sums"),
        (38, 5, "41 to 43 are also in c.sums"),
        (44, 5, "45 to 45 are also in c.sums"),
        (10, 90, "41 to 45 are also in c.sums"),
    ],
)
def test_segments_count_once(first: int, count: int, said: str) -> None:
    others = [("c.sums", shard(40)), ("a.sums", shard(0)), ("d.sums", shard(60))]
    for order in (others, others[::-1]):
        with pytest.raises(InputError) as refused:
            add_up([*order, ("b.sums", shard(first, count))])
        assert str(refused.value).startswith(f"b.sums: segments {said}")
        assert str(refused.value).endswith("the number of a shard's first segment: first")


def test_shards_that_touch_are_apart() -> None:
    parts = [(str(first), shard(first)) for first in (10, 0, 20, 5, 15)]
    assert add_up(parts).ranges == ((0, 25),)


def test_nothing_to_merge() -> None:
    with pytest.raises(InputError, match="nothing to merge"):
        add_up([])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"systems": ("base", "old")}, "its systems are base, old, not base, new; name them"),
        ({"systems": ("base",), "runs": (1,)}, "its systems are base, not base, new"),
        ({"runs": (1, 2)}, r"its systems have 1 \+ 2 runs, not 1 \+ 1"),
        ({"metrics": (replace(METRIC, key="ter"),)}, "its metrics are ter, not bleu"),
        ({"metrics": (replace(METRIC, signature="other"),)}, "its bleu is other, not sig"),
        ({"unit": "document"}, "its unit is document, not segment"),
        ({"references": 2}, "its number of references is 2, not 1"),
        ({"resamples": 4}, "its number of resamples is 4, not 3"),
        ({"seed": 8}, "its seed is 8, not 7"),
    ],
)
def test_sums_of_different_things(change: dict[str, Any], message: str) -> None:
    other = shard(50, description=replace(DESCRIPTION, **change))
    with pytest.raises(InputError, match=f"b.sums: it cannot be added to a.sums: {message}"):
        add_up([("a.sums", shard(0)), ("b.sums", other)])
    with pytest.raises(ValueError, match="different things"):
        shard(0) + other
