"""The tags and texts of an XML file, one after the other. Entities are refused, and nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol
from xml.parsers import expat

from truegain.errors import InputError

_TAG = re.compile(rb"<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);|#)([^;\s<>\"']*);")
_NIST = re.compile(rb"<(refset|tstset|srcset|mteval)\b", re.IGNORECASE)


class Events(Protocol):
    """Told of the tags (in lower case) and texts of a file as they come."""

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        """Begin an element."""
        ...

    def end(self, tag: str) -> None:
        """End an element."""
        ...

    def text(self, data: str) -> None:
        """Take text."""
        ...

    @property
    def inside(self) -> bool:
        """Return whether a segment is open."""
        ...


def scan_xml(data: bytes, path: str, events: Events) -> None:
    """Go through a well-formed file.

    Raises
    ------
    InputError
        If it is not well-formed, is in an encoding that the parser does not know, or declares entities or uses
        unknown ones: a few lines of these can stand for more text than fits any memory, or for files of the reader's
        own machine.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    encodings: list[str] = []
    elsewhere: list[str] = []  # the DTD in another file, if any

    def declared(version: str, encoding: str | None, standalone: int) -> None:
        encodings.append(encoding or "none")

    def doctype(name: str, system: str | None, public: str | None, inside: bool) -> None:
        elsewhere.extend(one for one in (system, public) if one is not None)

    def start(tag: str, attributes: dict[str, str]) -> None:
        # A DTD elsewhere might declare an entity: then the parser drops it from a value, and tells nobody.
        if elsewhere and attributes and (raw := _TAG.match(data, parser.CurrentByteIndex)):
            unknown = _ENTITY.search(raw[0])
            if unknown:
                refuse(unknown[1].decode("utf-8", "replace"))
        events.start(tag.lower(), {key.lower(): value for key, value in attributes.items()}, parser.CurrentLineNumber)

    def refuse(name: str) -> None:
        raise InputError(
            f"the entity {name!r} is declared or used; only &amp; &lt; &gt; &quot; &apos; and numbers are read",
            path=path,
            line=parser.CurrentLineNumber,
            hint="entities can hide whole texts or files: write out what they stand for",
        )

    parser.XmlDeclHandler = declared
    parser.StartDoctypeDeclHandler = doctype
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
            hint="is it NIST's SGML? Then name it FILE.sgm"
            if _NIST.search(data, 0, 10_000)
            else "is the file whole? An & in a text is written &amp;, a < is written &lt;",
        ) from error
    except (ValueError, LookupError) as error:  # what Python's codecs say of an encoding
        raise InputError(
            f"the encoding {(encodings or ['unknown'])[0]!r} is declared, and cannot be read here",
            path=path,
            line=1,
            hint="convert it to UTF-8, the declaration as well: iconv -f ENCODING -t UTF-8",
        ) from error
