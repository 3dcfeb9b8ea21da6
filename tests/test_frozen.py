"""What programs and scripts rely on, held in tests/golden/api.txt: names, signatures, fields, commands and options.

Where a change is meant, renew the file with

    python -m pytest tests/test_frozen.py --renew-golden

and say in CHANGELOG.md what changes for users: a line taken away or altered is a break, a line more is not.
"""

from __future__ import annotations

import inspect
import re
import sys
import typing
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

import truegain
from truegain.cli.main import _COMMANDS
from truegain.results import Result
from truegain.settings.option import type_text

GOLDEN = Path(__file__).resolve().parent / "golden" / "api.txt"
#: Besides what ``import truegain`` has: assertions for tests, and what a metric must have.
MODULES = ("truegain", "truegain.testing")
#: Those that answer a question.
FUNCTIONS = [name for name, home in truegain._HOMES.items() if home.endswith(".study")]
OTHERS = ("truegain.metrics.base.Metric",)
MOST_CHOICES = 12


def text_of(annotation: Any) -> str:
    """An annotation as it is written; all files have theirs as text."""
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", repr(annotation))


def signature(function: Any) -> str:
    """The parameters, one after the other, as they are written: the same in every Python."""
    found = inspect.signature(function)
    parts: list[str] = []
    starred = False
    for one in found.parameters.values():
        if one.name in ("self", "cls") and not parts:
            continue
        if one.kind is one.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        stars = "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
        starred = starred or stars == "*"
        hint = "" if one.annotation is one.empty else f": {text_of(one.annotation)}"
        default = "" if one.default is one.empty else f" = {_default(one.default)}"
        parts.append(f"{stars}{one.name}{hint}{default}")
    answer = "" if found.return_annotation is found.empty else f" -> {text_of(found.return_annotation)}"
    return f"({', '.join(parts)}){answer}"


def _default(value: Any) -> str:
    written = repr(value)
    return "…" if " at 0x" in written or written.startswith("<") else written


def plain(home: type, hint: Any) -> str:
    """An annotation as it is written, less what it says beyond the type."""
    try:
        told = typing.get_type_hints(type("", (), {"__annotations__": {"it": hint}, "__module__": home.__module__}))
        whole = eval(hint, vars(sys.modules[home.__module__])) if isinstance(hint, str) else hint
    except NameError:  # a type that is named for type checkers alone
        return text_of(hint)
    return (
        re.sub(r"truegain\.[\w.]+\.", "", type_text(told["it"]))
        if typing.get_origin(whole) is typing.Annotated
        else text_of(hint)
    )


def members(of: type, without: type = object) -> Iterator[str]:
    """The fields, properties and methods of a class and of its parents in this project, up to one of these."""
    found: dict[str, str] = {}
    for parent in reversed(of.__mro__):
        if not parent.__module__.startswith("truegain") or parent in without.__mro__:
            continue
        for name, hint in vars(parent).get("__annotations__", {}).items():
            if not name.startswith("_"):
                found[name] = f": {plain(parent, hint)}"
        for name, member in vars(parent).items():
            if name.startswith("_") and name not in ("__getitem__", "__iter__", "__len__", "__contains__"):
                continue
            if isinstance(member, property | cached_property):
                getter = member.fget if isinstance(member, property) else member.func
                found[name] = f" property -> {plain(parent, getter.__annotations__['return'])}"
            elif isinstance(member, classmethod | staticmethod):
                found[name] = f" {type(member).__name__} {signature(member.__func__)}"
            elif inspect.isfunction(member):
                found[name] = signature(member)
    for name, line in sorted(found.items()):
        yield f"    {name}{line}"


def described(name: str, thing: Any) -> Iterator[str]:
    """A function with its signature; a class with how it is made, where users make it, and its members."""
    if not inspect.isclass(thing):
        yield f"{name}{signature(thing)}" if callable(thing) else name
        return
    made = "__init__" in vars(thing) and not getattr(thing, "_is_protocol", False)
    yield f"class {name}{signature(thing.__init__).removesuffix(' -> None') if made else ''}"
    yield from members(thing)


