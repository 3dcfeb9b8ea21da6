"""``truegain render``."""

from __future__ import annotations

from typing import Any

import click
from msgspec.structs import replace

from truegain.cli.command_line import Command
from truegain.cli.display import check_output, show
from truegain.cli.options import all_tests_option, format_options, layout_option
from truegain.cli.study_options import own_options
from truegain.errors import InputError
from truegain.settings.groups import StandardErrors


@click.command("render", cls=Command)
@click.argument("result", metavar="FILE")
@own_options(StandardErrors)
@layout_option
@all_tests_option
@format_options
def command(
    *, result: str, standard_errors: bool, format: str | None, output: str | None, decimals: int | None, layout: str
) -> None:
    """Show a result again, in any format, from the JSON that it was saved as.

    FILE is what -o FILE.json or --format json of any study wrote; - is standard input.

    \b
    truegain compare --ref ref.txt base.txt new.txt -o result.json
    truegain render result.json
    truegain render result.json -o table.tex
    """
    from truegain.results import load

    chosen = check_output(output, format, layout)
    loaded = load(result)
    if standard_errors:
        loaded = _with_standard_errors(loaded)
    show(loaded, format=chosen, output=output, decimals=decimals, layout=layout)


def _with_standard_errors(result: Any) -> Any:
    """Return a result that was made without asking for standard errors, with them in its tables."""
    if result.study == "pool":
        return replace(result, sets=tuple(map(_with_standard_errors, result.sets)))
    if not hasattr(result, "standard_errors"):
        raise InputError(
            f"the tables of {result.study} have no column for standard errors",
            hint="those of compare, score, rank and run have one",
        )
    if all(score.standard_error is None for score in result.scores):
        raise InputError(
            "this result holds no standard errors",
            hint="make it again; results of older versions have none, and neither has one unit alone",
        )
    return replace(result, standard_errors=True)
