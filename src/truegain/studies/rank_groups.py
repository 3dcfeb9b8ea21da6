"""Places of systems as rows, on a test set and within groups of its segments, and whether groups differ."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from truegain.corpus import Corpus
from truegain.experiment import Experiment, gain
from truegain.inference.multiplicity import adjust
from truegain.inference.pvalues import Bounds, Exceedances, MonteCarlo, Probability, PValue, Resamples
from truegain.inference.results import MetricInfo, SystemPair
from truegain.metrics.base import Metric
from truegain.notes import Finding
from truegain.report.model import Cell, Column, Table
from truegain.rows import Count, MetricKey, NonNegative, Number, Proportion, Row, field
from truegain.settings.rank import RankOptions
from truegain.studies.group_scores import GroupScores
from truegain.studies.grouping import group_noun, group_nouns, named_groups
from truegain.view import Digits
from truegain.words import Sentence, heading_of, listing, p_words, whole

if TYPE_CHECKING:
    from truegain.studies.group_tests import Group

_NAMED = 6  # more groups or systems than these are counted, not named
_COLUMNS = 12  # more groups, or systems, are not on a screen

BEST_EVERYWHERE = Sentence("By {by}, {system} has the best {label} in all {count} {nouns}.")
BEST_IN_GROUPS = Sentence("By {by}, the best {label} is that of {systems}.")
LEADS_DIFFER = Sentence(
    "Leads over the mean of all systems vary between {nouns} more than by chance in {metrics}; smallest p {p} (Holm)."
)
LEADS_NOT_SHOWN = Sentence(
    "No lead over the mean of all systems is shown to vary between {nouns} in {metrics}; smallest p {p} (Holm)."
)
LEADS_NOT_TESTED = Sentence("There is too little data to test whether {nouns} differ in {metrics}.")
UNITS = Sentence("Ranks in parentheses; units are {units} within each {noun}.")
FEW_UNITS = Sentence("Fewer than 10 units, so no ranks: {groups}.")


class RankedPair(SystemPair):
    """Two systems under a metric, with what their test found: there may be tens of thousands."""

    p: Annotated[Proportion, field("The p-value, not adjusted.")]
    p_adjusted: Annotated[Proportion, field("Adjusted over all pairs under this metric.")]
    exceedances: Annotated[
        Number, field("The number of resamples at least as far out; 0 if p follows from a known distribution.")
    ]
    better: Annotated[bool | None, field("The sign of delta if p_adjusted <= alpha, else none.")]
    standard_error: Annotated[
        NonNegative | None,
        field(
            "The standard error of delta over units, with the runs as they are; if the claim extends to new runs, over "
            "runs as well. Left out if there are too few units.",
        ),
    ] = None


class Placed(Row):
    """The place of a system under a metric."""

    metric: MetricKey
    system: Annotated[str, field("The system.")]
    place: Annotated[Count, field("By the score alone, from 1; of equal scores the first given.")]
    best: Annotated[
        Count, field("The best place consistent with the significant differences: one more than the better systems.")
    ]
    worst: Annotated[
        Count,
        field("The worst place consistent with the significant differences: all systems less those that are worse."),
    ]
    cluster: Annotated[
        Count,
        field("From 1: every system of a cluster is significantly better than every system of the clusters after it."),
    ]
    letters: Annotated[str, field("Two systems that share a letter do not differ significantly; others do.")]

    @property
    def rank(self) -> str:
        """The range of places: ``1``, or ``1–3``."""
        return f"{self.best}" if self.best == self.worst else f"{self.best}–{self.worst}"


class RankedGroup(GroupScores, kw_only=True):
    """Ranking of the systems in one group alone."""

    ranking: Annotated[
        tuple[Placed, ...], field("Metric by metric, the best score first; empty if the group has fewer than 10 units.")
    ]
    pairs: Annotated[tuple[RankedPair, ...], field("Every two systems, metric by metric; empty with too few units.")]

    def placed(self, metric: str) -> dict[str, Placed]:
        """Return the places under a metric by system."""
        return {place.system: place for place in self.ranking if place.metric == metric}


class LeadByGroup(Row):
    """Test whether a system's lead over the mean score of all systems differs between groups more than chance."""

    metric: MetricKey
    system: Annotated[str, field("The system.")]
    groups: Annotated[tuple[str, ...], field("The groups tested: those with 10 units or more in which it varies.")]
    q: Annotated[NonNegative, field("Squared deviations from the mean lead over their variances, summed.")]
    p: Probability
    exceedances: Exceedances
    resamples: Resamples
    p_sequence: Bounds
    p_adjusted: Annotated[Proportion, field("Adjusted over the systems by Holm's method.")]
    p_mc: MonteCarlo = (0.0, 1.0)

    def __post_init__(self) -> None:
        self._derive(p_mc=self.p_value.interval)

    @property
    def p_value(self) -> PValue:
        """The larger one of the bootstrap within groups and of permutations."""
        return PValue(self.p, self.exceedances, self.resamples, self.p_sequence)


