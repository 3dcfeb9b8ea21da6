"""One table instead of everything, to be pasted into a paper: systems by metrics, or MultEval's (Clark et al. 2011)."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Sequence
from dataclasses import replace
from string import ascii_letters
from typing import Any

import numpy as np

from truegain.inference.ranking import letter_groups
from truegain.inference.results import Comparison, MetricInfo, SystemScore
from truegain.report.model import Cell, Column, Table
from truegain.studies.compared import sought, tests_note
from truegain.view import Digits, digits_of
from truegain.words import Sentence, as_given, beyond, heading_of, listing, p_text, seeks_difference, units_words, where

#: Results of ``compare`` and of ``score``, whose modules import this one.
CompareResult = Any
ScoreResult = Any

#: Marks that terminals, Markdown and LaTeX all have.
BETTER, WORSE, DIFFERENT = "*", "°", "†"
_MOST_LETTERS = 8  # of one system: more are not read

SCORES_OF = Sentence("{metrics} on {where}.")
SCORES_OF_BEST = Sentence("{metrics} on {where}. The best score under each metric is bold.")
NOT_TESTED = Sentence("Differences between the systems were not tested.")
SHARED_LETTERS = Sentence(
    "Under each metric, systems that share a letter are not shown to differ (p ≤ {alpha:g}, for {claims})."
)
TOO_MANY_LETTERS = Sentence(
    "All systems were compared with each other; groups that do not differ are too many for letters."
)
NO_LETTERS = Sentence("All systems were compared with each other, but not for any difference: letters cannot show it.")
MARKS = Sentence("{marks} (p ≤ {alpha:g}, for {claims}); others are not marked.")
NOTHING_SHOWN = Sentence("No system is shown to {sought} (p ≤ {alpha:g}, for {claims}).")
NOTHING_MARKED = Sentence("Nothing is marked (p ≤ {alpha:g}, for {claims}).")
CARE = Sentence("p ≤ {alpha:g} needs care for {members}: {reason}.")
RUNS = Sentence("Scores are means over runs, ± their standard deviation (s_test).")
MULTEVAL = Sentence("{metrics} on {where}: averages over runs, standard deviations.")
MULTEVAL_COMPARED = Sentence(
    "{metrics} on {where}: averages over runs, standard deviations, and p-values of differences from {baseline}."
)
DEVIATIONS = Sentence(
    "s_sel is the standard deviation over test sets (the bootstrap over {units}, with {resamples:,} resamples), s_test "
    "over runs."
)
DEVELOPMENT = Sentence("s_dev is over runs as well, on the development set.")
ONE_RUN = Sentence("Every system has one run: s_test needs several, and s_sel is shown beside it only.")
PAIRS_IN_FULL = Sentence("All systems were compared with each other: the p-values of pairs are in the layout full.")


def table_of(result: CompareResult | ScoreResult, layout: str, decimals: int | None) -> Table:
    """Return the table of a layout."""
    return {"paper": paper, "multeval": multeval}[layout](result, decimals)


def paper(result: CompareResult | ScoreResult, decimals: int | None) -> Table:
    """Return one row per system, the baseline first, and one column per metric, the best in bold."""
    compared = result if result.study == "compare" else None
    baseline = None if compared is None else compared.baseline
    names = sorted(dict.fromkeys(score.name for score in result.scores), key=lambda name: name != baseline)
    runs = {score.name: score.runs for score in result.scores}
    marks = [{} if compared is None else _marks(compared, metric) for metric in result.metrics]
    if baseline is None and not all(marks):  # a column without letters beside one with them would say that all differ
        marks = [{} for _ in marks]
    by_metric = [
        [replace(cell, mark=mine.get(name, "")) for name, cell in zip(names, cells, strict=True)]
        for metric, mine in zip(result.metrics, marks, strict=True)
        for cells in [_scores(result.scores, metric, names, digits_of(result, metric, decimals))]
    ]
    best = any(cell.tone == "strong" for cells in by_metric for cell in cells)
    caption = SCORES_OF_BEST if best else SCORES_OF
    used = {mark for mine in marks for mark in mine.values()}
    notes = [NOT_TESTED] if compared is None else _test_notes(compared, used)
    return Table(
        (Column("System", "left"), *(Column(heading_of(metric)) for metric in result.metrics)),
        tuple(zip([_named(name, runs, baseline) for name in names], *by_metric, strict=True)),
        caption(metrics=listing([metric.label for metric in result.metrics]), where=where(result.testset)),
        (*notes, *([RUNS] if max(runs.values()) > 1 else [])),
        (1,) if baseline is not None else (),
    )


def letters(names: Sequence[str], differ: Collection[frozenset[str]]) -> dict[str, str] | None:
    """Return letters such that two systems share one exactly if they do not differ; None if that takes too many.

    ``names`` are in the order in which letters are given out.
    """
    groups = letter_groups(np.array([[frozenset((one, other)) in differ for other in names] for one in names]))
    if len(groups) > len(ascii_letters):
        return None
    given = {
        name: "".join(letter for letter, group in zip(ascii_letters, groups, strict=False) if place in group)
        for place, name in enumerate(names)
    }
    return given if max(map(len, given.values())) <= _MOST_LETTERS else None


def _named(name: str, runs: dict[str, int], baseline: str | None) -> Cell:
    """Return a name with the number of its runs, if there are several; the baseline is called so."""
    said = ["baseline"] if name == baseline and "baseline" not in name.lower() else []
    said += [f"{runs[name]} runs"] if runs[name] > 1 else []
    return Cell(f"{name} ({', '.join(said)})" if said else name)


def _scores(scores: Sequence[SystemScore], metric: MetricInfo, names: Sequence[str], digits: Digits) -> list[Cell]:
    """Return scores and how they vary over runs; those that are shown as the best are strong."""
    mine = {score.name: score for score in scores if score.metric == metric.key}
    best = None
    if metric.higher_is_better is not None and len(names) > 1:
        pick = max if metric.higher_is_better else min
        best = digits.score(pick(score.score for score in mine.values()))
    cells = []
    for name in names:
        score, text = mine[name], digits.score(mine[name].score)
        spread = f"± {digits.score(statistics.stdev(score.run_scores))}" if score.runs > 1 else ""
        cells.append(Cell(text, "strong" if text == best else "plain", value=score.score, spread=spread))
    return cells


def _marks(result: CompareResult, metric: MetricInfo) -> dict[str, str]:
    """Return what follows scores: marks of what is shown against the baseline, or letters of what may be alike."""
    family = result.primary_tests(metric.key)
    if result.baseline is not None:
        return {one.system: _mark(one) for one in family if one.marked}
    if not seeks_difference(family[0].alternative, result.null_gain):
        return {}
    scores = [score for score in result.scores if score.metric == metric.key]
    scores.sort(key=lambda score: score.score, reverse=metric.higher_is_better is not False)
    differ = {frozenset((one.baseline, one.system)) for one in family if one.marked}
    return letters([score.name for score in scores], differ) or {}


def _mark(one: Comparison) -> str:
    return {True: BETTER, False: WORSE, None: DIFFERENT}[one.better]


def _test_notes(result: CompareResult, used: Collection[str]) -> list[str]:
    """Say what the marks or letters of a table mean, what is not marked, and how it was tested."""
    primary = [one for metric in result.metrics for one in result.primary_tests(metric.key)]
    claims = listing(list(dict.fromkeys(one.claim.of_outputs() for one in primary)), "or")
    slots = {"alpha": result.alpha, "claims": claims}
    unmarked = unmarked_note(primary, result.baseline, result.alpha, result.metrics)
    plain = seeks_difference(primary[0].alternative, result.null_gain)
    metrics = {metric.key: metric for metric in result.metrics}
    if result.baseline is None:
        unlettered = TOO_MANY_LETTERS if plain else NO_LETTERS
        said = SHARED_LETTERS(**slots) if used else unlettered
    elif used:
        said = MARKS(marks=_meant(result, result.baseline, primary), **slots)
    else:
        phrases = [sought(one.alternative, result.null_gain, result.baseline, metrics[one.metric]) for one in primary]
        said = NOTHING_SHOWN(sought=listing(list(dict.fromkeys(phrases)), "or"), **slots)
        said = NOTHING_MARKED(**slots) if unmarked else said
    return [said, *unmarked, tests_note(result)]


def _meant(result: CompareResult, baseline: str, primary: Sequence[Comparison]) -> str:
    """Return the marks and what they stand for: ``* better than base``, ``† different from base``."""
    metrics = {metric.key: metric for metric in result.metrics}
    meant: dict[str, dict[str, None]] = {}
    for one in primary:
        undirected = metrics[one.metric].higher_is_better is None and one.alternative == "two-sided"
        phrase = beyond(baseline, metrics[one.metric], above=one.delta > result.null_gain, gain=result.null_gain)
        if undirected and result.null_gain == 0.0:
            phrase = f"different from {baseline}"
        elif undirected:
            phrase = f"with a gain over {baseline} other than {as_given(result.null_gain)}"
        if one.marked:
            meant.setdefault(_mark(one), {})[phrase] = None
    order = [mark for mark in (BETTER, WORSE, DIFFERENT) if mark in meant]
    return ", ".join(f"{mark} {listing(list(meant[mark]), 'or')}" for mark in order)


def unmarked_note(
    comparisons: Sequence[Comparison], baseline: str | None, alpha: float, metrics: Sequence[MetricInfo] = ()
) -> list[str]:
    """Say which comparisons a table does not mark though they are significant, and why; by metric if it has several."""
    labels = {metric.key: f" ({metric.label})" for metric in metrics} if len(metrics) > 1 else {}
    reasons: dict[str, dict[str, None]] = {}
    for one in comparisons:
        if one.significant and one.caveats:
            who = one.system if baseline is not None else f"{one.system} and {one.baseline}"
            reason = "; ".join(caveat.text for caveat in one.caveats)
            reasons.setdefault(reason, {})[who + labels.get(one.metric, "")] = None
    return [CARE(alpha=alpha, members=listing(list(names)), reason=text) for text, names in reasons.items()]


def multeval(result: CompareResult | ScoreResult, decimals: int | None) -> Table:
    """Return one group of rows per metric, one row per system, the baseline first; p-values if there is a baseline."""
    compared = result if result.study == "compare" and result.baseline is not None else None
    varied = {(one.metric, one.system): one for one in result.variability}
    deviations = (
        ["s_sel", "s_dev", "s_test"]
        if any(one.s_dev is not None for one in result.variability)
        else ["s_sel", "s_test"]
    )
    columns = [Column("Metric", "left"), Column("System", "left"), Column("Avg")]
    columns += [Column(name) for name in deviations] + ([] if compared is None else [Column("p-value")])
    runs = {score.name: score.runs for score in result.scores}
    rows: list[tuple[Cell, ...]] = []
    breaks = []
    for metric in result.metrics:
        digits = digits_of(result, metric, decimals)
        family = [] if compared is None else compared.primary_tests(metric.key)
        p_values = {one.system: one.p_adjusted for one in family}
        mine = [score for score in result.scores if score.metric == metric.key]
        mine.sort(key=lambda score: compared is not None and score.name != compared.baseline)
        breaks.append(len(rows))
        for number, score in enumerate(mine):
            found = varied.get((metric.key, score.name))
            numbers = [getattr(found, name, None) for name in deviations[:-1]]
            numbers.append(statistics.stdev(score.run_scores) if score.runs > 1 else None)
            cells = [Cell("" if number else heading_of(metric)), _named(score.name, runs, None)]
            cells.append(Cell(digits.score(score.score), value=score.score))
            cells += [Cell("–" if one is None else digits.score(one)) for one in numbers]
            if compared is not None:
                cells.append(Cell(p_text(p_values[score.name]) if score.name in p_values else "–"))
            rows.append(tuple(cells))
    slots = {"metrics": listing([metric.label for metric in result.metrics]), "where": where(result.testset)}
    caption = MULTEVAL(**slots) if compared is None else MULTEVAL_COMPARED(baseline=compared.baseline, **slots)
    return Table(tuple(columns), tuple(rows), caption, tuple(_multeval_notes(result, compared)), tuple(breaks[1:]))


def _multeval_notes(result: CompareResult | ScoreResult, compared: CompareResult | None) -> list[str]:
    """Say what the deviations are, and how differences were tested."""
    notes: list[str] = [ONE_RUN]
    if result.variability:
        notes = [DEVIATIONS(units=units_words(result.unit, result.n_units), resamples=result.resamples)]
    if any(one.s_dev is not None for one in result.variability):
        notes.append(DEVELOPMENT)
    if compared is None:
        return [*notes, PAIRS_IN_FULL if result.study == "compare" else NOT_TESTED]
    primary = [one for metric in compared.metrics for one in compared.primary_tests(metric.key)]
    care = unmarked_note(primary, compared.baseline, compared.alpha, compared.metrics)
    return [*notes, tests_note(compared), *care]
