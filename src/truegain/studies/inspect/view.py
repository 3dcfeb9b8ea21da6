"""An inspection as segments to read, tables and sentences."""

from __future__ import annotations

from truegain.changed_segments import ChangedPair
from truegain.inference.results import MetricInfo
from truegain.report.model import Document, Paragraph, Passages, Table, remark, signed
from truegain.report.page import Section
from truegain.report.page_data import contribution_digits
from truegain.studies.inspect.passages import passage
from truegain.studies.inspect.result import InspectResult
from truegain.studies.inspect.tables import (
    caption_of,
    groups_table,
    listed_sentence,
    movement_sentences,
    ngrams_tables,
    sum_note,
    words_table,
)
from truegain.studies.shared_view import decimals_for, describe_testset, segments_item, signatures

_READING = (
    "A contribution is half of what Δ loses where the two outputs of a segment, or of a group of segments, are "
    "swapped, as approximate randomization swaps them at random. Δ is what is left of much that speaks for either "
    "system, so the share of a single segment may be large, or below zero. Arrows lead from the baseline to the system."
)
_NO_TESTS = (
    "These are descriptions of this test set, not tests: what is listed was chosen because it differs, and no p-value "
    "would mean anything for it. Whether the gain is real is what truegain compare answers."
)


def document(result: InspectResult, decimals: int | None) -> Document:
    """Return the gain, the segments that changed most, tables, and how all this is to be read."""
    items: list[Table | Paragraph | Passages] = [
        Paragraph(describe_testset(result.testset, result.scores), "title"),
    ]
    places = {metric.key: decimals_for(metric, result.scores, decimals) for metric in result.metrics}
    several = any(one.runs > 1 for one in result.scores)
    for metric, movement, pair in zip(result.metrics, result.movements, result.changed_segments, strict=True):
        told = movement_sentences(metric, movement, result.baseline, result.system, places[metric.key], several=several)
        together = listed_sentence(pair, metric, places[metric.key])
        items.extend(Paragraph(text, "verdict") for text in [*told, *([together] if together else [])])
        items.extend(_passages(result, metric, pair, places[metric.key]))
    for metric in result.metrics:
        items.extend(_group_tables(result, metric, places[metric.key]))
    if result.words:
        items.append(words_table(result.words, result.frequencies))
    items.extend(ngrams_tables(result.ngrams, result.baseline, result.system))
    items.extend(Paragraph(text) for text in _reading(result, decimals))
    items.extend(remark(note) for note in result.notes)
    items.extend(signatures(result))
    return Document(tuple(items))


def appendix(result: InspectResult, decimals: int | None) -> tuple[Section, ...]:
    """Return the segments that changed most, to look through."""
    if not any(pair.up or pair.down for pair in result.changed_segments):
        return ()
    return (Section("Segments that moved most", (segments_item(result, result.changed_segments, decimals),)),)


def remarks(result: InspectResult, decimals: int | None = None) -> list[str]:
    """Return how to read the result, and what to know about it."""
    return [*_reading(result, decimals), *(f"{note}." for note in result.notes)]


def _reading(result: InspectResult, decimals: int | None) -> list[str]:
    """Return how to read the result."""
    told = [_READING]
    if result.words:
        told.append(_on_words(result))
    for metric, movement in zip(result.metrics, result.movements, strict=True):
        places = decimals_for(metric, result.scores, decimals)
        note = sum_note(movement, metric, places)
        if note is not None:
            told.append(f"{note}.")
        if signed(movement.delta, places) != signed(movement.delta_of_means, places):
            told.append(
                f"Δ between the median runs ({signed(movement.delta, places)} {metric.label}) is not that "
                f"between the means over runs ({signed(movement.delta_of_means, places)})."
            )
    return [*told, _NO_TESTS]


def _on_words(result: InspectResult) -> str:
    where = "the references" if result.frequencies is None else result.frequencies
    told = [
        f"Words are counted in {where}; in each segment a word or n-gram is right as often as the reference has it."
    ]
    if result.testset.references > 1:
        told.append("Of several references, the one that has most of it counts, as in BLEU.")
    none = result.words[0]
    if none.wanted == 0 and none.low == 0 and any(none.produced):
        told.append(
            f"Of the words that no reference has, {result.baseline} uses {none.produced[0]:,} and {result.system} "
            f"{none.produced[1]:,}."
        )
    runs = {(one.baseline_run, one.system_run) for one in result.movements}
    if len(runs) > 1:
        first = result.movements[0]
        told.append(
            f"Words and n-grams are those of {first.baseline_run} and {first.system_run}, the median runs under "
            f"{result.metrics[0].label}."
        )
    return " ".join(told)


def _passages(result: InspectResult, metric: MetricInfo, pair: ChangedPair, decimals: int) -> list[Passages]:
    digits = contribution_digits([one.contribution for one in (*pair.up, *pair.down)], decimals)
    return [
        Passages(
            caption_of(metric, result.system, up),
            tuple(passage(pair, one, metric.label, decimals=decimals, digits=digits) for one in listed),
        )
        for up, listed in ((True, pair.up), (False, pair.down))
        if listed
    ]


def _group_tables(result: InspectResult, metric: MetricInfo, decimals: int) -> list[Table]:
    tables = []
    documents = [one for one in result.documents if one.metric == metric.key]
    if documents:
        up = [one for one in documents if one.contribution > 0][: result.count]
        down = [one for one in documents if one.contribution < 0][: result.count]
        caption = f"Documents that moved {metric.label} most, of {len(documents):,}"
        breaks = (len(up),) if up and down else ()
        tables.append(groups_table(metric, [*up, *down], "document", caption, decimals, breaks))
    lengths = [one for one in result.lengths if one.metric == metric.key and one.segments]
    if lengths:
        caption = f"{metric.label} by the length of the reference in words"
        tables.append(groups_table(metric, lengths, "reference length", caption, decimals, ()))
    return [table for table in tables if table.rows]
