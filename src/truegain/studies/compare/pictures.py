"""Figures of a comparison: gains, differences under the null hypothesis, runs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from truegain.inference.results import Comparison
from truegain.report.figures.forest import ForestPanel, ForestPlot, Gain
from truegain.report.figures.names import MINUS
from truegain.report.model import listing
from truegain.report.page import Picture
from truegain.studies.compare.group_parts import Groups
from truegain.studies.compare.group_view import pairs_of
from truegain.studies.compare.result import CompareResult
from truegain.studies.compare.sentences import INTERVALS_FROM
from truegain.studies.score.pictures import runs_picture
from truegain.studies.shared_view import after_words, decimals_for, label_of, level_words, units_words

_ROWS = 60  # of a forest: what a page holds
_GROUP_FIGURES = 12  # a page holds no more of them


def pictures(result: CompareResult, decimals: int | None) -> tuple[Picture, ...]:
    """Draw the gains, of groups as well if there are any, and the runs if there are several."""
    runs = runs_picture(
        result.metrics,
        result.scores,
        result.variability,
        units=units_words(result.unit, result.n_units),
        resamples=result.resamples,
        decimals=decimals,
    )
    return (_forest(result, decimals), *_group_pictures(result, decimals), *runs)


def _forest(result: CompareResult, decimals: int | None) -> Picture:
    families = [result.primary_tests(metric.key) for metric in result.metrics]
    total = len(families[0])
    # With many pairs the rows are those that the first metric is least sure of, for all metrics.
    rows = _closest(result, families[0], _ROWS)
    panels = tuple(
        ForestPanel(
            metric.label,
            tuple(
                Gain(one.delta, one.interval.low, one.interval.high, one.significant, one.better, bool(one.caveats))
                for one in (family[row] for row in rows)
            ),
            decimals_for(metric, result.scores, decimals),
        )
        for metric, family in zip(result.metrics, families, strict=True)
    )
    level = 1.0 - result.alpha
    who = "Differences between systems" if result.baseline is None else f"Gains over {result.baseline}"
    chosen = f" (the {len(rows)} of {total} with p nearest to {result.alpha:g})" if len(rows) < total else ""
    after = after_words(families[0][0].adjust) if total > 1 else ""
    lower = any(metric.higher_is_better is False for metric in result.metrics)
    sign = ", positive where the system is better" if lower else ""
    doubted = any(one.significant and one.caveats for family in families for one in family)
    unless = ", unless that p is too small" if doubted else ""
    caption = (
        f"{who}{chosen}{sign}, with {100 * level:g} % intervals of {_interval_words(result)}; filled where "
        f"p ≤ {result.alpha:g}{after}{unless}."
    )
    labels = tuple(_who(result, families[0][row]) for row in rows)
    return Picture("forest", ForestPlot(labels, panels, result.baseline, level), caption)


def _interval_words(result: CompareResult) -> str:
    """Say where intervals of differences are from."""
    bootstrap = f"over {units_words(result.unit, result.n_units)}, with {result.resamples:,} resamples"
    words = []
    for one in (one for metric in result.metrics for one in result.primary_tests(metric.key)):
        if one.interval.method == "t":
            words.append(f"{INTERVALS_FROM[one.test]} over {units_words(one.unit, one.n_units)}")
        elif one.interval.method == "test":
            words.append(
                f"the gains that {label_of(one.test)} over {units_words(one.unit, one.n_units)} does not reject"
            )
        else:
            words.append(f"the paired bootstrap ({one.interval.method}) {bootstrap}")
    return listing(list(dict.fromkeys(words)), "or")


def _closest(result: CompareResult, family: Sequence[Comparison], most: int) -> list[int]:
    """Return the places of those whose adjusted p is nearest to alpha as a ratio: what a reader doubts.

    Of as many as have the smallest p that there is, those whose intervals are nearest to zero.
    """

    def distance(number: int) -> tuple[float, float]:
        one = family[number]
        width = one.interval.high - one.interval.low
        size = abs(one.delta) / width if width > 0.0 else math.inf
        return abs(math.log(max(one.p_adjusted, 1e-300) / result.alpha)), size

    return sorted(sorted(range(len(family)), key=distance)[:most])


def _who(result: CompareResult, one: Comparison) -> str:
    return one.system if result.baseline is not None else f"{one.system}{MINUS}{one.baseline}"


def _group_pictures(result: CompareResult, decimals: int | None) -> list[Picture]:
    """Draw a forest of the groups for each pair: ``groups``, and of further pairs ``groups-`` and the system's name."""
    if result.groups is None:
        return []
    found = []
    for number, pair in enumerate(pairs_of(result)[:_GROUP_FIGURES]):
        forest = _forest_of(result, result.groups, pair, decimals)
        if forest is not None:
            own = pair[1] if result.baseline is not None else f"{pair[1]}-{pair[0]}"
            caption = (
                f"Gains of {pair[1]} over {pair[0]} by {result.groups.by}, with {level_words(result.alpha)} intervals; "
                f"filled where p ≤ {result.alpha:g} after adjustment for the number of groups. Groups with fewer than "
                "10 units are left out."
            )
            found.append(Picture("groups" if number == 0 else f"groups-{own}", forest, caption))
    return found


def _forest_of(result: CompareResult, groups: Groups, pair: tuple[str, str], decimals: int | None) -> ForestPlot | None:
    panels = []
    labels: tuple[str, ...] = ()
    for metric in result.metrics:
        shown = [(one.group, one.comparison) for one in groups.of(metric.key, *pair) if one.comparison is not None]
        labels = tuple(group for group, _ in shown)
        gains = tuple(
            Gain(one.delta, one.interval.low, one.interval.high, one.significant, one.better, bool(one.caveats))
            for _, one in shown
        )
        panels.append(ForestPanel(metric.label, gains, decimals_for(metric, result.scores, decimals)))
    return ForestPlot(labels, tuple(panels), pair[0], 1.0 - result.alpha) if labels else None
