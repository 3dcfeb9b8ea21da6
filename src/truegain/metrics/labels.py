"""Labels of the metrics of one study: two settings of a metric must not have one name."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from truegain.metrics.base import Metric


def distinct_labels(metrics: Mapping[str, Metric]) -> dict[str, str]:
    """Return the label of each metric by its name in the study, with the settings that differ if labels are the same.

    ``rouge1`` and ``rouge1:stem=true`` are ``ROUGE-1 (stem=no)`` and ``ROUGE-1 (stem=yes)``. If settings do not
    distinguish them, their names in the study do.
    """
    often = Counter(metric.label for metric in metrics.values())
    labels = {}
    for key, metric in metrics.items():
        same = [other for other in metrics.values() if other.label == metric.label]
        labels[key] = metric.label if often[metric.label] == 1 else f"{metric.label} ({_apart(metric, same) or key})"
    if len(set(labels.values())) == len(labels):
        return labels
    return {
        key: label if often[metrics[key].label] == 1 else f"{metrics[key].label} ({key})"
        for key, label in labels.items()
    }


def _apart(metric: Any, others: Sequence[Any]) -> str:
    """Return the settings by which a metric differs from others of its kind; empty if they are of other kinds."""
    if any(type(other) is not type(metric) for other in others) or not dataclasses.is_dataclass(metric):
        return ""
    names = [one.name for one in dataclasses.fields(metric)]
    apart = [name for name in names if any(getattr(other, name) != getattr(metric, name) for other in others)]
    return ", ".join(f"{name}={_written(getattr(metric, name))}" for name in apart)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "default" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
