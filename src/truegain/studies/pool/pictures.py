"""The figures of several test sets: gains, set by set and over all."""

from __future__ import annotations

from truegain.report.figures.forest import ForestPanel, ForestPlot, Gain
from truegain.report.page import Picture
from truegain.studies.pool.result import PooledResult
from truegain.studies.pool.tables import decimals_of
from truegain.studies.shared_view import level_words

_FIGURES = 12  # a page holds no more of them


def pictures(result: PooledResult, decimals: int | None) -> tuple[Picture, ...]:
    """Draw a forest for each pair: ``forest``, and of further pairs ``forest-`` and the system's name."""
    found = []
    for number, pair in enumerate(result.pairs[:_FIGURES]):
        own = pair[1] if result.baseline is not None else f"{pair[1]}-{pair[0]}"
        found.append(
            Picture(
                "forest" if number == 0 else f"forest-{own}", _forest(result, pair, decimals), _caption(result, pair)
            )
        )
    return tuple(found)


def _forest(result: PooledResult, pair: tuple[str, str], decimals: int | None) -> ForestPlot:
    panels = []
    for metric in result.metrics:
        gains = []
        for _, level in result.levels:
            one = next(one for one in level.primary_tests(metric.key) if (one.baseline, one.system) == pair)
            gains.append(
                Gain(one.delta, one.interval.low, one.interval.high, one.significant, one.better, bool(one.caveats))
            )
        panels.append(ForestPanel(metric.label, tuple(gains), decimals_of(result, metric, decimals)))
    labels = tuple(label for label, _ in result.levels)
    return ForestPlot(labels, tuple(panels), pair[0], 1.0 - result.alpha, rules=(len(result.sets),))


def _caption(result: PooledResult, pair: tuple[str, str]) -> str:
    after = " after adjustment" if result.sets[0].adjusts and len(result.pairs) > 1 else ""
    return (
        f"Gains of {pair[1]} over {pair[0]} on every test set, positive where it is better, with "
        f"{level_words(result.alpha)} intervals; filled where p ≤ {result.alpha:g}{after}. "
        "Below the line: all segments as one corpus (micro), and the mean of the test sets' scores (macro)."
    )
