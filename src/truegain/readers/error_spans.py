"""Ratings of mt-metrics-eval: a system, a tab and the errors that a rater marked (MQM), per line; None if not rated.

Segments stand in order within each system, as in its segment scores. A file holds the ratings of one rater, after whom
it is named: ``zh-en.mqm.rater1.seg.rating``. Several files are one table, with a column of raters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from truegain.errors import InputError, Setting
from truegain.notes import Note
from truegain.readers.field_columns import coded
from truegain.readers.formats import File, Format
from truegain.readers.plain import ending
from truegain.readers.ratings import tables_by_system
from truegain.readers.scores import ScoreTable
from truegain.readers.seg_scores import NOT_RATED, check_counts, rows_by_system
from truegain.readers.sources import without_compression
from truegain.readers.strict_json import parse_json
from truegain.readers.tabular import Table

_ENDING = ".rating"
_SAID = (
    "a system and a rater's errors per line, as mt-metrics-eval writes them: segments are numbered within each system, "
    "and errors are counted by class"
)
#: The classes that errors are counted by, in the order of columns.
ERROR_CLASSES = ("major", "minor", "punctuation", "non_translation", "critical")
_NEUTRAL = ("neutral", "no-error", "none")


def _recognised(file: File) -> bool:
    """Tell by the ending, and by lines that are as those of such files."""
    if ending(file.path) != _ENDING and not any(_errors_after(line) for line in file.head):
        return False
    return all(line.partition("\t")[2].strip() == NOT_RATED or _errors_after(line) for line in file.head)


def _errors_after(line: str) -> bool:
    return line.partition("\t")[2].lstrip().startswith("{")


def _table(file: File) -> Table | None:
    """Return the columns that a long table has: systems, the numbers of segments, the rater, and counts of errors."""
    if not _recognised(file):
        return None
    source = file.lines
    systems: list[str | None] = []
    ids: list[str | None] = []
    found: list[Counter[str] | None] = []
    counts: dict[str, int] = {}
    for line, (system, errors) in enumerate(rows_by_system(source.lines, source.name, "the errors of a segment"), 1):
        counts[system] = counts.get(system, 0) + 1
        systems.append(system)
        ids.append(str(counts[system]))
        found.append(None if errors is None else _counted(errors, source.name, line))
    check_counts(counts, source.name)
    if all(own is None for own in found):
        raise InputError("there are no ratings in it", path=source.name, hint="leave it out")
    testset, rater = _named_after(file.path)
    columns = {
        "system": coded(systems),
        "id": coded(ids),
        "rater": coded([rater] * len(ids)),
        **{name: coded([None if own is None else str(own[name]) for own in found]) for name in ERROR_CLASSES},
    }
    notes = (*source.notes, Note("systems", _SAID, file=source.name))
    return Table(source.name, columns, notes, lines=range(1, len(ids) + 1), rated=True, testset=testset)


def _named_after(path: str) -> tuple[str | None, str]:
    """Return the test set and the rater that a file is named after: ``zh-en.mqm``, ``rater1``."""
    name = PurePath(without_compression(path))
    if name.suffix != _ENDING:
        return None, name.stem
    testset, _, rater = name.stem.removesuffix(".seg").rpartition(".")
    return testset or None, rater


def _counted(text: str, path: str, line: int) -> Counter[str]:
    """Return how many errors of each class a rating holds."""
    rating = parse_json(text, path, line)
    errors = rating.get("errors") if isinstance(rating, dict) else None
    if not isinstance(errors, list):
        raise InputError("a rating has no list of errors", path=path, line=line, hint='{"errors": […]} was expected')
    return Counter(_class(error, path, line) for error in errors)


def _class(error: Any, path: str, line: int) -> str:
    """Return the class that an error is weighted by (Freitag et al. 2021)."""
    category, severity = (error.get(key) if isinstance(error, dict) else None for key in ("category", "severity"))
    if not isinstance(category, str) or not isinstance(severity, str):
        raise InputError("an error has no category or no severity", path=path, line=line)
    category, severity = category.strip().lower(), severity.strip().lower()
    if category.startswith("source") or category.endswith("creative reinterpretation") or severity in _NEUTRAL:
        return "neutral"
    if category.startswith("non-translation"):
        return "non_translation"
    if severity == "minor" and category == "fluency/punctuation":
        return "punctuation"
    if severity not in ("major", "minor", "critical"):
        raise InputError(
            f"an error is of severity {severity!r}; critical, major, minor and neutral are known", path=path, line=line
        )
    return severity


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    table = _table(file)
    if table is not None and id_column is not None:
        raise InputError(
            f"its segments are matched by their order, and it has no column {id_column!r}",
            path=file.name,
            hint="leave the column of ids out",
        )
    return None if table is None else tables_by_system(table)


def _check_text(lines: Sequence[str], name: str) -> None:
    rated = [line for line in lines if line.partition("\t")[2].strip() != NOT_RATED]
    if rated and all(_errors_after(line) and '"errors"' in line for line in rated):
        raise InputError(
            "every line is a system, a tab and a rating, and was given as plain text",
            path=name,
            line=1,
            hint=("compare the ratings: ", Setting("metrics", ("mqm",))),
        )


FORMAT = Format(
    "ratings of mt-metrics-eval: a system, a tab and a rater's errors (MQM) per line",
    table=_table,
    scores=_scores,
    check_text=_check_text,
)
