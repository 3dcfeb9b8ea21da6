"""``truegain metrics``."""

from __future__ import annotations

import click

from truegain.cli.applicable import Command
from truegain.cli.streams import echo
from truegain.printable import printable


@click.command("metrics", cls=Command)
def command() -> None:
    """List the metrics, their settings, and which way is better."""
    import dataclasses

    from truegain.metrics.lookup import load_metric, plugins, scorers
    from truegain.metrics.scorer import ScorerSettings
    from truegain.registry import METRICS, SCORERS

    for name, entry in METRICS.items():
        cls = load_metric(name)
        source = f" ({entry.source})" if entry.source else ""
        echo(f"{name}: {entry.summary}{source}; better: {entry.better}")
        settings = ", ".join(f"{field.name}={field.default}" for field in dataclasses.fields(cls) if field.init)
        if settings:
            echo(click.wrap_text(settings, 100, "    ", "    "))
    for name, definition in scorers().items():
        known = SCORERS.get(name)
        better = "lower" if definition.lower_is_better else "higher"
        summary = f"{definition.label}, as you defined it" if known is None else f"{known.summary} ({known.source})"
        echo(printable(f"{name}: {summary}; better: {better}; by the program {definition.command[0]}"))
        places = [key for key in ("model", "batch_size", "gpus") if key in definition.places]
        values = {"model": definition.model, "batch_size": ScorerSettings.batch_size, "gpus": None}
        if places:
            echo(click.wrap_text(", ".join(f"{key}={values[key]}" for key in places), 100, "    ", "    "))
    for name, point in plugins().items():
        package = point.dist.name if point.dist is not None else point.value
        echo(f"{name}: from the package {package}")
