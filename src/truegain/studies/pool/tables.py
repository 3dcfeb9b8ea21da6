"""The tables of several test sets: gains, set by set and over all, and on how many of them these are shown."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.inference.results import MetricInfo
from truegain.report.model import Cell, Column, Table, decimal, p_text, signed, whole
from truegain.studies.compare.caveats import unmarked_note
from truegain.studies.pool.parts import Replicability
from truegain.studies.pool.result import PooledResult
from truegain.studies.pool.sentences import claimed, doubted
from truegain.studies.shared_view import (
    TONES,
    decimals_for,
    error_columns,
    error_text,
    gain_cells,
    heading_of,
    level_words,
    tone_of,
)


def decimals_of(result: PooledResult, metric: MetricInfo, decimals: int | None) -> int:
    """Return the decimals asked for, or enough for the scores of all test sets."""
    return decimals_for(metric, [score for one in result.sets for score in one.scores], decimals)


def sets_table(result: PooledResult, metric: MetricInfo, pair: tuple[str, str], decimals: int) -> Table:
    """Return one row per test set, then all segments together and the mean over the sets."""
    baseline, system = pair
    adjusts, errors = result.sets[0].adjusts and len(result.pairs) > 1, result.sets[0].standard_errors
    columns = [
        Column(heading_of(metric), "left"),
        Column("segments", secondary=True),
        Column(baseline, secondary=True),
        Column(system, secondary=True),
        Column("Δ"),
        *error_columns(errors, "SE of Δ"),
        Column(f"{level_words(result.alpha)} CI of Δ"),
        Column("p"),
    ]
    columns += [Column("p adj.")] if adjusts else []
    columns.append(Column("", "left"))
    rows: list[tuple[Cell, ...]] = []
    notes: dict[str, None] = dict.fromkeys(["SE of Δ: standard error over the units of each row."] if errors else [])
    for label, level in result.levels:
        one = next(one for one in level.primary_tests(metric.key) if (one.baseline, one.system) == pair)
        notes |= dict.fromkeys(unmarked_note([one], baseline, result.alpha))
        scores = [level.score(metric.key, name).score for name in pair]
        rows.append(
            (
                Cell(label, "strong" if len(rows) >= len(result.sets) else "plain"),
                Cell(f"{level.testset.segments:,}", value=level.testset.segments),
                *(Cell(decimal(score, decimals), value=score) for score in scores),
                *gain_cells(one, decimals, errors=errors),
                *([Cell(p_text(one.p_adjusted), value=one.p_adjusted)] if adjusts else []),
                Cell("*" if one.marked else "", tone_of(one)),
            )
        )
    return Table(
        tuple(columns),
        tuple(rows),
        f"{metric.label} of {system} and {baseline}, test set by test set and over all of them",
        tuple(notes),
        breaks=(len(result.sets),),
    )


def many_table(result: PooledResult, metric: MetricInfo, decimals: int) -> Table:
    """Return one row per pair, of many, and one column per test set, with the gains alone."""
    errors = result.sets[0].standard_errors
    short = {"all segments (micro)": "micro", "mean of sets (macro)": "macro"}
    columns = [Column(f"Δ {heading_of(metric)}", "left")]
    columns += [Column(short.get(label, label)) for label, _ in result.levels]
    side = claimed(result, next((one.side for one in result.replicability), "better"))
    columns.append(Column(f"{side} on", "right"))
    claims = {(one.baseline, one.system): one for one in result.replicability if one.metric == metric.key}
    gains = [{(one.baseline, one.system): one for one in level.primary_tests(metric.key)} for _, level in result.levels]
    rows = []
    for pair in result.pairs:
        cells = []
        for mine in gains:
            one = mine[pair]
            star = "*" if one.marked else ""
            text = signed(one.delta, decimals) + (f" ({error_text(one, decimals)})" if errors else "")
            cells.append(Cell(text, tone_of(one), one.delta, spread=star))
        claim = claims.get(pair)
        shown = Cell("") if claim is None else Cell(f"{claim.shown} of {len(result.sets)}", value=claim.shown)
        rows.append((Cell(_who(result, pair)), *cells, shown))
    after = " after adjustment" if result.sets[0].adjusts else ""
    note = f"* p ≤ {result.alpha:g}{after}. {side} on: at least so many test sets, p ≤ {result.alpha:g}."
    compared = [one for mine in gains for one in mine.values()]
    note += " In parentheses: standard errors of Δ." if errors else ""
    notes = (note, *unmarked_note(compared, result.baseline, result.alpha), *_unmarked(list(claims.values())))
    return Table(tuple(columns), tuple(rows), f"Gains in {metric.label}, test set by test set", notes)


def _who(result: PooledResult, pair: tuple[str, str]) -> str:
    return pair[1] if result.baseline is not None else f"{pair[1]} − {pair[0]}"


def replicability_tables(result: PooledResult) -> list[Table]:
    """Return for each metric and pair the p-value of "on at least u test sets", and the set that it rests on."""
    return [_claims(result, one) for one in result.replicability]


def _claims(result: PooledResult, one: Replicability) -> Table:
    label = next(metric.label for metric in result.metrics if metric.key == one.metric)
    columns = (
        Column(f"{label}: {one.system} {claimed(result, one.side)}", "left"),
        Column("p"),
        Column("evidence", "left"),
        Column("one-sided p"),
    )
    ordered = sorted(one.sets, key=lambda piece: piece.p)
    rows = []
    for u, (piece, p) in enumerate(zip(ordered, one.at_least, strict=True), 1):
        marked = u <= one.marked
        tone = TONES[one.side == "better"] if marked else "plain"
        rows.append(
            (
                Cell(f"on at least {u} of {len(ordered)}", tone, u),
                Cell(p_text(p), tone, p, spread="*" if marked else ""),
                Cell(piece.testset),
                Cell(p_text(piece.p), value=piece.p),
            )
        )
    caption = f"{one.system} {claimed(result, one.side)} by {label}: on how many sets"
    return Table(columns, tuple(rows), caption, _unmarked([one]))


def _unmarked(claims: Sequence[Replicability]) -> tuple[str, ...]:
    """Say on which test sets a gain is not marked though it is significant, and why."""
    return tuple(f"Not reliable on {text}." for text in doubted(claims))


def replicability_table(result: PooledResult) -> list[Table]:
    """Return of many pairs those that are shown on any test set, and on which."""
    tables = []
    for metric in result.metrics:
        mine = [one for one in result.replicability if one.metric == metric.key and one.shown]
        if not mine:
            continue
        columns = (
            Column(f"{metric.label}: {claimed(result, mine[0].side)}", "left"),
            Column("on at least"),
            Column("of them", "left"),
        )
        rows = tuple(
            (
                Cell(_who(result, (one.baseline, one.system))),
                Cell(whole(one.shown, "test set"), value=one.shown),
                Cell(", ".join(one.named)),
            )
            for one in mine
        )
        caption = f"On how many test sets a gain in {metric.label} is shown"
        tables.append(Table(columns, rows, caption, _unmarked(mine)))
    return tables
