"""Sentences on a ranking."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from truegain.inference.multiplicity import CONTROLS
from truegain.inference.ranking import kendall
from truegain.inference.results import MetricInfo
from truegain.notes import Note
from truegain.registry import CLOSED_FORM, TESTS
from truegain.report.model import listing, p_words, whole
from truegain.studies.grouping import group_nouns
from truegain.studies.rank.result import RankResult
from truegain.studies.shared_view import (
    ADJUSTED_BY,
    after_words,
    direction_notes,
    label_of,
    level_words,
    score_intervals_words,
    unit_words,
    units_words,
)

_SIDES = {"as chosen": "two-sided", "two-sided": "two-sided", "one-sided": "one-sided, towards the better system"}
_NAMED = 6  # more systems than these are counted, not named
_RATES = {"PFER and FWER": "family-wise error rate", "FWER": "family-wise error rate", "FDR": "false discovery rate"}


def verdicts(result: RankResult, metric: MetricInfo) -> list[str]:
    """Say who is on top, and how far the systems differ significantly."""
    clusters = result.clusters(metric.key)
    top = clusters[0]
    placed = result.placed(metric.key)
    pairs = [one for one in result.pairs if one.metric == metric.key]
    shown = sum(one.better is not None for one in pairs)
    after = after_words(result.adjust)
    evidence = f"for {result.claim} ({TESTS[result.test].label}, p ≤ {result.alpha:g}{after})"
    how_many = (
        f"{shown:,} of {whole(len(pairs), 'pair')} {'differs' if shown == 1 else 'differ'}" if len(pairs) > 1 else ""
    )
    leaders = [one.system for one in placed if one.best == 1]
    if len(clusters) == 1:
        if len(placed) == 2:
            return [f"{metric.label} does not show that {listing(top)} differ, {evidence}."]
        said = f"{metric.label} does not divide the {len(placed)} systems into clusters"
        if shown == 0:
            return [f"{said}: no two are shown to differ, {evidence}."]
        return [f"{said}, though {how_many}, {evidence}.", _unbeaten(leaders)]
    others = [one.system for one in placed if one.cluster > 1]
    rest = others[0] if len(others) == 1 else "both others" if len(others) == 2 else f"all {len(others)} others"
    if len(top) == 1:
        first = f"By {metric.label}, {top[0]} is better than {rest}, {evidence}."
    else:
        first = f"By {metric.label}, {_names(top)} are better than {rest}, {evidence}."
        if len(leaders) == len(top):
            first += " Which of them is the best is not shown."
        else:
            first += f" {_unbeaten(leaders)}"
    return [first, f"{len(clusters)} clusters; {how_many}."] if how_many else [first]


def _unbeaten(leaders: Sequence[str]) -> str:
    """Name the systems that no other is shown to beat."""
    return f"No system is significantly better than {_names(leaders, 'or')}."


def disagreements(result: RankResult) -> list[str]:
    """Say on what metrics disagree about the order of the systems."""
    said = []
    names = list(dict.fromkeys(one.name for one in result.scores))
    for first, second in itertools.combinations(result.metrics, 2):
        places = [_scores(result, metric, names) for metric in (first, second)]
        tau = kendall(places[0], places[1])
        if math.isnan(tau) or tau == 1.0:
            continue
        text = f"{first.label} and {second.label} disagree on the order (Kendall's τ {tau:.2f})"
        tops = [result.clusters(metric.key)[0] for metric in (first, second)]
        bests = [result.placed(metric.key)[0].system for metric in (first, second)]
        if bests[0] != bests[1]:
            text += f": the best score is that of {bests[0]} by {first.label}, of {bests[1]} by {second.label}"
        only = [
            f"{_names(alone)} by {metric.label}"
            for metric, mine, others in zip((first, second), tops, reversed(tops), strict=True)
            if (alone := [name for name in mine if name not in others])
        ]
        if only:
            text += f"; in the top cluster by only one of them: {listing(only)}"
        against = _contradictions(result, first, second)
        if against:
            text += f"; of {whole(against, 'pair')} each shows the other system to be better"
        said.append(f"{text}.")
    return said


def groups(result: RankResult) -> list[str]:
    """Say in how many groups the best system is the best, and whether leads differ between groups, by metric."""
    if result.groups is None:
        return []
    nouns, said = group_nouns(result.groups.by), []
    for metric in result.metrics:
        best = result.placed(metric.key)[0].system
        sign = -1.0 if metric.higher_is_better is False else 1.0
        first = sum(
            sign * one.of(metric.key)[best].score >= max(sign * other.score for other in one.of(metric.key).values())
            for one in result.groups.groups
        )
        text = f"By {metric.label}, {best} has the best score in {first} of {len(result.groups.groups)} {nouns}"
        leads = [one for one in result.groups.leads if one.metric == metric.key]
        differing = [one.system for one in leads if one.p_adjusted <= result.alpha]
        if not leads:
            said.append(f"{text}; whether {nouns} differ cannot be tested.")
            continue
        least = p_words(min(one.p_adjusted for one in leads))
        if len(leads) == 1:
            differ = "differ more than chance" if differing else "are not shown to differ"
            said.append(f"{text}; {nouns} {differ} (p {least}).")
        elif differing:
            leading = "leads" if len(differing) > 1 else "lead"
            said.append(
                f"{text}; the {leading} of {_names(differing)} over the mean of all systems "
                f"{'differ' if len(differing) > 1 else 'differs'} between {nouns} more than chance "
                f"(smallest p after Holm {least})."
            )
        else:
            said.append(
                f"{text}; no system's lead over the mean of all systems is shown to differ between {nouns} "
                f"(smallest p after Holm {least})."
            )
    return said


def _scores(
    result: RankResult, metric: MetricInfo, names: Sequence[str]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    sign = -1.0 if metric.higher_is_better is False else 1.0
    mine = {one.name: sign * one.score for one in result.scores if one.metric == metric.key}
    return np.array([mine[name] for name in names])


def _contradictions(result: RankResult, first: MetricInfo, second: MetricInfo) -> int:
    better: dict[str, dict[tuple[str, str], bool]] = {first.key: {}, second.key: {}}
    for one in result.pairs:
        if one.metric in better and one.better is not None:
            better[one.metric][one.baseline, one.system] = one.better
    mine, theirs = better.values()
    return sum(theirs.get(pair, outcome) != outcome for pair, outcome in mine.items())


def remarks(result: RankResult) -> list[Note | str]:
    """Return remarks on the result; dependence is a warning, as no verdict of a pair tells of it."""
    notes = [replace(note, warning=True) if note.kind == "dependence" else note for note in result.notes]
    return [f"Unit: {unit_words(result.unit)}", *direction_notes(result.metrics, "a system"), *notes]


def methods(result: RankResult) -> str:
    """Describe the method in a few sentences, to paste into a paper."""
    systems = len({one.name for one in result.scores})
    pairs = systems * (systems - 1) // 2
    names = listing([metric.label for metric in result.metrics])
    entry = TESTS[result.test]
    drawn = "" if result.test in CLOSED_FORM else f" with {result.resamples:,} resamples that all pairs share"
    who = (
        f"The difference in {names} between the two systems was"
        if pairs == 1
        else f"The differences in {names} of all {pairs:,} pairs of {systems} systems were"
    )
    text = (
        f"{who} tested with {label_of(result.test)} ({_SIDES[entry.sides]}; {entry.source}) over "
        f"{units_words(result.unit, result.n_units)}{drawn}."
    )
    if any(one.runs > 1 for one in result.scores):
        held = "" if result.test == "crossed" else ", and runs are held fixed"
        text += f" Scores are means over runs{held}."
    if pairs > 1 and result.adjust == "none":
        text += " P-values were not adjusted for the number of pairs: the rate of errors is that per pair."
    elif pairs > 1:
        text += (
            f" P-values were adjusted for the {pairs:,} pairs per metric ({ADJUSTED_BY[result.adjust]}), which "
            f"controls the {_RATES[CONTROLS[result.adjust]]}."
        )
    drawn = f"the bootstrap, with {result.resamples:,} resamples"
    level = level_words(result.alpha)
    return (
        f"{text} A system's rank is the range of places between the systems shown to be better and those "
        "shown to be worse; a cluster ends where every system above is shown to be better than every system below. "
        f"Intervals of scores are {level} {score_intervals_words(result.scores, drawn)} "
        f"(truegain {result.version}, seed {result.seed})."
    )


def _names(systems: Sequence[str], joint: str = "and") -> str:
    named = list(systems) if len(systems) <= _NAMED else [*systems[:3], f"{len(systems) - 3} more"]
    return listing(named, joint)
