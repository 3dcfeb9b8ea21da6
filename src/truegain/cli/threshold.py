"""``truegain threshold``."""

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
from truegain.errors import InputError

__all__ = ["command"]


def _sizes(ctx: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...] | str:
    """Whole numbers with commas between them, auto, or none."""
    if value is None:
        return ()
    if value == "auto":
        return "auto"
    try:
        return tuple(int(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is neither auto nor a list of whole numbers, such as 100,200,400", ctx, parameter
        ) from None


@click.command("threshold")
@input_options
@click.option(
    "--group",
    metavar="REGEX",
    help="What its group in parentheses finds in a system's name is the system's label, such as '^(word|bpe)'.",
)
@click.option("--groups", "group_file", metavar="FILE", help="Labels of systems: lines of a name, a tab and a label.")
@click.option(
    "--sizes",
    callback=_sizes,
    metavar="N,N,...|auto",
    help="The same on parts of so many segments or documents; auto: 25 and its doubles.",
)
@click.option(
    "--subsets",
    type=click.Choice(["initial", "random"]),
    default="initial",
    show_default=True,
    help="What parts are made of.",
)
@click.option("--repetitions", "-n", type=int, default=5, show_default=True, help="Random parts of each size.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the tests, which are one-sided.")
@resamples_option
@resampling_options
@plot_option("Draw gains against confidence")
@plot_option("Draw the threshold by size", "--plot-sizes")
@output_options
def command(
    *,
    group: str | None,
    group_file: str | None,
    jobs: int | None,
    no_cache: bool,
    plot: str | None,
    plot_sizes: str | None,
    format: str | None,
    output: str | None,
    width: int | None,
    quiet: bool,
    **options: Any,
) -> None:
    """What gain is usually significant on this test set? From all pairs of systems.

    SYSTEM is a file, or runs, as in truegain compare; ten or more say most.

    \b
    truegain threshold --ref ref.txt outputs/*.txt
    truegain threshold --ref ref.txt --docs docs.txt -m bleu -m chrf outputs/*.txt --plot gains.pdf
    truegain threshold --ref ref.txt --group '^(word|bpe)' outputs/*.txt
    truegain threshold --ref ref.txt --sizes auto --subsets random outputs/*.txt
    """
    from truegain.executors.processors import available_jobs
    from truegain.readers.labels import read_labels
    from truegain.studies.threshold.study import threshold

    chosen = check_output(output, format)
    if group is not None and group_file is not None:
        raise InputError("labels are given twice", hint="give --group or --groups, not both")
    if plot_sizes is not None and not options["sizes"]:
        raise InputError("there are no sizes to draw", hint="say which: --sizes auto, or --sizes 100,200,400")
    if not options["sizes"]:
        why = "it is about parts of the test set, and none were asked for"
        refuse_given(("subsets", "repetitions"), why, hint="give --sizes auto")
    elif options["subsets"] == "initial":
        refuse_given(("repetitions",), "there is one initial part of each size", hint="give --subsets random")
    groups = group if group_file is None else read_labels(group_file)
    corpus, metrics = read_inputs(options)
    with progress_bar(quiet) as progress:
        result = threshold(
            corpus,
            metrics=metrics,
            groups=groups,
            jobs=available_jobs(jobs),
            cache=the_cache(no_cache),
            progress=progress,
            **options,
        )
    result = made_here(result)
    show(result, format=chosen, output=output, width=width)
    if plot is not None:
        draw(result, plot, width=width)
    if plot_sizes is not None:
        draw(result, plot_sizes, "sizes", width=width)
