"""``truegain rank``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from truegain.cli.display import check_output, draw, show
from truegain.cli.experiment import is_experiment, take_experiment
from truegain.cli.options import output_options, plot_option
from truegain.cli.study_options import StudyCommand, carry_out, options_of, run_study
from truegain.errors import InputError, one_of
from truegain.notes import Note
from truegain.settings.rank import RankOptions

if TYPE_CHECKING:
    from truegain.corpus import Corpus

#: Those of an experiment file that mean the same here; its interval is that of gains, which a ranking does not have.
_SETTINGS = ("by", "test", "adjust", "resamples", "alpha", "standard_errors", "unit", "strata", "seed")


@click.command("rank", cls=StudyCommand)
@options_of(RankOptions)
@plot_option("Draw all pairs as a heat map")
@output_options
def command(*, plot: str | None, format: str | None, output: str | None, decimals: int | None, **given: Any) -> None:
    """Rank systems by all pairs: rank intervals, clusters and letters.

    SYSTEM is a file, or runs, as in truegain compare; two or hundreds of them. An experiment file (of truegain init)
    may stand for all inputs; if it has several test sets, --name chooses one.

    \b
    truegain rank --ref ref.txt outputs/*.txt
    truegain rank --ref ref.txt --docs docs.txt -m bleu -m chrf outputs/*.txt
    truegain rank --ref ref.txt outputs/*.txt --plot heatmap.pdf -o ranking.json
    truegain rank --ref ref.txt word='runs/word.*.txt' bpe='runs/bpe.*.txt' base='runs/base.*.txt'
    truegain rank experiment.toml
    """
    from truegain.studies.rank import rank

    chosen = check_output(output, format)
    if is_experiment(given["systems"]):
        corpus, metrics = _of_experiment(given)
        result = run_study(rank, given, corpus, metrics=metrics)
    else:
        result = carry_out(rank, given)
    show(result, format=chosen, output=output, decimals=decimals)
    if plot is not None:
        draw(result, plot, decimals=decimals)


def _of_experiment(given: dict[str, Any]) -> tuple[Corpus, list[str]]:
    """Read the test set of an experiment file, of several the one that ``--name`` chooses, and say what is not used."""
    import shlex

    from truegain.settings.words import in_words_of
    from truegain.words import listing

    chosen = given["name"]
    experiment = take_experiment(given, RankOptions, _SETTINGS, names_a_set=True)
    names = [one.name for one in experiment.testsets]
    if chosen is None and len(names) > 1:
        raise InputError(
            f"a ranking is of one test set; the file has {len(names)}: {', '.join(names)}",
            path=experiment.path,
            hint=f"choose one: --name {shlex.quote(names[0])}; truegain run compares over all of them",
        )
    if chosen is not None and chosen not in names:
        raise one_of("the test set", chosen, names).at(experiment.path)
    wanted = next(one for one in experiment.testsets if chosen in (None, one.name))
    with in_words_of(experiment.path):
        (corpus,) = replace(experiment, testsets=(wanted,)).corpora()
    keys = {**experiment.settings, "development": experiment.development, "outputs": experiment.outputs}
    unused = [key for key, value in keys.items() if value and key not in _SETTINGS]
    if unused:
        note = Note("unused-keys", f"a ranking does not use {listing(unused)}", file=experiment.path)
        corpus = replace(corpus, notes=(*corpus.notes, note))
    return corpus, list(experiment.metrics)
