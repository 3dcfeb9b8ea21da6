"""The structure of a page as indented text: sections, headings, tables and sentences, without styles and figures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import groupby

__all__ = ["outline"]

_ALONE = {"br", "hr", "img", "input", "link", "meta", "wbr"}
_IN_A_LINE = {
    *("a", "b", "bdi", "button", "code", "em", "i", "kbd", "label", "mark", "small", "span", "strong", "sub", "sup"),
    *_ALONE,
}
#: Without a line of their own.
_SEEN_THROUGH = {"body", "div", "head", "html", "tbody", "thead"}


@dataclass
class _Element:
    tag: str
    attributes: dict[str, str | None]
    children: list[_Element | str] = field(default_factory=list)


class _Tree(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = _Element("html", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        made = _Element(tag, dict(attributes))
        self.open[-1].children.append(made)
        if tag not in _ALONE:
            self.open.append(made)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(_Element(tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes something else"

    def handle_data(self, text: str) -> None:
        self.open[-1].children.append(text)


def outline(page: str) -> str:
    """Return the outline of a page in HTML."""
    tree = _Tree()
    tree.feed(page)
    tree.close()
    assert tree.open == [tree.root]
    return "".join(f"{line}\n" for line in _lines(tree.root, 0))


def _lines(element: _Element, depth: int) -> Iterator[str]:
    if element.tag == "style" or not (element.tag in _SEEN_THROUGH or _named(element) or element.children):
        return
    margin = "  " * depth
    if element.tag == "script":
        if element.attributes.get("type") == "application/json":
            text = "".join(one for one in element.children if isinstance(one, str))
            yield f"{margin}data {element.attributes.get('id')} sha256 {hashlib.sha256(text.encode()).hexdigest()[:16]}"
    elif element.tag == "pre":
        yield f"{margin}pre"
        yield from (f"{margin}  {line}".rstrip() for line in _text(element).strip("\n").split("\n"))
    elif element.tag == "tr":
        cells = [_one_line(_text(one)) for one in element.children if isinstance(one, _Element)]
        yield f"{margin}{' | '.join(cells)}".rstrip()
    elif all(_in_a_line(one) for one in element.children):
        if text := _one_line(_text(element)):
            yield f"{margin}{'' if element.tag in _SEEN_THROUGH else _head(element)}{text}"
        elif _named(element):
            yield f"{margin}{_head(element)}".rstrip()
    else:
        seen_through = element.tag in _SEEN_THROUGH
        if not seen_through:
            yield f"{margin}{_head(element)}".rstrip()
        inner = depth if seen_through else depth + 1
        for in_a_line, group in groupby(element.children, _in_a_line):
            parts = list(group)
            if not in_a_line:
                for one in parts:
                    assert isinstance(one, _Element)
                    yield from _lines(one, inner)
            elif text := _one_line(" ".join(map(_text, parts))):
                yield f"{'  ' * inner}{text}"


def _named(element: _Element) -> bool:
    return any(element.attributes.get(key) for key in ("id", "aria-label"))


def _head(element: _Element) -> str:
    """The tag, with the name that links and programs go by, and the one that is read aloud."""
    id, label = (element.attributes.get(key) for key in ("id", "aria-label"))
    return f"{element.tag}{f'#{id}' if id else ''}{f' ({label})' if label else ''} "


def _in_a_line(part: _Element | str) -> bool:
    if isinstance(part, str) or part.tag == "svg":
        return True
    return part.tag in _IN_A_LINE and all(map(_in_a_line, part.children))


def _text(part: _Element | str) -> str:
    if isinstance(part, str):
        return part
    if part.tag in ("img", "svg"):
        label = part.attributes.get("alt") or part.attributes.get("aria-label")
        return f" [{label}] " if label else ""
    return "".join(map(_text, part.children))


def _one_line(text: str) -> str:
    return " ".join(text.split())
