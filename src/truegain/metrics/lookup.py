"""From ``bleu:tokenize=intl`` to a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module

from truegain.errors import InputError, one_of
from truegain.metrics.base import Metric
from truegain.options import parse_settings, split_specification
from truegain.registry import METRICS

__all__ = ["make_metric", "make_metrics"]


def make_metric(specification: str) -> Metric:
    """Build a metric from its name and settings, ``name:key=value,…``."""
    name, settings = split_specification(specification)
    if name not in METRICS:
        raise one_of("a metric", name, list(METRICS))
    module, attribute = METRICS[name].target.split(":")
    cls = getattr(import_module(module), attribute)
    metric: Metric = cls(**parse_settings(cls, name, settings))
    return metric


def make_metrics(wanted: Sequence[str | Metric] | Mapping[str, Metric]) -> dict[str, Metric]:
    """Metrics by the name they are asked for as; a metric object goes by its own name."""
    if isinstance(wanted, Mapping):
        return dict(wanted)
    if not wanted:
        raise InputError("there is no metric to score with", hint="give one: -m bleu")
    metrics: dict[str, Metric] = {}
    for one in wanted:
        key, metric = (one, make_metric(one)) if isinstance(one, str) else (one.name, one)
        if key in metrics:
            raise InputError(f"the metric {key!r} is asked for twice")
        metrics[key] = metric
    return metrics
