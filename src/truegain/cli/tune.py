"""``truegain tune``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from truegain.cli.command_line import Command, made_here
from truegain.cli.display import check_output, progress_bar, show
from truegain.cli.options import all_tests_option, methods_option
from truegain.cli.study_options import own_options
from truegain.errors import InputError
from truegain.report import FORMATS
from truegain.settings.tune import TuneOptions


@click.command("tune", cls=Command)
@click.option(
    "--ref",
    "-r",
    "references",
    multiple=True,
    required=True,
    metavar="FILE",
    help="Reference file of the development set. Repeat for several.",
)
@click.option(
    "--nbest",
    multiple=True,
    required=True,
    metavar="FILE",
    help="Hypotheses of the development set with features: id ||| text ||| Name= value ..., or JSON lines.",
)
@click.option(
    "--apply",
    "applied",
    multiple=True,
    metavar="NAME=FILE[,FILE]",
    help="Hypotheses of a test set, of which outputs are chosen, too.",
)
@click.option(
    "--apply-ref",
    "applied_references",
    multiple=True,
    metavar="NAME=FILE",
    help="Reference file of that test set. Repeat for several.",
)
@own_options(TuneOptions)
@click.option(
    "--output",
    "-o",
    "folder",
    required=True,
    metavar="DIRECTORY",
    help="Where outputs and weights go; runs that are there are kept.",
)
@click.option("--format", "-f", type=click.Choice(list(FORMATS)), help="Format of what is printed.")
@click.option("--decimals", "-w", type=int, metavar="N", help="Number of decimals.")
@methods_option
@all_tests_option
@click.option("--quiet", "-q", is_flag=True, help="Show no progress bar.")
def command(
    *,
    references: tuple[str, ...],
    nbest: tuple[str, ...],
    applied: tuple[str, ...],
    applied_references: tuple[str, ...],
    folder: str,
    format: str | None,
    decimals: int | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Tune the weights of n-best lists several times, and choose outputs by them: runs that an optimizer varies.

    DIRECTORY gets dev.run01.txt, NAME.run01.txt, weights.run01.json and so on, and the result as tune.json and
    tune.html. The outputs are runs of one system for truegain compare.

    \b
    truegain tune --ref dev.ref --nbest dev.nbest --apply test=test.nbest -o tuned
    truegain tune --ref dev.ref --nbest dev.nbest --optimizer mira --runs 5 -o tuned
    """
    from truegain.studies.tune import tune

    chosen = check_output(None, format)
    sets = {name: files.split(",") for name, files in map(_named, applied)}
    # As paths: of texts in a list, names of files that are not there would be taken for segments.
    sides: dict[str, list[Path]] = {}
    for name, file in map(_named, applied_references):
        if name not in sets:
            raise InputError(f"there is a reference of {name!r}, and no hypotheses", hint=f"--apply {name}=FILE")
        sides.setdefault(name, []).append(Path(file))
    wanted = {name: (lists, sides[name]) if name in sides else lists for name, lists in sets.items()}
    with progress_bar(quiet) as progress:
        files = [Path(one) for one in references]
        result = made_here(tune(files, list(nbest), apply=wanted, folder=folder, progress=progress, **given))
    for ending in ("json", "html"):
        result.save(f"{folder}/tune.{ending}")
    show(result, format=chosen, output=None, decimals=decimals)


def _named(text: str) -> tuple[str, str]:
    name, equals, rest = text.partition("=")
    if not (name and equals and rest):
        raise InputError(f"{text!r} is not NAME=FILE", hint="for example: test2016=test2016.nbest")
    return name, rest
