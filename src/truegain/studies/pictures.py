"""Figures of results: for each study, which there are, and what draws each of them from the rows of the result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from truegain.inference.distributions import normal_cdf, normal_quantile
from truegain.inference.results import Comparison, MetricInfo
from truegain.report.figures.curves import PowerPanel, RunsPanel, SizesPanel, power, quantiles, runs, sizes
from truegain.report.figures.forest import Row, RowPanel, forest, gain
from truegain.report.figures.heatmap import heatmap
from truegain.report.figures.names import MINUS
from truegain.report.figures.points import (
    AgreementPanel,
    ConfidencePanel,
    IntervalsPanel,
    Method,
    PairsOf,
    Series,
    agreement,
    confidence,
    intervals,
    scatter,
    tuned,
)
from truegain.report.page import Picture
from truegain.view import decimals_for, digits_of
from truegain.words import (
    after_words,
    chance_text,
    heading_of,
    label_of,
    level_words,
    score_intervals_words,
    units_words,
    whole,
)

if TYPE_CHECKING:
    from truegain.studies.agree import AgreeResult
    from truegain.studies.calibrate import CalibrationResult
    from truegain.studies.compare import CompareResult
    from truegain.studies.domains import DomainsResult
    from truegain.studies.parts import Groups
    from truegain.studies.plan import PlanResult
    from truegain.studies.pool import PooledResult
    from truegain.studies.rank import RankResult
    from truegain.studies.run_intervals import IntervalsResult
    from truegain.studies.runs import ReplicateResult
    from truegain.studies.score import ScoreResult
    from truegain.studies.threshold import ThresholdResult
    from truegain.studies.tune import TuneResult

_ROWS = 60  # of a forest: what a page holds
_PAIRS = 12  # that have a forest of their own
_MOST = 6  # panels, and series or curves of a panel
_POINTS = 33  # of a curve of power
_POINTS_OF_RUNS = 17  # each of which takes a hundred times as long
_FARTHEST = 4.0  # times the largest size asked for
_CURVE = 401  # points of a curve of p


def pictures(result: Any, decimals: int | None) -> tuple[Picture, ...]:
    """Return the figures of a result; nothing if its study has none."""
    figures = _FIGURES.get(result.study)
    return () if figures is None else tuple(figures(result, decimals))


def _agree(result: AgreeResult, decimals: int | None) -> Iterator[Picture]:
    """Yield ``agreement``, of further measures ``agreement-`` and the measure's name, then ``scatter``."""
    from truegain.studies.agree import LABELS

    for measure in result.measures:
        placed = result.placed(measure)
        rows = [Row(row.value, row.interval.low, row.interval.high) for row in placed]
        chance = sum(row.chance for row in placed) / len(placed)
        panel = RowPanel(LABELS[measure], rows, 3 if decimals is None else decimals, chance)
        rules = [row for row in range(1, len(placed)) if placed[row].cluster != placed[row - 1].cluster]
        dotted = "the mean over metrics of what chance gives" if measure == "acc23" else "what chance gives"
        caption = (
            f"Agreement with people, {LABELS[measure]}, with {level_words(result.alpha)} intervals for "
            f"{result.claim_words}; dotted: {dotted}."
        )
        if rules:
            caption += f" Lines separate clusters: p ≤ {result.alpha:g}{after_words(result.adjust)}."
        name = "agreement" if measure == result.measures[0] else f"agreement-{measure}"
        opening = f"Agreement with {level_words(result.alpha)} intervals."
        names = [row.metric for row in placed]
        yield Picture(name, caption, partial(forest, names, [panel], opening, rules=rules))
    places = {row.metric: result.metrics.index(row.metric) for row in result.placed(result.measures[0])}
    points = {
        metric: [list(zip(row.human, row.scores[place], strict=True)) for row in result.test_sets]
        for metric, place in places.items()
    }
    caption = "Systems: the score of each metric against people's; higher is better."
    yield Picture("scatter", caption, partial(scatter, points, [row.name for row in result.test_sets]))


