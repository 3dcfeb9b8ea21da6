"""One table instead of everything: what people paste into papers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from truegain.report.model import Document, Paragraph, Table
from truegain.studies.compare.headline import headline
from truegain.studies.compare.result import CompareResult
from truegain.studies.layouts.multeval import multeval
from truegain.studies.layouts.paper import paper
from truegain.studies.score.result import ScoreResult
from truegain.studies.shared_view import describe_testset, signatures

_TABLES: dict[str, Callable[[CompareResult | ScoreResult, int | None], Table]] = {"paper": paper, "multeval": multeval}


def arranged(result: CompareResult | ScoreResult, layout: str, decimals: int | None) -> Document:
    """Return the answer, the table with warnings as notes, what to know of files, and what it takes to repeat it."""
    said = headline(result, decimals) if isinstance(result, CompareResult) else []
    answers = [one for one in said if isinstance(one, Paragraph)]  # a table of signs would be a second table
    table = _TABLES[layout](result, decimals)
    warnings = tuple(f"{note}." for note in result.notes if note.warning)
    return Document(
        (
            Paragraph(describe_testset(result.testset, result.scores), "title"),
            *answers,
            replace(table, notes=(*table.notes, *warnings)),
            *(Paragraph(f"{note}.") for note in result.notes if note.file and not note.warning),
            *signatures(result),
        )
    )
