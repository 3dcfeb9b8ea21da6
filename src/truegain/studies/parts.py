"""Parts of a comparison, groups or test sets: each alone, whether they differ, on how many a gain is shown, tables."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace as changed
from typing import Annotated, Any, Literal

from msgspec.structs import replace

from truegain import words
from truegain.corpus import Corpus
from truegain.experiment import gain
from truegain.inference.intervals import Alpha
from truegain.inference.multiplicity import MAXT, adjust, holm, partial_conjunction, shown_on
from truegain.inference.results import Caveat, Drawn, MetricInfo, TestName
from truegain.notes import Finding, Tone
from truegain.procedures.base import Key, Pair, Stopping, Trial
from truegain.procedures.lookup import chosen_test, findings_by_name
from truegain.report.model import Table
from truegain.rows import Baseline, MetricKey, Number, Proportion, Row, System, field
from truegain.settings.compare import CompareOptions
from truegain.studies import grouping
from truegain.studies.compared import GainInGroup, Groups, Heterogeneity, judged
from truegain.view import digits_of, stacked, table
from truegain.words import Sentence

#: A :class:`CompareResult`, whose module imports this one.
CompareResult = Any
#: The system compared with, and the one compared.
Names = tuple[str, str]

_ALL = 3  # more groups than these are not named if all are alike
_SIDES: dict[str, Literal["better", "worse"]] = {"greater": "better", "less": "worse"}

BY = Sentence("By {by}")
SYSTEM_BY = Sentence("{system} in {metric} by {by}")
METRIC_BY = Sentence("{metric} by {by}")
SYSTEM_METRIC = Sentence("{system}: {metric}")
CAPTION = Sentence("Gains in {metrics} by {by}")

IN_GROUPS = Sentence("{what} in {groups}")
IN_ALL = Sentence("{what} in all {count}")
OTHERS = Sentence("not shown in {others}")
NOTHING = Sentence("no significant gain or loss in any of the {count}")
FEW_UNITS = Sentence("too few units in {groups}")
PAIRS = Sentence("{some} of {pairs} have significant gains or losses in some {groups}, {every} in all")

WITHIN_DOCUMENTS = Sentence("Units are segments within each document: nothing is claimed about new documents.")


class Evidence(Drawn, kw_only=True):
    """Evidence of one test set for the claim."""

    testset: Annotated[str, field("The name of the test set.")]
    test: TestName
    p_adjusted: Annotated[Proportion, field("After Holm, over the test sets: at most alpha if the set is named.")]
    caveats: Annotated[tuple[Caveat, ...], field("Why the test rejects more often than its level says.")] = ()


class Replicability(Row):
    """Number of test sets on which a system is better than the baseline."""

    metric: MetricKey
    baseline: Baseline
    system: System
    side: Annotated[Literal["better", "worse"], field("What is claimed of the system.")]
    sets: Annotated[tuple[Evidence, ...], field("In the order of the test sets.", min_length=1)]
    at_least: Annotated[
        tuple[Proportion, ...], field('The p-value of "on at least u of the sets", from 1 on.', min_length=1)
    ]
    alpha: Alpha
    shown: Annotated[Number, field("The number of test sets, at least, on which it is shown at alpha.")] = 0
    named: Annotated[tuple[str, ...], field("The test sets of which it can be said by name.")] = ()
    marked: Annotated[Number, field("The number of test sets on which p-values without a caveat show it.")] = 0

    def __post_init__(self) -> None:
        self._derive(
            shown=shown_on(self.at_least, self.alpha),
            named=tuple(one.testset for one in self.sets if one.p_adjusted <= self.alpha),
            marked=shown_on(partial_conjunction([1.0 if one.caveats else one.p for one in self.sets]), self.alpha),
        )

    @property
    def unsure(self) -> tuple[tuple[int, float, float], ...]:
        """The claims that more resamples may decide otherwise: u, and the Monte-Carlo interval of its p-value."""
        ordered = sorted(self.sets, key=lambda one: one.p)
        ends = [partial_conjunction([one.p_value.interval[end] for one in ordered]) for end in (0, 1)]
        claims = enumerate(zip(*ends, strict=True), 1)
        return tuple((u, low, high) for u, (low, high) in claims if low <= self.alpha < high)


def groups_of(
    corpus: Corpus, options: CompareOptions, pairs: Sequence[Pair], compare: Callable[..., CompareResult]
) -> Groups:
    """Compare the systems within every group as if it were alone, by the first test, and test whether groups differ."""
    by, (first, *_) = str(options.by), tests_of(options.test)
    alone = options.changed(adjust="none", changed_segments=0, test=first, standard_errors=False)
    parts = grouping.groups_alone(corpus, alone, by, options.unit)
    tested = [part for part in parts if part.tested]
    results = {part.name: compare(part.experiment.corpus, part.options, part.experiment) for part in tested}
    keys = list(itertools.product(range(len(parts[0].experiment.statistics.blocks)), pairs))
    gains = [list(_in_groups(parts, results, key, options)) for key in keys]
    asked = [(m, pair.system, pair.baseline) for m, pair in keys]
    differences = grouping.differences_between(parts, asked, options.seed, _fixed(options))
    heterogeneity = [
        Heterogeneity(metric=one.metric, baseline=one.baseline, system=one.system, **fields)
        for (one, *_), fields in zip(gains, differences, strict=True)
        if fields is not None
    ]
    return Groups(by, tuple(itertools.chain(*gains)), tuple(heterogeneity), corpus.item_noun)


def _fixed(options: CompareOptions) -> int:
    """Return the resamples where tests cannot choose their own."""
    return 10_000 if options.resamples == "auto" else options.resamples


def tests_of(test: str | Sequence[str]) -> tuple[str, ...]:
    """Return the tests that were asked for."""
    return (test,) if isinstance(test, str) else tuple(test)


def _in_groups(
    parts: Sequence[grouping.Part[CompareOptions]],
    results: Mapping[str, CompareResult],
    key: Key,
    options: CompareOptions,
) -> Iterator[GainInGroup]:
    """Yield the gain of a pair in every group, with p-values adjusted for the number of groups."""
    m, pair = key
    block, systems = parts[0].experiment.statistics.blocks[m], parts[0].experiment.corpus.systems
    old, new = (systems[s].name for s in pair)
    names: dict[str, Any] = {"metric": block.key, "baseline": old, "system": new}
    method = {MAXT: "holm"}.get(options.adjust, options.adjust)  # groups share no resamples
    compared = {name: result.pair(block.key, old, new) for name, result in results.items()}
    adjusted = adjust([one.p for one in compared.values()], method)
    for (name, one), p in zip(list(compared.items()), adjusted, strict=True):
        compared[name] = judged(
            replace(one, adjust=method, p_adjusted=p, effect=None, overlap=None),
            options.alpha,
            null_gain=options.null_gain,
            favours=one.significant or one.p > options.alpha,
            directed=block.metric.higher_is_better is not None,
            more="use more resamples to decide",
        )
    for part in parts:
        of_old, of_new = (part.experiment.scores[m][s] for s in pair)
        yield GainInGroup(
            **names,
            **part.fields,
            delta=float(gain(block.metric, of_old, of_new)),
            baseline_score=float(of_old),
            system_score=float(of_new),
            comparison=compared.get(part.name),
        )


def replicability(
    parts: Sequence[grouping.Part[CompareOptions]], sets: Sequence[CompareResult], test: str
) -> Iterator[Replicability]:
    """Run one-sided tests on every test set, and count on how many the claim holds, if one way is the better one."""
    options = parts[0].options
    side: Literal["greater", "less"] = "less" if options.alternative == "less" else "greater"
    names = [system.name for system in parts[0].experiment.corpus.systems]
    pairs = tuple(Pair(names.index(baseline), names.index(system)) for baseline, system in pairs_of(sets[0]))
    # A p-value is held against alpha divided by any number up to that of the sets, as Holm's method has it.
    stopping = Stopping("holm", len(sets)) if options.resamples == "auto" else None
    settings = (pairs, side, options.alpha, _fixed(options), stopping, options.null_gain)
    trials = [Trial(part.experiment, *settings) for part in parts]
    tested = [_one_sided(trial, test, compared) for trial, compared in zip(trials, sets, strict=True)]
    directed = [m for m, metric in enumerate(sets[0].metrics) if metric.higher_is_better is not None]
    for m, pair in itertools.product(directed, pairs):
        fields = [of_set[m, pair] for of_set in tested]
        p_values = [own["p"] for own in fields]
        evidence = tuple(
            Evidence(testset=part.name, p_adjusted=adjusted, **own)
            for part, own, adjusted in zip(parts, fields, holm(p_values), strict=True)
        )
        yield Replicability(
            metric=sets[0].metrics[m].key,
            baseline=names[pair.baseline],
            system=names[pair.system],
            side=_SIDES[side],
            sets=evidence,
            at_least=tuple(partial_conjunction(p_values)),
            alpha=options.alpha,
        )


def _one_sided(trial: Trial, test: str, compared: CompareResult) -> dict[Key, dict[str, Any]]:
    """Return the evidence of each pair: the test of the comparison if it is this one, for a hypothesis has one p."""
    names = [system.name for system in trial.experiment.corpus.systems]
    tested: dict[Key, dict[str, Any]] = {}
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
            tested[key] = {"test": same[0].test, "caveats": same[0].caveats, **same[0].p_value.fields}
        else:
            missing[key] = asked
    # One by one where they stop by themselves: a pair that is decided need not wait for the others.
    groups = [missing] if trial.stopping is None else [{key: name} for key, name in missing.items()]
    for group in groups:
        for key, outcome in findings_by_name(trial, group).items():
            caveats = (*outcome.caveats, *dependence[key])
            tested[key] = {"test": outcome.test, "caveats": caveats, **outcome.p_value.fields}
    return tested


def pairs_of(result: CompareResult) -> list[Names]:
    """Return the pairs that were compared, each as baseline and system."""
    return [(one.baseline, one.system) for one in result.primary_tests(result.metrics[0].key)]


def pair_label(pair: Names, baseline: str | None) -> str:
    """Name a pair: by its system if all have the same baseline, else as a difference."""
    return pair[1] if baseline is not None else f"{pair[1]} − {pair[0]}"


def pairs_counted(result: CompareResult) -> str:
    """Write the number of pairs: ``4 systems`` that have one baseline, or ``6 pairs``."""
    return words.whole(len(pairs_of(result)), {None: "pair"}.get(result.baseline, "system"))


def group_findings(result: CompareResult) -> Iterator[Finding]:
    """Say in which groups the gain of each pair is shown, and whether groups differ; of many pairs, of how many."""
    groups = result.groups
    if groups is None:
        return
    pairs = pairs_of(result)
    alone = len(pairs) == len(result.metrics) == 1
    for members in [pairs] if len(pairs) > words.MANY else [[pair] for pair in pairs]:
        for metric in result.metrics:
            gains = [groups.of(metric.key, *pair) for pair in members]
            tested = [one for one in groups.heterogeneity if one.metric == metric.key]
            p_values = [one.p for one in tested if (one.baseline, one.system) in members]
            slots = {"system": pair_label(members[0], result.baseline), "metric": metric.label, "by": groups.by}
            tone: Tone = "plain"
            if len(members) > 1:
                marked = [[gain.marked for gain in own] for own in gains]
                counts = {"some": sum(map(any, marked)), "every": sum(map(all, marked)), "pairs": pairs_counted(result)}
                whose, shown = METRIC_BY(**slots), PAIRS(groups=grouping.group_nouns(groups.by), **counts)
            else:
                whose, shown = (BY if alone else SYSTEM_BY)(**slots), ", ".join(_shown(result, metric, gains[0]))
                tones = {gain.tone for gain in gains[0] if gain.marked}
                tone = tones.pop() if len(tones) == 1 else "undecided"
            yield grouping.difference_finding(whose, shown, groups.by, p_values, result.alpha, tone)


def _shown(result: CompareResult, metric: MetricInfo, gains: Sequence[GainInGroup]) -> Iterator[str]:
    """Yield what is shown in which groups, and in how many nothing is."""
    digits, baseline = digits_of(result, metric), gains[0].baseline
    marked = sorted((gain for gain in gains if gain.marked), key=lambda gain: -abs(gain.delta))
    for above in (True, False):
        names = [f"{one.group} ({digits.gain(one.delta)})" for one in marked if (one.delta > result.null_gain) == above]
        what = words.beyond(baseline, metric, above=above, gain=result.null_gain).removesuffix(f" than {baseline}")
        if len(names) == len(gains) > _ALL:
            yield IN_ALL(what=what, count=words.count_words(len(names)))
        elif names:
            yield IN_GROUPS(what=what, groups=grouping.listed(names))
    others = [gain.group for gain in gains if gain.comparison is not None and not gain.marked]
    if others and not marked:
        yield NOTHING(count=words.count_words(len(others)))
    elif others:
        yield OTHERS(others={1: others[0]}.get(len(others), f"the other {words.count_words(len(others))}"))
    if few := [gain.group for gain in gains if gain.comparison is None]:
        yield FEW_UNITS(groups=grouping.listed(few))


def group_tables(result: CompareResult, decimals: int | None, where: str = "") -> Iterator[Table]:
    """Yield the gains of each pair group by group, the largest first; of lengths, the shortest segments first."""
    groups = result.groups
    if groups is None:
        return
    gains = list(groups.gains)
    if groups.by != "length":
        gains.sort(key=lambda gain: -gain.delta)
    adjusts = [gain.comparison.adjust for gain in gains if gain.comparison is not None]
    shown = part_table(result, gains, (where, groups.by, groups.item), words.p_heading((*adjusts, "none")[0]), decimals)
    notes = {"document": (WITHIN_DOCUMENTS(),)}
    yield changed(shown, notes=notes.get(groups.by, ()))


def part_table(
    result: Any, gains: Sequence[GainInGroup], words_of: tuple[str, str, str], p: str, decimals: int | None
) -> Table:
    """Return gains part by part, in a section for each pair and metric.

    ``words_of`` are what stands before headings, what parts and segments are called; ``p`` heads p-values.
    """
    (where, by, item), labels = words_of, words.listing([metric.label for metric in result.metrics])
    pairs = list(dict.fromkeys((gain.baseline, gain.system) for gain in gains))
    columns = "group n_units baseline_score system_score delta"
    if any(gain.comparison is not None for gain in gains):
        columns += f" {'test.standard_error?' if result.standard_errors else ''} test.ci test.p_adjusted"
    units = {{"segment": item}.get(gain.unit, gain.unit) for gain in gains}
    slots = {"counted": f"{units.pop() if len(units) == 1 else 'unit'}s", "level": words.level_words(result.alpha)}
    slots |= dict(zip(("baseline", "system"), pairs[0], strict=True))
    if len(pairs) > 1:
        slots |= {"baseline": result.baseline or "baseline", "system": "system"}
    sections = []
    for pair, metric in itertools.product(pairs, result.metrics):
        title = by
        if len(pairs) > 1:
            title = SYSTEM_METRIC(system=pair_label(pair, result.baseline), metric=words.heading_of(metric))
        elif len(result.metrics) > 1:
            title = words.heading_of(metric)
        own = [one for one in gains if (one.metric, (one.baseline, one.system)) == (metric.key, pair)]
        section = table(
            [{"": gain, "test": gain.comparison} for gain in own],
            columns,
            digits_of(result, metric, decimals),
            caption=f"{where}{CAPTION(metrics=labels, by=by)}",
            headings={"delta": words.gain_heading(result.metrics), "test.p_adjusted": p},
            slots=slots | {"title": f"{where}{title}"},
            tones={"delta": lambda row: row[""].tone},
            secondary=("n_units", "baseline_score", "system_score"),
        )
        sections.append(section)
    return stacked(sections)
