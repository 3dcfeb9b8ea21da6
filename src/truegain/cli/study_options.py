"""A study's options as those of its command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from truegain.cli.command_line import Command, made_here
from truegain.cli.display import progress_bar
from truegain.cli.options import (
    INPUTS,
    development_options,
    input_options,
    no_cache_option,
    read_development,
    read_inputs,
    the_cache,
)
from truegain.settings.option import Described, Option, Options, described

if TYPE_CHECKING:
    from truegain.results import Result

_Command = TypeVar("_Command", bound=Callable[..., Any])
_Answer = TypeVar("_Answer", bound="Result")


#: The sections of help; what is in none of them is the study's own.
_SECTIONS = {
    "Input": frozenset((*INPUTS, "allow_download", "human", "outputs", "compute", "dev_references", "dev_systems")),
    "Options": frozenset[str](),
    "Computing": frozenset(("seed", "jobs", "engine", "no_cache", "quiet")),
    "Output": frozenset(
        (
            *("plot", "plot_confidence", "plot_sizes", "score_only", "layout", "format", "output", "decimals"),
            *("standard_errors", "changed_segments", "everything", "records", "summary"),
        )
    ),
}


class StudyCommand(Command):
    """Command of a study, whose help lists its many options in sections."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write inputs, the study's own options, computing and output, each under its heading."""
        help_option = self.get_help_option(ctx)
        for title in _SECTIONS:
            listed = [
                written
                for option in self.get_params(ctx)
                if isinstance(option, click.Option) and option is not help_option and _section(option.name) == title
                if (written := option.get_help_record(ctx)) is not None
            ]
            if listed:
                with formatter.section(title):
                    formatter.write_dl(listed)


def _section(name: str | None) -> str:
    return next((title for title, names in _SECTIONS.items() if name in names), "Options")


def options_of(options: type[Options]) -> Callable[[_Command], _Command]:
    """Add the options of the inputs, of the development set if the study has one, and the study's own."""
    development = any(one.name == "development" for one in described(options))

    def decorate(command: _Command) -> _Command:
        command = own_options(options)(command)
        return input_options(development_options(command) if development else command)

    return decorate


def own_options(options: type[Options]) -> Callable[[_Command], _Command]:
    """Add the options of a study that have flags, in their order."""

    def decorate(command: _Command) -> _Command:
        for one in reversed(described(options)):
            if one.name == "cache":
                command = no_cache_option(command)
            elif one.flags:
                command = _click_option(one)(command)
        return command

    return decorate


def carry_out(study: Callable[..., _Answer], given: dict[str, Any], **more: Any) -> _Answer:
    """Read what a command's options name, and run its study under a progress bar; the result keeps the command.

    Parameters
    ----------
    study : callable
    given : dict
        The options of the inputs, of the study, ``no_cache`` and ``quiet``.
    **more
        Further arguments of the study.
    """
    if "dev_systems" in given:
        more["development"] = read_development(given)
    corpus, metrics = read_inputs(given)
    return run_study(study, given, corpus, metrics=metrics, **more)


def run_study(study: Callable[..., _Answer], given: dict[str, Any], *inputs: Any, **more: Any) -> _Answer:
    """Run a study on inputs that were read."""
    cache = the_cache(given.pop("no_cache"))
    with progress_bar(given.pop("quiet")) as progress:
        return made_here(study(*inputs, cache=cache, progress=progress, **given, **more))


def _click_option(one: Described) -> Callable[[_Command], _Command]:
    option = one.option
    settings: dict[str, Any] = {"help": option.help, "metavar": option.metavar}
    if bool in one.kinds:
        settings |= {"is_flag": True, "default": one.default}
    else:
        default = _written(one.default)
        settings |= {"type": _click_type(one), "default": default, "show_default": default is not None}
        if isinstance(settings["type"], click.IntRange) and option.metavar is None:
            settings["metavar"] = "N"
    if option.many:
        settings |= {"multiple": True, "default": _several(one.default), "help": f"{option.help} Repeat for several."}

    def settled(_: click.Context, __: click.Parameter, given: Any) -> Any:
        return one.default if given in (None, ()) else given

    flags = [f"{flag}/--no-{flag.removeprefix('--')}" if one.default is True else flag for flag in one.flags]
    return click.option(*flags, one.name, callback=settled, **settings)


def _written(default: Any) -> Any:
    """Return a default as one would write it: numbers with commas between them, nothing for none of them."""
    if isinstance(default, tuple) and not any(isinstance(one, str) for one in default):
        return ",".join(map(str, default)) or None
    return default


def _several(default: Any) -> list[Any]:
    return [] if default is None else [default] if isinstance(default, str) else list(default)


def _click_type(one: Described) -> Any:
    if one.option.parse is not None:
        return _Parsed(one.option)
    if one.choices:
        return click.Choice(one.choices)
    if int in one.kinds and len(one.kinds) > 1 and type(None) not in one.kinds:
        return _NumberOrAuto()
    if int in one.kinds and str in one.kinds:  # a number, or a word: whoever takes it says which words there are
        return str
    if int in one.kinds or any(get_args(kind) == (int,) for kind in one.kinds):
        return int if one.option.least is None else click.IntRange(one.option.least)
    return float if float in one.kinds else str


class _NumberOrAuto(click.ParamType[int | str]):
    """A whole number, or auto."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        if value == "auto":
            return "auto"
        try:
            return int(value)
        except ValueError:
            self.fail(f"{value!r} is neither a whole number nor auto", param, ctx)


class _Parsed(click.ParamType[Any]):
    """Type of an option with its own parser."""

    name = "text"

    def __init__(self, option: Option) -> None:
        assert option.parse is not None
        self.parse = option.parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self.parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
