"""How scores vary: tables of standard deviations, and what helps against those above half of a difference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from truegain.errors import InputError
from truegain.inference.distributions import beta_cdf
from truegain.inference.results import MetricInfo, Variability
from truegain.notes import Note
from truegain.report.model import Table
from truegain.view import digits_of, stacked, table
from truegain.words import Sentence, decimal, listing

#: Of the gain: a standard deviation above it calls for advice.
SHARE = 0.5
LARGE = {
    "s_sel": Sentence(
        "s_sel of {systems} is above half of the gain of {gain} {metric}: take a larger test set, and go by the paired "
        "difference"
    ),
    "s_dev": Sentence(
        "s_dev of {systems} is above half of the gain of {gain} {metric}: tune more often, and keep the run that is "
        "best on the development set"
    ),
    "s_test": Sentence("s_test of {systems} is above half of the gain of {gain} {metric}: make more runs of each"),
}
OVERFITTED = Sentence("{advice}; of {systems} it is above s_dev, a sign of overfitting to the development set")


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
        for name in LARGE if gain > 0.0 else ():
            known = {one.system: value for one in mine if (value := getattr(one, name)) is not None}
            above = {system: value for system, value in known.items() if value > SHARE * gain}
            if above:
                text = LARGE[name](systems=_listed(above), gain=decimal(gain, _places(gain)), metric=metric.label)
                over = [one.system for one in mine if varies_more(above.get(one.system, 0.0), one.s_dev, one.runs)]
                overfitted = name == "s_test" and over
                yield Note(f"large-{name}", OVERFITTED(advice=text, systems=listing(over)) if overfitted else text)


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


def variability_tables(result: Any, decimals: int | None) -> Iterator[Table]:
    """Yield how scores vary, as Clark et al.'s table 1 and the components behind it; then over training samples."""
    yield stacked([_variability_table(result, metric, decimals) for metric in result.metrics])
    for metric in result.metrics:
        rows = [
            {"": one, "training": one.training}
            for one in result.variability
            if one.metric == metric.key and one.training is not None
        ]
        if rows:
            yield table(
                rows,
                "system training.samples training.s_sample training.sample training.run",
                digits_of(result, metric, decimals),
                headings={"system": f"{metric.label} varies"},
                caption="Standard deviations of scores over training samples, and its components",
            )


def _variability_table(result: Any, metric: MetricInfo, decimals: int | None) -> Table:
    """Return how scores vary, as Clark et al.'s table 1 and the components behind it."""
    mine = [one for one in result.variability if one.metric == metric.key]
    names = [Path(one.median_run).name for one in mine]
    if len(set(names)) == len(names):
        mine = [replace(one, median_run=name) for one, name in zip(mine, names, strict=True)]
    noun = {"block": "segment", "testset": "test set"}.get(result.unit, result.unit)
    return table(
        mine,
        "system average s_sel s_dev? s_test units run interaction median_run",
        digits_of(result, metric, decimals),
        headings={"system": f"{metric.label} varies"},
        caption="Standard deviations of scores: over test sets (s_sel), over runs (s_test), and their components",
        slots={"noun": noun},
    )
