"""``truegain tests``."""

from __future__ import annotations

import click

__all__ = ["command"]


@click.command("tests")
def command() -> None:
    """List the significance tests."""
    from truegain.registry import TESTS

    for name, entry in TESTS.items():
        click.echo(f"{name}: {entry.summary}")
        click.echo(f"    {entry.source}")
