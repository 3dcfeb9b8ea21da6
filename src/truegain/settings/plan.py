"""The options of ``plan``."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from truegain.settings import StrataChoice
from truegain.settings.groups import Computing, Inputs, Labels, Metrics, NoBlocks
from truegain.settings.option import Option
from truegain.settings.texts import numbers, one_or_two, whole_numbers

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
        Option("Unit of resampling; auto: documents if they are known, else segments."),
    ] = "auto"
    strata: Annotated[StrataChoice, Option("Keep the shares of domains fixed; auto: if domains are known.")] = "auto"


class PlanOptions(_Pilot, Labels, Metrics, _PilotUnits, Computing):
    """The options of :func:`truegain.plan`."""

    gain: Annotated[
        float | Sequence[float] | None,
        Option(
            "Gains to plan for. Default: the observed gain.",
            "In points of each metric; without a pilot there is no default.",
            metavar="POINTS,...",
            parse=numbers,
            text="float or sequence of float, optional",
        ),
    ] = None
    power: Annotated[float, Option("Power: the probability that the gain is found.")] = 0.8
    segment_counts: Annotated[
        Sequence[int],
        Option(
            "Numbers of segments to plan for. Default: around the size of the pilot.",
            "Half, one, two and four times the pilot; without one, 500, 1,000, 2,000 and 5,000 segments.",
            flags=("--segments",),
            metavar="N,N,...",
            parse=_counts,
            text="sequence of int",
        ),
    ] = ()
    document_counts: Annotated[
        Sequence[int],
        Option(
            "Numbers of documents to plan for.",
            flags=("--documents",),
            metavar="N,N,...",
            parse=_counts,
            text="sequence of int",
        ),
    ] = ()
    run_counts: Annotated[
        Sequence[int],
        Option(
            "Numbers of runs per system. Default: 2,3,5,10, or 1.",
            "The default is 1 if the variance over runs is unknown.",
            flags=("--runs",),
            metavar="N,N,...",
            parse=_counts,
            text="sequence of int",
        ),
    ] = ()
    sample_counts: Annotated[
        Sequence[int],
        Option(
            "Numbers of samples per item. Default: 1,2,5,10,20, if the pilot has several.",
            flags=("--samples",),
            metavar="N,N,...",
            parse=whole_numbers("1,5,20"),
            text="sequence of int",
        ),
    ] = ()
    sd: Annotated[
        float | tuple[float, float] | None,
        Option(
            "Without a pilot: standard deviation of segment scores.",
            metavar="SD[,SD]",
            parse=one_or_two,
            text="float, or one of each system, optional",
        ),
    ] = None
    correlation: Annotated[
        float | None, Option("Without a pilot: correlation of the two systems' segment scores.", metavar="R")
    ] = None
    sd_difference: Annotated[
        float | None,
        Option("Without a pilot: standard deviation of segment differences, instead of the two.", metavar="SD"),
    ] = None
    design_effect: Annotated[
        float,
        Option(
            "Without a pilot: design effect of documents.",
            "It is the variance of a difference divided by that for independent segments.",
        ),
    ] = 1.0
    run_sd: Annotated[
        float | tuple[float, float] | None,
        Option(
            "Standard deviation of scores over runs.",
            "For a pilot with one run, or none.",
            metavar="SD[,SD]",
            parse=one_or_two,
            text="float, or one of each system, optional",
        ),
    ] = None
    alpha: Annotated[float, Option("Significance level of the planned test.")] = 0.05
    one_sided: Annotated[bool, Option("Plan a one-sided test.")] = False
