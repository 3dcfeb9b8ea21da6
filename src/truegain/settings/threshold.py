"""The options of ``threshold``."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from truegain.settings.groups import Blocks, Inputs, Labels, Resamples, Scoring
from truegain.settings.option import Option
from truegain.settings.texts import whole_numbers_or_auto

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
    pair_classes: Annotated[
        Mapping[tuple[str, str], str] | None,
        Option(
            "The class of each pair of systems, in either order, such as same, different and shared features: every "
            "class is also looked at separately. Pairs that are not there are in no class.",
            flags=(),
            text="mapping of (str, str) to str, optional",
        ),
    ] = None
    sizes: Annotated[
        Sequence[int] | Literal["auto"],
        Option(
            "Repeat on parts of the test set with these numbers of segments or documents; auto: 25, 50, 100 and so on.",
            metavar="N,N,...|auto",
            parse=whole_numbers_or_auto("100,200,400"),
            text='sequence of int, or "auto"',
        ),
    ] = ()
    subsets: Annotated[Subsets, Option("Take initial or random parts of the test set.")] = "initial"
    repetitions: Annotated[int, Option("Number of random parts per size.", flags=("--repetitions", "-n"))] = 5
    alpha: Annotated[float, Option("Significance level of the one-sided tests.")] = 0.05
