"""Options that do not apply to what else is asked for, or are given twice: errors, never ignored."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import click
from click.core import ParameterSource

from truegain.errors import InputError


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


class Command(click.Command):
    """Command that refuses an option of one value that is given with two."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Check the arguments before click takes the last of two values."""
        if not ctx.resilient_parsing:
            _refuse_repeated(ctx, args)
        return super().parse_args(ctx, args)


def _refuse_repeated(context: click.Context, arguments: Sequence[str]) -> None:
    """Refuse an option of one value that is given with two, of which click would take the last.

    Raises
    ------
    InputError
        If there is one, unless help is asked for.
    """
    several = copy(context.command)
    single = [one for one in several.params if isinstance(one, click.Option) and not (one.multiple or one.is_flag)]
    gathering = {one.name: copy(one) for one in single if not one.count}
    for one in gathering.values():
        one.multiple = True
    several.params = [gathering.get(one.name, one) for one in several.params]
    values, _, _ = several.make_parser(context).parse_args(list(arguments))
    help_option = several.get_help_option(context)
    if help_option is not None and values.get(str(help_option.name)):
        return
    for name, one in gathering.items():
        first, *others = dict.fromkeys(values.get(name) or [None])
        if others:
            raise InputError(f"{one.opts[0]} is given twice: {first!r} and {others[0]!r}", hint="give it once")
