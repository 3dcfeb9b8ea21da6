"""``truegain render``."""

from __future__ import annotations

import click

from truegain.cli.display import check_output, show
from truegain.cli.options import format_options, layout_option

__all__ = ["command"]


@click.command("render")
@click.argument("result", metavar="FILE")
@layout_option
@format_options
def command(*, result: str, format: str | None, output: str | None, decimals: int | None, layout: str) -> None:
    """Show a result again, in any format, from the JSON that it was saved as.

    FILE is what -o FILE.json or --format json of any study wrote; - is standard input.

    \b
    truegain compare --ref ref.txt base.txt new.txt -o result.json
    truegain render result.json
    truegain render result.json -o table.tex
    """
    from truegain.studies.stored import load

    chosen = check_output(output, format, layout)
    show(load(result), format=chosen, output=output, decimals=decimals, layout=layout)
