"""``truegain compare``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.applicable import refuse_given
from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, progress_bar, show
from truegain.cli.options import (
    development_options,
    input_options,
    interval_options,
    layout_option,
    output_options,
    read_development,
    read_inputs,
    resamples_or_auto_option,
    resampling_options,
    the_cache,
)
from truegain.registry import TESTS

__all__ = ["command"]


@click.command("compare")
@input_options
@development_options
@click.option("--baseline", "-b", metavar="NAME", help="The system to compare with. Default: the first.")
@click.option(
    "--test",
    "test",
    type=click.Choice(["auto", *TESTS]),
    metavar="NAME",
    multiple=True,
    default=["auto"],
    show_default=True,
    help="The significance test, see truegain tests; repeat for several. The first decides.",
)
@click.option(
    "--alternative",
    type=click.Choice(["two-sided", "greater", "less"]),
    default="two-sided",
    show_default=True,
    help="greater: the system is better than the baseline.",
)
@click.option(
    "--null-gain",
    type=float,
    default=0.0,
    show_default=True,
    metavar="POINTS",
    help="Test against this gain instead of none; auto is then the bootstrap or the crossed test.",
)
@click.option(
    "--adjust",
    "adjustment",
    type=click.Choice(["none", "bonferroni", "holm", "hochberg", "bh", "by", "maxt"]),
    default="holm",
    show_default=True,
    help="For the number of comparisons, metric by metric.",
)
@click.option(
    "--family",
    type=click.Choice(["baseline", "all"]),
    default="baseline",
    show_default=True,
    help="Compare with the baseline, or every two systems.",
)
@click.option(
    "--moved",
    type=click.IntRange(0),
    metavar="N",
    help="Segments that moved most to keep for reports, each way. Default: 10, fewer for very many pairs.",
)
@resamples_or_auto_option
@interval_options
@resampling_options
@layout_option
@output_options
def command(
    *,
    jobs: int | None,
    no_cache: bool,
    format: str | None,
    output: str | None,
    width: int | None,
    layout: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Is a system better than the baseline?

    SYSTEM is a file with one segment a line, compressed or not (- is standard input), or NAME=FILE, or the runs of a
    system: NAME='runs/*.txt' or NAME=a.txt,b.txt. The first one is the baseline.

    \b
    truegain compare --ref ref.txt base.txt new.txt
    truegain compare --ref ref.txt --docs docs.txt -m bleu -m chrf:word_order=2 base.txt new.txt
    truegain compare --ref ref.txt word='runs/word.*.txt' bpe='runs/bpe.*.txt' -o result.json
    truegain compare -m scores comet.json
    """
    from truegain.executors.processors import available_jobs
    from truegain.studies.compare.study import compare

    chosen = check_output(output, format, layout)
    if chosen not in ("html", "json"):
        refuse_given(("moved",), f"{chosen} does not list segments", hint="choose html or json")
    development = read_development(options)
    corpus, wanted = read_inputs(options)
    with progress_bar(quiet) as progress:
        result = compare(
            corpus,
            metrics=wanted,
            development=development,
            jobs=available_jobs(jobs),
            cache=the_cache(no_cache),
            progress=progress,
            **options,
        )
    show(made_here(result), format=chosen, output=output, width=width, layout=layout)
