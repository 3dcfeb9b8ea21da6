"""Words and tables that several views share: decimals, cells, tests, units and test sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from truegain.changed_segments import ChangedPair
from truegain.inference.results import Comparison, MetricInfo, SystemScore, TestSet, Variability
from truegain.notes import Note
from truegain.registry import TESTS
from truegain.report.model import (
    S_DEV,
    S_SEL,
    S_TEST,
    Cell,
    Column,
    Paragraph,
    Span,
    Symbol,
    Table,
    Tone,
    Words,
    decimal,
    listing,
    p_text,
    signed,
    whole,
)

if TYPE_CHECKING:
    from truegain.report.page import Segments

#: More comparisons than these are told of together.
MANY = 3


#: Intervals of scores that are not drawn.
_SCORE_TESTS = {
    "wilson": "score intervals of shares (Wilson 1927)",
    "test": "score intervals within the range of the scores",
}

TONES: dict[bool | None, Tone] = {True: "good", False: "bad", None: "plain"}


def tone_of(one: Comparison) -> Tone:
    """Return the tone of a comparison: plain, too, if its p-value has a caveat."""
    return TONES[one.better if one.marked else None]


def sentence_tone(tone: Tone) -> Tone:
    """Return the tone of a sentence about a difference: undecided if it is neither good nor bad."""
    return "undecided" if tone == "plain" else tone


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


def score_cells(score: SystemScore, decimals: int, *, errors: bool = False) -> tuple[Cell, ...]:
    """Return a score, its standard error if ``errors`` are shown, and its interval."""
    ends = score.interval
    shown = Cell(decimal(score.score, decimals), value=score.score), *_error_cells(errors, score, decimals)
    if ends is None:
        return *shown, Cell("")
    return *shown, interval_cell(ends.low, score.score, ends.high, lambda x: decimal(x, decimals))


def gain_cells(one: Comparison, decimals: int, *, errors: bool = False) -> tuple[Cell, ...]:
    """Return a gain, its standard error if ``errors`` are shown, its interval and its p-value."""
    return (
        Cell(signed(one.delta, decimals), tone_of(one), one.delta),
        *_error_cells(errors, one, decimals),
        interval_cell(one.interval.low, one.delta, one.interval.high, lambda x: signed(x, decimals)),
        Cell(p_text(one.p), value=one.p),
    )


def _error_cells(shown: bool, one: SystemScore | Comparison, decimals: int) -> tuple[Cell, ...]:
    return (Cell(error_text(one, decimals), value=one.standard_error),) if shown else ()


def error_text(one: SystemScore | Comparison, decimals: int) -> str:
    """Write a standard error, with one decimal more than its score."""
    return "–" if one.standard_error is None else decimal(one.standard_error, decimals + 1)


def error_columns(shown: bool, heading: str = "SE") -> list[Column]:
    """Return the column of standard errors, if they are shown."""
    return [Column(heading, secondary=True)] if shown else []


def standard_errors_notes(result: Any, comparisons: Sequence[Comparison] = ()) -> tuple[str, ...]:
    """Say which variation the standard errors of a table hold; nothing if it does not show them."""
    if not result.standard_errors:
        return ()
    over = f"SE: standard error over {units_words(result.unit, result.n_units)}"
    over += ", with the runs as they are" if any(score.runs > 1 for score in result.scores) else ""
    raters = [one.claim.rater_noun for one in comparisons if one.claim.raters]
    more = {
        f"over {raters[0] if raters else 'rater'}s as well": bool(raters),
        "over runs as well, and never below that with the runs as they are": any(
            one.claim.new_runs and one.claim.unit is not None for one in comparisons
        ),
        "over runs alone, on this test set": any(one.claim.new_runs and one.claim.unit is None for one in comparisons),
    }
    return (f"{over}{''.join(f'; that of Δ {what}' for what, there in more.items() if there)}.",)


def name_cell(name: str, runs: int) -> Cell:
    """Return a system's name, with the number of its runs if there are several."""
    return Cell(name if runs == 1 else f"{name} ({runs} runs)")


def row_of(one: Comparison) -> str:
    """Return what links call the row of a comparison."""
    return "\n".join((one.metric, one.baseline, one.system))


def heading_of(metric: MetricInfo) -> str:
    """Return the label, and which way is better."""
    arrow = {True: " ↑", False: " ↓", None: ""}[metric.higher_is_better]
    return f"{metric.label}{arrow}"


def scores_table(result: Any, metric: MetricInfo, scores: Sequence[SystemScore], decimals: int) -> Table:
    """Return the scores of systems under a metric with their intervals, and their standard errors if asked for."""
    errors = result.standard_errors
    columns = (
        Column(heading_of(metric), "left"),
        Column("score"),
        *error_columns(errors),
        Column(f"{level_words(result.alpha)} CI"),
    )
    rows = tuple((name_cell(one.name, one.runs), *score_cells(one, decimals, errors=errors)) for one in scores)
    return Table(columns, rows, f"{metric.label} of each system", standard_errors_notes(result))


