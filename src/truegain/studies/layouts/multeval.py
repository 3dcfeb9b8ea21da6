"""MultEval's table (Clark et al. 2011): for each metric its average, how that varies, and p-values."""

from __future__ import annotations

import statistics

from truegain.inference.results import SystemScore, Variability
from truegain.report.model import S_DEV, S_SEL, S_TEST, Cell, Column, P, Table, Words, decimal, listing, p_text
from truegain.studies.compare.caveats import unmarked_note
from truegain.studies.compare.result import CompareResult
from truegain.studies.compare.sentences import tests_note
from truegain.studies.score.result import ScoreResult
from truegain.studies.shared_view import decimals_for, heading_of, name_cell, units_words, where

_UNKNOWN = Cell("–")


def multeval(result: CompareResult | ScoreResult, decimals: int | None) -> Table:
    """Return one group of rows per metric, one row per system, the baseline first; p-values if there is a baseline."""
    compared = result if isinstance(result, CompareResult) and result.baseline is not None else None
    varied = {(one.metric, one.system): one for one in result.variability}
    on_development = any(one.s_dev is not None for one in result.variability)
    alike = len({score.runs for score in result.scores}) == 1
    columns = [Column("Metric", "left"), Column("System", "left"), Column("Avg"), Column(S_SEL)]
    columns += [Column(S_DEV)] if on_development else []
    columns += [Column(S_TEST)] + ([Column(Words(P, "-value"))] if compared is not None else [])
    rows: list[tuple[Cell, ...]] = []
    breaks = []
    for metric in result.metrics:
        places = decimals_for(metric, result.scores, decimals)
        p_values = (
            {} if compared is None else {one.system: one.p_adjusted for one in compared.primary_tests(metric.key)}
        )
        mine = [score for score in result.scores if score.metric == metric.key]
        if compared is not None:
            mine.sort(key=lambda score: score.name != compared.baseline)
        breaks.append(len(rows))
        for number, score in enumerate(mine):
            found = varied.get((metric.key, score.name))
            cells = [
                Cell("" if number else heading_of(metric)),
                name_cell(score.name, 1 if alike else score.runs),
                Cell(decimal(score.score, places), value=score.score),
                *_deviations(score, found, on_development, places),
            ]
            if compared is not None:
                cells.append(Cell(p_text(p_values[score.name])) if score.name in p_values else _UNKNOWN)
            rows.append(tuple(cells))
    return Table(
        tuple(columns),
        tuple(rows),
        _caption(result, compared),
        tuple(_notes(result, compared, on_development)),
        tuple(breaks[1:]),
    )


def _deviations(score: SystemScore, found: Variability | None, on_development: bool, decimals: int) -> list[Cell]:
    """Return the deviations that are known: the spread over test sets is kept if there are several runs."""
    s_test = statistics.stdev(score.run_scores) if score.runs > 1 else None
    numbers = [
        None if found is None else found.s_sel,
        *([None if found is None else found.s_dev] if on_development else []),
        s_test,
    ]
    return [_UNKNOWN if number is None else Cell(f"{number:.{decimals}f}") for number in numbers]


def _caption(result: CompareResult | ScoreResult, compared: CompareResult | None) -> str:
    against = [] if compared is None else [", and ", P, f"-values of differences from {compared.baseline}"]
    names = listing([metric.label for metric in result.metrics])
    return Words(f"{names} on {where(result.testset)}: averages over runs, standard deviations", *against, ".")


def _notes(result: CompareResult | ScoreResult, compared: CompareResult | None, on_development: bool) -> list[str]:
    notes: list[str] = []
    if result.variability:
        drawn = f"the bootstrap over {units_words(result.unit, result.n_units)}, with {result.resamples:,} resamples"
        over = Words(S_TEST, " over runs")
        if on_development:
            over = Words(S_DEV, " and ", over, ", on the development set and the test set")
        notes.append(Words(S_SEL, f" is the standard deviation over test sets ({drawn}), ", over, "."))
    else:
        notes.append(
            Words("Every system has one run: ", S_TEST, " needs several, and ", S_SEL, " is shown beside it only.")
        )
    if compared is not None:
        notes.append(tests_note(compared))
        primary = [one for metric in compared.metrics for one in compared.primary_tests(metric.key)]
        notes.extend(
            unmarked_note(primary, compared.baseline, compared.alpha, metrics=compared.metrics, verb="needs care for")
        )
    elif isinstance(result, CompareResult):
        notes.append(
            Words("All systems were compared with each other: the ", P, "-values of pairs are in the layout full.")
        )
    else:
        notes.append("Differences between the systems were not tested.")
    return notes
