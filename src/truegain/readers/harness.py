"""Sample logs of the LM Evaluation Harness (``--log_samples``, version 0.4): a line for each document and filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from truegain.errors import InputError, Setting
from truegain.notes import Note
from truegain.readers.formats import File
from truegain.readers.json_lines import by_system, json_records
from truegain.readers.logs import Sample, first_record, log_format, log_table
from truegain.readers.scores import Placed, ScoreTable, at_place

__all__ = ["FORMAT"]

#: What a record holds beside the values of metrics. An answer may be a number, and is no score.
_OTHER = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash", "length_info"),
}


def _recognise(file: File) -> bool:
    """Tell by the first record: of a list, or on the first line."""
    first = None if by_system(file) else first_record(file)
    return isinstance(first, dict) and _is_sample(first)


def _read(file: File) -> list[ScoreTable]:
    """Read one table, in which the records of a document are brought together."""
    records = json_records(file)
    samples, notes = _by_document(records, file.lines.name)
    table = log_table(samples, file.lines, "doc_id", notes=notes)
    return [replace(table, rows=len(records))]


def _is_sample(record: Mapping[str, Any]) -> bool:
    return "doc_id" in record and "filtered_resps" in record


def _by_document(records: Sequence[Placed], name: str) -> tuple[list[Sample], tuple[Note, ...]]:
    """Return one sample per document, and notes on the log.

    If there are several filters, the metrics of each are separate: ``exact_match@strict-match``. A list of rights and
    wrongs becomes two values, ``.sum`` and ``.count``.

    Parameters
    ----------
    records : sequence of (place, record)
    name : str
        The file.
    """
    several = len({_filter(record) for _, record in records}) > 1
    samples: dict[str, Sample] = {}
    values: dict[str, dict[str, Any]] = {}
    seen: set[tuple[str, str]] = set()
    lists: dict[str, None] = {}
    for place, record in records:
        document, chosen = _document(record, place, name), _filter(record)
        if (document, chosen) in seen:
            raise _twice(record, place, name)
        seen.add((document, chosen))
        own = values.setdefault(document, {})
        question = {key: record[key] for key in ("doc_hash", "target") if record.get(key) is not None}
        samples.setdefault(document, Sample(document, f"doc_id {document}", own, question=question))
        for metric in _metrics(record):
            value = record.get(metric)
            column = f"{metric}@{chosen}" if several else metric
            if isinstance(value, list) and all(isinstance(one, bool) for one in value):
                lists[column] = None
                own[f"{column}.sum"], own[f"{column}.count"] = sum(value), len(value)
            else:
                own[column] = value
    if not any(isinstance(value, bool | int | float) for own in values.values() for value in own.values()):
        metrics = dict.fromkeys(metric for _, record in records for metric in _metrics(record))
        raise InputError(
            f"no metric of this log is a number for each sample ({', '.join(metrics) or 'there is none'})",
            path=name,
            hint=(
                "score the texts instead: give outputs and references as text, and ",
                Setting("metrics", ("bleu",)),
                ", ",
                Setting("metrics", ("exact",)),
                ", …",
            ),
        )
    notes = (
        Note(
            "lists-of-scores",
            f"{column} is a list of rights and wrongs for each sample; for their share take the metric "
            f"scores:column={column}.sum,over={column}.count",
        )
        for column in lists
    )
    return list(samples.values()), tuple(notes)


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


FORMAT = log_format("a sample log of the LM Evaluation Harness", _recognise, _read, "doc_id")