def variability_tables(metric: MetricInfo, variability: Sequence[Variability], decimals: int, unit: str) -> list[Table]:
    """Return how scores vary, as Clark et al.'s table 1 and the components behind it."""
    mine = [one for one in variability if one.metric == metric.key]
    if not mine:
        return []
    noun = {"block": "segment", "testset": "test set"}.get(unit, unit)
    on_development = any(one.s_dev is not None for one in mine)
    columns = [Column(f"{metric.label} varies", "left"), Column("avg"), Column(S_SEL)]
    columns += [Column(S_DEV)] if on_development else []
    columns += [Column(S_TEST), Column(noun), Column("run"), Column(f"{noun[:3]}. × run")]
    columns.append(Column("median run", "left"))
    digits = decimals + 1
    paths = [Path(one.median_run) for one in mine]
    alike = len({path.name for path in paths}) < len(paths)
    rows = []
    for one in mine:
        numbers = [one.s_sel, *([one.s_dev] if on_development else []), one.s_test, one.units, one.run, one.interaction]
        cells = [Cell("–" if number is None else f"{number:.{digits}f}") for number in numbers]
        name = one.median_run if alike else Path(one.median_run).name
        median = Cell(name if one.runs > 1 else "")
        rows.append((Cell(one.system), Cell(decimal(one.average, decimals)), *cells, median))
    caption = f"Standard deviations of {metric.label}, over test sets, over runs, and their components"
    return [Table(tuple(columns), tuple(rows), caption), *_sample_tables(metric, mine, digits)]


def _sample_tables(metric: MetricInfo, mine: Sequence[Variability], digits: int) -> list[Table]:
    """Return how scores vary over training samples, and what samples and runs have in it, if samples are known."""
    headings = ("samples", Words(Symbol("s", "sample")), "sample", "run in sample")
    columns = (Column(f"{metric.label} varies", "left"), *map(Column, headings))
    rows = []
    for one in mine:
        if (training := one.training) is not None:
            numbers = (training.s_sample, training.sample, training.run)
            cells = [Cell("–" if number is None else f"{number:.{digits}f}") for number in numbers]
            rows.append((Cell(one.system), Cell(str(training.samples)), *cells))
    caption = f"Standard deviations of {metric.label} over training samples, and its components"
    none = [one.system for one in mine if one.training is not None and one.training.sample == 0.0]
    said = [f"sample is 0 if its variance comes out negative: here that of {listing(none)}."] if none else []
    return [Table(columns, tuple(rows), caption, tuple(said))] if rows else []


#: Whose methods they are.
ADJUSTED_BY = {
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "bh": "Benjamini and Hochberg",
    "by": "Benjamini and Yekutieli",
    "maxt": "Westfall and Young",
}


def after_words(adjustment: str) -> str:
    """Return `` after Holm``; nothing if p-values are not adjusted."""
    return "" if adjustment == "none" else f" after {ADJUSTED_BY[adjustment]}"


def level_words(alpha: float) -> str:
    """Return the level of intervals, ``95 %``."""
    return f"{100 * (1 - alpha):g} %"


def kind_words(method: str) -> str:
    """Return the name of a kind of bootstrap interval within a sentence."""
    return "BCa" if method == "bca" else method


def score_intervals_words(scores: Sequence[SystemScore], bootstrap: str) -> str:
    """Name the kinds of intervals that scores have; ``bootstrap`` is what is said of those that are drawn."""
    methods = dict.fromkeys(one.interval.method for one in scores if one.interval is not None) or ["percentile"]
    return listing([_SCORE_TESTS.get(kind) or f"{kind_words(kind)} intervals of {bootstrap}" for kind in methods], "or")


def label_of(test: str) -> str:
    """Return the name of a test within a sentence."""
    return TESTS[test].named


def units_words(unit: str, count: int) -> str:
    """Say what is drawn or swapped, for the methods sentence."""
    if unit == "block":
        return f"blocks of the {count:,} segments"
    return f"{count:,} {'test set' if unit == 'testset' else unit}s"


def describe_testset(testset: TestSet, scores: Sequence[SystemScore]) -> str:
    """Describe in one line what was tested on."""
    parts = [whole(testset.segments, "segment")]
    if testset.documents is not None:
        parts.append(whole(testset.documents, "document"))
    if testset.domains is not None:
        parts.append(whole(testset.domains, "domain"))
    if testset.references:
        parts.append(whole(testset.references, "reference"))
    runs = list({score.name: score.runs for score in scores}.values())
    if max(runs, default=1) > 1:
        parts.append(" + ".join(str(count) for count in runs) + " runs")
    if testset.inputs.training is not None:
        samples = Counter(one.system for one in testset.inputs.training.samples)
        parts.append(" + ".join(str(count) for count in samples.values()) + " training samples")
    return f"{testset.name}  {' · '.join(parts)}"


def unit_words(unit: str) -> str:
    """Return the kind of units that were resampled: ``documents``, ``blocks of segments``."""
    return {"block": "blocks of segments", "testset": "test sets"}.get(unit, f"{unit}s")


def direction_notes(metrics: Sequence[MetricInfo], who: str = "the system") -> list[Note]:
    """Say what the sign of Δ means, if lower scores are better under a metric."""
    text = f"Δ is positive where {who} is better, also where lower scores are better"
    return [Note("direction", text)] if any(metric.higher_is_better is False for metric in metrics) else []


def signatures(result: Any, inputs: str | None = None) -> list[Paragraph]:
    """Return the signatures of the metrics and of the study, with the fingerprint of what was read."""
    inputs = result.testset.fingerprint if inputs is None else inputs
    texts = [f"{metric.label}: {metric.signature}" for metric in result.metrics]
    return [Paragraph(text, "signature") for text in (*texts, f"{result.signature} · inputs {inputs}")]


def where(testset: TestSet) -> str:
    """Name the test set and its size, for captions."""
    name = "the test set" if testset.name == "test set" else testset.name
    return f"{name} ({whole(testset.segments, 'segment')})"
