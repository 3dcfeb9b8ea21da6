"""``truegain replicate``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.applicable import refuse_given
from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, draw, progress_bar, show
from truegain.cli.options import (
    development_options,
    input_options,
    output_options,
    plot_option,
    read_development,
    read_inputs,
    resampling_options,
    the_cache,
)
from truegain.registry import TESTS

__all__ = ["command"]


def _counts(ctx: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a list of whole numbers, such as 1,2,3,5", ctx, parameter) from None


@click.command("replicate")
@input_options
@development_options
@click.option(
    "--test",
    "test",
    type=click.Choice(list(TESTS)),
    metavar="NAME",
    multiple=True,
    default=["ar", "crossed"],
    show_default=True,
    help="A test, see truegain tests; repeat for several.",
)
@click.option(
    "--counts",
    callback=_counts,
    default="1,2,3,5,10,20",
    show_default=True,
    metavar="N,N,...",
    help="Numbers of runs to draw of each system.",
)
@click.option("--repetitions", "-n", type=int, default=250, show_default=True, help="Draws for each number of runs.")
@click.option("--replacement", is_flag=True, help="Draw runs with replacement, as Clark et al. did.")
@click.option("--gain", type=float, metavar="POINTS", help="The gain to plan for. Default: the observed one.")
@click.option("--power", type=float, default=0.8, show_default=True, help="How surely it should be shown.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of tests.")
@click.option("--resamples", "-R", type=int, default=1_000, show_default=True, help="Of each test on each draw.")
@plot_option("Run scores, and the gain as runs are added")
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
    """How much do runs vary, what would other runs have said, and how many are needed?

    Draws runs from those of two systems again and again, and shows how the gain and the p-values depend on which; and
    how many runs of each show a gain, on a test set of this size.

    \b
    truegain replicate --ref ref.txt base='runs/base.*.txt' new='runs/new.*.txt'
    truegain replicate --ref ref.txt --gain 0.5 --plot runs.svg base='runs/base.*' new='runs/new.*'
    """
    from truegain.executors.processors import available_jobs
    from truegain.studies.replicate.study import replicate

    refuse_given(("block_length",), "a study of runs draws no blocks")
    chosen = check_output(output, format)
    development = read_development(options)
    corpus, wanted = read_inputs(options)
    with progress_bar(quiet) as progress:
        result = replicate(
            corpus,
            metrics=wanted,
            development=development,
            jobs=available_jobs(jobs),
            cache=the_cache(no_cache),
            progress=progress,
            **options,
        )
    if plot is not None:
        draw(result, plot, width=width)
    show(made_here(result), format=chosen, output=output, width=width)
