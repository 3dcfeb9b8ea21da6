"""``truegain metrics``."""

from __future__ import annotations

import click

from truegain.cli.command_line import Command
from truegain.cli.streams import echo


@click.command("metrics", cls=Command)
def command() -> None:
    """List the metrics, their settings, and which way is better."""
    import dataclasses

    from truegain.metrics.lookup import load_metric, plugins
    from truegain.metrics.scorer import ScorerSettings
    from truegain.registry import METRICS, SCORERS
    from truegain.scorers.definition import DEFINITIONS, PROGRAM

    for name, entry in METRICS.items():
        cls = load_metric(name)
        source = f" ({entry.source})" if entry.source else ""
        echo(f"{name}: {entry.summary}{source}; better: {entry.better}")
        settings = ", ".join(f"{field.name}={field.default}" for field in dataclasses.fields(cls) if field.init)
        if settings:
            echo(click.wrap_text(settings, 100, "    ", "    "))
    for name, entry in SCORERS.items():
        echo(f"{name}: {entry.summary} ({entry.source}); better: {entry.better}; by the program {PROGRAM}")
        given = dataclasses.replace(ScorerSettings(), model=DEFINITIONS[name].model)
        settings = ", ".join(f"{key}={value}" for key, value in dataclasses.asdict(given).items())
        echo(click.wrap_text(settings, 100, "    ", "    "))
    for name, point in plugins().items():
        package = point.dist.name if point.dist is not None else point.value
        echo(f"{name}: from the package {package}")