def given_back() -> Iterator[str]:
    """What the functions give back, and what is found in it by name: public as they are, but made by us alone."""
    yield "class Result"
    yield from members(Result)
    shown: set[type] = {Result}
    for name in FUNCTIONS:
        found = inspect.get_annotations(getattr(truegain, name), eval_str=True)["return"]
        if found is None:
            continue
        for one in (part for kind in typing.get_args(found) or (found,) for part in (kind, _by_name(kind))):
            if one not in shown:
                shown.add(one)
                parent = Result if issubclass(one, Result) else object
                yield f"class {one.__name__}{'(Result)' if parent is Result else ''}"
                yield from members(one, parent)


def _by_name(result: type) -> type:
    if "__getitem__" not in vars(result):
        return result
    found: type = inspect.get_annotations(vars(result)["__getitem__"], eval_str=True)["return"]
    return found


def options(name: str) -> Iterator[str]:
    command: click.Command = import_module(f"truegain.cli.{name}").command
    yield from _options(f"truegain {name}", command)


def _options(name: str, command: click.Command) -> Iterator[str]:
    yield name
    for parameter in sorted(command.params, key=lambda one: (one.param_type_name, one.opts)):
        many = " …" if parameter.multiple or parameter.nargs == -1 else ""
        kind = "" if getattr(parameter, "is_flag", False) else f" {_kind(parameter.type)}"
        must = " required" if parameter.required else ""
        given = parameter.default
        default = f" = {given!r}" if isinstance(given, str | int | float | tuple) and given not in ((), False) else ""
        yield f"    {' '.join([*parameter.opts, *parameter.secondary_opts])}{kind}{many}{must}{default}"


def _kind(type: click.ParamType[Any]) -> str:
    """What a parameter takes; not the names of all tests, which ``truegain tests`` lists."""
    if not isinstance(type, click.Choice):
        return type.name.upper()
    return "{…}" if len(type.choices) > MOST_CHOICES else f"{{{','.join(map(str, type.choices))}}}"


def written() -> str:
    lines: list[str] = []
    for module in MODULES:
        lines += [f"# {module}", ""]
        home = import_module(module)
        for name in home.__all__:
            lines += described(name, getattr(home, name))
        lines.append("")
    lines += ["# what these give back", "", *given_back()]
    lines += ["", "# what a metric must have", ""]
    for place in OTHERS:
        home_name, _, name = place.rpartition(".")
        lines += described(place, getattr(import_module(home_name), name))
    lines += ["", "# the command line", ""]
    for name in _COMMANDS:
        lines += options(name)
    return "\n".join(lines) + "\n"


def test_nothing_public_has_changed(request: pytest.FixtureRequest) -> None:
    found = written()
    if request.config.getoption("--renew-golden"):
        GOLDEN.write_text(found, encoding="utf-8")
    expected = GOLDEN.read_text(encoding="utf-8")
    gone = sorted(set(expected.splitlines()) - set(found.splitlines()))
    new = sorted(set(found.splitlines()) - set(expected.splitlines()))
    assert (gone, new) == ([], []), "say so in CHANGELOG.md, then renew tests/golden/api.txt with --renew-golden"
    assert found == expected


def test_no_address_or_path_is_in_it() -> None:
    assert not re.search(r"0x[0-9a-f]{6}|/site-packages/|/src/", GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (module, name)
        for module in MODULES
        for name in import_module(module).__all__
        if inspect.isfunction(getattr(import_module(module), name))
    ],
)
def test_every_parameter_is_explained(module: str, name: str) -> None:
    function = getattr(import_module(module), name)
    explained = str(inspect.getdoc(function)).partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    heads = [line.partition(" : ")[0] for line in explained.splitlines() if line and not line.startswith(" ")]
    assert sorted(one for head in heads for one in head.split(", ")) == sorted(inspect.signature(function).parameters)
