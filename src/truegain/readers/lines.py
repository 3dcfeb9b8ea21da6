"""Plain text: a segment per line, or a number per line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truegain.errors import InputError
from truegain.readers.formats import File, Format, Layout
from truegain.readers.plain import Lines

if TYPE_CHECKING:
    from truegain.readers.scores import Placed, ScoreTable


def _text(file: File, layout: Layout) -> Lines:
    return file.lines


def _scores(file: File, id_column: str | None) -> list[ScoreTable]:
    source = file.lines
    if id_column is not None:
        raise InputError(
            f"it has one number per line, and no column {id_column!r}",
            path=source.name,
            hint="give a table with a header, or JSON lines; or leave the column of ids out",
        )
    from truegain.readers.scores import SCORE, score_table

    records: list[Placed] = [(number, {SCORE: line}) for number, line in enumerate(source.lines, 1)]
    return [score_table(records, source, text=True)]


FORMAT = Format("plain text, a segment or a number per line", text=_text, scores=_scores)
