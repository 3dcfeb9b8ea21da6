"""Sheets drawn with matplotlib, for files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from truegain.report.figures.layout import PAD, Placed, Scale, layout, spacing
from truegain.report.figures.names import find_fonts
from truegain.report.figures.sheet import (
    Area,
    Axis,
    Box,
    Cells,
    Entry,
    Item,
    Key,
    Line,
    Look,
    Rule,
    Segments,
    Sheet,
    Stairs,
    Words,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE = 8.0  # of labels


def printed(sheet: Sheet) -> Figure:
    """Draw a sheet as a figure in matplotlib's object interface, in whatever style is set."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(sheet.width, sheet.height))
    down = math.ceil(len(sheet.panels) / sheet.across)
    for number, placed in enumerate(layout(sheet), 1):
        label = "<colorbar>" if placed.panel.explains else ""
        axes = figure.add_subplot(down, sheet.across, number, label=label)
        _panel(axes, placed, 72.0 * sheet.width, 72.0 * sheet.height)
    if sheet.key is not None:
        above = sheet.key.place == "above"
        place = (0.5, 1.0 if above else 0.0)
        figure.legend(
            handles=[_handle(entry) for entry in sheet.key.entries],
            loc="upper center" if above else "lower center",
            bbox_to_anchor=place,
            **_key(sheet.key),
        )
    margin = 2.0 / 72.0
    if sheet.x:
        figure.text(0.5, margin / sheet.height, sheet.x, ha="center", va="bottom", fontsize=_SIZE)
    if sheet.y:
        figure.text(margin / sheet.width, 0.5, sheet.y, ha="left", va="center", rotation=90, fontsize=_SIZE)
    find_fonts(figure)
    return figure


def _panel(axes: Axes, placed: Placed, width: float, height: float) -> None:
    panel = placed.panel
    axes.set_position((placed.left / width, 1.0 - placed.foot / height, placed.width / width, placed.height / height))
    for number, item in enumerate(panel.items):
        _draw(axes, item, placed, 1.0 + number / (len(panel.items) + 1))
    for name, axis, scale in (("x", panel.x, placed.x), ("y", panel.y, placed.y)):
        _axis(axes, name, axis, scale)
    for side in ("left", "bottom", "top", "right"):
        shown = {"left": panel.y.line, "bottom": panel.x.line}.get(side, False)
        axes.spines[side].set_visible(shown or panel.explains)
    axes.set_axisbelow(True)
    if panel.title:
        axes.set_title(panel.title, fontsize=panel.title_size, loc="left" if panel.explains else "center", pad=4.0)
    if panel.key is not None:
        handles = [_handle(entry) for entry in panel.key.entries]
        if panel.key.place == "below":
            middle, top = (placed.left + placed.width / 2.0) / width, 1.0 - placed.under / height
            axes.legend(
                handles=handles,
                loc="upper center",
                bbox_to_anchor=(middle, top),
                bbox_transform=axes.figure.transFigure,
                **_key(panel.key),
            )
        else:
            axes.legend(handles=handles, **_key(panel.key) | {"loc": panel.key.place})


def _axis(axes: Axes, name: str, axis: Axis, scale: Scale) -> None:
    from matplotlib.ticker import NullLocator

    own = axes.xaxis if name == "x" else axes.yaxis
    set_scale, set_limits = (axes.set_xscale, axes.set_xlim) if name == "x" else (axes.set_yscale, axes.set_ylim)
    if axis.log:
        set_scale("log")
    set_limits(scale.low, scale.high)
    ticks = list(scale.inside())
    own.set_ticks([value for value, _ in ticks], [label if axis.named else "" for _, label in ticks])
    own.set_minor_locator(NullLocator())
    if scale.minor:
        own.set_ticks(list(scale.minor), [""] * len(scale.minor), minor=True)
    if axis.opposite:
        axes.yaxis.tick_right()
    own.set_tick_params(
        labelsize=axis.size,
        length=axis.length,
        width=axis.thick,
        pad=PAD,
        labelrotation=90.0 if axis.upright else 0.0,
    )
    own.set_tick_params(which="minor", length=0.57 * axis.length, width=0.75 * axis.thick)
    if axis.grid:
        axes.grid(axis="x" if name == "x" else "y", color="0.9", linewidth=0.5)
    if axis.label:
        own.set_label_text(axis.label, fontsize=axis.label_size)


