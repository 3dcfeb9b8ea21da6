"""The view of all results: findings, tables of rows by what their fields say, what limits the answer, an end line."""

from __future__ import annotations

import math
import re
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Meta

from truegain.changed_segments import ChangedPair
from truegain.inference.results import Comparison, MetricInfo, SystemScore
from truegain.notes import Tone
from truegain.report.model import Cell, Column, Document, Paragraph, Passages, Span, Table, remark
from truegain.rows import Row, Show
from truegain.words import Sentence, as_given, decimal, heading_of, level_words, p_text, signed, units_words

if TYPE_CHECKING:
    from truegain.report.page import Segments


class Digits(NamedTuple):
    """How the numbers of a metric are written: with so many decimals, shares of items in percent."""

    places: int
    percent: bool = False

    def shown(self, value: float) -> float:
        """Return what a number of the metric is in the unit that it is shown in."""
        return 100.0 * value if self.percent else value

    def score(self, value: float) -> str:
        """Write a score."""
        return decimal(self.shown(value), self.places)

    def gain(self, value: float) -> str:
        """Write a difference of scores, with its sign."""
        return signed(self.shown(value), self.places)

    def error(self, value: float) -> str:
        """Write a standard error, with one decimal more."""
        return decimal(self.shown(value), self.places + 1)


def digits_of(result: Any, metric: MetricInfo, decimals: int | None = None) -> Digits:
    """Return how the scores of a metric are written: enough decimals for two or three leading digits to differ."""
    if metric.percent:
        return Digits(1 if decimals is None else decimals, percent=True)
    return Digits(decimals_for(metric, getattr(result, "scores", ()), decimals))


def _named(row: Any, value: Any, _: Digits) -> Cell:
    runs = getattr(row, "runs", 1)
    return Cell(f"{value} ×{runs}" if isinstance(runs, int) and runs > 1 else str(value))


def _pair(row: Any, value: tuple[float | None, float | None], digits: Digits) -> Cell:
    """Write a count or a score of the baseline and of the system: ``2 → 5``."""
    texts = ["–" if one is None else f"{one:,}" if isinstance(one, int) else digits.score(one) for one in value]
    return Cell(" → ".join(texts))


def _count(row: Any, value: float, _: Digits) -> Cell:
    return Cell(f"{value:,.0f}", value=value)


def _ratio(_: Digits, value: float) -> str:
    return f"{value:.2f}"


def _ends(write: Callable[[Digits, float], str]) -> Callable[..., Cell]:
    """Write an interval whose ends are two fields: the lower one, of the column, and the ``upper``."""

    def written(row: Any, low: float, digits: Digits, upper: str, middle: str) -> Cell:
        return interval_cell(low, getattr(row, middle), getattr(row, upper), partial(write, digits))

    return written


def _range_text(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}–{last}"


def _interval(write: Callable[[Digits, float], str]) -> Callable[..., Cell]:
    def written(row: Any, value: tuple[float | None, float | None], digits: Digits, middle: str) -> Cell:
        low = -math.inf if value[0] is None else value[0]
        high = math.inf if value[1] is None else value[1]
        text = f"{write(digits, low)} – {write(digits, high)}"
        return Cell(text, value=low, span=Span(low, getattr(row, middle), high))

    return written


def _spread(_: Any, value: Any, digits: Digits, form: str) -> Cell:
    low, middle, high = (FORMATS[form](None, number, digits).text for number in (value.low, value.median, value.high))
    return Cell(middle, value=value.median, spread=f"({low} – {high})")


