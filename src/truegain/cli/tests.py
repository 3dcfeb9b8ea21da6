"""``truegain tests``."""

from __future__ import annotations

import click

from truegain.cli.command_line import Command
from truegain.cli.streams import echo, wants_colour

_KINDS = {
    "recommended": "Recommended",
    "classical": "Classical, on segment scores or run scores",
    "published": "Published procedures, to the letter",
    "compatible": "As other tools do it",
}


_NOUNS = {"as chosen": "unit", "block": "segment"}


@click.command("tests", cls=Command)
def command() -> None:
    """List the significance tests: what each does, its null hypothesis, unit, sides and measured size.

    The size is the share of true null hypotheses rejected at 5 %, for a mean of segment scores on test sets of 200
    segments whose outputs were swapped at random; docs/calibration.md has more.
    """
    from truegain.registry import TESTS, measured_sizes

    sizes = measured_sizes()
    colour = wants_colour()
    for kind, heading in _KINDS.items():
        echo(click.style(heading, bold=True), color=colour)
        for name, entry in TESTS.items():
            if entry.kind != kind:
                continue
            said = _lines(f"{name}: {entry.summary} ({entry.source})", "  ")
            echo(f"  {click.style(name, fg='cyan')}{said[2 + len(name) :]}", color=colour)
            null = entry.null.format(system="B", baseline="A", unit=_NOUNS.get(entry.unit, entry.unit), rater="rater")
            unit = {"as chosen": "by --unit", "block": "block of segments"}.get(entry.unit, entry.unit)
            sides = {"as chosen": "by --alternative"}.get(entry.sides, entry.sides)
            rest = f"null: {null} · unit: {unit} · sides: {sides} · size at 5 %: {_size(sizes, name)}"
            echo(_lines(rest, "      "))


def _lines(text: str, indent: str) -> str:
    """Return one line if programs read it, as many as it takes on a screen."""
    import sys
    from shutil import get_terminal_size

    if not sys.stdout.isatty():
        return indent + text
    return click.wrap_text(text, min(get_terminal_size().columns, 100), indent, "      ")


def _size(sizes: dict[str, float], name: str) -> str:
    return f"{100 * sizes[name]:.1f} %" if name in sizes else "not measured"
