"""Content of a page: sections of tables, paragraphs, figures, quotations and segments, these as data of its script."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.report.differences import compared, pieces
from truegain.report.model import Document, Kind, Paragraph, Table
from truegain.rows import ten_digits
from truegain.version import __version__
from truegain.words import contribution_digits, decimal, signed, whole

if TYPE_CHECKING:
    from truegain.report.figures.style import Columns, Drawing

# In a page's script these would end it, or be taken for the end of a line.
_ESCAPES = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


@dataclass(frozen=True)
class Quotation:
    """A text to be copied as it is: a command, an entry of a bibliography."""

    text: str
    label: str


@dataclass(frozen=True)
class Picture:
    """A figure and its caption; ``name`` is what it is asked for by."""

    name: str
    caption: str
    make: Callable[..., Drawing] = field(repr=False, compare=False)
    columns: Columns | None = field(default=None, repr=False)

    def draw(self) -> Drawing:
        """Draw the figure with matplotlib, as wide as one or two columns of a paper if ``columns`` says so."""
        return self.make(columns=self.columns)

    @property
    def alt(self) -> str:
        """What the figure shows, in words."""
        return self.draw().alt

    def _repr_svg_(self) -> str:
        """Render the figure for a notebook."""
        from truegain.report.figures.style import rendered

        drawing = self.draw()
        return rendered(drawing.figure, "svg", drawing.alt).decode()


@dataclass(frozen=True)
class Segments:
    """Segments to look through, by pair of systems and metric.

    Labels and decimals are those of metrics; of ``undirected`` ones neither way is better. If systems have several
    runs, those that the segments are of are named.
    """

    pairs: tuple[ChangedPair, ...]
    labels: Mapping[str, str]
    decimals: Mapping[str, int]
    undirected: frozenset[str] = frozenset()
    several_runs: bool = True


#: What a section of a report may hold.
Item = Table | Paragraph | Picture | Quotation | Segments


@dataclass(frozen=True)
class Section:
    """A part of a report under a heading."""

    heading: str
    items: tuple[Item, ...]
    folded: bool = False


@dataclass(frozen=True)
class Report:
    """Content of a page: what was asked, of what, and more than a document, figures and segments included."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    version: str = __version__


def in_sections(
    document: Document,
    pictures: tuple[Picture, ...],
    appendix: tuple[Section, ...],
    *,
    title: str,
    bibliography: str,
    command: str,
    version: str,
) -> Report:
    """Return a report of a document's items by kind, with figures, and how to cite it and make it again."""

    def of(*kinds: Kind) -> tuple[Paragraph, ...]:
        return tuple(item for item in document.items if isinstance(item, Paragraph) and item.kind in kinds)

    repeated = [Quotation(bibliography, "BibTeX")]
    if command:
        repeated.append(Quotation(command, "Command"))
    sections = (
        Section("Answer", of("headline")),
        Section("Tables", tuple(item for item in document.items if isinstance(item, Table))),
        Section("Figures", pictures),
        Section("What to know", of("remark", "ending")),
        *appendix,
        Section("Methods", (*of("methods", "inputs", "signature"), *repeated), folded=True),
    )
    subtitle = " ".join(item.text for item in of("title"))
    return Report(title, subtitle, tuple(section for section in sections if section.items), version)


def script_json(data: Any) -> str:
    """Write JSON for the inside of a script element: nothing in it can be taken for markup."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)  # a table to translate with takes many times as long
    return text


def segments_data(segments: Segments) -> dict[str, Any]:
    """Return what the page's script reads.

    References, and outputs with their differences marked, are kept once and named by number: the same segments move
    under several metrics. A marked output is a list of texts and kinds in turn: 0 for what both have, 1 for what one
    alone has, 2 for what one alone has and a reference too.
    """
    texts: dict[str, int] = {}
    outputs: dict[tuple[str, str, tuple[str, ...]], int] = {}
    pairs = []
    for pair in segments.pairs:
        decimals, directed = segments.decimals[pair.metric], pair.metric not in segments.undirected
        moved = (*pair.up, *pair.down)
        digits = contribution_digits([segment.contribution for segment in moved], decimals)
        rows = []
        for segment in moved:
            row = _segment(segment, decimals, digits)
            row["references"] = [texts.setdefault(text, len(texts)) for text in segment.references]
            if segment.baseline_output is not None and segment.system_output is not None:
                key = (segment.baseline_output, segment.system_output, segment.references)
                row["outputs"] = outputs.setdefault(key, len(outputs))
            rows.append(row)
        pairs.append(
            {
                "baseline": pair.baseline,
                "system": pair.system,
                "metric": pair.metric,
                "label": segments.labels[pair.metric],
                "summary": summary(pair, decimals, directed=directed),
                "directed": directed,
                "runs": _run_names(pair) if segments.several_runs else [],
                "names": list(pair.statistic_names),
                "segments": rows,
            }
        )
    cut = cache(pieces)  # outputs and references recur from pair to pair
    marked: list[list[list[str | int]]] = []
    for key in outputs:
        marked.append([])
        for stretches in compared(*key, cut=cut):
            kinds = [(part.text, (part.kind == "changed") + part.in_reference) for part in stretches]
            marked[-1].append([item for part in kinds for item in part])
    return {"pairs": pairs, "texts": list(texts), "marked": marked}


def _run_names(pair: ChangedPair) -> list[str]:
    """Return the runs by the names of their files, if these differ."""
    names = [PurePath(pair.baseline_run).name, PurePath(pair.system_run).name]
    return names if names[0] != names[1] and all(names) else [pair.baseline_run, pair.system_run]


def summary(pair: ChangedPair, decimals: int, *, directed: bool = True) -> str:
    """Say what the segments shown add up to."""
    digits = contribution_digits([pair.explained_up, pair.explained_down], decimals)
    moves = (f"favouring {pair.system}", f"favouring {pair.baseline}") if directed else ("raising it", "lowering it")
    sides = ((pair.up, pair.up_count, pair.explained_up), (pair.down, pair.down_count, pair.explained_down))
    parts = [
        f"{len(listed):,} of {whole(count, 'segment')} {move} ({signed(explained, digits)} in all)"
        for move, (listed, count, explained) in zip(moves, sides, strict=True)
        if listed
    ]
    return f"Δ is {signed(pair.delta, decimals)}. Listed: {'; '.join(parts) or 'none'}."


def _segment(segment: ChangedSegment, decimals: int, digits: int) -> dict[str, Any]:
    share = None
    if segment.share is not None:  # without a plus, which would look like a second gain
        share = f"{signed(100 * segment.share, 1).removeprefix('+')} % of Δ"
    row: dict[str, Any] = {
        "number": segment.number,
        "document": segment.document,
        "size": ten_digits(segment.contribution) if math.isfinite(segment.contribution) else 0.0,
        "contribution": signed(segment.contribution, digits),
        "share": share,
        "scores": [
            None if score is None else decimal(score, decimals)
            for score in (segment.baseline_score, segment.system_score)
        ],
        "statistics": [
            [_number(value) for value in statistics]
            for statistics in (segment.baseline_statistics, segment.system_statistics)
        ],
    }
    return row if segment.id is None else row | {"id": segment.id}


def _number(value: float) -> str:
    """Write a statistic: a count as such, anything else to four digits."""
    return f"{int(value):,}" if math.isfinite(value) and value == int(value) else f"{value:.4g}"
