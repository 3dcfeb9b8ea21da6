"""Tables separated by tabs, commas or semicolons: a column as a text, and a whole comparison."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from fuzz.scored import score_corpus
from truegain.errors import InputError
from truegain.readers.any_format import read_table
from truegain.readers.columns import corpus_from_table
from truegain.readers.tabular import table_text

WORDS = [b"id", b"ref", b"ref2", b"doc", b"domain", b"src", b"text", b"hyp", b"\t", b"a\tb\n", b"a,b\n", b";", b'"']


def check(data: bytes) -> None:
    """Read a text, and a corpus that can be scored."""
    read(file("fuzzed.tsv", data))
    read(file("fuzzed.csv", data))


def read(path: str) -> None:
    """Read a table in every way it can be asked for."""
    for systems in ((), ("a",), ("x=*",), ("x=a,b",)):
        with suppress(InputError):
            score_corpus("bleu", corpus_from_table(path, systems))
    for text_column in (None, "text"):
        with suppress(InputError):
            table_text(read_table(path), None, text_column)
