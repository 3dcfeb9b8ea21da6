"""Result of a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from truegain.changed_segments import ChangedPair
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
from truegain.results import Result, completed, no_entry, with_metric
from truegain.rows import Number, field, record
from truegain.studies.compare.answers import Headline
from truegain.studies.compare.group_parts import Groups
from truegain.studies.compare.human_parts import HumanAgreement

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


_NAMED = 3  # systems in a heading


class CompareResult(Result, tag="compare", kw_only=True, rename={"scores": "systems"}):
    """Every system against the baseline, or every two systems, under every metric.

    ``result["bleu", "new"]`` is the comparison of one system with the baseline (of all pairs, with the first system)
    under one metric, by the first test if there are several; ``result["bleu", "new", "bootstrap"]`` by another.
    With one metric ``result["new"]`` will do. :meth:`pair` finds any pair.
    """

    title = "Is the gain real?"
    study: ClassVar[str] = "compare"

    testset: Annotated[TestSet, field("The test set.")]
    metrics: Metrics
    scores: Scores
    comparisons: Annotated[
        tuple[Comparison, ...],
        field("Metric by metric, of every system with the baseline, or of every pair.", min_length=1),
    ]
    baseline: Annotated[str | None, field("The baseline; none if all systems are compared with each other.")]
    alpha: Alpha
    unit: Annotated[Unit, field("What the intervals draw; a test may have a unit of its own.")]
    n_units: Annotated[Units, field("The number of units that the intervals draw.")]
    resamples: Annotated[Number, field("The number of resamples of the intervals.")]
    variability: Annotated[
        tuple[Variability, ...],
        field("How scores vary over runs and test sets; empty if no system has several runs."),
    ] = ()
    null_gain: Annotated[float, field("The gain of the null hypothesis.")] = 0.0
    changed_segments: Annotated[
        tuple[ChangedPair, ...], field("The segments that changed most between the median runs of each pair.")
    ] = ()
    standard_errors: StandardErrors = False
    groups: Annotated[Groups | None, field("Gains by group, if they were asked for.")] = None
    human_agreement: Annotated[HumanAgreement | None, field("What gains mean to people, if it was asked for.")] = None

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
        return tuple(self._view.headlines(self))

    def verdict(self, comparison: Comparison, decimals: int | None = None) -> str:
        """Say the answer in one sentence."""
        return str(self._view.verdict(self, comparison, decimals))

    def verdicts(self, decimals: int | None = None) -> list[str]:
        """Say the answers, metric by metric: one sentence per comparison, or of many, one per outcome."""
        return list(self._view.verdicts(self, decimals))

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
        return str(self._view.methods(self))
