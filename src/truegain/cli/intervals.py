"""``truegain intervals``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.applicable import refuse_given
from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, draw, progress_bar, show
from truegain.cli.options import (
    input_options,
    output_options,
    plot_option,
    read_inputs,
    resamples_option,
    resampling_options,
    the_cache,
)

__all__ = ["command"]


@click.command("intervals")
@input_options
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of tests; intervals have 1 - alpha.")
@resamples_option
@plot_option("Intervals by method, and p by the size of the gain")
@resampling_options
@output_options
def command(
    *,
    jobs: int | None,
    no_cache: bool,
    format: str | None,
    output: str | None,
    plot: str | None,
    width: int | None,
    quiet: bool,
    block_length: float | None,
    **options: Any,
) -> None:
    """Do intervals overlap, and what does that say about the difference?

    Intervals of every system's score with segments drawn, with runs drawn, and with both; how much those of two systems
    overlap; and p-values of their difference beside it. The systems have several runs each.

    \b
    truegain intervals --ref ref.txt base='runs/base.*.txt' new='runs/new.*.txt'
    truegain intervals --ref ref.txt --plot intervals.svg a='runs/a.*' b='runs/b.*' c='runs/c.*'
    """
    from truegain.executors.processors import available_jobs
    from truegain.studies.intervals.study import intervals

    refuse_given(("block_length",), "a study of intervals draws no blocks")
    chosen = check_output(output, format)
    corpus, wanted = read_inputs(options)
    with progress_bar(quiet) as progress:
        result = intervals(
            corpus,
            metrics=wanted,
            jobs=available_jobs(jobs),
            cache=the_cache(no_cache),
            progress=progress,
            **options,
        )
    if plot is not None:
        draw(result, plot, width=width)
    show(made_here(result), format=chosen, output=output, width=width)
