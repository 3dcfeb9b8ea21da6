"""Dataclasses as plain data and back."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.errors import InputError
from truegain.fields import Field, Form, Shape, derived_of, documented, fields_of
from truegain.report.data import rounded
from truegain.rules import Filled, OneOf, OrInfinite, OrNaN, Within, ten_digits
from truegain.studies.codec import keep_digits, write
from truegain.studies.decode import read


@dataclass(frozen=True)
class Point:
    x: float
    y: float

    @property
    def far(self) -> bool:
        """Return whether it is far away."""
        return self.x > 10.0


@dataclass(frozen=True)
class Disc:
    shape: ClassVar[Shape] = Shape(kind="disc")

    radius: Annotated[float, Within(0.0, open=True), Field("From the centre.")]


@dataclass(frozen=True)
class Box:
    shape: ClassVar[Shape] = Shape(kind="box")

    sides: tuple[float, float]


XY = Form({"x": float, "y": float}, lambda p: (p.x, p.y), Point, ("far",))


def _faults(thing: Thing) -> Iterator[tuple[str, str]]:
    if thing.count < len(thing.parts):
        yield "parts[0]", "more than counted"


@documented
@dataclass(frozen=True)
class Thing:
    """A thing."""

    shape: ClassVar[Shape] = Shape(derived=("length",), first=("title", "size"), faults=_faults)

    name: Annotated[str, Field("What it is called.", key="title")]
    count: int
    there: bool
    way: Literal["up", "down"]
    at: Annotated[Point, XY, Field("Where it is.")]
    parts: tuple[Point, ...]
    form: Disc | Box | None
    weight: Annotated[Annotated[float, Within(0.0, 1.0)] | None, Field("How heavy it is.")]
    marks: Annotated[tuple[str, ...], Filled(), Field("What is written on it.", optional=True)] = ()
    secret: Annotated[int, Field("What nobody is told.", key="")] = 0

    @property
    def length(self) -> Annotated[int, Field(key="size")]:
        """The number of parts.

        All of them.
        """
        return len(self.parts)


THING = Thing("a", 3, True, "up", Point(1.0, 2.0), (Point(3.0, 4.0),), Disc(2.0), 0.5, ("m",))


def data() -> dict[str, Any]:
    written = write(THING)
    assert isinstance(written, dict)
    return written


def test_written() -> None:
    assert list(data().items()) == [
        ("title", "a"),
        ("size", 1),
        ("count", 3),
        ("there", True),
        ("way", "up"),
        ("x", 1.0),
        ("y", 2.0),
        ("far", False),
        ("parts", [{"x": 3.0, "y": 4.0}]),
        ("form", {"kind": "disc", "radius": 2.0}),
        ("weight", 0.5),
        ("marks", ["m"]),
    ]


numbers = st.floats(-1e150, 1e150)
points = st.builds(Point, numbers, numbers)
positive = st.floats(0.0, 1e150, exclude_min=True)
things = st.builds(
    Thing,
    st.text(),
    st.integers(3, 2**53 - 1),
    st.booleans(),
    st.sampled_from(("up", "down")),
    points,
    st.lists(points, max_size=3).map(tuple),
    st.none() | st.builds(Disc, positive) | st.builds(Box, st.tuples(numbers, numbers)),
    st.none() | st.floats(0.0, 1.0),
    st.lists(st.text(), max_size=2).map(tuple),
)


@settings(deadline=None)
@given(things)
def test_read_again(thing: Thing) -> None:
    assert read(Thing, write(thing)) == thing


def test_keys_that_are_not_known_and_those_that_follow_from_others_are_not_read() -> None:
    assert read(Thing, data() | {"size": "x", "far": 3, "new": 1}) == THING
    bare = {key: value for key, value in data().items() if key != "marks"}
    assert read(Thing, bare) == replace(THING, marks=()), "left out where it is empty"


@pytest.mark.parametrize("key", ["title", "count", "there", "way", "x", "y", "parts", "form", "weight"])
def test_a_missing_key(key: str) -> None:
    with pytest.raises(InputError, match=f"^{key} "):
        read(Thing, {name: value for name, value in data().items() if name != key})


LONG = 10**5000  # more digits than Python writes


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("title", [3, None, True]),
        ("count", [-1, 1.0, True, LONG]),
        ("there", [1]),
        ("way", ["left", []]),
        ("x", ["1" * 60, False, math.nan, math.inf, 10**400]),
        ("parts", [{}]),
        ("form", [3]),
        ("weight", [2]),
        ("marks", [[]]),
    ],
)
def test_what_does_not_fit_is_named(key: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(InputError, match=f"^{key}: "):
            read(Thing, data() | {key: value})


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("parts", [{"x": 1, "y": 2}, {"x": 1}], "parts[1].y"),
        ("parts", [{"x": 1, "y": [2]}], "parts[0].y"),
        ("parts", ["p"], "parts[0]"),
        ("parts", [{"x": 1, "y": 2}] * 4, "parts[0]"),
        ("form", {}, "form.kind"),
        ("form", {"kind": "ring"}, "form.kind"),
        ("form", {"kind": "disc", "radius": 0}, "form.radius"),
        ("form", {"kind": "box", "sides": [1]}, "form.sides"),
        ("marks", ["a", 1], "marks[1]"),
    ],
)
def test_the_place_inside_is_named(key: str, value: Any, place: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(place)}(:| )"):
        read(Thing, data() | {key: value})


def test_a_form_may_refuse_what_was_read() -> None:
    def refuse(x: float, y: float) -> Point:
        raise ValueError("no such point")

    @dataclass(frozen=True)
    class Map:
        place: Any

    Map.__annotations__["place"] = Annotated[Point, Form({"a": float, "b": float}, tuple, refuse)]
    with refused(naming=["at.a: no such point"]):
        read(Map, {"a": 1, "b": 2}, "at")


def test_null_where_there_is_no_number() -> None:
    kind = Annotated[float, OrNaN()]
    assert str([read(kind, value) for value in (None, math.nan, 1)]) == "[nan, nan, 1.0]"
    with refused(naming=["inf"]):
        read(kind, math.inf)


@pytest.mark.parametrize(
    ("rule", "inside", "outside"),
    [
        (Within(0.0, 1.0), (0.0, 1.0), (-0.1, 1.1)),
        (Within(0.0, 1.0, open=True), (0.5,), (0.0, 1.0)),
        (Within(1.0), (1.0, 1e300), (0.9,)),
        (Within(0.0, open=True), (1e-300,), (0.0,)),
        (OneOf(("a", "b")), ("a", "b"), ("c",)),
    ],
)
def test_what_rules_hold_of(rule: Any, inside: tuple[Any, ...], outside: tuple[Any, ...]) -> None:
    assert all(rule.holds(one) for one in inside)
    assert not any(rule.holds(one) for one in outside)


@settings(deadline=None)
@given(things)
def test_ten_digits_are_kept(thing: Thing) -> None:
    kept = keep_digits(thing)
    assert keep_digits(kept) == kept
    assert (kept.name, kept.count, kept.there, kept.marks) == (thing.name, thing.count, thing.there, thing.marks)
    assert kept.at.x == rounded(thing.at.x)
    assert [one.y for one in kept.parts] == [rounded(one.y) for one in thing.parts]


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**12), 10**12).map(float))
def test_numbers_of_ten_digits(value: float) -> None:
    rounded = float(f"{value:.10g}")
    expected = rounded if math.isfinite(rounded) else value
    assert repr(ten_digits(value)) == repr(expected)
    assert repr(ten_digits(np.float64(value))) == repr(expected)


def test_digits_in_tables() -> None:
    kept = keep_digits({("a", "b"): (1 / 3, math.inf)})
    assert kept["a", "b"][0] == 0.3333333333
    assert math.isnan(kept["a", "b"][1])


@dataclass(frozen=True)
class Range:
    ends: Annotated[Point | None, XY]
    lower: Annotated[float, OrInfinite(-math.inf)] = 0.0


def test_a_form_of_nothing_is_null_under_all_keys() -> None:
    written = write(Range(None))
    assert written == {"x": None, "y": None, "far": None, "lower": 0.0}
    assert read(Range, written) == Range(None)
    with refused(naming=["x and y"]):
        read(Range, written | {"x": 1.0})


def test_infinity_is_null_where_it_may_be() -> None:
    endless = Range(None, -math.inf)
    assert write(endless)["lower"] is None
    assert read(Range, write(endless)) == endless == keep_digits(endless)
    with refused(naming=["lower: ", "inf"]):
        read(Range, write(endless) | {"lower": math.inf})


def test_what_annotations_say_of_fields() -> None:
    found = {one.name: (one.key, one.help, one.optional) for one in fields_of(Thing)}
    assert found["name"] == ("title", "What it is called.", False)
    assert found["marks"] == ("marks", "What is written on it.", True)
    assert found["secret"] == ("", "What nobody is told.", False)
    assert found["there"] == ("there", "", False)
    assert [(one.key, one.kind, one.help) for one in derived_of(Thing)] == [("size", int, "The number of parts.")]


def test_the_last_help_of_a_named_type_wins() -> None:
    @dataclass(frozen=True)
    class Named:
        one: Any

    Named.__annotations__["one"] = Annotated[Annotated[int, Within(1), Field("Some.", key="a")], Field("This.")]
    (field,) = fields_of(Named)
    assert (field.key, field.help, field.rules) == ("a", "This.", (Within(1),))
