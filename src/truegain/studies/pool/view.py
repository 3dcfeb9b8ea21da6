"""Several test sets as tables and sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msgspec import structs

from truegain.report.model import Document, Paragraph, Table, remark
from truegain.report.page import Section
from truegain.studies.compare import view as single
from truegain.studies.compare.group_view import group_sentences, group_tables
from truegain.studies.compare.headline import headlines
from truegain.studies.pool import sentences
from truegain.studies.pool.result import PooledResult
from truegain.studies.pool.sentences import methods
from truegain.studies.pool.tables import decimals_of, many_table, replicability_table, replicability_tables, sets_table
from truegain.studies.shared_view import MANY, segments_item

__all__ = ["appendix", "decimals_of", "document", "methods", "prose", "verdicts"]

_TABLES = 6  # by group; more are not shown


def document(result: PooledResult, decimals: int | None) -> Document:
    """Return the answer, tables, on how many sets gains are shown, verdicts, what to know and the methods.

    Of one test set, the document of its comparison.
    """
    if result.micro is None:
        said = Paragraph("There is one test set: nothing is pooled.")
        warnings = [note for note in result.notes if note.warning]
        alone = structs.replace(result.sets[0], notes=(*warnings, *result.sets[0].notes))
        return Document((*single.document(alone, decimals).items, said))
    items: list[Table | Paragraph] = [Paragraph(sentences.title_line(result), "title")]
    items.extend(sentences.headline(result, decimals))
    for metric in result.metrics:
        places = decimals_of(result, metric, decimals)
        if len(result.pairs) > MANY:
            items.append(many_table(result, metric, places))
        else:
            items.extend(sets_table(result, metric, pair, places) for pair in result.pairs)
    if len(result.pairs) > MANY:
        items.extend(replicability_table(result))
    else:
        items.extend(replicability_tables(result))
    items.extend(_by_group(result, decimals))
    for metric in result.metrics:
        items.extend(sentences.verdicts(result, metric, decimals, mean=len(result.metrics) > 1))
    items.extend(remark(text) for text in sentences.remarks(result))
    items.extend(Paragraph(text, "signature") for text in sentences.signatures(result))
    items.append(Paragraph(methods(result), "methods"))
    return Document(tuple(items))


def _by_group(result: PooledResult, decimals: int | None) -> list[Table | Paragraph]:
    """Return the gains by group on every test set; if these are many, the sentences alone."""
    grouped = [one for one in result.sets if one.groups is not None]
    if not grouped:
        return []
    items: list[Table | Paragraph] = []
    tables = [group_tables(one, decimals) for one in grouped]
    shown = sum(map(len, tables)) <= _TABLES
    for one, own in zip(grouped, tables, strict=True):
        name = one.testset.name
        items += [replace(text, text=f"{name}: {text.text}", kind="verdict") for text in group_sentences(one)]
        for item in own if shown else ():
            named = f"{name}: {item.caption if isinstance(item, Table) else item.text}"
            items.append(replace(item, caption=named) if isinstance(item, Table) else replace(item, text=named))
    if not shown:
        items.append(Paragraph(f"Gains by group on {len(grouped)} test sets are in JSON, CSV and TSV only."))
    return items


def appendix(result: PooledResult, decimals: int | None) -> tuple[Section, ...]:
    """Return the segments that changed most on every test set, to look through."""
    return tuple(
        Section(f"Segments: {one.testset.name}", (segments_item(one, pairs, decimals),))
        for one in result.sets
        if (pairs := tuple(pair for pair in one.changed_segments if pair.up or pair.down))
    )


def verdicts(result: PooledResult, decimals: int | None = None) -> list[str]:
    """Return what holds over all test sets, and on how many of them, metric by metric."""
    return [one.text for metric in result.metrics for one in sentences.verdicts(result, metric, decimals)]


def prose(result: PooledResult) -> dict[str, Any]:
    """Return the sentences of the JSON; the answer is that of the mean of the test sets."""
    return {
        "headline": headlines(result.macro or result.sets[0]),
        "verdicts": verdicts(result),
        "methods": methods(result),
    }
