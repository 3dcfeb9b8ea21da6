"""``truegain compare``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.command_line import refuse_given
from truegain.cli.display import check_output, show
from truegain.cli.options import all_tests_option, layout_option, output_options
from truegain.cli.study_options import StudyCommand, carry_out, options_of
from truegain.settings.compare import CompareOptions


@click.command("compare", cls=StudyCommand)
@options_of(CompareOptions)
@layout_option
@all_tests_option
@output_options
def command(*, format: str | None, output: str | None, decimals: int | None, layout: str, **given: Any) -> None:
    """Test whether systems are better than a baseline.

    SYSTEM is a file with one segment per line, compressed or not (- is standard input), or NAME=FILE, or the runs of
    a system: NAME='runs/*.txt' or NAME=a.txt,b.txt. The first one is the baseline.

    \b
    truegain compare --ref ref.txt base.txt new.txt
    truegain compare --ref ref.txt --docs docs.txt -m bleu -m chrf:word_order=2 base.txt new.txt
    truegain compare --ref ref.txt word='runs/word.*.txt' bpe='runs/bpe.*.txt' -o result.json
    truegain compare -m scores comet.json
    """
    from truegain.studies.compare import compare

    chosen = check_output(output, format, layout)
    if layout != "full":
        refuse_given(("by", "human_agreement"), f"--layout {layout} is one table of systems")
    if chosen not in ("html", "json"):
        refuse_given(("changed_segments",), f"{chosen} does not list segments", hint="choose html or json")
    show(carry_out(compare, given), format=chosen, output=output, decimals=decimals, layout=layout)
