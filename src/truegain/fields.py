"""Fields of results: the help, the JSON key and the rules that stand in a field's annotation."""

from __future__ import annotations

import inspect
import textwrap
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from truegain.rules import Rule

_WIDTH = 116
_Class = TypeVar("_Class")


@dataclass(eq=False, repr=False)
class Field:
    """Describe a field of a result; its name and its type are those of what it annotates.

    Attributes
    ----------
    help : str
        One or two sentences, for ``help()`` and for the JSON schema.
    key : str, optional
        Its key in JSON, if that is another than the name; empty if it is not written.
    optional : bool
        The key is left out of JSON if the value is empty.
    """

    help: str = ""
    key: str | None = None
    optional: bool = False


MetricKey = Annotated[str, Field("The metric, by its key.")]
Baseline = Annotated[str, Field("The system compared with.")]
System = Annotated[str, Field("The system compared.")]


@dataclass(eq=False, repr=False)
class Form:
    """Write a field under keys that are not its own; stands in the annotation of the field.

    A field that may be None has null under all keys then.

    Attributes
    ----------
    keys : mapping of str to type
        Written and read; a type may be annotated as that of a field.
    take : callable
        From the field's value to the values of the keys, in their order.
    make : callable
        The other way; ValueError if they do not fit together.
    derived : tuple of str
        Properties of the field's value: written, not read.
    """

    keys: Mapping[str, Any]
    take: Callable[[Any], Sequence[Any]]
    make: Callable[..., Any]
    derived: tuple[str, ...] = ()


@dataclass(eq=False, repr=False)
class Shape:
    """Difference between the JSON of a dataclass and its fields; the class has it as ``shape``.

    Attributes
    ----------
    kind : str
        What tells it from the other classes of a union, under the key "kind".
    derived : tuple of str
        Properties that are written, not read; their return annotations and docstrings describe them.
    prose : mapping of str to type
        Keys of sentences, which the view of the result's study has: written, not read.
    first : tuple of str
        Keys that come before the others.
    faults : callable, optional
        Yield what does not fit together in an object that was read: places, and what is wrong there.
    """

    kind: str = ""
    derived: tuple[str, ...] = ()
    prose: Mapping[str, Any] = field(default_factory=dict)
    first: tuple[str, ...] = ()
    faults: Callable[[Any], Iterator[tuple[str, str]]] | None = None


@dataclass(eq=False, repr=False)
class Described:
    """A field of a result, a key of its JSON, or a property that is written with it.

    Attributes
    ----------
    name : str
        Of the field or the property.
    key : str
        In JSON; empty if it is not written.
    kind : type
        With its rules.
    rules : tuple of Rule
    """

    name: str
    key: str
    kind: Any
    help: str
    rules: tuple[Rule, ...] = ()
    form: Form | None = None
    optional: bool = False

    @property
    def nullable(self) -> bool:
        """Return whether the value may be None."""
        return is_union(self.kind) and types.NoneType in typing.get_args(self.kind)

    @cached_property
    def parts(self) -> tuple[Described, ...]:
        """Return the keys of its form; they may be null if the value may be None."""
        made = [] if self.form is None else [described(key, kind) for key, kind in self.form.keys.items()]
        return tuple(replace(one, kind=one.kind | None) if self.nullable else one for one in made)

    @cached_property
    def beside(self) -> tuple[Described, ...]:
        """Return the properties of its value that are written with the keys of its form."""
        if self.form is None or not self.form.derived:
            return ()
        own = next(one for one in _members(self.kind) if one is not types.NoneType)
        return tuple(_property(own, name) for name in self.form.derived)


_PLAIN = Shape()


def shape_of(kind: type) -> Shape:
    """Return what the JSON of a class has beyond its fields."""
    shape: Shape = vars(kind).get("shape", _PLAIN)
    return shape


