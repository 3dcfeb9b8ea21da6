"""Parts of a test set: gains within groups of segments, whether groups differ more than chance, tables of parts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace as changed
from typing import Annotated, Any, Literal

from msgspec.structs import replace

from truegain.corpus import Corpus
from truegain.errors import some
from truegain.experiment import Experiment, gain
from truegain.inference.conjunction import partial_conjunction, shown_on
from truegain.inference.intervals import Alpha
from truegain.inference.multiplicity import MAXT, adjust, holm
from truegain.inference.pvalues import Bounds, Exceedances, MonteCarlo, Probability, PValue, Resamples
from truegain.inference.results import Caveat, Comparison, MetricInfo, SystemPair, TestedUnit, TestName, Units
from truegain.notes import Finding, Tone
from truegain.procedures.base import Key, Pair, Stopping, Trial
from truegain.procedures.lookup import chosen_test, findings_by_name
from truegain.report.model import Cell, Column, Table
from truegain.rows import Baseline, Count, MetricKey, NonNegative, Number, Proportion, Row, System, field
from truegain.settings.compare import CompareOptions
from truegain.studies.decision import judged
from truegain.studies.group_tests import GainByGroup, Group, differences_between, groups_alone
from truegain.studies.grouping import group_nouns, named_groups
from truegain.view import Digits, digits_of, stacked, table, tone_of
from truegain.words import (
    MANY,
    Sentence,
    after_words,
    beyond,
    count_words,
    gain_heading,
    heading_of,
    level_words,
    listing,
    p_heading,
    p_text,
    p_words,
    whole,
)

#: A :class:`CompareResult`, whose module imports this one.
CompareResult = Any

NAMED = 3  # groups, or systems, that a sentence names
BESIDE = 12  # columns that a screen shows beside each other

BY = Sentence("By {by}")
SYSTEM_BY = Sentence("{system} in {metric} by {by}")
METRIC_BY = Sentence("{metric} by {by}")
SYSTEM_METRIC = Sentence("{system}: {metric}")

DIFFER = Sentence("{whose}: {shown}; {groups} differ by more than chance (p {p}).")
ALIKE = Sentence("{whose}: {shown}; {groups} are not shown to differ (p {p}).")
UNTESTED = Sentence("{whose}: {shown}; whether {groups} differ cannot be tested.")
IN_GROUPS = Sentence("{what} in {groups}")
IN_ALL = Sentence("{what} in all {count}")
OTHERS = Sentence("not shown in the other {count}")
NOTHING = Sentence("no significant gain or loss in any of the {count}")
FEW_UNITS = Sentence("too few units in {groups}")

PAIRS = Sentence("{some} of {pairs} have significant gains or losses in some {groups}, {every} in all")
PAIRS_DIFFER = Sentence("{whose}: {shown}; {count} of the gains differ between {groups} (p ≤ {alpha:g} after Holm).")
PAIRS_ALIKE = Sentence("{whose}: {shown}; no gain is shown to differ between {groups} (smallest p after Holm {p}).")

GROUPS_CAPTION = Sentence("Gain in {metric} of {system} over {baseline} by {by}")
GROUPS_CAPTION_OF_SEVERAL = Sentence("Gains by {by}")
MATRIX_CAPTION = Sentence("Gains in {metric} by {by}")
WITHIN_DOCUMENTS = Sentence("Units are segments within each document: nothing is claimed about new documents.")
FEW = Sentence("{groups}: fewer than 10 units, so no test, and not in the test whether {nouns} differ.")
STARS = Sentence("*: significant{after}. p, differ: whether {nouns} differ, not adjusted.")


class GainInGroup(SystemPair, kw_only=True):
    """Gain of a system over the baseline in one group."""

    group: Annotated[str, field("The group.", "{title}", "text")]
    segments: Annotated[Count, field("The number of its segments.")]
    unit: TestedUnit
    n_units: Annotated[Units, field("The number of units.", "{counted}")]
    baseline_score: Annotated[float, field("The baseline's score in the group.", "{baseline}", "score")]
    system_score: Annotated[float, field("The system's score in the group.", "{system}", "score")]
    comparison: Annotated[
        Comparison | None,
        field(
            "The comparison on this group alone, with p adjusted over the groups; none if it has fewer than 10 units."
        ),
    ]

    @property
    def marked(self) -> bool:
        """True if the gain is significant by a test that keeps its level here."""
        return self.comparison is not None and self.comparison.marked

    @property
    def tone(self) -> Tone:
        """The tone of the gain: quiet if it is not tested."""
        return "quiet" if self.comparison is None else tone_of(self.comparison)


class Heterogeneity(Row):
    """Test whether the gain differs between groups more than chance, with the runs as they are."""

    metric: MetricKey
    baseline: Baseline
    system: System
    groups: Annotated[tuple[str, ...], field("The groups tested: those with 10 units or more whose gain varies.")]
    q: Annotated[NonNegative, field("Squared deviations from the mean gain over their variances, summed.")]
    p: Probability
    exceedances: Exceedances
    resamples: Resamples
    p_sequence: Bounds
    p_mc: MonteCarlo = (0.0, 1.0)

    def __post_init__(self) -> None:
        self._derive(p_mc=self.p_value.interval)

    @property
    def p_value(self) -> PValue:
        """The larger one of the bootstrap within groups and of permutations between them."""
        return PValue(self.p, self.exceedances, self.resamples, self.p_sequence)


class Groups(Row):
    """Gains by group."""

    by: Annotated[str, field("What the segments are grouped by: domain, document, length, or the name of a column.")]
    gains: Annotated[tuple[GainInGroup, ...], field("Of every metric and pair, group by group.")]
    heterogeneity: Annotated[
        tuple[Heterogeneity, ...],
        field("Of every metric and pair; left out if fewer than two groups can be tested."),
    ]
    item: Annotated[str, field("What a segment is called: segment, or of scores alone such as question.")] = "segment"

    def of(self, metric: str, baseline: str, system: str) -> list[GainInGroup]:
        """Return the gains of a pair under a metric, group by group."""
        return [one for one in self.gains if (one.metric, one.baseline, one.system) == (metric, baseline, system)]

    def tested(self, metric: str, baseline: str, system: str) -> Heterogeneity | None:
        """Return the test whether the gain of a pair under a metric differs between groups; None if there is none."""
        wanted = (metric, baseline, system)
        return next((one for one in self.heterogeneity if (one.metric, one.baseline, one.system) == wanted), None)


class Evidence(Row):
    """Evidence of one test set for the claim."""

    testset: Annotated[str, field("The name of the test set.")]
    test: TestName
    p: Probability
    exceedances: Exceedances
    resamples: Resamples
    p_sequence: Bounds
    p_adjusted: Annotated[
        Proportion,
        field("After Holm, over the test sets: if it is at most alpha, the claim is made of this set by name."),
    ]

    caveats: Annotated[
        tuple[Caveat, ...], field("Why the test rejects more often than its level says; tables do not mark the claim.")
    ] = ()
    p_mc: MonteCarlo = (0.0, 1.0)

    def __post_init__(self) -> None:
        self._derive(p_mc=self.p_value.interval)

    @property
    def p_value(self) -> PValue:
        """The p-value, one-sided."""
        return PValue(self.p, self.exceedances, self.resamples, self.p_sequence)


class Replicability(Row):
    """Number of test sets on which a system is better than the baseline."""

    metric: MetricKey
    baseline: Baseline
    system: System
    side: Annotated[Literal["better", "worse"], field("What is claimed of the system.")]
    sets: Annotated[tuple[Evidence, ...], field("In the order of the test sets.", min_length=1)]
    at_least: Annotated[
        tuple[Proportion, ...], field('The p-value of "on at least u of the sets", from u = 1 on.', min_length=1)
    ]
    alpha: Alpha
    shown: Annotated[Number, field("The number of test sets, at least, on which it is shown at alpha.")] = 0
    named: Annotated[tuple[str, ...], field("The test sets of which it can be said by name.")] = ()
    marked: Annotated[
        Number,
        field("The number of test sets, at least, on which p-values without a caveat show it: as many tables mark."),
    ] = 0

    def __post_init__(self) -> None:
        self._derive(
            shown=shown_on(self.at_least, self.alpha),
            named=tuple(one.testset for one in self.sets if one.p_adjusted <= self.alpha),
            marked=shown_on(partial_conjunction([1.0 if one.caveats else one.p for one in self.sets]), self.alpha),
        )

    @property
    def doubted(self) -> tuple[Evidence, ...]:
        """The test sets that it can be said of by name but for a caveat."""
        return tuple(one for one in self.sets if one.caveats and one.p_adjusted <= self.alpha)

    @property
    def unsure(self) -> tuple[tuple[int, float, float], ...]:
        """The claims that more resamples may decide otherwise: u, and the Monte-Carlo interval of its p-value."""
        ordered = sorted(self.sets, key=lambda one: one.p)
        ends = [partial_conjunction([one.p_value.interval[end] for one in ordered]) for end in (0, 1)]
        claims = enumerate(zip(*ends, strict=True), 1)
        return tuple((u, low, high) for u, (low, high) in claims if low <= self.alpha < high)


Compare = Callable[[Corpus, CompareOptions, Experiment], Any]


def groups_of(corpus: Corpus, options: CompareOptions, pairs: Sequence[Pair], compare: Compare) -> Groups:
    """Compare the systems within every group, by the first test, and test whether groups differ.

    Every group is compared as if it were alone, with the same seed, by ``compare``.
    """
    by = str(options.by)
    first = options.test if isinstance(options.test, str) else options.test[0]
    alone = options.changed(adjust="none", changed_segments=0, test=first, standard_errors=False)
    parts = groups_alone(corpus, alone, by, options.unit)
    found = [compare(part.corpus, part.options, part.experiment) if part.tested else None for part in parts]
    gains: list[list[GainInGroup]] = []
    tested: list[GainByGroup] = []
    for m, pair in itertools.product(range(len(parts[0].experiment.statistics.blocks)), pairs):
        block = parts[0].experiment.statistics.blocks[m]
        names = [corpus.systems[s].name for s in (pair.baseline, pair.system)]
        mine = [_gain(part, m, pair, block.key, names, one) for part, one in zip(parts, found, strict=True)]
        gains.append(_adjusted(mine, options, directed=block.metric.higher_is_better is not None))
        own = [part.experiment.contributions[m] for part in parts]
        contributions = [gain(block.metric, one[pair.baseline], one[pair.system]) for one in own]
        tested.append(GainByGroup([one.delta for one in mine], contributions))
    resamples = 10_000 if options.resamples == "auto" else options.resamples
    differences = differences_between([part.experiment for part in parts], tested, options.seed, resamples)
    heterogeneity = [
        Heterogeneity(
            metric=own[0].metric,
            baseline=own[0].baseline,
            system=own[0].system,
            groups=tuple(parts[g].name for g in one.groups),
            q=one.q,
            **one.p_value.fields,
        )
        for own, one in zip(gains, differences, strict=True)
        if one is not None
    ]
    return Groups(by, tuple(itertools.chain.from_iterable(gains)), tuple(heterogeneity), corpus.item_noun)


def _gain(
    part: Group[CompareOptions], m: int, pair: Pair, key: str, names: Sequence[str], result: CompareResult | None
) -> GainInGroup:
    scores = part.experiment.scores[m]
    metric = part.experiment.statistics.blocks[m].metric
    delta = float(gain(metric, scores[pair.baseline], scores[pair.system]))
    comparison = None
    if result is not None:  # what a page draws of single comparisons is not kept of groups
        comparison = replace(result.pair(key, *names), effect=None, overlap=None)
    unit, segments = part.units.noun, part.experiment.corpus.segments
    return GainInGroup(
        metric=key,
        baseline=names[0],
        system=names[1],
        delta=delta,
        group=part.name,
        segments=segments,
        unit=unit,
        n_units=part.units.count,
        baseline_score=float(scores[pair.baseline]),
        system_score=float(scores[pair.system]),
        comparison=comparison,
    )


def _adjusted(gains: Sequence[GainInGroup], options: CompareOptions, *, directed: bool) -> list[GainInGroup]:
    """Adjust the p-values of the groups for their number, and decide."""
    method = "holm" if options.adjust == MAXT else options.adjust  # groups share no resamples
    tested = [one.comparison for one in gains if one.comparison is not None]
    adjusted = iter(adjust([one.p for one in tested], method) if tested else [])
    made = []
    for one in gains:
        own = one.comparison
        if own is not None:
            favours = own.significant or own.p > options.alpha
            own = replace(own, adjust=method, p_adjusted=next(adjusted))
            own = judged(
                own,
                options.alpha,
                null_gain=options.null_gain,
                favours=favours,
                directed=directed,
                more="use more resamples to decide",
            )
        made.append(replace(one, comparison=own))
    return made


def replicability(
    parts: Sequence[Group[CompareOptions]], sets: Sequence[CompareResult], test: str
) -> Iterator[Replicability]:
    """Run one-sided tests on every test set, and count on how many the claim holds, if one way is the better one."""
    options = parts[0].options
    side: Literal["greater", "less"] = "less" if options.alternative == "less" else "greater"
    names = [system.name for system in parts[0].corpus.systems]
    pairs = tuple(Pair(names.index(baseline), names.index(system)) for baseline, system in pairs_of(sets[0]))
    # A p-value is held against alpha divided by any number up to that of the sets, as Holm's method has it.
    stopping = Stopping("holm", len(sets)) if options.resamples == "auto" else None
    fixed = 10_000 if options.resamples == "auto" else options.resamples
    trials = [Trial(part.experiment, pairs, side, options.alpha, fixed, stopping, options.null_gain) for part in parts]
    tested = [_one_sided(trial, test, compared) for trial, compared in zip(trials, sets, strict=True)]
    directed = [m for m, metric in enumerate(sets[0].metrics) if metric.higher_is_better is not None]
    for m, pair in itertools.product(directed, pairs):
        outcomes = [of_set[m, pair] for of_set in tested]
        p_values = [p_value.p for _, p_value, _ in outcomes]
        evidence = tuple(
            Evidence(testset=part.name, test=name, p_adjusted=adjusted, caveats=caveats, **p_value.fields)
            for part, (name, p_value, caveats), adjusted in zip(parts, outcomes, holm(p_values), strict=True)
        )
        yield Replicability(
            metric=sets[0].metrics[m].key,
            baseline=names[pair.baseline],
            system=names[pair.system],
            side="better" if side == "greater" else "worse",
            sets=evidence,
            at_least=tuple(partial_conjunction(p_values)),
            alpha=options.alpha,
        )


#: A test of a pair: its name, its p-value, and why that may be too small.
_Tested = tuple[str, PValue, tuple[Caveat, ...]]


def _one_sided(trial: Trial, test: str, compared: CompareResult) -> dict[Key, _Tested]:
    """Return each pair's one-sided test: that of the comparison if it is this one, for a hypothesis has one p."""
    names = [system.name for system in trial.experiment.corpus.systems]
    tested: dict[Key, _Tested] = {}
    missing: dict[Key, str] = {}
    dependence: dict[Key, list[Caveat]] = {}
    for key in trial.keys:
        asked = chosen_test(trial, key) if test == "auto" else test
        pair = (compared.metrics[key[0]].key, names[key[1].baseline], names[key[1].system])
        shown = [one for one in compared.comparisons if (one.metric, one.baseline, one.system) == pair]
        # What speaks against the test that is shown, of its units, speaks against any test over them.
        dependence[key] = [caveat for caveat in shown[0].caveats if caveat.kind == "dependence"]
        same = [one for one in shown if (one.asked, one.alternative) == (asked, trial.alternative)]
        if same:
            tested[key] = same[0].test, same[0].p_value, same[0].caveats
        else:
            missing[key] = asked
    # One by one where they stop by themselves: a pair that is decided need not wait for the others.
    groups = [missing] if trial.stopping is None else [{key: name} for key, name in missing.items()]
    for group in groups:
        for key, outcome in findings_by_name(trial, group).items():
            tested[key] = outcome.test, outcome.p_value, (*outcome.caveats, *dependence[key])
    return tested


