"""Result of a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from truegain.changed_segments import ChangedPair
from truegain.fields import Field, Shape, documented
from truegain.inference.intervals import Alpha
from truegain.inference.results import (
    Comparison,
    Metrics,
    Scores,
    StandardErrors,
    SystemScore,
    TestSet,
    Unit,
    Units,
    Variability,
)
from truegain.notes import Notes
from truegain.rules import Filled
from truegain.studies import view_of
from truegain.studies.compare.answers import HEADLINE, Headline
from truegain.studies.compare.group_parts import Groups
from truegain.studies.compare.human_parts import HumanAgreement
from truegain.studies.consistency import names_fit, segments_fit
from truegain.studies.keys import completed, no_entry, with_metric
from truegain.studies.records import record
from truegain.studies.result import METHODS, VERDICTS, Command, Result, Signature, Version
from truegain.version import __version__

_COLUMNS = (
    "metric baseline system baseline_score system_score baseline_standard_error system_standard_error delta "
    "standard_error ci_method ci_low ci_high null_gain p p_mc_low p_mc_high "
    "p_adjusted adjust test asked unit n_units design_effect resamples seed alternative claim=claim_text "
    "claim_runs claim_unit significant better ci_overlap marked caveats notes wins=effect_wins ties=effect_ties "
    "losses=effect_losses standardized=effect_standardized"
)


#: What a comparison within a group has by itself.
_GROUP_COLUMNS = (
    "standard_error ci_method ci_low ci_high p p_mc_low p_mc_high p_adjusted adjust test asked resamples seed "
    "alternative claim=claim_text claim_runs claim_unit significant better marked"
)


def _faults(result: CompareResult) -> Iterator[tuple[str, str]]:
    yield from names_fit(result)
    if result.baseline is not None:
        for metric in result.metrics:
            if not any((one.metric, one.name) == (metric.key, result.baseline) for one in result.scores):
                yield "baseline", f"{result.baseline!r} has no score under {metric.key!r} among the systems"
    pairs = [(one.baseline, one.system) for one in result.primary_tests(result.metrics[0].key)]
    for metric in result.metrics[1:]:
        if [(one.baseline, one.system) for one in result.primary_tests(metric.key)] != pairs:
            yield (
                "comparisons",
                f"the pairs of the first metric were expected under {metric.key!r}, in the same order",
            )
    if result.human_agreement is not None:
        compared = {(one.metric, one.baseline, one.system) for one in result.comparisons}
        for i, gain in enumerate(result.human_agreement.gains):
            if (gain.metric, gain.baseline, gain.system) not in compared:
                yield f"human_agreement.gains[{i}].system", "a pair that was compared was expected"
    for i, pair in enumerate(result.changed_segments):
        if pair.up_count + pair.down_count > result.testset.segments:
            yield f"changed_segments[{i}].up_count", f"there are {result.testset.segments:,} segments"
        for side in ("up", "down"):
            yield from segments_fit(f"changed_segments[{i}].{side}", getattr(pair, side), result.testset)


_NAMED = 3  # systems in a heading


@documented
@dataclass(frozen=True, repr=False)
class CompareResult(Result):
    """Every system against the baseline, or every two systems, under every metric.

    ``result["bleu", "new"]`` is the comparison of one system with the baseline (of all pairs, with the first system)
    under one metric, by the first test if there are several; ``result["bleu", "new", "bootstrap"]`` by another.
    With one metric ``result["new"]`` will do. :meth:`pair` finds any pair.
    """

    title = "Is the gain real?"
    study: ClassVar[str] = "compare"
    shape: ClassVar[Shape] = Shape(
        prose={"headline": HEADLINE, "verdicts": VERDICTS, "methods": METHODS},
        first=("headline", "alpha", "testset", "baseline", "unit", "n_units", "resamples"),
        faults=_faults,
    )

    testset: Annotated[TestSet, Field("The test set.")]
    metrics: Metrics
    scores: Scores
    comparisons: Annotated[
        tuple[Comparison, ...],
        Filled(),
        Field("Metric by metric, of every system with the baseline, or of every pair."),
    ]
    baseline: Annotated[str | None, Field("The baseline; none if all systems are compared with each other.")]
    alpha: Alpha
    unit: Annotated[Unit, Field("What the intervals draw; a test may have a unit of its own.")]
    n_units: Annotated[Units, Field("The number of units that the intervals draw.")]
    resamples: Annotated[int, Field("The number of resamples of the intervals.")]
    signature: Signature
    notes: Notes = ()
    variability: Annotated[
        tuple[Variability, ...],
        Field("How scores vary over runs and test sets; empty if no system has several runs."),
    ] = ()
    null_gain: Annotated[float, Field("The gain of the null hypothesis.")] = 0.0
    changed_segments: Annotated[
        tuple[ChangedPair, ...], Field("The segments that changed most between the median runs of each pair.")
    ] = ()
    standard_errors: StandardErrors = False
    groups: Annotated[Groups | None, Field("Gains by group, if they were asked for.", optional=True)] = None
    human_agreement: Annotated[
        HumanAgreement | None, Field("What gains mean to people, if it was asked for.", optional=True)
    ] = None
    command: Command = ""
    version: Version = __version__

    def heading(self) -> str:
        """Name the systems, or say how many there are, and what they are compared with."""
        names = list(dict.fromkeys(score.name for score in self.scores if score.name != self.baseline))
        few = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        who = few if len(names) <= _NAMED else f"{len(names)} systems"
        return f"All pairs of {who}" if self.baseline is None else f"{who} against {self.baseline}"

    def __getitem__(self, key: str | tuple[str, str] | tuple[str, str, str]) -> Comparison:
        wanted = with_metric(key, self.metrics)
        for one in self.comparisons:
            if (one.metric, one.system) == wanted[:2] and (len(wanted) < 3 or wanted[2] in (one.test, one.asked)):
                return one
        raise no_entry(key, ((one.metric, one.system) for one in self.comparisons))

    def _keys(self) -> list[tuple[str, ...]]:
        return completed([(one.metric, one.system) for one in self.comparisons], self.metrics)

    def pair(self, metric: str, baseline: str, system: str, test: str | None = None) -> Comparison:
        """Return the comparison of two systems, in the order in which they were compared."""
        for one in self.comparisons:
            if (one.metric, one.baseline, one.system) == (metric, baseline, system) and test in (
                None,
                one.test,
                one.asked,
            ):
                return one
        raise KeyError((metric, baseline, system, test))

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    def score(self, metric: str, system: str) -> SystemScore:
        """Return the score of a system under a metric."""
        for one in self.scores:
            if (one.metric, one.name) == (metric, system):
                return one
        raise KeyError((metric, system))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per comparison; then, with groups, one for each pair in each group."""
        records = self._records()
        if self.groups is None:
            return records
        blank = dict.fromkeys(records[0])
        of_groups = [
            {"group": one.group}
            | blank
            | record("metric baseline system delta unit n_units", one)
            | ({} if one.comparison is None else record(_GROUP_COLUMNS, one.comparison))
            for one in self.groups.gains
        ]
        return [*({"group": ""} | one for one in records), *of_groups]

    def _records(self) -> list[dict[str, Any]]:
        return [
            record(
                _COLUMNS,
                {
                    "baseline_score": (old := self.score(one.metric, one.baseline)).score,
                    "system_score": (new := self.score(one.metric, one.system)).score,
                    "baseline_standard_error": old.standard_error,
                    "system_standard_error": new.standard_error,
                    "caveats": [caveat.text for caveat in one.caveats],
                    "notes": [str(note) for note in one.notes],
                },
                one,
                self,
            )
            | self._human(one)
            for one in self.comparisons
        ]

    def _human(self, one: Comparison) -> dict[str, Any]:
        """Return what a gain means to people, if it was asked for."""
        if self.human_agreement is None:
            return {}
        key = (one.metric, one.baseline, one.system)
        found = [own for own in self.human_agreement.gains if (own.metric, own.baseline, own.system) == key]
        share = found[0] if found else None
        return {f"human_{name}": getattr(share, name, None) for name in ("share", "low", "high")}

    @property
    def headline(self) -> tuple[Headline, ...]:
        """The answer on each pair of systems over all metrics."""
        return tuple(view_of(self.study).headlines(self))

    def verdict(self, comparison: Comparison, decimals: int | None = None) -> str:
        """Say the answer in one sentence."""
        return str(view_of(self.study).verdict(self, comparison, decimals))

    def verdicts(self, decimals: int | None = None) -> list[str]:
        """Say the answers, metric by metric: one sentence per comparison, or of many, one per outcome."""
        return list(view_of(self.study).verdicts(self, decimals))

    def primary_tests(self, metric: str) -> list[Comparison]:
        """Return the comparisons that verdicts use: of several tests the first."""
        first: dict[tuple[str, str], Comparison] = {}
        for one in self.comparisons:
            if one.metric == metric:
                first.setdefault((one.baseline, one.system), one)
        return list(first.values())

    def other_tests(self, metric: str) -> dict[str, dict[tuple[str, str], Comparison]]:
        """Return the comparisons by further tests: test to pair to comparison."""
        others: dict[str, dict[tuple[str, str], Comparison]] = {}
        primary = {id(one) for one in self.primary_tests(metric)}
        for one in self.comparisons:
            if one.metric == metric and id(one) not in primary:
                others.setdefault(one.asked, {})[one.baseline, one.system] = one
        return others

    @property
    def adjusts(self) -> bool:
        """Return whether p-values are adjusted for the number of comparisons."""
        return self.comparisons[0].adjust != "none"

    def methods(self) -> str:
        """Describe the method in a sentence, to paste into a paper."""
        return str(view_of(self.study).methods(self))
