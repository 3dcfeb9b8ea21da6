"""``truegain split``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.command_line import Command, refuse_given
from truegain.cli.display import progress_bar
from truegain.cli.streams import echo
from truegain.cli.study_options import own_options
from truegain.errors import printable
from truegain.settings.split import SplitOptions


@click.command("split", cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@own_options(SplitOptions)
@click.option(
    "--output", "-o", required=True, metavar="DIRECTORY", help="Directory to write; nothing may be there yet."
)
@click.option("--quiet", "-q", is_flag=True, help="Show no progress bar.")
def command(*, files: tuple[str, ...], output: str, quiet: bool, **given: Any) -> None:
    """Draw training sets from line-aligned files, to ask whether a gain holds for new training data.

    The same lines are taken from every file, in their order; a line that is drawn twice appears twice. DIRECTORY gets a
    folder per training set, and manifest.json with the seed and the digests. Train each system on each of them, and
    give the outputs to truegain compare.

    \b
    truegain split train.de train.en --samples 5 -o samples
    truegain split train.de train.en --size half --samples 5 -o halves
    truegain split train.de train.en --scheme odd -o odd
    """
    from truegain.training_sets import split

    if given["scheme"] not in ("bootstrap", "half"):
        refuse_given(("seed",), "nothing is drawn")
    with progress_bar(quiet) as progress:
        made = split(files, output, progress=progress, **given)
    for one in made.sets:
        lines = "line" if one.lines == 1 else "lines"
        echo(printable(f"{output}/{one.name}: {one.lines:,} {lines}, {one.distinct:,} of {made.lines:,} distinct"))
