"""``truegain plan``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from truegain.cli.command_line import given_options, refuse_given
from truegain.cli.display import check_output, draw, show
from truegain.cli.options import INPUTS, output_options, plot_option, read_inputs
from truegain.cli.study_options import StudyCommand, options_of, run_study
from truegain.errors import InputError
from truegain.settings.plan import PlanOptions


@click.command("plan", cls=StudyCommand)
@options_of(PlanOptions)
@plot_option("Power and the least gain found, by the size of the test set")
@output_options
def command(*, plot: str | None, format: str | None, output: str | None, decimals: int | None, **given: Any) -> None:
    """Compute how many segments, documents or runs a gain takes, and which gain can be found with them.

    From a pilot, the outputs of two systems; or from assumptions alone.

    \b
    truegain plan --ref ref.txt --docs docs.txt --gain 0.5 base.txt new.txt
    truegain plan --ref ref.txt --gain 0.5 --runs 3,5 base='runs/base.*.txt' new='runs/new.*.txt'
    truegain plan --sd 12 --correlation 0.8 --gain 0.5,1 --segments 1000,2000
    """
    from truegain.studies.plan import plan

    chosen = check_output(output, format)
    if given["systems"] or given["table"]:
        refuse_given(
            ("sd", "correlation", "sd_difference", "design_effect"),
            "outputs of two systems show how segments vary",
            hint="leave out --sd, --correlation, --sd-difference and --design-effect, or the outputs",
        )
        corpus, metrics = read_inputs(given)
        result = run_study(plan, given, corpus, metrics=metrics)
    else:
        _only_assumptions(given["document_counts"])
        result = run_study(plan, {name: value for name, value in given.items() if name not in INPUTS})
    show(result, format=chosen, output=output, decimals=decimals)
    if plot is not None:
        draw(result, plot, decimals=decimals)


def _only_assumptions(document_counts: Sequence[int]) -> None:
    """Refuse what only a pilot can have."""
    for option in given_options(click.get_current_context(), INPUTS):
        raise InputError(
            f"{option} is given, and no system", hint="give the outputs of two: base.txt new.txt, or leave it out"
        )
    refuse_given(("unit", "strata"), "assumptions are about segments, and --design-effect about documents")
    refuse_given(("engine",), "there are no outputs to score")
    if document_counts:
        raise InputError(
            "document sizes are unknown without a pilot",
            hint="count --segments, and say how much alike those of a document are: --design-effect 1.5",
        )
