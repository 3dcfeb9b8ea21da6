"""What a comparison found, as tables, sentences and data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from truegain.inference.multiplicity import CONTROLS
from truegain.inference.results import Comparison, MetricInfo, SystemScore, TestSet
from truegain.report.model import Cell, Column, Document, Paragraph, Table, Tone, signed
from truegain.studies.result import (
    Result,
    decimals_for,
    describe_testset,
    heading_of,
    interval_text,
    metric_dict,
    name_cell,
    score_dict,
    testset_dict,
)
from truegain.version import __version__

__all__ = ["TEST_NAMES", "CompareResult"]

TEST_NAMES = {"ar": "approximate randomization", "bootstrap": "paired bootstrap"}
_TEST_SOURCES = {
    "ar": "Noreen, 1989; Riezler and Maxwell, 2005",
    "bootstrap": "Koehn, 2004; centred on the observed difference after Efron and Tibshirani, 1993",
}
_TONES: dict[bool | None, Tone] = {True: "good", False: "bad", None: "plain"}
_MANY = 3
_METHODS = {
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "bh": "Benjamini and Hochberg",
    "by": "Benjamini and Yekutieli",
}
_SHORT = {"bonferroni": "Bonf.", "holm": "Holm", "hochberg": "Hochb.", "bh": "BH", "by": "BY"}
_RATES = {"FWER": "family-wise error rate", "PFER and FWER": "family-wise error rate", "FDR": "false discovery rate"}


@dataclass(frozen=True, repr=False)
class CompareResult(Result):
    """Every system against the baseline, under every metric.

    ``result["bleu", "new"]`` is the comparison of one system under one metric, by the first test where there are
    several; ``result["bleu", "new", "bootstrap"]`` by another.

    Attributes
    ----------
    testset : TestSet
    metrics : tuple of MetricInfo
    scores : tuple of SystemScore
    comparisons : tuple of Comparison
    baseline : str
    alpha : float
    signature : str
        How the tests were made.
    notes : tuple of str
        What concerns the whole comparison; each comparison has notes of its own.
    """

    testset: TestSet
    metrics: tuple[MetricInfo, ...]
    scores: tuple[SystemScore, ...]
    comparisons: tuple[Comparison, ...]
    baseline: str
    alpha: float
    signature: str
    notes: tuple[str, ...] = ()

    def __getitem__(self, key: tuple[str, str] | tuple[str, str, str]) -> Comparison:
        metric, system, *test = key
        for one in self.comparisons:
            if (one.metric, one.system) == (metric, system) and test in ([], [one.test]):
                return one
        raise KeyError(key)

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
            "testset": testset_dict(self.testset),
            "baseline": self.baseline,
            "metrics": [metric_dict(metric) for metric in self.metrics],
            "systems": [score_dict(one) for one in self.scores],
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
            place = list(record).index("p")
            items = list(record.items())
            scores = [
                ("baseline_score", self.score(one.metric, one.baseline).score),
                ("system_score", self.score(one.metric, one.system).score),
            ]
            between = [("ci_low", low), ("ci_high", high)]
            after = [("p_mc_low", p_low), ("p_mc_high", p_high)]
            records.append(
                dict([*items[:3], *scores, *items[3:place], *between, items[place], *after, *items[place + 1 :]])
            )
        return records

    def verdict(self, comparison: Comparison, width: int | None = None) -> str:
        """The answer in one sentence."""
        metric = next(one for one in self.metrics if one.key == comparison.metric)
        decimals = decimals_for(metric, self.scores, width)
        gain = signed(comparison.delta, decimals)
        if comparison.delta == 0.0 and comparison.interval.low == comparison.interval.high == 0.0:
            return f"{comparison.system} and {comparison.baseline} are the same to {metric.label} (p = 1)."
        evidence = f"{TEST_NAMES[comparison.test]}, {self._p_words(comparison)}"
        if self._differs(comparison):
            if comparison.better is None:
                word = "higher" if comparison.delta > 0 else "lower"
            else:
                word = "better" if comparison.better else "worse"
            return (
                f"{comparison.system} is {word} than {comparison.baseline} by {metric.label} ({gain}), "
                f"for {comparison.claim} ({evidence})."
            )
        interval = interval_text(comparison.interval.low, comparison.interval.high, lambda x: signed(x, decimals))
        level = f"{100 * (1 - self.alpha):g} %"
        return (
            f"{metric.label} does not show that {self._doubted(comparison, metric)}: {gain}, "
            f"{level} interval {interval} ({evidence})."
        )

    def _doubted(self, comparison: Comparison, metric: MetricInfo) -> str:
        """What the test looked for."""
        system, baseline = comparison.system, comparison.baseline
        if comparison.alternative == "two-sided":
            return f"{system} and {baseline} differ"
        return f"{system} is {_side(comparison.alternative, metric)} than {baseline}"

    def _family(self, metric: str) -> list[Comparison]:
        """The comparisons that verdicts go by: of several tests the first."""
        first: dict[str, Comparison] = {}
        for one in self.comparisons:
            if one.metric == metric:
                first.setdefault(one.system, one)
        return list(first.values())

    def _other_tests(self, metric: str) -> dict[str, dict[str, Comparison]]:
        """The comparisons by further tests: test to system to comparison."""
        others: dict[str, dict[str, Comparison]] = {}
        deciding = self._family(metric)
        for one in self.comparisons:
            if one.metric == metric and one not in deciding:
                others.setdefault(one.test, {})[one.system] = one
        return others

    @property
    def _adjusts(self) -> bool:
        return self.comparisons[0].adjustment != "none"

    def _differs(self, comparison: Comparison) -> bool:
        return comparison.p_adjusted <= self.alpha and comparison.delta != 0

    def _p_words(self, comparison: Comparison) -> str:
        family = len(self._family(comparison.metric))
        text = p_text(comparison.p_adjusted)
        relation = text if text.startswith("<") else f"= {text}"
        relation = relation.replace("<", "< ")
        return f"p {relation}" + (f" after {_METHODS[comparison.adjustment]}" if family > 1 and self._adjusts else "")

    def methods(self) -> str:
        """A sentence on the method, to paste into a paper."""
        one = self.comparisons[0]
        others = len({comparison.system for comparison in self.comparisons})
        who = (
            "the difference between the system and the baseline"
            if others == 1
            else ("the differences between each system and the baseline")
        )
        names = _listing([metric.label for metric in self.metrics])
        sides = (
            "two-sided" if one.alternative == "two-sided" else f"one-sided ({_side(one.alternative, self.metrics[0])})"
        )
        runs = " Scores are means over runs, and runs are held fixed." if any(s.runs > 1 for s in self.scores) else ""
        family = (
            f" P-values were adjusted for the {others} systems compared, metric by metric, by the method of "
            f"{_METHODS[one.adjustment]}, which controls the {_RATES[CONTROLS[one.adjustment]]}."
            if others > 1 and self._adjusts
            else ""
        )
        verb = "was" if others == 1 else "were"
        unadjusted = "not adjusted for the number of systems " if others > 1 and self._adjusts else ""
        kinds = {comparison.test for comparison in self.comparisons}
        joint = " and " if self._other_tests(one.metric) else " or "
        tests = joint.join(f"{TEST_NAMES[kind]} ({_TEST_SOURCES[kind]})" for kind in sorted(kinds))
        return (
            f"In terms of {names}, {who} {verb} tested with {sides} {tests} over the {one.n_units:,} {one.unit}s of "
            f"the test set, with {one.resamples:,} resamples.{runs}{family} Intervals are {100 * (1 - self.alpha):g} % "
            f"{one.interval.method} intervals of the paired bootstrap over the same {one.unit}s "
            f"{unadjusted}(truegain {__version__}, seed {one.seed})."
        )

    def document(self, *, width: int | None = None) -> Document:
        """A table for each metric, verdicts, what to know, signatures, and the methods sentence."""
        items: list[Table | Paragraph] = [Paragraph(describe_testset(self.testset, self.scores), "title")]
        for metric in self.metrics:
            items.append(self._table(metric, decimals_for(metric, self.scores, width)))
        for metric in self.metrics:
            items.extend(self._verdicts(metric, width))
        items.extend(Paragraph(f"{text}.") for text in self._remarks())
        items.extend(Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in self.metrics)
        items.append(Paragraph(f"{self.signature} · inputs {self.testset.fingerprint}", "signature"))
        items.append(Paragraph(self.methods(), "methods"))
        return Document(tuple(items))

    def _verdicts(self, metric: MetricInfo, width: int | None) -> list[Paragraph]:
        """A sentence for each comparison; of many, three that gather the better, the worse and the undecided."""
        family = self._family(metric.key)
        if len(family) <= _MANY or metric.higher_is_better is None:
            return [Paragraph(self.verdict(one, width), "verdict", _TONES[one.better]) for one in family]
        decimals = decimals_for(metric, self.scores, width)
        tests = " or ".join(sorted({TEST_NAMES[one.test] for one in family}))
        after = f" after {_METHODS[family[0].adjustment]}" if self._adjusts else ""
        claims = {one.claim for one in family}
        claim = claims.pop() if len(claims) == 1 else max(claims, key=len).replace("this run", "these runs")
        evidence = f"for {claim} ({tests}, p ≤ {self.alpha:g}{after})"
        openings: dict[bool | None, str] = {
            True: f"By {metric.label}, better than {self.baseline} {evidence}",
            False: f"By {metric.label}, worse than {self.baseline} {evidence}",
            None: f"{metric.label} does not show that these differ from {self.baseline}",
        }
        paragraphs = []
        for outcome, opening in openings.items():
            group = sorted((one for one in family if one.better is outcome), key=lambda one: -one.delta)
            if group:
                members = ", ".join(f"{one.system} ({signed(one.delta, decimals)})" for one in group)
                paragraphs.append(Paragraph(f"{opening}: {members}.", "verdict", _TONES[outcome]))
        return paragraphs

    def _remarks(self) -> list[str]:
        """Notes without repetitions: what holds for all comparisons is said once."""
        remarks = [self._unit_remark()]
        if any(metric.higher_is_better is False for metric in self.metrics):
            remarks.append("Δ is positive where the system is better, also where lower scores are better")
        for one in self.comparisons:
            metric = next(metric for metric in self.metrics if metric.key == one.metric)
            several = len(self.comparisons) > 1
            label = f"{one.system}, {metric.label}" + (f", {one.test}" if self._other_tests(one.metric) else "")
            remarks.extend(f"{label}: {note}" if several else note[:1].upper() + note[1:] for note in one.notes)
        return [*remarks, *self.notes]

    def _unit_remark(self) -> str:
        """What was resampled, and what the other choice would have done to the standard error."""
        effects = [one.design_effect for one in self.comparisons if one.design_effect is not None]
        unit = self.comparisons[0].unit
        text = f"Unit: {unit}s"
        if not effects:
            return text
        ratio = (sum(effects) / len(effects)) ** 0.5
        if unit == "document":
            size, word = (ratio, "small") if ratio >= 1 else (1 / ratio, "large")
            return f"{text}. Treating segments as independent would make the standard error {size:.2g}× too {word}"
        return f"{text}, though documents are known: with these the standard error would be {ratio:.2g}× as large"

    def _table(self, metric: MetricInfo, decimals: int) -> Table:
        level = f"{100 * (1 - self.alpha):g} % CI"
        family = self._family(metric.key)
        columns = [
            Column(heading_of(metric), "left"),
            Column("score"),
            Column(level),
            Column("Δ"),
            Column(f"{level} of Δ"),
            Column("p"),
        ]
        adjusts = len(family) > 1 and self._adjusts
        if adjusts:
            columns.append(Column(f"p {_SHORT[family[0].adjustment]}"))
        columns.append(Column("", "left"))
        others = self._other_tests(metric.key)
        columns.extend(Column(f"p {test}") for test in others)
        base = self.score(metric.key, self.baseline)
        blank = [Cell("")] * (len(columns) - 5)
        rows = [
            (
                name_cell(self.baseline, base.runs),
                *_score_cells(base, decimals),
                Cell(""),
                Cell("baseline", "quiet"),
                *blank,
            )
        ]
        for one in family:
            own = self.score(metric.key, one.system)
            tone = _TONES[one.better]
            cells = [
                name_cell(one.system, own.runs),
                *_score_cells(own, decimals),
                Cell(signed(one.delta, decimals), tone),
                Cell(interval_text(one.interval.low, one.interval.high, lambda x: signed(x, decimals))),
                Cell(p_text(one.p)),
            ]
            if adjusts:
                cells.append(Cell(p_text(one.p_adjusted)))
            cells.append(Cell("*" if self._differs(one) else "", tone))
            for beside in others.values():
                cells.append(Cell(p_text(beside[one.system].p) if one.system in beside else ""))
            rows.append(tuple(cells))
        return Table(tuple(columns), tuple(rows), f"{metric.label} of each system and its gain over {self.baseline}")


def _side(alternative: str, metric: MetricInfo) -> str:
    words = ("better", "worse") if metric.higher_is_better is not None else ("higher", "lower")
    return words[0] if alternative == "greater" else words[1]


def _score_cells(score: SystemScore, decimals: int) -> tuple[Cell, Cell]:
    interval = score.interval
    ends = "" if interval is None else interval_text(interval.low, interval.high, lambda x: f"{x:.{decimals}f}")
    return Cell(f"{score.score:.{decimals}f}"), Cell(ends)


def p_text(p: float) -> str:
    """A p-value to three decimals, or that it is smaller than that shows."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _listing(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


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
        "unit": one.unit,
        "n_units": one.n_units,
        "design_effect": one.design_effect,
        "resamples": one.resamples,
        "seed": one.seed,
        "alternative": one.alternative,
        "null": one.null,
        "claim": one.claim,
        "better": one.better,
        "notes": list(one.notes),
    }
