"""Sentences on the gain that is usually significant."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from truegain.inference.distributions import normal_quantile
from truegain.inference.results import MetricInfo
from truegain.inference.thresholds import share_of_pairs
from truegain.notes import Note
from truegain.registry import TESTS
from truegain.report.model import listing, whole
from truegain.studies.shared_view import interval_text, label_of, unit_words, units_words
from truegain.studies.threshold.result import ThresholdResult
from truegain.studies.threshold.tables import band_text, units_noun

_DIFFERENT = 0.1  # of a threshold: what less than this apart is called alike
_LABELS = 6  # more than these are counted, not named


def verdicts(result: ThresholdResult, metric: MetricInfo, decimals: int) -> list[str]:
    """Say the gain that usually suffices, whether it did, and how it falls with the size."""
    mine = result.threshold(metric.key)
    noun = units_noun(result.unit)

    def show(value: float) -> str:
        return f"{value:.{decimals}f}"

    over = "" if mine.low is None or mine.high is None else f"; {interval_text(mine.low, mine.high, show)} over systems"
    said = [
        f"On this test set a gain of {show(mine.gain)} {metric.label} or more is usually significant (one-sided "
        f"p ≤ {result.alpha:g} over {noun}{over})."
    ]
    said += _shares(result, metric, mine.gain)
    apart = {one.group: one for one in result.groups(metric.key)}
    if result.labels and "same" in apart and "different" in apart:
        same, different = apart["same"].gain, apart["different"].gain
        comparison = _compared(same, different)
        said.append(
            f"Between systems with the same label it takes {show(same)}, between those with different labels "
            f"{show(different)}{comparison}."
        )
    by_class = [f"{show(apart[name].gain)} ({name})" for name in result.classes if name in apart]
    if by_class:
        said.append(f"By class of pairs it takes {listing(by_class)}.")
    segments = result.over_segments(metric.key)
    if segments is not None:
        ratio = mine.gain / segments.gain if segments.gain > 0.0 else math.inf
        said.append(
            f"If segments were independent of each other, {show(segments.gain)} would do; with whole documents as the "
            f"unit it takes {ratio:.1f} times as much."
        )
    return [*said, *_sized(result, metric, show)]


def _shares(result: ThresholdResult, metric: MetricInfo, gain: float) -> list[str]:
    """Say how the threshold does on these very pairs."""
    mine = [one for one in result.pairs if one.metric == metric.key and one.se > 0.0]
    if len(mine) < 2:
        return []
    gains, p = (np.array([getattr(one, field) for one in mine]) for field in ("delta", "p"))
    above, shown, below, too = share_of_pairs(gains, p, gain, result.alpha)
    if above == 0:
        return [f"No pair gains so much; of {whole(below, 'pair')} that {_gain(below)} less, {too:,} {_is(too)}."]
    text = f"Of {whole(above, 'pair')} that {_gain(above)} so much, {shown:,} {_is(shown)}"
    return [f"{text}; of {below:,} that {_gain(below)} less, {too:,}." if below else f"{text}."]


def _gain(count: int) -> str:
    return "gains" if count == 1 else "gain"


def _is(count: int) -> str:
    return "is significant" if count == 1 else "are significant"


def _compared(same: float, different: float) -> str:
    if abs(same - different) <= _DIFFERENT * max(same, different):
        return ", about as much"
    return ", more" if different > same else ", less"


def _sized(result: ThresholdResult, metric: MetricInfo, show: Callable[[float], str]) -> list[str]:
    """Say how the threshold falls."""
    law = result.law(metric.key)
    if law is None:
        return []
    points = [one for one in result.sizes if one.metric == metric.key]
    noun = units_noun(result.unit)
    first, last = points[0], points[-1]
    ends = "" if law.low is None or law.high is None else f" ({interval_text(law.low, law.high, lambda x: f'{x:.2f}')})"
    text = (
        f"From {first.units:,} to {last.units:,} {noun} the threshold falls from {show(first.gain)} to "
        f"{show(last.gain)} {metric.label}, as n^−{law.exponent:.2f}{ends}"
        if law.exponent >= 0.0
        else f"From {first.units:,} to {last.units:,} {noun} the threshold does not fall: {show(first.gain)} and "
        f"{show(last.gain)} {metric.label}"
    )
    covered = [one.covered for one in points if one.covered is not None]
    within = ""
    if covered:
        within = f", which lies in the interval at {sum(covered)} of {len(covered)} sizes"
    return [f"{text}. The law of one over the root is {law.c:.3g}/√n here{within}."]


def remarks(result: ThresholdResult) -> list[Note | str]:
    """Return remarks on the result."""
    said = [f"Unit: {unit_words(result.unit)}"]
    ratio = normal_quantile(1.0 - result.alpha / 2.0) / normal_quantile(1.0 - result.alpha)
    said.append(f"Tests are one-sided; a two-sided one at {result.alpha:g} takes a gain {ratio:.2f} times as large")
    if result.labels:
        said.append(f"Labels: {_labels([one.label for one in result.labels])}")
    if result.classes:
        kinds = [one.group for one in result.pairs if one.metric == result.metrics[0].key]
        counted = [f"{name} ({whole(kinds.count(name), 'pair')})" for name in result.classes]
        said.append(f"Classes of pairs: {listing(counted)}")
    if result.sizes:
        if result.subsets == "initial":
            said.append(
                f"Parts of the test set are its first {units_noun(result.unit)}: intervals are over systems, and do "
                "not cover another choice of these"
            )
        else:
            times = max(one.repetitions for one in result.sizes)
            said.append(
                f"Parts of the test set were drawn at random, {times} of each size, the smaller inside the larger: "
                "intervals are over systems and parts"
            )
    return [*said, *result.notes]


def _labels(labels: Sequence[str]) -> str:
    counts = {label: labels.count(label) for label in dict.fromkeys(labels)}
    if len(counts) > _LABELS:
        return f"{len(counts)} different ones of {whole(len(labels), 'system')}"
    return listing([f"{label} ({whole(count, 'system')})" for label, count in counts.items()])


def methods(result: ThresholdResult) -> str:
    """Describe the method in a few sentences, to paste into a paper."""
    systems = len({one.name for one in result.scores})
    pairs = systems * (systems - 1) // 2
    names = listing([metric.label for metric in result.metrics])
    test = "stationary-bootstrap" if result.unit == "block" else "bootstrap"
    quantile = normal_quantile(1.0 - result.alpha)
    text = (
        f"The difference{'' if pairs == 1 else 's'} in {names} of "
        f"{'the pair' if pairs == 1 else f'all {pairs:,} pairs'} of {systems} systems "
        f"{'was' if pairs == 1 else 'were'} tested with {label_of(test)} (one-sided, in favour of the system with the "
        f"better score; {TESTS[test].source}) over {units_words(result.unit, result.n_units)} with "
        f"{result.resamples:,} resamples that all pairs share. After Berg-Kirkpatrick et al. (2012), a gain is called "
        f"usually significant where 95 % of the pairs would have p ≤ {result.alpha:g} with it: the 95th percentile "
        f"over pairs of {quantile:.3f} standard errors of the difference. Beside it stands their own estimate, the "
        f"95th percentile of the gains of pairs with p from {band_text(result.alpha)}"
    )
    if result.draws:
        text += (
            f". Intervals of 95 % are normal ones of its logarithm, corrected for bias, from {result.draws:,} draws of "
            "systems with replacement, in which two copies of a system are no pair"
        )
    return f"{text} (truegain {result.version}, seed {result.seed})."
