"""View of metrics held against people: a table of all measures, one for each measure, and sentences."""

from __future__ import annotations

from truegain.report.model import (
    Cell,
    Column,
    Document,
    P,
    Paragraph,
    Table,
    Tone,
    Words,
    decimal,
    listing,
    remark,
    whole,
)
from truegain.studies.agree.result import AgreedMetric, AgreeResult
from truegain.studies.shared_view import ADJUSTED_BY, after_words, interval_cell, level_words

#: What measures are called.
LABELS = {
    "accuracy": "pairwise accuracy",
    "spa": "SPA",
    "system-pearson": "Pearson of systems",
    "acc23": "accuracy with ties",
    "kendall": "Kendall's tau-b",
    "pearson": "Pearson of segments",
}
_SHORT = {"system-pearson": "r systems", "acc23": "acc with ties", "kendall": "tau-b", "pearson": "r segments"}
_MEANING = {
    "accuracy": "the share of pairs of systems that a metric orders as people do (Kocmi et al. 2021)",
    "spa": "soft pairwise accuracy, 1 less the mean difference of one-sided p-values (Thompson et al. 2024)",
    "system-pearson": "Pearson's correlation of scores of systems",
    "acc23": "accuracy with ties of pairs of translations of a segment, with the best tie threshold (Deutsch et al. "
    "2023)",
    "kendall": "Kendall's tau-b over the systems of each segment, averaged over segments",
    "pearson": "Pearson's correlation of scores of all translations",
}
_NARROWER = "; the test 'documents' is about these systems alone"
_TESTS = {
    "documents": "a t-test over {units}",
    "perm-sys": "swaps of a system's standardised scores (PERM-SYS, Deutsch et al. 2021; {swaps}) and by Student's t "
    "over {units} and systems, of which the larger p-value counts",
    "perm-both": "swaps of single standardised scores (PERM-BOTH, Deutsch et al. 2021; {swaps})",
    "pair-swaps": "swaps of what metrics say of pairs of translations (as mt-metrics-eval; {swaps})",
}


def document(result: AgreeResult, decimals: int | None) -> Document:
    """Return the measures of all metrics, a ranking by each measure, verdicts, what to know, and the methods."""
    places = 3 if decimals is None else decimals
    shown = [
        f"{whole(len(result.metrics), 'metric')} compared with people's scores",
        *([whole(len(result.test_sets), "test set")] if len(result.test_sets) > 1 else []),
        whole(_systems(result), "system"),
        whole(result.segments, "rated segment"),
        *([whole(result.n_units, "document")] if result.unit == "document" else []),
    ]
    items: list[Table | Paragraph] = [Paragraph(" · ".join(shown), "title")]
    items += [Paragraph(text, "verdict") for text in verdicts(result)]
    if len(result.measures) > 1:
        items.append(_overview(result, places))
    items += [_ranking(result, measure, places) for measure in result.measures]
    items += [remark(note) for note in result.notes]
    items += [Paragraph(f"{one.label}: {one.signature}", "signature") for one in result.computed]
    items.append(Paragraph(f"{result.signature} · inputs {result.fingerprint}", "signature"))
    items.append(Paragraph(methods(result), "methods"))
    return Document(tuple(items))


def _systems(result: AgreeResult) -> int:
    """Count systems; one that translates two language pairs is two."""
    return sum(len(own.systems) for own in result.test_sets)


def _pooling(result: AgreeResult) -> str:
    if len(result.test_sets) == 1:
        return ""
    names = listing([own.name for own in result.test_sets])
    counted = "pairwise accuracy is over all pairs of systems, and " if "accuracy" in result.measures else ""
    means = "other measures" if counted else "measures"
    return f" Of the test sets {names}, {counted}{means} are means."


def _overview(result: AgreeResult, places: int) -> Table:
    order = [one.metric for one in result.placed(result.measures[0])]
    columns = (Column("metric", "left"), *(Column(_SHORT.get(name, LABELS[name])) for name in result.measures))
    split = {name: max(one.cluster for one in result.placed(name)) > 1 for name in result.measures}
    rows = []
    for metric in order:
        held = [result[measure, metric] for measure in result.measures]
        cells = (Cell(decimal(one.value, places), _tone(one, split=split[one.measure]), one.value) for one in held)
        rows.append((Cell(metric), *cells))
    notes = (["Bold: the first of several clusters."] if any(split.values()) else []) + (
        [_pooling(result).strip()] if len(result.test_sets) > 1 else []
    )
    return Table(columns, tuple(rows), "Agreement with people", tuple(notes))


def _tone(one: AgreedMetric, *, split: bool) -> Tone:
    return "strong" if split and one.cluster == 1 else "plain"


