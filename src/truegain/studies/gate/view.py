"""View of a gate: a table and sentences, and the summary that GitHub shows next to a build."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from truegain.notes import Note
from truegain.report.model import (
    Cell,
    Column,
    Document,
    Paragraph,
    Passages,
    Table,
    Tone,
    decimal,
    p_text,
    remark,
    signed,
)
from truegain.studies.gate.check import GateCheck
from truegain.studies.gate.result import GateResult
from truegain.studies.gate.sentences import confidence, headline, methods, reason
from truegain.studies.null_gain import as_given
from truegain.studies.shared_view import decimals_for, describe_testset, direction_notes, heading_of, signatures

__all__ = ["answer", "document", "headline", "methods", "prose", "reasons", "remarks", "summary", "table"]

_WORDS = ("pass", "FAIL")
_MARKS = ("✅ pass", "❌ FAIL")


def document(result: GateResult, decimals: int | None) -> Document:
    """Return the headline, a table, why, what to know, signatures, and the methods sentence."""
    first, *why = answer(result, decimals).items
    items: list[Table | Paragraph | Passages] = [
        first,
        Paragraph(describe_testset(result.testset, result.scores), "title"),
        table(result, decimals),
        *why,
    ]
    items += [remark(note) for note in remarks(result)]
    items += signatures(result)
    items.append(Paragraph(methods(result), "methods"))
    return Document(tuple(items))


def answer(result: GateResult, decimals: int | None) -> Document:
    """Return the headline and the reasons alone."""
    items = [
        Paragraph(text, "verdict", _tone([one]))
        for text, one in zip(reasons(result, decimals), result.checks, strict=True)
    ]
    return Document((Paragraph(headline(result), "verdict", _tone(result.checks)), *items))


def reasons(result: GateResult, decimals: int | None = None) -> list[str]:
    """Return a sentence or two for each metric."""
    return [reason(result, one, decimals) for one in result.checks]


def prose(result: GateResult) -> dict[str, str | list[str]]:
    """Return the sentences of the JSON."""
    return {"headline": headline(result), "reasons": reasons(result), "methods": methods(result)}


def remarks(result: GateResult) -> list[Note]:
    """Return what to know, metric by metric and in all."""
    own = [
        note.about(result.metric(one.metric).label) if len(result.checks) > 1 else note.capitalized()
        for one in result.checks
        for note in (*one.notes, *(caveat for caveat in one.caveats if not one.shown))
    ]
    return [*direction_notes(result.metrics), *own, *result.notes]


def table(result: GateResult, decimals: int | None, words: tuple[str, str] = _WORDS) -> Table:
    """Return a table with a row for each metric; ``words`` for what passes and what does not."""
    level = confidence(result.checks[0])
    asked = "must not be shown" if result.require == "no-loss-shown" else "must be shown"
    columns = (
        Column("", "left"),
        Column(result.baseline),
        Column(result.system),
        Column("Δ"),
        Column(asked),
        Column("p"),
        Column(f"{level} bound"),
        Column("passes at"),
        Column("", "left"),
    )
    rows = []
    for one in result.checks:
        metric = result.metric(one.metric)
        places = decimals_for(metric, result.scores, decimals)
        scores = {score.name: score.score for score in result.scores if score.metric == one.metric}
        sign, reached = ("<", "≥") if result.require == "no-loss-shown" else (">", ">")
        rows.append(
            (
                Cell(heading_of(metric)),
                *(Cell(decimal(scores[name], places)) for name in (result.baseline, result.system)),
                Cell(signed(one.delta, places), _tone([one])),
                Cell(f"{sign} {as_given(one.null_gain)}"),
                Cell(p_text(one.p)),
                Cell(_bound_text(result, one, places)),
                Cell("none" if math.isinf(one.needed) else f"{reached} {signed(one.needed, places)}"),
                Cell(words[0] if one.passed else words[1], _tone([one])),
            )
        )
    caption = f"The gain of {result.system} over {result.baseline}, and what it must be"
    return Table(columns, tuple(rows), caption)


def _bound_text(result: GateResult, one: GateCheck, decimals: int) -> str:
    """Write how small the gain may be; how large, if a loss is shown."""
    loss = result.require == "no-loss-shown" and not one.passed
    bound = one.upper if loss else one.lower
    return "none" if math.isinf(bound) else f"{'≤' if loss else '≥'} {signed(bound, decimals)}"


def _tone(checks: Sequence[GateCheck]) -> Tone:
    """Return a warning if all passed, and what some show is not reliable."""
    if not all(one.passed for one in checks):
        return "bad"
    return "warning" if any(one.shown and one.caveats for one in checks) else "good"


def summary(result: GateResult) -> str:
    """Return a heading, the table, why, and the rest to be unfolded: methods, signatures, how to repeat it."""
    from truegain.report import markdown

    mark = "✅" if result.passed else "❌"
    why = (Paragraph(text) for text in reasons(result))
    more = [remark(note) for note in remarks(result)]
    more += [Paragraph(methods(result)), *signatures(result)]
    parts = [
        f"### {mark} {markdown.text(Document((Paragraph(headline(result)),)))}",
        markdown.text(Document((table(result, None, _MARKS), *why))),
        "<details>\n<summary>Methods, and how to repeat it</summary>\n",
        markdown.text(Document(tuple(more))),
    ]
    if result.command:
        parts.append(_fenced(result.command))
    return "\n".join([*parts, "</details>"]) + "\n\n"


def _fenced(command: str) -> str:
    """Write a block of code, in a fence that is longer than any within it."""
    longest = max((len(run) for run in re.findall(r"`+", command)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sh\n{command}\n{fence}\n"
