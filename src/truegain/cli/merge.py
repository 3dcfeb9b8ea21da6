"""``truegain merge``: what it merges is told by how the files begin."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, check_place, draw, say_written, show
from truegain.cli.options import plot_option
from truegain.errors import InputError
from truegain.report import FORMATS

if TYPE_CHECKING:
    from truegain.studies.result import Result

__all__ = ["command"]

_SUMS = ".sums"


@click.command("merge")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--baseline", metavar="SYSTEM", help="The system to compare with. Default: the first.")
@click.option(
    "--test",
    type=click.Choice(["auto", "ar", "poisson-bootstrap"]),
    default="auto",
    show_default=True,
    help="By which verdicts go; both are shown. auto: ar, where all systems have as many runs.",
)
@click.option(
    "--adjust",
    "adjustment",
    type=click.Choice(["none", "bonferroni", "holm", "hochberg", "bh", "by"]),
    default="holm",
    show_default=True,
    help="For the number of systems, metric by metric.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of tests; intervals have 1 - alpha.")
@click.option(
    "--interval",
    type=click.Choice(["percentile", "basic", "normal"]),
    default="percentile",
    show_default=True,
    help="Kind of bootstrap interval.",
)
@plot_option("Draw the gains")
@click.option("--format", "-f", "format", type=click.Choice(FORMATS), help="Default: terminal, or what -o ends in.")
@click.option(
    "--output",
    "-o",
    multiple=True,
    metavar="FILE",
    help="Write the merged sums (.sums), to be merged again, or the result; repeat for both.",
)
@click.option("--width", "-w", type=click.IntRange(0, 15), help="Decimals of scores.")
def command(
    *,
    files: tuple[str, ...],
    plot: str | None,
    format: str | None,
    output: tuple[str, ...],
    width: int | None,
    **options: Any,
) -> None:
    """Add up the shards of a test set, in any order, and show what they say.

    FILE is what truegain stats wrote, or what this command did.

    \b
    truegain merge shard*.sums
    truegain merge shard*.sums -o all.sums -o result.json
    truegain merge all.sums shard9.sums --baseline base --test poisson-bootstrap
    """
    kept = [one for one in output if one.endswith(_SUMS)]
    shown = [one for one in output if not one.endswith(_SUMS)]
    if len(kept) > 1 or len(shown) > 1:
        raise InputError("-o is given twice for one thing", hint="one file for the merged sums, and one for the result")
    chosen = check_output(shown[0] if shown else None, format)
    for one in kept:
        check_place(one)
    result = made_here(_kind(files)(files, kept[0] if kept else None, options))
    show(result, format=chosen, output=shown[0] if shown else None, width=width)
    if plot is not None:
        draw(result, plot, width=width)


def _merge_sums(files: tuple[str, ...], keep: str | None, options: dict[str, Any]) -> Result:
    from truegain.streaming.sums_file import write_sums
    from truegain.studies.merge import merge, merged_sums

    sums = merged_sums(files)
    result = merge(sums, **options)
    if keep is not None:
        write_sums(sums, keep)
        say_written(keep)
    return result


_Merge = Callable[[tuple[str, ...], str | None, dict[str, Any]], "Result"]


def _kinds() -> dict[bytes, tuple[str, _Merge]]:
    """How files begin, what they are, and who merges them."""
    from truegain.streaming.sums_file import MAGIC

    return {MAGIC: ("sums", _merge_sums)}


def _kind(files: tuple[str, ...]) -> _Merge:
    """Who merges the files: all must be of one kind."""
    if not files:
        raise InputError("there is nothing to merge", hint="give the files that truegain stats wrote")
    kinds = _kinds()
    longest = max(map(len, kinds))
    found: list[tuple[str, _Merge]] = []
    for file in files:
        start = _start(file, longest)
        kind = next((kind for magic, kind in kinds.items() if start.startswith(magic)), None)
        if kind is None:
            raise InputError(
                "this is no file that can be merged", path=file, hint="give the files that truegain stats wrote"
            )
        if found and kind != found[0]:
            raise InputError(f"this is a file of {kind[0]}, and {files[0]} is one of {found[0][0]}", path=file)
        found.append(kind)
    return found[0][1]


def _start(file: str, size: int) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(size)
    except FileNotFoundError as error:
        raise InputError("there is no such file", path=file, hint="truegain stats … -o FILE writes one") from error
    except IsADirectoryError as error:
        raise InputError("this is a directory; a file was expected", path=file) from error
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=file) from error