class RankedGroups(Row):
    """Rankings by group."""

    by: Annotated[str, field("What the segments are grouped by: domain, document, length, or the name of a column.")]
    groups: Annotated[tuple[RankedGroup, ...], field("The groups.")]
    leads: Annotated[
        tuple[LeadByGroup, ...],
        field(
            "Of every metric and system, of two systems the second; left out if fewer than two groups can be tested."
        ),
    ]


#: Ranks the systems of a group, which is scored already; returns its scores, ranking and pairs.
Rank = Callable[[Corpus, RankOptions, Experiment], Any]


def groups_of(corpus: Corpus, options: RankOptions, rank: Rank) -> RankedGroups:
    """Rank the systems within every group as if it were alone, with the same seed, and test whether leads differ."""
    from truegain.studies.group_tests import groups_alone

    by = str(options.by)
    parts = groups_alone(corpus, options, by, options.unit)
    return RankedGroups(by, tuple(_ranked(part, options, rank) for part in parts), tuple(_leads(parts, options)))


def _ranked(part: Group[RankOptions], options: RankOptions, rank: Rank) -> RankedGroup:
    ranked = rank(part.corpus, part.options, part.experiment) if part.tested else None
    scores = part.experiment.system_results(None, 1.0 - options.alpha, options.interval)
    return RankedGroup(
        group=part.name,
        segments=part.corpus.segments,
        unit=part.units.noun,
        n_units=part.units.count,
        scores=scores if ranked is None else ranked.scores,
        ranking=() if ranked is None else ranked.ranking,
        pairs=() if ranked is None else ranked.pairs,
    )


def _leads(parts: list[Group[RankOptions]], options: RankOptions) -> list[LeadByGroup]:
    """Test the lead of every system over the mean of all; of two systems they are the same, and the second's counts."""
    from truegain.studies.group_tests import GainByGroup, differences_between

    experiments = [part.experiment for part in parts]
    names = [system.name for system in parts[0].corpus.systems]
    blocks = experiments[0].statistics.blocks
    keys = list(itertools.product(range(len(blocks)), range(1 if len(names) == 2 else 0, len(names))))
    gains = []
    for m, s in keys:
        metric = blocks[m].metric
        deltas = [
            float(gain(metric, experiment.scores[m].mean(), experiment.scores[m][s])) for experiment in experiments
        ]
        contributions = [experiment.contributions[m] for experiment in experiments]
        gains.append(GainByGroup(deltas, [gain(metric, by_unit.mean(0), by_unit[s]) for by_unit in contributions]))
    differences = differences_between(experiments, gains, options.seed, options.resamples)
    leads = []
    for m, block in enumerate(blocks):
        tested = [
            (names[s], difference)
            for (number, s), difference in zip(keys, differences, strict=True)
            if number == m and difference is not None
        ]
        adjusted = adjust([difference.p_value.p for _, difference in tested], "holm") if tested else []
        for (name, difference), p in zip(tested, adjusted, strict=True):
            groups = tuple(parts[g].name for g in difference.groups)
            fields = difference.p_value.fields
            leads.append(
                LeadByGroup(metric=block.key, system=name, groups=groups, q=difference.q, p_adjusted=p, **fields)
            )
    return leads


