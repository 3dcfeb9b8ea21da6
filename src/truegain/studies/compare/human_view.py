"""Meaning of gains to people, as sentences, or as a table of many."""

from __future__ import annotations

from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Paragraph, Table, decimal, listing, whole
from truegain.studies.compare.human_parts import HumanAgreement, RankedGain
from truegain.studies.compare.result import CompareResult
from truegain.studies.shared_view import MANY, decimals_for, heading_of, level_words

_ABOVE = "above all gains of the profile"


def to_people(
    result: CompareResult, found: HumanAgreement, metric: MetricInfo, decimals: int | None
) -> list[Table | Paragraph]:
    """Say how often people rank systems with such a gain the same way: a sentence each, or a table of many."""
    gains = found.of(metric.key)
    places = decimals_for(metric, result.scores, decimals)
    if len(gains) > MANY:
        return [_table(result, found, metric, places)]
    return [Paragraph(_sentence(result, found, metric, one, places), "verdict") for one in gains]


def _sentence(result: CompareResult, found: HumanAgreement, metric: MetricInfo, one: RankedGain, places: int) -> str:
    delta = result.pair(metric.key, one.baseline, one.system).delta
    apart = f"{one.system} and {one.baseline}, {decimal(abs(delta), places)} {metric.label} apart"
    if one.share is None or one.low is None or one.high is None:
        return f"{apart}: this is {_ABOVE}, at most {decimal(one.largest, places)} ({_source(found)})."
    level = level_words(1.0 - found.level)
    ends = f"{_percent(one.low)} – {_percent(one.high)} %"
    same = f"people ranked {_percent(one.share)} % of system pairs with such a gain the same way"
    return f"{apart}: {same} ({level} interval {ends}; {_source(found)})."


def _table(result: CompareResult, found: HumanAgreement, metric: MetricInfo, places: int) -> Table:
    columns = (
        Column(heading_of(metric), "left"),
        Column("Δ"),
        Column("same, %"),
        Column(f"{level_words(1.0 - found.level)} CI"),
    )
    rows = []
    for one in found.of(metric.key):
        delta = result.pair(metric.key, one.baseline, one.system).delta
        said = (Cell(_ABOVE, "quiet"), Cell(""))
        if one.share is not None and one.low is not None and one.high is not None:
            said = (
                Cell(_percent(one.share), value=one.share),
                Cell(f"{_percent(one.low)} – {_percent(one.high)}"),
            )
        rows.append((Cell(f"{one.system} − {one.baseline}"), Cell(decimal(delta, places), value=delta), *said))
    note = f"same: the share of system pairs with such a gain that people ranked the same way ({_source(found)})."
    return Table(columns, tuple(rows), f"Gains in {metric.label} to people", (note,))


def _percent(share: float) -> str:
    return "< 1" if share < 0.005 else "> 99" if share > 0.995 else f"{100.0 * share:.0f}"


def _source(found: HumanAgreement) -> str:
    names = [name for name in found.test_sets if not name.isdigit()]
    return whole(found.systems, "system") + (f" of {listing(names)}" if names else "")
