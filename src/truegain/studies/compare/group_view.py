"""Gains by group as sentences and tables."""

from __future__ import annotations

from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Paragraph, Table, Tone, listing, p_text, p_words, signed
from truegain.studies.compare.group_many import many_sentence, many_tables
from truegain.studies.compare.group_parts import GainInGroup, Groups
from truegain.studies.compare.result import CompareResult
from truegain.studies.grouping import group_noun, group_nouns, named_groups
from truegain.studies.null_gain import as_given, beyond, seeks_difference
from truegain.studies.shared_view import (
    ADJUSTED_BY,
    MANY,
    decimals_for,
    error_columns,
    gain_cells,
    heading_of,
    level_words,
    tone_of,
)


def pairs_of(result: CompareResult) -> list[tuple[str, str]]:
    """Return the pairs that are shown by group, each as baseline and system."""
    return [(one.baseline, one.system) for one in result.primary_tests(result.metrics[0].key)]


def group_sentences(result: CompareResult) -> list[Paragraph]:
    """Say in how many groups gains are significant, and whether groups differ: of each pair, or of many together."""
    if result.groups is None:
        return []
    if len(pairs := pairs_of(result)) > MANY:
        found = [many_sentence(result, result.groups, metric, pairs) for metric in result.metrics]
        return [Paragraph(text, "headline") for text in found]
    return [
        Paragraph(_sentence(result, result.groups, metric, pair), "headline", _tone(result.groups, metric, pair))
        for pair in pairs
        for metric in result.metrics
    ]


def _tone(groups: Groups, metric: MetricInfo, pair: tuple[str, str]) -> Tone:
    """Return the tone of the gains that are significant, if all of them go the same way; else undecided."""
    own = [one.comparison for one in groups.of(metric.key, *pair)]
    tones = {tone_of(one) for one in own if one is not None and one.marked}
    return tones.pop() if len(tones) == 1 else "undecided"


def _sentence(result: CompareResult, groups: Groups, metric: MetricInfo, pair: tuple[str, str]) -> str:
    gains = groups.of(metric.key, *pair)
    nouns = group_nouns(groups.by)
    tested = [one.comparison for one in gains if one.comparison is not None]
    marked = [one for one in tested if one.marked]
    gain, side = result.null_gain, result.comparisons[0].alternative
    counts = {above: sum(one.delta > gain if above else one.delta < gain for one in marked) for above in (True, False)}
    words = ("better", "worse") if metric.higher_is_better is not None else ("higher", "lower")
    by = f"By {metric.label}, " if len(result.metrics) > 1 else ""
    sought = f"is not shown to be {beyond(pair[0], metric, above=side == 'greater', gain=gain)}"
    if seeks_difference(side, gain):
        sought = f"is not shown to differ from {pair[0]}"
    elif side == "two-sided":
        sought = f"is not shown to have a gain over {pair[0]} other than {as_given(gain)}"
    opening = f"{by}{pair[1]} {sought} in any of {len(gains)} {nouns}"
    if marked and gain != 0.0:
        said = [f"{beyond(pair[0], metric, above=way, gain=gain)} in {count}" for way, count in counts.items() if count]
        opening = f"{by}{pair[1]} is {listing(said)} of {len(gains)} {nouns}"
    elif marked:
        said = [f"{words[0] if way else words[1]} in {count}" for way, count in counts.items() if count]
        opening = f"{by}against {pair[0]}, {pair[1]} is significantly {listing(said)} of {len(gains)} {nouns}"
    opening = opening if opening.startswith(pair[1]) else opening[0].upper() + opening[1:]
    few = len(gains) - len(tested)
    small = f" ({few} {'has' if few == 1 else 'have'} too few units to tell)" if few else ""
    found = groups.tested(metric.key, *pair)
    if found is None:
        return f"{opening}{small}; whether {nouns} differ cannot be tested."
    differ = "differ more than chance" if found.p <= result.alpha else "are not shown to differ"
    return f"{opening}{small}; {nouns} {differ} (p {p_words(found.p)})."


