"""The options of ``compare``."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from truegain.registry import TESTS
from truegain.settings import Adjustment, Alternative, Family
from truegain.settings.groups import (
    Blocks,
    Development,
    GainIntervals,
    Grouping,
    Inputs,
    Labels,
    Scoring,
    StandardErrors,
    TrainingSamples,
)
from truegain.settings.option import Option, Options


class Comparing(Options):
    """Options of comparisons, on one test set or several."""

    baseline: Annotated[
        str | None, Option("System to compare with. Default: the first.", flags=("--baseline", "-b"), metavar="NAME")
    ] = None
    test: Annotated[
        str | Sequence[str],
        Option(
            "Significance test (truegain tests lists them). If there are several, the first decides.",
            "``auto`` is ``crossed`` if either system has several runs, and ``raters`` for scores of three people or "
            "more, with the tests of the other claims beside it; else ``ar``, or the bootstrap if the systems differ "
            "in their number of runs or blocks are resampled.",
            choices=("auto", *TESTS),
            metavar="NAME",
            many=True,
            text="str, or sequence of str",
            comment="ar; crossed for several runs, raters for scores of people; truegain tests lists them",
        ),
    ] = "auto"
    alternative: Annotated[
        Alternative,
        Option(
            "Alternative hypothesis; greater: the system is better than the baseline.",
            comment='"greater": the system is better than the baseline; "less"',
        ),
    ] = "two-sided"
    adjust: Annotated[
        Adjustment,
        Option(
            "Adjustment for the number of comparisons, per metric.",
            comment='for the number of comparisons: "none", "bonferroni", "bh", "maxt", …',
        ),
    ] = "holm"
    family: Annotated[
        Family, Option("Compare each system with the baseline, or all pairs.", comment='or "all": every two systems')
    ] = "baseline"
    changed_segments: Annotated[
        int | None,
        Option(
            "Number of most changed segments to list in pages and JSON, with their texts, each way.",
            "None lists 10, fewer for very many pairs.",
            metavar="N",
            least=0,
            key="",
        ),
    ] = 0
    resamples: Annotated[
        int | Literal["auto"],
        Option(
            "Number of resamples; auto: as many as the decision needs, at most a million.",
            flags=("--resamples", "-R"),
            metavar="INTEGER|auto",
            comment='"auto": as many as the decisions need',
            text='int or "auto"',
        ),
    ] = 10_000


class NullGain(Options):
    """The null hypothesis."""

    null_gain: Annotated[
        float,
        Option(
            "Gain under the null hypothesis; if it is not 0, auto is the bootstrap or the crossed test.",
            "In points of every metric: that the gain is this (two-sided), at most this (``greater``) or at least this "
            "(``less``). Tests of exchangeability are refused.",
            metavar="POINTS",
            comment="in points of each metric: test whether the gain is more, or less, than this",
        ),
    ] = 0.0


class Meaning(Options):
    """Meaning of gains."""

    human_agreement: Annotated[
        Any,
        Option(
            "Profile: a result of agree, saved as JSON, to say how often people rank systems with such a gain the same "
            "way.",
            "Or the result itself.",
            metavar="FILE",
            key="",
            text="AgreeResult or path, optional",
        ),
    ] = None


class CompareOptions(
    Grouping,
    Inputs,
    Labels,
    Development,
    TrainingSamples,
    Comparing,
    NullGain,
    Meaning,
    GainIntervals,
    StandardErrors,
    Blocks,
    Scoring,
):
    """The options of :func:`truegain.compare`."""
