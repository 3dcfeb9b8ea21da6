"""Sample logs of the LM Evaluation Harness (``--log_samples``, version 0.4): a line for each document and filter."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from truegain.errors import InputError

__all__ = [
    "Placed",
    "Question",
    "at_place",
    "check_same_questions",
    "is_sample_log",
    "metric_columns",
    "questions_of",
    "samples_by_document",
    "without_time",
]

#: What a record holds beside the values of metrics. An answer may be a number, and is no score.
_OTHER = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash", "length_info"),
}
_FILE = re.compile(r"((?:.*/)?samples_.+)_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?(\.jsonl)")

#: A record and the place it stands at: a line, or a description.
Placed = tuple[int | str, Mapping[str, Any]]

#: What a log says of a document: ``doc_hash`` and ``target``, where it has them.
Question = Mapping[str, str]


def is_sample_log(record: Mapping[str, Any]) -> bool:
    """Whether a record is one of such a log."""
    return "doc_id" in record and "filtered_resps" in record


def without_time(path: str) -> str:
    """The path of a log without the time it was written at, which says nothing about the model."""
    return _FILE.sub(r"\1\2", path)


def samples_by_document(records: Sequence[Placed], name: str) -> tuple[list[Placed], tuple[str, ...]]:
    """One record for each document, with an id and the values of metrics, and what should be said about the log.

    Where there are several filters, the metrics of each are apart: ``exact_match@strict-match``. A list of rights and
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
            hint="score the texts instead: give outputs and references as text, and -m bleu, -m exact, …",
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


def questions_of(records: Sequence[Placed]) -> dict[str, Question]:
    """What each document was, as far as the log says: a hash of it, and the right answer."""
    return {
        str(record["doc_id"]): {
            key: json.dumps(record[key], ensure_ascii=False, sort_keys=True)
            for key in ("doc_hash", "target")
            if record.get(key) is not None
        }
        for _, record in records
    }


def check_same_questions(logs: Sequence[tuple[str, Mapping[str, Question]]]) -> None:
    """Refuse logs in which one ``doc_id`` stands for different documents: their scores are not of the same thing.

    Parameters
    ----------
    logs : sequence of (file, questions)
    """
    for name, questions in logs[1:]:
        first, wanted = logs[0]
        for document, question in questions.items():
            for key, value in wanted.get(document, {}).items():
                if question.get(key, value) != value:
                    raise InputError(
                        f"doc_id {document} is another document than in {first}: its {key} is {question[key][:40]}, "
                        f"and there {value[:40]}",
                        path=name,
                        hint="are both logs of the same task, in the same version, and of the same data?",
                    )


def _filter(record: Mapping[str, Any]) -> str:
    return str(record.get("filter", "none"))


def _document(record: Mapping[str, Any], place: int | str, name: str) -> str:
    if record.get("doc_id") is None:
        raise at_place("there is no 'doc_id'", place, name, hint="samples are matched by it; is the log whole?")
    return str(record["doc_id"])


def _metrics(record: Mapping[str, Any]) -> list[str]:
    """The names of metrics: newer logs list them, in older ones they are what is nothing else."""
    listed = record.get("metrics")
    if isinstance(listed, list):
        return [metric for metric in listed if isinstance(metric, str)]
    return metric_columns(record)


def metric_columns(record: Mapping[str, Any]) -> list[str]:
    """What is nothing else in a record."""
    return [key for key in record if key not in _OTHER]


def _notes(lists: Mapping[str, None], passed: Mapping[str, None]) -> Iterator[str]:
    for column in lists:
        yield (
            f"{column} is a list of rights and wrongs for each sample; for their share, "
            f"-m scores:column={column}.sum,over={column}.count"
        )
    for metric in passed:
        yield f"{metric} is not a number for each sample, and was passed over"


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


def at_place(message: str, place: int | str, name: str, hint: str | None = None) -> InputError:
    """An error about a record: with its line, or with what describes its place."""
    if isinstance(place, int):
        return InputError(message, path=name, line=place, hint=hint)
    return InputError(f"{place}: {message}", path=name, hint=hint)
