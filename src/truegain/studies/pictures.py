"""Figures of results: for each study, which there are, and what draws each of them from the rows of the result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from truegain.inference.distributions import normal_cdf
from truegain.inference.results import Comparison, MetricInfo
from truegain.report.figures.forest import Row, RowPanel, forest, heatmap, outcome_of
from truegain.report.figures.series import Panel, Series, plot, quantiles
from truegain.report.figures.style import MINUS, fitted
from truegain.report.page import Picture
from truegain.view import Digits, digits_of
from truegain.words import after_words, alpha_text, chance_text, heading_of, label_of, level_words, units_words, whole

if TYPE_CHECKING:
    from truegain.studies import (
        agree,
        calibrate,
        compare,
        domains,
        plan,
        pool,
        rank,
        run_intervals,
        runs,
        score,
        threshold,
        tune,
    )

_ROWS = 60  # of a forest: what a page holds
_PAIRS = 12  # that have a forest of their own
_MOST = 6  # series or curves of a panel
_POINTS = 17  # of a curve of power


def pictures(result: Any, decimals: int | None) -> tuple[Picture, ...]:
    """Return the figures of a result; nothing if its study has none."""
    figures = _FIGURES.get(result.study)
    return () if figures is None else tuple(figures(result, decimals))


def _further(name: str, item: str, first: str) -> str:
    """Return the name of one of several figures: the first has the plain name."""
    return name if item == first else f"{name}-{item}"


def _agree(result: agree.AgreeResult, decimals: int | None) -> Iterator[Picture]:
    """Yield ``agreement``, of further measures ``agreement-`` and the measure's name, then ``scatter``."""
    from truegain.studies.agree import LABELS

    digits = Digits(3 if decimals is None else decimals)
    for measure in result.measures:
        rows = [row for row in result.agreement if row.measure == measure]
        values = [_row(digits, row.value, row.interval) for row in rows]
        panel = RowPanel(LABELS[measure], values, digits.places, fmean(row.chance for row in rows))
        rules = [place for place, (above, row) in enumerate(pairwise(rows), 1) if row.cluster != above.cluster]
        opening = f"Agreement with people, {LABELS[measure]}, with {level_words(result.alpha)} intervals"
        caption = (
            f"{opening} for {result.claim_words}; dotted: what chance gives. Lines separate clusters: "
            f"p ≤ {result.alpha:g}{after_words(result.adjust)}."
        )
        drawn = partial(forest, [row.metric for row in rows], [panel], f"{opening}.", rules=rules)
        yield Picture(_further("agreement", measure, result.measures[0]), caption, drawn)
    panels = []
    for place, metric in enumerate(result.metrics):
        points = {row.name: list(zip(row.human, row.scores[place], strict=True)) for row in result.test_sets}
        panels.append(Panel("people", metric, [Series(name * (len(points) > 1), points[name]) for name in points]))
    caption = "Systems: the score of each metric against people's; higher is better."
    yield Picture("scatter", caption, partial(plot, panels))


def _calibrate(result: calibrate.CalibrationResult, decimals: int | None) -> Iterator[Picture]:
    """Yield the p-values' quantiles against those of a uniform variable: ``quantiles``."""
    curves = {
        metric.label: {row.test: row.quantiles for row in result.measured if row.metric == metric.key}
        for metric in result.metrics
    }
    caption = (
        f"Quantiles of p-values on {whole(result.repetitions, 'dataset')} without a difference ({result.how}) against "
        "those of a uniform variable; below the line p is too small, and the test rejects too often."
    )
    yield Picture("quantiles", caption, partial(quantiles, curves))


