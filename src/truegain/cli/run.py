"""``truegain run``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from truegain.cli.command_line import Command
from truegain.cli.display import check_figure, check_output, draw, show, write
from truegain.cli.options import check_programs, download_option, output_options, plot_option
from truegain.cli.study_options import own_options, run_study
from truegain.settings.pool import RunOptions


@click.command("run", cls=Command)
@click.argument("experiment", metavar="FILE")
@own_options(RunOptions)
@download_option
@click.option("--no-outputs", is_flag=True, help="Do not write the outputs that the file names.")
@plot_option("Draw the gains on every test set and over all of them")
@output_options
def command(
    *,
    experiment: str,
    no_outputs: bool,
    plot: str | None,
    format: str | None,
    output: str | None,
    decimals: int | None,
    **given: Any,
) -> None:
    """Run the experiment of a TOML file: test whether the gain holds over test sets.

    FILE names test sets, systems, metrics and tests; truegain init writes one. Each test set is compared on its own,
    then all of them together. The answer says on how many of them the gain is shown.

    \b
    truegain init data -o experiment.toml
    truegain run experiment.toml
    truegain run experiment.toml -o report.html
    """
    from truegain.readers.experiment_file import read_experiment
    from truegain.settings.words import in_words_of
    from truegain.studies.pool import pool

    read = read_experiment(experiment)
    check_programs(read.metrics)
    outputs = () if no_outputs else read.outputs
    chosen = check_output(output, format, decimals_elsewhere=bool(outputs))
    formats: dict[str, str] = {}
    with in_words_of(experiment):
        for path in outputs:
            if _is_figure(path):
                check_figure(path)
            else:
                formats[path] = check_output(path, None, decimals_elsewhere=True, named="outputs")
        corpora, development = read.corpora(), read.development_corpus()
        result = run_study(pool, given, corpora, metrics=read.metrics, development=development, **read.settings)
    show(result, format=chosen, output=output, decimals=decimals)
    for path in outputs:
        if path in formats:
            write(path, result.render(formats[path], decimals=decimals))
        else:
            draw(result, path, decimals=decimals)
    if plot is not None:
        draw(result, plot, decimals=decimals)


def _is_figure(path: str) -> bool:
    return Path(path).suffix in (".svg", ".pdf", ".png")
