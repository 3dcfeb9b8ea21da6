"""All that was measured, as rows of the files beside the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.calibration.bounds import bound_of
from benchmarks.calibration.scenarios import Outcome
from benchmarks.calibration.tables import METRICS
from truegain.registry import TESTS
from truegain.studies.calibrate import Power, Rate

__all__ = ["one_difference_rows", "power_rows", "size_rows"]

_AT_5 = ("at 5 %", "95 % low", "95 % high")


def size_rows(outcomes: Sequence[Outcome]) -> Iterator[Sequence[str]]:
    """Yield the rejections of true nulls, in per cent: a row per metric, test and kind of data."""
    yield ("data", "label", "metric", "test", "datasets", "at 1 %", *_AT_5, "at 10 %", "wanted at 5 %", "met")
    for outcome in outcomes:
        for metric in outcome.metrics:
            for test in TESTS:
                found = outcome.get(metric, test)
                if found is None:
                    continue
                bound = bound_of(outcome, found)
                wanted = ("", "") if bound is None else (str(bound), bound.verdict(found.size).strip("*"))
                first, second, third = found.rates
                shares = (_percent(first.rate), *_interval(second), _percent(third.rate))
                count = str(found.size.repetitions)
                yield (outcome.group, outcome.label, METRICS[metric], test, count, *shares, *wanted)


def power_rows(powers: Sequence[Power]) -> Iterator[Sequence[str]]:
    """Yield the rejections at 5 %, in per cent, if there is a gain."""
    yield ("metric", "gain", "mean gain", "test", *_AT_5)
    for power in powers:
        yield (METRICS[power.metric], f"{power.gain:g}", f"{power.reached:.2g}", power.test, *_interval(power.rates[1]))


def one_difference_rows(outcome: Outcome) -> Iterator[Sequence[str]]:
    """Yield the p-values over seeds."""
    yield ("test", "metric", "median p", "lowest", "highest")
    for test in TESTS:
        for metric, named in METRICS.items():
            found = outcome.get(metric, test)
            if found is not None:
                p = np.array(found.p)
                yield (test, named, *(f"{value:.3f}" for value in (np.median(p), p.min(), p.max())))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _interval(rate: Rate) -> tuple[str, str, str]:
    low, high = rate.interval
    return _percent(rate.rate), _percent(low), _percent(high)
