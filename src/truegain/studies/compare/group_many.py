"""Gains of many pairs by group: a sentence and a table for each metric."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.inference.multiplicity import adjust
from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Paragraph, Table, listing, p_text, p_words, signed
from truegain.studies.compare.group_parts import GainInGroup, Groups
from truegain.studies.compare.result import CompareResult
from truegain.studies.grouping import group_nouns
from truegain.studies.null_gain import as_given, beyond, seeks_difference
from truegain.studies.shared_view import heading_of, tone_of

_GROUPS = 12  # more of them are not shown beside each other
_COLUMNS = 4  # groups beside each other

Pair = tuple[str, str]


def many_sentence(result: CompareResult, groups: Groups, metric: MetricInfo, pairs: Sequence[Pair]) -> str:
    """Say how many pairs differ significantly in some groups and in all, and how many gains differ between groups."""
    gains = [groups.of(metric.key, *pair) for pair in pairs]
    nouns, count = group_nouns(groups.by), len(gains[0])
    by = f"By {metric.label}, " if len(result.metrics) > 1 else ""
    side = result.comparisons[0].alternative
    if not seeks_difference(side, result.null_gain):
        opening = _sought(result, metric, gains, side, nouns)
    elif result.baseline is None or metric.higher_is_better is None:
        what = "pairs" if result.baseline is None else "systems"
        some, every = _counts([[_marked(one) for one in own] for own in gains])
        apart = "" if result.baseline is None else f" from {result.baseline}"
        differ = f"{some} of {len(pairs)} {what} differ significantly{apart} in some of {count} {nouns}"
        opening = f"{differ}, {every} in all"
    else:
        better = _counts([[_marked(one) and one.delta > 0.0 for one in own] for own in gains])
        worse = _counts([[_marked(one) and one.delta < 0.0 for one in own] for own in gains])
        opening = f"none of {len(pairs)} systems is shown to differ from {result.baseline} in any of {count} {nouns}"
        said = [
            f"{some} {word} in some of {count} {nouns} ({every} in all)"
            for word, (some, every) in (("better", better), ("worse", worse))
            if some
        ]
        if said:
            opening = f"of {len(pairs)} systems against {result.baseline}, significantly {listing(said)}"
    opening = f"{by}{opening}"
    return f"{opening[0].upper()}{opening[1:]}; {_differing(result, groups, metric, pairs)}."


def _sought(
    result: CompareResult, metric: MetricInfo, gains: Sequence[Sequence[GainInGroup]], side: str, nouns: str
) -> str:
    """Say how many pairs are shown to be what was asked: on one side, or beyond another gain than zero."""
    gain, groups = result.null_gain, f"{len(gains[0])} {nouns}"
    who = f"{len(gains)} systems" if result.baseline is not None else f"{len(gains)} pairs, the system given later"
    than = result.baseline if result.baseline is not None else "the other"
    said = []
    for above in (True, False):
        some, every = _counts([[_marked(one) and (one.delta > gain) == above for one in own] for own in gains])
        if some:
            what = beyond(than, metric, above=above, gain=gain)
            said.append(f"significantly {what}: {some} in some of {groups} ({every} in all)")
    if said:
        return f"of {who}, {'; '.join(said)}"
    sought = f"be {beyond(than, metric, above=side == 'greater', gain=gain)}"
    if side == "two-sided":
        sought = f"have a gain over {than} other than {as_given(gain)}"
    return f"of {who}, none is shown to {sought} in any of {groups}"


def _marked(one: GainInGroup) -> bool:
    return one.comparison is not None and one.comparison.marked


def _counts(marked: Sequence[Sequence[bool]]) -> tuple[int, int]:
    """Return of how many pairs some groups are marked, and of how many all."""
    return sum(map(any, marked)), sum(map(all, marked))


def _differing(result: CompareResult, groups: Groups, metric: MetricInfo, pairs: Sequence[Pair]) -> str:
    nouns = group_nouns(groups.by)
    tested = [one for pair in pairs if (one := groups.tested(metric.key, *pair)) is not None]
    if not tested:
        return f"whether {nouns} differ cannot be tested"
    adjusted = adjust([one.p for one in tested], "holm")
    differing = sum(p <= result.alpha for p in adjusted)
    if not differing:
        return f"no gain is shown to differ between {nouns} (smallest p after Holm {p_words(min(adjusted))})"
    verb = "gain differs" if differing == 1 else "gains differ"
    return f"{differing} {verb} between {nouns} more than chance (p ≤ {result.alpha:g} after Holm)"


def many_tables(
    result: CompareResult,
    groups: Groups,
    metric: MetricInfo,
    pairs: Sequence[Pair],
    decimals: int,
    notes: Sequence[str],
) -> list[Table | Paragraph]:
    """Return the gains of every pair in every group, a few groups per table; of many groups only say so."""
    gains = [groups.of(metric.key, *pair) for pair in pairs]
    names = [one.group for one in gains[0]]
    if len(names) > _GROUPS:
        nouns = group_nouns(groups.by)
        text = f"Gains in {metric.label} of {len(pairs)} pairs in {len(names)} {nouns} are in JSON, CSV and TSV only."
        return [Paragraph(text)]
    tables: list[Table | Paragraph] = []
    for first in range(0, len(names), _COLUMNS):
        last = first + _COLUMNS >= len(names)
        columns = (
            Column(f"Δ {heading_of(metric)} by {groups.by}", "left"),
            *(Column(name) for name in names[first : first + _COLUMNS]),
            *([Column("p, differ")] if last else []),
        )
        rows = []
        for pair, own in zip(pairs, gains, strict=True):
            found = groups.tested(metric.key, *pair)
            differ = Cell("") if found is None else Cell(p_text(found.p), value=found.p)
            label = pair[1] if result.baseline is not None else f"{pair[1]} − {pair[0]}"
            cells = [_cell(one, decimals) for one in own[first : first + _COLUMNS]]
            rows.append((Cell(label), *cells, *([differ] if last else [])))
        caption = f"Gains in {metric.label} by {groups.by}"
        tables.append(Table(columns, tuple(rows), caption, tuple(notes) if last else ()))
    return tables


def _cell(one: GainInGroup, decimals: int) -> Cell:
    tone = "quiet" if one.comparison is None else tone_of(one.comparison)
    return Cell(signed(one.delta, decimals), tone, one.delta, spread="*" if _marked(one) else "")
