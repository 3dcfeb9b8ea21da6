"""The options of ``domains``."""

from collections.abc import Sequence
from typing import Annotated, Literal

from truegain.settings.groups import Computing, Inputs, Labels, Metrics, Resamples, Seed
from truegain.settings.option import Option, Options

__all__ = ["DomainUnit", "DomainsOptions"]

DomainUnit = Literal["auto", "segment", "document"]


class _Level(Options):
    alpha: Annotated[float, Option("One-sided significance level; intervals have level 1 - alpha.")] = 0.05
    unit: Annotated[DomainUnit, Option("Unit of resampling; auto: documents if they are known, else segments.")] = (
        "auto"
    )


class DomainsOptions(Inputs, Labels, Metrics, Resamples, _Level, Seed, Computing):
    """The options of :func:`truegain.domains`."""

    draws: Annotated[int, Option("Number of test sets to draw from each set; 0: none.")] = 200
    sizes: Annotated[
        Sequence[int],
        Option(
            "Number of units in each drawn test set. Default: as many as the set has.",
            flags=("--draw",),
            metavar="N",
            many=True,
            text="sequence of int",
        ),
    ] = ()
    draw_resamples: Annotated[int, Option("Number of resamples on each drawn test set.")] = 1_000
