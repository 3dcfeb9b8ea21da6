"""Frozen dataclasses as plain data: what of it is not plain from the types of their fields, and how it is written.

:mod:`truegain.studies.decode` reads it again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from typing import Any, Protocol, TypeVar

from truegain.report.data import ten_digits
from truegain.studies import view_of

__all__ = [
    "ENDLESS",
    "PLAIN",
    "Filled",
    "Form",
    "OneOf",
    "OrNaN",
    "Ordered",
    "Rule",
    "Shape",
    "Shapes",
    "Within",
    "keep_digits",
    "write",
]

_T = TypeVar("_T")
#: A field with this in its metadata may be infinite; its form says what that is in JSON.
ENDLESS = "endless"


class Rule(Protocol):
    """What a value must be beyond its type; stands in ``Annotated`` beside it."""

    def holds(self, value: Any) -> bool:
        """Whether a value of the type is one of these."""
        ...

    def words(self, kind: str) -> str:
        """What is expected, given the words for the type."""
        ...


@dataclass(frozen=True)
class Within:
    """Numbers from low to high; ``open`` leaves out the ends."""

    low: float
    high: float = math.inf
    open: bool = False

    def holds(self, value: float) -> bool:
        """Whether the number lies there."""
        return self.low < value < self.high if self.open else self.low <= value <= self.high

    def words(self, kind: str) -> str:
        """``a number from 0 to 1``, ``a number above 0``."""
        if self.high == math.inf:
            return f"{kind} {'above' if self.open else 'from'} {self.low:g}{'' if self.open else ' on'}"
        ends = ("between", "and") if self.open else ("from", "to")
        return f"{kind} {ends[0]} {self.low:g} {ends[1]} {self.high:g}"


@dataclass(frozen=True)
class OneOf:
    """Texts of a list."""

    choices: tuple[str, ...]

    def holds(self, value: str) -> bool:
        """Whether the text is among them."""
        return value in self.choices

    def words(self, kind: str) -> str:
        """``one of a, b, c``."""
        return f"one of {', '.join(self.choices)}"


@dataclass(frozen=True)
class Filled:
    """A list that is not empty."""

    def holds(self, value: Sequence[Any]) -> bool:
        """Whether there is something in it."""
        return len(value) > 0

    def words(self, kind: str) -> str:
        """``a list that is not empty``."""
        return f"{kind} that is not empty"


@dataclass(frozen=True)
class Ordered:
    """The two ends of an interval, of which the first is not above the second, to the digits that JSON keeps."""

    def holds(self, value: tuple[float, float]) -> bool:
        """Return whether the ends are in their order."""
        return ten_digits(value[0]) <= ten_digits(value[1])

    def words(self, kind: str) -> str:
        """``a list of 2, the lower end first,``."""
        return f"{kind}, the lower end first,"


@dataclass(frozen=True)
class OrNaN:
    """A number, or null where there is none, which is read as NaN."""

    def holds(self, value: float) -> bool:
        """Whether it is such a number: all are."""
        return True

    def words(self, kind: str) -> str:
        """``a number or null``."""
        return f"{kind} or null"


@dataclass(frozen=True)
class Form:
    """A field under keys of its own choice.

    Attributes
    ----------
    keys : mapping of str to type
        Written and read.
    take : callable
        From the field's value to the values of the keys, in their order.
    make : callable
        The other way; ValueError where they do not fit together.
    beside : mapping of str to callable
        Keys that follow from the field's value: written, not read.
    """

    keys: Mapping[str, Any]
    take: Callable[[Any], Sequence[Any]]
    make: Callable[..., Any]
    beside: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Shape:
    """Where the data of a dataclass differ from its fields.

    Attributes
    ----------
    kind : str
        What tells it from the other classes of a union, under the key "kind".
    names : mapping of str to str
        Field to key.
    types : mapping of str to type
        Field to a narrower type than its own.
    forms : mapping of str to Form
        Fields with keys of their own.
    derived : mapping of str to callable
        Keys that follow from the rest: written, not read.
    prose : tuple of str
        Keys of sentences, which the view of the result's study has: written, not read.
    first : tuple of str
        Keys that come before the others.
    optional : tuple of str
        Fields that are left out where they are empty.
    faults : callable, optional
        What does not fit together in an object that was read: places, and what is wrong there.
    """

    kind: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, Any] = field(default_factory=dict)
    forms: Mapping[str, Form] = field(default_factory=dict)
    derived: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    prose: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    faults: Callable[[Any], Iterator[tuple[str, str]]] | None = None


#: The shapes of classes that have one, and that of the others.
Shapes = Mapping[type, Shape]
PLAIN = Shape()


def keep_digits(value: _T) -> _T:
    """What JSON keeps, all through a frozen structure: ten significant digits, and NaN for what is no number."""
    return _kept(value)  # type: ignore[no-any-return]


def _kept(value: Any) -> Any:
    if isinstance(value, float):
        return ten_digits(value) if math.isfinite(value) else math.nan
    if isinstance(value, tuple):
        return tuple(_kept(one) for one in value)
    if isinstance(value, dict):
        return {key: _kept(one) for key, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        held = [(one, getattr(value, one.name)) for one in fields(value) if one.init]
        return replace(value, **{one.name: own if _endless(one, own) else _kept(own) for one, own in held})
    return value


def _endless(one: Field[Any], own: Any) -> bool:
    return bool(one.metadata.get(ENDLESS)) and math.isinf(own)


def write(value: Any, shapes: Shapes) -> Any:
    """Dataclasses as dictionaries, tuples as lists, all through."""
    if isinstance(value, float | int | str | None):  # first, because there are many
        return value
    if isinstance(value, list | tuple):
        return [write(one, shapes) for one in value]
    if isinstance(value, dict):
        return {key: write(one, shapes) for key, one in value.items()}
    shape = shapes.get(type(value), PLAIN)
    data: dict[str, Any] = {"kind": shape.kind} if shape.kind else {}
    for one in fields(value):
        own = getattr(value, one.name)
        if one.name in shape.optional and not own:
            continue
        if (form := shape.forms.get(one.name)) is None:
            data[shape.names.get(one.name, one.name)] = write(own, shapes)
            continue
        data.update(zip(form.keys, (write(part, shapes) for part in form.take(own)), strict=True))
        data.update({key: write(derive(own), shapes) for key, derive in form.beside.items()})
    data.update({key: write(derive(value), shapes) for key, derive in shape.derived.items()})
    if shape.prose:
        told = view_of(value.study).prose(value)
        data.update({key: told[key] for key in shape.prose})
    return {key: data[key] for key in dict.fromkeys((*shape.first, *data)) if key in data}
