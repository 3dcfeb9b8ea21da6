"""``truegain score``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.command_line import refuse_given
from truegain.cli.display import check_output, say_notes, show, write
from truegain.cli.options import layout_option, output_options
from truegain.cli.streams import echo
from truegain.cli.study_options import StudyCommand, carry_out, options_of
from truegain.errors import InputError
from truegain.settings.score import ScoreOptions

_OF_INTERVALS = (
    *("resamples", "seed", "alpha", "interval", "unit", "strata", "block_length", "engine", "name"),
    *("dev_references", "dev_systems", "gain", "standard_errors", "by"),
)


@click.command("score", cls=StudyCommand)
@options_of(ScoreOptions)
@click.option("--score-only", is_flag=True, help="Print only the scores, one line per system.")
@layout_option
@output_options
def command(
    *, score_only: bool, format: str | None, output: str | None, decimals: int | None, layout: str, **given: Any
) -> None:
    """Score systems, with bootstrap intervals.

    \b
    truegain score --ref ref.txt system.txt
    truegain score --ref ref.txt -m bleu:tokenize=intl -m chrf system.txt other.txt
    truegain score --ref ref.txt --segments -f csv system.txt
    """
    from truegain.studies.score import score

    if score_only and (given["segments"] or format is not None):
        raise InputError("--score-only prints one number for each metric: it goes with neither --segments nor --format")
    if layout != "full" and (score_only or given["segments"]):
        raise InputError(f"--layout {layout} is one table of systems: it goes with neither --score-only nor --segments")
    if score_only:
        refuse_given(_OF_INTERVALS, "--score-only prints scores without intervals")
    if layout != "full":
        refuse_given(("by",), f"--layout {layout} is one table of systems")
    chosen = check_output(output, "terminal" if score_only else format, layout)
    result = carry_out(score, given, intervals=not score_only)
    if not score_only:
        show(result, format=chosen, output=output, decimals=decimals, layout=layout)
        return
    say_notes(result, files=output not in (None, "-"))
    decimals = 1 if decimals is None else decimals
    lines = []
    for system in dict.fromkeys(one.name for one in result.scores):
        numbers = [one.score for one in result.scores if one.name == system]
        lines.append(" ".join(f"{number:.{decimals}f}" for number in numbers) + "\n")
    if output is not None and output != "-":
        write(output, "".join(lines))
    else:
        echo("".join(lines), nl=False)
