"""``truegain threshold``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.applicable import refuse_given
from truegain.cli.display import check_output, draw, show
from truegain.cli.options import output_options, plot_option
from truegain.cli.study_options import carry_out, options_of
from truegain.errors import InputError
from truegain.settings.threshold import ThresholdOptions

__all__ = ["command"]


@click.command("threshold")
@options_of(ThresholdOptions)
@click.option(
    "--group",
    metavar="REGEX",
    help="Label systems by the group in parentheses that this pattern finds in their names, such as '^(word|bpe)'.",
)
@click.option(
    "--groups",
    "group_file",
    metavar="FILE",
    help="Labels of systems: one line per system with its name, a tab and its label.",
)
@plot_option("Draw gains against confidence")
@plot_option("Draw the threshold by size", "--plot-sizes")
@output_options
def command(
    *,
    group: str | None,
    group_file: str | None,
    plot: str | None,
    plot_sizes: str | None,
    format: str | None,
    output: str | None,
    decimals: int | None,
    **given: Any,
) -> None:
    """Find the gain that is usually significant on this test set, from all pairs of systems.

    SYSTEM is a file, or runs, as in truegain compare; ten or more say most.

    \b
    truegain threshold --ref ref.txt outputs/*.txt
    truegain threshold --ref ref.txt --docs docs.txt -m bleu -m chrf outputs/*.txt --plot gains.pdf
    truegain threshold --ref ref.txt --group '^(word|bpe)' outputs/*.txt
    truegain threshold --ref ref.txt --sizes auto --subsets random outputs/*.txt
    """
    from truegain.readers.labels import read_labels
    from truegain.studies.threshold.study import threshold

    chosen = check_output(output, format)
    if group is not None and group_file is not None:
        raise InputError("labels are given twice", hint="give --group or --groups, not both")
    if plot_sizes is not None and not given["sizes"]:
        raise InputError("there are no sizes to draw", hint="say which: --sizes auto, or --sizes 100,200,400")
    if not given["sizes"]:
        why = "it is about parts of the test set, and none were asked for"
        refuse_given(("subsets", "repetitions"), why, hint="give --sizes auto")
    elif given["subsets"] == "initial":
        refuse_given(("repetitions",), "there is one initial part of each size", hint="give --subsets random")
    groups = group if group_file is None else read_labels(group_file)
    result = carry_out(threshold, given, groups=groups)
    show(result, format=chosen, output=output, decimals=decimals)
    if plot is not None:
        draw(result, plot, decimals=decimals)
    if plot_sizes is not None:
        draw(result, plot_sizes, "sizes", decimals=decimals)
