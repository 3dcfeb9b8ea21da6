"""Figure of run scores: each run, their mean, and the bootstrap's spread around it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from truegain.report.figures.names import clean
from truegain.report.figures.rows import key_below, row_panels, set_range
from truegain.report.figures.sheet import Box, Entry, Look, Segments, Sheet
from truegain.report.figures.style import BLUE, SKY, Columns
from truegain.report.model import decimal, whole

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
_FEW = 12  # rows with room between them
_TOLD = 6  # more systems than these are told of together


@dataclass(frozen=True)
class SystemStrip:
    """The scores of a system's runs.

    Attributes
    ----------
    spread : float or None
        The standard deviation over test sets, by the bootstrap (s_sel).
    """

    scores: Sequence[float]
    mean: float
    spread: float | None


@dataclass(frozen=True)
class StripPanel:
    """The runs under a metric, a row for each system, and with how many decimals scores are written."""

    title: str
    systems: Sequence[SystemStrip]
    decimals: int


@dataclass(frozen=True)
class RunStrips:
    """Run scores as dots, their mean as a line, and mean ± s_sel as a band: two kinds of spread side by side.

    Figure 1 of Clark et al. (2011) shows the first kind alone.

    Attributes
    ----------
    labels : sequence of str
        Of the rows: systems.
    panels : sequence of StripPanel
        With the runs of each system.
    """

    labels: Sequence[str]
    panels: Sequence[StripPanel]
    columns: Columns | None = None

    @property
    def alt(self) -> str:
        """The range of every system's runs, and its spread over test sets; of many, the widest."""
        told = []
        for panel in self.panels:
            named = list(zip(map(clean, self.labels), panel.systems, strict=True))
            opening = panel.title
            if len(named) > _TOLD:
                named = [max(named, key=lambda one: max(one[1].scores) - min(one[1].scores))]
                opening = f"{panel.title} of {len(self.labels)} systems, the one whose runs differ most"
            told.append(f"{opening}: {'; '.join(_words(name, one, panel.decimals) for name, one in named)}.")
        return f"Run scores by system, and the spread over test sets around their mean. {' '.join(told)}"

    def draw(self) -> Sheet:
        """See :class:`truegain.report.figures.Drawing`."""
        sheet = row_panels(
            self.labels,
            [panel.title for panel in self.panels],
            columns=self.columns,
            pitch=0.3 if len(self.labels) <= _FEW else 0.2,
            key=True,
        )
        run = Look("black", mark="o", size=3.0, edge=0.0, opacity=0.75)
        banded = False
        for row, panel in zip(sheet.panels, self.panels, strict=True):
            ends = [
                (place, system.mean - system.spread, system.mean + system.spread)
                for place, system in enumerate(panel.systems)
                if system.spread
            ]
            dots = [
                (score, place + 0.5 * (_GOLDEN * number % 1.0 - 0.5))
                for place, system in enumerate(panel.systems)
                for number, score in enumerate(system.scores, 1)
            ]
            banded = banded or bool(ends)
            for place, low, high in ends:
                row.add(Box(low, high, place - 0.38, place + 0.38, SKY, 0.4))
            means = [(system.mean, place) for place, system in enumerate(panel.systems)]
            row.add(Segments([((mean, place - 0.38), (mean, place + 0.38)) for mean, place in means], Look(BLUE, 1.5)))
            row.line(dots, run)
            set_range(row, [*(score for score, _ in dots), *(end for _, *both in ends for end in both)])
        entries = [Entry("run", run), Entry("mean", Look(BLUE, mark="|", size=7.0, edge=1.5))]
        if banded:
            entries.append(Entry("mean ± s_sel, over test sets", colour=SKY, opacity=0.4))
        key_below(sheet, entries)
        return sheet


def _words(name: str, system: SystemStrip, decimals: int) -> str:
    low, high = (decimal(end(system.scores), decimals) for end in (min, max))
    runs = whole(len(system.scores), "run")
    text = f"{name}, {runs} from {low} to {high}" if len(system.scores) > 1 else f"{name}, {runs} at {low}"
    spread = "" if system.spread is None else f", s_sel {system.spread:.{decimals + 1}f}"
    return f"{text}, mean {system.mean:.{decimals}f}{spread}"