def _calibrate(result: CalibrationResult, decimals: int | None) -> Iterator[Picture]:
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


def _compare(result: CompareResult, decimals: int | None) -> Iterator[Picture]:
    """Yield the gains: ``forest``; of groups ``groups``, and of further pairs ``groups-`` and the system's name."""
    families = [result.primary_tests(metric.key) for metric in result.metrics]
    # With many pairs the rows are those that the first metric is least sure of, for all metrics.
    rows = _closest(result, families[0])
    first = [families[0][row] for row in rows]
    shown = [
        _gains(metric, [family[row] for row in rows], decimals_for(metric, result.scores, decimals))
        for metric, family in zip(result.metrics, families, strict=True)
    ]
    after = after_words(first[0].adjust) if len(families[0]) > 1 else ""
    who = "Differences between systems" if result.baseline is None else f"Gains over {result.baseline}"
    opening = f"{who}, with {level_words(result.alpha)} intervals"
    caption = f"{opening}; filled where p ≤ {result.alpha:g}{after}."
    if len(rows) < len(families[0]):
        caption += f" Shown: the {len(rows)} of {len(families[0])} with p nearest to {result.alpha:g}."
    names = [row.system if result.baseline is not None else f"{row.system}{MINUS}{row.baseline}" for row in first]
    yield Picture("forest", caption, partial(forest, names, shown, f"{opening}."))
    if result.groups is not None:
        yield from _groups(result, result.groups, decimals)


def _groups(result: CompareResult, groups: Groups, decimals: int | None) -> Iterator[Picture]:
    from truegain.studies.parts import pairs_of

    for number, pair in enumerate(pairs_of(result)[:_PAIRS]):
        shown = []
        names: list[str] = []
        for metric in result.metrics:
            known = {row.group: row.comparison for row in groups.of(metric.key, *pair) if row.comparison is not None}
            names = list(known)
            shown.append(_gains(metric, known.values(), decimals_for(metric, result.scores, decimals)))
        opening = f"Gains of {pair[1]} over {pair[0]} by {groups.by}, with {level_words(result.alpha)} intervals"
        caption = (
            f"{opening}; filled where p ≤ {result.alpha:g} after adjustment for the number of groups. Groups with "
            "fewer than 10 units are left out."
        )
        if names:
            name = _of_pair("groups", number, pair, result.baseline)
            yield Picture(name, caption, partial(forest, names, shown, f"{opening}."))


def _gains(metric: MetricInfo, comparisons: Iterable[Comparison], decimals: int) -> RowPanel:
    return RowPanel(f"Δ {metric.label}", [gain(comparison) for comparison in comparisons], decimals, 0.0)


def _closest(result: CompareResult, family: Sequence[Comparison]) -> list[int]:
    """Return the places of those whose adjusted p is nearest to alpha as a ratio: what a reader doubts.

    Of as many as have the smallest p that there is, those whose intervals are nearest to zero.
    """

    def distance(place: int) -> tuple[float, float]:
        comparison = family[place]
        width = comparison.interval.high - comparison.interval.low
        size = abs(comparison.delta) / width if width > 0.0 else math.inf
        return abs(math.log(max(comparison.p_adjusted, 1e-300) / result.alpha)), size

    return sorted(sorted(range(len(family)), key=distance)[:_ROWS])


def _of_pair(name: str, number: int, pair: tuple[str, str], baseline: str | None) -> str:
    """Return the name of the figure of a pair: the first has the plain name."""
    if number == 0:
        return name
    return f"{name}-{pair[1]}" if baseline is not None else f"{name}-{pair[1]}-{pair[0]}"


