"""Files of the documents and the domains of segments."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from truegain.errors import InputError
from truegain.readers.documents import read_documents

WORDS = [b"doc\t", b"docid", b"domain", b"id\t", b"d1\tnews\n", b"\t"]


def check(data: bytes) -> None:
    """One document a segment, whatever was asked for."""
    path = file("fuzzed.tsv", data)
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    for segments in (lines, lines - 1):
        for given in ({}, {"column": "doc"}, {"domain_column": "domain"}, {"ids": ("1", "2")}):
            with suppress(InputError):
                found = read_documents(path, segments, **given)
                if len(found.documents) != (2 if "ids" in given and len(found.documents) == 2 else segments):
                    raise AssertionError(f"{len(found.documents)} documents of {segments} segments")
