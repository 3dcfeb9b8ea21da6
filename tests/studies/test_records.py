"""Flat records of dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import pytest

from truegain.fields import Field, Shape
from truegain.inference.intervals import INTERVAL, Interval
from truegain.inference.pvalues import P_VALUE, PValue
from truegain.studies.records import record


@dataclass(frozen=True)
class Inner:
    a: int
    b: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    shape: ClassVar[Shape] = Shape(derived=("double",))

    name: Annotated[str, Field("Its name.", key="title")]
    count: int
    interval: Annotated[Interval | None, INTERVAL]
    p_value: Annotated[PValue, P_VALUE]
    ends: tuple[float, float] | None = None
    inner: Inner | None = None

    @property
    def double(self) -> int:
        """Twice the count."""
        return 2 * self.count


ROW = Row("x", 3, Interval(1.0, 2.0, 0.95, "t"), PValue(0.5, 1, 3, (0.1, 0.9)), (4.0, 5.0), Inner(6, ("u", "v")))


def test_columns_are_keys_of_json_in_the_order_asked_for() -> None:
    columns = "double title ci_low ci_high ci_method p p_mc_high ends_low inner_a inner_b"
    values = [6, "x", 1.0, 2.0, "t", 0.5, 0.9, 4.0, 6, ["u", "v"]]
    assert list(record(columns, ROW).items()) == list(zip(columns.split(), values, strict=True))


def test_what_is_not_there_is_none() -> None:
    row = Row("x", 3, None, PValue(0.5))
    assert set(record("ci_low ci_level ends_high inner_a", row).values()) == {None}


def test_the_first_source_wins_and_columns_may_be_renamed() -> None:
    assert record("n=count count more", {"count": 7, "more": 8}, ROW) == {"n": 7, "count": 7, "more": 8}
    with pytest.raises(KeyError, match="other"):
        record("other", ROW)
