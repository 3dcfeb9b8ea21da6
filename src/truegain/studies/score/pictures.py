"""Figures of scores, and of the scores of runs."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.inference.results import MetricInfo, SystemScore, Variability
from truegain.report.figures.scores import Score, ScoresPanel, ScoresPlot
from truegain.report.figures.strips import RunStrips, StripPanel, SystemStrip
from truegain.report.page import Picture
from truegain.studies.score.result import ScoreResult
from truegain.studies.shared_view import decimals_for, heading_of, score_intervals_words, units_words


def pictures(result: ScoreResult, decimals: int | None) -> tuple[Picture, ...]:
    """Draw the scores if they have intervals, and the runs if there are several."""
    found = []
    if any(one.interval is not None for one in result.scores):
        panels = tuple(
            ScoresPanel(
                heading_of(metric),
                tuple(
                    Score(one.score) if (ends := one.interval) is None else Score(one.score, ends.low, ends.high)
                    for one in result.scores
                    if one.metric == metric.key
                ),
                decimals_for(metric, result.scores, decimals),
            )
            for metric in result.metrics
        )
        level = 1.0 - result.alpha
        bootstrap = (
            f"the bootstrap over {units_words(result.unit, result.n_units)}, with {result.resamples:,} resamples"
        )
        caption = f"Scores with {100 * level:g} % {score_intervals_words(result.scores, bootstrap)}."
        found.append(Picture("scores", ScoresPlot(_names(result.scores), panels, level), caption))
    found.extend(
        runs_picture(
            result.metrics,
            result.scores,
            result.variability,
            units=units_words(result.unit, result.n_units),
            resamples=result.resamples,
            decimals=decimals,
        )
    )
    return tuple(found)


def runs_picture(
    metrics: Sequence[MetricInfo],
    scores: Sequence[SystemScore],
    variability: Sequence[Variability],
    *,
    units: str,
    resamples: int,
    decimals: int | None,
) -> list[Picture]:
    """Draw the scores of all runs, if a system has several.

    Parameters
    ----------
    units : str
        What the bootstrap draws, in words.
    resamples : int
        Of the bootstrap.
    """
    if all(one.runs == 1 for one in scores):
        return []
    spreads = {(one.metric, one.system): one.s_sel for one in variability}
    panels = tuple(
        StripPanel(
            heading_of(metric),
            tuple(
                SystemStrip(one.run_scores, one.score, spreads.get((metric.key, one.name)))
                for one in scores
                if one.metric == metric.key
            ),
            decimals_for(metric, scores, decimals),
        )
        for metric in metrics
    )
    caption = "Scores of single runs, and their mean"
    if any(spreads.values()):
        caption += (
            "; the band reaches one standard deviation over test sets (s_sel) to both sides, from the bootstrap over "
            f"{units} with {resamples:,} resamples"
        )
    return [Picture("runs", RunStrips(_names(scores), panels), f"{caption}.")]


def _names(scores: Sequence[SystemScore]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.name for one in scores))
