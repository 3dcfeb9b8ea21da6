"""``truegain agree``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, progress_bar, show
from truegain.cli.options import all_tests_option, check_programs, download_option, output_options, the_cache
from truegain.cli.study_options import StudyCommand, own_options
from truegain.errors import InputError
from truegain.settings.agree import AgreeOptions


@click.command("agree", cls=StudyCommand)
@click.argument("metrics", nargs=-1, metavar="METRIC...")
@click.option(
    "--human",
    required=True,
    multiple=True,
    metavar="FILE",
    help="Scores of people: a score per system and segment. Repeat it for several test sets.",
)
@click.option(
    "--outputs",
    multiple=True,
    metavar="[NAME=]FILE|FOLDER",
    help="Outputs of the systems that people rated, to compute metrics from. Repeat for several.",
)
@click.option("--ref", "-r", "references", multiple=True, metavar="FILE", help="Reference of --outputs; repeatable.")
@click.option("--src", "sources", metavar="FILE", help="Source of --outputs, for metrics that read it: comet.")
@click.option(
    "--metrics",
    "-m",
    "compute",
    multiple=True,
    metavar="METRIC[:key=value,...]",
    help="Metric to compute from --outputs; repeat for several. Default: bleu.",
)
@click.option(
    "--docs",
    "documents",
    multiple=True,
    metavar="FILE",
    help="Document ID of each segment, one per line; as often as --human.",
)
@download_option
@own_options(AgreeOptions)
@all_tests_option
@output_options
def command(
    *,
    metrics: tuple[str, ...],
    human: tuple[str, ...],
    outputs: tuple[str, ...],
    references: tuple[str, ...],
    sources: str | None,
    documents: tuple[str, ...],
    format: str | None,
    output: str | None,
    decimals: int | None,
    quiet: bool,
    no_cache: bool,
    **given: Any,
) -> None:
    """Measure how far metrics agree with people, and test which agree better than which.

    METRIC is a file of segment scores that names systems, NAME=FILE, or a folder of files that end in .seg.score.
    Scores of systems in a file NAME.sys.score beside NAME.seg.score are used; else they are means of segments.

    \b
    truegain agree --human en-de.mqm.seg.score --docs en-de.docs metric-scores/en-de
    truegain agree --human esa.csv comet=comet.csv chrf=chrf.csv --measures spa,acc23
    truegain agree --human mqm.seg.score --ref ref.txt --outputs system-outputs/en-de -m bleu -m chrf

    With several test sets, such as language pairs, METRIC is a folder for each, in the order of --human. Pairwise
    accuracy is then over all pairs of systems, other measures are means.

    \b
    truegain agree --human en-de.mqm.seg.score --human zh-en.mqm.seg.score \\
        metric-scores/en-de metric-scores/zh-en
    """
    from truegain.studies.agree import agree

    texts: dict[str, Any] = {
        "outputs": outputs or None,
        "references": [Path(one) for one in references] or None,
        "sources": sources,
        "cache": the_cache(no_cache),
    }
    check_programs(given["compute"])
    chosen = check_output(output, format)
    with progress_bar(quiet) as progress:
        if len(human) == 1:
            read: dict[str, Any] = {"human": human[0], "metrics": list(metrics), "documents": _only(documents)}
        else:
            read = {"human": list(human), "metrics": list(metrics), "documents": list(documents) or None}
        result = made_here(agree(**read, progress=progress, **texts, **given))
    show(result, format=chosen, output=output, decimals=decimals)


def _only(documents: tuple[str, ...]) -> str | None:
    if len(documents) > 1:
        raise InputError("there is one test set, and documents are given for several", hint="give --docs once")
    return documents[0] if documents else None
