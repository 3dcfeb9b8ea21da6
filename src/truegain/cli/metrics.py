"""``truegain metrics``."""

from __future__ import annotations

import click

from truegain.cli.streams import echo

__all__ = ["command"]


@click.command("metrics")
def command() -> None:
    """List the metrics, their settings, and which way is better."""
    import dataclasses

    from truegain.metrics.lookup import load_metric, plugins
    from truegain.registry import METRICS

    for name, entry in METRICS.items():
        cls = load_metric(name)
        source = f" ({entry.source})" if entry.source else ""
        echo(f"{name}: {entry.summary}{source}; better: {entry.better}")
        settings = ", ".join(f"{field.name}={field.default}" for field in dataclasses.fields(cls) if field.init)
        if settings:
            echo(click.wrap_text(settings, 100, "    ", "    "))
    for name, point in plugins().items():
        package = point.dist.name if point.dist is not None else point.value
        echo(f"{name}: from the package {package}")
