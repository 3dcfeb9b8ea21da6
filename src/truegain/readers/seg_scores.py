"""Segment scores of mt-metrics-eval: a system, a tab and a score per line; None if the segment was not rated.

Segments stand in order within each system, so that the first line of every system is the first segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from truegain.errors import InputError, Setting
from truegain.notes import Note
from truegain.readers.field_columns import coded
from truegain.readers.formats import File, Format
from truegain.readers.ratings import tables_by_system
from truegain.readers.score_values import required_score, text_kind
from truegain.readers.scores import SCORE, ScoreTable
from truegain.readers.sources import without_compression
from truegain.readers.tabular import Table

#: Stands for the score, or the rating, of a segment that was not rated.
NOT_RATED = "None"
_OF_SYSTEMS = ".sys.score"  # of mt-metrics-eval, too
_SAID = "a system and a score per line, as mt-metrics-eval writes them: segments are numbered within each system"


def _table(file: File) -> Table | None:
    """Return the columns that a long table has: systems, the numbers of segments, and scores."""
    source = file.lines
    if without_compression(file.path).endswith(_OF_SYSTEMS):
        raise InputError(
            "it has scores of systems, and scores of segments are needed",
            path=source.name,
            hint="mt-metrics-eval has them in the file of the same name that ends in .seg.score",
        )
    if not _recognised(source.lines):
        return None
    systems: list[str | None] = []
    ids: list[str | None] = []
    scores: list[str | None] = []
    counts: dict[str, int] = {}
    for line, (system, score) in enumerate(rows_by_system(source.lines, source.name, "a score"), 1):
        if score is not None:
            required_score(score, "number", source.name, line)
        counts[system] = counts.get(system, 0) + 1
        systems.append(system)
        ids.append(str(counts[system]))
        scores.append(score)
    check_counts(counts, source.name)
    columns = {"system": coded(systems), "id": coded(ids), SCORE: coded(scores)}
    notes = (*source.notes, Note("systems", _SAID, file=source.name))
    return Table(source.name, columns, notes, lines=range(1, len(ids) + 1), rated=True)


def _recognised(lines: Sequence[str]) -> bool:
    """Tell by the first lines: two columns without a header, of which the second is a score and the first repeats."""
    system, tab, score = lines[0].partition("\t")
    if not (tab and system.strip() and _is_score(score)):
        return False
    return any(one.partition("\t")[0] == system for one in lines[1:]) and not _is_score(system)


def _is_score(text: str) -> bool:
    return text.strip() == NOT_RATED or text_kind(text) == "number"


def rows_by_system(lines: Sequence[str], name: str, what: str) -> Iterator[tuple[str, str | None]]:
    """Yield the system and the text after it of each line; None if it was not rated."""
    for number, line in enumerate(lines, 1):
        fields = line.split("\t")
        if len(fields) != 2 or not fields[0].strip():
            found = f"{len(fields)} field{'s' if len(fields) != 1 else ''}" if fields[0].strip() else "no system"
            raise InputError(f"{found}; a system, a tab and {what} were expected", path=name, line=number)
        system, text = (field.strip() for field in fields)
        yield system, None if text == NOT_RATED else text


def check_counts(counts: dict[str, int], name: str) -> None:
    """Refuse systems with different numbers of lines."""
    first, segments = next(iter(counts.items()))
    for system, count in counts.items():
        if count != segments:
            raise InputError(
                f"{system!r} has {count:,} line{'' if count == 1 else 's'} and {first!r} {segments:,}: "
                "segments are matched by their order",
                path=name,
                hint="every system has a line for every segment, with None if it was not rated",
            )


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    table = _table(file)
    if table is None:
        return None
    if id_column is not None:
        raise InputError(
            f"its segments are matched by their order, and it has no column {id_column!r}",
            path=file.lines.name,
            hint="leave the column of ids out",
        )
    return tables_by_system(table)


def _check_text(lines: Sequence[str], name: str) -> None:
    if _recognised(lines) and all(_is_score(line.partition("\t")[2]) for line in lines):
        raise InputError(
            "every line is a system, a tab and a score, and was given as plain text",
            path=name,
            line=1,
            hint=("compare the scores: ", Setting("metrics", ("scores",))),
        )


FORMAT = Format(
    "segment scores of mt-metrics-eval: a system, a tab and a score per line",
    table=_table,
    scores=_scores,
    check_text=_check_text,
)
