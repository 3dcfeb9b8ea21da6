"""JSON lines: a key as a text, a whole comparison, and the documents of segments."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from fuzz.targets import tables
from truegain.errors import InputError
from truegain.readers.documents import read_documents
from truegain.readers.matching import Ids

WORDS = [b'{"id":', b'"ref":', b'"text":', b'"doc":', b'"\\ud800"', b"NaN", b"1e999", b"null", b"[[", b"]]", b"{}\n"]


def check(data: bytes) -> None:
    """Read a text, a corpus, and documents."""
    path = file("fuzzed.jsonl", data)
    tables.read(path)
    for column in (None, "a"):
        with suppress(InputError):
            read_documents(path, data.count(b"\n"), column=column, ids=Ids("the texts", ("1", "2")))