def _domains(result: DomainsResult, decimals: int | None) -> Iterator[Picture]:
    """Yield ``agreement``, and ``confidence`` if there are test sets of one size; then those of further metrics."""
    level = level_words(result.alpha)
    for metric in result.metrics:
        ending = "" if metric is result.metrics[0] else f"-{metric.key}"
        caption = (
            f"Of all pairs of {len(result.systems)} systems, those with the same sign by {metric.label} elsewhere, by "
            f"p (one-sided paired bootstrap); {level} intervals by resampling systems; grey: 1 − p."
        )
        if result.populations:
            caption += " Hollow: p on test sets drawn from a set, the sign of the whole set."
        if result.transfers:
            caption += " Filled: p on one set, the sign on another; dashes: what is expected of one domain."
        drawn = partial(agreement, _agreement_panels(result, metric), tuple(result.ends))
        yield Picture(f"agreement{ending}", caption, drawn)
        panels = _same_size_panels(result, metric, digits_of(result, metric, decimals).places)
        caption = (
            f"Gain by {metric.label} of every two systems on each set, and the confidence, 1 − p, that it has on test "
            "sets of one size, by its standard error there. Vertical lines: the gain that is usually significant at "
            f"{result.alpha:g}, with its {level} interval."
        )
        if panels:
            yield Picture(f"confidence{ending}", caption, partial(confidence, panels, result.alpha))


def _agreement_panels(result: DomainsResult, metric: MetricInfo) -> list[AgreementPanel]:
    """Return what all sets say together, then a panel for each of the first sets."""
    panels = [
        AgreementPanel(f"{metric.label}, all sets", "p on one set", [Series(f"{row.transfers} transfers", row.bins)])
        for row in result.pooled
        if row.metric == metric.key
    ]
    alone = len(result.sets) == 1
    for tested in result.sets[: _MOST - bool(result.pooled)]:
        series = [
            Series(f"{row.units:,} {tested.unit}s drawn → {row.set}", row.bins, within=True)
            for row in result.populations
            if (row.metric, row.set) == (metric.key, tested.name)
        ][: _MOST if alone else 1]
        series += [
            Series(f"{row.source} → {row.target}", row.bins)
            for row in result.transfers
            if (row.metric, row.source) == (metric.key, tested.name)
        ]
        axis = "p on the draw" if alone else f"p on {tested.name}"
        panels.append(AgreementPanel(f"{metric.label}, {tested.name}", axis, series[:_MOST]))
    return panels


def _same_size_panels(result: DomainsResult, metric: MetricInfo, decimals: int) -> list[ConfidencePanel]:
    """Return a panel for each size, with a group for each of the first sets."""
    pairs = [row.deltas for row in result.pairs if row.metric == metric.key]
    groups: dict[int, list[PairsOf]] = {}
    for place, tested in enumerate(result.sets[:_MOST]):
        gains = [abs(deltas[place]) for deltas in pairs]
        for row in result.thresholds:
            if (row.metric, row.set) == (metric.key, tested.name):
                known = [(size, error) for size, error in zip(gains, row.errors, strict=True) if error > 0.0]
                points = [(size, normal_cdf(size / error)) for size, error in known]
                groups.setdefault(row.units, []).append(PairsOf(tested.name, points, row.gain, row.low, row.high))
    nouns = {row.unit for row in result.sets}
    noun = nouns.pop() if len(nouns) == 1 else "unit"
    return [ConfidencePanel(f"{metric.label}, {size:,} {noun}s", of_size, decimals) for size, of_size in groups.items()]


