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
OVERFITTED = Sentence("{metric} of {systems} varies more on the test set than on the development set: overfitting?")


def check_gain(gain: float | None) -> None:
    """Refuse a gain of zero, or one that is no number."""
    if gain is not None and (not math.isfinite(gain) or gain == 0.0):
        raise InputError(f"the gain must be a number other than 0; got {gain:g}")


def advice(
    variability: Sequence[Variability], gains: Mapping[str, float], metrics: Sequence[MetricInfo]
) -> Iterator[Note]:
    """Yield what to do about the standard deviations that are more than half of the gain (Clark et al. 2011).

    Of a metric without a gain nothing is said.
    """
    for metric in metrics:
        gain = abs(gains.get(metric.key, 0.0))
        rows = [row for row in variability if row.metric == metric.key]
        for name, sentence in LARGE.items() if gain > 0.0 else ():
            large = [(row, getattr(row, name)) for row in rows if (getattr(row, name) or 0.0) > SHARE * gain]
            if large:
                systems = listing([f"{row.system} ({_two_figures(value)})" for row, value in large])
                yield Note(f"large-{name}", sentence(systems=systems, gain=_two_figures(gain), metric=metric.label))
            over = [row.system for row, value in large if varies_more(value, row.s_dev, row.runs)]
            if name == "s_test" and over:
                yield Note("large-s_test", OVERFITTED(systems=listing(over), metric=metric.label))


def varies_more(s_test: float, s_dev: float | None, runs: int) -> bool:
    """Return whether runs vary more on the test set than on the development set, beyond chance (F test at 5 %)."""
    if s_dev is None or runs < 2 or s_test <= s_dev or s_dev == 0.0:
        return False
    half = (runs - 1) / 2.0
    return beta_cdf(1.0 / (1.0 + (s_test / s_dev) ** 2), half, half) <= 0.05


def _two_figures(value: float) -> str:
    return decimal(value, max(0, 1 - math.floor(math.log10(value))))


def variability_tables(result: Any, decimals: int | None) -> Iterator[Table]:
    """Yield how scores vary, as Clark et al.'s table 1 and the components behind it; then over training samples."""
    noun = {"block": "segment", "testset": "test set"}.get(result.unit, result.unit)
    runs, samples = [], []
    for metric in result.metrics:
        digits, headings = digits_of(result, metric, decimals), {"system": f"{metric.label} varies"}
        rows = [row for row in result.variability if row.metric == metric.key]
        names = [Path(row.median_run).name for row in rows]
        if len(set(names)) == len(names):
            rows = [replace(row, median_run=name) for row, name in zip(rows, names, strict=True)]
        caption = "Standard deviations of scores: over test sets (s_sel), over runs (s_test), and their components"
        columns = "system average s_sel s_dev? s_test units run interaction median_run"
        runs.append(table(rows, columns, digits, headings=headings, caption=caption, slots={"noun": noun}))
        trained = [{"": row, "training": row.training} for row in rows if row.training is not None]
        if trained:
            columns = "system training.samples training.s_sample training.sample training.run"
            caption = "Standard deviations of scores over training samples, and its components"
            samples.append(table(trained, columns, digits, headings=headings, caption=caption))
    yield stacked(runs)
    yield from samples
