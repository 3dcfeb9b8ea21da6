"""``truegain threshold``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from truegain.cli.command_line import made_here, refuse_given
from truegain.cli.display import check_output, draw, show
from truegain.cli.options import output_options, plot_option
from truegain.cli.study_options import StudyCommand, carry_out, options_of, own_options
from truegain.errors import InputError
from truegain.settings.significance import SignificanceOptions
from truegain.settings.threshold import ThresholdOptions

if TYPE_CHECKING:
    from truegain.studies.reported_gains import SignificanceResult

_REPORTED = ("profile", "gain", "segments", "similar")
_SHOWN = ("metrics", "format", "output", "decimals", "methods", "quiet")


@click.command("threshold", cls=StudyCommand)
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
@click.option(
    "--pair-classes",
    "class_file",
    metavar="FILE",
    help="Classes of pairs: one line per pair with two systems and its class, separated by tabs. Pairs that are not "
    "there are in no class.",
)
@own_options(SignificanceOptions)
@plot_option("Draw gains against confidence")
@plot_option("Draw the threshold by size", "--plot-sizes")
@output_options
def command(
    *,
    group: str | None,
    group_file: str | None,
    class_file: str | None,
    plot: str | None,
    plot_sizes: str | None,
    format: str | None,
    output: str | None,
    decimals: int | None,
    **given: Any,
) -> None:
    """Find the gain that is usually significant on this test set, from all pairs of systems.

    SYSTEM is a file, or runs, as in truegain compare; give ten or more.

    \b
    truegain threshold --ref ref.txt outputs/*.txt
    truegain threshold --ref ref.txt --docs docs.txt -m bleu -m chrf outputs/*.txt --plot gains.pdf
    truegain threshold --ref ref.txt --group '^(word|bpe)' outputs/*.txt
    truegain threshold --ref ref.txt --sizes auto --subsets random outputs/*.txt

    From the JSON of such a result (--profile), predict whether a gain that somebody reports is significant:

    \b
    truegain threshold --ref ref.txt outputs/*.txt -o profile.json
    truegain threshold --profile profile.json --gain 0.4 --segments 2000
    """
    from truegain.readers.labels import read_labels, read_pair_classes
    from truegain.studies.threshold import threshold

    chosen = check_output(output, format)
    reported = {name: given.pop(name) for name in _REPORTED}
    if reported["profile"] is not None:
        show(_significance(reported, given), format=chosen, output=output, decimals=decimals)
        return
    refuse_given(_REPORTED, "it is about reported gains, and there is no profile", hint="give --profile FILE")
    if group is not None and group_file is not None:
        raise InputError("labels are given twice", hint="give --group or --groups, not both")
    if class_file is not None and (group is not None or group_file is not None):
        raise InputError(
            "there are labels of systems and classes of pairs",
            hint="give --pair-classes, or --group or --groups, not both",
        )
    if plot_sizes is not None and not given["sizes"]:
        raise InputError("there are no sizes to draw", hint="say which: --sizes auto, or --sizes 100,200,400")
    if not given["sizes"]:
        why = "it is about parts of the test set, and none were asked for"
        refuse_given(("subsets", "repetitions"), why, hint="give --sizes auto")
    elif given["subsets"] == "initial":
        refuse_given(("repetitions",), "there is one initial part of each size", hint="give --subsets random")
    groups = group if group_file is None else read_labels(group_file)
    classes = None if class_file is None else read_pair_classes(class_file)
    result = carry_out(threshold, given, groups=groups, pair_classes=classes)
    show(result, format=chosen, output=output, decimals=decimals)
    if plot is not None:
        draw(result, plot, decimals=decimals)
    if plot_sizes is not None:
        draw(result, plot_sizes, "sizes", decimals=decimals)


def _significance(reported: dict[str, Any], given: dict[str, Any]) -> SignificanceResult:
    """Predict from a profile; refuse what only outputs can have."""
    from truegain.studies.reported_gains import significance

    if given["systems"]:
        raise InputError("there are systems and a profile", hint="leave out the systems: the profile has its own")
    others = [one.name for one in click.get_current_context().command.params if one.name not in (*_REPORTED, *_SHOWN)]
    refuse_given([name for name in others if name is not None], "a profile has all that is known of its test set")
    if reported["gain"] is None:
        raise InputError("there is no reported gain to predict for", hint="give it: --gain 0.4")
    if len(given["metrics"]) > 1:
        raise InputError("a reported gain is of one metric", hint=f"give one: -m {given['metrics'][0]}")
    return made_here(significance(**reported, metric=given["metrics"][0] if given["metrics"] else None))
