"""The figure of several test sets: shares of the same sign by p."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.inference.results import MetricInfo
from truegain.report.figures.agreement import AgreementPanel, AgreementPlot, Shares
from truegain.report.model import Picture
from truegain.studies.domains.parts import Share
from truegain.studies.domains.result import DomainsResult
from truegain.studies.shared_view import level_words

__all__ = ["pictures"]

_MOST = 6  # panels, and series of a panel


def pictures(result: DomainsResult) -> tuple[Picture, ...]:
    """Draw one figure per metric: ``agreement``, and of further metrics ``agreement-`` and the metric's name."""
    return tuple(
        Picture(
            "agreement" if number == 0 else f"agreement-{metric.key}",
            AgreementPlot(_panels(result, metric), tuple(result.ends)),
            _caption(result, metric),
        )
        for number, metric in enumerate(result.metrics)
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
