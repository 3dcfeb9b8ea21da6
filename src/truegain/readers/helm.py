"""Per-instance statistics of HELM (``per_instance_stats.json``): a record for each instance, train trial and metric.

The layout is that of ``PerInstanceStats`` and ``Stat`` in crfm-helm 0.5.16, ``helm/benchmark/metrics/metric.py`` and
``statistic.py``: absent keys stand for None.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from truegain.errors import InputError, excerpt
from truegain.notes import Note
from truegain.readers.formats import File
from truegain.readers.logs import Sample, first_record, log_format, log_table
from truegain.readers.scores import ScoreTable
from truegain.readers.strict_json import type_name

_KEYS = {"instance_id", "train_trial_index", "stats"}
_MODEL = re.compile(r"[:,]model=([^,/\\]+)")  # in the name of a run, which is that of its folder
#: What a perturbation says of itself beside its settings.
_ABOUT = {"name", "robustness", "fairness", "computed_on"}


def _recognise(file: File) -> bool:
    first = first_record(file) if isinstance(file.json, list) else None
    return isinstance(first, dict) and first.keys() >= _KEYS


def _read(file: File) -> list[ScoreTable]:
    """Read one table; a statistic of perturbed instances is a column of its own, ``exact_match@typos``."""
    name = file.name
    samples: dict[tuple[str, object], Sample] = {}
    values: dict[tuple[str, object], tuple[dict[str, Any], dict[str, Any]]] = {}
    perturbed = _perturbations(file.json)
    for number, record in enumerate(file.json, 1):
        place = f"record {number:,}"
        if not isinstance(record, dict) or not record.keys() >= _KEYS or not isinstance(record["stats"], list):
            raise InputError(f"{place} is not as HELM writes it: with {', '.join(sorted(_KEYS))}", path=name)
        instance, trial = record["instance_id"], record["train_trial_index"]
        if not isinstance(instance, str | int) or not isinstance(trial, str | int):
            raise InputError(f"{place}: 'instance_id' is {type_name(instance)}, and the trial is {trial!r}", path=name)
        key, place = (str(instance), trial), f"instance {instance}, train trial {trial}"
        own, labels = values.setdefault(key, ({}, {}))
        samples.setdefault(key, Sample(str(instance), place, own, labels))
        suffix = "" if record.get("perturbation") is None else perturbed[_described(record["perturbation"])]
        for stat in record["stats"]:
            found, value = _stat(stat, place, name)
            column = f"{found['name']}{suffix}"
            labels.update((key, found[key]) for key in ("split", "sub_split") if found.get(key) is not None)
            if column in own and own[column] != value:  # some metrics of HELM write the same statistic
                raise InputError(
                    f"{place}: {column!r} has two values, {own[column]} and {value}",
                    path=name,
                    hint="were two files joined? Give each as a run: NAME=FILE1,FILE2",
                )
            own[column] = value
    notes = []
    if perturbed:
        kinds = sorted({suffix.removeprefix("@") for suffix in perturbed.values()})
        text = f"statistics of perturbed instances are columns of their own, NAME@PERTURBATION: {', '.join(kinds)}"
        notes.append(Note("perturbations", text, file=name))
    model = _MODEL.search(file.path)
    return [
        log_table(
            list(samples.values()),
            file,
            "instance_id",
            model=None if model is None else model[1],
            retry="HELM leaves out what is not a number; choose another statistic",
            notes=notes,
        )
    ]


def _perturbations(records: list[Any]) -> dict[str, str]:
    """Return what is added to the names of statistics, by the description of a perturbation."""
    found = [one["perturbation"] for one in records if isinstance(one, dict) and one.get("perturbation") is not None]
    described = {_described(one): one if isinstance(one, dict) else {"name": one} for one in found}
    names = [str(one.get("name")) for one in described.values()]
    return {
        key: f"@{own}" if names.count(own) == 1 else f"@{own}({_settings(one)})"
        for (key, one), own in zip(described.items(), names, strict=True)
    }


def _described(perturbation: Any) -> str:
    return json.dumps(perturbation, sort_keys=True)


def _settings(perturbation: Mapping[str, Any]) -> str:
    return ";".join(f"{key}={value}" for key, value in sorted(perturbation.items()) if key not in _ABOUT)


def _stat(stat: Any, place: str, name: str) -> tuple[Mapping[str, Any], Any]:
    """Return what a statistic is called, and its mean; None if it counts nothing."""
    known = stat.get("name") if isinstance(stat, dict) else None
    if not isinstance(known, dict) or not isinstance(known.get("name"), str):
        raise InputError(f"{place}: a statistic has no name: {excerpt(str(stat))}", path=name)
    return known, stat.get("mean")


FORMAT = log_format("per-instance statistics of HELM", _recognise, _read, "instance_id")
