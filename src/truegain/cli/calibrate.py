"""``truegain calibrate``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.display import check_output, draw, show
from truegain.cli.options import output_options, plot_option
from truegain.cli.study_options import StudyCommand, carry_out, options_of
from truegain.settings.calibrate import CalibrateOptions


@click.command("calibrate", cls=StudyCommand)
@options_of(CalibrateOptions)
@plot_option("Quantiles of p against a uniform's")
@output_options
def command(*, plot: str | None, format: str | None, output: str | None, decimals: int | None, **given: Any) -> None:
    """Check on your own data how often tests find a difference that is not there.

    Datasets without a difference are made from yours: the outputs of two systems are swapped at random, by document if
    documents are known; or the runs of one system are split into two groups. Then it is counted how often tests find a
    difference.

    \b
    truegain calibrate --ref ref.txt --docs docs.txt a.txt b.txt
    truegain calibrate --ref ref.txt --test ar --test sacrebleu-bs --plot qq.svg a.txt b.txt
    truegain calibrate --ref ref.txt --gain 0.5 --size 200 a.txt b.txt
    truegain calibrate --ref ref.txt system='runs/*.txt'
    """
    from truegain.studies.calibrate import calibrate

    chosen = check_output(output, format)
    result = carry_out(calibrate, given)
    show(result, format=chosen, output=output, decimals=decimals)
    if plot is not None:
        draw(result, plot, decimals=decimals)
