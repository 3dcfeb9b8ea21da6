"""The options of ``score``."""

from typing import Annotated

from truegain.settings.groups import (
    Blocks,
    Development,
    Grouping,
    Inputs,
    Intervals,
    Labels,
    Resamples,
    Scoring,
    StandardErrors,
    TrainingSamples,
)
from truegain.settings.option import Option


class ScoreOptions(
    Grouping, Inputs, Labels, Development, TrainingSamples, Resamples, Intervals, StandardErrors, Blocks, Scoring
):
    """The options of :func:`truegain.score`."""

    gain: Annotated[
        float | None,
        Option(
            "Say which standard deviations are more than half of this gain. Default: the difference of two systems.",
            metavar="POINTS",
        ),
    ] = None
    standard_errors: Annotated[
        bool, Option("Show standard errors in tables, by CR1 over the units; JSON, CSV and TSV always have them.")
    ] = True
    segments: Annotated[bool, Option("Also score single segments.")] = False
    intervals: Annotated[bool, Option("Compute intervals; without them nothing is resampled.", flags=())] = True