def group_tables(result: CompareResult, decimals: int | None) -> list[Table | Paragraph]:
    """Return a table for each metric and pair, group by group; of many pairs one for each metric."""
    if result.groups is None:
        return []
    items: list[Table | Paragraph] = []
    pairs = pairs_of(result)
    for metric in result.metrics:
        places = decimals_for(metric, result.scores, decimals)
        if len(pairs) > MANY:
            items += many_tables(
                result, result.groups, metric, pairs, places, _many_notes(result.groups, metric, pairs)
            )
        else:
            items += [_table(result, result.groups, metric, pair, places) for pair in pairs]
    return items


def _many_notes(groups: Groups, metric: MetricInfo, pairs: list[tuple[str, str]]) -> list[str]:
    gains = groups.of(metric.key, *pairs[0])
    adjusts = [one.comparison.adjust for one in gains if one.comparison is not None]
    after = f" after {ADJUSTED_BY[adjusts[0]]} over {len(adjusts)} {group_nouns(groups.by)}" if adjusts else ""
    stars = f"*: significant{'' if adjusts[:1] == ['none'] else after}. p, differ: whether they differ, not adjusted."
    return [*_notes(groups, gains, []), stars]


def _table(result: CompareResult, groups: Groups, metric: MetricInfo, pair: tuple[str, str], decimals: int) -> Table:
    gains, errors = groups.of(metric.key, *pair), result.standard_errors
    tested = [one.comparison for one in gains if one.comparison is not None]
    of = pair[1] if result.baseline is not None else f"{pair[1]} − {pair[0]}"
    whose = f"{of}: " if len(pairs_of(result)) > 1 else ""
    columns = [
        Column(f"{whose}{heading_of(metric)} by {groups.by}", "left"),
        Column("units", secondary=True),
        Column("Δ"),
        *error_columns(errors, "SE of Δ"),
        Column(f"{level_words(result.alpha)} CI of Δ"),
        Column("p"),
        Column("p adj."),
        Column("", "left"),
    ]
    rows: list[tuple[Cell, ...]] = []
    for one in gains:
        head = Cell(one.group), Cell(f"{one.n_units:,}", value=one.n_units)
        own = one.comparison
        if own is None:
            blank = [Cell("")] * (len(columns) - 3)
            rows.append((*head, Cell(signed(one.delta, decimals), "quiet", one.delta), *blank))
            continue
        last = Cell(p_text(own.p_adjusted), value=own.p_adjusted), Cell("*" if own.marked else "", tone_of(own))
        rows.append((*head, *gain_cells(own, decimals, errors=errors), *last))
    return Table(
        tuple(columns),
        tuple(rows),
        f"Gain in {metric.label} of {pair[1]} over {pair[0]} by {groups.by}",
        (*_notes(groups, gains, [one.adjust for one in tested]), *_test_notes(groups, gains)),
    )


def _notes(groups: Groups, gains: list[GainInGroup], adjusts: list[str]) -> list[str]:
    units = listing(list(dict.fromkeys(f"{one.unit}s" for one in gains)))
    within = f"Units are {units} within each {group_noun(groups.by)}"
    if groups.by == "document":
        within += ": nothing is claimed about new documents"
    said = [f"{within}."]
    if adjusts and adjusts[0] != "none":
        said.append(f"p adj.: after {ADJUSTED_BY[adjusts[0]]}, over {len(adjusts)} {group_nouns(groups.by)}.")
    few = [one.group for one in gains if one.comparison is None]
    if few:
        named = named_groups(groups.by, few)
        said.append(f"{named}: fewer than 10 units, so Δ only, and not in the test whether groups differ.")
    return said


def _test_notes(groups: Groups, gains: list[GainInGroup]) -> list[str]:
    found = groups.tested(gains[0].metric, gains[0].baseline, gains[0].system)
    if found is None:
        return []
    return [f"Heterogeneity of {len(found.groups)} {group_nouns(groups.by)}: Q = {found.q:.2f}, p {p_words(found.p)}."]
