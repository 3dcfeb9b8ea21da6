"""Places of systems as rows, on a test set and within groups of its segments, and whether groups differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

from truegain.corpus import Corpus
from truegain.inference.multiplicity import adjust
from truegain.inference.results import Difference, MetricInfo, SystemPair
from truegain.metrics.base import Metric
from truegain.notes import Finding
from truegain.report.model import Cell, Column, Table
from truegain.rows import Count, MetricKey, NonNegative, Number, Proportion, Row, field
from truegain.settings.rank import RankOptions
from truegain.studies import grouping
from truegain.studies.score import GroupScores
from truegain.view import Digits
from truegain.words import Sentence, heading_of, listing

WHOSE = Sentence("{label} by {by}")
BEST = Sentence("the best is {systems}")
BEST_IN = Sentence("{system} (in {groups})")
UNITS = Sentence("Ranks in parentheses; units are {units} within {nouns}.")
FEW_UNITS = Sentence("Fewer than 10 units, so no ranks: {groups}.")


class RankedPair(SystemPair):
    """Two systems under a metric, with what their test found: there may be tens of thousands."""

    p: Annotated[Proportion, field("The p-value, not adjusted.")]
    p_adjusted: Annotated[Proportion, field("Adjusted over all pairs under this metric.")]
    exceedances: Annotated[Number, field("The number of resamples at least as far out; 0 if nothing was drawn.")]
    better: Annotated[bool | None, field("The sign of delta if p_adjusted <= alpha, else none.")]
    standard_error: Annotated[
        NonNegative | None,
        field("Of delta over units, and over runs if the claim is about new ones; none with too few units."),
    ] = None


class Placed(Row):
    """The place of a system under a metric."""

    metric: MetricKey
    system: Annotated[str, field("The system.")]
    place: Annotated[Count, field("By the score alone, from 1; of equal scores the first given.")]
    best: Annotated[Count, field("The best place that the significant differences allow: one more than the better.")]
    worst: Annotated[Count, field("The worst place that they allow: all systems less those that are worse.")]
    cluster: Annotated[Count, field("From 1: all its systems are significantly better than those of all after it.")]
    letters: Annotated[str, field("Two systems that share a letter do not differ significantly; others do.")]

    @property
    def rank(self) -> str:
        """The range of places: ``1``, or ``1–3``."""
        return f"{self.best}" if self.best == self.worst else f"{self.best}–{self.worst}"


class RankedGroup(GroupScores, kw_only=True):
    """Ranking of the systems in one group alone."""

    ranking: Annotated[tuple[Placed, ...], field("Metric by metric, the best score first; empty below 10 units.")]
    pairs: Annotated[tuple[RankedPair, ...], field("Every two systems, metric by metric; empty with too few units.")]


class LeadByGroup(Difference):
    """Test whether a system's lead over the mean score of all systems differs between groups more than chance."""

    p_adjusted: Annotated[Proportion, field("Adjusted over the systems by Holm's method.")]


class RankedGroups(Row):
    """Rankings by group."""

    by: Annotated[str, field("What the segments are grouped by: domain, document, length, or the name of a column.")]
    groups: Annotated[tuple[RankedGroup, ...], field("The groups.")]
    leads: Annotated[tuple[LeadByGroup, ...], field("Of every metric and system, of two the second; none if untested.")]


def groups_of(corpus: Corpus, options: RankOptions, rank: Callable[[Corpus, RankOptions, Any], Any]) -> RankedGroups:
    """Rank the systems within every group as if it were alone, with the same seed, and test whether leads differ."""
    by, groups = str(options.by), []
    parts = grouping.groups_alone(corpus, options, by, options.unit)
    for part in parts:
        ranking = pairs = ()
        if part.tested:
            result = rank(part.experiment.corpus, part.options, part.experiment)
            scores, ranking, pairs = result.scores, result.ranking, result.pairs
        else:
            scores = part.experiment.system_results(None, 1.0 - options.alpha, options.interval)
        groups.append(RankedGroup(**part.fields, scores=scores, ranking=ranking, pairs=pairs))
    return RankedGroups(by, tuple(groups), tuple(_leads(parts, options)))


