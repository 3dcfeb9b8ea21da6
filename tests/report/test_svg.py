"""Figures inside a page: no styles, no ids that meet, ink that follows the page."""

from __future__ import annotations

import html.parser
import re

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

from truegain.report.svg import inline


class Elements(html.parser.HTMLParser):
    """The elements of a picture: tags with attributes, and texts with the attributes of their element."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, dict[str, str]] = {}
        self.open: list[str] = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {key: value or "" for key, value in attrs}))
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts[data] = self.found[-1][1]

    def all(self, key: str) -> list[str]:
        return [attributes[key] for _, attributes in self.found if key in attributes]


def figure() -> Figure:
    made = Figure(figsize=(3.35, 2.0), layout="constrained")
    axes = made.subplots()
    axes.plot([1, 2, 3], [1, 3, 2], "o--", color="#0072B2", label='<a> & "b"')
    axes.plot([1, 3], [2, 2], color="0.6", alpha=0.5)
    axes.fill_between([1, 2], [0, 0], [1, 1], hatch="//", color="#D55E00", alpha=0.3)
    axes.scatter([1, 2], [2, 1], c="white", edgecolors="black")
    axes.set_xlabel("runs", fontweight="bold")
    axes.legend()
    return made


def test_no_style_and_nothing_that_a_page_forbids() -> None:
    elements = Elements(inline(figure(), "one", "alt"))
    tags = {tag for tag, _ in elements.found}
    assert not tags & {"style", "metadata", "script", "title"}
    assert not elements.all("style")
    assert not elements.all("font-family")
    assert not [key for _, attributes in elements.found for key in attributes if key.startswith(("on", "xlink", "xml"))]


def test_every_id_has_the_prefix_and_is_used() -> None:
    elements = Elements(inline(figure(), "one.2", "alt"))
    ids = elements.all("id")
    assert ids
    assert len(set(ids)) == len(ids)
    assert all(name.startswith("one.2-") for name in ids)
    source = inline(figure(), "one.2", "alt")
    links = re.findall(r"url\(#([^)]+)\)", source) + re.findall(r'href="#([^"]+)"', source)
    assert set(links) == set(ids)


def test_no_two_figures_share_an_id() -> None:
    first, second = (set(Elements(inline(figure(), prefix, "alt")).all("id")) for prefix in ("a", "b"))
    assert not first & second


def test_black_grey_and_white_follow_the_page_and_colours_stay() -> None:
    elements = Elements(inline(figure(), "one", "alt"))
    paints = set(elements.all("fill")) | set(elements.all("stroke"))
    assert {"currentColor", "var(--paper)", "#0072b2", "#d55e00"} <= paints
    assert not [paint for paint in paints if re.fullmatch(r"#(..)\1\1", paint)]
    # Grey 0.6 is two fifths of black; drawn with half the opacity, one fifth.
    grey = [a for _, a in elements.found if a.get("stroke") == "currentColor" and a.get("stroke-opacity") == "0.2"]
    assert grey
    assert "fill" not in elements.texts["runs"]  # so it has that of the whole picture
    assert elements.found[0][1]["fill"] == "currentColor"
    assert elements.texts["runs"]["font-weight"] == "700"


def test_what_is_said_of_it_is_escaped() -> None:
    elements = Elements(inline(figure(), "one", 'a "<b>" & c'))
    tag, attributes = elements.found[0]
    assert tag == "svg"
    assert attributes["role"] == "img"
    assert attributes["aria-label"] == 'a "<b>" & c'
    assert '<a> & "b"' in elements.texts


def test_its_size_is_that_drawn() -> None:
    attributes = Elements(inline(figure(), "one", "alt")).found[0][1]
    assert attributes["viewbox"] == "0 0 241.2 144"
    assert float(attributes["width"]) / float(attributes["height"]) == pytest.approx(241.2 / 144, rel=0.01)


def test_what_is_written_on_a_heat_map_keeps_its_colour() -> None:
    made = Figure(figsize=(3, 3))
    axes = made.subplots()
    axes.pcolormesh(np.arange(4).reshape(2, 2), cmap="Blues")
    axes.text(0.5, 0.5, "dark on light", color="black")
    axes.text(1.5, 1.5, "light on dark", color="white")
    axes.set_title("above")
    texts = Elements(inline(made, "one", "alt")).texts
    assert texts["dark on light"]["fill"] == "#000000"
    assert texts["light on dark"]["fill"] == "#ffffff"
    assert "fill" not in texts["above"]


def test_lines_and_marks_on_a_heat_map_keep_their_colour() -> None:
    """On a dark page the page's ink is light, and the map's squares are as light as ever."""
    made = Figure(figsize=(3, 3))
    axes = made.subplots()
    axes.imshow(np.arange(4).reshape(2, 2), cmap="Blues")
    axes.axhline(0.5, color="black")
    axes.plot([0], [0], "o", color="0.45", fillstyle="none")
    elements = Elements(inline(made, "one", "alt"))
    assert {"#000000", "#737373"} <= set(elements.all("stroke"))
    assert "currentColor" in elements.all("stroke"), "the axes are outside of the map"


def test_images_stay() -> None:
    made = Figure()
    made.subplots().imshow(np.arange(4).reshape(2, 2))
    links = Elements(inline(made, "one", "alt")).all("href")
    (image,) = (link for link in links if not link.startswith("#"))
    assert image.startswith("data:image/png;base64,")
    assert not re.search(r"\s", image)


def test_the_same_figure_gives_the_same_text() -> None:
    assert inline(figure(), "one", "alt") == inline(figure(), "one", "alt")


def test_the_users_settings_change_nothing() -> None:
    expected = inline(figure(), "one", "alt")
    made = figure()
    with matplotlib.rc_context({"svg.fonttype": "path", "savefig.bbox": "tight", "savefig.facecolor": "red"}):
        assert inline(made, "one", "alt") == expected


def test_names_of_any_characters() -> None:
    made = Figure()
    made.text(0.1, 0.1, "a\x1bb")
    made.text(0.1, 0.5, "猫 हिन्दी")  # not in the font of the layout, but perhaps in the reader's
    texts = Elements(inline(made, "one", "alt")).texts
    assert set(texts) == {"a\ufffdb", "猫 हिन्दी"}
