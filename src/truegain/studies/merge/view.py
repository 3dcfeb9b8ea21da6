"""A merge of sums as tables, sentences and figures."""

from __future__ import annotations

from truegain.inference.results import MetricInfo, SystemScore
from truegain.report.model import (
    Cell,
    Column,
    Document,
    Paragraph,
    Picture,
    Span,
    Table,
    decimal,
    listing,
    p_text,
    signed,
    whole,
)
from truegain.studies.merge.parts import TEST_LABELS, MergedPair
from truegain.studies.merge.result import MergeResult
from truegain.studies.shared_view import (
    ADJUSTED_BY,
    TONES,
    decimals_for,
    describe_testset,
    heading_of,
    interval_text,
    name_cell,
)

__all__ = ["document", "methods", "pictures", "prose", "verdicts"]

_SOURCES = {
    "ar": "Noreen 1989; Riezler and Maxwell 2005",
    "poisson-bootstrap": "Hanley and MacGibbon 2006; Chamandy et al. 2012",
}
_HEADINGS = {"ar": "p AR", "poisson-bootstrap": "p boot."}


def document(result: MergeResult, decimals: int | None) -> Document:
    """Return a table for each metric, verdicts, what to know, signatures, and the methods."""
    items: list[Table | Paragraph] = [Paragraph(describe_testset(result.testset, result.scores), "title")]
    items.extend(_table(result, metric, decimals_for(metric, result.scores, decimals)) for metric in result.metrics)
    items.extend(Paragraph(text, "verdict") for text in verdicts(result, decimals))
    items.extend(Paragraph(f"{text}.") for text in _remarks(result))
    items.extend(Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in result.metrics)
    items.append(Paragraph(f"{result.signature} · inputs {result.testset.fingerprint}", "signature"))
    items.append(Paragraph(methods(result), "methods"))
    return Document(tuple(items))


def pictures(result: MergeResult, decimals: int | None) -> tuple[Picture, ...]:
    """Return the gains over the baseline (forest); nothing if there is one system, of which the table says all."""
    from truegain.report.figures.forest import ForestPanel, ForestPlot, Gain

    if not result.pairs:
        return ()
    panels = tuple(
        ForestPanel(
            metric.label,
            tuple(
                Gain(one.delta, one.interval.low, one.interval.high, one.significant, one.better)
                for one in result.of(metric.key)
            ),
            decimals_for(metric, result.scores, decimals),
        )
        for metric in result.metrics
    )
    labels = tuple(one.system for one in result.of(result.metrics[0].key))
    after = f" after {ADJUSTED_BY[result.adjustment]}" if result.adjustment != "none" and len(labels) > 1 else ""
    sign = ", positive where the system is better" if any(m.higher_is_better is False for m in result.metrics) else ""
    kind = result.pairs[0].interval.method
    caption = (
        f"Gains over {result.baseline}{sign}, with {100 * (1 - result.alpha):g} % intervals of the Poisson bootstrap "
        f"({kind}) over {whole(result.n_units, result.unit)}, with {whole(result.resamples, 'resample')}; filled where "
        f"p ≤ {result.alpha:g} by {TEST_LABELS[result.test]}{after}."
    )
    return (Picture("forest", ForestPlot(labels, panels, result.baseline, 1.0 - result.alpha), caption),)


def verdicts(result: MergeResult, decimals: int | None = None) -> list[str]:
    """Return the answers, a sentence for each comparison."""
    return [_verdict(result, one, decimals) for one in result.pairs]


def prose(result: MergeResult) -> dict[str, str | list[str]]:
    """Return the sentences of the JSON."""
    return {"verdicts": verdicts(result), "methods": methods(result)}


def _table(result: MergeResult, metric: MetricInfo, decimals: int) -> Table:
    """Scores with intervals; gains over the baseline, where there is one, by the test that decides and by the other."""
    level = f"{100 * (1 - result.alpha):g} % CI"
    family = {one.system: one for one in result.of(metric.key)}
    mine = [one for one in result.scores if one.metric == metric.key]
    mine.sort(key=lambda one: one.name != result.baseline)
    counted = len({one.runs for one in mine}) > 1
    columns = [Column(heading_of(metric), "left"), Column("score"), Column(level)]
    adjusts = len(family) > 1 and result.adjustment != "none"
    tests = sorted(_HEADINGS, key=lambda test: test != result.test)
    if family:
        columns += [Column("Δ"), Column(f"{level} of Δ")]
        columns += [Column(_HEADINGS[test] + (" adj." if adjusts else "")) for test in tests]
        columns.append(Column("", "left"))
    rows: list[tuple[Cell, ...]] = []
    for score in mine:
        cells = [name_cell(score.name, score.runs if counted else 1), *_score_cells(score, decimals)]
        if score.name in family:
            one = family[score.name]
            tone = TONES[one.better]
            cells += [
                Cell(signed(one.delta, decimals), tone, one.delta),
                Cell(
                    interval_text(one.interval.low, one.interval.high, lambda x: signed(x, decimals)),
                    value=one.interval.low,
                    span=Span(one.interval.low, one.delta, one.interval.high),
                ),
            ]
            cells += [_p_cell(one.p_adjusted(test)) for test in tests]
            cells.append(Cell("*" if one.significant else "", tone))
        elif family:
            cells += [Cell(""), Cell("baseline", "quiet"), Cell(""), Cell(""), Cell("")]
        rows.append(tuple(cells))
    caption = (
        f"{metric.label} of each system and its gain over {result.baseline}"
        if family
        else f"{metric.label} of the system"
    )
    return Table(tuple(columns), tuple(rows), caption)


