"""``truegain metrics``."""

from __future__ import annotations

import click

__all__ = ["command"]


@click.command("metrics")
def command() -> None:
    """List the metrics, their settings, and which way is better."""
    import dataclasses
    from importlib import import_module

    from truegain.registry import METRICS

    for name, entry in METRICS.items():
        module, attribute = entry.target.split(":")
        cls = getattr(import_module(module), attribute)
        source = f" ({entry.source})" if entry.source else ""
        click.echo(f"{name}: {entry.summary}{source}; better: {entry.better}")
        settings = ", ".join(f"{field.name}={field.default}" for field in dataclasses.fields(cls) if field.init)
        click.echo(click.wrap_text(settings, 100, "    ", "    "))
