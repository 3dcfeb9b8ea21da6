"""Keys by which results give their entries: a system, after a metric if there are several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from truegain.errors import some
from truegain.inference.results import MetricInfo

_SHOWN = 8  # keys that an error names


def with_metric(key: str | tuple[str, ...], metrics: Sequence[MetricInfo]) -> tuple[str, ...]:
    """Return the key of a system with the metric before it, which need not be named if there is only one.

    Raises
    ------
    KeyError
        If no metric is named, and there are several.
    """
    if not isinstance(key, str):
        return key if isinstance(key, tuple) else (key,)
    if len(metrics) > 1:
        names = ", ".join(repr(metric.key) for metric in metrics)
        raise KeyError(f"{key!r} was compared under several metrics, {names}: give one of them before it")
    return metrics[0].key, key


def completed(pairs: Sequence[tuple[str, str]], metrics: Sequence[MetricInfo]) -> list[tuple[str, ...]]:
    """Return the keys to complete: a system alone if there is one metric."""
    return [pair[1:] if len(metrics) == 1 else pair for pair in pairs]


def no_entry(key: object, known: Iterable[object], further: str = "") -> KeyError:
    """Return the error that says which keys there are, and what else."""
    names = list(map(repr, dict.fromkeys(known)))
    return KeyError(f"there is no {key!r}; there are {some(names, _SHOWN)}{further}")