def group_findings(ranked: RankedGroups, metrics: Sequence[MetricInfo], alpha: float) -> Iterator[Finding]:
    """Say which system has the best score in which groups, and whether leads differ between groups."""
    for metric in metrics:
        yield Finding(_best(ranked, metric))
    labels: dict[Sentence, list[str]] = {}
    smallest: dict[Sentence, float] = {}
    for metric in metrics:
        leads = [lead for lead in ranked.leads if lead.metric == metric.key]
        systems = [lead.system for lead in leads if lead.p_adjusted <= alpha]
        sentence = LEADS_DIFFER if systems else LEADS_NOT_SHOWN if leads else LEADS_NOT_TESTED
        counted = listing(systems) if 0 < len(systems) < 4 else whole(len(systems), "system")
        labels.setdefault(sentence, []).append(f"{metric.label} ({counted})" if systems else metric.label)
        smallest[sentence] = min([smallest.get(sentence, 1.0), *(lead.p_adjusted for lead in leads)])
    for sentence, of_metrics in labels.items():
        slots = {"nouns": group_nouns(ranked.by), "metrics": listing(of_metrics), "p": p_words(smallest[sentence])}
        yield Finding(sentence(**slots))


def _best(ranked: RankedGroups, metric: MetricInfo) -> str:
    """Say which systems have the best score in how many groups, those of most groups first."""
    sign = sign_of(metric)
    groups: dict[str, list[str]] = {}
    for group in ranked.groups:
        scores = group.of(metric.key)
        groups.setdefault(max(scores, key=lambda name: sign * scores[name].score), []).append(group.group)
    count, nouns = len(ranked.groups), group_nouns(ranked.by)
    slots = {"by": ranked.by, "label": metric.label, "count": count, "nouns": nouns}
    if len(groups) == 1:
        return BEST_EVERYWHERE(system=next(iter(groups)), **slots)
    by_count = sorted(groups, key=lambda name: -len(groups[name]))
    if count <= _NAMED:
        named = [f"{name} ({', '.join(groups[name])})" for name in by_count]
    else:
        named = [f"{name} (in {len(groups[name])} of {count})" for name in by_count]
    return BEST_IN_GROUPS(systems=listed(named), **slots)


def sign_of(metric: MetricInfo | Metric) -> float:
    """Return what scores are multiplied by so that higher is better."""
    return -1.0 if metric.higher_is_better is False else 1.0


def listed(names: Sequence[str], joint: str = "and") -> str:
    """Name systems, or the first three and how many more."""
    return listing(names if len(names) <= _NAMED else [*names[:3], f"{len(names) - 3} more"], joint)


def group_table(
    ranked: RankedGroups, metric: MetricInfo, places: Sequence[Placed], scores: Sequence[float], digits: Digits
) -> Table:
    """Return the scores and ranks of systems over all and in every group; rows are systems, or groups if they are more.

    ``places`` and ``scores`` are those over all, the best first.
    """
    names = [place.system for place in places]
    heads = ["all", *(group.group for group in ranked.groups)]
    columns = [[_cell(score, place, digits) for score, place in zip(scores, places, strict=True)]]
    for group in ranked.groups:
        of_group, ranks = group.of(metric.key), group.placed(metric.key)
        columns.append([_cell(of_group[name].score, ranks.get(name), digits) for name in names])
    rows = list(zip(*columns, strict=True))
    if len(ranked.groups) > len(names):
        heads, names, rows = names, heads, list(map(tuple, columns))
    few = [group.group for group in ranked.groups if not group.ranking]
    units = listing(list(dict.fromkeys(f"{group.unit}s" for group in ranked.groups)))
    notes = [UNITS(units=units, noun=group_noun(ranked.by))]
    notes += [FEW_UNITS(groups=named_groups(ranked.by, few))] if few else []
    return Table(
        (Column(f"{heading_of(metric)} by {ranked.by}", "left"), *map(Column, heads)),
        tuple((Cell(name), *cells) for name, cells in zip(names, rows, strict=True)),
        f"{metric.label} and rank of each system by {ranked.by}",
        tuple(notes),
        kind="table" if len(heads) <= _COLUMNS else "further",
    )


def _cell(score: float, place: Placed | None, digits: Digits) -> Cell:
    """Return a score and its rank; bold if no system is shown to be better."""
    if place is None:
        return Cell(digits.score(score), value=score)
    return Cell(digits.score(score), "strong" if place.best == 1 else "plain", score, spread=f"({place.rank})")
