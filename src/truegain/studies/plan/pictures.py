"""The figure of a plan: power and the least gain found, by the size of the test set."""

from __future__ import annotations

import math
from collections.abc import Callable

from truegain.inference.results import MetricInfo
from truegain.report.figures.power import Curve, PowerPanel, PowerPlot
from truegain.report.page import Picture
from truegain.studies.plan.result import PlanResult
from truegain.studies.plan.tables import NOUNS, decimals_of, gain_text, power_text

_MOST = 6  # curves of a panel
_POINTS = 33
_POINTS_OF_RUNS = 17  # each of which takes a hundred times as long
_FARTHEST = 4.0  # times the largest size asked for


def power_picture(result: PlanResult, decimals: int | None) -> Picture:
    """Draw one row per metric: by gains, or by runs if there are several numbers of these."""
    panels = tuple(_panel(result, metric, decimals_of(result, metric, decimals)) for metric in result.metrics)
    noun = NOUNS[result.unit]
    caption = (
        f"The power to detect a gain at a level of {100 * result.alpha:g} % (left), and the least gain with "
        f"{power_text(result.power)} power (right), by the number of {noun}."
    )
    return Picture("power", PowerPlot(panels, noun, result.power), caption)


def _panel(result: PlanResult, metric: MetricInfo, decimals: int) -> PowerPanel:
    basis = result.basis(metric.key)
    plan, share = basis.plan, basis.share
    sizes = _places(result, metric)

    def power(gain: float, runs: int) -> Callable[[float], float]:
        return lambda n: plan.power(gain, (runs, runs), units=n * share, alpha=result.alpha, one_sided=result.one_sided)

    def least(runs: int) -> Callable[[float], float]:
        return lambda n: plan.detectable(
            (runs, runs), power=result.power, units=n * share, alpha=result.alpha, one_sided=result.one_sided
        )

    def curve(label: str, value: Callable[[float], float]) -> Curve:
        return Curve(label, tuple((n, value(n)) for n in sizes))

    by_runs = len(result.runs) > 1
    middle = least(result.runs[0])(result.sizes[len(result.sizes) // 2].units)
    gains = basis.gains or (middle,)
    if by_runs:
        of = f"for Δ {gain_text(gains[0], decimals)}"
        powers = [curve(_runs_words(runs), power(gains[0], runs)) for runs in result.runs[:_MOST]]
        leasts = [curve(_runs_words(runs), least(runs)) for runs in result.runs[:_MOST]]
    else:
        of = ""
        shown = gains if len(gains) > 1 else (gains[0] / 2, gains[0], 2 * gains[0])
        powers = [
            curve(f"Δ {gain_text(gain, decimals)}", power(gain, result.runs[0])) for gain in sorted(shown)[:_MOST]
        ]
        leasts = [curve(f"with a power of {result.power:g}", least(result.runs[0]))]
    first = leasts[0].points[0]
    law = Curve("as 1/√n", tuple((n, first[1] * math.sqrt(first[0] / n)) for n in sizes))
    return PowerPanel(metric.label, of, tuple(powers), tuple(leasts), law)


def _runs_words(runs: int) -> str:
    return f"{runs} run{'' if runs == 1 else 's'} of each"


def _places(result: PlanResult, metric: MetricInfo) -> list[float]:
    """Return sizes from half the smallest to what is needed, evenly on a logarithmic axis."""
    asked = [size.units for size in result.sizes]
    needed = [one.units for one in result.units_needed if one.metric == metric.key and one.units is not None]
    low = max(2.0, min(asked) / 2.0)
    high = 1.25 * max(max(asked), min(max(needed, default=0), _FARTHEST * max(asked)))
    points = _POINTS_OF_RUNS if result.plans_runs else _POINTS
    return [low * (high / low) ** (number / (points - 1)) for number in range(points)]
