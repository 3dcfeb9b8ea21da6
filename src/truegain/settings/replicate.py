"""The options of ``replicate``."""

from collections.abc import Sequence
from typing import Annotated

from truegain.registry import TESTS
from truegain.settings.groups import Development, Inputs, Labels, NoBlocks, Scoring
from truegain.settings.option import Option
from truegain.settings.texts import whole_numbers


class ReplicateOptions(Inputs, Labels, Development, NoBlocks, Scoring):
    """The options of :func:`truegain.replicate`."""

    test: Annotated[
        str | Sequence[str],
        Option(
            "Significance test (truegain tests lists them).",
            "Claims about new runs are left out where one run of each is drawn.",
            choices=tuple(TESTS),
            metavar="NAME",
            many=True,
            text="str or sequence of str",
        ),
    ] = ("ar", "crossed")
    counts: Annotated[
        Sequence[int],
        Option(
            "Numbers of runs to draw from each system.",
            "Without replacement, counts above the number of runs are left out.",
            metavar="N,N,...",
            parse=whole_numbers("1,2,3,5"),
            text="sequence of int",
        ),
    ] = (1, 2, 3, 5, 10, 20)
    repetitions: Annotated[int, Option("Number of draws per number of runs.", flags=("--repetitions", "-n"))] = 250
    replacement: Annotated[
        bool,
        Option(
            "Draw runs with replacement, as Clark et al. did.", "Tests for new runs then mistake copies for replicas."
        ),
    ] = False
    gain: Annotated[float | None, Option("Gain to plan for. Default: the observed gain.", metavar="POINTS")] = None
    power: Annotated[float, Option("Power: the probability that the gain is found.")] = 0.8
    alpha: Annotated[float, Option("Significance level.")] = 0.05
    resamples: Annotated[int, Option("Number of resamples per test and draw.", flags=("--resamples", "-R"))] = 1_000
