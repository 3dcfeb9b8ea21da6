"""The figure of a ranking: all pairs as a map."""

from __future__ import annotations

import numpy as np

from truegain.inference.results import MetricInfo
from truegain.report.figures.heatmap import HeatMap
from truegain.report.page import Picture
from truegain.studies.rank.result import RankResult
from truegain.studies.shared_view import after_words, decimals_for, label_of, units_words


def pictures(result: RankResult, decimals: int | None) -> tuple[Picture, ...]:
    """Draw a map for each metric: ``heatmap``, and of further metrics ``heatmap-`` and the metric's name."""
    return tuple(
        Picture(
            "heatmap" if number == 0 else f"heatmap-{metric.key}",
            _map(result, metric, decimals_for(metric, result.scores, decimals)),
            _caption(result, metric),
        )
        for number, metric in enumerate(result.metrics)
    )


def _map(result: RankResult, metric: MetricInfo, decimals: int) -> HeatMap:
    placed = result.placed(metric.key)
    place = {one.system: i for i, one in enumerate(placed)}
    deltas = np.zeros((len(placed), len(placed)))
    shown = np.zeros(deltas.shape, bool)
    for one in result.pairs:
        if one.metric == metric.key:
            row, column = place[one.system], place[one.baseline]
            deltas[row, column], deltas[column, row] = one.delta, -one.delta
            shown[row, column] = shown[column, row] = one.better is not None
    return HeatMap(
        labels=tuple(one.system for one in placed),
        title=metric.label,
        deltas=tuple(map(tuple, deltas.tolist())),
        shown=tuple(map(tuple, shown.tolist())),
        clusters=tuple(one.cluster for one in placed),
        decimals=decimals,
    )


def _caption(result: RankResult, metric: MetricInfo) -> str:
    after = after_words(result.adjust)
    drawn = "" if result.test in ("crossed", "raters") else f", {result.resamples:,} resamples"
    test = f"{label_of(result.test)} over {units_words(result.unit, result.n_units)}{drawn}"
    return (
        f"Differences in {metric.label}, row less column, positive where the row's system is better; full colour where "
        f"p ≤ {result.alpha:g}{after} ({test}), faded where not. Lines part the clusters."
    )
