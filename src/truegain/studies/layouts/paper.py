"""The table of a paper: systems by metrics, the best in bold, marks for what is significant."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Sequence
from dataclasses import replace
from string import ascii_letters

import numpy as np

from truegain.inference.ranking import letter_groups
from truegain.inference.results import Comparison, MetricInfo, SystemScore
from truegain.report.model import S_TEST, Cell, Column, P, Symbol, Table, Words, decimal, listing
from truegain.studies.compare.caveats import unmarked_note
from truegain.studies.compare.result import CompareResult
from truegain.studies.compare.sentences import tests_note
from truegain.studies.null_gain import as_given, beyond, seeks_difference
from truegain.studies.score.result import ScoreResult
from truegain.studies.shared_view import decimals_for, heading_of, name_cell, where

#: Marks that terminals, Markdown and LaTeX all have.
BETTER, WORSE, DIFFERENT = "*", "°", "†"
_MOST_LETTERS = 8  # of one system: more are not read


def paper(result: CompareResult | ScoreResult, decimals: int | None) -> Table:
    """Return one row per system, the baseline first, and one column per metric."""
    compared = result if isinstance(result, CompareResult) else None
    names = list(dict.fromkeys(score.name for score in result.scores))
    baseline = None if compared is None else compared.baseline
    if baseline is not None:
        names.sort(key=lambda name: name != baseline)
    runs = {score.name: score.runs for score in result.scores}
    alike = len(set(runs.values())) == 1
    first = [_named(name, 1 if alike else runs[name], baseline) for name in names]
    columns = [Column("System", "left")]
    by_metric = []
    used: set[str] = set()
    marks = [{} if compared is None else _marks(compared, metric) for metric in result.metrics]
    if baseline is None and not all(marks):  # a column without letters beside one with them would say that all differ
        marks = [{} for _ in marks]
    for metric, mine in zip(result.metrics, marks, strict=True):
        cells = _scores(metric, names, result.scores, decimals_for(metric, result.scores, decimals))
        used.update(mine.values())
        by_metric.append([replace(cells[name], mark=mine.get(name, "")) for name in names])
        columns.append(Column(heading_of(metric)))
    caption = f"{listing([metric.label for metric in result.metrics])} on {where(result.testset)}."
    if any(cell.tone == "strong" for cells in by_metric for cell in cells):
        caption += " The best score under each metric is bold."
    return Table(
        tuple(columns),
        tuple(zip(first, *by_metric, strict=True)),
        caption,
        (*_test_notes(compared, used), *_run_notes(runs)),
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


def _named(name: str, runs: int, baseline: str | None) -> Cell:
    if name != baseline or "baseline" in name.lower():
        return name_cell(name, runs)
    return Cell(f"{name} (baseline)" if runs == 1 else f"{name} (baseline, {runs} runs)")


def _scores(metric: MetricInfo, names: Sequence[str], scores: Sequence[SystemScore], decimals: int) -> dict[str, Cell]:
    """Return scores and how they vary over runs; those that are shown as the best are strong."""
    mine = {score.name: score for score in scores if score.metric == metric.key}
    shown = {name: decimal(mine[name].score, decimals) for name in names}
    best = None
    if metric.higher_is_better is not None and len(names) > 1:
        pick = max if metric.higher_is_better else min
        best = shown[pick(names, key=lambda name: mine[name].score)]
    cells = {}
    for name, text in shown.items():
        score = mine[name]
        spread = f"± {statistics.stdev(score.run_scores):.{decimals}f}" if score.runs > 1 else ""
        cells[name] = Cell(text, "strong" if text == best else "plain", value=score.score, spread=spread)
    return cells


def _marks(result: CompareResult, metric: MetricInfo) -> dict[str, str]:
    family = result.primary_tests(metric.key)
    if result.baseline is not None:
        return {one.system: _mark(one) for one in family if one.marked}
    scores = [score for score in result.scores if score.metric == metric.key]
    scores.sort(key=lambda score: score.score, reverse=metric.higher_is_better is not False)
    if not seeks_difference(family[0].alternative, result.null_gain):  # letters say which systems may be the same
        return {}
    differ = {frozenset((one.baseline, one.system)) for one in family if one.marked}
    return letters([score.name for score in scores], differ) or {}


def _mark(one: Comparison) -> str:
    return {True: BETTER, False: WORSE, None: DIFFERENT}[one.better]


def _test_notes(result: CompareResult | None, used: Collection[str]) -> list[str]:
    if result is None:
        return ["Differences between the systems were not tested."]
    primary = [one for metric in result.metrics for one in result.primary_tests(metric.key)]
    claims = list(dict.fromkeys(str(one.claim) for one in primary))
    level = Words(P, f" ≤ {result.alpha:g}, for {listing(claims, 'or')}")
    plain = seeks_difference(primary[0].alternative, result.null_gain)
    unmarked = unmarked_note(primary, result.baseline, result.alpha, metrics=result.metrics)
    if result.baseline is None:
        said = (
            Words("Under each metric, systems that share a letter are not shown to differ (", level, ").")
            if used
            else "All systems were compared with each other; groups that do not differ are too many for letters."
            if plain
            else "All systems were compared with each other, but not for any difference: letters cannot show it."
        )
    elif not plain:
        said = _sought(result, result.baseline, primary, level, unmarked=bool(unmarked))
    elif used:
        words = {BETTER: "better", WORSE: "worse"}
        sides = [Words(Symbol(mark), f" {words[mark]}") for mark in (BETTER, WORSE) if mark in used]
        sides[-1:] = [Words(side, " than") for side in sides[-1:]]
        marks = listing([*sides, *([Words(Symbol(DIFFERENT), " different from")] if DIFFERENT in used else [])], "or")
        others = "of others p is above that, or not marked" if unmarked else "others are not shown to differ from it"
        said = Words(marks, f" {result.baseline} (", level, f"); {others}.")
    else:
        shown = "No difference from {} is marked" if unmarked else "No system is shown to differ from {}"
        said = Words(f"{shown.format(result.baseline)} (", level, ").")
    return [said, *unmarked, tests_note(result)]


def _sought(
    result: CompareResult, baseline: str, primary: Sequence[Comparison], level: str, *, unmarked: bool
) -> Words:
    """Say what marks stand for, or what no system is shown to be: on one side, or beyond another gain than zero."""
    gain, side = result.null_gain, primary[0].alternative
    metrics = {metric.key: metric for metric in result.metrics}
    other = f"a gain over {baseline} other than {as_given(gain)}"
    meant: dict[str, dict[str, None]] = {}
    for one in (one for one in primary if one.marked):
        undirected = metrics[one.metric].higher_is_better is None
        shown = beyond(baseline, metrics[one.metric], above=one.delta > gain, gain=gain)
        meant.setdefault(_mark(one), {})[f"with {other}" if undirected and side == "two-sided" else shown] = None
    if meant:
        order = [mark for mark in (BETTER, WORSE, DIFFERENT) if mark in meant]
        marks = listing([Words(Symbol(mark), f" {listing(list(meant[mark]), 'or')}") for mark in order], "or")
        others = "of others p is above that, or not marked" if unmarked else "of others this is not shown"
        return Words(marks, " (", level, f"); {others}.")
    sought = [beyond(baseline, metric, above=side == "greater", gain=gain) for metric in result.metrics]
    shown = f"have {other}" if side == "two-sided" else f"be {listing(list(dict.fromkeys(sought)), 'or')}"
    return Words("Nothing is marked" if unmarked else f"No system is shown to {shown}", " (", level, ").")


def _run_notes(runs: dict[str, int]) -> list[str]:
    if max(runs.values()) == 1:
        return []
    each = f"{max(runs.values())} runs of each system" if len(set(runs.values())) == 1 else "runs"
    return [Words(f"Scores are means over {each}, ± their standard deviation (", S_TEST, ").")]