#: How the cells of a column are written, given the row, the value, the digits of the metric and what the field adds.
FORMATS: dict[str, Callable[..., Cell]] = {
    "": lambda row, value, digits: Cell(f"{value:,}" if isinstance(value, int) else str(value), value=_number(value)),
    "text": lambda row, value, digits: Cell(str(value)),
    "name": _named,
    "mark": lambda row, value, digits: Cell("*" if value else ""),
    "score": lambda row, value, digits: Cell(digits.score(value), value=value),
    "gain": lambda row, value, digits: Cell(digits.gain(value), value=value),
    "error": lambda row, value, digits: Cell(digits.error(value), value=value),
    "p": lambda row, value, digits: Cell(p_text(value), value=value),
    "given": lambda row, value, digits: Cell(as_given(100.0 * value if digits.percent else value), value=value),
    "percent": lambda row, value, digits: Cell(f"{decimal(100.0 * value, 1)} %", value=value),
    "pair": _pair,
    "interval": _interval(lambda digits, value: digits.score(value)),
    "gains": _interval(lambda digits, value: digits.gain(value)),
    "count": _count,
    "ratio": lambda row, value, digits: Cell(_ratio(digits, value), value=value),
    "ends": _ends(Digits.score),
    "ratios": _ends(_ratio),
    "figures": lambda row, value, digits: Cell(f"{value:.3g}", value=value),
    "range": lambda row, value, digits, end: Cell(_range_text(value, getattr(row, end)), value=value),
    "spread": _spread,
}
_LEFT = ("text", "name")


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


class _Shown(NamedTuple):
    heading: str
    form: str
    further: tuple[str, ...]


@cache
def _fields(kind: type[Row]) -> dict[str, _Shown]:
    """Return how the fields of a kind of row are shown."""
    found = {}
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        metas = [one for one in getattr(hint, "__metadata__", ()) if isinstance(one, Meta) and one.extra]
        extra = metas[-1].extra if metas else {}
        form, *further = (extra or {}).get("show", "").split(" ")
        found[name] = _Shown((extra or {}).get("heading") or name.replace("_", " "), form, tuple(further))
    return found


#: A row, or rows that stand side by side by name: ``{"": placed, "scores": score}``.
Joined = Row | Mapping[str, Row | None]


def table(
    rows: Sequence[Joined],
    columns: str,
    digits: Digits,
    *,
    caption: str = "",
    notes: Iterable[str] = (),
    headings: Mapping[str, str] | None = None,
    slots: Mapping[str, Any] | None = None,
    breaks: str = "",
    tones: Mapping[str, Callable[[Any], Tone]] | None = None,
    secondary: Collection[str] = (),
) -> Table:
    """Return rows as a table, by the headings and formats of their fields.

    Parameters
    ----------
    rows : sequence of Row, or of mappings of str to Row
    columns : str
        As :class:`Show` has them.
    digits : Digits
    caption, notes : str, iterable of str
    headings : mapping of str to str, optional
        Of columns, instead of those of their fields.
    slots : mapping, optional
        What headings, caption and notes are filled with.
    breaks : str
        The column at whose changes there is a rule.
    tones : mapping of str to callable, optional
        The tones of the cells of columns, given the row.
    secondary : collection of str
        Columns that a narrow page leaves out; standard errors are among them.
    """
    joined: list[Mapping[str, Row | None]] = [{"": row} if isinstance(row, Row) else row for row in rows]
    filled, headings, tones = slots or {}, headings or {}, tones or {}
    heads: list[Column] = []
    cells: list[list[Cell]] = []
    for column in columns.split():
        name = column.removesuffix("?")
        shown, own = _column(joined, name, digits)
        if column.endswith("?") and not any(cell.text for cell in own):
            continue
        heading = _filled(headings.get(name, shown.heading), filled)
        side = "left" if shown.form in _LEFT else "right"
        heads.append(Column(heading, side, secondary=name.endswith("standard_error") or name in secondary))  # type: ignore[arg-type]
        if name in tones:
            own = [replace(cell, tone=tones[name](row)) for cell, row in zip(own, rows, strict=True)]
        cells.append(own)
    ruled: tuple[int, ...] = ()
    if breaks:
        marks = [getattr(row[""], breaks) for row in joined]
        ruled = tuple(place for place, (one, other) in enumerate(pairwise(marks), 1) if one != other)
    texts = tuple(_filled(note, filled) for note in notes)
    return Table(tuple(heads), tuple(zip(*cells, strict=True)), _filled(caption, filled), texts, ruled)


