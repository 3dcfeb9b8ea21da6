"""WMT's XML."""

from __future__ import annotations

from fuzz.held import file
from fuzz.targets.sgml import read

WORDS = [
    *(b"<dataset>", b"</dataset>", b'<doc id="d">', b"</doc>", b"<src>", b"<ref>", b"<hyp>", b"</hyp>", b"</ref>"),
    *(b'<seg id="1">', b"</seg>", b"&amp;", b"&#x41;", b"&#0;", b"<!DOCTYPE", b"<!ENTITY", b"<![CDATA[", b"]]>"),
    *(b'<?xml version="1.0" encoding="UTF-16"?>', b"translator=", b"system="),
]


def check(data: bytes) -> None:
    """Texts of every role."""
    read(file("fuzzed.xml", data))
