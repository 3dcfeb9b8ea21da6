"""``truegain domains``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from truegain.cli.applicable import refuse_given
from truegain.cli.display import check_output, draw, show
from truegain.cli.options import INPUTS, output_options, plot_option, read_inputs
from truegain.cli.study_options import StudyCommand, options_of, run_study
from truegain.errors import InputError
from truegain.settings.domains import DomainsOptions

if TYPE_CHECKING:
    from truegain.corpus import Corpus

__all__ = ["command"]

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
    from truegain.studies.domains.study import domains

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
    from truegain.studies.domains.sets import by_domain

    systems = options["systems"]
    if len(systems) == 1 and systems[0].lower().endswith(".toml"):
        return _of_experiment(systems[0], sets, options)
    if sets:
        from truegain.cli.sets import read_sets

        return read_sets(sets, options)
    corpus, metrics = read_inputs(options)
    return by_domain(corpus), metrics


def _of_experiment(path: str, sets: tuple[str, ...], options: dict[str, Any]) -> tuple[list[Corpus], list[str]]:
    """Return the test sets of an experiment file, and its metrics and settings unless others are given."""
    from truegain.readers.experiment_file import read_experiment

    given = {name: options.pop(name) for name in INPUTS}
    source = click.get_current_context().get_parameter_source
    written = {name for name in (*INPUTS, *_SETTINGS) if source(name) is ParameterSource.COMMANDLINE}
    if sets or written & set(INPUTS) - {"systems", "metrics"}:
        raise InputError(
            "an experiment file names all files itself; give no other inputs with it", path=path, hint="only -m may be"
        )
    experiment = read_experiment(path)
    for name in _SETTINGS:
        if name in experiment.settings and name not in written:
            options[name] = _setting(name, experiment.settings[name], path)
    return list(experiment.corpora()), list(given["metrics"]) or list(experiment.metrics)


def _setting(name: str, value: Any, path: str) -> Any:
    if name == "resamples" and value == "auto":
        raise InputError("domains needs a number of resamples", path=path, hint="give one: --resamples 10000")
    if name == "unit" and value not in ("auto", "segment", "document"):
        raise InputError(
            f"unit must be auto, segment or document for domains; the file has {value!r}", path=path, hint="give --unit"
        )
    return value
