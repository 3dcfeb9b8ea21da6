"""The command line of a study inside that of another command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from truegain.cli.command_line import remember
from truegain.errors import InputError, one_of

if TYPE_CHECKING:
    from truegain.engines.base import Engine

#: The studies whose resamples can be divided.
DIVISIBLE = ("compare", "score", "rank", "run", "gate", "threshold", "intervals", "replicate")

_WHY_NOT = {
    "calibrate": "it tests thousands of small datasets, and one test has not enough resamples to divide",
    "domains": "it tests thousands of small test sets, and one test has not enough resamples to divide",
    "plan": "it draws no resamples",
    "inspect": "it draws no resamples",
}


def study_context(parent: click.Context, name: str, arguments: Sequence[str]) -> click.Context:
    """Read the command line of a study, which stays the one that its result is made by."""
    if name in _WHY_NOT:
        raise InputError(f"truegain {name} cannot be divided: {_WHY_NOT[name]}", hint="run it as it is")
    if name not in DIVISIBLE:
        raise one_of("the study", name, list(DIVISIBLE))
    command: click.Command = import_module(f"truegain.cli.{name}").command
    # Beside the other command, so that its help and errors are those it always has.
    context = command.make_context(name, list(arguments), parent=parent.parent)
    remember(context, (name, *arguments))
    return context


def with_engine(context: click.Context, make: Callable[[Engine], Engine]) -> None:
    """Let the study run on an engine that is made of the one it asks for."""
    from truegain.engines.choice import make_engine
    from truegain.executors.processors import available_jobs

    given: dict[str, Any] = context.params
    given["engine"] = make(make_engine(given["engine"], available_jobs(given["jobs"])))
