"""What a comparison found, as tables, sentences and data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from truegain.inference.results import Comparison, MetricInfo, SystemScore, TestSet, Variability
from truegain.report.model import Document, Paragraph, Table
from truegain.studies.compare_sentences import methods, other_claims, remarks, verdict, verdicts
from truegain.studies.compare_tables import gains_table, scores_table, tests_table
from truegain.studies.result import (
    Result,
    decimals_for,
    describe_testset,
    metric_dict,
    score_dict,
    testset_dict,
    variability_tables,
)
from truegain.version import __version__

__all__ = ["CompareResult"]


@dataclass(frozen=True, repr=False)
class CompareResult(Result):
    """Every system against the baseline, or every two systems, under every metric.

    ``result["bleu", "new"]`` is the comparison of one system with the baseline (of all pairs, with the first system)
    under one metric, by the first test where there are several; ``result["bleu", "new", "bootstrap"]`` by another.
    :meth:`pair` finds any pair.

    Attributes
    ----------
    testset : TestSet
    metrics : tuple of MetricInfo
    scores : tuple of SystemScore
    comparisons : tuple of Comparison
    baseline : str or None
        None where all systems are compared with each other.
    alpha : float
    unit : str
        What the intervals draw; a test may have a unit of its own.
    n_units, resamples : int
        Of the intervals.
    signature : str
        How the tests were made.
    notes : tuple of str
        What concerns the whole comparison; each comparison has notes of its own.
    variability : tuple of Variability
        How scores vary over runs and test sets, where systems have several runs.
    null_gain : float
        The gain of the null hypothesis.
    """

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    comparisons: tuple[Comparison, ...]
    baseline: str | None
    alpha: float
    unit: str
    n_units: int
    resamples: int
    signature: str
    notes: tuple[str, ...] = ()
    variability: tuple[Variability, ...] = ()
    null_gain: float = 0.0

    def __getitem__(self, key: tuple[str, str] | tuple[str, str, str]) -> Comparison:
        metric, system, *test = key
        for one in self.comparisons:
            if (one.metric, one.system) == (metric, system) and (not test or test[0] in (one.test, one.asked)):
                return one
        raise KeyError(key)

    def pair(self, metric: str, baseline: str, system: str, test: str | None = None) -> Comparison:
        """The comparison of two systems, in the order in which they were compared."""
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
        """The score of a system under a metric."""
        for one in self.scores:
            if (one.metric, one.name) == (metric, system):
                return one
        raise KeyError((metric, system))

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain data, in the form of docs/result.schema.json."""
        return {
            "truegain": __version__,
            "study": "compare",
            "signature": self.signature,
            "alpha": self.alpha,
            **({} if self.null_gain == 0.0 else {"null_gain": self.null_gain}),
            "testset": testset_dict(self.testset),
            "baseline": self.baseline,
            "unit": self.unit,
            "n_units": self.n_units,
            "resamples": self.resamples,
            "metrics": [metric_dict(metric) for metric in self.metrics],
            "systems": [score_dict(one) for one in self.scores],
            "variability": [asdict(one) for one in self.variability],
            "comparisons": [_comparison_dict(one) for one in self.comparisons],
            "verdicts": [self.verdict(one) for one in self.comparisons],
            "methods": self.methods(),
            "notes": list(self.notes),
        }

    def to_records(self) -> list[dict[str, Any]]:
        """One record a comparison."""
        records = []
        for one in self.comparisons:
            record = _comparison_dict(one)
            low, high = record.pop("ci")
            p_low, p_high = record.pop("p_mc")
            record.pop("null")
            effect = record.pop("effect") or {"wins": None, "ties": None, "losses": None, "standardized": None}
            record.update(effect)
            place = list(record).index("p")
            items = list(record.items())
            scores = [
                ("baseline_score", self.score(one.metric, one.baseline).score),
                ("system_score", self.score(one.metric, one.system).score),
            ]
            between = [("ci_low", low), ("ci_high", high)]
            between += [] if self.null_gain == 0.0 else [("null_gain", self.null_gain)]
            after = [("p_mc_low", p_low), ("p_mc_high", p_high)]
            records.append(
                dict([*items[:3], *scores, *items[3:place], *between, items[place], *after, *items[place + 1 :]])
            )
        return records

    def verdict(self, comparison: Comparison, width: int | None = None) -> str:
        """The answer in one sentence."""
        return verdict(self, comparison, width)

    def deciding(self, metric: str) -> list[Comparison]:
        """The comparisons that verdicts go by: of several tests the first."""
        first: dict[tuple[str, str], Comparison] = {}
        for one in self.comparisons:
            if one.metric == metric:
                first.setdefault((one.baseline, one.system), one)
        return list(first.values())

    def beside(self, metric: str) -> dict[str, dict[tuple[str, str], Comparison]]:
        """The comparisons by further tests: test to pair to comparison."""
        others: dict[str, dict[tuple[str, str], Comparison]] = {}
        deciding = {id(one) for one in self.deciding(metric)}
        for one in self.comparisons:
            if one.metric == metric and id(one) not in deciding:
                others.setdefault(one.asked, {})[one.baseline, one.system] = one
        return others

    @property
    def adjusts(self) -> bool:
        """Whether p-values are adjusted for the number of comparisons."""
        return self.comparisons[0].adjustment != "none"

    def methods(self) -> str:
        """A sentence on the method, to paste into a paper."""
        return methods(self)

    def document(self, *, width: int | None = None) -> Document:
        """A table for each metric, verdicts, what to know, signatures, and the methods sentence."""
        items: list[Table | Paragraph] = [Paragraph(describe_testset(self.testset, self.scores), "title")]
        for metric in self.metrics:
            decimals = decimals_for(metric, self.scores, width)
            if self.baseline is None:
                items.append(scores_table(metric, self.scores, alpha=self.alpha, decimals=decimals))
            family = self.deciding(metric.key)
            items.append(gains_table(metric, family, self.scores, self.baseline, alpha=self.alpha, decimals=decimals))
        for metric in self.metrics:
            if others := self.beside(metric.key):
                items.append(tests_table(metric, self.deciding(metric.key), others, self.baseline))
        for metric in self.metrics:
            items.extend(
                variability_tables(metric, self.variability, decimals_for(metric, self.scores, width), self.unit)
            )
        for metric in self.metrics:
            items.extend(verdicts(self, metric, width))
            items.extend(Paragraph(text, "verdict") for text in other_claims(self, metric))
        items.extend(Paragraph(f"{text}.") for text in remarks(self))
        items.extend(Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in self.metrics)
        items.append(Paragraph(f"{self.signature} · inputs {self.testset.fingerprint}", "signature"))
        items.append(Paragraph(self.methods(), "methods"))
        return Document(tuple(items))

    def _arranged(self, layout: str, width: int | None) -> Document:
        from truegain.studies.layouts import arranged

        return arranged(self, layout, width)


def _comparison_dict(one: Comparison) -> dict[str, Any]:
    return {
        "metric": one.metric,
        "baseline": one.baseline,
        "system": one.system,
        "delta": one.delta,
        "ci": [one.interval.low, one.interval.high],
        "ci_method": one.interval.method,
        "p": one.p,
        "p_mc": list(one.p_mc),
        "p_adjusted": one.p_adjusted,
        "adjustment": one.adjustment,
        "test": one.test,
        "asked": one.asked,
        "unit": one.unit,
        "n_units": one.n_units,
        "design_effect": one.design_effect,
        "resamples": one.resamples,
        "seed": one.seed,
        "alternative": one.alternative,
        "null": one.null,
        "claim": one.claim,
        "significant": one.significant,
        "better": one.better,
        "effect": None if one.effect is None else asdict(one.effect),
        "ci_overlap": one.overlap,
        "notes": list(one.notes),
    }
