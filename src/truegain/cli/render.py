"""``truegain render``."""

from __future__ import annotations

import click

from truegain.cli.applicable import Command
from truegain.cli.display import check_output, show
from truegain.cli.options import all_tests_option, format_options, layout_option
from truegain.cli.study_options import own_options
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
        from truegain.studies.standard_errors import with_standard_errors

        loaded = with_standard_errors(loaded)
    show(loaded, format=chosen, output=output, decimals=decimals, layout=layout)
