"""Option: its help, its flags and its key, which a field's annotation holds with its type and default."""

import inspect
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self, dataclass_transform

from truegain.errors import InputError, one_of


@dataclass(eq=False, repr=False)  # to make more of it would cost milliseconds whenever a command begins
class Option:
    """Describe one option; its name, type and default are those of the field that it annotates.

    Attributes
    ----------
    help : str
        One or two sentences, for ``--help`` and ``help()``.
    more : str
        What only Python users need to know besides, in reStructuredText.
    flags : tuple of str, optional
        As one writes it on the command line; by default ``--name``, none if it is not offered there.
    metavar : str, optional
        What stands for the value in ``--help``.
    choices : tuple of str
        The values that a text may have, if its type is not a Literal.
    key : str, optional
        Its key in an experiment file, if that differs from the name; empty if it is not offered there.
    many : bool
        The flag may be repeated: every value is kept.
    text : str
        How ``help()`` names the type, if the annotation would be hard to read.
    parse : callable, optional
        Make the value of what is written on the command line; ValueError says what was expected.
    least : int, optional
        The smallest whole number that the command line takes.
    between : (float, float), optional
        The range of a number in an experiment file, without its ends.
    comment : str
        Comment next to its default in the experiment file that ``truegain init`` writes.
    """

    help: str
    more: str = ""
    flags: tuple[str, ...] | None = None
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    key: str | None = None
    many: bool = False
    text: str = ""
    parse: Callable[[str], Any] | None = None
    least: int | None = None
    between: tuple[float, float] | None = None
    comment: str = ""


def of_objects(help: str, more: str = "", *, text: str) -> Option:
    """Return an option of Python's objects; the command line and experiment files name files instead."""
    return Option(help, more, flags=(), key="", text=text)


@dataclass(eq=False, repr=False)
class Described:
    """An option with the name, the type and the default of its field.

    Attributes
    ----------
    kinds : tuple
        The types that a value may have, None among them; types of other packages by their names.
    """

    name: str
    option: Option
    annotation: Any
    default: Any
    required: bool
    by_place: bool

    @property
    def kinds(self) -> tuple[Any, ...]:
        """Return the types that a value may have: one, or those of a union."""
        return typing.get_args(self.annotation) if _is_union(self.annotation) else (self.annotation,)

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the values of the choice, or nothing if it is no choice."""
        if self.option.choices:
            return self.option.choices
        return typing.get_args(self.annotation) if typing.get_origin(self.annotation) is Literal else ()

    @property
    def flags(self) -> tuple[str, ...]:
        """Return how one writes it on the command line."""
        flags = self.option.flags
        return (f"--{self.name.replace('_', '-')}",) if flags is None else flags

    @property
    def key(self) -> str:
        """Return its key in an experiment file; empty if there is none."""
        return self.name if self.option.key is None else self.option.key


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Options:
    """Options with their values; annotated fields are options, bases are groups of them.

    They are what dataclasses are, to type checkers too, but cost nothing when a command begins. ``kw_only=False`` lets
    the fields of a class be given by place; a group that is ``first`` stands before a study's own options.
    """

    _by_place: ClassVar[bool] = False
    _first: ClassVar[bool] = False

    def __init_subclass__(cls, *, kw_only: bool = True, first: bool = False) -> None:
        super().__init_subclass__()
        if any(isinstance(one, str) for one in inspect.get_annotations(cls).values()):
            raise TypeError(f"{cls.__name__}: options need annotations as they are, not postponed as text")
        cls._by_place = not kw_only
        cls._first = first

    def __init__(self, *arguments: Any, **named: Any) -> None:
        values = signature_of(type(self)).bind(*arguments, **named).arguments
        for one in described(type(self)):
            value = _plain(one, values.get(one.name, one.default))
            _check(one, value)
            self.__dict__[one.name] = value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"options do not change: make others with changed({name}=…)")

    def __repr__(self) -> str:
        values = [
            f"{one.name}={value!r}"
            for one in described(type(self))
            if (value := getattr(self, one.name)) != one.default
        ]
        return f"{type(self).__name__}({', '.join(values)})"

    def changed(self, **values: Any) -> Self:
        """Return the same options except for these."""
        return type(self)(**{**self.__dict__, **values})


_PLURALS: dict[Any, str] = {int: "whole numbers", float: "numbers", str: "texts", Any: "values"}
_SEVERAL = (Sequence, tuple, Mapping)
_WORDS: dict[type, str] = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


def _plain(one: Described, value: Any) -> Any:
    """Return numbers and collections of other packages as Python's own, if the option takes no other objects."""
    several = [kind for kind in one.kinds if typing.get_origin(kind) in _SEVERAL]
    single = [kind for kind in one.kinds if kind in (*_WORDS, type(None)) or typing.get_origin(kind) is Literal]
    if len(several) + len(single) < len(one.kinds):
        return value
    if value is None and one.default == ():
        return ()  # nothing is an empty list
    value = _own(value)
    listed = bool(several) and typing.get_origin(several[0]) is not Mapping
    if not listed or not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
        return value
    whole = int in typing.get_args(several[0])
    items = (_own(item) for item in value)
    items = (int(item) if whole and isinstance(item, float) and item.is_integer() else item for item in items)
    return list(items) if isinstance(value, list) else tuple(items)


