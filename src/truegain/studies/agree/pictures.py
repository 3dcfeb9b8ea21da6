"""Figures of metrics held against people: agreement with intervals and clusters, and systems by both scores."""

from __future__ import annotations

from truegain.report.figures.scatter import ScatterPanel, ScatterPlot
from truegain.report.figures.scores import Score, ScoresPanel, ScoresPlot
from truegain.report.model import listing
from truegain.report.page import Picture
from truegain.studies.agree.result import AgreeResult
from truegain.studies.shared_view import after_words, level_words


def pictures(result: AgreeResult, decimals: int | None, labels: dict[str, str]) -> tuple[Picture, ...]:
    """Draw ``agreement``, and of further measures ``agreement-`` and the measure's name, then ``scatter``."""
    found = [
        Picture(
            "agreement" if place == 0 else f"agreement-{measure}",
            _agreement(result, measure, labels[measure], 3 if decimals is None else decimals),
            _caption(result, measure, labels[measure]),
        )
        for place, measure in enumerate(result.measures)
    ]
    return (*found, Picture("scatter", _scatter(result), _scatter_caption(result)))


def _agreement(result: AgreeResult, measure: str, label: str, decimals: int) -> ScoresPlot:
    placed = result.placed(measure)
    scores = tuple(Score(one.value, one.interval.low, one.interval.high) for one in placed)
    chance = sum(one.chance for one in placed) / len(placed)
    return ScoresPlot(
        labels=tuple(one.metric for one in placed),
        panels=(ScoresPanel(label, scores, decimals, mark=chance),),
        level=1.0 - result.alpha,
        rows="metrics",
        rules=tuple(row for row in range(1, len(placed)) if placed[row].cluster != placed[row - 1].cluster),
    )


def _caption(result: AgreeResult, measure: str, label: str) -> str:
    chance = "the mean over metrics of what chance gives" if measure == "acc23" else "what chance gives"
    several = max(one.cluster for one in result.placed(measure)) > 1
    lines = f" Lines part clusters: p ≤ {result.alpha:g}{after_words(result.adjust)}." if several else ""
    return (
        f"Agreement with people, {label}, with {level_words(result.alpha)} intervals for {result.claim_words}; dotted: "
        f"{chance}.{lines}"
    )


def _scatter(result: AgreeResult) -> ScatterPlot:
    order = [one.metric for one in result.placed(result.measures[0])]
    panels = []
    for metric in order:
        place = result.metrics.index(metric)
        points = tuple(tuple(zip(own.human, own.scores[place], strict=True)) for own in result.test_sets)
        panels.append(ScatterPanel(metric, points))
    return ScatterPlot(tuple(panels), tuple(own.name for own in result.test_sets))


def _scatter_caption(result: AgreeResult) -> str:
    names = listing([own.name for own in result.test_sets])
    of = f" of {names}" if len(result.test_sets) > 1 else ""
    return f"Systems{of}: the score of each metric against people's; higher is better."
