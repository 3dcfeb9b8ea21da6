"""``truegain inspect``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.applicable import refuse_given
from truegain.cli.command_line import made_here
from truegain.cli.display import check_output, progress_bar, show
from truegain.cli.options import (
    development_options,
    input_options,
    output_options,
    read_development,
    read_inputs,
    the_cache,
)

__all__ = ["command"]


class _Edges(click.ParamType[tuple[int, ...]]):
    """Whole numbers with commas between them."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return tuple(int(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is no list of whole numbers such as 10,20,30", param, ctx)


@click.command("inspect")
@input_options
@development_options
@click.option("--baseline", "-b", metavar="NAME", help="The system to compare with. Default: the first.")
@click.option("--system", "-s", metavar="NAME", help="The system to compare. Default: the other one of two.")
@click.option(
    "--count",
    "-n",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="Segments and documents to list each way.",
)
@click.option("--ngrams", type=click.IntRange(0), default=10, show_default=True, help="N-grams to list each way.")
@click.option(
    "--tokenize",
    type=click.Choice(["13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab"]),
    default="13a",
    show_default=True,
    help="How lengths, words and n-grams are split; none: at white space. Metrics have settings of their own.",
)
@click.option(
    "--length-buckets",
    type=_Edges(),
    default="10,20,30,40,50,60",
    show_default=True,
    metavar="N,N,...",
    help="Where buckets of reference lengths begin.",
)
@click.option(
    "--frequencies", metavar="FILE", help="A text to count words in, of training say. Default: the references."
)
@click.option("--all", "everything", is_flag=True, help="In csv and json, every segment and not only those listed.")
@click.option(
    "--records",
    type=click.Choice(["segments", "documents", "lengths", "words", "ngrams"]),
    default="segments",
    show_default=True,
    help="What csv has a row for.",
)
@click.option("--jobs", "-j", type=int, help="Threads; the answer does not depend on it. Default: all processors.")
@click.option("--no-cache", is_flag=True, help="Neither read nor keep statistics on disk.")
@output_options
def command(
    *,
    jobs: int | None,
    no_cache: bool,
    format: str | None,
    output: str | None,
    width: int | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Which segments made the difference between two systems?

    Shows the segments that speak most for the system and against it, with what differs marked, and what documents,
    reference lengths, frequent and rare words and n-grams have to do with the gain. Of several runs, the median runs.

    \b
    truegain inspect --ref ref.txt base.txt new.txt
    truegain inspect --ref ref.txt --docs docs.txt -m bleu -m chrf --count 10 base.txt new.txt
    truegain inspect --ref ref.txt --frequencies train.txt --length-buckets 15,30 base.txt new.txt
    truegain inspect --ref ref.txt base.txt new.txt --all -f csv
    """
    from truegain.executors.processors import available_jobs
    from truegain.studies.inspect.study import inspect

    chosen = check_output(output, format)
    _check_records(chosen, options["records"], everything=options["everything"])
    development = read_development(options)
    corpus, wanted = read_inputs(options)
    with progress_bar(quiet) as progress:
        result = inspect(
            corpus,
            metrics=wanted,
            development=development,
            jobs=available_jobs(jobs),
            cache=the_cache(no_cache),
            progress=progress,
            **options,
        )
    if not result.lengths:
        why = "there are no texts whose lengths, words and n-grams could be counted"
        refuse_given(("ngrams", "tokenize", "length_buckets", "frequencies"), why)
    show(made_here(result), format=chosen, output=output, width=width)


def _check_records(chosen: str, records: str, *, everything: bool) -> None:
    """Refuse options about rows without rows, and about lists that rows are not of."""
    if chosen not in ("csv", "tsv", "json"):
        refuse_given(("everything", "records"), f"{chosen} has no rows", hint="choose csv, tsv or json")
    if chosen in ("csv", "tsv"):
        if records not in ("segments", "documents") or (everything and records == "segments"):
            refuse_given(("count",), f"every one of the {records} has a row")
        if records != "ngrams":
            refuse_given(("ngrams",), f"there is a row for each of the {records}", hint="give --records ngrams")
