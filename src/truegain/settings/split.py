"""The options of ``split``."""

from typing import Annotated, Any, Literal

from truegain.settings.groups import Seed, Watching
from truegain.settings.option import Option, Options, of_objects

#: Schemes by which lines are drawn, and those that take a fixed half.
DRAWN, FIXED = ("bootstrap", "half"), ("top", "bottom", "odd", "even")


class _Files(Options, kw_only=False, first=True):
    """The files, and where the training sets go."""

    files: Annotated[
        Any,
        Option(
            "Files whose lines belong together, such as the two sides of a parallel corpus.",
            text="sequence of paths",
            flags=(),
            key="",
        ),
    ]
    output: Annotated[Any, of_objects("Directory to write; it must not hold anything yet.", text="path")]


class SplitOptions(_Files, Seed, Watching):
    """The options of :func:`truegain.split`."""

    scheme: Annotated[
        Literal["bootstrap", "half", "top", "bottom", "odd", "even"],
        Option(
            "Draw lines with replacement (bootstrap), take a random half without replacement (half), or a fixed half: "
            "the first or the last lines, or every other line."
        ),
    ] = "bootstrap"
    size: Annotated[
        str | int | None,
        Option(
            "Number of lines to draw with replacement: full, half, quarter or a number. Default: full.",
            metavar="LINES",
            text='"full", "half", "quarter" or int, optional',
        ),
    ] = None
    samples: Annotated[int | None, Option("Number of training sets to draw. Default: 1.", least=1)] = None
