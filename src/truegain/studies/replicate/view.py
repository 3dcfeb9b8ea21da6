"""View of a study of runs: tables and sentences."""

from __future__ import annotations

from truegain.inference.pvalues import clopper_pearson
from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Document, Paragraph, Table, p_text, remark, signed, whole
from truegain.studies.replicate.result import ReplicateResult
from truegain.studies.shared_view import decimals_for, describe_testset, signatures, variability_tables

#: What a run is called that was picked by its score.
_WAYS = {"high": "best", "median": "median", "low": "worst"}
_NEUTRAL_WAYS = {"high": "highest", "median": "median", "low": "lowest"}


def document(result: ReplicateResult, decimals: int | None) -> Document:
    """Return, for each metric, variability, picked and drawn runs; then what is needed."""
    items: list[Table | Paragraph] = [Paragraph(describe_testset(result.testset, result.scores), "title")]
    for metric in result.metrics:
        places = decimals_for(metric, result.scores, decimals)
        items.extend(variability_tables(metric, result.variability, places, result.unit))
        items.append(_picked_table(result, metric, places))
        if any(one.metric == metric.key for one in result.drawn):
            items.append(_drawn_table(result, metric, places))
        items.extend(_checks_table(result, metric, places))
    for metric in result.metrics:
        items.extend(_sentences(result, metric, decimals_for(metric, result.scores, decimals)))
    items.append(
        Paragraph(
            f"Runs were drawn {_how_drawn(result)}, {whole(result.repetitions, 'time')} for each number; ranges are "
            f"the middle 95 % of draws. Shown: the share of draws with p ≤ {result.alpha:g} in favour of the system "
            "that is better over all runs" + (", and in brackets of the other." if _any_other_way(result) else ".")
        )
    )
    if any(one.checks for one in result.needed):
        items.append(
            Paragraph(
                f"Power: of the crossed test, for new runs on new {_unit_words(result)}. Redrawn: where runs and "
                f"{_unit_words(result)} are drawn from these, so that what runs differ by on these "
                f"{_unit_words(result)} is all their own and there is less power; found: the share of significant "
                "draws of that kind, which bears the theory out or does not."
            )
        )
    items.extend(remark(note) for note in result.notes)
    items.extend(signatures(result))
    return Document(tuple(items))


def _how_drawn(result: ReplicateResult) -> str:
    return "with replacement" if result.replacement else "without replacement"


def _any_other_way(result: ReplicateResult) -> bool:
    return any(one.other_way > 0.0 for one in result.drawn)


def _picked_table(result: ReplicateResult, metric: MetricInfo, decimals: int) -> Table:
    names = list(dict.fromkeys(score.name for score in result.scores))
    ways = _WAYS if metric.higher_is_better is not None else _NEUTRAL_WAYS
    columns = (Column(f"{metric.label}: one run of each", "left"), Column("Δ"), Column("p ar"))
    rows = tuple(
        (
            Cell(f"{ways[pick.new]} {names[1]}, {ways[pick.old]} {names[0]}"),
            Cell(signed(pick.delta, decimals)),
            Cell(p_text(pick.p)),
        )
        for pick in result.picked
        if pick.metric == metric.key
    )
    return Table(columns, rows, f"Gain in {metric.label} of single runs, picked by their scores")


def _drawn_table(result: ReplicateResult, metric: MetricInfo, decimals: int) -> Table:
    drawn = [one for one in result.drawn if one.metric == metric.key]
    tests = list(dict.fromkeys(one.test for one in drawn))
    columns = [Column(f"{metric.label}: runs drawn", "left"), Column("Δ"), Column("95 % of Δ")]
    for test in tests:
        columns += [Column(f"95 % of p {test}"), Column("shown")]
    rows = []
    for count in dict.fromkeys(one.count for one in drawn):
        by_test = {one.test: one for one in drawn if one.count == count}
        delta = next(iter(by_test.values())).delta
        cells = [
            Cell(f"{count}"),
            Cell(signed(delta.median, decimals)),
            Cell(f"{signed(delta.low, decimals)} – {signed(delta.high, decimals)}"),
        ]
        for test in tests:
            one = by_test.get(test)
            cells.append(Cell("" if one is None else f"{p_text(one.p.low)} – {p_text(one.p.high)}"))
            other = f" ({100 * one.other_way:.0f} %)" if one is not None and _any_other_way(result) else ""
            cells.append(Cell("" if one is None else f"{100 * one.shown:.0f} %{other}"))
        rows.append(tuple(cells))
    caption = f"Gains in {metric.label} and p-values of runs drawn at random"
    return Table(tuple(columns), tuple(rows), caption)


def _sentences(result: ReplicateResult, metric: MetricInfo, decimals: int) -> list[Paragraph]:
    said = []
    for one in result.needed:
        if one.metric != metric.key:
            continue
        what = f"a difference of {one.gain:.{decimals}f} {metric.label} with a power of {one.power:g}"
        if one.runs is None:
            text = (
                f"No number of runs shows {what} on a test set of this size: with a thousand of each the power is "
                f"{one.limit:.2f}. More {_unit_words(result)} would help."
            )
        else:
            text = f"To show {what}, for new runs on new {_unit_words(result)}, takes {one.runs} runs of each system."
        said.append(Paragraph(text, "verdict"))
    return said


def _checks_table(result: ReplicateResult, metric: MetricInfo, decimals: int) -> list[Table]:
    rows: list[tuple[Cell, ...]] = []
    for one in result.needed:
        if one.metric != metric.key:
            continue
        gain, observed = (f"{abs(x):.{decimals}f}" for x in (one.gain, one.observed))
        for check in one.checks:
            low, high = clopper_pearson(round(check.found * check.draws), check.draws)
            found = f"{check.found:.2f} ({low:.2f} – {high:.2f})"
            rows.append(
                (Cell(f"{check.runs}"), Cell(f"{check.planned:.2f}"), Cell(f"{check.predicted:.2f}"), Cell(found))
            )
    if not rows:
        return []
    columns = (
        Column(f"{metric.label}: runs of each", "left"),
        Column(f"power for {gain}"),
        Column(f"redrawn: for {observed}"),
        Column("found"),
    )
    return [Table(columns, tuple(rows), f"Power of the crossed test in {metric.label}, and how often it was found")]


def _unit_words(result: ReplicateResult) -> str:
    return {"testset": "test sets"}.get(result.unit, f"{result.unit}s")
