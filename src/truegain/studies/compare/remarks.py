"""Remarks on a comparison besides its verdicts: units, intervals, notes without repetitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from truegain.inference.results import Comparison
from truegain.notes import Note
from truegain.registry import TESTS
from truegain.report.model import listing, signed
from truegain.studies.compare.caveats import said_in_verdict
from truegain.studies.compare.result import CompareResult
from truegain.studies.shared_view import MANY, direction_notes, unit_words


def remarks(result: CompareResult) -> list[Note]:
    """Return the notes without repetitions: what holds for all comparisons is said once."""
    told = [Note("unit", _unit_remark(result)), *direction_notes(result.metrics)]
    notes = {id(one): own_notes(result, one) for one in result.comparisons}
    shared = _shared_notes(result, notes)
    told.extend(note.about(test) for test, note in shared)
    gathered = _gathered_notes(result, notes)
    told.extend(gathered.values())
    for one in result.comparisons:
        metric = next(metric for metric in result.metrics if metric.key == one.metric)
        who = one.system if result.baseline is not None else f"{one.system} and {one.baseline}"
        label = f"{who}, {metric.label}" + (f", {one.test}" if result.other_tests(one.metric) else "")
        for note in notes[id(one)]:
            if (one.test, note) not in shared and (one.metric, one.test, note.kind) not in gathered:
                told.append(note.about(label) if len(result.comparisons) > 1 else note.capitalized())
    if any((TESTS[one.test].kind, one.unit) == ("classical", "segment") for one in result.comparisons):
        told.extend(_effects(result))
    return [*told, *result.notes]


def _unit_remark(result: CompareResult) -> str:
    """Say what was resampled, and what the other choice would have done to the standard error."""
    effects = [one.design_effect for one in result.comparisons if one.design_effect is not None]
    unit = result.unit
    own = {one.test: one.unit for metric in result.metrics for one in result.primary_tests(metric.key)}
    if all(TESTS[test].unit != "as chosen" for test in own) and set(own.values()) != {unit}:
        return f"Unit: {listing([unit_words(kind) for kind in dict.fromkeys(own.values())])}"
    if unit in ("block", "domain", "testset"):
        return f"Unit: {unit_words(unit)}"
    text = f"Unit: {unit}s"
    ratio = (sum(effects) / len(effects)) ** 0.5 if effects else 0.0
    if ratio == 0.0:  # documents are not known, or all of them differ alike
        return text
    if unit == "document":
        size, word = (ratio, "small") if ratio >= 1 else (1 / ratio, "large")
        if f"{size:.2g}" == "1":
            return f"{text}. Treating segments as independent would hardly change the standard error"
        return f"{text}. Treating segments as independent would make the standard error {size:.2g}× too {word}"
    return f"{text}, though documents are known: with these the standard error would be {ratio:.2g}× as large"


def own_notes(result: CompareResult, one: Comparison) -> list[Note]:
    """Return the notes of a comparison, and its caveats as far as its verdict does not say them."""
    family = result.primary_tests(one.metric)
    told = any(one is other for other in family) and (len(family) <= MANY or result.null_gain != 0.0)
    said = said_in_verdict(one) if told else []
    return [*one.notes, *(caveat for caveat in one.caveats if caveat not in said)]


def _shared_notes(result: CompareResult, notes: Mapping[int, Sequence[Note]]) -> list[tuple[str, Note]]:
    """Return the notes that a test has on all of its comparisons, if there are several."""
    found: list[tuple[str, Note]] = []
    for test in dict.fromkeys(one.test for one in result.comparisons):
        mine = [one for one in result.comparisons if one.test == test]
        if len(mine) > 1:
            first, *rest = (notes[id(one)] for one in mine)
            found.extend((test, note) for note in first if all(note in own for own in rest))
    return found


def _gathered_notes(result: CompareResult, notes_of: Mapping[int, Sequence[Note]]) -> dict[tuple[str, str, str], Note]:
    """Return what can be said once of many comparisons by one test that have different notes of one kind."""
    found: dict[tuple[str, str, str], list[Note]] = {}
    for one in result.comparisons:
        for note in notes_of[id(one)]:
            found.setdefault((one.metric, one.test, note.kind), []).append(note)
    labels = {metric.key: metric.label for metric in result.metrics}
    said = {}
    for (metric, test, kind), notes in found.items():
        if len(notes) > MANY and len(set(notes)) > 1 and notes[0].summary:
            total = sum((one.metric, one.test) == (metric, test) for one in result.comparisons)
            by = f", {test}" if result.other_tests(metric) else ""
            scope = f"{labels[metric]}{by}, {len(notes):,} of {total:,} comparisons"
            said[metric, test, kind] = Note(kind, notes[0].summary, scope)
    return said


def _effects(result: CompareResult) -> list[Note]:
    """Say wins, ties and losses, for the reader of a test of segment scores."""
    said = []
    for metric in result.metrics:
        for one in result.primary_tests(metric.key):
            if one.effect is not None:
                effect = one.effect
                size = "" if effect.standardized is None else f"; standardised Δ {signed(effect.standardized, 2)}"
                text = (
                    f"{one.system} beats {one.baseline} on {effect.wins:,}, ties on {effect.ties:,} and loses on "
                    f"{effect.losses:,}{size}"
                )
                said.append(Note("effect", text, f"{metric.label} of segments"))
    return said
