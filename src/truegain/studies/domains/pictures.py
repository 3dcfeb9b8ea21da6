"""The figures of several test sets: shares of the same sign by p, and gains against confidence at one size."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.inference.distributions import normal_cdf
from truegain.inference.results import MetricInfo
from truegain.report.figures.agreement import AgreementPanel, AgreementPlot, Shares
from truegain.report.figures.confidence import ConfidencePanel, ConfidencePlot, PairsOf, Reach
from truegain.report.page import Picture
from truegain.studies.domains.parts import Share
from truegain.studies.domains.result import DomainsResult
from truegain.studies.domains.tables import places_for
from truegain.studies.shared_view import level_words

_MOST = 6  # panels, and series of a panel


def pictures(result: DomainsResult, decimals: int | None) -> tuple[Picture, ...]:
    """Draw figures for each metric: ``agreement``, and ``confidence`` if there are test sets of one size.

    The names of those of further metrics end in ``-`` and the metric's name.
    """
    found = []
    for metric, ending in zip(result.metrics, ("", *(f"-{one.key}" for one in result.metrics[1:])), strict=True):
        agreement = AgreementPlot(_panels(result, metric), tuple(result.ends))
        found.append(Picture(f"agreement{ending}", agreement, _caption(result, metric)))
        panels = _confidence_panels(result, metric, places_for(result, metric, decimals))
        if panels:
            caption = (
                f"Gain by {metric.label} of every two systems on each set, and the confidence, 1 − p, that it has on "
                f"test sets of one size, by its standard error there. Vertical lines: the gain that is usually "
                f"significant at {result.alpha:g}, with its {level_words(result.alpha)} interval."
            )
            if len(result.sets) > _MOST:
                caption += f" The first {_MOST} sets are shown."
            found.append(Picture(f"confidence{ending}", ConfidencePlot(panels, result.alpha), caption))
    return tuple(found)


def _confidence_panels(result: DomainsResult, metric: MetricInfo, decimals: int) -> tuple[ConfidencePanel, ...]:
    """Return a panel for each size, with a group for each set."""
    pairs = [one.deltas for one in result.pairs if one.metric == metric.key]
    made: dict[int, list[PairsOf]] = {}
    for place, tested in enumerate(result.sets[:_MOST]):
        gains = [abs(deltas[place]) for deltas in pairs]
        for one in result.thresholds:
            if (one.metric, one.set) == (metric.key, tested.name):
                points = [
                    (gain, normal_cdf(gain / error))
                    for gain, error in zip(gains, one.errors, strict=True)
                    if error > 0.0
                ]
                reach = Reach(one.gain, one.low, one.high)
                made.setdefault(one.units, []).append(PairsOf(tested.name, points, reach))
    nouns = {one.unit for one in result.sets}
    noun = nouns.pop() if len(nouns) == 1 else "unit"
    return tuple(
        ConfidencePanel(f"{metric.label}, {size:,} {noun}s", groups, decimals) for size, groups in made.items()
    )


def _panels(result: DomainsResult, metric: MetricInfo) -> tuple[AgreementPanel, ...]:
    alone = len(result.sets) == 1
    panels = [
        AgreementPanel(
            f"{metric.label}, all sets", "p on one set", (Shares(f"{one.transfers} transfers", _points(one.bins)),)
        )
        for one in result.pooled
        if one.metric == metric.key
    ]
    for tested in result.sets[: _shown(result)]:
        series = [
            Shares(f"{one.units:,} {tested.unit}s drawn → {one.set}", _points(one.bins), within=True)
            for one in result.populations
            if (one.metric, one.set) == (metric.key, tested.name)
        ][: _MOST if alone else 1]
        series += [
            Shares(f"{one.source} → {one.target}", _points(one.bins))
            for one in result.transfers
            if (one.metric, one.source) == (metric.key, tested.name)
        ]
        axis = "p on the draw" if alone else f"p on {tested.name}"
        panels.append(AgreementPanel(f"{metric.label}, {tested.name}", axis, tuple(series[:_MOST])))
    return tuple(panels)


def _shown(result: DomainsResult) -> int:
    """Return how many sets have panels of their own."""
    return _MOST - (1 if result.pooled else 0)


def _points(shares: Sequence[Share]) -> tuple[tuple[float, float, float, float] | None, ...]:
    return tuple(
        None
        if one.share is None or one.ci is None or one.expected is None
        else (one.share, one.ci[0], one.ci[1], one.expected)
        for one in shares
    )


def _caption(result: DomainsResult, metric: MetricInfo) -> str:
    level = level_words(result.alpha)
    text = f"Of all pairs of {len(result.systems)} systems, those with the same sign by {metric.label} elsewhere, by p "
    text += f"(one-sided paired bootstrap); {level} intervals by resampling systems; grey: 1 − p."
    if result.populations:
        text += " Hollow: p on test sets drawn from a set, the sign of the whole set."
    if result.transfers:
        text += " Filled: p on one set, the sign on another; dashes: what is expected of one domain."
    if len(result.sets) > _shown(result):
        text += f" The first {_shown(result)} sets are shown."
    return text