def _column(joined: Sequence[Mapping[str, Row | None]], name: str, digits: Digits) -> tuple[_Shown, list[Cell]]:
    """Return how a field is shown, and its cells: empty where there is no row, or no value."""
    side, _, field = name.rpartition(".")
    sources = [row.get(side) for row in joined]
    shown = _fields(type(next(row for row in sources if row is not None)))[field]
    cells = []
    for source in sources:
        value = None if source is None else getattr(source, field)
        cells.append(Cell("") if value is None else FORMATS[shown.form](source, value, digits, *shown.further))
    return shown, cells


_SLOT = re.compile(r"\{(\w+)[^{}]*\}")


def _filled(text: str, slots: Mapping[str, Any]) -> str:
    """Fill the slots that are known; other braces are in names."""
    return _SLOT.sub(lambda found: found[0].format(**slots) if found[1] in slots else found[0], text)


def stacked(tables: Sequence[Table]) -> Table:
    """Return tables of the same columns as sections of one, each headed as its first column was."""
    first, *others = tables
    rows, breaks, notes = list(first.rows), list(first.breaks), dict.fromkeys(first.notes)
    sections = [(0, first.columns[0].heading)]
    for other in others:
        sections.append((len(rows), other.columns[0].heading))
        breaks += [len(rows) + place for place in other.breaks]
        rows += other.rows
        notes |= dict.fromkeys(other.notes)
    return replace(
        first, rows=tuple(rows), breaks=tuple(breaks), notes=tuple(notes), sections=tuple(sections) if others else ()
    )


def slots_of(result: Any, metric: MetricInfo | None = None) -> dict[str, Any]:
    """Return what headings, captions and notes are filled with, such as ``{level}`` and ``{label}``."""
    known: dict[str, Any] = {"result": result}
    if hasattr(result, "alpha"):
        known["level"] = level_words(result.alpha)
    if metric is not None:
        known |= {"label": metric.label, "heading": heading_of(metric)}
    return known


def tables_of(result: Any, decimals: int | None) -> Iterator[Table]:
    """Yield the tables that the layout of a result asks for."""
    for show in result.layout:
        rows = getattr(result, show.rows)
        if not rows:
            continue
        if not show.per_metric:
            yield table(rows, show.columns, Digits(_PLACES if decimals is None else decimals), **_said(show, result))
            continue
        found = []
        for metric in result.metrics:
            own = [row for row in rows if row.metric == metric.key]
            if own:
                headings = {show.columns.split()[0].removesuffix("?"): heading_of(metric)}
                digits = digits_of(result, metric, decimals)
                said = _said(show, result, metric)
                found.append(table(_joined(result, show, own), show.columns, digits, headings=headings, **said))
        yield from [stacked(found)] if show.stacked and found else found


_PLACES = 3


def _said(show: Show, result: Any, metric: MetricInfo | None = None) -> dict[str, Any]:
    return {"caption": show.caption, "notes": show.notes, "breaks": show.breaks, "slots": slots_of(result, metric)}


def _joined(result: Any, show: Show, rows: Sequence[Any]) -> Sequence[Joined]:
    """Return rows beside those of other tables that are about the same system."""
    others = {name.partition(".")[0] for name in show.columns.split() if "." in name}
    if not others:
        return rows
    known = {
        other: {(one.metric, getattr(one, "system", None) or one.name): one for one in getattr(result, other)}
        for other in others
    }
    return [{"": row} | {other: found.get((row.metric, row.system)) for other, found in known.items()} for row in rows]


def document(result: Any, decimals: int | None = None) -> Document:
    """Return the answer, its tables, what limits it, the end line, and the methods."""
    items: list[Table | Paragraph | Passages] = [Paragraph(result.about, "title")] if result.about else []
    items += [Paragraph(finding.text, "headline", finding.tone) for finding in result.findings]
    items += result.tables(decimals)
    of_inputs = [note for note in result.notes if note.of_inputs]
    items += [remark(note) for note in result.notes if note not in of_inputs]
    ending = " · ".join(part for part in (result.ending, f"truegain {result.version}") if part)
    items.append(Paragraph(ending, "ending"))
    items += [Paragraph(result.methods, "methods")] if result.methods else []
    items += [Paragraph(f"{note}.", "inputs") for note in of_inputs]
    items += signatures(result)
    return Document(tuple(items))


