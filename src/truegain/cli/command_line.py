"""The command that made a result, as it should be repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import click
from msgspec.structs import replace

if TYPE_CHECKING:
    from truegain.results import Result

# How a result is shown, where it goes and how fast it is made are not part of what it is.
_LEFT_OUT = {"format", "output", "decimals", "layout", "jobs", "no_cache", "quiet", "plot", "summary"}
_KEY = "truegain.arguments"
_Made = TypeVar("_Made", bound="Result")


def remember(context: click.Context, arguments: Sequence[str]) -> None:
    """Keep the arguments as they were given."""
    context.meta[_KEY] = tuple(arguments)


def made_here(result: _Made) -> _Made:
    """Return the result with the command that is now running as the one that made it."""
    return replace(result, command=command_line())


def command_line() -> str:
    """Return the command now running, without options that do not affect its result; quoted for a shell.

    Empty if the arguments are not known, because it was not started from a command line.
    """
    import shlex  # `--help` does without it

    context = click.get_current_context()
    arguments: tuple[str, ...] | None = context.meta.get(_KEY)
    if arguments is None:
        return ""
    dropped = [
        (name, option)
        for option in context.command.params
        if isinstance(option, click.Option) and option.name in _LEFT_OUT
        for name in option.opts
    ]
    kept: list[str] = []
    rest = iter(arguments)
    for one in rest:
        if one == "--":
            kept += [one, *rest]
            break
        found = next(((name, option) for name, option in dropped if _is(one, name)), None)
        if found is None:
            kept.append(one)
        elif one == found[0] and not found[1].is_flag:
            next(rest, None)
    return shlex.join(["truegain", *kept])


def _is(argument: str, name: str) -> bool:
    """Return whether an argument is this option, its value with it or after it."""
    if name.startswith("--"):
        return argument == name or argument.startswith(f"{name}=")
    return argument.startswith(name) and not argument.startswith("--")
