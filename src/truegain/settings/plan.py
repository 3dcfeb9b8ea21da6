"""The options of ``plan``."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from truegain.settings.choices import StrataChoice
from truegain.settings.groups import Computing, Inputs, Labels, Metrics, NoBlocks
from truegain.settings.option import Option
from truegain.settings.texts import numbers, one_or_two, whole_numbers

__all__ = ["PlanOptions"]

_counts = whole_numbers("500,1000,2000")


class _Pilot(Inputs, kw_only=False, first=True):
    references: Annotated[
        Any,
        Option(
            "The references of a pilot, as in :func:`truegain.compare`; with several runs of both systems, runs are "
            "planned for too. None: there is no pilot.",
            flags=(),
            text="sequence of str, sequence of sequences, path, None, or Corpus",
        ),
    ] = None


class _PilotUnits(NoBlocks):
    unit: Annotated[
        Literal["auto", "segment", "document", "domain", "testset"],
        Option("What varies as a whole; auto: documents where they are known."),
    ] = "auto"
    strata: Annotated[StrataChoice, Option("Test sets have as much of each domain; auto: where they are known.")] = (
        "auto"
    )


class PlanOptions(_Pilot, Labels, Metrics, _PilotUnits, Computing):
    """The options of :func:`truegain.plan`."""

    gain: Annotated[
        float | Sequence[float] | None,
        Option(
            "Gains to plan for. Default: the observed one.",
            "In points of each metric; without a pilot there is no default.",
            metavar="POINTS,...",
            parse=numbers,
            text="float or sequence of float, optional",
        ),
    ] = None
    power: Annotated[float, Option("How surely a gain should be found.")] = 0.8
    segment_counts: Annotated[
        Sequence[int],
        Option(
            "Sizes. Default: around that of the pilot.",
            "Half, one, two and four times the pilot; without one, 500, 1,000, 2,000 and 5,000 segments.",
            flags=("--segments",),
            metavar="N,N,...",
            parse=_counts,
            text="sequence of int",
        ),
    ] = ()
    document_counts: Annotated[
        Sequence[int],
        Option("Sizes in documents.", flags=("--documents",), metavar="N,N,...", parse=_counts, text="sequence of int"),
    ] = ()
    run_counts: Annotated[
        Sequence[int],
        Option(
            "Runs of each system. Default: 2,3,5,10, or 1.",
            "1 if it is not known how runs vary.",
            flags=("--runs",),
            metavar="N,N,...",
            parse=_counts,
            text="sequence of int",
        ),
    ] = ()
    sd: Annotated[
        float | tuple[float, float] | None,
        Option(
            "Without outputs: the deviation of segment scores.",
            metavar="SD[,SD]",
            parse=one_or_two,
            text="float, or one of each system, optional",
        ),
    ] = None
    correlation: Annotated[float | None, Option("With --sd: of the two systems' segment scores.", metavar="R")] = None
    sd_difference: Annotated[float | None, Option("Or the deviation of segments' differences.", metavar="SD")] = None
    design_effect: Annotated[
        float,
        Option(
            "With either: of documents.",
            "How many times the variance of a difference is that of independent segments.",
        ),
    ] = 1.0
    run_sd: Annotated[
        float | tuple[float, float] | None,
        Option(
            "The deviation of scores over runs.",
            "If the pilot has one run, or there is none.",
            metavar="SD[,SD]",
            parse=one_or_two,
            text="float, or one of each system, optional",
        ),
    ] = None
    alpha: Annotated[float, Option("Level of the test to come.")] = 0.05
    one_sided: Annotated[bool, Option("The test to come looks for a gain only, not for a loss.")] = False