def pairs_of(result: CompareResult) -> list[tuple[str, str]]:
    """Return the pairs that were compared, each as baseline and system."""
    return [(one.baseline, one.system) for one in result.primary_tests(result.metrics[0].key)]


def pair_label(pair: tuple[str, str], baseline: str | None) -> str:
    """Name a pair: by its system if all have the same baseline, else as a difference."""
    return pair[1] if baseline is not None else f"{pair[1]} − {pair[0]}"


def group_findings(result: CompareResult) -> list[Finding]:
    """Say in which groups the gain of each pair is shown, and whether groups differ; of many pairs, of how many."""
    if result.groups is None:
        return []
    pairs = pairs_of(result)
    if len(pairs) > MANY:
        return [Finding(_sentence_of_many(result, result.groups, metric, pairs)) for metric in result.metrics]
    return [_finding(result, result.groups, metric, pair) for pair in pairs for metric in result.metrics]


def _finding(result: CompareResult, groups: Groups, metric: MetricInfo, pair: tuple[str, str]) -> Finding:
    gains = groups.of(metric.key, *pair)
    whose = SYSTEM_BY if len(pairs_of(result)) * len(result.metrics) > 1 else BY
    tones = {gain.tone for gain in gains if gain.marked}
    tone: Tone = tones.pop() if len(tones) == 1 else "undecided"
    slots = {
        "whose": whose(system=pair_label(pair, result.baseline), metric=metric.label, by=groups.by),
        "shown": ", ".join(_shown(result, metric, gains, groups.by)),
        "groups": group_nouns(groups.by),
    }
    test = groups.tested(metric.key, *pair)
    if test is None:
        return Finding(UNTESTED(**slots), tone)
    sentence = DIFFER if test.p <= result.alpha else ALIKE
    return Finding(sentence(p=p_words(test.p), **slots), tone)


