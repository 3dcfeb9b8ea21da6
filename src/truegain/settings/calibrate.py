"""The options of ``calibrate``."""

from collections.abc import Sequence
from typing import Annotated, Literal

from truegain.registry import TESTS
from truegain.settings.choices import Alternative
from truegain.settings.groups import Blocks, Inputs, Labels, Scoring
from truegain.settings.option import Option

__all__ = ["CalibrateOptions", "NullUnitChoice"]

NullUnitChoice = Literal["auto", "segment", "document", "block"]


class CalibrateOptions(Inputs, Labels, Blocks, Scoring):
    """The options of :func:`truegain.calibrate`."""

    test: Annotated[
        str | Sequence[str] | None,
        Option(
            "A test to calibrate, see truegain tests. Default: ar and bootstrap; of one system's "
            "runs crossed, run-permutation and welch.",
            choices=tuple(TESTS),
            metavar="NAME",
            many=True,
            text="str or sequence of str, optional",
        ),
    ] = None
    gain: Annotated[
        float | None,
        Option(
            "Measure power too, with the second system better by these.",
            "It is given the better output of a unit more often than not.",
            metavar="POINTS",
        ),
    ] = None
    size: Annotated[
        int | None, Option("Datasets of so many units, drawn anew each time. Default: all.", metavar="N")
    ] = None
    runs: Annotated[
        int | None, Option("Of one system's runs, how many each of two gets. Default: half.", metavar="N")
    ] = None
    null_unit: Annotated[
        NullUnitChoice,
        Option(
            "What is swapped as a whole. auto: documents if they are known; else blocks if neighbouring segments are "
            "correlated.",
            "Blocks have 40 segments.",
        ),
    ] = "auto"
    alternative: Annotated[Alternative, Option("Of the tests.")] = "two-sided"
    repetitions: Annotated[int, Option("Number of datasets.", flags=("--repetitions", "-n"))] = 1_000
    resamples: Annotated[int, Option("Of each test on each dataset.", flags=("--resamples", "-R"))] = 1_000