def _compare(result: compare.CompareResult, decimals: int | None) -> Iterator[Picture]:
    """Yield the gains: ``forest``; of groups ``groups``, and of further pairs ``groups-`` and the pair."""
    families = [result.primary_tests(metric.key) for metric in result.metrics]
    # With many pairs the rows are those that the first metric is least sure of, for all metrics.
    places = _closest(families[0], result.alpha)
    shown = [
        _gains(result, metric, [family[place] for place in places], decimals)
        for metric, family in zip(result.metrics, families, strict=True)
    ]
    who = "Differences between systems" if result.baseline is None else f"Gains over {result.baseline}"
    opening = f"{who}, with {level_words(result.alpha)} intervals"
    caption = f"{opening}; filled where p ≤ {result.alpha:g}{_after(families[0])}."
    if len(places) < len(families[0]):
        caption += f" Shown: the {len(places)} of {len(families[0])} with p nearest to {result.alpha:g}."
    names = _names([families[0][place] for place in places], result.baseline, MINUS)
    yield Picture("forest", caption, partial(forest, names, shown, f"{opening}."))
    if (groups := result.groups) is not None:
        rows = [(row.metric, row.group, row.comparison) for row in groups.gains if row.comparison is not None]
        note = (
            f"filled where p ≤ {result.alpha:g} after adjustment for the number of groups. Groups with fewer than "
            "10 units are left out."
        )
        yield from _by_pair(result, decimals, ("groups", f"by {groups.by}", note), rows)


def _pool(result: pool.PooledResult, decimals: int | None) -> Iterator[Picture]:
    """Yield a forest of the test sets for each pair: ``forest``, and of further ones ``forest-`` and the pair."""
    first = result.sets[0]
    if result.micro is None:
        yield from _compare(first, decimals)
        return
    rows = [
        (metric.key, label, test)
        for label, level in result.levels
        for metric in result.metrics
        for test in level.primary_tests(metric.key)
    ]
    note = (
        f"filled where p ≤ {result.alpha:g}{_after(first.primary_tests(result.metrics[0].key))}. Below the line: all "
        "segments as one corpus (micro), and the mean of the test sets' scores (macro)."
    )
    yield from _by_pair(first, decimals, ("forest", "on every test set", note), rows, [len(result.sets)])


def _by_pair(
    result: compare.CompareResult,
    decimals: int | None,
    words: tuple[str, str, str],
    rows: Sequence[tuple[str, str, Comparison]],
    rules: Sequence[int] = (),
) -> Iterator[Picture]:
    """Yield a forest for each pair; ``words``: its name, where gains are, a note; ``rows``: metric, name, gain."""
    name, where, note = words
    tests = result.primary_tests(result.metrics[0].key)[:_PAIRS]
    labels = _names(tests, result.baseline, "-")
    for label, pair in zip(labels, tests, strict=True):
        own = [row for row in rows if (row[2].baseline, row[2].system) == (pair.baseline, pair.system)]
        shown = [
            _gains(result, metric, [test for key, _, test in own if key == metric.key], decimals)
            for metric in result.metrics
        ]
        opening = f"Gains of {pair.system} over {pair.baseline} {where}, with {level_words(result.alpha)} intervals"
        drawn = partial(forest, list(dict.fromkeys(row for _, row, _ in own)), shown, f"{opening}.", rules=rules)
        if own:
            yield Picture(_further(name, label, labels[0]), f"{opening}; {note}", drawn)


def _after(tests: Sequence[Comparison]) -> str:
    """Name the adjustment, if there is more than one comparison to adjust for."""
    return after_words(tests[0].adjust) if len(tests) > 1 else ""


def _names(tests: Iterable[Comparison], baseline: str | None, joint: str) -> list[str]:
    """Name pairs by their systems if all have the same baseline."""
    return [test.system if test.baseline == baseline else f"{test.system}{joint}{test.baseline}" for test in tests]


def _gains(result: Any, metric: MetricInfo, tests: Iterable[Comparison], decimals: int | None) -> RowPanel:
    digits = digits_of(result, metric, decimals)
    rows = [_row(digits, test.delta, test.interval, outcome_of(test)) for test in tests]
    return RowPanel(f"Δ {metric.label}", rows, digits.places, 0.0)


