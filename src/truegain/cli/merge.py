"""``truegain merge``: shards or parts, recognised by how the files begin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from truegain.cli.applicable import Command
from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, check_place, draw, say_written, show
from truegain.cli.options import plot_option
from truegain.cli.study_options import own_options
from truegain.cli.within import DIVISIBLE, study_context, with_engine
from truegain.errors import InputError
from truegain.report import FORMATS
from truegain.settings.merge import MergeOptions

if TYPE_CHECKING:
    from truegain.engines.base import Engine
    from truegain.studies.result import Result

_SUMS = ".sums"
_STUDY = "truegain.merge"  # where click keeps it
_PARTS = "parts"


def _is_study(word: str) -> bool:
    """Return whether a word is the name of a study, and not of a file that can be merged."""
    if word not in DIVISIBLE:
        return False
    return not (Path(word).is_file() and _found_kind(word) is not None)


class _Command(Command):
    """Files and options of its own; or files, then the command line of a study, which is left as it is."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        place = next((i for i, one in enumerate(args) if _is_study(one) or one.startswith("-")), len(args))
        if place < len(args) and _is_study(args[place]):
            ctx.meta[_STUDY] = args[place], tuple(args[place + 1 :])
            args = args[:place]
        return super().parse_args(ctx, args)


@click.command("merge", cls=_Command)
@click.argument("files", nargs=-1, metavar="FILE... [STUDY ARGUMENTS...]")
@own_options(MergeOptions)
@plot_option("Draw the gains")
@click.option(
    "--format",
    "-f",
    "format",
    type=click.Choice(FORMATS),
    help="Output format. Default: terminal, or by the ending of -o.",
)
@click.option(
    "--output",
    "-o",
    multiple=True,
    metavar="FILE",
    help="Write the merged sums (.sums), which can be merged again, or the result. Repeat for both.",
)
@click.option("--decimals", "-w", type=click.IntRange(0, 15), metavar="N", help="Decimals of scores.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    files: tuple[str, ...],
    plot: str | None,
    format: str | None,
    output: tuple[str, ...],
    decimals: int | None,
    **options: Any,
) -> None:
    """Merge what was computed separately: shards of a test set, or parts of the resamples.

    Shards: FILE was written by truegain stats or by this command. Shards are added up, in any order.

    Parts: FILE was written by truegain resample. Repeat the command line of the study after the files (STUDY and its
    arguments): commands that stand in files are never executed. The result equals that of the command alone, to the
    last digit.

    \b
    truegain merge shard*.sums
    truegain merge shard*.sums -o all.sums -o result.json
    truegain merge all.sums shard9.sums --baseline base --test poisson-bootstrap
    truegain merge parts/*.part compare --ref ref.txt base.txt new.txt -R 1000000 -o result.json
    """
    kind = _kind(files)
    if _STUDY in ctx.meta:
        if kind != _PARTS:
            raise InputError(
                f"merging shards takes no study; got {ctx.meta[_STUDY][0]!r}",
                hint=f"truegain merge FILE...; a study's command line goes with parts, and {files[0]} is none",
            )
        _merge_parts(ctx, files, *ctx.meta[_STUDY])
        return
    if kind == _PARTS:
        raise InputError(
            f"no study follows the {len(files)} files",
            hint="truegain merge parts/*.part compare --ref ref.txt base.txt new.txt: repeat the command line of the "
            f"parts; a study is one of {', '.join(DIVISIBLE)}",
        )
    kept = [one for one in output if one.endswith(_SUMS)]
    shown = [one for one in output if not one.endswith(_SUMS)]
    if len(kept) > 1 or len(shown) > 1:
        raise InputError("-o is given twice for one thing", hint="one file for the merged sums, and one for the result")
    chosen = check_output(shown[0] if shown else None, format)
    for one in kept:
        check_place(one)
    result = made_here(_merge_sums(files, kept[0] if kept else None, options))
    show(result, format=chosen, output=shown[0] if shown else None, decimals=decimals)
    if plot is not None:
        draw(result, plot, decimals=decimals)


def _merge_parts(ctx: click.Context, files: Sequence[str], study: str, arguments: Sequence[str]) -> None:
    """Run a study with its resamples from the files; it shows its result, and ends, as it always does."""
    context = study_context(ctx, study, arguments)

    def stored(engine: Engine) -> Engine:
        from truegain.engines.stored import StoredEngine

        return StoredEngine.read(files, engine)

    with_engine(context, stored)
    with context:
        context.command.invoke(context)


def _merge_sums(files: tuple[str, ...], keep: str | None, options: dict[str, Any]) -> Result:
    from truegain.streaming.sums import write_sums
    from truegain.studies.merge.study import merge, merged_sums

    sums = merged_sums(files)
    result = merge(sums, **options)
    if keep is not None:
        write_sums(sums, keep)
        say_written(keep)
    return result


def _kind(files: tuple[str, ...]) -> str:
    """Return the kind of the files; refuse several kinds."""
    if not files:
        raise InputError("there is nothing to merge", hint="give the files that truegain stats or resample wrote")
    found: list[str] = []
    for file in files:
        kind = _found_kind(file)
        if kind is None:
            raise InputError(
                "this file cannot be merged",
                path=file,
                hint="give the files that truegain stats or resample wrote",
            )
        if found and kind != found[0]:
            raise InputError(f"this is a file of {kind}, and {files[0]} is one of {found[0]}", path=file)
        found.append(kind)
    return found[0]


def _found_kind(file: str) -> str | None:
    """Return the kind of a file, by how it begins."""
    from truegain.engines.part_files import MAGIC as PART
    from truegain.streaming.sums import MAGIC as SUMS

    start = _start(file, max(len(PART), len(SUMS)))
    return next((kind for magic, kind in ((SUMS, "sums"), (PART, _PARTS)) if start.startswith(magic)), None)


def _start(file: str, size: int) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(size)
    except FileNotFoundError as error:
        raise InputError(
            "there is no such file", path=file, hint="truegain stats and truegain resample write them"
        ) from error
    except IsADirectoryError as error:
        raise InputError("this is a directory; a file was expected", path=file) from error
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=file) from error
