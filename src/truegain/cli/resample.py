"""``truegain resample``."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from truegain.cli.applicable import Command, given_options
from truegain.cli.command_line import NothingToShow, command_line, show_nothing
from truegain.cli.display import check_place, write
from truegain.cli.within import study_context, with_engine
from truegain.errors import InputError

if TYPE_CHECKING:
    from truegain.engines.base import Engine

_SHOWING = ("format", "output", "decimals", "layout", "plot", "plot_sizes", "summary", "score_only")


@click.command("resample", cls=Command, context_settings={"allow_interspersed_args": False})
@click.option(
    "--part", "part", required=True, metavar="I/N", help="Number of this part and number of parts, for example 3/7."
)
@click.option("--output", "-o", required=True, metavar="FILE", help="Write the part to FILE (atomically).")
@click.argument("study", metavar="STUDY")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[ARGUMENTS OF THE STUDY]...")
@click.pass_context
def command(ctx: click.Context, /, *, part: str, output: str, study: str, arguments: tuple[str, ...]) -> None:
    """Do one part of the resamples of a study, for batch systems: no server is needed, and no part waits for another.

    STUDY and its arguments are a command without its output options. From all parts, truegain merge makes the result
    of that command, to the last digit.

    \b
    truegain resample --part 1/2 -o 1.part compare --ref ref.txt base.txt new.txt -R 1000000
    truegain resample --part 2/2 -o 2.part compare --ref ref.txt base.txt new.txt -R 1000000
    truegain merge 1.part 2.part compare --ref ref.txt base.txt new.txt -R 1000000 -o result.json
    """
    from truegain.engines.parts import PartEngine

    number, parts = _part(part)
    if output == "-":
        raise InputError("a part goes to a file, not to standard output", hint="-o 1.part")
    check_place(output)
    context = study_context(ctx, study, arguments)
    showing = given_options(context, _SHOWING)
    if showing:
        raise InputError(
            f"a part has nothing to show, so {showing[0]} does not go with it",
            hint="give it to truegain merge; the file of the part is named before the study: "
            f"truegain resample --part {part} -o FILE {study} ...",
        )
    made: list[PartEngine] = []

    def divided(engine: Engine) -> Engine:
        made.append(PartEngine(number, parts, engine))
        return made[0]

    with_engine(context, divided)
    with context:
        show_nothing(context)
        words = command_line()
        with suppress(NothingToShow):
            context.command.invoke(context)
    if not made[0].calls:
        raise InputError("this study draws no resamples, so there is nothing to divide", hint="run it as it is")
    write(output, made[0].made(words).pack())


def _part(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if found is None:
        raise InputError(f"--part must be which part of how many; got {text!r}", hint="for example --part 3/7")
    return int(found[1]), int(found[2])