def _row(digits: Digits, value: float, interval: Any, outcome: str = "") -> Row:
    if interval is None:
        return Row(digits.shown(value), outcome=outcome)
    return Row(digits.shown(value), digits.shown(interval.low), digits.shown(interval.high), outcome)


def _closest(family: Sequence[Comparison], alpha: float) -> list[int]:
    """Return the places of those whose adjusted p is nearest to alpha as a ratio: what a reader doubts."""
    doubts = [abs(math.log(max(test.p_adjusted, 1e-300) / alpha)) for test in family]
    return sorted(sorted(range(len(family)), key=doubts.__getitem__)[:_ROWS])


def _domains(result: domains.DomainsResult, decimals: int | None) -> Iterator[Picture]:
    """Yield ``agreement``, and ``confidence`` if there are test sets of one size; then those of further metrics."""
    level, first = level_words(result.alpha), result.metrics[0].key
    for metric in result.metrics:
        caption = (
            f"Of all pairs of {len(result.systems)} systems, those with the same sign by {metric.label} elsewhere, "
            f"by p (one-sided paired bootstrap); {level} intervals by resampling systems. Hollow: p on test sets drawn "
            "from a set, the sign of the whole set. Filled: p on one set, the sign on another."
        )
        yield Picture(_further("agreement", metric.key, first), caption, partial(plot, [_agreement(result, metric)]))
        panels = _same_sizes(result, metric, digits_of(result, metric, decimals))
        caption = (
            f"Gain by {metric.label} of every two systems on each set, and the confidence, 1 − p, that it has on test "
            "sets of one size, by its standard error there. Vertical lines: the gain that is usually significant at "
            f"{result.alpha:g}, with its {level} interval."
        )
        if panels:
            yield Picture(_further("confidence", metric.key, first), caption, partial(plot, panels))


def _agreement(result: domains.DomainsResult, metric: MetricInfo) -> Panel:
    """Return shares by bins of p: what is expected, all transfers together, draws, and the first single transfers."""
    bars = [(place, 1.0 - min(high, 0.5), 1.0 - low) for place, (low, high) in enumerate(result.ends)]
    rows: list[tuple[str, Any, bool]] = [(f"{row.transfers} transfers", row, False) for row in result.pooled]
    rows += [(f"{row.units:,} units drawn → {row.set}", row, True) for row in result.populations]
    rows += [(f"{row.source} → {row.target}", row, False) for row in result.transfers]
    series = [Series("1 − p", [], bars)]
    for label, row, hollow in [row for row in rows if row[1].metric == metric.key][:_MOST]:
        bins = [(place, part) for place, part in enumerate(row.bins) if None not in (part.share, part.ci)]
        shares, ends = [(place, part.share) for place, part in bins], [(place, *part.ci) for place, part in bins]
        series.append(Series(label, shares, ends, hollow=hollow))
    first, *middle, last = [tuple(map(alpha_text, ends)) for ends in result.ends]
    ticks = [f"≤ {first[1]}", *("–".join(ends) for ends in middle), f"> {last[0]}"]
    return Panel("p", "same sign", series, metric.label, 0.5, ylim=(0.0, 1.04), ticks=ticks)


def _same_sizes(result: domains.DomainsResult, metric: MetricInfo, digits: Digits) -> list[Panel]:
    """Return a panel for each size, with a series for each of the first sets."""
    pairs = [row.deltas for row in result.pairs if row.metric == metric.key]
    of_sizes: dict[str, list[Series]] = {}
    for place, tested in enumerate(result.sets[:_MOST]):
        for row in result.thresholds:
            if (row.metric, row.set) == (metric.key, tested.name):
                sizes = [abs(deltas[place]) for deltas in pairs]
                known = [(size, error) for size, error in zip(sizes, row.errors, strict=True) if error > 0.0]
                points = [(size, normal_cdf(size / error)) for size, error in known]
                series = _threshold_series(tested.name, points, row, digits)
                of_sizes.setdefault(f"{metric.label}, {row.units:,} {tested.unit}s", []).append(series)
    return [_confidence(metric, series, result.alpha, title) for title, series in of_sizes.items()]


