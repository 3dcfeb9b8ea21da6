"""Put a mutant into modules that are already imported, so that a fork of a process with all tests loaded can run it.

Whoever imported a function by name holds the object itself: so it is its code that is exchanged, not the object.
"""

from __future__ import annotations
import __future__

import ast
import functools
import sys
import types
from typing import Any

from benchmarks.mutants.operators import Mutant

__all__ = ["forget_results", "install"]

_FLAGS = __future__.annotations.compiler_flag


def install(mutant: Mutant, tree: ast.Module, module: types.ModuleType) -> None:
    """Make a mutant what runs, in this process and for good."""
    statement = tree.body[mutant.top]
    mutant.put()
    code = compile(
        ast.fix_missing_locations(ast.Module([statement], [])), mutant.file, "exec", _FLAGS, dont_inherit=True
    )
    fresh = dict(vars(module))
    exec(code, fresh)
    if isinstance(statement, ast.FunctionDef):
        _exchange(vars(module)[statement.name], fresh[statement.name])
    elif isinstance(statement, ast.ClassDef):
        _exchange_class(vars(module)[statement.name], fresh[statement.name])
    else:
        for name, value in fresh.items():
            if value is not vars(module).get(name):
                _rename(name, vars(module).get(name), value)


def forget_results(modules: list[types.ModuleType]) -> None:
    """Clear what functions remember, for it was found by the code as it should be."""
    for module in modules:
        for value in list(vars(module).values()):
            if isinstance(value, functools._lru_cache_wrapper):
                value.cache_clear()


def _function(value: Any) -> types.FunctionType | None:
    if isinstance(value, classmethod | staticmethod):
        value = value.__func__
    if isinstance(value, property):
        value = value.fget
    if isinstance(value, functools.cached_property):
        value = value.func
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    return value if isinstance(value, types.FunctionType) else None


def _exchange(old: Any, new: Any) -> None:
    target, source = _function(old), _function(new)
    if target is None or source is None:
        raise TypeError(f"{old!r} is no function that could be exchanged")
    target.__code__ = source.__code__
    target.__defaults__ = source.__defaults__
    target.__kwdefaults__ = source.__kwdefaults__


def _exchange_class(old: type, new: type) -> None:
    for name, value in vars(new).items():
        function = _function(value)
        if function is not None and not function.__code__.co_filename.startswith("<"):
            _exchange(vars(old)[name], value)
        elif name == "__init__" or not (function or name.startswith("__")):
            # An __init__ that dataclass has written holds the defaults of the fields.
            setattr(old, name, value)


def _rename(name: str, old: Any, new: Any) -> None:
    for module in list(sys.modules.values()):
        if isinstance(module, types.ModuleType) and vars(module).get(name) is old and name in vars(module):
            setattr(module, name, new)
