"""Tables and sentences of an inspection."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.changed_segments import ChangedPair
from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Table, Tone, decimal, signed, whole
from truegain.report.page_data import contribution_digits
from truegain.studies.inspect.findings import GroupGain, Movement, NgramUse, WordBucket
from truegain.studies.inspect.passages import share_text, visible
from truegain.studies.shared_view import heading_of

_ADDS_UP = 0.02  # of the gain: how far the sum of contributions may be from it without a word
_ARROW = "baseline → system"
_PERCENT = 2


def movement_sentences(
    metric: MetricInfo, movement: Movement, baseline: str, system: str, decimals: int, *, several: bool
) -> list[str]:
    """Say how large the gain is, and how many segments speak for it and against it; of several runs, which are read."""
    digits = contribution_digits([movement.sum_up, movement.sum_down], decimals)
    old, new = (decimal(score, decimals) for score in (movement.baseline_score, movement.system_score))
    runs = [
        f"{name} ({run})" if several else name
        for name, run in ((baseline, movement.baseline_run), (system, movement.system_run))
    ]
    what = (
        f"{movement.up:,} of {whole(movement.up + movement.down + movement.still, 'segment')} speak for {system} "
        f"({signed(movement.sum_up, digits)} in all), {movement.down:,} against it "
        f"({signed(movement.sum_down, digits)}), {movement.still:,} for neither"
    )
    if metric.higher_is_better is None:
        what = (
            f"Of {whole(movement.up + movement.down + movement.still, 'segment')}, {movement.up:,} raise it "
            f"({signed(movement.sum_up, digits)} in all), {movement.down:,} lower it "
            f"({signed(movement.sum_down, digits)}), {movement.still:,} do neither"
        )
    return [
        f"{metric.label} {old} → {new} from {runs[0]} to {runs[1]}: Δ {signed(movement.delta, decimals)}.",
        f"{what}.",
    ]


def listed_sentence(pair: ChangedPair, metric: MetricInfo, decimals: int) -> str | None:
    """Say what the listed segments explain together."""
    digits = contribution_digits([pair.explained_up, pair.explained_down], decimals)
    told = []
    for listed, explained, up in ((pair.up, pair.explained_up, True), (pair.down, pair.explained_down, False)):
        if listed:
            share = "" if listed[0].share is None else f", {share_text(explained / pair.delta)} of Δ"
            one = len(listed) == 1
            subject, verb = ("The one", "contributes") if one else (f"The {len(listed):,}", "contribute")
            together = "" if one else " together"
            told.append(
                f"{subject} that {_does(metric, pair.system, up, one)} most {verb} {signed(explained, digits)}"
                f"{together}{share}"
            )
    return f"{'. '.join(told)}." if told else None


def _does(metric: MetricInfo, system: str, up: bool, one: bool) -> str:
    ending = "s" if one else ""
    if metric.higher_is_better is None:
        return f"{'raise' if up else 'lower'}{ending} it"
    return f"speak{ending} for {system}" if up else f"speak{ending} against it"


def caption_of(metric: MetricInfo, system: str, up: bool) -> str:
    """Say what the listed segments have in common."""
    if metric.higher_is_better is None:
        return f"Segments that {'raise' if up else 'lower'} {metric.label} most"
    return f"Segments that speak most {'for' if up else 'against'} {visible(system)} ({metric.label})"


def sum_note(movement: Movement, metric: MetricInfo, decimals: int) -> str | None:
    """Note that the contributions do not add up to the gain, if so."""
    total = movement.sum_up + movement.sum_down
    if abs(total - movement.delta) <= max(_ADDS_UP * abs(movement.delta), 0.5 * 10.0**-decimals):
        return None
    return (
        f"The contributions to {metric.label} add up to {signed(total, decimals)}, not to Δ "
        f"({signed(movement.delta, decimals)}): it is no mean over segments. With BLEU that happens where one output "
        "is shorter than the references and the other is not, so that the brevity penalty sets in between the two; go "
        "by their order then, and not by their shares"
    )


def groups_table(
    metric: MetricInfo, groups: Sequence[GroupGain], heading: str, caption: str, decimals: int, breaks: tuple[int, ...]
) -> Table:
    """Return scores on groups of segments, and what these contribute."""
    digits = contribution_digits([one.contribution for one in groups], decimals)
    columns = (
        Column(f"{heading_of(metric)} by {heading}", "left"),
        Column("segments"),
        Column(_ARROW),
        Column("Δ"),
        Column("contribution"),
        Column("share"),
    )
    rows = []
    for one in groups:
        scores = delta = Cell("–")
        if one.baseline_score is not None and one.system_score is not None and one.delta is not None:
            scores = Cell(f"{decimal(one.baseline_score, decimals)} → {decimal(one.system_score, decimals)}")
            delta = Cell(signed(one.delta, decimals), value=one.delta)
        rows.append(
            (
                Cell(visible(one.label)),
                Cell(f"{one.segments:,}", value=one.segments),
                scores,
                delta,
                Cell(signed(one.contribution, digits), _tone(metric, one.contribution), value=one.contribution),
                Cell(share_text(one.share), value=one.share),
            )
        )
    return Table(columns, tuple(rows), caption, breaks=breaks)


def _tone(metric: MetricInfo, contribution: float) -> Tone:
    if metric.higher_is_better is None or contribution == 0.0:
        return "plain"
    return "good" if contribution > 0 else "bad"


def words_table(buckets: Sequence[WordBucket], frequencies: str | None) -> Table:
    """Return precision, recall and F1 of words by frequency."""
    where = "the references" if frequencies is None else visible(frequencies)
    columns = (
        Column("words by frequency", "left"),
        Column("in ref"),
        Column("precision"),
        Column("recall"),
        Column("F1"),
        Column("Δ F1"),
    )
    rows = []
    for one in buckets:
        if one.wanted == 0 and (one.low == 0 or not any(one.produced)):
            continue  # nothing to find: what is in no reference is told in a sentence
        delta = one.delta
        rows.append(
            (
                Cell(one.label),
                Cell(f"{one.wanted:,}", value=one.wanted),
                Cell(_change(one.precision)),
                Cell(_change(one.recall)),
                Cell(_change(one.f1)),
                Cell(
                    "–" if delta is None else signed(delta, _PERCENT),
                    "plain" if not delta else "good" if delta > 0 else "bad",
                    value=delta,
                ),
            )
        )
    return Table(columns, tuple(rows), f"Words by their frequency in {where}: baseline → system, in percent")


def _change(pair: tuple[float | None, float | None]) -> str:
    old, new = ("–" if one is None else f"{one:.{_PERCENT}f}" for one in pair)
    return f"{old} → {new}"


def ngrams_tables(ngrams: Sequence[NgramUse], baseline: str, system: str) -> list[Table]:
    """Return n-grams that one output has right, too often or too rarely more often than the other."""
    tables = []
    for use, words in (("right", "more often right in"), ("over", "more overused by"), ("under", "more underused by")):
        for more, name in (("system", system), ("baseline", baseline)):
            mine = [one for one in ngrams if (one.use, one.more) == (use, more)]
            if not mine:
                continue
            heading = f"{words} {visible(name)}"
            columns = (Column(heading, "left"), Column("by"), Column("in ref"), Column("used"), Column("right"))
            rows = tuple(
                (
                    Cell(visible(" ".join(one.words))),
                    Cell(f"{one.difference:,}", value=one.difference),
                    Cell(f"{one.reference:,}", value=one.reference),
                    Cell(f"{one.produced[0]:,} → {one.produced[1]:,}"),
                    Cell(f"{one.matched[0]:,} → {one.matched[1]:,}"),
                )
                for one in mine
            )
            tables.append(Table(columns, rows, f"N-grams {heading}: baseline → system"))
    return tables
