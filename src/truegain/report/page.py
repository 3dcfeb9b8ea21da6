"""Content of a page: sections of tables, paragraphs, figures, quotations and segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from truegain.changed_segments import ChangedPair
from truegain.report.model import Document, Kind, Paragraph, Table
from truegain.version import __version__

if TYPE_CHECKING:
    from truegain.report.figures.style import Columns, Drawing


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

    Attributes
    ----------
    labels, decimals : mapping
        By metric.
    undirected : frozenset of str
        Metrics of which neither way is better.
    several_runs : bool
        Whether systems have several runs: then those that the segments are of are named.
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
    """Content of a page: more than a document, figures and segments included.

    Attributes
    ----------
    title : str
        What was asked, in a few words.
    subtitle : str
        What it was asked of.
    version : str
        Of the truegain that made the result.
    """

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
    words = [item for item in document.items if isinstance(item, Paragraph)]

    def of(*kinds: Kind) -> tuple[Paragraph, ...]:
        return tuple(item for item in words if item.kind in kinds)

    tables = tuple(item for item in document.items if isinstance(item, Table))
    repeated = (Quotation(bibliography, "BibTeX"), *((Quotation(command, "Command"),) if command else ()))
    sections = [
        Section("Answer", of("headline")),
        Section("Tables", tables),
        Section("Figures", pictures),
        Section("What to know", of("remark", "ending")),
        *appendix,
        Section("Methods", (*of("methods", "inputs", "signature"), *repeated), folded=True),
    ]
    subtitle = " ".join(item.text for item in of("title"))
    return Report(title, subtitle, tuple(section for section in sections if section.items), version)
