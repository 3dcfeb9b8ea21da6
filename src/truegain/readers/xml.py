"""The tags and texts of an XML file, one after the other. Entities are refused, and nothing is fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol
from xml.parsers import expat

from truegain.errors import InputError

__all__ = ["Events", "scan_xml"]


class Events(Protocol):
    """Told of the tags (in lower case) and texts of a file as they come."""

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        """An element begins."""
        ...

    def end(self, tag: str) -> None:
        """An element ends."""
        ...

    def text(self, data: str) -> None:
        """Text."""
        ...

    @property
    def inside(self) -> bool:
        """Whether a segment is open."""
        ...


def scan_xml(data: bytes, path: str, events: Events) -> None:
    """Go through a well-formed file.

    Raises
    ------
    InputError
        Where it is not well-formed, or declares entities or uses unknown ones: a few lines of these can stand for more
        text than fits any memory, or for files of the reader's own machine.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(tag: str, attributes: dict[str, str]) -> None:
        events.start(tag.lower(), {key.lower(): value for key, value in attributes.items()}, parser.CurrentLineNumber)

    def refuse(name: str) -> None:
        raise InputError(
            f"the entity {name!r} is declared or used; only &amp; &lt; &gt; &quot; &apos; and numbers are read",
            path=path,
            line=parser.CurrentLineNumber,
            hint="entities can hide whole texts or files: write out what they stand for",
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: events.end(tag.lower())
    parser.CharacterDataHandler = events.text
    parser.EntityDeclHandler = lambda name, *_: refuse(name)
    parser.SkippedEntityHandler = lambda name, _: refuse(name)
    # A DTD that is named is not looked at: the parser opens no other file unless it is told to.
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise InputError(
            f"not well-formed XML: {expat.ErrorString(error.code)} (column {error.offset + 1})",
            path=path,
            line=error.lineno,
            hint="is it NIST's SGML? Then name it FILE.sgm",
        ) from error
