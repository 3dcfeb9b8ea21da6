"""``truegain inspect``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.command_line import refuse_given
from truegain.cli.display import check_output, show
from truegain.cli.options import output_options
from truegain.cli.study_options import StudyCommand, carry_out, options_of
from truegain.settings.inspect import InspectOptions


@click.command("inspect", cls=StudyCommand)
@options_of(InspectOptions)
@output_options
def command(*, format: str | None, output: str | None, decimals: int | None, **given: Any) -> None:
    """Show which segments made the difference between two systems.

    Shows the segments that favour either system most, with their differences marked, and how the gain depends on
    documents, reference lengths, frequent and rare words, and n-grams. Of several runs, those with the median score are
    shown.

    \b
    truegain inspect --ref ref.txt base.txt new.txt
    truegain inspect --ref ref.txt --docs docs.txt -m bleu -m chrf --count 10 base.txt new.txt
    truegain inspect --ref ref.txt --frequencies train.txt --length-buckets 15,30 base.txt new.txt
    truegain inspect --ref ref.txt base.txt new.txt --all -f csv
    """
    from truegain.studies.inspect import inspect

    chosen = check_output(output, format)
    _check_records(chosen, given["records"], everything=given["everything"])
    result = carry_out(inspect, given)
    if not result.lengths:
        why = "there are no texts whose lengths, words and n-grams could be counted"
        refuse_given(("ngrams", "tokenize", "length_buckets", "frequencies"), why)
    show(result, format=chosen, output=output, decimals=decimals)


def _check_records(chosen: str, records: str, *, everything: bool) -> None:
    """Refuse options about rows without rows, and about lists that rows are not of."""
    if chosen not in ("csv", "tsv", "json"):
        refuse_given(("everything", "records"), f"{chosen} has no rows", hint="choose csv, tsv or json")
    if chosen in ("csv", "tsv"):
        if records not in ("segments", "documents") or (everything and records == "segments"):
            refuse_given(("count",), f"every one of the {records} has a row")
        if records != "ngrams":
            refuse_given(("ngrams",), f"there is a row for each of the {records}", hint="give --records ngrams")
