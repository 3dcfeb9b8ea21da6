"""NIST's SGML."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from truegain.errors import InputError
from truegain.readers.corpora import read_corpus
from truegain.readers.formats import File
from truegain.readers.markup import read_markup

WORDS = [
    *(b"<refset>", b'<tstset sysid="s">', b"<srcset", b"</refset>", b'<doc docid="d">', b"</doc>", b"<p>", b"<hl>"),
    *(b'<seg id="1">', b"</seg>", b"&amp;", b"&#65;", b"&#xD800;", b"<!ENTITY", b"<!DOCTYPE", b"sysid=", b"refid="),
]


def check(data: bytes) -> None:
    """Texts of every role."""
    read(file("fuzzed.sgm", data))


def read(path: str) -> None:
    """Every text of the file, and all of them as a corpus."""
    with suppress(InputError):
        for texts in read_markup(File(path)).texts.values():
            for text in texts.values():
                if not len(text.lines) == len(text.ids or ()) == len(text.documents or ()):
                    raise AssertionError("segments, ids and documents are not as many")
    for systems in ([path], [f"{path}:s"], [f"x={path}"]):
        with suppress(InputError):
            read_corpus(systems, [path])