def _shown(result: CompareResult, metric: MetricInfo, gains: Sequence[GainInGroup], by: str) -> Iterator[str]:
    """Yield what is shown in which groups, and in how many nothing is."""
    digits = digits_of(result, metric)
    tested = [gain for gain in gains if gain.comparison is not None]
    marked = sorted((gain for gain in tested if gain.marked), key=lambda gain: -abs(gain.delta))
    for above in (True, False):
        side = [gain for gain in marked if (gain.delta > result.null_gain) == above]
        names = [f"{gain.group} ({digits.gain(gain.delta)})" for gain in side]
        what = _outcome(result, metric, gains[0].baseline, above=above)
        if len(names) == len(gains) > NAMED:
            yield IN_ALL(what=what, count=count_words(len(names)))
        elif names:
            yield IN_GROUPS(what=what, groups=named(names))
    others = [gain.group for gain in tested if not gain.marked]
    if others and not marked:
        yield NOTHING(count=count_words(len(others)))
    elif len(others) > 1:
        yield OTHERS(count=count_words(len(others)))
    elif others:
        yield IN_GROUPS(what="not shown", groups=others[0])
    if few := [gain.group for gain in gains if gain.comparison is None]:
        yield FEW_UNITS(groups=named_groups(by, few))


def named(names: Sequence[str]) -> str:
    """Name a few, and count the others."""
    return listing(names) if len(names) <= NAMED else some(names, NAMED)


