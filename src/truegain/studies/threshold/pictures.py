"""The figures of a threshold: gains against confidence, and the threshold by the size of the test set."""

from __future__ import annotations

from truegain.inference.results import MetricInfo
from truegain.report.figures.confidence import ConfidencePanel, ConfidencePlot, PairsOf, Reach
from truegain.report.figures.sizes import SizesPanel, SizesPlot
from truegain.report.page import Picture
from truegain.studies.shared_view import decimals_for, label_of, units_words
from truegain.studies.threshold.result import ThresholdResult
from truegain.studies.threshold.tables import group_words, units_noun


def pictures(result: ThresholdResult, decimals: int | None) -> tuple[Picture, ...]:
    """Draw ``confidence``, and ``sizes`` if parts of the test set were looked at: one panel per metric."""
    panels = tuple(
        _confidence(result, metric, decimals_for(metric, result.scores, decimals)) for metric in result.metrics
    )
    test = label_of("stationary-bootstrap" if result.unit == "block" else "bootstrap")
    groups = ", of either group," if result.labels else ", of each class," if result.classes else ""
    left = (
        " Pairs in no class are not drawn." if result.classes and any(one.group is None for one in result.pairs) else ""
    )
    drawn = "; the band is its 95 % interval over systems" if result.draws else ""
    found = [
        Picture(
            "confidence",
            ConfidencePlot(panels, result.alpha),
            f"Gain and confidence, 1 − p, of every two systems ({test}, one-sided, over "
            f"{units_words(result.unit, result.n_units)}). Vertical lines: the gain{groups} that is usually "
            f"significant at {result.alpha:g}, the 95th percentile over pairs of what each would need{drawn}.{left}",
        )
    ]
    if result.sizes:
        noun = units_noun(result.unit)
        bars = ", with 95 % intervals" if result.draws else ""
        found.append(
            Picture(
                "sizes",
                SizesPlot(
                    tuple(_sizes(result, m, decimals_for(m, result.scores, decimals)) for m in result.metrics), noun
                ),
                f"The gain that is usually significant at {result.alpha:g} on parts of the test set{bars}; dotted: the "
                "law c/√n. Both axes are logarithmic.",
            )
        )
    return tuple(found)


def _confidence(result: ThresholdResult, metric: MetricInfo, decimals: int) -> ConfidencePanel:
    mine = [one for one in result.pairs if one.metric == metric.key and one.se > 0.0]
    names = ("different", "same") if result.labels else result.classes or ("all",)
    found = {one.group: one for one in result.groups(metric.key)}
    groups = []
    for name in names:
        if name not in found:
            continue
        points = tuple((one.delta, 1.0 - one.p) for one in mine if name in ("all", one.group))
        one = found[name]
        groups.append(PairsOf(group_words(result, name), points, Reach(one.gain, one.low, one.high)))
    return ConfidencePanel(metric.label, tuple(groups), decimals)


def _sizes(result: ThresholdResult, metric: MetricInfo, decimals: int) -> SizesPanel:
    mine = [one for one in result.sizes if one.metric == metric.key]
    law = result.law(metric.key)
    assert law is not None, "there are sizes"
    return SizesPanel(
        metric.label,
        tuple((one.units, one.gain, one.low, one.high) for one in mine),
        law.c,
        law.exponent,
        decimals,
    )
