"""The options of ``domains``."""

from collections.abc import Sequence
from typing import Annotated, Literal

from truegain.settings.groups import Computing, Inputs, Labels, Metrics, Resamples, Seed
from truegain.settings.option import Option, Options

__all__ = ["DomainUnit", "DomainsOptions"]

DomainUnit = Literal["auto", "segment", "document"]


class _Level(Options):
    alpha: Annotated[float, Option("Level, one-sided; intervals have 1 - alpha.")] = 0.05
    unit: Annotated[DomainUnit, Option("What is resampled and drawn; auto: documents where they are known.")] = "auto"


class DomainsOptions(Inputs, Labels, Metrics, Resamples, _Level, Seed, Computing):
    """The options of :func:`truegain.domains`."""

    draws: Annotated[int, Option("Test sets drawn from each set; 0: none.")] = 200
    sizes: Annotated[
        Sequence[int],
        Option(
            "Units of each. Default: as many as the set.",
            flags=("--draw",),
            metavar="N",
            many=True,
            text="sequence of int",
        ),
    ] = ()
    draw_resamples: Annotated[int, Option("Resamples on each draw.")] = 1_000
