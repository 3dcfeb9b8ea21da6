"""Figures: data in, vector graphics out; made for two-column papers, and for eyes that see colours differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from truegain.errors import one_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "FIGURE_ENDINGS",
    "Band",
    "Cloud",
    "Curve",
    "Strip",
    "Whisker",
    "check_ending",
    "intervals_plot",
    "quantile_plot",
    "runs_plot",
    "save",
]

FIGURE_ENDINGS = (".svg", ".pdf", ".png")

# Okabe and Ito's palette: told apart with any kind of colour vision; the order puts the most different first.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_DASHES = ("-", "--", "-.", ":")
_COLUMN = 3.35  # inches: a column of a two-column paper
_STYLE: dict[Any, Any] = {
    "font.size": 8.0,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "truegain",
    "pdf.fonttype": 42,
}


@dataclass(frozen=True)
class Curve:
    """A name and values at equal steps."""

    label: str
    values: Sequence[float]


@dataclass(frozen=True)
class Strip:
    """A name and single values."""

    label: str
    values: Sequence[float]


@dataclass(frozen=True)
class Band:
    """A range of values and its middle at one place."""

    place: float
    low: float
    median: float
    high: float


@dataclass(frozen=True)
class Whisker:
    """An interval and its middle: of what, and by which method."""

    label: str
    method: str
    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Cloud:
    """Points (gain, p) of a method, hollow ones of its other test, and a curve through such places."""

    method: str
    points: Sequence[tuple[float, float]]
    hollow: Sequence[tuple[float, float]]
    curve: Sequence[tuple[float, float]]


def runs_plot(panels: Sequence[tuple[str, Sequence[Strip], Sequence[Band]]]) -> Figure:
    """For each metric, a row: the scores of each system's runs, and the gain as the number of runs grows.

    After figures 1 and 2 of Clark et al. (2011).
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(2 * _COLUMN, 0.62 * _COLUMN * len(panels) + 0.2), layout="constrained")
        rows = figure.subplots(len(panels), 2, squeeze=False)
        for (left, right), (title, strips, bands) in zip(rows, panels, strict=True):
            everything = np.concatenate([np.asarray(strip.values) for strip in strips])
            edges = np.linspace(everything.min(), everything.max(), 16) if np.ptp(everything) else 5
            for number, strip in enumerate(strips):
                colour = _COLOURS[number % len(_COLOURS)]
                left.hist(strip.values, bins=edges, color=colour, alpha=0.55, label=strip.label)
                left.plot(
                    strip.values, np.full(len(strip.values), -0.3 - 0.35 * number), "|", color=colour, markersize=5
                )
            left.set(xlabel=title, ylabel="runs")
            left.yaxis.get_major_locator().set_params(integer=True)
            left.legend(fontsize=7.0)
            places = [band.place for band in bands]
            right.axhline(0.0, color="0.6", linewidth=0.8, zorder=0)
            right.fill_between(
                places, [band.low for band in bands], [band.high for band in bands], color=_COLOURS[0], alpha=0.25
            )
            right.plot(places, [band.median for band in bands], "o-", color=_COLOURS[0], markersize=3, linewidth=1.1)
            right.set(xlabel="runs of each system", ylabel=f"Δ {title}")
            right.set_xticks(places)
    return figure


