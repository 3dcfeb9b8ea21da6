"""Options that do not apply to what else is asked for: errors, never ignored."""

from __future__ import annotations

from collections.abc import Sequence

import click
from click.core import ParameterSource

from truegain.errors import InputError

__all__ = ["given_options", "refuse_given"]


def given_options(context: click.Context, names: Sequence[str]) -> list[str]:
    """Return those of these parameters that are on the command line, as one writes them."""
    return [
        option.opts[0]
        for option in context.command.params
        if option.name in names and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    ]


def refuse_given(names: Sequence[str], why: str, hint: str | None = None) -> None:
    """Refuse parameters of the command that is running, if they were given, even with their default values.

    Parameters
    ----------
    names : sequence of str
        The parameters that do not apply.
    why : str
        The reason, after "--option does not apply: ".
    hint : str, optional
        By default to leave the option out.

    Raises
    ------
    InputError
        If one of them is on the command line.
    """
    for option in given_options(click.get_current_context(), names)[:1]:
        raise InputError(f"{option} does not apply: {why}", hint=hint or f"leave out {option}")
