"""One table instead of everything, to be pasted into a paper: systems by metrics, or MultEval's (Clark et al. 2011)."""

from __future__ import annotations

import statistics
from dataclasses import replace
from typing import Any

from truegain.inference.results import Comparison, MetricInfo, SystemScore
from truegain.report.model import Cell, Column, Table
from truegain.studies.compared import tests_note
from truegain.view import digits_of
from truegain.words import Sentence, beyond, heading_of, listing, p_text, units_words, where

#: Results of ``compare`` and of ``score``, whose modules import this one.
CompareResult = Any
ScoreResult = Any

#: Marks that terminals, Markdown and LaTeX all have, by whether the system is better.
MARKS = {True: "*", False: "°", None: "†"}

SCORES_OF = Sentence("{metrics} on {where}. The best score under each metric is bold.")
NOT_TESTED = "Differences between the systems were not tested."
ALL_PAIRS = "All systems were compared with each other: truegain rank shows in a table which differ."
MARKED = Sentence("{marks} (p ≤ {alpha:g}, for {claims}); others are not marked.")
NOTHING_MARKED = Sentence("Nothing is marked: no difference is shown (p ≤ {alpha:g}, for {claims}).")
CARE = Sentence("p ≤ {alpha:g} needs care for {members}: {reason}.")
RUNS = "Scores are means over runs, ± their standard deviation (s_test)."
MULTEVAL = Sentence("{metrics} on {where}: averages over runs, and standard deviations.")
DEVIATIONS = Sentence(
    "s_sel is the standard deviation over test sets (the bootstrap over {units}, with {resamples:,} resamples), s_test "
    "over runs."
)
DEVELOPMENT = "s_dev is over runs as well, on the development set."
NO_DEVIATIONS = "Standard deviations take several runs of a system, and intervals."


def table_of(result: CompareResult | ScoreResult, layout: str, decimals: int | None) -> Table:
    """Return the table of a layout."""
    return {"paper": paper, "multeval": multeval}[layout](result, decimals)


def paper(result: CompareResult | ScoreResult, decimals: int | None) -> Table:
    """Return one row per system, the baseline first, and one column per metric, the best in bold."""
    baseline, systems = _baseline(result), _ordered(result, result.metrics[0])
    columns = [[_named(score, baseline) for score in systems]]
    columns += [_scores(result, metric, decimals) for metric in result.metrics]
    notes = [*_meaning(result), *_tested(result)]
    if any(score.runs > 1 for score in systems):
        notes.append(RUNS)
    return Table(
        (Column("System", "left"), *(Column(heading_of(metric)) for metric in result.metrics)),
        tuple(zip(*columns, strict=True)),
        SCORES_OF(metrics=listing([metric.label for metric in result.metrics]), where=where(result.testset)),
        tuple(notes),
        (1,) if baseline is not None else (),
    )


def multeval(result: CompareResult | ScoreResult, decimals: int | None) -> Table:
    """Return one group of rows per metric, one row per system, the baseline first; p-values if there is a baseline."""
    varied = {(row.metric, row.system): row for row in result.variability}
    headings = ["Avg", "s_sel", "s_dev", "s_test", "p-value"]
    if all(row.s_dev is None for row in result.variability):
        headings.remove("s_dev")
    if _baseline(result) is None:
        headings.remove("p-value")
    rows: list[tuple[Cell, ...]] = []
    breaks = []
    for metric in result.metrics:
        digits, heading = digits_of(result, metric, decimals), heading_of(metric)
        p_values = {one.system: p_text(one.p_adjusted) for one in _tests(result, metric)}
        breaks.append(len(rows))
        for score in _ordered(result, metric):
            cells = {"Avg": digits.score(score.score), "p-value": p_values.get(score.name, "–")}
            for name in ("s_sel", "s_dev", "s_test"):
                number = getattr(varied.get((metric.key, score.name)), name, None)
                cells[name] = "–" if number is None else digits.score(number)
            rows.append((Cell(heading), _named(score, _baseline(result)), *(Cell(cells[name]) for name in headings)))
            heading = ""
    notes = [NO_DEVIATIONS]
    if result.variability:
        notes = [DEVIATIONS(units=units_words(result.unit, result.n_units), resamples=result.resamples)]
    if "s_dev" in headings:
        notes.append(DEVELOPMENT)
    if "p-value" not in headings and result.study == "compare":
        notes.append(ALL_PAIRS)
    return Table(
        (Column("Metric", "left"), Column("System", "left"), *map(Column, headings)),
        tuple(rows),
        MULTEVAL(metrics=listing([metric.label for metric in result.metrics]), where=where(result.testset)),
        (*notes, *_tested(result)),
        tuple(breaks[1:]),
    )


