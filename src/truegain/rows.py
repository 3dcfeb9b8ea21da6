"""Rows: what results are made of. The annotation of each field has its help and its rules."""

from __future__ import annotations

import inspect
import math
import textwrap
import types
import typing
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple, Self, dataclass_transform

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import force_setattr

__all__ = [
    "Baseline",
    "Count",
    "MetricKey",
    "NonNegative",
    "Number",
    "Positive",
    "Proportion",
    "Row",
    "Seed",
    "Show",
    "System",
    "field",
    "record",
    "ten_digits",
]

_ELEVEN_DIGITS = 1e10
_WIDTH = 116


def field(help: str, heading: str = "", show: str = "", **rules: Any) -> Meta:
    """Describe a field: its help, how tables head and write it, and rules for its values.

    Parameters
    ----------
    help : str
    heading : str
        Of its column; by default its name.
    show : str
        How its cells are written, a name of ``truegain.view.FORMATS``, and what that needs: the fields in the middle of
        intervals. By default as text.
    **rules
        Such as ``ge=0.0``; see :class:`msgspec.Meta`.
    """
    return Meta(description=help, extra={"heading": heading, "show": show} if heading or show else None, **rules)


Proportion = Annotated[float, Meta(ge=0.0, le=1.0)]
NonNegative = Annotated[float, Meta(ge=0.0)]
Positive = Annotated[float, Meta(gt=0.0)]
Count = Annotated[int, Meta(ge=1)]
Number = Annotated[int, Meta(ge=0)]

MetricKey = Annotated[str, field("The metric, by its key.")]
Baseline = Annotated[str, field("The system compared with.")]
System = Annotated[str, field("The system compared.")]
Seed = Annotated[Number, field("The seed of the resamples.")]


def ten_digits(value: float) -> float:
    """Return the nearest number of ten significant digits; the largest, which would become infinity, as it is."""
    value = float(value)
    if value.is_integer() and abs(value) < _ELEVEN_DIGITS:  # as most statistics are
        return value
    rounded = float(f"{value:.10g}")
    return rounded if math.isfinite(rounded) else value


@dataclass_transform(frozen_default=True)
class Row(Struct, frozen=True):
    """A row of a table, or a part of one; its fields are its keys in JSON."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__doc__ = _Docstring(cls.__doc__)  # type: ignore[assignment]

    def rounded(self) -> Self:
        """Return the same with the ten significant digits that JSON keeps."""
        return _rounded_row(self)  # type: ignore[return-value]

    def _derive(self, **values: Any) -> None:
        """Set fields that follow from the others; a class with such fields calls it after its ``__init__``."""
        for name, value in values.items():
            force_setattr(self, name, value)

    def columns(self) -> dict[str, Any]:
        """Return the fields by their keys, and flat: of two ends ``key_low``, ``key_high``, of a part ``key_inner``."""
        found: dict[str, Any] = {}
        for name, key in zip(self.__struct_fields__, self.__struct_encode_fields__, strict=True):
            value = found[key] = getattr(self, name)
            if isinstance(value, Row):
                found |= {f"{key}_{inner}": part for inner, part in value.columns().items()}
            elif isinstance(value, tuple) and len(value) == 2:
                found[f"{key}_low"], found[f"{key}_high"] = value
        return found


def _rounded_row(row: Row) -> Row:
    return type(row)(**{name: rounded(getattr(row, name)) for name in row.__struct_fields__})


def rounded(value: Any) -> Any:
    """Round floats to ten significant digits, all through plain data and rows."""
    kind = type(value)
    if kind is float:
        return ten_digits(value)
    if kind is dict:
        return {key: rounded(one) for key, one in value.items()}
    if kind is tuple:
        return tuple([rounded(one) for one in value])
    if kind is list:
        return [rounded(one) for one in value]
    return _rounded_row(value) if isinstance(value, Row) else value


class Show(NamedTuple):
    """A table of a result.

    Attributes
    ----------
    rows : str
        The field of the result that has the rows.
    columns : str
        Fields of the rows between blanks: ``name?`` is left out if no row has a value, ``scores.ci`` is the field of
        the row of ``scores`` that is about the same system under the same metric.
    caption, notes : str, tuple of str
        With the slots of :func:`truegain.view.slots_of`.
    per_metric : bool
        Whether each metric has a table, or, if tables are ``stacked``, a section of one.
    breaks : str
        The field at whose changes there is a rule.
    """

    rows: str
    columns: str
    caption: str
    notes: tuple[str, ...] = ()
    per_metric: bool = True
    stacked: bool = False
    breaks: str = ""


def record(columns: str, *sources: Row | dict[str, Any]) -> dict[str, Any]:
    """Return a flat record: each column from the first source that has it, None if none has.

    ``columns`` are names between blanks; ``column=name`` is a column of another name.
    """
    known: dict[str, Any] = {}
    for source in reversed(sources):
        known |= source.columns() if isinstance(source, Row) else source
    pairs = (column.partition("=") for column in columns.split())
    return {column: to_builtins(known.get(name or column)) for column, _, name in pairs}


class _Docstring:
    """A docstring that gets a section on attributes when it is read: annotations cost nothing when a command begins."""

    def __init__(self, text: str | None) -> None:
        self.text = inspect.cleandoc(text or "")

    def __get__(self, instance: object, kind: type[Row]) -> str:
        return "\n".join([self.text, "", "Attributes", "----------", *_attributes(kind), ""])


def _attributes(kind: type[Row]) -> Iterator[str]:
    hints = typing.get_type_hints(kind, include_extras=True)
    for name in kind.__struct_fields__:
        yield f"{name} : {_in_words(hints[name])}"
        helps = [one.description for one in getattr(hints[name], "__metadata__", ()) if one.description]
        yield textwrap.indent(textwrap.fill(helps[-1] if helps else "", _WIDTH), "    ")


def _in_words(kind: Any) -> str:
    """Return a type as numpydoc has it: ``tuple of float``, ``(int, int) or None``."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return _in_words(parts[0])
    if origin in (types.UnionType, typing.Union):
        return " or ".join(map(_in_words, parts))
    if origin is Literal:
        return " or ".join(f'"{choice}"' for choice in parts)
    if origin is tuple and parts[-1] is not Ellipsis:
        return f"({', '.join(map(_in_words, parts))})"
    if parts:
        return f"{origin.__name__} of {' to '.join(_in_words(part) for part in parts if part is not Ellipsis)}"
    return "None" if kind is types.NoneType else str(kind.__name__)
