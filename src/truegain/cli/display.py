"""Showing results and progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from truegain.cli.command_line import refuse_given
from truegain.cli.streams import echo, say, to_output, wants_colour
from truegain.errors import InputError, one_of, printable
from truegain.file_roles import writes
from truegain.report import DATA_FORMATS, ENDINGS

if TYPE_CHECKING:
    from truegain.report.figures.style import Columns
    from truegain.report.model import Document
    from truegain.results import Result
    from truegain.settings.groups import Progress

_METHODS_HINT, _FURTHER_HINT = "--methods: text for a paper", "--methods · --all-tests"
_PIPE_WIDTH = 100
_NARROWEST = 20


def check_output(
    output: str | None, format: str | None, layout: str = "full", *, decimals_elsewhere: bool = False, named: str = "-o"
) -> str:
    """Check, before any work is done, that the output can be written, and return its format.

    Parameters
    ----------
    output, format, layout : str
        As they were given.
    decimals_elsewhere : bool
        Numbers are shown next to this output, so that ``--decimals`` applies even if the output has all digits.
    named : str
        Where the output is named: by the option, or by a key of an experiment file, which has none for the format.
    """
    chosen = _checked_format(output, format, named)
    if chosen in DATA_FORMATS and not decimals_elsewhere and not _figures():
        refuse_given(("decimals",), f"{chosen} has all digits")
    if chosen in DATA_FORMATS:
        refuse_given(("standard_errors",), f"{chosen} always has standard errors")
    if layout != "full":
        from truegain.results import check_layout

        check_layout(layout, chosen)
        refuse_given(("standard_errors",), f"the layout {layout} has no column for standard errors")
    return chosen


def _figures() -> bool:
    """Return whether the command that is running draws figures, which have numbers in them."""
    given = click.get_current_context().params
    return any(given.get(name) is not None for name in ("plot", "plot_sizes", "plot_confidence"))


def _checked_format(output: str | None, format: str | None, named: str) -> str:
    if output is None or output == "-":
        return format or "terminal"
    path = Path(output)
    if format is None and path.suffix not in ENDINGS:
        hint = "or choose with --format" if named == "-o" else None
        raise one_of(f"{named}: the ending of the file", path.suffix, list(ENDINGS), hint=hint)
    check_place(output)
    return format or ENDINGS[path.suffix]


def check_figure(output: str) -> None:
    """Check before any work is done that a figure can be written there."""
    from truegain.report.figures.style import check_ending

    check_ending(output)
    check_place(output)


def check_place(output: str) -> None:
    """Check before any work is done that a file can be written there."""
    from truegain.atomic_write import is_stream

    try:
        stream = is_stream(output)  # it is written to; else a file is put in place of the old one
        path = Path(output).resolve()
        if path.is_dir():
            raise InputError("this is a directory; a file was expected", path=output)
        if not stream and not path.parent.is_dir():
            raise InputError("cannot be written: there is no such directory", path=output)
        if not stream and not os.access(path.parent, os.W_OK | os.X_OK):
            raise InputError("cannot be written: Permission denied", path=output)
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle; ValueError: a zero byte
        raise InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", path=output) from error
    writes(output)


def show(result: Result, *, format: str, output: str | None, decimals: int | None, layout: str = "full") -> None:
    """Print the result, or write it to FILE (atomically); notes that nobody sees so are said on standard error."""
    to_file = output not in (None, "-")
    meta = click.get_current_context().meta
    also = {name: bool(meta.get(f"truegain.{name}")) for name in ("methods", "all_tests")}
    if to_file or format != "terminal" or layout != "full":
        say_notes(result, files=to_file)
    if output is not None and output != "-":
        write(output, result.render(format, decimals=decimals, layout=layout, **also))
    elif format != "terminal":
        _print_data(result.render(format, decimals=decimals, layout=layout))
    else:
        document = result.rounded().arranged(layout, decimals=decimals)
        show_document(document if also["methods"] or layout != "full" else _with_hint(document), **also)


def _with_hint(document: Document) -> Document:
    """Return a document whose last line says how to see what a screen leaves out."""
    from dataclasses import replace

    from truegain.report.model import Paragraph

    known = {parameter.name for parameter in click.get_current_context().command.params}
    further = any(getattr(item, "kind", "") == "further" for item in document.items)
    hint = _FURTHER_HINT if further and "all_tests" in known else _METHODS_HINT
    items = [
        replace(item, text=f"{item.text} · {hint}") if isinstance(item, Paragraph) and item.kind == "ending" else item
        for item in document.items
    ]
    return replace(document, items=tuple(items))


def say_notes(result: Result, *, files: bool) -> None:
    """Say the warnings of a result on standard error; and what is to know of its files, unless with ``--quiet``."""
    from truegain.notes import gathered

    files = files and not click.get_current_context().params.get("quiet")
    sets = getattr(result, "sets", ()) if result.study == "pool" else ()
    held = [note if note.file or len(sets) == 1 else note.about(one.testset.name) for one in sets for note in one.notes]
    for note in gathered([*held, *getattr(result, "notes", ())]):
        if note.warning or (files and note.file):
            say(printable(f"{note}."))


def show_document(document: Document, *, methods: bool = False, all_tests: bool = False) -> None:
    """Print a document as a terminal shows it; in a pipe without colours, unless they are forced."""
    from truegain.report import terminal

    also = (terminal.METHODS if methods else frozenset()) | (terminal.FURTHER if all_tests else frozenset())
    if not wants_colour():
        width = _screen_width() if sys.stdout.isatty() else _pipe_width()
        _print(terminal.text(document, width, also))
        return
    from rich.console import Console

    if sys.stdout.isatty():
        with to_output():
            Console(highlight=False).print(terminal.renderable(document, also))
        return
    # The terminal is not known, so these are the colours that every one has.
    console = Console(highlight=False, force_terminal=True, color_system="standard", width=_pipe_width())
    with console.capture() as captured:
        console.print(terminal.renderable(document, also))
    _print(captured.get(), colour=True)


def _print(text: str, *, colour: bool | None = None) -> None:
    shown = printable(text) if sys.stdout.isatty() else text.encode(errors="replace").decode()
    echo(shown, nl=False, color=colour)


def _print_data(text: str) -> None:
    """Print what is made for programs: to a file or a pipe the bytes that -o would write, whatever the encoding."""
    if sys.stdout.isatty() or not hasattr(sys.stdout, "buffer"):
        _print(text)
    else:
        echo(text.encode(errors="replace"), nl=False)


def write(output: str, content: str | bytes) -> None:
    """Write a file atomically, and say so."""
    from truegain.report import write_atomically

    write_atomically(output, content)
    say_written(output)


def draw(
    result: Result, output: str, name: str | None = None, *, columns: Columns | None = None, decimals: int | None = None
) -> None:
    """Write one of the result's figures, by default the first, and say so."""
    result.plot(output, name, columns=columns, decimals=decimals)
    say_written(output)


def say_written(output: str) -> None:
    """Say on standard error what was written."""
    say(printable(f"wrote {output}"))


def _screen_width() -> int:
    from shutil import get_terminal_size

    return max(get_terminal_size().columns, _NARROWEST)


def _pipe_width() -> int:
    wanted = os.environ.get("COLUMNS", "")
    return max(int(wanted), _NARROWEST) if wanted.isdecimal() and int(wanted) > 0 else _PIPE_WIDTH


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress | None]:
    """Show a bar with the time left, on a terminal's standard error; nothing in a pipe."""
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
