"""Sample logs of the LM Evaluation Harness (``--log_samples``, version 0.4): a line for each document and filter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from truegain.errors import InputError, Setting
from truegain.notes import Note
from truegain.readers.formats import File
from truegain.readers.json_lines import by_system, json_records
from truegain.readers.logs import Sample, first_record, log_format, log_table
from truegain.readers.scores import Placed, ScoreTable, at_place

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
    samples, notes, rows = _by_document(json_records(file), file.name)
    return [replace(log_table(samples, file, "doc_id", notes=notes), rows=rows)]


def _is_sample(record: Mapping[str, Any]) -> bool:
    return "doc_id" in record and "filtered_resps" in record


def _by_document(records: Iterable[Placed], name: str) -> tuple[list[Sample], tuple[Note, ...], int]:
    """Return one sample per document, notes on the log, and the number of records.

    If there are several filters, the metrics of each are separate: ``exact_match@strict-match``. A list of rights and
    wrongs becomes two values, ``.sum`` and ``.count``.

    Parameters
    ----------
    records : iterable of (place, record)
    name : str
        The file.
    """
    filters: dict[str, dict[str, dict[str, Any]]] = {}  # by document and metric what each filter's records say
    questions: dict[str, dict[str, Any]] = {}
    rows = 0
    for place, record in records:
        rows += 1
        document = _document(record, place, name)
        given = filters.setdefault(_filter(record), {})
        if document in given:
            raise _twice(record, place, name)
        given[document] = {metric: record.get(metric) for metric in _metrics(record)}
        if document not in questions:
            questions[document] = {key: record[key] for key in ("doc_hash", "target") if record.get(key) is not None}
    values: dict[str, dict[str, Any]] = {document: {} for document in questions}
    metrics: dict[str, None] = {}
    lists: dict[str, None] = {}
    for chosen, given in filters.items():
        for document, own in given.items():
            for metric, value in own.items():
                metrics[metric] = None
                column = f"{metric}@{chosen}" if len(filters) > 1 else metric
                if isinstance(value, list) and all(isinstance(one, bool) for one in value):
                    lists[column] = None
                    values[document] |= {f"{column}.sum": sum(value), f"{column}.count": len(value)}
                else:
                    values[document][column] = value
    if not any(isinstance(value, bool | int | float) for own in values.values() for value in own.values()):
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
            f"{column} is a list of right and wrong answers for each sample; for their share take the metric "
            f"scores:column={column}.sum,over={column}.count",
        )
        for column in lists
    )
    samples = [Sample(one, f"doc_id {one}", own, question=questions[one]) for one, own in values.items()]
    return samples, tuple(notes), rows


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
            f"doc_id {record['doc_id']} occurs twice with the filter {record['filter']!r}",
            place,
            name,
            hint="are two logs, or two tasks, in one file? Give one file for each",
        )
    return at_place(
        f"doc_id {record['doc_id']} occurs twice, and the log does not name its filters",
        place,
        name,
        hint="keep the lines of one filter only, or log the samples again with a newer harness",
    )


FORMAT = log_format("a sample log of the LM Evaluation Harness", _recognise, _read, "doc_id")
