"""Names and what they stand for, without importing any of it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["METRICS", "TESTS", "Entry"]


@dataclass(frozen=True)
class Entry:
    """One thing that can be asked for by name.

    Attributes
    ----------
    target : str
        For metrics, ``module:attribute``, imported when it is used.
    summary : str
        One line for listings.
    source : str
        The paper.
    better : str
        For metrics, which way is better: "higher", "lower", "either" (the user says) or "neither".
    """

    target: str
    summary: str
    source: str
    better: str = ""


METRICS: dict[str, Entry] = {
    "bleu": Entry(
        "truegain.metrics.bleu:BLEU", "n-gram precision with a brevity penalty", "Papineni et al. 2002", "higher"
    ),
    "chrf": Entry(
        "truegain.metrics.chrf:CHRF",
        "character n-gram F-score; word_order=2 for chrF++",
        "Popović 2015, 2017",
        "higher",
    ),
    "ter": Entry(
        "truegain.metrics.ter:TER",
        "edits, moves of blocks among them, over reference length",
        "Snover et al. 2006",
        "lower",
    ),
    "wer": Entry(
        "truegain.metrics.wer:WER", "substitutions, deletions and insertions over reference words", "", "lower"
    ),
    "per": Entry(
        "truegain.metrics.per:PER", "word error rate without regard to order", "Tillmann et al. 1997", "lower"
    ),
    "cer": Entry("truegain.metrics.cer:CER", "word error rate of characters", "", "lower"),
    "length": Entry(
        "truegain.metrics.length:Length", "hypothesis length over reference length", "Clark et al. 2011", "neither"
    ),
    "scores": Entry(
        "truegain.metrics.segment_scores:SegmentScores",
        "segment scores made elsewhere (COMET, MetricX, MQM, ratings): their mean, or a ratio of two columns",
        "",
        "either",
    ),
}

TESTS: dict[str, Entry] = {
    "ar": Entry(
        "",
        "approximate randomization: swap the two systems' outputs unit by unit; null: the two are exchangeable",
        "Noreen 1989; Riezler and Maxwell 2005",
    ),
    "bootstrap": Entry(
        "",
        "paired bootstrap, centred on the observed difference; null: the population difference is zero",
        "Efron and Tibshirani 1993; Koehn 2004",
    ),
}
