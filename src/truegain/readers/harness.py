"""Sample logs of the LM Evaluation Harness (``--log_samples``, version 0.4): a line for each document and filter."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from truegain.errors import InputError, Setting
from truegain.notes import Note
from truegain.readers.formats import File, Format, Layout
from truegain.readers.json_lines import by_system, json_records, json_table
from truegain.readers.scores import Placed, Question, ScoreTable, at_place, score_table
from truegain.readers.strict_json import strict_loads

__all__ = ["FORMAT"]

#: What a record holds beside the values of metrics. An answer may be a number, and is no score.
_OTHER = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash", "length_info"),
}


def _text(file: File, layout: Layout) -> None:
    """Refuse a log that is given as a text, unless a column of texts is named; decline any other file."""
    source = file.lines
    if layout.text_column is not None or not any("filtered_resps" in line for line in source.lines):
        return
    columns = json_table(file).columns
    if _is_sample(columns):
        metric = next((key for key in columns if key not in _OTHER), "NAME")
        raise InputError(
            "this is a sample log of the LM Evaluation Harness: it holds scores",
            path=source.name,
            hint=(
                "compare the scores, without ",
                Setting("references"),
                ": ",
                Setting("metrics", (f"scores:column={metric}",)),
            ),
        )


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    """Read one table, in which the records of a document are brought together."""
    if not _is_log(file):
        return None
    source, records = file.lines, json_records(file)
    if id_column not in (None, "doc_id"):
        raise InputError(
            f"samples of a log are matched by 'doc_id', not by {id_column!r}",
            path=source.name,
            hint="leave the column of ids out",
        )
    samples, notes = _by_document(records, source.name)
    table = score_table(samples, replace(source, notes=(*source.notes, *notes)))
    return [replace(table, questions=_questions(records), id_column="doc_id", rows=len(records))]


def _is_log(file: File) -> bool:
    """Tell by the first record: of a list, or on the first line."""
    if by_system(file):
        return False
    first = file.json
    if isinstance(first, list):
        first = first[0] if first else None
    else:
        with suppress(InputError, ValueError, RecursionError):  # whoever reads it as JSON says what is wrong
            first = strict_loads(file.lines.lines[0])
    return isinstance(first, dict) and _is_sample(first)


def _is_sample(record: Mapping[str, Any]) -> bool:
    return "doc_id" in record and "filtered_resps" in record


def _by_document(records: Sequence[Placed], name: str) -> tuple[list[Placed], tuple[Note, ...]]:
    """Return one record per document, with an id and the values of metrics, and notes on the log.

    If there are several filters, the metrics of each are separate: ``exact_match@strict-match``. A list of rights and
    wrongs becomes two values, ``.sum`` and ``.count``. What is neither a number nor such a list is passed over.

    Parameters
    ----------
    records : sequence of (place, record)
    name : str
        The file.
    """
    several = len({_filter(record) for _, record in records}) > 1
    documents: dict[str, tuple[int | str, dict[str, Any]]] = {}
    seen: set[tuple[str, str]] = set()
    lists: dict[str, None] = {}
    passed: dict[str, None] = {}
    for place, record in records:
        document, chosen = _document(record, place, name), _filter(record)
        if (document, chosen) in seen:
            raise _twice(record, place, name)
        seen.add((document, chosen))
        values = documents.setdefault(document, (place, {"id": document}))[1]
        for metric in _metrics(record):
            value = record.get(metric)
            column = f"{metric}@{chosen}" if several else metric
            if isinstance(value, list) and all(isinstance(one, bool) for one in value):
                lists[column] = None
                values[f"{column}.sum"], values[f"{column}.count"] = sum(value), len(value)
            elif isinstance(value, bool | int | float):
                values[column] = int(value) if isinstance(value, bool) else value
            else:
                passed[metric] = None
    found: list[Placed] = [*documents.values()]
    columns = dict.fromkeys(column for _, sample in found for column in sample)
    if len(columns) == 1:
        raise InputError(
            f"no metric of this log is a number for each sample ({', '.join(passed) or 'there is none'})",
            path=name,
            hint=(
                "score the texts instead: give outputs and references as text, and ",
                Setting("metrics", ("bleu",)),
                ", ",
                Setting("metrics", ("exact",)),
                ", …",
            ),
        )
    for place, sample in found:
        for column in columns:
            if column not in sample:
                raise at_place(
                    f"doc_id {sample['id']} has no number {column!r}, and other samples have",
                    place,
                    name,
                    hint="a sample without a score must be left out of all files",
                )
    return found, tuple(_notes(lists, passed))


def _questions(records: Sequence[Placed]) -> dict[str, Question]:
    """Return what the log says of each document: a hash of it, and the right answer."""
    return {
        str(record["doc_id"]): {
            key: json.dumps(record[key], ensure_ascii=False, sort_keys=True)
            for key in ("doc_hash", "target")
            if record.get(key) is not None
        }
        for _, record in records
    }


def _filter(record: Mapping[str, Any]) -> str:
    return str(record.get("filter", "none"))


def _document(record: Mapping[str, Any], place: int | str, name: str) -> str:
    if record.get("doc_id") is None:
        raise at_place("there is no 'doc_id'", place, name, hint="samples are matched by it; is the log whole?")
    return str(record["doc_id"])


def _metrics(record: Mapping[str, Any]) -> list[str]:
    """Return the names of metrics: newer logs list them, in older ones they are the other keys."""
    listed = record.get("metrics")
    if isinstance(listed, list):
        return [metric for metric in listed if isinstance(metric, str)]
    return [key for key in record if key not in _OTHER]


def _notes(lists: Mapping[str, None], passed: Mapping[str, None]) -> Iterator[Note]:
    for column in lists:
        yield Note(
            "lists-of-scores",
            f"{column} is a list of rights and wrongs for each sample; for their share take the metric "
            f"scores:column={column}.sum,over={column}.count",
        )
    for metric in passed:
        yield Note("no-numbers", f"{metric} is not a number for each sample, and was passed over")


def _twice(record: Mapping[str, Any], place: int | str, name: str) -> InputError:
    if "filter" in record:
        return at_place(
            f"doc_id {record['doc_id']} stands twice with the filter {record['filter']!r}",
            place,
            name,
            hint="are two logs, or two tasks, in one file? Give one file for each",
        )
    return at_place(
        f"doc_id {record['doc_id']} stands twice, and the log does not name its filters",
        place,
        name,
        hint="keep the lines of one filter only, or log the samples again with a newer harness",
    )


FORMAT = Format("a sample log of the LM Evaluation Harness, with scores", text=_text, scores=_scores)
