"""The options of ``gate``."""

from collections.abc import Mapping
from typing import Annotated, Literal

from truegain.registry import TESTS
from truegain.settings.groups import Blocks, Inputs, Labels, Resamples, Scoring
from truegain.settings.option import Option, Options

Requirement = Literal["better", "not-worse", "no-loss-shown"]


class Gating(Options):
    """Options of a gate's test."""

    test: Annotated[
        str,
        Option(
            "Significance test: tango (scores with two values), skew-t, bootstrap, crossed (several runs), raters, "
            "stationary-bootstrap, welch or t.",
            "``auto`` is ``crossed`` if either system has several runs, ``raters`` for scores of three people or more, "
            "``stationary-bootstrap`` for blocks, ``tango`` for scores with two values, else ``skew-t``.",
            choices=("auto", *(name for name, entry in TESTS.items() if entry.shifted)),
            metavar="NAME",
        ),
    ] = "auto"
    alpha: Annotated[float, Option("Significance level of the one-sided test.")] = 0.05


class GateOptions(Inputs, Labels, Gating, Resamples, Blocks, Scoring):
    """The options of :func:`truegain.gate`."""

    baseline: Annotated[
        str | None, Option("Baseline system. Default: the first.", flags=("--baseline", "-b"), metavar="NAME")
    ] = None
    system: Annotated[str | None, Option("Candidate system. Default: the other one.", flags=())] = None
    require: Annotated[
        Requirement,
        Option(
            "better: passes if a gain above the margin is shown. not-worse: passes if a loss above the margin is ruled "
            "out. no-loss-shown: fails only if a loss is shown, which proves nothing."
        ),
    ] = "better"
    margin: Annotated[
        float | Mapping[str, float] | None,
        Option(
            "In points of the metric, 0 or more. Default: 0 for better; not-worse needs one; no-loss-shown has none.",
            "One number for all metrics, or one by metric (as asked for, or by its name alone).",
            metavar="[METRIC=]MARGIN",
            many=True,
            parse=str,
            text="float or mapping of str to float, optional",
        ),
    ] = None
