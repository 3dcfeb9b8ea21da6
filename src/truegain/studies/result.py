"""What results of all studies can do: show themselves and be saved."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from truegain.errors import InputError, one_of
from truegain.inference.results import MetricInfo, SystemScore, TestSet, Variability
from truegain.report import ENDINGS, FORMATS, LAYOUT_FORMATS, LAYOUTS
from truegain.report.files import write_atomically
from truegain.report.model import Cell, Column, Document, Paragraph, Picture, Report, Section, Table, whole

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = [
    "Result",
    "check_layout",
    "decimals_for",
    "describe_testset",
    "heading_of",
    "interval_text",
    "metric_dict",
    "name_cell",
    "score_dict",
    "testset_dict",
    "variability_tables",
    "where",
]


class Result(ABC):
    """A frozen result that can be read by people and by programs."""

    @abstractmethod
    def document(self, *, width: int | None = None) -> Document:
        """Tables and sentences; ``width`` is the number of decimals."""

    #: What the report is called.
    title = "Results"

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain data, as in JSON."""

    @abstractmethod
    def to_records(self) -> list[dict[str, Any]]:
        """One flat record a row: what data frames are made of."""

    def pictures(self, *, width: int | None = None) -> tuple[Picture, ...]:
        """The figures of this result, each with the name it is asked for by."""
        return ()

    def appendix(self, *, width: int | None = None) -> tuple[Section, ...]:
        """Sections of the report that have no place in a document: segments, references."""
        return ()

    def report(self, *, width: int | None = None) -> Report:
        """The document in sections, with figures and what else belongs on a page."""
        items = self.document(width=width).items
        words = [item for item in items if isinstance(item, Paragraph)]

        def of(*kinds: str) -> tuple[Paragraph, ...]:
            return tuple(one for one in words if one.kind in kinds)

        tables = tuple(item for item in items if isinstance(item, Table))
        sections = [
            Section("Verdict", of("verdict")),
            Section("Tables", tables),
            Section("Figures", self.pictures(width=width)),
            Section("What to know", of("remark")),
            *self.appendix(width=width),
            Section("Methods", of("methods", "signature")),
        ]
        subtitle = " ".join(one.text for one in of("title"))
        return Report(self.title, subtitle, tuple(section for section in sections if section.items))

    def arranged(self, layout: str = "full", *, width: int | None = None) -> Document:
        """The document in one of the layouts full, paper or multeval; the latter two are one table each."""
        if layout not in LAYOUTS:
            raise one_of("layout", layout, list(LAYOUTS))
        return self.document(width=width) if layout == "full" else self._arranged(layout, width)

    def _arranged(self, layout: str, width: int | None) -> Document:
        raise InputError(
            f"this result has no layout {layout!r}", hint="compare and score have; others are shown in full"
        )

    def render(self, format: str = "terminal", *, width: int | None = None, layout: str = "full") -> str:
        """The result as text in one of the formats terminal, md, latex, html, json or csv.

        ``layout`` is full, paper or multeval, and for the formats terminal, md and latex.
        """
        if format in FORMATS:
            check_layout(layout, format)
        # Names of files may hold bytes that are no text; nothing else can fail to be written.
        return self._render(format, width, layout).encode(errors="replace").decode()

    def _render(self, format: str, width: int | None, layout: str) -> str:
        if format == "terminal":
            from truegain.report import terminal

            return terminal.text(self.arranged(layout, width=width))
        if format == "md":
            from truegain.report import markdown

            return markdown.text(self.arranged(layout, width=width))
        if format == "latex":
            from truegain.report import latex

            return latex.text(self.arranged(layout, width=width), floating=layout != "full")
        if format == "html":
            from truegain.report import html

            return html.page(self.report(width=width))
        from truegain.report import data

        if format == "json":
            return data.json_text(self.to_dict())
        if format == "csv":
            return data.csv_text(self.to_records())
        raise one_of("format", format, list(FORMATS))

    def save(self, path: str | Path, *, layout: str = "full") -> None:
        """Write the result in the format of the file's ending: .md, .tex, .json, .csv, .html or .txt."""
        path = Path(path)
        if path.suffix not in ENDINGS:
            raise one_of("the ending of the file", path.suffix, list(ENDINGS))
        write_atomically(path, self.render(ENDINGS[path.suffix], layout=layout))

    def __repr__(self) -> str:
        return self.render()

    def __rich__(self) -> RenderableType:
        from truegain.report import terminal

        return terminal.renderable(self.document())

    def _repr_html_(self) -> str:
        from truegain.report import html

        return html.fragment(self.document())