def fields_of(kind: type) -> tuple[Described, ...]:
    """Return the fields of a dataclass, as their annotations describe them."""
    known = _FIELDS.get(kind)
    if known is None:
        hints = typing.get_type_hints(kind, include_extras=True)
        known = _FIELDS[kind] = tuple(described(one.name, hints[one.name]) for one in fields(kind))
    return known


_FIELDS: dict[type, tuple[Described, ...]] = {}


def derived_of(kind: type) -> tuple[Described, ...]:
    """Return the properties of a class that are written with its fields."""
    known = _DERIVED.get(kind)
    if known is None:
        known = _DERIVED[kind] = tuple(_property(kind, name) for name in shape_of(kind).derived)
    return known


_DERIVED: dict[type, tuple[Described, ...]] = {}


def is_union(kind: Any) -> bool:
    """Return whether a type is a union of others."""
    return typing.get_origin(kind) in (types.UnionType, typing.Union)


def described(name: str, annotation: Any, help: str = "") -> Described:
    """Return what an annotation says of a field, or of a key; ``help`` is for one that has none of its own."""
    kind, *said = typing.get_args(annotation) if typing.get_origin(annotation) is Annotated else (annotation,)
    fields_said = [one for one in said if isinstance(one, Field)]
    key = next((one.key for one in reversed(fields_said) if one.key is not None), name)
    text = next((one.help for one in reversed(fields_said) if one.help), help)  # the last said of a named type wins
    rules = tuple(one for one in said if isinstance(one, Rule))
    form = next((one for one in said if isinstance(one, Form)), None)
    for rule in rules:
        kind = Annotated[kind, rule]
    return Described(name, key, kind, text, rules, form, any(one.optional for one in fields_said))


def _property(kind: type, name: str) -> Described:
    found = inspect.getattr_static(kind, name)
    function = found.fget if isinstance(found, property) else found.func  # a cached property
    told = typing.get_type_hints(function, include_extras=True)["return"]
    return described(name, told, (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " "))


def documented(kind: type[_Class]) -> type[_Class]:
    """Let the docstring of a dataclass have a section on its attributes, made of the fields when it is asked for."""
    kind.__init__.__annotations__.clear()  # that section has the types; in the signature they would hide the names
    kind.__doc__ = _Docstring(kind.__doc__ or "")  # type: ignore[assignment]
    return kind


class _Docstring:
    """A docstring that is finished when it is read: annotations need not be evaluated when a command begins."""

    def __init__(self, said: str) -> None:
        self.said = inspect.cleandoc(said)

    def __get__(self, instance: object, kind: type) -> str:
        told = [one for one in fields_of(kind) if one.name not in _UNTOLD]
        return f"{self.said}\n\nAttributes\n----------\n" + "\n".join(map(_attribute, told)) + "\n"


_UNTOLD = ("command", "version")  # the class that all results share tells of these


def _attribute(one: Described) -> str:
    return f"{one.name} : {_in_words(one.kind)}\n" + textwrap.indent(textwrap.fill(one.help, _WIDTH), "    ")


def _members(kind: Any) -> tuple[Any, ...]:
    return typing.get_args(kind) if is_union(kind) else (kind,)


def _in_words(kind: Any) -> str:
    """Return a type as numpydoc has it: ``tuple of float``, ``(int, int) or None``."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return _in_words(parts[0])
    if is_union(kind):
        return " or ".join(map(_in_words, parts))
    if origin is Literal:
        *most, last = [f'"{choice}"' for choice in parts]
        return " or ".join(filter(None, (", ".join(most), last)))
    if origin is tuple:
        if parts[-1] is Ellipsis:
            return f"tuple of {_in_words(parts[0])}"
        return f"({', '.join(map(_in_words, parts))})"
    if parts:
        return f"{origin.__name__.lower()} of {' to '.join(map(_in_words, parts))}"
    return "None" if kind is types.NoneType else str(kind.__name__)
