"""``truegain replicate``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.display import check_output, draw, show
from truegain.cli.options import output_options, plot_option
from truegain.cli.study_options import StudyCommand, carry_out, options_of
from truegain.settings.replicate import ReplicateOptions


@click.command("replicate", cls=StudyCommand)
@options_of(ReplicateOptions)
@plot_option("Run scores, and the gain as runs are added")
@output_options
def command(*, plot: str | None, format: str | None, output: str | None, decimals: int | None, **given: Any) -> None:
    """Show how much runs vary, what other runs would have said, and how many are needed.

    Draws runs from those of two systems again and again. Shows how the gain and the p-values depend on the draw, and
    how many runs of each system it takes to show a gain on a test set of this size.

    \b
    truegain replicate --ref ref.txt base='runs/base.*.txt' new='runs/new.*.txt'
    truegain replicate --ref ref.txt --gain 0.5 --plot runs.svg base='runs/base.*' new='runs/new.*'
    """
    from truegain.studies.runs import replicate

    chosen = check_output(output, format)
    result = carry_out(replicate, given)
    show(result, format=chosen, output=output, decimals=decimals)
    if plot is not None:
        draw(result, plot, decimals=decimals)