def intervals_plot(panels: Sequence[tuple[str, Sequence[Whisker], Sequence[Cloud]]], alpha: float) -> Figure:
    """For each metric, a row: intervals of the systems' scores by method, and p against the size of the gain.

    After Fu et al. P-values are on a logarithmic axis, because the small ones decide; gains so large that every p is
    the smallest there is are left out.
    """
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    methods = list(dict.fromkeys(cloud.method for _, _, clouds in panels for cloud in clouds))
    colours = {method: _COLOURS[number % len(_COLOURS)] for number, method in enumerate(methods)}
    markers = dict(zip(methods, "osD^vP", strict=False))
    most = max(len({whisker.label for whisker in whiskers}) for _, whiskers, _ in panels)
    height = max(0.7 * _COLUMN, 0.15 * len(methods) * most / 2 + 0.6)
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(2 * _COLUMN, height * len(panels) + 0.3), layout="constrained")
        rows = figure.subplots(len(panels), 2, squeeze=False)
        for (left, right), (title, whiskers, clouds) in zip(rows, panels, strict=True):
            labels = list(dict.fromkeys(whisker.label for whisker in whiskers))
            for whisker in whiskers:
                number = methods.index(whisker.method)
                place = labels.index(whisker.label) + 0.18 * (number - (len(methods) - 1) / 2)
                colour = colours[whisker.method]
                left.plot([whisker.low, whisker.high], [place, place], color=colour, linewidth=1.2)
                left.plot([whisker.middle], [place], markers[whisker.method], color=colour, markersize=2.5)
            left.set_yticks(range(len(labels)), labels)
            left.set(xlabel=title, ylim=(len(labels) - 0.5, -0.5))
            left.tick_params(axis="y", length=0)
            lowest = min(p for cloud in clouds for _, p in (*cloud.points, *cloud.hollow))
            right.axhline(alpha, color="0.6", linewidth=0.8, zorder=0)
            for cloud in clouds:
                look = {"color": colours[cloud.method], "marker": markers[cloud.method], "markersize": 3.5}
                right.plot(*_axes(cloud.points), linestyle="none", markeredgewidth=0.6, **look)
                right.plot(*_axes(cloud.hollow), linestyle="none", markeredgewidth=0.6, fillstyle="none", **look)
                right.plot(*_axes(cloud.curve), color=colours[cloud.method], linewidth=0.7, alpha=0.6, zorder=0)
            right.set(yscale="log", ylim=(min(lowest, alpha) / 1.5, 1.25), xlabel=f"difference in {title}", ylabel="p")
            telling = [x for cloud in clouds for x, p in (*cloud.points, *cloud.hollow) if p > lowest]
            right.set_xlim(0.0, 1.2 * max(telling, default=0.0) or None)
            right.yaxis.set_major_formatter("{x:g}")
        keys = [Line2D([], [], color=colours[one], marker=markers[one], markersize=3.5, label=one) for one in methods]
        figure.legend(handles=keys, loc="outside upper center", ncols=len(methods), fontsize=7.0)
        grey: dict[str, Any] = {"color": "0.4", "linestyle": "none", "marker": "o", "markersize": 3.5}
        fills = [
            Line2D([], [], label="randomization, crossed", **grey),
            Line2D([], [], label="bootstrap", fillstyle="none", **grey),
        ]
        rows[0, 1].legend(handles=fills, loc="upper right", fontsize=7.0)
    return figure


def _axes(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def quantile_plot(panels: Mapping[str, Sequence[Curve]]) -> Figure:
    """Quantiles of p-values against those of a uniform variable, a panel for each metric.

    Under a true null hypothesis an exact test follows the diagonal; a curve below it rejects too often. Both axes are
    logarithmic, because the small p-values are what decisions are made of.

    Parameters
    ----------
    panels : mapping of str to curves
        Titles, and quantiles from 0 to 1 at equal steps.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(_COLUMN * len(panels), _COLUMN * 0.95), layout="constrained")
        axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
        for axis, (title, curves) in zip(axes, panels.items(), strict=True):
            axis.plot([1e-3, 1], [1e-3, 1], color="0.6", linewidth=0.8, zorder=0)
            for number, curve in enumerate(curves):
                places = np.linspace(0.0, 1.0, len(curve.values))
                axis.plot(
                    places[1:],
                    np.asarray(curve.values)[1:],
                    label=curve.label,
                    color=_COLOURS[number % len(_COLOURS)],
                    linestyle=_DASHES[number // len(_COLOURS) % len(_DASHES)],
                    linewidth=1.1,
                )
            axis.set(xscale="log", yscale="log", xlim=(0.009, 1.05), ylim=(0.0009, 1.1), title=title)
            axis.set_xlabel("expected p under the null hypothesis")
            for side in (axis.xaxis, axis.yaxis):
                side.set_major_formatter("{x:g}")
            axis.axvline(0.05, color="0.85", linewidth=0.6, zorder=0)
            axis.axhline(0.05, color="0.85", linewidth=0.6, zorder=0)
        axes[0].set_ylabel("p of the test (below the line: too small)")
        axes[0].legend(fontsize=7.0)
    return figure


def check_ending(path: str | Path) -> Path:
    """Refuse a file whose ending names no format of figures."""
    path = Path(path)
    if path.suffix not in FIGURE_ENDINGS:
        raise one_of("the ending of a figure", path.suffix, list(FIGURE_ENDINGS))
    return path


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure in the format of the file's ending, the same bytes for the same figure."""
    import io

    import matplotlib

    from truegain.report.files import write_atomically

    path = check_ending(path)
    metadata: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix, {})
    held = io.BytesIO()
    with matplotlib.rc_context(_STYLE):
        figure.savefig(held, format=path.suffix[1:], dpi=300, metadata=metadata)
    write_atomically(path, held.getvalue())
