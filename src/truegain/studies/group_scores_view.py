"""Scores of systems within groups of segments as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Paragraph, Table, decimal, listing
from truegain.studies.group_scores import GroupScores
from truegain.studies.grouping import group_noun, group_nouns, named_groups
from truegain.studies.shared_view import error_columns, heading_of, level_words, score_cells

_GROUPS = 12  # more of them are not shown beside each other
_ROWS = 40  # of a table with intervals
_COLUMNS = 3  # groups beside each other


def intervals_table(
    by: str, groups: Sequence[GroupScores], metric: MetricInfo, decimals: int, *, alpha: float, errors: bool
) -> list[Table | Paragraph]:
    """Return scores and their intervals, group by group; of many groups and systems the scores alone."""
    count = len(groups[0].of(metric.key))
    if count > 1 and count * len(groups) > _ROWS:
        return scores_matrix(by, groups, metric, decimals)
    columns = [
        Column(f"{heading_of(metric)} by {by}", "left"),
        Column("units", secondary=True),
        Column("system", "left"),
        Column("score"),
        *error_columns(errors),
        Column(f"{level_words(alpha)} CI"),
    ]
    rows: list[tuple[Cell, ...]] = []
    breaks = []
    for group in groups:
        breaks += [len(rows)] if rows and count > 1 else []
        head = Cell(group.group), Cell(f"{group.n_units:,}", value=group.n_units)
        for one in group.of(metric.key).values():
            rows.append((*head, Cell(one.name), *score_cells(one, decimals, errors=errors)))
            head = Cell(""), Cell("")
    caption = f"{metric.label} of each system by {by}"
    return [Table(tuple(columns), tuple(rows), caption, (units_note(by, groups),), tuple(breaks))]


def scores_matrix(
    by: str,
    groups: Sequence[GroupScores],
    metric: MetricInfo,
    decimals: int,
    systems: Sequence[str] = (),
    whole: Callable[[str], Cell] | None = None,
    beside: Callable[[GroupScores, str], str] = lambda group, system: "",
) -> list[Table | Paragraph]:
    """Return the score of every system in every group, a few groups per table; of many groups only say so.

    Parameters
    ----------
    by : str
    groups : sequence of GroupScores
    metric : MetricInfo
    decimals : int
    systems : sequence of str
        In this order; by default in that of the scores.
    whole : callable, optional
        Of a system, what stands in the first column: over all groups.
    beside : callable
        Of a group and a system, what stands beside the score.
    """
    names = list(systems) or list(groups[0].of(metric.key))
    caption, note = f"{metric.label} of each system by {by}", units_note(by, groups)

    def cell(group: GroupScores, system: str) -> Cell:
        score = group.of(metric.key)[system].score
        return Cell(f"{decimal(score, decimals)}{beside(group, system)}", value=score)

    if len(names) <= _COLUMNS:
        columns = (
            Column(f"{heading_of(metric)} by {by}", "left"),
            Column("units", secondary=True),
            *map(Column, names),
        )
        rows = [
            (Cell(one.group), Cell(f"{one.n_units:,}", value=one.n_units), *(cell(one, name) for name in names))
            for one in groups
        ]
        if whole is not None:
            rows.insert(0, (Cell("all"), Cell(""), *map(whole, names)))
        return [Table(columns, tuple(rows), caption, (note,), () if whole is None else (1,))]
    if len(groups) > _GROUPS:
        text = (
            f"{metric.label} of {len(names)} systems in {len(groups)} {group_nouns(by)} is in JSON, CSV and TSV only."
        )
        return [Paragraph(text)]
    tables: list[Table | Paragraph] = []
    for first in range(0, len(groups), _COLUMNS):
        some = groups[first : first + _COLUMNS]
        overall = [] if whole is None else [Column("all")]
        columns = (Column(f"{heading_of(metric)} by {by}", "left"), *overall, *(Column(one.group) for one in some))
        rows = [
            (Cell(name), *([] if whole is None else [whole(name)]), *(cell(one, name) for one in some))
            for name in names
        ]
        tables.append(Table(columns, tuple(rows), caption, (note,) if first == 0 else ()))
    return tables


def units_note(by: str, groups: Sequence[GroupScores]) -> str:
    """Say what the units are within groups, and which groups have too few for intervals and tests."""
    units = listing(list(dict.fromkeys(f"{one.unit}s" for one in groups)))
    within = f"Units are {units} within each {group_noun(by)}"
    if by == "document":
        within += ": nothing is claimed about new documents"
    few = [one.group for one in groups if all(score.interval is None for score in one.scores)]
    return f"{within}." + (f" {named_groups(by, few)}: fewer than 10 units, so scores only." if few else "")
