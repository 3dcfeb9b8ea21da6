"""Significance of reported gains as a table and sentences."""

from __future__ import annotations

from truegain.inference.distributions import normal_quantile
from truegain.notes import Note
from truegain.report.model import Cell, Column, Document, Paragraph, Table, listing, remark, whole
from truegain.studies.shared_view import describe_testset, interval_cell, interval_text, signatures, unit_words
from truegain.studies.significance.result import ReportedGain, SignificanceResult


def document(result: SignificanceResult, decimals: int | None) -> Document:
    """Return the table of gains, a verdict on each, what to know, and the method; ``decimals`` are of percentages."""
    items: list[Table | Paragraph] = [
        Paragraph(f"profile: {describe_testset(result.testset, ())}", "title"),
        _table(result, 0 if decimals is None else decimals),
    ]
    items.extend(Paragraph(text, "verdict") for text in verdicts(result))
    items.extend(remark(text) for text in _remarks(result))
    items.extend(signatures(result))
    items.append(Paragraph(methods(result), "methods"))
    return Document(tuple(items))


def _table(result: SignificanceResult, decimals: int) -> Table:
    metric = result.metrics[0]

    def show(share: float) -> str:
        return _percent(share, decimals)

    rows = []
    for one in result.gains:
        ends = Cell("–", "quiet")
        if one.low is not None and one.high is not None:
            ends = interval_cell(one.low, one.probability, one.high, show)
        rows.append(
            (Cell(f"{one.gain:g}", value=one.gain), Cell(show(one.probability), "strong", one.probability), ends)
        )
    columns = (Column(f"{metric.label}: gain", "left"), Column("significant"), Column("95 % CI"))
    note = f"significant: the probability of p ≤ {result.alpha:g}, one-sided, for systems like those of the profile."
    caption = f"The probability that a reported gain in {metric.label} is significant"
    return Table(columns, tuple(rows), caption, (note,))


def verdicts(result: SignificanceResult) -> list[str]:
    """Return a sentence per gain."""
    return [_verdict(result, one) for one in result.gains]


def _verdict(result: SignificanceResult, one: ReportedGain) -> str:
    kind = "variants of one system" if result.group == "same" else "systems like these"
    over = ""
    if one.low is not None and one.high is not None:
        over = f" ({interval_text(one.low, one.high, _percent)} over systems)"
    return (
        f"A gain of {one.gain:g} {result.metrics[0].label} on {whole(result.segments, 'segment')} like those of "
        f"{result.testset.name} is significant with a probability of {_percent(one.probability)}{over}, if it is "
        f"between {kind}."
    )


def _percent(share: float, decimals: int = 0) -> str:
    """Write ``46 %``; what is not quite 0 or 1 does not look so."""
    least = 10.0**-decimals
    if 0.0 < 100.0 * share < least / 2.0:
        return f"< {least:.{decimals}f} %"
    if 100.0 - least / 2.0 < 100.0 * share < 100.0:
        return f"> {100.0 - least:.{decimals}f} %"
    return f"{100.0 * share:.{decimals}f} %"


def _remarks(result: SignificanceResult) -> list[Note | str]:
    ratio = normal_quantile(1.0 - result.alpha / 2.0) / normal_quantile(1.0 - result.alpha)
    pairs = "pairs of similar systems among" if result.group == "same" else "pairs of"
    return [
        f"Predicted from {result.pairs:,} {pairs} {result.systems} systems: only the outputs of the two systems can "
        "tell for certain",
        f"Unit: {unit_words(result.unit)}",
        f"Tests are one-sided; a two-sided one at {result.alpha:g} takes a gain {ratio:.2f} times as large",
        *result.notes,
    ]


def methods(result: SignificanceResult) -> str:
    """Describe the method in a few sentences, to paste into a paper."""
    label, quantile = result.metrics[0].label, normal_quantile(1.0 - result.alpha)
    gains = listing([f"{one.gain:g}" for one in result.gains])
    behind, its = ("the gain", "Its") if len(result.gains) == 1 else ("the gains", "Their")
    similar = " of similar systems among" if result.group == "same" else " of"
    scaled = ""
    if result.segments != result.testset.segments:
        scaled = (
            f", scaled from {result.testset.segments:,} to {result.segments:,} segments by one over the root of the "
            "size"
        )
    return (
        f"The outputs behind {behind} of {gains} {label} were not available. {its} significance was predicted from "
        f"{result.pairs:,} pairs{similar} {result.systems} other systems on {result.testset.name}, after "
        f"Berg-Kirkpatrick et al. (2012): a gain is significant (one-sided p ≤ {result.alpha:g}) if it is at least "
        f"{quantile:.3f} standard errors of its difference, and the error was predicted by a local regression of log "
        f"standard errors on gains{scaled}. Intervals of 95 % come from {result.draws:,} draws of systems with "
        f"replacement (truegain {result.version}, seed {result.seed})."
    )


def prose(result: SignificanceResult) -> dict[str, str | list[str]]:
    """Return the sentences of the JSON."""
    return {"verdicts": verdicts(result), "methods": methods(result)}
