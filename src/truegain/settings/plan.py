"""The options of ``plan``, and checks of what is planned for and assumed."""

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from truegain.errors import InputError, Setting
from truegain.settings import StrataChoice
from truegain.settings.groups import Computing, Inputs, Labels, Metrics, NoBlocks
from truegain.settings.option import Option, described
from truegain.settings.texts import numbers, one_or_two, whole_numbers

_counts = whole_numbers("500,1000,2000")
#: What may be assumed: its square is a number yet.
LARGEST = 1e100
_RUN_COUNTS = (2, 3, 5, 10)
_OF_A_PILOT = ("metrics", "documents", "domains", "unit", "strata", "engine", "sample_counts")


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


def check_power(power: float, alpha: float) -> None:
    """Refuse a power that is none, or that a test has without any gain."""
    if not 0.0 < power < 1.0:
        raise InputError(f"power must be between 0 and 1; got {power:g}", hint="0.8 is usual")
    if power <= alpha:
        raise InputError(
            f"power must be above alpha, {alpha:g}: a test finds that often what is not there; got {power:g}"
        )


def checked_gains(gain: float | Sequence[float] | None) -> tuple[float, ...]:
    """Return the gains to plan for."""
    gains = () if gain is None else (gain,) if isinstance(gain, int | float) else tuple(gain)
    for wanted in gains:
        if not 1.0 / LARGEST < wanted < LARGEST:
            raise InputError(f"the gain to plan for must be a number above 0; got {wanted:g}")
    return tuple(dict.fromkeys(map(float, gains)))


def checked_runs(runs: Sequence[int], *, known: bool) -> tuple[int, ...]:
    """Return the numbers of runs to plan for; only one run if it is not known how they vary."""
    if any(not 1 <= count <= 1_000_000 for count in runs):
        raise InputError(f"a number of runs must be from 1 to a million; got {', '.join(map(str, runs))}")
    if not known and any(count > 1 for count in runs):
        raise InputError(
            "it is not known how scores vary over runs, so runs cannot be planned for",
            hint=("give several runs of both systems, or say by how much they vary: ", Setting("run_sd", 0.3)),
        )
    return tuple(dict.fromkeys(runs)) or (_RUN_COUNTS if known else (1,))


def run_deviations(options: PlanOptions) -> tuple[float, float] | None:
    """Return the deviations over runs of either system, if they are given."""
    return None if options.run_sd is None else _two(options.run_sd, "the standard deviation over runs", zero=True)


def _two(given: float | tuple[float, float], what: str, *, zero: bool = False) -> tuple[float, float]:
    """Return a number for both systems, or one for either."""
    numbers = (given, given) if isinstance(given, int | float) else tuple(given)
    if len(numbers) != 2:
        raise InputError(f"{what} is one number, or two: the baseline's and the system's; got {len(numbers)}")
    for number in numbers:
        if not (0.0 < number <= LARGEST or (zero and number == 0.0)):
            least = "0 or more" if zero else "above 0"
            raise InputError(f"{what} must be {least}, and at most {LARGEST:g}; got {number:g}")
    return float(numbers[0]), float(numbers[1])


def deviations(options: PlanOptions) -> tuple[tuple[float, float] | None, float]:
    """Return the deviations of either system, if they are given, and that of the difference."""
    sd, correlation, sd_difference = options.sd, options.correlation, options.sd_difference
    if sd_difference is not None:
        if sd is not None or correlation is not None:
            raise InputError(
                ("the deviation of the difference follows from ", Setting("sd"), " and ", Setting("correlation")),
                hint="give one or the other",
            )
        return None, _two(sd_difference, "the standard deviation of the difference")[0]
    if sd is None or correlation is None:
        both = (Setting("sd"), " and ", Setting("correlation"), " of segment scores, or ", Setting("sd_difference"))
        raise InputError(
            "it is not known by how much the difference of two systems varies from segment to segment",
            hint=("give ", *both, ", or outputs of two systems"),
        )
    first, second = _two(sd, "the standard deviation of segment scores")
    if not -1.0 <= correlation <= 1.0:
        raise InputError(f"a correlation must be from -1 to 1; got {correlation:g}")
    variance = first**2 + second**2 - 2.0 * correlation * first * second
    if variance <= 1e-12 * (first**2 + second**2):
        raise InputError(
            "with this correlation the difference does not vary at all, and every gain would be found",
            hint="give a correlation below 1",
        )
    return (first, second), math.sqrt(variance)


def refuse_what_a_pilot_has(options: PlanOptions) -> None:
    """Refuse parameters that say how outputs are scored and resampled, if there are no outputs."""
    for option in described(PlanOptions):
        if option.name in _OF_A_PILOT and getattr(options, option.name) != option.default:
            raise InputError(
                (Setting(option.name), " does not apply: there are no outputs to score"),
                hint=("give the outputs of two systems, or leave out ", Setting(option.name)),
            )
