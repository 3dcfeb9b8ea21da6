"""Names and what they stand for, without importing any of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Literal, NamedTuple

_MOST = 0.065  # of true nulls at 5 %: a test that was measured to reject more does not keep its level


class Entry(NamedTuple):
    """A metric that can be asked for by name.

    Attributes
    ----------
    target : str
        ``module:attribute``, imported when it is used.
    summary : str
        One line for listings.
    source : str
        The paper, if there is one.
    better : str
        Which way is better: "higher", "lower", "either" (the user says) or "neither".
    reads : str
        Whether files hold texts or scores.
    """

    target: str
    summary: str
    source: str = ""
    better: Literal["higher", "lower", "either", "neither"] = "higher"
    reads: Literal["text", "scores"] = "text"


METRICS: dict[str, Entry] = {
    "bleu": Entry("truegain.metrics.bleu:BLEU", "n-gram precision with a brevity penalty", "Papineni et al. 2002"),
    "nist": Entry(
        "truegain.metrics.nist:NIST",
        "n-gram precision weighed by information, with a brevity penalty",
        "Doddington 2002",
    ),
    "chrf": Entry(
        "truegain.metrics.chrf:CHRF", "character n-gram F-score; word_order=2 for chrF++", "Popović 2015, 2017"
    ),
    "ter": Entry(
        "truegain.metrics.ter:TER",
        "edits, moves of blocks among them, over reference length",
        "Snover et al. 2006",
        better="lower",
    ),
    "meteor": Entry(
        "truegain.metrics.meteor:METEOR",
        "words matched by form, stem, synonym and paraphrase, and their order",
        "Denkowski and Lavie 2014",
    ),
    "wer": Entry(
        "truegain.metrics.wer:WER", "substitutions, deletions and insertions over reference words", better="lower"
    ),
    "per": Entry(
        "truegain.metrics.per:PER", "word error rate without regard to order", "Tillmann et al. 1997", better="lower"
    ),
    "cer": Entry("truegain.metrics.cer:CER", "word error rate of characters", better="lower"),
    "length": Entry(
        "truegain.metrics.length:Length",
        "hypothesis length over reference length",
        "Clark et al. 2011",
        better="neither",
    ),
    "rouge1": Entry("truegain.metrics.rouge:Rouge1", "words in common, mean over segments", "Lin 2004"),
    "rouge2": Entry("truegain.metrics.rouge:Rouge2", "pairs of words in common, likewise", "Lin 2004"),
    "rougel": Entry("truegain.metrics.rouge:RougeL", "longest common subsequence of texts", "Lin 2004"),
    "rougelsum": Entry("truegain.metrics.rouge:RougeLsum", "longest common subsequences of sentences", "Lin 2004"),
    "rouge": Entry("truegain.metrics.rouge:RougeN", "n-grams in common: rouge:n=3", "Lin 2004"),
    "unigram": Entry(
        "truegain.metrics.unigram:Unigram",
        "precision, recall or F of words, whatever their order",
        "van Rijsbergen 1979; Melamed et al. 2003",
    ),
    "exact": Entry(
        "truegain.metrics.exact:ExactMatch",
        "share of segments that equal the reference; normalize=squad for answers",
        "Rajpurkar et al. 2016",
    ),
    "squad_f1": Entry(
        "truegain.metrics.squad_f1:SquadF1", "F of words, mean over answers", "Rajpurkar et al. 2016, 2018"
    ),
    "accuracy": Entry("truegain.metrics.accuracy:Accuracy", "share of labels that are right"),
    "uas": Entry(
        "truegain.metrics.dependency:UAS",
        "dependency parsing: words with the right head (CoNLL-U)",
        "Zeman et al. 2018",
    ),
    "las": Entry(
        "truegain.metrics.dependency:LAS",
        "dependency parsing: words with the right head and relation (CoNLL-U)",
        "Zeman et al. 2018",
    ),
    "parseval": Entry(
        "truegain.metrics.parseval:Parseval",
        "constituency parsing: F1 of labelled brackets, as evalb counts",
        "Black et al. 1991",
    ),
    "aer": Entry(
        "truegain.metrics.alignment:AER", "word alignment: the alignment error rate", "Och and Ney 2003", better="lower"
    ),
    "alignment": Entry(
        "truegain.metrics.alignment:Alignment",
        "word alignment: F of links, or precision, or recall",
        "Fraser and Marcu 2007",
    ),
    "span_f1": Entry(
        "truegain.metrics.spans:SpanF1",
        "named entities and chunks in BIO tags: F1 of spans, as conlleval counts",
        "Tjong Kim Sang and De Meulder 2003",
    ),
    "tag_accuracy": Entry("truegain.metrics.tag_accuracy:TagAccuracy", "words with the right tag"),
    "scores": Entry(
        "truegain.metrics.segment_scores:SegmentScores",
        "segment scores made elsewhere (COMET, MetricX, MQM, ratings): their mean, or a ratio of two columns",
        better="either",
        reads="scores",
    ),
    "mqm": Entry(
        "truegain.metrics.mqm:MQM",
        "errors that raters marked, by severity and category: minus their weighted number per segment",
        "Freitag et al. 2021",
        reads="scores",
    ),
    "pass": Entry(
        "truegain.metrics.pass_at_k:PassAtK",
        "samples that are right or wrong: the probability that one of k is right: pass:k=5",
        "Chen et al. 2021",
        reads="scores",
    ),
    "majority": Entry(
        "truegain.metrics.majority:Majority",
        "samples with answers: whether the most frequent is right: majority:column=answer",
        reads="scores",
    ),
}

#: Metrics that another program or package computes.
SCORERS: dict[str, Entry] = {
    "comet": Entry("", "COMET by unbabel-comet: source, output and reference", "Rei et al. 2022"),
    "cometkiwi": Entry("", "CometKiwi by unbabel-comet: without a reference", "Rei et al. 2022"),
    "xcomet": Entry("", "xCOMET by unbabel-comet", "Guerreiro et al. 2024"),
}

#: The metrics of scores that were made elsewhere.
OF_SCORES = frozenset(name for name, entry in METRICS.items() if entry.reads == "scores")


@dataclass(frozen=True)
class TestEntry:
    """A significance test that can be asked for by name.

    Attributes
    ----------
    target : str
        ``module:attribute``, imported when it is used.
    kind : str
        "recommended"; "classical", on segment scores; "published", a paper's procedure to the letter; "compatible",
        another tool's.
    label : str
        What sentences call it.
    summary : str
        What it does.
    null : str
        The null hypothesis, with places for {system}, {baseline} and {unit}.
    source : str
        The papers, or the tool.
    unit : str
        "as chosen" (by ``--unit``), or what the test is defined on.
    sides : str
        "as chosen" (by ``--alternative``), "two-sided", or "one-sided": towards the better system.
    short : str
        What stands above a column of its p-values; by default its name.
    shifted : str
        The null hypothesis about another gain than zero, with a place for {gain} as well; empty if the test has
        none.
    article : str
        What stands before its label within a sentence: ``the``, or nothing.
    """

    __test__ = False  # not a test class for pytest

    target: str
    kind: Literal["recommended", "classical", "published", "compatible"]
    label: str
    summary: str
    null: str
    source: str
    unit: str = "as chosen"
    sides: str = "as chosen"
    short: str = ""
    shifted: str = ""
    article: str = ""

    @property
    def named(self) -> str:
        """The label with its article, as within a sentence."""
        return f"{self.article} {self.label}".strip()


_EXCHANGEABLE = "the outputs of {system} and {baseline} are exchangeable, {unit} by {unit}"
_NO_DIFFERENCE = "the difference between {system} and {baseline} over all {unit}s like these is zero"
_NO_GAIN = "the better of {system} and {baseline} is not better over all {unit}s like these"
_RUNS = "runs of {system} and {baseline} score the same on this test set"
_GAIN = "the gain of {system} over {baseline} over all {unit}s like these is {gain}"

#: Of segments, and two-sided, as most tests are that papers and other tools define.
_two_sided = partial(TestEntry, unit="segment", sides="two-sided")

TESTS: dict[str, TestEntry] = {
    "crossed": TestEntry(
        "truegain.procedures.replicas:CROSSED",
        "recommended",
        "crossed test",
        "Student's t with the variance over runs and over units, of several runs of each system",
        "new runs of {system} and {baseline} score the same over all {unit}s like these",
        "Satterthwaite 1946",
        shifted="the gain of new runs of {system} over those of {baseline} over all {unit}s like these is {gain}",
        article="the",
    ),
    "raters": TestEntry(
        "truegain.procedures.raters:RATERS",
        "recommended",
        "test of raters",
        "Student's t with the variance of ratings over raters and over units",
        "new {rater}s score {system} and {baseline} the same over all {unit}s like these",
        "Cameron, Gelbach and Miller 2011; Satterthwaite 1946",
        shifted="the gain of {system} over {baseline} by new {rater}s over all {unit}s like these is {gain}",
        article="the",
    ),
    "ar": TestEntry(
        "truegain.procedures.randomization:AR",
        "recommended",
        "approximate randomization",
        "swap the two systems' outputs unit by unit",
        _EXCHANGEABLE,
        "Noreen 1989; Riezler and Maxwell 2005",
    ),
    "tango": TestEntry(
        "truegain.procedures.proportions:TANGO",
        "recommended",
        "score test of paired proportions",
        "wins and losses of scores with two values, with the variance that the null hypothesis implies",
        _NO_DIFFERENCE,
        "Tango 1998; Wilson 1927",
        shifted=_GAIN,
        article="the",
    ),
    "bootstrap": TestEntry(
        "truegain.procedures.bootstrap:BOOTSTRAP",
        "recommended",
        "paired bootstrap",
        "draw units with replacement, centre on the observed difference, correct for few units",
        _NO_DIFFERENCE,
        "Koehn 2004; Efron and Tibshirani 1993",
        shifted=_GAIN,
        article="the",
    ),
    "skew-t": TestEntry(
        "truegain.procedures.margins:SKEW_T",
        "recommended",
        "t-test corrected for skewness",
        "Student's t of the gain over units, with a larger critical value if losses are concentrated in few",
        _NO_DIFFERENCE,
        "Student 1908; Johnson 1978",
        shifted=_GAIN,
        article="the",
    ),
    "exact": TestEntry(
        "truegain.procedures.exact:EXACT",
        "recommended",
        "exact randomization",
        "all swaps instead of random ones, where they can be counted: no Monte-Carlo error",
        _EXCHANGEABLE,
        "Fisher 1935; Pagano and Tritchler 1983; Zmigrod et al. 2022",
    ),
    "stationary-bootstrap": TestEntry(
        "truegain.procedures.bootstrap:STATIONARY",
        "recommended",
        "stationary bootstrap",
        "the paired bootstrap with blocks of neighbouring segments, for texts whose segments depend on each other",
        _NO_DIFFERENCE,
        "Politis and Romano 1994; Politis and White 2004; Okita and Way",
        unit="block",
        shifted=_GAIN,
        article="the",
    ),
    "run-permutation": TestEntry(
        "truegain.procedures.replicas:RUN_PERMUTATION",
        "recommended",
        "permutation of runs",
        "regroup the runs of both systems in every way, exactly up to a million",
        _RUNS,
        "Fisher 1935",
        unit="run",
        short="runs",
    ),
    "welch": TestEntry(
        "truegain.procedures.replicas:WELCH",
        "classical",
        "Welch's t-test",
        "mean over standard error of the difference of run scores",
        _RUNS,
        "Welch 1947",
        unit="run",
        shifted="the gain of runs of {system} over those of {baseline} on this test set is {gain}",
    ),
    "t": TestEntry(
        "truegain.procedures.classical:T",
        "classical",
        "paired t-test",
        "mean over standard error of the differences of segment scores",
        "the mean difference of the segment scores of {system} and {baseline} is zero",
        "Student 1908",
        unit="segment",
        shifted="the mean gain of {system} over {baseline} in the score of a segment is {gain}",
        article="the",
    ),
    "wilcoxon": TestEntry(
        "truegain.procedures.classical:WILCOXON",
        "classical",
        "Wilcoxon signed-rank test",
        "ranks of the differences of segment scores",
        "the differences of the segment scores of {system} and {baseline} are symmetric about zero",
        "Wilcoxon 1945",
        unit="segment",
        article="the",
    ),
    "sign": TestEntry(
        "truegain.procedures.classical:SIGN",
        "classical",
        "sign test",
        "on how many segments is either better?",
        "{system} and {baseline} are as likely to be the better one of a segment",
        "Arbuthnot 1710; Dixon and Mood 1946",
        unit="segment",
        article="the",
    ),
    "mcnemar": TestEntry(
        "truegain.procedures.classical:MCNEMAR",
        "classical",
        "McNemar's test",
        "the sign test for segment scores that are 0 or 1, exact",
        "where only one of {system} and {baseline} is right, it is as often the one as the other",
        "McNemar 1947",
        unit="segment",
    ),
    "koehn2004": TestEntry(
        "truegain.procedures.bootstrap:KOEHN",
        "published",
        "Koehn's bootstrap",
        "share of resamples in which the better system does not win; not centred",
        _NO_GAIN,
        "Koehn 2004",
        unit="segment",
        sides="one-sided",
    ),
    "riezler2005-ar": _two_sided(
        "truegain.procedures.randomization:RIEZLER",
        "published",
        "Riezler and Maxwell's randomization",
        "approximate randomization of segments, absolute differences",
        _EXCHANGEABLE,
        "Riezler and Maxwell 2005; Okita and Way; Sokolov",
    ),
    "riezler2005-bootstrap": _two_sided(
        "truegain.procedures.bootstrap:RIEZLER",
        "published",
        "Riezler and Maxwell's bootstrap",
        "absolute differences less their mean over resamples",
        _NO_DIFFERENCE,
        "Riezler and Maxwell 2005; Okita and Way",
    ),
    "bergkirkpatrick2012": TestEntry(
        "truegain.procedures.bootstrap:BERG_KIRKPATRICK",
        "published",
        "Berg-Kirkpatrick et al.'s bootstrap",
        "share of resamples with a difference above twice the observed one",
        _NO_GAIN,
        "Berg-Kirkpatrick et al. 2012",
        unit="segment",
        sides="one-sided",
    ),
    "clark2011": _two_sided(
        "truegain.procedures.shuffle_runs:CLARK",
        "published",
        "Clark et al.'s randomization",
        "deal out the outputs of a segment again among the systems' runs",
        "the outputs of {system} and {baseline} are exchangeable within each segment",
        "Clark et al. 2011",
    ),
    "fu-bootstrap": TestEntry(
        "truegain.procedures.runs:FU_BOOTSTRAP",
        "published",
        "Fu et al.'s bootstrap",
        "draw the runs of each system with replacement; absolute differences less their mean over resamples",
        _RUNS,
        "Fu et al., table 3",
        unit="run",
        sides="two-sided",
    ),
    "fu-ar": TestEntry(
        "truegain.procedures.runs:FU_AR",
        "published",
        "Fu et al.'s randomization",
        "swap the scores of the systems' runs, pair by pair",
        _RUNS,
        "Fu et al., table 4",
        unit="run",
        sides="two-sided",
    ),
    "fu-rows-bootstrap": _two_sided(
        "truegain.procedures.rows:FU_ROWS_BOOTSTRAP",
        "published",
        "Fu et al.'s bootstrap of rows",
        "draw rows (segment × run) of all runs, laid end to end, as if independent; counted as fu-bootstrap",
        _NO_DIFFERENCE,
        "Fu et al., table 6, who take it for Clark et al.'s",
        short="rows bs",
    ),
    "fu-rows-ar": _two_sided(
        "truegain.procedures.rows:FU_ROWS_AR",
        "published",
        "Fu et al.'s randomization of rows",
        "swap rows (segment × run) of all runs, laid end to end, one by one, with a strict greater",
        _EXCHANGEABLE,
        "Fu et al., table 6, who take it for Clark et al.'s",
        short="rows ar",
    ),
    "sacrebleu-bs": _two_sided(
        "truegain.procedures.bootstrap:SACREBLEU",
        "compatible",
        "sacreBLEU's bootstrap",
        "as riezler2005-bootstrap, with a strict greater",
        _NO_DIFFERENCE,
        "sacreBLEU --paired-bs",
    ),
    "sacrebleu-ar": _two_sided(
        "truegain.procedures.randomization:SACREBLEU",
        "compatible",
        "sacreBLEU's randomization",
        "as riezler2005-ar, with a strict greater",
        _EXCHANGEABLE,
        "sacreBLEU --paired-ar",
    ),
    "multeval-ar": _two_sided(
        "truegain.procedures.rows:MULTEVAL",
        "compatible",
        "MultEval's randomization",
        "all runs scored as one text, rows swapped run by run, with a strict greater",
        _EXCHANGEABLE,
        "MultEval 0.5.1",
    ),
    "moses-bs": _two_sided(
        "truegain.procedures.bootstrap:MOSES",
        "compatible",
        "Moses' bootstrap",
        "as riezler2005-bootstrap, divided by the number of resamples",
        _NO_DIFFERENCE,
        "Moses, bootstrap-hypothesis-difference-significance.pl",
    ),
}


#: The tests that draw nothing: their p-values come from distributions, or from counting.
CLOSED_FORM = frozenset(
    {name for name, entry in TESTS.items() if entry.kind == "classical"}
    | {"crossed", "raters", "tango", "skew-t", "exact", "run-permutation"}
)


def size_off_level(test: str) -> float | None:
    """Return the measured size of a test at 5 % if it does not keep that level, else None."""
    size = measured_sizes().get(test)
    return size if size is not None and size > _MOST else None


@cache
def measured_sizes() -> dict[str, float]:
    """Return the share of true nulls that each test rejects at 5 %, as ``make calibration`` measured it."""
    import json
    from pathlib import Path

    sizes: dict[str, float] = json.loads(Path(__file__).with_name("sizes.json").read_text("utf-8"))["sizes"]
    return sizes