def _baseline(result: CompareResult | ScoreResult) -> str | None:
    return getattr(result, "baseline", None)


def _tests(result: CompareResult | ScoreResult, *metrics: MetricInfo) -> list[Comparison]:
    """Return the tests that decide under metrics; none of scores alone."""
    if result.study != "compare":
        return []
    return [one for metric in metrics for one in result.primary_tests(metric.key)]


def _ordered(result: CompareResult | ScoreResult, metric: MetricInfo) -> list[SystemScore]:
    """Return the scores under a metric, the baseline's first."""
    scores = [score for score in result.scores if score.metric == metric.key]
    return sorted(scores, key=lambda score: score.name != _baseline(result))


def _named(score: SystemScore, baseline: str | None) -> Cell:
    """Return a name with the number of its runs, if there are several; the baseline is called so."""
    more = []
    if score.name == baseline and "baseline" not in score.name.lower():
        more.append("baseline")
    if score.runs > 1:
        more.append(f"{score.runs} runs")
    return Cell(f"{score.name} ({', '.join(more)})" if more else score.name)


def _scores(result: CompareResult | ScoreResult, metric: MetricInfo, decimals: int | None) -> list[Cell]:
    """Return scores, how they vary over runs, and marks of what is shown; those that look the best are strong."""
    digits, scores, best = digits_of(result, metric, decimals), _ordered(result, metric), ""
    marks = {one.system: MARKS[one.better] for one in _tests(result, metric) if one.marked and _baseline(result)}
    if metric.higher_is_better is not None and len(scores) > 1:
        extreme = {True: max, False: min}[metric.higher_is_better]
        best = digits.score(extreme(score.score for score in scores))
    cells = []
    for score in scores:
        cell = Cell(digits.score(score.score), value=score.score, mark=marks.get(score.name, ""))
        if cell.text == best:
            cell = replace(cell, tone="strong")
        if score.runs > 1:
            cell = replace(cell, spread=f"± {digits.score(statistics.stdev(score.run_scores))}")
        cells.append(cell)
    return cells


def _meaning(result: CompareResult | ScoreResult) -> list[str]:
    """Say what the marks of a table mean, and what is not marked."""
    tests = _tests(result, *result.metrics)
    if not tests:
        return []
    if result.baseline is None:
        return [ALL_PAIRS]
    slots = {
        "alpha": result.alpha,
        "claims": listing(list(dict.fromkeys(one.claim.of_outputs() for one in tests)), "or"),
    }
    metrics = {metric.key: metric for metric in result.metrics}
    meant: dict[str, dict[str, None]] = {}
    for one in (one for one in tests if one.marked):
        phrase = f"different from {result.baseline}"
        if one.better is not None or result.null_gain != 0.0:
            above = one.delta > result.null_gain
            phrase = beyond(result.baseline, metrics[one.metric], above=above, gain=result.null_gain)
        meant.setdefault(MARKS[one.better], {})[phrase] = None
    marks = [f"{mark} {listing(list(meant[mark]), 'or')}" for mark in MARKS.values() if mark in meant]
    return [MARKED(marks=", ".join(marks), **slots) if marks else NOTHING_MARKED(**slots)]


def _tested(result: CompareResult | ScoreResult) -> list[str]:
    """Say how differences were tested, and which are not marked though they are significant, and why."""
    tests = _tests(result, *result.metrics)
    labels = {metric.key: metric.label for metric in result.metrics}
    reasons: dict[str, dict[str, None]] = {}
    for one in tests:
        if one.significant and one.caveats:
            reason = "; ".join(caveat.text for caveat in one.caveats)
            reasons.setdefault(reason, {})[f"{one.system} against {one.baseline} ({labels[one.metric]})"] = None
    care = [CARE(alpha=result.alpha, members=listing(list(pairs)), reason=text) for text, pairs in reasons.items()]
    return [*care, tests_note(result)] if tests else [NOT_TESTED]
