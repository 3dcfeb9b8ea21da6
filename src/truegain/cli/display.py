"""Showing results and progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from truegain.studies.experiment import Progress
    from truegain.studies.result import Result

__all__ = ["progress_bar", "show"]

_ENDINGS = {".md": "md", ".tex": "latex", ".json": "json", ".csv": "csv", ".txt": "terminal"}
_PIPE_WIDTH = 100


def show(result: Result, *, format: str | None, output: str | None, width: int | None) -> None:
    """Print the result, or write it to a file at once and whole."""
    if output is not None:
        from truegain.studies.result import write_atomically

        write_atomically(output, result.render(format or _ENDINGS.get(Path(output).suffix, "terminal"), width=width))
        click.echo(f"wrote {output}", err=True)
        return
    if format not in (None, "terminal"):
        click.echo(result.render(str(format), width=width), nl=False)
        return
    from truegain.report import terminal

    if sys.stdout.isatty():
        from rich.console import Console

        Console(highlight=False).print(terminal.renderable(result.document(width=width)))
    else:
        columns = int(os.environ.get("COLUMNS") or _PIPE_WIDTH)
        click.echo(terminal.text(result.document(width=width), columns), nl=False)


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress | None]:
    """A bar with the time left, on a terminal's standard error; nothing in a pipe."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description:>13}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        stages: dict[str, TaskID] = {}

        def advance(stage: str, done: int, total: int) -> None:
            if stage not in stages:
                stages[stage] = bar.add_task(stage, total=total)
            bar.advance(stages[stage], done)

        yield advance
