"""``truegain rank``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, draw, progress_bar, show
from truegain.cli.options import (
    input_options,
    interval_options,
    output_options,
    plot_option,
    read_inputs,
    resamples_option,
    resampling_options,
    the_cache,
)

__all__ = ["command"]


@click.command("rank")
@input_options
@click.option(
    "--test",
    type=click.Choice(["auto", "bootstrap", "ar", "crossed"]),
    default="auto",
    show_default=True,
    help="auto: crossed where all systems have several runs, else the paired bootstrap.",
)
@click.option(
    "--adjust",
    "adjustment",
    type=click.Choice(["auto", "none", "bonferroni", "holm", "hochberg", "bh", "by", "maxt"]),
    default="auto",
    show_default=True,
    help="For the number of pairs, metric by metric. auto: maxt; holm with crossed.",
)
@resamples_option
@interval_options
@resampling_options
@plot_option("Draw all pairs as a heat map")
@output_options
def command(
    *,
    jobs: int | None,
    no_cache: bool,
    plot: str | None,
    format: str | None,
    output: str | None,
    width: int | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Which systems are better than which? Rank intervals, clusters and letters from all pairs.

    SYSTEM is a file, or runs, as in truegain compare; two or hundreds of them.

    \b
    truegain rank --ref ref.txt outputs/*.txt
    truegain rank --ref ref.txt --docs docs.txt -m bleu -m chrf outputs/*.txt
    truegain rank --ref ref.txt outputs/*.txt --plot heatmap.pdf -o ranking.json
    truegain rank --ref ref.txt word='runs/word.*.txt' bpe='runs/bpe.*.txt' base='runs/base.*.txt'
    """
    from truegain.executors.processors import available_jobs
    from truegain.studies.rank.study import rank

    chosen = check_output(output, format)
    corpus, metrics = read_inputs(options)
    with progress_bar(quiet) as progress:
        result = rank(
            corpus,
            metrics=metrics,
            jobs=available_jobs(jobs),
            cache=the_cache(no_cache),
            progress=progress,
            **options,
        )
    result = made_here(result)
    show(result, format=chosen, output=output, width=width)
    if plot is not None:
        draw(result, plot, width=width)
