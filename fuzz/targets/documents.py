"""Files of the documents and the domains of segments."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from truegain.errors import InputError
from truegain.readers.documents import read_documents, read_domains
from truegain.readers.matching import Ids

WORDS = [b"doc\t", b"docid", b"domain", b"id\t", b"d1\tnews\n", b"news\td1\n", b"\t"]


def check(data: bytes) -> None:
    """One document, and one domain, per segment, whatever was asked for."""
    path = file("fuzzed.tsv", data)
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    for segments in (lines, lines - 1):
        for given in ({}, {"column": "doc"}, {"domain_column": "domain"}, {"ids": Ids("the texts", ("1", "2"))}):
            expected = {segments, 2} if "ids" in given else {segments}
            with suppress(InputError):
                found = read_documents(path, segments, **given)
                counted = {len(values) for values in (found.documents, found.domains) if values is not None}
                if not counted <= expected or found.documents is None:
                    raise AssertionError(f"{counted} documents and domains of {segments} segments")
        with suppress(InputError):
            if len(read_domains(path, segments).domains or ()) != segments:
                raise AssertionError(f"not {segments} domains")
