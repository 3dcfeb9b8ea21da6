"""``truegain score``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.applicable import refuse_given
from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, progress_bar, say_warnings, show, write
from truegain.cli.options import (
    development_options,
    input_options,
    interval_options,
    layout_option,
    output_options,
    read_development,
    read_inputs,
    resamples_option,
    resampling_options,
    the_cache,
)
from truegain.cli.streams import echo
from truegain.errors import InputError

__all__ = ["command"]

_OF_INTERVALS = (
    *("resamples", "seed", "alpha", "interval", "unit", "strata", "block_length", "engine", "name"),
    *("dev_references", "dev_systems"),
)


@click.command("score")
@input_options
@development_options
@click.option("--segments", is_flag=True, help="Score single segments too.")
@click.option("--score-only", is_flag=True, help="Print the numbers alone, a line for each system.")
@resamples_option
@interval_options
@resampling_options
@layout_option
@output_options
def command(
    *,
    score_only: bool,
    jobs: int | None,
    no_cache: bool,
    format: str | None,
    output: str | None,
    width: int | None,
    layout: str,
    quiet: bool,
    **options: Any,
) -> None:
    """How good is each system? Scores with bootstrap intervals.

    \b
    truegain score --ref ref.txt system.txt
    truegain score --ref ref.txt -m bleu:tokenize=intl -m chrf system.txt other.txt
    truegain score --ref ref.txt --segments -f csv system.txt
    """
    from truegain.executors.processors import available_jobs
    from truegain.studies.score.study import score

    if score_only and (options["segments"] or format is not None):
        raise InputError("--score-only prints one number for each metric: it goes with neither --segments nor --format")
    if layout != "full" and (score_only or options["segments"]):
        raise InputError(f"--layout {layout} is one table of systems: it goes with neither --score-only nor --segments")
    if score_only:
        refuse_given(_OF_INTERVALS, "--score-only prints scores without intervals")
    chosen = check_output(output, "terminal" if score_only else format, layout)
    development = read_development(options)
    corpus, wanted = read_inputs(options)
    with progress_bar(quiet) as progress:
        result = score(
            corpus,
            metrics=wanted,
            development=development,
            jobs=available_jobs(jobs),
            cache=the_cache(no_cache),
            progress=progress,
            intervals=not score_only,
            **options,
        )
    if not score_only:
        show(made_here(result), format=chosen, output=output, width=width, layout=layout)
        return
    say_warnings(result)
    decimals = 1 if width is None else width
    lines = []
    for system in corpus.systems:
        numbers = [one.score for one in result.scores if one.name == system.name]
        lines.append(" ".join(f"{number:.{decimals}f}" for number in numbers) + "\n")
    if output is not None and output != "-":
        write(output, "".join(lines))
    else:
        echo("".join(lines), nl=False)
