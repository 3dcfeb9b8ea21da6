"""``truegain plan``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from truegain.cli.applicable import given_options, refuse_given
from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, draw, progress_bar, show
from truegain.cli.options import INPUTS, input_options, output_options, plot_option, read_inputs, the_cache
from truegain.errors import InputError

__all__ = ["command"]

_Number = TypeVar("_Number", int, float)


def _listed(
    kind: Callable[[str], _Number], words: str
) -> Callable[[click.Context, click.Parameter, str | None], tuple[_Number, ...]]:
    """Reads numbers with commas between them; none where the option is not given."""

    def read(ctx: click.Context, parameter: click.Parameter, value: str | None) -> tuple[_Number, ...]:
        if value is None:
            return ()
        try:
            return tuple(kind(part) for part in value.split(","))
        except ValueError:
            raise click.BadParameter(f"{value!r} is not a list of {words}", ctx, parameter) from None

    return read


_counts = _listed(int, "whole numbers, such as 500,1000,2000")
_numbers = _listed(float, "numbers, such as 0.5,1")


@click.command("plan")
@input_options
@click.option("--gain", callback=_numbers, metavar="POINTS,...", help="Gains to plan for. Default: the observed one.")
@click.option("--power", type=float, default=0.8, show_default=True, help="How surely a gain should be found.")
@click.option("--segments", callback=_counts, metavar="N,N,...", help="Sizes. Default: around that of the pilot.")
@click.option("--documents", "document_counts", callback=_counts, metavar="N,N,...", help="Sizes in documents.")
@click.option("--runs", callback=_counts, metavar="N,N,...", help="Runs of each system. Default: 2,3,5,10, or 1.")
@click.option("--sd", callback=_numbers, metavar="SD[,SD]", help="Without outputs: the deviation of segment scores.")
@click.option("--correlation", type=float, metavar="R", help="With --sd: of the two systems' segment scores.")
@click.option("--sd-difference", type=float, metavar="SD", help="Or the deviation of segments' differences.")
@click.option("--design-effect", type=float, default=1.0, show_default=True, help="With either: of documents.")
@click.option("--run-sd", callback=_numbers, metavar="SD[,SD]", help="The deviation of scores over runs.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the test to come.")
@click.option("--one-sided", is_flag=True, help="The test to come looks for a gain only, not for a loss.")
@plot_option("Power and the least gain found, by the size of the test set")
@click.option(
    "--unit",
    type=click.Choice(["auto", "segment", "document", "domain", "testset"]),
    default="auto",
    show_default=True,
    help="What varies as a whole; auto: documents where they are known.",
)
@click.option(
    "--strata",
    type=click.Choice(["auto", "none", "domain"]),
    default="auto",
    show_default=True,
    help="Test sets have as much of each domain; auto: where they are known.",
)
@click.option("--jobs", "-j", type=int, help="Threads; the answer does not depend on it. Default: all processors.")
@click.option("--no-cache", is_flag=True, help="Neither read nor keep statistics on disk.")
@output_options
def command(
    *,
    document_counts: tuple[int, ...],
    sd: tuple[float, ...],
    correlation: float | None,
    sd_difference: float | None,
    design_effect: float,
    run_sd: tuple[float, ...],
    jobs: int | None,
    no_cache: bool,
    format: str | None,
    output: str | None,
    plot: str | None,
    width: int | None,
    quiet: bool,
    **options: Any,
) -> None:
    """How many segments, documents or runs does a gain take, and which gain can be found with so many?

    From a pilot, the outputs of two systems; or from assumptions alone.

    \b
    truegain plan --ref ref.txt --docs docs.txt --gain 0.5 base.txt new.txt
    truegain plan --ref ref.txt --gain 0.5 --runs 3,5 base='runs/base.*.txt' new='runs/new.*.txt'
    truegain plan --sd 12 --correlation 0.8 --gain 0.5,1 --segments 1000,2000
    """
    from truegain.executors.processors import available_jobs
    from truegain.studies.plan.study import plan, plan_from_assumptions

    chosen = check_output(output, format)
    piloted = bool(options["systems"] or options["table"])
    if piloted:
        refuse_given(
            ("sd", "correlation", "sd_difference", "design_effect"),
            "outputs of two systems show how segments vary",
            hint="leave out --sd, --correlation, --sd-difference and --design-effect, or the outputs",
        )
    planned = {"gain": options.pop("gain") or None, "run_sd": _one_or_two(run_sd)}
    planned |= {name: options.pop(name) for name in ("power", "segments", "runs", "alpha", "one_sided")}
    if piloted:
        corpus, metrics = read_inputs(options)
        with progress_bar(quiet) as progress:
            result = plan(
                corpus,
                metrics=metrics,
                documents=document_counts,
                jobs=available_jobs(jobs),
                cache=the_cache(no_cache),
                progress=progress,
                **options,
                **planned,
            )
    else:
        _only_assumptions(document_counts)
        result = plan_from_assumptions(
            sd=_one_or_two(sd),
            correlation=correlation,
            sd_difference=sd_difference,
            design_effect=design_effect,
            **planned,
        )
    if plot is not None:
        draw(result, plot, width=width)
    show(made_here(result), format=chosen, output=output, width=width)


def _only_assumptions(document_counts: tuple[int, ...]) -> None:
    """Refuse what only a pilot can have."""
    for option in given_options(click.get_current_context(), INPUTS):
        raise InputError(
            f"{option} is given, and no system", hint="give the outputs of two: base.txt new.txt, or leave it out"
        )
    refuse_given(("unit", "strata"), "assumptions are about segments, and --design-effect about documents")
    if document_counts:
        raise InputError(
            "how many segments documents have is not known without any",
            hint="count --segments, and say how much alike those of a document are: --design-effect 1.5",
        )


def _one_or_two(given: tuple[float, ...]) -> Any:
    """None, one number for both systems, or one for either; more are refused where they are used."""
    return None if not given else given[0] if len(given) == 1 else given
