"""Figures of how time grows: one for each quantity, in the style of the product's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FIGURES", "Curve", "draw"]

#: The file of each figure, and the name of its horizontal axis.
FIGURES = {
    "segments": ("scaling-segments.svg", "segments"),
    "systems": ("scaling-systems.svg", "systems"),
    "resamples": ("scaling-resamples.svg", "resamples"),
    "threads": ("scaling-threads.svg", "threads, or processes"),
}
_MARKS = ("o", "s", "^", "D", "v")


@dataclass(frozen=True)
class Curve:
    """Seconds by the clock over one quantity, the best of a few at every point.

    Attributes
    ----------
    quantity : "segments", "systems", "resamples" or "threads"
    work : str
        What was done, and what was the same at every point.
    points : tuple of (int, float)
        The quantity, and seconds.
    """

    quantity: str
    work: str
    points: tuple[tuple[int, float], ...]

    @property
    def slope(self) -> float:
        """Of a line through the logarithms: 1 where twice as much takes twice as long, −1 where it takes half."""
        across, up = np.log(np.array(self.points)).T
        across = across - across.mean()
        return float(across @ up / (across @ across))


def draw(curves: Sequence[Curve], folder: Path) -> list[Path]:
    """Write the figures of those quantities that there are curves over."""
    written = []
    for quantity, (name, label) in FIGURES.items():
        chosen = [curve for curve in curves if curve.quantity == quantity]
        if chosen:
            written.append(folder / name)
            _figure(chosen, label, written[-1])
    return written


def _figure(curves: Sequence[Curve], label: str, path: Path) -> None:
    from matplotlib.figure import Figure

    from truegain.report.figures.style import COLOURS, DASHES, PAGE, save, styled

    shared, own = _parted([curve.work for curve in curves])
    by_jobs = curves[0].quantity == "threads"
    with styled():
        figure = Figure(figsize=(PAGE * 0.8, 2.7 + 0.16 * len(curves)), layout="constrained")
        axis = figure.subplots()
        for place, (curve, work) in enumerate(zip(curves, own, strict=True)):
            across = [count for count, _ in curve.points]
            first = curve.points[0][1]
            up = [first / taken if by_jobs else taken for _, taken in curve.points]
            said = f"{work} (×{up[-1]:.2f})" if by_jobs else f"{work} (slope {curve.slope:.2f})"
            axis.plot(
                across,
                up,
                color=COLOURS[place],
                linestyle=DASHES[place % len(DASHES)],
                marker=_MARKS[place],
                markersize=4,
                linewidth=1.3,
                label=said,
            )
        if by_jobs:
            _limit(axis, [count for count, _ in curves[0].points])
        else:
            _logarithmic(axis, curves)
        axis.set_xlabel(f"{label} ({shared})" if shared else label)
        axis.set_ylabel("times as fast as with one" if by_jobs else "seconds by the clock")
        figure.legend(loc="outside upper left", fontsize=7)
        save(figure, path)


def _limit(axis: Axes, jobs: Sequence[int]) -> None:
    """Draw the line that no curve should lie above."""
    axis.plot(jobs, jobs, color="0.5", linewidth=0.8, linestyle=":")
    axis.set_xticks(jobs, [str(count) for count in jobs])
    axis.set_xlim(jobs[0] - 0.1, jobs[-1] + 0.1)
    axis.set_ylim(bottom=0.0)


def _logarithmic(axis: Axes, curves: Sequence[Curve]) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.set_xscale("log")
    axis.set_yscale("log")
    places = sorted({count for curve in curves for count, _ in curve.points})
    axis.set_xticks(places, [f"{count:,}" for count in places])
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.yaxis.set_minor_formatter(NullFormatter())


def _parted(works: Sequence[str]) -> tuple[str, list[str]]:
    """Return what all works end in, said once, and what is each one's own."""
    split = [work.split(", ") for work in works]
    shared: list[str] = []
    while all(len(parts) > 1 for parts in split) and len({parts[-1] for parts in split}) == 1:
        shared.insert(0, split[0][-1])
        split = [parts[:-1] for parts in split]
    return ", ".join(shared), [", ".join(parts) for parts in split]
