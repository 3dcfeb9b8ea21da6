"""What a comparison found, as tables, sentences and data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from truegain.inference.multiplicity import CONTROLS
from truegain.inference.results import Comparison, MetricInfo, SystemScore, TestSet, Variability
from truegain.registry import TESTS
from truegain.report.model import Document, Paragraph, Table, listing, p_text, signed
from truegain.studies.compare_tables import MANY, TONES, gains_table, scores_table, tests_table
from truegain.studies.result import (
    Result,
    decimals_for,
    describe_testset,
    interval_text,
    metric_dict,
    score_dict,
    testset_dict,
    variability_tables,
)
from truegain.version import __version__

__all__ = ["CompareResult"]

_METHODS = {
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "bh": "Benjamini and Hochberg",
    "by": "Benjamini and Yekutieli",
    "maxt": "Westfall and Young",
}
_T_INTERVALS = {
    "crossed": "the crossed test",
    "run-permutation": "Welch's t-test of run scores",
    "welch": "Welch's t-test of run scores",
}
_RATES = {"FWER": "family-wise error rate", "PFER and FWER": "family-wise error rate", "FDR": "false discovery rate"}


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
            return f"{comparison.system} and {comparison.baseline} are the same to {metric.label}."
        evidence = f"{TESTS[comparison.test].label}, {self._p_words(comparison)}"
        if comparison.significant:
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
        if comparison.alternative in ("two-sided", "observed"):
            return f"{system} and {baseline} differ"
        return f"{system} is {_side(comparison.alternative, metric)} than {baseline}"

    def _family(self, metric: str) -> list[Comparison]:
        """The comparisons that verdicts go by: of several tests the first."""
        first: dict[tuple[str, str], Comparison] = {}
        for one in self.comparisons:
            if one.metric == metric:
                first.setdefault((one.baseline, one.system), one)
        return list(first.values())

    def _other_tests(self, metric: str) -> dict[str, dict[tuple[str, str], Comparison]]:
        """The comparisons by further tests: test to pair to comparison."""
        others: dict[str, dict[tuple[str, str], Comparison]] = {}
        deciding = {id(one) for one in self._family(metric)}
        for one in self.comparisons:
            if one.metric == metric and id(one) not in deciding:
                others.setdefault(one.asked, {})[one.baseline, one.system] = one
        return others

    @property
    def _adjusts(self) -> bool:
        return self.comparisons[0].adjustment != "none"

    def _p_words(self, comparison: Comparison) -> str:
        family = len(self._family(comparison.metric))
        text = p_text(comparison.p_adjusted)
        relation = text if text.startswith("<") else f"= {text}"
        relation = relation.replace("<", "< ")
        return f"p {relation}" + (f" after {_METHODS[comparison.adjustment]}" if family > 1 and self._adjusts else "")

    def methods(self) -> str:
        """A sentence on the method, to paste into a paper."""
        one = self.comparisons[0]
        others = len(self._family(one.metric))
        if self.baseline is None:
            who = "the differences between all systems"
        else:
            who = (
                f"the difference{'' if others == 1 else 's'} between {'the' if others == 1 else 'each'} system and the"
            )
            who += " baseline"
        names = listing([metric.label for metric in self.metrics])
        runs = " Scores are means over runs." if any(s.runs > 1 for s in self.scores) else ""
        if runs and not any("new runs" in comparison.claim for comparison in self._family(one.metric)):
            runs = " Scores are means over runs, and runs are held fixed."
        family = (
            f" P-values were adjusted for the {others} comparisons, metric by metric, by the method of "
            f"{_METHODS[one.adjustment]}, which controls the {_RATES[CONTROLS[one.adjustment]]}."
            if others > 1 and self._adjusts
            else f" P-values were not adjusted for the {others} comparisons: the rate of errors is that per comparison."
            if others > 1
            else ""
        )
        verb = "was" if others == 1 and self.baseline is not None else "were"
        unadjusted = ", not adjusted for the number of comparisons" if others > 1 and self._adjusts else ""
        kinds: dict[str, Comparison] = {}
        for comparison in self.comparisons:
            kinds.setdefault(comparison.test, comparison)
        joint = "and" if self._other_tests(one.metric) else "or"
        tests = listing([self._test_words(comparison) for comparison in kinds.values()], joint)
        level = f"{100 * (1 - self.alpha):g} %"
        kind = next((score.interval.method for score in self.scores if score.interval is not None), "percentile")
        own = list(dict.fromkeys(c.test for c in self._family(one.metric) if c.interval.method == "t"))
        what = "Intervals" if not own else "Intervals of scores"
        sources = listing([_T_INTERVALS[test] for test in own]) if own else ""
        others_own = f"; those of differences are from {sources}, where that was the test" if own else ""
        return (
            f"In terms of {names}, {who} {verb} tested with {tests}.{runs}{family} {what} are {level} {kind} intervals "
            f"of the paired bootstrap over {_units_words(self.unit, self.n_units)}, with {self.resamples:,} "
            f"resamples{unadjusted}{others_own} (truegain {__version__}, seed {one.seed})."
        )

    def _test_words(self, one: Comparison) -> str:
        """One test, for the methods sentence."""
        sides = {"two-sided": "two-sided", "observed": "one-sided, towards the better system"}.get(
            one.alternative, f"one-sided, {_side(one.alternative, self.metrics[0])}"
        )
        entry = TESTS[one.test]
        article = "the " if entry.label.endswith("test") and "'s" not in entry.label else ""
        words = f"{article}{entry.label} ({sides}; {entry.source}) over {_units_words(one.unit, one.n_units)}"
        drawn = {comparison.resamples for comparison in self.comparisons if comparison.test == one.test}
        if 0 in drawn:  # p follows from a distribution; or, of the crossed test, it may be that of another claim
            return words
        many = f"{drawn.pop():,}" if len(drawn) == 1 else f"{min(drawn):,} to {max(drawn):,}"
        enough = ", as many as the decision needed" if one.p_value.sequence is not None else ""
        return f"{words} with {many} resamples{enough}"

    def document(self, *, width: int | None = None) -> Document:
        """A table for each metric, verdicts, what to know, signatures, and the methods sentence."""
        items: list[Table | Paragraph] = [Paragraph(describe_testset(self.testset, self.scores), "title")]
        for metric in self.metrics:
            decimals = decimals_for(metric, self.scores, width)
            if self.baseline is None:
                items.append(scores_table(metric, self.scores, alpha=self.alpha, decimals=decimals))
            family = self._family(metric.key)
            items.append(gains_table(metric, family, self.scores, self.baseline, alpha=self.alpha, decimals=decimals))
        for metric in self.metrics:
            if others := self._other_tests(metric.key):
                items.append(tests_table(metric, self._family(metric.key), others, self.baseline))
        for metric in self.metrics:
            items.extend(
                variability_tables(metric, self.variability, decimals_for(metric, self.scores, width), self.unit)
            )
        for metric in self.metrics:
            items.extend(self._verdicts(metric, width))
            items.extend(Paragraph(text, "verdict") for text in self._other_claims(metric))
        items.extend(Paragraph(f"{text}.") for text in self._remarks())
        items.extend(Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in self.metrics)
        items.append(Paragraph(f"{self.signature} · inputs {self.testset.fingerprint}", "signature"))
        items.append(Paragraph(self.methods(), "methods"))
        return Document(tuple(items))

    def _verdicts(self, metric: MetricInfo, width: int | None) -> list[Paragraph]:
        """A sentence for each comparison; of many, three that gather the better, the worse and the undecided."""
        family = self._family(metric.key)
        if len(family) <= MANY or metric.higher_is_better is None:
            return [Paragraph(self.verdict(one, width), "verdict", TONES[one.better]) for one in family]
        decimals = decimals_for(metric, self.scores, width)
        tests = " or ".join(sorted({TESTS[one.test].label for one in family}))
        after = f" after {_METHODS[family[0].adjustment]}" if self._adjusts else ""
        claims = {one.claim for one in family}
        claim = claims.pop() if len(claims) == 1 else max(claims, key=len).replace("this run", "these runs")
        evidence = f"for {claim} ({tests}, p ≤ {self.alpha:g}{after})"
        if self.baseline is None:
            return _pairs_verdicts(metric, family, evidence, decimals)
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
                paragraphs.append(Paragraph(f"{opening}: {members}.", "verdict", TONES[outcome]))
        return paragraphs

    def _other_claims(self, metric: MetricInfo) -> list[str]:
        """Where new runs are not shown to be better but these runs are, say so: that is what runs are for."""
        said = []
        beside = [one for others in self._other_tests(metric.key).values() for one in others.values()]
        for one in self._family(metric.key):
            if one.test != "crossed" or one.significant:
                continue
            for other in beside:
                same = (other.baseline, other.system) == (one.baseline, one.system)
                if same and other.significant and "new runs" not in other.claim:
                    said.append(
                        f"For {other.claim} alone, {one.system} and {one.baseline} do differ "
                        f"({TESTS[other.test].label}, {self._p_words(other)}): the runs vary too much, or are too few, "
                        "to say so of new ones."
                    )
                    break
        return said

    def _remarks(self) -> list[str]:
        """Notes without repetitions: what holds for all comparisons is said once."""
        remarks = [self._unit_remark()]
        if any(metric.higher_is_better is False for metric in self.metrics):
            remarks.append("Δ is positive where the system is better, also where lower scores are better")
        shared = self._shared_notes()
        remarks.extend(f"{test}: {note}" for test, note in shared)
        for one in self.comparisons:
            metric = next(metric for metric in self.metrics if metric.key == one.metric)
            several = len(self.comparisons) > 1
            who = one.system if self.baseline is not None else f"{one.system} and {one.baseline}"
            label = f"{who}, {metric.label}" + (f", {one.test}" if self._other_tests(one.metric) else "")
            own = [note for note in one.notes if (one.test, note) not in shared]
            remarks.extend(f"{label}: {note}" if several else note[:1].upper() + note[1:] for note in own)
        if any((TESTS[one.test].kind, one.unit) == ("classical", "segment") for one in self.comparisons):
            remarks.extend(self._effects())
        return [*remarks, *self.notes]

    def _shared_notes(self) -> list[tuple[str, str]]:
        """Notes that a test has on all of its comparisons, where there are several: said once."""
        found: list[tuple[str, str]] = []
        for test in dict.fromkeys(one.test for one in self.comparisons):
            mine = [one for one in self.comparisons if one.test == test]
            if len(mine) > 1:
                found.extend((test, note) for note in mine[0].notes if all(note in one.notes for one in mine))
        return found

    def _effects(self) -> list[str]:
        """Wins, ties and losses, for the reader of a test of segment scores."""
        said = []
        for metric in self.metrics:
            for one in self._family(metric.key):
                if one.effect is not None:
                    effect = one.effect
                    size = "" if effect.standardized is None else f"; standardised Δ {signed(effect.standardized, 2)}"
                    said.append(
                        f"{metric.label} of segments: {one.system} beats {one.baseline} on {effect.wins:,}, ties on "
                        f"{effect.ties:,} and loses on {effect.losses:,}{size}"
                    )
        return said

    def _unit_remark(self) -> str:
        """What was resampled, and what the other choice would have done to the standard error."""
        effects = [one.design_effect for one in self.comparisons if one.design_effect is not None]
        unit = self.unit
        if unit in ("block", "domain", "testset"):
            return "Unit: " + {"block": "blocks of segments", "domain": "domains", "testset": "test sets"}[unit]
        text = f"Unit: {unit}s"
        if not effects:
            return text
        ratio = (sum(effects) / len(effects)) ** 0.5
        if unit == "document":
            size, word = (ratio, "small") if ratio >= 1 else (1 / ratio, "large")
            return f"{text}. Treating segments as independent would make the standard error {size:.2g}× too {word}"
        return f"{text}, though documents are known: with these the standard error would be {ratio:.2g}× as large"


def _pairs_verdicts(metric: MetricInfo, family: list[Comparison], evidence: str, decimals: int) -> list[Paragraph]:
    """Of many pairs: which system is better than which, and which are not told apart."""
    better: dict[str, list[str]] = {}
    undecided = []
    for one in sorted(family, key=lambda one: -abs(one.delta)):
        if one.better is None:
            undecided.append(f"{one.system} and {one.baseline}")
        else:
            winner, loser = (one.system, one.baseline) if one.better else (one.baseline, one.system)
            better.setdefault(winner, []).append(f"{loser} ({signed(abs(one.delta), decimals)})")
    said = [
        Paragraph(f"By {metric.label}, {winner} is better {evidence} than {', '.join(losers)}.", "verdict", "good")
        for winner, losers in better.items()
    ]
    if undecided:
        said.append(Paragraph(f"{metric.label} does not tell apart: {', '.join(undecided)}.", "verdict"))
    return said


def _units_words(unit: str, count: int) -> str:
    """What is drawn or swapped, for the methods sentence."""
    if unit == "block":
        return f"blocks of the {count:,} segments"
    return f"{count:,} {'test set' if unit == 'testset' else unit}s"


def _side(alternative: str, metric: MetricInfo) -> str:
    words = ("better", "worse") if metric.higher_is_better is not None else ("higher", "lower")
    return words[0] if alternative == "greater" else words[1]


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
