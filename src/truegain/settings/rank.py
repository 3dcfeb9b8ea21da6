"""The options of ``rank``."""

from typing import Annotated, Literal

from truegain.registry import TESTS
from truegain.settings import Adjustment
from truegain.settings.groups import Blocks, Grouping, Inputs, Intervals, Labels, Resamples, Scoring, StandardErrors
from truegain.settings.option import Option


class RankOptions(Grouping, Inputs, Labels, Resamples, Intervals, StandardErrors, Blocks, Scoring):
    """The options of :func:`truegain.rank`."""

    test: Annotated[
        str,
        Option(
            "Significance test (truegain tests lists them); auto: crossed if no more than one system has a single "
            "run, raters if three or more people gave the scores, tango if all scores have two values, else the paired "
            "bootstrap.",
            'P-values are those of :func:`truegain.compare` with ``family="all"``.',
            choices=("auto", *TESTS),
            metavar="NAME",
        ),
    ] = "auto"
    adjust: Annotated[
        Literal["auto", Adjustment],
        Option(
            "Adjustment for the number of pairs, per metric; auto: maxt with bootstrap, stationary-bootstrap and ar, "
            "else holm."
        ),
    ] = "auto"
