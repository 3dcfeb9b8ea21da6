"""What a gate found, as a summary that GitHub shows beside a build."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from truegain.report import markdown
from truegain.report.model import Document, Paragraph

if TYPE_CHECKING:
    from truegain.studies.gate.result import GateResult

__all__ = ["summary"]

_MARKS = ("✅ pass", "❌ FAIL")


def summary(result: GateResult) -> str:
    """A heading, the table, why, and the rest to be unfolded: methods, signatures, how to repeat it."""
    mark = "✅" if result.passed else "❌"
    heading = _rendered(Paragraph(result.headline()))
    reasons = (Paragraph(text) for text in result.reasons())
    more = [Paragraph(f"{note}.") for note in result.remarks()]
    more += [Paragraph(result.methods())]
    more += [Paragraph(f"{metric.label}: {metric.signature}", "signature") for metric in result.metrics]
    more.append(Paragraph(f"{result.signature} · inputs {result.testset.fingerprint}", "signature"))
    parts = [
        f"### {mark} {heading}",
        markdown.text(Document((result.table(words=_MARKS), *reasons))),
        "<details>\n<summary>Methods, and how to repeat it</summary>\n",
        markdown.text(Document(tuple(more))),
    ]
    if result.command:
        parts.append(_fenced(result.command))
    return "\n".join([*parts, "</details>"]) + "\n\n"


def _rendered(paragraph: Paragraph) -> str:
    return markdown.text(Document((paragraph,)))


def _fenced(command: str) -> str:
    """A block of code, in a fence that is longer than any within it."""
    longest = max((len(run) for run in re.findall(r"`+", command)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sh\n{command}\n{fence}\n"
