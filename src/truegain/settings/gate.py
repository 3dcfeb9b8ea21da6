"""The options of ``gate``."""

from collections.abc import Mapping
from typing import Annotated, Literal

from truegain.registry import TESTS
from truegain.settings.groups import Blocks, Inputs, Labels, Resamples, Scoring
from truegain.settings.option import Option, Options

__all__ = ["GateOptions", "Gating", "Requirement"]

Requirement = Literal["better", "not-worse", "no-loss-shown"]


class Gating(Options):
    """How a gate tests."""

    test: Annotated[
        str,
        Option(
            "bootstrap, crossed (several runs), stationary-bootstrap, welch or t.",
            "A test that can be held against any gain. ``auto`` is ``crossed`` where both systems have several runs, "
            "else the bootstrap, also where the gain is zero: bounds and p-values then go together.",
            choices=("auto", *(name for name, entry in TESTS.items() if entry.shifted)),
            metavar="NAME",
        ),
    ] = "auto"
    alpha: Annotated[float, Option("Level of the test, which is one-sided.")] = 0.05


class GateOptions(Inputs, Labels, Gating, Resamples, Blocks, Scoring):
    """The options of :func:`truegain.gate`."""

    baseline: Annotated[
        str | None,
        Option("The system to hold the other against. Default: the first.", flags=("--baseline", "-b"), metavar="NAME"),
    ] = None
    system: Annotated[str | None, Option("The other system, if there is doubt.", flags=())] = None
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
