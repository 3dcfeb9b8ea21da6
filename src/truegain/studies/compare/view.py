"""A comparison as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from truegain.inference.results import Comparison, MetricInfo
from truegain.registry import TESTS
from truegain.report.model import Cell, Column, Document, Paragraph, Table, listing, p_text, remark
from truegain.studies.compare import sentences
from truegain.studies.compare.caveats import unmarked_note
from truegain.studies.compare.headline import headline, headlines
from truegain.studies.compare.remarks import remarks
from truegain.studies.compare.result import CompareResult
from truegain.studies.compare.sentences import methods, verdict
from truegain.studies.shared_view import (
    MANY,
    decimals_for,
    describe_testset,
    error_columns,
    gain_cells,
    heading_of,
    level_words,
    name_cell,
    row_of,
    score_cells,
    scores_table,
    segments_item,
    signatures,
    standard_errors_notes,
    tone_of,
    variability_tables,
)

if TYPE_CHECKING:
    from truegain.report.page import Section

__all__ = ["appendix", "arranged", "document", "headlines", "methods", "prose", "verdict", "verdicts"]

_SHORT = {"bonferroni": "Bonf.", "holm": "Holm", "hochberg": "Hochb.", "bh": "BH", "by": "BY", "maxt": "maxT"}


def document(result: CompareResult, decimals: int | None) -> Document:
    """Return the answer, a table for each metric, verdicts, what to know, signatures, and the methods sentence."""
    items: list[Table | Paragraph] = [Paragraph(describe_testset(result.testset, result.scores), "title")]
    items.extend(headline(result, decimals))
    by_group: Sequence[Table | Paragraph] = ()
    if result.groups is not None:
        from truegain.studies.compare.group_view import group_sentences, group_tables

        items.extend(group_sentences(result))
        by_group = group_tables(result, decimals)
    places = {metric.key: decimals_for(metric, result.scores, decimals) for metric in result.metrics}
    for metric in result.metrics:
        if result.baseline is None:
            items.append(_scores_table(result, metric, places[metric.key]))
        items.append(_gains_table(result, metric, places[metric.key]))
    items.extend(by_group)
    for metric in result.metrics:
        if result.other_tests(metric.key):
            items.append(_tests_table(result, metric))
    for metric in result.metrics:
        items.extend(variability_tables(metric, result.variability, places[metric.key], result.unit))
    for metric in result.metrics:
        if len(result.metrics) > 1:  # of one metric, they are the headline
            items.extend(sentences.verdicts(result, metric, decimals))
        items.extend(Paragraph(text, "verdict") for text in sentences.other_claims(result, metric))
        if result.human_agreement is not None:
            from truegain.studies.compare.human_view import to_people

            items.extend(to_people(result, result.human_agreement, metric, decimals))
    items.extend(remark(text) for text in remarks(result))
    items.extend(signatures(result))
    items.append(Paragraph(methods(result), "methods"))
    return Document(tuple(items))


def appendix(result: CompareResult, decimals: int | None) -> tuple[Section, ...]:
    """Return the segments that changed most, to look through."""
    from truegain.report.page import Section

    pairs = tuple(pair for pair in result.changed_segments if pair.up or pair.down)
    return (Section("Segments that moved most", (segments_item(result, pairs, decimals),)),) if pairs else ()


def arranged(result: CompareResult, layout: str, decimals: int | None) -> Document:
    """Return one table instead of everything, in the layout paper or multeval."""
    from truegain.studies.layouts.arrange import arranged

    return arranged(result, layout, decimals)


def verdicts(result: CompareResult, decimals: int | None = None) -> list[str]:
    """Return the answers, metric by metric."""
    return [one.text for metric in result.metrics for one in sentences.verdicts(result, metric, decimals)]


def prose(result: CompareResult) -> dict[str, Any]:
    """Return the sentences of the JSON: the answer on each pair, a verdict for each comparison, and the methods."""
    return {
        "headline": headlines(result),
        "verdicts": [verdict(result, one) for one in result.comparisons],
        "methods": methods(result),
    }


def _gains_table(result: CompareResult, metric: MetricInfo, decimals: int) -> Table:
    """Return scores and gains over the baseline; gains alone if there is no baseline."""
    family, baseline = result.primary_tests(metric.key), result.baseline
    level = f"{level_words(result.alpha)} CI"
    mine = {score.name: score for score in result.scores if score.metric == metric.key}
    # With the number of runs, unless all systems have as many: the title names them then.
    counted = len({score.runs for score in mine.values()}) > 1
    columns = [Column(heading_of(metric), "left")]
    errors = result.standard_errors
    if baseline is not None:
        columns += [Column("score"), *error_columns(errors), Column(level, secondary=True)]
    own = len(columns)
    columns += [Column("Δ"), *error_columns(errors, "SE of Δ"), Column(f"{level} of Δ"), Column("p")]
    adjusts = len(family) > 1 and family[0].adjust != "none"
    if adjusts:
        columns.append(Column(f"p {_SHORT[family[0].adjust]}"))
    columns.append(Column("", "left"))

    def scored(name: str) -> tuple[Cell, ...]:
        score = mine[name]
        return name_cell(name, score.runs if counted else 1), *score_cells(score, decimals, errors=errors)

    rows: list[tuple[Cell, ...]] = []
    if baseline is not None:
        before, after = own + 1 + errors, len(columns) - own - 2 - errors
        said = Cell("baseline", "quiet")
        rows.append((*scored(baseline), *[Cell("")] * (before - own), said, *[Cell("")] * after))
    for one in family:
        named, *own_score = scored(one.system) if baseline is not None else (Cell(f"{one.system} − {one.baseline}"),)
        cells = [
            replace(named, anchor=row_of(one)),
            *own_score,
            *gain_cells(one, decimals, errors=errors),
        ]
        if adjusts:
            cells.append(Cell(p_text(one.p_adjusted), value=one.p_adjusted))
        rows.append((*cells, Cell("*" if one.marked else "", tone_of(one))))
    caption = (
        f"Differences in {metric.label} between all systems"
        if baseline is None
        else f"{metric.label} of each system and its gain over {baseline}"
    )
    if all(one.interval.method == "test" for one in family):
        caption += f"; {level} of Δ: {sentences.KEPT_GAINS}"
    notes = (*unmarked_note(family, baseline, result.alpha), *standard_errors_notes(result, family))
    return Table(tuple(columns), tuple(rows), caption, notes)


def _tests_table(result: CompareResult, metric: MetricInfo) -> Table:
    """Return the p-values of several tests side by side, not adjusted, and what each claims."""
    family, baseline = result.primary_tests(metric.key), result.baseline
    by_test: dict[str, dict[tuple[str, str], Comparison]] = {}
    for one in family:
        by_test.setdefault(one.asked, {})[one.baseline, one.system] = one
    for test, found in result.other_tests(metric.key).items():
        by_test[test] = {**by_test.get(test, {}), **found}
    pairs = [(one.baseline, one.system) for one in family]
    names = [system if baseline is not None else f"{system} − {other}" for other, system in pairs]
    rows: list[tuple[Cell, ...]] = []
    if len(pairs) > MANY:
        columns = [
            Column(f"{metric.label}, p of", "left"),
            *(Column(TESTS[test].short or test) for test in by_test),
        ]
        for name, pair in zip(names, pairs, strict=True):
            rows.append((Cell(name), *(_p_cell(found.get(pair)) for found in by_test.values())))
    else:
        columns = [
            Column(f"{metric.label} by", "left"),
            Column("for", "left"),
            *(Column(f"p {name}") for name in names),
        ]
        for test, found in by_test.items():
            claims = listing(list(dict.fromkeys(one.claim.brief for one in found.values())))
            rows.append((Cell(test), Cell(claims), *(_p_cell(found.get(pair)) for pair in pairs)))
    return Table(tuple(columns), tuple(rows), f"P-values of {metric.label} by test")


def _scores_table(result: CompareResult, metric: MetricInfo, decimals: int) -> Table:
    """Return the scores alone, the best first."""
    mine = sorted((one for one in result.scores if one.metric == metric.key), key=lambda one: -one.score)
    if metric.higher_is_better is False:
        mine.reverse()
    return scores_table(result, metric, mine, decimals)


def _p_cell(one: Comparison | None) -> Cell:
    return Cell("") if one is None else Cell(p_text(one.p), value=one.p)
