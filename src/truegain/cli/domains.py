"""``truegain domains``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from truegain.cli.command_line import refuse_given
from truegain.cli.display import check_output, draw, show
from truegain.cli.experiment import is_experiment, take_experiment
from truegain.cli.options import output_options, plot_option, read_inputs
from truegain.cli.study_options import StudyCommand, options_of, run_study
from truegain.errors import InputError
from truegain.settings.domains import DomainsOptions

if TYPE_CHECKING:
    from truegain.corpus import Corpus

_SETTINGS = ("alpha", "resamples", "seed", "unit")  # of an experiment file


@click.command("domains", cls=StudyCommand)
@options_of(DomainsOptions)
@click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="[NAME=]FOLDER",
    help="A test set: a folder with the files that the other options name. Repeat for several.",
)
@plot_option("Draw shares of the same sign by p")
@plot_option("Draw gains against confidence on test sets of one size", "--plot-confidence")
@output_options
def command(
    *,
    sets: tuple[str, ...],
    plot: str | None,
    plot_confidence: str | None,
    format: str | None,
    output: str | None,
    decimals: int | None,
    **options: Any,
) -> None:
    """Test whether differences hold on other test sets: p on one set, and the sign of the difference on another.

    The sets are the domains of one test set (--domains, --domain-column), folders with files of the same names (--set),
    or the test sets of an experiment file. From a single set, smaller test sets are drawn.

    \b
    truegain domains experiment.toml
    truegain domains --ref ref.txt --domains domains.txt outputs/*.txt
    truegain domains --set news --set talks --ref ref.txt base.txt new.txt word='word.*.txt'
    truegain domains --set news --set chat=data/chat --ref ref.txt 'outputs/*.txt' --plot shares.pdf
    truegain domains --ref ref.txt --domains domains.txt --unit segment --draw 200 outputs/*.txt
    truegain domains --ref ref.txt --docs docs.txt --draw 20 --draws 500 outputs/*.txt
    """
    from truegain.studies.domains import domains

    chosen = check_output(output, format)
    if options["draws"] == 0:
        refuse_given(("sizes", "draw_resamples"), "with --draws 0 there are no draws")
    corpora, metrics = _corpora(sets, options)
    if plot_confidence is not None and not (options["sizes"] and len(corpora) > 1):
        raise InputError(
            "there is no size of test sets at which several sets could be drawn",
            hint="give two sets or more, and --draw with a number of units",
        )
    if len(corpora) > 1:
        refuse_given(("name",), "the test sets have names of their own")
    result = run_study(domains, options, corpora, metrics=metrics)
    show(result, format=chosen, output=output, decimals=decimals)
    if plot is not None:
        draw(result, plot, decimals=decimals)
    if plot_confidence is not None:
        draw(result, plot_confidence, "confidence", decimals=decimals)


def _corpora(sets: tuple[str, ...], options: dict[str, Any]) -> tuple[list[Corpus], list[str]]:
    """Return the test sets, each way they can be given; takes the options of inputs out."""
    from truegain.studies.transfer import by_domain

    if is_experiment(options["systems"]):
        if sets:
            raise InputError("--set does not go with an experiment file, which names its test sets")
        experiment = take_experiment(options, DomainsOptions, _SETTINGS)
        return list(experiment.corpora()), list(experiment.metrics)
    if sets:
        from truegain.cli.sets import read_sets

        return read_sets(sets, options)
    corpus, metrics = read_inputs(options)
    return by_domain(corpus), metrics