def _intervals(result: IntervalsResult, decimals: int | None) -> Iterator[Picture]:
    """Yield the intervals by method, and p against the size of the gain: ``intervals``."""
    from truegain.studies.run_intervals import METHODS

    panels = []
    for metric in result.metrics:
        mine = [row for row in result.measured if row.metric == metric.key]
        farthest = 1.05 * max(abs(row.delta) for row in mine) or 1.0
        by_method: dict[str, list[Any]] = {}
        methods = []
        for summary in (row for row in result.summaries if row.metric == metric.key):
            method = summary.method
            label = str(method)
            by_method[label] = [row for row in result.intervals if (row.metric, row.method) == (metric.key, method)]
            points = [
                [(abs(row.delta), row.p[test]) for row in mine if row.method == method and test in row.p]
                for test in METHODS[method]
            ]
            curve = _curve(summary.s_diff_at_alpha.median, farthest, result.alpha)
            methods.append(Method(label, points[-1], points[0] if len(points) > 1 else [], curve))
        panels.append(IntervalsPanel(metric.label, by_method, methods))
    caption = (
        f"{level_words(result.alpha)} intervals of scores by what is drawn (left), and p by the size of the "
        f"difference of two systems (right, with {result.alpha:g} as a line): "
        f"{units_words(result.unit, result.n_units)}, {result.resamples:,} resamples."
    )
    yield Picture("intervals", caption, partial(intervals, panels, result.alpha))


def _curve(s_diff: float, farthest: float, alpha: float) -> list[tuple[float, float]]:
    """Return the p-value of a normal test by the size of the gain, given where it is alpha; empty if any suffices."""
    if s_diff <= 0.0:
        return []
    quantile = normal_quantile(1.0 - alpha / 2.0)
    places = np.linspace(0.0, farthest, _CURVE).tolist()
    return [(place, 2.0 * normal_cdf(-quantile * place / s_diff)) for place in places]


def _plan(result: PlanResult, decimals: int | None) -> Iterator[Picture]:
    """Yield power and the least gain found, by the size of the test set: ``power``."""
    panels = [_power_panel(result, metric, decimals) for metric in result.metrics]
    caption = (
        f"The power to detect a gain at a level of {100 * result.alpha:g} % (left), and the least gain with "
        f"{chance_text(result.power)} power (right), by the number of {result.noun}s."
    )
    yield Picture("power", caption, partial(power, panels, f"{result.noun}s", result.power))


