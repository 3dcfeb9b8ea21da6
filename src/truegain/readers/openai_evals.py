"""Logs of OpenAI's evals: an event per line, after a line with the specification of the run.

The layout is that of ``LocalRecorder`` in evals 3.0.1, ``evals/record.py``: events are written in pieces, so the line
with the final report may stand before some of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from truegain.errors import excerpt
from truegain.notes import Note
from truegain.readers.formats import File
from truegain.readers.json_lines import json_records
from truegain.readers.logs import Sample, first_record, log_format, log_table
from truegain.readers.scores import ScoreTable, at_place

_EVENT = {"run_id", "event_id", "type", "data"}


def _recognise(file: File) -> bool:
    first = first_record(file)
    return isinstance(first, dict) and (first.keys() >= _EVENT or _model(first) is not None)


def _model(record: Mapping[str, Any]) -> str | None:
    """Return the first of the completion functions: others, if there are any, grade its answers."""
    spec = record.get("spec")
    functions = spec.get("completion_fns") if isinstance(spec, dict) else None
    return str(functions[0]) if isinstance(functions, list) and functions else None


def _read(file: File) -> list[ScoreTable]:
    """Read one table: ``correct`` of matches, and the numbers of metrics."""
    name = file.name
    values: dict[str, dict[str, Any]] = {}
    expected: dict[str, Any] = {}
    failed: set[str] = set()
    models: list[str | None] = []
    runs: set[str] = set()
    reports = 0
    for place, record in json_records(file):
        runs |= {str(record["run_id"])} if "run_id" in record else set()
        if len(runs) > 1 or ("spec" in record and models):
            raise at_place("another run begins here", place, name, hint="give each as a run: NAME=LOG1,LOG2")
        if "spec" in record:
            models.append(_model(record))
        elif "final_report" in record:
            reports += 1
        else:
            sample, kind, data = _event(record, place, name)
            own = values.setdefault(sample, {})
            if kind == "error":
                failed.add(sample)
            elif kind == "match":
                if not isinstance(data.get("correct"), bool | int | float):
                    said = "nothing" if data.get("correct") is None else excerpt(str(data["correct"]))
                    raise at_place(f"a match says {said} where 'correct' is true or false", place, name)
                _add(own, {"correct": data["correct"]}, sample, place, name)
                expected.setdefault(sample, data.get("expected"))
            elif kind == "metrics":
                _add(own, data, sample, place, name)
    samples = [
        Sample(
            sample,
            f"sample {sample}",
            own,
            question={"expected": expected[sample]} if expected.get(sample) is not None else {},
            failed=sample in failed,
        )
        for sample, own in values.items()
    ]
    notes = [] if reports else [Note("log-status", "there is no final report: not all samples may be in it", file=name)]
    return [
        log_table(
            samples,
            file,
            "sample_id",
            model=models[0] if models else None,
            retry="run the evaluation again: oaieval MODEL EVAL",
            notes=notes,
        )
    ]


def _event(record: Mapping[str, Any], place: int | str, name: str) -> tuple[str, str, Mapping[str, Any]]:
    sample, kind, data = (record.get(key) for key in ("sample_id", "type", "data"))
    if not isinstance(sample, str | int) or sample == "":
        raise at_place("an event has no 'sample_id'", place, name)
    if not isinstance(kind, str):
        raise at_place(f"the event of sample {sample} has no 'type'", place, name)
    if kind in ("match", "metrics") and not isinstance(data, dict):
        raise at_place(f"the event of sample {sample} has no 'data'", place, name)
    return str(sample), kind, data if isinstance(data, dict) else {}


def _add(own: dict[str, Any], given: Mapping[str, Any], sample: str, place: int | str, name: str) -> None:
    for key, value in given.items():
        if key in own:
            raise at_place(
                f"sample {sample} has {key!r} twice",
                place,
                name,
                hint="one score per sample is read; average them, or give each try as a run of its own",
            )
        own[key] = value


FORMAT = log_format("a log of OpenAI's evals", _recognise, _read, "sample_id")
