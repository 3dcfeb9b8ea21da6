"""The options of ``calibrate``."""

from collections.abc import Sequence
from typing import Annotated, Literal

from truegain.registry import TESTS
from truegain.settings import Alternative
from truegain.settings.groups import Blocks, Inputs, Labels, Scoring
from truegain.settings.option import Option

NullUnitChoice = Literal["auto", "segment", "document", "block"]


class CalibrateOptions(Inputs, Labels, Blocks, Scoring):
    """The options of :func:`truegain.calibrate`."""

    test: Annotated[
        str | Sequence[str] | None,
        Option(
            "Test to calibrate (truegain tests lists them). Default: ar and bootstrap; for the runs of one system "
            "crossed, run-permutation and welch.",
            choices=tuple(TESTS),
            metavar="NAME",
            many=True,
            text="str or sequence of str, optional",
        ),
    ] = None
    gain: Annotated[
        float | None,
        Option(
            "Also measure power for this gain of the second system.",
            "It is given the better output of a unit more often than not.",
            metavar="POINTS",
        ),
    ] = None
    size: Annotated[
        int | None, Option("Number of units in each dataset, drawn without replacement. Default: all.", metavar="N")
    ] = None
    runs: Annotated[
        int | None, Option("With one system: runs given to each of the two groups. Default: half.", metavar="N")
    ] = None
    null_unit: Annotated[
        NullUnitChoice,
        Option(
            "Unit that is swapped; auto: documents if they are known, else blocks if neighbouring segments are "
            "correlated.",
            "Blocks have 40 segments.",
        ),
    ] = "auto"
    alternative: Annotated[Alternative, Option("Alternative hypothesis of the tests.")] = "two-sided"
    repetitions: Annotated[int, Option("Number of datasets.", flags=("--repetitions", "-n"))] = 1_000
    resamples: Annotated[int, Option("Number of resamples per test and dataset.", flags=("--resamples", "-R"))] = 1_000