def _power_panel(result: PlanResult, metric: MetricInfo, decimals: int | None) -> PowerPanel:
    """Return curves by gains, or by runs if there are several numbers of these."""
    from truegain.studies.plan import gain_text, plan_digits

    basis, digits, level = result.basis(metric.key), plan_digits(result, metric, decimals), result.level
    places = _sizes_of_plan(result, metric)

    def powers(delta: float, count: int) -> list[float]:
        return [basis.plan.power(delta, (count, count), units=n * basis.share, **level) for n in places]

    def least(count: int, at: Sequence[float] = places) -> list[float]:
        return [basis.plan.detectable((count, count), power=result.power, units=n * basis.share, **level) for n in at]

    def drawn(count: int) -> list[float]:
        return [digits.shown(gain) for gain in least(count)]

    first = result.runs[0]
    gains = basis.gains or tuple(least(first, [result.sizes[len(result.sizes) // 2].units]))
    if len(result.runs) > 1:
        named = {f"{whole(count, 'run')} of each": count for count in result.runs[:_MOST]}
        shown = {label: powers(gains[0], count) for label, count in named.items()}
        of = f"for Δ {gain_text(gains[0], digits)}"
        return PowerPanel(metric.label, of, places, shown, {label: drawn(count) for label, count in named.items()})
    wanted = gains if len(gains) > 1 else (gains[0] / 2, gains[0], 2 * gains[0])
    shown = {f"Δ {gain_text(delta, digits)}": powers(delta, first) for delta in sorted(wanted)[:_MOST]}
    return PowerPanel(metric.label, "", places, shown, {f"with a power of {result.power:g}": drawn(first)})


def _sizes_of_plan(result: PlanResult, metric: MetricInfo) -> list[float]:
    """Return sizes from half the smallest to what is needed, evenly on a logarithmic axis."""
    asked = [size.units for size in result.sizes]
    needed = [row.units for row in result.units_needed if row.metric == metric.key and row.units is not None]
    low = max(2.0, min(asked) / 2.0)
    high = 1.25 * max(max(asked), min(max(needed, default=0), _FARTHEST * max(asked)))
    points = _POINTS_OF_RUNS if result.plans_runs else _POINTS
    return [low * (high / low) ** (number / (points - 1)) for number in range(points)]


def _pool(result: PooledResult, decimals: int | None) -> Iterator[Picture]:
    """Yield a forest of the test sets for each pair: ``forest``, and of further ones ``forest-`` and the system."""
    if result.micro is None:
        yield from _compare(result.sets[0], decimals)
        return
    names = [label for label, _ in result.levels]
    after = " after adjustment" if result.sets[0].adjusts and len(result.pairs) > 1 else ""
    for number, pair in enumerate(result.pairs[:_PAIRS]):
        shown = []
        for metric in result.metrics:
            levels = [
                {(row.baseline, row.system): row for row in level.primary_tests(metric.key)}
                for _, level in result.levels
            ]
            shown.append(
                _gains(metric, [level[pair] for level in levels], decimals_for(metric, result.scores, decimals))
            )
        opening = f"Gains of {pair[1]} over {pair[0]} on every test set, with {level_words(result.alpha)} intervals"
        caption = (
            f"{opening}; filled where p ≤ {result.alpha:g}{after}. "
            "Below the line: all segments as one corpus (micro), and the mean of the test sets' scores (macro)."
        )
        drawn = partial(forest, names, shown, f"{opening}.", rules=[len(result.sets)])
        yield Picture(_of_pair("forest", number, pair, result.baseline), caption, drawn)


def _rank(result: RankResult, decimals: int | None) -> Iterator[Picture]:
    """Yield a map of all pairs for each metric: ``heatmap``, and of further ones ``heatmap-`` and the metric."""
    drawn = "" if result.test in ("crossed", "raters") else f", {result.resamples:,} resamples"
    test = f"{label_of(result.test)} over {units_words(result.unit, result.n_units)}{drawn}"
    for metric in result.metrics:
        placed = result.placed(metric.key)
        place = {pair.system: i for i, pair in enumerate(placed)}
        deltas = np.zeros((len(placed), len(placed)))
        shown = np.zeros(deltas.shape, bool)
        for pair in (pair for pair in result.pairs if pair.metric == metric.key):
            row, column = place[pair.system], place[pair.baseline]
            deltas[row, column], deltas[column, row] = pair.delta, -pair.delta
            shown[row, column] = shown[column, row] = pair.better is not None
        caption = (
            f"Differences in {metric.label}, row minus column, positive if the row's system is better; full colour "
            f"if p ≤ {result.alpha:g}{after_words(result.adjust)} ({test}), faded if not. Lines separate clusters."
        )
        name = "heatmap" if metric is result.metrics[0] else f"heatmap-{metric.key}"
        places = decimals_for(metric, result.scores, decimals)
        clusters = [pair.cluster for pair in placed]
        given = (list(place), metric.label, deltas.tolist(), shown.tolist(), clusters)
        yield Picture(name, caption, partial(heatmap, *given, decimals=places))


def _replicate(result: ReplicateResult, decimals: int | None) -> Iterator[Picture]:
    """Yield the run scores of both systems, and the gain as the number of runs grows: ``runs``."""
    panels = []
    for metric in result.metrics:
        of_runs = {row.name: row.run_scores for row in result.scores if row.metric == metric.key}
        gains = {
            row.count: (row.count, row.delta.low, row.delta.median, row.delta.high)
            for row in result.drawn
            if row.metric == metric.key
        }
        panels.append(RunsPanel(metric.label, of_runs, tuple(gains.values())))
    caption = (
        f"Scores of all runs (left), and the gain of runs drawn {'with' if result.replacement else 'without'} "
        "replacement by how many are drawn of each system (right): the median and the middle 95 % of "
        f"{whole(result.repetitions, 'draw')}."
    )
    yield Picture("runs", caption, partial(runs, panels))


def _score(result: ScoreResult, decimals: int | None) -> Iterator[Picture]:
    """Yield the scores if they have intervals: ``scores``."""
    if all(row.interval is None for row in result.scores):
        return
    shown = []
    for metric in result.metrics:
        mine = [row for row in result.scores if row.metric == metric.key]
        digits = digits_of(result, metric, decimals)
        ends = [(math.nan, math.nan) if row.interval is None else (row.interval.low, row.interval.high) for row in mine]
        rows = [
            Row(digits.shown(row.score), digits.shown(low), digits.shown(high))
            for row, (low, high) in zip(mine, ends, strict=True)
        ]
        shown.append(RowPanel(heading_of(metric), rows, digits.places))
    bootstrap = f"the bootstrap over {units_words(result.unit, result.n_units)}, with {result.resamples:,} resamples"
    level = level_words(result.alpha)
    caption = f"Scores with {level} {score_intervals_words(result.scores, bootstrap)}."
    names = list(dict.fromkeys(row.name for row in result.scores))
    yield Picture("scores", caption, partial(forest, names, shown, f"Scores with {level} intervals."))


def _threshold(result: ThresholdResult, decimals: int | None) -> Iterator[Picture]:
    """Yield gains against confidence: ``confidence``; and thresholds by size, if they were asked for: ``sizes``."""
    from truegain.studies.threshold import units_noun

    places = {metric.key: decimals_for(metric, result.scores, decimals) for metric in result.metrics}
    panels = [ConfidencePanel(row.label, _pair_groups(result, row), places[row.key]) for row in result.metrics]
    test = label_of("stationary-bootstrap" if result.unit == "block" else "bootstrap")
    groups = ", of either group," if result.labels else ", of each class," if result.classes else ""
    caption = (
        f"Gain and confidence, 1 − p, of every two systems ({test}, one-sided, over "
        f"{units_words(result.unit, result.n_units)}). Vertical lines: the gain{groups} that is usually significant at "
        f"{result.alpha:g}, the 95th percentile over pairs of what each would need"
    )
    caption += "; the band is its 95 % interval over systems." if result.draws else "."
    if result.classes and any(row.group is None for row in result.pairs):
        caption += " Pairs in no class are not drawn."
    yield Picture("confidence", caption, partial(confidence, panels, result.alpha))
    by_size = []
    for metric in result.metrics:
        if (law := result.law(metric.key)) is not None:
            rows = [row for row in result.sizes if row.metric == metric.key]
            by_size.append(SizesPanel(metric.label, rows, law.c, law.exponent, places[metric.key]))
    bars = ", with 95 % intervals" if result.draws else ""
    caption = (
        f"The gain that is usually significant at {result.alpha:g} on parts of the test set{bars}; dotted: the law "
        "c/√n. Both axes are logarithmic."
    )
    if by_size:
        yield Picture("sizes", caption, partial(sizes, by_size, units_noun(result.unit)))


def _pair_groups(result: ThresholdResult, metric: MetricInfo) -> list[PairsOf]:
    """Return the pairs of each group, and its threshold."""
    from truegain.studies.threshold import group_words

    mine = [row for row in result.pairs if row.metric == metric.key and row.se > 0.0]
    known = {row.group: row for row in result.groups(metric.key)}
    groups = []
    for name in ("different", "same") if result.labels else result.classes or ("all",):
        if (row := known.get(name)) is not None:
            points = [(pair.delta, 1.0 - pair.p) for pair in mine if name in ("all", pair.group)]
            groups.append(PairsOf(group_words(result, name), points, row.gain, row.low, row.high))
    return groups


def _tune(result: TuneResult, decimals: int | None) -> Iterator[Picture]:
    """Yield the score of every run on dev against that on each test set with references: ``runs``."""
    label = result.metrics[0].label
    points = {
        row.name: list(zip(result.scores(0), result.scores(place), strict=True))
        for place, row in enumerate(result.sets[1:], 1)
        if row.best is not None
    }
    caption = f"{label} of every run on the development set, and on the test set."
    if points:
        yield Picture("runs", caption, partial(tuned, label, points))


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
