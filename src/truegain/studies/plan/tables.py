"""A plan in tables: what to expect of test sets, and what it takes."""

from __future__ import annotations

from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Table
from truegain.studies.plan.result import PlanResult
from truegain.studies.shared_view import decimals_for

#: What units are called.
NOUNS = {"segment": "segments", "document": "documents", "domain": "domains", "testset": "test sets"}
_ALONE = "¹"


def decimals_of(result: PlanResult, metric: MetricInfo, decimals: int | None) -> int:
    """Return the decimals asked for, or enough for gains in this metric."""
    if decimals is not None or result.scores:
        return decimals_for(metric, result.scores, decimals)
    spread = result.basis(metric.key).plan.spread((1, 1), units=1.0)
    return 4 if spread < 0.2 else 3 if spread < 2.0 else 2


def tables(result: PlanResult, metric: MetricInfo, decimals: int) -> list[Table]:
    """Return for one metric what to expect, the units needed, and the runs needed."""
    found = [_expected(result, metric, decimals)]
    if result.basis(metric.key).sampling is not None:
        found.append(_samples(result, metric, decimals))
    if result.basis(metric.key).gains:
        found.append(_units(result, metric, decimals))
        if result.plans_runs:
            found.append(_runs(result, metric, decimals))
    return found


def gain_text(gain: float, decimals: int) -> str:
    """Write a gain with so many decimals, or with as many as it was given with: what it takes is for that one."""
    rounded, given = f"{gain:.{decimals}f}", f"{gain:g}"
    return given if float(given) == gain != float(rounded) else rounded


def power_text(power: float) -> str:
    """Write a probability in per cent; what is nearly sure is not said to be."""
    return "<1 %" if power < 0.01 else ">99 %" if power > 0.99 else f"{100 * power:.0f} %"


def _expected(result: PlanResult, metric: MetricInfo, decimals: int) -> Table:
    grouped = result.unit != "segment"
    gains = result.basis(metric.key).gains
    columns = [Column(f"{metric.label}: {NOUNS[result.unit]}", "left")]
    columns += [Column("≈ segments")] if grouped else []
    columns += [Column("runs")] if result.plans_runs else []
    columns += [Column("std. error"), Column(f"detectable, {power_text(result.power)}")]
    columns += [Column(f"power for {gain_text(gain, decimals)}") for gain in gains]
    rows, breaks = [], []
    mine = [one for one in result.predicted if one.metric == metric.key]
    for number, one in enumerate(mine):
        if len(result.runs) > 1 and number and one.units != mine[number - 1].units:
            breaks.append(number)
        mark = _ALONE if result.plans_runs and one.runs == 1 else ""
        cells = [Cell(f"{one.units:,}", value=one.units)]
        cells += [Cell(f"{one.segments:,}", value=one.segments)] if grouped else []
        cells += [Cell(f"{one.runs}", value=one.runs, mark=mark)] if result.plans_runs else []
        cells += [Cell(f"{one.standard_error:.{decimals}f}"), Cell(f"{one.detectable:.{decimals}f}", "strong")]
        cells += [Cell(power_text(power), value=power) for power in one.powers]
        rows.append(tuple(cells))
    caption = f"{metric.label}: the least gain with {power_text(result.power)} power"
    caption += ", and the power to detect gains" if gains else ""
    return Table(tuple(columns), tuple(rows), caption, _notes(result), tuple(breaks))


def _samples(result: PlanResult, metric: MetricInfo, decimals: int) -> Table:
    """Return the minimum detectable gain: one row per number of samples, one column per size."""
    columns = [Column(f"{metric.label}: samples per item", "left")]
    columns += [Column(f"{size.units:,} {NOUNS[result.unit]}") for size in result.sizes]
    mine = [one for one in result.predicted_samples if one.metric == metric.key]
    rows = []
    for samples in dict.fromkeys(one.samples for one in mine):
        cells = [Cell(f"{one.detectable:.{decimals}f}", value=one.detectable) for one in mine if one.samples == samples]
        rows.append((Cell("∞" if samples is None else f"{samples:,}", value=samples), *cells))
    caption = f"{metric.label}: the least gain with {power_text(result.power)} power, by samples per item"
    return Table(tuple(columns), tuple(rows), caption)


def _units(result: PlanResult, metric: MetricInfo, decimals: int) -> Table:
    """Return the units needed: one row per gain, one column per number of runs."""
    noun = NOUNS[result.unit]
    grouped = result.unit != "segment" and not result.plans_runs  # by runs, the table would be too wide
    columns = [Column(f"{metric.label}: gain", "left")]
    for runs in result.runs:
        name = noun if not result.plans_runs else f"{noun}, {runs} run{'' if runs == 1 else 's'}"
        columns += [Column(name)]
        columns += [Column("≈ segments")] if grouped else []
    rows = []
    for gain in result.basis(metric.key).gains:
        cells = [Cell(gain_text(gain, decimals), value=gain)]
        for one in result.units_needed:
            if (one.metric, one.gain) == (metric.key, gain):
                mark = _ALONE if result.plans_runs and one.runs == 1 else ""
                cells.append(Cell("none" if one.units is None else f"{one.units:,}", value=one.units, mark=mark))
                segments = "none" if one.segments is None else f"{one.segments:,}"
                cells += [Cell(segments, value=one.segments)] if grouped else []
        rows.append(tuple(cells))
    caption = (
        f"{metric.label}: the {noun} that it takes to find a gain with a probability of {power_text(result.power)}"
    )
    return Table(tuple(columns), tuple(rows), caption, _notes(result))


def _runs(result: PlanResult, metric: MetricInfo, decimals: int) -> Table:
    """Return the runs needed: one row per gain, one column per size."""
    noun = NOUNS[result.unit]
    columns = [Column(f"{metric.label}: gain", "left")]
    columns += [Column(f"runs on {size.units:,}") for size in result.sizes]
    rows = []
    for gain in result.basis(metric.key).gains:
        mine = [one for one in result.runs_needed if (one.metric, one.gain) == (metric.key, gain)]
        cells = [Cell("none" if one.runs is None else f"{one.runs:,}", value=one.runs) for one in mine]
        rows.append((Cell(gain_text(gain, decimals), value=gain), *cells))
    caption = (
        f"{metric.label}: the runs of each system that it takes on that many {noun}, "
        f"to find a gain with a probability of {power_text(result.power)}"
    )
    return Table(tuple(columns), tuple(rows), caption)


def _notes(result: PlanResult) -> tuple[str, ...]:
    if not result.plans_runs or 1 not in result.runs:
        return ()
    return (f"{_ALONE} With one run of each system the claim is about these runs alone: new runs may differ.",)