def _threshold_series(label: str, points: Sequence[tuple[float, float]], row: Any, digits: Digits) -> Series:
    """Return gains and their confidence, and the gain that usually suffices."""
    low, high = (None if end is None else digits.shown(end) for end in (row.low, row.high))
    gains = [(digits.shown(gain), sure) for gain, sure in points]
    return Series(f"{label}: {digits.score(row.gain)}", gains, at=(digits.shown(row.gain), low, high))


def _confidence(metric: MetricInfo, series: Sequence[Series], alpha: float, title: str = "") -> Panel:
    """Return gains against confidence, up to three times the largest threshold: beyond it all is sure."""
    thresholds = [one.at[0] for one in series if one.at is not None]
    farthest = max((gain for one in series for gain, _ in one.points), default=0.0)
    right = max(min(1.05 * farthest, 3.0 * max(thresholds)), 1.1 * max(thresholds)) or 1.0
    return Panel(f"gain in {metric.label}", "confidence, 1 − p", series, title, 1.0 - alpha, xlim=(0.0, right))


def _intervals(result: run_intervals.IntervalsResult, decimals: int | None) -> Iterator[Picture]:
    """Yield the intervals by method, and p against the size of the gain: ``intervals``."""
    from truegain.studies.run_intervals import METHODS

    panels = []
    for metric in result.metrics:
        of_scores, of_gains = [], []
        rows = [row for row in result.intervals if row.metric == metric.key]
        systems = list(dict.fromkeys(row.system for row in rows))
        for method, tests in METHODS.items():
            mine = [row for row in rows if row.method == method]
            scores = [(systems.index(row.system), row.score) for row in mine]
            bars = [(systems.index(row.system), row.interval.low, row.interval.high) for row in mine]
            of_scores.append(Series(method, scores, bars))
            measured = [row for row in result.measured if (row.metric, row.method) == (metric.key, method)]
            # There is no place for 0 on a logarithmic axis.
            gains = [(abs(row.delta), row.p[tests[-1]]) for row in measured if row.p.get(tests[-1], 0.0) > 0.0]
            of_gains.append(Series(method, gains))
        panels.append(Panel("system", metric.label, of_scores, ticks=[fitted(system, 12) for system in systems]))
        panels.append(Panel(f"difference in {metric.label}", "p", of_gains, level=result.alpha, log="y"))
    caption = (
        f"{level_words(result.alpha)} intervals of scores by what is drawn (left), and p by the size of the "
        f"difference of two systems (right, with {result.alpha:g} as a line): "
        f"{units_words(result.unit, result.n_units)}, {result.resamples:,} resamples."
    )
    yield Picture("intervals", caption, partial(plot, panels))


def _plan(result: plan.PlanResult, decimals: int | None) -> Iterator[Picture]:
    """Yield power and the least gain found, by the size of the test set: ``power``."""
    panels = [panel for metric in result.metrics for panel in _power(result, metric, decimals)]
    caption = (
        f"The power to detect a gain at a level of {100 * result.alpha:g} % (left), and the least gain with "
        f"{chance_text(result.power)} power (right), by the number of {result.noun}s."
    )
    yield Picture("power", caption, partial(plot, panels))