def _ranking(result: AgreeResult, measure: str, places: int) -> Table:
    placed = result.placed(measure)
    ties = placed[0].threshold is not None
    chances = {round(one.chance, places) for one in placed}
    columns = (
        Column("rank"),
        Column("cluster"),
        Column(LABELS[measure], "left"),
        Column("agreement"),
        Column(f"{level_words(result.alpha)} CI"),
        *([Column("chance")] if len(chances) > 1 else []),
        *([Column("tie threshold")] if ties else []),
        Column("letters", "left"),
    )
    split = max(one.cluster for one in placed) > 1
    rows = []
    for one in placed:
        rows.append(
            (
                Cell(_ranks(one), _tone(one, split=split), one.best),
                Cell(f"{one.cluster}", value=one.cluster),
                Cell(one.metric),
                Cell(decimal(one.value, places), value=one.value),
                interval_cell(one.interval.low, one.value, one.interval.high, lambda x: decimal(x, places)),
                *([Cell(decimal(one.chance, places), value=one.chance)] if len(chances) > 1 else []),
                *([Cell(f"{one.threshold:.3g}", value=one.threshold)] if one.threshold is not None else []),
                Cell(one.letters),
            )
        )
    breaks = tuple(i for i in range(1, len(placed)) if placed[i].cluster != placed[i - 1].cluster)
    chance = f" By chance it is {decimal(placed[0].chance, places)}." if len(chances) == 1 else ""
    notes: list[str] = [f"{_MEANING[measure][0].upper()}{_MEANING[measure][1:]}.{chance}"]
    if measure == result.measures[0]:
        notes.append(
            Words(
                "rank: the range of places consistent with the significant differences, ",
                P,
                f" ≤ {result.alpha:g}{after_words(result.adjust)}. letters: metrics that share one are not shown to "
                f"differ. Intervals are for {result.claim_words}{_NARROWER if result.claim == 'new systems' else ''}.",
            )
        )
    return Table(columns, tuple(rows), f"Metrics by {LABELS[measure]}", tuple(notes), breaks)


def _ranks(one: AgreedMetric) -> str:
    return f"{one.best}" if one.best == one.worst else f"{one.best}–{one.worst}"


def verdicts(result: AgreeResult) -> list[str]:
    """Say which metrics agree best with people, and which are not significantly worse."""
    said = []
    for measure in result.measures:
        first, *others = result.placed(measure)
        text = f"By {LABELS[measure]}, {first.metric} agrees best with people ({decimal(first.value, 3)})"
        equal = [one.metric for one in others if not _differ(result, measure, first.metric, one.metric)]
        if not others:
            text = f"By {LABELS[measure]}, the agreement of {first.metric} with people is {decimal(first.value, 3)}"
        elif len(equal) == len(others):
            text += "; no other metric is significantly worse"
        elif not equal:
            text += ", significantly better than every other metric"
        else:
            shown = listing(equal) if len(equal) <= 4 else f"{len(equal)} of {len(others)} other metrics"
            text += f"; {shown} {'is' if len(equal) == 1 else 'are'} not significantly worse"
        said.append(f"{text}.")
    return said


def _differ(result: AgreeResult, measure: str, one: str, other: str) -> bool:
    first, second = sorted((one, other), key=result.metrics.index)
    return result.pair(measure, first, second).better is not None


def methods(result: AgreeResult) -> str:
    """Describe the method in a few sentences, to paste into a paper."""
    swaps = "all swaps" if result.exhaustive else f"{result.resamples:,} random swaps"
    units = f"{result.n_units:,} {result.unit}s"
    test = _TESTS[result.test].format(swaps=swaps, units=units)
    meanings = "; ".join(_MEANING[name] for name in result.measures)
    adjusted = "" if result.adjust == "none" else f", adjusted for the number of pairs ({ADJUSTED_BY[result.adjust]})"
    compared = (
        f" Differences between metrics were tested by {test}{adjusted}, with claims about {result.claim_words}."
        if len(result.metrics) > 1
        else ""
    )
    over = f"{units} and {_systems(result)} systems" if result.claim == "new systems" else units
    return (
        f"{whole(len(result.metrics), 'metric')} {'was' if len(result.metrics) == 1 else 'were'} compared "
        f"with people's scores of {whole(_systems(result), 'system')} on {whole(result.segments, 'segment')}: "
        f"{meanings}."
        f"{_pooling(result)}{compared} "
        f"Intervals are Student's, with variances over {over} (truegain {result.version}, seed {result.seed})."
    )


def prose(result: AgreeResult) -> dict[str, str | list[str]]:
    """Return the sentences of the JSON."""
    return {"verdicts": verdicts(result), "methods": methods(result)}
