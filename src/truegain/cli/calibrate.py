"""``truegain calibrate``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, draw, progress_bar, show
from truegain.cli.options import input_options, output_options, plot_option, read_inputs, resampling_options, the_cache
from truegain.registry import TESTS

__all__ = ["command"]


@click.command("calibrate")
@input_options
@click.option(
    "--test",
    "test",
    type=click.Choice(list(TESTS)),
    metavar="NAME",
    multiple=True,
    help="A test to calibrate, see truegain tests; repeat for several. Default: ar and bootstrap; of one system's runs "
    "crossed, run-permutation and welch.",
)
@click.option("--gain", type=float, metavar="POINTS", help="Measure power too, with the second system better by these.")
@click.option("--size", type=int, metavar="N", help="Datasets of so many units, drawn anew each time. Default: all.")
@click.option("--runs", type=int, metavar="N", help="Of one system's runs, how many each of two gets. Default: half.")
@click.option(
    "--null-unit",
    type=click.Choice(["auto", "segment", "document", "block"]),
    default="auto",
    show_default=True,
    help="What is swapped as a whole. auto: documents if they are known; else blocks if neighbouring segments are "
    "correlated.",
)
@click.option(
    "--alternative",
    type=click.Choice(["two-sided", "greater", "less"]),
    default="two-sided",
    show_default=True,
    help="Of the tests.",
)
@click.option("--repetitions", "-n", type=int, default=1_000, show_default=True, help="Number of datasets.")
@click.option("--resamples", "-R", type=int, default=1_000, show_default=True, help="Of each test on each dataset.")
@plot_option("Quantiles of p against a uniform's")
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
    **options: Any,
) -> None:
    """Can I trust this test on my data?

    Makes datasets without a difference out of your own: by swapping the outputs of two systems at random, whole
    documents or what else depends on each other, or by dealing out the runs of one system to two. Then counts how often
    tests find a difference.

    \b
    truegain calibrate --ref ref.txt --docs docs.txt a.txt b.txt
    truegain calibrate --ref ref.txt --test ar --test sacrebleu-bs --plot qq.svg a.txt b.txt
    truegain calibrate --ref ref.txt --gain 0.5 --size 200 a.txt b.txt
    truegain calibrate --ref ref.txt system='runs/*.txt'
    """
    from truegain.executors.processors import available_jobs
    from truegain.studies.calibrate.study import calibrate

    chosen = check_output(output, format)
    corpus, wanted = read_inputs(options)
    with progress_bar(quiet) as progress:
        result = calibrate(
            corpus,
            metrics=wanted,
            test=options.pop("test") or None,
            jobs=available_jobs(jobs),
            cache=the_cache(no_cache),
            progress=progress,
            **options,
        )
    if plot is not None:
        draw(result, plot, width=width)
    show(made_here(result), format=chosen, output=output, width=width)