def arranged(result: Any, layout: str, decimals: int | None = None) -> Document:
    """Return one table for a paper between the answer and what it takes to repeat it; warnings are its notes."""
    shown = result.as_table(layout, decimals)
    warnings = tuple(f"{note}." for note in result.notes if note.warning)
    return Document(
        (
            Paragraph(result.about, "title"),
            *(Paragraph(finding.text, "headline", finding.tone) for finding in result.findings),
            replace(shown, notes=(*shown.notes, *warnings)),
            *(Paragraph(f"{note}.") for note in result.notes if note.file and not note.warning),
            *signatures(result),
        )
    )


TONES: dict[bool | None, Tone] = {True: "good", False: "bad", None: "plain"}


def tone_of(one: Comparison) -> Tone:
    """Return the tone of a comparison: plain, too, if its p-value has a caveat."""
    return TONES[one.better if one.marked else None]


def decimals_for(metric: MetricInfo, scores: Sequence[SystemScore], decimals: int | None) -> int:
    """Return the decimals asked for, or enough for two or three leading digits to differ."""
    if decimals is not None:
        return decimals
    largest = max((abs(score.score) for score in scores if score.metric == metric.key), default=0.0)
    return 4 if largest < 2 else 3 if largest < 20 else 2


def segments_item(result: Any, pairs: tuple[ChangedPair, ...], decimals: int | None) -> Segments:
    """Return segments as a report shows them, of a result with metrics and scores."""
    from truegain.report.page import Segments

    return Segments(
        pairs,
        {metric.key: metric.label for metric in result.metrics},
        {metric.key: decimals_for(metric, result.scores, decimals) for metric in result.metrics},
        frozenset(metric.key for metric in result.metrics if metric.higher_is_better is None),
        any(score.runs > 1 for score in result.scores),
    )


def interval_text(low: float, high: float, show: Callable[[float], str]) -> str:
    """Write ``low – high``, each end formatted by ``show``."""
    return f"{show(low)} – {show(high)}"


def interval_cell(low: float, middle: float, high: float, show: Callable[[float], str]) -> Cell:
    """Return the ends of an interval around a value, which pages draw as well."""
    return Cell(interval_text(low, high, show), value=low, span=Span(low, middle, high))


ERRORS = Sentence("SE: standard error over {units}.")
ERRORS_OF_RUNS = Sentence("SE: standard error over {units}, with the runs as they are.")
ERRORS_OVER_RATERS = Sentence("SE of Δ: over {rater}s as well.")
ERRORS_OVER_RUNS = Sentence("SE of Δ: over runs as well, and never below that with the runs as they are.")
ERRORS_OVER_RUNS_ALONE = Sentence("SE of Δ: over runs alone, on this test set.")


def standard_errors_notes(result: Any, comparisons: Sequence[Comparison] = ()) -> tuple[str, ...]:
    """Say which variation the standard errors of a table hold; nothing if it does not show them."""
    if not result.standard_errors:
        return ()
    sentence = ERRORS_OF_RUNS if any(score.runs > 1 for score in result.scores) else ERRORS
    notes = [sentence(units=units_words(result.unit, result.n_units))]
    claims = [one.claim for one in comparisons]
    notes += [ERRORS_OVER_RATERS(rater=claim.rater_noun) for claim in claims if claim.raters][:1]
    of_new_runs = [claim.unit for claim in claims if claim.new_runs]
    notes += [ERRORS_OVER_RUNS()] if any(unit is not None for unit in of_new_runs) else []
    notes += [ERRORS_OVER_RUNS_ALONE()] if None in of_new_runs else []
    return tuple(notes)


def signatures(result: Any, inputs: str | None = None) -> list[Paragraph]:
    """Return the signatures of the metrics and of the study, with the fingerprint of what was read."""
    testset = getattr(result, "testset", None)
    fingerprint = inputs or getattr(result, "fingerprint", None) or (None if testset is None else testset.fingerprint)
    texts = [f"{metric.label}: {metric.signature}" for metric in getattr(result, "computed", result.metrics)]
    whole = result.signature if fingerprint is None else f"{result.signature} · inputs {fingerprint}"
    return [Paragraph(text, "signature") for text in (*texts, whole)]