def _power(result: plan.PlanResult, metric: MetricInfo, decimals: int | None) -> list[Panel]:
    """Return curves by gains, or by numbers of runs if there are several; sizes are even on a logarithmic axis."""
    from truegain.studies.plan import gain_text, plan_digits

    basis, digits = result.basis(metric.key), plan_digits(result, metric, decimals)
    asked = [size.units for size in result.sizes]
    places = np.geomspace(max(2.0, min(asked) / 2.0), 4.0 * max(asked), _POINTS).tolist()

    def least(count: int, units: float) -> float:
        return basis.plan.detectable((count, count), power=result.power, units=units * basis.share, **result.level)

    gains = basis.gains or (least(result.runs[0], result.sizes[len(result.sizes) // 2].units),)
    if len(result.runs) > 1:
        gains = gains[:1]
    elif len(gains) == 1:
        gains = (gains[0] / 2, gains[0], 2 * gains[0])
    powers, found = [], []
    for count in result.runs[:_MOST]:
        for gain in sorted(gains)[:_MOST]:
            share = [basis.plan.power(gain, (count, count), units=n * basis.share, **result.level) for n in places]
            name = f"Δ {gain_text(gain, digits)}, {whole(count, 'run')}"
            powers.append(Series(name, list(zip(places, share, strict=True)), line=True))
        points = [(units, digits.shown(least(count, units))) for units in places]
        found.append(Series(whole(count, "run"), points, line=True))
    noun, sizes = f"{result.noun}s", (places[0], places[-1])
    return [
        Panel(noun, "power", powers, metric.label, result.power, "x", sizes, (0.0, 1.02)),
        Panel(noun, f"least Δ {metric.label} found", found, metric.label, None, "x", sizes, (0.0, None)),
    ]


def _rank(result: rank.RankResult, decimals: int | None) -> Iterator[Picture]:
    """Yield a map of all pairs for each metric: ``heatmap``, and of further ones ``heatmap-`` and the metric."""
    for metric in result.metrics:
        digits = digits_of(result, metric, decimals)
        placed = [row for row in result.ranking if row.metric == metric.key]
        place = {row.system: i for i, row in enumerate(placed)}
        deltas = np.zeros((len(placed), len(placed)))
        shown = np.zeros(deltas.shape, bool)
        for pair in (pair for pair in result.pairs if pair.metric == metric.key):
            row, column = place[pair.system], place[pair.baseline]
            deltas[row, column], deltas[column, row] = digits.shown(pair.delta), digits.shown(-pair.delta)
            shown[row, column] = shown[column, row] = pair.better is not None
        caption = (
            f"Differences in {metric.label}, row minus column, positive if the row's system is better; full colour if "
            f"p ≤ {result.alpha:g}{after_words(result.adjust)} ({label_of(result.test)} over "
            f"{units_words(result.unit, result.n_units)}), faded if not. Lines separate clusters."
        )
        given = (list(place), metric.label, deltas.tolist(), shown.tolist(), [row.cluster for row in placed])
        name = _further("heatmap", metric.key, result.metrics[0].key)
        yield Picture(name, caption, partial(heatmap, *given, decimals=digits.places))


def _replicate(result: runs.ReplicateResult, decimals: int | None) -> Iterator[Picture]:
    """Yield the run scores of both systems, and the gain as the number of runs grows: ``runs``."""
    panels = []
    for metric in result.metrics:
        rows = [row for row in result.scores if row.metric == metric.key]
        scores = [(place, score) for place, row in enumerate(rows) for score in row.run_scores]
        drawn = {row.count: row.delta for row in result.drawn if row.metric == metric.key}
        medians = [(place, delta.median) for place, delta in enumerate(drawn.values())]
        bars = [(place, delta.low, delta.high) for place, delta in enumerate(drawn.values())]
        names = [fitted(row.name, 20) for row in rows]
        panels.append(Panel("system", metric.label, [Series("", scores, hollow=True)], ticks=names))
        gains = Series("", medians, bars, line=True)
        panels.append(Panel("runs of each", f"Δ {metric.label}", [gains], level=0.0, ticks=list(map(str, drawn))))
    caption = (
        "Scores of all runs (left), and the gain of runs drawn by how many are drawn of each system (right): the "
        f"median and the middle 95 % of {whole(result.repetitions, 'draw')}."
    )
    yield Picture("runs", caption, partial(plot, panels))


def _score(result: score.ScoreResult, decimals: int | None) -> Iterator[Picture]:
    """Yield the scores if they have intervals: ``scores``."""
    shown = []
    for metric in result.metrics:
        digits = digits_of(result, metric, decimals)
        rows = [_row(digits, row.score, row.interval) for row in result.scores if row.metric == metric.key]
        shown.append(RowPanel(heading_of(metric), rows, digits.places))
    opening = f"Scores with {level_words(result.alpha)} intervals"
    names = list(dict.fromkeys(row.name for row in result.scores))
    if any(row.interval is not None for row in result.scores):
        caption = f"{opening} over {units_words(result.unit, result.n_units)}."
        yield Picture("scores", caption, partial(forest, names, shown, f"{opening}."))


def _threshold(result: threshold.ThresholdResult, decimals: int | None) -> Iterator[Picture]:
    """Yield gains against confidence: ``confidence``; and thresholds by size, if they were asked for: ``sizes``."""
    from truegain.studies.threshold import group_words

    panels, by_size = [], []
    for metric in result.metrics:
        digits = digits_of(result, metric, decimals)
        pairs = [row for row in result.pairs if row.metric == metric.key and row.se > 0.0]
        series = []
        for row in result.groups(metric.key):
            points = [(pair.delta, 1.0 - pair.p) for pair in pairs if row.group in ("all", pair.group)]
            series.append(_threshold_series(group_words(result, row.group), points, row, digits))
        # Where there are groups, all pairs together come first, and would hide them.
        panels.append(_confidence(metric, series[len(series) > 1 :], result.alpha))
        by_size += [_sizes(result, metric, law) for law in result.laws if law.metric == metric.key]
    caption = (
        f"Gain and confidence, 1 − p, of every two systems (the bootstrap, one-sided, over "
        f"{units_words(result.unit, result.n_units)}). Vertical lines: the gain that is usually significant at "
        f"{result.alpha:g}, the 95th percentile over pairs of what each would need; bands: 95 % intervals over systems."
    )
    yield Picture("confidence", caption, partial(plot, panels))
    caption = (
        f"The gain that is usually significant at {result.alpha:g} on parts of the test set, with 95 % intervals over "
        "systems, beside the law c/√n. Both axes are logarithmic."
    )
    if by_size:
        yield Picture("sizes", caption, partial(plot, by_size))


def _sizes(result: threshold.ThresholdResult, metric: MetricInfo, law: Any) -> Panel:
    """Return the thresholds of a metric by size, as far as logarithms go, and c/√n."""
    rows = [row for row in result.sizes if row.metric == metric.key and row.gain > 0.0]
    points = [(row.units, row.gain) for row in rows]
    bars = [(row.units, row.low, row.high) for row in rows if row.low is not None and row.high is not None]
    straight = [(row.units, law.c / math.sqrt(row.units)) for row in rows]
    series = [Series(f"n^−{law.exponent:.2f}", points, bars, line=True), Series(f"{law.c:.3g}/√n", straight, line=True)]
    return Panel(f"{result.unit}s", f"threshold in {metric.label}", series, log="xy")


def _tune(result: tune.TuneResult, decimals: int | None) -> Iterator[Picture]:
    """Yield the score of every run on dev against that on each test set with references: ``runs``."""
    label = result.metrics[0].label
    panels = []
    for place, row in enumerate(result.sets):
        if place > 0 and row.best is not None:
            points = list(zip(result.scores(0), result.scores(place), strict=True))
            panels.append(Panel(f"{label} on dev", f"{label} on {row.name}", [Series("", points)]))
    caption = f"{label} of every run on the development set, and on the test set."
    if panels:
        yield Picture("runs", caption, partial(plot, panels))


_FIGURES: dict[str, Callable[[Any, int | None], Iterator[Picture]]] = {
    "agree": _agree,
    "calibrate": _calibrate,
    "compare": _compare,
    "domains": _domains,
    "intervals": _intervals,
    "plan": _plan,
    "pool": _pool,
    "rank": _rank,
    "replicate": _replicate,
    "score": _score,
    "threshold": _threshold,
    "tune": _tune,
}
