"""The options of ``rank``."""

from typing import Annotated, Literal

from truegain.settings.choices import Adjustment
from truegain.settings.groups import Blocks, Inputs, Intervals, Labels, Resamples, Scoring
from truegain.settings.option import Option

__all__ = ["RankOptions"]


class RankOptions(Inputs, Labels, Resamples, Intervals, Blocks, Scoring):
    """The options of :func:`truegain.rank`."""

    test: Annotated[
        Literal["auto", "bootstrap", "ar", "crossed"],
        Option(
            "auto: crossed where all systems have several runs, else the paired bootstrap.",
            'P-values are those of :func:`truegain.compare` with ``family="all"``.',
        ),
    ] = "auto"
    adjustment: Annotated[
        Literal["auto", Adjustment],
        Option("For the number of pairs, metric by metric. auto: maxt; holm with crossed.", flags=("--adjust",)),
    ] = "auto"
