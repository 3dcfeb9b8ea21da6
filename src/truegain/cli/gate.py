"""``truegain gate``."""

from __future__ import annotations

import sys
from typing import Any

import click

from truegain.cli.display import check_output, show
from truegain.cli.github import append, check_appendable, error_annotation, in_a_workflow, step_summary
from truegain.cli.options import output_options
from truegain.cli.streams import ReaderLeft, echo, say, to_output
from truegain.cli.study_options import StudyCommand, carry_out, options_of
from truegain.errors import InputError, printable
from truegain.settings.gate import GateOptions


def _renamed(ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> None:
    """Refuse ``--min-gain`` and say what to write instead: one option had the meanings of two."""
    if not given:
        return
    metric, equals, number = given[0].rpartition("=")
    allowed = number.startswith("-")
    new = f"{'--require not-worse ' if allowed else ''}--margin {metric}{equals}{number.lstrip('-+')}"
    raise InputError(
        "there is no --min-gain: the margin is given by --margin, and --require says whether it is a gain or a loss",
        hint=f"write {new}",
    )


@click.command("gate", cls=StudyCommand)
@options_of(GateOptions)
@click.option("--min-gain", hidden=True, multiple=True, expose_value=False, callback=_renamed)
@click.option(
    "--summary",
    envvar="GITHUB_STEP_SUMMARY",
    show_envvar=True,
    metavar="FILE",
    help="Add a summary in Markdown to the end of this file.",
)
@output_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    margin: tuple[str, ...] | None,
    summary: str | None,
    format: str | None,
    output: str | None,
    decimals: int | None,
    **given: Any,
) -> None:
    """Decide whether a system may pass, for continuous integration: exit 0 if it may, 1 if not, 2 for bad input.

    The first SYSTEM is the baseline, the second the candidate: files, or runs as in truegain compare. All metrics must
    pass.

    \b
    truegain gate --ref ref.txt --docs docs.txt base.txt new.txt
    truegain gate --ref ref.txt --require not-worse --margin 0.3 base.txt new.txt
    truegain gate --ref ref.txt -m bleu -m chrf --margin bleu=0.3 --margin chrf=0 base.txt new.txt
    truegain gate --ref ref.txt --require no-loss-shown base='runs/base.*.txt' new='runs/new.*.txt'
    """
    from truegain.studies.gate import gate

    margins = _margins(margin or ())
    to_file = output is not None and output != "-"
    chosen = check_output(output, format)
    if summary is not None:
        check_appendable(summary)
    result = carry_out(gate, given, margin=margins)
    if summary is not None:
        append(summary, step_summary(result))
    verdict = "\n".join(finding.text for finding in result.findings)
    try:
        show(result, format=chosen, output=output, decimals=decimals)
        if to_file:
            say(printable(verdict))
        if not result.passed and in_a_workflow():
            # Beside data for programs, on the other stream: workflows read both.
            elsewhere = not to_file and chosen != "terminal"
            limits = [f"{note}." for note in result.notes if note.kind == "reach"]
            message = error_annotation("truegain gate", "\n".join([verdict, *limits]))
            (say if elsewhere else echo)(printable(message))
        with to_output():
            sys.stdout.flush()
    except ReaderLeft:  # the answer stays what it is
        pass
    ctx.exit(0 if result.passed else 1)


def _margins(given: tuple[str, ...]) -> float | dict[str, float] | None:
    """Return one number for all metrics, or one for each that is named."""
    named: dict[str, float] = {}
    general: list[float] = []
    for one in given:
        metric, equals, text = one.rpartition("=")
        try:
            margin = float(text)
        except ValueError as error:
            raise InputError(
                f"--margin must be a number, or METRIC=NUMBER; got {one!r}", hint="--margin bleu=0.3"
            ) from error
        if not equals:
            general.append(margin)
        elif metric in named:
            raise InputError(f"--margin is given twice for {metric}")
        else:
            named[metric] = margin
    if len(general) > 1 or (general and named):
        raise InputError(
            "--margin is one number for all metrics, or one for each that is named",
            hint="--margin bleu=0.3 --margin chrf=0",
        )
    return general[0] if general else named or None