def _score_cells(score: SystemScore, decimals: int) -> tuple[Cell, Cell]:
    shown = Cell(decimal(score.score, decimals), value=score.score)
    interval = score.interval
    if interval is None:
        return shown, Cell("")
    ends = interval_text(interval.low, interval.high, lambda x: decimal(x, decimals))
    return shown, Cell(ends, value=interval.low, span=Span(interval.low, score.score, interval.high))


def _p_cell(p: float | None) -> Cell:
    return Cell("–") if p is None else Cell(p_text(p), value=p)


def _verdict(result: MergeResult, one: MergedPair, decimals: int | None) -> str:
    """Return the answer in one sentence."""
    metric = next(metric for metric in result.metrics if metric.key == one.metric)
    if one.differing == 0:
        return f"{one.system} and {one.baseline} are the same to {metric.label}."
    places = decimals_for(metric, result.scores, decimals)
    gain = signed(one.delta, places)
    text = p_text(one.p_adjusted(result.test) or 0.0)
    relation = text.replace("<", "< ") if text.startswith("<") else f"= {text}"
    after = f" after {ADJUSTED_BY[result.adjustment]}" if _adjusts(result, one.metric) else ""
    evidence = f"{TEST_LABELS[result.test]}, p {relation}{after}"
    if one.significant:
        words = ("higher", "lower") if one.better is None else ("better", "worse")
        word = words[0] if one.delta > 0 else words[1]
        return (
            f"{one.system} is {word} than {one.baseline} by {metric.label} ({gain}), for {result.claim} ({evidence})."
        )
    interval = interval_text(one.interval.low, one.interval.high, lambda x: signed(x, places))
    level = f"{100 * (1 - result.alpha):g} %"
    return (
        f"{metric.label} does not show that {one.system} and {one.baseline} differ: {gain}, {level} interval "
        f"{interval} ({evidence})."
    )


def _remarks(result: MergeResult) -> list[str]:
    """What to know."""
    said = [f"Unit: {result.unit}s"]
    if result.pairs and any(metric.higher_is_better is False for metric in result.metrics):
        said.append("Δ is positive where the system is better, also where lower scores are better")
    labels = {metric.key: metric.label for metric in result.metrics}
    for one in result.pairs:
        mine, other = (_decides(result, one, test) for test in sorted(TEST_LABELS, key=lambda t: t != result.test))
        if mine is not None and other is not None and mine != other:
            said.append(
                f"{one.system}, {labels[one.metric]}: the two tests disagree at {result.alpha:g}, so the evidence is "
                "near the border"
            )
    return [*said, *result.notes]


def methods(result: MergeResult) -> str:
    """A few sentences on the method, to paste into a paper."""
    names = listing([metric.label for metric in result.metrics])
    units = whole(result.n_units, result.unit)
    drawn = f"over {units} with {whole(result.resamples, 'resample')}"
    text = ""
    if result.pairs:
        count = len(result.of(result.metrics[0].key))
        who = (
            "the difference between the system and the baseline was"
            if count == 1
            else (f"the differences between each of {count} systems and the baseline were")
        )
        text = (
            f"In terms of {names}, {who} tested with {TEST_LABELS[result.test]} (two-sided; {_SOURCES[result.test]}) "
            f"{drawn}. "
        )
        if count > 1 and result.adjustment != "none":
            text += (
                f"P-values were adjusted for the {count} comparisons, metric by metric, by the method of "
                f"{ADJUSTED_BY[result.adjustment]}. "
            )
        elif count > 1:
            text += f"P-values were not adjusted for the {count} comparisons. "
    if any(one.runs > 1 for one in result.scores):
        text += "Scores are means over runs, and runs are held fixed. "
    kind = next((one.interval.method for one in result.scores if one.interval is not None), "percentile")
    level = f"{100 * (1 - result.alpha):g} %"
    what = "Intervals" if result.pairs else f"Intervals of {names}"
    source = "" if result.pairs and result.test == "poisson-bootstrap" else f" ({_SOURCES['poisson-bootstrap']})"
    return (
        f"{text}{what} are {level} {kind} intervals of the Poisson bootstrap{source} {drawn}: in every resample each "
        f"{result.unit} has a weight of its own, drawn from Poisson(1) by its number, and the data were summed in "
        f"parts (truegain {result.version}, seed {result.seed})."
    )


def _adjusts(result: MergeResult, metric: str) -> bool:
    return result.adjustment != "none" and len(result.of(metric)) > 1


def _decides(result: MergeResult, one: MergedPair, test: str) -> bool | None:
    p = one.p_adjusted(test)
    return None if p is None else p <= result.alpha
