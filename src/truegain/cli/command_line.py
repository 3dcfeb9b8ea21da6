"""The command line: options that do not apply or are given twice; what to type instead; the command to repeat."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, TypeVar

import click
from click.core import ParameterSource
from msgspec.structs import replace

from truegain.errors import InputError

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


_OUTPUTS = "outputs are given without an option, references with --ref"
_TOKENIZE, _LOWERCASE = "write -m bleu:tokenize=NAME", "write -m bleu:lowercase=true"

#: What to write for an option. Of short ones click names the first letter: -tok is -t to it, and -lc is -l.
_OURS = {
    "--tokenize": _TOKENIZE,
    "--tok": _TOKENIZE,
    "-t": f"For sacreBLEU's -tok {_TOKENIZE}; a test set (-t) is given as files",
    "--lowercase": _LOWERCASE,
    "-l": f"For sacreBLEU's -lc {_LOWERCASE}",
    "--smooth-method": "write -m bleu:smooth_method=NAME",
    "--smooth-value": "write -m bleu:smooth_value=NUMBER",
    "--chrf-word-order": "write -m chrf:word_order=2",
    "--paired-ar": "write truegain compare --test ar (the default), or --test sacrebleu-ar",
    "--paired-bs": "write truegain compare --test bootstrap, or --test sacrebleu-bs",
    "--paired-ar-n": "write -R NUMBER",
    "--paired-bs-n": "write -R NUMBER",
    "--all-pairs": "write --family all; truegain rank ranks all systems",
    "--input": _OUTPUTS,
    "-i": _OUTPUTS,
    "-b": "write --score-only",
    "--confidence": "intervals are always shown",
    "--scorers": "score with your program, and give its scores by -m scores",
    "--force": "text that looks tokenised is scored, with a note",
}


def with_our_form(error: click.ClickException) -> click.ClickException:
    """Return the error with what to write instead, if the option is known."""
    if not isinstance(error, click.NoSuchOption) or error.option_name not in _OURS:
        return error
    ours = _OURS[error.option_name]
    return click.NoSuchOption(error.option_name, f"{error.message} {ours[0].upper()}{ours[1:]}.", ctx=error.ctx)


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
