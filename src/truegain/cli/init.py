"""``truegain init``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from truegain.errors import InputError
from truegain.printable import printable

if TYPE_CHECKING:
    from truegain.readers.folder import FoundFolder, FoundSet

__all__ = ["command"]

_LISTED = 20  # files that were left out, by name


@click.command("init")
@click.argument("folder", default=".", metavar="[FOLDER]")
@click.option("--output", "-o", default="experiment.toml", show_default=True, metavar="FILE", help="Where to write it.")
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
def command(*, folder: str, output: str, force: bool) -> None:
    """Write an experiment file for what lies in a folder: references, sources, documents, outputs.

    Files are recognised by the names that people give them (ref.de, newstest2019-ende-src.en, references/,
    system-outputs/, NAME.RUN.de, docs.tsv) and by their number of lines. What each was taken for is said, and what
    was left out, and why.

    \b
    truegain init data
    truegain run experiment.toml
    """
    from pathlib import Path

    from truegain.cli.display import write
    from truegain.readers.experiment_text import experiment_text
    from truegain.readers.folder import look_through

    if Path(output).suffix != ".toml":
        raise InputError(f"an experiment file ends in .toml; got {output!r}")
    if Path(output).exists() and not force:
        raise InputError("there is such a file already", path=output, hint="--force writes over it; -o names another")
    if not Path(output).resolve().parent.is_dir():
        raise InputError("cannot be written: there is no such directory", path=output)
    found = look_through(folder)
    text = experiment_text(found, output)
    for line in _told(found):
        click.echo(printable(line))
    write(output, text)
    click.echo(printable(f"next: truegain run {output}"))


def _told(found: FoundFolder) -> list[str]:
    from truegain.readers.experiment_text import baseline_of

    lines = []
    for one in found.testsets:
        lines += [f"test set {one.name}: {one.segments:,} segments", *_files(one)]
    if found.development is not None:
        one = found.development
        lines += [f"development set {one.name}: {one.segments:,} segments", *_files(one)]
    systems = [
        name if len(runs) == 1 else f"{name} ({len(runs)} runs)" for name, runs in found.testsets[0].systems.items()
    ]
    baseline, why = baseline_of(found)
    lines += [f"{len(systems)} systems: {', '.join(systems)}", f"baseline {baseline}: {why}"]
    lines += [f"note: {note}" for note in found.notes]
    if found.left_out:
        lines.append("left out:")
        lines += [f"  {path}: {why}" for path, why in found.left_out[:_LISTED]]
        if len(found.left_out) > _LISTED:
            lines.append(f"  and {len(found.left_out) - _LISTED} more")
    return lines


def _files(one: FoundSet) -> list[str]:
    lines = [f"  reference  {path}" for path in one.references]
    lines += [] if one.source is None else [f"  source     {one.source}"]
    lines += [] if one.documents is None else [f"  documents  {one.documents}"]
    return lines