def _own(value: Any) -> Any:
    """Return a number or an array of another package as Python's own."""
    if hasattr(value, "tolist"):
        return value.tolist()
    number = type(value) not in (bool, int, float, str, list, tuple, type(None)) and _is(value, float)
    return float(value) if number else value


def _check(one: Described, value: Any) -> None:
    """Refuse a value of another type, or none of the choices; objects and sequences are left to the studies."""
    if typing.get_origin(one.annotation) is Literal and value not in one.choices:
        raise one_of(one.name, value, list(one.choices))
    plain = [kind for kind in one.kinds if kind in _WORDS]
    chosen = [choice for kind in one.kinds if typing.get_origin(kind) is Literal for choice in typing.get_args(kind)]
    others = [
        kind for kind in one.kinds if kind not in (*_WORDS, type(None)) and typing.get_origin(kind) is not Literal
    ]
    known = (value is None and type(None) in one.kinds) or (isinstance(value, str) and value in chosen)
    if others and not known:
        _check_objects(one, value, plain, others)
    if others or not plain or (value is None and type(None) in one.kinds) or value in chosen:
        return
    if not any(_is(value, kind) for kind in plain):
        raise InputError(f"{one.name} must be {' or '.join(_WORDS[kind] for kind in plain)}; got {value!r}")


def _check_objects(one: Described, value: Any, plain: Sequence[type], others: Sequence[Any]) -> None:
    """Refuse a single value where several are taken, what is no number among numbers, and what cannot be called."""
    if all(typing.get_origin(kind) is Callable for kind in others) and not callable(value):
        raise InputError(f"{one.name} must be a function; got {value!r}", hint="leave it out, or give a function")
    origins = [typing.get_origin(kind) for kind in others]
    if any(origin not in _SEVERAL for origin in origins) or any(_is(value, kind) for kind in plain):
        return
    named, item = origins[0] is Mapping, typing.get_args(others[0])[-1]
    if isinstance(value, Mapping if named else list | tuple):
        items = value.values() if isinstance(value, Mapping) else value
        if item not in (int, float) or all(_is(own, item) for own in items):
            return
    words = [*(_WORDS[kind] for kind in plain), f"a {'mapping to' if named else 'list of'} {_PLURALS[item]}"]
    hint = "leave it out" if value is None else f"give [{value!r}]" if not named and _is(value, item) else None
    raise InputError(f"{one.name} must be {' or '.join(words)}; got {value!r}", hint=hint)


def _is(value: Any, kind: type) -> bool:
    """Return whether a value is of a plain type; a truth value is no number."""
    if isinstance(value, bool):
        return kind is bool
    if kind is float:
        from numbers import Real  # `--help` does without it

        return isinstance(value, Real)
    return isinstance(value, kind)


def described(options: type) -> tuple[Described, ...]:
    """Return the options of a class: what comes first, those of the class, those of its groups as they are named."""
    known = _KNOWN.get(options)
    if known is None:
        known = _KNOWN[options] = tuple(_described(options))
    return known


_KNOWN: dict[type, tuple[Described, ...]] = {}


def _described(options: type) -> Iterator[Described]:
    annotations: dict[str, Any] = {}
    places: dict[str, type] = {}
    for group in options.__mro__:
        for name, annotation in _annotated(group).items():
            annotations.setdefault(name, annotation)
            places[name] = group  # an option that a study describes again keeps its place in the group
    groups = dict.fromkeys(one for base in options.__bases__ for one in _groups(base))
    order = [*(one for one in groups if vars(one).get("_first")), options, *groups]
    for group in dict.fromkeys(order):
        for name in (name for name, place in places.items() if place is group):
            kind, option = typing.get_args(annotations[name])
            required = not hasattr(options, name)
            default = None if required else getattr(options, name)
            yield Described(name, option, kind, default, required, vars(group).get("_by_place", False))


def _groups(group: type) -> list[type]:
    """Return a group behind those that it is made of."""
    return [*(one for base in group.__bases__ for one in _groups(base)), group]


def _annotated(group: type) -> dict[str, Any]:
    found = inspect.get_annotations(group)
    return {name: annotation for name, annotation in found.items() if isinstance(annotation, _ANNOTATED)}


def signature_of(options: type) -> inspect.Signature:
    """Return how a class of options, and a function that takes them, is called."""
    known = _SIGNATURES.get(options)
    if known is None:
        fields = sorted(described(options), key=lambda one: not one.by_place)
        known = _SIGNATURES[options] = inspect.Signature([_parameter(one) for one in fields])
    return known


_SIGNATURES: dict[type, inspect.Signature] = {}


def _parameter(one: Described) -> inspect.Parameter:
    return inspect.Parameter(
        one.name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD if one.by_place else inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if one.required else one.default,
        annotation=type_text(one.annotation),
    )


def type_text(annotation: Any) -> str:
    """Return an annotation as one writes it."""
    if isinstance(annotation, typing.ForwardRef):
        return annotation.__forward_arg__
    if annotation is type(None):
        return "None"
    if _is_union(annotation):
        return " | ".join(map(type_text, typing.get_args(annotation)))
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return annotation.__name__
    return str(annotation).replace("typing.", "").replace("collections.abc.", "")


def given_in(options: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those values that are options of a class."""
    names = {one.name for one in described(options)}
    return {name: value for name, value in values.items() if name in names}


_ANNOTATED = type(Annotated[int, ""])


def _is_union(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)
