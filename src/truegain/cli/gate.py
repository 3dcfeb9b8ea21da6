"""``truegain gate``."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, progress_bar, show, show_document
from truegain.cli.github import append, check_appendable, error_annotation, in_a_workflow
from truegain.cli.options import (
    input_options,
    output_options,
    read_inputs,
    resamples_option,
    resampling_options,
    the_cache,
)
from truegain.errors import InputError
from truegain.printable import printable
from truegain.registry import TESTS

__all__ = ["command"]


@click.command("gate")
@input_options
@click.option("--baseline", "-b", metavar="NAME", help="The system to hold the other against. Default: the first.")
@click.option(
    "--require",
    type=click.Choice(["better", "not-worse"]),
    default="better",
    show_default=True,
    help="better: passes where a gain is shown. not-worse: fails only where a loss is shown.",
)
@click.option(
    "--min-gain",
    "min_gains",
    multiple=True,
    metavar="[METRIC=]GAIN",
    help="The gain to be shown, in points of the metric; negative: the loss that is allowed. Default: 0.",
)
@click.option(
    "--test",
    type=click.Choice(["auto", *(name for name, entry in TESTS.items() if entry.shifted)]),
    metavar="NAME",
    default="auto",
    show_default=True,
    help="bootstrap, crossed (several runs), stationary-bootstrap, welch or t.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the test, which is one-sided.")
@resamples_option
@click.option(
    "--summary",
    envvar="GITHUB_STEP_SUMMARY",
    show_envvar=True,
    metavar="FILE",
    help="Add a summary in Markdown to the end of this file.",
)
@resampling_options
@output_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    min_gains: tuple[str, ...],
    jobs: int | None,
    no_cache: bool,
    summary: str | None,
    format: str | None,
    output: str | None,
    width: int | None,
    quiet: bool,
    **options: Any,
) -> None:
    """May a system pass? For continuous integration: exits 0 where it may, 1 where not, 2 for bad input.

    The first SYSTEM is the baseline, the second the candidate: files, or runs as in truegain compare. All metrics must
    pass.

    \b
    truegain gate --ref ref.txt --docs docs.txt base.txt new.txt
    truegain gate --ref ref.txt --min-gain -0.3 base.txt new.txt
    truegain gate --ref ref.txt -m bleu -m chrf --min-gain bleu=0.3 --min-gain chrf=0 base.txt new.txt
    truegain gate --ref ref.txt --require not-worse base='runs/base.*.txt' new='runs/new.*.txt'
    """
    from truegain.executors.processors import available_jobs
    from truegain.studies.gate.study import gate

    wanted_gain = _min_gain(min_gains)
    chosen = check_output(output, format)
    if summary is not None:
        check_appendable(summary)
    corpus, metrics = read_inputs(options)
    with progress_bar(quiet) as progress:
        result = gate(
            corpus,
            metrics=metrics,
            min_gain=wanted_gain,
            jobs=available_jobs(jobs),
            cache=the_cache(no_cache),
            progress=progress,
            **options,
        )
    result = made_here(result)
    if summary is not None:
        append(summary, result.summary())
    code = 0 if result.passed else 1
    try:
        show(result, format=chosen, output=output, width=width)
        to_file = output is not None and output != "-"
        if to_file:
            show_document(result.answer(width=width))
        if code and in_a_workflow():
            # Beside data for programs, on the other stream: workflows read both.
            elsewhere = not to_file and chosen != "terminal"
            message = error_annotation("truegain gate", "\n".join([result.headline(), *result.reasons(width)]))
            click.echo(printable(message), err=elsewhere)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has left, and the answer stays what it is
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    ctx.exit(code)


def _min_gain(given: tuple[str, ...]) -> float | dict[str, float]:
    """One number for all metrics, or one for each that is named."""
    named: dict[str, float] = {}
    general: list[float] = []
    for one in given:
        metric, equals, text = one.rpartition("=")
        try:
            gain = float(text)
        except ValueError as error:
            raise InputError(
                f"--min-gain must be a number, or METRIC=NUMBER; got {one!r}", hint="--min-gain bleu=0.3"
            ) from error
        if not equals:
            general.append(gain)
        elif metric in named:
            raise InputError(f"--min-gain is given twice for {metric}")
        else:
            named[metric] = gain
    if len(general) > 1 or (general and named):
        raise InputError(
            "--min-gain is one number for all metrics, or one for each that is named",
            hint="--min-gain bleu=0.3 --min-gain chrf=0",
        )
    return general[0] if general else named or 0.0