def check_layout(layout: str, format: str) -> None:
    """Refuse a layout that the format does not have."""
    if layout not in LAYOUTS:
        raise one_of("layout", layout, list(LAYOUTS))
    if layout != "full" and format not in LAYOUT_FORMATS:
        raise InputError(
            f"the layout {layout!r} is a table for people, and {format} holds everything",
            hint=f"give one of the formats {', '.join(LAYOUT_FORMATS)}, or leave the layout out",
        )


def decimals_for(metric: MetricInfo, scores: Sequence[SystemScore], width: int | None) -> int:
    """How many decimals to show: enough for two or three leading digits to differ."""
    if width is not None:
        return width
    largest = max((abs(score.score) for score in scores if score.metric == metric.key), default=0.0)
    return 4 if largest < 2 else 3 if largest < 20 else 2


def interval_text(low: float, high: float, show: Any) -> str:
    """``low – high``, each end formatted by ``show``."""
    return f"{show(low)} – {show(high)}"


def name_cell(name: str, runs: int) -> Cell:
    """A system's name, with the number of its runs where there are several."""
    return Cell(name if runs == 1 else f"{name} ({runs} runs)")


def heading_of(metric: MetricInfo) -> str:
    """The label, and which way is better."""
    arrow = {True: " ↑", False: " ↓", None: ""}[metric.higher_is_better]
    return f"{metric.label}{arrow}"


def describe_testset(testset: TestSet, scores: Sequence[SystemScore]) -> str:
    """One line on what was tested on."""
    parts = [whole(testset.segments, "segment")]
    if testset.documents is not None:
        parts.append(whole(testset.documents, "document"))
    if testset.domains is not None:
        parts.append(whole(testset.domains, "domain"))
    if testset.references:
        parts.append(whole(testset.references, "reference"))
    runs = list({score.name: score.runs for score in scores}.values())
    if max(runs) > 1:
        parts.append(" + ".join(str(count) for count in runs) + " runs")
    return f"{testset.name}  {' · '.join(parts)}"


def where(testset: TestSet) -> str:
    """The test set and its size, for captions."""
    name = "the test set" if testset.name == "test set" else testset.name
    return f"{name} ({whole(testset.segments, 'segment')})"


def variability_tables(metric: MetricInfo, variability: Sequence[Variability], decimals: int, unit: str) -> list[Table]:
    """How scores vary, as Clark et al.'s table 1 and the components behind it."""
    mine = [one for one in variability if one.metric == metric.key]
    if not mine:
        return []
    noun = {"block": "segment", "testset": "test set"}.get(unit, unit)
    on_development = any(one.s_dev is not None for one in mine)
    columns = [Column(f"{metric.label} varies", "left"), Column("avg"), Column("s_sel")]
    columns += [Column("s_dev")] if on_development else []
    columns += [Column("s_test"), Column(noun), Column("run"), Column(f"{noun[:3]}. × run")]
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
        rows.append((Cell(one.system), Cell(f"{one.average:.{decimals}f}"), *cells, median))
    caption = f"Standard deviations of {metric.label}, over test sets, over runs, and their components"
    return [Table(tuple(columns), tuple(rows), caption)]


def testset_dict(testset: TestSet) -> dict[str, Any]:
    """The test set as plain data."""
    return {
        "name": testset.name,
        "segments": testset.segments,
        "documents": testset.documents,
        "domains": testset.domains,
        "references": testset.references,
        "fingerprint": testset.fingerprint,
    }


def metric_dict(metric: MetricInfo) -> dict[str, Any]:
    """A metric as plain data."""
    return {
        "metric": metric.key,
        "label": metric.label,
        "higher_is_better": metric.higher_is_better,
        "signature": metric.signature,
    }


def score_dict(score: SystemScore) -> dict[str, Any]:
    """A system's score as plain data."""
    return {
        "name": score.name,
        "runs": score.runs,
        "metric": score.metric,
        "score": score.score,
        "ci": None if score.interval is None else [score.interval.low, score.interval.high],
        "run_names": list(score.run_names),
        "run_scores": list(score.run_scores),
    }
