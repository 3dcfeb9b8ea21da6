"""The options of ``threshold``."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from truegain.settings.groups import Blocks, Inputs, Labels, Resamples, Scoring
from truegain.settings.option import Option
from truegain.settings.texts import whole_numbers_or_auto

__all__ = ["Subsets", "ThresholdOptions"]

Subsets = Literal["initial", "random"]


class ThresholdOptions(Inputs, Labels, Resamples, Blocks, Scoring):
    """The options of :func:`truegain.threshold`."""

    groups: Annotated[
        Mapping[str, str] | str | None,
        Option(
            "The label of each system, or a pattern with one group in parentheses that finds it in the system's name: "
            "pairs with one label and with two are then also looked at apart.",
            flags=(),
            text="mapping of str to str, or str, optional",
        ),
    ] = None
    sizes: Annotated[
        Sequence[int] | Literal["auto"],
        Option(
            "The same on parts of so many segments or documents; auto: 25 and its doubles.",
            metavar="N,N,...|auto",
            parse=whole_numbers_or_auto("100,200,400"),
            text='sequence of int, or "auto"',
        ),
    ] = ()
    subsets: Annotated[Subsets, Option("What parts are made of.")] = "initial"
    repetitions: Annotated[int, Option("Random parts of each size.", flags=("--repetitions", "-n"))] = 5
    alpha: Annotated[float, Option("Level of the tests, which are one-sided.")] = 0.05
