"""``truegain cache``."""

from __future__ import annotations

import click

from truegain.cli.streams import echo
from truegain.printable import printable


@click.group("cache")
def command() -> None:
    """Look into or empty the cache of statistics ($TRUEGAIN_CACHE, $TRUEGAIN_CACHE_SIZE in bytes)."""


@command.command("info")
def info() -> None:
    """Show the cache's folder and size."""
    from truegain.cache import Cache

    found = Cache().info()
    echo(printable(f"{found.directory}: {found.entries:,} entries, {found.size:,} of {found.limit:,} bytes"))


@command.command("clear")
def clear() -> None:
    """Remove every entry."""
    from truegain.cache import Cache

    cache = Cache()
    echo(printable(f"removed {cache.clear():,} entries from {cache.directory}"))
