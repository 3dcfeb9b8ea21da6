"""JSON schema of results, made of the annotations of their fields: ``python docs/tools/schema.py``.

It writes docs/result.schema.json, and a test holds the file to it.
"""

from __future__ import annotations

import json
import math
import types
import typing
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

from truegain.fields import Described, derived_of, described, fields_of, is_union, shape_of
from truegain.rules import Filled, OneOf, OrInfinite, OrNaN, Rule, Within
from truegain.studies.result import SCHEMA, Result
from truegain.studies.stored import _RESULTS as RESULTS

FILE = Path(__file__).resolve().parents[1] / "result.schema.json"
_PLAIN: dict[Any, dict[str, Any]] = {
    float: {"type": "number"},
    int: {"type": "integer", "minimum": 0},  # no count of a result is negative
    str: {"type": "string"},
    bool: {"type": "boolean"},
}


def text() -> str:
    """Return the schema as its file has it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def schema() -> dict[str, Any]:
    """Return the schema: one form per study, and the classes that these are made of."""
    classes: dict[str, type] = {}
    forms = [_study(study, name, classes) for study, name in RESULTS.items()]
    made: dict[str, Any] = {}
    while len(made) < len(classes):  # a class may name others
        made |= {name: _object(kind, classes) for name, kind in list(classes.items()) if name not in made}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A result of truegain",
        "$defs": {name: made[name] for name in sorted(made)},
        "type": "object",
        "oneOf": forms,
    }


def _study(study: str, name: str, classes: dict[str, type]) -> dict[str, Any]:
    """Return the form of a study's results: what tells it from others, and then as in ``Result.to_dict``."""
    kind: type[Result] = getattr(import_module(f"truegain.studies.{study}.result"), name)
    made = _object(kind, classes)
    held = made["properties"]
    head = {
        "truegain": held.pop("version"),
        "schema": {"description": "The version of this form.", "const": SCHEMA},
        "study": {"description": "The study that made it.", "const": study},
        **{key: held.pop(key) for key in ("signature", "command")},
    }
    return made | {"properties": head | held, "required": [*head, *(key for key in made["required"] if key in held)]}


def _object(kind: type, classes: dict[str, type]) -> dict[str, Any]:
    """Return the schema of a class; its keys stand in the order in which they are written."""
    shape = shape_of(kind)
    properties: dict[str, Any] = {}
    if shape.kind:
        properties["kind"] = {"description": "What tells it from others in its place.", "const": shape.kind}
    told = [part for one in fields_of(kind) for part in ((*one.parts, *one.beside) if one.form else (one,))]
    told += [*derived_of(kind), *(described(key, annotation) for key, annotation in shape.prose.items())]
    for one in told:
        if one.key:
            properties[one.key] = {"description": one.help} | _type(one.kind, classes)
    keys = [key for key in dict.fromkeys((*shape.first, *properties)) if key in properties]
    left_out = {key for one in fields_of(kind) if one.optional for key in _keys(one)}
    return {
        "description": (kind.__doc__ or "").partition("\n")[0],
        "type": "object",
        "properties": {key: properties[key] for key in keys},
        "required": [key for key in keys if key not in left_out],
        "additionalProperties": False,
    }


def _keys(one: Described) -> tuple[str, ...]:
    return tuple(one.form.keys) if one.form else (one.key,)


def _type(kind: Any, classes: dict[str, type]) -> dict[str, Any]:
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    if origin is Annotated:
        made = _type(parts[0], classes)
        for rule in parts[1:]:
            made = _ruled(made, rule) if isinstance(rule, Rule) else made
        return made
    if is_union(kind):
        others = [_type(one, classes) for one in parts if one is not types.NoneType]
        made = others[0] if len(others) == 1 else {"oneOf": others}
        return _or_null(made) if types.NoneType in parts else made
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is tuple and parts[-1] is Ellipsis:
        return {"type": "array", "items": _type(parts[0], classes)}
    if origin is tuple:
        first, *others = (_type(part, classes) for part in parts)
        assert all(one == first for one in others), f"a list whose items have different types: {kind}"
        return {"type": "array", "items": first, "minItems": len(parts), "maxItems": len(parts)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _type(parts[1], classes)}
    assert is_dataclass(kind), f"a type that JSON has no form for: {kind}"
    assert isinstance(kind, type)
    name = kind.__name__.removeprefix("_")
    assert classes.setdefault(name, kind) is kind, f"two classes are called {name}"
    return {"$ref": f"#/$defs/{name}"}


def _ruled(made: dict[str, Any], rule: Rule) -> dict[str, Any]:
    if isinstance(rule, Within):
        names = ("exclusiveMinimum", "exclusiveMaximum") if rule.open else ("minimum", "maximum")
        return made | {name: end for name, end in zip(names, (rule.low, rule.high), strict=True) if math.isfinite(end)}
    if isinstance(rule, OneOf):
        return {"enum": list(rule.choices)}
    if isinstance(rule, Filled):
        return made | {"minItems": 1}
    return _or_null(made) if isinstance(rule, OrNaN | OrInfinite) else made  # no schema knows an order of items


def _or_null(made: dict[str, Any]) -> dict[str, Any]:
    if "enum" in made:
        return {"enum": [*made["enum"], None]}
    if isinstance(made.get("type"), str):
        return made | {"type": [made["type"], "null"]}
    return {"anyOf": [made, {"type": "null"}]}


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
