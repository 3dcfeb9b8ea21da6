"""The options of assertions."""

from typing import TYPE_CHECKING, Annotated, Any

from truegain.settings.gate import Gating
from truegain.settings.groups import Blocks, Computing, Labels, Resamples, Seed
from truegain.settings.option import Option, Options

if TYPE_CHECKING:
    from truegain.metrics.base import Metric


class _Outputs(Options, kw_only=False, first=True):
    references: Annotated[
        Any, Option("As in :func:`truegain.compare`.", text="sequence of str, sequence of sequences, path, or None")
    ]
    baseline: Annotated[
        Any,
        Option(
            "A sequence of segments, a file, or a sequence of such for several runs; arrays of numbers are segment "
            'scores (``metric="scores"``).',
            text="outputs",
        ),
    ]
    system: Annotated[Any, Option("Outputs of the other system.", text="outputs")]


class AssertOptions(_Outputs, Labels, Gating, Resamples, Blocks, Seed, Computing):
    """The options of :func:`truegain.testing.assert_no_loss_shown`."""

    metric: Annotated[
        "str | Metric", Option("Any metric that :func:`truegain.compare` takes.", text="str or Metric")
    ] = "bleu"


class AssertNotWorseOptions(AssertOptions):
    """The options of :func:`truegain.testing.assert_not_worse`."""

    margin: Annotated[float, Option("Loss that is allowed, in points of the metric; 0 asks for a gain.")]


class AssertBetterOptions(AssertOptions):
    """The options of :func:`truegain.testing.assert_better`."""

    margin: Annotated[float, Option("Gain that must be exceeded, in points of the metric.")] = 0.0