def _draw(axes: Axes, item: Item, placed: Placed, order: float) -> None:
    """Draw one thing; ``order`` puts it over those before it."""
    if isinstance(item, Line):
        axes.plot(*_sides(item.points), clip_on=item.inside, label=item.label or None, zorder=order, **_look(item.look))
    elif isinstance(item, Rule):
        draw = axes.axvline if item.axis == "x" else axes.axhline
        draw(item.at, zorder=order, **_look(item.look))
    elif isinstance(item, Segments):
        _segments(axes, item, order)
    elif isinstance(item, Area):
        xs, lows, highs = ([one[i] for one in item.points] for i in range(3))
        axes.fill_between(
            xs, lows, highs, color=item.colour, alpha=item.opacity, linewidth=0, label=item.label, zorder=order
        )
    elif isinstance(item, Stairs):
        axes.stairs(item.heights, item.edges, fill=True, color=item.colour, alpha=item.opacity, zorder=order)
    elif isinstance(item, Box):
        options: dict[str, Any] = {"color": item.colour, "alpha": item.opacity, "linewidth": 0, "zorder": order}
        if item.bottom is None or item.top is None:
            axes.axvspan(item.left, item.right, **options)
        else:
            axes.bar(item.left, item.top - item.bottom, item.right - item.left, item.bottom, align="edge", **options)
    elif isinstance(item, Cells):
        x, y = placed.x, placed.y
        extent = (x.low, x.high, y.low, y.high)
        axes.imshow(item.rows, interpolation="nearest", aspect="auto", extent=extent, zorder=order)
    else:
        _words(axes, item, order)


def _segments(axes: Axes, item: Segments, order: float) -> None:
    from matplotlib.collections import LineCollection

    axes.add_collection(
        LineCollection(
            [list(both) for both in item.ends], colors=item.look.colour, linewidths=item.look.width, zorder=order
        )
    )


def _words(axes: Axes, item: Words, order: float) -> None:
    of_x = item.of_panel == "x"
    axes.annotate(
        item.text,
        (item.x, item.y),
        xycoords=axes.get_yaxis_transform() if of_x else axes.get_xaxis_transform(),
        xytext=item.shift,
        textcoords="offset points",
        ha=item.side,
        va="top" if item.top else "center_baseline",
        fontsize=item.size,
        zorder=order,
    )


def _look(look: Look) -> dict[str, Any]:
    return {
        "color": look.colour,
        "linestyle": look.dash if look.width else "none",
        "linewidth": look.width,
        "marker": look.mark or "none",
        "markersize": look.size,
        "markeredgewidth": look.edge,
        "fillstyle": "none" if look.hollow else "full",
        "alpha": look.opacity if look.opacity < 1.0 else None,
        "solid_capstyle": "butt",
    }


def _handle(entry: Entry) -> Artist:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    if entry.look is None:
        return Patch(color=entry.colour, alpha=entry.opacity, linewidth=0, label=entry.label)
    return Line2D([], [], label=entry.label, **_look(entry.look))


def _key(key: Key) -> dict[str, Any]:
    return {
        "ncols": key.across,
        "fontsize": key.size,
        "title": key.title or None,
        "title_fontsize": key.size,
        "handlelength": key.handle,
        "handletextpad": key.gap,
        "columnspacing": 1.2,
        "labelspacing": spacing(key) / key.size,
        "borderpad": 0.1,
        "borderaxespad": 0.2,
    }


def _sides(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]