def _outcome(result: CompareResult, metric: MetricInfo, baseline: str, *, above: bool) -> str:
    """Return what a system is if its gain is above, or below, that of the null hypothesis: ``better``, ``worse``."""
    if result.null_gain != 0.0:
        return beyond(baseline, metric, above=above, gain=result.null_gain)
    return (("worse", "better") if metric.higher_is_better is not None else ("lower", "higher"))[above]


def _sentence_of_many(
    result: CompareResult, groups: Groups, metric: MetricInfo, pairs: Sequence[tuple[str, str]]
) -> str:
    """Say how many pairs differ in some groups and in all, and how many gains differ between groups."""
    marked = [[gain.marked for gain in groups.of(metric.key, *pair)] for pair in pairs]
    nouns = group_nouns(groups.by)
    shown = PAIRS(
        some=sum(map(any, marked)),
        pairs=whole(len(pairs), "pair" if result.baseline is None else "system"),
        groups=nouns,
        every=sum(map(all, marked)),
    )
    whose = METRIC_BY(metric=metric.label, by=groups.by)
    tests = [test for pair in pairs if (test := groups.tested(metric.key, *pair)) is not None]
    if not tests:
        return UNTESTED(whose=whose, shown=shown, groups=nouns)
    adjusted = adjust([test.p for test in tests], "holm")
    if min(adjusted) > result.alpha:
        return PAIRS_ALIKE(whose=whose, shown=shown, groups=nouns, p=p_words(min(adjusted)))
    count = sum(p <= result.alpha for p in adjusted)
    return PAIRS_DIFFER(whose=whose, shown=shown, groups=nouns, count=count, alpha=result.alpha)


