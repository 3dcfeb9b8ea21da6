"""Ratings as Appraise exports them for WMT (direct assessment, ESA): CSV without a header.

Its fields are the rater, the system, the number of the segment, the kind of item (TGT, or a control item: BAD, REF,
CHK), the two languages, the score, the document, whether the score is of the whole document, error spans if there are
any, and the times of the first and the last action. This is the layout that ``load_data`` reads in humeval/tools.py of
github.com/wmt-conference/wmt24-news-systems.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.formats import File, Format
from truegain.readers.plain import Lines
from truegain.readers.ratings import MARK, Rating, check_pairs, ratings_table, tables_by_system
from truegain.readers.score_values import number_in, required_score
from truegain.readers.scores import ScoreTable
from truegain.readers.tabular import Table

_FIELDS = 11  # without error spans
_KINDS = ("TGT", "BAD", "REF", "CHK")
_FIRST = re.compile(r"(?:[^,\t]{0,999}[,\t]){3}\"?(?:TGT|BAD|REF|CHK)\"?[,\t]")
_LEFT_OUT = {
    "control": "control items (BAD, REF, CHK)",
    "tutorial": "items of a tutorial",
    "document": "scores of whole documents",
    "marked": "items that fill a task (documents marked with #)",
    "again": "ratings that the same person gave again later",
}


def _table(file: File) -> Table | None:
    if _FIRST.match(file.head[0]) is None:
        return None
    source = file.lines
    left_out: Counter[str] = Counter()
    kept: dict[tuple[str, str, str], tuple[float, Rating]] = {}
    pairs: dict[str, None] = {}
    for line, fields in _rows(source):
        rater, system, segment, kind, first, second, score, document, whole = (field.strip() for field in fields[:9])
        if kind not in _KINDS:
            raise InputError(f"{kind[:20]!r} is not a kind of item ({', '.join(_KINDS)})", path=source.name, line=line)
        reason = _reason(system, kind, document, whole)
        if reason is not None:
            left_out[reason] += 1
            continue
        pairs[f"{first},{second}"] = None
        rating = Rating(
            line, system, f"{document}{MARK}{segment}", required_score(score, "number", source.name, line),
            document, rater=rater,
        )  # fmt: skip
        key, ended = (rater, system, rating.item), number_in(fields[-1].strip()) or 0.0
        if key in kept:
            left_out["again"] += 1
        if key not in kept or kept[key][0] <= ended:
            kept[key] = (ended, rating)
    check_pairs(pairs, source, ",{},")
    notes = [
        Note("left-out", f"{count:,} {_LEFT_OUT[reason]} are left out", file=source.name)
        for reason, count in sorted(left_out.items())
    ]
    return ratings_table([rating for _, rating in kept.values()], source, notes)


def _rows(source: Lines) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows, each with the line that it begins on."""
    import csv  # most files are no such table

    tabs = "\t" in source.lines[0].split(",", 1)[0]
    reader = csv.reader((f"{line}\n" for line in source.lines), delimiter="\t" if tabs else ",", strict=True)
    begins = 1
    try:
        for fields in reader:
            if len(fields) < _FIELDS:
                raise InputError(
                    f"{len(fields)} fields; Appraise writes {_FIELDS} or more", path=source.name, line=begins
                )
            yield begins, fields
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"this row cannot be read as CSV ({error})", path=source.name, line=begins) from error


def _reason(system: str, kind: str, document: str, whole: str) -> str | None:
    """Return why a rating is no rating of a segment of a system."""
    if "tutorial" in system or "tutorial" in document:
        return "tutorial"
    if kind != "TGT":
        return "control"
    if whole.lower() == "true":
        return "document"
    return "marked" if "#" in document.replace(MARK, "") else None


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    table = _table(file)
    if table is not None and id_column is not None:
        raise InputError(
            f"its items are matched by document and segment, and it has no column {id_column!r}",
            path=file.lines.name,
            hint="leave the column of ids out",
        )
    return None if table is None else tables_by_system(table)


FORMAT = Format("ratings exported from Appraise (WMT's direct assessment and ESA)", table=_table, scores=_scores)
