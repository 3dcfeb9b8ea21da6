"""``truegain plot``."""

from __future__ import annotations

from typing import Literal

import click

from truegain.cli.command_line import Command
from truegain.cli.display import check_figure, draw
from truegain.errors import InputError

_COLUMNS: dict[str, Literal[1, 2]] = {"one": 1, "two": 2}


@click.command("plot", cls=Command)
@click.argument("result", metavar="RESULT.json")
@click.argument("figure", required=False)
@click.option("--output", "-o", metavar="FILE", help="What to write: .pdf, .svg or .png.")
@click.option(
    "--column",
    type=click.Choice(list(_COLUMNS)),
    help="As wide as one or two columns of a paper. Default: as the figure needs.",
)
@click.option("--decimals", "-w", type=click.IntRange(0, 15), metavar="N", help="Decimals of scores.")
def command(*, result: str, figure: str | None, output: str | None, column: str | None, decimals: int | None) -> None:
    """Draw a figure of a result that was saved as JSON.

    FIGURE: a comparison has forest (the gains) and groups; scores have scores;
    calibrate, replicate and intervals have one figure, inspect and gate none. Default: the first.

    \b
    truegain compare --ref ref.txt base.txt new.txt -o result.json
    truegain plot result.json -o forest.pdf
    truegain plot result.json forest --column one -o forest.svg
    """
    if output is None:
        raise InputError("there is no file to write the figure to", hint="name one: -o figure.pdf, .svg or .png")
    check_figure(output)
    from truegain.results import load

    draw(load(result), output, figure, columns=None if column is None else _COLUMNS[column], decimals=decimals)