def group_tables(result: CompareResult, decimals: int | None) -> Iterator[Table]:
    """Yield the gains of each pair group by group; of many pairs a matrix for each metric."""
    groups, pairs = result.groups, pairs_of(result)
    if groups is None:
        return
    if len(pairs) > MANY:
        for metric in result.metrics:
            yield _group_matrix(result, groups, metric, digits_of(result, metric, decimals))
        return
    yield stacked([_group_table(result, groups, metric, pair, decimals) for pair in pairs for metric in result.metrics])


def _group_table(
    result: CompareResult, groups: Groups, metric: MetricInfo, pair: tuple[str, str], decimals: int | None
) -> Table:
    """Return the gains of a pair, the largest first; of lengths, the shortest segments first."""
    gains = groups.of(metric.key, *pair)
    pairs, tested = pairs_of(result), [gain.comparison for gain in gains if gain.comparison is not None]
    if groups.by != "length":
        gains.sort(key=lambda gain: -gain.delta)
    several = len(pairs) * len(result.metrics) > 1
    title = SYSTEM_METRIC(system=pair_label(pair, result.baseline), metric=heading_of(metric))
    caption = GROUPS_CAPTION(metric=metric.label, system=pair[1], baseline=pair[0], by=groups.by)
    slots = {
        "title": title if several else groups.by,
        "counted": counted([gain.unit for gain in gains], groups.item),
        "level": level_words(result.alpha),
        "caption": GROUPS_CAPTION_OF_SEVERAL(by=groups.by) if several else caption,
    } | names_of(pairs, result.baseline)
    errors = "test.standard_error?" if result.standard_errors else ""
    shown = table(
        [{"": gain, "test": gain.comparison} for gain in gains],
        f"group n_units baseline_score system_score delta {f'{errors} test.ci test.p_adjusted' if tested else ''}",
        digits_of(result, metric, decimals),
        headings={
            "delta": gain_heading(result.metrics),
            "test.p_adjusted": p_heading(tested[0].adjust) if tested else "p",
        },
        slots=slots,
        secondary=("n_units", "baseline_score", "system_score"),
        caption="{caption}",
        tones={"delta": lambda row: row[""].tone},
    )
    return changed(shown, notes=(WITHIN_DOCUMENTS(),) if groups.by == "document" else ())


