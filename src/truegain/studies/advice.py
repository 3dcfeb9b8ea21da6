"""Advice from how scores vary: standard deviations above half of a difference, and what helps against each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from truegain.errors import InputError
from truegain.inference.distributions import beta_cdf
from truegain.inference.results import MetricInfo, Variability
from truegain.notes import Note
from truegain.report.model import decimal, listing

#: Of the gain: a standard deviation above it calls for advice.
SHARE = 0.5
_HELP = {
    "s_sel": ("over test sets", "take a larger test set, and go by the paired difference, which varies less"),
    "s_dev": ("over runs on the development set", "tune more often, and keep the run that is best there"),
    "s_test": ("over runs on the test set", "make more runs of each system"),
}


def check_gain(gain: float | None) -> None:
    """Refuse a gain of zero, or one that is no number."""
    if gain is not None and (not math.isfinite(gain) or gain == 0.0):
        raise InputError(f"the gain must be a number other than 0; got {gain:g}")


def advice(
    variability: Sequence[Variability], gains: Mapping[str, float], metrics: Sequence[MetricInfo]
) -> Iterator[Note]:
    """Yield what to do about the standard deviations that are more than half of the gain (Clark et al. 2011).

    Parameters
    ----------
    variability : sequence of Variability
    gains : mapping of str to float
        The gain that is asked about, by metric; of a metric without one nothing is said.
    metrics : sequence of MetricInfo
    """
    for metric in metrics:
        gain = abs(gains.get(metric.key, 0.0))
        mine = [one for one in variability if one.metric == metric.key]
        if gain > 0.0:
            large = f"more than half of the difference of {decimal(gain, _places(gain))} {metric.label}"
            yield from _advice(mine, gain, large)


def _advice(mine: Sequence[Variability], gain: float, large: str) -> Iterator[Note]:
    for name, (spread, help) in _HELP.items():
        known = {one.system: value for one in mine if (value := getattr(one, name)) is not None}
        above = {system: value for system, value in known.items() if value > SHARE * gain}
        if not above:
            continue
        text = f"{name} of {_listed(above)}, the spread {spread}, is {large}: {help}"
        over = [one.system for one in mine if varies_more(above.get(one.system, 0.0), one.s_dev, one.runs)]
        if name == "s_test" and over:
            text += f"; of {listing(over)} it is above s_dev, a sign of overfitting to the development set"
        yield Note(f"large-{name}", text)


def varies_more(s_test: float, s_dev: float | None, runs: int) -> bool:
    """Return whether runs vary more on the test set than on the development set, beyond chance (F test at 5 %)."""
    if s_dev is None or runs < 2 or s_test <= s_dev or s_dev == 0.0:
        return False
    half = (runs - 1) / 2.0
    return beta_cdf(1.0 / (1.0 + (s_test / s_dev) ** 2), half, half) <= 0.05


def _listed(found: Mapping[str, float]) -> str:
    return listing([f"{system} ({decimal(value, _places(value))})" for system, value in found.items()])


def _places(value: float) -> int:
    """Return the decimals that show two figures of a value."""
    return max(0, 1 - math.floor(math.log10(value)))
