"""Gains as tables: systems by metrics, and the p-values of several tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any

from truegain.inference.claims import OUTPUTS
from truegain.inference.results import Comparison, MetricInfo, SystemScore
from truegain.notes import Tone
from truegain.registry import TESTS
from truegain.report.model import Cell, Column, Table
from truegain.rows import Row, field
from truegain.view import Digits, Joined, digits_of, slots_of, stacked, standard_errors_notes, table, tone_of
from truegain.words import MANY, heading_of, listing, p_text

#: A result of ``compare``, whose module imports this one.
CompareResult = Any

#: What an interval of a difference is that a test's own resamples give.
KEPT_GAINS = "the gains that the test does not reject"
_SHORT = {"bonferroni": "Bonf.", "holm": "Holm", "hochberg": "Hochb.", "bh": "BH", "by": "BY", "maxt": "maxT"}


class Named(Row):
    """The name of a pair."""

    name: Annotated[str, field("The difference.", show="text")]


def gains_tables(result: CompareResult, decimals: int | None) -> Iterator[Table]:
    """Yield systems by metrics: scores, gains over the baseline and p-values; of all pairs scores, then gains."""
    shown = {metric.key: digits_of(result, metric, decimals) for metric in result.metrics}
    if result.baseline is None:
        yield stacked([_scores_table(result, metric, shown[metric.key]) for metric in result.metrics])
    yield stacked([_gains_table(result, metric, shown[metric.key]) for metric in result.metrics])


def _scores_table(result: CompareResult, metric: MetricInfo, digits: Digits) -> Table:
    """Return the scores alone, the best first."""
    return table(
        _by_score([one for one in result.scores if one.metric == metric.key], metric),
        "name score standard_error ci" if result.standard_errors else "name score ci",
        digits,
        headings={"name": heading_of(metric)},
        caption="Scores of each system",
        slots=slots_of(result, metric),
    )


def _by_score(scores: Sequence[SystemScore], metric: MetricInfo) -> list[SystemScore]:
    sign = 1.0 if metric.higher_is_better is False else -1.0
    return sorted(scores, key=lambda one: sign * one.score)


def _gains_table(result: CompareResult, metric: MetricInfo, digits: Digits) -> Table:
    """Return scores and gains over the baseline; gains alone if there is no baseline."""
    family, baseline = result.primary_tests(metric.key), result.baseline
    adjusts = result.adjusts and len(family) > 1
    errors = "standard_error" if result.standard_errors else ""
    gains = f"delta {errors} ci {'p_adjusted' if adjusts else 'p'}"
    breaks: list[int] = []
    if baseline is None:
        columns, caption = f"pair.name {gains}", "Differences between all systems"
        rows: list[Joined] = [{"pair": Named(f"{one.system} − {one.baseline}"), "": one} for one in family]
    else:
        columns = f"scores.name scores.score {errors and 'scores.standard_error'} scores.ci {gains}"
        caption = "{result.baseline} and the gains over it" if len(family) > 1 else "Scores, and the gain"
        scores = {one.name: one for one in result.scores if one.metric == metric.key}
        groups = _in_order(metric, family, scores, baseline)
        rows = [{"scores": scores[name], "": one} for group in groups for name, one in group]
        breaks = [sum(map(len, groups[:place])) for place in range(1, len(groups))]
    lower = any(one.higher_is_better is False for one in result.metrics)
    shown = table(
        rows,
        columns,
        digits,
        caption=f"{caption}; {{level}} CI of Δ: {KEPT_GAINS}" if all(map(_kept, family)) else caption,
        notes=standard_errors_notes(result, family),
        headings={
            "pair.name" if baseline is None else "scores.name": heading_of(metric),
            "delta": "Δ (+ is better)" if lower else "Δ",
            "p_adjusted": f"p {_SHORT.get(family[0].adjust, '')}",
        },
        slots=slots_of(result, metric),
        tones={"delta": _tone},
        secondary=("scores.ci",),
    )
    return _with_baseline(replace(shown, breaks=tuple(breaks)), rows)


def _kept(one: Comparison) -> bool:
    return one.interval.method == "test"


def _tone(row: Joined) -> Tone:
    one = row[""] if isinstance(row, dict) else None
    return tone_of(one) if isinstance(one, Comparison) else "plain"


def _in_order(
    metric: MetricInfo, family: Sequence[Comparison], scores: dict[str, SystemScore], baseline: str
) -> list[list[tuple[str, Comparison | None]]]:
    """Return the baseline and the others as they were given; if these are many, by score: better, alike, worse."""
    by_name: dict[str, Comparison | None] = {baseline: None, **{one.system: one for one in family}}
    if len(family) <= MANY:
        return [list(by_name.items())]
    ranked = [(one.name, by_name[one.name]) for one in _by_score(list(scores.values()), metric)]
    sides: dict[int, list[tuple[str, Comparison | None]]] = {1: [], 0: [], -1: []}
    for name, one in ranked:
        sides[0 if one is None or not one.significant else 1 if one.delta > 0.0 else -1].append((name, one))
    return [group for group in sides.values() if group]


def _with_baseline(shown: Table, rows: Sequence[Joined]) -> Table:
    """Name the row of the baseline where others have their intervals."""
    places = [place for place, column in enumerate(shown.columns) if column.heading.endswith("CI of Δ")]
    filled = list(shown.rows)
    for number, row in enumerate(rows):
        if isinstance(row, dict) and row[""] is None:
            cells = list(filled[number])
            cells[places[0]] = Cell("baseline", "quiet")
            filled[number] = tuple(cells)
    return replace(shown, rows=tuple(filled))


def tests_tables(result: CompareResult) -> Iterator[Table]:
    """Yield the p-values of several tests side by side, not adjusted, and what each claims."""
    for metric in result.metrics:
        others = {
            test: {pair: one for pair, one in found.items() if not _hopeless(one)}
            for test, found in result.other_tests(metric.key).items()
        }
        others = {test: found for test, found in others.items() if found}
        if others:
            yield _tests_table(result, metric, others)


def _hopeless(one: Comparison) -> bool:
    """Return whether a test cannot reach the level, whatever the outputs are: the runs are too few."""
    return any(note.kind == "few-runs" for note in one.notes)


def _tests_table(
    result: CompareResult, metric: MetricInfo, others: dict[str, dict[tuple[str, str], Comparison]]
) -> Table:
    """Return a row for each test; of many pairs a column."""
    family = result.primary_tests(metric.key)
    by_test: dict[str, dict[tuple[str, str], Comparison]] = {}
    for one in family:
        by_test.setdefault(one.asked, {})[one.baseline, one.system] = one
    for test, found in others.items():
        by_test[test] = by_test.get(test, {}) | found
    pairs = [(one.baseline, one.system) for one in family]
    names = [system if result.baseline is not None else f"{system} − {other}" for other, system in pairs]
    caption = f"P-values of {metric.label} by test, not adjusted"
    if len(pairs) > MANY:
        headings = [f"{metric.label}, p of", *(TESTS[test].short or test for test in by_test)]
        columns = [Column(heading, "right" if place else "left") for place, heading in enumerate(headings)]
        rows = [
            (Cell(name), *(_p_cell(found.get(pair)) for found in by_test.values()))
            for name, pair in zip(names, pairs, strict=True)
        ]
    else:
        columns = [
            Column(f"{metric.label} by", "left"),
            Column("for", "left"),
            *(Column(f"p {name}") for name in names),
        ]
        rows = [
            (
                Cell(test),
                Cell(
                    listing(
                        list(dict.fromkeys(one.claim.brief.removeprefix(f"{OUTPUTS} on ") for one in found.values()))
                    )
                ),
                *(_p_cell(found.get(pair)) for pair in pairs),
            )
            for test, found in by_test.items()
        ]
    return Table(tuple(columns), tuple(rows), caption, kind="further")


def _p_cell(one: Comparison | None) -> Cell:
    return Cell("") if one is None else Cell(p_text(one.p), value=one.p)
