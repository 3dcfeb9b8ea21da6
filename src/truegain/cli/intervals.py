"""``truegain intervals``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.display import check_output, draw, show
from truegain.cli.options import output_options, plot_option
from truegain.cli.study_options import StudyCommand, carry_out, options_of
from truegain.settings.intervals import IntervalsOptions


@click.command("intervals", cls=StudyCommand)
@options_of(IntervalsOptions)
@plot_option("Intervals by method, and p by the size of the gain")
@output_options
def command(*, plot: str | None, format: str | None, output: str | None, decimals: int | None, **given: Any) -> None:
    """Show whether intervals of scores overlap, and what that says about the difference.

    Resamples segments, runs, or both, for the interval of each system's score. Shows how much the intervals of two
    systems overlap, beside p-values of their difference. Each system needs several runs.

    \b
    truegain intervals --ref ref.txt base='runs/base.*.txt' new='runs/new.*.txt'
    truegain intervals --ref ref.txt --plot intervals.svg a='runs/a.*' b='runs/b.*' c='runs/c.*'
    """
    from truegain.studies.run_intervals import intervals

    chosen = check_output(output, format)
    result = carry_out(intervals, given)
    show(result, format=chosen, output=output, decimals=decimals)
    if plot is not None:
        draw(result, plot, decimals=decimals)
