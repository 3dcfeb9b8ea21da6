"""The answer on each pair of systems over all metrics: one sentence, or of many pairs a table of signs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from truegain.inference.claims import narrowest
from truegain.inference.results import Comparison, MetricInfo
from truegain.report.model import Cell, Column, P, Paragraph, Table, Tone, Words, listing, p_words, signed
from truegain.studies.compare import sentences
from truegain.studies.compare.answers import Answer, Headline, MetricAnswer, Shown
from truegain.studies.compare.result import CompareResult
from truegain.studies.null_gain import as_given, beyond_words, doubted_words
from truegain.studies.shared_view import MANY, after_words, decimals_for, row_of, sentence_tone

DISAGREE = "Metrics disagree: "

_UP, _DOWN = ("better", "above", "higher"), ("worse", "below", "lower")
_SIGNS = {"not shown": "·"} | dict.fromkeys(_UP, "▲") | dict.fromkeys(_DOWN, "▼")
_TONES: dict[str, Tone] = {"better": "good", "worse": "bad", "above": "good", "below": "bad"}


def headlines(result: CompareResult, decimals: int | None = None) -> list[Headline]:
    """Return the answer on each pair of systems, in the order in which they were compared."""
    pairs: dict[tuple[str, str], list[Comparison]] = {}
    for metric in result.metrics:
        for one in result.primary_tests(metric.key):
            pairs.setdefault((one.baseline, one.system), []).append(one)
    return [_headline(result, comparisons, decimals) for comparisons in pairs.values()]


def headline(result: CompareResult, decimals: int | None = None) -> list[Paragraph | Table]:
    """Return the answers as paragraphs; of many pairs under several metrics as a table of signs."""
    found = headlines(result, decimals)
    if len(found) <= MANY:
        return [Paragraph(one.text, "headline", sentence_tone(_tone(one))) for one in found]
    if len(result.metrics) == 1:
        said = sentences.verdicts(result, result.metrics[0], decimals)
        return [Paragraph(one.text, "headline", one.tone) for one in said]
    return [_signs(result, found, decimals) if result.baseline is not None else _wins(result, found)]


def _tone(one: Headline) -> Tone:
    return _TONES.get(one.answer, "plain") if one.reliable else "plain"


def _shown(result: CompareResult, one: Comparison) -> Shown:
    if not one.significant:
        return "not shown"
    if result.null_gain != 0.0:
        return "above" if one.delta > result.null_gain else "below"
    if one.better is None:
        return "higher" if one.delta > 0 else "lower"
    return "better" if one.better else "worse"


def _together(shown: Collection[Shown]) -> Answer:
    """Return what all metrics say; those without a better way have no say beside others."""
    answers: tuple[tuple[Answer, Answer], ...] = (("better", "worse"), ("above", "below"))
    for up, down in answers:
        if up in shown or down in shown:
            return "metrics disagree" if up in shown and down in shown else up if up in shown else down
    return "different" if shown else "not shown"


def _headline(result: CompareResult, comparisons: Sequence[Comparison], decimals: int | None) -> Headline:
    first = comparisons[0]
    answers = tuple(MetricAnswer(one.metric, _shown(result, one)) for one in comparisons)
    answer = _together({one.answer for one in answers} - {"not shown"})
    if len(result.metrics) == 1:
        text = sentences.verdict(result, first, decimals)
    else:
        text = _text(result, comparisons, answer == "metrics disagree", decimals)
    reliable = not any(one.significant and one.caveats for one in comparisons)
    return Headline(first.baseline, first.system, answer, reliable, answers, text)


def _text(result: CompareResult, comparisons: Sequence[Comparison], disagree: bool, decimals: int | None) -> str:
    """Say what is shown by which metrics, what is not, and what is to be doubted."""
    metrics = {metric.key: metric for metric in result.metrics}
    shown = [one for one in comparisons if one.significant]
    others = [one for one in comparisons if not one.significant]
    labels = [metrics[one.metric].label for one in others]
    if not shown:
        return f"{_nothing(result, others[0], labels, metrics)}.{_adjusted_away(result, others, metrics)}"
    by_phrase: dict[str, list[str]] = {}
    for one in shown:
        metric = metrics[one.metric]
        places = decimals_for(metric, result.scores, decimals)
        above = one.delta > result.null_gain
        phrase = beyond_words(one.system, one.baseline, metric, above=above, gain=result.null_gain)
        by_phrase.setdefault(phrase, []).append(f"{metric.label} ({signed(one.delta, places)})")
    comma = "" if result.null_gain == 0.0 else ","
    said = "; ".join(f"{phrase}{comma} by {listing(by)}" for phrase, by in by_phrase.items())
    claim = narrowest(one.claim for one in shown)
    unshown = f"; {listing(labels)} {'does' if len(labels) == 1 else 'do'} not show it" if others else ""
    if disagree:
        unshown = f"; {listing(labels)} {'shows' if len(labels) == 1 else 'show'} neither" if others else ""
    opening = DISAGREE if disagree else ""
    return f"{opening}{said}, for {claim}{unshown}.{_doubts(shown, metrics)}{_adjusted_away(result, others, metrics)}"


def _nothing(result: CompareResult, one: Comparison, labels: list[str], metrics: dict[str, MetricInfo]) -> str:
    if result.null_gain != 0.0 and one.alternative != "two-sided":
        above = one.alternative == "greater"
        doubted = doubted_words(
            one.system, one.baseline, metrics[one.metric], above=above, gain=result.null_gain, several=len(labels) > 1
        )
        return f"{listing(labels)} {doubted}"
    by = f"by {listing(labels, 'or')}"
    if result.null_gain != 0.0:
        other = f"other than {as_given(result.null_gain)}"
        return f"The gain of {one.system} over {one.baseline} is not shown to be {other} {by}"
    if one.alternative in ("two-sided", "observed"):
        return f"{one.system} is not shown to differ from {one.baseline} {by}"
    side = "better" if one.alternative == "greater" else "worse"
    return f"{one.system} is not shown to be {side} than {one.baseline} {by}"


def _doubts(shown: Sequence[Comparison], metrics: dict[str, MetricInfo]) -> str:
    """Name the strongest reason to doubt what is shown: what the test met here before what it is known for."""
    doubted = [(one, caveat) for one in shown for caveat in one.caveats]
    if not doubted:
        return ""
    strongest = min((caveat for _, caveat in doubted), key=lambda caveat: caveat.kind == "size")
    of = [metrics[one.metric].label for one, caveat in doubted if caveat.text == strongest.text]
    by = "" if len(of) == len(shown) else f" by {listing(of)}"
    return f" This is not reliable{by}: {strongest.text}."


def _adjusted_away(result: CompareResult, others: Sequence[Comparison], metrics: dict[str, MetricInfo]) -> str:
    """Say which differences are significant alone, and not after the adjustment."""
    alone = [one for one in others if sentences.alone_only(one, result.alpha)]
    if not alone:
        return ""
    count = len(result.primary_tests(alone[0].metric))
    labels = [f"{metrics[one.metric].label} (p {p_words(one.p)})" for one in alone]
    are, they = ("is", "it is") if len(alone) == 1 else ("are", "they are")
    after = f"{after_words(alone[0].adjust).strip()} for {count} comparisons"
    adjusted = listing([p_words(one.p_adjusted) for one in alone])
    return f" Alone, {listing(labels)} {are} significant; {after} {they} not (p {adjusted})."


def _note(result: CompareResult, *, signs: bool) -> Words:
    """Explain the signs, or numbers of them, and say what they extend to."""
    primary = [one for metric in result.metrics for one in result.primary_tests(metric.key)]
    claim = narrowest(one.claim for one in primary)
    gain = as_given(result.null_gain)
    what = "▲ better, ▼ worse" if result.null_gain == 0.0 else f"▲ gain above {gain}, ▼ below {gain}"
    if signs and primary[0].alternative == "greater":  # the other side was not tested
        what = what.partition(", ")[0]
    elif signs and primary[0].alternative == "less":
        what = "▼ worse" if result.null_gain == 0.0 else f"▼ gain below {gain}"
    undirected = [metric.label for metric in result.metrics if metric.higher_is_better is None]
    what += f" (of {listing(undirected)} higher, lower)" if undirected else ""
    what += ", · not shown" if signs else ""
    reasons = dict.fromkeys(c.summary or c.text for one in primary if one.significant for c in one.caveats)
    doubted = "? not reliable" if signs else "Some of this is not reliable"
    doubt = f" {doubted}: {'; '.join(reasons)}." if reasons else ""
    level = Words(P, f" ≤ {result.alpha:g}{after_words(primary[0].adjust)}")
    return Words(f"{what} (", level, f"), for {claim}.{doubt}")


def _signs(result: CompareResult, found: Sequence[Headline], decimals: int | None) -> Table:
    """Return what each metric shows of each system, the answer over all metrics last."""
    rows = []
    for one in found:
        cells = []
        for metric, answer in zip(result.metrics, one.metrics, strict=True):
            own = result.pair(metric.key, one.baseline, one.system)
            places = decimals_for(metric, result.scores, decimals)
            doubt = " ?" if own.significant and own.caveats else ""
            sign = f"{_SIGNS[answer.answer]} {signed(own.delta, places)}{doubt}"
            tone: Tone = "quiet" if answer.answer == "not shown" else _TONES.get(answer.answer, "plain")
            cells.append(Cell(sign, "plain" if doubt else tone, own.delta, link=row_of(own)))
        doubt = "" if one.reliable else " ?"
        rows.append((Cell(one.system), *cells, Cell(f"{one.answer}{doubt}", _tone(one))))
    columns = (
        Column(f"against {result.baseline}", "left"),
        *(Column(f"Δ {metric.label}") for metric in result.metrics),
        Column("answer", "left"),
    )
    caption = f"The answer on each system against {result.baseline}"
    return Table(columns, tuple(rows), caption, (_note(result, signs=True),), kind="headline")


def _wins(result: CompareResult, found: Sequence[Headline]) -> Table:
    """Return how many others each system is better and worse than, metric by metric."""
    names = list(dict.fromkeys(name for one in found for name in (one.baseline, one.system)))
    counts = {(name, metric.key): [0, 0] for name in names for metric in result.metrics}
    for one in found:
        for own in one.metrics:
            if own.answer != "not shown":
                up = own.answer in _UP
                winner, loser = (one.system, one.baseline) if up else (one.baseline, one.system)
                counts[winner, own.metric][0] += 1
                counts[loser, own.metric][1] += 1
    keys = [metric.key for metric in result.metrics]
    names.sort(key=lambda name: sum(counts[name, key][1] - counts[name, key][0] for key in keys))
    rows = [
        (Cell(name), *(Cell(f"▲ {up} ▼ {down}", value=up - down) for up, down in (counts[name, key] for key in keys)))
        for name in names
    ]
    columns = (Column("system", "left"), *(Column(metric.label) for metric in result.metrics))
    caption = f"How many of the other {len(names) - 1} systems each is better and worse than"
    return Table(columns, tuple(rows), caption, (_note(result, signs=False),), kind="headline")
