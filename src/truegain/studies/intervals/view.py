"""Intervals by what is drawn, as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Document, Paragraph, Table, decimal, listing, p_text, remark, signed
from truegain.studies.intervals.findings import METHODS, Method, SmallestGain, by_pair
from truegain.studies.intervals.result import IntervalsResult
from truegain.studies.shared_view import (
    decimals_for,
    describe_testset,
    direction_notes,
    heading_of,
    interval_text,
    level_words,
    name_cell,
    signatures,
)

_SHORT: dict[Method, str] = {
    "one-run": "one run",
    "all-runs": "all runs",
    "rows": "rows",
    "runs": "runs",
    "both": "both",
}
_COLUMNS: dict[Method, tuple[str, ...]] = {
    "one-run": ("one bs", "one ar"),
    "all-runs": ("all bs", "all ar"),
    "rows": ("rows bs", "rows ar"),
    "runs": ("runs bs", "runs ar"),
    "both": ("crossed",),
}
_JUDGE = "crossed"
#: The methods that hold the runs as they are, and those that do not: a table each, for one would be too wide.
_TABLES: tuple[tuple[Method, ...], ...] = (("one-run", "all-runs", "rows"), ("runs", "both"))


def document(result: IntervalsResult, decimals: int | None) -> Document:
    """Return, for each metric, intervals, overlaps, p-values and what they come to; then what to know."""
    items: list[Table | Paragraph] = [Paragraph(describe_testset(result.testset, result.scores), "title")]
    for metric in result.metrics:
        places = decimals_for(metric, result.scores, decimals)
        items.extend(_interval_table(result, metric, places, methods) for methods in _TABLES)
        items.extend(_pair_tables(result, metric, places))
        items.append(_method_table(result, metric, places))
    for metric in result.metrics:
        items.extend(_verdicts(result, metric, decimals_for(metric, result.scores, decimals)))
    items.extend(map(remark, _remarks(result)))
    items.extend(map(remark, result.notes))
    items.extend(signatures(result))
    return Document(tuple(items))


def _units(result: IntervalsResult) -> str:
    return {"testset": "test sets"}.get(result.unit, f"{result.unit}s")


def method_words(result: IntervalsResult, method: Method) -> str:
    """Say what is drawn, and of what."""
    if method in ("one-run", "all-runs"):
        return f"{_units(result)}, {_SHORT[method]}"
    return f"{_units(result)} and runs" if method == "both" else _SHORT[method]


def _interval_table(result: IntervalsResult, metric: MetricInfo, decimals: int, methods: Sequence[Method]) -> Table:
    level = level_words(result.alpha)
    columns = (
        Column(heading_of(metric), "left"),
        Column("score"),
        *(Column(f"{level}, {_SHORT[method]}") for method in methods),
    )
    rows = []
    # With the number of runs, unless all systems have as many: the title names them then.
    counted = len({score.runs for score in result.scores}) > 1
    for score in result.scores:
        if score.metric == metric.key:
            found = (result.interval(metric.key, score.name, method).interval for method in methods)
            cells = [Cell(interval_text(one.low, one.high, lambda x: decimal(x, decimals))) for one in found]
            name = name_cell(score.name, score.runs if counted else 1)
            rows.append((name, Cell(decimal(score.score, decimals)), *cells))
    drawn = listing([_SHORT[method] for method in methods])
    return Table(columns, tuple(rows), f"{level} intervals of {metric.label} by {drawn}")


def _pair_tables(result: IntervalsResult, metric: MetricInfo, decimals: int) -> list[Table]:
    """Return overlaps and p-values, the largest gain first."""
    pairs = [one for one in by_pair(result.findings) if one["both"].metric == metric.key]
    pairs.sort(key=lambda one: -abs(one["both"].delta))
    overlaps = []
    p_values: list[list[tuple[Cell, ...]]] = [[] for _ in _TABLES]
    for pair in pairs:
        first = pair["both"]
        who = Cell(f"{first.system} − {first.baseline}")
        delta = Cell(signed(first.delta, decimals))
        shown = (Cell(f"{pair[method].overlap:.2f}") for method in METHODS)
        overlaps.append((who, delta, Cell(signed(pair["one-run"].delta, decimals)), *shown))
        for found, methods in zip(p_values, _TABLES, strict=True):
            found.append((who, delta, *(_p_cell(result, pair[m].p.get(test)) for m in methods for test in METHODS[m])))
    overlap_columns = (Column("Δ"), Column("Δ one run"), *(Column(_SHORT[method]) for method in METHODS))
    return [
        Table(
            (Column(f"{metric.label}: overlap", "left"), *overlap_columns),
            tuple(overlaps),
            f"How much the intervals of {metric.label} overlap, from 0 to 1",
        ),
        *(
            Table(
                (
                    Column(f"{metric.label}: p", "left"),
                    Column("Δ"),
                    *(Column(heading) for method in methods for heading in _COLUMNS[method]),
                ),
                tuple(found),
                f"P-values of the differences in {metric.label} by {listing([_SHORT[method] for method in methods])}: "
                "bootstrap (bs) and randomization (ar)",
            )
            for found, methods in zip(p_values, _TABLES, strict=True)
        ),
    ]


def _p_cell(result: IntervalsResult, p: float | None) -> Cell:
    return Cell("–", "quiet") if p is None else Cell(p_text(p), "strong" if p <= result.alpha else "plain")


def _method_table(result: IntervalsResult, metric: MetricInfo, decimals: int) -> Table:
    columns = (
        Column(f"{metric.label}: drawn", "left"),
        Column("test", "left"),
        Column("differ"),
        Column("as crossed"),
        Column("bs as ar"),
        Column(f"S_diff at p = {result.alpha:g}"),
    )
    rows = []
    for summary in result.summaries:
        if summary.metric != metric.key:
            continue
        for number, test in enumerate(summary.tests):
            same = "" if number or summary.same is None else _of(summary.same, test.pairs)
            rows.append(
                (
                    Cell("" if number else _SHORT[summary.method]),
                    Cell(test.test),
                    Cell(_of(test.significant, test.pairs)),
                    Cell("" if test.test == _JUDGE else _of(test.as_crossed, test.pairs)),
                    Cell(same),
                    Cell("" if number else _reach(summary.s_diff_at_alpha, decimals)),
                )
            )
    caption = f"Decisions by method, and the difference in {metric.label} at which p is {result.alpha:g}"
    return Table(columns, tuple(rows), caption)


def _reach(gain: SmallestGain, decimals: int) -> str:
    """Return the median over pairs, and the range."""
    return f"{gain.median:.{decimals}f} ({interval_text(gain.low, gain.high, lambda x: f'{x:.{decimals}f}')})"


def _verdicts(result: IntervalsResult, metric: MetricInfo, decimals: int) -> list[Paragraph]:
    mine = {_SHORT[one.method]: one for one in result.summaries if one.metric == metric.key}
    judge = mine["both"].tests[0]
    told = _of(judge.significant, judge.pairs)
    said = (
        f"{metric.label}: the crossed test tells {told} pairs apart for new runs on new {_units(result)} "
        f"(p ≤ {result.alpha:g})."
    )
    if judge.significant:
        counts = ", ".join(f"{one.overlapping_though_apart} by {name}" for name, one in mine.items())
        said += f" Pairs among these whose intervals overlap all the same: {counts}."
    apart = [f"{one.apart_though_undecided} by {name}" for name, one in mine.items() if one.apart_though_undecided]
    if apart:
        said += f" Pairs that it does not tell apart though their intervals do not overlap: {', '.join(apart)}."
    gains = ", ".join(f"{one.s_diff_at_alpha.median:.{decimals}f} by {name}" for name, one in mine.items())
    reach = f"The difference in {metric.label} at which p reaches {result.alpha:g}, median over pairs: {gains}."
    own = [
        f"{test.s_diff_at_alpha.median:.{decimals}f} ({test.test})"
        for one in mine.values()
        for test in one.tests
        if test.s_diff_at_alpha is not None
    ]
    if own:
        reach += f" By Fu et al.'s own tests, given how the systems vary: {listing(own)}."
    return [Paragraph(said, "verdict"), Paragraph(reach, "verdict")]


def _remarks(result: IntervalsResult) -> list[str]:
    """Say what the words mean, and what overlap does not."""
    units = _units(result)
    remarks = [
        f"One run: {units} are drawn, and the median run of each system is scored (Koehn 2004; Riezler and "
        f"Maxwell 2005). All runs: {units} are drawn, and the score is the mean over runs (Clark et al. 2011). "
        "Rows: segments of all runs, laid end to end, are drawn as if they were independent, which they are not "
        "(Fu et al., who take this for Clark et al.'s method). "
        "Runs: runs are drawn, and the test set stays as it is (Fu et al.). Both: Student's t with the variances "
        f"over {units} and runs",
        "Two intervals that overlap are no evidence that the systems do not differ: both are scored on the same "
        f"{units}, so what moves one score often moves the other too, and even of independent scores the "
        "difference varies less than the two intervals, laid end to end, suggest. Go by the p-value, or by an "
        "interval of the difference",
        "Overlap: the area that both fitted normal curves have in common, as a share of what either covers, "
        "inside the intervals; 0: apart, 1: the same (Fu et al.)",
        "P-values by bootstrap (bs) and randomization (ar), two-sided, not adjusted for the number of pairs. "
        f"S_diff: the size of the difference. Its value at p = {result.alpha:g} is not that of the tests beside it: "
        f"over {units} it is that of swapping (all runs at once), over runs half of Welch's interval, over both "
        "half of the crossed test's, which must also pass the former",
        "The bootstraps of Riezler and Maxwell and of Fu et al. take absolute values before they centre, as "
        "published, which makes p too small: it counts one side only where the difference is large, and is far "
        "from 1 where there is none",
    ]
    return [*remarks, *map(str, direction_notes(result.metrics, "the first of two systems"))]


def _of(count: int, total: int) -> str:
    return f"{count} of {total}" if total else "–"
