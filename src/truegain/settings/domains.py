"""The options of ``domains``."""

from collections.abc import Sequence
from typing import Annotated, Literal

from truegain.settings.groups import Computing, Inputs, Labels, Metrics, Resamples, Seed
from truegain.settings.option import Option, Options
from truegain.settings.texts import numbers

#: Where bins of p end unless others are asked for: (0, .001], (.001, .01] and so on, and one more up to 1.
BINS = (0.001, 0.01, 0.05, 0.1, 0.25)
DomainUnit = Literal["auto", "segment", "document"]


class _Level(Options):
    alpha: Annotated[float, Option("One-sided significance level; intervals have level 1 - alpha.")] = 0.05
    unit: Annotated[DomainUnit, Option("Unit of resampling; auto: documents if they are known, else segments.")] = (
        "auto"
    )


class DomainsOptions(Inputs, Labels, Metrics, Resamples, _Level, Seed, Computing):
    """The options of :func:`truegain.domains`."""

    bins: Annotated[
        Sequence[float],
        Option(
            "Upper ends of the bins of p, increasing; one more bin has all larger p.",
            metavar="P,P,...",
            parse=numbers,
            text="sequence of float",
        ),
    ] = BINS
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
