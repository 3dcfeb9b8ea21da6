"""The tags and texts of NIST's SGML, which is not XML: any case, bare ampersands, unquoted values, tags left open."""

from __future__ import annotations

import re

from truegain.errors import InputError
from truegain.readers.decoding import decode
from truegain.readers.xml import Events

# Only these are tags; any other < is text. Lengths are bounded, so that a stray quote costs little.
_TAG = re.compile(
    r"<(/?)(srcset|refset|tstset|mteval|doc|seg|hl|p)(?=[\s/>])((?:[^<>\"']|\"[^\"<]{0,1000}\"|'[^'<]{0,1000}'){0,1000})>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"([a-z][\w:.-]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9a-f]{1,6}));", re.IGNORECASE)
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def scan_sgml(data: bytes, path: str, events: Events) -> None:
    """Go through a file; the five entities of XML and numbers are read, any other ampersand is itself.

    Raises
    ------
    InputError
        If it is not UTF-8, or declares entities.
    """
    text = decode(data, path).removeprefix("\ufeff")
    place, line = 0, 1
    for match in _TAG.finditer(text):
        between = text[place : match.start()]
        _check_entities(between, path, line, events)
        events.text(_unescaped(between))
        line += between.count("\n")
        tag = match[2].lower()
        if match[1]:
            events.end(tag)
        else:
            events.start(tag, _attributes(match[3]), line)
        line += match[0].count("\n")
        place = match.end()
    events.text(_unescaped(text[place:]))
    events.end("seg")


def _check_entities(between: str, path: str, line: int, events: Events) -> None:
    """Refuse text outside of segments that would change what segments mean."""
    declared = -1 if events.inside else between.upper().find("<!ENTITY")
    if declared >= 0:
        raise InputError(
            "entities are declared; only &amp; &lt; &gt; &quot; &apos; and numbers are read",
            path=path,
            line=line + between.count("\n", 0, declared),
            hint="write out what they stand for",
        )


def _attributes(text: str) -> dict[str, str]:
    found = {}
    for match in _ATTRIBUTE.finditer(text):
        value = next(one for one in match.groups()[1:] if one is not None)
        found[match[1].lower()] = _unescaped(value)
    return found


def _unescaped(text: str) -> str:
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    if match[1]:
        return _NAMED[match[1].lower()]
    number = int(match[2]) if match[2] else int(match[3], 16)
    # No character has such a number, or half of one has: then it is text like any other.
    return match[0] if number == 0 or number > 0x10FFFF or 0xD800 <= number <= 0xDFFF else chr(number)
