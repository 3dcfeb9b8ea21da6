"""From ``bleu:tokenize=intl`` to a metric: the project's own, or one that an installed package brings."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from inspect import isfunction, signature
from typing import TYPE_CHECKING, Any

from truegain.errors import InputError, Setting, Text, one_of
from truegain.metrics.base import Metric
from truegain.options import parse_settings, split_specification
from truegain.registry import METRICS, SCORERS

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: The entry point group under which packages register metrics.
PLUGIN_GROUP = "truegain.metrics"

# The metrics that everybody else writes with capitals: rougeL, rougeLsum.
_ANY_CASE = frozenset(name for name in METRICS if name.startswith("rouge"))


_OTHERS = ("compute it elsewhere, and give its segment scores: ", Setting("metrics", ("scores",)))

#: Names that are near to the wrong one of ours.
_ELSEWHERE: dict[str, Text] = {
    "chrf++": "did you mean 'chrf:word_order=2'?",
    **dict.fromkeys(("bertscore", "metricx", "bleurt"), _OTHERS),
}


def plugins() -> dict[str, EntryPoint]:
    """Return the metrics of installed packages, by name; the project's own names cannot be taken."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=PLUGIN_GROUP) if point.name not in {*METRICS, *SCORERS}}


def load_metric(name: str) -> Any:
    """Load what a name stands for: a class whose fields are settings, a function that makes a metric, or a metric."""
    if name.lower() in _ANY_CASE:
        name = name.lower()
    if name in METRICS:
        module, attribute = METRICS[name].target.split(":")
        return getattr(import_module(module), attribute)
    installed = plugins()
    if name not in installed:
        raise _unknown(name, [*METRICS, *SCORERS, *installed])
    point = installed[name]
    try:
        return point.load()
    except Exception as error:  # whatever a third party's module raises when it is imported
        raise InputError(
            f"the metric {name!r} of the package {_package(point)} cannot be imported: {error!r}",
            hint=f"reinstall {_package(point)}, or tell its authors",
        ) from error


def _unknown(name: str, known: list[str]) -> InputError:
    """Say that a name is no metric, or that it is several."""
    several = tuple(one.strip().lower() for one in name.split(","))
    if len(several) > 1 and all(one in known for one in several):
        return InputError(f"{name!r} is more than one metric", hint=("write ", Setting("metrics", several)))
    error = one_of("a metric", name, known, hint=_OTHERS)
    return InputError(error.said, hint=_ELSEWHERE.get(name.lower(), error.advice))


def check_sources_read(wanted: Sequence[str | Metric] | Mapping[str, Metric]) -> None:
    """Refuse sources that none of the metrics reads."""
    metrics = make_metrics(wanted).values()
    if not any("source" in getattr(metric, "needs", ()) for metric in metrics):
        names = ", ".join(metric.label for metric in metrics)
        raise InputError(f"the source is given, and {names} does not read it", hint=("leave out ", Setting("sources")))


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value


def make_metric(specification: str) -> Metric:
    """Build a metric from its name and settings, ``name:key=value,…``."""
    name, settings = split_specification(specification)
    if name in SCORERS:
        from truegain.metrics.scorer import make_scorer

        return make_scorer(name, settings)
    found = load_metric(name)
    if dataclasses.is_dataclass(found) and isinstance(found, type):
        found = found(**parse_settings(found, name, settings))
    elif isinstance(found, type) or (callable(found) and not isinstance(found, Metric)):
        found = _made(found, name, settings)
    elif settings:
        raise InputError(f"{name} takes no settings; got {', '.join(settings)}")
    if not isinstance(found, Metric):
        raise InputError(
            f"{name!r} is not a metric: {type(found).__name__} lacks what truegain.metrics.base.Metric asks for"
        )
    return found


def _made(maker: Callable[..., Any], name: str, settings: Mapping[str, str]) -> Any:
    """Call a class or function of another package with settings; refuse those that it does not take."""
    try:
        signature(maker).bind(**settings)
    except TypeError as error:
        given = ", ".join(settings) or "none"
        raise InputError(f"{name} cannot be made with these settings ({given}): {error}") from error
    except ValueError:  # written in C, and says nothing of its parameters
        pass
    return maker(**settings)


def make_metrics(wanted: Sequence[str | Metric] | Mapping[str, Metric]) -> dict[str, Metric]:
    """Return metrics by their names in the study; a metric object has its own name."""
    named = isinstance(wanted, Mapping)
    alone = isinstance(wanted, str) or (wanted is not None and not isinstance(wanted, Iterable))
    alone = alone or getattr(wanted, "ndim", 1) == 0  # an array of one value
    several: Any = () if wanted is None else wanted.values() if isinstance(wanted, Mapping) else wanted
    ones: list[Any] = [wanted] if alone else list(several)
    if not ones:
        raise InputError("there is no metric to score with", hint=("give one: ", Setting("metrics", ("bleu",))))
    for one in ones:
        if not (isinstance(one, Metric) or (isinstance(one, str) and not named)) or isinstance(one, type):
            raise _no_metric(one)
    if isinstance(wanted, Mapping):
        return dict(wanted)
    metrics: dict[str, Metric] = {}
    for one in ones:
        key, metric = (str(one), make_metric(str(one))) if isinstance(one, str) else (one.name, one)
        if key in metrics:
            raise InputError(f"the metric {key!r} is asked for twice")
        metrics[key] = metric
    return metrics


def _no_metric(one: Any) -> InputError:
    hint = None
    if isfunction(one):
        parts = "name=…, segment_statistics=…, total_score=…, statistic_names=…"
        hint = f"make a metric of functions: truegain.CustomMetric({parts})"
    name = f"the function {one.__name__!r}" if isfunction(one) else repr(one)
    return InputError(f"{name} is neither the name of a metric nor a metric", hint=hint)


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
