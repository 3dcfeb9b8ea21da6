"""``truegain rank``."""

from __future__ import annotations

from typing import Any

import click

from truegain.cli.display import check_output, draw, show
from truegain.cli.options import output_options, plot_option
from truegain.cli.study_options import StudyCommand, carry_out, options_of
from truegain.settings.rank import RankOptions

__all__ = ["command"]


@click.command("rank", cls=StudyCommand)
@options_of(RankOptions)
@plot_option("Draw all pairs as a heat map")
@output_options
def command(*, plot: str | None, format: str | None, output: str | None, decimals: int | None, **given: Any) -> None:
    """Rank systems by all pairs: rank intervals, clusters and letters.

    SYSTEM is a file, or runs, as in truegain compare; two or hundreds of them.

    \b
    truegain rank --ref ref.txt outputs/*.txt
    truegain rank --ref ref.txt --docs docs.txt -m bleu -m chrf outputs/*.txt
    truegain rank --ref ref.txt outputs/*.txt --plot heatmap.pdf -o ranking.json
    truegain rank --ref ref.txt word='runs/word.*.txt' bpe='runs/bpe.*.txt' base='runs/base.*.txt'
    """
    from truegain.studies.rank.study import rank

    chosen = check_output(output, format)
    result = carry_out(rank, given)
    show(result, format=chosen, output=output, decimals=decimals)
    if plot is not None:
        draw(result, plot, decimals=decimals)
