"""The name of a piece of resampling: a fingerprint of all that decides what comes of it, the same in every process."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.metrics.base import Metric
from truegain.resampling.design import Design


def call_key(kind: str, *decides: object) -> str:
    """Return the key of a call of an engine.

    Parameters
    ----------
    kind : str
        What is asked for: ``resample``, ``deal`` or ``count``.
    *decides
        What it is asked with: designs, arrays, numbers, text, metrics, and dataclasses and tuples of these. A metric
        stands for its signature, which has every setting that its score depends on.
    """
    whole = hashlib.blake2b(digest_size=16)
    _add(whole, kind)
    _add(whole, decides)
    return whole.hexdigest()


def _add(whole: Any, value: object) -> None:
    """Add a value; each begins with its type and its length, so that no two read the same."""
    if value is None or isinstance(value, (bool, np.bool_)):
        _name(whole, "choice", "none" if value is None else "yes" if value else "no")
    elif isinstance(value, (int, np.integer)):
        _name(whole, "number", str(int(value)))
    elif isinstance(value, float):
        _name(whole, "float", float(value).hex())
    elif isinstance(value, str):
        _name(whole, "text", value)
    elif isinstance(value, np.ndarray):
        _add_array(whole, value)
    elif isinstance(value, (tuple, list)):
        _name(whole, "sequence", str(len(value)))
        for one in value:
            _add(whole, one)
    elif isinstance(value, Design):
        # Which segments are in a unit is in the table of the units already.
        units = value.units
        _name(whole, "design", value.scheme)
        _add(whole, (value.seed, units.count, units.strata, units.mean_length))
    elif isinstance(value, Metric):
        _name(whole, "metric", value.name)
        _add(whole, (value.signature(), value.statistic_names, value.higher_is_better))
    elif is_dataclass(value) and not isinstance(value, type):
        _name(whole, "object", f"{type(value).__module__}.{type(value).__qualname__}")
        for field in fields(value):
            _add(whole, field.name)
            _add(whole, getattr(value, field.name))
    else:
        raise TypeError(f"{type(value).__name__} has no key: a dataclass of numbers, arrays and metrics was expected")


def _add_array(whole: Any, array: NDArray[Any]) -> None:
    kind = {"f": "<f8", "i": "<i8", "u": "<u8", "b": "|b1"}.get(array.dtype.kind)
    if kind is None:
        raise TypeError(f"an array of {array.dtype} has no key: numbers were expected")
    _name(whole, "array", f"{kind}{array.shape}")
    whole.update(np.ascontiguousarray(array, dtype=kind).data)


def _name(whole: Any, sort: str, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    whole.update(f"{sort}:{len(data)}:".encode() + data)
