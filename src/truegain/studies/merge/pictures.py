"""The figure of a merge: gains with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truegain.report.figures.forest import ForestPanel, ForestPlot, Gain
from truegain.report.model import Picture, whole
from truegain.studies.merge.parts import TEST_LABELS
from truegain.studies.shared_view import ADJUSTED_BY, decimals_for

if TYPE_CHECKING:
    from truegain.studies.merge.result import MergeResult

__all__ = ["pictures"]


def pictures(result: MergeResult, width: int | None) -> tuple[Picture, ...]:
    """The gains over the baseline; nothing where there is one system, of which the table says all."""
    if not result.pairs:
        return ()
    panels = tuple(
        ForestPanel(
            metric.label,
            tuple(
                Gain(one.delta, one.interval.low, one.interval.high, one.significant, one.better)
                for one in result.of(metric.key)
            ),
            decimals_for(metric, result.scores, width),
        )
        for metric in result.metrics
    )
    labels = tuple(one.system for one in result.of(result.metrics[0].key))
    after = f" after {ADJUSTED_BY[result.adjustment]}" if result.adjustment != "none" and len(labels) > 1 else ""
    sign = ", positive where the system is better" if any(m.higher_is_better is False for m in result.metrics) else ""
    kind = result.pairs[0].interval.method
    caption = (
        f"Gains over {result.baseline}{sign}, with {100 * (1 - result.alpha):g} % intervals of the Poisson bootstrap "
        f"({kind}) over {whole(result.n_units, result.unit)}, with {whole(result.resamples, 'resample')}; filled where "
        f"p ≤ {result.alpha:g} by {TEST_LABELS[result.test]}{after}."
    )
    return (Picture("forest", ForestPlot(labels, panels, result.baseline, 1.0 - result.alpha), caption),)