def _leads(parts: Sequence[grouping.Part[RankOptions]], options: RankOptions) -> Iterator[LeadByGroup]:
    """Test the lead of every system over the mean of all; of two systems they are the same, and the second's counts."""
    names = [system.name for system in parts[0].experiment.corpus.systems]
    systems = range(len(names) == 2, len(names))
    for m, block in enumerate(parts[0].experiment.statistics.blocks):
        asked = [(m, s, None) for s in systems]
        differences = grouping.differences_between(parts, asked, options.seed, options.resamples)
        tested = [(names[s], fields) for s, fields in zip(systems, differences, strict=True) if fields is not None]
        adjusted = adjust([fields["p"] for _, fields in tested], "holm")
        for (name, fields), p in zip(tested, adjusted, strict=True):
            yield LeadByGroup(metric=block.key, system=name, p_adjusted=p, **fields)


def group_findings(ranked: RankedGroups, metrics: Sequence[MetricInfo], alpha: float) -> Iterator[Finding]:
    """Say which systems have the best score in which groups, those of most groups first, and whether leads differ."""
    for metric in metrics:
        groups: dict[str, list[str]] = {}
        for group in ranked.groups:
            scores = group.of(metric.key)
            best = max(scores, key=lambda name: sign_of(metric) * scores[name].score)
            groups.setdefault(best, []).append(group.group)
        by_count = sorted(groups.items(), key=lambda item: -len(item[1]))
        systems = [BEST_IN(system=system, groups=grouping.listed(names)) for system, names in by_count]
        yield grouping.difference_finding(
            WHOSE(label=metric.label, by=ranked.by),
            BEST(systems=grouping.listed(systems)),
            ranked.by,
            [lead.p for lead in ranked.leads if lead.metric == metric.key],
            alpha,
        )


def sign_of(metric: MetricInfo | Metric) -> float:
    """Return what scores are multiplied by so that higher is better."""
    return -1.0 if metric.higher_is_better is False else 1.0


def group_table(
    ranked: RankedGroups, metric: MetricInfo, places: Sequence[Placed], scores: Sequence[float], digits: Digits
) -> Table:
    """Return the scores and ranks of systems over all, given the best first, and in every group."""
    systems = [place.system for place in places]
    sides = [("all", [_cell(score, place, digits) for score, place in zip(scores, places, strict=True)])]
    for group in ranked.groups:
        own = group.of(metric.key)
        placed = {place.system: place for place in group.ranking if place.metric == metric.key}
        sides.append((group.group, [_cell(own[name].score, placed.get(name), digits) for name in systems]))
    heads = [name for name, _ in sides]
    rows = [(Cell(name), *cells) for name, *cells in zip(systems, *(cells for _, cells in sides), strict=True)]
    if len(ranked.groups) > len(systems):
        heads, rows = systems, [(Cell(name), *cells) for name, cells in sides]
    units = listing(list(dict.fromkeys(f"{group.unit}s" for group in ranked.groups)))
    notes = [UNITS(units=units, nouns=grouping.group_nouns(ranked.by))]
    if few := [group.group for group in ranked.groups if not group.ranking]:
        notes.append(FEW_UNITS(groups=grouping.listed(few)))
    columns = (Column(f"{heading_of(metric)} by {ranked.by}", "left"), *map(Column, heads))
    caption = f"{metric.label} and rank of each system by {ranked.by}"
    return Table(columns, tuple(rows), caption, tuple(notes))


def _cell(score: float, place: Placed | None, digits: Digits) -> Cell:
    """Return a score and its rank; bold if no system is shown to be better."""
    if place is None:
        return Cell(digits.score(score), value=score)
    return Cell(digits.score(score), "strong" if place.best == 1 else "plain", score, spread=f"({place.rank})")