def counted(units: Sequence[str], item: str = "segment") -> str:
    """Return the heading of numbers of units: ``documents``, ``questions``; ``units`` of several kinds."""
    noun = units[0] if len(set(units)) == 1 else "unit"
    return f"{item if noun == 'segment' else noun}s"


def names_of(pairs: Sequence[tuple[str, str]], baseline: str | None) -> dict[str, str]:
    """Return the headings of the scores of both systems: their names, if all pairs of the table have them."""
    if len(pairs) == 1:
        return {"baseline": pairs[0][0], "system": pairs[0][1]}
    return {"baseline": baseline or "baseline", "system": "system"}


def _group_matrix(result: CompareResult, groups: Groups, metric: MetricInfo, digits: Digits) -> Table:
    """Return the gain of every pair in every group."""
    pairs, nouns = pairs_of(result), group_nouns(groups.by)
    first = groups.of(metric.key, *pairs[0])
    cells = []
    for pair in pairs:
        test = groups.tested(metric.key, *pair)
        differ = Cell("") if test is None else Cell(p_text(test.p), value=test.p)
        of_pair = groups.of(metric.key, *pair)
        cells.append([*(gain_cell(gain.delta, gain.tone, digits, marked=gain.marked) for gain in of_pair), differ])
    tested = [gain.comparison for gain in first if gain.comparison is not None]
    notes = [STARS(after=after_words(tested[0].adjust if tested else "none"), nouns=nouns)]
    notes += [WITHIN_DOCUMENTS()] if groups.by == "document" else []
    if len(tested) < len(first):
        few = named_groups(groups.by, [gain.group for gain in first if gain.comparison is None])
        notes.append(FEW(groups=few, nouns=nouns))
    return matrix(
        METRIC_BY(metric=f"Δ {heading_of(metric)}", by=groups.by),
        [pair_label(pair, result.baseline) for pair in pairs],
        [*(gain.group for gain in first), "p, differ"],
        cells,
        MATRIX_CAPTION(metric=metric.label, by=groups.by),
        notes,
    )


def gain_cell(delta: float, tone: Tone, digits: Digits, *, marked: bool) -> Cell:
    """Return a gain with a star if it is significant."""
    return Cell(digits.gain(delta), tone, delta, spread="*" if marked else "")


def matrix(
    corner: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[Cell]],
    caption: str,
    notes: Sequence[str],
) -> Table:
    """Return a matrix, with its longer side down if it is too wide; screens leave out what is too wide then."""
    if len(columns) > max(BESIDE, len(rows)):
        rows, columns, cells = columns, rows, [*zip(*cells, strict=True)]
    heads = (Column(corner, "left"), *map(Column, columns))
    lines = tuple((Cell(name), *line) for name, line in zip(rows, cells, strict=True))
    return Table(heads, lines, caption, tuple(notes), kind="further" if len(columns) > BESIDE else "table")
